/* The options of `bristle identify`, and what they mean together. */
#include "request.h"

#include "common/cli.h"
#include "common/log_arguments.h"

#include "maths/elementary.h"

/* "free", "none" or a quantity */
static int read_term(identify_request *q, int term, const char *flag, const char *value)
{
  bristle_fault fault;
  char units[40];
  if (!value) return DONE;
  snprintf(units, sizeof units, "%s|%s", bristle_term_unit(term, 0), bristle_term_unit(term, 1));
  if (term == BRISTLE_TERM_SKEW && !strcmp(value, "levels")) q->asked.skewed_levels = 1;
  else if (!strcmp(value, "free")) q->asked.fitting.term[term] = BRISTLE_TERM_FREE;
  else if (!strcmp(value, "none")) q->asked.fitting.term[term] = BRISTLE_TERM_NONE;
  else {
    q->asked.fitting.term[term] = BRISTLE_TERM_GIVEN;
    if (bristle_quantity_read(value, strlen(value), units, &q->asked.fitting.term_value[term], NULL, &fault))
      return usage_error("%s %s: %s", flag, value, fault.what);
    if (term == BRISTLE_TERM_MASS && !(q->asked.fitting.term_value[term] >= 0))
      return usage_error("%s %s: it must not be negative", flag, value);
  }
  if (term == BRISTLE_TERM_GRAVITY) /* an angle that is free has its zero anywhere */
    q->asked.fitting.term[BRISTLE_TERM_GRAVITY_COSINE] = q->asked.fitting.term[term] == BRISTLE_TERM_FREE
                                                             ? BRISTLE_TERM_FREE
                                                             : BRISTLE_TERM_NONE;
  return DONE;
}

/* "free", "none" or a quantity of one of two units, linear first */
static int read_known(identify_request *q, const char *flag, const char *value, const char *unit, bristle_known *known,
                      double *number)
{
  bristle_fault fault;
  int which = -1;
  if (!strcmp(value, "free")) *known = BRISTLE_FREE;
  else if (!strcmp(value, "none")) *known = BRISTLE_ABSENT;
  else {
    *known = BRISTLE_KNOWN;
    if (bristle_quantity_read(value, strlen(value), unit, number, &which, &fault))
      return usage_error("%s %s: %s", flag, value, fault.what);
    if (!(*number > 0)) return usage_error("%s is %g, and must be above 0", flag, *number);
    if (which >= 0) q->asked.decay.units = which ? BRISTLE_DECAY_ROTARY : BRISTLE_DECAY_LINEAR;
  }
  return DONE;
}

static int decay_argument(identify_request *q, const char *flag, const char *value)
{
  bristle_decay_options *o = &q->asked.decay;
  if (!value) return DONE;
  if (!strcmp(flag, "--gravity")) return read_known(q, flag, value, "N|N*m", &o->gravity, &o->gravity_value);
  if (!strcmp(flag, "--stiffness"))
    return read_known(q, flag, value, "N/m|N*m/rad", &o->stiffness, &o->stiffness_value);
  if (!strcmp(value, "none")) return usage_error("the mass cannot be 'none' (%s)", flag);
  return read_known(q, flag, value, "kg|kg*m^2", &o->mass, &o->mass_value);
}

static int read_terms(identify_request *q)
{
  const char *const body = q->inertia ? "--inertia" : "--mass", *const value = q->inertia ? q->inertia : q->mass;
  q->asked.skew_is_given = q->skew != NULL;
  int code = read_term(q, BRISTLE_TERM_OFFSET, "--offset", q->offset);
  if (!code) code = read_term(q, BRISTLE_TERM_SKEW, "--skew", q->skew);
  if (!code && q->free_decay) {
    code = decay_argument(q, body, value);
    if (!code) code = decay_argument(q, "--gravity", q->gravity);
    return code ? code : decay_argument(q, "--stiffness", q->stiffness);
  }
  if (!code) code = read_term(q, BRISTLE_TERM_MASS, body, value);
  if (!code) code = read_term(q, BRISTLE_TERM_GRAVITY, "--gravity", q->gravity);
  for (int k = 0; k < BRISTLE_ASKED && q->reading.term[k]; k++)
    q->asked.fitting.term[BRISTLE_TERM_EXTRA + k] = BRISTLE_TERM_FREE;
  return code;
}

/* "name" or "name=value"; the text stays the caller's, so the name is cut out of it */
static int read_fixed(identify_request *q, const char *text, int at)
{
  char *equals = strchr(text, '='), *end;
  if (equals) *equals = '\0';
  for (int k = 0; k < at; k++)
    if (!strcmp(q->asked.fitting.fixed[k], text)) return usage_error("--fix %s is given twice", text);
  q->asked.fitting.fixed[at] = text;
  q->asked.fitting.fixed_value[at] = (double)NAN;
  if (!equals) return DONE;
  q->asked.fitting.fixed_value[at] = strtod(equals + 1, &end);
  if (equals[1] && !*end && isfinite(q->asked.fitting.fixed_value[at])) return DONE;
  return usage_error("--fix %s: '%s' is no number", text, equals + 1);
}

/* "mass", "mass=0.5..2" */
static int read_free(identify_request *q, const char *value)
{
  bristle_range *range = &q->ranges[q->asked.frees];
  const char *equals = strchr(value, '='), *dots = equals ? strstr(equals, "..") : NULL;
  char *end;
  if (!strcmp(value, "start")) {
    q->asked.free_start = 1;
    return DONE;
  }
  if (q->asked.frees == IDENTIFY_FREES) return usage_error("at most %d --free", IDENTIFY_FREES);
  *range = (bristle_range){ value, (double)NAN, (double)NAN, (double)NAN };
  q->asked.frees++;
  if (!equals) return DONE;
  if (dots) range->lo = strtod(equals + 1, &end);
  if (!dots || end != dots || end == equals + 1)
    return usage_error("--free %s: write a range as NAME=LO..HI, in the unit that the file has", value);
  range->hi = strtod(dots + 2, &end);
  if (*end || end == dots + 2 || !(range->lo < range->hi))
    return usage_error("--free %s: write a range as NAME=LO..HI, rising", value);
  *(char *)equals = '\0'; /* the text stays the caller's */
  return DONE;
}

static int read_names(identify_request *q)
{
  int code = DONE, names = 0;
  for (int k = 0; q->fix[k] && !code; k++) code = read_fixed(q, q->fix[k], k);
  for (int k = 0; q->free[k] && !code; k++) {
    if (q->rig || strchr(q->free[k], '=')) code = read_free(q, q->free[k]);
    else q->asked.fitting.free[names++] = q->free[k];
    for (int j = 0; q->fix[j] && !code && !q->rig; j++)
      if (!strcmp(q->fix[j], q->free[k]))
        code = usage_error("--fix %s and --free %s: it can only be one of them", q->fix[j], q->free[k]);
  }
  return code;
}

int identify_arguments(identify_request *q)
{
  bristle_study_request *to = &q->asked;
  to->log = q->input, to->validate = q->validate, to->model = q->model, to->profile = q->profile;
  to->reading = q->reading, to->free_decay = q->free_decay, to->load_form = q->load_form;
  to->rig = q->rig, to->set = q->set, to->free = q->ranges, to->compare = q->compare;
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
    return usage_error("--floor %g: expected a part of the largest force, 0 to 1", q->floor);
  int code = log_check(&q->reading);
  if (!code) code = read_names(q);
  if (!code) code = read_terms(q);
  return code;
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
    .help = "another record, unseen by fit and ranking (unless there are no folds), to check the result with" },
  OPTION_OUTPUT(identify_request, OPTION_DOCUMENT, "model.yaml",
                "the best law as a model file, for `friction: {file: model.yaml}`"),
  OPTION_REPORT(identify_request, "a page with pictures"),
  OPTION_JSON(identify_request, "full result as JSON"),
  { "--quiet", NULL, OPTION_SWITCH, ASKED(quiet), .help = "no summary" },
  { "--trust", NULL, OPTION_SWITCH, ASKED(trust),
    .help = "writes the model and exits with 0 even where the data are doubtful or no law fits them" },
  GROUP("how the record is read"),
  TABLE(log_options, identify_request, reading),
  TABLE(log_more_options, identify_request, reading),
  { "--decimate", "N", OPTION_WHOLE, ASKED(decimate),
    .help = "all columns alike through one filter, then every N-th residual counts", .least = 1 },
  GROUP("the force: mass a + gravity sin x + offset + skew |v| + friction"),
  TERM("--mass", mass,
       "mass that the measured force accelerates; by default the log decides, as it does about gravity and a spring"),
  TERM("--inertia", inertia, "the same for a rotary axis"),
  TERM("--offset", offset, "a constant force; free unless you say otherwise"),
  TERM("--gravity", gravity, "gravity sin x, of an arm or a pendulum"),
  { "--skew", "free|none|levels|VALUE", OPTION_TEXT, ASKED(skew),
    .help = "skew |v|, by which the directions differ; with several laws the best three are tried with it as well. "
            "levels: every law with its own levels and viscous friction for each direction instead of offset and skew "
            "(level_skew, viscous_skew)" },
  { "--load-form", "force|coefficient|level", OPTION_CHOICE, ASKED(load_form),
    .help =
        "how the load enters: coefficient (the default with a load), level, or force, which leaves the load aside" },
  GROUP("the fit"),
  { "--fix", "NAME[=VALUE]", OPTION_TEXT, ASKED(fix), .help = "keeps a parameter fixed",
    .most = BRISTLE_IDENTIFY_NAMES - 1 },
  { "--free", "NAME[=LO..HI]", OPTION_TEXT, ASKED(free),
    .help = "fits a parameter that is usually fixed, such as an exponent, or searches one between two values in SI; "
            "--fix and --free are for the laws that have the parameter",
    .most = BRISTLE_IDENTIFY_NAMES - 1 },
  { "--objective", objective_names + 1, OPTION_CHOICE, ASKED(objective),
    .help = "error measure to minimise. absolute: errors in N; relative: error/force; robust: outliers count less",
    "absolute" },
  { "--floor", "PART", OPTION_QUANTITY, ASKED(floor),
    .help = "`relative` divides by at least this part of the largest force", "0.05", .unit = "1" },
  { "--folds", "N", OPTION_WHOLE, ASKED(folds),
    .help = "pieces of the record that are held out in turn; their error ranks the laws; 0: none", "4" },
  { "--profile", "NAME", OPTION_TEXT, ASKED(profile), .help = "profile likelihood of a parameter of the best law" },
  { "--seed", "N", OPTION_WHOLE, ASKED(seed), .help = "seed of the search; the same seed gives the same result", "0" },
  { "--threads", "N", OPTION_WHOLE, ASKED(threads), .help = "how many work at once", "2", .least = 1 },
  GROUP("a motion that nothing drives: a swing, a coast, a body on a spring"),
  { "--free-decay", NULL, OPTION_SWITCH, ASKED(free_decay),
    .help = "position or velocity alone. Of --inertia or --mass, --gravity, --stiffness one value sets the scale; "
            "without any, "
            "everything is found per unit inertia. Releases are found in the record" },
  { "--stiffness", "free|none|VALUE", OPTION_TEXT, ASKED(stiffness), .help = "stiffness of the spring",
    .with = "--free-decay" },
  GROUP("a scenario whose simulated motion is compared"),
  { "--rig", "FILE", OPTION_FILE, ASKED(rig),
    .help =
        "a scenario, whose programs may name columns of the log (force: {column: motor_force}); the parameters of its "
        "law "
        "are "
        "searched from the values of the file. --free KEY[=LO..HI] searches a number of the scenario (mass, initial.v, "
        "force.sine.amplitude) or bounds a parameter, in the unit of the file; --free start: where each run begins. A "
        "file "
        "with "
        "`runs` and `unknown` is an experiment: docs/experiments.md" },
  { "--set", "KEY=VALUE", OPTION_TEXT, ASKED(set), .help = "changes the scenario", .most = MOST_SETS, .with = "--rig" },
  { "--compare", "x,v=COLUMN", OPTION_TEXT, ASKED(compare), .help = "what is compared", .with = "--rig" },
  { "--candidates", "N", OPTION_CALL, ASKED(candidates), .help = "random sets tried", .read = read_count,
    .with = "--rig" },
  { "--starts", "N", OPTION_CALL, ASKED(starts), .help = "sets refined to the end", .read = read_count,
    .with = "--rig" },
  OPTIONS_END
};

#define WITHOUT_FORCE(option) { option, "--free-decay", "" }
#define IN_SCENARIO(option) { option, "--rig", ": write it into the scenario, and --free what is unknown" }

const option_conflict identify_conflicts[] = { { "--free-decay", "--rig", ": it can only be one of them" },
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
