/* What the parts of a fit share: the search for the minimum, its points, and the statistics at its end. */
#ifndef BRISTLE_FIT_SEARCH_H
#define BRISTLE_FIT_SEARCH_H

#include "fit/squares/linear.h"
#include "fit/squares/rows.h"

/* A point of the search. Unknowns have the caller's value p and the searched one u: p itself, or ln p. */
typedef struct search_point {
  double *p, *u, *slope; /* slope: dp/du */
  double cost;
  int *held;        /* of the unknowns: -1 at lo, +1 at hi because the linear solution wants to go beyond */
  double *triangle; /* R of [J r] by all u, (count + 1)^2, when `has_triangle` */
  int has_triangle;
} search_point;

typedef struct search {
  const bristle_fit_problem *problem;
  bristle_fit_options options; /* defaults filled in */
  int count;
  double *lo, *hi; /* of u */
  int *all, *eliminated, *searched;
  int eliminated_count, searched_count;
  int beside; /* all eliminated unknowns are beside the others */
  bristle_rows rows;
  search_point now, trial;

  /* the linear model at `now`, by the searched unknowns alone: |matrix x + right|^2 + rest */
  double *matrix, *right; /* (2 searched + 1) rows: triangle, then damping */
  double *length, *scale; /* length of each column, now and at most so far */
  double damping;
  double *change, *lo_change, *hi_change, *work;
  int *at;
  double size; /* length of all residuals of the linear model */

  size_t row_count; /* of the first pass, and so of all */
  int iterations, evaluations, jacobians;
  double *numbers; /* the memory behind all of these */
  int *places;
} search;

/* Is the asked accuracy well above rounding? */
int search_may_be_quick(const search *s);

/* Evaluates a point whose u is set (and the p of the eliminated, as a first guess): 0 when the model exists there. */
int search_evaluate(search *s, search_point *point, int with_triangle);
/* From the evaluated point `now` to a minimum. */
bristle_fit_stop search_minimum(search *s);

/* The columns of a triangle (side x side) named in `pick`, and its last one, triangularised again into
   (picked + 1) x (picked + 1), using `work` of side*(picked + 1). */
void search_pick(const double *triangle, int side, const int *pick, int picked, double *out, double *work);

/* Makes the result from the point `now`. */
bristle_fault_kind search_estimate(search *s, bristle_fit_stop stop, bristle_fit_result **result, bristle_fault *fault);

#endif
