/* Sliders: along a line they are the axis, spinning disks stop when they must, slip and spin end together. */
#include "sim/rows.h"

#include "bristle/params.h"

enum { T, X, Y, ANGLE, VX, VY, OMEGA, FX, FY, TORQUE, MODE };

static double *row_of(const bristle_info *info, double *p, const char *name)
{
  return &p[bristle_param_find(info, name)->first];
}

/* a disk of 1 kg and 0.1 m under 5 N, inertia that of a uniform one */
static bristle_rig slider_of(const char *law, double *p, int reduced)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_SLIDER };
  rig.as.slider = (bristle_slider){ .mass = 1,
                                    .inertia = 0.005,
                                    .load = 5,
                                    .reduced = reduced,
                                    .ring = 1,
                                    .outer = 0.1,
                                    .cells = 4,
                                    .contact = { .vector = bristle_vector_law_find(law), .p = p } };
  const bristle_info *info = rig.as.slider.contact.vector->f64[0]->info;
  bristle_defaults(info, p);
  bristle_planar_defaults(info, p);
  return rig;
}

/* LuGre as near to Coulomb as it comes: one level, nothing viscous */
static void make_dry(const bristle_rig *rig, double *p, double mu)
{
  const bristle_info *info = rig->as.slider.contact.vector->f64[0]->info;
  *row_of(info, p, "fc") = *row_of(info, p, "fs") = mu;
  *row_of(info, p, "sigma2") = 0;
  *row_of(info, p, "sigma1") = 20; /* bending the virgin bristles costs less */
}

TEST(slider_along_a_line_is_the_axis)
{
  static const char *const laws[] = { "lugre", "elasto_plastic" };
  for (int i = 0; i < 2; i++)
    for (int reduced = i % test_share(1, 2); reduced < 2; reduced += test_share(1, 2)) {
      double p[64];
      bristle_rig slider = slider_of(laws[i], p, reduced), axis = { .kind = BRISTLE_RIG_AXIS };
      slider.as.slider.v[0] = 0.6;
      slider.as.slider.v[1] = 0.8; /* one along the direction (0.6, 0.8) */
      slider.as.slider.x[2] = 0.3;
      axis.as.axis = (bristle_axis){ .mass = 1,
                                     .v = 1,
                                     .load = { .offset = 5 },
                                     .contact = {
                                         .law = bristle_law_find(laws[i]), .p = p, .load = BRISTLE_LOAD_COEFFICIENT } };
      const bristle_sim_options options = { .end = 0.3, .output = 0.01, .rtol = 1e-10 };
      rows a = rows_run(&slider, &options), b = rows_run(&axis, &options);
      for (size_t k = 0; k < a.count; k++) {
        const double x = rows_value(&b, k, 1), v = rows_value(&b, k, 2);
        CHECK_ABS(rows_value(&a, k, X), 0.6 * x, 1e-6);
        CHECK_ABS(rows_value(&a, k, Y), 0.8 * x, 1e-6);
        CHECK_ABS(rows_value(&a, k, VX), 0.6 * v, 1e-6);
        CHECK_ABS(rows_value(&a, k, VY), 0.8 * v, 1e-6);
        CHECK_ABS(rows_value(&a, k, ANGLE), 0.3, 1e-9);
      }
      CHECK(rows_last(&a, MODE) == BRISTLE_MODE_STUCK && rows_value(&a, 10, MODE) == BRISTLE_MODE_SLIDING,
            "modes %g, %g", rows_last(&a, MODE), rows_value(&a, 10, MODE));
      rows_free(&a);
      rows_free(&b);
    }
}

/* torque of a uniform disk: 2/3 mu N R, so it stops after I omega/(2/3 mu N R) */
TEST(slider_disk_spins_down_in_the_time_of_its_torque)
{
  for (int reduced = 0; reduced < 2; reduced++) {
    double p[64];
    bristle_rig rig = slider_of("lugre", p, reduced);
    const double mu = 0.4, spin = 20, torque = 2.0 / 3 * mu * 5 * 0.1, stop = rig.as.slider.inertia * spin / torque;
    make_dry(&rig, p, mu);
    rig.as.slider.v[2] = spin;
    const bristle_sim_options options = { .end = 1.5 * stop, .output = 0.1 * stop };
    rows r = rows_run(&rig, &options);
    CHECK(r.count == 16, "%zu rows", r.count);
    for (size_t k = 1; k < 10; k++) {
      CHECK_ABS(rows_value(&r, k, OMEGA), spin * (1 - 0.1 * (double)k), 2e-3);
      CHECK_NEAR(rows_value(&r, k, TORQUE), torque, 1e-3);
    }
    CHECK_ABS(rows_last(&r, OMEGA), 0, 1e-6);
    CHECK_ABS(rows_last(&r, ANGLE), 0.5 * spin * stop, 1e-3);
    CHECK_ABS(rows_last(&r, X), 0, 1e-9);
    rows_free(&r);
  }
}

/* ---- a Coulomb disk by quadrature, as an independent reference ---- */

/* Mean over a disk of radius R of the direction of motion, and of its moment, for the velocity v ahead and the spin w.
 */
static void disk_friction(double v, double w, double R, double *force, double *torque)
{
  enum { RINGS = 40, SECTORS = 80 };
  const double pi = 3.14159265358979323846;
  *force = *torque = 0;
  for (int i = 0; i < RINGS; i++)
    for (int j = 0; j < SECTORS; j++) {
      const double r = R * (i + 0.5) / RINGS, angle = 2 * pi * (j + 0.5) / SECTORS;
      const double x = r * cos(angle), y = r * sin(angle), vx = v - w * y, vy = w * x, speed = hypot(vx, vy);
      const double part = 2 * (i + 0.5) / ((double)RINGS * RINGS * SECTORS) / fmax(speed, 1e-12);
      *force += part * vx;
      *torque += part * (x * vy - y * vx);
    }
}

/* Slip and spin help each other over the ground, and end at the same time (Farkas, Bartels, Unger, Wolf, Phys. Rev.
   Lett. 90 (2003) 248302). */
TEST(slider_disk_stops_sliding_and_spinning_together)
{
  static const double starts[2][2] = { { 1, 3 }, { 0.3, 12 } };
  for (int i = 0; i < test_share(2, 1); i++) {
    double p[64], stopped[2] = { 0, 0 }, v = starts[i][0], w = starts[i][1];
    const double mu = 0.4, load = 5, h = 5e-4;
    bristle_rig rig = slider_of("lugre", p, 0);
    make_dry(&rig, p, mu);
    rig.as.slider.cells = 6;
    rig.as.slider.v[0] = v;
    rig.as.slider.v[2] = w;
    const bristle_sim_options options = { .end = 0.7, .output = 0.001, .rtol = 1e-6 };
    rows r = rows_run(&rig, &options);
    for (size_t k = 0; k < r.count; k++) {
      const double speed = hypot(rows_value(&r, k, VX), rows_value(&r, k, VY)), spin = rows_value(&r, k, OMEGA);
      if (v > 0.02 && w > 0.2) {
        CHECK_ABS(speed, v, 4e-3);
        CHECK_ABS(spin, w, 4e-2);
      }
      if (stopped[0] == 0 && speed < 1e-3) stopped[0] = rows_value(&r, k, T);
      if (stopped[1] == 0 && fabs(spin) < 1e-2) stopped[1] = rows_value(&r, k, T);
      for (int n = 0; n < 2 && v > 0 && w > 0; n++) { /* midpoint rule */
        double force, torque;
        disk_friction(v, w, 0.1, &force, &torque);
        const double vm = v - 0.5 * h * mu * load * force, wm = w - 0.5 * h * mu * load * torque / 0.005;
        disk_friction(vm, wm, 0.1, &force, &torque);
        v -= h * mu * load * force;
        w -= h * mu * load * torque / 0.005;
      }
    }
    CHECK(stopped[0] > 0.3 && fabs(stopped[0] - stopped[1]) < 0.004, "stops at %g and %g s", stopped[0], stopped[1]);
    rows_free(&r);
  }
}

TEST(slider_energy_adds_up_and_better_with_the_tolerance)
{
  static const char *const laws[] = { "lugre", "elasto_plastic", "dahl" };
  for (int i = 0; i < 3; i++)
    for (int reduced = 0; reduced < (i < 2 ? 2 : 1); reduced++) {
      double p[64], residual[2];
      const double t[] = { 0, 0.2, 1 }, pull[] = { 0, 0.05, 0.3 }, twist[] = { 0, 0.2, -0.1 };
      bristle_rig rig = slider_of(laws[i], p, reduced);
      rig.as.slider.cells = 3;
      rig.as.slider.stiffness = 100;
      rig.as.slider.anchor[0] = (bristle_program){ .count = 3, .t = t, .y = pull };
      rig.as.slider.force[2] = (bristle_program){ .count = 3, .t = t, .y = twist };
      rig.as.slider.v[1] = 0.3;
      rig.as.slider.v[2] = 5;
      for (int tight = 0; tight < 2; tight++) {
        const bristle_sim_options options = { .end = 0.5, .rtol = tight ? 0 : 1e-4 };
        rows r = rows_run(&rig, &options);
        residual[tight] = rows_residual(&r);
        CHECK(r.stats.work_in > 0 && r.stats.friction > 0, "%s: work %g, friction %g", laws[i], r.stats.work_in,
              r.stats.friction);
        rows_free(&r);
      }
      CHECK(residual[1] < 1e-6, "%s, reduced %d: %g of the work", laws[i], reduced, residual[1]);
      CHECK(residual[1] < 0.05 * residual[0], "%s, reduced %d: %g at 1e-4, %g at 1e-8", laws[i], reduced, residual[0],
            residual[1]);
    }
}

TEST(slider_reduced_model_follows_the_patch)
{
  rows r[2];
  for (int reduced = 0; reduced < 2; reduced++) {
    double p[64];
    bristle_rig rig = slider_of("lugre", p, reduced);
    rig.as.slider.cells = 8;
    rig.as.slider.v[0] = 1;
    rig.as.slider.v[2] = 10;
    const bristle_sim_options options = { .end = 0.4, .output = 0.4, .rtol = 1e-6 };
    r[reduced] = rows_run(&rig, &options);
  }
  CHECK_NEAR(rows_last(&r[1], X), rows_last(&r[0], X), 0.02);
  CHECK_NEAR(rows_last(&r[1], ANGLE), rows_last(&r[0], ANGLE), 0.02);
  rows_free(&r[0]);
  rows_free(&r[1]);
}

/* the coupled step with a fixed length is another scheme for the same motion */
TEST(slider_fixed_steps_converge_to_the_adaptive_run)
{
  for (int reduced = 0; reduced < 2; reduced++) {
    double p[64], error[2];
    bristle_rig rig = slider_of("lugre", p, reduced);
    rig.as.slider.v[0] = 0.5;
    rig.as.slider.v[2] = 5;
    const bristle_sim_options best = { .end = 0.1 };
    rows a = rows_run(&rig, &best);
    for (int i = 0; i < 2; i++) {
      const bristle_sim_options fixed = { .method = BRISTLE_METHOD_COUPLED, .end = 0.1, .step = i ? 2.5e-4 : 5e-4 };
      rows b = rows_run(&rig, &fixed);
      error[i] = hypot(rows_last(&b, X) - rows_last(&a, X), 0.1 * (rows_last(&b, ANGLE) - rows_last(&a, ANGLE)));
      rows_free(&b);
    }
    CHECK(error[1] < 1e-4, "error %g m", error[1]);
    CHECK_NEAR(error[0] / error[1], 2.0, 0.1);
    rows_free(&a);
  }
}

/* Below the static level it holds: a push of 4 N and a twist on a disk that bears 6 N. Flags of gms included. */
TEST(slider_holds_without_creep)
{
  static const char *const laws[] = { "lugre", "elasto_plastic", "gms" };
  for (int i = 0; i < 3; i++) {
    double p[64];
    const double t[] = { 0, 0.1 }, push[] = { 0, 4 }, twist[] = { 0, 0.1 };
    bristle_rig rig = slider_of(laws[i], p, 0);
    rig.as.slider.cells = 2;
    rig.as.slider.force[1] = (bristle_program){ .count = 2, .t = t, .y = push };
    rig.as.slider.force[2] = (bristle_program){ .count = 2, .t = t, .y = twist };
    if (i == 2) rig.as.slider.load = 10; /* its default levels are lower */
    const bristle_sim_options options = { .end = 3, .output = 1, .rtol = i == 2 ? 1e-4 : 0 };
    rows r = rows_run(&rig, &options);
    CHECK_ABS(rows_value(&r, 3, Y), rows_value(&r, 2, Y), 1e-12);
    CHECK_ABS(rows_value(&r, 3, ANGLE), rows_value(&r, 2, ANGLE), 1e-11);
    CHECK(rows_last(&r, Y) > 0, "%s: it did not yield at all", laws[i]);
    CHECK_NEAR(rows_last(&r, FY), 4.0, 1e-6);
    CHECK_NEAR(rows_last(&r, TORQUE), 0.1, 1e-6);
    rows_free(&r);
  }
}

TEST(slider_check_names_the_field)
{
  double p[64], bad_knots[] = { 0, (double)NAN };
  const bristle_rig good = slider_of("lugre", p, 0);
  const bristle_sim_options options = { .end = 1 };
  bristle_sim_error error;
  CHECK(!bristle_sim_check(&good, &options, &error), "refused: %s %s", error.field, error.what);
  bristle_rig rig = good;
  bristle_slider *const s = &rig.as.slider;
  const struct {
    double *value;
    double bad;
    const char *field;
  } wrong[] = { { &s->mass, 0, "mass" },
                { &s->inertia, -1, "inertia" },
                { &s->load, (double)NAN, "load" },
                { &s->outer, 0, "outer" },
                { &s->inner, 0.2, "inner" },
                { &s->stiffness, -1, "stiffness" },
                { &s->x[1], (double)INFINITY, "y" },
                { &s->v[2], (double)NAN, "omega" } };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    rig = good;
    *wrong[i].value = wrong[i].bad;
    rows_refused(&rig, wrong[i].field);
  }
  rig = good;
  s->cells = 0;
  rows_refused(&rig, "cells");
  rig = good;
  s->ring = 0;
  rows_refused(&rig, "width");
  rig = good;
  s->contact.vector = NULL;
  rows_refused(&rig, "friction");
  rig = good;
  s->contact.vector = bristle_vector_law_find("coulomb"); /* fc is p[0], sigma2 p[1] */
  rows_refused(&rig, "friction");
  rig = good;
  s->force[1] = (bristle_program){ .count = 2, .t = bad_knots, .y = bad_knots };
  rows_refused(&rig, "force_y");
  rig = slider_of("dahl", p, 1);
  rows_refused(&rig, "friction");
}
