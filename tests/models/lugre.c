/* LuGre against closed forms and against the 1995 benchmarks of Canudas de Wit, Olsson, Astrom and Lischinsky.
 * The benchmark tables belong to the equations, not to a step size: a mass and `eval` are integrated by classical
 * Runge-Kutta (rig_advance), so the step code plays no part in them. */
#include "support/law.h"

static double level(double v) { return 1 + 0.5 * exp(-(v / 1e-3) * (v / 1e-3)); }

/* C1: z = zss + (z0 - zss) e^-lt, F = g sgn v + sigma2 v + (z0 - zss)(sigma0 - sigma1 l) e^-lt, l = sigma0|v|/g */
TEST(lugre_step_is_the_closed_form_for_any_step_length)
{
  const double speeds[] = { 1e-6, 5e-4, 2e-3, -0.7 }, times[] = { 1e-5, 1e-3, 0.3 };
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 3; j++) {
      contact c = contact_1995("lugre");
      double v = speeds[i], t = times[j], zss = copysign(level(v) / 1e5, v), l = 1e5 * fabs(v) / level(v), z0 = 4e-6;
      c.s[0] = z0;
      double f = glide(&c, v, t, 1), z = zss + (z0 - zss) * exp(-l * t);
      CHECK_ABS(c.s[0], z, 1e-20);
      CHECK_NEAR(f, 1e5 * z + sqrt(1e5) * (z - z0) / t + 0.4 * v, 1e-13); /* damping by the mean rate */
      double now = copysign(level(v), v) + 0.4 * v + (z0 - zss) * (1e5 - sqrt(1e5) * l) * exp(-l * t);
      CHECK_NEAR(force_at(&c, v), now, 1e-12);
    }
  contact c = contact_1995("lugre");
  CHECK_NEAR(force_at(&c, 0.02), (sqrt(1e5) + 0.4) * 0.02, 1e-14); /* F(0+) = (sigma1 + sigma2) v */
}

TEST(lugre_initial_state_beyond_the_bound_never_breaks_the_coupled_step)
{
  for (double z = -1e-3; z <= 1e-3; z += 1e-4)
    for (double h = 1e-5; h < 1; h *= 10) {
      contact c = contact_1995("lugre");
      c.s[0] = z;
      bristle_input in = { .v = 0.1, .n = 1, .h = h, .w = h };
      double v, f = c.model->step(c.p, c.s, &in, &v);
      CHECK_ABS(v, 0.1 - h * f, 1e-14);
      contact again = contact_1995("lugre");
      again.s[0] = z;
      CHECK_NEAR(glide(&again, v, h, 1), f, 1e-9);
    }
}

/* limit = 2: the elastic force stays within fs, the damping does not, and what is stored is what was worked in */
TEST(lugre_limited_elastic_force_stores_only_its_own_work)
{
  contact c = contact_1995("lugre");
  set(&c, "limit", 2);
  const double bound = 1.5e-5, sizes[] = { 5e-6, 1.4e-5, 4e-5, -1e-4 };
  for (int i = 0; i < 4; i++) {
    const bristle_input still = { .n = 1 };
    const double z = sizes[i], d = 1e-9;
    c.s[0] = z;
    CHECK_NEAR(force_at(&c, 0), 1e5 * fmax(-bound, fmin(bound, z)), 1e-15);
    c.s[0] = z + d;
    const double above = c.model->energy(c.p, c.s, &still);
    c.s[0] = z - d;
    CHECK_ABS((above - c.model->energy(c.p, c.s, &still)) / (2 * d), 1e5 * fmax(-bound, fmin(bound, z)), 1e-4);
  }
  c.s[0] = 1e-4;
  const double rate = 0.01 - 1e5 * 0.01 * 1e-4 / level(0.01);
  CHECK_NEAR(force_at(&c, 0.01), 1.5 + sqrt(1e5) * rate + 0.4 * 0.01, 1e-14);
}

/* ---- 4.1 (a) presliding ---- */

static double trapezoids(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)x, (void)v, (void)extra;
  const double knot[][2] = { { 0, 0 },       { 10, 1.425 }, { 15, 1.425 }, { 35, -1.425 },
                             { 40, -1.425 }, { 60, 1.425 }, { 70, 1.425 } };
  int i = 0;
  while (t > knot[i + 1][0]) i++;
  return knot[i][1] + (knot[i + 1][1] - knot[i][1]) * (t - knot[i][0]) / (knot[i + 1][0] - knot[i][0]);
}

TEST(lugre_presliding_follows_the_table)
{
  const struct {
    double t;
    const char *x;
  } table[] = { { 10, "4.48579" },  { 15, "4.53119" }, { 25, "3.52989" }, { 35, "-0.956351" },
                { 40, "-1.00174" }, { 60, "4.48579" }, { 65, "4.53119" } };
  rig r = { .c = contact_1995("lugre"), .mass = 1, .push = trapezoids };
  for (int i = 0; i < 7; i++) {
    while (r.t < table[i].t - 1e-5) rig_advance(&r, 2e-4);
    CHECK_PRINTED(r.x * 1e5, table[i].x);
    if (i == 0) CHECK_PRINTED(r.force, "1.424946");
    if (i == 1) CHECK_PRINTED(r.c.s[0] * 1e5, "1.425000");
  }
  /* C15: the virgin curve of infinitely slow loading, by the law's own bristle driven at 1 nm/s */
  contact c = contact_1995("lugre");
  double x = 0;
  for (; 1e5 * c.s[0] < 1.425; x += 1e-9) glide(&c, 1e-9, 1, 1);
  CHECK_ABS(x, -1.5e-5 * log(1 - 1e5 * c.s[0] / 1.5), 1e-10);
  CHECK_PRINTED(-1.5e-5 * log(1 - 1.425 / 1.5) * 1e5, "4.4936");
}

/* ---- 4.1 (b) lag: a mass so large that its motion is given ---- */

static double swing(const rig *r, double t, double x, double v, double extra)
{
  (void)x, (void)v, (void)extra;
  return -r->mass * 1e-3 * r->a[0] * sin(r->a[0] * t);
}

TEST(lugre_lag_follows_the_table)
{
  const struct {
    double w;
    const char *rise1, *fall1, *rise15, *fall15, *most;
  } table[] = { { 1, "1.187151", "1.181622", "1.053923", "1.052703", "1.389453" },
                { 10, "1.215021", "1.161034", "1.061088", "1.048307", "1.377908" },
                { 25, "1.245358", "1.137882", "1.079564", "1.043470", "1.344265" } };
  for (int i = 0; i < 3; i++) {
    enum { PERIOD = 24000 };
    rig r = { .c = contact_1995("lugre"), .mass = 1e12, .push = swing, .a = { table[i].w }, .v = 2.5e-3 };
    double most = 0, f[PERIOD + 1], h = 2 * acos(-1) / table[i].w / PERIOD;
    for (int k = 0; k < 3 * PERIOD; k++) rig_advance(&r, h);
    for (int k = 0; k < PERIOD; most = fmax(most, f[k]), k++) f[k] = r.force, rig_advance(&r, h);
    CHECK_PRINTED(f[PERIOD * 2 / 3], table[i].rise1);
    CHECK_PRINTED(f[PERIOD / 3], table[i].fall1);
    CHECK_PRINTED(f[PERIOD * 3 / 4], table[i].rise15);
    CHECK_PRINTED(f[PERIOD / 4], table[i].fall15);
    CHECK_PRINTED(most, table[i].most);
  }
  contact c = contact_1995("lugre");
  CHECK_PRINTED(steady_at(&c, 1e-3), "1.184340");
  CHECK_PRINTED(steady_at(&c, 1.5e-3), "1.053300");
  CHECK_PRINTED(steady_at(&c, 0.5e-3), "1.389600");
}

/* ---- 4.1 (c) break-away: first maximum of F under u = r t ---- */

static double ramp(const rig *r, double t, double x, double v, double extra)
{
  (void)x, (void)v, (void)extra;
  return r->a[0] * t;
}

TEST(lugre_break_away_falls_with_the_force_rate)
{
  const struct {
    double rate;
    const char *force;
  } table[] = { { 1, "1.43242" },  { 2, "1.39442" },  { 3, "1.36362" },  { 5, "1.31321" },  { 10, "1.21995" },
                { 15, "1.15162" }, { 20, "1.09861" }, { 25, "1.05618" }, { 30, "1.02448" }, { 35, "1.00141" } };
  for (int i = 0; i < 10; i++) {
    rig r = { .c = contact_1995("lugre"), .mass = 1, .push = ramp, .a = { table[i].rate } };
    double before = -1;
    for (int k = 0; r.force >= before; k++) {
      before = r.force;
      rig_advance(&r, before < 0.9 ? 1e-4 : 5e-6);
    }
    CHECK_PRINTED(before, table[i].force);
    if (table[i].rate == 20) CHECK_PRINTED(20 * r.t, "1.198");
  }
}

/* ---- 4.1 (d) stick-slip: spring 2 N/m pulled at 0.1 m/s ---- */

static double pulled(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)v, (void)extra;
  return 2 * (0.1 * t - x);
}

TEST(lugre_stick_slip_follows_the_table)
{
  rig r = { .c = contact_1995("lugre"), .mass = 1, .push = pulled };
  double slip[2] = { 0 }, stop = 0, x_stop = 0, pull = 0, most = 0, fastest = 0;
  int slips = 0;
  while (r.t < 20 - 1e-7) {
    double t = r.t, v = r.v, x = r.x;
    rig_advance(&r, r.v < 1e-5 ? 1e-4 : 1e-5);
    most = fmax(most, r.force), fastest = fmax(fastest, r.v);
    if (v <= 0.01 && r.v > 0.01 && slips < 2) slip[slips++] = t + (r.t - t) * (0.01 - v) / (r.v - v);
    if (v > 1e-5 && r.v <= 1e-5 && slips && !stop) { /* the table calls 1e-5 m/s stuck */
      double part = (v - 1e-5) / (v - r.v);
      stop = t + (r.t - t) * part, x_stop = x + (r.x - x) * part, pull = 2 * (0.1 * stop - x_stop);
    }
  }
  CHECK_PRINTED(slip[0], "7.458015");
  CHECK_PRINTED(slip[1] - slip[0], "6.36272");
  CHECK_PRINTED(most, "1.476573");
  CHECK_PRINTED(fastest, "0.36982");
  CHECK_PRINTED(stop, "10.26606");
  CHECK_PRINTED(x_stop, "0.636284");
  CHECK_PRINTED(pull, "0.78064");
  CHECK_PRINTED(r.x, "1.2725964");
}

/* ---- 4.1 (e) PID hunting: u = -6 v - 3 (x - 1) - 4 int(x - 1) ---- */

static double pid(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)t;
  return -6 * v - 3 * (x - 1) - 4 * extra;
}
static double offset(const rig *r, double t, double x, double v)
{
  (void)r, (void)t, (void)v;
  return x - 1;
}

TEST(lugre_hunting_under_pid_follows_the_table)
{
  rig r = { .c = contact_1995("lugre"), .mass = 1, .push = pid, .extra_rate = offset };
  double first = 0, lo = 2, hi = 0, slip[64] = { 0 };
  int slips = 0;
  while (r.t < 130) {
    double v = r.v;
    rig_advance(&r, fabs(r.v) < 1e-4 ? 1e-4 : 2e-5);
    if (!first && v > 0 && r.v <= 0) first = r.x;
    if (r.t > 100) lo = fmin(lo, r.x), hi = fmax(hi, r.x);
    if (fabs(v) < 0.01 && fabs(r.v) >= 0.01 && slips < 64) slip[slips++] = r.t;
  }
  CHECK_PRINTED(first, "1.5005");
  CHECK_PRINTED(lo, "0.93610");
  CHECK_PRINTED(hi, "1.06390");
  CHECK_PRINTED(slip[slips - 1] - slip[slips - 2], "12.2184");
}

/* ---- drift, passivity, load ---- */

static double wavering(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)x, (void)v, (void)extra;
  return 0.5 + 0.2 * sin(2 * acos(-1) * t);
}

/* C5: dx = (fs/sigma0) ln[(1 - (F1/fs)^2)/(1 - (F2/fs)^2)] a cycle, infinitely slow; nearly so at 1 Hz */
TEST(lugre_drifts_under_a_wavering_load)
{
  CHECK_PRINTED(1.5e-5 * log((1 - 0.04) / (1 - 0.49 / 2.25)) * 1e6, "3.0719");
  rig r = { .c = contact_1995("lugre"), .mass = 1, .push = wavering };
  double x[6];
  for (int k = 0; k < 6; x[k++] = r.x)
    for (int i = 0; i < 10000; i++) rig_advance(&r, 1e-4);
  CHECK_PRINTED((x[5] - x[4]) * 1e6, "3.0736");
}

/* the least of F v - dV/dt over v and z in the reachable set, per v^2 */
static double least_dissipation(const contact *model)
{
  double least = 1e9;
  for (double v = 1e-6; v < 2e3; v *= 1.05)
    for (int w = -200; w <= 200; w++) {
      contact c = *model;
      double rate[MAX_STATE];
      bristle_input in = { .v = v };
      c.s[0] = w / 200.0 * 1.5e-5;
      double f = c.model->eval(c.p, c.s, &in, rate);
      least = fmin(least, (f * v - 1e5 * c.s[0] * rate[0]) / (v * v));
    }
  return least;
}

/* P3: passive with constant sigma1 iff sigma2 >= sigma1 (fs - fc)/fc = 158.1; with sigma1(v) if vd <= 9.33 fc/sigma1 */
TEST(lugre_is_passive_exactly_where_the_advice_says)
{
  contact c = contact_1995("lugre");
  bristle_input in = { .h = 0 };
  CHECK(least_dissipation(&c) < -157, "%g", least_dissipation(&c));
  CHECK(c.model->advice(c.p, &in, NULL, 0) == 1, "the 1995 set is not passive");
  set(&c, "sigma2", 158.0);
  CHECK(least_dissipation(&c) < 0, "%g", least_dissipation(&c));
  set(&c, "sigma2", 158.2);
  CHECK(least_dissipation(&c) >= 0, "%g", least_dissipation(&c));
  CHECK(c.model->advice(c.p, &in, NULL, 0) == 0, "passive by sigma2");
  set(&c, "sigma2", 0.4);
  set(&c, "vd", 0.0295);
  CHECK(least_dissipation(&c) >= 0, "%g", least_dissipation(&c));
  CHECK(c.model->advice(c.p, &in, NULL, 0) == 0, "passive by vd");
  set(&c, "vd", 0.04);
  CHECK(least_dissipation(&c) < 0, "%g", least_dissipation(&c));
}

/* the three load forms are one law at constant load */
TEST(lugre_load_forms_agree_at_constant_load)
{
  contact force = contact_1995("lugre");
  const bristle_load forms[] = { BRISTLE_LOAD_COEFFICIENT, BRISTLE_LOAD_LEVEL };
  for (int i = 0; i < 2; i++) {
    contact a = force, b = force;
    a.n = b.n = 3.7;
    b.load = forms[i];
    bristle_convert(force.model->info, force.p, BRISTLE_LOAD_FORCE, b.p, forms[i], 3.7);
    for (double v = -0.01; v < 0.1; v += 0.0037) {
      double f = glide(&a, v, 2e-4, 1);
      CHECK_ABS(glide(&b, v, 2e-4, 1), f, 1e-13);
    }
    CHECK_NEAR(b.s[0], a.s[0], 1e-13);
  }
}
