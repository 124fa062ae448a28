/* The options of `bristle identify`, and what they mean together. */
#include "request.h"

#include "common/cli.h"
#include "common/log_arguments.h"

#include "maths/elementary.h"

int identify_arguments(identify_request *q)
{
  bristle_study_request *to = &q->asked;
  to->log = q->input, to->validate = q->validate, to->model = q->model, to->profile = q->profile;
  to->reading = q->reading, to->free_decay = q->free_decay, to->load_form = q->load_form;
  to->rig = q->rig, to->set = q->set, to->compare = q->compare;
  to->fitting.objective = q->objective ? (bristle_objective)(q->objective - 1) : BRISTLE_ABSOLUTE;
  to->fitting.load = q->load_form ? (bristle_load)(q->load_form - 1) : BRISTLE_LOAD_FORCE;
  to->fitting.floor = q->floor;
  to->fitting.seed = (unsigned long long)q->seed;
  to->fitting.decimate = (size_t)q->decimate;
  to->fitting.folds = q->folds > 1 ? (int)q->folds : -1;
  to->fitting.threads = (int)q->threads;
  to->fitting.refinements = q->starts;
  to->fitting.candidates = q->candidates;
  while (q->input[to->logs]) to->logs++;
  if (!to->logs && !q->rig) return usage_error("no log file given");
  if (!(q->floor >= 0 && q->floor <= 1))
    return usage_error("--floor %g: expected a fraction of the largest force, 0 to 1", q->floor);
  bristle_fault fault;
  const int code = log_check(&q->reading);
  return !code && bristle_study_ask(to, &q->words, &fault) ? fault_exit(&fault) : code;
}

/* ---- the options ---- */

/* 0 means none, which is not what the fit does unless it is told */
static int read_count(void *request, const option *o, const char *value)
{
  char *end;
  const long number = strtol(value, &end, 10);
  if (*end || end == value || number < 0 || number > 100000)
    return usage_error("%s needs a whole number, got '%s'", o->name, value);
  *(int *)((char *)request + o->place) = number > 0 ? (int)number : -1;
  return DONE;
}

static const char objective_names[] =
#define OBJECTIVE(name) "|" #name
#include "fit/objectives/objectives.def"
#undef OBJECTIVE
    ;

#define ASKED(field) IN(identify_request, field)
#define TERM(flag, field, sentence) { flag, "free|none|VALUE", OPTION_TEXT, ASKED(field), .help = sentence }

const option identify_options[] = {
  { "--model", "LAWS", OPTION_LAW, ASKED(model),
    .help = "laws, with commas between, or all; without it coulomb, stribeck, asymmetric, dahl, lugre and "
            "elasto_plastic, and "
            "power where friction bends over the speed" },
  { "--validate", "FILE", OPTION_FILE, ASKED(validate),
    .help = "another log to check the result with; the fit never sees it" },
  OPTION_OUTPUT(identify_request, OPTION_DOCUMENT, "model.yaml",
                "the best law as a model file, for `friction: {file: model.yaml}`"),
  OPTION_REPORT(identify_request, "a page with pictures"),
  OPTION_JSON(identify_request, "full result as JSON"),
  { "--quiet", NULL, OPTION_SWITCH, ASKED(quiet), .help = "no summary" },
  { "--trust", NULL, OPTION_SWITCH, ASKED(trust),
    .help = "writes the model and exits with 0 even where the data are doubtful or no law fits them" },
  GROUP("how to read the log"),
  TABLE(log_options, identify_request, reading),
  TABLE(log_more_options, identify_request, reading),
  { "--decimate", "N", OPTION_WHOLE, ASKED(decimate), .help = "filter all samples and count every Nth error",
    .least = 1 },
  GROUP("the force: mass a + gravity sin x + offset + skew |v| + friction"),
  TERM("--mass", words.mass,
       "mass that the measured force accelerates; by default the log decides, also about gravity and a spring"),
  TERM("--inertia", words.inertia, "the same for a rotary axis"),
  TERM("--offset", words.offset, "a constant force; fitted by default"),
  TERM("--gravity", words.gravity, "gravity sin x, of an arm or a pendulum"),
  { "--skew", "free|none|levels|VALUE", OPTION_TEXT, ASKED(words.skew),
    .help = "skew |v|, a difference between the directions; with several laws the best three are also tried with it. "
            "levels: every law with its own levels and viscous friction for each direction instead of offset and skew "
            "(level_skew, viscous_skew)" },
  { "--load-form", "force|coefficient|level", OPTION_CHOICE, ASKED(load_form),
    .help = "how friction depends on the load: coefficient (all of it), level (its levels), or force (not at "
            "all); by default the logs decide" },
  GROUP("the fit"),
  { "--fix", "NAME[=VALUE]", OPTION_TEXT, ASKED(words.fix), .help = "keeps a parameter fixed",
    .most = BRISTLE_IDENTIFY_NAMES - 1 },
  { "--free", "NAME[=LO..HI]", OPTION_TEXT, ASKED(words.free),
    .help = "fits a parameter that is usually fixed, such as an exponent, or searches one between two values in SI; "
            "--fix and --free are for the laws that have the parameter",
    .most = BRISTLE_IDENTIFY_NAMES - 1 },
  { "--objective", objective_names + 1, OPTION_CHOICE, ASKED(objective),
    .help = "error measure to minimise. absolute: errors in N; relative: error/force; robust: outliers count less",
    "absolute" },
  { "--floor", "PART", OPTION_QUANTITY, ASKED(floor),
    .help = "`relative` divides by at least this fraction of the largest force", "0.05", .unit = "1" },
  { "--folds", "N", OPTION_WHOLE, ASKED(folds), .help = "number of pieces held out in turn to rank the laws; 0: none",
    "4" },
  { "--profile", "NAME", OPTION_TEXT, ASKED(profile), .help = "profile likelihood of a parameter of the best law" },
  { "--seed", "N", OPTION_WHOLE, ASKED(seed), .help = "seed of the search; the same seed gives the same result", "0" },
  { "--threads", "N", OPTION_WHOLE, ASKED(threads), .help = "number of threads", "2", .least = 1 },
  GROUP("a motion that nothing drives: a swing, a coast, a body on a spring"),
  { "--free-decay", NULL, OPTION_SWITCH, ASKED(free_decay),
    .help = "the log has position or velocity alone. One of --inertia or --mass, --gravity and --stiffness sets "
            "the scale; without any, all results are per unit of inertia. Releases are found in the log" },
  { "--stiffness", "free|none|VALUE", OPTION_TEXT, ASKED(words.stiffness), .help = "stiffness of the spring",
    .with = "--free-decay" },
  GROUP("a scenario whose simulated motion is compared"),
  { "--rig", "FILE", OPTION_FILE, ASKED(rig),
    .help = "a scenario, whose programs may name columns of the log (force: {column: motor_force}). The search "
            "for the parameters of its law begins at the values of the file. --free KEY[=LO..HI] also searches "
            "a number of the scenario (mass, initial.v, force.sine.amplitude) or bounds a parameter, in the "
            "unit of the file; --free start searches where each run begins. A file with `runs` and `unknown` is "
            "an experiment: docs/experiments.md" },
  { "--set", "KEY=VALUE", OPTION_TEXT, ASKED(set), .help = "changes a value of the scenario", .most = MOST_SETS,
    .with = "--rig" },
  { "--compare", "x,v=COLUMN", OPTION_TEXT, ASKED(compare),
    .help = "the quantities that are compared, and their columns", .with = "--rig" },
  { "--candidates", "N", OPTION_CALL, ASKED(candidates), .help = "number of random parameter sets that are tried first",
    .read = read_count, .with = "--rig" },
  { "--starts", "N", OPTION_CALL, ASKED(starts), .help = "number of starts that are refined to the end",
    .read = read_count, .with = "--rig" },
  OPTIONS_END
};

#define WITHOUT_FORCE(option) { option, "--free-decay", "" }
#define IN_SCENARIO(option) { option, "--rig", ": write it into the scenario, and --free what is unknown" }

const option_conflict identify_conflicts[] = { { "--free-decay", "--rig", ": only one of them can be given" },
                                               { "--mass", "--inertia", ": they are the same" },
                                               WITHOUT_FORCE("--validate"),
                                               WITHOUT_FORCE("--profile"),
                                               WITHOUT_FORCE("--objective"),
                                               WITHOUT_FORCE("--decimate"),
                                               WITHOUT_FORCE("--cutoff"),
                                               WITHOUT_FORCE("--load-form"),
                                               WITHOUT_FORCE("--skew"),
                                               WITHOUT_FORCE("--term"),
                                               WITHOUT_FORCE("--force"),
                                               WITHOUT_FORCE("--load"),
                                               { "--profile", "--rig", "" },
                                               { "--objective", "--rig", "" },
                                               { "--decimate", "--rig", "" },
                                               { "--cutoff", "--rig", ": nothing is filtered" },
                                               { "--load-form", "--rig", ": the scenario has it" },
                                               { "--lead", "--rig", ": write it into the scenario" },
                                               { "--radius", "--rig", ": write it into the scenario" },
                                               IN_SCENARIO("--mass"),
                                               IN_SCENARIO("--inertia"),
                                               IN_SCENARIO("--offset"),
                                               IN_SCENARIO("--gravity"),
                                               IN_SCENARIO("--skew"),
                                               { NULL, NULL, NULL } };
