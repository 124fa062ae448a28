/* Fleets: one model for each log of many axes over many days, and the axes whose friction has changed.
 *
 * The first log of an axis decides how all of its logs are treated: the cut-off, the terms of the balance, the law
 * whose parameters are followed. Every log is then fitted by itself with these decisions, so that days can be compared
 * and nothing depends on the order of the work.
 */
#ifndef BRISTLE_LAB_FLEET_H
#define BRISTLE_LAB_FLEET_H

#include "lab/identify.h"

enum { BRISTLE_FLEET_LAWS = 8, BRISTLE_FLEET_COLUMNS = 96 };
enum { BRISTLE_FLEET_DAYS = 5 }; /* shorter histories are not judged */

typedef enum bristle_fleet_status {
  BRISTLE_FLEET_FINE,
  BRISTLE_FLEET_DOUBTFUL, /* fitted, but not to be used: the doubt says why; not part of the history */
  BRISTLE_FLEET_UNREADABLE
} bristle_fleet_status;

typedef struct bristle_fleet_entry {
  const char *file, *axis, *day; /* as the manifest has them */
  double at;                     /* the day as a number: of a date those since 1970 */
  bristle_fleet_status status;
  char law[24];      /* the best for this log alone */
  double rms, error; /* of the law that the axis is followed by; error: of the force */
  char doubt[200];   /* or "" */
  /* numbers of the law of the axis: its parameters, terms, friction at a slow, a medium and a fast speed; NaN: it has
     none, deviation infinite: not determined */
  double value[BRISTLE_FLEET_COLUMNS], deviation[BRISTLE_FLEET_COLUMNS];
} bristle_fleet_entry;

/* a number of an axis that changed; column -1: none did */
typedef struct bristle_fleet_shift {
  int column;
  size_t since;         /* the first entry after the change */
  double before, after; /* of a jump medians of the number (means of less than 25 days), of a drift its ends */
  double change;        /* part of what it was before */
  double statistic;     /* to be compared with bristle_fleet.threshold */
  int drifts;           /* it goes on changing; otherwise it jumped */
} bristle_fleet_shift;

typedef struct bristle_fleet_axis {
  const char *name;
  size_t first, count; /* its entries, by day */
  char law[24];        /* "": its first log could not be used, `why` says why not */
  char why[200];
  int rotary;
  double speed[3]; /* slow, medium and fast, of its first log */
  /* the number that left its history most clearly; column -1: none did */
  int column;
  size_t since;         /* the first entry after the change */
  double before, after; /* as in bristle_fleet_shift, like those below */
  double change;
  double statistic;
  int drifts;
  size_t days;               /* that are fine; fewer than BRISTLE_FLEET_DAYS say nothing */
  bristle_fleet_shift trend; /* of an axis that did not leave its history: above bristle_fleet.trend_threshold */
} bristle_fleet_axis;

typedef struct bristle_fleet {
  size_t entries, axes;
  int dates;                  /* days are dates, not numbers */
  bristle_fleet_entry *entry; /* axis by axis */
  bristle_fleet_axis *axis;
  int columns;
  char name[BRISTLE_FLEET_COLUMNS][32], unit[2][BRISTLE_FLEET_COLUMNS][24]; /* unit: of linear and of rotary axes */
  double threshold; /* so high that all axes together raise a false alarm with the probability that was asked for */
  double trend_threshold; /* the same for ten times the probability: worth a look, no alarm */
  struct memory *memory_list;
} bristle_fleet;

/* A table with the columns file, axis and day (a date 2026-03-01, or a number); files are seen from its folder. A text
   with * or ? is a pattern for files: axis3_2026-03-01.csv, or axis3/2026-03-01.csv. */
bristle_fault_kind bristle_fleet_read(const char *manifest, bristle_fleet **fleet, bristle_fault *fault);
void bristle_fleet_free(bristle_fleet *fleet); /* NULL is fine */

typedef struct bristle_fleet_options {
  const bristle_law *law[BRISTLE_FLEET_LAWS];
  int laws, threads;
  bristle_log_options reading;
  bristle_term mass;   /* BRISTLE_TERM_NONE or BRISTLE_TERM_FREE */
  double false_alarms; /* of the whole fleet; 0 is 0.01 */
  double least;        /* changes by a smaller part are none; 0 is 0.05 */
  void *context;
  int (*progress)(void *context, size_t done, size_t of); /* nonzero: no new axis is begun; or NULL */
} bristle_fleet_options;

typedef struct bristle_fleet_state {
  size_t computed, found, missing; /* axes: by this call, before it, left because of the progress function */
} bristle_fleet_state;

/* Fits what `folder`, which must be there, does not hold: a table for each axis, axis-NAME.csv, that appears when it is
   whole. */
bristle_fault_kind bristle_fleet_compute(bristle_fleet *fleet, const char *folder, const bristle_fleet_options *options,
                                         bristle_fleet_state *state, bristle_fault *fault);
enum { BRISTLE_FLEET_STRAY = 160 };
/* How many tables of the folder are of axes that the fleet has not, and the name of the first. */
size_t bristle_fleet_strays(const bristle_fleet *fleet, const char *folder, char first[BRISTLE_FLEET_STRAY]);

/* Which axes have changed? */
void bristle_fleet_watch(bristle_fleet *fleet, const bristle_fleet_options *options);

/* The change of a series, days in order, in units of what chance gives it: to be compared with the quantile of a normal
   distribution at 1 - p / (2 count), which chance exceeds with a probability below p. From 25 days on it is the largest
   difference between the means before and after, values bounded by three times their scatter; below, Student's t of the
   jump or drift that explains the days best, one of which may be bad. Single days decide nothing. NaN: fewer than
   BRISTLE_FLEET_DAYS, or no scatter. `scratch` has room for 2 count numbers. */
double bristle_fleet_change(const double *value, size_t count, double *scratch, size_t *since, double *scatter);

#endif
