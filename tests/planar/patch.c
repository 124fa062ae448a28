/* The distributed patch: closed forms, symmetry, exactness, holding, and what it refuses. */
#include "bristle/planar.h"
#include "support/test.h"

enum { MOST = 90000, ROOM = 16 };
static double memory[ROOM * MOST], p[32];

static bristle_patch patch_of(const char *law, size_t cells)
{
  const bristle_contact contact = { .vector = bristle_vector_law_find(law), .load = BRISTLE_LOAD_COEFFICIENT, .p = p };
  bristle_patch patch;
  bristle_planar_defaults(contact.vector->f64[0]->info, p);
  if (bristle_patch_memory(&contact, cells) > sizeof memory / sizeof *memory) abort();
  bristle_patch_place(&patch, &contact, memory, cells);
  return patch;
}

static void set(const bristle_patch *patch, const char *name, double value)
{
  p[bristle_param_find(patch->contact.vector->f64[0]->info, name)->first] = value;
}

static bristle_patch square_of(const char *law)
{
  bristle_patch patch = patch_of(law, 441);
  CHECK(!bristle_patch_rectangle(&patch, 21, 21, 0.021, 0.021, NULL, NULL, NULL), "21 x 21 cells of 1 mm");
  return patch;
}

static double chance(double most) { return most * (2.0 * rand() / RAND_MAX - 1); }

static double round_pressure(double x, double y, void *radius) { return hypot(x, y) <= *(double *)radius; }
static double slope(double x, double y, void *context)
{
  (void)y, (void)context;
  return 1 + x / 0.0105;
}
static double corner(double x, double y, void *context)
{
  (void)context;
  return exp(150 * x + 90 * y);
}

/* ---- closed forms ---- */

/* C13: (2/3) mu N R; by rings it is exact, by squares it converges */
TEST(patch_spin_torque_of_a_disk_is_two_thirds_mu_n_r)
{
  const double R = 0.04, n = 7, mu = 0.6;
  for (int squares = 0; squares < 2; squares++) {
    bristle_patch patch = patch_of("lugre", 301 * 299);
    double wrench[3], radius = R;
    set(&patch, "fc", mu), set(&patch, "fs", mu), set(&patch, "sigma2", 0);
    bristle_status status = squares
                                ? bristle_patch_rectangle(&patch, 299, 299, 2 * R, 2 * R, round_pressure, &radius, NULL)
                                : bristle_patch_ring(&patch, 50, 100, 0, R, NULL, NULL, NULL);
    CHECK(!status, "the disk");
    bristle_planar_input in = { .v = { 0, 0, 40 }, .n = n, .h = 0.1 };
    for (int i = 0; i < 3; i++) bristle_patch_step(&patch, &in, wrench, NULL);
    CHECK_NEAR(wrench[2], 2.0 / 3 * mu * n * R, squares ? 1e-3 : 1e-12);
    CHECK_ABS(hypot(wrench[0], wrench[1]), 0, 1e-11);
    CHECK_NEAR(patch.arm, 2 * R / 3, squares ? 1e-3 : 1e-12);
    CHECK_NEAR(patch.gyration, R / sqrt(2), 1e-3);
    double steady[3];
    bristle_patch_steady(&patch, &in, steady);
    CHECK_NEAR(wrench[2], steady[2], 1e-12);
  }
}

TEST(patch_ring_has_the_torque_of_its_mean_radius)
{
  bristle_patch patch = patch_of("lugre", 4000);
  double steady[3];
  set(&patch, "fs", 1), set(&patch, "sigma2", 0);
  CHECK(!bristle_patch_ring(&patch, 40, 100, 0.02, 0.03, NULL, NULL, NULL), "the ring");
  bristle_planar_input in = { .v = { 0, 0, -3 }, .n = 1 };
  bristle_patch_steady(&patch, &in, steady);
  /* (2/3) (b^3 - a^3)/(b^2 - a^2) */
  CHECK_NEAR(steady[2], -2.0 / 3 * (0.03 * 0.03 * 0.03 - 0.02 * 0.02 * 0.02) / (0.03 * 0.03 - 0.02 * 0.02), 1e-12);
}

TEST(patch_centre_of_pressure_follows_the_load)
{
  bristle_patch patch = patch_of("lugre", 441);
  CHECK(!bristle_patch_rectangle(&patch, 21, 21, 0.021, 0.021, slope, NULL, NULL), "linear pressure");
  CHECK_NEAR(patch.cop[0], 0.0035 * (1 - 1.0 / 441), 1e-12); /* a/3, less the cells' own width */
  CHECK_ABS(patch.cop[1], 0, 1e-17);
  const double x[] = { 0, 1, 0, 5 }, y[] = { 0, 0, 2, 5 }, load[] = { 1, 2, 1, 0 };
  CHECK(!bristle_patch_cells(&patch, 4, x, y, load, NULL), "four cells");
  CHECK(patch.count == 3, "the idle cell is dropped: %zu", patch.count);
  CHECK_ABS(patch.cop[0], 0.5, 1e-16);
  CHECK_ABS(patch.cop[1], 0.5, 1e-16);
  patch.s[0] = 1e-6;
  const double other[] = { 0, 0, 8 };
  CHECK(!bristle_patch_load(&patch, other, NULL), "the load moves");
  CHECK_ABS(patch.cop[1], 2, 1e-16);
  CHECK(patch.s[0] == 1e-6, "bristles stay");
}

/* a symmetric patch in translation, along any line, is the scalar law */
TEST(patch_in_translation_is_the_scalar_law)
{
  const char *const laws[] = { "lugre", "elasto_plastic" };
  for (int l = 0; l < 2; l++)
    for (int round = 0; round < 2; round++) {
      bristle_patch patch = patch_of(laws[l], 600);
      const bristle_model *scalar = bristle_law_find(laws[l])->f64;
      if (round) bristle_patch_ring(&patch, 12, 40, 0.003, 0.02, NULL, NULL, NULL);
      else bristle_patch_rectangle(&patch, 21, 21, 0.021, 0.01, NULL, NULL, NULL);
      double z[8] = { 0 }, c = cos(0.7), s = sin(0.7), wrench[3];
      for (int i = 0; i < 400; i++) {
        double v = 0.004 * sin(0.05 * i) * sin(0.011 * i), n = 3 + sin(0.3 * i);
        bristle_input line = { .v = v, .n = n, .h = 1e-4, .load = BRISTLE_LOAD_COEFFICIENT };
        bristle_planar_input in = { .v = { c * v, s * v, 0 }, .n = n, .h = 1e-4 };
        double f = scalar->step(p, z, &line, NULL);
        bristle_patch_step(&patch, &in, wrench, NULL);
        double tolerance = 2e-14 * n;
        /* elasto-plastic cells take a batch's step in the plastic zone, not the scalar law's */
        CHECK_ABS(c * wrench[0] + s * wrench[1], f, l ? 4e-3 * n : tolerance);
        CHECK_ABS(c * wrench[1] - s * wrench[0], 0, tolerance);
        CHECK_ABS(wrench[2], 0, tolerance * 0.02);
      }
    }
}

/* ---- symmetry ---- */

TEST(patch_turns_with_its_axes)
{
  const double angle = 1.234, c = cos(angle), s = sin(angle);
  double x[60], y[60], load[60], rx[60], ry[60], plain[200][3], wrench[3], motion[200][3];
  srand(3);
  for (int i = 0; i < 60; i++) {
    x[i] = chance(0.02), y[i] = chance(0.01), load[i] = 1 + chance(0.9);
    rx[i] = c * x[i] - s * y[i], ry[i] = s * x[i] + c * y[i];
  }
  for (int turned = 0; turned < 2; turned++) {
    bristle_patch patch = patch_of("lugre", 60);
    CHECK(!bristle_patch_cells(&patch, 60, turned ? rx : x, turned ? ry : y, load, NULL), "cells");
    for (int i = 0; i < 200; i++) {
      if (!turned) motion[i][0] = chance(0.01), motion[i][1] = chance(0.01), motion[i][2] = chance(1);
      double *v = motion[i];
      bristle_planar_input in = { .v = { v[0], v[1], v[2] }, .n = 5, .h = 1e-4 };
      if (turned) in.v[0] = c * v[0] - s * v[1], in.v[1] = s * v[0] + c * v[1];
      bristle_patch_step(&patch, &in, wrench, NULL);
      if (!turned) {
        memcpy(plain[i], wrench, sizeof wrench);
        continue;
      }
      CHECK_ABS(wrench[0], c * plain[i][0] - s * plain[i][1], 5e-13);
      CHECK_ABS(wrench[1], s * plain[i][0] + c * plain[i][1], 5e-13);
      CHECK_ABS(wrench[2], plain[i][2], 5e-15);
    }
  }
}

/* the same motion told of another point: same force, torque moved by the lever */
TEST(patch_does_not_depend_on_the_reference_point)
{
  const double ox = 0.3, oy = -0.2;
  double x[49], y[49], load[49], first[3] = { 0 }, wrench[3];
  srand(4);
  for (int i = 0; i < 49; i++) x[i] = chance(0.02), y[i] = chance(0.02), load[i] = 1 + chance(0.5);
  for (int moved = 0; moved < 2; moved++) {
    bristle_patch patch = patch_of("lugre", 49);
    for (int i = 0; i < 49; i++) x[i] -= moved ? ox : 0, y[i] -= moved ? oy : 0;
    bristle_patch_cells(&patch, 49, x, y, load, NULL);
    for (int i = 0; i < 50; i++) {
      double v[3] = { 0.002 * sin(i), 0.001, 0.3 * cos(0.2 * i) };
      bristle_planar_input in = { .v = { v[0], v[1], v[2] }, .n = 5, .h = 1e-4 };
      if (moved) in.v[0] -= v[2] * oy, in.v[1] += v[2] * ox;
      bristle_patch_step(&patch, &in, wrench, NULL);
    }
    if (!moved) memcpy(first, wrench, sizeof wrench);
  }
  CHECK_ABS(wrench[0], first[0], 1e-11);
  CHECK_ABS(wrench[1], first[1], 1e-11);
  CHECK_ABS(wrench[2] + ox * wrench[1] - oy * wrench[0], first[2], 1e-11);
}

/* ---- exactness and energy ---- */

TEST(patch_step_is_the_solution_of_its_rates)
{
  bristle_patch patch = patch_of("lugre", 25);
  bristle_patch_rectangle(&patch, 5, 5, 0.02, 0.01, corner, NULL, NULL);
  enum { STATES = 50, FINE = 4000 };
  double y[STATES], k[4][STATES], wrench[3];
  bristle_planar_input in = { .v = { 1e-3, -2e-3, 0.4 }, .n = 2, .h = 2e-3 };
  static const double node[4] = { 0, 0.5, 0.5, 1 };
  for (int i = 0; i < FINE; i++) { /* Runge-Kutta on eval alone */
    memcpy(y, patch.s, sizeof y);
    for (int j = 0; j < 4; j++) {
      for (int n = 0; n < STATES; n++) patch.s[n] = y[n] + (j ? node[j] * in.h / FINE * k[j - 1][n] : 0);
      bristle_patch_eval(&patch, &in, wrench, k[j]);
    }
    for (int n = 0; n < STATES; n++)
      patch.s[n] = y[n] + in.h / FINE / 6 * (k[0][n] + 2 * k[1][n] + 2 * k[2][n] + k[3][n]);
  }
  memcpy(y, patch.s, sizeof y);
  memset(patch.s, 0, sizeof y);
  bristle_patch_step(&patch, &in, wrench, NULL);
  for (int n = 0; n < STATES; n++) CHECK_ABS(patch.s[n], y[n], 1e-15);
}

TEST(patch_dissipates_in_steady_sliding)
{
  bristle_patch patch = patch_of("lugre", 441);
  bristle_patch_rectangle(&patch, 21, 21, 0.03, 0.01, corner, NULL, NULL);
  srand(5);
  for (int i = 0; i < 200; i++) {
    bristle_planar_input in = { .v = { chance(0.1), chance(0.1), chance(10) }, .n = 3 };
    double w[3];
    bristle_patch_steady(&patch, &in, w);
    CHECK(w[0] * in.v[0] + w[1] * in.v[1] + w[2] * in.v[2] > 0, "power");
  }
}

/* a patch within its elastic range is a spring: the work is the energy, and a closed path leaves nothing */
TEST(patch_within_its_elastic_range_is_conservative)
{
  bristle_patch patch = patch_of("elasto_plastic", 441);
  set(&patch, "sigma1", 0), set(&patch, "sigma2", 0);
  bristle_patch_rectangle(&patch, 21, 21, 0.02, 0.02, corner, NULL, NULL);
  const double corners[][3] = { { 2e-7, 0, 0 }, { 2e-7, 3e-7, 1e-5 }, { -1e-7, 1e-7, -1e-5 }, { 0, 0, 0 } };
  double at[3] = { 0 }, wrench[3], before[3] = { 0 }, work = 0;
  for (int i = 0; i < 4; i++) {
    bristle_planar_input in = { .n = 10, .h = 1e-3 };
    for (int k = 0; k < 3; k++) in.v[k] = (corners[i][k] - at[k]) / in.h, at[k] = corners[i][k];
    bristle_patch_step(&patch, &in, wrench, NULL);
    for (int k = 0; k < 3; k++) work += 0.5 * (wrench[k] + before[k]) * in.v[k] * in.h, before[k] = wrench[k];
    CHECK_ABS(bristle_patch_energy(&patch, in.n), work, 1e-16);
  }
  for (int k = 0; k < 3; k++) CHECK_ABS(wrench[k], 0, 1e-12);
}

/* ---- rest ---- */

TEST(patch_at_rest_does_not_move)
{
  bristle_patch patch = square_of("lugre");
  bristle_planar_input push = { .v = { 1e-4, 2e-4, 0.02 }, .n = 5, .h = 2e-3 }, rest = { .n = 5, .h = 1e-2 };
  double first[3], wrench[3], z = 0;
  bristle_patch_step(&patch, &push, wrench, NULL);
  bristle_patch_step(&patch, &rest, first, NULL);
  z = patch.s[17];
  for (int i = 0; i < 1000; i++) bristle_patch_step(&patch, &rest, wrench, NULL);
  CHECK(memcmp(first, wrench, sizeof first) == 0 && patch.s[17] == z, "not a bit changes");
  CHECK(hypot(wrench[0], wrench[1]) > 0.1, "and the force is kept: %g", wrench[0]);
}

/* half the load it can bear, in mixed directions, as force and torque on a body: no creep between 1 s and 10 s */
TEST(patch_holds_half_its_level_in_any_direction)
{
  const double m = 0.2, inertia = 2e-5, n = 2;
  for (int k = 0; k < 4; k++)
    for (double h = 1e-2; h < 0.2; h *= 10) {
      bristle_patch patch = patch_of(k & 2 ? "elasto_plastic" : "lugre", 49);
      bristle_patch_rectangle(&patch, 7, 7, 0.02, 0.01, k & 1 ? corner : NULL, NULL, NULL);
      double angle = 0.8 * k, tilt = 0.4 * k, u[3], v[3] = { 0 }, x[3] = { 0 }, kept[3] = { 0 }, wrench[3];
      u[0] = 0.5 * n * cos(angle) * cos(tilt), u[1] = 0.5 * n * sin(angle) * cos(tilt);
      u[2] = 0.5 * n * patch.arm * sin(tilt) + patch.cop[0] * u[1] - patch.cop[1] * u[0]; /* acts in the cop */
      for (double t = 0; t < 10 - h / 2; t += h) {
        bristle_planar_input in = { .n = n, .h = h, .w = { { h / m }, { 0, h / m }, { 0, 0, h / inertia } } };
        for (int i = 0; i < 3; i++) in.v[i] = v[i] + in.w[i][i] * u[i];
        bristle_patch_step(&patch, &in, wrench, v);
        for (int i = 0; i < 3; i++) x[i] += h * v[i];
        if (t < 1) memcpy(kept, x, sizeof x);
      }
      CHECK_ABS(x[0], kept[0], 1e-12);
      CHECK_ABS(x[1], kept[1], 1e-12);
      CHECK_ABS(0.01 * x[2], 0.01 * kept[2], 1e-12);
    }
}

/* ---- refusals ---- */

static void check_refusal(bristle_status status, const bristle_error *error, const char *field)
{
  CHECK(status && error->status == status && !strcmp(error->field, field) && !strcmp(error->model, "patch"),
        "expected %s, got %d %s %s", field, (int)status, status ? error->model : "", status ? error->field : "");
}

static double broken(double x, double y, void *context)
{
  (void)y, (void)context;
  return x > 0 ? (double)NAN : 1;
}
static double none(double x, double y, void *context)
{
  (void)x, (void)y, (void)context;
  return -1;
}

TEST(patch_refuses_bad_geometry_and_loads_by_name)
{
  bristle_patch patch = patch_of("lugre", 100);
  bristle_error e;
  const double x[] = { 0, 1 }, nan[] = { 0, (double)NAN }, load[] = { 1, 1 }, negative[] = { 1, -2 }, idle[] = { 0, 0 };
  check_refusal(bristle_patch_rectangle(&patch, 0, 5, 1, 1, NULL, NULL, &e), &e, "nx");
  check_refusal(bristle_patch_rectangle(&patch, 5, -1, 1, 1, NULL, NULL, &e), &e, "ny");
  check_refusal(bristle_patch_rectangle(&patch, 11, 10, 1, 1, NULL, NULL, &e), &e, "nx");
  check_refusal(bristle_patch_rectangle(&patch, 5, 5, -1, 1, NULL, NULL, &e), &e, "length_x");
  check_refusal(bristle_patch_rectangle(&patch, 5, 5, 1, (double)NAN, NULL, NULL, &e), &e, "length_y");
  check_refusal(bristle_patch_rectangle(&patch, 5, 5, 1, 1, broken, NULL, &e), &e, "load");
  check_refusal(bristle_patch_rectangle(&patch, 5, 5, 1, 1, none, NULL, &e), &e, "load");
  check_refusal(bristle_patch_ring(&patch, 5, 2, 0, 1, NULL, NULL, &e), &e, "sectors");
  check_refusal(bristle_patch_ring(&patch, 5, 8, -0.1, 1, NULL, NULL, &e), &e, "inner");
  check_refusal(bristle_patch_ring(&patch, 5, 8, 2, 1, NULL, NULL, &e), &e, "inner");
  check_refusal(bristle_patch_ring(&patch, 5, 8, 0, 0, NULL, NULL, &e), &e, "outer");
  check_refusal(bristle_patch_cells(&patch, 101, x, x, load, &e), &e, "count");
  check_refusal(bristle_patch_cells(&patch, 2, nan, x, load, &e), &e, "x");
  CHECK(e.index == 1, "the second cell: %d", e.index);
  check_refusal(bristle_patch_cells(&patch, 2, x, nan, load, &e), &e, "y");
  check_refusal(bristle_patch_cells(&patch, 2, x, x, negative, &e), &e, "load");
  CHECK(e.index == 1 && e.value == -2, "the second load: %d %g", e.index, e.value);
  check_refusal(bristle_patch_cells(&patch, 2, x, x, idle, &e), &e, "load");
  check_refusal(bristle_patch_check(&patch, &e), &e, "count");
  CHECK(!bristle_patch_cells(&patch, 2, x, x, load, &e) && !bristle_patch_check(&patch, &e), "a good one");
  check_refusal(bristle_patch_load(&patch, negative, &e), &e, "load");
  CHECK(!bristle_patch_check(&patch, &e), "a refused load changes nothing");
  patch.share[0] = 0.7;
  check_refusal(bristle_patch_check(&patch, &e), &e, "share");
  set(&patch, "fs", 0.5);
  CHECK(bristle_patch_check(&patch, &e) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(e.field, "fs"), "the law's own rules");
}

TEST(planar_input_is_checked_by_name)
{
  bristle_planar_input in = { .v = { 0, (double)NAN, 0 } };
  bristle_error e;
  CHECK(bristle_planar_check_input(&in, 0, &e) == BRISTLE_STATUS_NOT_FINITE && !strcmp(e.field, "v"), "v");
  in.v[1] = 0;
  CHECK(bristle_planar_check_input(&in, 0, &e) == BRISTLE_STATUS_OK, "good");
  CHECK(bristle_planar_check_input(&in, 1, &e) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(e.field, "h"), "h");
  in.h = 1e-3;
  in.w[0][1] = 1;
  CHECK(bristle_planar_check_input(&in, 1, &e) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(e.field, "w"), "not symmetric");
  in.w[1][0] = in.w[0][0] = in.w[1][1] = in.w[2][2] = 1;
  CHECK(bristle_planar_check_input(&in, 1, &e) == BRISTLE_STATUS_OK, "singular is allowed");
  in.w[1][0] = in.w[0][1] = 2;
  CHECK(bristle_planar_check_input(&in, 1, &e) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(e.field, "w"), "negative");
  in.w[1][0] = in.w[0][1] = in.w[0][2] = in.w[2][0] = 0.8, in.w[1][2] = in.w[2][1] = -0.8;
  CHECK(bristle_planar_check_input(&in, 1, &e) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(e.field, "w"),
        "negative in space");
}

/* without load there is no force, and the host keeps its velocity */
TEST(patch_without_load_gives_no_wrench)
{
  bristle_patch patch = square_of("lugre");
  double wrench[3], v[3];
  bristle_planar_input in = { .v = { 0.1, 0, 1 }, .n = -3, .h = 1e-3, .w = { { 1 }, { 0, 1 }, { 0, 0, 1 } } };
  bristle_patch_step(&patch, &in, wrench, v);
  CHECK(wrench[0] == 0 && wrench[1] == 0 && wrench[2] == 0 && v[0] == 0.1 && v[2] == 1, "%g %g", wrench[0], v[0]);
}
