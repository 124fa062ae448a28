/* Trees of bodies: a pendulum by hand, energy, mass matrices, rows, joints that are held. */
#include "robot/random.h"

TEST(tree_of_one_pendulum)
{
  bristle_bodies t = { .count = 1, .gravity = { 0, 0, -9.81 } };
  t.body[0] = (bristle_body){ .parent = -1,
                              .turn = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                              .axis = { 0, 1, 0 },
                              .inertia = { 2, 0, 0, -2 * 0.3, 2 * 0.09 + 0.01, 0, 2 * 0.09 + 0.02, 0, 0, 0.03 } };
  const double q = 0.7, v = 1.3, a = -2.1;
  double torque, mass;
  bristle_bodies_torques(&t, &q, &v, &a, &torque);
  bristle_bodies_mass(&t, &q, &mass);
  CHECK_NEAR(torque, (2 * 0.09 + 0.02) * a + 2 * 9.81 * 0.3 * sin(q), 1e-14);
  CHECK_NEAR(mass, 0.2, 1e-14);
}

/* two point masses on rods, both angles from the vertical: the textbook's equations, in relative angles */
TEST(tree_of_two_pendulums)
{
  bristle_bodies t = { .count = 2, .gravity = { 0, 0, -9.81 } };
  const double m1 = 1.5, m2 = 0.8, l1 = 0.4, l2 = 0.3;
  for (int k = 0; k < 2; k++) {
    const double m = k ? m2 : m1, l = k ? l2 : l1;
    t.body[k] = (bristle_body){ .parent = k - 1,
                                .turn = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                                .at = { 0, 0, k ? -l1 : 0 },
                                .axis = { 0, 1, 0 },
                                .inertia = { m, 0, 0, -m * l, m * l * l, 0, m * l * l, 0, 0, 0 } };
  }
  const double q[2] = { 0.5, 0.9 }, v[2] = { 1.1, -0.7 }, a[2] = { 0.3, 2.2 };
  const double c = cos(q[1]), s = sin(q[1]), g = 9.81, w = v[0] + v[1];
  const double m11 = (m1 + m2) * l1 * l1 + m2 * l2 * l2 + 2 * m2 * l1 * l2 * c, m12 = m2 * l2 * l2 + m2 * l1 * l2 * c;
  double torque[2];
  bristle_bodies_torques(&t, q, v, a, torque);
  CHECK_NEAR(torque[0],
             m11 * a[0] + m12 * a[1] - m2 * l1 * l2 * s * (w * w - v[0] * v[0]) + (m1 + m2) * g * l1 * sin(q[0])
                 + m2 * g * l2 * sin(q[0] + q[1]),
             1e-13);
  CHECK_NEAR(torque[1],
             m12 * a[0] + m2 * l2 * l2 * a[1] + m2 * l1 * l2 * s * v[0] * v[0] + m2 * g * l2 * sin(q[0] + q[1]), 1e-13);
}

static double kinetic(const bristle_bodies *t, const double *q, const double *v)
{
  double mass[BRISTLE_ROBOT_JOINTS * BRISTLE_ROBOT_JOINTS], sum = 0;
  bristle_bodies_mass(t, q, mass);
  for (int i = 0; i < t->count; i++)
    for (int j = 0; j < t->count; j++) sum += 0.5 * v[i] * v[j] * mass[i * t->count + j];
  return sum;
}

/* power that goes in is what the energy grows by: gravity's share is torque at rest times the speed */
TEST(tree_keeps_energy)
{
  for (unsigned seed = 1; seed <= 40; seed++) {
    bristle_bodies t;
    random_tree(&t, seed, 1 + (int)(seed % 12));
    double q[64], v[64], a[64], torque[64], still[64], before[64], after[64], vb[64], va[64], power = 0, lifted = 0;
    random_motion(&t, seed, q, v, a);
    bristle_bodies_torques(&t, q, v, a, torque);
    bristle_bodies_torques(&t, q, NULL, NULL, still);
    const double h = 1e-5;
    for (int k = 0; k < t.count; k++) {
      power += torque[k] * v[k], lifted += still[k] * v[k];
      before[k] = q[k] - h * v[k] + 0.5 * h * h * a[k], after[k] = q[k] + h * v[k] + 0.5 * h * h * a[k];
      vb[k] = v[k] - h * a[k], va[k] = v[k] + h * a[k];
    }
    const double growth = (kinetic(&t, after, va) - kinetic(&t, before, vb)) / (2 * h) + lifted;
    CHECK_ABS(power, growth, 1e-5 * (1 + fabs(power) + fabs(kinetic(&t, q, v))));
  }
}

TEST(tree_mass_is_symmetric_and_positive)
{
  for (unsigned seed = 1; seed <= 40; seed++) {
    bristle_bodies t;
    random_tree(&t, seed, 1 + (int)(seed % 12));
    const int n = t.count;
    double q[64], v[64], a[64], mass[64 * 64], torque[64], still[64];
    random_motion(&t, seed, q, v, a);
    bristle_bodies_mass(&t, q, mass);
    bristle_bodies_torques(&t, q, NULL, NULL, still);
    for (int j = 0; j < n; j++) {
      double one[64] = { 0 };
      one[j] = 1;
      bristle_bodies_torques(&t, q, NULL, one, torque);
      for (int i = 0; i < n; i++) {
        CHECK_ABS(mass[i * n + j], torque[i] - still[i], 1e-11 * (1 + fabs(torque[i])));
        CHECK(mass[i * n + j] == mass[j * n + i], "seed %u", seed);
      }
    }
    for (int k = 0; k < n; k++) { /* Cholesky, in place */
      for (int i = 0; i < k; i++) mass[k * n + k] -= mass[k * n + i] * mass[k * n + i];
      CHECK(mass[k * n + k] > 0, "seed %u, joint %d: %g", seed, k, mass[k * n + k]);
      mass[k * n + k] = sqrt(fabs(mass[k * n + k]));
      for (int i = k + 1; i < n; i++) {
        for (int j = 0; j < k; j++) mass[i * n + k] -= mass[i * n + j] * mass[k * n + j];
        mass[i * n + k] /= mass[k * n + k];
      }
    }
  }
}

TEST(tree_rows_times_numbers_are_torques)
{
  for (unsigned seed = 1; seed <= 40; seed++) {
    bristle_bodies t;
    random_tree(&t, seed, 1 + (int)(seed % 12));
    const int n = t.count, wide = BRISTLE_BODY_NUMBERS * n;
    double q[64], v[64], a[64], torque[64];
    double *rows = malloc(sizeof *rows * (size_t)(n * wide));
    random_motion(&t, seed, q, v, a);
    bristle_bodies_torques(&t, q, v, a, torque);
    bristle_bodies_rows(&t, q, v, a, rows);
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < wide; k++)
        sum += rows[j * wide + k] * t.body[k / BRISTLE_BODY_NUMBERS].inertia[k % BRISTLE_BODY_NUMBERS];
      CHECK_ABS(sum, torque[j], 1e-11 * (1 + fabs(torque[j])));
    }
    free(rows);
  }
}

TEST(tree_with_a_joint_held)
{
  static bristle_robot whole, held;
  for (unsigned seed = 1; seed <= 30; seed++) {
    double q[64], v[64], a[64], all[64], rest[64];
    random_tree(&whole.tree, seed, 2 + (int)(seed % 9));
    const int n = whole.tree.count, k = (int)(seed % (unsigned)n);
    random_motion(&whole.tree, seed, q, v, a);
    v[k] = a[k] = 0;
    held = whole;
    bristle_robot_hold(&held, k, q[k]);
    bristle_bodies_torques(&whole.tree, q, v, a, all);
    for (int i = k; i + 1 < n; i++) q[i] = q[i + 1], v[i] = v[i + 1], a[i] = a[i + 1];
    bristle_bodies_torques(&held.tree, q, v, a, rest);
    CHECK(held.tree.count == n - 1, "%d", held.tree.count);
    for (int i = 0; i + 1 < n; i++) CHECK_ABS(rest[i], all[i < k ? i : i + 1], 1e-10 * (1 + fabs(rest[i])));
  }
}
