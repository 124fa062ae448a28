/* bristle simulate: runs a scenario file. */
#include "common/cli.h"

#include "simulation.h"

typedef struct request {
  const char *input, *output, *report, *set[MOST_SETS + 1], *over[SIMULATION_OVER + 1];
  const char *solver, *rtol, *step; /* values of the scenario */
  const char *noise;                /* levels of the columns; or NULL */
  long long seed;
  int json, quiet;
} request;

/* the file with what the command line changes in it */
static bristle_fault_kind apply_options(bristle_tree *tree, const request *q, bristle_fault *fault)
{
  const char *const values[][3] = { { "--solver", "solver.method", q->solver },
                                    { "--rtol", "solver.rtol", q->rtol },
                                    { "--step", "solver.step", q->step } };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int i = 0; i < 3 && !kind; i++) {
    char place[80];
    if (!values[i][2]) continue;
    snprintf(place, sizeof place, "%s %.60s", values[i][0], values[i][2]);
    kind = bristle_tree_put(tree, values[i][1], values[i][2], place, fault);
  }
  /* after the flags: what is set twice is refused */
  for (int i = 0; q->set[i] && !kind; i++) kind = bristle_tree_set(tree, NULL, q->set[i], fault);
  return kind;
}

static bristle_fault_kind read_noise(const request *q, simulation *s, bristle_fault *fault)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const int width = bristle_sim_columns(&s->scenario->rig, columns);
  return q->noise ? noise_read(q->noise, (unsigned)q->seed, width, columns, &s->noise, fault) : BRISTLE_FAULT_NONE;
}

static int run_scenario(const bristle_scenario *scenario, const request *q)
{
  simulation s = { .scenario = scenario, .record = q->report != NULL };
  bristle_output *out = NULL;
  bristle_fault fault;
  bristle_fault_kind kind = read_noise(q, &s, &fault);
  if (!kind) kind = simulation_read_over(&s, q->over, &fault);
  if (!kind && q->output) kind = bristle_output_open(q->output, BRISTLE_OUTPUT_TABLE, &out, &fault);
  if (kind) {
    simulation_free(&s);
    return fault_exit(&fault);
  }
  if (out) s.out = bristle_output_stream(out);
  if (simulation_run(&s, "simulating")) {
    const int code = simulation_complain(&s, q->input, q->output);
    bristle_output_discard(out);
    simulation_free(&s);
    return code;
  }
  int code = DONE;
  if (q->report) code = simulation_report(&s, q->report);
  if (code) bristle_output_discard(out);
  else if (out && (kind = bristle_output_commit(out, &fault))) code = fault_exit(&fault);
  const int to_stdout = q->output && !strcmp(q->output, "-");
  if (!code && q->json) simulation_json(&s, stdout, q->input, q->output, q->report);
  else if (!code && !q->quiet) simulation_summary(&s, to_stdout ? stderr : stdout, to_stdout ? NULL : q->output);
  else if (!code) simulation_warn(&s);
  if (!code && q->report && !q->quiet && !q->json) printf("  report     %s\n", q->report);
  simulation_free(&s);
  return code ? code : finish_output(stdout);
}

static int run(void *asked)
{
  const request *q = asked;
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  bristle_scenario *scenario = NULL;
  bristle_fault fault;
  bristle_fault_kind kind = bristle_document_read(q->input, &document, &fault);
  if (kind ? strchr(q->input, '#') != NULL : simulation_is_model(bristle_document_root(document))) {
    bristle_document_free(document);
    return simulation_explain_model(q->input); /* behind a '#' stands a joint of a robot */
  }
  if (!kind) kind = bristle_tree_new(document, &tree, &fault);
  if (!kind) kind = apply_options(tree, q, &fault);
  if (!kind) kind = bristle_scenario_read(bristle_tree_root(tree), &scenario, &fault);
  const int code = kind ? fault_exit(&fault) : run_scenario(scenario, q);
  bristle_scenario_free(scenario);
  bristle_tree_free(tree);
  bristle_document_free(document);
  return code;
}

static const option options[] = {
  OPTION_OUTPUT(request, OPTION_TABLE, "OUT.csv",
                "the rows: t, x, v, F, the states, mode; - is the standard output. Written whole or not at all"),
  OPTION_REPORT(request, "a page with pictures, in one file that needs nothing else"),
  OPTION_SET(request,
             "change a value of the scenario: --set friction.sigma0=2e5,time.end=5s; links.2.mass=3 is the second "
             "item of a list"),
  { "--solver", "auto|native|adaptive|coupled|steprule|cvode", OPTION_TEXT, IN(request, solver), .help = "the method",
    "auto" },
  { "--rtol", "R", OPTION_TEXT, IN(request, rtol), .help = "tolerance of the solver", "1e-8; native 1e-9" },
  { "--step", "H", OPTION_TEXT, IN(request, step), .help = "step length, or the longest one" },
  { "--over", "ROWS.csv", OPTION_FILE, IN(request, over),
    .help = "another run, or measured data with the same column names, to draw over this run in the report",
    .with = "--report", .most = SIMULATION_OVER },
  { "--noise", "NAME=LEVEL", OPTION_TEXT, IN(request, noise),
    .help = "add measurement noise: --noise 'F=10 mN,x=1 um' adds Gaussian noise of these standard deviations "
            "to the "
            "columns, the same for the same --seed" },
  { "--seed", "N", OPTION_WHOLE, IN(request, seed), .help = "seed for --noise", "0" },
  OPTION_JSON(request, "full result as JSON"),
  { "--quiet", NULL, OPTION_SWITCH, IN(request, quiet), .help = "no summary" },
  OPTIONS_END
};

static const option details[] = {
  GROUP("keys of a scenario"),
  { "rig", .help = "prescribed, mass, spring-pull, belt, servo, pendulum, chain, planar, ball-joint or arm" },
  { "friction",
    .help = "{model: lugre, parameters: {sigma0: 1e5 N/m, ...}} or {file: model.yaml}. Every law also "
            "takes level_skew and viscous_skew: a level_skew of 0.1 makes its levels 1.1 times as high "
            "forwards and 0.9 times backwards. mass, offset, gravity and skew of a model file act where the "
            "rig has room for them, and the summary says which do" },
  { "load",
    .help = "100 N, when the parameters are coefficients. How it enters: friction: {load: force} ignores it (the "
            "usual), {load: coefficient} multiplies the whole law by it (mu F_N: fc: 0.5 at 100 N is 50 N), "
            "{load: level} only the parameters in N" },
  { "initial", .help = "{x: 0, v: 0, z: 0}, and every other state of the law by its name" },
  { "time", .help = "{end: 20 s, output: 10 ms}" },
  { "solver",
    .help = "{method: auto, rtol: 1e-9, atol: 0, step: 1 ms}\n"
            "{method: steprule, step: 1 ms, rule: coulomb, dt_min: 0.1 ms, dt_max: 1 ms, v_min: 5, T_s: 1 s}\n"
            "{..., rule: lugre, dtau_min: 0.02, v_min: 5, alpha: 1.2, c4: 5}; c1 to c4 are the same in the order "
            "of Dymore's manual; step is the host's, when the rule lets go" },
  { "title, description", .help = "texts for the report" },
  GROUP("keys of each rig"),
  { "prescribed",
    .help = "motion: {file: motion.csv} with columns t and v (or x), and N for the load; or a generator" },
  { "mass", .help = "mass or inertia, force (of a rotary axis a torque)" },
  { "spring-pull", .help = "mass, stiffness, damping, speed (a number, or steps)" },
  { "belt", .help = "mass, stiffness, damping, speed" },
  { "servo",
    .help = "mass or inertia, kp, ki, kd, target, limit, observer: {gain: 10, parameters: {sigma0: ...}}, force; "
            "compensation: {sample_time: 1 ms, friction: {file: model.yaml}, mass, gain, limit, band, ...} for a "
            "controller in a "
            "computer with the compensation that `bristle export --compensate` writes" },
  { "pendulum",
    .help = "inertia, gravity (the torque m*g*l) or mass and arm; torque, or voltage with torque_constant and "
            "resistance; kp, ki, kd, target, limit, observer" },
  { "chain", .help = "count, mass, coupling, stiffness, damping, speed, scatter, seed" },
  { "planar",
    .help = "mass, inertia, load, shape: {rectangle: {width, height}}, {disk: {radius}} or {ring: {inner, "
            "outer}}; cells, reduced, stiffness, anchor, force: {x, y, torque}, initial: {x, y, angle, vx, vy, "
            "omega}" },
  { "ball-joint", .help = "mass, arm, inertia, gravity, radius, preload, load, combine: sum or max, mu_s, initial: "
                          "{tilt, azimuth, w: [0, 0, 1]}" },
  { "arm",
    .help = "a planar serial arm. links: [{mass, length, centre, inertia (about the centre of mass; without both a "
            "uniform rod), torque, or kp, kd, target, limit; load, friction (without it that of the file), initial: "
            "{q, v, z}}, ...]; gravity (9.81 m/s^2), push: {x, y} on the tip. q1 is counted from the horizontal, "
            "the others from the link before. Columns q1, v1, F1, motor1, mode1, ..., the tip x, y" },
  GROUP("generators, for motion, force, torque, voltage, target, speed, load, anchor and push"),
  { "sine", .help = "{amplitude, frequency, phase, offset}; sines: [{...}, ...]" },
  { "triangle", .help = "{amplitude, frequency}" },
  { "trapezoid", .help = "{speed, ramp, hold, rest}" },
  { "chirp", .help = "{amplitude, from, to, duration}" },
  { "steps", .help = "{values: [...], duration} or {values, times}" },
  { "ramp", .help = "{rate, from, hold}" },
  { "knots", .help = "[[t, y], ...]" },
  { "file", .help = "data.csv, column: name" },
  { "of",
    .help = "a motion is a position or a velocity as its unit says, or `of: velocity`; plain numbers are positions in "
            "waves, velocities in trapezoid, steps, ramp and knots" },
  OPTIONS_END
};

const verb verb_simulate = {
  .name = "simulate",
  .summary = "run a scenario: a rig with friction, from a file",
  .about = "Runs the scenario and says what happened: steps, events, where the energy went. All values may have units; "
           "without one they are SI. Given a model file of `bristle identify`, it shows a scenario that moves it.",
  .argument = { "FILE.yaml", NULL, OPTION_FILE, IN(request, input), .help = "the scenario; its keys are listed below",
                .ask = "no scenario given: name its file", .noun = "scenario" },
  .options = options,
  .details = details,
  .examples = "bristle simulate examples/stick_slip.yaml -o run.csv\n"
              "bristle simulate examples/stick_slip.yaml --set friction.sigma0=2e5,time.end=5s --json\n"
              "bristle simulate examples/stick_slip.yaml --solver adaptive --rtol 1e-6 --report run.html\n",
  .request = sizeof(request),
  .run = run,
};
