/* bristle plan: an experiment that determines the parameters of a law, and what an existing record determines. */
#include "plan.h"

#include "common/cli.h"
#include "common/log_arguments.h"
#include "common/model_argument.h"

#include "bristle/identify.h"

#include <math.h>

static int fault_exit(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "bristle plan: %s\n", text);
  return FAILED;
}

/* ---- the request in numbers ---- */

static bristle_fault_kind read_option(const char *flag, const char *text, const char *unit, double *value,
                                      bristle_fault *fault)
{
  if (!text) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_quantity_read(text, strlen(text), unit, value, NULL, fault);
  if (!kind && !(*value > 0)) {
    kind = fault->kind = BRISTLE_FAULT_VALUE;
    snprintf(fault->what, sizeof fault->what, "found %g, expected a positive number", *value);
    fault->hint[0] = '\0', fault->line = 0;
  }
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
  if (!names) bristle_plan_wanted(job->friction.law, job->friction.p, job->wanted);
  while (names && *names) {
    const size_t length = strcspn(names, ",");
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)(length < 39 ? length : 39), names);
    const bristle_row *row = bristle_param_find(info, name);
    if (!row || row->kind == BRISTLE_OPTION) {
      *fault = (bristle_fault){ .kind = BRISTLE_FAULT_VALUE };
      snprintf(fault->file, sizeof fault->file, "--wanted");
      snprintf(fault->what, sizeof fault->what, "the law %s has no parameter '%s' to determine", info->name, name);
      snprintf(fault->hint, sizeof fault->hint, "`bristle show %s` lists them", info->name);
      return fault->kind;
    }
    for (int k = 0; k < row->count; k++) job->wanted[row->first + k] = 1;
    names += length + (names[length] == ',');
  }
  job->contact = (bristle_plan_contact){ job->friction.law, job->friction.load, job->friction.p, job->wanted };
  return BRISTLE_FAULT_NONE;
}

/* a hundredth of the greatest force that the law gives in sliding */
static double usual_noise(const plan_job *job)
{
  const bristle_friction *f = &job->friction;
  bristle_input in = { .n = 1, .load = f->load };
  double greatest = 0;
  for (size_t k = 0; k < job->limits.loads; k++) in.n = fmax(in.n, job->load[k]);
  for (int k = 0; f->info->traits & BRISTLE_STEADY && k < 7; k++) {
    in.v = job->limits.speed * pow(10, -k);
    greatest = fmax(greatest, fabs(f->law->f64->steady(f->p, &in)));
  }
  return greatest > 0 ? 0.01 * greatest : 0.01;
}

static bristle_fault_kind read_limits(plan_job *job, const plan_request *q, bristle_fault *fault)
{
  bristle_plan_limits *l = &job->limits;
  const int rotary = job->friction.rotary;
  *l = (bristle_plan_limits){ .speed = rotary ? 1 : 0.1, .stroke = rotary ? 1 : 0.05, .rate = 1000, .duration = 60 };
  l->goal = 0.02;
  bristle_fault_kind kind = read_option("--speed", q->speed, rotary ? "rad/s" : "m/s", &l->speed, fault);
  if (!kind) kind = read_option("--stroke", q->stroke, rotary ? "rad" : "m", &l->stroke, fault);
  if (!kind) kind = read_option("--rate", q->rate, "Hz", &l->rate, fault);
  if (!kind) kind = read_option("--duration", q->duration, "s", &l->duration, fault);
  if (!kind) kind = read_option("--goal", q->goal, "1", &l->goal, fault);
  if (!kind) kind = read_loads(job, q->loads, fault);
  if (kind) return kind;
  l->noise = usual_noise(job);
  return read_option("--noise", q->noise, rotary ? "N*m" : "N", &l->noise, fault);
}

/* ---- an existing record ---- */

static bristle_fault_kind no_memory(bristle_fault *fault)
{
  *fault = (bristle_fault){ .kind = BRISTLE_FAULT_MEMORY };
  snprintf(fault->what, sizeof fault->what, "not enough memory");
  return fault->kind;
}

static bristle_fault_kind inform_of_log(plan_job *job, const bristle_log *log, bristle_fault *fault)
{
  double *numbers = malloc(4 * log->count * sizeof *numbers);
  int *fresh = calloc(log->count, sizeof *fresh);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  size_t count = 0;
  if (!numbers || !fresh) kind = no_memory(fault);
  double *h = numbers, *v = h + log->count, *x = v + log->count, *n = x + log->count;
  for (size_t k = 0; k < log->stretches && !kind; k++)
    for (size_t i = log->first[k] + 1; i < log->first[k + 1]; i++, count++) {
      h[count] = log->t[i] - log->t[i - 1];
      v[count] = log->slide[i];
      x[count] = log->x[i - 1];
      n[count] = log->n ? log->n[i] : 1;
      fresh[count] = i == log->first[k] + 1;
      job->record_duration += h[count];
    }
  const bristle_plan_motion motion = { count, h, v, x, n, fresh };
  if (!kind) kind = bristle_plan_inform(&job->contact, &motion, job->limits.noise, &job->record, fault);
  free(numbers), free(fresh);
  return kind;
}

static bristle_fault_kind read_record(plan_job *job, const plan_request *q, bristle_fault *fault)
{
  bristle_log *log = NULL;
  if (!q->data) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_log_read(q->data, &q->reading, &log, fault);
  /* records without noise are made up, or rounded: they would promise anything */
  if (!kind && !q->noise && log->summary.force_noise > 1e-3 * job->limits.noise)
    job->limits.noise = log->summary.force_noise;
  if (!kind) kind = inform_of_log(job, log, fault);
  job->has_record = !kind;
  if (!kind) {
    for (size_t k = 0; k < log->note_count; k++) fprintf(stderr, "%s: note: %s\n", q->data, log->note[k]);
    if (log->doubtful)
      fprintf(stderr, "bristle plan: do not trust what is said about %s: something is wrong with it, see its notes\n",
              q->data);
  }
  bristle_log_free(log);
  return kind;
}

/* ---- the verb ---- */

/* a plan without a motion is one only where nothing is missing */
static bristle_fault_kind check_plan(const plan_job *job, bristle_fault *fault)
{
  plan_promise list[BRISTLE_FRICTION_SIZE];
  const int count = plan_promises(job, list);
  int missing = 0;
  for (int k = 0; k < count; k++) missing += !(list[k].planned <= job->limits.goal);
  if (job->plan->count || !missing) return BRISTLE_FAULT_NONE;
  *fault = (bristle_fault){ .kind = BRISTLE_FAULT_VALUE };
  snprintf(fault->what, sizeof fault->what, "no motion of %g s or less helps: %d of %d parameters stay above %.2g %%",
           job->limits.duration, missing, count, 100 * job->limits.goal);
  snprintf(fault->hint, sizeof fault->hint, "give more time with --duration, or a larger --speed, --stroke or --goal");
  return fault->kind;
}

static bristle_fault_kind make_plan(plan_job *job, const plan_request *q, bristle_fault *fault)
{
  bristle_fault_kind kind = model_argument_read(q->model, q->argc, q->argv, &job->friction, fault);
  if (!kind) kind = read_limits(job, q, fault);
  if (!kind) kind = read_wanted(job, q->wanted, fault);
  if (!kind) kind = read_record(job, q, fault);
  if (!kind)
    kind = bristle_plan_make(&job->contact, &job->limits, job->has_record ? &job->record : NULL, &job->plan, fault);
  if (!kind) kind = check_plan(job, fault);
  if (!kind && q->report) kind = plan_report(job, q, fault);
  if (kind || !job->plan->count) return kind; /* no motion, no files */
  if (q->output) kind = plan_write_motion(job, q->output, fault);
  if (!kind && q->scenario) kind = plan_write_scenario(job, q->scenario, q->output, fault);
  return kind;
}

static int plan(const plan_request *q)
{
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  plan_job *job = calloc(1, sizeof *job);
  if (!job) {
    fputs("bristle plan: not enough memory\n", stderr);
    return FAILED;
  }
  int code = make_plan(job, q, &fault) ? fault_exit(&fault) : DONE;
  if (!code && q->json) plan_print_json(job, q, stdout);
  else if (!code) plan_print(job, q, q->output && !strcmp(q->output, "-") ? stderr : stdout);
  bristle_plan_free(job->plan);
  free(job);
  return code ? code : finish_output(stdout, "plan");
}

static int check(const plan_request *q)
{
  if (!q->model) return usage_error("plan", "which law? try `bristle models`");
  if (!model_argument_is_file(q->model) && !bristle_law_find(q->model))
    return usage_error("plan", "there is no law '%s'; did you mean '%s'?", q->model, bristle_law_nearest(q->model));
  if (q->scenario && (!q->output || !strcmp(q->output, "-")))
    return usage_error("plan", "--scenario needs the motion in a file: give -o MOTION.csv");
  if (q->scenario && !strcmp(q->scenario, "-")) return usage_error("plan", "--scenario needs the name of a file");
  if (q->json && q->output && !strcmp(q->output, "-"))
    return usage_error("plan", "--json and -o - would both write to the standard output");
  return DONE;
}

static int run(int argc, char **argv)
{
  plan_request q = { .argc = argc, .argv = argv };
  const struct {
    const char *flag;
    const char **value;
  } options[] = { { "-o", &q.output },           { "--output", &q.output }, { "--scenario", &q.scenario },
                  { "--report", &q.report },     { "--data", &q.data },     { "--wanted", &q.wanted },
                  { "--speed", &q.speed },       { "--stroke", &q.stroke }, { "--rate", &q.rate },
                  { "--duration", &q.duration }, { "--noise", &q.noise },   { "--goal", &q.goal },
                  { "--loads", &q.loads },       { "--set", NULL } };
  const char *value;
  for (int i = 0; i < argc; i++) {
    const int read = log_argument(&q.reading, "plan", argc, argv, &i);
    if (read > 0) return read;
    int known = !read || is_flag(argv[i], "--json");
    q.json |= read < 0 && known;
    for (size_t k = 0; k < sizeof options / sizeof *options && !known; k++) {
      if (!(value = flag_value(argc, argv, &i, options[k].flag))) {
        if (is_flag(argv[i], options[k].flag)) return usage_error("plan", "'%s' needs a value", argv[i]);
        continue;
      }
      known = 1;
      if (options[k].value) *options[k].value = value;
    }
    if (known) continue;
    if (argv[i][0] == '-' && argv[i][1]) return usage_error("plan", "'%s' is not an option of this verb", argv[i]);
    if (q.model) return usage_error("plan", "one law at a time; got '%s' and '%s'", q.model, argv[i]);
    q.model = argv[i];
  }
  int code = check(&q);
  if (!code) code = reserve_output("plan", q.output, BRISTLE_OUTPUT_TABLE);
  if (!code) code = reserve_output("plan", q.report, BRISTLE_OUTPUT_PAGE);
  if (!code) code = reserve_output("plan", q.scenario, BRISTLE_OUTPUT_DOCUMENT);
  return code ? code : plan(&q);
}

const verb verb_plan = {
  "plan",
  "an experiment that determines the parameters of a law",
  "usage: bristle plan MODEL [--data LOG.csv] [--wanted NAMES] [--speed V] [--stroke X] [--rate F] [--duration T]\n"
  "                    [--noise F] [--goal R] [--loads N,N] [--set a=1] [-o MOTION.csv] [--scenario FILE.yaml]\n"
  "                    [--report OUT.html] [--json]\n\n"
  "Proposes a motion (velocity stairs, break-away ramps, small sines) that determines the parameters, judged by the\n"
  "derivatives of the law at the parameters given: the standard deviation that each will have when the force is\n"
  "measured with the given noise. With a record it says first which parameters that determines, and adds only what is\n"
  "missing.\n\n"
  "  MODEL        the name of a law, or a model file; better parameters make a better plan\n"
  "  --data       an existing record: position or velocity, and force; columns as for `bristle identify`\n"
  "  --wanted     parameters to determine: sigma0,fc; the others are taken for known\n"
  "  --speed      greatest speed, 0.1 m/s     --stroke   room for the motion, 50 mm\n"
  "  --rate       samples, 1 kHz              --duration   at most, 60 s\n"
  "  --noise      of the force; without it that of the record, or 1 % of the sliding force\n"
  "  --goal       relative standard deviation to reach, 0.02\n"
  "  --loads      loads that can be set, when the parameters are coefficients: --loads '50 N,100 N'\n"
  "  --set        parameters, with or without units: --set 'sigma0=1e5,fc=2 N'; may be repeated\n"
  "  -o           the motion: t, x, v and, with loads, N; - is the standard output\n"
  "  --scenario   a scenario beside it for `bristle simulate`, to try the experiment before it is run\n"
  "  --report     a page with the motion and what it promises   --json   the plan for machines\n\n"
  "examples:\n"
  "  bristle plan lugre -o motion.csv --scenario plan.yaml\n"
  "  bristle plan stribeck --set 'fc=20 N,fs=30 N,vs=2 mm/s,sigma2=200' --speed '0.3 m/s' --stroke '200 mm'\n",
  run,
};
