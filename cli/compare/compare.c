/* bristle compare: several fitted models on one log. */
#include "compare.h"

#include "common/cli.h"
#include "common/log_arguments.h"
#include "common/model_argument.h"
#include "io/support.h"
#include "maths/elementary.h"
#include "platform/platform.h"

typedef struct request {
  const char *model[MOST_COMPARED + 1], *data, *report, *output;
  int json, trust;
  long long decimate;
  bristle_log_options reading;
} request;

/* ---- models ---- */

static bristle_fault_kind read_model(const char *path, comparison *c, compared *m, bristle_fault *fault)
{
  bristle_friction friction;
  bristle_fault_kind kind = model_argument_read(path, NULL, &friction, fault);
  if (kind) return kind;
  m->path = path;
  m->model.law = friction.law, m->model.load = friction.load, m->model.rotary = friction.rotary;
  memcpy(m->model.p, friction.p, sizeof m->model.p);
  return model_argument_is_file(path) ? compare_read_terms(path, c, m, fault) : BRISTLE_FAULT_NONE;
}

/* the law's name; with the file's where a law comes twice */
static void name_models(comparison *c)
{
  for (int k = 0; k < c->count; k++) {
    compared *m = &c->model[k];
    int twice = 0;
    for (int j = 0; j < c->count; j++) twice += c->model[j].model.law == m->model.law;
    snprintf(m->name, sizeof m->name, twice > 1 ? "%.30s (%.40s)" : "%.30s", m->model.law->name,
             platform_name(m->path));
  }
}

/* ---- errors ---- */

typedef struct sums {
  double squares, forces, count;
} sums;

/* error and force of one stretch, through the same filter where only every n-th counts */
static bristle_fault_kind add_stretch(sums *s, const double *error, const double *force, size_t count, size_t decimate,
                                      bristle_fault *fault)
{
  const double *const from[2] = { error, force };
  double *const to[2] = { &s->squares, &s->forces };
  double *thin = malloc(count * sizeof *thin);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!thin) return fault_memory(fault);
  for (int k = 0; k < 2 && !kind; k++) {
    size_t kept = count;
    if (decimate > 1)
      kind = bristle_decimate(from[k], count, decimate, thin, fault), kept = (count + decimate - 1) / decimate;
    for (size_t i = 0; i < kept && !kind; i++) {
      const double value = decimate > 1 ? thin[i] : from[k][i];
      *to[k] += value * value;
    }
    s->count += k ? 0 : (double)kept;
  }
  free(thin);
  return kind;
}

static bristle_fault_kind judge(compared *m, const bristle_log *log, size_t decimate, bristle_fault *fault)
{
  double work = 0, measured = 0, *error = malloc(log->count * sizeof *error);
  sums all = { 0 };
  bristle_fault_kind kind = error ? BRISTLE_FAULT_NONE : fault_memory(fault);
  for (size_t i = 0; i < log->count && !kind; i++) {
    error[i] = m->force[i] - log->f[i];
    work += m->force[i] * log->v[i], measured += log->f[i] * log->v[i];
  }
  for (size_t k = 0; k < log->stretches && !kind; k++) {
    /* without the ends, where a filter has not settled */
    const size_t begin = log->first[k] + log->drop, end = log->first[k + 1] - log->drop;
    if (log->first[k + 1] - log->first[k] <= 2 * log->drop) continue;
    for (size_t i = begin; i < end; i++) m->largest = fmax(m->largest, fabs(error[i]));
    kind = add_stretch(&all, error + begin, log->f + begin, end - begin, decimate, fault);
  }
  m->rms = sqrt(all.squares / all.count);
  m->relative = all.forces > 0 ? sqrt(all.squares / all.forces) : (double)NAN;
  m->energy = measured != 0 ? work / measured : (double)NAN;
  free(error);
  return kind;
}

static void rank(comparison *c)
{
  for (int k = 0; k < c->count; k++) {
    int at = k;
    for (; at > 0 && c->model[c->order[at - 1]].rms > c->model[k].rms; at--) c->order[at] = c->order[at - 1];
    c->order[at] = k;
  }
}

static bristle_fault_kind compute(comparison *c, const request *q, bristle_fault *fault)
{
  bristle_log_options reading = q->reading;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  c->data = q->data;
  c->asked = q->reading.term;
  for (; q->model[c->count] && !kind; c->count++) kind = read_model(q->model[c->count], c, &c->model[c->count], fault);
  if (kind) return kind;
  for (int k = 0; k < c->terms; k++) reading.term[k] = c->term[k];
  name_models(c);
  for (int k = 0; k < c->count; k++) {
    reading.inverse |= c->model[k].model.term[BRISTLE_TERM_MASS] != 0;
    reading.acceleration |= (c->model[k].model.law->f64->info->traits & BRISTLE_ACCELERATION) != 0;
  }
  kind = bristle_log_read(q->data, &reading, &c->log, fault);
  if (!kind) log_notes_as_flags(c->log);
  for (int k = 0; k < c->count && !kind; k++) {
    compared *m = &c->model[k];
    m->force = malloc(c->log->count * sizeof *m->force);
    if (!m->force) return fault_memory(fault);
    memcpy(c->log->over, m->model.over, sizeof c->log->over);
    kind = bristle_identified_force(&m->model, c->log, m->force, fault);
    if (!kind) kind = judge(m, c->log, (size_t)q->decimate, fault);
  }
  if (!kind) rank(c);
  return kind;
}

/* ---- output ---- */

/* more than half of the force is left over otherwise */
static int fits(const comparison *c) { return c->model[c->order[0]].relative <= 0.5; }

void compare_verdict(const comparison *c, char *text, size_t size)
{
  const compared *best = &c->model[c->order[0]], *next = c->count > 1 ? &c->model[c->order[1]] : NULL;
  if (c->log->doubtful)
    snprintf(text, size, "Do not trust this comparison: something is wrong with the data, see the notes.");
  else if (!fits(c))
    snprintf(text, size, "No model fits this log: even the best, %s, misses %.0f %% of the force.", best->name,
             100 * best->relative);
  else if (next)
    snprintf(text, size, "%s fits this log best: its error is %.2g %% of the force, that of %s is %.2g %%.", best->name,
             100 * best->relative, next->name, 100 * next->relative);
  else snprintf(text, size, "%s misses %.2g %% of the force.", best->name, 100 * best->relative);
}

static void print_text(const comparison *c)
{
  const char *unit = bristle_force_unit(c->log->rotary);
  printf("%s: %zu samples, %.4g s\n\n", c->data, c->log->count, c->log->summary.duration);
  printf("  %-32s %12s %10s %12s %10s\n", "model", "rms error", "relative", "largest", "energy");
  for (int k = 0; k < c->count; k++) {
    const compared *m = &c->model[c->order[k]];
    printf("  %-32s %9.4g %-3s %8.3g %% %9.4g %-3s %8.3g %%\n", m->name, m->rms, unit, 100 * m->relative, m->largest,
           unit, 100 * m->energy);
  }
  char text[300];
  compare_verdict(c, text, sizeof text);
  printf("\n%s\n", text);
  for (size_t k = 0; k < c->log->note_count; k++) printf("note: %s\n", c->log->note[k]);
}

static void print_json(const comparison *c, const char *report)
{
  bristle_json_print(stdout, "{\n  'data': %s,\n  'samples': %zu,\n  'models': [", c->data, c->log->count);
  for (int k = 0; k < c->count; k++) {
    const compared *m = &c->model[c->order[k]];
    bristle_json_print(stdout,
                       "%c\n    {'file': %s, 'law': %s, 'rms': %g, 'relative': %g, 'largest': %g, 'energy': %g}",
                       k ? ',' : 0, m->path, m->model.law->name, m->rms, m->relative, m->largest, m->energy);
  }
  bristle_json_print(stdout, "\n  ],\n  'doubtful': %i,\n  'notes': ", c->log->doubtful);
  bristle_json_texts(stdout, c->log->note[0], sizeof c->log->note[0], c->log->note_count);
  bristle_json_print(stdout, ",\n  'report': %s\n}\n", report);
}

/* measured and predicted forces side by side */
static bristle_fault_kind write_forces(const comparison *c, const char *path, bristle_fault *fault)
{
  const bristle_log *log = c->log;
  const char *const force = bristle_force_unit(log->rotary);
  const char *name[4 + MOST_COMPARED] = { "t", "x", "v", "F" };
  const char *unit[4 + MOST_COMPARED] = { "s", bristle_length_unit(log->rotary), bristle_speed_unit(log->rotary),
                                          force };
  char numbered[MOST_COMPARED][48];
  bristle_output *output;
  bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &output, fault);
  if (kind) return kind;
  for (int k = 0; k < c->count; k++) {
    snprintf(numbered[k], sizeof numbered[k], "%.40s_%d", c->model[k].model.law->name, k + 1);
    name[4 + k] = numbered[k], unit[4 + k] = force;
  }
  FILE *out = bristle_output_stream(output);
  bristle_rows_head(out, 4 + c->count, name, unit);
  for (size_t i = 0; i < log->count; i++) {
    double row[4 + MOST_COMPARED] = { log->t[i], log->x[i], log->v[i], log->f[i] };
    for (int k = 0; k < c->count; k++) row[4 + k] = c->model[k].force[i];
    bristle_rows_write(out, 4 + c->count, row);
  }
  return bristle_output_commit(output, fault);
}

static int run(void *asked)
{
  const request *q = asked;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  comparison *c = calloc(1, sizeof *c);
  if (!c) return no_memory();
  int code = compute(c, q, &fault) ? fault_exit(&fault) : DONE;
  if (!code && q->output && write_forces(c, q->output, &fault)) code = fault_exit(&fault);
  if (!code && q->report) code = compare_report(c, q->report);
  if (!code && q->json) print_json(c, q->report);
  else if (!code) print_text(c);
  if (!code && q->report && !q->json) printf("report %s\n", q->report);
  if (!code) code = finish_output(stdout);
  const int doubtful = !code && c->log->doubtful, useless = !code && !fits(c);
  for (int k = 0; k < MOST_COMPARED; k++) free(c->model[k].force);
  bristle_log_free(c->log);
  free(c);
  if (code || q->trust) return code;
  if (!doubtful)
    return useless ? failure(UNCONVINCING, "no model fits this log; --trust exits with 0 all the same") : DONE;
  return failure(BAD_DATA,
                 "do not trust this comparison: something is wrong with the data, see the notes; --trust exits "
                 "with 0 all the same");
}

static int check(void *asked)
{
  const request *q = asked;
  if (q->output && !strcmp(q->output, "-")) return usage_error("-o needs the name of a file");
  int code = log_check(&q->reading);
  for (int k = 0; q->model[k] && !code; k++) code = check_law(q->model[k]);
  return code;
}

static const option options[] = {
  { "--data", "LOG.csv", OPTION_FILE, IN(request, data), .help = "a log with position or velocity, and force",
    .ask = "on which log? give --data LOG.csv" },
  OPTION_OUTPUT(request, OPTION_TABLE, "FORCES.csv", "measured and predicted forces, sample by sample"),
  OPTION_REPORT(request, "a page with curves, loops and errors, in one file that needs nothing else"),
  OPTION_JSON(request, "the comparison for machines"),
  { "--trust", NULL, OPTION_SWITCH, IN(request, trust),
    .help = "exits with 0 even where the data are doubtful, or no model fits" },
  GROUP("how the log is read, as for `bristle identify`"),
  TABLE(log_options, request, reading),
  TABLE(log_more_options, request, reading),
  { "--decimate", "N", OPTION_WHOLE, IN(request, decimate), .help = "only every N-th error counts, behind a filter",
    "1", .least = 1 },
  OPTIONS_END
};

const verb verb_compare = {
  .name = "compare",
  .summary = "several fitted models on one log",
  .about =
      "Moves each model as the log moved and compares its force with the measured one. A model that `bristle "
      "identify` fitted with a mass, an offset, gravity or terms of its own brings these along; --term is for a log "
      "whose columns have other names. Best first.",
  .argument = { "MODEL.yaml", NULL, OPTION_LAW, IN(request, model),
                .help = "model files, or names of laws with their default parameters", .most = MOST_COMPARED,
                .noun = "models", .ask = "which models? give their files" },
  .options = options,
  .examples =
      "bristle compare examples/compare/lugre.yaml examples/compare/dahl.yaml --data examples/compare/loops.csv\n",
  .request = sizeof(request),
  .check = check,
  .run = run,
};
