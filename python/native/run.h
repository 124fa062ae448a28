/* A simulation whose rows and events are kept in memory, for languages in which a call for each row is slow. */
#ifndef BRISTLE_RUN_H
#define BRISTLE_RUN_H

#include "bristle/sim.h"

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct bristle_run {
  size_t width, rows, events;
  double *row;        /* rows x width */
  double *event_time; /* events */
  int *event_kind;
  bristle_sim_stats stats;
  bristle_sim_error error;
  bristle_sim_status status;
  /* asked about twenty times a second; a nonzero answer stops the run */
  int (*progress)(double fraction);
  size_t row_room, event_room;
  double told;
} bristle_run;

/* *run is zero but for `progress`; the arrays are freed by bristle_run_free. */
bristle_sim_status bristle_run_simulate(const bristle_rig *rig, const bristle_sim_options *options, bristle_run *run);
void bristle_run_free(bristle_run *run);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
