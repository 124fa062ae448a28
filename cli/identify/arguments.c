/* The arguments of `bristle identify`. */
#include "identify.h"

#include "common/cli.h"
#include "decay.h"
#include "rig.h"
#include "common/log_arguments.h"

#include <math.h>

static const struct {
  int term;
  const char *flag;
} term_flags[] = { { BRISTLE_TERM_MASS, "--mass" },
                   { BRISTLE_TERM_OFFSET, "--offset" },
                   { BRISTLE_TERM_GRAVITY, "--gravity" },
                   { BRISTLE_TERM_SKEW, "--skew" } };

/* "free", "none" or a quantity */
static int read_term(identification *id, int term, const char *flag, const char *value)
{
  bristle_fault fault;
  char units[40];
  snprintf(units, sizeof units, "%s|%s", bristle_term_unit(term, 0), bristle_term_unit(term, 1));
  if (term == BRISTLE_TERM_SKEW) id->skew_is_given = 1;
  id->terms_are_given = 1;
  if (!strcmp(value, "free")) id->fitting.term[term] = BRISTLE_TERM_FREE;
  else if (!strcmp(value, "none")) id->fitting.term[term] = BRISTLE_TERM_NONE;
  else {
    id->fitting.term[term] = BRISTLE_TERM_GIVEN;
    if (bristle_quantity_read(value, strlen(value), units, &id->fitting.term_value[term], NULL, &fault))
      return usage_error("identify", "%s %s: %s", flag, value, fault.what);
  }
  if (term == BRISTLE_TERM_GRAVITY) /* an angle that is free has its zero anywhere */
    id->fitting.term[BRISTLE_TERM_GRAVITY_COSINE] = id->fitting.term[term] == BRISTLE_TERM_FREE ? BRISTLE_TERM_FREE
                                                                                                : BRISTLE_TERM_NONE;
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
  if (equals) *equals = '\0';
  for (int k = 0; k < at; k++)
    if (!strcmp(id->fitting.fixed[k], value)) return usage_error("identify", "--fix %s is given twice", value);
  id->fitting.fixed[at] = value;
  id->fitting.fixed_value[at] = (double)NAN;
  if (!equals) return DONE;
  char *end;
  id->fitting.fixed_value[at] = strtod(equals + 1, &end);
  if (equals[1] && !*end && isfinite(id->fitting.fixed_value[at])) return DONE;
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
  for (size_t k = 0; k < sizeof term_flags / sizeof *term_flags; k++) {
    const int t = term_flags[k].term;
    if ((value = flag_value(argc, argv, i, term_flags[k].flag)))
      return id->free_decay && (t == BRISTLE_TERM_MASS || t == BRISTLE_TERM_GRAVITY)
                 ? decay_argument(id, term_flags[k].flag, value)
                 : read_term(id, t, term_flags[k].flag, value);
  }
  if ((value = flag_value(argc, argv, i, "--inertia")))
    return id->free_decay ? decay_argument(id, "--inertia", value)
                          : read_term(id, BRISTLE_TERM_MASS, "--inertia", value);
  if ((value = flag_value(argc, argv, i, "--stiffness"))) {
    if (id->free_decay) return decay_argument(id, "--stiffness", value);
    return usage_error("identify", "--stiffness goes with --free-decay");
  }
  if ((value = flag_value(argc, argv, i, "--objective"))) {
    if (!(code = read_choice("--objective", value, objectives, 3, &choice)))
      id->fitting.objective = (bristle_objective)choice;
    return code;
  }
  if ((value = flag_value(argc, argv, i, "--load-form"))) {
    if (!(code = read_choice("--load-form", value, loads, 3, &choice))) id->fitting.load = (bristle_load)choice;
    id->load_form_is_given = 1;
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
    if (at == BRISTLE_IDENTIFY_NAMES - 1) return usage_error("identify", "too many --free");
    id->fitting.free[at] = value;
    return DONE;
  }
  return -1;
}

int identify_arguments(identification *id, identify_request *q, int argc, char **argv)
{
  const char *value;
  int rig = 0;
  for (int i = 0; i < argc; i++) {
    id->free_decay |= is_flag(argv[i], "--free-decay");
    rig |= is_flag(argv[i], "--rig") || !strncmp(argv[i], "--rig=", 6);
  }
  if (rig && id->free_decay) return usage_error("identify", "--free-decay and --rig: it can only be one of them");
  id->reading.motion_only = id->free_decay;
  for (int i = 0; i < argc; i++) {
    if (is_flag(argv[i], "--free-decay")) continue;
    int code = rig ? rig_argument(id, argc, argv, &i) : -1;
    if (code < 0) code = log_argument(&id->reading, "identify", argc, argv, &i);
    if (code < 0) code = read_fit_flag(id, argc, argv, &i);
    if (code > 0) return code;
    if (!code) continue;
    if (is_flag(argv[i], "--json")) q->json = 1;
    else if (is_flag(argv[i], "--quiet")) q->quiet = 1;
    else if (is_flag(argv[i], "--trust")) q->trust = 1;
    else if ((value = flag_value(argc, argv, &i, "--model"))) q->model = value;
    else if ((value = flag_value(argc, argv, &i, "--validate"))) q->validate = value;
    else if ((value = flag_value(argc, argv, &i, "--report"))) q->report = value;
    else if ((value = flag_value(argc, argv, &i, "--profile"))) q->profile = value;
    else if ((value = flag_value(argc, argv, &i, "-o")) || (value = flag_value(argc, argv, &i, "--output")))
      q->output = value;
    else if (argv[i][0] == '-' && argv[i][1]) return unknown_option(&verb_identify, argv[i]);
    else if (q->inputs == IDENTIFY_LOGS) return usage_error("identify", "at most %d logs at a time", IDENTIFY_LOGS);
    else q->input[q->inputs++] = argv[i];
  }
  if (!q->inputs && !rig) return usage_error("identify", "which log? give its file");
  for (int k = 0; id->fitting.fixed[k]; k++)
    for (int j = 0; id->fitting.free[j]; j++)
      if (!strcmp(id->fitting.fixed[k], id->fitting.free[j]))
        return usage_error("identify", "--fix %s and --free %s: it can only be one of them", id->fitting.fixed[k],
                           id->fitting.free[j]);
  if (id->fitting.term[BRISTLE_TERM_MASS] == BRISTLE_TERM_GIVEN && !(id->fitting.term_value[BRISTLE_TERM_MASS] >= 0))
    return usage_error("identify", "--mass %g: expected none below zero", id->fitting.term_value[BRISTLE_TERM_MASS]);
  if (!(id->fitting.floor >= 0 && id->fitting.floor <= 1))
    return usage_error("identify", "--floor %g: expected a part of the largest force, 0 to 1", id->fitting.floor);
  if (q->json && q->output && !strcmp(q->output, "-"))
    return usage_error("identify", "--json and -o - would both write to the standard output");
  if (id->free_decay) return decay_check_arguments(id, q);
  if (rig) return rig_check_arguments(id, q);
  for (int k = 0; k < BRISTLE_ASKED && id->reading.term[k]; k++)
    id->fitting.term[BRISTLE_TERM_EXTRA + k] = BRISTLE_TERM_FREE;
  return DONE;
}
