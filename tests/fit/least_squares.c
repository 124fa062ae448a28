/* The solver on problems with known answers: bounds, scales, weights, losses, undetermined unknowns, bad models. */
#include "lab/fit.h"
#include "support/test.h"

#define ANY .lo = -HUGE_VAL, .hi = HUGE_VAL

static bristle_fit_result *fit(int count, const bristle_unknown *unknown, const double *start, bristle_residuals *model,
                               void *context, const bristle_fit_options *options)
{
  bristle_fit_problem problem = { count, unknown, start, model, context };
  bristle_fit_result *result;
  bristle_fault fault;
  bristle_fault_kind kind = bristle_fit(&problem, options, &result, &fault);
  CHECK(!kind, "%s", fault.what);
  if (kind) exit(1);
  return result;
}

/* ---- a decay a e^(-b x) with three outliers ---- */

enum { POINTS = 20 };
typedef struct decay {
  int outliers, block;                   /* rows handed over at a time */
  size_t row_stride, column_stride;      /* of the derivatives */
  double weight[POINTS], copies[POINTS]; /* weights, and how often each row is given */
} decay;

static const decay plain_decay = { .block = 1 };

static int decay_rows(void *context, const double *p, bristle_rows *rows)
{
  const decay *d = context;
  double r[64], w[64], jacobian[128];
  size_t by_row = d->row_stride ? d->row_stride : 2, by_column = d->column_stride ? d->column_stride : 1;
  int filled = 0;
  for (int i = 0; i < POINTS; i++) {
    double x = i / 10.0, y = 1.5 * exp(-0.8 * x) + 0.01 * cos(37.0 * i), e = exp(-p[1] * x);
    if (d->outliers) y += i == 3 ? 1 : i == 11 ? -0.7 : i == 17 ? 0.4 : 0;
    for (int copy = 0; copy < (d->copies[i] > 0 ? (int)d->copies[i] : 1); copy++) {
      size_t at = (size_t)filled++;
      r[at] = p[0] * e - y;
      w[at] = d->weight[i];
      jacobian[at * by_row] = e;
      jacobian[at * by_row + by_column] = -p[0] * x * e;
      if (filled < d->block && !(i == POINTS - 1)) continue;
      bristle_rows_add(rows, &(bristle_block){ (size_t)filled, r, jacobian, d->row_stride, d->column_stride,
                                               d->weight[0] > 0 ? w : NULL });
      filled = 0;
    }
  }
  return 0;
}

static const bristle_unknown two[2] = { { ANY }, { ANY } };
static const double ones[2] = { 1, 1 };

TEST(the_size_and_layout_of_blocks_do_not_change_a_bit)
{
  decay one = plain_decay, seven = { .block = 7 }, columns = { .block = 20, .row_stride = 1, .column_stride = 20 };
  bristle_fit_result *a = fit(2, two, ones, decay_rows, &one, NULL), *b = fit(2, two, ones, decay_rows, &seven, NULL);
  bristle_fit_result *c = fit(2, two, ones, decay_rows, &columns, NULL);
  CHECK(a->rows == POINTS, "%zu rows", a->rows);
  for (int j = 0; j < 2; j++) {
    CHECK(a->p[j] == b->p[j] && a->p[j] == c->p[j], "%.17g %.17g %.17g", a->p[j], b->p[j], c->p[j]);
    CHECK(a->deviation[j] == b->deviation[j] && a->deviation[j] == c->deviation[j], "unknown %d", j);
  }
  bristle_fit_free(a), bristle_fit_free(b), bristle_fit_free(c);
}

TEST(a_weight_is_worth_as_many_equal_rows)
{
  decay weighted = plain_decay, repeated = plain_decay;
  for (int i = 0; i < POINTS; i++) weighted.weight[i] = repeated.copies[i] = 1 + i % 3;
  bristle_fit_result *a = fit(2, two, ones, decay_rows, &weighted, NULL);
  bristle_fit_result *b = fit(2, two, ones, decay_rows, &repeated, NULL);
  for (int j = 0; j < 2; j++) CHECK_NEAR(a->p[j], b->p[j], 1e-12);
  CHECK_NEAR(a->squares, b->squares, 1e-12);
  bristle_fit_free(a), bristle_fit_free(b);
}

/* SciPy 1.17 least_squares, trf, f_scale 0.05, tolerances 1e-15 */
TEST(losses_agree_with_another_solver)
{
  static const double expected[][3] = { { 1.66999535433, 0.897173750572, 0.77847412888 },
                                        { 1.5111414773, 0.805121551807, 0.101599320482 },
                                        { 1.51135330789, 0.805193464314, 0.0981471377322 },
                                        { 1.50406011796, 0.802447011531, 0.0197990542283 } };
  decay d = { .block = 1, .outliers = 1 };
  for (int loss = BRISTLE_SQUARES; loss <= BRISTLE_CAUCHY; loss++) {
    bristle_fit_options options = { .loss = (bristle_loss)loss, .loss_scale = 0.05 };
    bristle_fit_result *r = fit(2, two, ones, decay_rows, &d, &options);
    CHECK_NEAR(r->p[0], expected[loss][0], 1e-9);
    CHECK_NEAR(r->p[1], expected[loss][1], 1e-9);
    CHECK_NEAR(r->cost, expected[loss][2], 1e-10);
    CHECK(r->stop <= BRISTLE_STOP_COST && r->iterations < 30, "loss %d: %s after %d", loss,
          bristle_fit_stop_text(r->stop), r->iterations);
    bristle_fit_free(r);
  }
}

TEST(a_robust_deviation_is_that_of_the_good_rows)
{
  decay clean = plain_decay, dirty = { .block = 1, .outliers = 1 };
  bristle_fit_options robust = { .loss = BRISTLE_CAUCHY, .loss_scale = 0.03 };
  bristle_fit_result *a = fit(2, two, ones, decay_rows, &clean, NULL);
  bristle_fit_result *b = fit(2, two, ones, decay_rows, &dirty, NULL);
  bristle_fit_result *c = fit(2, two, ones, decay_rows, &dirty, &robust);
  for (int j = 0; j < 2; j++) {
    CHECK(b->deviation[j] > 10 * a->deviation[j], "outliers are seen in plain squares: %g", b->deviation[j]);
    CHECK(c->deviation[j] < 2 * a->deviation[j] && c->deviation[j] > 0.5 * a->deviation[j], "%g, without outliers %g",
          c->deviation[j], a->deviation[j]);
  }
  bristle_fit_free(a), bristle_fit_free(b), bristle_fit_free(c);
}

TEST(a_logarithmic_search_finds_the_same_estimate)
{
  decay d = plain_decay;
  bristle_unknown logs[2] = { { .kind = BRISTLE_ROW_LOG, .lo = 0, .hi = 1e9 },
                              { .kind = BRISTLE_ROW_LOG, .lo = 1e-9, .hi = 1e9 } };
  const double far[2] = { 1e-3, 30 };
  bristle_fit_result *a = fit(2, two, ones, decay_rows, &d, NULL), *b = fit(2, logs, far, decay_rows, &d, NULL);
  for (int j = 0; j < 2; j++) {
    CHECK_NEAR(b->p[j], a->p[j], 1e-9);
    CHECK_NEAR(b->deviation[j], a->deviation[j], 1e-7);
  }
  CHECK_NEAR(b->correlation[1], a->correlation[1], 1e-7);
  bristle_fit_free(a), bristle_fit_free(b);
}

TEST(known_noise_is_not_estimated_from_the_residuals)
{
  decay d = plain_decay;
  bristle_fit_options known = { .noise_is_known = 1 };
  bristle_fit_result *a = fit(2, two, ones, decay_rows, &d, NULL), *b = fit(2, two, ones, decay_rows, &d, &known);
  for (int j = 0; j < 2; j++) CHECK_NEAR(b->deviation[j] * a->noise, a->deviation[j], 1e-12);
  bristle_fit_free(a), bristle_fit_free(b);
}

/* ---- bounds ---- */

static int rosenbrock(void *context, const double *p, bristle_rows *rows)
{
  double r[2] = { 10 * (p[1] - p[0] * p[0]), 1 - p[0] }, jacobian[4] = { -20 * p[0], 10, -1, 0 };
  (void)context;
  bristle_rows_add(rows, &(bristle_block){ .count = 2, .residual = r, .jacobian = jacobian });
  return 0;
}

TEST(a_bound_holds_its_unknown_and_the_other_makes_the_best_of_it)
{
  static const struct {
    double lo[2], hi[2], start[2], answer[2];
    int bound[2];
  } cases[] = { { { -2, -2 }, { 2, 2 }, { -1.2, 1 }, { 1, 1 }, { 0, 0 } },
                { { -2, -2 }, { 0.5, 2 }, { -1.2, 1 }, { 0.5, 0.25 }, { 1, 0 } },
                { { -2, 1.5 }, { 2, 3 }, { 0.5, 2 }, { 1.2243707487363524, 1.5 }, { 0, -1 } },
                { { -2, 2 }, { 1, 3 }, { 0.5, 2.5 }, { 1, 2 }, { 1, -1 } },
                { { 0.7, -9 }, { 0.7, 9 }, { 0.7, 0 }, { 0.7, 0.49 }, { -1, 0 } } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bristle_unknown unknown[2];
    for (int j = 0; j < 2; j++) unknown[j] = (bristle_unknown){ .lo = cases[i].lo[j], .hi = cases[i].hi[j] };
    bristle_fit_result *r = fit(2, unknown, cases[i].start, rosenbrock, NULL, NULL);
    for (int j = 0; j < 2; j++) {
      CHECK_ABS(r->p[j], cases[i].answer[j], 1e-8);
      CHECK(r->bound[j] == cases[i].bound[j], "case %zu: unknown %d has bound %d", i, j, r->bound[j]);
      CHECK(!r->bound[j] || (r->deviation[j] == 0 && (r->p[j] == unknown[j].lo || r->p[j] == unknown[j].hi)),
            "case %zu: held at %.17g +- %g", i, r->p[j], r->deviation[j]);
    }
    CHECK(r->stop <= BRISTLE_STOP_COST && r->iterations < 60, "case %zu: %s", i, bristle_fit_stop_text(r->stop));
    bristle_fit_free(r);
  }
}

/* a plane c0 + c1 x + c2 y through noisy points; all unknowns may be eliminated */
static int plane(void *context, const double *p, bristle_rows *rows)
{
  (void)context;
  for (int i = 0; i < 30; i++) {
    double x = cos(1.7 * i), y = sin(2.9 * i), z = 1 + 2 * x - 0.5 * y + 0.1 * cos(41.0 * i * i);
    double r = p[0] + p[1] * x + p[2] * y - z, jacobian[3] = { 1, x, y };
    bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &r, .jacobian = jacobian });
  }
  return 0;
}

TEST(eliminated_unknowns_obey_their_bounds)
{
  const double start[3] = { 0, 0, 0 };
  for (int i = 0; i < 27; i++) { /* each unknown free, bounded from above, bounded from below */
    bristle_unknown searched[3], eliminated[3];
    for (int j = 0, code = i; j < 3; j++, code /= 3) {
      searched[j] = (bristle_unknown){ .lo = code % 3 == 2 ? 0.2 * (j - 1) : -9, .hi = code % 3 == 1 ? 0.5 : 9 };
      if (searched[j].lo > 0) searched[j].lo = 0;
      eliminated[j] = searched[j];
      eliminated[j].eliminate = 1;
    }
    bristle_fit_result *a = fit(3, searched, start, plane, NULL, NULL),
                       *b = fit(3, eliminated, start, plane, NULL, NULL);
    for (int j = 0; j < 3; j++) {
      CHECK_ABS(b->p[j], a->p[j], 1e-9);
      CHECK_ABS(b->deviation[j], a->deviation[j], 1e-9);
      CHECK(a->bound[j] == b->bound[j], "case %d, unknown %d: %d and %d", i, j, a->bound[j], b->bound[j]);
    }
    CHECK_NEAR(b->cost, a->cost, 1e-12);
    CHECK(b->evaluations == 1 && b->jacobians == 1, "%d and %d passes for a linear problem", b->evaluations,
          b->jacobians);
    bristle_fit_free(a), bristle_fit_free(b);
  }
}

/* a decay and a plane beside it: the slopes of the decay do not know the plane */
static int decay_beside_plane(void *context, const double *p, bristle_rows *rows)
{
  (void)context;
  for (int i = 0; i < 60; i++) {
    double x = cos(1.7 * i), y = sin(2.9 * i), t = i / 20.0, e = exp(-p[1] * t);
    double z = 3 * exp(-1.3 * t) + 2 * x - 0.5 * y + 0.1 * cos(41.0 * i * i);
    double r = p[0] * p[0] * e + p[2] * x + p[3] * y - z, jacobian[4] = { 2 * p[0] * e, -p[0] * p[0] * t * e, x, y };
    bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &r, .jacobian = jacobian });
  }
  return 0;
}

TEST(unknowns_beside_the_others_need_one_pass_for_each_point)
{
  const double start[4] = { 1, 1, 0, 0 };
  for (int bounded = 0; bounded < 2; bounded++)
    for (int quick = 0; quick < 2; quick++) {
      bristle_unknown twice[4], once[4];
      const bristle_fit_options options = { .cost = quick ? 1e-9 : 0 };
      for (int j = 0; j < 4; j++) {
        twice[j] = (bristle_unknown){ .lo = j == 3 && bounded ? -0.3 : -9, .hi = 9, .eliminate = j > 1 };
        once[j] = twice[j], once[j].beside = j > 1;
      }
      bristle_fit_result *a = fit(4, twice, start, decay_beside_plane, NULL, &options),
                         *b = fit(4, once, start, decay_beside_plane, NULL, &options);
      for (int j = 0; j < 4; j++) {
        CHECK_ABS(b->p[j], a->p[j], quick ? 1e-5 : 1e-9);
        CHECK_ABS(b->deviation[j], a->deviation[j], quick ? 1e-5 : 1e-9);
        CHECK(a->bound[j] == b->bound[j] && b->bound[j] == (j == 3 && bounded ? -1 : 0), "unknown %d: %d and %d", j,
              a->bound[j], b->bound[j]);
      }
      CHECK_NEAR(b->cost, a->cost, 1e-8);
      CHECK(a->evaluations >= a->jacobians && 2 * b->evaluations < a->evaluations, "%d and %d passes, before %d and %d",
            b->jacobians, b->evaluations, a->jacobians, a->evaluations);
      bristle_fit_free(a), bristle_fit_free(b);
    }
}

/* ---- numbers that are nearly nothing ---- */

/* a line, and an unknown whose column is a spike with the tail that a filter gives it: squares of it underflow */
static int spike_rows(void *context, const double *p, bristle_rows *rows)
{
  (void)context;
  for (int i = 0; i < 2000; i++) {
    double spike = exp(-0.4 * i), x = i / 1000.0;
    double r = p[0] * x + p[1] * spike - 2 * x - 3 * spike - 0.1 * cos(9.0 * i), jacobian[2] = { x, spike };
    bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &r, .jacobian = jacobian });
  }
  return 0;
}

TEST(a_column_that_fades_below_the_smallest_squares_is_fitted)
{
  bristle_fit_result *r = fit(2, two, ones, spike_rows, NULL, NULL);
  CHECK_ABS(r->p[0], 2, 0.01);
  CHECK_ABS(r->p[1], 3, 0.3);
  CHECK(r->deviation[1] > 0 && isfinite(r->deviation[1]), "deviation %g", r->deviation[1]);
  bristle_fit_free(r);
}

/* ---- the quicker way ---- */

enum { ROWS = 2000, TAKEN = 80 };
typedef struct curves {
  double apart; /* how far the third column is from the second */
  int passes;
} curves;

/* a wave that decays, in blocks of columns */
static int curve_rows(void *context, const double *p, bristle_rows *rows)
{
  curves *c = context;
  double r[TAKEN], jacobian[3][TAKEN];
  c->passes++;
  for (int first = 0; first < ROWS; first += TAKEN) {
    for (int k = 0; k < TAKEN; k++) {
      int i = first + k;
      double x = i / 500.0, e = exp(-p[0] * x), near = e * x, off = near + c->apart * sin(3 * x);
      r[k] = e + p[1] * near + p[2] * off - exp(-0.8 * x) * (1 + 5 * x) - 0.01 * cos(37.0 * i);
      jacobian[0][k] = -x * (e + (p[1] + p[2]) * near);
      jacobian[1][k] = near;
      jacobian[2][k] = off;
    }
    bristle_rows_add(rows, &(bristle_block){ TAKEN, r, jacobian[0], 1, TAKEN, NULL });
  }
  return 0;
}

static const bristle_unknown three[3] = { { ANY }, { ANY }, { ANY } };

/* Products of columns are summed where the tolerance allows. Where columns are nearly alike that is seen, and they are
   reflected after all: one pass is lost, no digit. */
TEST(the_quick_way_ends_where_the_exact_one_does)
{
  static const double apart[] = { 1, 1e-2, 1e-5 };
  const double start[3] = { 1, 2, 2 };
  for (int i = 0; i < 3; i++) {
    curves exact = { .apart = apart[i] }, quick = exact, bare = exact;
    const bristle_fit_options loose = { .gradient = 1e-8, .step = 1e-8, .cost = 1e-10 };
    bristle_fit_options minimum = loose;
    minimum.minimum_only = 1;
    bristle_fit_result *a = fit(3, three, start, curve_rows, &exact, NULL);
    bristle_fit_result *b = fit(3, three, start, curve_rows, &quick, &loose);
    bristle_fit_result *c = fit(3, three, start, curve_rows, &bare, &minimum);
    for (int j = 0; j < 3; j++) {
      CHECK(fabs(b->p[j] - a->p[j]) < 1e-4 * a->deviation[j], "apart %g, unknown %d: %.12g and %.12g +- %g", apart[i],
            j, a->p[j], b->p[j], a->deviation[j]);
      CHECK_NEAR(b->deviation[j], a->deviation[j], 1e-4);
      CHECK(b->p[j] == c->p[j] && c->deviation[j] == 0, "unknown %d: the minimum alone is another: %g", j, c->p[j]);
    }
    CHECK_NEAR(b->cost, a->cost, 1e-9);
    CHECK(b->rows == ROWS && c->rows == ROWS && c->cost == b->cost, "%zu and %zu rows", b->rows, c->rows);
    CHECK(b->rank == 3 && c->rank == 0, "rank %d and %d", b->rank, c->rank);
    int lost = quick.passes - b->jacobians - b->evaluations;
    CHECK(lost == (apart[i] < 1e-3), "apart %g: %d passes lost", apart[i], lost);
    bristle_fit_free(a), bristle_fit_free(b), bristle_fit_free(c);
  }
}
