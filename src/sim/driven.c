/* A contact with prescribed motion.
 *
 * Each sub-step moves the law exactly with the mean velocity of the sub-step. That is symmetric in time, so the error
 * is a series in h^2 and extrapolation gains two orders with each column. Steps never cross a reversal, a corner of the
 * motion or one of the samples, so nothing can be jumped over however long the bristle stays the same.
 *
 * Times count from the beginning of the piece: a sample of 1 ms after an hour has only nine digits of absolute time. */
#include "maths/elementary.h"
#include "sim/axis.h"
#include "sim/rigs.h"

enum { X, FIRST_STATE };

/* so short that nothing flows within it, for bringing flags and memories up to an instant [s] */
static const double instant = 1e-20;

/* a program on the piece of time that has begun */
typedef struct input_line {
  const bristle_program *program;
  bristle_piece piece;
  double from; /* its value at the beginning */
} input_line;

/* how the velocity changes around a piece of a position that is linear between its samples: from the piece before to
   the one after */
static double bend_of(const bristle_program *p, const bristle_piece *piece)
{
  if (!isfinite(piece->begin) || !isfinite(piece->end)) return 0;
  const double length = piece->end - piece->begin, near = 1e-6 * length;
  const bristle_piece before = bristle_program_piece(p, piece->begin - near),
                      after = bristle_program_piece(p, piece->end);
  const double first = isfinite(before.begin) ? 0.5 * (piece->begin - before.begin) : 0,
               last = isfinite(after.end) ? 0.5 * (after.end - piece->end) : 0;
  const double from = first > 0 ? before.rate : piece->rate, to = last > 0 ? after.rate : piece->rate;
  const double time = (first > 0 ? first + 0.5 * length : 0) + (last > 0 ? last + 0.5 * length : 0);
  return time > 0 ? (to - from) / time : 0;
}

typedef struct driven_system {
  const bristle_driven *rig;
  const bristle_model *model;
  input_line motion, load, force;
  double bend;        /* acceleration on a piece of a recorded position */
  double quickest;    /* the fastest oscillation of the motion [Hz] */
  double begun, turn; /* when the piece began; where the motion reverses at its end, if it does */
  sim_states states;
  unsigned char flags[BRISTLE_LAW_SIZE];
  int reads_acceleration;
  int accounts;     /* the energy is asked for */
  int levels;       /* levels move with the load: states that are held by one end at that of the end */
  double strongest; /* the largest force so far */
  double leniency;  /* how much coarser than the states the work may be */
} driven_system;

static input_line line_from(const bristle_program *program, double t)
{
  input_line line = { .program = program, .piece = bristle_program_piece(program, t) };
  line.from = bristle_program_value(program, &line.piece, t, NULL);
  return line;
}

static double line_value(const driven_system *d, const input_line *line, double t, double *slope)
{
  if (line->program->kind != BRISTLE_PROGRAM_KNOTS)
    return bristle_program_value(line->program, &line->piece, d->begun + t, slope);
  if (slope) *slope = line->piece.rate;
  return line->from + line->piece.rate * t;
}

/* velocity, and acceleration where it is asked for */
static double velocity_at(const driven_system *d, double t, double *accel)
{
  double value, slope;
  value = line_value(d, &d->motion, t, &slope);
  if (d->rig->velocity) {
    if (accel) *accel = slope;
    return value;
  }
  if (accel && d->motion.program->kind == BRISTLE_PROGRAM_KNOTS) *accel = d->bend;
  else if (accel) { /* of a position: by differences, far from rounding; only its sign and rough size are asked for */
    const double dt = 1e-6 * fmax(1e-3, fabs(d->begun + t));
    double before, after;
    line_value(d, &d->motion, t - dt, &before);
    line_value(d, &d->motion, t + dt, &after);
    *accel = (after - before) / (2 * dt);
  }
  return slope;
}

/* the fastest oscillation of the motion, in Hz */
static double fastest(const bristle_program *p)
{
  double most = p->kind == BRISTLE_PROGRAM_CHIRP ? fmax(fabs(p->f0), fabs(p->f1)) : 0;
  for (size_t i = 0; p->kind == BRISTLE_PROGRAM_SINES && i < p->count; i++) most = fmax(most, fabs(p->frequency[i]));
  return most;
}

static double mean_velocity(const driven_system *d, double t, double h)
{
  return (velocity_at(d, t, NULL) + 4 * velocity_at(d, t + 0.5 * h, NULL) + velocity_at(d, t + h, NULL)) / 6;
}

/* how far the contact moves within h */
static double travel(const driven_system *d, double t, double h)
{
  const bristle_program *p = &d->rig->motion;
  const double from = d->begun + t, to = from + h;
  if (p->kind == BRISTLE_PROGRAM_KNOTS)
    return h * (d->rig->velocity ? line_value(d, &d->motion, t + 0.5 * h, NULL) : d->motion.piece.rate);
  /* Simpson's rule is exact to rounding here; the difference of two positions would be rounding and little else */
  if (d->quickest * h < 1e-4) return h * mean_velocity(d, t, h);
  /* to - from is h but for rounding, which must not get into the velocity */
  if (d->rig->velocity) return h * (bristle_program_integral(p, from, to) / (to - from));
  return line_value(d, &d->motion, t + h, NULL) - line_value(d, &d->motion, t, NULL);
}

/* the first reversal after the beginning, or the given end, both as absolute times */
static double reversal(const driven_system *d, double end)
{
  const bristle_program *p = &d->rig->motion;
  if (p->kind == BRISTLE_PROGRAM_KNOTS) {
    if (!d->rig->velocity || d->motion.piece.rate == 0) return end;
    const double zero = d->begun - d->motion.from / d->motion.piece.rate;
    return zero > d->begun && zero < end ? zero : end;
  }
  const double rate = d->quickest, pace = rate > 0 ? 0.02 / rate : HUGE_VAL, span = end - d->begun;
  /* a reversal found at the beginning itself, to rounding, has been passed */
  double a = 1e-9 * fmin(pace, span), v = velocity_at(d, a, NULL);
  for (int i = 0; i < 200 && a < span && isfinite(pace); i++) {
    const double b = fmin(a + pace, span), next = velocity_at(d, b, NULL);
    if (v * next < 0) {
      double low = a, high = b;
      for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high), value = velocity_at(d, middle, NULL);
        if (v * value > 0) low = middle;
        else high = middle;
      }
      return d->begun + high;
    }
    a = b;
    if (next != 0) v = next;
  }
  return a < span ? d->begun + a : end; /* a corner that costs nothing: the search goes on from there */
}

static double begin(void *self, double t)
{
  driven_system *d = self;
  d->begun = t;
  d->motion = line_from(&d->rig->motion, t);
  d->load = line_from(&d->rig->load, t);
  d->force = line_from(&d->rig->force, t);
  if (d->reads_acceleration && !d->rig->velocity && d->rig->motion.kind == BRISTLE_PROGRAM_KNOTS)
    d->bend = bend_of(&d->rig->motion, &d->motion.piece);
  if (t == d->turn && d->rig->motion.kind == BRISTLE_PROGRAM_KNOTS && d->rig->velocity) d->motion.from = 0;
  const double end = fmin(d->motion.piece.end, fmin(d->load.piece.end, d->force.piece.end)), turn = reversal(d, end);
  d->turn = turn < end ? turn : -1;
  return turn;
}

/* in place: copied as a whole, the struct waited for its last numbers, a quarter of the time of a run along a log */
static void contact_at(const driven_system *d, double t, double x, double h, bristle_input *contact)
{
  double a = 0;
  const double n = line_value(d, &d->load, t, NULL), f = line_value(d, &d->force, t, NULL), v = velocity_at(d, t, &a);
  *contact = (bristle_input){ .v = v, .a = a, .x = x, .n = n, .f = f, .h = h, .load = d->rig->contact.load };
}

static double force_at(driven_system *d, double t, double x, const double *states)
{
  double rates[BRISTLE_LAW_SIZE];
  bristle_input contact;
  contact_at(d, t, x, 0, &contact);
  const double force = d->model->eval(d->rig->contact.p, states, &contact, rates);
  d->strongest = fmax(d->strongest, fabs(force));
  return force;
}

/* shows the law an instant */
static void sync_flags(const driven_system *d, double t, double x, double *states)
{
  bristle_input contact;
  contact_at(d, t, x, instant, &contact);
  d->model->step(d->rig->contact.p, states, &contact, NULL);
}

static void advance(void *self, double t, double h, double *y)
{
  driven_system *d = self;
  double states[BRISTLE_LAW_SIZE];
  const double moved = travel(d, t, h), middle = t + 0.5 * h;
  const bristle_input contact = { .v = moved / h,
                                  .x = y[X],
                                  .n = line_value(d, &d->load, d->levels ? t + h : middle, NULL),
                                  .f = line_value(d, &d->force, middle, NULL),
                                  .h = h,
                                  .load = d->rig->contact.load };
  sim_take_states(&d->states, y, 0, 1, states);
  const double before = d->accounts ? force_at(d, t, y[X], states) : 0;
  d->model->step(d->rig->contact.p, states, &contact, NULL);
  y[X] += moved;
  sim_put_states(&d->states, y, 0, 1, states);
  if (!d->accounts) return;
  /* the mean of both ends is symmetric, too. What moves the contact does all the work, and friction takes it */
  const double work = 0.5 * (before + force_at(d, t + h, y[X], states)) * moved;
  double *ledger = y + d->states.flow - LEDGER;
  ledger[WORK_IN] += work;
  ledger[RUBBED] += work;
}

/* Flags look at a velocity, and a step has shown them its mean: the end of a step is shown as an instant of its own. */
static void settle(void *self, double t, double *y)
{
  driven_system *d = self;
  double states[BRISTLE_LAW_SIZE];
  sim_take_states(&d->states, y, 0, 1, states);
  sync_flags(d, t, y[X], states);
  for (int k = 0; k < d->states.states; k++)
    if (d->states.place[k] >= d->states.flow) y[d->states.place[k]] = states[k];
}

static double watch(void *self, double t, const double *y)
{
  driven_system *d = self;
  double states[BRISTLE_LAW_SIZE];
  sim_take_states(&d->states, y, 0, 1, states);
  return force_at(d, t, y[X], states);
}

static void row(void *self, double t, const double *y, double *values)
{
  driven_system *d = self;
  bristle_input contact;
  contact_at(d, t, y[X], 0, &contact);
  double states[BRISTLE_LAW_SIZE], rates[BRISTLE_LAW_SIZE];
  sim_take_states(&d->states, y, 0, 1, states);
  int k = 0;
  values[k++] = t;
  values[k++] = y[X];
  values[k++] = contact.v;
  values[k++] = d->model->eval(d->rig->contact.p, states, &contact, rates);
  for (int i = 0; i < d->model->info->nstate; i++) values[k++] = states[i];
  values[k] = d->model->mode(d->rig->contact.p, states, &contact);
}

static double stored(void *self, double t, const double *y, double *energy)
{
  driven_system *d = self;
  bristle_input contact;
  contact_at(d, t, y[X], 0, &contact);
  double states[BRISTLE_LAW_SIZE];
  sim_take_states(&d->states, y, 0, 1, states);
  *energy = d->model->info->traits & BRISTLE_TRAIT_ENERGY ? d->model->energy(d->rig->contact.p, states, &contact) : 0;
  return 0;
}

static double slip(void *self, double t, const double *y)
{
  (void)y;
  return velocity_at(self, t, NULL);
}

static bristle_mode mode(void *self, double t, const double *y)
{
  driven_system *d = self;
  bristle_input contact;
  contact_at(d, t, y[X], 0, &contact);
  double states[BRISTLE_LAW_SIZE];
  sim_take_states(&d->states, y, 0, 1, states);
  return d->model->mode(d->rig->contact.p, states, &contact);
}

/* The work is measured by what the strongest force does on a thousandth of the way, at least, and to seven digits: a
   force that jumps with the velocity must not stop the run. */
static void share_scales(void *self, double *scale)
{
  driven_system *d = self;
  double *ledger = scale + d->states.flow - LEDGER;
  ledger[WORK_IN] = d->leniency * fmax(ledger[WORK_IN], 1e-3 * d->strongest * scale[X]);
  sim_share(ledger, LEDGER);
}

static bristle_sim_status check(const void *self, bristle_sim_error *error)
{
  const bristle_driven *rig = self;
  bristle_sim_status status = contact_check(&rig->contact, rig->z, error);
  if (!status) status = program_check(&rig->motion, "motion", error);
  if (!status) status = program_check(&rig->load, "load", error);
  if (!status) status = program_check(&rig->force, "force", error);
  if (!status && !isfinite(rig->x)) return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "x", "it must be finite");
  for (size_t i = 1; !status && !rig->velocity && rig->motion.kind == BRISTLE_PROGRAM_KNOTS && i < rig->motion.count;
       i++)
    if (rig->motion.t[i] == rig->motion.t[i - 1] && rig->motion.y[i] != rig->motion.y[i - 1])
      return sim_fail(error, BRISTLE_SIM_BAD_INPUT, rig->motion.t[i], "motion", "a position cannot jump");
  return status;
}

static int put_columns(const void *self, int rotary, bristle_sim_column *columns)
{
  const bristle_driven *rig = self;
  int at = contact_columns(&rig->contact, rotary, columns);
  columns[at] = (bristle_sim_column){ "mode", "1" };
  return at + 1;
}

static bristle_sim_status run(const void *self, const bristle_sim_options *options, const bristle_sim_sink *sink,
                              bristle_sim_stats *stats, bristle_sim_error *error)
{
  const bristle_driven *rig = self;
  const bristle_method method = options->method == BRISTLE_METHOD_COUPLED ? BRISTLE_METHOD_COUPLED
                                                                          : BRISTLE_METHOD_ADAPTIVE;
  if (options->method == BRISTLE_METHOD_NATIVE || options->method == BRISTLE_METHOD_STEPRULE)
    return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "method",
                    "prescribed motion is run by auto, adaptive or coupled");
  driven_system d = { .rig = rig, .model = rig->contact.law->f64, .accounts = !options->no_ledger, .turn = -1 };
  d.quickest = fastest(&rig->motion);
  d.leniency = fmax(1, 1e-7 / (options->rtol > 0 ? options->rtol : 1e-8)) / SIM_CORNER_SHARE;
  const bristle_info *info = d.model->info;
  d.reads_acceleration = (info->traits & BRISTLE_TRAIT_ACCELERATION) != 0;
  double y[FIRST_STATE + BRISTLE_LAW_SIZE + LEDGER] = { 0 };
  sim_system system = { .self = &d,
                        .width = BRISTLE_SIM_COLUMNS,
                        .calls = { begin, advance, row, stored, slip, mode, share_scales },
                        .symmetric = 1,
                        .corners = info->nstate > 0,
                        .local = 1,
                        .flags = d.flags,
                        .settle = settle,
                        .watch = watch,
                        .has_energy = (info->traits & BRISTLE_TRAIT_ENERGY) != 0 || info->nstate == 0 };
  d.levels = rig->contact.load == BRISTLE_LOAD_LEVEL
             && (rig->load.kind != BRISTLE_PROGRAM_KNOTS || rig->load.count > 1);
  d.states = sim_states_of(info, 1, FIRST_STATE);
  system.flow = d.states.flow;
  system.jump = d.states.jump;
  sim_find_flags(info, d.states.place, system.flow, d.flags);
  if (!system.jump) system.settle = NULL;
  y[X] = rig->velocity ? rig->x : line_from(&rig->motion, 0).from;
  sim_put_states(&d.states, y, 0, 1, rig->z);
  return sim_run_system(&system, y, method, NULL, options, sink, stats, error);
}

static bristle_sim_status suits(const void *self, const bristle_sim_options *options, bristle_sim_error *error)
{
  const bristle_driven *rig = self;
  return sim_check_levels(&rig->contact, &rig->load, options, error);
}

extern const bristle_rig_driver sim_driven;
const bristle_rig_driver sim_driven = { .check = check, .suits = suits, .columns = put_columns, .run = run };
