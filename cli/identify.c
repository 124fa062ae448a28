/* bristle identify: from a measured log to friction laws with parameters, ranked. */
#include "identify.h"

#include "cli.h"
#include "identify_trajectory.h"
#include "progress.h"

#include <math.h>

typedef struct request {
  const char *input[IDENTIFY_LOGS], *model, *validate, *output, *report, *profile;
  size_t inputs;
  int json, quiet;
} request;

static int fault_exit(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "bristle identify: %s\n", text);
  return FAILED;
}

/* ---- arguments ---- */

static const struct {
  const char *flag;
  bristle_channel channel;
} column_flags[] = {
  { "--time", BRISTLE_CHANNEL_TIME },         { "--position", BRISTLE_CHANNEL_POSITION },
  { "--velocity", BRISTLE_CHANNEL_VELOCITY }, { "--acceleration", BRISTLE_CHANNEL_ACCELERATION },
  { "--force", BRISTLE_CHANNEL_FORCE },       { "--load", BRISTLE_CHANNEL_LOAD },
};

static const char *const term_flags[BRISTLE_TERMS] = { "--mass", "--offset", "--gravity", "--skew" };
static const char *const term_units[BRISTLE_TERMS] = { "kg|kg*m^2", "N|N*m", "N|N*m", "N*s/m|N*m*s/rad" };

/* "free", "none" or a quantity */
static int read_term(identification *id, int term, const char *value)
{
  bristle_fault fault;
  if (term == BRISTLE_TERM_SKEW) id->skew_is_given = 1;
  if (!strcmp(value, "free")) id->fitting.term[term] = BRISTLE_TERM_FREE;
  else if (!strcmp(value, "none")) id->fitting.term[term] = BRISTLE_TERM_NONE;
  else {
    id->fitting.term[term] = BRISTLE_TERM_GIVEN;
    if (bristle_quantity_read(value, strlen(value), term_units[term], &id->fitting.term_value[term], NULL, &fault))
      return usage_error("identify", "%s %s: %s", term_flags[term], value, fault.what);
  }
  return DONE;
}

static int read_quantity(const char *flag, const char *value, const char *unit, double *to)
{
  bristle_fault fault;
  if (!bristle_quantity_read(value, strlen(value), unit, to, NULL, &fault)) return DONE;
  return usage_error("identify", "%s %s: %s", flag, value, fault.what);
}

static int read_whole_number(const char *flag, const char *value, long least, long *to)
{
  char *end;
  *to = strtol(value, &end, 10);
  if (*value && !*end && *to >= least) return DONE;
  return usage_error("identify", "%s needs a whole number of at least %ld, got '%s'", flag, least, value);
}

/* "name" or "name=value"; the text stays the caller's, so the name is cut out of it */
static int read_fixed(identification *id, char *value)
{
  int at = 0;
  char *equals = strchr(value, '=');
  while (at < BRISTLE_IDENTIFY_NAMES - 1 && id->fitting.fixed[at]) at++;
  if (at == BRISTLE_IDENTIFY_NAMES - 1) return usage_error("identify", "too many --fix");
  id->fitting.fixed[at] = value;
  id->fitting.fixed_value[at] = (double)NAN;
  if (!equals) return DONE;
  *equals = '\0';
  char *end;
  id->fitting.fixed_value[at] = strtod(equals + 1, &end);
  if (equals[1] && !*end) return DONE;
  return usage_error("identify", "--fix %s: '%s' is no number", value, equals + 1);
}

static int read_choice(const char *flag, const char *value, const char *const *names, int count, int *to)
{
  for (int i = 0; i < count; i++)
    if (!strcmp(value, names[i])) {
      *to = i;
      return DONE;
    }
  char list[120] = "";
  size_t used = 0;
  for (int i = 0; i < count && used < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", names[i]);
  return usage_error("identify", "%s is one of %s; got '%s'", flag, list, value);
}

/* -1: none of ours; else an exit code */
static int read_fit_flag(identification *id, int argc, char **argv, int *i)
{
  static const char *const objectives[] = { "absolute", "relative", "robust" };
  static const char *const loads[] = { "force", "coefficient", "level" };
  const char *value;
  long number;
  int code, choice = 0;
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if ((value = flag_value(argc, argv, i, term_flags[t]))) return read_term(id, t, value);
  if ((value = flag_value(argc, argv, i, "--objective"))) {
    if (!(code = read_choice("--objective", value, objectives, 3, &choice)))
      id->fitting.objective = (bristle_objective)choice;
    return code;
  }
  if ((value = flag_value(argc, argv, i, "--load-form"))) {
    if (!(code = read_choice("--load-form", value, loads, 3, &choice))) id->fitting.load = (bristle_load)choice;
    return code;
  }
  if ((value = flag_value(argc, argv, i, "--floor"))) return read_quantity("--floor", value, "1", &id->fitting.floor);
  if ((value = flag_value(argc, argv, i, "--seed"))) {
    if (!(code = read_whole_number("--seed", value, 0, &number))) id->fitting.seed = (unsigned long long)number;
    return code;
  }
  if ((value = flag_value(argc, argv, i, "--decimate"))) {
    if (!(code = read_whole_number("--decimate", value, 1, &number))) id->fitting.decimate = (size_t)number;
    return code;
  }
  if ((value = flag_value(argc, argv, i, "--folds"))) {
    if (!(code = read_whole_number("--folds", value, 0, &number))) id->fitting.folds = number > 1 ? (int)number : -1;
    return code;
  }
  if ((value = flag_value(argc, argv, i, "--threads"))) {
    if (!(code = read_whole_number("--threads", value, 1, &number))) id->fitting.threads = (int)number;
    return code;
  }
  if ((value = flag_value(argc, argv, i, "--fix"))) return read_fixed(id, (char *)value);
  if ((value = flag_value(argc, argv, i, "--free"))) {
    int at = 0;
    while (at < BRISTLE_IDENTIFY_NAMES - 1 && id->fitting.free[at]) at++;
    id->fitting.free[at] = value;
    return DONE;
  }
  return -1;
}

static int read_log_flag(identification *id, int argc, char **argv, int *i)
{
  const char *value;
  for (size_t k = 0; k < sizeof column_flags / sizeof *column_flags; k++)
    if ((value = flag_value(argc, argv, i, column_flags[k].flag))) {
      id->reading.column[column_flags[k].channel] = value;
      return DONE;
    }
  if ((value = flag_value(argc, argv, i, "--cutoff"))) {
    if (!strcmp(value, "none")) id->reading.cutoff = -1;
    else return read_quantity("--cutoff", value, "Hz", &id->reading.cutoff);
    return DONE;
  }
  if ((value = flag_value(argc, argv, i, "--from"))) return read_quantity("--from", value, "s", &id->reading.from);
  if ((value = flag_value(argc, argv, i, "--to"))) return read_quantity("--to", value, "s", &id->reading.to);
  return -1;
}

static int read_arguments(identification *id, request *q, int argc, char **argv)
{
  const char *value;
  for (int i = 0; i < argc; i++) {
    int code = read_log_flag(id, argc, argv, &i);
    if (code < 0) code = read_fit_flag(id, argc, argv, &i);
    if (code > 0) return code;
    if (!code) continue;
    if (is_flag(argv[i], "--json")) q->json = 1;
    else if (is_flag(argv[i], "--quiet")) q->quiet = 1;
    else if ((value = flag_value(argc, argv, &i, "--model"))) q->model = value;
    else if ((value = flag_value(argc, argv, &i, "--validate"))) q->validate = value;
    else if ((value = flag_value(argc, argv, &i, "--report"))) q->report = value;
    else if ((value = flag_value(argc, argv, &i, "--profile"))) q->profile = value;
    else if ((value = flag_value(argc, argv, &i, "-o")) || (value = flag_value(argc, argv, &i, "--output")))
      q->output = value;
    else if (argv[i][0] == '-' && argv[i][1])
      return usage_error("identify", "'%s' %s", argv[i],
                         i + 1 == argc ? "needs a value, or is not an option of this verb"
                                       : "is not an option of this verb");
    else if (q->inputs == IDENTIFY_LOGS) return usage_error("identify", "at most %d logs at a time", IDENTIFY_LOGS);
    else q->input[q->inputs++] = argv[i];
  }
  if (!q->inputs) return usage_error("identify", "which log? give its file");
  if (q->json && q->output && !strcmp(q->output, "-"))
    return usage_error("identify", "--json and -o - would both write to the standard output");
  return DONE;
}

/* ---- laws ---- */

/* those that ask for more than a motion and a force are fitted by name only */
static int fits_any_log(const bristle_law *law)
{
  static const char *const special[] = { "gear", "tyre_lugre", "lugre_bounded" };
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (!strcmp(law->name, special[i])) return 0;
  return 1;
}

static int choose_laws(const char *list, const bristle_law **laws, int *count)
{
  *count = 0;
  if (!list) list = "coulomb,stribeck,asymmetric,dahl,lugre,elasto_plastic";
  if (!strcmp(list, "all")) {
    for (int i = 0; i < bristle_law_count() && *count < IDENTIFY_LAWS; i++)
      if (fits_any_log(bristle_law_at(i))) laws[(*count)++] = bristle_law_at(i);
    return DONE;
  }
  while (*list) {
    char name[64];
    size_t length = strcspn(list, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, list);
    const bristle_law *law = bristle_law_find(name);
    if (!law)
      return usage_error("identify", "there is no law '%s'; did you mean '%s'?", name, bristle_law_nearest(name));
    if (*count < IDENTIFY_LAWS) laws[(*count)++] = law;
    list += length + (list[length] == ',');
  }
  return *count ? DONE : usage_error("identify", "which laws? --model lugre,stribeck or --model all");
}

/* ---- the work ---- */

typedef struct watched {
  progress bar;
  int done, total;
} watched;

static int watch(void *context, double fraction)
{
  watched *w = context;
  return progress_show(&w->bar, (w->done + fraction) / w->total);
}

/* Friction often differs between the directions. The best laws once more with a term for that; it costs one number. */
static int try_skew(identification *id)
{
  enum { TRIED = 3 };
  bristle_identify_options with = id->fitting;
  bristle_fault fault;
  int count = id->results < TRIED ? id->results : TRIED;
  if (id->skew_is_given || id->results < 2) return DONE;
  with.term[BRISTLE_TERM_SKEW] = BRISTLE_TERM_FREE;
  const bristle_law *laws[TRIED];
  int chosen = 0;
  for (int i = 0; i < id->results && chosen < count; i++)
    if (id->result[i]->law->f64->info->traits & BRISTLE_ODD) laws[chosen++] = id->result[i]->law;
  for (int i = 0; i < chosen && id->results < IDENTIFY_LAWS; i++)
    if (!bristle_identify(laws[i], (const bristle_log *const *)id->log, id->logs, id->validation, &with,
                          &id->result[id->results], &fault))
      id->results++;
  bristle_identified_rank(id->result, id->results);
  return DONE;
}

void identify_name(const bristle_identified *r, char text[64])
{
  const bristle_estimate *skew = &r->estimate[r->law->f64->info->nparam + BRISTLE_TERM_SKEW];
  snprintf(text, 64, "%s%s", r->law->name, skew->free ? " + skew" : "");
}

static int fit_laws(identification *id, const bristle_law **laws, int count)
{
  watched w = { progress_start("identifying"), 0, count };
  bristle_fault fault;
  int stopped = 0;
  id->fitting.progress = watch;
  id->fitting.context = &w;
  for (; w.done < count && !stopped; w.done++) {
    bristle_identified *result;
    if (!bristle_identify(laws[w.done], (const bristle_log *const *)id->log, id->logs, id->validation, &id->fitting,
                          &result, &fault))
      id->result[id->results++] = result;
    else snprintf(id->failed[id->failures++], sizeof id->failed[0], "%s: %.200s", laws[w.done]->name, fault.what);
    stopped = progress_is_stopped();
  }
  progress_end(&w.bar);
  id->fitting.progress = NULL;
  if (stopped) {
    fputs("bristle identify: stopped; nothing was written\n", stderr);
    return FAILED;
  }
  if (!id->results) {
    fprintf(stderr, "bristle identify: no law could be fitted: %s\n",
            id->failures ? id->failed[0] : "none was asked for");
    return FAILED;
  }
  bristle_identified_rank(id->result, id->results);
  return try_skew(id);
}

static int read_logs(identification *id, const request *q)
{
  bristle_fault fault;
  id->reading.inverse = id->fitting.term[BRISTLE_TERM_MASS] != BRISTLE_TERM_NONE;
  for (size_t i = 0; i < q->inputs; i++) {
    if (bristle_log_read(q->input[i], &id->reading, &id->log[id->logs], &fault)) return fault_exit(&fault);
    id->logs++;
  }
  if (q->validate && bristle_log_read(q->validate, &id->reading, &id->validation, &fault)) return fault_exit(&fault);
  id->fitting.use_load = id->log[0]->n != NULL;
  if (id->fitting.use_load && id->fitting.load == BRISTLE_LOAD_FORCE) id->fitting.load = BRISTLE_LOAD_COEFFICIENT;
  return DONE;
}

static int profile(identification *id, const char *name)
{
  bristle_fault fault;
  const bristle_identified *best = id->result[0];
  const bristle_estimate *x = NULL;
  for (int k = 0; k < best->law->f64->info->nparam; k++)
    if (!strcmp(best->estimate[k].name, name)) x = &best->estimate[k];
  if (!x) return usage_error("identify", "the best law, %s, has no parameter '%s'", best->law->name, name);
  double wide = isfinite(x->deviation) && x->deviation > 0 ? 4 * x->deviation : fabs(x->value);
  double lo = x->value - wide, hi = x->value + wide;
  if (lo <= 0 && x->value > 0) lo = x->value / 10, hi = fmin(hi, x->value * 10);
  id->profile_name = name;
  id->profile_count = IDENTIFY_PROFILE;
  if (bristle_identify_profile(best, (const bristle_log *const *)id->log, id->logs, &id->fitting, name,
                               IDENTIFY_PROFILE, lo, hi, id->profile_value, id->profile_cost, &fault))
    return fault_exit(&fault);
  return DONE;
}

/* ---- words ---- */

void identify_number(const bristle_estimate *x, char text[64])
{
  if (!x->free) snprintf(text, 64, "%.6g (held)", x->value);
  else if (!isfinite(x->deviation)) snprintf(text, 64, "%.3g (not determined)", x->value);
  else if (x->deviation <= 0) snprintf(text, 64, "%.3g (at its bound)", x->value);
  else {
    int digits = (int)fmax(floor(log10(fabs(x->value) / x->deviation)) + 3, 2);
    snprintf(text, 64, "%.*g +- %.2g", digits < 10 ? digits : 10, x->value, x->deviation);
  }
}

static void print_log(const bristle_log *log, FILE *out)
{
  const bristle_log_summary *s = &log->summary;
  fprintf(out, "%s: %zu samples, %.4g s at %.4g Hz", log->file, log->count, s->duration, s->rate);
  if (log->stretches > 1) fprintf(out, ", %zu stretches", log->stretches);
  fputs("\n", out);
  for (int c = 0; c < BRISTLE_CHANNELS; c++)
    if (log->column[c][0]) fprintf(out, "  %-12s %s\n", bristle_channel_text((bristle_channel)c), log->column[c]);
  const char *speed = log->rotary ? "rad/s" : "m/s", *force = log->rotary ? "N*m" : "N";
  fprintf(out,
          "  speeds %.3g to %.3g %s (median %.3g), forward %.0f %%, backward %.0f %%, at rest %.0f %% of the time\n",
          s->speed_low, s->speed_high, speed, s->speed_median, 100 * s->forward, 100 * s->backward, 100 * s->rest);
  fprintf(out, "  %zu reversals (%zu after a short way), force %.4g to %.4g %s, its noise about %.2g %s\n",
          s->reversals, s->loops, s->force_low, s->force_high, force, s->force_noise, force);
  for (size_t i = 0; i < log->note_count; i++) fprintf(out, "  note: %s\n", log->note[i]);
}

static void print_ranking(const identification *id, FILE *out)
{
  fprintf(out, "\n  %-22s %5s %10s %9s %11s%s %10s\n", "law", "free", "rms", "error", "held out",
          id->validation ? "  validation" : "", "BIC");
  for (int i = 0; i < id->results; i++) {
    const bristle_identified *r = id->result[i];
    int count = 0;
    for (int k = 0; k < r->estimates; k++) count += r->estimate[k].free;
    char name[64];
    identify_name(r, name);
    fprintf(out, "%c %-22s %5d %10.4g %7.3f %% %11.4g", i ? ' ' : '*', name, count, r->rms, 100 * r->relative,
            r->held_out);
    if (id->validation) fprintf(out, " %9.3f %%", 100 * r->validation);
    fprintf(out, " %10.1f\n", r->bic);
  }
  for (int i = 0; i < id->failures; i++) fprintf(out, "  not fitted: %s\n", id->failed[i]);
}

static void print_result(const identification *id, const bristle_identified *r, FILE *out)
{
  char sentence[IDENTIFY_SENTENCES][240], number[64];
  char name[64];
  identify_name(r, name);
  fprintf(out, "\n%s\n", name);
  for (int k = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (!x->free && x->value == 0) continue; /* a term that is not there, an element that is not used */
    identify_number(x, number);
    fprintf(out, "  %-12s %s %s\n", x->name, number, strcmp(x->unit, "1") ? x->unit : "");
  }
  int count = bristle_identified_verdict(r, (const bristle_log *const *)id->log, id->logs, sentence,
                                         IDENTIFY_SENTENCES);
  for (int i = 0; i < count; i++) fprintf(out, "  %s\n", sentence[i]);
}

static void print_summary(const identification *id, FILE *out)
{
  for (size_t i = 0; i < id->logs; i++) print_log(id->log[i], out);
  if (id->validation) print_log(id->validation, out);
  print_ranking(id, out);
  for (int i = 0; i < id->results && i < 3; i++) print_result(id, id->result[i], out);
  if (id->profile_count) {
    fprintf(out, "\nprofile of %s: value, sum of squares by its least\n", id->profile_name);
    for (int i = 0; i < id->profile_count; i++)
      fprintf(out, "  %-12.6g %.6f\n", id->profile_value[i], id->profile_cost[i]);
  }
}

/* ---- the verb ---- */

static int identify(identification *id, const request *q)
{
  const bristle_law *laws[IDENTIFY_LAWS];
  int count, code = choose_laws(q->model, laws, &count);
  bristle_fault fault;
  if (!code) code = read_logs(id, q);
  if (!code) code = fit_laws(id, laws, count);
  if (!code && q->profile) code = profile(id, q->profile);
  if (!code && q->output
      && bristle_identified_write(id->result[0], (const bristle_log *const *)id->log, id->logs, id->settings, q->output,
                                  &fault))
    code = fault_exit(&fault);
  if (!code && q->report) code = identify_report(id, q->report);
  if (code) return code;
  const int to_stdout = q->output && !strcmp(q->output, "-");
  if (q->json) identify_json(id, stdout);
  else if (!q->quiet) print_summary(id, to_stdout ? stderr : stdout);
  return finish_output(stdout, "identify");
}

static void note_settings(identification *id, int argc, char **argv)
{
  size_t used = 0;
  for (int i = 0; i < argc && used < sizeof id->settings; i++)
    used += (size_t)snprintf(id->settings + used, sizeof id->settings - used, "%s%s", i ? " " : "", argv[i]);
}

static int run(int argc, char **argv)
{
  for (int i = 0; i < argc; i++) /* a rig to simulate: another kind of fit */
    if (is_flag(argv[i], "--rig") || !strncmp(argv[i], "--rig=", 6)) return identify_trajectory(argc, argv);
  identification *id = calloc(1, sizeof *id);
  request q = { 0 };
  if (!id) {
    fputs("bristle identify: not enough memory\n", stderr);
    return FAILED;
  }
  note_settings(id, argc, argv);
  id->fitting.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  int code = read_arguments(id, &q, argc, argv);
  if (!code) code = identify(id, &q);
  for (int i = 0; i < id->results; i++) bristle_identified_free(id->result[i]);
  for (size_t i = 0; i < id->logs; i++) bristle_log_free(id->log[i]);
  bristle_log_free(id->validation);
  free(id);
  return code;
}

const verb verb_identify = {
  "identify",
  "fit friction laws to a measured log, ranked, with deviations",
  "usage: bristle identify DATA.csv [MORE.csv ...] [--model coulomb,stribeck,lugre|all] [--mass free|VALUE]\n"
  "                        [--objective absolute|relative|robust] [--validate FILE] [-o model.yaml]\n"
  "                        [--report out.html] [--json] ...\n\n"
  "Fits laws to measured motion and force and says how far to trust the numbers. The columns are recognised by name "
  "and\n"
  "unit, and the guess is printed. The law is driven by the measured motion; its force is compared with the measured\n"
  "one, or, with --mass, with force = mass a + gravity sin x + offset + skew |v| + friction.\n\n"
  "  --time, --position, --velocity, --acceleration, --force, --load COL   the column, by name or place ('#2'), "
  "perhaps\n"
  "               with a factor and the unit of the product: --force 'motor_voltage*35.15 N', --force 'F*-1'\n"
  "  --cutoff HZ  of the zero-phase filter where a derivative is missing; without it the data choose; none: no filter\n"
  "  --from, --to S   the part of the record that is used\n"
  "  --decimate N all columns alike through one filter, then every N-th residual counts\n"
  "  --model      laws, or all; without it coulomb, stribeck, asymmetric, dahl, lugre and elasto_plastic\n"
  "  --mass, --offset, --gravity, --skew   free, none or a value; the offset is free unless you say otherwise. skew "
  "|v|\n"
  "               is what the directions differ by; with several laws the best three are tried with it as well\n"
  "  --fix NAME[=VALUE]   holds a parameter   --free NAME   fits one that is usually held, such as an exponent\n"
  "  --load-form  coefficient or level, when there is a load column\n"
  "  --objective  absolute; relative: errors by the force, at least --floor (0.05) of the greatest; robust: outliers\n"
  "               count less\n"
  "  --validate FILE   another record: its error ranks the laws   --folds N   pieces held out in turn, 4; 0: none\n"
  "  --profile NAME    profile likelihood of a parameter of the best law\n"
  "  --seed N     of the screening; the same seed gives the same result   --threads N   2\n"
  "  -o FILE      the best law as a model file, for `friction: {file: model.yaml}`\n"
  "  --report     a page with pictures   --json   everything for machines   --quiet   no summary\n\n"
  "example:\n"
  "  bristle identify axis.csv --model coulomb,asymmetric,lugre --mass free -o axis.yaml --report axis.html\n",
  run,
};
