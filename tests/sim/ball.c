/* Bodies on ball joints: conserved without friction, a pendulum in the plane, rest within the cone of friction. */
#include "sim/rows.h"

#include "bristle/params.h"

enum { T, TILT, AZIMUTH, UX, UY, UZ, WX, WY, WZ, TX, TY, TZ, N, MODE };

static double *row_of(const bristle_info *info, double *p, const char *name)
{
  return &p[bristle_param_find(info, name)->first];
}

/* a rod of 1 kg, its centre 0.3 m below a ball of 5 cm: friction 0.2, static 0.25 */
static bristle_rig ball_of(const char *law, double *p)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_BALL };
  rig.as.ball = (bristle_ball){ .mass = 1,
                                .arm = 0.3,
                                .inertia = { 0.1, 0.1, 0.02 },
                                .gravity = 9.81,
                                .radius = 0.05,
                                .sum = 1,
                                .contact = { .vector = bristle_vector_law_find(law), .p = p } };
  const bristle_info *info = rig.as.ball.contact.vector->f64[1]->info;
  bristle_defaults(info, p);
  if (bristle_param_find(info, "sigma0")) {
    bristle_planar_defaults(info, p);
    *row_of(info, p, "sigma0") = 1e5;
    if (bristle_param_find(info, "zba")) *row_of(info, p, "zba") = 0.7 * 0.2e-5;
  }
  if (bristle_param_find(info, "sigma1")) *row_of(info, p, "sigma1") = 30;
  *row_of(info, p, "fc") = 0.2;
  if (bristle_param_find(info, "fs")) *row_of(info, p, "fs") = 0.25;
  return rig;
}

static void make_frictionless(const bristle_rig *rig, double *p)
{
  const bristle_info *info = rig->as.ball.contact.vector->f64[1]->info;
  *row_of(info, p, "fc") = 1e-9;
  if (bristle_param_find(info, "fs")) *row_of(info, p, "fs") = 1e-9;
  if (bristle_param_find(info, "sigma1")) *row_of(info, p, "sigma1") = 0;
  if (bristle_param_find(info, "sigma0")) *row_of(info, p, "sigma0") = 1;
  *row_of(info, p, "sigma2") = 0;
}

static double energy(const bristle_ball *b, const rows *r, size_t k)
{
  double sum = b->mass * b->gravity * b->arm * rows_value(r, k, UZ);
  for (int i = 0; i < 3; i++) sum += 0.5 * b->inertia[i] * rows_value(r, k, WX + i) * rows_value(r, k, WX + i);
  return sum;
}

/* about the vertical: of the swing from the azimuth's rate, by differences of fourth order, and of the spin */
static double vertical_momentum(const bristle_ball *b, const rows *r, size_t k, double h)
{
  const double rate = (8 * (rows_value(r, k + 1, AZIMUTH) - rows_value(r, k - 1, AZIMUTH))
                       - (rows_value(r, k + 2, AZIMUTH) - rows_value(r, k - 2, AZIMUTH)))
                      / (12 * h);
  const double across = 1 - rows_value(r, k, UZ) * rows_value(r, k, UZ);
  return b->inertia[0] * across * rate - b->inertia[2] * rows_value(r, k, WZ) * rows_value(r, k, UZ);
}

TEST(ball_without_friction_keeps_energy_and_vertical_momentum)
{
  static const char *const laws[] = { "lugre", "coulomb" }; /* the linearly implicit and the coupled step */
  for (int i = 0; i < 2; i++) {
    double p[64];
    bristle_rig rig = ball_of(laws[i], p);
    make_frictionless(&rig, p);
    rig.as.ball.tilt = 0.8;
    rig.as.ball.azimuth = -2;
    rig.as.ball.w[0] = 3;
    rig.as.ball.w[2] = 2;
    const bristle_sim_options options = { .end = 5, .output = 1e-3 };
    rows r = rows_run(&rig, &options);
    const double e = energy(&rig.as.ball, &r, 0), m = vertical_momentum(&rig.as.ball, &r, 2, 1e-3);
    int compared = 0;
    for (size_t k = 100; k + 2 < r.count; k += 100) {
      CHECK_ABS(energy(&rig.as.ball, &r, k), e, 1e-7 * rig.as.ball.mass * 9.81 * 0.3);
      if (fabs(rows_value(&r, k + 2, AZIMUTH) - rows_value(&r, k - 2, AZIMUTH)) > 3) continue; /* past +-pi */
      CHECK_NEAR(vertical_momentum(&rig.as.ball, &r, k, 1e-3), m, 1e-7);
      compared++;
    }
    CHECK(compared > 40, "%d rows compared", compared);
    rows_free(&r);
  }
}

/* ---- the same pendulum on a line, by Runge-Kutta on the scalar law ---- */

/* y is angle, rate, bristle; the load follows from the motion, and the motion from the load */
static void plane_rates(const bristle_ball *b, const bristle_model *law, const double y[3], double dy[3])
{
  const bristle_input in = { .v = b->radius * y[1], .n = 1, .load = BRISTLE_LOAD_COEFFICIENT };
  const double mu = law->eval(b->contact.p, &y[2], &in, &dy[2]), weight = b->mass * b->gravity;
  const double pull = weight * sin(y[0]), along = weight * cos(y[0]) + b->mass * b->arm * y[1] * y[1];
  double torque = 0;
  for (int i = 0; i < 12; i++) {
    dy[1] = (-pull * b->arm - torque) / b->inertia[0];
    const double across = -pull - b->mass * b->arm * dy[1];
    torque = b->radius * mu * sqrt(along * along + across * across);
  }
  dy[0] = y[1];
}

TEST(ball_in_a_plane_is_the_pendulum_on_a_line)
{
  static const char *const laws[] = { "lugre", "elasto_plastic" };
  for (int i = 0; i < 2; i++) {
    double p[64], y[3] = { 1.2, 0, 0 };
    bristle_rig rig = ball_of(laws[i], p);
    const bristle_model *law = bristle_law_find(laws[i])->f64;
    const bristle_info *info = law->info;
    *row_of(info, p, "sigma0") = 1e4; /* soft enough for an explicit method */
    if (i == 1) *row_of(info, p, "zba") = 0.7 * 0.2e-4;
    rig.as.ball.tilt = 1.2;
    rig.as.ball.azimuth = 0.7;
    const bristle_sim_options options = { .end = 2, .output = 0.1, .rtol = 1e-9 };
    rows r = rows_run(&rig, &options);
    const double h = 2e-5;
    for (size_t k = 0; k < r.count; k++) {
      const double swing = cos(0.7) * rows_value(&r, k, UX) + sin(0.7) * rows_value(&r, k, UY);
      CHECK_ABS(swing, sin(y[0]), 1e-6);
      CHECK_ABS(rows_value(&r, k, WY), -y[1], 1e-5); /* the body turns about -y while it swings out along x */
      CHECK_ABS(rows_value(&r, k, WX), 0, 1e-9);
      for (int n = 0; n < 5000; n++) {
        double d[4][3], at[3];
        const double part[4] = { 0, 0.5, 0.5, 1 };
        for (int s = 0; s < 4; s++) {
          for (int j = 0; j < 3; j++) at[j] = y[j] + (s ? h * part[s] * d[s - 1][j] : 0);
          plane_rates(&rig.as.ball, law, at, d[s]);
        }
        for (int j = 0; j < 3; j++) y[j] += h / 6 * (d[0][j] + 2 * d[1][j] + 2 * d[2][j] + d[3][j]);
      }
    }
    rows_free(&r);
  }
}

/* At rest the friction carries the weight's moment: sin(tilt) is at most mu_s R/arm without preload. */
TEST(ball_comes_to_rest_within_the_cone_of_friction_and_stays)
{
  static const struct {
    const char *law;
    double preload, spin;
  } cases[] = { { "lugre", 0, 0 },   { "elasto_plastic", 0, 0 }, { "lugre", 0.05, 4 },
                { "coulomb", 0, 0 }, { "coulomb", 0.05, 4 },     { "gms", 0, 0 } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double p[64];
    bristle_rig rig = ball_of(cases[i].law, p);
    rig.as.ball.tilt = 0.6;
    rig.as.ball.preload = cases[i].preload;
    rig.as.ball.w[0] = cases[i].spin > 0 ? 1 : 0; /* out of the plane as well */
    rig.as.ball.w[2] = cases[i].spin;
    const bristle_sim_options options = { .end = 16, .output = 2, .rtol = i == 5 ? 1e-5 : 0 };
    rows r = rows_run(&rig, &options);
    const double tilt = rows_last(&r, TILT), holds = (0.25 * 0.05 * 9.81 + cases[i].preload) / (0.3 * 9.81);
    const size_t last = r.count - 1;
    CHECK(sin(tilt) <= holds && tilt > 1e-4, "%s: rests at %g, the cone is %g", cases[i].law, tilt, holds);
    CHECK_ABS(tilt, rows_value(&r, last - 2, TILT), 1e-9);
    CHECK_ABS(rows_last(&r, AZIMUTH), rows_value(&r, last - 2, AZIMUTH), 1e-7);
    for (int k = 0; k < 3; k++) CHECK_ABS(rows_last(&r, WX + k), 0, 1e-9);
    CHECK_NEAR(rows_last(&r, N), 9.81, 1e-6);
    CHECK(rows_last(&r, MODE) != BRISTLE_MODE_SLIDING, "%s still slides", cases[i].law);
    rows_free(&r);
  }
}

/* A point socket has no arm about its own load; a preload has. */
TEST(ball_spin_about_the_load_needs_a_preload_to_stop)
{
  for (int preload = 0; preload < 2; preload++) {
    double p[64];
    bristle_rig rig = ball_of("lugre", p);
    *row_of(rig.as.ball.contact.vector->f64[1]->info, p, "sigma2") = 0;
    rig.as.ball.preload = preload ? 0.02 : 0;
    rig.as.ball.w[2] = 5;
    /* the preload breaks away at 0.02 N m, and slides with fc/fs of it */
    const double torque = 0.02 * 0.2 / 0.25, stop = 5 * 0.02 / torque;
    const bristle_sim_options options = { .end = 0.5 * stop };
    rows r = rows_run(&rig, &options);
    CHECK_ABS(rows_last(&r, WZ), preload ? 2.5 : 5, preload ? 0.01 : 1e-12);
    CHECK_ABS(rows_last(&r, TZ), preload ? torque : 0, 1e-3 * torque);
    CHECK_ABS(rows_last(&r, TILT), 0, 1e-12);
    rows_free(&r);
  }
}

/* The additional load hangs at the ball: it makes friction and no moment. */
TEST(ball_additional_load_makes_friction_only)
{
  double p[64];
  bristle_rig rig = ball_of("lugre", p);
  rig.as.ball.gravity = 0;
  rig.as.ball.load = 100;
  rig.as.ball.w[1] = 3;
  *row_of(rig.as.ball.contact.vector->f64[1]->info, p, "sigma2") = 0;
  const double torque = 0.2 * 0.05 * 100, end = 0.25 * 0.1 * 3 / torque;
  const bristle_sim_options options = { .end = end };
  rows r = rows_run(&rig, &options);
  /* the body's own pull towards its centre, about 2 N, is small beside it */
  CHECK_NEAR(rows_last(&r, N), 100.0, 0.03);
  CHECK_NEAR(rows_last(&r, WY), 0.75 * 3, 0.02);
  rows_free(&r);
}

TEST(ball_energy_adds_up_and_better_with_the_tolerance)
{
  static const struct {
    const char *law;
    double preload;
    int sum;
  } cases[] = { { "lugre", 0, 1 },   { "lugre", 0.05, 1 }, { "elasto_plastic", 0, 1 },
                { "coulomb", 0, 1 }, { "tanh", 0.01, 1 },  { "lugre", 0.4, 0 } };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double p[64], residual[2];
    bristle_rig rig = ball_of(cases[i].law, p);
    rig.as.ball.tilt = 1;
    rig.as.ball.preload = cases[i].preload;
    rig.as.ball.sum = cases[i].sum;
    rig.as.ball.w[0] = 2;
    rig.as.ball.w[2] = 3;
    for (int tight = 0; tight < 2; tight++) {
      const bristle_sim_options options = { .end = 5, .rtol = tight ? 0 : 1e-4 };
      rows r = rows_run(&rig, &options);
      residual[tight] = rows_residual(&r);
      CHECK(r.stats.friction > 0, "%s: friction %g", cases[i].law, r.stats.friction);
      rows_free(&r);
    }
    CHECK(residual[1] < 1e-6, "%s, preload %g: %g of the work", cases[i].law, cases[i].preload, residual[1]);
    CHECK(residual[1] < 0.05 * residual[0], "%s: %g at 1e-4, %g at 1e-8", cases[i].law, residual[0], residual[1]);
  }
}

/* the coupled step with a fixed length is another scheme for the same motion */
TEST(ball_fixed_steps_converge_to_the_adaptive_run)
{
  double p[64], error[2];
  bristle_rig rig = ball_of("lugre", p);
  rig.as.ball.tilt = 0.5;
  rig.as.ball.w[0] = 2;
  const bristle_sim_options best = { .end = 0.5 };
  rows a = rows_run(&rig, &best);
  for (int i = 0; i < 2; i++) {
    const bristle_sim_options fixed = { .method = BRISTLE_METHOD_COUPLED, .end = 0.5, .step = i ? 2.5e-4 : 5e-4 };
    rows b = rows_run(&rig, &fixed);
    error[i] = hypot(rows_last(&b, UX) - rows_last(&a, UX), rows_last(&b, UY) - rows_last(&a, UY));
    rows_free(&b);
  }
  CHECK(error[1] < 1e-3, "error %g", error[1]);
  CHECK_NEAR(error[0] / error[1], 2.0, 0.1);
  rows_free(&a);
}

TEST(ball_check_names_the_field)
{
  double p[64];
  const bristle_rig good = ball_of("lugre", p);
  const bristle_sim_options options = { .end = 1 };
  bristle_sim_error error;
  CHECK(!bristle_sim_check(&good, &options, &error), "refused: %s %s", error.field, error.what);
  bristle_rig rig = good;
  bristle_ball *const b = &rig.as.ball;
  const struct {
    double *value;
    double bad;
    const char *field;
  } wrong[] = { { &b->mass, -1, "mass" },
                { &b->arm, (double)NAN, "arm" },
                { &b->inertia[2], 0, "inertia" },
                { &b->inertia[0], 0.05, "inertia" },
                { &b->radius, 0, "radius" },
                { &b->preload, -1, "preload" },
                { &b->load, -1, "load" },
                { &b->mu_s, -1, "mu_s" },
                { &b->tilt, (double)INFINITY, "tilt" },
                { &b->w[1], (double)NAN, "w" } };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    rig = good;
    *wrong[i].value = wrong[i].bad;
    rows_refused(&rig, wrong[i].field);
  }
  rig = good;
  b->contact.vector = NULL;
  rows_refused(&rig, "friction");
  rig = good;
  *row_of(b->contact.vector->f64[1]->info, p, "fs") = 0.1; /* below fc */
  rows_refused(&rig, "fs");
}
