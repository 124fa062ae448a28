/* From the end of a search to numbers with units and doubts; not installed. */
#ifndef BRISTLE_FIT_RESULT_H
#define BRISTLE_FIT_RESULT_H

#include "fit/residuals/experiment.h"
#include "fit/unknowns/chart.h"
#include "fit/unknowns/features.h"

/* From the unknowns of a fit to its estimates: g holds the derivatives of each estimate by the unknowns, row by row,
   and is overwritten; factor is that of sandwich_factors, bound[k] the unknown whose bound is that of estimate k, or
   -1. Fills in deviations, bounds and correlations. */
void result_spread(bristle_identified *made, const bristle_fit_result *fit, const double *factor, const int *bound,
                   double *g);
/* Names, units and values of the law's parameters. */
void result_name_parameters(bristle_identified *made, const chart *c);
/* rms, information criteria and memory of residuals r; free_count unknowns were fitted. */
void result_measure(bristle_identified *made, const double *r, size_t rows, int free_count);

bristle_fault_kind result_fill(bristle_identified *made, const experiment *e, const features *f,
                               const bristle_fit_result *fit, bristle_fault *fault);
/* The fault of a search that its caller has ended. */
bristle_fault_kind result_stopped(bristle_fault *fault);
/* At a bound, or known to half its value at best. */
int result_is_undetermined(const bristle_estimate *estimate);
/* Why a number is not determined, and which experiment would determine it. */
void result_explain(bristle_estimate *estimate, const bristle_row *row, const features *f, int rotary);

/* From the static level to that of sliding; infinite where a law has no such pair. */
double result_drop(const bristle_identified *r, const double *value);
/* Calls the static level and its speed not determined where that drop is not clear. */
void result_judge_drop(bristle_identified *r, double drop);
/* Calls the static level not determined where only the shape of a fall that nobody knows would show it. */
void result_judge_static(bristle_identified *r, const features *f);
/* Factors by which the deviations of the unknowns grow or shrink because residuals are correlated where it matters.
   worth: how many of them are worth one; by_filter: how many would be if they were filtered noise, 0: not known. The
   derivatives (row by row) are overwritten. */
void sandwich_factors(const double *r, double *jacobian, size_t rows, const bristle_fit_result *fit, double worth,
                      double by_filter, double *factor);
/* Variance of the sum of rows that follow each other. */
double sandwich_variance(const double *row, size_t rows);
/* Do enough rows, one after the other, show the stiffness before sliding? */
int resolved_enough(const bristle_identified *r, const experiment *e);
/* Calls the stiffness not determined where that is too few, or where the law does not explain the way to motion. */
void resolved_judge(bristle_identified *r, const experiment *e);

/* Calls all elements of a law not determined where one of them is not. */
void resolved_judge_elements(bristle_identified *r);

/* A short search from a result on other records, the samples on the way to motion counted (slow) or not: what its
   estimates become, and the mean square. */
bristle_fault_kind identify_again(const bristle_identified *from, const bristle_log *const *logs, size_t log_count,
                                  const bristle_identify_options *options, int slow, double *value, double *square,
                                  bristle_fault *fault);

/* By how much the clock of the force runs fast beside that of the motion, as a part; 0: by nothing that is clear and
   explains a tenth of the squares that are left. */
double result_clocks(const bristle_identified *r, const bristle_log *const *logs, size_t count, double *explained);
/* Is there a drag whose exponent was searched for, another number beside those that are counted as free? */
int drag_has_exponent(const bristle_identified *r);

/* What a second fit of the same rows gains on pieces that were held out: its error relative to that of the first, and
   by how many deviations of the difference between blocks, or of the number of better ones, it is better. */
void ranking_gain(const bristle_identified *first, const bristle_identified *second, double *ratio, double *deviations);

/* What friction, or (of_force) the force as a whole, changes by from the beginning of a record to its end; 0: by
   nothing that is clear and notable. */
double result_drift(const bristle_identified *r, const bristle_log *const *logs, size_t count, int *of_force);

/* How strongly residuals are correlated: how many count as one effective sample, and the Ljung-Box probability. */
void residual_memory(const double *r, size_t count, int unknowns, double *worth, double *probability);

#endif
