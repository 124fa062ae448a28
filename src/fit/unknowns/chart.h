/* The unknowns of a fit and the parameters that they stand for; not installed. */
#ifndef BRISTLE_FIT_CHART_H
#define BRISTLE_FIT_CHART_H

#include "fit/unknowns/features.h"

/* Relations between parameters become bounds: what must be at least another one is searched as its excess over that,
   what must stay below a ratio as its part of that, shares that sum to 1 as ratios to the last one. What must be at
   least another one and has bounds of its own is searched as its place, from 0 to 1, between the lowest that both allow
   and its upper bound, on a logarithmic scale.

   Twice all parameters with the unit of a force make twice the force. Those in which a law is not linear as it stands
   are searched relative to its level: then it is linear in the level, and in the other forces for given ratios. */
typedef enum chart_kind { CHART_PLAIN, CHART_EXCESS, CHART_PART, CHART_RATIO, CHART_PLACE } chart_kind;

typedef struct chart {
  const bristle_law *law;
  int count, nparam;
  chart_kind kind[BRISTLE_LAW_SIZE];
  int place[BRISTLE_LAW_SIZE];    /* of its parameter */
  int relation[BRISTLE_LAW_SIZE]; /* of the law, behind an excess or a part */
  int by_level[BRISTLE_LAW_SIZE]; /* the unknown times the level is the parameter, or the excess */
  int linear[BRISTLE_LAW_SIZE];   /* the force is linear in it, the others given */
  int homogeneous;                /* and without a constant part */
  bristle_unknown unknown[BRISTLE_LAW_SIZE];
  double spread[BRISTLE_LAW_SIZE][2]; /* where the screening looks */
  double guess[BRISTLE_LAW_SIZE];
  double base[BRISTLE_LAW_SIZE];     /* parameters that are held */
  double range[BRISTLE_LAW_SIZE][2]; /* bounds of those searched as places */
  int level;                         /* place of the level that others are relative to, or -1 */
  int last;                          /* place of the last share, or -1 */
  char name[BRISTLE_LAW_SIZE][32];   /* of every parameter: "k[2]" */
} chart;

bristle_fault_kind chart_make(chart *c, const bristle_law *law, bristle_load load, const features *f,
                              const bristle_identify_options *options, bristle_fault *fault);
void chart_params(const chart *c, const double *u, double *p);
void chart_unknowns(const chart *c, const double *p, double *u);
/* A row of derivatives by parameters becomes one by unknowns; p belongs to u. */
void chart_derivatives(const chart *c, const double *u, const double *p, const double *by_param, double *by_unknown);
/* The same for rows of numbers, `stride` apart: those of the parameters, in the places `at`, become those of the
   unknowns, in their order. */
void chart_columns(const chart *c, const double *p, const int *at, double *row, size_t stride);
/* Brings elements that may change places into one order. */
void chart_sort(const chart *c, double *u);
const bristle_row *chart_row(const bristle_info *info, int place);

#endif
