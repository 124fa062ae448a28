/* The bounded bristle: lugre inside its bound, and right outside it where lugre is not. */
#include "support/law.h"

/* not "close": the same bits, state and force, prescribed and coupled */
TEST(lugre_bounded_is_lugre_bit_for_bit_within_the_bound)
{
  contact a = contact_1995("lugre"), b = contact_1995("lugre_bounded");
  unsigned seed = 1;
  for (int i = 0; i < 20000; i++) {
    seed = seed * 1664525u + 1013904223u;
    double v = ((double)(seed >> 8) / (1 << 24) - 0.5) * pow(10, -(double)(seed % 7));
    bristle_input in = { .v = v, .n = 1, .h = pow(10, -1 - (double)(i % 5)), .w = i % 2 ? 1e-3 : 0 };
    double va, vb, fa = a.model->step(a.p, a.s, &in, &va), fb = b.model->step(b.p, b.s, &in, &vb);
    CHECK(fa == fb && va == vb && a.s[0] == b.s[0], "step %d: %.17g and %.17g", i, fa, fb);
    CHECK(force_at(&a, v) == force_at(&b, v), "eval %d", i);
  }
}

/* one step of any length is many small ones, also across the bound; and those are the equation, by Runge-Kutta */
TEST(lugre_bounded_step_is_exact_beyond_the_bound)
{
  const double speeds[] = { 0, 1e-4, -1e-4, 3e-3, -3e-3, 0.2, -0.2 };
  for (int i = 0; i < 7; i++)
    for (int side = -1; side <= 1; side += 2) {
      contact one = contact_1995("lugre_bounded"), many = one, fine = one;
      one.s[0] = many.s[0] = fine.s[0] = side * 1e-4;
      const double t = 3e-3, v = speeds[i];
      double f = glide(&one, v, t, 1), z0 = fine.s[0], bent = 0, h = t / 60000;
      glide(&many, v, t, 997);
      CHECK_ABS(one.s[0], many.s[0], 1e-18);
      for (int k = 0; k < 60000; k++) { /* z, and the integral of what sigma1 acts on */
        double rate[4], b[4], z = fine.s[0];
        for (int j = 0; j < 4; j++) {
          bristle_input in = { .v = v };
          fine.s[0] = j == 0 ? z : z + (j == 3 ? h : h / 2) * rate[j - 1];
          b[j] = (fine.model->eval(fine.p, fine.s, &in, &rate[j]) - 1e5 * fine.s[0] - 0.4 * v) / sqrt(1e5);
        }
        fine.s[0] = z + h / 6 * (rate[0] + 2 * rate[1] + 2 * rate[2] + rate[3]);
        bent += h / 6 * (b[0] + 2 * b[1] + 2 * b[2] + b[3]);
      }
      CHECK_ABS(one.s[0], fine.s[0], 2e-13);
      CHECK_ABS(f, 1e5 * one.s[0] + sqrt(1e5) * bent / t + 0.4 * v, 2e-7);
      CHECK(fabs(one.s[0]) <= fabs(z0), "grew to %g", one.s[0]);
    }
}

/* ---- 1.3: PD arm started at rest, 10 mm off, held by a bristle bent to 6.7 fs/sigma0 ---- */

static double pd(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)t, (void)extra;
  return -1000 * x - 20 * v;
}
static double nothing(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)t, (void)x, (void)v, (void)extra;
  return 0;
}

TEST(lugre_bounded_arm_moves_where_lugre_hangs)
{
  rig stuck = { .c = contact_1995("lugre"), .mass = 1, .push = pd, .x = -0.01 };
  rig r = { .c = contact_1995("lugre_bounded"), .mass = 1, .push = pd, .x = -0.01 };
  stuck.c.s[0] = r.c.s[0] = 1e-4;
  double fastest = 0, over = 0;
  for (int i = 0; i < 150000; i++) {
    rig_advance(&r, 2e-5);
    fastest = fmax(fastest, r.v), over = fmax(over, r.x);
  }
  for (int i = 0; i < 30000; i++) rig_advance(&stuck, 1e-4);
  CHECK_ABS(stuck.x, -0.01, 1e-9);
  CHECK_PRINTED(stuck.force, "10.0"); /* 6.7 fs at rest */
  CHECK_PRINTED(r.x * 1e4, "6.319");
  CHECK_PRINTED(over * 1e3, "2.088");
  CHECK_PRINTED(1000 * r.x, "0.632");
  CHECK_PRINTED(fastest, "0.1865");
}

/* the same arm by the coupled step, 50 times coarser */
TEST(lugre_bounded_arm_ends_at_the_same_place_by_coupled_steps)
{
  rig r = { .c = contact_1995("lugre_bounded"), .mass = 1, .push = pd, .x = -0.01 };
  r.c.s[0] = 1e-4;
  for (int i = 0; i < 30000; i++) rig_step(&r, 1e-4);
  CHECK_ABS(r.x, 6.319e-4, 5e-5);
  CHECK(fabs(r.v) < 1e-12, "v = %g", r.v);
}

/* a free mass at rest is pushed by what its bristle stored; beyond the bound part of that is let go */
TEST(lugre_bounded_free_mass_is_pushed_less_than_by_lugre)
{
  const struct {
    const char *law;
    double z0;
    const char *x, *v;
  } table[] = { { "lugre", 1e-4, "-24.2", "2.77" },
                { "lugre", 1.5e-5, "-9.54", "1.50" },
                { "lugre_bounded", 1.5e-5, "-9.54", "1.50" } };
  rig r = { .mass = 1, .push = nothing };
  for (int i = 0; i < 4; i++) {
    r = (rig){ .c = contact_1995(i < 3 ? table[i].law : "lugre_bounded"), .mass = 1, .push = nothing };
    r.c.s[0] = i < 3 ? table[i].z0 : 1e-4;
    double fastest = 0;
    for (int k = 0; k < 25000; k++) rig_advance(&r, 2e-5), fastest = fmax(fastest, -r.v);
    if (i < 3) CHECK_PRINTED(r.x * 1e6, table[i].x);
    if (i < 3) CHECK_PRINTED(fastest * 1e3, table[i].v);
  }
  CHECK(r.x < -9.54e-6 && r.x > -20e-6, "from 1e-4: %g", r.x);
}

/* G7: at rest the load drops to a tenth; the bristle must not go on holding the old load */
TEST(lugre_bounded_lets_go_when_the_load_drops_at_rest)
{
  contact c = contact_1995("lugre_bounded"), old = contact_1995("lugre");
  c.load = old.load = BRISTLE_LOAD_LEVEL;
  glide(&c, 1e-4, 10, 1);
  glide(&old, 1e-4, 10, 1);
  const double z0 = c.s[0], bound = 0.1 * 1.5e-5;
  CHECK_NEAR(1e5 * z0, steady_at(&c, 1e-4) - 0.4 * 1e-4, 1e-9);
  c.n = old.n = 0.1;
  CHECK_NEAR(glide(&c, 0, 1e-3, 1), 1e5 * (bound + (z0 - bound) * exp(-1)), 1e-12); /* kappa h = 1, exactly */
  glide(&c, 0, 1, 7);
  CHECK_NEAR(1e5 * c.s[0], 0.15, 1e-12);
  CHECK_NEAR(glide(&old, 0, 1, 1), 1e5 * z0, 1e-12); /* lugre keeps 1.495 N under a load that allows 0.15 */
  c.n = 0;
  CHECK_ABS(glide(&c, 0, 1, 1), 0, 1e-12);
}

static double half(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)t, (void)x, (void)v, (void)extra;
  return 0.75;
}

TEST(lugre_bounded_holds_half_its_level_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = contact_1995("lugre_bounded"), .mass = 0.01, .push = half };
    for (int i = 0; i < 1 / h; i++) rig_step(&r, h);
    double x = r.x;
    for (int i = 0; i < 9 / h; i++) rig_step(&r, h);
    CHECK_ABS(r.x, x, 1e-12);
  }
}
