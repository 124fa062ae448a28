/* The native solver's run: rows, stick and slip, events, the polynomial between the steps.
 *
 * Laws that rest exactly ("sharp") are two systems: in slip they run one way only, in stick the velocity is that of the
 * surface; the change from one to the other is located to rounding. */
#include "sim/native.h"

#include "maths/elementary.h"

#include <string.h>

/* ---- points within an accepted step ---- */

/* The state at a time before the end of the step that was accepted. A shorter step from the same point mostly does; but
   where friction falls with the speed, the linear equations have a pole at some length, and then it takes several. */
static void visit(native *n, double t, native_point *at)
{
  static const bristle_sim_sink silent = { 0 };
  if (native_try(n, t - n->t, at) <= 1) return;
  bristle_sim_stats unread = *n->recorder.stats;
  native side = *n;
  side.recorder.sink = &silent;
  side.recorder.stats = &unread;
  while (side.t < t) {
    step_result step;
    const double limit = t - side.t;
    if (native_find_step(&side, limit, &step, NULL)) break;
    side.t = step.h == limit ? t : side.t + step.h;
    side.at = step.end;
    native_look(&side);
  }
  *at = side.at;
}

/* ---- between the ends of a step: the polynomial through position, velocity and acceleration at both ---- */

/* position, velocity and acceleration at a time */
typedef struct knot {
  double t, x, v, a;
} knot;

static bristle_segment through(const knot *from, const knot *to)
{
  const double h = to->t - from->t, d = to->x - from->x - h * (from->v + 0.5 * h * from->a);
  const double e = h * (to->v - from->v - h * from->a), f = h * h * (to->a - from->a);
  return (bristle_segment){ from->t,
                            h,
                            { from->x, h * from->v, 0.5 * h * h * from->a, 10 * d - 4 * e + 0.5 * f,
                              -15 * d + 7 * e - f, 6 * d - 3 * e + 0.5 * f } };
}

/* The quartic without the acceleration at the end differs from the quintic by 0.0173 h^2 times what it misses. */
static int doubtful(const native *n, const knot *from, const knot *to)
{
  const double h = to->t - from->t, d = to->x - from->x - h * (from->v + 0.5 * h * from->a),
               e = h * (to->v - from->v - h * from->a);
  const double quartic_end = from->a + (6 * e - 12 * d) / (h * h);
  return 0.0173 * h * h * fabs(to->a - quartic_end) > 20 * (n->rtol * n->scale.x + n->options->atol);
}

/* Hands on the polynomial of a step from the present point, or of its halves where it is not good enough. */
static int draw(native *n, const knot *from, const knot *to, int depth)
{
  const bristle_segment path = through(from, to);
  if (depth == 8 || !doubtful(n, from, to)) return n->recorder.sink->segment(n->recorder.sink->context, &path);
  native_point middle;
  knot half = { .t = 0.5 * (from->t + to->t) };
  visit(n, half.t, &middle);
  half.x = middle.x;
  half.v = middle.v;
  half.a = native_accel(n, half.t, &middle);
  return draw(n, from, &half, depth + 1) || draw(n, &half, to, depth + 1);
}

/* The path of a step of a sharp law, drawn before its end: there it may change between stick and slip. */
static int draw_sharp(native *n, const step_result *step)
{
  if (!n->sharp || !n->recorder.sink->segment) return 0;
  const double end = n->t + step->h;
  const knot from = { n->t, n->at.x, n->at.v, n->accel },
             to = { end, step->end.x, step->end.v, native_accel(n, end, &step->end) };
  return draw(n, &from, &to, 0);
}

/* ---- looking back ---- */

/* the point a step came from */
typedef struct origin {
  double t, accel;
  native_point at;
} origin;

/* The solver as it was there, for the few steps that need a closer look. */
static void go_back(const native *n, const origin *from, native *past)
{
  *past = *n;
  past->t = from->t;
  past->at = from->at;
  native_look(past);
}

/* The path of any other step, drawn after its end, where the acceleration is known anyway. */
static int draw_smooth(native *n, const origin *start)
{
  if (n->sharp || !n->recorder.sink->segment) return 0;
  const knot from = { start->t, start->at.x, start->at.v, start->accel }, to = { n->t, n->at.x, n->at.v, n->accel };
  if (doubtful(n, &from, &to)) {
    native past;
    go_back(n, start, &past);
    return draw(&past, &from, &to, 0);
  }
  const bristle_segment path = through(&from, &to);
  return n->recorder.sink->segment(n->recorder.sink->context, &path);
}

/* ---- rows ---- */

static int emit(native *n, double t, const native_point *at)
{
  const bristle_axis *r = n->host.rig;
  const axis_inputs in = axis_inputs_at(&n->host, t);
  double row[BRISTLE_SIM_COLUMNS], rates[MOST_BRISTLES], level;
  n->recorder.stats->rows++;
  n->recorder.next++;
  if (!n->recorder.sink->row) return 0;
  bristle_input contact = { .v = at->v - in.base, .x = at->x - at->base_x, .n = in.load, .load = r->contact.load };
  if (n->locked) contact.v = 0;
  if (n->sharp && !n->locked) contact.v = n->direction * fmax(n->direction * contact.v, 1e-200);
  if (contact.v == 0) contact.f = native_hold(n, t, at, &level);
  int k = 0;
  row[k++] = t;
  row[k++] = at->x;
  row[k++] = at->v;
  row[k++] = n->host.model->eval(r->contact.p, at->w, &contact, rates);
  for (int i = 0; i < n->law_bristles; i++) row[k++] = at->w[i];
  if (r->ki != 0) row[k++] = at->c;
  if (r->observer) row[k++] = at->w[n->law_bristles];
  k += axis_put_control(&n->host, &in, at->x, at->v, at->c, r->observer ? at->w[n->law_bristles] : 0, row + k);
  row[k] = n->host.model->mode(r->contact.p, at->w, &contact);
  return n->recorder.sink->row(n->recorder.sink->context, row);
}

/* rows from the start of a step up to its end, which is not one of them: a step of its own for each */
static int write_rows(native *n, double end)
{
  for (double at; (at = sim_next_row(&n->recorder)) < end;) {
    native_point p = n->at;
    if (at > n->t) visit(n, at, &p);
    if (emit(n, at, &p)) return 1;
  }
  return 0;
}

/* ---- stick, slip and reversal ---- */

/* what must not fall below zero on the present branch: margin to break-away in stick, speed the right way in slip */
static double margin(native *n, double t, const native_point *at)
{
  double level;
  if (!n->locked) return n->direction * native_slip(n, t, at);
  const double needed = native_hold(n, t, at, &level);
  return level - fabs(needed);
}

/* A contact at rest under a wave: does it let go within a step at whose end it holds? The step, an eighth of the period
   at most, is then cut where it does. The margin has one least value at most on such a piece. */
static int lets_go(native *n, step_result *step)
{
  static const double golden = 0.6180339887498949;
  double low = 0, high = step->h, at[2] = { (1 - golden) * high, golden * high }, value[2];
  for (int i = 0, k = 0; i < 24; i++) {
    for (; k < 2; k++) {
      step_result trial = { .h = at[k] };
      trial.worst = native_try(n, at[k], &trial.end);
      value[k] = margin(n, n->t + at[k], &trial.end);
      if (value[k] < 0) {
        *step = trial;
        return 1;
      }
      if (i > 0) break;
    }
    const int right = value[1] < value[0]; /* the least value is not left of at[0] */
    *(right ? &low : &high) = at[!right];
    at[!right] = at[right], value[!right] = value[right];
    at[right] = right ? low + golden * (high - low) : high - golden * (high - low);
    k = right;
  }
  return 0;
}

/* a sharp law at rest: does it hold, or which way does it go? */
static int settle(native *n)
{
  double level;
  const double needed = native_hold(n, n->t, &n->at, &level);
  const int held = n->locked;
  n->direction = needed < 0 ? -1 : 1;
  n->locked = fabs(needed) <= level;
  if (n->locked) n->at.v = bristle_program_value(&n->host.rig->base, &n->host.pieces.base, n->t, NULL);
  if (n->locked == held) return 0;
  return sim_event(&n->recorder, n->t, n->locked ? BRISTLE_EVENT_STICK : BRISTLE_EVENT_SLIP);
}

static int is_sliding(const native *n, double t, const native_point *at)
{
  return native_mode(n, t, at) == BRISTLE_MODE_SLIDING;
}

/* when a law with bristles starts or ends to slide within an accepted step, by bisection with steps of their own */
static double locate_mode(native *n, double h, int sliding)
{
  double low = 0, high = h;
  for (int i = 0; i < 40 && high - low > 1e-12 * h; i++) {
    native_point trial;
    const double middle = 0.5 * (low + high);
    visit(n, n->t + middle, &trial);
    if (is_sliding(n, n->t + middle, &trial) == sliding) high = middle;
    else low = middle;
  }
  return n->t + high;
}

static int note_events(native *n, const origin *from)
{
  if (n->sharp) return 0; /* those are noted where they are located */
  const double h = n->t - from->t, slip = native_slip(n, n->t, &n->at);
  int stop = 0;
  if (slip * n->recorder.slip < 0) {
    const double before = native_slip(n, from->t, &from->at), part = before / (before - slip);
    stop |= sim_event(&n->recorder, before == slip ? n->t : from->t + h * fmin(1, fmax(0, part)),
                      BRISTLE_EVENT_REVERSAL);
  }
  if (slip != 0) n->recorder.slip = slip;
  const bristle_mode mode = native_mode(n, n->t, &n->at);
  const int sliding = mode == BRISTLE_MODE_SLIDING;
  if (sliding != (n->recorder.mode == BRISTLE_MODE_SLIDING)) {
    double when = n->t;
    if (n->recorder.sink->event) {
      native past;
      go_back(n, from, &past);
      when = locate_mode(&past, h, sliding);
    }
    stop |= sim_event(&n->recorder, when, sliding ? BRISTLE_EVENT_SLIP : BRISTLE_EVENT_STICK);
  }
  n->recorder.mode = mode;
  return stop;
}

/* ---- bookkeeping ---- */

static double contact_energy(const native *n, const axis_inputs *in)
{
  const bristle_input contact = { .x = n->at.x - n->at.base_x, .n = in->load, .load = n->host.rig->contact.load };
  return n->recorder.stats->has_energy ? n->host.model->energy(n->host.rig->contact.p, n->at.w, &contact) : 0;
}

static void settle_accounts(native *n)
{
  if (!n->ledger) return;
  sim_balance(&n->recorder, n->at.ledger, axis_energy(&n->host, &n->in, n->at.x, n->at.v), contact_energy(n, &n->in));
}

static void place(native *n, const bristle_axis *rig)
{
  const bristle_info *info = rig->contact.law->f64->info;
  n->host = axis_place(rig);
  n->law_bristles = info->nstate;
  n->bristles = info->nstate + (rig->observer != NULL);
  n->sharp = (info->traits & BRISTLE_TRAIT_SET_VALUED) != 0;
  n->swing = axis_swing(rig);
  n->ledger = !n->options->no_ledger;
  n->rtol = n->options->rtol > 0 ? n->options->rtol : 1e-9;
  n->at.x = rig->x;
  n->at.v = rig->v;
  n->at.c = rig->c;
  memcpy(n->at.w, rig->z, (size_t)info->nstate * sizeof *rig->z);
  if (rig->observer) n->at.w[info->nstate] = rig->observer_z;
  n->recorder.stats->method = BRISTLE_METHOD_NATIVE;
  n->recorder.stats->rtol = n->rtol;
  n->recorder.stats->has_energy = (info->traits & BRISTLE_TRAIT_ENERGY) != 0 || info->nstate == 0;
  native_choose(n);
}

/* ---- the run ---- */

static int begin(native *n)
{
  n->length = fmin(1e-3, 1e-4 * n->options->end);
  n->recorder.begun[0] = axis_energy(&n->host, &n->in, n->at.x, n->at.v);
  n->recorder.begun[1] = contact_energy(n, &n->in);
  n->recorder.mode = native_mode(n, 0, &n->at);
  n->recorder.slip = native_slip(n, 0, &n->at);
  n->direction = n->recorder.slip < 0 ? -1 : 1;
  if (n->sharp && n->recorder.slip == 0 && settle(n)) return 1;
  native_look(n);
  native_start_scales(n);
  if (n->steep) native_look(n); /* its slope takes the scales */
  return 0;
}

/* Moves to the end of a step. `end` is its time; `landed`: a sharp law changes between stick and slip there. */
static int accept(native *n, const step_result *step, double end, int landed)
{
  bristle_sim_stats *stats = n->recorder.stats;
  n->t = end;
  n->at = step->end;
  if (landed) {
    n->at.v = bristle_program_value(&n->host.rig->base, &n->host.pieces.base, n->t, NULL);
    if (settle(n)) return 1;
  }
  stats->steps++;
  stats->shortest = stats->steps == 1 ? step->h : fmin(stats->shortest, step->h);
  stats->longest = fmax(stats->longest, step->h);
  stats->last = step->h;
  return 0;
}

/* What is known at the new point. */
static void look_around(native *n, double h)
{
  const double jerk = n->jerk;
  native_look(n);
  n->snap = (n->jerk - jerk) / h;
  native_grow_scales(n);
  settle_accounts(n);
}

static bristle_sim_status run(native *n, bristle_sim_error *error)
{
  const bristle_sim_options *o = n->options;
  const size_t most = o->most_steps ? o->most_steps : (size_t)1e9;
  double corner = native_begin_piece(n);
  if (begin(n)) return BRISTLE_SIM_STOPPED;
  while (n->t < o->end) {
    step_result step;
    const int waits = n->sharp && n->locked && n->swing < HUGE_VAL;
    const double until = fmin(corner, o->end),
                 longest = fmin(o->step > 0 ? o->step : HUGE_VAL, waits ? n->swing : HUGE_VAL);
    const double limit = fmin(until - n->t, longest);
    const bristle_sim_status status = native_find_step(n, limit, &step, error);
    if (status) return status;
    const int landed = n->sharp && (margin(n, n->t + step.h, &step.end) < 0 || (waits && lets_go(n, &step)));
    if (landed) native_locate(n, &step, margin);
    if (n->recorder.stats->steps >= most)
      return sim_fail(error, BRISTLE_SIM_NO_PROGRESS, n->t, NULL, "more than %zu steps", most);
    if (write_rows(n, n->t + step.h) || draw_sharp(n, &step)) return BRISTLE_SIM_STOPPED;
    const origin from = { n->t, n->accel, n->at };
    if (accept(n, &step, step.h == until - n->t ? until : n->t + step.h, landed)) return BRISTLE_SIM_STOPPED;
    look_around(n, step.h);
    if (note_events(n, &from) || draw_smooth(n, &from)) return BRISTLE_SIM_STOPPED;
    if (n->t >= corner) {
      corner = native_begin_piece(n);
      if (n->sharp && (n->locked || native_slip(n, n->t, &n->at) == 0) && settle(n)) return BRISTLE_SIM_STOPPED;
      native_look(n);
    }
    if (sim_stalled(&n->recorder, n->t)) return sim_fail_stalled(&n->recorder, n->t, error);
    if (sim_progress(&n->recorder, n->t)) return BRISTLE_SIM_STOPPED;
  }
  while (sim_next_row(&n->recorder) <= o->end)
    if (emit(n, o->end, &n->at)) return BRISTLE_SIM_STOPPED;
  return BRISTLE_SIM_OK;
}

bristle_sim_status axis_run_native(const bristle_axis *rig, const bristle_sim_options *options,
                                   const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error)
{
  native n;
  memset(&n, 0, sizeof n);
  n.options = options;
  n.recorder = (sim_recorder){ .options = options, .sink = sink, .stats = stats };
  place(&n, rig);
  return run(&n, error);
}
