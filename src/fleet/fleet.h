/* What the parts of a fleet share; not installed. */
#ifndef BRISTLE_FLEET_INSIDE_H
#define BRISTLE_FLEET_INSIDE_H

#include "lab/fleet.h"
#include "io/memory.h"
#include "io/opened.h"

enum { FLEET_SPEEDS = 3, FLEET_TERMS = 5 };

/* The columns of the laws that are asked for. */
void fleet_list_columns(bristle_fleet *fleet, const bristle_fleet_options *options);
/* Fits all logs of an axis. Thread-safe. */
void fleet_fit_axis(bristle_fleet *fleet, bristle_fleet_axis *axis, const bristle_fleet_options *options);
/* The table of an axis. Reading: nonzero where there is none for these logs and options. */
bristle_fault_kind fleet_axis_replaceable(const bristle_fleet_axis *axis, const char *folder, bristle_fault *fault);
bristle_fault_kind fleet_axis_write(const bristle_fleet *fleet, const bristle_fleet_axis *axis, const char *folder,
                                    const char digest[65], bristle_fault *fault);
int fleet_axis_read(bristle_fleet *fleet, bristle_fleet_axis *axis, const char *folder, const char digest[65]);

/* A change of a series, whether it means something or not. */
typedef struct fleet_shift {
  double statistic, scatter; /* as bristle_fleet_change has them */
  double before, after;
  size_t since;
  int drifts;
} fleet_shift;
fleet_shift fleet_change(const double *value, size_t count, double *scratch);

/* What the table of an axis is made of: its logs by content, and all options. */
typedef struct fleet_key {
  char digest[65];
  opened_list files;
} fleet_key;
bristle_fault_kind fleet_key_make(const bristle_fleet *fleet, const bristle_fleet_axis *axis,
                                  const bristle_fleet_options *options, fleet_key *key, bristle_fault *fault);
/* The same log under two days would be a history without scatter. */
bristle_fault_kind fleet_key_check(const bristle_fleet *fleet, const bristle_fleet_axis *axis, const fleet_key *key,
                                   bristle_fault *fault);

#endif
