/* What a simulation-error fit writes: JSON, a model file, a page. */
#include "identify_trajectory.h"

#include "cli.h"

#include "bristle/report.h"

#include <math.h>

enum { CELL = 64 };

static void json_field(FILE *out, const char *name, double value)
{
  fprintf(out, ", \"%s\": ", name);
  json_number(out, value);
}

static void json_law(const trajectory_job *job, const trajectory_found *f, FILE *out)
{
  fprintf(out, "{\"law\": \"%s\"", f->law->name);
  json_field(out, "fitted_error", f->fitted_error);
  json_field(out, "held_error", f->held_error);
  fputs(", \"stop\": ", out);
  json_string(out, bristle_fit_stop_text(f->result->fit->stop));
  fputs(",\n     \"unknowns\": [", out);
  for (int k = 0; k < f->result->count; k++) {
    const bristle_trajectory_unknown *u = &f->result->unknown[k];
    char unit[40];
    trajectory_unit(job, f->law, u->name, unit, sizeof unit);
    fprintf(out, "%s\n      {\"name\": \"%s\", \"unit\": \"%s\"", k ? "," : "", u->name, unit);
    json_field(out, "value", u->value);
    json_field(out, "deviation", u->bound ? HUGE_VAL : u->deviation);
    fprintf(out, ", \"bound\": %d}", u->bound);
  }
  fputs("],\n     \"runs\": [", out);
  for (size_t k = 0; k < job->file->fitted + job->file->held; k++) {
    fprintf(out, "%s\n      {\"file\": ", k ? "," : "");
    json_string(out, job->file->run[k].name);
    fprintf(out, ", \"held\": %s", k < job->file->fitted ? "false" : "true");
    json_field(out, "mean", f->error[k].mean);
    json_field(out, "rms", f->error[k].rms);
    json_field(out, "greatest", f->error[k].largest);
    putc('}', out);
  }
  fputs("]}", out);
}

void trajectory_json(const trajectory_job *job, FILE *out)
{
  fputs("{\n  \"rig\": ", out);
  json_string(out, job->rig);
  fputs(",\n  \"laws\": [", out);
  for (int k = 0; k < job->count; k++) {
    fputs(k ? ",\n    " : "\n    ", out);
    json_law(job, &job->found[k], out);
  }
  fputs("\n  ]\n}\n", out);
}

/* ---- the model file ---- */

static double deviation_of(const bristle_trajectory_result *r, const char *name)
{
  for (int k = 0; k < r->count; k++)
    if (!strcmp(r->unknown[k].name, name)) return r->unknown[k].bound ? 0 : r->unknown[k].deviation;
  return 0;
}

static void write_value(FILE *out, double value, const char *unit, double deviation)
{
  char text[BRISTLE_NUMBER_SIZE];
  bristle_number_write(value, text);
  fprintf(out, "{value: %s", text);
  if (unit[0] && strcmp(unit, "1")) fprintf(out, ", unit: \"%s\"", unit);
  if (deviation > 0 && isfinite(deviation)) fprintf(out, ", std: %.3g", deviation);
  putc('}', out);
}

static void write_law(const trajectory_job *job, const trajectory_found *f, bristle_load load, FILE *out)
{
  const bristle_info *info = f->law->f64->info;
  for (int i = 0; i < info->param_rows; i++) {
    const bristle_row *row = &info->param[i];
    char unit[40];
    bristle_unit(row, load, job->file->rotary, unit, sizeof unit);
    fprintf(out, "  %s: %s", row->name, row->count > 1 ? "[" : "");
    for (int k = 0; k < row->count; k++) {
      if (k) fputs(", ", out);
      write_value(out, f->result->values.param[row->first + k], row->kind == BRISTLE_OPTION ? "" : unit,
                  row->count > 1 ? 0 : deviation_of(f->result, row->name));
    }
    fputs(row->count > 1 ? "]\n" : "\n", out);
  }
}

bristle_fault_kind trajectory_write_model(const trajectory_job *job, const char *path, bristle_fault *fault)
{
  const trajectory_found *best = &job->found[0];
  const double *plant = best->result->values.plant;
  const int loaded = plant[BRISTLE_PLANT_LOAD_DRIVE] != 0 || plant[BRISTLE_PLANT_LOAD_OUTSIDE] != 0;
  const bristle_load form = loaded ? job->file->trajectory.load : BRISTLE_LOAD_FORCE;
  static const char *const forms[] = { "force", "coefficient", "level" };
  bristle_output *output;
  bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_DOCUMENT, &output, fault);
  if (kind) return kind;
  FILE *out = bristle_output_stream(output);
  fprintf(out, "bristle: 1\nmodel: %s\nload: %s\n", best->law->name, forms[form]);
  if (loaded)
    fputs("note: the load is 1 + |load_drive drive - load_outside outside|, 1 where nothing is carried\n", out);
  fputs("parameters:\n", out);
  write_law(job, best, form, out);
  fputs("identified:\n", out);
  for (int k = 0; k < BRISTLE_PLANT_COUNT; k++) {
    const char *name = bristle_plant_name((bristle_plant)k);
    char unit[40];
    if (plant[k] == 0) continue;
    trajectory_unit(job, best->law, name, unit, sizeof unit);
    /* what the runs bring is part of the whole: the name says that this is what is added */
    fprintf(out, "  axis_%s: ", name);
    write_value(out, plant[k], unit, deviation_of(best->result, name));
    putc('\n', out);
  }
  fprintf(out, "  mean_error: ");
  write_value(out, best->fitted_error, job->file->rotary ? "rad" : "m", 0);
  if (job->file->held) {
    fprintf(out, "\n  held_error: ");
    write_value(out, best->held_error, job->file->rotary ? "rad" : "m", 0);
  }
  putc('\n', out);
  return bristle_output_commit(output, fault);
}

/* ---- the page ---- */

static void add_verdict(const trajectory_job *job, bristle_report *report)
{
  const trajectory_found *best = &job->found[0];
  const char *unit = job->file->rotary ? "rad" : "m";
  char text[240];
  if (job->file->held)
    snprintf(text, sizeof text,
             "`%s` predicts the runs that were held out with a mean error of %.3g %s (%.3g %s on those fitted).",
             best->law->name, best->held_error, unit, best->fitted_error, unit);
  else
    snprintf(
        text, sizeof text,
        "`%s` follows the runs with a mean error of %.3g %s; no run was held out, so that nothing says how well it "
        "predicts.",
        best->law->name, best->fitted_error, unit);
  bristle_report_text(report, text);
  for (int k = 0; k < best->result->count; k++) {
    const bristle_trajectory_unknown *u = &best->result->unknown[k];
    if (!u->bound && !isinf(u->deviation)) continue;
    snprintf(text, sizeof text, "%s is not determined: %s.", u->name,
             u->bound ? "it ended at a bound of its range" : "the runs do not contain it");
    bristle_report_text(report, text);
  }
}

static void add_laws(const trajectory_job *job, bristle_report *report)
{
  static const char *const heads[] = { "law", "unknowns", "runs fitted", "runs held out" };
  char text[TRAJECTORY_LAWS][3][CELL];
  const char *cells[TRAJECTORY_LAWS * 4], *unit = job->file->rotary ? "rad" : "m";
  for (int k = 0; k < job->count; k++) {
    const trajectory_found *f = &job->found[k];
    snprintf(text[k][0], CELL, "%d", f->result->count);
    snprintf(text[k][1], CELL, "%.4g %s", f->fitted_error, unit);
    snprintf(text[k][2], CELL, isnan(f->held_error) ? "-" : "%.4g %s", f->held_error, unit);
    cells[4 * k] = f->law->name;
    for (int j = 0; j < 3; j++) cells[4 * k + 1 + j] = text[k][j];
  }
  const bristle_report_grid grid = {
    "Mean error of the simulated position, best first.", "lrrr", 4, (size_t)job->count, heads, cells
  };
  bristle_report_table(report, &grid);
}

static void add_unknowns(const trajectory_job *job, bristle_report *report)
{
  static const char *const heads[] = { "unknown", "value", "standard deviation", "unit" };
  const bristle_trajectory_result *r = job->found[0].result;
  char(*text)[3][CELL] = calloc((size_t)r->count, sizeof *text);
  const char **cells = calloc(4 * (size_t)r->count, sizeof *cells);
  for (int k = 0; text && cells && k < r->count; k++) {
    const bristle_trajectory_unknown *u = &r->unknown[k];
    snprintf(text[k][0], CELL, "%.5g", u->value);
    if (u->bound) snprintf(text[k][1], CELL, "at its %s bound", u->bound < 0 ? "lower" : "upper");
    else if (isinf(u->deviation)) snprintf(text[k][1], CELL, "not determined");
    else snprintf(text[k][1], CELL, "%.2g", u->deviation);
    trajectory_unit(job, job->found[0].law, u->name, text[k][2], CELL);
    cells[4 * k] = u->name;
    for (int j = 0; j < 3; j++) cells[4 * k + 1 + j] = text[k][j];
  }
  const bristle_report_grid grid = { job->found[0].law->f64->info->title, "lrrl", 4, (size_t)r->count, heads, cells };
  if (text && cells) bristle_report_table(report, &grid);
  free(text), free(cells);
}

static void add_run(const trajectory_job *job, bristle_report *report, size_t k)
{
  const bristle_run *run = &job->file->run[k];
  const trajectory_found *best = &job->found[0];
  double *x = malloc(2 * run->count * sizeof *x), *v = x ? x + run->count : NULL;
  char caption[160];
  if (!x || bristle_trajectory_simulate(&job->file->trajectory, run, &best->result->values, x, v)) {
    free(x);
    return;
  }
  const int by_position = run->position != NULL;
  bristle_series series[3] = {
    { .name = "measured", .count = run->count, .x = run->t, .y = by_position ? run->position : run->velocity },
    { .name = "simulated", .count = run->count, .x = run->t, .y = by_position ? x : v }
  };
  size_t shown = 2;
  if (by_position && run->target)
    series[shown++] = (bristle_series){
      .name = "target", .style = BRISTLE_STYLE_DASHED, .count = run->count, .x = run->t, .y = run->target
    };
  const char *const units[2][2] = { { "m/s", "rad/s" }, { "m", "rad" } }, *unit = units[by_position][job->file->rotary];
  snprintf(caption, sizeof caption, "%s; mean error %.3g %s, greatest %.3g %s.",
           k < job->file->fitted ? "Fitted" : "Held out", best->error[k].mean, unit, best->error[k].largest, unit);
  const bristle_plot plot = { .kind = BRISTLE_PLOT_TIME,
                              .title = run->name,
                              .caption = caption,
                              .half = 1,
                              .x = { "t", "s", 0 },
                              .y = { by_position ? "x" : "v", unit, 0 },
                              .series_count = shown,
                              .series = series,
                              .limit = 2000 };
  bristle_report_plot(report, &plot);
  free(x);
}

int trajectory_report(const trajectory_job *job, const char *path)
{
  bristle_fault fault;
  char text[1000];
  bristle_report *report = bristle_report_new(job->file->title ? job->file->title : "Simulation-error fit");
  add_verdict(job, report);
  add_laws(job, report);
  bristle_report_section(report, "What was found");
  add_unknowns(job, report);
  bristle_report_section(report, "Runs");
  for (size_t k = 0; k < job->file->fitted + job->file->held; k++) add_run(job, report, k);
  const bristle_fault_kind kind = bristle_report_write(report, path, &fault);
  bristle_report_free(report);
  if (!kind) return DONE;
  bristle_fault_text(&fault, text, sizeof text);
  fprintf(stderr, "bristle identify: %s\n", text);
  return FAILED;
}
