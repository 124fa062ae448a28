/* The part of the page about other loads: a set found at one load, used at another. */
#include "parts.h"

#include "lab/loads.h"
#include "bristle/text.h"

#include "maths/elementary.h"

#include <stdio.h>
#include <stdlib.h>

enum { LOADS = 5 };

/* the true contact: levels proportional to the load, stiffness and damping with its cube root (a sphere on a plane) */
static void true_parameters(const bristle_law *law, double n, double *p)
{
  const bristle_info *info = law->f64->info;
  bristle_defaults(info, p);
  p[bristle_param_find(info, "fc")->first] *= n;
  p[bristle_param_find(info, "fs")->first] *= n;
  p[bristle_param_find(info, "sigma0")->first] *= cbrt(n);
  p[bristle_param_find(info, "sigma1")->first] *= cbrt(n);
}

enum { FORMS = 3 };

/* the error at load n of a set found at load 1, in each load form */
static void errors_at(const bristle_law *law, const double *found, double n, double amplitude, double error[FORMS])
{
  loop_data *l = malloc(sizeof *l);
  double truth[BRISTLE_LAW_SIZE], p[BRISTLE_LAW_SIZE], absolute;
  true_parameters(law, n, truth);
  const bristle_contact real = { .law = law, .p = truth };
  for (int k = 0; k < FORMS; k++) error[k] = (double)NAN;
  if (!l) return;
  piatkowski_loop(l, &real, amplitude, 1);
  for (int k = 0; k < FORMS; k++) {
    const bristle_load form = (bristle_load)k;
    bristle_convert(law->f64->info, found, BRISTLE_LOAD_FORCE, p, form, 1);
    const bristle_contact contact = { .law = law, .load = form, .p = p };
    bristle_loop_error(&contact, n, &l->record, PIATKOWSKI_FLOOR, &absolute, &error[k]);
  }
  free(l);
}

/* The same for a static law, whose levels alone make the force: coefficients of one load hold at all of them. */
static double static_error_at(double n)
{
  const bristle_law *law = bristle_law_find("stribeck");
  double truth[BRISTLE_LAW_SIZE], p[BRISTLE_LAW_SIZE], most = 0;
  bristle_defaults(law->f64->info, p);
  p[bristle_param_find(law->f64->info, "sigma2")->first] = 0;
  for (int i = 0; i < law->f64->info->nparam; i++) truth[i] = p[i];
  truth[bristle_param_find(law->f64->info, "fc")->first] *= n;
  truth[bristle_param_find(law->f64->info, "fs")->first] *= n;
  for (double v = 1e-5; v < 1; v *= 1.3) {
    const bristle_input real = { .v = v, .n = 1, .load = BRISTLE_LOAD_FORCE },
                        used = { .v = v, .n = n, .load = BRISTLE_LOAD_COEFFICIENT };
    const double f = law->f64->eval(truth, NULL, &real, NULL);
    most = fmax(most, fabs(law->f64->eval(p, NULL, &used, NULL) / f - 1));
  }
  return most;
}

static const char *const load_names[] = { "sigma0", "sigma1", "fc", "fs", "vs" };
enum { LOAD_NAMES = 5 };

static bristle_fault_kind fit_at(const bristle_law *law, double n, double *found, bristle_fault *fault)
{
  static const double amplitudes[LOOPS] = { 1e-5, 1e-4, 2e-3 };
  bristle_loop_record record[LOOPS];
  double truth[BRISTLE_LAW_SIZE], start[BRISTLE_LAW_SIZE];
  bristle_fit_result *result = NULL;
  loop_data *l = malloc(LOOPS * sizeof *l);
  if (!l) return fault_memory(fault);
  true_parameters(law, n, truth);
  true_parameters(law, 1, start);
  const bristle_contact real = { .law = law, .p = truth }, guess = { .law = law, .p = start };
  for (int k = 0; k < LOOPS; k++) piatkowski_loop(&l[k], &real, amplitudes[k], 1), record[k] = l[k].record;
  const bristle_loop_fit fit = { &guess, 1, load_names, LOAD_NAMES, LOOPS, record, PIATKOWSKI_FLOOR };
  const bristle_fault_kind kind = bristle_loop_fit_parameters(&fit, NULL, found, &result, fault);
  bristle_fit_free(result);
  free(l);
  return kind;
}

static void add_load_errors(bristle_report *report, const bristle_law *law, const double *found,
                            piatkowski_numbers *numbers)
{
  enum { POINTS = 21 };
  static double load[POINTS], error[FORMS][POINTS];
  bristle_series series[FORMS];
  double at[FORMS];
  for (int i = 0; i < POINTS; i++) {
    load[i] = pow(2, -3 + 6.0 * i / (POINTS - 1));
    errors_at(law, found, load[i], 1e-5, at);
    for (int k = 0; k < FORMS; k++) error[k][i] = at[k];
  }
  errors_at(law, found, 1, 1e-5, at);
  numbers->own_load_error = at[0];
  errors_at(law, found, 4, 1e-5, at);
  numbers->other_load_error = fmin(at[0], fmin(at[1], at[2]));
  for (int k = 0; k < FORMS; k++)
    series[k] = (bristle_series){
      .name = bristle_load_text((bristle_load)k), .count = POINTS, .x = load, .y = error[k]
    };
  const bristle_plot plot = {
    .kind = BRISTLE_PLOT_XY,
    .title = "A fit at the load 1, used at others",
    .caption = "Relative rms error of a loop of 10 um. force: the set as it is; coefficient: all "
               "of it scaled with the load; level: only its levels.",
    .half = 1,
    .x = { "load/load of the fit", NULL, 1 },
    .y = { "relative error", NULL, 0 },
    .series_count = FORMS,
    .series = series
  };
  bristle_report_plot(report, &plot);
}

/* fits at five loads, the law that joins each parameter, and the error with these laws at four times the load */
static bristle_fault_kind add_load_laws(bristle_report *report, const bristle_law *law, piatkowski_numbers *numbers,
                                        bristle_fault *fault)
{
  static const double loads[LOADS] = { 0.25, 0.5, 1, 2, 8 };
  const bristle_info *info = law->f64->info;
  double found[LOADS][BRISTLE_LAW_SIZE], joined[BRISTLE_LAW_SIZE], truth[BRISTLE_LAW_SIZE], absolute;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int i = 0; i < LOADS && !kind; i++) kind = fit_at(law, loads[i], found[i], fault);
  true_parameters(law, 4, truth);
  bristle_defaults(info, joined);
  for (int k = 0; k < LOAD_NAMES && !kind; k++) {
    const int j = bristle_param_find(info, load_names[k])->first;
    double value[LOADS];
    char text[400];
    bristle_load_law rule;
    for (int i = 0; i < LOADS; i++) value[i] = found[i][j];
    const bristle_load_series series = { .name = load_names[k], .count = LOADS, .n = loads, .value = value };
    kind = bristle_load_law_find(&series, &rule, fault);
    if (kind) break;
    joined[j] = bristle_load_law_value(&rule, rule.best, 4);
    bristle_load_law_text(&series, &rule, text, sizeof text);
    bristle_report_text(report, text);
  }
  loop_data *l = kind ? NULL : malloc(sizeof *l);
  if (!l) return kind;
  const bristle_contact real = { .law = law, .p = truth };
  const bristle_contact predicted = { .law = law, .p = joined };
  piatkowski_loop(l, &real, 1e-5, 1);
  bristle_loop_error(&predicted, 1, &l->record, PIATKOWSKI_FLOOR, &absolute, &numbers->law_load_error);
  free(l);
  return kind;
}

bristle_fault_kind piatkowski_loads(bristle_report *report, piatkowski_numbers *numbers, bristle_fault *fault)
{
  const bristle_law *law = bristle_law_find("lugre");
  double found[BRISTLE_LAW_SIZE];
  char text[200];
  bristle_report_section(report, "Another normal load");
  bristle_report_text(
      report, "The levels of the true contact here are proportional to the load, its stiffness and damping go with "
              "the cube root, as those of a sphere on a plane do. A set found at one load is right there only: "
              "dynamic parameters hold in a small range of loads, unlike static ones.");
  bristle_fault_kind kind = fit_at(law, 1, found, fault);
  numbers->static_load_error = static_error_at(4);
  if (!kind) add_load_errors(report, law, found, numbers);
  if (!kind) kind = add_load_laws(report, law, numbers, fault);
  if (kind) return kind;
  snprintf(
      text, sizeof text,
      "At four times the load the best of the three forms is wrong by %.2g %%; with fits at five loads and these laws "
      "in between by %.2g %%.",
      100 * numbers->other_load_error, 100 * numbers->law_load_error);
  bristle_report_text(report, text);
  return kind;
}
