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

static int is_alike(const bristle_conditioning *a, const bristle_conditioning *b)
{
  return a->plain == b->plain && a->cutoff == b->cutoff && a->from_velocity == b->from_velocity
         && a->presliding == b->presliding && a->dequantised == b->dequantised && a->decimate == b->decimate;
}

/* the first file that says how its records were read speaks for all; others that differ are named */
static bristle_fault_kind take_reading(comparison *c, const char *path, bristle_fault *fault)
{
  bristle_model_reading *r = malloc(sizeof *r);
  if (!r) return fault_memory(fault);
  const bristle_fault_kind kind = bristle_model_reading_read(path, r, fault);
  if (!kind && r->known && !c->reading.known) c->reading = *r, c->reading_of = path;
  else if (!kind && r->known && !is_alike(&r->conditioning, &c->reading.conditioning))
    snprintf(c->other, sizeof c->other,
             "%.80s was identified with another filter; all models are compared with the filter of %.80s",
             platform_name(path), platform_name(c->reading_of));
  free(r);
  return kind;
}

static bristle_fault_kind read_model(const char *path, comparison *c, compared *m, bristle_fault *fault)
{
  bristle_friction friction;
  bristle_fault_kind kind = model_argument_read(path, NULL, &friction, fault);
  if (kind) return kind;
  m->path = path;
  m->model.law = friction.law, m->model.load = friction.load, m->model.rotary = friction.rotary;
  memcpy(m->model.p, friction.p, sizeof m->model.p);
  if (!model_argument_is_file(path)) return BRISTLE_FAULT_NONE;
  kind = compare_read_terms(path, c, m, fault);
  if (!kind) kind = take_reading(c, path, fault);
  return kind;
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

static bristle_fault_kind judge(compared *m, const bristle_log *log, bristle_fault *fault)
{
  const size_t count = log->count;
  double work = 0, measured = 0, *model = malloc(3 * count * sizeof *model);
  if (!model) return fault_memory(fault);
  double *residual = model + count, *friction = residual + count;
  bristle_fault_kind kind = bristle_identified_force(&m->model, log, m->force, fault);
  if (!kind) kind = bristle_identified_compare(&m->model, log, model, residual, friction, fault);
  if (!kind) kind = bristle_residual_errors(log, residual, &m->error, fault);
  for (size_t i = 0; i < count && !kind; i++) {
    if (!isfinite(model[i])) continue;
    m->force[i] = model[i]; /* behind the filter of the record, where it has settled */
    work += (friction[i] - residual[i]) * log->v[i], measured += friction[i] * log->v[i];
  }
  m->energy = measured != 0 ? work / measured : (double)NAN;
  free(model);
  if (!kind && !m->error.rows)
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "record longer strokes, or give --decimate 1: then all samples count",
                     "no sample moves: there is nothing to compare");
  return kind;
}

/* An error far above the noise may be that of the samples: a law that jumps where a motion turns, on a log that does
   not say when. As identifications have it. */
static void look_between_samples(compared *best, const bristle_log *log)
{
  if (best->error.rms <= 5 * log->summary.force_noise || best->error.relative > 0.5) return;
  const double between = bristle_identified_between_samples(&best->model, log);
  if (best->error.rms < 3 * between) best->between = between;
}

static void rank(comparison *c)
{
  for (int k = 0; k < c->count; k++) {
    int at = k;
    for (; at > 0 && c->model[c->order[at - 1]].error.rms > c->model[k].error.rms; at--)
      c->order[at] = c->order[at - 1];
    c->order[at] = k;
  }
}

/* what the models have beside their laws, for records whose filter nobody has chosen yet */
static void ask_for_terms(const comparison *c, bristle_identify_options *o)
{
  o->term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  for (int k = 0; k < c->count; k++)
    for (int t = 0; t < BRISTLE_TERM_FRICTION_AT; t++)
      if (c->model[k].model.term[t] != 0) o->term[t] = BRISTLE_TERM_FREE;
  if (o->term[BRISTLE_TERM_GRAVITY_COSINE]) o->term[BRISTLE_TERM_GRAVITY] = BRISTLE_TERM_FREE;
}

/* All models are compared on one record, which is read as that of the first whose file says how. */
static bristle_fault_kind read_record(comparison *c, const request *q, bristle_log_options *reading,
                                      bristle_fault *fault)
{
  bristle_identify_options terms = { .decimate = (size_t)q->decimate };
  ask_for_terms(c, &terms);
  const bristle_fault_kind kind = bristle_model_log(q->data, &c->reading, reading, &terms, &c->campaign, &c->log,
                                                    fault);
  if (kind) return kind;
  log_notes_as_flags(c->log);
  for (size_t k = 0; k < c->campaign.note_count; k++) words_as_flags(c->campaign.note[k], sizeof c->campaign.note[k]);
  return kind;
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
    reading.acceleration |= (c->model[k].model.law->f64->info->traits & BRISTLE_TRAIT_ACCELERATION) != 0;
  }
  kind = read_record(c, q, &reading, fault);
  for (int k = 0; k < c->count && !kind; k++) {
    compared *m = &c->model[k];
    m->force = malloc(c->log->count * sizeof *m->force);
    if (!m->force) return fault_memory(fault);
    memcpy(c->log->over, m->model.over, sizeof c->log->over);
    kind = judge(m, c->log, fault);
  }
  if (kind) return kind;
  rank(c);
  look_between_samples(&c->model[c->order[0]], c->log);
  return BRISTLE_FAULT_NONE;
}

/* ---- output ---- */

/* also where noise is larger than friction, as identifications have it */
int compare_fits(const comparison *c)
{
  const bristle_errors *best = &c->model[c->order[0]].error;
  return best->relative <= 0.5 || best->rms < 1.3 * best->noise;
}

void compare_verdict(const comparison *c, char *text, size_t size)
{
  const compared *best = &c->model[c->order[0]], *next = c->count > 1 ? &c->model[c->order[1]] : NULL;
  if (c->log->doubtful) snprintf(text, size, "Do not use this comparison: %.219s.", bristle_log_doubt(c->log));
  else if (!compare_fits(c))
    snprintf(text, size, "No model fits this log: even the best, %s, misses %.0f %% of the force.", best->name,
             100 * best->error.relative);
  else if (next)
    snprintf(text, size, "%s fits this log best: it is off by %.2g %% of the force, %s by %.2g %%.", best->name,
             100 * best->error.relative, next->name, 100 * next->error.relative);
  else snprintf(text, size, "%s misses %.2g %% of the force.", best->name, 100 * best->error.relative);
  if (best->between > 0)
    text_append(text, size, strlen(text),
                " The sampling sets this limit: motion between the samples changes the force by about %.2g %s.",
                best->between, bristle_force_unit(c->log->rotary));
}

void compare_say_reading(const comparison *c, char *text, size_t size)
{
  const bristle_log *log = c->log;
  const bristle_conditioning *as = &log->conditioning;
  const size_t errors = c->model[c->order[0]].error.rows;
  size_t used = text_append(text, size, 0, "force: %s; ", log->column[BRISTLE_CHANNEL_FORCE]);
  if (as->cutoff > 0)
    used = text_append(text, size, used, "%s of the %s filtered at %.3g Hz; ",
                       as->plain ? "derivatives" : "motion and force", as->from_velocity ? "velocity" : "position",
                       as->cutoff);
  else used = text_append(text, size, used, "no filter; ");
  used = text_append(text, size, used, "%zu %ssamples count", errors, as->plain ? "" : "moving ");
  if (as->decimate > 1) used = text_append(text, size, used, ", one of %zu", as->decimate);
  text_append(text, size, used, c->reading.known ? "; as for %s" : "; chosen for this log",
              c->reading.known ? platform_name(c->reading_of) : "");
}

static void print_text(const comparison *c)
{
  const char *unit = bristle_force_unit(c->log->rotary);
  char text[300];
  printf("%s: %zu samples, %.4g s\n", c->data, c->log->count, c->log->summary.duration);
  compare_say_reading(c, text, sizeof text);
  printf("  %s\n\n", text);
  printf("  %-32s %12s %10s %12s %10s\n", "model", "rms error", "relative", "largest", "energy");
  for (int k = 0; k < c->count; k++) {
    const compared *m = &c->model[c->order[k]];
    printf("  %-32s %9.4g %-3s %8.3g %% %9.4g %-3s %8.3g %%\n", m->name, m->error.rms, unit, 100 * m->error.relative,
           m->error.largest, unit, 100 * m->energy);
  }
  compare_verdict(c, text, sizeof text);
  printf("\n%s\n", text);
  if (c->other[0]) printf("note: %s\n", c->other);
  for (size_t k = 0; k < c->campaign.note_count; k++) printf("note: %s\n", c->campaign.note[k]);
  for (size_t k = 0; k < c->log->note_count; k++) printf("note: %s\n", c->log->note[k]);
}

static void print_json(const comparison *c, const char *report)
{
  bristle_json_print(
      stdout, "{\n  'data': %s,\n  'samples': %zu,\n  'cutoff_Hz': %g,\n  'decimate': %zu,\n  'models': [", c->data,
      c->log->count, c->log->conditioning.cutoff > 0 ? c->log->conditioning.cutoff : (double)NAN,
      c->log->conditioning.decimate > 1 ? c->log->conditioning.decimate : (size_t)1);
  for (int k = 0; k < c->count; k++) {
    const compared *m = &c->model[c->order[k]];
    bristle_json_print(stdout,
                       "%c\n    {'file': %s, 'law': %s, 'rms': %g, 'relative': %g, 'largest': %g, 'energy': %g, "
                       "'between_samples': %g}",
                       k ? ',' : 0, m->path, m->model.law->name, m->error.rms, m->error.relative, m->error.largest,
                       m->energy, m->between > 0 ? m->between : (double)NAN);
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
  if (!code && !q->json) tell_written(stdout, q->output), tell_written(stdout, q->report);
  if (!code) code = finish_output(stdout);
  const int doubtful = !code && c->log->doubtful, useless = !code && !compare_fits(c);
  for (int k = 0; k < MOST_COMPARED; k++) free(c->model[k].force);
  bristle_log_free(c->log);
  free(c);
  if (code || q->trust) return code;
  if (!doubtful)
    return useless ? failure(UNCONVINCING, "no model fits this log; --trust exits with 0 all the same") : DONE;
  return failure(BAD_DATA, "do not use this comparison: the verdict above says why; --trust exits "
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
    .ask = "no log file given: use --data LOG.csv" },
  OPTION_OUTPUT(request, OPTION_TABLE, "FORCES.csv", "measured and predicted forces, sample by sample"),
  OPTION_REPORT(request, "a page with curves, loops and errors, in one file that needs nothing else"),
  OPTION_JSON(request, "full result as JSON"),
  { "--trust", NULL, OPTION_SWITCH, IN(request, trust),
    .help = "exits with 0 even where the data are doubtful, or no model fits" },
  GROUP("how to read the log, as for `bristle identify`"),
  TABLE(log_options, request, reading),
  TABLE(log_more_options, request, reading),
  { "--decimate", "N", OPTION_WHOLE, IN(request, decimate), .least = 1,
    .help = "filter all samples and count every Nth error; by default as in the model file, or chosen as by "
            "`bristle identify`" },
  OPTIONS_END
};

const verb verb_compare = {
  .name = "compare",
  .summary = "several fitted models on one log",
  .about = "Moves each model along the motion of the log and compares its force with the measured one; the best "
           "model comes first. A model that `bristle identify` fitted with a mass, an offset, gravity or other terms "
           "brings these along; --term is for a log whose columns have other names.",
  .argument = { "MODEL.yaml", NULL, OPTION_LAW, IN(request, model),
                .help = "model files, or names of laws with their default parameters", .most = MOST_COMPARED,
                .noun = "models", .ask = "no models given: name their files" },
  .options = options,
  .examples =
      "bristle compare examples/compare/lugre.yaml examples/compare/dahl.yaml --data examples/compare/loops.csv\n",
  .request = sizeof(request),
  .check = check,
  .run = run,
};
