/* bristle drive: a law under a recorded motion. */
#include "common/cli.h"

#include "common/model_argument.h"
#include "platform/platform.h"
#include "simulate/simulation.h"

#include "maths/elementary.h"

typedef struct request {
  const char *model, *motion, *output, *report, *set[MOST_SETS + 1];
  const char *load, *rtol, *solver, *step; /* values of the scenario */
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

static bristle_fault_kind fill_in(bristle_tree *tree, const request *q, bristle_fault *fault)
{
  const char *const values[][3] = { { "--load", "load", q->load },
                                    { "--rtol", "solver.rtol", q->rtol },
                                    { "--solver", "solver.method", q->solver },
                                    { "--step", "solver.step", q->step } };
  const char *key = model_argument_is_file(q->model) ? "friction.file" : "friction.model";
  bristle_fault_kind kind = bristle_tree_put(tree, key, q->model, q->model, fault);
  if (!kind) kind = bristle_tree_put(tree, "motion.file", q->motion, "--motion", fault);
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
  bristle_fault_kind kind = bristle_document_parse(scenario_name, scenario_text, sizeof scenario_text - 1, &document,
                                                   &fault);
  if (!kind) kind = bristle_tree_new(document, &tree, &fault);
  if (!kind) kind = fill_in(tree, q, &fault);
  if (!kind) kind = bristle_scenario_read(bristle_tree_root(tree), &scenario, &fault);
  int code = kind ? refuse(&fault) : run_scenario(scenario, q);
  bristle_scenario_free(scenario);
  bristle_tree_free(tree);
  bristle_document_free(document);
  return code;
}

static int check(void *asked) { return check_law(((const request *)asked)->model); }

static const option options[] = {
  { "--motion", "FILE.csv", OPTION_FILE, IN(request, motion),
    .help = "columns t and v (or x: then the position is linear between the samples), optionally N for the load; any "
            "separator, "
            "units in the header, - is the standard input",
    .ask = "which motion? give --motion FILE.csv" },
  OPTION_SET(request, "parameters, with or without units: --set 'sigma0=1e5,fc=2 N'. Every law also takes "
                      "level_skew and viscous_skew, for friction that differs between the directions"),
  OPTION_OUTPUT(request, OPTION_TABLE, "OUT.csv",
                "the rows: t, x, v, F, the states, mode; without it, the standard output. Written whole or not at all"),
  OPTION_REPORT(request, "a page with pictures; without -o the rows are not written then"),
  { "--load", "N", OPTION_TEXT, IN(request, load),
    .help = "a constant normal load, for parameters that are coefficients and motions without a column N" },
  { "--rtol", "R", OPTION_TEXT, IN(request, rtol), .help = "tolerance of the solver", "1e-10" },
  { "--solver", "auto|adaptive|coupled", OPTION_TEXT, IN(request, solver), .help = "the method", "auto" },
  { "--step", "H", OPTION_TEXT, IN(request, step), .help = "the longest step, or that of `coupled`" },
  OPTION_JSON(request, "a summary on the standard output instead"),
  OPTIONS_END
};

const verb verb_drive = {
  .name = "drive",
  .summary = "a law under a recorded motion",
  .about =
      "Computes the friction along a motion. The velocity is linear between the samples, and there is a row at each "
      "of them; what lies between is computed until it has settled, whatever the sampling. The contact starts "
      "virgin.",
  .argument = { "MODEL", NULL, OPTION_LAW, IN(request, model),
                .help = "the name of a law, or a model file: joint3.yaml", .ask = "which law? try `bristle models`",
                .noun = "law" },
  .options = options,
  .examples = "bristle drive lugre --motion examples/scenarios/motion.csv\n"
              "bristle drive dahl --set 'sigma0=100 N/mm,fc=2' --motion examples/scenarios/motion.csv -o friction.csv\n"
              "bristle drive lugre --motion examples/scenarios/motion.csv --report friction.html\n",
  .request = sizeof(request),
  .check = check,
  .run = run,
};
