/* Maxwell slip: exact for any step, with the memory rules of Masing and Madelung. */
#include "support/law.h"

/* C6: k = (4, 3, 2, 1), W = (1, 1.5, 2, 2.5) */
static contact c6(void)
{
  const double k[] = { 4, 3, 2, 1 }, share[] = { 1.0 / 7, 1.5 / 7, 2.0 / 7, 2.5 / 7 };
  contact c = contact_of("maxwell_slip");
  set_vector(&c, "k", 4, k);
  set_vector(&c, "alpha", 4, share);
  set(&c, "fc", 7);
  return c;
}

static double to(contact *c, double *x, double target, int steps)
{
  double f = glide(c, target - *x, 1, steps);
  *x = target;
  return f;
}

/* the virgin curve: sum min(k x, W) */
static double virgin(double x) { return fmin(4 * x, 1) + fmin(3 * x, 1.5) + fmin(2 * x, 2) + fmin(x, 2.5); }

TEST(maxwell_slip_follows_the_printed_path)
{
  for (int steps = 1; steps <= 1000; steps *= 10) { /* exact: the number of steps cannot matter */
    contact c = c6();
    double x = 0;
    CHECK_ABS(to(&c, &x, 0.5, steps), 4, 1e-12);
    CHECK_ABS(to(&c, &x, 0, steps), -1, 1e-12);
    c = c6(), x = 0;
    to(&c, &x, 0.5, steps);
    CHECK_ABS(to(&c, &x, 0.2, steps), 1, 1e-12);
    CHECK_ABS(to(&c, &x, 0.5, steps), 4, 1e-12);
    const double elements[] = { 1, 1.5, 1, 0.5 }, k[] = { 4, 3, 2, 1 };
    for (int i = 0; i < 4; i++) CHECK_ABS(k[i] * c.s[i], elements[i], 1e-13);
  }
}

TEST(maxwell_slip_virgin_curve_is_the_sum_of_its_elements)
{
  contact c = c6();
  double x = 0;
  for (double target = 0.03; target < 4; target += 0.11) CHECK_NEAR(to(&c, &x, target, 1), virgin(target), 1e-13);
  CHECK_ABS(steady_at(&c, 1e-3), 7, 1e-14);
}

/* P5: after a reversal at (x_r, F_r) the branch is F_r - 2 Fv((x_r - x)/2) */
TEST(maxwell_slip_branches_are_masing)
{
  for (double turn = 0.1; turn < 3; turn += 0.35) {
    contact c = c6();
    double x = 0, f = to(&c, &x, turn, 1);
    for (double back = 0.05; back <= 2 * turn; back += 0.1)
      CHECK_ABS(to(&c, &x, turn - back, 1), f - 2 * virgin(back / 2), 1e-12);
  }
}

/* P6, P7: nested minor loops close, and wiping them out leaves the outer path as if they had not been */
TEST(maxwell_slip_minor_loops_close_and_are_forgotten)
{
  contact c = c6(), plain = c6();
  double x = 0, y = 0;
  to(&c, &x, 1.2, 1), to(&plain, &y, 1.2, 1);
  double outer = to(&c, &x, 0.1, 1);
  to(&c, &x, 0.9, 3);
  double inner = to(&c, &x, 0.4, 3);
  to(&c, &x, 0.7, 3);
  CHECK_ABS(to(&c, &x, 0.4, 3), inner, 1e-13);
  CHECK_ABS(to(&c, &x, 0.1, 3), outer, 1e-13);
  to(&c, &x, -0.8, 3), to(&plain, &y, -0.8, 1);
  for (int i = 0; i < 4; i++) CHECK_ABS(c.s[i], plain.s[i], 1e-13);
}

/* P10: a loop between -A and A loses sum over slipping elements of 4 W (A - W/k), and stores nothing */
TEST(maxwell_slip_work_of_a_loop_is_its_area)
{
  contact c = c6();
  double x = 0, work = 0, last = to(&c, &x, 0.6, 1), loss = 0;
  const double k[] = { 4, 3, 2, 1 }, level[] = { 1, 1.5, 2, 2.5 };
  bristle_input in = { .n = 1 };
  double before = c.model->energy(c.p, c.s, &in);
  for (int side = -1; side <= 1; side += 2)
    for (int i = 1; i <= 1200; i++) { /* trapezoids are exact: every corner of the branches falls on a point */
      double f = to(&c, &x, side * (i / 1000.0 - 0.6), 1);
      work += 0.5 * (last + f) * side * 1e-3;
      last = f;
    }
  for (int i = 0; i < 4; i++) loss += 4 * level[i] * fmax(0.6 - level[i] / k[i], 0);
  CHECK_NEAR(work, loss, 1e-12);
  CHECK_ABS(c.model->energy(c.p, c.s, &in), before, 1e-13);
}

static double half(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)t, (void)x, (void)v, (void)extra;
  return 0.5;
}

TEST(maxwell_slip_holds_half_its_level_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("maxwell_slip"), .mass = 0.01, .push = half };
    for (int i = 0; i < 1 / h; i++) rig_step(&r, h);
    double x = r.x;
    for (int i = 0; i < 9 / h; i++) rig_step(&r, h);
    CHECK_ABS(r.x, x, 1e-12);
  }
}
