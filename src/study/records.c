/* The records of a study: reading, loads by file, and doubts about what they contain. */
#include "fit/records/log.h"
#include "study/study.h"

#include "maths/elementary.h"

/* Faster and harder than what axes, guides, seals and gears do: then a unit is wrong more often than not. */
static const double FASTEST[2] = { 30, 5e3 };  /* m/s, rad/s */
static const double HARDEST[2] = { 5e3, 1e6 }; /* m/s^2, rad/s^2, on the average */

static void doubt_units(bristle_log *log)
{
  const bristle_log_summary *s = &log->summary;
  const int rotary = log->rotary != 0;
  const char *speed = bristle_speed_unit(rotary);
  /* every reversal, and the start, changes the speed */
  const double acceleration = s->speed_median * (double)(2 * s->reversals + 1) / s->duration;
  if (s->speed_high > FASTEST[rotary])
    log_note(log, 1, "the largest speed is %.3g %s: are the units of position and time right?", s->speed_high, speed);
  else if (acceleration > HARDEST[rotary])
    log_note(log, 1, "the mean acceleration of the motion is %.2g %s^2: are the units of position and time right?",
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

static bristle_fault_kind set_load(bristle_study *study, bristle_log *log, double load, bristle_fault *fault)
{
  if (isnan(load)) return BRISTLE_FAULT_NONE;
  if (log->n)
    return log_refuse(log, fault, "remove the load of the file, or the column",
                      "found a column %s and a load for the whole file", log->column[BRISTLE_CHANNEL_LOAD]);
  double *n = malloc(log->count * sizeof *n);
  if (!n) return log_refuse(log, fault, "", "not enough memory");
  for (size_t i = 0; i < log->count; i++) n[i] = load;
  study->given_load[study->given_loads++] = n; /* freed with the identification, as the log does not own it */
  log->n = n;
  snprintf(log->column[BRISTLE_CHANNEL_LOAD], sizeof log->column[0], "%g %s, as given", load,
           bristle_force_unit(log->rotary));
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind check_load(const bristle_log *log, bristle_fault *fault)
{
  size_t absent = 0, pulling = 0;
  for (size_t i = 0; log->n && i < log->count; i++) absent += log->n[i] == 0, pulling += log->n[i] < 0;
  const char *column = log->column[BRISTLE_CHANNEL_LOAD];
  if (log->n && absent == log->count)
    return log_refuse(log, fault,
                      "name another column with option load, or use option load_form force to leave the load aside",
                      "the load (%s) is 0 throughout: without a normal force there is no friction to identify", column);
  if (pulling)
    return log_refuse(log, fault, "if its sign convention is the other one, turn it: option load 'NAME*-1'",
                      "the load (%s) is negative in %zu of %zu samples: friction needs bodies that press on each other",
                      column, pulling, log->count);
  return BRISTLE_FAULT_NONE;
}

/* ---- logs ---- */

enum { FEWEST_LEFT = 30 };

/* the ends of each stretch, where its filter settles, do not count */
static size_t samples_left(const bristle_log *log)
{
  size_t left = 0;
  for (size_t k = 0; k < log->stretches; k++) {
    const size_t length = log->first[k + 1] - log->first[k];
    if (length > 2 * log->drop) left += length - 2 * log->drop;
  }
  return left;
}

static bristle_fault_kind check_filter(const bristle_log *log, bristle_fault *fault)
{
  const size_t left = samples_left(log);
  if (left >= FEWEST_LEFT) return BRISTLE_FAULT_NONE;
  return log_refuse(log, fault,
                    "is it the right column? option cutoff HZ sets another filter, option cutoff none goes without",
                    "the motion is mostly noise: filtered at %.3g Hz, as needed, only %zu of %zu samples are left",
                    log->cutoff, left, log->count);
}

/* the lowest cut-off that settles within a quarter of the longest stretch, at either end */
static double lowest_cutoff(const bristle_log *log)
{
  size_t longest = 1;
  for (size_t k = 0; k < log->stretches; k++)
    if (log->first[k + 1] - log->first[k] > longest) longest = log->first[k + 1] - log->first[k];
  return 4 * LOG_SETTLING * log->summary.rate / (double)longest;
}

static bristle_fault_kind read_anew(const char *path, const bristle_log_options *reading, bristle_log **log,
                                    bristle_fault *fault)
{
  bristle_log_free(*log);
  *log = NULL;
  return bristle_log_read(path, reading, log, fault);
}

/* A filter that leaves no samples says that a derivative is noise, or that the speed never changes; what was measured
   may be good. What is decided for all records together makes its own derivatives and judges the mass by them; who has
   a recipe goes without the mass. */
static bristle_fault_kind read_otherwise(bristle_study *study, const char *path, bristle_log **log,
                                         bristle_fault *fault)
{
  bristle_log_options reading = study->reading;
  bristle_term *mass = &study->fitting.term[BRISTLE_TERM_MASS];
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  const int recipe = study->fitting.decimate > 0;
  if (recipe && *mass != BRISTLE_TERM_FREE) return kind;
  if (reading.inverse) reading.inverse = 0, kind = read_anew(path, &reading, log, fault);
  if (!kind && !recipe && reading.cutoff == 0 && samples_left(*log) < FEWEST_LEFT) {
    reading.cutoff = lowest_cutoff(*log);
    kind = read_anew(path, &reading, log, fault);
  }
  if (kind || !recipe) return kind;
  log_note(*log, 0,
           "the mass is not determined by these records and was left out: the acceleration does not leave its noise");
  *mass = BRISTLE_TERM_NONE;
  study->reading.inverse = 0;
  return kind;
}

static bristle_fault_kind read_log(bristle_study *study, const char *input, bristle_log **log, bristle_fault *fault)
{
  double load;
  const char *path = path_of(input, &load, fault);
  bristle_fault_kind kind = bristle_log_read(path, &study->reading, log, fault);
  if (!kind && samples_left(*log) < FEWEST_LEFT) kind = read_otherwise(study, path, log, fault);
  if (!kind) kind = set_load(study, *log, load, fault);
  if (!kind && study->fitting.load != BRISTLE_LOAD_FORCE) kind = check_load(*log, fault);
  if (!kind) kind = check_filter(*log, fault);
  if (!kind) doubt_units(*log);
  for (size_t i = 0; !kind && i < (*log)->note_count; i++) study_reword(study, (*log)->note[i], sizeof(*log)->note[i]);
  return kind;
}

/* logs that are fitted together must be of one kind */
static bristle_fault_kind check_alike(const bristle_log *first, const bristle_log *log, int use_load,
                                      bristle_fault *fault)
{
  if (log->rotary != first->rotary)
    return log_refuse(log, fault, "fit them one by one", "this record is %s, %.80s is %s",
                      bristle_rotary_text(log->rotary), first->file, bristle_rotary_text(first->rotary));
  if (use_load && !log->n != !first->n)
    return log_refuse(
        log, fault, "give the load of a file as '50 N=FILE', or use option load_form force to leave loads aside",
        "this record has %s load, %.80s has %s", log->n ? "a" : "no", first->file, first->n ? "one" : "none");
  return BRISTLE_FAULT_NONE;
}

/* One filter, one mask and one choice of terms for all records. Who says how to decimate has a recipe of his own, and
   gets it: every sample counts, and only derivatives are filtered. */
static bristle_fault_kind prepare_campaign(bristle_study *study, bristle_fault *fault)
{
  study->asked = study->fitting;
  bristle_log *all[BRISTLE_STUDY_LOGS + 1];
  for (size_t i = 0; i < study->logs; i++) all[i] = study->log[i];
  if (study->validation) all[study->logs] = study->validation;
  for (size_t i = 0; study->fitting.decimate && i < study->logs + (study->validation != NULL); i++)
    bristle_log_keep_plain(all[i], study->fitting.decimate);
  if (study->fitting.decimate) {
    if (study->fitting.term[BRISTLE_TERM_MASS] == BRISTLE_TERM_CHOOSE)
      study->fitting.term[BRISTLE_TERM_MASS] = BRISTLE_TERM_NONE;
    return BRISTLE_FAULT_NONE;
  }
  if (bristle_campaign_prepare(all, study->logs, study->logs + (study->validation != NULL), &study->reading,
                               &study->fitting, &study->campaign, fault))
    return fault->kind;
  for (size_t i = 0; i < study->campaign.note_count; i++)
    study_reword(study, study->campaign.note[i], sizeof study->campaign.note[i]);
  return BRISTLE_FAULT_NONE;
}

/* a record that counts twice makes its numbers look better than they are, and one that validates itself says nothing */
static bristle_fault_kind check_different(const bristle_study *study, const bristle_log *log, int validates,
                                          bristle_fault *fault)
{
  for (size_t i = 0; i < study->logs; i++)
    if (study->log[i] != log && !strcmp(study->log[i]->digest, log->digest))
      return log_refuse(log, fault, validates ? "validate with another record" : "give each record once",
                        validates ? "this is the same data as %.150s, to which the laws are fitted"
                                  : "this is the same data as %.150s and would count twice",
                        study->log[i]->file);
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind study_read(bristle_study *study, bristle_fault *fault)
{
  const bristle_study_request *q = &study->request;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  const bristle_term mass = study->fitting.term[BRISTLE_TERM_MASS];
  study->reading.inverse = mass == BRISTLE_TERM_FREE || mass == BRISTLE_TERM_GIVEN;
  for (int k = 0; k < study->laws; k++)
    study->reading.acceleration |= (study->law[k]->f64->info->traits & BRISTLE_TRAIT_ACCELERATION) != 0;
  if (!q->load_form) study->fitting.load = BRISTLE_LOAD_COEFFICIENT;
  study->reading.loads = !study->request.free_decay && !study->fitting.decimate
                         && study->fitting.load != BRISTLE_LOAD_FORCE;
  const int use_load = study->fitting.load != BRISTLE_LOAD_FORCE;
  for (size_t i = 0; i < q->logs && !kind; i++) {
    kind = read_log(study, q->log[i], &study->log[study->logs], fault);
    if (study->log[study->logs]) study->logs++;
    if (!kind) kind = check_alike(study->log[0], study->log[i], use_load, fault);
    if (!kind) kind = check_different(study, study->log[i], 0, fault);
  }
  if (!kind && q->validate) kind = read_log(study, q->validate, &study->validation, fault);
  if (!kind && study->validation) kind = check_alike(study->log[0], study->validation, use_load, fault);
  if (!kind && study->validation) kind = check_different(study, study->validation, 1, fault);
  if (kind) return kind;
  study->fitting.use_load = use_load && study->log[0]->n;
  study->fitting.choose_load = study->fitting.use_load && !q->load_form;
  if (!study->fitting.use_load) {
    if (use_load && q->load_form)
      return fault_set(
          fault, BRISTLE_FAULT_REQUEST, NULL,
          "option load_form needs a load: a column (option load NAME), or a load for the file, '50 N=FILE'");
    study->fitting.load = BRISTLE_LOAD_FORCE;
  }
  return study->request.free_decay ? BRISTLE_FAULT_NONE : prepare_campaign(study, fault);
}

bristle_fault_kind study_fit_delayed(bristle_study *study, bristle_fault *fault)
{
  if (!study->results || study->reading.keep_delay || study->log[0]->force_delay != 0) return BRISTLE_FAULT_NONE;
  bristle_identified *knows = bristle_identified_of_delay(study->result, study->results);
  const double delay = bristle_identified_late(knows, study_logs(study), study->logs, &study->fitting,
                                               &study->campaign);
  if (delay == 0) return BRISTLE_FAULT_NONE;
  study->slow_before = study->result[0]->held_out_slow;
  for (int i = 0; i < study->results; i++) bristle_identified_free(study->result[i]);
  study->results = study->failures = 0;
  for (size_t i = 0; i < study->logs; i++)
    if (bristle_log_delay(study->log[i], delay, fault)) return fault->kind;
  if (study->validation && bristle_log_delay(study->validation, delay, fault)) return fault->kind;
  study->fitting = study->asked;
  const bristle_fault_kind kind = prepare_campaign(study, fault);
  return kind ? kind : study_fit(study, fault);
}
