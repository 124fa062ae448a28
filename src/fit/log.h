/* Measured records on their way to a log; not installed. */
#ifndef BRISTLE_FIT_LOG_H
#define BRISTLE_FIT_LOG_H

#include "bristle/identify.h"
#include "io/memory.h"
#include "io/support.h"

/* Which column of the table plays which part: places, or the number of columns where there is none; and what its
   numbers are multiplied with. */
typedef struct log_choice {
  size_t place[BRISTLE_CHANNELS];
  double factor[BRISTLE_CHANNELS];
  int scaled[BRISTLE_CHANNELS]; /* 1: a unit was given with the factor, so the column's own does not matter */
  int rotary;
} log_choice;

bristle_fault_kind log_choose(const bristle_table *table, const bristle_log_options *options, log_choice *choice,
                              bristle_fault *fault);

/* The log holds t, f and those of x, v, a, n that were measured, all finite, time growing within its stretches: adds
   what is missing. `measured` says which were. */
bristle_fault_kind log_prepare(bristle_log *log, const bristle_log_options *options,
                               const int measured[BRISTLE_CHANNELS], bristle_fault *fault);

/* The low-pass in both directions, and how many of its 1/cut-off it needs to settle at an end. */
enum { LOG_FILTER_ORDER = 4, LOG_SETTLING = 5 };

/* The noise of the position as it was measured. */
double log_position_noise(const bristle_log *log);
/* Where the position, filtered by now, stays within its noise for long it stays where it was, with no velocity and no
   `slide` between samples. What it has moved by after all counts when it leaves. */
void log_hold_rests(bristle_log *log, double noise, double *slide);

/* Counts what the data contain and refuses those that say nothing about friction. */
bristle_fault_kind log_judge(bristle_log *log, const bristle_log_options *options, bristle_fault *fault);

void log_note(bristle_log *log, int doubtful, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
