/* Fitting: nonlinear least squares with bounds, and the preparation of measured signals.
 *
 * This is a hosted layer: it allocates (one call frees each object), but never prints and keeps no state. Every
 * function that can fail returns a bristle_fault_kind (0 = fine) and fills a bristle_fault. Results are deterministic:
 * the same numbers in give the same bits out, whatever instruction set the machine has.
 *
 * The unknowns p minimise cost(p) = 1/2 sum w_i r_i(p)^2, or another loss, within lo <= p <= hi. The caller's model
 * streams its residuals in blocks of any size, with their derivatives when asked; each block is triangularised at once,
 * so the memory is that of a few hundred rows however long the record, and the accuracy is that of a QR of the whole
 * Jacobian. Where the asked tolerance of the cost is 1e-11 or more, large blocks column by column (row_stride 1) go the
 * quicker way of normal equations, as long as these are well-conditioned.
 */
#ifndef BRISTLE_LAB_FIT_H
#define BRISTLE_LAB_FIT_H

#include "lab/io.h"

/* ---- the problem ---- */

/* One unknown. The bounds must be given, -INFINITY and INFINITY where there are none: lo = hi = 0 means fixed at 0. */
typedef struct bristle_unknown {
  const char *name;      /* for messages; NULL is "p1", "p2", ... */
  bristle_row_kind kind; /* BRISTLE_ROW_LINEAR, or BRISTLE_ROW_LOG: searched as ln p, always positive */
  double lo, hi;         /* ends included; lo = hi holds the unknown fixed */
  double scale;          /* size below which changes do not matter, for the stop rule of the step; 0: none known */
  int eliminate;         /* the residuals are linear in it: solved exactly at each step (variable projection) */
  int beside;            /* and the derivatives by the others do not depend on it: one pass over the rows serves both */
} bristle_unknown;

/* Rows on their way to the solver. */
typedef struct bristle_rows bristle_rows;

/* What the solver wants to know of the rows: the residuals always; the derivatives by none, by the unknowns to be
   eliminated, or by all. A model may always give more than is wanted. */
typedef enum bristle_rows_want {
  BRISTLE_WANT_RESIDUALS,
  BRISTLE_WANT_ELIMINATED,
  BRISTLE_WANT_JACOBIAN
} bristle_rows_want;
bristle_rows_want bristle_rows_wanted(const bristle_rows *rows);

/* A block of residuals. The derivative of residual i by unknown j is jacobian[i*row_stride + j*column_stride];
   both strides 0 mean row after row. Derivatives are those by p, also where the search goes by ln p. */
typedef struct bristle_block {
  size_t count;
  const double *residual, *jacobian; /* jacobian may be NULL when only residuals are wanted */
  size_t row_stride, column_stride;
  const double *weight; /* of the squares, >= 0; NULL is 1 each */
} bristle_block;
void bristle_rows_add(bristle_rows *rows, const bristle_block *block);

/* Adds all residuals at p, always as many and in the same order. Returns 0, or anything else where the model does not
   exist (a residual that is not finite says the same): the solver then steps less far. */
typedef int bristle_residuals(void *context, const double *p, bristle_rows *rows);

typedef struct bristle_fit_problem {
  int count;
  const bristle_unknown *unknown;
  const double *start; /* within the bounds; those to be eliminated need no good one */
  bristle_residuals *residuals;
  void *context;
} bristle_fit_problem;

/* ---- the search ---- */

/* rho by s = w r^2/scale^2: squares s; Huber s up to 1, 2 sqrt(s) - 1 beyond; soft 2 (sqrt(1 + s) - 1); Cauchy
   ln(1 + s); each times scale^2. */
typedef enum bristle_loss { BRISTLE_SQUARES, BRISTLE_HUBER, BRISTLE_SOFT, BRISTLE_CAUCHY } bristle_loss;

/* All zero is a good choice: each zero stands for the default. */
typedef struct bristle_fit_options {
  bristle_loss loss;
  double loss_scale;  /* residual at which the loss leaves the square; needed for all losses but squares */
  double gradient;    /* stop: cosine of every column with the residuals, 1e-10 */
  double step;        /* stop: every change relative to its unknown (plus scale), 1e-10; of ln p: absolute */
  double cost;        /* stop: relative fall of the cost, promised (and, up to rounding, seen), 1e-16 */
  int iterations;     /* 500 */
  double rank;        /* singular values below this, relative to the largest, count as zero: 1e-12 */
  int noise_is_known; /* the weights are 1/sigma^2 in truth: the residuals do not scale the covariance */
  int minimum_only;   /* of the result only p, rows, cost, stop and the passes are wanted: the rest stays 0 */
} bristle_fit_options;

typedef enum bristle_fit_stop {
  BRISTLE_STOP_GRADIENT,
  BRISTLE_STOP_STEP,
  BRISTLE_STOP_COST,
  BRISTLE_STOP_ITERATIONS, /* not converged */
  BRISTLE_STOP_STUCK       /* no shorter step lowers the cost: rough model, or wrong derivatives */
} bristle_fit_stop;
const char *bristle_fit_stop_text(bristle_fit_stop stop);

/* The estimate. Unknowns at a bound that holds them back count as known: no deviation, no correlation. */
typedef struct bristle_fit_result {
  int count, free; /* unknowns; those not at a bound */
  double *p;
  double *deviation;   /* standard deviations: 0 at a bound, infinite where the data do not determine the unknown */
  double *covariance;  /* count x count */
  double *correlation; /* count x count */
  int *bound;          /* -1: at lo, +1: at hi, 0: between them */
  size_t rows;
  double cost, squares; /* 1/2 sum rho; sum w r^2 */
  double noise; /* standard deviation of the residuals, sqrt(squares/(rows - free)), NaN when nothing is left; robust
                   for other losses */
  /* Of the Jacobian with its columns brought to length 1, so that units do not matter: `free` singular values in
     falling order. Each belongs to a direction: a row of count changes of the unknowns, and a row of their weights in
     it (the change times the length of the unknown's column), both divided by those of the weightiest. */
  double *singular, *direction, *weight;
  double condition; /* largest singular value by the smallest */
  int rank;         /* directions from `rank` on are undetermined */
  bristle_fit_stop stop;
  int iterations, evaluations,
      jacobians; /* passes over the data: jacobians with all derivatives, evaluations without */
} bristle_fit_result;

/* *result is NULL when the fit could not be tried: a bad description, or no residuals at the start. A search that ends
   without convergence is no fault: look at result->stop. With a loss other than squares the unknowns to be eliminated
   are searched like the others. */
bristle_fault_kind bristle_fit(const bristle_fit_problem *problem, const bristle_fit_options *options,
                               bristle_fit_result **result, bristle_fault *fault);
void bristle_fit_free(bristle_fit_result *result); /* NULL is fine */

/* "fc +1, offset -0.98": the unknowns that move together in a direction, in their own units; those whose
   weight is below a tenth are left out. */
void bristle_fit_direction_text(const bristle_fit_problem *problem, const bristle_fit_result *result, int direction,
                                char *text, size_t size);

/* ---- time ---- */

/* What the time stamps of a record are like. */
typedef struct bristle_timing {
  double step;                       /* the median step */
  double jitter;                     /* largest deviation of a step from it, gaps left out, relative */
  size_t gaps, first_gap;            /* steps longer than 1.5 medians; the sample before the first of them */
  size_t missing;                    /* samples that fit into the gaps */
  size_t backwards, first_backwards; /* steps that are zero or negative; the sample before the first of them */
  int uniform;                       /* no gaps, nothing backwards, jitter within the tolerance */
} bristle_timing;

/* Tolerance 0 is 1e-3: less moves a 1 kHz sample by a microsecond. Needs two samples. */
bristle_fault_kind bristle_timing_examine(const double *t, size_t count, double tolerance, bristle_timing *timing,
                                          bristle_fault *fault);

/* dy/dt by the parabola through three neighbours, exact for squares, also at the ends. Times t, or uniform ones of
   length `step` when t is NULL. Needs three samples; out must not be y. */
bristle_fault_kind bristle_differentiate(const double *t, double step, const double *y, size_t count, double *out,
                                         bristle_fault *fault);

/* The record at uniform times start + i*step, by cubic pieces whose slopes are those of bristle_differentiate: exact
   for squares. Times must grow; those outside the record are a fault. */
bristle_fault_kind bristle_resample(const double *t, const double *y, size_t count, double start, double step,
                                    size_t out_count, double *out, bristle_fault *fault);

/* ---- filters ---- */

enum { BRISTLE_LOWPASS_ORDER = 8 };

/* A Butterworth low-pass as second-order sections, y = b0 x + b1 x' + b2 x'' - a1 y' - a2 y'' (' is one sample ago). */
typedef struct bristle_section {
  double b0, b1, b2, a1, a2;
} bristle_section;
typedef struct bristle_lowpass {
  int order, sections;
  double cutoff, rate; /* Hz */
  bristle_section section[BRISTLE_LOWPASS_ORDER / 2];
} bristle_lowpass;

/* Order 1 to 8; 0 < cutoff < rate/2. */
bristle_fault_kind bristle_lowpass_design(int order, double cutoff, double rate, bristle_lowpass *filter,
                                          bristle_fault *fault);
/* Gain of one pass at a frequency: 1/sqrt(2) at the cut-off; two passes have its square. */
double bristle_lowpass_gain(const bristle_lowpass *filter, double frequency);
/* One pass forward and one backward: no phase. The record is continued at both ends by its odd reflection, over
   3 (order + 1) samples or one period of the cut-off, and each pass starts in the steady state of its first sample.
   out may be y. */
bristle_fault_kind bristle_lowpass_both_ways(const bristle_lowpass *filter, const double *y, size_t count, double *out,
                                             bristle_fault *fault);
/* Every factor-th sample, from the first on, after a zero-phase Chebyshev filter of order 8 that keeps what is below
   0.8 of the new half rate, within 0.01 dB.
   out has (count + factor - 1)/factor samples. */
bristle_fault_kind bristle_decimate(const double *y, size_t count, size_t factor, double *out, bristle_fault *fault);

/* ---- spectra ---- */

/* The discrete Fourier transform of any length, in place: sum x_k e^(-2 pi i j k/count), or with +1 for `inverse`
   (not divided by count). */
bristle_fault_kind bristle_fourier(double *re, double *im, size_t count, int inverse, bristle_fault *fault);

/* One-sided power density (Welch: Hann windows, half overlapping, mean removed) at the segment/2 + 1 frequencies
   i*rate/segment. The sum of density * rate/segment is the variance. */
bristle_fault_kind bristle_power_density(const double *y, size_t count, double rate, size_t segment, double *density,
                                         bristle_fault *fault);

/* The cut-off that a record itself asks for. */
typedef struct bristle_cutoff {
  double frequency; /* Hz, for bristle_lowpass_both_ways */
  double noise;     /* standard deviation of the white noise left out and in */
  int at_end;       /* 1: the best is the highest frequency looked at, the record shows no noise floor; else 0 */
} bristle_cutoff;

/* Two passes of a Butterworth of order N have the gain 1/(1 + (f/fc)^2N): they are a smoother with a known influence,
   so that generalised cross-validation picks fc for the signal itself (derivative 0). For its first or second
   derivative the expected error of that derivative is minimised, with the noise that cross-validation found. The noise
   must be white, as rounding and quantisation nearly are. Needs 64 samples. */
bristle_fault_kind bristle_cutoff_choose(const double *y, size_t count, double rate, int order, int derivative,
                                         bristle_cutoff *cutoff, bristle_fault *fault);

#endif
