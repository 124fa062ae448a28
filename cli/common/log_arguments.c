#include "log_arguments.h"

#include "cli.h"

int log_check(const bristle_log_options *reading)
{
  if (reading->lead > 0 && reading->radius > 0)
    return usage_error("--lead and --radius: only one of them can be given");
  if (!(reading->to > 0) || reading->from < reading->to) return DONE;
  return usage_error("--from %g s does not lie before --to %g s: nothing would be left", reading->from, reading->to);
}

void log_notes_as_flags(bristle_log *log)
{
  for (size_t k = 0; k < log->note_count; k++) words_as_flags(log->note[k], sizeof log->note[k]);
}

/* "inertia12=ddq2*cos(q1-q2)" or a column; each name once */
static int add_term(void *request, const option *o, const char *value)
{
  bristle_log_options *reading = request;
  const size_t length = strcspn(value, "=");
  int at = 0;
  for (; at < BRISTLE_ASKED && reading->term[at]; at++)
    if (strcspn(reading->term[at], "=") == length && !strncmp(reading->term[at], value, length))
      return usage_error("%s %.*s is given twice", o->name, (int)length, value);
  if (at == BRISTLE_ASKED) return usage_error("at most %d %s", BRISTLE_ASKED, o->name);
  reading->term[at] = value;
  return DONE;
}

static int read_cutoff(void *request, const option *o, const char *value)
{
  bristle_log_options *reading = request;
  reading->cutoff = -1;
  return strcmp(value, "none") ? read_quantity(o, value, &reading->cutoff) : DONE;
}

static int read_delay(void *request, const option *o, const char *value)
{
  bristle_log_options *reading = request;
  reading->keep_delay = 1;
  return strcmp(value, "none") ? read_quantity(o, value, &reading->delay) : DONE;
}

#define COLUMN(flag, channel, sentence) \
  { flag, "COL", OPTION_TEXT, IN(bristle_log_options, column[BRISTLE_CHANNEL_##channel]), .help = sentence }

const option log_options[] = {
  COLUMN("--time", TIME, "time column, by name or place ('#2'); with factor, shift and unit where needed"),
  COLUMN("--position", POSITION,
         "position column: 'q2 [deg]', 'q2+0.5 rad'; none: it is not used, although it is there"),
  COLUMN("--velocity", VELOCITY, "velocity column"),
  COLUMN("--acceleration", ACCELERATION, "acceleration column"),
  COLUMN("--force", FORCE, "force or torque column, or a factor from current or voltage: 'current*12 N*m'"),
  COLUMN("--load", LOAD, "normal-load column"),
  COLUMN("--reference", REFERENCE, "commanded position or velocity"),
  COLUMN("--weight", WEIGHT,
         "weight of each sample: 0 leaves it out, otherwise 1/deviation^2; by default all weights are equal"),
  { "--lead", "M", OPTION_QUANTITY, IN(bristle_log_options, lead), .unit = "m", .range = "more than 0 m",
    .help = "lead of a screw ('10 mm'): converts angles and torques to positions and forces" },
  { "--radius", "M", OPTION_QUANTITY, IN(bristle_log_options, radius), .unit = "m", .range = "more than 0 m",
    .help = "radius of a pulley, a pinion or a wheel ('20 mm'): the same conversion" },
  { "--join", "FILE", OPTION_FILE, IN(bristle_log_options, join),
    .help = "columns of another file, interpolated at the times of this one; both files must share one clock",
    .most = BRISTLE_JOINS },
  { "--from", "S", OPTION_QUANTITY, IN(bristle_log_options, from), .help = "first time that is used", .unit = "s" },
  { "--to", "S", OPTION_QUANTITY, IN(bristle_log_options, to), .help = "last time that is used", .unit = "s",
    .range = "a time above zero" },
  { "--cutoff", "HZ", OPTION_CALL, .read = read_cutoff, .unit = "Hz", .range = "a frequency above zero, or 'none'",
    .help = "low-pass cut-off used to compute missing derivatives, zero phase; chosen from the data by default; none: "
            "no filter" },
  { "--delay", "S", OPTION_CALL, .read = read_delay, .unit = "s",
    .help = "known delay of the force signal ('2 ms'), or none; estimated by default: one that explains most of the "
            "remaining error is removed, and the result says so" },
  OPTIONS_END
};

const option log_more_options[] = {
  { "--rate", "HZ", OPTION_QUANTITY, IN(bristle_log_options, rate), .help = "sampling rate, for a table without time",
    .unit = "Hz", .range = "more than 0 Hz" },
  { "--term", "NAME=EXPRESSION", OPTION_CALL, .read = add_term, .repeats = 1,
    .help =
        "another force in the balance: an unknown NAME times an expression; up to eight. Expressions use columns of "
        "the file: numbers, + - * / ^ ( ), sin cos tan abs sqrt exp sign, and derivatives behind the same filter: "
        "--term 'inertia12=ddq2*cos(q1-q2)', --term 'pull=#4'" },
  OPTIONS_END
};
