/* Noise of the position that a controller feeds back biases a fit; instruments made of the reference see it. */
#include "record.h"

static const double MASS = 2, VISCOUS = 20, LEVEL = 5, STEP = 1e-3;

static double wanted(double t) { return 0.03 * sin(M_PI * t) + 0.01 * sin(2.6 * M_PI * t); }
static double wanted_speed(double t) { return 0.03 * M_PI * cos(M_PI * t) + 0.026 * M_PI * cos(2.6 * M_PI * t); }

/* M dv/dt = F - fc sign v - b v for a step, F held: the friction of a body that may come to rest */
static void push(double drive, double *x, double *v)
{
  enum { PARTS = 10 };
  const double h = STEP / PARTS, free_speed = h / MASS;
  for (int k = 0; k < PARTS; k++) {
    const double u = *v + free_speed * drive, most = free_speed * LEVEL;
    *v = (fabs(u) <= most ? 0 : u - copysign(most, u)) / (1 + free_speed * VISCOUS);
    *x += h * *v;
  }
}

/* a body behind a PD controller that sees a noisy position, which it feeds back */
static void closed_loop(double noise)
{
  double x = 0, v = 0, before = 0;
  begin("t [s],x_ref [m],x [m],F [N]");
  for (int i = 0; i < 12000; i++) {
    const double t = STEP * i;
    const double seen = x + noise * noise_of(i),
                 drive = 4000 * (wanted(t) - seen) + 150 * (wanted_speed(t) - (seen - before) / STEP);
    before = seen;
    add("%.6g,%.9g,%.9g,%.9g\n", t, wanted(t), seen, drive + 0.02 * noise_of(i + 20000));
    push(drive, &x, &v);
  }
}

static bristle_identified *fit_loop(double noise, double cutoff)
{
  bristle_fault fault = { 0 };
  bristle_campaign campaign;
  bristle_identified *r = NULL;
  const bristle_log_options reading = { .inverse = 1, .cutoff = cutoff };
  bristle_identify_options options = { .folds = -1 };
  closed_loop(noise);
  bristle_log *log = read_with(&reading, &fault), *const one[] = { log };
  CHECK(log && log->raw[BRISTLE_CHANNEL_REFERENCE], "%s", fault.what);
  if (!log) exit(1);
  options.term[BRISTLE_TERM_OFFSET] = options.term[BRISTLE_TERM_MASS] = BRISTLE_TERM_FREE;
  CHECK(!bristle_campaign_prepare(one, 1, 1, &reading, &options, &campaign, &fault), "%s", fault.what);
  CHECK(!bristle_identify(bristle_law_find("coulomb"), (const bristle_log *const *)one, 1, NULL, &options, &r, &fault),
        "%s", fault.what);
  bristle_identified_instruments(r, (const bristle_log *const *)one, 1, &options, &campaign);
  CHECK(r->compared, "the reference was not used");
  bristle_identified_diagnose(r, (const bristle_log *const *)one, 1, &options);
  bristle_log_free(log);
  return r;
}

static const bristle_estimate *estimate_of(const bristle_identified *r, const char *name)
{
  for (int k = 0; k < r->estimates; k++)
    if (!strcmp(r->estimate[k].name, name)) return &r->estimate[k];
  return NULL;
}

static int says(const bristle_identified *r, const char *words)
{
  for (int i = 0; i < r->findings; i++)
    if (strstr(r->finding[i], words)) return 1;
  return 0;
}

/* what the reference says is nearer to the truth than the fit, and the deviation reaches to the truth */
static void check_bias(const bristle_identified *r, const char *name, double truth)
{
  const bristle_estimate *x = estimate_of(r, name);
  CHECK(x->bias != 0 && fabs(x->value + x->bias - truth) < 0.6 * fabs(x->value - truth), "%s %g by %g, true %g", name,
        x->value, x->bias, truth);
  CHECK(fabs(x->value - truth) < 2 * x->deviation, "%s %g +- %g, true %g", name, x->value, x->deviation, truth);
  CHECK(says(r, "by the reference (x_ref"), "%d findings", r->findings);
}

/* white noise and a high cut-off: the mass is taken for smaller than it is */
TEST(noise_in_a_closed_loop_is_seen_by_the_reference)
{
  bristle_identified *r = fit_loop(1e-5, 80);
  check_bias(r, "mass", MASS);
  bristle_identified_free(r);
}

TEST(without_noise_the_reference_has_nothing_to_say)
{
  for (int cut = 0; cut < 2; cut++) {
    bristle_identified *r = fit_loop(0, cut ? 80 : 0);
    for (int k = 0; k < r->estimates; k++)
      CHECK(r->estimate[k].bias == 0, "%s %g by %g", r->estimate[k].name, r->estimate[k].value, r->estimate[k].bias);
    CHECK(!says(r, "by the reference"), "it speaks");
    bristle_identified_free(r);
  }
}
