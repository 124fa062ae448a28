/* Levenberg-Marquardt with bounds. Each step minimises the linear model exactly within the bounds (by an active set)
   and within a radius: |D change| <= radius, D being the largest lengths of the Jacobian's columns so far (More 1978),
   so that units do not matter. The radius follows the ratio of the seen to the promised fall of the cost smoothly, by
   Nielsen's rule (1999) for the damping; in curved valleys this needs several times fewer steps than doubling and
   halving.

   Unknowns that enter linearly are eliminated: they are solved for at every trial, and the step of the others uses the
   Jacobian projected off their columns (Kaufman 1975), which is the lower right block of the same triangle. */
#include "fit/squares/search.h"

#include "maths/elementary.h"

#include <string.h>

/* what keeps a step finite where the columns depend on each other */
static const double LEAST_DAMPING = 1e-20;
/* relative differences of the cost below this say nothing */
static const double ROUNDING = 1e-14;
/* part of what one more unknown would take off the cost by chance */
static const double NOISE = 1e-2;

int search_may_be_quick(const search *s) { return s->options.cost > 1e3 * ROUNDING; }

/* ---- points ---- */

static void values_of(const search *s, search_point *point)
{
  for (int k = 0; k < s->searched_count; k++) {
    int j = s->searched[k];
    const bristle_unknown *unknown = &s->problem->unknown[j];
    double u = point->u[j];
    point->p[j] = u == s->lo[j]                      ? unknown->lo
                  : u == s->hi[j]                    ? unknown->hi
                  : unknown->kind == BRISTLE_ROW_LOG ? exp(u)
                                                     : u;
    point->slope[j] = unknown->kind == BRISTLE_ROW_LOG ? point->p[j] : 1;
  }
}

static int pass(search *s, const search_point *point, bristle_rows_want want, const int *column, int columns)
{
  int failed;
  s->rows.slope = point->slope;
  do {
    rows_begin(&s->rows, want, column, columns);
    failed = s->problem->residuals(s->problem->context, point->p, &s->rows);
  } while (rows_end(&s->rows) && !failed);
  if (want == BRISTLE_WANT_JACOBIAN) s->jacobians++;
  else s->evaluations++;
  if (!s->row_count) s->row_count = s->rows.rows;
  return failed || s->rows.bad || s->rows.rows != s->row_count; /* costs of other rows cannot be compared */
}

void search_pick(const double *triangle, int side, const int *pick, int picked, double *out, double *work)
{
  size_t rows = (size_t)side, kept = (size_t)picked + 1;
  int whole = picked == side - 1;
  for (int k = 0; k < picked; k++) whole &= pick[k] == k;
  if (whole) {
    memcpy(out, triangle, sizeof *out * rows * rows);
    return;
  }
  for (int k = 0; k <= picked; k++)
    memcpy(work + rows * (size_t)k, triangle + rows * (size_t)(k < picked ? pick[k] : side - 1), sizeof *work * rows);
  linear_triangularise(work, side, picked + 1);
  for (size_t k = 0; k < kept; k++) memcpy(out + kept * k, work + rows * k, sizeof *out * kept);
}

/* The best eliminated unknowns at a point, from the triangle of their columns and the residuals. */
static void settle_eliminated(search *s, search_point *point, const double *triangle)
{
  int n = s->eliminated_count, side = n + 1;
  for (int k = 0; k < n; k++) {
    s->lo_change[k] = s->lo[s->eliminated[k]] - point->p[s->eliminated[k]];
    s->hi_change[k] = s->hi[s->eliminated[k]] - point->p[s->eliminated[k]];
  }
  const double *right = triangle + (size_t)n * (size_t)side;
  linear_bounded linear = { side, n, triangle, right, s->lo_change, s->hi_change, s->change, s->at, s->work };
  linear_bounded_solve(&linear);
  for (int k = 0; k < n; k++) {
    int j = s->eliminated[k], at = s->at[k];
    point->p[j] = point->u[j] = at < 0 ? s->lo[j] : at > 0 ? s->hi[j] : point->p[j] + s->change[k];
    point->held[j] = at;
  }
}

/* The same, and the cost with them, by a pass of their own. */
static int solve_eliminated(search *s, search_point *point)
{
  int n = s->eliminated_count, side = n + 1;
  if (pass(s, point, BRISTLE_WANT_ELIMINATED, s->eliminated, n)) return 1;
  settle_eliminated(s, point, s->rows.triangle);
  const double *right = s->rows.triangle + (size_t)n * (size_t)side;
  double squares = 0;
  for (int i = 0; i < side; i++) {
    double rest = right[i];
    for (int k = 0; k < n; k++) rest += s->rows.triangle[(size_t)k * (size_t)side + (size_t)i] * s->change[k];
    squares += rest * rest;
  }
  point->cost = 0.5 * squares;
  return 0;
}

/* The residuals of a point's triangle after a change of some unknowns. */
static void move_right(const search *s, search_point *point, const int *unknown, int count, const double *change)
{
  size_t side = (size_t)s->count + 1;
  double *right = point->triangle + side * (side - 1);
  for (int k = 0; k < count; k++) {
    const double *column = point->triangle + side * (size_t)unknown[k];
    for (int i = 0; i <= unknown[k]; i++) right[i] += column[i] * change[k];
  }
}

/* Unknowns beside the others change nothing but the residuals: the triangle of all is also theirs, and follows. */
static void follow_eliminated(search *s, search_point *point)
{
  const int n = s->eliminated_count, side = s->count + 1;
  search_pick(point->triangle, side, s->eliminated, n, s->rows.triangle, s->work);
  settle_eliminated(s, point, s->rows.triangle);
  move_right(s, point, s->eliminated, n, s->change);
  const double length = linear_length(point->triangle + (size_t)side * (size_t)(side - 1), side);
  point->cost = 0.5 * length * length;
}

static int evaluate_all(search *s, search_point *point)
{
  size_t side = (size_t)s->count + 1;
  if (pass(s, point, BRISTLE_WANT_JACOBIAN, s->all, s->count)) return 1;
  memcpy(point->triangle, s->rows.triangle, sizeof(double) * side * side);
  point->has_triangle = 1;
  point->cost = s->rows.cost;
  return 0;
}

int search_evaluate(search *s, search_point *point, int with_triangle)
{
  values_of(s, point);
  point->has_triangle = 0;
  if (with_triangle && s->eliminated_count && s->beside) {
    if (evaluate_all(s, point)) return 1;
    follow_eliminated(s, point);
    return !isfinite(point->cost);
  }
  if (s->eliminated_count && solve_eliminated(s, point)) return 1;
  if (with_triangle) return evaluate_all(s, point);
  if (s->eliminated_count) return 0;
  if (pass(s, point, BRISTLE_WANT_RESIDUALS, NULL, 0)) return 1;
  point->cost = s->rows.cost;
  return 0;
}

/* ---- the linear model ---- */

/* The model by the searched unknowns, with the free eliminated ones following: the triangle's lower right block once
   their columns stand first. */
static void reduce(search *s)
{
  int pick_count = 0, n = s->searched_count, *pick = s->at;
  size_t rows = 2 * (size_t)n + 1;
  for (int k = 0; k < s->eliminated_count; k++)
    if (!s->now.held[s->eliminated[k]]) pick[pick_count++] = s->eliminated[k];
  int first = pick_count;
  for (int k = 0; k < n; k++) pick[pick_count++] = s->searched[k];
  size_t side = (size_t)pick_count + 1;
  double *picked = s->work, *work = picked + side * side;
  search_pick(s->now.triangle, s->count + 1, pick, pick_count, picked, work);
  memset(s->matrix, 0, sizeof *s->matrix * rows * (size_t)n);
  memset(s->right, 0, sizeof *s->right * rows);
  for (int k = 0; k < n; k++) {
    const double *from = picked + side * (size_t)(first + k) + first;
    memcpy(s->matrix + rows * (size_t)k, from, sizeof *from * (size_t)(k + 1));
    s->length[k] = linear_length(from, k + 1);
    s->scale[k] = fmax(s->scale[k], s->length[k]); /* a column that fades lets its unknown run away (More 1978) */
    if (s->scale[k] == 0) s->scale[k] = 1;
    s->lo_change[k] = s->lo[s->searched[k]] - s->now.u[s->searched[k]];
    s->hi_change[k] = s->hi[s->searched[k]] - s->now.u[s->searched[k]];
  }
  memcpy(s->right, picked + side * (side - 1) + first, sizeof *s->right * (size_t)(n + 1));
  s->size = linear_length(s->right, n + 1);
}

/* Derivative of the cost by unknown k. */
static double slope_of(const search *s, int k)
{
  size_t rows = 2 * (size_t)s->searched_count + 1;
  double slope = 0;
  for (int i = 0; i <= k; i++) slope += s->matrix[rows * (size_t)k + (size_t)i] * s->right[i];
  return slope;
}

/* The largest cosine between a column and the residuals, of the unknowns that are free to follow their slope. */
static double steepest(const search *s)
{
  double largest = 0;
  for (int k = 0; k < s->searched_count; k++) {
    int j = s->searched[k];
    double slope = slope_of(s, k), u = s->now.u[j];
    if ((slope > 0 && u <= s->lo[j]) || (slope < 0 && u >= s->hi[j]) || slope == 0) continue;
    largest = fmax(largest, fabs(slope) / (s->length[k] * s->size));
  }
  return largest;
}

/* The best change for a damping; returns its length in the scales. */
static double solve_damped(search *s, double damping)
{
  int n = s->searched_count, rows = 2 * n + 1;
  for (int k = 0; k < n; k++) s->matrix[(size_t)rows * (size_t)k + (size_t)(n + 1 + k)] = sqrt(damping) * s->scale[k];
  linear_bounded linear = { rows, n, s->matrix, s->right, s->lo_change, s->hi_change, s->change, s->at, s->work };
  linear_bounded_solve(&linear);
  double squares = 0;
  for (int k = 0; k < n; k++) squares += s->scale[k] * s->change[k] * s->scale[k] * s->change[k];
  return sqrt(squares);
}

/* The length of the change falls as the damping grows, nearly as 1/(c + damping): follow that curve to within a tenth
   of the radius, or halve the bracket (of logarithms) where it leads out of it. */
static double solve_within(search *s, double radius)
{
  enum { TRIALS = 30 };
  double low = LEAST_DAMPING, length = solve_damped(s, low), high = 0, low_length = length;
  if (length <= 1.1 * radius) return length;
  for (int k = 0; k < s->searched_count; k++) high += pow(slope_of(s, k) / s->scale[k], 2);
  high = fmax(sqrt(high) / radius, 2 * low);
  double damping = s->damping > low && s->damping < high ? s->damping : sqrt(low * high);
  for (int trial = 0; trial < TRIALS; trial++) {
    double before = low, before_length = low_length;
    length = solve_damped(s, damping);
    if (fabs(length - radius) <= 0.1 * radius) break;
    if (length > radius) low = damping, low_length = length;
    else high = damping;
    double pole = (damping - before) / (1 / length - 1 / before_length); /* of the secant through the last two */
    double next = damping + (1 / radius - 1 / length) * pole;
    damping = next > low * 1.001 && next < high * 0.999 ? next : sqrt(low * high);
  }
  s->damping = damping;
  return length;
}

/* The fall of the cost that the linear model promises for the change. */
static double promised_fall(const search *s)
{
  size_t n = (size_t)s->searched_count, rows = 2 * n + 1;
  double fall = 0;
  for (size_t i = 0; i < n; i++) {
    double moved = 0;
    for (size_t k = i; k < n; k++) moved += s->matrix[rows * k + i] * s->change[k];
    fall -= moved * (s->right[i] + 0.5 * moved);
  }
  return fall;
}

/* How large unknown k is, for what counts as a small or a bold change of it. */
static double size_of(const search *s, int k)
{
  const bristle_unknown *unknown = &s->problem->unknown[s->searched[k]];
  return unknown->kind == BRISTLE_ROW_LOG ? 1 : fabs(s->now.u[s->searched[k]]) + unknown->scale;
}

/* The first radius lets every unknown change by its own size. */
static double first_radius(const search *s)
{
  double squares = 0;
  for (int k = 0; k < s->searched_count; k++) squares += pow(s->scale[k] * size_of(s, k), 2);
  return squares > 0 ? sqrt(squares) : HUGE_VAL;
}

static int change_is_below(const search *s, double part)
{
  for (int k = 0; k < s->searched_count; k++)
    if (fabs(s->change[k]) > part * size_of(s, k)) return 0;
  return 1;
}

/* a point at the present one, changed */
static void set_changed(const search *s, search_point *point)
{
  for (int k = 0; k < s->searched_count; k++) {
    int j = s->searched[k];
    double u = fmin(fmax(s->now.u[j] + s->change[k], s->lo[j]), s->hi[j]);
    point->u[j] = s->at[k] < 0 ? s->lo[j] : s->at[k] > 0 ? s->hi[j] : u;
  }
}

static int try_change(search *s, int with_triangle)
{
  memcpy(s->trial.p, s->now.p, sizeof *s->trial.p * (size_t)s->count);
  memcpy(s->trial.u, s->now.u, sizeof *s->trial.u * (size_t)s->count);
  set_changed(s, &s->trial);
  return search_evaluate(s, &s->trial, with_triangle);
}

/* Takes a change at the word of the linear model. */
static void trust_change(search *s, double fall)
{
  move_right(s, &s->now, s->searched, s->searched_count, s->change);
  set_changed(s, &s->now);
  values_of(s, &s->now);
  if (s->eliminated_count) follow_eliminated(s, &s->now);
  else s->now.cost -= fall;
}

static void accept(search *s)
{
  search_point keep = s->now;
  s->now = s->trial;
  s->trial = keep;
}

bristle_fit_stop search_minimum(search *s)
{
  enum { HOPELESS = 12 }; /* rejections in a row: the radius has shrunk by 2^78 */
  double radius = 0, shrink = 2, slope = 0;
  double last_fall = 0; /* promised for the last step, and seen */
  int rejections = 0;
  while (s->iterations < s->options.iterations) {
    if (!rejections) {
      reduce(s);
      slope = steepest(s);
      if (slope <= s->options.gradient) return BRISTLE_STOP_GRADIENT;
      if (!s->iterations) radius = first_radius(s);
    }
    s->iterations++;
    double length = solve_within(s, radius), fall = promised_fall(s), least = s->options.cost * s->now.cost;
    if (!rejections && search_may_be_quick(s)) { /* less proof is needed */
      if (fall <= 1e-3 * least) return BRISTLE_STOP_COST;
      /* the falls shrink by one factor at least, or this one is far below what noise makes of them: what is left
         after it does not matter */
      const int last = fall * fall <= least * last_fall
                       || fall <= fmin(least, NOISE * s->now.cost / (double)s->row_count);
      if (last && s->beside && change_is_below(s, 0.01)) {
        trust_change(s, fall);
        return BRISTLE_STOP_COST;
      }
    }
    int small = change_is_below(s, s->options.step);
    /* steps mostly succeed: after a success the derivatives are taken along, and one pass serves both */
    int failed = try_change(s, !rejections);
    double seen = failed ? -HUGE_VAL : s->now.cost - s->trial.cost, ratio = seen / fall;
    /* near the minimum rounding hides the fall of the cost, while the change is still right */
    int settled = fall <= least && fabs(seen) <= fmax(least, ROUNDING * s->now.cost), good = settled || ratio > 1e-4;
    /* a point without derivatives would be the last one: rather step less far */
    if (good && !s->trial.has_triangle && search_evaluate(s, &s->trial, 1)) good = settled = 0;
    if (good) {
      accept(s);
      radius = fmax(length, ratio > 0.5 ? radius : 0) / fmax(0.5, 1 - pow(2 * ratio - 1, 3));
      shrink = 2, rejections = 0;
      last_fall = fabs(ratio - 1) < 0.1 ? fall : 0;
    } else {
      radius = fmin(radius, length) / shrink;
      shrink *= 2, rejections++;
    }
    if (settled) return BRISTLE_STOP_COST;
    if (small) return good || slope < 1e-5 ? BRISTLE_STOP_STEP : BRISTLE_STOP_STUCK;
    if (rejections > HOPELESS) return BRISTLE_STOP_STUCK;
  }
  return BRISTLE_STOP_ITERATIONS;
}
