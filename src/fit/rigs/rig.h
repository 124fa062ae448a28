/* What the parts of a fit of a scenario share; not installed. */
#ifndef BRISTLE_FIT_RIG_H
#define BRISTLE_FIT_RIG_H

#include "lab/rig.h"
#include "lab/scenario.h"
#include "fit/replay/replay.h"

enum { RIG_KEYS = 16 };

/* A number of the scenario that is searched, in the unit that the file has it in. */
typedef struct rig_key {
  char name[64], unit[32];
} rig_key;

typedef struct rig_run {
  bristle_table *table;
  bristle_scenario_log log; /* all rows that are used */
  size_t stride;            /* every n-th of them is compared */
  double x, v;              /* where it starts, as measured; NaN: not measured */
} rig_run;

typedef struct rig_fit {
  bristle_motion motion;
  const bristle_rig_request *request; /* a copy */
  bristle_document *document;
  bristle_scenario *scenario; /* as the file has it, for the first run */
  int start_is_given[2];      /* initial.x, initial.v */
  rig_run *run;
  int column[BRISTLE_MOTION_CHANNELS]; /* simulated ones, of each channel */
  int keys;
  rig_key key[RIG_KEYS];
  int parameters; /* of laws that are searched though they usually are not, or in bounds */
  bristle_range parameter[RIG_KEYS];
  replay_number *number; /* keys first, then starts */
  int numbers;
  size_t *samples;
  const double **t, **measured;
  double noise[BRISTLE_MOTION_CHANNELS], size[BRISTLE_MOTION_CHANNELS], measured_noise;
  memory *list;
} rig_fit;

/* Copies what is asked for. */
bristle_fault_kind rig_keep_request(rig_fit *r, const bristle_rig_request *request, bristle_fault *fault);
/* Reads the logs: times, channels, noise. */
bristle_fault_kind rig_read_logs(rig_fit *r, bristle_fault *fault);
/* Finds the keys in the scenario, and their starts and bounds. */
bristle_fault_kind rig_find_keys(rig_fit *r, bristle_fault *fault);
/* The scenario of a run with the numbers b (NULL: as the file has them). */
bristle_fault_kind rig_scenario(const rig_fit *r, size_t run, const double *b, bristle_scenario **scenario,
                                bristle_fault *fault);
/* Simulates `until` compared samples of a run with a law. */
int rig_simulate(const rig_fit *r, size_t run, size_t until, const bristle_law *law, const double *p, const double *b,
                 int coarse, double *y);
/* What the scenario and its motion say before any law is fitted. */
bristle_fault_kind rig_features(const rig_fit *r, features *f, bristle_fault *fault);

/* Of the kinds of rigs with one contact. */
typedef struct rig_facts {
  int dimension;           /* of the contact */
  int is_line;             /* solved to the last digits */
  int has_start;           /* one mass, which may start anywhere: rig.as.axis */
  const char *compared[3]; /* columns: the motion, else velocities, else forces; of a prescribed motion the force */
} rig_facts;
/* NULL: such a rig cannot be fitted. */
const rig_facts *rig_facts_of(const bristle_rig *rig);
bristle_contact *rig_contact(bristle_rig *rig);
void rig_forget(bristle_rig *rig); /* states at the start, which are those of another law */
double rig_load(const bristle_rig *rig);

#endif
