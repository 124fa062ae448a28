/* The engine `ensemble` of a sweep: bodies with one contact each go through fixed coupled steps side by side, many runs
 * at a time (bristle/ensemble.h), here or on another device. Bodies do not know of each other, so bytes do not depend
 * on how runs are divided. */
#include "sweep/sweep.h"

#include "bristle/ensemble.h"
#include "fit/common/parallel.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { GROUP = 16384, SHARE = 256, KINDS = 256 }; /* runs together; of them on one thread; kinds of contacts at most */

/* One run: the body that its scenario is. */
typedef struct cell {
  const bristle_law *law; /* NULL: the run has ended already, by being refused */
  bristle_load load;
  double n, x, v, body[BRISTLE_BODY_ROWS];
  double p[BRISTLE_LAW_SIZE], z[BRISTLE_LAW_SIZE];
  double *row; /* where its quantities go */
} cell;

/* ---- scenarios that are bodies ---- */

/* a straight line from t = 0 to the end */
static int is_ramp(const bristle_program *program, double end, double *value, double *rate)
{
  const bristle_piece piece = bristle_program_piece(program, 0);
  *value = bristle_program_value(program, &piece, 0, rate);
  return program->kind == BRISTLE_PROGRAM_KNOTS && piece.end >= end * (1 - 1e-12);
}

static int is_constant(const bristle_program *program, double end, double *value)
{
  double rate;
  return is_ramp(program, end, value, &rate) && rate == 0;
}

static int is_registered(const bristle_law *law)
{
  int i = 0;
  while (i < bristle_law_count() && bristle_law_at(i) != law) i++;
  return i < bristle_law_count();
}

const char *sweep_march_suits(const bristle_scenario *scenario)
{
  const bristle_axis *a = &scenario->rig.as.axis;
  const double end = scenario->options.end, step = scenario->options.step;
  double value, rate = 0, drive = 0;
  if (scenario->rig.driver || scenario->rig.kind != BRISTLE_RIG_AXIS)
    return "it has the rigs mass, spring-pull, belt, servo and pendulum";
  if (scenario->options.method != BRISTLE_METHOD_COUPLED)
    return "it goes in fixed steps: write solver: {method: coupled, step: 1 ms}";
  if (fabs(end / step - floor(end / step + 0.5)) > 1e-9) return "time.end is a whole number of steps";
  if (!is_registered(a->contact.law)) return "it has no laws with skews";
  if (a->ki != 0 || a->limit > 0 || a->observer) return "controllers have kp and kd only, without a limit";
  if (a->stiffness > 0 && a->kp != 0) return "there is one spring: a stiffness or kp";
  if (a->kp < 0 || a->kd < 0) return "gains may not be negative";
  if (!is_constant(&a->force, end, &value) || !is_constant(&a->base, end, &value)
      || !is_constant(&a->load, end, &value))
    return "force, belt and load are constant";
  if (!is_ramp(&a->anchor, end, &value, &rate) || !is_ramp(&a->target, end, &value, &drive))
    return "spring and target are at rest or move steadily";
  if (a->drag > 0 && (rate != 0 || drive != 0)) return "with a motor the target is at rest";
  return NULL;
}

static void take_body(const bristle_scenario *scenario, cell *c)
{
  const bristle_axis *a = &scenario->rig.as.axis;
  const bristle_info *info = a->contact.law->f64->info;
  const double end = scenario->options.end, gain = a->gain > 0 ? a->gain : 1;
  const int controlled = !(a->stiffness > 0) && (a->kp != 0 || a->kd != 0);
  double at, rate, push, base, load;
  is_ramp(controlled ? &a->target : &a->anchor, end, &at, &rate);
  is_constant(&a->force, end, &push);
  is_constant(&a->base, end, &base);
  is_constant(&a->load, end, &load);
  const double stiffness = controlled ? gain * a->kp : a->stiffness;
  c->law = a->contact.law, c->load = a->contact.load;
  c->n = load, c->x = a->x, c->v = a->v;
  c->body[BRISTLE_BODY_MASS] = a->mass;
  c->body[BRISTLE_BODY_STIFFNESS] = stiffness;
  c->body[BRISTLE_BODY_DAMPING] = (controlled ? gain * a->kd : a->damping) + a->drag;
  c->body[BRISTLE_BODY_BELT] = base;
  c->body[BRISTLE_BODY_WEIGHT] = a->gravity;
  c->body[BRISTLE_BODY_FORCE] = gain * push + stiffness * at;
  c->body[BRISTLE_BODY_AMPLITUDE] = rate;
  memcpy(c->p, a->contact.p, (size_t)info->nparam * sizeof *c->p);
  memcpy(c->z, a->z, (size_t)info->nstate * sizeof *c->z);
}

/* ---- quantities ---- */

static const char *const known = "end.x, end.v, end.F, min.v, max.v, min.F, max.F, stick_slip, period, slips, steps, "
                                 "energy.friction";

static int row_of(const sweep_quantity *q)
{
  const int is_v = !strcmp(q->column, "v"), is_f = !strcmp(q->column, "F");
  if (q->measure == MEASURE_LEAST && is_v) return BRISTLE_TALLY_V_LEAST;
  if (q->measure == MEASURE_MOST && is_v) return BRISTLE_TALLY_V_MOST;
  if (q->measure == MEASURE_LEAST && is_f) return BRISTLE_TALLY_F_LEAST;
  if (q->measure == MEASURE_MOST && is_f) return BRISTLE_TALLY_F_MOST;
  return -1;
}

static int is_known(const sweep_quantity *q)
{
  switch (q->measure) {
  case MEASURE_END:
    return !strcmp(q->column, "x") || !strcmp(q->column, "v") || !strcmp(q->column, "F");
  case MEASURE_EVENTS:
    return q->event == BRISTLE_EVENT_SLIP;
  case MEASURE_ENERGY:
    return q->offset == offsetof(bristle_sim_stats, friction);
  case MEASURE_PERIOD:
  case MEASURE_STICK_SLIP:
  case MEASURE_STEPS:
    return 1;
  default:
    return row_of(q) >= 0;
  }
}

bristle_fault_kind sweep_march_check(const bristle_sweep *s, const bristle_node *engine, bristle_fault *fault)
{
  const struct sweep_inside *in = s->inside;
  const char *why = sweep_march_suits(in->base);
  for (int i = 0; i < in->keys; i++)
    if (strstr(in->key[i].path, "time.") || strstr(in->key[i].path, "solver."))
      return bristle_node_fault(engine, fault, "remove the key, or the engine",
                                "all runs of the engine 'ensemble' have the same steps, but '%.60s' is a key",
                                in->key[i].name);
  if (why) return bristle_node_fault(engine, fault, why, "the engine 'ensemble' cannot run this scenario");
  if (in->base->options.end / in->base->options.step > (double)in->most_steps)
    return bristle_node_fault(engine, fault, "raise `steps`, or choose longer ones",
                              "the runs have %.0f steps, at most %zu", in->base->options.end / in->base->options.step,
                              in->most_steps);
  if (in->serieses) return bristle_node_fault(engine, fault, known, "the engine 'ensemble' gives no series");
  for (int i = 0; i < in->quantities; i++)
    if (!is_known(&in->quantity[i]))
      return bristle_node_fault(engine, fault, known, "the engine 'ensemble' does not give '%.40s'",
                                s->column[s->columns - (size_t)in->quantities + (size_t)i].name);
  return BRISTLE_FAULT_NONE;
}

/* ---- marching ---- */

/* runs of one law side by side */
typedef struct pack {
  double *p, *s, *n, *body, *x, *v, *f, *tally;
} pack;

typedef struct group {
  bristle_sweep *s;
  const bristle_sweep_options *options;
  unsigned long long first; /* run */
  double *rows;
  size_t count, next;
  cell *cells;
  size_t *order; /* cells of one law and load form, one kind after the other */
  const double *place, *speed;
  size_t steps, before; /* all, and those before `after` */
  int failed;           /* 1: no memory, 2: the device, */
  char *why;            /* as it says */
  parallel_lock lock;
} group;

/* As rows of a simulation have it: what the law says of the states at the end. The force that moved the body over the
   last step is another one while bristles bend. */
static double end_force(const group *g, const cell *c, const pack *k, size_t count, size_t i)
{
  const bristle_model *law = c->law->f64;
  const double *b = c->body, t = (double)g->steps * g->s->inside->base->options.step, x = k->x[i], v = k->v[i];
  double s[BRISTLE_LAW_SIZE], rate[BRISTLE_LAW_SIZE];
  for (int r = 0; r < law->info->nstate; r++) s[r] = k->s[(size_t)r * count + i];
  const double pull = b[BRISTLE_BODY_STIFFNESS] * (b[BRISTLE_BODY_AMPLITUDE] * t - x)
                      + b[BRISTLE_BODY_DAMPING] * (b[BRISTLE_BODY_AMPLITUDE] - v);
  const double push = b[BRISTLE_BODY_FORCE] + pull
                      - (b[BRISTLE_BODY_WEIGHT] != 0 ? b[BRISTLE_BODY_WEIGHT] * sin(x) : 0);
  bristle_input at = {
    .v = v - b[BRISTLE_BODY_BELT], .x = x - b[BRISTLE_BODY_BELT] * t, .n = c->n, .f = push, .load = c->load
  };
  at.a = (push - law->eval(c->p, s, &at, rate)) / b[BRISTLE_BODY_MASS]; /* some laws ask whether it speeds up */
  return law->eval(c->p, s, &at, rate);
}

static double settle(const group *g, const sweep_quantity *q, const pack *k, size_t count, size_t i, const cell *c,
                     double work)
{
  const double *tally = k->tally + i, slips = tally[BRISTLE_TALLY_SLIPS * count];
  switch (q->measure) {
  case MEASURE_END:
    return q->column[0] == 'x' ? k->x[i] : q->column[0] == 'v' ? k->v[i] : end_force(g, c, k, count, i);
  case MEASURE_EVENTS:
    return slips;
  case MEASURE_STICK_SLIP:
    return sweep_stick_slip(slips, tally[BRISTLE_TALLY_SLIDES * count] > 0);
  case MEASURE_PERIOD:
    return slips > 1 ? (tally[BRISTLE_TALLY_SLIP_LAST * count] - tally[BRISTLE_TALLY_SLIP_FIRST * count]) / (slips - 1)
                           * g->s->inside->base->options.step
                     : (double)NAN;
  case MEASURE_STEPS:
    return (double)g->steps;
  case MEASURE_ENERGY:
    return work + tally[BRISTLE_TALLY_WORK * count];
  default:
    return tally[(size_t)row_of(q) * count];
  }
}

/* a tally anew, but for what the contacts are doing */
static void begin_tally(pack *k, size_t count)
{
  for (size_t i = 0; i < count; i++)
    for (int r = 0; r < BRISTLE_TALLY_ROWS; r++)
      if (r != BRISTLE_TALLY_SLIDES)
        k->tally[(size_t)r * count + i] = r == BRISTLE_TALLY_F_LEAST || r == BRISTLE_TALLY_V_LEAST ? 1e300
                                          : r == BRISTLE_TALLY_F_MOST || r == BRISTLE_TALLY_V_MOST ? -1e300
                                                                                                   : 0;
}

static void fill(const group *g, const size_t *order, size_t count, pack *k)
{
  const bristle_info *info = g->cells[order[0]].law->f64->info;
  for (size_t i = 0; i < count; i++) {
    const cell *c = &g->cells[order[i]];
    for (int r = 0; r < info->nparam; r++) k->p[(size_t)r * count + i] = c->p[r];
    for (int r = 0; r < info->nstate; r++) k->s[(size_t)r * count + i] = c->z[r];
    for (int r = 0; r < BRISTLE_BODY_ROWS; r++) k->body[(size_t)r * count + i] = c->body[r];
    k->n[i] = c->n, k->x[i] = c->x, k->v[i] = c->v, k->f[i] = 0;
    k->tally[BRISTLE_TALLY_SLIDES * count + i] = 0;
  }
}

static int march(group *g, const cell *like, const bristle_ensemble *e)
{
  if (!e->steps) return 0;
  if (g->options->march) return g->options->march(g->options->context, like->law, e, g->why) ? 2 : 0;
  bristle_ensemble_march(like->law, e);
  return 0;
}

/* the runs of order[0..count), all of one kind */
static int march_some(group *g, const size_t *order, size_t count)
{
  const cell *like = &g->cells[order[0]];
  const bristle_info *info = like->law->f64->info;
  const struct sweep_inside *in = g->s->inside;
  const size_t widths[] = { (size_t)info->nparam, (size_t)info->nstate, 1, BRISTLE_BODY_ROWS, 1, 1, 1,
                            BRISTLE_TALLY_ROWS };
  double *block = malloc(((size_t)info->nparam + (size_t)info->nstate + BRISTLE_BODY_ROWS + BRISTLE_TALLY_ROWS + 5)
                         * count * sizeof *block),
         *at[8];
  if (!block) return 1; /* the last row of it keeps the work */
  size_t used = 0;
  for (int i = 0; i < 8; used += widths[i++] * count) at[i] = block + used;
  pack k = { at[0], at[1], at[2], at[3], at[4], at[5], at[6], at[7] };
  double *work = block + used; /* before `after` */
  fill(g, order, count, &k);
  bristle_ensemble e = { .count = count,
                         .p = k.p,
                         .per_contact = 1,
                         .load = like->load,
                         .n = k.n,
                         .body = k.body,
                         .per_body = 1,
                         .place = g->place,
                         .speed = g->speed,
                         .h = in->base->options.step,
                         .steps = g->before,
                         .x = k.x,
                         .v = k.v,
                         .s = k.s,
                         .f = k.f,
                         .tally = k.tally };
  begin_tally(&k, count);
  int failed = march(g, like, &e);
  memcpy(work, k.tally + BRISTLE_TALLY_WORK * count, count * sizeof *work);
  begin_tally(&k, count);
  e.place += g->before, e.speed += g->before, e.t = (double)g->before * e.h, e.steps = g->steps - g->before;
  if (!failed) failed = march(g, like, &e);
  for (size_t i = 0; i < count && !failed; i++)
    for (int j = 0; j < in->quantities; j++)
      g->cells[order[i]].row[j] = settle(g, &in->quantity[j], &k, count, i, &g->cells[order[i]], work[i]);
  free(block);
  return failed;
}

/* ---- groups of runs ---- */

static void read_some(void *context, int worker)
{
  group *g = context;
  for (;;) {
    parallel_take(&g->lock);
    const size_t i = g->next++;
    parallel_give(&g->lock);
    if (i >= g->count) return;
    double *row = g->rows + i * g->s->width;
    sweep_task task;
    cell *c = &g->cells[i];
    c->law = NULL;
    c->row = sweep_begin_run(g->s, &g->s->inside->worker[worker], g->first + i, row, &task, NULL);
    if (!c->row) continue;
    if (sweep_march_suits(task.scenario)) row[g->s->inside->keys] = BRISTLE_SWEEP_FAILED;
    else take_body(task.scenario, c);
    bristle_scenario_free(task.scenario);
  }
}

static int same_kind(const cell *a, const cell *b) { return a->law == b->law && a->load == b->load; }

/* shares of at most `most` cells of one kind, one after the other */
static void march_shares(void *context, int worker)
{
  group *g = context;
  (void)worker;
  const size_t most = g->options->march ? GROUP : SHARE;
  for (;;) {
    parallel_take(&g->lock);
    const size_t from = g->next;
    size_t to = from;
    while (to < g->count && to - from < most && same_kind(&g->cells[g->order[to]], &g->cells[g->order[from]])) to++;
    g->next = to;
    parallel_give(&g->lock);
    if (from == to) return;
    const int failed = march_some(g, g->order + from, to - from);
    if (failed) g->failed = failed;
  }
}

/* cells that are bodies, those of one kind together, in the order of their first */
static size_t sort_kinds(group *g)
{
  size_t sorted = 0;
  const cell *kind[KINDS];
  int kinds = 0;
  for (size_t i = 0; i < g->count; i++) {
    const cell *c = &g->cells[i];
    int k = 0;
    while (k < kinds && !same_kind(kind[k], c)) k++;
    if (c->law && k == kinds && kinds < KINDS) kind[kinds++] = c;
  }
  for (int k = 0; k < kinds; k++)
    for (size_t i = 0; i < g->count; i++)
      if (same_kind(kind[k], &g->cells[i])) g->order[sorted++] = i;
  return sorted;
}

/* what time the program says at the end of each step, and how fast time goes */
static double *make_program(group *g, const bristle_sim_options *o, double after)
{
  const double steps = floor(o->end / o->step + 0.5);
  g->steps = (size_t)steps;
  g->before = after > 0 ? (size_t)fmin(steps, ceil(after / o->step * (1 - 1e-12))) : 0;
  double *program = malloc(2 * (g->steps + 1) * sizeof *program);
  for (size_t i = 0; program && i < g->steps; i++) {
    program[i] = (double)(i + 1) * o->step;
    program[g->steps + i] = 1;
  }
  g->place = program, g->speed = program ? program + g->steps : NULL;
  return program;
}

static void run_group(group *g, int threads)
{
  const size_t count = g->count;
  g->next = 0;
  parallel_for(threads, threads, read_some, g);
  g->count = sort_kinds(g);
  g->next = 0;
  if (g->count) parallel_for(g->options->march ? 1 : threads, g->options->march ? 1 : threads, march_shares, g);
  g->count = count;
}

int sweep_march(bristle_sweep *s, const bristle_sweep_options *options, int threads, unsigned long long first,
                unsigned long long count, double *rows, char why[200])
{
  const unsigned long long most = count < GROUP ? count : GROUP;
  group g = { .s = s, .options = options, .why = why, .lock = PARALLEL_LOCK };
  g.cells = malloc((size_t)most * sizeof *g.cells);
  g.order = malloc((size_t)most * sizeof *g.order);
  double *program = make_program(&g, &s->inside->base->options, s->inside->after);
  g.failed = !g.cells || !g.order || !program;
  for (unsigned long long done = 0; done < count && !g.failed; done += g.count) {
    g.first = first + done, g.rows = rows + done * s->width;
    g.count = (size_t)(count - done < most ? count - done : most);
    run_group(&g, threads);
  }
  free(program);
  free(g.order);
  free(g.cells);
  return g.failed;
}
