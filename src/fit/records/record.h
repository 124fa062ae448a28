/* A record on its way from the rows of a table to uniform stretches; not installed. */
#ifndef BRISTLE_FIT_RECORD_H
#define BRISTLE_FIT_RECORD_H

#include "fit/records/expression.h"
#include "fit/records/log.h"

/* columns that terms are made of; those and their derivatives; all columns */
enum { RECORD_SOURCES = 16, RECORD_VALUES = 24, RECORD_COLUMNS = BRISTLE_CHANNELS + RECORD_SOURCES };

typedef struct record_terms {
  int sources;
  size_t source[RECORD_SOURCES]; /* places in the table */
  double *data[RECORD_SOURCES];  /* on the grid */
  double noise[RECORD_SOURCES];
  int values;
  struct {
    int data, order; /* a channel, or BRISTLE_CHANNELS + source; how often it is differentiated */
  } value[RECORD_VALUES];
  expression program[BRISTLE_EXTRAS];
} record_terms;

typedef struct record {
  bristle_log *log; /* takes the notes and owns what is left in the end */
  memory *scratch;  /* rows on their way, which go when the grid is there */
  size_t count;
  double *data[RECORD_COLUMNS]; /* by channel, then by source of terms, in SI; NULL where there is none */
  unsigned char *begins;        /* 1: a stretch begins here, whatever the time says */
  unsigned char *lines;         /* 1: the force is on a straight line between fresh values; NULL: it is nowhere */
} record;

enum { RECORD_FEWEST = 30, RECORD_FEW_LEVELS = 20 }; /* samples of a log; levels of a force that may be a relay's */
static const double RECORD_GAP = 3.5;                /* steps longer than this many median ones end a stretch */

/* The terms that the options name, as programs; sets the log's extras, without their numbers. */
bristle_fault_kind record_terms_read(record *r, const bristle_table *table, const log_choice *choice,
                                     const bristle_log_options *options, bristle_fault *fault);
/* Adds the columns of another file, interpolated at the times of the table. */
bristle_fault_kind record_join(bristle_table *table, const char *path, const bristle_log_options *options,
                               bristle_fault *fault);
/* A column at other times: straight lines between its numbers, NaN beyond their ends and in their gaps. `work` has room
   for 3 rows + 3. */
void record_interpolate(const double *time, const double *data, size_t rows, const double *at, size_t places,
                        double *out, double *work);
/* The time of a table in seconds, less *origin, which is chosen where it is NaN; *tick is what the clock counts in. */
bristle_fault_kind record_clock(const bristle_table *table, const log_choice *choice, double *origin, double *time,
                                double *tick, bristle_fault *fault);

/* The whole rows of the table, in SI; row[i] is where sample i comes from. */
bristle_fault_kind record_take(record *r, const bristle_table *table, const log_choice *choice,
                               const bristle_log_options *options, size_t *row, bristle_fault *fault);
/* Keeps the time that was asked for. */
bristle_fault_kind record_trim(record *r, const bristle_log_options *options, bristle_fault *fault);

/* Time that grows: repeated, restarted, disordered and bunched stamps are repaired. */
bristle_fault_kind record_mend_time(record *r, const bristle_table *table, size_t *row, bristle_fault *fault);

/* Wraps, jumps, spikes, held registers and a force that is cut off; after record_levels. Of free motion only wraps:
   someone may lift it from one sample to the next. */
bristle_fault_kind record_mend(record *r, int motion_only, bristle_fault *fault);

/* Cuts at gaps and puts each stretch on a uniform grid; sets the log's stretches, count and rate. */
bristle_fault_kind record_grid(record *r, bristle_fault *fault);

/* ---- one channel ---- */

/* The step of the levels of y, at least `levels` of them; 0: none seen. */
double record_quantum(const double *y, size_t count, size_t levels, double *work);
/* Fewer than RECORD_FEW_LEVELS different values? */
int record_has_few_levels(const double *y, size_t count);
/* Does a channel that holds its values really step, as relays and staircases do, rather than being read too seldom?
   lines: the channel with straight lines between its fresh values. */
bristle_fault_kind record_steps(record *r, int column, const double *lines, int *steps, bristle_fault *fault);
/* How many samples a value is repeated for because the sensor is slower than the log; 1: fresh each time. */
double record_held(const double *y, size_t count, double quantum);
/* The noise of y from sixth differences, of which smooth motion has hardly any, at every `stride`-th sample. */
double record_noise(const bristle_log *log, const double *y, size_t stride);

/* Levels, holding and saturation of every channel, before it goes onto the grid. */
bristle_fault_kind record_levels(record *r, bristle_fault *fault);
/* Noise of every channel of raw[]. */
void record_noises(bristle_log *log);
/* What the velocity lags behind the position. A column that is late by more than a sample, or does not follow the
   position, is not used. Of free motion nobody asks. */
bristle_fault_kind record_lag(bristle_log *log, int motion_only, bristle_fault *fault);

#endif
