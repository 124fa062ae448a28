/* The general solver: the coupled step of a system, plain or extrapolated, from one corner of its inputs to the next.
 *
 * The length of an extrapolated step follows its error estimate (extrapolate.c). Where something switches within a
 * step, the instant is closed in between a length that does not reach it and one that does, until the step over it is
 * short enough; then the length from before is tried again. */
#include "sim/extrapolate.h"

#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

/* every contact of the system under the same step rule */
typedef struct contact_rules {
  size_t count;
  bristle_steprule *rules;
  bristle_steprule_clock *clocks;
  double *speeds;
} contact_rules;

typedef struct work {
  sim_stepper step;
  const bristle_sim_options *options;
  sim_recorder recorder;
  double *row, *kept;
  double origin;       /* where the times of the system count from */
  double t, end;       /* where the run stands, and the end of the piece of inputs it is on, both from there */
  double stop;         /* that end as an absolute time */
  double shortest;     /* step; it is accepted whatever the error */
  double reach, hop;   /* something switches within this length, 0: nothing; a step over it may be so long */
  double before;       /* the length when that was found */
  double since, every; /* time since the last switch, and between the last two */
  double blur;         /* how well that is known */
  int regular;         /* the one before came after the same time: delay lines switch like clocks */
  double rtol;         /* as asked for */
  size_t crawled;      /* steps on this piece that the error kept below a hundred thousandth of it */
} work;

static double now(const work *w) { return w->origin + w->t; }

/* starts on the piece of inputs that begins at an absolute time */
static void begin_piece(work *w, double at)
{
  const sim_system *s = w->step.system;
  sim_stepper_begin(&w->step);
  w->step.rtol = w->rtol;
  w->crawled = 0;
  w->stop = fmin(s->calls.begin(s->self, at), w->options->end);
  w->origin = s->local ? at : 0;
  w->t = at - w->origin;
  w->end = w->stop - w->origin;
  w->shortest = s->local ? 1e-14 * w->end : 1e-13 * w->options->end;
}

static void plain(work *w, double t, double h)
{
  sim_stepper *k = &w->step;
  memcpy(k->result, k->y, k->count * sizeof *k->y);
  k->system->calls.advance(k->system->self, t, h, k->result);
  k->evaluations++;
}

static int all_finite(const double *y, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!isfinite(y[i])) return 0;
  return 1;
}

static int emit(work *w, double at, const double *y)
{
  const sim_system *s = w->step.system;
  w->recorder.next++;
  w->recorder.stats->rows++;
  if (!w->recorder.sink->row) return 0;
  s->calls.row(s->self, at - w->origin, y, w->row);
  w->row[0] = at;
  return w->recorder.sink->row(w->recorder.sink->context, w->row);
}

/* Rows up to `end`, which is not one of them: each by a step of its own, which the run does not keep. They use the same
   memory as the step, so its result is put aside. */
static int write_rows(work *w, bristle_method method, double end)
{
  sim_stepper *k = &w->step;
  if (!(sim_next_row(&w->recorder) < end)) return 0;
  memcpy(w->kept, k->result, k->count * sizeof *w->kept);
  for (double at; (at = sim_next_row(&w->recorder)) < end;) {
    const double h = at - w->origin - w->t;
    if (h > 0 && method == BRISTLE_METHOD_ADAPTIVE) sim_reach(k, w->t, h);
    else if (h > 0) plain(w, w->t, h);
    if (emit(w, at, h > 0 ? k->result : k->y)) return 1;
  }
  memcpy(k->result, w->kept, k->count * sizeof *w->kept);
  return 0;
}

static int note_events(work *w, double h)
{
  const sim_system *s = w->step.system;
  const double slip = s->calls.slip(s->self, w->t + h, w->step.result), before = w->recorder.slip;
  const bristle_mode mode = s->calls.mode(s->self, w->t + h, w->step.result);
  int stop = 0;
  if (slip * before < 0) stop |= sim_event(&w->recorder, now(w) + h * before / (before - slip), BRISTLE_EVENT_REVERSAL);
  if (mode == BRISTLE_MODE_SLIDING && w->recorder.mode != BRISTLE_MODE_SLIDING)
    stop |= sim_event(&w->recorder, now(w) + h, BRISTLE_EVENT_SLIP);
  if (mode != BRISTLE_MODE_SLIDING && w->recorder.mode == BRISTLE_MODE_SLIDING)
    stop |= sim_event(&w->recorder, now(w) + h, BRISTLE_EVENT_STICK);
  if (slip != 0) w->recorder.slip = slip;
  w->recorder.mode = mode;
  return stop;
}

static void settle_accounts(work *w)
{
  const sim_system *s = w->step.system;
  double contact = 0;
  const double mechanical = s->calls.stored(s->self, w->t, w->step.y, &contact);
  sim_balance(&w->recorder, w->step.y + s->flow - LEDGER, mechanical, contact);
}

/* The length to try where h is wanted: half the way to where a switch is known to have happened, or all of it when that
   is short enough; up to just before a switch that is expected, and then over it. No crumbs: a step that would leave
   less than a little ends with the piece. */
static double choose(const work *w, double h)
{
  const double left = w->every - w->since;
  if (w->reach > 0) h = w->reach <= w->hop ? w->reach : fmin(h, 0.5 * w->reach);
  else if (w->regular && left > -2 * w->hop) h = fmin(h, left > w->hop ? left - 0.5 * w->hop : w->hop);
  return w->t + h * 1.01 >= w->end ? w->end - w->t : h;
}

/* The next length after a step of `length` with this error. */
static double next_length(work *w, double wanted, double length, double worst, int accepted)
{
  const sim_stepper *k = &w->step;
  const double grow = worst > 0 ? 0.85 * pow(worst, k->system->symmetric && !k->odd ? -1.0 / 7 : -1.0 / k->columns) : 5;
  const double then = length * fmin(5, fmax(0.15, isfinite(worst) ? grow : 0.15));
  if (!accepted) {
    if (w->reach > 0 && length >= w->reach) w->hop = 0.4 * length;
    if (!k->switched) return fmax(then, w->shortest);
    w->before = w->reach > 0 ? w->before : length;
    w->reach = length;
    w->hop = fmax(length * fmin(0.9 / k->moved, 0.4), w->shortest);
    return fmax(0.5 * length, w->shortest);
  }
  const int passed = w->reach > 0 && w->reach <= length;
  w->reach = passed ? 0 : fmax(w->reach - length, 0);
  if (passed) return fmax(then, 0.2 * w->before);
  /* a step cut short by a corner, or with a switch within it, says nothing against the length it was cut from */
  return length < wanted && (grow > 1 || k->noticed) ? fmax(wanted, then) : then;
}

/* Delay lines switch like clocks. The time between switches is known as well as the steps over them were short; every
   further switch makes it, and the phase, a little better known, so that the next one is met at the first try. */
static void note_switch(work *w, double length)
{
  w->since += length;
  if (!w->step.noticed) return;
  const double took = w->since - 0.5 * length, miss = took - w->every, blur = fmax(length, w->blur);
  w->regular = w->since > 100 * blur && fabs(miss) <= 4 * blur;
  w->every = w->regular ? w->every + 0.2 * miss : took;
  w->since = 0.5 * length + (w->regular ? 0.5 * miss : 0);
  w->blur = w->regular ? 0.8 * w->blur + 0.2 * length : length;
}

/* Where the law's own step does not converge (a level that falls under a stuck bristle, seen at a mean velocity) the
   tolerance is widened up to the end of the piece, a thousand times at most, and the run says so. */
enum { CRAWL = 2000, MOST_CRAWL = 100000 };
static void note_crawl(work *w, double wanted, double length)
{
  if (!w->step.system->corners || w->step.noticed || length < 0.5 * wanted || length > 1e-5 * w->end) return;
  if (w->regular || w->reach > 0) return; /* closing in on a switch is progress */
  if (++w->crawled % CRAWL || w->step.rtol > 999 * w->rtol) return;
  w->step.rtol *= 10;
  w->recorder.stats->widened = fmax(w->recorder.stats->widened, w->step.rtol / w->rtol);
}

/* keeps the result of an accepted step */
static void advance(work *w, double wanted, double length)
{
  bristle_sim_stats *stats = w->recorder.stats;
  note_switch(w, length);
  note_crawl(w, wanted, length);
  const int lands = length == w->end - w->t;
  w->t = lands ? w->end : w->t + length;
  sim_stepper_accept(&w->step, w->t);
  if (!w->options->no_ledger) settle_accounts(w);
  stats->steps++;
  stats->shortest = stats->steps == 1 ? length : fmin(stats->shortest, length);
  stats->longest = fmax(stats->longest, length);
  stats->last = length;
  if (lands && w->stop < w->options->end) begin_piece(w, w->stop);
}

static void free_rules(contact_rules *r)
{
  free(r->rules);
  free(r->clocks);
  free(r->speeds);
}

/* Returns 0 where there is no memory. */
static int make_rules(contact_rules *r, const sim_system *s, const bristle_steprule *rule)
{
  r->count = s->contacts ? s->contacts : 1;
  r->rules = malloc(r->count * sizeof *r->rules);
  r->clocks = calloc(r->count, sizeof *r->clocks);
  r->speeds = calloc(r->count, sizeof *r->speeds);
  for (size_t i = 0; r->rules && i < r->count; i++) r->rules[i] = s->rules ? s->rules[i] : *rule;
  return r->rules && r->clocks && r->speeds;
}

/* the step of the contact that needs the shortest one */
static double rule_step(const work *w, contact_rules *r, double host)
{
  const sim_system *s = w->step.system;
  if (s->speeds) s->speeds(s->self, w->t, w->step.y, r->speeds);
  else r->speeds[0] = fabs(s->calls.slip(s->self, w->t, w->step.y));
  return bristle_steprule_next(r->rules, r->clocks, r->speeds, (int)r->count, now(w), host);
}

static bristle_sim_status run(work *w, bristle_method method, contact_rules *rules, bristle_sim_error *error)
{
  sim_stepper *k = &w->step;
  const sim_system *s = k->system;
  const bristle_sim_options *o = w->options;
  const int adaptive = method == BRISTLE_METHOD_ADAPTIVE;
  const double swing = adaptive && s->rests && s->swing > 0 ? s->swing : HUGE_VAL;
  const double longest = fmin(o->step > 0 ? o->step : o->end, swing);
  double h = adaptive ? fmin(longest, 1e-4 * o->end) : longest;
  const size_t most = o->most_steps ? o->most_steps : (size_t)1e9;
  begin_piece(w, 0);
  w->recorder.mode = s->calls.mode(s->self, 0, k->y);
  w->recorder.slip = s->calls.slip(s->self, 0, k->y);
  w->recorder.begun[0] = s->calls.stored(s->self, 0, k->y, &w->recorder.begun[1]);
  sim_note_scales(k);
  while (w->t < w->end) {
    double wanted = fmin(h, longest);
    if (method == BRISTLE_METHOD_STEPRULE) wanted = rule_step(w, rules, longest);
    const double length = choose(w, wanted);
    double worst = 0;
    if (adaptive) worst = sim_extrapolate(k, w->t, length, length < 0.02 * fmax(wanted, w->reach > 0 ? w->before : 0));
    else plain(w, w->t, length);
    const int accepted = worst <= 1 || length <= w->shortest;
    if (w->recorder.sink->step && w->recorder.sink->step(w->recorder.sink->context, now(w), length, accepted))
      return BRISTLE_SIM_STOPPED;
    if (accepted && !all_finite(k->result, k->count))
      return sim_fail(error, BRISTLE_SIM_NO_PROGRESS, now(w), NULL, "a number is no longer finite");
    h = next_length(w, wanted, length, worst, accepted);
    if (!accepted) {
      w->recorder.stats->rejected++;
      continue;
    }
    if (w->recorder.stats->steps >= most)
      return sim_fail(error, BRISTLE_SIM_NO_PROGRESS, now(w), NULL, "more than %zu steps", most);
    if (note_events(w, length)) return BRISTLE_SIM_STOPPED;
    const double landed = length == w->end - w->t ? w->stop : now(w) + length;
    if (write_rows(w, method, landed)) return BRISTLE_SIM_STOPPED;
    advance(w, wanted, length);
    if (w->crawled > MOST_CRAWL || sim_stalled(&w->recorder, now(w)))
      return sim_fail_stalled(&w->recorder, now(w), error);
    if (sim_progress(&w->recorder, now(w))) return BRISTLE_SIM_STOPPED;
  }
  while (sim_next_row(&w->recorder) <= o->end)
    if (emit(w, o->end, k->y)) return BRISTLE_SIM_STOPPED;
  return BRISTLE_SIM_OK;
}

bristle_sim_status sim_run_system(const sim_system *system, double *y, bristle_method method,
                                  const bristle_steprule *rule, const bristle_sim_options *options,
                                  const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error)
{
  const size_t count = system->flow + system->jump, room = sim_stepper_room(system);
  double *memory = calloc(room + count + (size_t)system->width, sizeof *memory);
  if (!memory) return sim_fail(error, BRISTLE_SIM_MEMORY, 0, NULL, "no memory for %zu numbers", count);
  work w = { .options = options,
             .recorder = { .options = options, .sink = sink, .stats = stats },
             .kept = memory + room,
             .row = memory + room + count };
  w.rtol = options->rtol > 0 ? options->rtol : 1e-8;
  if (system->corners) w.rtol = fmax(SIM_CORNER_SHARE * w.rtol, 2e-13); /* rounding allows no less */
  sim_stepper_set(&w.step, system, w.rtol, options->atol, memory);
  memcpy(w.step.y, y, count * sizeof *y);
  stats->method = method;
  stats->rtol = method == BRISTLE_METHOD_ADAPTIVE ? (options->rtol > 0 ? options->rtol : 1e-8) : 0;
  stats->has_energy = system->has_energy;
  contact_rules rules = { 0 };
  bristle_sim_status status = BRISTLE_SIM_OK;
  if (method == BRISTLE_METHOD_STEPRULE && !make_rules(&rules, system, rule))
    status = sim_fail(error, BRISTLE_SIM_MEMORY, 0, NULL, "no memory for the step rules of %zu contacts", rules.count);
  if (!status) status = run(&w, method, &rules, error);
  free_rules(&rules);
  stats->evaluations = w.step.evaluations;
  memcpy(y, w.step.y, count * sizeof *y);
  free(memory);
  return status;
}
