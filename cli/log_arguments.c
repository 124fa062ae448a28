#include "log_arguments.h"

#include "cli.h"

static const struct {
  const char *flag;
  bristle_channel channel;
} column_flags[] = {
  { "--time", BRISTLE_CHANNEL_TIME },         { "--position", BRISTLE_CHANNEL_POSITION },
  { "--velocity", BRISTLE_CHANNEL_VELOCITY }, { "--acceleration", BRISTLE_CHANNEL_ACCELERATION },
  { "--force", BRISTLE_CHANNEL_FORCE },       { "--load", BRISTLE_CHANNEL_LOAD },
  { "--weight", BRISTLE_CHANNEL_WEIGHT },
};

static int read_quantity(const char *verb_name, const char *flag, const char *value, const char *unit, double *to)
{
  bristle_fault fault;
  if (!bristle_quantity_read(value, strlen(value), unit, to, NULL, &fault)) return DONE;
  return usage_error(verb_name, "%s %s: %s", flag, value, fault.what);
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
    if (strcmp(value, "none")) return read_quantity(verb_name, "--cutoff", value, "Hz", &reading->cutoff);
    reading->cutoff = -1;
    return DONE;
  }
  if ((value = flag_value(argc, argv, i, "--from")))
    return read_quantity(verb_name, "--from", value, "s", &reading->from);
  if ((value = flag_value(argc, argv, i, "--to"))) return read_quantity(verb_name, "--to", value, "s", &reading->to);
  return -1;
}
