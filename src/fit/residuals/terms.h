/* Terms beside friction, all linear; not installed. */
#ifndef BRISTLE_FIT_TERMS_H
#define BRISTLE_FIT_TERMS_H

#include "lab/identify.h"

/* The column of a term at a sample. */
double term_column(const bristle_log *log, int term, size_t i);
/* All terms together, with these factors. */
double term_sum(const bristle_log *log, const double *factor, size_t i);
/* One more than the last term that the log may have. */
int term_end(const bristle_log *log);
/* The part of a knot at a position, and its column: the last knot is what the others leave. */
double places_hat(const bristle_places *p, double x, int knot);
double places_column(const bristle_places *p, double x, int knot);
/* With the names of the log's own terms. */
const char *term_name(const bristle_log *log, int term);

#endif
