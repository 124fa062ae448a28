/* bristle plan: an experiment that determines the parameters of a law, and what an existing record determines. */
#include "plan.h"

#include "common/cli.h"
#include "common/log_arguments.h"
#include "common/model_argument.h"
#include "io/support.h"
#include "maths/elementary.h"

#include "lab/identify.h"

/* ---- the request in numbers ---- */

static bristle_fault_kind read_option(const char *flag, const char *text, const char *unit, double *value,
                                      bristle_fault *fault)
{
  if (!text) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_quantity_read(text, strlen(text), unit, value, NULL, fault);
  if (!kind && !(*value > 0))
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "found %g, expected a positive number", *value);
  if (kind) snprintf(fault->file, sizeof fault->file, "%s %.200s", flag, text);
  return kind;
}

/* "50 N,100 N" */
static bristle_fault_kind read_loads(plan_job *job, const char *text, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  while (text && *text && !kind && job->limits.loads < MOST_PLAN_LOADS) {
    const size_t length = strcspn(text, ",");
    char one[80];
    snprintf(one, sizeof one, "%.*s", (int)(length < 79 ? length : 79), text);
    kind = read_option("--loads", one, "N", &job->load[job->limits.loads], fault);
    job->limits.loads++;
    text += length + (text[length] == ',');
  }
  job->limits.load = job->load;
  return kind;
}

static bristle_fault_kind read_wanted(plan_job *job, const char *names, bristle_fault *fault)
{
  const bristle_info *info = job->friction.info;
  job->contact = bristle_friction_contact(&job->friction);
  if (!names) bristle_plan_wanted(&job->contact, job->wanted);
  while (names && *names) {
    const size_t length = strcspn(names, ",");
    char name[40], hint[80];
    snprintf(name, sizeof name, "%.*s", (int)(length < 39 ? length : 39), names);
    const bristle_row *row = bristle_param_find(info, name);
    if (!row || row->kind == BRISTLE_ROW_OPTION) {
      snprintf(hint, sizeof hint, "`bristle show %s` lists them", info->name);
      fault_set(fault, BRISTLE_FAULT_VALUE, hint, "the law %s has no parameter '%s' to determine", info->name, name);
      return fault_at(fault, "--wanted", 0, 0);
    }
    for (int k = 0; k < row->count; k++) job->wanted[row->first + k] = 1;
    names += length + (names[length] == ',');
  }
  return BRISTLE_FAULT_NONE;
}

/* a hundredth of the largest force that the law gives in sliding */
static double usual_noise(const plan_job *job)
{
  const bristle_friction *f = &job->friction;
  bristle_input in = { .n = 1, .load = f->load };
  double largest = 0;
  for (size_t k = 0; k < job->limits.loads; k++) in.n = fmax(in.n, job->load[k]);
  for (int k = 0; f->info->traits & BRISTLE_TRAIT_STEADY && k < 7; k++) {
    in.v = job->limits.speed * pow(10, -k);
    largest = fmax(largest, fabs(f->law->f64->steady(f->p, &in)));
  }
  return largest > 0 ? 0.01 * largest : 0.01;
}

static bristle_fault_kind read_limits(plan_job *job, const plan_request *q, bristle_fault *fault)
{
  bristle_plan_limits *l = &job->limits;
  const int rotary = job->friction.rotary;
  *l = (bristle_plan_limits){ .speed = rotary ? 1 : 0.1, .stroke = rotary ? 1 : 0.05, .rate = 1000, .duration = 60 };
  l->goal = 0.02;
  bristle_fault_kind kind = read_option("--speed", q->speed, bristle_speed_unit(rotary), &l->speed, fault);
  if (!kind) kind = read_option("--stroke", q->stroke, bristle_length_unit(rotary), &l->stroke, fault);
  char units[2][24];
  snprintf(units[0], sizeof units[0], "%s^2", bristle_speed_unit(rotary));
  snprintf(units[1], sizeof units[1], "%s^3", bristle_speed_unit(rotary));
  if (!kind) kind = read_option("--max-acceleration", q->acceleration, units[0], &l->acceleration, fault);
  if (!kind) kind = read_option("--max-jerk", q->jerk, units[1], &l->jerk, fault);
  if (!kind) kind = read_option("--max-force", q->force, bristle_force_unit(rotary), &l->force, fault);
  l->mass = job->friction.found[BRISTLE_BESIDE_MASS];
  if (!kind) kind = read_option("--rate", q->rate, "Hz", &l->rate, fault);
  if (!kind) kind = read_option("--duration", q->duration, "s", &l->duration, fault);
  if (!kind) kind = read_option("--goal", q->goal, "1", &l->goal, fault);
  if (!kind) kind = read_loads(job, q->loads, fault);
  if (kind) return kind;
  l->noise = usual_noise(job);
  return read_option("--noise", q->noise, bristle_force_unit(rotary), &l->noise, fault);
}

/* ---- an existing record ---- */

/* samples that a fit compares: those that move, those on the way to motion for laws with states, every n-th of both */
static int is_compared(const plan_job *job, const bristle_log *log, size_t i, size_t place)
{
  const size_t every = log->conditioning.decimate > 1 ? log->conditioning.decimate : 1;
  if (place % every) return 0;
  if (!log->phase || log->phase[i] == BRISTLE_PHASE_MOVING) return 1;
  return log->phase[i] == BRISTLE_PHASE_TRANSITION && job->friction.info->nstate > 0;
}

static bristle_fault_kind inform_of_log(plan_job *job, const bristle_log *log, bristle_fault *fault)
{
  double *numbers = malloc(4 * log->count * sizeof *numbers);
  int *fresh = calloc(log->count, sizeof *fresh);
  unsigned char *counts = calloc(log->count, 1);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  size_t count = 0;
  if (!numbers || !fresh || !counts) kind = fault_memory(fault);
  double *h = numbers, *v = h + log->count, *x = v + log->count, *n = x + log->count;
  for (size_t k = 0; k < log->stretches && !kind; k++)
    for (size_t i = log->first[k] + 1; i < log->first[k + 1]; i++, count++) {
      h[count] = log->t[i] - log->t[i - 1];
      v[count] = log->slide[i];
      x[count] = log->x[i - 1];
      n[count] = log->n ? log->n[i] : 1;
      fresh[count] = i == log->first[k] + 1;
      counts[count] = (unsigned char)is_compared(job, log, i, i - log->first[k]);
      job->record_duration += h[count];
    }
  const bristle_plan_motion motion = { count, h, v, x, n, fresh, counts };
  if (!kind) kind = bristle_plan_inform(&job->contact, job->wanted, &motion, job->record_noise, &job->record, fault);
  free(numbers), free(fresh), free(counts);
  return kind;
}

/* An unknown that the record does not determine: what it tells about the others is what is left beside it. */
static void forget(bristle_information *information, int which)
{
  const int side = information->side;
  double *m = information->matrix;
  const double own = m[which * side + which];
  for (int a = 0; a < side && own > 0; a++)
    for (int b = 0; b < side; b++)
      if (a != which && b != which) m[a * side + b] -= m[a * side + which] * m[which * side + b] / own;
  for (int a = 0; a < side; a++) m[a * side + which] = m[which * side + a] = 0;
}

/* Of the record that a model was identified from, its file knows better than white noise does: deviations contain
   delays, filters and residuals that follow each other, and what is not determined is not. The information is scaled to
   it. */
static bristle_fault_kind believe_file(plan_job *job, const char *path, bristle_fault *fault)
{
  double known[BRISTLE_LAW_SIZE], here[BRISTLE_PLAN_SIDE], scale[BRISTLE_PLAN_SIDE];
  const int side = job->record.side, nparam = job->friction.info->nparam;
  bristle_fault_kind kind = bristle_model_deviations(path, job->friction.info, known, fault);
  if (kind || !side) return kind;
  for (int j = 0, at = 0; j < nparam; at += job->wanted[j++] != 0)
    if (job->wanted[j] && isinf(known[j])) forget(&job->record, at), job->lost[j] = 1;
  bristle_plan_deviations(&job->record, here, NULL);
  for (int k = 0; k < side; k++) scale[k] = 1;
  for (int j = 0, at = 0; j < nparam; at += job->wanted[j++] != 0)
    if (job->wanted[j] && isfinite(known[j]) && known[j] > here[at]) scale[at] = here[at] / known[j];
  for (int a = 0; a < side; a++)
    for (int b = 0; b < side; b++) job->record.matrix[a * side + b] *= scale[a] * scale[b];
  return kind;
}

/* parameters that nobody has fitted to this record */
static void warn_of_defaults(plan_job *job, const plan_request *q)
{
  const bristle_info *info = job->friction.info;
  double usual[BRISTLE_LAW_SIZE];
  char names[200] = "", name[40];
  size_t used = 0;
  if (model_argument_is_file(q->model)) return;
  bristle_defaults(info, usual);
  for (int i = 0; i < info->param_rows; i++)
    for (int k = 0; k < info->param[i].count; k++) {
      const int j = info->param[i].first + k;
      if (!job->wanted[j] || job->friction.p[j] != usual[j]) continue;
      bristle_param_name(&info->param[i], k, name, sizeof name);
      used = text_append(names, sizeof names, used, "%s%s", used ? ", " : "", name);
    }
  if (used)
    snprintf(
        job->warning, sizeof job->warning,
        "%s: the default values of %s were taken, not those of this record; fit them first: `bristle identify %.100s "
        "--model %s -o model.yaml`, then `bristle plan model.yaml`",
        names, info->name, q->data, info->name);
}

static bristle_fault_kind read_record(plan_job *job, const plan_request *q, bristle_fault *fault)
{
  bristle_log *log = NULL;
  bristle_campaign *campaign = NULL;
  bristle_model_reading *reading = NULL;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  bristle_identify_options terms = { .term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE };
  bristle_log_options options = q->reading;
  if (!q->data) return kind;
  if (job->limits.mass > 0) terms.term[BRISTLE_TERM_MASS] = BRISTLE_TERM_FREE, options.inverse = 1;
  warn_of_defaults(job, q);
  campaign = calloc(1, sizeof *campaign), reading = calloc(1, sizeof *reading);
  if (!campaign || !reading) kind = fault_memory(fault);
  if (!kind && model_argument_is_file(q->model)) kind = bristle_model_reading_read(q->model, reading, fault);
  if (!kind) kind = bristle_model_log(q->data, reading, &options, &terms, campaign, &log, fault);
  /* records without noise are made up, or rounded: they would promise anything */
  if (!kind && !q->noise && log->summary.force_noise > 1e-3 * job->limits.noise)
    job->limits.noise = log->summary.force_noise;
  job->record_noise = fmax(job->limits.noise, q->noise ? 0 : reading->rms);
  if (!kind) kind = inform_of_log(job, log, fault);
  if (!kind && !q->noise && bristle_model_reading_saw(reading, log->digest)) kind = believe_file(job, q->model, fault);
  job->has_record = !kind;
  if (!kind) {
    log_notes_as_flags(log);
    for (size_t k = 0; k < log->note_count; k++) fprintf(stderr, "%s: note: %s\n", q->data, log->note[k]);
    if (log->doubtful)
      fprintf(stderr, "bristle plan: do not use what is said about %s: %s\n", q->data, bristle_log_doubt(log));
  }
  bristle_log_free(log);
  free(campaign), free(reading);
  return kind;
}

/* ---- the verb ---- */

/* a plan without a motion is one only where nothing is missing */
static bristle_fault_kind check_plan(const plan_job *job, bristle_fault *fault)
{
  plan_promise list[BRISTLE_LAW_SIZE];
  const int count = plan_promises(job, list);
  int missing = 0;
  for (int k = 0; k < count; k++) missing += !(list[k].planned <= job->limits.goal);
  if (job->plan->count || !missing) return BRISTLE_FAULT_NONE;
  return fault_set(fault, BRISTLE_FAULT_VALUE,
                   "give more time with --duration, or a larger --speed, --stroke or --goal",
                   "no motion of %g s or less helps: %d of %d parameters stay above %.2g %%", job->limits.duration,
                   missing, count, 100 * job->limits.goal);
}

static bristle_fault_kind make_plan(plan_job *job, const plan_request *q, bristle_fault *fault)
{
  bristle_fault_kind kind = model_argument_read(q->model, q->set, &job->friction, fault);
  if (!kind) kind = read_limits(job, q, fault);
  if (!kind) kind = read_wanted(job, q->wanted, fault);
  if (!kind) kind = read_record(job, q, fault);
  if (!kind)
    kind = bristle_plan_make(&job->contact, job->wanted, &job->limits, job->has_record ? &job->record : NULL,
                             &job->plan, fault);
  if (!kind) kind = check_plan(job, fault);
  if (!kind && q->report) kind = plan_report(job, q, fault);
  if (kind || !job->plan->count) return kind; /* no motion, no files */
  if (q->output) kind = plan_write_motion(job, q->output, fault);
  if (!kind && q->scenario) kind = plan_write_scenario(job, q->scenario, q->output, fault);
  return kind;
}

static int run(void *asked)
{
  const plan_request *q = asked;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  plan_job *job = calloc(1, sizeof *job);
  if (!job) return no_memory();
  int code = make_plan(job, q, &fault) ? fault_exit(&fault) : DONE;
  if (!code && q->json) plan_print_json(job, q, stdout);
  else if (!code) plan_print(job, q, q->output && !strcmp(q->output, "-") ? stderr : stdout);
  bristle_plan_free(job->plan);
  free(job);
  return code ? code : finish_output(stdout);
}

static int check(void *asked)
{
  const plan_request *q = asked;
  const int code = check_law(q->model);
  if (code) return code;
  if (q->scenario && (!q->output || !strcmp(q->output, "-")))
    return usage_error("--scenario needs the motion in a file: give -o MOTION.csv");
  if (q->scenario && !strcmp(q->scenario, "-")) return usage_error("--scenario needs the name of a file");
  return log_check(&q->reading);
}

static const option options[] = {
  { "--wanted", "NAMES", OPTION_TEXT, IN(plan_request, wanted),
    .help = "parameters to determine: sigma0,fc; the others are assumed known" },
  OPTION_SET(plan_request, "parameters, with or without units: --set 'sigma0=1e5,fc=2 N'"),
  { "--goal", "R", OPTION_TEXT, IN(plan_request, goal), .help = "relative standard deviation to reach", "0.02" },
  GROUP("largest speed of the machine"),
  { "--speed", "V", OPTION_TEXT, IN(plan_request, speed), .help = "largest speed", "0.1 m/s" },
  { "--stroke", "X", OPTION_TEXT, IN(plan_request, stroke), .help = "room for the motion", "50 mm" },
  { "--max-acceleration", "A", OPTION_TEXT, IN(plan_request, acceleration),
    .help = "largest acceleration ('2 m/s^2'); unlimited by default" },
  { "--max-jerk", "J", OPTION_TEXT, IN(plan_request, jerk), .help = "largest jerk ('50 m/s^3'); unlimited by default" },
  { "--max-force", "F", OPTION_TEXT, IN(plan_request, force),
    .help = "largest force of the drive, for the friction and the mass of the model file; unlimited by default" },
  { "--rate", "F", OPTION_TEXT, IN(plan_request, rate), .help = "sampling rate", "1 kHz" },
  { "--duration", "T", OPTION_TEXT, IN(plan_request, duration), .help = "longest recording", "60 s" },
  { "--noise", "F", OPTION_TEXT, IN(plan_request, noise),
    .help = "noise of the force; by default that of the log, or 1 % of the sliding force" },
  { "--loads", "N,N", OPTION_TEXT, IN(plan_request, loads),
    .help = "loads that can be set, when the parameters are coefficients: --loads '50 N,100 N'" },
  GROUP("an existing record, read as by `bristle identify`"),
  { "--data", "LOG.csv", OPTION_FILE, IN(plan_request, data), .help = "a log with position or velocity, and force" },
  TABLE(log_options, plan_request, reading),
  GROUP("outputs"),
  OPTION_OUTPUT(plan_request, OPTION_TABLE, "MOTION.csv",
                "the motion: t, x, v and, with loads, N; - is the standard output"),
  { "--scenario", "FILE.yaml", OPTION_DOCUMENT, IN(plan_request, scenario),
    .help = "also a scenario for `bristle simulate`, to try the experiment before running it" },
  OPTION_REPORT(plan_request, "a page with the motion and the expected accuracy"),
  OPTION_JSON(plan_request, "full result as JSON"),
  OPTIONS_END
};

const verb verb_plan = {
  .name = "plan",
  .summary = "an experiment that determines the parameters of a law",
  .about = "Proposes a motion (velocity stairs, break-away ramps, small sines) that determines the parameters of a "
           "law, and says how well: the standard deviation of each, for the given noise of the force. With --data it "
           "first says which parameters that log determines, and plans only what is missing.",
  .argument = { "MODEL", NULL, OPTION_LAW, IN(plan_request, model),
                .help = "the name of a law, or a model file; better parameters make a better plan",
                .ask = "no law given: `bristle models` lists them", .noun = "law" },
  .options = options,
  .examples =
      "bristle plan lugre -o motion.csv --scenario plan.yaml\n"
      "bristle plan stribeck --set 'fc=20 N,fs=30 N,vs=2 mm/s,sigma2=200' --speed '0.3 m/s' --stroke '200 mm'\n",
  .request = sizeof(plan_request),
  .check = check,
  .run = run,
};
