/* The logs of `bristle identify`: reading, loads by file, and doubts about what they contain. */
#include "identify.h"

#include "common/cli.h"

#include <math.h>
#include <stdarg.h>

/* Faster and harder than what axes, guides, seals and gears do: then a unit is wrong more often than not. */
static const double FASTEST[2] = { 30, 5e3 };  /* m/s, rad/s */
static const double HARDEST[2] = { 5e3, 1e6 }; /* m/s^2, rad/s^2, on the average */

static void doubt(bristle_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void doubt(bristle_log *log, const char *format, ...)
{
  va_list args;
  log->doubtful++;
  if (log->note_count == sizeof log->note / sizeof *log->note) return;
  va_start(args, format);
  vsnprintf(log->note[log->note_count++], sizeof *log->note, format, args);
  va_end(args);
}

static void doubt_units(bristle_log *log)
{
  const bristle_log_summary *s = &log->summary;
  const int rotary = log->rotary != 0;
  const char *speed = rotary ? "rad/s" : "m/s";
  /* every reversal, and the start, changes the speed */
  const double acceleration = s->speed_median * (double)(2 * s->reversals + 1) / s->duration;
  if (s->speed_high > FASTEST[rotary])
    doubt(log, "the largest speed is %.3g %s: are the units of position and time right?", s->speed_high, speed);
  else if (acceleration > HARDEST[rotary])
    doubt(log, "the motion accelerates by %.2g %s^2 on the average: are the units of position and time right?",
          acceleration, speed);
}

/* ---- the normal load ---- */

/* "50 N=low.csv": the load of a whole file. Returns the path. */
static const char *path_of(const char *input, double *load, bristle_fault *fault)
{
  const char *equals = strchr(input, '=');
  *load = (double)NAN;
  if (!equals || bristle_quantity_read(input, (size_t)(equals - input), "N|N*m", load, NULL, fault)) return input;
  return equals + 1;
}

static bristle_fault_kind bad_data(const bristle_log *log, bristle_fault *fault, const char *hint, const char *format,
                                   ...) __attribute__((format(printf, 4, 5)));
static bristle_fault_kind bad_data(const bristle_log *log, bristle_fault *fault, const char *hint, const char *format,
                                   ...)
{
  va_list args;
  *fault = (bristle_fault){ .kind = BRISTLE_FAULT_VALUE };
  snprintf(fault->file, sizeof fault->file, "%s", log->file);
  snprintf(fault->hint, sizeof fault->hint, "%s", hint);
  va_start(args, format);
  vsnprintf(fault->what, sizeof fault->what, format, args);
  va_end(args);
  return fault->kind;
}

static bristle_fault_kind set_load(identification *id, bristle_log *log, double load, bristle_fault *fault)
{
  if (isnan(load)) return BRISTLE_FAULT_NONE;
  if (log->n)
    return bad_data(log, fault, "leave the load of the file away, or cut the column out",
                    "found a column %s beside a load of the whole file", log->column[BRISTLE_CHANNEL_LOAD]);
  double *n = malloc(log->count * sizeof *n);
  if (!n) return bad_data(log, fault, "", "not enough memory");
  for (size_t i = 0; i < log->count; i++) n[i] = load;
  id->given_load[id->given_loads++] = n; /* freed with the identification, as the log does not own it */
  log->n = n;
  snprintf(log->column[BRISTLE_CHANNEL_LOAD], sizeof log->column[0], "%g %s, as given", load,
           log->rotary ? "N*m" : "N");
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind check_load(const bristle_log *log, bristle_fault *fault)
{
  size_t absent = 0, pulling = 0;
  for (size_t i = 0; log->n && i < log->count; i++) absent += log->n[i] == 0, pulling += log->n[i] < 0;
  const char *column = log->column[BRISTLE_CHANNEL_LOAD];
  if (log->n && absent == log->count)
    return bad_data(log, fault, "name another column with --load, or say --load-form force to leave the load aside",
                    "the load (%s) is 0 throughout: nothing presses, so there is no friction to find", column);
  if (pulling)
    return bad_data(log, fault, "if it is counted the other way, turn its sign: --load 'NAME*-1'",
                    "the load (%s) is negative in %zu of %zu samples: friction needs bodies that press on each other",
                    column, pulling, log->count);
  return BRISTLE_FAULT_NONE;
}

/* ---- logs ---- */

/* the ends of each stretch, where its filter settles, do not count */
static bristle_fault_kind check_filter(const bristle_log *log, bristle_fault *fault)
{
  size_t left = 0;
  for (size_t k = 0; k < log->stretches; k++) {
    const size_t length = log->first[k + 1] - log->first[k];
    if (length > 2 * log->drop) left += length - 2 * log->drop;
  }
  if (left >= 30) return BRISTLE_FAULT_NONE;
  return bad_data(log, fault, "is it the right column? --cutoff HZ sets another filter, --cutoff none goes without",
                  "the motion is mostly noise: filtered at %.3g Hz, as it asks for, %zu samples are left of %zu",
                  log->cutoff, left, log->count);
}

static bristle_fault_kind read_log(identification *id, const char *input, bristle_log **log, bristle_fault *fault)
{
  double load;
  const char *path = path_of(input, &load, fault);
  bristle_fault_kind kind = bristle_log_read(path, &id->reading, log, fault);
  if (!kind) kind = set_load(id, *log, load, fault);
  if (!kind && id->fitting.load != BRISTLE_LOAD_FORCE) kind = check_load(*log, fault);
  if (!kind) kind = check_filter(*log, fault);
  if (!kind) doubt_units(*log);
  return kind;
}

/* logs that are fitted together must be of one kind */
static bristle_fault_kind check_alike(const bristle_log *first, const bristle_log *log, int use_load,
                                      bristle_fault *fault)
{
  if (log->rotary != first->rotary)
    return bad_data(log, fault, "fit them one by one", "this record is %s, %.80s is %s",
                    log->rotary ? "rotary" : "linear", first->file, first->rotary ? "rotary" : "linear");
  if (use_load && !log->n != !first->n)
    return bad_data(log, fault, "give the load of a file as '50 N=FILE', or say --load-form force to leave loads aside",
                    "this record has %s load, %.80s has %s", log->n ? "a" : "no", first->file,
                    first->n ? "one" : "none");
  return BRISTLE_FAULT_NONE;
}

/* One filter, one mask and one choice of terms for all records. Who says how to decimate has a recipe of his own, and
   gets it: every sample counts, and only derivatives are filtered. */
static int prepare_campaign(identification *id)
{
  id->asked = id->fitting;
  bristle_log *all[IDENTIFY_LOGS + 1];
  bristle_fault fault;
  if (id->fitting.decimate) return DONE;
  for (size_t i = 0; i < id->logs; i++) all[i] = id->log[i];
  if (id->validation) all[id->logs] = id->validation;
  if (bristle_campaign_prepare(all, id->logs, id->logs + (id->validation != NULL), &id->reading, &id->fitting,
                               &id->campaign, &fault))
    return fault_exit(&fault);
  return DONE;
}

/* a record that counts twice makes its numbers look better than they are, and one that validates itself says nothing */
static bristle_fault_kind check_different(const identification *id, const bristle_log *log, int validates,
                                          bristle_fault *fault)
{
  for (size_t i = 0; i < id->logs; i++)
    if (id->log[i] != log && !strcmp(id->log[i]->digest, log->digest))
      return bad_data(log, fault, validates ? "validate with another record" : "give each record once",
                      validates ? "this is the same data as %.150s, to which the laws are fitted"
                                : "this is the same data as %.150s: it would count twice",
                      id->log[i]->file);
  return BRISTLE_FAULT_NONE;
}

int identify_read(identification *id, const identify_request *q)
{
  bristle_fault fault;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  id->reading.inverse = id->fitting.term[BRISTLE_TERM_MASS] != BRISTLE_TERM_NONE;
  for (int k = 0; k < id->laws; k++)
    id->reading.acceleration |= (id->law[k]->f64->info->traits & BRISTLE_ACCELERATION) != 0;
  if (!q->load_form) id->fitting.load = BRISTLE_LOAD_COEFFICIENT;
  id->reading.loads = !id->free_decay && !id->fitting.decimate && id->fitting.load != BRISTLE_LOAD_FORCE;
  const int use_load = id->fitting.load != BRISTLE_LOAD_FORCE;
  for (size_t i = 0; i < q->inputs && !kind; i++) {
    kind = read_log(id, q->input[i], &id->log[id->logs], &fault);
    if (id->log[id->logs]) id->logs++;
    if (!kind) kind = check_alike(id->log[0], id->log[i], use_load, &fault);
    if (!kind) kind = check_different(id, id->log[i], 0, &fault);
  }
  if (!kind && q->validate) kind = read_log(id, q->validate, &id->validation, &fault);
  if (!kind && id->validation) kind = check_alike(id->log[0], id->validation, use_load, &fault);
  if (!kind && id->validation) kind = check_different(id, id->validation, 1, &fault);
  if (kind) return fault_exit(&fault);
  id->fitting.use_load = use_load && id->log[0]->n;
  if (!id->fitting.use_load) {
    if (use_load && q->load_form)
      return usage_error("--load-form needs a load: a column (--load NAME), or a load for the file, '50 N=FILE'");
    id->fitting.load = BRISTLE_LOAD_FORCE;
  }
  return id->free_decay ? DONE : prepare_campaign(id);
}

int identify_delayed(identification *id)
{
  bristle_fault fault;
  if (!id->results || id->reading.keep_delay || id->log[0]->force_delay != 0) return DONE;
  bristle_identified *knows = bristle_identified_of_delay(id->result, id->results);
  const double delay = bristle_identified_late(knows, (const bristle_log *const *)id->log, id->logs, &id->fitting,
                                               &id->campaign);
  if (delay == 0) return DONE;
  for (int i = 0; i < id->results; i++) bristle_identified_free(id->result[i]);
  id->results = id->failures = 0;
  for (size_t i = 0; i < id->logs; i++)
    if (bristle_log_delay(id->log[i], delay, &fault)) return fault_exit(&fault);
  if (id->validation && bristle_log_delay(id->validation, delay, &fault)) return fault_exit(&fault);
  id->fitting = id->asked;
  const int code = prepare_campaign(id);
  return code ? code : identify_fit(id);
}
