/* The reduced planar model against the patch it stands for, and against its own equation. */
#include "pair.h"

/* ---- steady sliding ---- */

TEST(reduced_steady_sliding_lies_on_the_limit_surface_and_dissipates)
{
  for (int kind = 0; kind < 4; kind++)
    for (int plastic = 0; plastic < 2; plastic++) {
      pair a = pair_of(plastic ? "elasto_plastic" : "lugre", kind, 20, 1);
      srand(1);
      for (int i = 0; i < 100; i++) {
        double z[3] = { chance(1e-6), chance(1e-6), chance(1e-6) }, w[3], steady[3], cells[3], unit[3], rate[3];
        bristle_planar_input in = { .n = 4, .h = 1e-3 };
        random_motion(&a, 0.05, in.v);
        for (int k = 0; k < 20; k++) bristle_planar_step(&a.model, z, &in, w, NULL);
        bristle_planar_steady(&a.model, &in, steady);
        CHECK(difference(&a, w, steady) < 1e-10, "%g", difference(&a, w, steady));
        bristle_planar_eval(&a.model, z, &in, w, rate);
        CHECK(difference(&a, w, steady) < 1e-9, "eval: %g", difference(&a, w, steady));
        CHECK(dot(w, in.v) > 0, "power %g", dot(w, in.v));
        bristle_patch_steady(&a.patch, &in, cells);
        CHECK(difference(&a, w, cells) < 0.05 * size_of(&a, cells), "kind %d: %g", kind, difference(&a, w, cells));
        a.model.p[a.model.viscous] = 0;
        bristle_planar_steady(&a.model, &in, steady);
        a.model.p[a.model.viscous] = 0.2;
        bristle_surface_wrench(&a.model.surface, in.v, unit);
        for (int k = 0; k < 3; k++) CHECK_ABS(steady[k], 4 * unit[k], 1e-14); /* far above vs: the level is fc = 1 */
      }
    }
}

/* viscous drag alone is linear, and the patch's own, also in spin: 9/8 arm^2 for a disk */
TEST(reduced_viscous_drag_is_that_of_the_patch)
{
  for (int kind = 0; kind < 4; kind++) {
    pair a = pair_of("lugre", kind, 20, 1);
    srand(2);
    for (int i = 0; i < 20; i++) {
      bristle_planar_input in = { .n = 1 };
      double cells[3], dry[3], w[3], v_dry[3];
      random_motion(&a, 0.1, in.v);
      bristle_patch_steady(&a.patch, &in, cells);
      p[bristle_param_find(a.patch.contact.vector->f64[0]->info, "sigma2")->first] = a.model.p[a.model.viscous] = 0;
      bristle_patch_steady(&a.patch, &in, dry);
      bristle_planar_steady(&a.model, &in, v_dry);
      p[bristle_param_find(a.patch.contact.vector->f64[0]->info, "sigma2")->first] = a.model.p[a.model.viscous] = 0.2;
      bristle_planar_steady(&a.model, &in, w);
      for (int k = 0; k < 3; k++) CHECK_ABS(w[k] - v_dry[k], cells[k] - dry[k], 1e-13);
    }
  }
}

/* ---- transients ---- */

/* from rest at constant motion: LuGre's whole transition stays near the patch's, and the first stiffness is exact */
TEST(reduced_transition_follows_the_patch)
{
  for (int kind = 0; kind < 4; kind++) {
    pair a = pair_of("lugre", kind, 20, 0);
    double worst = 0;
    srand(3);
    for (int i = 0; i < 60; i++) {
      double z[3] = { 0 }, w[3], cells[3], v[3];
      memset(a.patch.s, 0, sizeof(double) * 2 * a.patch.count);
      random_motion(&a, 0.02, v);
      bristle_planar_input in = { .v = { v[0], v[1], v[2] }, .n = 1, .h = 1e-9 };
      bristle_planar_step(&a.model, z, &in, w, NULL);
      bristle_patch_step(&a.patch, &in, cells, NULL);
      CHECK(difference(&a, w, cells) < 1e-4 * size_of(&a, cells), "stiffness");
      in.h = 5e-6;
      for (int k = 0; k < 60; k++) {
        bristle_planar_step(&a.model, z, &in, w, NULL);
        bristle_patch_step(&a.patch, &in, cells, NULL);
        worst = fmax(worst, difference(&a, w, cells));
      }
    }
    CHECK(worst < 0.1, "kind %d: %g of mu N", kind, worst);
  }
}

/* within the elastic range the two are the same spring, for any motion and any pressure */
TEST(reduced_within_the_elastic_range_is_the_patch)
{
  for (int kind = 0; kind < 4; kind++) {
    pair a = pair_of("elasto_plastic", kind, 20, 1);
    double z[3] = { 0 }, w[3], cells[3], at[3] = { 0 };
    srand(4);
    for (int i = 0; i < 50; i++) {
      bristle_planar_input in = { .n = 6, .h = 1e-3 };
      const double to[3] = { chance(2e-7), chance(2e-7), chance(1e-5) };
      for (int k = 0; k < 3; k++) in.v[k] = (to[k] - at[k]) / in.h, at[k] = to[k];
      bristle_planar_step(&a.model, z, &in, w, NULL);
      bristle_patch_step(&a.patch, &in, cells, NULL);
      CHECK(difference(&a, w, cells) < 1e-12, "kind %d: %g", kind, difference(&a, w, cells));
      CHECK_NEAR(bristle_planar_energy(&a.model, z, in.n), bristle_patch_energy(&a.patch, in.n), 1e-10);
    }
    bristle_planar_input home = { .n = 6, .h = 1e-3 };
    for (int k = 0; k < 3; k++) home.v[k] = -at[k] / home.h;
    bristle_planar_step(&a.model, z, &home, w, NULL);
    home.v[0] = home.v[1] = home.v[2] = 0;
    bristle_planar_step(&a.model, z, &home, w, NULL);
    CHECK(size_of(&a, w) < 1e-11, "a closed path leaves no force: %g", size_of(&a, w));
  }
}

/* a symmetric patch in translation is LuGre itself */
TEST(reduced_in_translation_is_the_scalar_law)
{
  const bristle_model *scalar = bristle_law_find("lugre")->f64;
  for (int segments = 0; segments <= 20; segments += 20) {
    pair a = pair_of("lugre", 1, segments, 1);
    double z[3] = { 0 }, s[8] = { 0 }, w[3], c = cos(0.7), d = sin(0.7);
    for (int i = 0; i < 400; i++) {
      double v = 0.004 * sin(0.05 * i) * sin(0.011 * i), n = 3 + sin(0.3 * i);
      bristle_input line = { .v = v, .n = n, .h = 1e-4, .load = BRISTLE_LOAD_COEFFICIENT };
      bristle_planar_input in = { .v = { c * v, d * v, 0 }, .n = n, .h = 1e-4 };
      double f = scalar->step(p, s, &line, NULL);
      bristle_planar_step(&a.model, z, &in, w, NULL);
      CHECK_ABS(c * w[0] + d * w[1], f, 2e-14 * n);
      CHECK_ABS(c * w[1] - d * w[0], 0, 2e-14 * n);
      CHECK_ABS(w[2], 0, 1e-15);
    }
  }
}

/* ---- the step ---- */

/* Runge-Kutta on eval alone; lugre is exact, elasto-plastic close and closer in smaller steps */
static void integrate(const bristle_planar *m, double z[3], const bristle_planar_input *in, int steps)
{
  static const double node[4] = { 0, 0.5, 0.5, 1 };
  double k[4][3], y[3], w[3], h = in->h / steps;
  for (int i = 0; i < steps; i++) {
    for (int j = 0; j < 4; j++) {
      for (int c = 0; c < 3; c++) y[c] = z[c] + (j ? node[j] * h * k[j - 1][c] : 0);
      bristle_planar_eval(m, y, in, w, k[j]);
    }
    for (int c = 0; c < 3; c++) z[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
  }
}

TEST(reduced_lugre_step_is_exact_for_constant_motion)
{
  for (int kind = 0; kind < 4; kind++)
    for (int segments = 0; segments <= 20; segments += 20) {
      pair a = pair_of("lugre", kind, segments, 1);
      srand(5);
      for (int i = 0; i < 25; i++) {
        bristle_planar_input in = { .n = 1, .h = 1e-3 * pow(10, chance(1.5)) };
        double z[3] = { chance(1e-6), chance(1e-6), chance(1e-6) }, fine[3] = { z[0], z[1], z[2] }, w[3];
        random_motion(&a, 1e-3, in.v);
        integrate(&a.model, fine, &in, 4000);
        bristle_planar_step(&a.model, z, &in, w, NULL);
        for (int k = 0; k < 3; k++) CHECK_ABS(z[k], fine[k], 2e-17);
      }
    }
}

static double plastic_error(const pair *a, int steps, double *length)
{
  double worst = 0;
  srand(6);
  for (int i = 0; i < 60; i++) {
    bristle_planar_input in = { .n = 1, .h = 1e-3 * pow(10, chance(1)) };
    double z[3] = { chance(0.5e-6), chance(0.5e-6), chance(0.5e-6) }, fine[3] = { z[0], z[1], z[2] }, w[3];
    random_motion(a, 1e-3, in.v);
    integrate(&a->model, fine, &in, 4000);
    in.h /= steps;
    for (int k = 0; k < steps; k++) {
      bristle_planar_step(&a->model, z, &in, w, NULL);
      *length = fmax(*length, sqrt(dot(z, z)));
    }
    for (int k = 0; k < 3; k++) z[k] -= fine[k];
    worst = fmax(worst, sqrt(dot(z, z)));
  }
  return worst * 1e6; /* in units of fc/sigma0 */
}

TEST(reduced_elasto_plastic_step_is_stable_and_of_second_order)
{
  pair a = pair_of("elasto_plastic", 2, 20, 1);
  double length = 0, one = plastic_error(&a, 1, &length), four = plastic_error(&a, 64, &length),
         eight = plastic_error(&a, 256, &length);
  CHECK(one < 0.15, "one step: %g", one);
  CHECK(four < 5e-3 && eight < four / 8, "64 steps: %g, 256: %g", four, eight);
  CHECK(length < 1.21e-6, "never beyond the static level: %g", length);
}

TEST(reduced_at_rest_does_not_move)
{
  pair a = pair_of("lugre", 2, 20, 1);
  double z[3] = { 3e-7, -2e-7, 5e-7 }, before[3], w[3];
  bristle_planar_input in = { .n = 3, .h = 0.1 };
  memcpy(before, z, sizeof z);
  for (int i = 0; i < 100; i++) bristle_planar_step(&a.model, z, &in, w, NULL);
  CHECK(!memcmp(before, z, sizeof z) && size_of(&a, w) > 0.1, "not a bit changes");
  in.v[2] = 1e-310; /* a subnormal is no motion, and no NaN */
  bristle_planar_step(&a.model, z, &in, w, NULL);
  CHECK(size_of(&a, w) < 10, "%g", size_of(&a, w));
}

/* ---- energy ---- */

/* over any path the work done is at least the energy stored: the published form, with its spring along the limit
   surface's wrench instead of the motion, fails here */
TEST(reduced_gives_back_no_more_than_it_stored)
{
  for (int kind = 0; kind < 4; kind++)
    for (int plastic = 0; plastic < 2; plastic++)
      for (int segments = 0; segments <= 20; segments += 20) {
        pair a = pair_of(plastic ? "elasto_plastic" : "lugre", kind, segments, 0);
        double z[3] = { 0 }, w[3], before[3] = { 0 }, lost = 0, stored = 0;
        srand(7);
        for (int i = 0; i < 4000; i++) {
          bristle_planar_input in = { .n = 1, .h = 1e-6 };
          random_motion(&a, 1e-2 * pow(10, chance(1)), in.v);
          bristle_planar_step(&a.model, z, &in, w, NULL);
          double work = 0, now = bristle_planar_energy(&a.model, z, 1);
          for (int k = 0; k < 3; k++) work += 0.5 * (w[k] + before[k]) * in.v[k] * in.h, before[k] = w[k];
          lost = work - (now - stored);
          stored = now;
          /* the mean of the two forces is the work to second order in the step: allow that */
          CHECK(lost > -2e-3 * sqrt(dot(in.v, in.v)) * in.h * 0.02 - 1e-18, "kind %d: %g of %g", kind, lost, work);
        }
      }
}

/* small loops about a bent position, many times: the force must not walk */
TEST(reduced_elastic_vibration_does_not_build_up_force)
{
  pair a = pair_of("elasto_plastic", 2, 20, 1);
  double z[3] = { 0 }, w[3], first[3] = { 0 };
  for (int i = 0; i < 3000; i++) {
    const double way[3][3] = { { 2e-7, 0, 1e-5 }, { -1e-7, 2e-7, 0 }, { -1e-7, -2e-7, -1e-5 } };
    bristle_planar_input in = { .n = 1, .h = 1e-3 };
    for (int k = 0; k < 3; k++) in.v[k] = way[i % 3][k] / in.h;
    bristle_planar_step(&a.model, z, &in, w, NULL);
    if (i == 2) memcpy(first, w, sizeof w);
  }
  CHECK(difference(&a, w, first) < 1e-12, "%g", difference(&a, w, first));
}

/* ---- refusals ---- */

TEST(reduced_refuses_bad_parameters_by_name)
{
  pair a = pair_of("elasto_plastic", 0, 20, 1);
  const bristle_info *law = bristle_law_find("elasto_plastic")->f64->info;
#define PLACE(name) &a.model.p[bristle_param_find(law, name)->first]
  const struct {
    const char *field;
    double *at, value;
  } bad[] = {
    { "sigma0", PLACE("sigma0"), 0 },
    { "sigma1", PLACE("sigma1"), -1 },
    { "sigma2", PLACE("sigma2"), (double)INFINITY },
    { "fc", PLACE("fc"), -1 },
    { "fs", PLACE("fs"), 0.5 },
    { "vs", PLACE("vs"), 0 },
    { "gamma", PLACE("gamma"), (double)NAN },
    { "zba", PLACE("zba"), 1e-6 },
    { "arm", &a.model.surface.arm, -1e-3 },
    { "gyration", &a.model.surface.gyration, 0 },
  };
  bristle_error e;
  CHECK(!bristle_planar_check(&a.model, &e), "good");
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double kept = *bad[i].at;
    *bad[i].at = bad[i].value;
    CHECK(bristle_planar_check(&a.model, &e) && !strcmp(e.field, bad[i].field), "%s, got %s", bad[i].field, e.field);
    *bad[i].at = kept;
  }
  const bristle_info *lugre = bristle_law_find("lugre")->f64->info;
  double q[32];
  const bristle_contact coulomb = { .vector = bristle_vector_law_find("coulomb"),
                                    .load = BRISTLE_LOAD_COEFFICIENT,
                                    .p = q };
  const bristle_contact other = { .vector = bristle_vector_law_find("lugre"),
                                  .load = BRISTLE_LOAD_COEFFICIENT,
                                  .p = q };
  bristle_defaults(coulomb.vector->f64[0]->info, q);
  CHECK(bristle_planar_init(&a.model, &a.model.surface, &coulomb, &e) && !strcmp(e.field, "law"), "no bristle");
  bristle_planar_defaults(lugre, q);
  q[bristle_param_find(lugre, "vd")->first] = 0;
  CHECK(bristle_planar_init(&a.model, &a.model.surface, &other, &e) && !strcmp(e.field, "vd"), "vd");
  bristle_planar_defaults(lugre, q);
  q[bristle_param_find(lugre, "limit")->first] = 1;
  CHECK(bristle_planar_init(&a.model, &a.model.surface, &other, &e) && !strcmp(e.field, "limit"), "limit");
}
