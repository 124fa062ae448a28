/* What the parts of a chart share; not installed. */
#ifndef BRISTLE_FIT_CHART_PARTS_H
#define BRISTLE_FIT_CHART_PARTS_H

#include "fit/unknowns/chart.h"

/* A range on the scale of the row: where to look first, and between which ends. */
typedef struct span {
  double guess, lo, hi;
} span;

int chart_usually_fixed(const bristle_row *row);
int chart_is_force(bristle_role role);
int chart_is_level(bristle_role role);
/* The range where numbers of this role mean something in these data, and the bounds of a search. */
span chart_span(const bristle_row *row, const features *f);
void chart_bounds(const bristle_info *info, const bristle_row *row, const features *f, span s, double *lo, double *hi);
/* Marks the unknowns in which the force is linear, by what the law does along a motion that visits everything. */
void chart_find_linear(chart *c, const features *f);

#endif
