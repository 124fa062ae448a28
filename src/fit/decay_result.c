/* The numbers of a free decay with units, deviations and doubts. */
#include "fit/decay.h"
#include "fit/replay.h"
#include "fit/result.h"

#include <math.h>
#include <stdlib.h>

/* ---- names ---- */

static void name_parameters(bristle_identified *made, const chart *c)
{
  const bristle_info *info = made->law->f64->info;
  for (int k = 0; k < info->nparam; k++) {
    bristle_estimate *x = &made->estimate[k];
    snprintf(x->name, sizeof x->name, "%s", c->name[k]);
    bristle_unit(chart_row(info, k), BRISTLE_LOAD_FORCE, made->rotary, x->unit, sizeof x->unit);
    x->value = made->p[k];
  }
  for (int t = 0; t < BRISTLE_TERMS; t++)
    snprintf(made->estimate[info->nparam + t].name, 32, "%s", bristle_term_name(t));
}

/* the place of a number of the axis among the estimates; those that are no term of a balance come behind */
static int place_of(bristle_identified *made, int number)
{
  static const char *const units[BRISTLE_PLANT_COUNT][2] = {
    [BRISTLE_PLANT_MASS] = { "kg", "kg*m^2" },
    [BRISTLE_PLANT_GRAVITY] = { "N", "N*m" },
    [BRISTLE_PLANT_TILT] = { "m", "rad" },
    [BRISTLE_PLANT_BIAS] = { "N", "N*m" },
    [BRISTLE_PLANT_STIFFNESS] = { "N/m", "N*m/rad" },
    [BRISTLE_PLANT_DRAG] = { "N*s/m", "N*m*s/rad" },
    [BRISTLE_PLANT_DAMPING] = { "N*s/m", "N*m*s/rad" },
  };
  const int first = made->law->f64->info->nparam;
  const int place = number == BRISTLE_PLANT_MASS      ? first + BRISTLE_TERM_MASS
                    : number == BRISTLE_PLANT_GRAVITY ? first + BRISTLE_TERM_GRAVITY
                                                      : made->estimates++;
  bristle_estimate *x = &made->estimate[place];
  snprintf(x->name, sizeof x->name, "%s", bristle_plant_name((bristle_plant)number));
  snprintf(x->unit, sizeof x->unit, "%s", units[number][made->rotary] ? units[number][made->rotary] : "");
  return place;
}

/* "N*m/(kg*m^2)" */
static void say_per_inertia(bristle_identified *made)
{
  static const char *const behind[2] = { "/kg", "/(kg*m^2)" };
  for (int k = 0; k < made->estimates; k++) {
    bristle_estimate *x = &made->estimate[k];
    const size_t length = strlen(x->unit);
    if (x->unit[0] == 'N' && length + strlen(behind[made->rotary]) < sizeof x->unit)
      snprintf(x->unit + length, sizeof x->unit - length, "%s", behind[made->rotary]);
  }
  snprintf(made->note, sizeof made->note,
           "found per unit inertia: multiply every force and stiffness by the %s; as they are, they belong to %s",
           made->rotary ? "inertia in kg*m^2" : "mass in kg", made->rotary ? "1 kg*m^2" : "1 kg");
}

/* ---- deviations ---- */

typedef struct slopes {
  int unknowns;
  double row[BRISTLE_ESTIMATES][BRISTLE_FRICTION_SIZE + BRISTLE_PLANT_COUNT]; /* starts of runs move no estimate */
} slopes;

static double covariance(const slopes *g, const bristle_fit_result *fit, int a, int b)
{
  double sum = 0;
  for (int i = 0; i < g->unknowns; i++)
    for (int j = 0; j < g->unknowns && g->row[a][i] != 0; j++)
      sum += g->row[a][i] * fit->covariance[(size_t)i * (size_t)fit->count + (size_t)j] * g->row[b][j];
  return sum;
}

static void fill_slopes(slopes *g, const bristle_identified *made, const replay *m, const double *u,
                        const int place[BRISTLE_PLANT_COUNT])
{
  const chart *c = m->chart;
  g->unknowns = c->count + m->axis_count;
  for (int k = 0; k < c->nparam; k++) {
    double one[BRISTLE_FRICTION_SIZE] = { 0 };
    one[k] = 1;
    chart_derivatives(c, u, made->p, one, g->row[k]);
  }
  for (int k = 0; k < m->axis_count; k++)
    g->row[place[m->axis[k]]][c->count + k] = m->axis[k] == BRISTLE_PLANT_TILT ? -1 : 1;
}

static void spread(bristle_identified *made, const replay *m, const bristle_fit_result *fit, const slopes *g)
{
  const int count = made->estimates;
  for (int k = 0; k < count; k++) {
    bristle_estimate *x = &made->estimate[k];
    double variance = covariance(g, fit, k, k) * made->memory;
    for (int j = 0; j < g->unknowns; j++) {
      if (g->row[k][j] == 0) continue;
      x->free = 1;
      if (isinf(fit->deviation[j])) variance = HUGE_VAL;
    }
    x->deviation = sqrt(fmax(variance, 0));
  }
  for (int j = 0; j < m->chart->count; j++) {
    bristle_estimate *x = &made->estimate[m->chart->place[j]];
    x->bound = fit->bound[j];
    if (x->bound) x->deviation = HUGE_VAL;
  }
  for (int k = 0; k < count; k++)
    for (int l = 0; l < count; l++) {
      const double size = made->estimate[k].deviation * made->estimate[l].deviation;
      const int both = made->estimate[k].free && made->estimate[l].free && size > 0 && isfinite(size);
      made->correlation[k * count + l] = !both    ? (double)NAN
                                         : k == l ? 1
                                                  : covariance(g, fit, k, l) * made->memory / size;
    }
}

/* ---- how well ---- */

static bristle_fault_kind measure(const bristle_decay *d, const replay *m, const bristle_fit_result *fit,
                                  bristle_identified *made, bristle_fault *fault)
{
  const size_t n = replay_rows(m);
  double *r = memory_take(&made->memory_list, sizeof *r * (n + 1)), squares = 0;
  if (!r) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  if (replay_compare(m, fit->p, r))
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "the result cannot be simulated");
  for (size_t i = 0; i < n; i++) squares += r[i] * r[i], made->greatest = fmax(made->greatest, fabs(r[i]));
  made->rows = n;
  made->rms = sqrt(squares / (double)n);
  made->relative = made->rms / d->size;
  const double k = fit->free + 1.0, rows = (double)n, misfit = rows * log(fmax(squares / rows, 1e-300));
  made->aicc = misfit + 2 * k + 2 * k * (k + 1) / fmax(rows - k - 1, 1);
  made->bic = misfit + k * log(rows);
  residual_memory(r, n, &made->memory, &made->whiteness);
  made->energy = (double)NAN;
  made->noise = made->rms;
  made->measured_noise = d->noise;
  made->residual = r;
  return BRISTLE_FAULT_NONE;
}

/* the numbers of the axis that are searched or not zero; place: where each is among the estimates, or -1 */
static void name_axis(bristle_identified *made, const replay *m, const bristle_axis_values *values,
                      int place[BRISTLE_PLANT_COUNT])
{
  for (int number = 0; number < BRISTLE_PLANT_COUNT; number++) {
    int searched = 0;
    for (int k = 0; k < m->axis_count; k++) searched |= m->axis[k] == number;
    place[number] = -1;
    if (!searched && (values->plant[number] == 0 || number == BRISTLE_PLANT_GAIN)) continue;
    place[number] = place_of(made, number);
    made->estimate[place[number]].value = values->plant[number];
  }
  if (place[BRISTLE_PLANT_TILT] >= 0) { /* where it hangs is what people know */
    bristle_estimate *x = &made->estimate[place[BRISTLE_PLANT_TILT]];
    snprintf(x->name, sizeof x->name, "x0");
    x->value = -x->value;
  }
  made->term[BRISTLE_TERM_MASS] = values->plant[BRISTLE_PLANT_MASS];
  made->term[BRISTLE_TERM_GRAVITY] = values->plant[BRISTLE_PLANT_GRAVITY];
}

static bristle_fault_kind make_room(const bristle_decay *d, const replay *m, bristle_identified *made,
                                    bristle_fault *fault)
{
  const int tail = m->count - m->chart->count;
  made->law = m->trajectory->law, made->load = BRISTLE_LOAD_FORCE, made->rotary = d->rotary;
  snprintf(made->unit, sizeof made->unit, "%s%s", d->rotary ? "rad" : "m", d->by_velocity ? "/s" : "");
  made->estimates = made->law->f64->info->nparam + BRISTLE_TERMS;
  made->beside = memory_take(&made->memory_list, sizeof *made->beside * (size_t)tail);
  made->correlation = memory_take(&made->memory_list, sizeof(double) * BRISTLE_ESTIMATES * BRISTLE_ESTIMATES);
  if (!made->beside || !made->correlation || made->estimates + BRISTLE_PLANT_COUNT > BRISTLE_ESTIMATES)
    return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the result of %s", made->law->name);
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind decay_result(const bristle_decay *d, const replay *m, const features *f,
                                const bristle_fit_result *fit, bristle_identified *made, bristle_fault *fault)
{
  const bristle_info *info = m->trajectory->law->f64->info;
  int place[BRISTLE_PLANT_COUNT];
  bristle_axis_values values;
  slopes *g = calloc(1, sizeof *g);
  bristle_fault_kind kind = g ? make_room(d, m, made, fault)
                              : fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  if (!kind) {
    memcpy(made->beside, fit->p + m->chart->count, sizeof *made->beside * (size_t)(m->count - m->chart->count));
    replay_values(m, fit->p, &values);
    memcpy(made->p, values.param, sizeof made->p);
    name_parameters(made, m->chart);
    name_axis(made, m, &values, place);
    kind = measure(d, m, fit, made, fault);
  }
  if (!kind) {
    fill_slopes(g, made, m, fit->p, place);
    spread(made, m, fit, g);
    for (int k = 0; k < info->nparam; k++) result_explain(&made->estimate[k], chart_row(info, k), f, d->rotary);
    if (d->per_inertia) say_per_inertia(made);
    made->condition = fit->condition, made->stop = fit->stop;
    made->iterations = fit->iterations, made->jacobians = fit->jacobians, made->evaluations = fit->evaluations;
  }
  free(g);
  return kind;
}
