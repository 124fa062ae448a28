/* Rigs whose friction differs between the directions. */
#include "sim/rows.h"

static const double push_amplitude[] = { 3 }, push_frequency[] = { 0.5 };

/* 1 kg under a sine of 3 N */
static bristle_rig pushed(const bristle_law *law, const double *p)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_AXIS };
  rig.as.axis = (bristle_axis){
    .mass = 1,
    .force = { .kind = BRISTLE_PROGRAM_SINES, .count = 1, .amplitude = push_amplitude, .frequency = push_frequency },
    .contact = { .law = law, .p = p }
  };
  return rig;
}

static bristle_sim_options options_for(bristle_method method, double rtol)
{
  return (bristle_sim_options){ .method = method, .end = 6, .output = 0.01, .rtol = rtol };
}

static double worst_difference(const rows *a, const rows *b, int column)
{
  double worst = 0;
  for (size_t i = 0; i < a->count && i < b->count; i++)
    worst = fmax(worst, fabs(rows_value(a, i, column) - rows_value(b, i, column)));
  return worst;
}

/* the same steps but for rounding, and the place of rest within the tolerance */
TEST(skewed_coulomb_moves_like_asymmetric)
{
  const double p[] = { 1, 2, 0.25, -0.5 }, q[] = { 1.25, 0.75, 1, 3, 0 };
  const bristle_rig one = pushed(bristle_law_skewed(bristle_law_find("coulomb")), p);
  const bristle_rig other = pushed(bristle_law_find("asymmetric"), q);
  for (int method = BRISTLE_METHOD_NATIVE; method <= BRISTLE_METHOD_ADAPTIVE; method++) {
    const bristle_sim_options options = options_for((bristle_method)method, 1e-9);
    rows a = rows_run(&one, &options), b = rows_run(&other, &options);
    CHECK(a.count == b.count && a.count == 601, "%zu and %zu rows", a.count, b.count);
    CHECK(rows_value(&a, 100, 1) > 0.1, "it does not move: %g", rows_value(&a, 100, 1));
    CHECK(worst_difference(&a, &b, 1) < 5e-6 && worst_difference(&a, &b, 2) < 5e-6, "method %d: x by %g, v by %g",
          method, worst_difference(&a, &b, 1), worst_difference(&a, &b, 2));
    rows_free(&a), rows_free(&b);
  }
}

/* two solvers that share nothing but the law; the body drifts to the side that rubs less */
TEST(skewed_bristles_move_alike_in_both_solvers)
{
  static const char *const laws[] = { "lugre", "dahl" };
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    const bristle_law *law = bristle_law_skewed(bristle_law_find(laws[i]));
    double p[64];
    bristle_defaults(law->f64->info, p);
    p[law->f64->info->nparam - 2] = 0.3, p[law->f64->info->nparam - 1] = 0.5;
    const bristle_rig rig = pushed(law, p);
    const bristle_sim_options quick = options_for(BRISTLE_METHOD_NATIVE, 1e-10),
                              general = options_for(BRISTLE_METHOD_ADAPTIVE, 1e-11);
    rows a = rows_run(&rig, &quick), b = rows_run(&rig, &general);
    CHECK(worst_difference(&a, &b, 1) < 1e-5, "%s: x differs by %g", laws[i], worst_difference(&a, &b, 1));
    CHECK(fabs(a.stats.residual) < 1e-7 * a.stats.work_done, "%s: residual %g of %g", laws[i], a.stats.residual,
          a.stats.work_done);
    CHECK(a.stats.given_back < 1e-9 * a.stats.work_done, "%s gave back %g", laws[i], a.stats.given_back);
    CHECK(rows_value(&a, a.count - 1, 1) < -0.05, "%s: x = %g in the end", laws[i], rows_value(&a, a.count - 1, 1));
    rows_free(&a), rows_free(&b);
  }
}
