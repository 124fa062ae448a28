#include "log_arguments.h"

#include "cli.h"

static const struct {
  const char *flag;
  bristle_channel channel;
} column_flags[] = {
  { "--time", BRISTLE_CHANNEL_TIME },         { "--position", BRISTLE_CHANNEL_POSITION },
  { "--velocity", BRISTLE_CHANNEL_VELOCITY }, { "--acceleration", BRISTLE_CHANNEL_ACCELERATION },
  { "--force", BRISTLE_CHANNEL_FORCE },       { "--load", BRISTLE_CHANNEL_LOAD },
  { "--weight", BRISTLE_CHANNEL_WEIGHT },     { "--reference", BRISTLE_CHANNEL_REFERENCE },
};

static int read_quantity(const char *verb_name, const char *flag, const char *value, const char *unit, double *to)
{
  bristle_fault fault;
  if (!bristle_quantity_read(value, strlen(value), unit, to, NULL, &fault)) return DONE;
  return usage_error(verb_name, "%s %s: %s", flag, value, fault.what);
}

static int check_times(const bristle_log_options *reading, const char *verb_name)
{
  if (!(reading->to > 0) || reading->from < reading->to) return DONE;
  return usage_error(verb_name, "--from %g s does not lie before --to %g s: nothing would be left", reading->from,
                     reading->to);
}

/* the next free place of a list of texts */
static int add_text(const char *verb_name, const char *flag, const char *value, const char **list, int room)
{
  int at = 0;
  while (at < room && list[at]) at++;
  if (at == room) return usage_error(verb_name, "at most %d %s", room, flag);
  list[at] = value;
  return DONE;
}

/* "inertia12=ddq2*cos(q1-q2)" or a column; each name once */
static int add_term(bristle_log_options *reading, const char *verb_name, const char *value)
{
  const size_t length = strcspn(value, "=");
  for (int k = 0; k < BRISTLE_ASKED && reading->term[k]; k++)
    if (strcspn(reading->term[k], "=") == length && !strncmp(reading->term[k], value, length))
      return usage_error(verb_name, "--term %.*s is given twice", (int)length, value);
  return add_text(verb_name, "--term", value, reading->term, BRISTLE_ASKED);
}

int log_argument(bristle_log_options *reading, const char *verb_name, int argc, char **argv, int *i)
{
  const char *value;
  for (size_t k = 0; k < sizeof column_flags / sizeof *column_flags; k++) {
    if ((value = flag_value(argc, argv, i, column_flags[k].flag))) {
      reading->column[column_flags[k].channel] = value;
      return DONE;
    }
    if (is_flag(argv[*i], column_flags[k].flag)) return usage_error(verb_name, "'%s' needs a value", argv[*i]);
  }
  if ((value = flag_value(argc, argv, i, "--cutoff"))) {
    reading->cutoff = -1;
    if (!strcmp(value, "none")) return DONE;
    const int code = read_quantity(verb_name, "--cutoff", value, "Hz", &reading->cutoff);
    if (code || reading->cutoff > 0) return code;
    return usage_error(verb_name, "--cutoff %s: expected a frequency above zero, or none", value);
  }
  if ((value = flag_value(argc, argv, i, "--delay"))) {
    reading->keep_delay = 1;
    return strcmp(value, "none") ? read_quantity(verb_name, "--delay", value, "s", &reading->delay) : DONE;
  }
  if ((value = flag_value(argc, argv, i, "--from"))) {
    const int code = read_quantity(verb_name, "--from", value, "s", &reading->from);
    return code ? code : check_times(reading, verb_name);
  }
  if ((value = flag_value(argc, argv, i, "--to"))) {
    const int code = read_quantity(verb_name, "--to", value, "s", &reading->to);
    if (!code && !(reading->to > 0)) return usage_error(verb_name, "--to %s: expected a time above zero", value);
    return code ? code : check_times(reading, verb_name);
  }
  /* a plan has a rate of its own */
  if (strcmp(verb_name, "plan") && (value = flag_value(argc, argv, i, "--rate"))) {
    int code = read_quantity(verb_name, "--rate", value, "Hz", &reading->rate);
    if (!code && !(reading->rate > 0)) return usage_error(verb_name, "--rate %s: expected more than 0 Hz", value);
    return code;
  }
  if ((value = flag_value(argc, argv, i, "--join")))
    return add_text(verb_name, "--join", value, reading->join, BRISTLE_JOINS);
  if (strcmp(verb_name, "plan") && (value = flag_value(argc, argv, i, "--term")))
    return add_term(reading, verb_name, value);
  return -1;
}
