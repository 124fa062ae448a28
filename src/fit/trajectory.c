/* A simulation-error fit: which numbers are searched, what the residuals are, and what the search found. */
#include "fit/trajectory_fit.h"

#include "io/support.h"

#include <math.h>
#include <stdlib.h>

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
static bristle_kind kind_of_plant(int place, const bristle_guess *guess)
{
  static const int positive[BRISTLE_PLANT_COUNT] = {
    [BRISTLE_PLANT_MASS] = 1, [BRISTLE_PLANT_GAIN] = 1, [BRISTLE_PLANT_DRAG] = 1
  };
  return positive[place] && guess->start > 0 && guess->lo > 0 ? BRISTLE_LOG : BRISTLE_LINEAR;
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

static void add_unknown(trajectory_fit *f, const char *name, int place, bristle_kind kind, const bristle_guess *guess)
{
  bristle_unknown *unknown = &f->unknown[f->count];
  snprintf(f->name[f->count], sizeof f->name[0], "%s", name);
  *unknown = (bristle_unknown){ .name = f->name[f->count], .kind = kind, .lo = guess->lo, .hi = guess->hi };
  if (kind == BRISTLE_LINEAR) unknown->scale = 1e-3 * (isfinite(guess->hi - guess->lo) ? guess->hi - guess->lo : 1);
  f->start[f->count] = guess->start;
  f->plant[f->count] = place < BRISTLE_PLANT_COUNT ? place : -1;
  f->param[f->count] = place < BRISTLE_PLANT_COUNT ? -1 : place - BRISTLE_PLANT_COUNT;
  f->count++;
}

/* fs keeps its own bounds and the rule fs >= fc when it is searched as its place between the lowest that both allow and
   its upper bound: fs = lowest (hi / lowest)^place, place from 0 to 1. */
static double lowest_fs(const trajectory_fit *f, double fc) { return fmax(fmax(fc, f->fs_lo), 1e-12 * f->fs_hi); }

static double fs_at(const trajectory_fit *f, double fc, double place)
{
  const double lowest = lowest_fs(f, fc);
  return lowest * pow(f->fs_hi / lowest, place);
}

void trajectory_fs_slopes(const trajectory_fit *f, double fc, double place, double *by_fc, double *by_place)
{
  const double fs = fs_at(f, fc, place), lowest = lowest_fs(f, fc);
  *by_fc = fc >= lowest ? (1 - place) * fs / fc : 0;
  *by_place = fs * log(f->fs_hi / lowest);
}

static bristle_fault_kind link_levels(trajectory_fit *f, bristle_fault *fault)
{
  const bristle_info *info = f->trajectory->law->f64->info;
  const bristle_row *fc = bristle_param_find(info, "fc"), *fs = bristle_param_find(info, "fs");
  int at_fc = -1, at_fs = -1;
  if (!fc || !fs || fc->count != 1 || fs->count != 1) return BRISTLE_FAULT_NONE;
  for (int k = 0; k < f->count; k++) {
    if (f->param[k] == fc->first) at_fc = k;
    if (f->param[k] == fs->first) at_fs = k;
  }
  const double fc_lo = at_fc >= 0 ? f->unknown[at_fc].lo : f->known.param[fc->first];
  const double fs_hi = at_fs >= 0 ? f->unknown[at_fs].hi : f->known.param[fs->first];
  if (fc_lo >= fs_hi && (at_fc >= 0 || at_fs >= 0))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "the static level fs is not below fc: give it a larger upper bound",
                     "fc is at least %g and fs at most %g", fc_lo, fs_hi);
  if (at_fc < 0 && at_fs >= 0) f->unknown[at_fs].lo = fmax(f->unknown[at_fs].lo, fc_lo);
  if (at_fs < 0 && at_fc >= 0) f->unknown[at_fc].hi = fmin(f->unknown[at_fc].hi, fs_hi);
  if (at_fc >= 0) f->start[at_fc] = fmin(f->start[at_fc], f->unknown[at_fc].hi);
  if (at_fs >= 0) f->start[at_fs] = fmax(f->start[at_fs], f->unknown[at_fs].lo);
  if (at_fc < 0 || at_fs < 0) return BRISTLE_FAULT_NONE;
  f->fc = at_fc, f->fs = at_fs;
  f->fs_lo = f->unknown[at_fs].lo, f->fs_hi = f->unknown[at_fs].hi;
  f->unknown[at_fc].hi = fmin(f->unknown[at_fc].hi, f->fs_hi * (1 - 1e-9)); /* a range remains for fs */
  f->start[at_fc] = fmin(f->start[at_fc], f->unknown[at_fc].hi);
  const double lowest = lowest_fs(f, f->start[at_fc]), start = fmax(f->start[at_fs], lowest);
  f->start[at_fs] = fmin(log(start / lowest) / log(f->fs_hi / lowest), 1);
  f->unknown[at_fs].lo = 0, f->unknown[at_fs].hi = 1;
  f->unknown[at_fs].kind = BRISTLE_LINEAR;
  f->unknown[at_fs].scale = 0.1;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind list_unknowns(trajectory_fit *f, bristle_fault *fault)
{
  const bristle_trajectory *trajectory = f->trajectory;
  const bristle_info *info = trajectory->law->f64->info;
  f->fc = f->fs = -1;
  for (int i = 0; i < BRISTLE_PLANT_COUNT; i++) {
    const bristle_guess *guess = &trajectory->plant[i];
    bristle_fault_kind kind = check_guess(plant_names[i], guess, fault);
    if (kind) return kind;
    f->known.plant[i] = guess->start;
    if (is_searched(guess)) add_unknown(f, plant_names[i], i, kind_of_plant(i, guess), guess);
  }
  for (int i = 0; i < info->param_rows; i++)
    for (int k = 0; k < info->param[i].count; k++) {
      const bristle_row *row = &info->param[i];
      const bristle_guess *guess = &trajectory->param[row->first + k];
      char name[32];
      snprintf(name, sizeof name, row->count > 1 ? "%.20s[%d]" : "%.20s", row->name, k);
      bristle_fault_kind kind = check_guess(name, guess, fault);
      if (kind) return kind;
      f->known.param[row->first + k] = guess->start;
      if (!is_searched(guess)) continue;
      if (row->kind == BRISTLE_OPTION)
        return fault_set(fault, BRISTLE_FAULT_VALUE, "fit once for each value",
                         "%s is an option, it cannot be searched", name);
      const int by_log = row->kind == BRISTLE_LOG && guess->lo > 0 && guess->start > 0;
      add_unknown(f, name, BRISTLE_PLANT_COUNT + row->first + k, by_log ? BRISTLE_LOG : BRISTLE_LINEAR, guess);
    }
  if (!f->count)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "give bounds to what is to be found", "nothing is to be searched");
  return link_levels(f, fault);
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

bristle_fault_kind trajectory_fit_begin(trajectory_fit *f, const bristle_trajectory *trajectory, bristle_fault *fault)
{
  *f = (trajectory_fit){ .trajectory = trajectory, .step = trajectory->step };
  if (!trajectory->law->diff)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "build with BRISTLE_DERIVATIVES", "the law has no derivatives here");
  bristle_fault_kind kind = list_unknowns(f, fault);
  return kind ? kind : check_runs(trajectory, fault);
}

void trajectory_values(const trajectory_fit *f, const double *u, bristle_axis_values *values)
{
  *values = f->known;
  for (int k = 0; k < f->count; k++) {
    if (f->plant[k] >= 0) values->plant[f->plant[k]] = u[k];
    else values->param[f->param[k]] = k == f->fs ? fs_at(f, u[f->fc], u[k]) : u[k];
  }
}

static void map_unknowns(const trajectory_fit *f, const double *u, axis_unknown *map)
{
  for (int k = 0; k < f->count; k++) {
    map[k] = (axis_unknown){ .plant = f->plant[k], .param = { f->param[k], -1 }, .factor = { 1, 0 } };
    if (f->fs < 0 || (k != f->fs && k != f->fc)) continue;
    double by_fc, by_place;
    trajectory_fs_slopes(f, u[f->fc], u[f->fs], &by_fc, &by_place);
    if (k == f->fs) map[k].factor[0] = by_place;
    else map[k].param[1] = f->param[f->fs], map[k].factor[1] = by_fc;
  }
}

/* ---- residuals ---- */

typedef struct row_sink {
  const trajectory_fit *f;
  const bristle_run *run;
  bristle_rows *rows;
} row_sink;

static void add_row(const row_sink *s, double simulated, double measured, double weight, const double *derivative)
{
  double residual = weight * (simulated - measured), row[MOST_UNKNOWNS];
  for (int k = 0; derivative && k < s->f->count; k++) row[k] = weight * derivative[k];
  bristle_rows_add(s->rows, &(bristle_block){ .count = 1, .residual = &residual, .jacobian = derivative ? row : NULL });
}

static int take_sample(void *context, size_t i, double x, double v, const double *dx, const double *dv)
{
  const row_sink *s = context;
  const bristle_trajectory *t = s->f->trajectory;
  const double weight_x = t->position_weight > 0 ? t->position_weight : 1;
  const double weight_v = t->velocity_weight > 0 ? t->velocity_weight : 1;
  if (s->run->position && isfinite(s->run->position[i])) add_row(s, x, s->run->position[i], weight_x, dx);
  if (s->run->velocity && isfinite(s->run->velocity[i])) add_row(s, v, s->run->velocity[i], weight_v, dx ? dv : NULL);
  return 0;
}

int trajectory_residuals(void *context, const double *u, bristle_rows *rows)
{
  const trajectory_fit *f = context;
  const bristle_trajectory *trajectory = f->trajectory;
  axis_unknown map[MOST_UNKNOWNS];
  bristle_axis_values values;
  trajectory_values(f, u, &values);
  if (bristle_check(trajectory->law->f64, values.param, NULL)) return 1;
  const int with_derivatives = bristle_rows_wanted(rows) != BRISTLE_WANT_RESIDUALS;
  if (with_derivatives) map_unknowns(f, u, map);
  if (f->stop && *f->stop) return 1;
  for (size_t k = 0; k < trajectory->count; k++) {
    const bristle_run *run = &trajectory->run[k];
    row_sink s = { f, run, rows };
    const axis_job job = { trajectory, run, &values, f->step, with_derivatives ? f->count : 0, map };
    if (axis_simulate(&job, &(axis_sink){ &s, take_sample })) return 1;
  }
  return 0;
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
