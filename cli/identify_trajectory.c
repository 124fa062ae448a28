/* bristle identify --rig FILE.yaml: friction and plant of an axis from recorded motions. */
#include "identify_trajectory.h"

#include "cli.h"
#include "progress.h"

#include <math.h>

typedef struct request {
  const char *rig, *model, *output, *report, *seed, *candidates, *starts;
  int json, quiet;
} request;

static int fault_exit(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "bristle identify: %s\n", text);
  return FAILED;
}

void trajectory_unit(const trajectory_job *job, const bristle_law *law, const char *name, char *text, size_t size)
{
  static const char *const units[BRISTLE_PLANT_COUNT][2] = {
    { "kg", "kg*m^2" }, { "", "" },           { "N*s/m", "N*m*s/rad" }, { "N", "N*m" },       { "m", "rad" },
    { "N", "N*m" },     { "1/N", "1/(N*m)" }, { "1/N", "1/(N*m)" },     { "N/m", "N*m/rad" }, { "N*s/m", "N*m*s/rad" },
  };
  const int rotary = job->file->rotary;
  char base[40];
  snprintf(base, sizeof base, "%.*s", (int)strcspn(name, "["), name);
  const bristle_row *row = bristle_param_find(law->f64->info, base);
  if (row) bristle_unit(row, BRISTLE_LOAD_FORCE, rotary, text, size);
  else text[0] = '\0';
  for (int k = 0; k < BRISTLE_PLANT_COUNT; k++)
    if (!strcmp(name, bristle_plant_name((bristle_plant)k))) snprintf(text, size, "%s", units[k][rotary]);
  if (!strcmp(text, "1")) text[0] = '\0';
}

/* ---- fitting ---- */

typedef struct watched {
  progress bar;
  int done, count;
} watched;

static int watch(void *context, double fraction)
{
  watched *w = context;
  return progress_show(&w->bar, (w->done + fraction) / w->count);
}

static double mean_of(const bristle_run_error *error, size_t count)
{
  double sum = 0;
  for (size_t k = 0; k < count; k++) sum += error[k].mean;
  return count ? sum / (double)count : (double)NAN;
}

static bristle_fault_kind fit_law(trajectory_job *job, const bristle_law *law,
                                  const bristle_trajectory_options *options, bristle_fault *fault)
{
  trajectory_found found = { .law = law };
  bristle_trajectory_file *file = job->file;
  const size_t runs = file->fitted + file->held;
  bristle_fault_kind kind = bristle_trajectory_file_law(file, law, fault);
  if (!kind) kind = bristle_trajectory_fit(&file->trajectory, options, &found.result, fault);
  if (kind) return kind;
  found.error = calloc(runs, sizeof *found.error);
  if (!found.error) {
    bristle_trajectory_free(found.result);
    *fault = (bristle_fault){ .kind = BRISTLE_FAULT_MEMORY };
    snprintf(fault->what, sizeof fault->what, "not enough memory");
    return fault->kind;
  }
  kind = bristle_trajectory_errors(&file->trajectory, &found.result->values, runs, file->run, found.error, fault);
  found.fitted_error = mean_of(found.error, file->fitted);
  found.held_error = mean_of(found.error + file->fitted, file->held);
  job->found[job->count++] = found;
  return kind;
}

static double rank_of(const trajectory_found *f) { return isnan(f->held_error) ? f->fitted_error : f->held_error; }

static void sort_found(trajectory_job *job)
{
  for (int i = 1; i < job->count; i++)
    for (int k = i; k > 0 && rank_of(&job->found[k]) < rank_of(&job->found[k - 1]); k--) {
      const trajectory_found keep = job->found[k];
      job->found[k] = job->found[k - 1];
      job->found[k - 1] = keep;
    }
}

/* "coulomb,stribeck", or the one of the file */
static int choose_laws(const request *q, const trajectory_job *job, const bristle_law **laws, int *count)
{
  *count = 0;
  if (!q->model) laws[(*count)++] = job->file->trajectory.law;
  for (const char *at = q->model; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, ","), at);
    if (*count == TRAJECTORY_LAWS) return usage_error("identify", "%d laws at most with --rig", TRAJECTORY_LAWS);
    if (!(laws[*count] = bristle_law_find(name)))
      return usage_error("identify", "there is no law '%s'; did you mean '%s'?", name, bristle_law_nearest(name));
    ++*count;
  }
  return DONE;
}

static int fit_laws(trajectory_job *job, const request *q, const bristle_law **laws, int count)
{
  watched w = { progress_start("identifying"), 0, count };
  bristle_trajectory_options options = { .progress = watch, .context = &w };
  bristle_fault fault;
  int code = DONE;
  if (job->file->loss > 0) options.fit.loss = BRISTLE_SOFT, options.fit.loss_scale = job->file->loss;
  if (q->seed) options.seed = (unsigned)strtoul(q->seed, NULL, 10);
  if (q->candidates) options.candidates = atoi(q->candidates);
  if (q->starts) options.starts = atoi(q->starts);
  for (; w.done < count && !code; w.done++)
    if (fit_law(job, laws[w.done], &options, &fault)) code = FAILED;
  progress_end(&w.bar);
  if (code && progress_is_stopped()) fputs("bristle identify: stopped; nothing was written\n", stderr);
  else if (code) return fault_exit(&fault);
  sort_found(job);
  return code;
}

/* ---- words ---- */

static void print_unknowns(const trajectory_job *job, const trajectory_found *f, FILE *out)
{
  for (int k = 0; k < f->result->count; k++) {
    const bristle_trajectory_unknown *u = &f->result->unknown[k];
    char unit[40];
    trajectory_unit(job, f->law, u->name, unit, sizeof unit);
    fprintf(out, "  %-14s %.5g", u->name, u->value);
    if (u->bound) fprintf(out, " %s (at its %s bound)\n", unit, u->bound < 0 ? "lower" : "upper");
    else if (isinf(u->deviation)) fprintf(out, " %s (not determined by these runs)\n", unit);
    else fprintf(out, " +- %.2g %s\n", u->deviation, unit);
  }
  const double *plant = f->result->values.plant;
  if (plant[BRISTLE_PLANT_DRAG] > 0 && plant[BRISTLE_PLANT_GAIN] > 0) {
    const double constant = plant[BRISTLE_PLANT_DRAG] / plant[BRISTLE_PLANT_GAIN];
    fprintf(out, "  as a motor fed by a voltage: torque constant %.4g N*m/A, resistance %.4g Ohm\n", constant,
            constant / plant[BRISTLE_PLANT_GAIN]);
  }
}

static void print_summary(const trajectory_job *job, FILE *out)
{
  const bristle_trajectory_file *file = job->file;
  const char *unit = file->rotary ? "rad" : "m";
  fprintf(out, "%s: %zu runs fitted, %zu held out; mean error of the simulated position\n\n", job->rig, file->fitted,
          file->held);
  fprintf(out, "  %-16s %5s %14s %14s\n", "law", "free", "fitted", "held out");
  for (int k = 0; k < job->count; k++) {
    const trajectory_found *f = &job->found[k];
    fprintf(out, "%c %-16s %5d %10.4g %-3s", k ? ' ' : '*', f->law->name, f->result->count, f->fitted_error, unit);
    if (file->held) fprintf(out, " %10.4g %-3s\n", f->held_error, unit);
    else fputs("              -\n", out);
  }
  const trajectory_found *best = &job->found[0];
  fprintf(out, "\n%s, %s after %d steps, best of %d starts and %d random sets\n", best->law->name,
          bristle_fit_stop_text(best->result->fit->stop), best->result->fit->iterations, best->result->starts,
          best->result->candidates);
  print_unknowns(job, best, out);
  fprintf(out, "\n  %-40s %12s %12s %12s\n", "run", "mean", "rms", "greatest");
  for (size_t k = 0; k < file->fitted + file->held; k++)
    fprintf(out, "%c %-40s %12.4g %12.4g %12.4g\n", k < file->fitted ? ' ' : 'h', file->run[k].name,
            best->error[k].mean, best->error[k].rms, best->error[k].largest);
  if (file->held) fprintf(out, "h: held out\n");
}

/* ---- the verb ---- */

static int run_job(trajectory_job *job, const request *q)
{
  const bristle_law *laws[TRAJECTORY_LAWS];
  bristle_fault fault;
  int count;
  job->rig = q->rig;
  if (bristle_trajectory_file_read(q->rig, &job->file, &fault)) return fault_exit(&fault);
  int code = choose_laws(q, job, laws, &count);
  if (!code) code = fit_laws(job, q, laws, count);
  if (!code && q->output && trajectory_write_model(job, q->output, &fault)) code = fault_exit(&fault);
  if (!code && q->report) code = trajectory_report(job, q->report);
  if (code) return code;
  if (q->json) trajectory_json(job, stdout);
  else if (!q->quiet) print_summary(job, q->output && !strcmp(q->output, "-") ? stderr : stdout);
  return finish_output(stdout, "identify");
}

int identify_trajectory(int argc, char **argv)
{
  request q = { .json = 0 };
  const struct {
    const char *flag, **value;
  } options[] = { { "--rig", &q.rig },       { "--model", &q.model },          { "-o", &q.output },
                  { "--output", &q.output }, { "--report", &q.report },        { "--seed", &q.seed },
                  { "--starts", &q.starts }, { "--candidates", &q.candidates } };
  const char *value;
  for (int i = 0; i < argc; i++) {
    int known = is_flag(argv[i], "--json") || is_flag(argv[i], "--quiet");
    q.json |= is_flag(argv[i], "--json"), q.quiet |= is_flag(argv[i], "--quiet");
    for (size_t k = 0; k < sizeof options / sizeof *options && !known; k++) {
      if ((value = flag_value(argc, argv, &i, options[k].flag))) *options[k].value = value, known = 1;
      else if (is_flag(argv[i], options[k].flag)) return usage_error("identify", "'%s' needs a value", argv[i]);
    }
    if (!known) return usage_error("identify", "'%s' does not go with --rig: its file lists the runs", argv[i]);
  }
  if (!q.rig) return usage_error("identify", "--rig needs the file of an experiment");
  if (q.json && q.output && !strcmp(q.output, "-"))
    return usage_error("identify", "--json and -o - would both write to the standard output");
  trajectory_job *job = calloc(1, sizeof *job);
  if (!job) {
    fputs("bristle identify: not enough memory\n", stderr);
    return FAILED;
  }
  int code = reserve_output("identify", q.output, BRISTLE_OUTPUT_DOCUMENT);
  if (!code) code = reserve_output("identify", q.report, BRISTLE_OUTPUT_PAGE);
  if (!code) code = run_job(job, &q);
  for (int k = 0; k < job->count; k++) {
    bristle_trajectory_free(job->found[k].result);
    free(job->found[k].error);
  }
  bristle_trajectory_file_free(job->file);
  free(job);
  return code;
}
