/* The spherical joint against the formulas of Altair's page, written out a second time here with cross products. */
#include "joint/support.h"

/* the page's parameters and units: mm, N, s */
static void page_joint(jointed *c)
{
  joint_make(c, BRISTLE_JOINT_SPHERICAL, "lugre");
  c->j.ball_radius = 10;
  joint_set(c, "fs", 0.3);
  joint_set(c, "fc", 0.25);
  joint_set(c, "vs", 0.1);
  joint_set(c, "sigma0", 100);
  joint_set(c, "sigma1", 0.316);
  joint_set(c, "sigma2", 0.0004);
  c->j.inputs = BRISTLE_JOINT_INPUT_REACTION;
}

static const bristle_joint_loads thousand = { { 0, 0, 1000 }, { 0, 0, 0 } };

TEST(spherical_joint_gives_the_test_vector_of_the_page)
{
  jointed c;
  page_joint(&c);
  double rate[MAX_STATE];
  const bristle_joint_motion motion = { .omega = { 1, 0, 0 } };
  bristle_joint_friction out = joint_slide(&c, &thousand, motion);
  const double mu[3] = { -0.254, 0, 0 }, tau[3] = { -2540, 0, 0 };
  CHECK(apart(out.mu_rot, mu) < 1e-15, "step: mu %.17g", out.mu_rot[0]);
  CHECK(apart(out.torque, tau) < 1e-11, "step: tau %.17g", out.torque[0]);
  bristle_joint_eval(&c.j, c.s, &thousand, &motion, &out, rate);
  CHECK(apart(out.mu_rot, mu) < 1e-15, "eval: mu %.17g", out.mu_rot[0]);
  CHECK(apart(out.torque, tau) < 1e-11, "eval: tau %.17g", out.torque[0]);
  CHECK_ABS(out.slip_rot[0], 10, 0);
}

TEST(spin_about_the_load_gets_no_torque_without_preload)
{
  jointed c;
  page_joint(&c);
  const bristle_joint_motion motion = { .omega = { 0, 0, 1 } };
  bristle_joint_friction out = joint_slide(&c, &thousand, motion);
  for (int i = 0; i < 3; i++) CHECK_ABS(out.torque[i], 0, 0);
  CHECK_NEAR(out.mu_rot[2], -0.254, 1e-14); /* the coefficient is there, it has no arm */
  c.j.socket = BRISTLE_JOINT_SOCKET_FULL;
  out = joint_slide(&c, &thousand, motion);
  CHECK_NEAR(out.torque[2], -2540.0, 1e-14);
  c.j.socket = BRISTLE_JOINT_SOCKET_POINT;
  c.j.inputs |= BRISTLE_JOINT_INPUT_PRELOAD;
  c.j.preload_torque = 30;
  for (int combine = 0; combine < 2; combine++) {
    c.j.combine = combine ? BRISTLE_JOINT_COMBINE_MAX : BRISTLE_JOINT_COMBINE_SUM;
    out = joint_slide(&c, &thousand, motion);
    CHECK_NEAR(out.torque[2], -30 * 0.254 / 0.3, 1e-14);
  }
}

/* spin lowers g: w_m contains it */
TEST(spin_lowers_the_friction_against_rolling)
{
  jointed c;
  page_joint(&c);
  joint_set(&c, "sigma2", 0);
  bristle_joint_friction slow = joint_slide(&c, &thousand, (bristle_joint_motion){ .omega = { 1e-5, 0, 0 } });
  CHECK_NEAR(slow.torque[0], -3000.0, 1e-5);
  const double spin = 0.01, roll = 1e-5, g = 0.25 + 0.05 * exp(-(spin * spin + roll * roll) * 1e4);
  bristle_joint_friction both = joint_slide(&c, &thousand, (bristle_joint_motion){ .omega = { roll, 0, spin } });
  CHECK_NEAR(both.torque[0], -g * 1e4 * roll / sqrt(spin * spin + roll * roll), 1e-9);
}

/* ---- the page, once more: everything from z, omega and F_N ---- */

typedef struct page {
  double mu[3], jforce[3], preload[3], rate[3];
} page;

static page page_formulas(const double z[3], const double omega[3], const double force[3], double t_preload)
{
  page o;
  const double rb = 10, mus = 0.3, mud = 0.25, vs = 0.1, s0 = 100, s1 = 0.316, s2 = 0.0004;
  double wm = sqrt(inner(omega, omega)), g = mud + (mus - mud) * exp(-pow(rb * wm / vs, 2));
  double lambda = rb * wm * mud * mud / g, c0 = lambda * s0 / (mud * mud), r[3], side[3];
  for (int i = 0; i < 3; i++) {
    o.rate[i] = rb * omega[i] - c0 * z[i];
    o.mu[i] = -(s0 * z[i] + s1 * o.rate[i] + s2 * rb * omega[i]);
    r[i] = rb * force[i] / sqrt(inner(force, force));
    o.preload[i] = o.mu[i] / mus * t_preload;
  }
  cross(o.mu, force, side);
  cross(r, side, o.jforce);
  return o;
}

TEST(spherical_joint_follows_the_page_for_any_state_motion_and_load)
{
  int switched = 0;
  for (int k = 0; k < 1000; k++) {
    jointed c;
    page_joint(&c);
    c.j.inputs = bristle_joint_inputs(BRISTLE_JOINT_SPHERICAL);
    c.j.preload_torque = random_between(0, 3000);
    bristle_joint_loads loads = { { 0 }, { 0 } };
    bristle_joint_motion motion = { .v = 0 };
    bristle_joint_friction max, sum;
    double rate[MAX_STATE], added[3];
    random_vector(loads.force, 1000);
    random_vector(motion.omega, k % 2 ? 0.02 : 2);
    random_vector(c.s, 3e-3);
    page o = page_formulas(c.s, motion.omega, loads.force, c.j.preload_torque);
    int by_load = sqrt(inner(o.jforce, o.jforce)) > sqrt(inner(o.preload, o.preload));
    switched += by_load;
    for (int i = 0; i < 3; i++) added[i] = o.jforce[i] + o.preload[i];
    c.j.combine = BRISTLE_JOINT_COMBINE_MAX;
    bristle_joint_eval(&c.j, c.s, &loads, &motion, &max, rate);
    c.j.combine = BRISTLE_JOINT_COMBINE_SUM;
    bristle_joint_eval(&c.j, c.s, &loads, &motion, &sum, rate);
    double size = sqrt(inner(o.jforce, o.jforce)) + sqrt(inner(o.preload, o.preload));
    CHECK(apart(rate, o.rate) < 1e-12 * 30, "rate: %g", apart(rate, o.rate));
    CHECK(apart(sum.mu_rot, o.mu) < 1e-13 * 10, "mu: %g", apart(sum.mu_rot, o.mu));
    CHECK(apart(max.torque, by_load ? o.jforce : o.preload) < 1e-13 * size, "max: %g", apart(max.torque, o.jforce));
    CHECK(apart(sum.torque, added) < 1e-13 * size, "sum: %g", apart(sum.torque, added));
  }
  CHECK(switched > 100 && switched < 900, "both branches must occur: %d", switched);
}

TEST(spherical_joint_without_load_has_only_its_preload)
{
  jointed c;
  page_joint(&c);
  c.j.inputs = bristle_joint_inputs(BRISTLE_JOINT_SPHERICAL);
  c.j.preload_torque = 30;
  const bristle_joint_loads none = { { 0 }, { 0 } };
  bristle_joint_friction out;
  double rate[MAX_STATE];
  const bristle_joint_motion motion = { .omega = { 0.3, -0.4, 1.2 } };
  for (int combine = 0; combine < 2; combine++) {
    c.j.combine = combine ? BRISTLE_JOINT_COMBINE_MAX : BRISTLE_JOINT_COMBINE_SUM;
    out = joint_slide(&c, &none, motion);
    for (int i = 0; i < 3; i++)
      CHECK_NEAR(out.torque[i], -30 / 0.3 * (0.25 + 0.0004 * 13) * motion.omega[i] / 1.3, 1e-13);
  }
  c.j.preload_torque = 0;
  bristle_joint_eval(&c.j, c.s, &none, &motion, &out, rate);
  for (int i = 0; i < 3; i++) CHECK_ABS(out.torque[i], 0, 0);
}

TEST(dahl_is_the_page_without_damping_and_with_one_level)
{
  jointed c, d;
  page_joint(&c);
  joint_set(&c, "fs", 0.25);
  joint_set(&c, "sigma1", 0);
  joint_set(&c, "sigma2", 0);
  joint_make(&d, BRISTLE_JOINT_SPHERICAL, "dahl");
  d.j.ball_radius = 10;
  d.j.inputs = BRISTLE_JOINT_INPUT_REACTION;
  joint_set(&d, "fc", 0.25);
  joint_set(&d, "sigma0", 100);
  joint_set(&d, "sigma2", 0);
  for (int i = 0; i < 200; i++) {
    bristle_joint_motion m = { .omega = { 0.02 * sin(0.1 * i), 0.03 * cos(0.07 * i), 0.01 }, .h = 1e-2 };
    bristle_joint_friction of_c, of_d;
    bristle_joint_step(&c.j, c.s, &thousand, &m, &of_c);
    bristle_joint_step(&d.j, d.s, &thousand, &m, &of_d);
    CHECK(apart(of_c.torque, of_d.torque) < 1e-9, "%g", apart(of_c.torque, of_d.torque));
  }
}

/* ---- motion ---- */

TEST(spherical_joint_does_not_depend_on_the_frame)
{
  for (int k = 0; k < 60; k++) {
    jointed c, d;
    page_joint(&c);
    c.j.inputs = bristle_joint_inputs(BRISTLE_JOINT_SPHERICAL);
    c.j.combine = k % 2 ? BRISTLE_JOINT_COMBINE_MAX : BRISTLE_JOINT_COMBINE_SUM;
    c.j.preload_torque = 200;
    d = c;
    d.j.contact.p = d.p;
    double r[3][3], turned[3];
    random_rotation(r);
    bristle_joint_loads a = { { 0 }, { 0 } }, b = a;
    random_vector(a.force, 1000);
    turn(r, a.force, b.force);
    bristle_joint_motion m = { .h = 1e-3 }, n = { .h = 1e-3 };
    if (k % 3)
      for (int i = 0; i < 3; i++) m.w_rot[i][i] = n.w_rot[i][i] = 1e-6;
    for (int i = 0; i < 30; i++) {
      bristle_joint_friction of_c, of_d;
      random_vector(m.omega, i % 2 ? 0.003 : 0.3);
      turn(r, m.omega, n.omega);
      bristle_joint_step(&c.j, c.s, &a, &m, &of_c);
      bristle_joint_step(&d.j, d.s, &b, &n, &of_d);
      turn(r, of_c.torque, turned);
      CHECK(apart(turned, of_d.torque) < 1e-12 * 1e4, "torque: %g", apart(turned, of_d.torque));
      turn(r, of_c.omega_end, turned);
      CHECK(apart(turned, of_d.omega_end) < 1e-12, "omega: %g", apart(turned, of_d.omega_end));
    }
    /* the frame itself turns: the state is carried along */
    c.j.contact.vector->f64[1]->rotate(c.s, r);
    CHECK(apart(c.s, d.s) < 1e-12 * 3e-3 * 10, "state: %g", apart(c.s, d.s));
  }
}

/* h J^-1 of a body that mixes all axes */
static void random_compliance(double size, double w[3][3])
{
  double r[3][3], d[3] = { size, size * random_between(0.1, 1), size * random_between(0.1, 1) };
  random_rotation(r);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      w[i][k] = r[0][i] * d[0] * r[0][k] + r[1][i] * d[1] * r[1][k] + r[2][i] * d[2] * r[2][k];
}

/* The end velocity closes the balance, and the coefficients are those of the law at that very velocity (elasto_plastic
   has kinks that a long step may meet: there the balance decides, and only that is asked). */
TEST(spherical_step_closes_the_balance_for_any_inertia)
{
  static const char *const laws[] = { "lugre", "dahl", "tanh", "elasto_plastic" };
  double worst = 0;
  for (int k = 0; k < 400; k++) {
    jointed c;
    joint_make(&c, BRISTLE_JOINT_SPHERICAL, laws[k % 4]);
    c.j.combine = k / 4 % 2 ? BRISTLE_JOINT_COMBINE_MAX : BRISTLE_JOINT_COMBINE_SUM;
    c.j.preload_torque = k / 8 % 3 ? random_between(0, 1) : 0;
    bristle_joint_loads loads = { { 0 }, { 0 } };
    bristle_joint_motion m = { .h = pow(10, random_between(-4, -1)) };
    bristle_joint_friction out, again;
    random_vector(loads.force, 300);
    random_compliance(m.h / 0.01, m.w_rot);
    for (int i = 0; i < 20; i++) {
      double before[MAX_STATE], change[3], end[3];
      memcpy(before, c.s, sizeof before);
      random_vector(m.omega, i % 3 ? 0.05 : 2);
      bristle_joint_step(&c.j, c.s, &loads, &m, &out);
      turn(m.w_rot, out.torque, change);
      for (int n = 0; n < 3; n++) end[n] = m.omega[n] + change[n];
      double size = fabs(m.omega[0]) + fabs(m.omega[1]) + fabs(m.omega[2]) + sqrt(inner(change, change));
      CHECK(apart(end, out.omega_end) < 1e-12 * size, "%s: balance %g of %g", laws[k % 4], apart(end, out.omega_end),
            size);
      bristle_joint_motion same = { .h = m.h };
      memcpy(same.omega, out.omega_end, sizeof same.omega);
      bristle_joint_step(&c.j, before, &loads, &same, &again);
      if (k % 4 < 3) worst = fmax(worst, apart(again.mu_rot, out.mu_rot));
    }
  }
  printf("  largest difference to the law at the end velocity: %g\n", worst);
  CHECK(worst < 1e-7, "%g", worst);
}

/* Half of the torque that breaks the ball away, across the load and at any angle. Nothing but a preload that is added
   holds a spin about the load, so only there the inertia may mix the axes. */
TEST(spherical_joint_holds_half_its_break_away_torque_without_drift)
{
  for (int k = 0; k < 8; k++)
    for (double h = k > test_share(5, 6) ? 1e-5 : 1e-4; h < 0.2; h *= 10) {
      const int mixes = k % 4 == 0, coulomb = k % 4 == 2;
      jointed c;
      joint_make(&c, BRISTLE_JOINT_SPHERICAL, coulomb ? "coulomb" : "lugre");
      c.j.combine = k % 4 == 1 ? BRISTLE_JOINT_COMBINE_MAX : BRISTLE_JOINT_COMBINE_SUM;
      c.j.preload_torque = mixes ? 3 : k % 4 == 1 ? 0.3 : 0;
      bristle_joint_loads loads = { { 0 }, { 0 } };
      bristle_joint_motion m = { .h = h };
      bristle_joint_friction out;
      double side[3], drive[3], kick[3], omega[3] = { 0, 0, 0 }, angle[3] = { 0, 0, 0 }, at_one[3] = { 0, 0, 0 };
      random_vector(loads.force, 300);
      for (int i = 0; i < 3; i++) m.w_rot[i][i] = h / 0.01;
      if (mixes) random_compliance(h / 0.01, m.w_rot);
      random_vector(side, 1);
      cross(side, loads.force, drive);
      double length = sqrt(inner(drive, drive)), load = sqrt(inner(loads.force, loads.force));
      for (int i = 0; i < 3; i++) drive[i] *= 0.5 * (coulomb ? 0.25 : 0.3) * 0.02 * load / length;
      turn(m.w_rot, drive, kick);
      for (long n = 1; n <= lround(10 / h); n++) {
        for (int i = 0; i < 3; i++) m.omega[i] = omega[i] + kick[i];
        bristle_joint_step(&c.j, c.s, &loads, &m, &out);
        for (int i = 0; i < 3; i++) omega[i] = out.omega_end[i], angle[i] += h * omega[i];
        if (n == lround(1 / h)) memcpy(at_one, angle, sizeof at_one);
      }
      CHECK(apart(angle, at_one) < 1e-12, "case %d h %g: drift %g", k, h, apart(angle, at_one));
      for (int i = 0; i < 3; i++) CHECK_ABS(out.torque[i], -drive[i], 1e-6);
    }
}
