/* What the signal functions share. */
#ifndef BRISTLE_FIT_SIGNAL_H
#define BRISTLE_FIT_SIGNAL_H

#include "lab/fit.h"

#define PI 3.14159265358979323846

/* A grid may end this share of a step behind the last sample: a mean step times a count rounds, and more so the longer
   a record is. */
#define GRID_SLACK 1e-6

/* a fault that names the first sample that is no finite number, or none */
bristle_fault_kind signal_check(const double *y, size_t count, bristle_fault *fault);
/* bristle_lowpass_both_ways for several columns of one length, in place and side by side: one alone waits for itself.
 */
bristle_fault_kind signal_lowpass_columns(const bristle_lowpass *filter, double *const *column, int columns,
                                          size_t count, bristle_fault *fault);

#endif
