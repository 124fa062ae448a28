/* Arms that hold a pose against gravity: no creep, whatever the step, the number of joints and the condition. */
#include "support/arm.h"

static double largest_value(int n, const double *a)
{
  double x[ARM_MOST], y[ARM_MOST], size = 0;
  for (int i = 0; i < n; i++) x[i] = 1 + 0.1 * i;
  for (int round = 0; round < 300; round++) {
    size = 0;
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < n; j++) y[i] += a[i * n + j] * x[j];
      size = fmax(size, fabs(y[i]));
    }
    for (int i = 0; i < n; i++) x[i] = y[i] / size;
  }
  return size;
}

/* condition of the compliance after a step of h */
static double condition(const arm *a, double h)
{
  static double m[ARM_MOST * ARM_MOST], against[ARM_MOST];
  arm_dynamics(a, m, against);
  return largest_value(a->n, m) * largest_value(a->n, a->w) / h;
}

/* Gravity comes gently, and long steps take the vibration out; then 9 s at h. */
static double arm_drift(arm *a, double h, int *failed)
{
  double start[ARM_MOST], drift = 0;
  const double gravity = a->gravity;
  *failed = 0;
  for (int i = 0; i < 150; i++) {
    a->gravity = gravity * fmin(1, i / 50.0);
    arm_step(a, 0.05);
  }
  for (int i = 0; i < (int)(0.2 / h) && i < 2000; i++) arm_step(a, h); /* from one step length to the other */
  memcpy(start, a->q, sizeof start);
  for (long i = 0; i < lround(9 / h); i++) {
    arm_step(a, h);
    *failed += !a->report.converged;
  }
  for (int i = 0; i < a->n; i++) drift = fmax(drift, fabs(a->q[i] - start[i]));
  return drift;
}

/* The force of leuven_original jumps where an inner loop closes. A step that ends on the jump has no solution, which
   the network reports; thirty joints that still ring at 10 ms come there, and move until they are past it. */
static void check_arm(arm *a, const char *name, double h)
{
  int failed;
  const double drift = arm_drift(a, h, &failed);
  const int jumps = !strcmp(name, "leuven_original") && a->n > 6;
  CHECK(drift < (jumps ? 1e-8 : 1e-12) && failed <= (jumps ? lround(0.05 * 9 / h) : 0),
        "%s, %d joints, h %g: drift %g rad, %d solves failed", name, a->n, h, drift, failed);
}

/* every law that sticks, for steps from 10 ms down to the shortest, and its arm with light links */
static void check_laws(int n, double shortest, double lighter, double condition_at_least)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    if (!(law->f64->info->traits & BRISTLE_TRAIT_STICKS)) continue;
    for (double h = 1e-2; h > 0.9 * shortest; h /= 10) {
      arm a = arm_loaded(&law->name, 1, n, 0.5, lighter);
      check_arm(&a, law->name, h);
      CHECK(condition(&a, h) >= condition_at_least, "condition %g", condition(&a, h));
    }
  }
}

/* Bristles creep by half of the way that they are shaken when they carry half of their level: a solver that stops at a
   tolerance shakes them for ever (7e-10 rad for 30 joints with dahl at 1e-13 of the scale). */
TEST(arms_hold_their_pose_without_drift)
{
  const int all = getenv("BRISTLE_LONG") != NULL;
  check_laws(2, all ? 1e-5 : test_is_long() ? 1e-4 : 1e-2, 0.8, 0);
  check_laws(6, all ? 1e-5 : test_is_long() ? 1e-3 : 1e-2, 0.8, 0);
  if (all || test_is_long()) check_laws(30, all ? 1e-5 : 1e-2, 0.8, 5e7);
}

/* links from 2 kg down to micrograms */
TEST(arms_hold_with_a_compliance_of_bad_condition)
{
  check_laws(6, getenv("BRISTLE_LONG") ? 1e-5 : test_is_long() ? 1e-3 : 1e-2, 0.065, 1e8);
}

TEST(arms_with_different_laws_hold)
{
  static const char *const laws[] = { "coulomb", "lugre", "dahl", "gms", "stribeck", "elasto_plastic" };
  for (int n = 2; n <= (test_is_long() ? 30 : 6); n += n == 2 ? 4 : 24)
    for (double h = 1e-2; h > (test_is_long() ? 0.9e-3 : 0.9e-2); h /= 10) {
      arm a = arm_loaded(laws, 6, n, 0.5, 0.8);
      check_arm(&a, "mixed", h);
    }
}

/* the one sweep of single coupled steps, contact by contact, that a user might write instead, creeps */
TEST(single_coupled_steps_in_a_row_creep_where_the_network_holds)
{
  const char *law = "lugre";
  arm a = arm_loaded(&law, 1, 2, 0.5, 0.8);
  for (int i = 0; i < 1000; i++) {
    double m[4], against[2];
    arm_dynamics(&a, m, against);
    const double det = m[0] * m[3] - m[1] * m[2], h = 1e-3;
    const double w[4] = { h * m[3] / det, -h * m[1] / det, -h * m[2] / det, h * m[0] / det };
    double v[2], f[2] = { 0 };
    for (int j = 0; j < 2; j++) v[j] = a.u[j] - w[2 * j] * against[0] - w[2 * j + 1] * against[1];
    for (int j = 0; j < 2; j++) {
      bristle_input in = {
        .v = v[j] - w[2 * j + 1 - j] * f[1 - j], .n = a.c[j].n, .w = w[3 * j], .h = h, .load = a.c[j].load
      };
      f[j] = a.c[j].model->step(a.c[j].p, a.c[j].s, &in, NULL);
    }
    for (int j = 0; j < 2; j++) a.u[j] = v[j] - w[2 * j] * f[0] - w[2 * j + 1] * f[1], a.q[j] += h * a.u[j];
  }
  CHECK(fabs(a.u[0]) + fabs(a.u[1]) > 1e-8, "it creeps with %g and %g rad/s only", a.u[0], a.u[1]);
}
