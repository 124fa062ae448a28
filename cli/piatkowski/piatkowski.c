/* A page after Piatkowski: parameters from loops at three amplitudes by relative errors, the limiting cycle time, and
   what becomes of a fit at another load. His own data are not published; the contacts here are made up, with the laws'
   own parameters (the set of 1995) taken for true. */
#include "parts.h"

#include "maths/elementary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 64, PERIODS = 25, MOST_NAMES = 6 };

static const double TOLERANCE = 0.01;

/* The same loop as an experiment would show it: many steps between two samples, the force at the instant of the sample,
   and noise. */
static void measured_loop(loop_data *l, const bristle_contact *contact, double amplitude, double period, double noise,
                          unsigned long long *seed)
{
  enum { PARTS = 40 };
  const double step = 2 * period / LOOP_SAMPLES, h = step / PARTS, w = 2 * 3.14159265358979324 / period;
  double state[BRISTLE_LAW_SIZE] = { 0 }, rate[BRISTLE_LAW_SIZE], x = 0;
  for (size_t i = 0; i < LOOP_SAMPLES; i++) {
    for (int k = 1; i && k <= PARTS; k++) {
      const double now = amplitude * sin(w * (((double)i - 1) * step + k * h));
      const bristle_input in = { .v = (now - x) / h, .x = x, .n = 1, .h = h, .load = contact->load };
      contact->law->f64->step(contact->p, state, &in, NULL);
      x = now;
    }
    const bristle_input in = { .v = amplitude * w * cos(w * (double)i * step), .x = x, .n = 1, .load = contact->load };
    double sum = -6; /* twelve uniform numbers are nearly normal */
    for (int k = 0; k < 12; k++)
      sum += (double)((*seed = *seed * 6364136223846793005ull + 1442695040888963407ull) >> 11) * 0x1p-53;
    l->x[i] = x;
    l->f[i] = contact->law->f64->eval(contact->p, state, &in, rate) + noise * sum;
  }
  for (size_t i = 0; i < LOOP_SAMPLES; i++) { /* an experiment has positions: velocities are their differences */
    const size_t from = i ? i - 1 : 0, to = i + 1 < LOOP_SAMPLES ? i + 1 : i;
    l->v[i] = (l->x[to] - l->x[from]) / ((double)(to - from) * step);
  }
  l->record = (bristle_loop_record){ LOOP_SAMPLES, step, l->x, l->f, l->v };
}

void piatkowski_loop(loop_data *l, const bristle_contact *contact, double amplitude, double period)
{
  const double step = 2 * period / LOOP_SAMPLES;
  double state[BRISTLE_LAW_SIZE] = { 0 };
  for (size_t i = 0; i < LOOP_SAMPLES; i++) {
    l->x[i] = amplitude * sin(4 * 3.14159265358979324 * (double)i / LOOP_SAMPLES);
    const double from = i ? l->x[i - 1] : 0;
    const bristle_input in = { .v = (l->x[i] - from) / step, .x = from, .n = 1, .h = step, .load = contact->load };
    l->f[i] = i ? contact->law->f64->step(contact->p, state, &in, NULL) : 0;
  }
  l->record = (bristle_loop_record){ LOOP_SAMPLES, step, l->x, l->f, NULL };
}

/* ---- parameters from three loops ---- */

typedef struct recovery {
  const char *law;
  const char *names[MOST_NAMES];
  int count;
  double amplitude[LOOPS];
  int measured; /* samples of a finer motion, with this noise */
  double noise;
} recovery;

static void add_parameter_table(bristle_report *report, const recovery *r, const double *truth, const double *start,
                                const double *found, const char *caption)
{
  static const char *const heads[] = { "parameter", "true", "start", "found", "error" };
  const bristle_info *info = bristle_law_find(r->law)->f64->info;
  char text[MOST_NAMES][4][CELL];
  const char *cells[MOST_NAMES * 5];
  for (int k = 0; k < r->count; k++) {
    const int j = bristle_param_find(info, r->names[k])->first;
    snprintf(text[k][0], CELL, "%.7g", truth[j]);
    snprintf(text[k][1], CELL, "%.4g", start[j]);
    snprintf(text[k][2], CELL, "%.7g", found[j]);
    snprintf(text[k][3], CELL, "%.1e", fabs(found[j] / truth[j] - 1));
    cells[5 * k] = r->names[k];
    for (int c = 0; c < 4; c++) cells[5 * k + 1 + c] = text[k][c];
  }
  const bristle_report_grid grid = { caption, "lrrrr", 5, (size_t)r->count, heads, cells };
  bristle_report_table(report, &grid);
}

/* x/amplitude: otherwise only the largest loop would be seen */
static void add_loop_plot(bristle_report *report, const recovery *r, const loop_data *l)
{
  char names[LOOPS][CELL], title[CELL];
  bristle_series series[LOOPS];
  double *x = malloc(sizeof *x * LOOPS * LOOP_SAMPLES);
  for (int k = 0; k < LOOPS && x; k++) {
    double *part = x + k * LOOP_SAMPLES;
    for (size_t i = 0; i < LOOP_SAMPLES; i++) part[i] = l[k].x[i] / r->amplitude[k];
    snprintf(names[k], CELL, r->amplitude[k] < 1e-3 ? "%.3g um" : "%.3g mm",
             r->amplitude[k] * (r->amplitude[k] < 1e-3 ? 1e6 : 1e3));
    series[k] = (bristle_series){ .name = names[k], .count = LOOP_SAMPLES, .x = part, .y = l[k].f };
  }
  snprintf(title, sizeof title, "Loops of %s", r->law);
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = title,
                              .caption = "Two cycles from the virgin state at three amplitudes.",
                              .half = 1,
                              .x = { "position/amplitude", NULL, 0 },
                              .y = { "friction force", "N", 0 },
                              .series_count = LOOPS,
                              .series = series };
  if (x) bristle_report_plot(report, &plot);
  free(x);
}

/* the largest error in deviations of the fit; fs is searched as a multiple of fc, and left out */
static double error_in_deviations(const recovery *r, const bristle_fit_result *result, const double *truth)
{
  double most = 0;
  for (int k = 0; k < r->count; k++) {
    const double true_value = truth[bristle_param_find(bristle_law_find(r->law)->f64->info, r->names[k])->first];
    if (strcmp(r->names[k], "fs")) most = fmax(most, fabs(result->p[k] - true_value) / result->deviation[k]);
  }
  return most;
}

static bristle_fault_kind recover(bristle_report *report, const recovery *r, double *largest, double *deviations,
                                  bristle_fault *fault)
{
  const bristle_law *law = bristle_law_find(r->law);
  double truth[BRISTLE_LAW_SIZE], start[BRISTLE_LAW_SIZE], found[BRISTLE_LAW_SIZE];
  bristle_loop_record record[LOOPS];
  bristle_fit_result *result;
  loop_data *l = malloc(LOOPS * sizeof *l);
  if (!l) return fault_memory(fault);
  bristle_defaults(law->f64->info, truth);
  memcpy(start, truth, sizeof start);
  const bristle_contact contact = { .law = law, .p = truth };
  unsigned long long seed = 11;
  for (int k = 0; k < LOOPS; k++) {
    if (r->measured) measured_loop(&l[k], &contact, r->amplitude[k], 1, r->noise, &seed);
    else piatkowski_loop(&l[k], &contact, r->amplitude[k], 1);
    record[k] = l[k].record;
  }
  for (int k = 0; k < r->count; k++)
    start[bristle_param_find(law->f64->info, r->names[k])->first] *= k % 2 ? 1.0 / 3 : 3;
  const bristle_contact guess = { .law = law, .p = start };
  const bristle_loop_fit fit = { &guess, 1, r->names, r->count, LOOPS, record, PIATKOWSKI_FLOOR };
  const bristle_fault_kind kind = bristle_loop_fit_parameters(&fit, NULL, found, &result, fault);
  *largest = 0;
  for (int k = 0; k < r->count && !kind; k++) {
    const int j = bristle_param_find(law->f64->info, r->names[k])->first;
    *largest = fmax(*largest, fabs(found[j] / truth[j] - 1));
  }
  if (!kind) {
    if (deviations) *deviations = error_in_deviations(r, result, truth);
    char caption[160];
    snprintf(caption, sizeof caption,
             "%s%s: %d steps from a start that is off by a factor of three; largest error %.1e.", r->law,
             !r->measured   ? ", samples that are the law's own steps"
             : r->noise > 0 ? ", samples of a finer motion with 1 mN of noise"
                            : ", samples of a finer motion",
             result->iterations, *largest);
    if (!r->measured) add_loop_plot(report, r, l);
    add_parameter_table(report, r, truth, start, found, caption);
  }
  bristle_fit_free(result);
  free(l);
  return kind;
}

static bristle_fault_kind add_recovery(bristle_report *report, piatkowski_numbers *numbers, bristle_fault *fault)
{
  static const recovery dahl = { "dahl", { "sigma0", "fc", "delta" }, 3, { 5e-6, 2e-5, 1e-4 }, 0, 0 };
  static const recovery lugre = { "lugre", { "sigma0", "sigma1", "fc", "fs", "vs", "sigma2" },
                                  6,       { 1e-5, 1e-4, 2e-3 },
                                  0,       0 };
  bristle_report_section(report, "Parameters from loops at three amplitudes");
  bristle_report_text(
      report, "Least squares of relative errors, error/force (or error over a twentieth of the largest force of its "
              "loop, where it crosses zero): small loops count as much as large ones.");
  recovery finer = lugre, noisy = lugre;
  finer.measured = noisy.measured = 1;
  noisy.noise = 1e-3;
  bristle_fault_kind kind = recover(report, &dahl, &numbers->dahl_error, NULL, fault);
  if (!kind) kind = recover(report, &lugre, &numbers->lugre_error, NULL, fault);
  if (!kind) kind = recover(report, &finer, &numbers->finer_error, NULL, fault);
  return kind ? kind : recover(report, &noisy, &numbers->noisy_error, &numbers->noisy_deviations, fault);
}

/* ---- the limiting cycle time ---- */

static void add_cycle_curves(bristle_report *report, const bristle_contact *contact, double fc,
                             piatkowski_numbers *numbers)
{
  static const double amplitudes[LOOPS] = { 5e-6, 1e-5, 1e-4 };
  static double factor[PERIODS], apart[LOOPS][PERIODS];
  char names[LOOPS][CELL];
  bristle_series series[LOOPS];
  numbers->below = HUGE_VAL;
  for (int k = 0; k < LOOPS; k++) {
    const double limit = bristle_cycle_limit_of(contact, 1, amplitudes[k], TOLERANCE).period;
    for (int i = 0; i < PERIODS; i++) {
      factor[i] = pow(10, -1.5 + 3.0 * i / (PERIODS - 1));
      apart[k][i] = bristle_loop_difference(contact, 1, amplitudes[k], factor[i] * limit, 1000 * limit, NULL) / fc;
      if (factor[i] >= 0.999) numbers->above = fmax(numbers->above, apart[k][i]);
    }
    const double fifth = bristle_loop_difference(contact, 1, amplitudes[k], limit / 5, 1000 * limit, NULL) / fc;
    numbers->below = fmin(numbers->below, fifth);
    snprintf(names[k], CELL, "%.3g um, limit %.3g s", 1e6 * amplitudes[k], limit);
    series[k] = (bristle_series){ .name = names[k], .count = PERIODS, .x = factor, .y = apart[k] };
  }
  const bristle_mark marks[] = { { .at = 1, .label = "limiting cycle time" },
                                 { .at = TOLERANCE, .horizontal = 1, .label = "1 %" } };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = "How far a loop is from the slow one",
                              .caption = "Largest difference of the forces at one position/Coulomb level.",
                              .half = 1,
                              .x = { "period/limiting cycle time", NULL, 1 },
                              .y = { "difference", NULL, 1 },
                              .series_count = LOOPS,
                              .series = series,
                              .mark_count = 2,
                              .marks = marks };
  bristle_report_plot(report, &plot);
}

static void add_cycle_loops(bristle_report *report, const bristle_contact *contact)
{
  enum { SHOWN = 4, POINTS = 1000 };
  static const double factors[SHOWN] = { 0.05, 0.2, 1, 20 };
  static double x[SHOWN][POINTS], f[SHOWN][POINTS];
  const double amplitude = 1e-5, limit = bristle_cycle_limit_of(contact, 1, amplitude, TOLERANCE).period;
  char names[SHOWN][CELL];
  bristle_series series[SHOWN];
  for (int k = 0; k < SHOWN; k++) {
    bristle_loop_simulate(contact, 1, amplitude, factors[k] * limit, 3, POINTS, x[k], f[k]);
    snprintf(names[k], CELL, "%.3g s, %g of the limit", factors[k] * limit, factors[k]);
    series[k] = (bristle_series){ .name = names[k], .count = POINTS, .x = x[k], .y = f[k] };
  }
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = "Loops of 10 um at four periods",
                              .caption = "Faster loops are fatter: the bristle's damping adds to them.",
                              .half = 1,
                              .x = { "position", "m", 0 },
                              .y = { "friction force", "N", 0 },
                              .series_count = SHOWN,
                              .series = series };
  bristle_report_plot(report, &plot);
}

static void add_cycle_time(bristle_report *report, piatkowski_numbers *numbers)
{
  const bristle_law *law = bristle_law_find("lugre");
  double p[BRISTLE_LAW_SIZE];
  bristle_defaults(law->f64->info, p);
  const bristle_contact contact = { .law = law, .p = p };
  bristle_report_section(report, "The limiting cycle time");
  bristle_report_text(
      report, "Above it a presliding loop does not depend on how fast it is run, within the tolerance, here 1 % of "
              "the Coulomb level; the static parameters may be read off it. Below it the loop shows damping and "
              "Stribeck curve as well.");
  add_cycle_curves(report, &contact, p[bristle_param_find(law->f64->info, "fc")->first], numbers);
  add_cycle_loops(report, &contact);
}

bristle_fault_kind piatkowski_page(bristle_report *report, piatkowski_numbers *numbers, bristle_fault *fault)
{
  *numbers = (piatkowski_numbers){ 0 };
  bristle_fault_kind kind = add_recovery(report, numbers, fault);
  if (!kind) add_cycle_time(report, numbers);
  return kind ? kind : piatkowski_loads(report, numbers, fault);
}
