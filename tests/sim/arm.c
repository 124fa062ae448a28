/* Serial arms: beside a pendulum and another text of the dynamics, closed forms, holding, motors, refusals. */
#include "sim/two_links.h"

#include "sim/arm.h"
#include "support/arm.h"

/* ---- dynamics ---- */

TEST(arm_moves_by_the_dynamics_of_another_text)
{
  static double m[ARM_MOST * ARM_MOST], w[LINKS * LINKS];
  const double nothing[2] = { 0, 0 };
  for (int n = 1; n <= 30; n += 1 + n / 6) {
    double p[MAX_PARAM], against[ARM_MOST], torque[LINKS], q[LINKS], v[LINKS], energy = 0;
    bristle_arm_link link[LINKS];
    arm other = { .n = n, .gravity = 9.81 };
    for (int i = 0; i < n; i++) {
      link[i] = rod(2 * pow(0.9, i), 0.4 + 0.1 * sin(i), 0, bristle_law_find("coulomb"), p);
      q[i] = other.q[i] = sin(1 + 2.7 * i);
      v[i] = other.u[i] = cos(3.1 * i);
      other.mass[i] = link[i].mass, other.length[i] = link[i].length;
    }
    const bristle_arm own = { .count = (size_t)n, .link = link, .gravity = 9.81 };
    const arm_body body = arm_weigh(&own);
    const arm_pose pose = arm_place(&body, q, v);
    arm_dynamics(&other, m, against);
    arm_torques(&body, &pose, nothing, torque);
    arm_compliance(&body, &pose, NULL, 1, w);
    for (int i = 0; i < n; i++) {
      CHECK_ABS(torque[i], -against[i], 1e-11 * (1 + fabs(against[0])));
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += w[i * n + k] * m[k * n + j];
        CHECK_ABS(sum, i == j ? 1 : 0, 1e-8);
        energy += 0.5 * v[i] * m[i * n + j] * v[j];
      }
    }
    CHECK_NEAR(arm_kinetic(&body, &pose), energy, 1e-12);
    CHECK_NEAR(arm_kinetic(&body, &pose) + arm_potential(&body, &pose), arm_energy(&other), 1e-12);
  }
}

/* a force on the tip does the work that the joints feel */
TEST(arm_feels_a_push_on_its_tip)
{
  two_links a;
  make_two(&a);
  const arm_body body = arm_weigh(&a.rig.as.arm);
  const double push[2] = { 3, -5 }, nothing[2] = { 0, 0 }, still[2] = { 0, 0 };
  double q[2] = { 0.7, -1.1 }, with[2], without[2], tip[2][2];
  const arm_pose pose = arm_place(&body, q, still);
  arm_torques(&body, &pose, push, with);
  arm_torques(&body, &pose, nothing, without);
  for (int i = 0; i < 2; i++) {
    for (int side = 0; side < 2; side++) {
      q[i] += side ? -2e-6 : 1e-6;
      const arm_pose moved = arm_place(&body, q, still);
      arm_tip(&body, &moved, tip[side]);
    }
    q[i] += 1e-6;
    const double by[2] = { (tip[0][0] - tip[1][0]) / 2e-6, (tip[0][1] - tip[1][1]) / 2e-6 };
    CHECK_ABS(with[i] - without[i], push[0] * by[0] + push[1] * by[1], 1e-8);
  }
}

/* ---- one link is a pendulum ---- */

/* a law that falls with speed magnifies how late a start is found: `within` 1 or 10 */
static void compare_with_pendulum(const char *law, const double *p, double gravity_part, double kp, double within)
{
  const double amplitude[] = { 2 }, frequency[] = { 1.3 };
  const bristle_program torque = {
    .kind = BRISTLE_PROGRAM_SINES, .count = 1, .amplitude = amplitude, .frequency = frequency
  };
  const bristle_law *found = bristle_law_find(law);
  bristle_arm_link link = rod(2, 0.5, 0.4 - quarter, found, p);
  link.torque = torque;
  link.kp = kp, link.kd = 0.1 * kp, link.target.offset = 0.3 - quarter;
  const bristle_rig arm_rig = { .kind = BRISTLE_RIG_ARM,
                                .as.arm = { .count = 1, .link = &link, .gravity = gravity_part * 9.81 } };
  bristle_rig pendulum = { .rotary = 1 };
  pendulum.as.axis = (bristle_axis){ .mass = 2 * 0.25 / 3,
                                     .gravity = gravity_part * 9.81 * 2 * 0.25,
                                     .force = torque,
                                     .kp = kp,
                                     .kd = 0.1 * kp,
                                     .target = { .offset = 0.3 },
                                     .load = link.load,
                                     .contact = link.contact,
                                     .x = 0.4 };
  const bristle_sim_options options = { .end = 3, .output = 0.1, .rtol = 1e-10 };
  rows r = rows_run(&arm_rig, &options), expected = rows_run(&pendulum, &options);
  CHECK(r.count == 31 && r.count == expected.count, "%zu rows", r.count);
  for (size_t i = 0; i < r.count; i++) {
    CHECK(fabs(rows_value(&r, i, Q1) + quarter - rows_value(&expected, i, 1)) < within * 2e-7,
          "%s at row %zu: %.12g, %.12g", law, i, rows_value(&r, i, Q1) + quarter, rows_value(&expected, i, 1));
    CHECK(fabs(rows_value(&r, i, 2) - rows_value(&expected, i, 2)) < within * 1e-6, "%s at row %zu: rates %.12g, %.12g",
          law, i, rows_value(&r, i, 2), rows_value(&expected, i, 2));
    CHECK(fabs(rows_value(&r, i, 3) - rows_value(&expected, i, 3)) < within * 1e-5, "%s at row %zu: F %.9g, %.9g", law,
          i, rows_value(&r, i, 3), rows_value(&expected, i, 3));
  }
  CHECK(fabs(r.stats.residual) < 1e-7 * r.stats.work_done, "%s: residual %g", law, rows_residual(&r));
  CHECK(fabs(r.stats.work_in - expected.stats.work_in) < 1e-6 * r.stats.work_done, "%s: work %.9g and %.9g", law,
        r.stats.work_in, expected.stats.work_in);
  rows_free(&r);
  rows_free(&expected);
}

TEST(arm_of_one_link_is_a_pendulum)
{
  bristle_lugre lugre = bristle_lugre_default();
  bristle_coulomb coulomb = bristle_coulomb_default();
  bristle_stribeck stribeck = bristle_stribeck_default();
  lugre.sigma0 = 1e4, lugre.sigma1 = 50, lugre.vs = 0.05;
  stribeck.vs = 0.1;
  compare_with_pendulum("lugre", (const double *)&lugre, 1, 0, 1);
  compare_with_pendulum("lugre", (const double *)&lugre, 0.3, 40, 1);
  compare_with_pendulum("coulomb", (const double *)&coulomb, 1, 0, 1);
  compare_with_pendulum("coulomb", (const double *)&coulomb, 0.1, 20, 1);
  compare_with_pendulum("stribeck", (const double *)&stribeck, 1, 0, 10);
}

/* ---- no friction ---- */

TEST(arm_without_load_swings_for_ever)
{
  static const char *const laws[] = { "coulomb", "stribeck", "dahl", "lugre", "elasto_plastic", "gms" };
  for (int l = 0; l < 6; l++) {
    double p[MAX_PARAM];
    const bristle_law *law = bristle_law_find(laws[l]);
    bristle_defaults(law->f64->info, p);
    two_links a;
    make_two(&a);
    for (int i = 0; i < 2; i++) {
      a.link[i] = rod(2, 0.4, i ? 0.5 : 0.2, law, p);
      a.link[i].contact.load = BRISTLE_LOAD_COEFFICIENT;
      a.link[i].load.offset = 0;
    }
    const bristle_sim_options options = { .end = 1 };
    rows r = rows_run(&a.rig, &options);
    CHECK(fabs(r.stats.stored) < 1e-6 * r.stats.work_done + 1e-6 && rows_last(&r, 5) == 0, "%s: %g J, F %g", laws[l],
          r.stats.stored, rows_last(&r, 5));
    CHECK_ABS(rows_last(&r, 13) + rows_last(&r, 14), rows_value(&r, 0, 14), 1e-6);
    rows_free(&r);
  }
}

/* ---- motors ---- */

TEST(arm_follows_its_motors_and_accounts_for_their_work)
{
  two_links a;
  make_two(&a);
  for (int i = 0; i < 2; i++) {
    a.link[i].kp = 2000, a.link[i].kd = 150, a.link[i].target.offset = i ? -0.4 : 0.9;
    a.link[i].limit = i ? 15 : 60;
  }
  const bristle_sim_options options = { .end = 3, .output = 0.01 };
  rows r = rows_run(&a.rig, &options);
  double most = 0;
  for (size_t i = 0; i < r.count; i++) most = fmax(most, fabs(rows_value(&r, i, 8)));
  CHECK_ABS(rows_last(&r, 1), 0.9, 0.02); /* friction and gravity over kp */
  CHECK_ABS(rows_last(&r, 2), -0.4, 0.02);
  CHECK(most == 15, "a motor at its limit gives %g N m", most);
  CHECK(rows_residual(&r) < 1e-6, "residual %g", rows_residual(&r));
  /* all work comes from the motors: what is not stored is friction */
  CHECK_NEAR(rows_last(&r, 15), r.stats.work_in, 1e-12);
  rows_free(&r);
}

TEST(arm_converges_with_its_fixed_step)
{
  two_links a;
  make_two(&a);
  for (int i = 0; i < 2; i++) a.p[i].fc = 2, a.p[i].fs = 2.5, a.p[i].sigma0 = 1e3, a.p[i].sigma1 = 20, a.p[i].vs = 0.1;
  const bristle_sim_options exact = { .end = 0.5, .rtol = 1e-10 };
  rows best = rows_run(&a.rig, &exact);
  double error[3];
  for (int k = 0; k < 3; k++) {
    const bristle_sim_options fixed = { .method = BRISTLE_METHOD_COUPLED, .end = 0.5, .step = 4e-4 / (1 << k) };
    rows r = rows_run(&a.rig, &fixed);
    error[k] = fabs(rows_last(&r, 1) - rows_last(&best, 1)) + fabs(rows_last(&r, 2) - rows_last(&best, 2));
    CHECK(r.stats.rtol == 0 && best.stats.rtol == 1e-10, "tolerances %g and %g", r.stats.rtol, best.stats.rtol);
    rows_free(&r);
  }
  CHECK(error[1] / error[0] < 0.55 && error[2] / error[1] < 0.55 && error[2] < 1e-3, "errors %g %g %g", error[0],
        error[1], error[2]);
  rows_free(&best);
}

/* ---- refusals ---- */

TEST(arms_that_cannot_be_are_refused)
{
  two_links a;
  make_two(&a);
  rows_refused(&(bristle_rig){ .kind = BRISTLE_RIG_ARM, .as.arm = { .count = 0, .link = a.link } }, "links");
  rows_refused(&(bristle_rig){ .kind = BRISTLE_RIG_ARM, .as.arm = { .count = LINKS + 1, .link = a.link } }, "links");
  a.rig.as.arm.gravity = (double)NAN;
  rows_refused(&a.rig, "gravity");
  a.rig.as.arm.gravity = 9.81;
  const struct {
    double *where, value;
    const char *field;
  } wrong[] = { { &a.link[1].mass, 0, "links[2].mass" },
                { &a.link[0].length, -1, "links[1].length" },
                { &a.link[1].centre, (double)INFINITY, "links[2].centre" },
                { &a.link[1].inertia, -1e-9, "links[2].inertia" },
                { &a.link[0].kp, -1, "links[1].kp" },
                { &a.link[0].kd, -1, "links[1].kd" },
                { &a.link[0].limit, -1, "links[1].limit" },
                { &a.link[1].q, (double)NAN, "links[2].q" },
                { &a.link[1].z[0], (double)NAN, "links[2].initial" },
                { &a.link[1].torque.offset, (double)NAN, "links[2].torque" },
                { &a.p[1].fc, -1, "links[2].fc" } };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const double before = *wrong[i].where;
    *wrong[i].where = wrong[i].value;
    rows_refused(&a.rig, wrong[i].field);
    *wrong[i].where = before;
  }
  a.link[0].inertia = a.link[0].centre = 0;
  rows_refused(&a.rig, "links[1].inertia");
  make_two(&a);
  const bristle_sim_options rule = { .method = BRISTLE_METHOD_STEPRULE, .end = 1, .step = 1e-3 };
  bristle_sim_error error = { 0 };
  const double level[2] = { 1, 0 };
  a.link[1].contact.law = bristle_law_find("coulomb"); /* it has no speed that a rule could follow */
  a.link[1].contact.p = level;
  CHECK(bristle_simulate(&a.rig, &rule, NULL, NULL, &error) == BRISTLE_SIM_UNSUITABLE, "%s", error.what);
}

/* at rest every joint asks for its own step, and the shortest one is taken */
TEST(step_rule_of_an_arm_is_that_of_the_joint_with_the_shortest_step)
{
  two_links a;
  make_two(&a);
  const bristle_sim_options options = { .method = BRISTLE_METHOD_STEPRULE, .end = 0.05, .step = 0.01 };
  bristle_sim_stats stats;
  bristle_sim_error error = { 0 };
  double shortest = 1;
  for (int i = 0; i < 2; i++) {
    bristle_steprule rule;
    CHECK(!bristle_steprule_take(&rule, BRISTLE_STEPRULE_LUGRE, a.link[i].contact.law->f64->info, a.link[i].contact.p,
                                 NULL),
          "joint %d", i);
    shortest = fmin(shortest, bristle_steprule_length(&rule, 0));
  }
  CHECK(!bristle_simulate(&a.rig, &options, NULL, &stats, &error), "%s", error.what);
  CHECK(stats.longest < 1.0001 * shortest && stats.steps >= 0.05 / shortest, "%zu steps up to %g s, expected %g s",
        stats.steps, stats.longest, shortest);
}
