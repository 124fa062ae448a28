/* Elasto-plastic: elastic below zba, LuGre's steady curve, and no drift. */
#include "vector/support.h"

static double level(double v) { return 1 + 0.5 * exp(-(v / 1e-3) * (v / 1e-3)); }

/* alpha exactly as printed, with |z| in the sine */
static double alpha(double z, double v, double zm, double zba)
{
  if (z * v <= 0 || fabs(z) <= zba) return 0;
  if (fabs(z) >= zm) return 1;
  return 0.5 + 0.5 * sin(acos(-1) * (fabs(z) - (zm + zba) / 2) / (zm - zba));
}

TEST(elasto_plastic_rate_is_the_formula_for_both_signs)
{
  const double speeds[] = { -0.1, -8e-4, 3e-4, 0.02 };
  for (int i = 0; i < 4; i++)
    for (double z = -1.8e-5; z <= 1.8e-5; z += 3.1e-7) {
      contact c = contact_1995("elasto_plastic");
      double v = speeds[i], zm = level(v) / 1e5, rate[MAX_STATE];
      double expected = v * (1 - alpha(z, v, zm, 7e-6) * z * (v > 0 ? 1 : -1) / zm);
      bristle_input in = { .v = v };
      c.s[0] = z;
      double f = c.model->eval(c.p, c.s, &in, rate);
      CHECK_ABS(rate[0], expected, 1e-14 * fabs(v));
      CHECK_ABS(f, 1e5 * z + sqrt(1e5) * expected + 0.4 * v, 1e-13);
    }
}

/* one step against Runge-Kutta of eval with 4000 steps: errors are measured against the width of the plastic zone */
TEST(elasto_plastic_step_is_accurate_for_any_length_and_any_zba)
{
  const double zbas[] = { 1e-7, 5e-6, 7e-6, 9.9e-6 };
  for (int b = 0; b < 4; b++)
    for (double path = 1e-8; path < 3e-3; path *= 2.7)
      for (int start = 0; start < 4; start++) {
        contact c = contact_1995("elasto_plastic");
        set(&c, "zba", zbas[b]);
        const double v = 2e-3, zm = level(v) / 1e5, width = zm - zbas[b];
        const double z0 = start == 0 ? -zm : start == 1 ? 0 : start == 2 ? zbas[b] + 0.4 * width : 1.4 * zm;
        enum { N = 4000 };
        double z = z0, k[4], h = path / v / N;
        for (int n = 0; n < N && fabs(z - zm) > 1e-12; n++) {
          for (int j = 0; j < 4; j++) {
            bristle_input in = { .v = v };
            c.s[0] = j ? z + (j == 3 ? h : h / 2) * k[j - 1] : z;
            c.model->eval(c.p, c.s, &in, &k[j]);
          }
          z += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
        }
        c.s[0] = z0;
        double f = glide(&c, v, path / v, 1);
        CHECK(fabs(c.s[0] - z) <= 5e-5 * width + 2e-12, "zba %g path %g start %d: %.12g, fine %.12g", zbas[b], path,
              start, c.s[0], z);
        CHECK_ABS(f, 1e5 * c.s[0] + sqrt(1e5) * (c.s[0] - z0) * v / path + 0.4 * v, 1e-9);
        CHECK(c.s[0] <= fmax(zm, z0) && c.s[0] >= fmin(zm, z0), "left the set: %g", c.s[0]);
      }
}

/* halving the step inside the plastic zone must pay as in a scheme of order two or better */
TEST(elasto_plastic_error_falls_with_the_step)
{
  double z[3];
  for (int i = 0; i < 3; i++) {
    contact c = contact_1995("elasto_plastic");
    c.s[0] = 7e-6;
    glide(&c, 2e-3, 2e-3, i == 2 ? 1000 : 1 + i);
    z[i] = c.s[0];
  }
  double one = fabs(z[0] - z[2]), two = fabs(z[1] - z[2]);
  CHECK(one < 1e-10 && two < one / 4, "errors %g and %g", one, two);
}

TEST(elasto_plastic_below_zba_is_a_spring)
{
  contact c = contact_1995("elasto_plastic");
  double x = 0;
  for (int i = 0; i < 10000; i++) {
    double v = 6.5e-6 * 40 * cos(0.04 * i);
    glide(&c, v, 1e-3, 1);
    x += v * 1e-3;
    CHECK(c.s[0] == x, "z %.17g x %.17g", c.s[0], x); /* to the last bit: nothing can creep */
  }
}

static double wavering(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)x, (void)v, (void)extra;
  return 0.5 + 0.2 * sin(2 * acos(-1) * t);
}

/* C5: where lugre moves 3.07 um a cycle; by the equation and by the coupled step */
TEST(elasto_plastic_does_not_drift_under_a_wavering_load)
{
  for (int coupled = 0; coupled < 2; coupled++) {
    rig r = { .c = contact_1995("elasto_plastic"), .mass = 1, .push = wavering };
    double first = 0;
    for (int k = 0; k < 4; k++) {
      for (int i = 0; i < 5000; i++) coupled ? rig_step(&r, 2e-4) : rig_advance(&r, 2e-4);
      if (k == 0) first = r.x;
    }
    CHECK_ABS(r.x, first, 1e-12);
  }
}

static double half(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)t, (void)x, (void)v, (void)extra;
  return 0.75; /* above sigma0 zba: held in the plastic zone */
}

TEST(elasto_plastic_holds_half_its_level_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = contact_1995("elasto_plastic"), .mass = 0.01, .push = half };
    for (int i = 0; i < 1 / h; i++) rig_step(&r, h);
    double x = r.x;
    for (int i = 0; i < 9 / h; i++) rig_step(&r, h);
    CHECK_ABS(r.x, x, 1e-12);
  }
}

TEST(elasto_plastic_refuses_an_elastic_range_beyond_the_level)
{
  contact c = contact_1995("elasto_plastic");
  set(&c, "zba", 1e-5);
  CHECK(bristle_check(c.model, c.p, NULL) == BRISTLE_STATUS_RULE_BROKEN, "zba = fc/sigma0");
  set(&c, "zba", 0.99e-5);
  CHECK(bristle_check(c.model, c.p, NULL) == BRISTLE_STATUS_OK, "zba < fc/sigma0");
}

/* ---- in the plane ---- */

static double plane_p[MAX_PARAM];

static const bristle_vector_model *plane(void)
{
  const bristle_vector_model *m = bristle_vector_law_find("elasto_plastic")->f64[0];
  bristle_defaults(m->info, plane_p);
  return m;
}

static void plane_step(const bristle_vector_model *m, int batch, double *s, const double *v, double h, double *f)
{
  bristle_vector_input in = { .v = { v[0], v[1] }, .n = 1, .h = h };
  bristle_vector_batch one = { .count = 1, .p = plane_p, .s = s, .v = in.v, .h = h, .f = f };
  if (batch) m->step_n(&one);
  else m->step(plane_p, s, &in, f, NULL);
}

TEST(elasto_plastic_in_the_plane_below_zba_is_a_spring)
{
  const bristle_vector_model *m = plane();
  double s[2] = { 0 }, x[2] = { 0 }, f[3];
  for (int i = 0; i < 10000; i++) {
    double v[2] = { 4e-6 * 40 * cos(0.04 * i), 2e-6 * 50 * sin(0.05 * i) };
    plane_step(m, 0, s, v, 1e-3, f);
    x[0] += v[0] * 1e-3, x[1] += v[1] * 1e-3;
    CHECK(s[0] == x[0] && s[1] == x[1], "z %.17g %.17g x %.17g %.17g", s[0], s[1], x[0], x[1]);
  }
}

/* whatever the step and the load: a bristle within its limit stays there, one beyond it never grows */
TEST(elasto_plastic_in_the_plane_never_passes_its_limit)
{
  static const double loads[] = { 0, 1e-12, 0.1, 0.7,
                                  1 }; /* up to 0.7 the level lies within zba: no plastic zone is left */
  const bristle_vector_model *m = plane();
  for (int batch = 0; batch < 2; batch++)
    for (int l = 0; l < 5; l++) {
      double s[2] = { 1e-5, -2e-5 }, f[3];
      for (int i = 0; i < 5000; i++) {
        bristle_vector_input in = { .n = loads[l], .h = pow(10, between(-6, 0)), .load = BRISTLE_LOAD_LEVEL };
        bristle_vector_batch one = { .count = 1, .p = plane_p, .s = s, .v = in.v, .n = &in.n, .h = in.h, .f = f };
        const double most = fmax(norm(2, s), 1.5e-5 * loads[l]);
        one.load = in.load;
        random_vector(2, pow(10, between(-6, 0)), in.v);
        if (batch) m->step_n(&one);
        else m->step(plane_p, s, &in, f, NULL);
        CHECK(norm(2, s) <= most * (1 + 1e-12) && isfinite(f[0] + f[1]), "|z| = %g of %g, |v| = %g, h = %g, n = %g",
              norm(2, s), most, norm(2, in.v), in.h, in.n);
      }
    }
}

/* one step along x from anywhere in the disk against Runge-Kutta of eval: single steps and batches */
TEST(elasto_plastic_step_in_the_plane_is_accurate_for_any_length)
{
  const bristle_vector_model *m = plane();
  const double v[3] = { 2e-3, 0, 0 }, zm = level(2e-3) / 1e5;
  double worst[2][4] = { { 0 } };
  for (int decade = 0; decade < 4; decade++)
    for (int trial = 0; trial < 100; trial++) {
      double start[3], z[2], k[4][2], f[3], path = zm * pow(10, decade - 2);
      enum { FINE = 4000 };
      random_vector(2, zm * (trial % 2 ? 1 : sqrt(between(0, 1))), start);
      memcpy(z, start, sizeof z);
      for (int i = 0; i < FINE; i++) {
        for (int j = 0; j < 4; j++) {
          double u[2], h = (j == 3 ? 1 : 0.5) * path / v[0] / FINE;
          bristle_vector_input in = { .v = { v[0] }, .n = 1 };
          for (int c = 0; c < 2; c++) u[c] = z[c] + (j ? h * k[j - 1][c] : 0);
          m->eval(plane_p, u, &in, f, k[j]);
        }
        for (int c = 0; c < 2; c++) z[c] += path / v[0] / FINE / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
      }
      for (int batch = 0; batch < 2; batch++) {
        double s[2] = { start[0], start[1] };
        plane_step(m, batch, s, v, path / v[0], f);
        worst[batch][decade] = fmax(worst[batch][decade], hypot(s[0] - z[0], s[1] - z[1]) / zm);
      }
    }
  static const double most[2][4] = { { 1e-6, 1e-3, 2e-2, 1e-4 }, { 2e-6, 2e-3, 5e-2, 4e-3 } };
  for (int batch = 0; batch < 2; batch++)
    for (int decade = 0; decade < 4; decade++)
      CHECK(worst[batch][decade] < most[batch][decade], "batch %d, path %g zm: off by %g zm", batch,
            pow(10, decade - 2), worst[batch][decade]);
}

/* a path that turns, reverses and rests: batches meet single steps with second order, along a line too */
TEST(elasto_plastic_batches_converge_to_single_steps)
{
  const bristle_vector_model *m = plane();
  for (int line = 0; line < 2; line++) {
    double off[3] = { 0 };
    for (int refined = 0; refined < 3; refined++) {
      const int steps = 800 << (2 * refined);
      double s[2][2] = { { 0 } }, f[3];
      for (int i = 0; i < steps; i++) {
        double t = (i + 0.5) / steps, speed = 1e-3 * sin(18.85 * t), angle = line ? 0.7 : 9 * t;
        double v[2] = { speed * cos(angle), speed * sin(angle) };
        for (int batch = 0; batch < 2; batch++) plane_step(m, batch, s[batch], v, 0.3 / steps, f);
        off[refined] = fmax(off[refined], 1e5 * hypot(s[0][0] - s[1][0], s[0][1] - s[1][1]));
      }
    }
    printf("  %s: %.1e, %.1e, %.1e N\n", line ? "line" : "turning", off[0], off[1], off[2]);
    CHECK(off[0] < 1e-3 && off[1] < off[0] / 8 && off[2] < off[1] / 8, "%g, %g, %g", off[0], off[1], off[2]);
  }
}
