/* bristle drive: friction of a law along a recorded motion. */
#include "common/cli.h"

#include "common/model_argument.h"
#include "platform/platform.h"
#include "simulate/simulation.h"

#include "lab/identify.h"
#include "io/support.h"
#include "maths/elementary.h"

enum { FILTER_ORDER = 4 }; /* as in identifications */

typedef struct request {
  const char *model, *motion, *output, *report, *set[MOST_SETS + 1];
  const char *load, *rtol, *solver, *step; /* values of the scenario */
  double cutoff;                           /* Hz; 0: as the model file says of its own records; < 0: none */
  int json;
} request;

/* stands for the file that this verb has not */
static const char scenario_text[] = "rig: prescribed\n";
static const char scenario_name[] = "(drive)";

static int refuse(bristle_fault *fault)
{
  if (!strcmp(fault->file, scenario_name)) fault->file[0] = '\0', fault->line = 0;
  if (strstr(fault->what, "'load' is missing"))
    snprintf(fault->hint, sizeof fault->hint, "give --load '100 N', or a column N in the motion");
  return fault_exit(fault);
}

/* ---- a motion that the model was identified from ---- */

/* The motion is then the one of the fit: its column, behind its filter. */
typedef struct as_identified {
  char column[24];  /* "#2", or "": as recognised */
  const char *of;   /* position or velocity */
  double cutoff;    /* Hz; 0: none */
  double *filtered; /* ours */
} as_identified;

static bristle_fault_kind look_up(const request *q, as_identified *as, bristle_fault *fault)
{
  bristle_table *table = NULL;
  char digest[65];
  *as = (as_identified){ .cutoff = fmax(q->cutoff, 0) };
  if (q->cutoff != 0 || !model_argument_is_file(q->model) || !strcmp(q->motion, "-")) return BRISTLE_FAULT_NONE;
  bristle_model_reading *r = malloc(sizeof *r);
  if (!r) return fault_memory(fault);
  bristle_fault_kind kind = bristle_model_reading_read(q->model, r, fault);
  const bristle_log_options plain = { .cutoff = 0 };
  if (!kind && r->known) kind = bristle_log_table(q->motion, &plain, &table, digest, fault);
  if (table && bristle_model_reading_saw(r, digest)) {
    const int velocity = r->conditioning.from_velocity;
    const char *name = r->column[velocity ? BRISTLE_CHANNEL_VELOCITY : BRISTLE_CHANNEL_POSITION];
    for (size_t i = 0; i < table->columns; i++)
      if (!strcmp(table->column[i].header, name)) snprintf(as->column, sizeof as->column, "#%zu", i + 1);
    as->of = velocity ? "velocity" : "position";
    as->cutoff = as->column[0] ? r->conditioning.cutoff : 0;
    if (as->column[0])
      fprintf(stderr, "note: the model was identified from this record: the motion is that of the %s '%s'%s\n", as->of,
              name, as->cutoff > 0 ? ", filtered as then (--cutoff none: no filter)" : "");
    else
      fprintf(stderr,
              "note: the model was identified from this log with the %s '%s', which is an expression: the motion is "
              "used as recorded, without the filter of the identification\n",
              as->of, name);
  }
  bristle_table_free(table);
  free(r);
  return kind;
}

/* the filter of identifications, which needs even steps */
static bristle_fault_kind filter_motion(bristle_scenario *s, as_identified *as, bristle_fault *fault)
{
  bristle_program *motion = &s->rig.as.driven.motion;
  const size_t rows = motion->count;
  bristle_lowpass filter;
  if (!(as->cutoff > 0)) return BRISTLE_FAULT_NONE;
  const double step = (motion->t[rows - 1] - motion->t[0]) / (double)(rows - 1);
  for (size_t i = 1; i < rows; i++)
    if (fabs(motion->t[i] - motion->t[i - 1] - step) > 0.01 * step)
      return fault_set(fault, BRISTLE_FAULT_VALUE, "resample it, or use --cutoff none",
                       "the motion has uneven time steps, so it cannot be filtered");
  as->filtered = malloc(rows * sizeof *as->filtered);
  if (!as->filtered) return fault_memory(fault);
  bristle_fault_kind kind = bristle_lowpass_design(FILTER_ORDER, as->cutoff, 1 / step, &filter, fault);
  if (!kind) kind = bristle_lowpass_both_ways(&filter, motion->y, rows, as->filtered, fault);
  if (!kind) motion->y = as->filtered;
  return kind;
}

static bristle_fault_kind fill_in(bristle_tree *tree, const request *q, const as_identified *as, bristle_fault *fault)
{
  const char *const values[][3] = { { "--load", "load", q->load },
                                    { "--rtol", "solver.rtol", q->rtol },
                                    { "--solver", "solver.method", q->solver },
                                    { "--step", "solver.step", q->step } };
  const char *key = model_argument_is_file(q->model) ? "friction.file" : "friction.model";
  bristle_fault_kind kind = bristle_tree_put(tree, key, q->model, q->model, fault);
  if (!kind) kind = bristle_tree_put(tree, "motion.file", q->motion, "--motion", fault);
  if (!kind && as->column[0]) kind = bristle_tree_put(tree, "motion.column", as->column, "--motion", fault);
  if (!kind && as->column[0]) kind = bristle_tree_put(tree, "motion.of", as->of, "--motion", fault);
  if (!kind) kind = bristle_tree_put(tree, "time.end", "1", scenario_name, fault); /* the recording knows better */
  for (int i = 0; q->set[i] && !kind; i++) kind = bristle_tree_set(tree, "friction.parameters", q->set[i], fault);
  for (int i = 0; i < 4 && !kind; i++) {
    char place[80];
    if (!values[i][2]) continue;
    snprintf(place, sizeof place, "%s %.60s", values[i][0], values[i][2]);
    kind = bristle_tree_put(tree, values[i][1], values[i][2], place, fault);
  }
  return kind;
}

/* The run begins with the first sample, and there is a row at each. Returns the times that it uses, counted from
   there, or NULL when there is no memory. */
static double *follow_samples(bristle_scenario *s)
{
  const size_t rows = s->motion->rows;
  double *times = malloc(rows * sizeof *times);
  if (!times) return NULL;
  for (size_t i = 0; i < rows; i++) times[i] = s->motion_times[i] - s->motion_times[0];
  bristle_driven *driven = &s->rig.as.driven;
  driven->motion.t = times;
  if (driven->load.count) driven->load.t = times;
  s->options.times = times;
  s->options.time_count = rows;
  s->options.end = times[rows - 1];
  if (!(s->options.rtol > 0)) s->options.rtol = 1e-10;
  return times;
}

static int write_page(const simulation *s, const request *q)
{
  char title[300];
  snprintf(title, sizeof title, "%.60s along %.200s", s->scenario->friction.info->name, platform_name(q->motion));
  bristle_report *page = bristle_report_new(title);
  simulation_add_to(s, page);
  return finish_page(page, q->report);
}

/* a summary, away from rows that go to the standard output */
static void tell(const simulation *s, const request *q)
{
  FILE *out = q->output && !strcmp(q->output, "-") ? stderr : stdout;
  simulation_summary(s, out, q->output);
  if (q->report) fprintf(out, "  report     %s\n", q->report);
}

static int run_scenario(bristle_scenario *scenario, const request *q)
{
  simulation s = { .scenario = scenario, .shown_times = scenario->motion_times, .record = q->report != NULL };
  bristle_output *out = NULL;
  bristle_fault fault;
  double *times = follow_samples(scenario);
  if (!times) return no_memory();
  int code = DONE;
  if ((q->output || !(q->json || q->report)) && bristle_output_open(q->output, BRISTLE_OUTPUT_TABLE, &out, &fault))
    code = refuse(&fault);
  if (out) s.out = bristle_output_stream(out);
  if (!code && simulation_run(&s, "driving")) code = simulation_complain(&s, q->motion, q->output);
  if (code) bristle_output_discard(out);
  else if (out && bristle_output_commit(out, &fault)) code = refuse(&fault);
  if (!code && q->report) code = write_page(&s, q);
  if (!code && q->json) simulation_json(&s, stdout, q->motion, q->output, q->report);
  else if (!code && (q->report || (q->output && strcmp(q->output, "-")))) tell(&s, q);
  else if (!code) {
    simulation_warn(&s);
    simulation_advise(&s);
  }
  simulation_free(&s);
  free(times);
  return code ? code : finish_output(stdout);
}

static int run(void *asked)
{
  const request *q = asked;
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  bristle_scenario *scenario = NULL;
  bristle_fault fault;
  as_identified as;
  bristle_fault_kind kind = look_up(q, &as, &fault);
  if (!kind) kind = bristle_document_parse(scenario_name, scenario_text, sizeof scenario_text - 1, &document, &fault);
  if (!kind) kind = bristle_tree_new(document, &tree, &fault);
  if (!kind) kind = fill_in(tree, q, &as, &fault);
  if (!kind) kind = bristle_scenario_read(bristle_tree_root(tree), &scenario, &fault);
  if (!kind) kind = filter_motion(scenario, &as, &fault);
  int code = kind ? refuse(&fault) : run_scenario(scenario, q);
  bristle_scenario_free(scenario);
  bristle_tree_free(tree);
  bristle_document_free(document);
  free(as.filtered);
  return code;
}

static int check(void *asked) { return check_law(((const request *)asked)->model); }

static int read_cutoff(void *asked, const option *o, const char *value)
{
  request *q = asked;
  q->cutoff = -1;
  return strcmp(value, "none") ? read_quantity(o, value, &q->cutoff) : DONE;
}

static const option options[] = {
  { "--motion", "FILE.csv", OPTION_FILE, IN(request, motion),
    .help = "a table with the columns t and v (or x, taken as linear between samples), optionally N for the load; any "
            "separator, units in the header; - reads standard input",
    .ask = "no motion given: use --motion FILE.csv" },
  OPTION_SET(request, "parameters, with or without units: --set 'sigma0=1e5,fc=2 N'. Every law also takes "
                      "level_skew and viscous_skew, for friction that differs between the directions"),
  OPTION_OUTPUT(request, OPTION_TABLE, "OUT.csv",
                "the rows: t, x, v, F, the states, mode; without it, the standard output. Written whole or not at all"),
  OPTION_REPORT(request, "a page with pictures; without -o the rows are not written then"),
  { "--load", "N", OPTION_TEXT, IN(request, load),
    .help = "a constant normal load, for parameters that are coefficients and motions without a column N" },
  { "--cutoff", "HZ", OPTION_CALL, .read = read_cutoff, .unit = "Hz", .range = "a frequency above zero, or 'none'",
    .help = "low-pass cut-off for the motion, zero phase; no filter by default, except for the log that the model was "
            "identified from: it is read and filtered as it was then" },
  { "--rtol", "R", OPTION_TEXT, IN(request, rtol), .help = "tolerance of the solver", "1e-10" },
  { "--solver", "auto|adaptive|coupled", OPTION_TEXT, IN(request, solver), .help = "the method", "auto" },
  { "--step", "H", OPTION_TEXT, IN(request, step), .help = "the longest step, or that of `coupled`" },
  OPTION_JSON(request, "a summary on the standard output instead"),
  OPTIONS_END
};

const verb verb_drive = {
  .name = "drive",
  .summary = "friction of a law along a recorded motion",
  .about = "Computes the friction along a motion, with a row for each of its samples. The velocity is linear between "
           "the samples, where the law takes as many steps as it needs, whatever the sampling. The contact starts "
           "without deflection.",
  .argument = { "MODEL", NULL, OPTION_LAW, IN(request, model),
                .help = "the name of a law, or a model file: joint3.yaml",
                .ask = "no law given: `bristle models` lists them", .noun = "law" },
  .options = options,
  .examples = "bristle drive lugre --motion examples/scenarios/motion.csv\n"
              "bristle drive dahl --set 'sigma0=100 N/mm,fc=2' --motion examples/scenarios/motion.csv -o friction.csv\n"
              "bristle drive lugre --motion examples/scenarios/motion.csv --report friction.html\n",
  .request = sizeof(request),
  .check = check,
  .run = run,
};
