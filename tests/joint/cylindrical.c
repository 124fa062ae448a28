/* The cylindrical joint: sliding and turning share one friction; and what all joints have in common. */
#include "joint/support.h"

static const bristle_joint_loads loads = { { 30, 40, -120 }, { 6, 8, 5 } }; /* 50 across, 10 bending */

TEST(cylindrical_friction_is_shared_between_sliding_and_turning)
{
  jointed c;
  joint_make(&c, BRISTLE_JOINT_CYLINDRICAL, "lugre");
  joint_set(&c, "sigma2", 0);
  c.j.overlap_rule = BRISTLE_JOINT_OVERLAP_GROWS;
  const double normal = 50 + 10 / 0.2, V = sqrt(0.03 * 0.03 + 0.04 * 0.04);
  const bristle_joint_motion motion = { .v = 0.03, .omega = { 7, 7, -0.04 / 0.02 }, .x = 0.05 };
  bristle_joint_friction out = joint_slide(&c, &loads, motion);
  CHECK_NEAR(out.force[2], -0.25 * normal * 0.03 / V, 1e-13);
  CHECK_NEAR(out.torque[2], 0.25 * normal * 0.02 * 0.04 / V, 1e-13);
  CHECK_NEAR(out.mu[2], -0.25 * 0.6, 1e-13);
  CHECK_NEAR(out.mu_rot[2], 0.25 * 0.8, 1e-13);
  /* preloads belong to their own direction; they are break-away values, so they slide with mu_d/mu_s of themselves */
  c.j.preload_force = 6;
  c.j.preload_torque = 0.6;
  out = joint_slide(&c, &loads, motion);
  CHECK_NEAR(out.force[2], -0.25 * 0.6 * (normal + 6 / 0.3), 1e-13);
  CHECK_NEAR(out.torque[2], 0.25 * 0.8 * (normal * 0.02 + 0.6 / 0.3), 1e-13);
}

/* reactions: 0.25*100 = 25 N along the slip; preload: (0.25*0.6*20, 0.25*0.8*p/(0.3*0.02)), larger from p = 0.722 N m
 * on */
TEST(cylindrical_max_compares_norms_at_the_surface)
{
  jointed c;
  joint_make(&c, BRISTLE_JOINT_CYLINDRICAL, "lugre");
  joint_set(&c, "sigma2", 0);
  c.j.overlap = 0.2;
  c.j.combine = BRISTLE_JOINT_COMBINE_MAX;
  c.j.preload_force = 6;
  const bristle_joint_motion motion = { .v = 0.03, .omega = { 0, 0, -0.04 / 0.02 } };
  const double limit = sqrt(25 * 25 - 3 * 3) / (0.25 * 0.8) * 0.3 * 0.02;
  for (int above = 0; above < 2; above++) {
    c.j.preload_torque = limit * (above ? 1.001 : 0.999);
    bristle_joint_friction out = joint_slide(&c, &loads, motion);
    CHECK_NEAR(out.force[2], above ? -3.0 : -15.0, 1e-13);
    CHECK_NEAR(out.torque[2], above ? 0.25 * 0.8 * c.j.preload_torque / 0.3 : 0.4, 1e-13);
  }
}

TEST(cylindrical_joint_holds_at_any_angle_of_the_load)
{
  static const char *const laws[] = { "lugre", "coulomb" };
  for (int k = 0; k < 12; k++)
    for (double h = k < test_share(2, 1) ? 1e-5 : 1e-4; h < 0.2; h *= 10) {
      jointed c;
      joint_make(&c, BRISTLE_JOINT_CYLINDRICAL, laws[k % 2]);
      c.j.combine = k / 2 % 2 ? BRISTLE_JOINT_COMBINE_MAX : BRISTLE_JOINT_COMBINE_SUM;
      c.j.preload_force = c.j.preload_torque = k < 6 ? 0 : 0.1;
      const double half = 0.5 * (k % 2 ? 0.25 : 0.3) * (50 + 10 / 0.15), angle = 0.7 + k;
      bristle_joint_motion m = { .h = h, .w = h / 2 };
      bristle_joint_friction out;
      m.w_rot[2][2] = h / 0.01;
      double v = 0, omega = 0, x = 0, turned = 0, at_one[2] = { 0, 0 };
      for (long i = 1; i <= lround(10 / h); i++) {
        m.v = v + m.w * half * cos(angle), m.omega[2] = omega + m.w_rot[2][2] * half * 0.02 * sin(angle);
        bristle_joint_step(&c.j, c.s, &loads, &m, &out);
        v = out.v_end, omega = out.omega_end[2];
        x += h * v, turned += h * omega;
        if (i == lround(1 / h)) at_one[0] = x, at_one[1] = turned;
      }
      CHECK(fabs(x - at_one[0]) < 1e-12 && fabs(turned - at_one[1]) < 1e-12, "%s case %d h %g: %g, %g", laws[k % 2], k,
            h, x - at_one[0], turned - at_one[1]);
    }
}

TEST(cylindrical_joint_on_one_axis_is_the_other_joint)
{
  for (int turns = 0; turns < 2; turns++) {
    jointed c, d;
    joint_make(&c, BRISTLE_JOINT_CYLINDRICAL, "lugre");
    joint_make(&d, turns ? BRISTLE_JOINT_REVOLUTE : BRISTLE_JOINT_TRANSLATIONAL, "lugre");
    c.j.inputs = d.j.inputs = BRISTLE_JOINT_INPUT_REACTION;
    d.j.friction_arm = 0;
    double v = 0, omega = 0;
    for (int i = 0; i < 500; i++) {
      bristle_joint_friction a, b;
      bristle_joint_motion m = { .h = 1e-3, .w = 1e-3 / 2, .v = turns ? 0 : v + 8e-3 * sin(0.03 * i) };
      m.w_rot[2][2] = 1e-3 / 0.01;
      m.omega[2] = turns ? omega + 0.5 * 8e-2 * sin(0.03 * i) : 0;
      bristle_joint_step(&c.j, c.s, &loads, &m, &a);
      bristle_joint_step(&d.j, d.s, &loads, &m, &b);
      v = b.v_end, omega = b.omega_end[2];
      CHECK_ABS(a.force[2], b.force[2], 1e-9);
      CHECK_ABS(a.torque[2], b.torque[2], 1e-11);
      CHECK_ABS(a.v_end, turns ? 0 : v, 1e-12);
      CHECK_ABS(a.omega_end[2], turns ? omega : 0, 1e-11);
    }
  }
}

/* ---- all joints ---- */

TEST(every_joint_dissipates_while_it_slides)
{
  static const char *const laws[] = { "coulomb", "tanh", "dahl", "lugre", "elasto_plastic", "gms" };
  for (int k = 0; k < 6 * bristle_joint_kinds() * 60; k++) {
    jointed c;
    joint_make(&c, (bristle_joint_kind)(k % bristle_joint_kinds()), laws[k / bristle_joint_kinds() % 6]);
    c.j.combine = k / 30 % 2 ? BRISTLE_JOINT_COMBINE_MAX : BRISTLE_JOINT_COMBINE_SUM;
    c.j.effect = k / 60 % 2 ? BRISTLE_JOINT_EFFECT_SLIDING : BRISTLE_JOINT_EFFECT_BOTH;
    random_vector(c.j.cross_axis, 1);
    if (c.j.kind != BRISTLE_JOINT_TRANSLATIONAL) c.j.preload_torque = random_between(0, 2);
    if (c.j.kind == BRISTLE_JOINT_TRANSLATIONAL || c.j.kind == BRISTLE_JOINT_CYLINDRICAL)
      c.j.preload_force = random_between(0, 50);
    bristle_error error;
    CHECK(bristle_joint_check(&c.j, &error) == BRISTLE_STATUS_OK, "%s: %s", error.field, error.rule);
    bristle_joint_loads some;
    bristle_joint_motion m = { .v = random_between(-0.1, 0.1) };
    random_vector(some.force, 100);
    random_vector(some.moment, 10);
    random_vector(m.omega, 3);
    bristle_joint_friction out = joint_slide(&c, &some, m);
    double force = sqrt(inner(out.force, out.force)), torque = sqrt(inner(out.torque, out.torque));
    double power = -out.force[2] * m.v - inner(out.torque, m.omega);
    CHECK(power > 0 && force + torque > 0, "%s %s: %g W", bristle_joint_kind_text(c.j.kind), laws[k / 5 % 6], power);
    CHECK(inner(out.mu, out.slip) + inner(out.mu_rot, out.slip_rot) < 0, "mu must oppose the slip");
    CHECK(out.force[2] * m.v <= 0, "the force pushes on");
    CHECK(inner(out.torque, m.omega) <= 0, "the torque drives on");
  }
}

TEST(static_friction_of_a_ball_points_against_its_rotation)
{
  jointed c;
  joint_make(&c, BRISTLE_JOINT_SPHERICAL, "lugre");
  c.j.statics = BRISTLE_JOINT_STATICS_BOUNDED;
  c.j.inputs = BRISTLE_JOINT_INPUT_REACTION;
  const bristle_joint_loads up = { { 0, 0, 100 }, { 0 } };
  bristle_joint_friction out;
  bristle_joint_static(&c.j, &up, &(bristle_joint_motion){ .rotation = { 3e-4, 4e-4, 12e-4 } }, &out);
  const double mu = 0.3 * (1 - exp(-1e4 * 0.02 * 13e-4 / 0.3));
  const double expected[3] = { -mu * 2 * 3 / 13, -mu * 2 * 4 / 13, 0 };
  CHECK(apart(out.torque, expected) < 1e-14, "%g", apart(out.torque, expected));
}

/* prescribed rest: a law that really sticks answers with the applied force, up to its level */
TEST(a_joint_at_rest_answers_with_the_applied_load)
{
  for (int k = 0; k < 2 * bristle_joint_kinds(); k++) {
    jointed c;
    joint_make(&c, (bristle_joint_kind)(k / 2), "coulomb");
    c.j.combine = k % 2 ? BRISTLE_JOINT_COMBINE_MAX : BRISTLE_JOINT_COMBINE_SUM;
    c.j.mu_s = 0.25;
    if (c.j.kind != BRISTLE_JOINT_TRANSLATIONAL) c.j.preload_torque = 0.01;
    bristle_joint_motion m = { .f = 3, .torque = { 0.8 * 0.09, -0.6 * 0.09, 0 } };
    if (c.j.kind != BRISTLE_JOINT_SPHERICAL) m.torque[2] = -0.05;
    const bristle_joint_loads up = { { 50, 0, c.j.kind == BRISTLE_JOINT_SPHERICAL ? 0 : 7 }, { 0, 0, 0 } };
    if (c.j.kind == BRISTLE_JOINT_SPHERICAL) m.torque[0] = 0; /* across the load */
    bristle_joint_friction out;
    bristle_joint_eval(&c.j, c.s, &up, &m, &out, c.s);
    if (c.j.kind == BRISTLE_JOINT_TRANSLATIONAL || c.j.kind == BRISTLE_JOINT_CYLINDRICAL)
      CHECK_NEAR(out.force[2], -3.0, 1e-13);
    if (c.j.kind != BRISTLE_JOINT_TRANSLATIONAL && c.j.kind != BRISTLE_JOINT_SPHERICAL)
      CHECK_NEAR(out.torque[2], 0.05, 1e-13);
    if (c.j.kind == BRISTLE_JOINT_SPHERICAL) CHECK_NEAR(out.torque[1], 0.6 * 0.09, 1e-13);
    m.f = 1e3, m.torque[1] = m.torque[2] = 10;
    bristle_joint_eval(&c.j, c.s, &up, &m, &out, c.s);
    CHECK(fabs(out.force[2]) < 0.26 * 50 && fabs(out.torque[2]) < 0.5, "%g N, %g N m", out.force[2], out.torque[2]);
  }
}
