/* One degree of freedom: the two solvers against each other and against closed forms, for every law. */
#include "bristle/params.h"
#include "lab/sim.h"
#include "support/test.h"

typedef struct seen {
  int slips;
  double x, v, f, slip_at[16], fastest, strongest;
} seen;

static int look(void *context, const double *row)
{
  seen *s = context;
  s->x = row[1];
  s->v = row[2];
  s->f = row[3];
  s->fastest = fmax(s->fastest, row[2]);
  s->strongest = fmax(s->strongest, row[3]);
  return 0;
}

static int note(void *context, double t, bristle_event_kind kind)
{
  seen *s = context;
  if (kind == BRISTLE_EVENT_SLIP && s->slips < 16) s->slip_at[s->slips++] = t;
  return 0;
}

static const double pull_t[] = { 0, 1000 }, pull_y[] = { 0, 100 };

/* 1 kg on a spring of 2 N/m pulled at 0.1 m/s */
static bristle_rig spring_pull(const char *law, const double *p)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_AXIS };
  rig.as.axis = (bristle_axis){ .mass = 1,
                                .stiffness = 2,
                                .anchor = { .count = 2, .t = pull_t, .y = pull_y },
                                .contact = { .law = bristle_law_find(law), .p = p } };
  return rig;
}

static seen run(const bristle_rig *rig, bristle_sim_options options, bristle_sim_stats *stats)
{
  seen s = { 0 };
  bristle_sim_error error = { 0 };
  const bristle_sim_sink sink = { .context = &s, .row = look, .event = note };
  const bristle_sim_status status = bristle_simulate(rig, &options, &sink, stats, &error);
  CHECK(status == BRISTLE_SIM_OK, "%s: %s at %g s", error.field, error.what, error.t);
  return s;
}

/* every law, both solvers where both apply; a law without an ordinary stick-slip run is still a valid comparison */
TEST(native_and_adaptive_agree_for_every_smooth_law)
{
  int compared = 0;
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    if (!(law->f64->info->traits & BRISTLE_TRAIT_SMOOTH)) continue;
    double p[64];
    bristle_defaults(law->f64->info, p);
    bristle_rig rig = spring_pull(law->name, p);
    rig.as.axis.contact.load = law->f64->info->load;
    rig.as.axis.load.offset = 1;
    bristle_sim_stats a, b;
    const seen native = run(&rig, (bristle_sim_options){ .end = 3, .rtol = 1e-9, .method = BRISTLE_METHOD_NATIVE }, &a);
    const seen adaptive = run(&rig, (bristle_sim_options){ .end = 3, .rtol = 1e-8, .method = BRISTLE_METHOD_ADAPTIVE },
                              &b);
    CHECK(fabs(native.x - adaptive.x) <= 1e-6 * (1e-3 + fabs(native.x)), "%s: x %.12g native, %.12g adaptive",
          law->name, native.x, adaptive.x);
    CHECK(fabs(a.residual) <= 1e-6 * a.work_done, "%s: native residual %g of %g J", law->name, a.residual, a.work_done);
    CHECK(fabs(b.residual) <= 1e-6 * b.work_done, "%s: adaptive residual %g of %g J", law->name, b.residual,
          b.work_done);
    compared++;
  }
  CHECK(compared >= 20, "%d laws", compared);
}

TEST(every_other_law_runs_and_keeps_its_energy_account)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    if (law->f64->info->traits & BRISTLE_TRAIT_SMOOTH) continue;
    double p[64];
    bristle_defaults(law->f64->info, p);
    bristle_rig rig = spring_pull(law->name, p);
    rig.as.axis.contact.load = law->f64->info->load;
    rig.as.axis.load.offset = 1;
    bristle_sim_stats stats;
    run(&rig, (bristle_sim_options){ .end = 2, .rtol = 1e-7 }, &stats);
    CHECK(stats.method == BRISTLE_METHOD_ADAPTIVE, "%s ran by %s", law->name, bristle_method_text(stats.method));
    CHECK(fabs(stats.residual) <= 1e-6 * stats.work_done, "%s: residual %g of %g J", law->name, stats.residual,
          stats.work_done);
  }
}

/* C11: m dv/dt = -fc - sigma2 v has its stop in closed form */
TEST(a_sliding_block_stops_where_and_when_the_closed_form_says)
{
  const double fc = 1, s2 = 0.4, m = 2, v0 = 1.3, log_term = log(1 + s2 * v0 / fc);
  const bristle_coulomb p = { fc, s2 };
  bristle_rig rig = { .kind = BRISTLE_RIG_AXIS };
  rig.as.axis = (bristle_axis){ .mass = m,
                                .v = v0,
                                .contact = { .law = bristle_law_find("coulomb"), .p = (const double *)&p } };
  for (int method = BRISTLE_METHOD_NATIVE; method <= BRISTLE_METHOD_ADAPTIVE; method++) {
    bristle_sim_stats stats;
    const seen s = run(&rig, (bristle_sim_options){ .end = 5, .method = (bristle_method)method }, &stats);
    CHECK_NEAR(s.x, m / s2 * (v0 - fc / s2 * log_term), 1e-7);
    CHECK_ABS(s.v, 0, 0);
  }
}

/* C10: each half cycle loses 2 fc/k of amplitude; it stops at a turning point within the dead zone */
TEST(coulomb_oscillation_loses_the_same_amplitude_every_half_cycle)
{
  const bristle_coulomb p = { 1, 0 };
  bristle_rig rig = { .kind = BRISTLE_RIG_AXIS };
  rig.as.axis = (bristle_axis){
    .mass = 1, .stiffness = 4, .x = 3.2, .contact = { .law = bristle_law_find("coulomb"), .p = (const double *)&p }
  };
  const double half = acos(-1.0) / 2;
  for (int k = 1; k <= 6; k++) {
    bristle_sim_stats stats;
    const seen s = run(&rig, (bristle_sim_options){ .end = k * half }, &stats);
    CHECK_ABS(s.x, (k % 2 ? -1 : 1) * (3.2 - 0.5 * k), 1e-7);
    CHECK_ABS(s.v, 0, 1e-6);
  }
  bristle_sim_stats stats;
  const seen rest = run(&rig, (bristle_sim_options){ .end = 40 }, &stats);
  CHECK_ABS(rest.x, 0.2, 1e-7); /* 3.2 - 6*0.5, and 4*0.2 < fc */
  CHECK_ABS(rest.v, 0, 0);
}

/* C9 with the static level of a Stribeck law that falls within nothing */
TEST(rigid_stick_slip_has_its_closed_form_period)
{
  bristle_stribeck p = bristle_stribeck_default();
  p.fc = 1;
  p.fs = 1.5;
  p.vs = 1e-9;
  p.sigma2 = 0;
  const bristle_rig rig = spring_pull("stribeck", (const double *)&p);
  bristle_sim_stats stats;
  const seen s = run(&rig, (bristle_sim_options){ .end = 40, .output = 1e-3 }, &stats);
  CHECK(s.slips >= 3, "%d slips", s.slips);
  CHECK_ABS(s.slip_at[2] - s.slip_at[1], 7.611259, 2e-6);
  CHECK_ABS(s.fastest, 0.467423, 2e-6);
}

TEST(gms_stick_slip_repeats_with_the_period_of_its_limit_cycle)
{
  const bristle_gms p = bristle_gms_default();
  const bristle_rig rig = spring_pull("gms", (const double *)&p);
  bristle_sim_stats stats;
  const seen s = run(&rig, (bristle_sim_options){ .end = 12, .output = 1e-3, .rtol = 1e-7 }, &stats);
  CHECK_ABS(s.fastest, 0.3839, 1e-3);
}
