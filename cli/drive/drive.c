/* bristle drive: a law under a recorded motion. */
#include "common/cli.h"

#include "simulate/simulation.h"

#include <math.h>

typedef struct request {
  const char *model, *motion, *output;
  char **argv; /* for the --set options */
  int argc, json;
  const char *value[4]; /* of the options that set one value of the scenario */
} request;

static const char *const flags[4] = { "--load", "--rtol", "--solver", "--step" };
static const char *const keys[4] = { "load", "solver.rtol", "solver.method", "solver.step" };

/* stands for the file that this verb has not */
static const char scenario_text[] = "rig: prescribed\n";
static const char scenario_name[] = "(drive)";

static int fault_exit(bristle_fault *fault)
{
  char text[1000];
  if (!strcmp(fault->file, scenario_name)) fault->file[0] = '\0', fault->line = 0;
  if (strstr(fault->what, "'load' is missing"))
    snprintf(fault->hint, sizeof fault->hint, "give --load '100 N', or a column N in the motion");
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "bristle drive: %s\n", text);
  return FAILED;
}

static int is_file(const char *model) { return strpbrk(model, "./") != NULL; }

static bristle_fault_kind fill_in(bristle_tree *tree, const request *q, bristle_fault *fault)
{
  char place[80];
  const char *value;
  bristle_fault_kind kind = bristle_tree_put(tree, is_file(q->model) ? "friction.file" : "friction.model", q->model,
                                             q->model, fault);
  if (!kind) kind = bristle_tree_put(tree, "motion.file", q->motion, "--motion", fault);
  if (!kind) kind = bristle_tree_put(tree, "time.end", "1", scenario_name, fault); /* the recording knows better */
  for (int i = 0; i < q->argc && !kind; i++)
    if ((value = flag_value(q->argc, q->argv, &i, "--set")))
      kind = bristle_tree_set(tree, "friction.parameters", value, fault);
  for (int i = 0; i < 4 && !kind; i++) {
    if (!q->value[i]) continue;
    snprintf(place, sizeof place, "%s %.60s", flags[i], q->value[i]);
    kind = bristle_tree_put(tree, keys[i], q->value[i], place, fault);
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

static int run_scenario(bristle_scenario *scenario, const request *q)
{
  simulation s = { .scenario = scenario, .shown_times = scenario->motion_times };
  bristle_output *out = NULL;
  bristle_fault fault;
  double *times = follow_samples(scenario);
  if (!times) {
    fputs("bristle drive: not enough memory\n", stderr);
    return FAILED;
  }
  int code = DONE;
  if ((q->output || !q->json) && bristle_output_open(q->output, BRISTLE_OUTPUT_TABLE, &out, &fault))
    code = fault_exit(&fault);
  if (out) s.out = bristle_output_stream(out);
  if (!code && simulation_run(&s, "driving")) {
    simulation_complain(&s, "drive", q->motion, q->output);
    code = FAILED;
  }
  if (code) bristle_output_discard(out);
  else if (out && bristle_output_commit(out, &fault)) code = fault_exit(&fault);
  if (!code && q->json) simulation_json(&s, stdout, q->motion, q->output, NULL);
  else if (!code && q->output && strcmp(q->output, "-")) simulation_summary(&s, stdout, q->output);
  else if (!code) {
    simulation_warn(&s, "drive");
    simulation_advise(&s, "drive");
  }
  simulation_free(&s);
  free(times);
  return code ? code : finish_output(stdout, "drive");
}

static int drive(const request *q)
{
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  bristle_scenario *scenario = NULL;
  bristle_fault fault;
  bristle_fault_kind kind = bristle_document_parse(scenario_name, scenario_text, sizeof scenario_text - 1, &document,
                                                   &fault);
  if (!kind) kind = bristle_tree_new(document, &tree, &fault);
  if (!kind) kind = fill_in(tree, q, &fault);
  if (!kind) kind = bristle_scenario_read(bristle_tree_root(tree), &scenario, &fault);
  int code = kind ? fault_exit(&fault) : run_scenario(scenario, q);
  bristle_scenario_free(scenario);
  bristle_tree_free(tree);
  bristle_document_free(document);
  return code;
}

static int needs_value(const char *argument)
{
  for (int i = 0; i < 4; i++)
    if (is_flag(argument, flags[i])) return 1;
  return is_flag(argument, "-o") || is_flag(argument, "--output") || is_flag(argument, "--set")
         || is_flag(argument, "--motion");
}

static int check(const request *q)
{
  if (!q->model) return usage_error("drive", "which law? try `bristle models`");
  if (!q->motion) return usage_error("drive", "which motion? give --motion FILE.csv");
  if (!is_file(q->model) && !bristle_law_find(q->model))
    return usage_error("drive", "there is no law '%s'; did you mean '%s'?", q->model, bristle_law_nearest(q->model));
  if (q->json && q->output && !strcmp(q->output, "-"))
    return usage_error("drive", "--json and -o - would both write to the standard output");
  return DONE;
}

static int run(int argc, char **argv)
{
  request q = { .argc = argc, .argv = argv };
  const char *value;
  for (int i = 0; i < argc; i++) {
    int known = 0;
    if (is_flag(argv[i], "--json")) q.json = known = 1;
    else if ((value = flag_value(argc, argv, &i, "-o")) || (value = flag_value(argc, argv, &i, "--output")))
      q.output = value, known = 1;
    else if ((value = flag_value(argc, argv, &i, "--motion"))) q.motion = value, known = 1;
    else if (flag_value(argc, argv, &i, "--set")) known = 1;
    for (int k = 0; k < 4 && !known; k++)
      if ((value = flag_value(argc, argv, &i, flags[k]))) q.value[k] = value, known = 1;
    if (known) continue;
    if (needs_value(argv[i])) return usage_error("drive", "'%s' needs a value", argv[i]);
    if (argv[i][0] == '-' && argv[i][1]) return usage_error("drive", "'%s' is not an option of this verb", argv[i]);
    if (q.model) return usage_error("drive", "one law at a time; got '%s' and '%s'", q.model, argv[i]);
    q.model = argv[i];
  }
  int code = check(&q);
  if (!code) code = reserve_output("drive", q.output, BRISTLE_OUTPUT_TABLE);
  return code ? code : drive(&q);
}

const verb verb_drive = {
  "drive",
  "a law under a recorded motion",
  "usage: bristle drive MODEL --motion FILE.csv [--set a=1,b=2] [-o OUT.csv] [--load N] [--rtol R] [--json]\n\n"
  "Computes the friction along a motion. The velocity is linear between the samples, and there is a row at each of\n"
  "them; what lies between is computed until it has settled, whatever the sampling. The contact starts virgin.\n\n"
  "  MODEL        the name of a law, or a model file: joint3.yaml\n"
  "  --set        parameters, with or without units: --set 'sigma0=1e5,fc=2 N'; may be repeated\n"
  "  --motion     columns t and v (or x: then the position is linear between the samples), optionally N for the load;\n"
  "               any separator, units in the header, - is the standard input\n"
  "  -o OUT.csv   the rows: t, x, v, F, the states, mode; without it, the standard output. Written whole or not at "
  "all\n"
  "  --load       a constant normal load, for parameters that are coefficients and motions without a column N\n"
  "  --rtol       tolerance of the solver, 1e-10;   --solver   auto, adaptive or coupled\n"
  "  --step       the longest step, or that of `coupled`\n"
  "  --json       a summary on the standard output instead\n\n"
  "examples:\n"
  "  bristle drive lugre --motion examples/scenarios/motion.csv\n"
  "  bristle drive dahl --set 'sigma0=100 N/mm,fc=2' --motion examples/scenarios/motion.csv -o friction.csv\n",
  run,
};
