/* Ensembles: each body is its own coupled steps, whatever the company; the rigs they stand for come out. */
#include "bristle/ensemble.h"
#include "support/law.h"

enum { BODIES = 150, STEPS = 400 }; /* more than one stretch of bodies */

static double place[30000], speed[30000], push[30000];

typedef struct group {
  double p[MAX_PARAM * BODIES], s[MAX_STATE * BODIES], n[BODIES], body[BRISTLE_BODY_ROWS * BODIES];
  double x[BODIES], v[BODIES], f[BODIES], tally[BRISTLE_TALLY_ROWS * BODIES];
} group;

static void write_program(int steps, double h)
{
  for (int k = 0; k < steps; k++) {
    const double t = h * (k + 1);
    place[k] = 0.1 * t, speed[k] = 0.1 * sin(7 * t), push[k] = 2 * sin(5 * t);
  }
}

static void fill(group *g, const contact *c)
{
  memset(g, 0, sizeof *g);
  for (int i = 0; i < BODIES; i++) {
    for (int j = 0; j < c->model->info->nparam; j++) g->p[j * BODIES + i] = c->p[j] * (j < 3 ? 1 + 0.002 * i : 1);
    const double row[BRISTLE_BODY_ROWS] = { 1 + 0.01 * i,    i % 3 ? 20 : 0, 0.1 * (i % 4), i % 5 ? 0 : 0.05,
                                            i % 7 ? 0 : 1.5, 0.01 * i - 0.7, 0.5 + 0.01 * i };
    for (int r = 0; r < BRISTLE_BODY_ROWS; r++) g->body[r * BODIES + i] = row[r];
    g->n[i] = 0.5 + 0.01 * i;
    g->x[i] = 1e-3 * i;
    g->tally[BRISTLE_TALLY_F_LEAST * BODIES + i] = g->tally[BRISTLE_TALLY_V_LEAST * BODIES + i] = 1e300;
    g->tally[BRISTLE_TALLY_F_MOST * BODIES + i] = g->tally[BRISTLE_TALLY_V_MOST * BODIES + i] = -1e300;
  }
}

static bristle_ensemble ensemble_of(group *g, const contact *c, int driven)
{
  return (bristle_ensemble){ .count = BODIES,
                             .p = g->p,
                             .per_contact = 1,
                             .load = c->load,
                             .n = g->n,
                             .body = g->body,
                             .per_body = 1,
                             .driven = driven,
                             .place = place,
                             .speed = speed,
                             .force = push,
                             .h = 1e-3,
                             .steps = STEPS,
                             .x = g->x,
                             .v = g->v,
                             .s = g->s,
                             .f = g->f,
                             .tally = g->tally };
}

/* one body by hand, from the equations at the head of ensemble.h; its end goes to x and v, the work of its contact to
 * *work */
static void by_hand(const contact *c, const group *g, int at, int driven, double *x, double *v, double *work)
{
  const double h = 1e-3, *row = g->body + at;
  const double m = row[0], k = row[BODIES], d = row[2 * BODIES], belt = row[3 * BODIES], weight = row[4 * BODIES];
  const double force = row[5 * BODIES], amplitude = row[6 * BODIES];
  double p[MAX_PARAM], s[MAX_STATE] = { 0 }, f, u;
  for (int j = 0; j < c->model->info->nparam; j++) p[j] = g->p[j * BODIES + at];
  *work = 0;
  for (int i = 0; i < STEPS; i++) {
    bristle_input in = { .n = g->n[at], .h = h, .load = c->load, .x = *x };
    if (driven) {
      in.v = amplitude * speed[i];
    } else {
      /* m (w - v)/h = k (y - x - h w) + d (dy - w) + pushes, for w */
      const double pushes = force + amplitude * push[i] - weight * sin(*x);
      in.v = (m * *v / h + k * (amplitude * place[i] - *x) + d * amplitude * speed[i] + pushes) / (m / h + d + h * k)
             - belt;
      in.w = 1 / (m / h + d + h * k);
      in.x = *x - belt * h * i;
    }
    f = c->model->step(p, s, &in, &u);
    *v = driven ? u : u + belt;
    *x += h * *v;
    *work += f * u * h;
  }
}

/* what the tally says of sliding: the modes that the law gives along the same steps */
TEST(tallies_of_an_ensemble_count_slips)
{
  const contact c = contact_of("lugre");
  enum { MANY = 20000 };
  const double h = 1e-3;
  double body[BRISTLE_BODY_ROWS] = { 1, 2, 0, 0, 0, 0, 0.1 }, x = 0, v = 0, tally[BRISTLE_TALLY_ROWS] = { 0 };
  double s[1] = { 0 }, z[1] = { 0 }, y = 0, u = 0, first = 0, last = 0, slips = 0;
  int before = 0;
  for (int k = 0; k < MANY; k++) place[k] = h * (k + 1), speed[k] = 1;
  for (int part = 0; part < 2; part++) { /* in two marches: the second knows what the first ended with */
    const bristle_ensemble e = { .count = 1,
                                 .p = c.p,
                                 .load = c.load,
                                 .body = body,
                                 .place = place + part * MANY / 2,
                                 .speed = speed,
                                 .h = h,
                                 .t = h * (part * MANY / 2),
                                 .steps = MANY / 2,
                                 .x = &x,
                                 .v = &v,
                                 .s = s,
                                 .tally = tally };
    bristle_ensemble_march(c.law, &e);
  }
  for (int k = 0; k < MANY; k++) {
    const double slack = 1 / (1 + h * h * 2), free = (u + h * (2 * (0.1 * place[k] - y))) * slack;
    bristle_input in = { .v = free, .w = h * slack, .n = 1, .h = h, .load = c.load, .x = y };
    c.model->step(c.p, z, &in, &u);
    y += h * u;
    in.v = u;
    const int now = c.model->mode(c.p, z, &in) == BRISTLE_MODE_SLIDING;
    if (now && !before && !slips++) first = k + 1;
    if (now && !before) last = k + 1;
    before = now;
  }
  CHECK(slips > 2, "%g slips", slips);
  CHECK(tally[BRISTLE_TALLY_SLIPS] == slips, "%g slips, expected %g", tally[BRISTLE_TALLY_SLIPS], slips);
  CHECK_ABS(tally[BRISTLE_TALLY_SLIP_FIRST], first, 0);
  CHECK_ABS(tally[BRISTLE_TALLY_SLIP_LAST], last, 0);
  CHECK_ABS(tally[BRISTLE_TALLY_STEPS], MANY, 0);
}

static void check_by_hand(const char *law, int driven)
{
  const contact c = contact_of(law);
  static group start, end;
  write_program(STEPS, 1e-3);
  fill(&start, &c);
  end = start;
  const bristle_ensemble e = ensemble_of(&end, &c, driven);
  bristle_ensemble_march(c.law, &e);
  for (int i = 0; i < BODIES; i++) {
    double x = start.x[i], v = 0, work;
    by_hand(&c, &start, i, driven, &x, &v, &work);
    CHECK_ABS(end.x[i], x, 1e-9);
    CHECK_ABS(end.v[i], v, 1e-8);
    CHECK_ABS(end.tally[BRISTLE_TALLY_WORK * BODIES + i], work, 1e-8);
    CHECK(end.tally[BRISTLE_TALLY_V_LEAST * BODIES + i] <= end.v[i]
              && end.v[i] <= end.tally[BRISTLE_TALLY_V_MOST * BODIES + i],
          "body %d", i);
  }
}

TEST(each_body_of_an_ensemble_is_its_own_coupled_steps)
{
  static const char *const laws[] = { "coulomb", "dahl", "lugre", "gms", "tanh" };
  for (int k = 0; k < 5; k++) check_by_hand(laws[k], 0), check_by_hand(laws[k], 1);
}

/* alone, in company and in two marches: the same bits */
TEST(an_ensemble_may_be_divided_at_will)
{
  const contact c = contact_of("lugre");
  static group whole, parts;
  write_program(STEPS, 1e-3);
  fill(&whole, &c);
  parts = whole;
  bristle_ensemble e = ensemble_of(&whole, &c, 0);
  bristle_ensemble_march(c.law, &e);
  e = ensemble_of(&parts, &c, 0);
  e.steps = 150;
  bristle_ensemble_march(c.law, &e);
  e.place += 150, e.speed += 150, e.force += 150, e.steps = STEPS - 150, e.t = 150 * 1e-3;
  bristle_ensemble_march(c.law, &e);
  CHECK(memcmp(whole.x, parts.x, sizeof whole.x) == 0 && memcmp(whole.v, parts.v, sizeof whole.v) == 0, "x or v");
  CHECK(memcmp(whole.s, parts.s, sizeof whole.s) == 0 && memcmp(whole.tally, parts.tally, sizeof whole.tally) == 0,
        "s or tally");
}

/* the stick-slip rig of 1995 at 1 ms: the slips come every 6.36 s, to first order in the step */
TEST(an_ensemble_sticks_and_slips_like_the_rig_of_1995)
{
  const contact c = contact_1995("lugre");
  double body[BRISTLE_BODY_ROWS] = { 1, 2, 0, 0, 0, 0, 1 }, x = 0, v = 0, s = 0, slips[4];
  int found = 0;
  write_program(30000, 1e-3); /* pulled at 0.1 m/s */
  bristle_ensemble e = {
    .count = 1, .p = c.p, .load = c.load, .body = body, .h = 1e-3, .steps = 1, .x = &x, .v = &v, .s = &s
  };
  for (int k = 0; k < 30000 && found < 4; k++) {
    const double before = v;
    e.place = place + k;
    bristle_ensemble_march(c.law, &e);
    if (before < 0.05 && v >= 0.05) slips[found++] = 1e-3 * (k + 1);
  }
  CHECK(found >= 3, "%d slips", found);
  if (found >= 3) CHECK_NEAR(slips[2] - slips[1], 6.36272, 3e-3);
}

TEST(ensembles_of_floats_follow_those_of_doubles)
{
  const contact c = contact_1995("lugre");
  float p[MAX_PARAM], body[BRISTLE_BODY_ROWS] = { 1, 2, 0.5f, 0, 0.2f, 0.3f, 1 }, x = 0, v = 0, s = 0, force[STEPS];
  double body64[BRISTLE_BODY_ROWS], x64 = 0, v64 = 0, s64 = 0;
  write_program(STEPS, 1e-3);
  for (int j = 0; j < c.model->info->nparam; j++) p[j] = (float)c.p[j];
  for (int r = 0; r < BRISTLE_BODY_ROWS; r++) body64[r] = (double)body[r];
  for (int k = 0; k < STEPS; k++) force[k] = (float)push[k];
  const bristle_ensemble_f32 e = { .count = 1,
                                   .p = p,
                                   .load = c.load,
                                   .body = body,
                                   .force = force,
                                   .h = 1e-3f,
                                   .steps = STEPS,
                                   .x = &x,
                                   .v = &v,
                                   .s = &s };
  const bristle_ensemble e64 = { .count = 1,
                                 .p = c.p,
                                 .load = c.load,
                                 .body = body64,
                                 .force = push,
                                 .h = 1e-3,
                                 .steps = STEPS,
                                 .x = &x64,
                                 .v = &v64,
                                 .s = &s64 };
  bristle_ensemble_march_f32(c.law, &e);
  bristle_ensemble_march(c.law, &e64);
  CHECK(fabs(x64) > 1e-3, "it did not move: %g", x64);
  CHECK_ABS((double)x, x64, 1e-4 * fabs(x64));
}
