/* A record on its way from the rows of a table to uniform stretches; not installed. */
#ifndef BRISTLE_FIT_RECORD_H
#define BRISTLE_FIT_RECORD_H

#include "fit/log.h"

enum { RECORD_COLUMNS = BRISTLE_CHANNELS };

typedef struct record {
  bristle_log *log; /* takes the notes and owns the memory */
  size_t count;
  double *data[RECORD_COLUMNS]; /* by channel, in SI; NULL where there is none */
  unsigned char *begins;        /* 1: a stretch begins here, whatever the time says */
} record;

enum { RECORD_FEWEST = 30 };          /* samples of a log */
static const double RECORD_GAP = 3.5; /* steps longer than this many median ones end a stretch */

/* Time that grows: repeated, restarted, disordered and bunched stamps are repaired. */
bristle_fault_kind record_mend_time(record *r, const bristle_table *table, size_t *row, bristle_fault *fault);

/* Cuts at gaps and puts each stretch on a uniform grid; sets the log's stretches, count and rate. */
bristle_fault_kind record_grid(record *r, bristle_fault *fault);

/* ---- one channel ---- */

/* The step of the levels of y, at least `levels` of them; 0: none seen. */
double record_quantum(const double *y, size_t count, size_t levels, double *work);
/* How many samples a value is repeated for because the sensor is slower than the log; 1: fresh each time. */
double record_held(const double *y, size_t count, double quantum);
/* The part of the samples that are cut off at the outermost level. */
double record_saturated(const double *y, size_t count, double *work);
/* The noise of y from sixth differences, of which smooth motion has hardly any, at every `stride`-th sample. */
double record_noise(const bristle_log *log, const double *y, size_t stride);

/* Levels, holding and saturation of every channel, before it goes onto the grid. */
bristle_fault_kind record_levels(record *r, bristle_fault *fault);
/* Noise of every channel of raw[]. */
void record_noises(bristle_log *log);
/* What the velocity lags behind the position. */
bristle_fault_kind record_lag(bristle_log *log, bristle_fault *fault);

#endif
