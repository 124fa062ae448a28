/* Simulation-error fits of an axis: what is searched, and plain simulations. */
#include "io/support.h"
#include "fit/trajectories/axis_source.h"

#include "maths/elementary.h"

/* As many as before there were other fits of simulated motion: starts are often far off. */
enum { CANDIDATES = 400, TASTES = 18, FINALS = 3 };
/* coarse steps rank sets as well as fine ones, four times faster */
static const double COARSE = 4e-3;
/* bounds that only exclude nonsense say nothing about where to look: stay within this factor of the start */
static const double REACH = 30;

static const char *const plant_names[BRISTLE_PLANT_COUNT] = { "mass",      "gain",   "drag",       "gravity",
                                                              "tilt",      "bias",   "load_drive", "load_outside",
                                                              "stiffness", "damping" };

const char *bristle_plant_name(bristle_plant value)
{
  return (int)value >= 0 && value < BRISTLE_PLANT_COUNT ? plant_names[value] : "";
}

/* ---- which numbers are searched ---- */

static int is_searched(const bristle_guess *guess) { return guess->lo < guess->hi; }

/* factors and gains that are positive and of any size are searched by their logarithms */
static bristle_row_kind kind_of_plant(int place, const bristle_guess *guess)
{
  static const int positive[BRISTLE_PLANT_COUNT] = {
    [BRISTLE_PLANT_MASS] = 1, [BRISTLE_PLANT_GAIN] = 1, [BRISTLE_PLANT_DRAG] = 1
  };
  return positive[place] && guess->start > 0 && guess->lo > 0 ? BRISTLE_ROW_LOG : BRISTLE_ROW_LINEAR;
}

static bristle_fault_kind check_guess(const char *name, const bristle_guess *guess, bristle_fault *fault)
{
  const int bounded = guess->lo != 0 || guess->hi != 0;
  if (!isfinite(guess->start))
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s starts at %g, expected a number", name, guess->start);
  if (isnan(guess->lo) || isnan(guess->hi) || guess->lo > guess->hi)
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s has the bounds %g and %g, expected lo <= hi", name,
                     guess->lo, guess->hi);
  if (bounded && guess->lo < guess->hi && (guess->start < guess->lo || guess->start > guess->hi))
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s starts at %g, outside its bounds %g and %g", name,
                     guess->start, guess->lo, guess->hi);
  return BRISTLE_FAULT_NONE;
}

/* numbers of the plant that are searched, or are not zero and only told */
static int is_listed(const bristle_trajectory *t, int plant)
{
  const bristle_guess *guess = &t->plant[plant];
  return is_searched(guess) || (guess->start != 0 && (plant != BRISTLE_PLANT_GAIN || guess->start != 1));
}

static bristle_fault_kind add_plant(axis_source *a, int plant, bristle_fault *fault)
{
  const bristle_guess *guess = &a->trajectory.plant[plant];
  bristle_fault_kind kind = check_guess(plant_names[plant], guess, fault);
  a->base.plant[plant] = guess->start;
  if (kind || !is_listed(&a->trajectory, plant)) return kind;
  replay_number *number = axis_source_add(a, plant, 1);
  bristle_unknown *x = &number->unknown;
  number->start = guess->start;
  *x = (bristle_unknown){ .name = plant_names[plant], .lo = guess->start, .hi = guess->start };
  if (!is_searched(guess)) return kind;
  x->kind = kind_of_plant(plant, guess), x->lo = guess->lo, x->hi = guess->hi;
  const double wide = isfinite(x->hi - x->lo) ? x->hi - x->lo : 1,
               reach = REACH * fmax(fabs(guess->start), 1e-3 * wide);
  if (x->kind == BRISTLE_ROW_LINEAR) x->scale = 1e-3 * wide;
  number->spread[0] = fmax(x->lo, x->kind == BRISTLE_ROW_LOG ? guess->start / REACH : guess->start - reach);
  number->spread[1] = fmin(x->hi, x->kind == BRISTLE_ROW_LOG ? guess->start * REACH : guess->start + reach);
  return kind;
}

static bristle_fault_kind add_ranges(const bristle_trajectory *t, bristle_range *range, double *base, int *count,
                                     bristle_fault *fault)
{
  const bristle_info *info = t->law->f64->info;
  for (int i = 0; i < info->nparam; i++) {
    const bristle_guess *guess = &t->param[i];
    const bristle_row *row = bristle_param_at(info, i);
    const bristle_fault_kind kind = check_guess(row->name, guess, fault);
    base[i] = guess->start;
    if (kind) return kind;
    if (!is_searched(guess)) continue;
    if (row->kind == BRISTLE_ROW_OPTION)
      return fault_set(fault, BRISTLE_FAULT_VALUE, "fit once for each value", "%s is an option, it cannot be searched",
                       row->name);
    range[(*count)++] = (bristle_range){ row->name, guess->lo, guess->start, guess->hi };
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind check_runs(const bristle_trajectory *trajectory, bristle_fault *fault)
{
  if (!trajectory->count) return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "there are no runs to fit");
  for (size_t k = 0; k < trajectory->count; k++) {
    const bristle_run *run = &trajectory->run[k];
    const char *name = run->name ? run->name : "a run";
    if (run->count < 2 || !run->t)
      return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s has fewer than two samples", name);
    if (!run->position && !run->velocity)
      return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s has neither a position nor a velocity to compare with",
                       name);
    for (size_t i = 1; i < run->count; i++)
      if (!(run->t[i] > run->t[i - 1]))
        return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s: the time does not grow at sample %zu", name, i + 1);
  }
  return BRISTLE_FAULT_NONE;
}

/* the speeds that occur; what a record should have more of is told by them */
static features features_of(const bristle_trajectory *t)
{
  features f = { .load = 1, .dry = 1, .fall = 1, .stiffness = 1, .size = 1, .travel = 1, .step = 1e-3, .duration = 1 };
  for (size_t k = 0; k < t->count; k++)
    for (size_t i = 8; i < t->run[k].count; i++) {
      const bristle_run *run = &t->run[k];
      const double v = run->velocity ? run->velocity[i]
                                     : (run->position[i] - run->position[i - 8]) / (run->t[i] - run->t[i - 8]);
      if (isfinite(v)) f.fast = fmax(f.fast, fabs(v));
    }
  if (!(f.fast > 0)) f.fast = 1;
  f.high = f.fast, f.slow = 0.01 * f.fast, f.fall = 0.1 * f.fast;
  return f;
}

/* ---- fitting ---- */

/* What the runs bring is part of the whole: the names of what is found beside the law say that it is added. */
static void describe(const bristle_trajectory *t, bristle_identified *r)
{
  const bristle_info *info = r->law->f64->info;
  bristle_axis_values values;
  bristle_trajectory_values(t, r, &values);
  snprintf(r->prefix, sizeof r->prefix, "axis_");
  if (values.plant[BRISTLE_PLANT_LOAD_DRIVE] != 0 || values.plant[BRISTLE_PLANT_LOAD_OUTSIDE] != 0) {
    snprintf(r->note, sizeof r->note,
             "simulated with the load 1 + |load_drive drive - load_outside outside|, 1 where nothing is carried");
    return;
  }
  r->load = BRISTLE_LOAD_FORCE; /* the load is 1 throughout */
  for (int k = 0; k < info->nparam; k++)
    bristle_unit(bristle_param_at(info, k), r->load, r->rotary, r->estimate[k].unit, sizeof r->estimate[k].unit);
}

bristle_fault_kind bristle_trajectory_fit(const bristle_trajectory *trajectory, const bristle_identify_options *options,
                                          bristle_identified **result, bristle_fault *fault)
{
  static const bristle_identify_options plain_options = { .candidates = 0 };
  bristle_identify_options o = options ? *options : plain_options;
  bristle_range range[BRISTLE_LAW_SIZE];
  double base[BRISTLE_LAW_SIZE];
  axis_source a;
  memory *list = NULL;
  int searched = 0;
  *result = NULL;
  bristle_fault_kind kind = check_runs(trajectory, fault);
  if (!kind) kind = axis_source_begin(&a, trajectory, trajectory->rotary, 0, BRISTLE_PLANT_COUNT, &list, fault);
  for (int i = 0; i < BRISTLE_PLANT_COUNT && !kind; i++) {
    kind = add_plant(&a, i, fault);
    searched += is_searched(&trajectory->plant[i]);
  }
  if (!kind) kind = add_ranges(trajectory, range, base, &o.ranges, fault);
  if (!kind && !(searched + o.ranges))
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "give bounds to what is to be found", "nothing is to be searched");
  if (!kind) {
    const features f = features_of(trajectory);
    const replay_effort effort = { .candidates = CANDIDATES, .tastes = TASTES, .finals = FINALS };
    o.range = range, o.base = base, o.only_ranges = 1;
    a.coarse_step = COARSE;
    if (trajectory->loss > 0) a.source.loss = BRISTLE_SOFT, a.source.loss_scale = trajectory->loss / a.noise[0];
    kind = replay_fit(&a.source, &f, &o, &effort, NULL, result, fault);
  }
  if (!kind) describe(trajectory, *result);
  memory_free(list);
  return kind;
}

void bristle_trajectory_values(const bristle_trajectory *t, const bristle_identified *result,
                               bristle_axis_values *values)
{
  int at = 0;
  memcpy(values->param, result->p, sizeof values->param);
  for (int i = 0; i < BRISTLE_PLANT_COUNT; i++)
    values->plant[i] = is_listed(t, i) ? result->beside[at++] : t->plant[i].start;
}

/* ---- plain simulations ---- */

typedef struct copy_sink {
  double *x, *v;
} copy_sink;

static int copy_sample(void *context, size_t i, double x, double v, const double *dx, const double *dv)
{
  const copy_sink *s = context;
  (void)dx, (void)dv;
  if (s->x) s->x[i] = x;
  if (s->v) s->v[i] = v;
  return 0;
}

int bristle_trajectory_simulate(const bristle_trajectory *trajectory, const bristle_run *run,
                                const bristle_axis_values *values, double *x, double *v)
{
  copy_sink s = { x, v };
  const axis_job job = { .trajectory = trajectory, .run = run, .values = values, .step = trajectory->step };
  return axis_simulate(&job, &(axis_sink){ &s, copy_sample });
}

typedef struct error_sink {
  const bristle_run *run;
  bristle_run_error *error;
} error_sink;

static int error_sample(void *context, size_t i, double x, double v, const double *dx, const double *dv)
{
  const error_sink *s = context;
  bristle_run_error *e = s->error;
  const double difference = s->run->position ? x - s->run->position[i] : v - s->run->velocity[i];
  (void)dx, (void)dv;
  if (!isfinite(difference)) return 0;
  e->count++;
  e->mean += fabs(difference);
  e->rms += difference * difference;
  e->largest = fmax(e->largest, fabs(difference));
  return 0;
}

bristle_fault_kind bristle_trajectory_errors(const bristle_trajectory *trajectory, const bristle_axis_values *values,
                                             size_t count, const bristle_run *run, bristle_run_error *error,
                                             bristle_fault *fault)
{
  for (size_t k = 0; k < count; k++) {
    bristle_run_error *e = &error[k];
    error_sink s = { &run[k], e };
    *e = (bristle_run_error){ 0 };
    if (!run[k].position && !run[k].velocity)
      return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s has neither a position nor a velocity to compare with",
                       run[k].name ? run[k].name : "a run");
    const axis_job job = { .trajectory = trajectory, .run = &run[k], .values = values, .step = trajectory->step };
    if (axis_simulate(&job, &(axis_sink){ &s, error_sample })) e->mean = e->rms = e->largest = HUGE_VAL;
    else if (e->count) e->mean /= (double)e->count, e->rms = sqrt(e->rms / (double)e->count);
  }
  return BRISTLE_FAULT_NONE;
}
