/* bristle simulate: runs a scenario file. */
#include "common/cli.h"

#include "simulation.h"

typedef struct request {
  const char *input, *output, *report;
  const char *solver[3]; /* method, rtol, step */
  const char *noise;     /* levels of the columns; or NULL */
  unsigned seed;
  char **argv; /* for the --set options, in their order */
  int argc, json, quiet;
} request;

static const char *const solver_flags[3] = { "--solver", "--rtol", "--step" };
static const char *const solver_keys[3] = { "solver.method", "solver.rtol", "solver.step" };

static int fault_exit(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "bristle simulate: %s\n", text);
  return FAILED;
}

/* the file with what the command line changes in it */
static bristle_fault_kind apply_options(bristle_tree *tree, const request *q, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  const char *value;
  for (int i = 0; i < 3 && !kind; i++) {
    char place[80];
    if (!q->solver[i]) continue;
    snprintf(place, sizeof place, "%s %.60s", solver_flags[i], q->solver[i]);
    kind = bristle_tree_put(tree, solver_keys[i], q->solver[i], place, fault);
  }
  /* after the flags: what is set twice is refused */
  for (int i = 0; i < q->argc && !kind; i++)
    if ((value = flag_value(q->argc, q->argv, &i, "--set"))) kind = bristle_tree_set(tree, NULL, value, fault);
  return kind;
}

static bristle_fault_kind read_noise(const request *q, simulation *s, bristle_fault *fault)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const int width = bristle_sim_columns(&s->scenario->rig, columns);
  return q->noise ? noise_read(q->noise, q->seed, width, columns, &s->noise, fault) : BRISTLE_FAULT_NONE;
}

static int run_scenario(const bristle_scenario *scenario, const request *q)
{
  simulation s = { .scenario = scenario, .record = q->report != NULL };
  bristle_output *out = NULL;
  bristle_fault fault;
  bristle_fault_kind kind = read_noise(q, &s, &fault);
  if (!kind && q->output) kind = bristle_output_open(q->output, BRISTLE_OUTPUT_TABLE, &out, &fault);
  if (kind) return fault_exit(&fault);
  if (out) s.out = bristle_output_stream(out);
  if (simulation_run(&s, "simulating")) {
    simulation_complain(&s, "simulate", q->input, q->output);
    bristle_output_discard(out);
    simulation_free(&s);
    return FAILED;
  }
  int code = DONE;
  if (q->report) code = simulation_report(&s, "simulate", q->report);
  if (code) bristle_output_discard(out);
  else if (out && (kind = bristle_output_commit(out, &fault))) code = fault_exit(&fault);
  const int to_stdout = q->output && !strcmp(q->output, "-");
  if (!code && q->json) simulation_json(&s, stdout, q->input, q->output, q->report);
  else if (!code && !q->quiet) simulation_summary(&s, to_stdout ? stderr : stdout, to_stdout ? NULL : q->output);
  else if (!code) simulation_warn(&s, "simulate");
  if (!code && q->report && !q->quiet && !q->json) printf("  report     %s\n", q->report);
  simulation_free(&s);
  return code ? code : finish_output(stdout, "simulate");
}

static int simulate(const request *q)
{
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  bristle_scenario *scenario = NULL;
  bristle_fault fault;
  bristle_fault_kind kind = bristle_document_read(q->input, &document, &fault);
  if (!kind) kind = bristle_tree_new(document, &tree, &fault);
  if (!kind) kind = apply_options(tree, q, &fault);
  if (!kind) kind = bristle_scenario_read(bristle_tree_root(tree), &scenario, &fault);
  int code = kind ? fault_exit(&fault) : run_scenario(scenario, q);
  bristle_scenario_free(scenario);
  bristle_tree_free(tree);
  bristle_document_free(document);
  return code;
}

static int needs_value(const char *argument)
{
  static const char *const flags[] = { "-o",     "--output", "--report", "--set", "--solver",
                                       "--rtol", "--step",   "--noise",  "--seed" };
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (is_flag(argument, flags[i])) return 1;
  return 0;
}

static int run(int argc, char **argv)
{
  request q = { .argc = argc, .argv = argv };
  const char *value;
  for (int i = 0; i < argc; i++) {
    int known = 0;
    if (is_flag(argv[i], "--json")) q.json = known = 1;
    else if (is_flag(argv[i], "--quiet")) q.quiet = known = 1;
    else if ((value = flag_value(argc, argv, &i, "-o")) || (value = flag_value(argc, argv, &i, "--output")))
      q.output = value, known = 1;
    else if ((value = flag_value(argc, argv, &i, "--report"))) q.report = value, known = 1;
    else if (flag_value(argc, argv, &i, "--set")) known = 1;
    else if ((value = flag_value(argc, argv, &i, "--noise"))) q.noise = value, known = 1;
    else if ((value = flag_value(argc, argv, &i, "--seed"))) {
      char *end;
      q.seed = (unsigned)strtoul(value, &end, 10);
      if (*end || *value < '0' || *value > '9') return usage_error("simulate", "--seed %s is no whole number", value);
      known = 1;
    }
    for (int k = 0; k < 3 && !known; k++)
      if ((value = flag_value(argc, argv, &i, solver_flags[k]))) q.solver[k] = value, known = 1;
    if (known) continue;
    if (needs_value(argv[i])) return usage_error("simulate", "'%s' needs a value", argv[i]);
    if (argv[i][0] == '-' && argv[i][1]) return usage_error("simulate", "'%s' is not an option of this verb", argv[i]);
    if (q.input) return usage_error("simulate", "one scenario at a time; got '%s' and '%s'", q.input, argv[i]);
    q.input = argv[i];
  }
  if (!q.input) return usage_error("simulate", "which scenario? give its file");
  if (q.json && q.output && !strcmp(q.output, "-"))
    return usage_error("simulate", "--json and -o - would both write to the standard output");
  int code = reserve_output("simulate", q.output, BRISTLE_OUTPUT_TABLE);
  if (!code) code = reserve_output("simulate", q.report, BRISTLE_OUTPUT_PAGE);
  return code ? code : simulate(&q);
}

const verb verb_simulate = {
  "simulate",
  "run a scenario: a rig with friction, from a file",
  "usage: bristle simulate FILE.yaml [-o OUT.csv] [--report OUT.html] [--set NAME=VALUE] [--solver METHOD] [--rtol R]\n"
  "                        [--step H] [--noise NAME=LEVEL] [--seed N] [--json] [--quiet]\n\n"
  "Runs the scenario and says what happened: steps, events, where the energy went. All values may have units; without\n"
  "one they are SI.\n\n"
  "  FILE.yaml    rig: prescribed, mass, spring-pull, belt, servo, pendulum, chain, planar, ball-joint or arm\n"
  "               friction: {model: lugre, parameters: {sigma0: 1e5 N/m, ...}} or {file: model.yaml}; load: 100 N "
  "when\n"
  "               the parameters are coefficients\n"
  "               how the load enters: friction: {load: force} ignores it (the usual), {load: coefficient} multiplies "
  "the\n"
  "               whole law by it (mu F_N: fc: 0.5 at 100 N is 50 N), {load: level} only the parameters in N\n"
  "               initial: {x: 0, v: 0, z: 0}, and every other state of the law by its name\n"
  "               time: {end: 20 s, output: 10 ms}   solver: {method: auto, rtol: 1e-8, atol: 0, step: 1 ms}\n"
  "               solver: {method: steprule, step: 1 ms, rule: coulomb, dt_min: 0.1 ms, dt_max: 1 ms, v_min: 5, T_s: 1 "
  "s}\n"
  "               or {..., rule: lugre, dtau_min: 0.02, v_min: 5, alpha: 1.2, c4: 5}; c1 to c4 are the same in the "
  "order\n"
  "               of Dymore's manual; step is the host's, when the rule lets go\n"
  "               title, description: texts for the report\n"
  "    prescribed   motion: {file: motion.csv} with columns t and v (or x), and N for the load; or a generator, below\n"
  "    mass         mass, force\n"
  "    spring-pull  mass, stiffness, damping, speed (a number, or steps)\n"
  "    belt         mass, stiffness, damping, speed\n"
  "    servo        mass or inertia, kp, ki, kd, target, limit, observer: {gain: 10, parameters: {sigma0: ...}}, "
  "force\n"
  "    pendulum     inertia, gravity (the torque m*g*l) or mass and arm; torque, or voltage with torque_constant and\n"
  "                 resistance; kp, ki, kd, target, limit, observer\n"
  "    chain        count, mass, coupling, stiffness, damping, speed, scatter, seed\n"
  "    planar       mass, inertia, load, shape: {rectangle: {width, height}}, {disk: {radius}} or {ring: {inner,\n"
  "                 outer}}; cells, reduced, stiffness, anchor, force: {x, y, torque}, initial: {x, y, angle, vx, vy,\n"
  "                 omega}\n"
  "    ball-joint   mass, arm, inertia, gravity, radius, preload, load, combine: sum or max, mu_s, initial: {tilt,\n"
  "                 azimuth, w: [0, 0, 1]}\n"
  "    arm          a planar serial arm. links: [{mass, length, centre, inertia (about the centre of mass; without "
  "both a\n"
  "                 uniform rod), torque, or kp, kd, target, limit; load, friction (without it that of the file),\n"
  "                 initial: {q, v, z}}, ...]; gravity (9.81 m/s^2), push: {x, y} on the tip. q1 is counted from the\n"
  "                 horizontal, the others from the link before. Columns q1, v1, F1, motor1, mode1, ..., the tip x, y\n"
  "    generators   sine: {amplitude, frequency, phase, offset}   sines: [{...}, ...]   triangle: {amplitude,\n"
  "                 frequency}   trapezoid: {speed, ramp, hold, rest}   chirp: {amplitude, from, to, duration}\n"
  "                 steps: {values: [...], duration} or {values, times}   ramp: {rate, from, hold}\n"
  "                 knots: [[t, y], ...]   file: data.csv, column: name\n"
  "                 for motion, force, torque, voltage, target, speed, load, anchor and push. A motion is a position "
  "or a\n"
  "                 velocity as its unit says, or `of: velocity`; plain numbers are positions in waves, velocities in\n"
  "                 trapezoid, steps, ramp and knots\n"
  "  -o OUT.csv   the rows: t, x, v, F, the states, mode; - is the standard output. Written whole or not at all\n"
  "  --report     a page with pictures, in one file that needs nothing else\n"
  "  --set        changes a value of the file: --set friction.sigma0=2e5,time.end=5s; may be repeated; links.2.mass=3 "
  "is\n"
  "               the second item of a list\n"
  "  --solver     auto, native, adaptive, coupled, steprule or cvode;   --rtol 1e-8   --step: its length or the "
  "longest\n"
  "  --noise      makes the rows look measured: --noise 'F=10 mN,x=1 um' adds Gaussian noise of these standard "
  "deviations\n"
  "               to the columns, the same for the same --seed\n"
  "  --json       the summary for machines   --quiet   no summary\n\n"
  "examples:\n"
  "  bristle simulate examples/stick_slip.yaml -o run.csv\n"
  "  bristle simulate examples/stick_slip.yaml --set friction.sigma0=2e5,time.end=5s --json\n"
  "  bristle simulate examples/stick_slip.yaml --solver adaptive --rtol 1e-6 --report run.html\n",
  run,
};
