/* Prescribed motion to nine digits, whatever the sampling: every law against a plain walk in very many steps.
 *
 * The walk shares only the law's own step with the solver: no extrapolation in h^2, no error estimate. Where a flag
 * changes it is repeated in ever finer steps; three walks with 1, 2 and 4 times as many steps are extrapolated. */
#include "lab/sim.h"
#include "support/test.h"

enum { MOST = 32 };

typedef struct motion {
  const char *name;
  int count;
  double pace; /* time between samples */
  double v[MOST], n[MOST];
  bristle_load load;
} motion;

typedef struct walker {
  const bristle_law *law;
  const double *p;
  bristle_load load;
  double z[BRISTLE_LAW_SIZE], x;
  double clock, spacing; /* time so far; between entries of a delay line, 0 without one */
} walker;

typedef struct ends { /* of a stretch on which velocity and load are straight lines */
  double v[2], n[2];
} ends;

static ends part(const ends *e, double from, double to)
{
  const double dv = e->v[1] - e->v[0], dn = e->n[1] - e->n[0];
  return (ends){ { e->v[0] + dv * from, e->v[0] + dv * to }, { e->n[0] + dn * from, e->n[0] + dn * to } };
}

static void show(const walker *w, double v, double n, double h, double *z)
{
  const bristle_input in = { .v = v, .x = w->x, .n = n, .h = h, .load = w->load };
  w->law->f64->step(w->p, z, &in, NULL);
}

static int flags_differ(const bristle_info *info, const double *a, const double *b)
{
  for (int r = 0; r < info->state_rows; r++) {
    const bristle_row *row = &info->state[r];
    if (row->kind != BRISTLE_ROW_JUMP || strcmp(row->unit, "1")) continue;
    for (int k = row->first; k < row->first + row->count; k++)
      if (fabs(a[k] - b[k]) > 0.5) return 1;
  }
  return 0;
}

/* one step, in parts where a flag changes in it or at its end */
static void stride(walker *w, const ends *e, double h)
{
  const bristle_info *info = w->law->f64->info;
  double before[BRISTLE_LAW_SIZE], after[BRISTLE_LAW_SIZE];
  memcpy(before, w->z, sizeof before);
  show(w, 0.5 * (e->v[0] + e->v[1]), 0.5 * (e->n[0] + e->n[1]), h, w->z);
  memcpy(after, w->z, sizeof after);
  show(w, e->v[1], e->n[1], 1e-20, after);
  if (h > 1e-14 && (flags_differ(info, before, w->z) || flags_differ(info, before, after))) {
    memcpy(w->z, before, sizeof before);
    for (int i = 0; i < 8; i++) {
      const ends eighth = part(e, i / 8.0, (i + 1) / 8.0);
      stride(w, &eighth, h / 8);
    }
    return;
  }
  w->x += 0.5 * (e->v[0] + e->v[1]) * h;
}

static void strides(walker *w, const ends *e, double length, double pace)
{
  const int count = (int)ceil(length / pace);
  for (int i = 0; i < count; i++) {
    const ends one = part(e, (double)i / count, (i + 1.0) / count);
    stride(w, &one, length / count);
  }
}

/* A delay line keeps the velocity of the step that an entry falls into: such steps are made short. */
static void stretch(walker *w, const ends *e, double length, double pace)
{
  double at = 0;
  while (w->spacing > 0) {
    const double due = (floor((w->clock + at) / w->spacing + 1e-7) + 1) * w->spacing - w->clock,
                 near = 1e-9 * w->spacing;
    if (due + near >= length) break;
    const ends up = part(e, at / length, (due - near) / length),
               over = part(e, (due - near) / length, (due + near) / length);
    strides(w, &up, due - near - at, pace);
    stride(w, &over, 2 * near);
    at = due + near;
  }
  const ends rest = part(e, at / length, 1);
  strides(w, &rest, length - at, pace);
  w->clock += length;
}

static void walk(const bristle_law *law, const double *p, const motion *m, double pace, double *force)
{
  const bristle_info *info = law->f64->info;
  const bristle_row *delay = bristle_param_find(info, "tau_l");
  walker w = { .law = law, .p = p, .load = m->load, .spacing = delay ? p[delay->first] / 15 : 0 };
  for (int i = 0; i < m->count; i++) {
    const int side = i < m->count - 1 ? i : i - 1; /* of the corner that a sample is */
    double z[BRISTLE_LAW_SIZE], rates[BRISTLE_LAW_SIZE];
    memcpy(z, w.z, sizeof z);
    if (i) show(&w, m->v[i], m->n[i], 1e-20, z);
    const bristle_input in = {
      .v = m->v[i], .x = w.x, .n = m->n[i], .a = (m->v[side + 1] - m->v[side]) / m->pace, .load = m->load
    };
    force[i] = law->f64->eval(p, z, &in, rates);
    if (i == m->count - 1) return;
    const ends e = { { m->v[i], m->v[i + 1] }, { m->n[i], m->n[i + 1] } };
    const double turn = e.v[0] * e.v[1] < 0 ? e.v[0] / (e.v[0] - e.v[1]) : 1;
    ends first = part(&e, 0, turn), second = part(&e, turn, 1);
    if (turn < 1) first.v[1] = second.v[0] = 0;
    stretch(&w, &first, m->pace * turn, pace);
    if (turn < 1) stretch(&w, &second, m->pace * (1 - turn), pace);
  }
}

typedef struct rows {
  int count;
  double force[MOST];
} rows;

static int keep(void *context, const double *row)
{
  rows *r = context;
  r->force[r->count++] = row[3];
  return 0;
}

static rows drive(const bristle_law *law, const double *p, const motion *m)
{
  double t[MOST];
  rows r = { 0 };
  for (int i = 0; i < m->count; i++) t[i] = m->pace * i;
  bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN };
  rig.as.driven = (bristle_driven){ .motion = { .count = (size_t)m->count, .t = t, .y = m->v },
                                    .velocity = 1,
                                    .load = { .count = (size_t)m->count, .t = t, .y = m->n },
                                    .contact = { .law = law, .p = p, .load = m->load } };
  const bristle_sim_options options = {
    .end = t[m->count - 1], .times = t, .time_count = (size_t)m->count, .rtol = 1e-10
  };
  const bristle_sim_sink sink = { .context = &r, .row = keep };
  bristle_sim_error error = { 0 };
  const bristle_sim_status status = bristle_simulate(&rig, &options, &sink, NULL, &error);
  CHECK(status == BRISTLE_SIM_OK && r.count == m->count, "%s, %s: %s", law->name, m->name, error.what);
  return r;
}

static motion make_motion(const char *name)
{
  motion m = { .name = name, .count = 21, .pace = 0.01 };
  const int rests = !strcmp(name, "rests"), coarse = !strcmp(name, "coarse"), fast = !strcmp(name, "fast");
  if (coarse) m.count = 7, m.pace = 0.05;
  if (fast) m.pace = 5e-4;
  for (int i = 0; i < m.count; i++) {
    m.v[i] = 2e-3 * sin(0.63 * i) + 8e-4 * sin(1.9 * i);
    if (rests && (i % 7 < 2 || i == 10 || (i > 15 && i < 19))) m.v[i] = 0; /* restarts either way */
    if (coarse) m.v[i] = 3e-3 * cos(2.3 * i * i);
    if (fast) m.v[i] = 0.2 * sin(0.6 * i) + 0.003;
    m.n[i] = !strcmp(name, "load") ? 1 + 0.5 * sin(0.8 * i) : 1;
  }
  m.load = !strcmp(name, "load") ? BRISTLE_LOAD_COEFFICIENT : BRISTLE_LOAD_FORCE;
  return m;
}

static void compare(const bristle_law *law, const motion *m)
{
  double p[BRISTLE_LAW_SIZE], force[3][MOST], most = 0, worst = 0;
  int at = 0;
  bristle_defaults(law->f64->info, p);
  const rows r = drive(law, p, m);
  /* where a level with a delay rises faster than the spring, the walk converges slowly */
  const double fine = bristle_param_find(law->f64->info, "tau_l") ? 32000 : getenv("BRISTLE_LONG") ? 16000 : 8000;
  const double pace = law->f64->info->nstate ? m->pace / fine : m->pace;
  for (int k = 0; k < 3; k++) walk(law, p, m, pace / (1 << k), force[k]);
  for (int i = 0; i < m->count; i++) {
    /* cancels errors in h and in h^2 */
    const double f = force[0][i] / 3 - 2 * force[1][i] + 8 * force[2][i] / 3, miss = fabs(r.force[i] - f);
    most = fmax(most, fabs(f));
    if (!(miss <= worst)) worst = miss, at = i;
  }
  CHECK(worst <= 1e-9 * most, "%s, %s: F is off by %.1e of the largest at sample %d", law->name, m->name, worst / most,
        at);
}

TEST(driven_laws_are_right_to_nine_digits)
{
  static const char *const corners[] = {
    "gms", "armstrong", "gonthier", "elasto_plastic", "reset_integrator", "lugre"
  };
  static const char *const motions[] = { "smooth", "rests", "coarse", "fast", "load" };
  for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
    const motion m = make_motion(motions[k]);
    for (int i = 0; test_is_long() && i < bristle_law_count(); i++) compare(bristle_law_at(i), &m);
    for (size_t i = k; !test_is_long() && i < sizeof corners / sizeof *corners; i += sizeof motions / sizeof *motions)
      compare(bristle_law_find(corners[i]), &m);
  }
}

/* ---- beside Runge-Kutta on the law's rates, which knows nothing of its step ---- */

enum { SUBSTEPS = 8000 };

/* velocity after a part of a stretch, on the side of zero where the stretch lies */
static double speed_within(const ends *e, double part_of_it)
{
  const double v = e->v[0] + (e->v[1] - e->v[0]) * part_of_it, side = e->v[0] + e->v[1];
  return v * side > 0 ? v : copysign(1e-300, side);
}

static void rates_at(const walker *w, const ends *e, double part_of_it, double length, const double *z, double *rates)
{
  const double v = speed_within(e, part_of_it);
  const bristle_input in = {
    .v = v, .x = w->x + part_of_it * length * 0.5 * (e->v[0] + v), .n = e->n[0], .load = w->load
  };
  w->law->f64->eval(w->p, z, &in, rates);
}

static void runge_kutta(walker *w, const ends *e, double length)
{
  static const double node[] = { 0, 0.5, 0.5, 1 }, weight[] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };
  const int states = w->law->f64->info->nstate;
  const double h = length / SUBSTEPS;
  for (int k = 0; k < SUBSTEPS; k++) {
    double rates[BRISTLE_LAW_SIZE] = { 0 }, z[BRISTLE_LAW_SIZE], sum[BRISTLE_LAW_SIZE] = { 0 };
    for (int stage = 0; stage < 4; stage++) {
      for (int j = 0; j < states; j++) z[j] = w->z[j] + h * node[stage] * rates[j];
      rates_at(w, e, (k + node[stage]) / SUBSTEPS, length, z, rates);
      for (int j = 0; j < states; j++) sum[j] += weight[stage] * rates[j];
    }
    for (int j = 0; j < states; j++) w->z[j] += h * sum[j];
  }
  w->x += 0.5 * (e->v[0] + e->v[1]) * length;
}

TEST(driven_laws_follow_their_rates)
{
  static const char *const flowing[] = { "lugre",    "lugre_bounded", "elasto_plastic", "dahl",
                                         "gonthier", "bouc_wen",      "bliman_sorine" };
  const motion m = make_motion("smooth");
  for (size_t k = 0; k < sizeof flowing / sizeof *flowing; k++) {
    double p[BRISTLE_LAW_SIZE], rates[BRISTLE_LAW_SIZE], worst = 0, most = 0;
    const bristle_law *law = bristle_law_find(flowing[k]);
    bristle_defaults(law->f64->info, p);
    const rows r = drive(law, p, &m);
    walker w = { .law = law, .p = p, .load = m.load };
    for (int i = 1; i < m.count; i++) {
      const ends e = { { m.v[i - 1], m.v[i] }, { m.n[i - 1], m.n[i] } };
      const double turn = e.v[0] * e.v[1] < 0 ? e.v[0] / (e.v[0] - e.v[1]) : 1;
      const ends there = part(&e, 0, turn), back = part(&e, turn, 1);
      runge_kutta(&w, &there, turn * m.pace);
      if (turn < 1) runge_kutta(&w, &back, (1 - turn) * m.pace);
      const bristle_input in = { .v = m.v[i], .x = w.x, .n = m.n[i], .load = m.load };
      const double force = law->f64->eval(p, w.z, &in, rates);
      worst = fmax(worst, fabs(force - r.force[i]));
      most = fmax(most, fabs(force));
    }
    CHECK(worst <= 1e-9 * most, "%s: F is off by %.1e of the largest", law->name, worst / most);
  }
}

/* The same samples of 1 ms, at once and after a rest of 1000 s: absolute time has few digits left there. */
TEST(driven_samples_late_in_a_run_are_as_good_as_early_ones)
{
  enum { COUNT = 24 };
  double t[COUNT + 1], v[COUNT + 1], p[BRISTLE_LAW_SIZE];
  rows early = { 0 }, late = { 0 };
  const bristle_law *law = bristle_law_find("lugre");
  bristle_defaults(law->f64->info, p);
  for (int k = 0; k < 2; k++) {
    rows *r = k ? &late : &early;
    t[0] = v[0] = 0;
    for (int i = 1; i <= COUNT; i++) {
      t[i] = (k ? 1000 : 1) + 1e-3 * (i - 1);
      v[i] = i == 1 ? 0 : 0.1 * cos(2.3 * i * i);
    }
    bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN };
    rig.as.driven = (bristle_driven){ .motion = { .count = COUNT + 1, .t = t, .y = v },
                                      .velocity = 1,
                                      .load = { .offset = 1 },
                                      .contact = { .law = law, .p = p } };
    const bristle_sim_options options = {
      .end = t[COUNT], .times = t, .time_count = COUNT + 1, .rtol = 1e-10, .most_steps = 20000
    };
    const bristle_sim_sink sink = { .context = r, .row = keep };
    bristle_sim_error error = { 0 };
    const bristle_sim_status status = bristle_simulate(&rig, &options, &sink, NULL, &error);
    CHECK(status == BRISTLE_SIM_OK, "after %g s: %s", t[1], error.what);
  }
  for (int i = 0; i < late.count; i++) CHECK_ABS(late.force[i], early.force[i], 1e-7);
}
