/* Fits that cannot work, or not fully: undetermined unknowns, ill-conditioned problems, bad models, bad descriptions.
 */
#include "lab/fit.h"
#include "support/test.h"

#define ANY .lo = -HUGE_VAL, .hi = HUGE_VAL

/* ---- undetermined ---- */

/* y = (a + 2 b) x + c: only the sum is seen */
static int only_the_sum(void *context, const double *p, bristle_rows *rows)
{
  (void)context;
  for (int i = 0; i < 50; i++) {
    double x = i / 50.0, r = (p[0] + 2 * p[1]) * x + p[2] - (3 * x + 1 + 0.01 * cos(37.0 * i));
    double jacobian[3] = { x, 2 * x, 1 };
    bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &r, .jacobian = jacobian });
  }
  return 0;
}

TEST(an_undetermined_combination_is_named)
{
  bristle_unknown unknown[3] = { { .name = "a", ANY }, { .name = "b", ANY }, { .name = "c", ANY } };
  const double start[3] = { 1, 0.3, 0 };
  for (int eliminate = 0; eliminate < 2; eliminate++) {
    for (int j = 0; j < 3; j++) unknown[j].eliminate = eliminate;
    bristle_fit_problem problem = { 3, unknown, start, only_the_sum, NULL };
    bristle_fit_result *r;
    bristle_fault fault;
    char text[80];
    CHECK(!bristle_fit(&problem, NULL, &r, &fault), "%s", fault.what);
    CHECK(r->rank == 2 && r->free == 3, "rank %d of %d", r->rank, r->free);
    CHECK(r->stop <= BRISTLE_STOP_COST, "%s", bristle_fit_stop_text(r->stop));
    CHECK(isinf(r->deviation[0]) && isinf(r->deviation[1]), "a %g, b %g", r->deviation[0], r->deviation[1]);
    CHECK(r->deviation[2] > 0 && r->deviation[2] < 0.01, "c is determined: %g", r->deviation[2]);
    CHECK_ABS(r->p[0] + 2 * r->p[1], 3, 0.02);
    bristle_fit_direction_text(&problem, r, r->rank, text, sizeof text);
    CHECK(!strcmp(text, "a +1, b -0.5") || !strcmp(text, "a -2, b +1"), "the direction is called '%s'", text);
    bristle_fit_free(r);
  }
}

/* ---- ill-conditioned ---- */

enum { DEGREE = 9, SAMPLES = 100000 };

/* powers 1, x, ..., x^9 on [1, 2]: with columns of length 1 the condition is 9e9; normal equations would square it and
   lose every digit */
static int powers(void *context, const double *p, bristle_rows *rows)
{
  (void)context;
  for (int i = 0; i < SAMPLES; i++) {
    double x = 1 + i / (double)SAMPLES, jacobian[DEGREE + 1], model = 0, y = 0, power = 1;
    for (int j = 0; j <= DEGREE; j++, power *= x) {
      jacobian[j] = power;
      model += p[j] * power;
      y += (j % 2 ? -1 : 1) * power;
    }
    double r = model - y;
    bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &r, .jacobian = jacobian });
  }
  return 0;
}

TEST(long_records_keep_the_accuracy_of_a_triangularisation)
{
  bristle_unknown unknown[DEGREE + 1];
  double start[DEGREE + 1] = { 0 };
  bristle_fit_options options = { .rank = 1e-15 };
  bristle_fit_result *r;
  bristle_fault fault;
  for (int j = 0; j <= DEGREE; j++) unknown[j] = (bristle_unknown){ ANY, .eliminate = 1 };
  bristle_fit_problem problem = { DEGREE + 1, unknown, start, powers, NULL };
  CHECK(!bristle_fit(&problem, &options, &r, &fault), "%s", fault.what);
  CHECK(r->condition > 5e9, "condition %g", r->condition);
  for (int j = 0; j <= DEGREE; j++) CHECK_ABS(r->p[j], j % 2 ? -1 : 1, 1e-3);
  bristle_fit_free(r);
}

/* ---- models that fail ---- */

typedef struct flawed {
  int wrong_derivative, refuses, loses_rows;
} flawed;

/* y = ln p at 1..20 copies: not defined for p <= 0 */
static int logarithm(void *context, const double *p, bristle_rows *rows)
{
  const flawed *f = context;
  if (f->refuses && p[0] <= 0) return 1;
  for (int i = 0; i < (f->loses_rows && p[0] != 10 ? 19 : 20); i++) {
    double r = log(p[0]) - 3 - 0.1 * (i % 2), jacobian = (f->wrong_derivative ? -1 : 1) / p[0];
    bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &r, .jacobian = &jacobian });
  }
  return 0;
}

static bristle_fault_kind fit_logarithm(flawed f, double start, const bristle_fit_options *options,
                                        bristle_fit_result **r, bristle_fault *fault)
{
  bristle_unknown unknown = { .name = "p", ANY };
  bristle_fit_problem problem = { 1, &unknown, &start, logarithm, &f };
  return bristle_fit(&problem, options, r, fault);
}

TEST(a_model_that_does_not_exist_everywhere_is_only_asked_less_far)
{
  bristle_fault fault;
  bristle_fit_result *r;
  for (int refuses = 0; refuses < 2; refuses++) { /* by NaN, or by saying so */
    CHECK(!fit_logarithm((flawed){ .refuses = refuses }, 500, NULL, &r, &fault), "%s", fault.what);
    CHECK_NEAR(r->p[0], exp(3.05), 1e-9);
    bristle_fit_free(r);
    CHECK(fit_logarithm((flawed){ .refuses = refuses }, -1, NULL, &r, &fault) == BRISTLE_FAULT_VALUE && !r,
          "a start outside the model is a fault");
  }
}

TEST(the_end_of_a_search_is_told_honestly)
{
  bristle_fault fault;
  bristle_fit_result *r;
  CHECK(!fit_logarithm((flawed){ .wrong_derivative = 1 }, 10, NULL, &r, &fault), "%s", fault.what);
  CHECK(r->stop == BRISTLE_STOP_STUCK, "wrong derivatives: %s", bristle_fit_stop_text(r->stop));
  bristle_fit_free(r);
  CHECK(!fit_logarithm((flawed){ .loses_rows = 1 }, 10, NULL, &r, &fault), "%s", fault.what);
  CHECK(r->stop == BRISTLE_STOP_STUCK && r->p[0] == 10, "fewer rows are no better fit: %g", r->p[0]);
  bristle_fit_free(r);
  CHECK(!fit_logarithm((flawed){ 0 }, 1e-3, &(bristle_fit_options){ .iterations = 2 }, &r, &fault), "%s", fault.what);
  CHECK(r->stop == BRISTLE_STOP_ITERATIONS && r->iterations == 2, "two steps: %s", bristle_fit_stop_text(r->stop));
  bristle_fit_free(r);
}

/* ---- descriptions that are wrong ---- */

TEST(bad_descriptions_are_refused_by_name)
{
  static const struct {
    bristle_unknown unknown;
    double start;
    bristle_fit_options options;
    const char *says;
  } cases[] = { { { .name = "mu", .lo = 1, .hi = 0 }, 1, { 0 }, "mu has the bounds 1 and 0" },
                { { .name = "mu", .lo = 0, .hi = 1 }, 2, { 0 }, "mu starts at 2" },
                { { .name = "mu", .lo = 0, .hi = 1 }, NAN, { 0 }, "mu starts at" },
                { { .lo = 0, .hi = 1, .kind = BRISTLE_ROW_LOG }, 0, { 0 }, "p1 starts at 0 on a logarithmic scale" },
                { { .lo = 0, .hi = 1, .kind = BRISTLE_ROW_OPTION }, 0, { 0 }, "p1 is neither linear nor logarithmic" },
                { { .lo = 0, .hi = 1, .scale = -1 }, 1, { 0 }, "the scale -1" },
                { { .lo = 0, .hi = 1 }, 1, { .loss = BRISTLE_HUBER }, "scale of the loss" } };
  flawed fine = { 0 };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bristle_fit_problem problem = { 1, &cases[i].unknown, &cases[i].start, logarithm, &fine };
    bristle_fit_result *r;
    bristle_fault fault = { 0 };
    bristle_fault_kind kind = bristle_fit(&problem, &cases[i].options, &r, &fault);
    CHECK(kind == BRISTLE_FAULT_VALUE && !r && strstr(fault.what, cases[i].says), "case %zu says '%s'", i, fault.what);
  }
}

static int one_row(void *context, const double *p, bristle_rows *rows)
{
  double r = p[0] + p[1] - 1;
  (void)context;
  bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &r, .jacobian = (double[2]){ 1, 1 } });
  return 0;
}

TEST(fewer_residuals_than_unknowns_are_refused)
{
  bristle_unknown unknown[2] = { { ANY }, { ANY } };
  bristle_fit_problem problem = { 2, unknown, (double[2]){ 0, 0 }, one_row, NULL };
  bristle_fit_result *r;
  bristle_fault fault;
  CHECK(bristle_fit(&problem, NULL, &r, &fault) == BRISTLE_FAULT_VALUE && !r, "one residual, two unknowns");
}
