/* A whole identification: the order of its parts, and what makes its best result unusable. */
#include "fit/records/motion.h"
#include "study/study.h"

#include "maths/elementary.h"

static const double USELESS = 0.5; /* of the signal left over: a law that misses that much explains nothing */
static const double POOR = 0.25;   /* the same of a fit, where it is not the noise of the force that is left */

/* ---- on the way ---- */

void study_reword(const bristle_study *study, char *text, size_t size)
{
  if (study->request.reword) study->request.reword(text, size);
}

int study_tell(bristle_study *study, double done)
{
  const bristle_identify_options *o = &study->request.fitting;
  const double told = study->from + study->span * done;
  study->done = done;
  if (told > study->furthest) study->furthest = told; /* work that turns up on the way takes nothing back */
  if (o->progress && o->progress(o->context, study->furthest)) study->stopped = 1;
  return study->stopped;
}

int study_watch(void *context, double fraction)
{
  const study_watched *w = context;
  return study_tell(w->study, (w->done + fraction) / w->count);
}

int study_is_stopped(bristle_study *study) { return study_tell(study, study->done); }

void study_note_failure(bristle_study *study, const bristle_law *law, const char *kind, const bristle_fault *fault)
{
  char why[sizeof fault->what];
  snprintf(why, sizeof why, "%s", fault->what);
  study_reword(study, why, sizeof why);
  const size_t length = strlen(law->name);
  const int named = !strncmp(why, law->name, length) && why[length] == ':'; /* once is enough */
  snprintf(study->failed[study->failures++], sizeof study->failed[0], "%s%s: %.200s", law->name, kind,
           named ? why + length + 1 + strspn(why + length + 1, " ") : why);
}

bristle_fault_kind study_end_fits(bristle_study *study, bristle_fault *fault)
{
  if (study_is_stopped(study)) return fault_set(fault, BRISTLE_FAULT_STOPPED, NULL, "stopped");
  if (study->results) return BRISTLE_FAULT_NONE;
  return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "no law could be fitted: %s",
                   study->failures ? study->failed[0] : "none was asked for");
}

/* ---- doubts ---- */

static int has_notes(const bristle_study *study)
{
  for (size_t i = 0; i < study->logs; i++)
    if (study->log[i]->note_count) return 1;
  return 0;
}

static int is_noise(double rms, double noise)
{
  static const double NEARLY = 1.3; /* as in the verdict */
  return rms < NEARLY * noise;
}

/* The law explains the records that it was fitted to, and not the one that it was not. */
static void find_doubt_by_validation(bristle_study *study)
{
  const bristle_identified *best = study->result[0];
  const double error = isfinite(best->held_out) ? best->held_out : best->rms;
  const int useless = best->validation > USELESS
                      && !(study->validation && is_noise(best->validation_rms, motion_force_noise(study->validation)));
  if (!useless && !bristle_identified_fails_validation(best)) return;
  study->contradicted = 1;
  const double late = study->validation ? bristle_identified_validation_delay(best, study->validation) : 0;
  char why[160] = "compare load, temperature, direction and speeds of the records, or fit both";
  if (late != 0)
    snprintf(why, sizeof why,
             "its force comes %.3g ms %s than theirs, which explains most of that: shift it by this delay",
             1e3 * fabs(late), late > 0 ? "later" : "earlier");
  snprintf(study->doubt, sizeof study->doubt,
           "not convincing on the validation record: there %s misses the force by %.3g %s (%.2g %%), in the fitted "
           "records by %.3g %s; %s",
           best->law->name, best->validation_rms, study_unit(best), 100 * best->validation, error, study_unit(best),
           why);
}

/* A recipe of the caller's has only the terms that it names. */
static int mass_was_tried(const bristle_study *study)
{
  const bristle_term mass = study->asked.term[BRISTLE_TERM_MASS];
  return mass != BRISTLE_TERM_NONE && !(mass == BRISTLE_TERM_CHOOSE && study->asked.decimate);
}

/* Is what the best law leaves the noise of the force, behind the same filter? */
static int reaches_noise(const bristle_study *study)
{
  return is_noise(study->result[0]->rms, motion_force_noise_of(study_logs(study), study->logs));
}

/* What makes even the best result unusable. A confident number from bad data does more harm than none. */
static void find_doubt(bristle_study *study)
{
  const bristle_identified *best = study->result[0];
  study->doubt_is_of_data = 1;
  for (size_t i = 0; i < study->logs + (study->validation != NULL); i++) {
    const bristle_log *log = i < study->logs ? study->log[i] : study->validation;
    if (!log->doubtful) continue;
    snprintf(study->doubt, sizeof study->doubt, "%.70s: %.219s", log->file, bristle_log_doubt(log));
    return;
  }
  if (study->campaign.doubtful)
    snprintf(study->doubt, sizeof study->doubt, "%s", study->campaign.note[study->campaign.doubtful - 1]);
  if (study->doubt[0]) return;
  study->doubt_is_of_data = 0;
  if (study->decay) study_doubt_decay(study);
  else if (study->motion) study_doubt_rig(study);
  else if (best->relative > POOR && !reaches_noise(study))
    snprintf(study->doubt, sizeof study->doubt, "even the best law, %s, misses %.0f %% of the force%s; %s",
             best->law->name, 100 * best->relative, has_notes(study) ? "; see the notes on the data" : "",
             !mass_was_tried(study) ? "if the force also accelerates a mass, use option mass free"
                                    : "other forces can be given as option term 'NAME=EXPRESSION' of other columns");
  else if (best->doubtful) snprintf(study->doubt, sizeof study->doubt, "%s", best->finding[best->doubtful - 1]);
  else find_doubt_by_validation(study);
  study_reword(study, study->doubt, sizeof study->doubt);
}

/* ---- records of different loads ---- */

/* the one load of a record; 0: it has none, or several */
static double load_of(const bristle_log *log)
{
  for (size_t i = 1; log->n && i < log->count; i++)
    if (log->n[i] != log->n[0]) return 0;
  return log->n && log->count ? log->n[0] : 0;
}

/* One set of parameters for all loads that misses some of the records by far more than the others: parameters of
   bristles follow the load by rules of their own, which is the subject of another verb. */
static void tell_loads(bristle_study *study)
{
  static const double FAR = 3; /* times the error of the best record, and the noise */
  bristle_identified *best = study->result[0];
  size_t least = 0, most = 0;
  double noise = 0;
  for (size_t i = 0; i < study->logs; i++) {
    if (!(load_of(study->log[i]) > 0)) return;
    noise = fmax(noise, study->log[i]->summary.force_noise);
    if (study->view[i].error.relative < study->view[least].error.relative) least = i;
    if (study->view[i].error.relative > study->view[most].error.relative) most = i;
  }
  const double from = load_of(study->log[least]), to = load_of(study->log[most]);
  if (study->logs < 2 || from == to || best->findings == BRISTLE_FINDINGS) return;
  if (!(study->view[most].error.relative > FAR * study->view[least].error.relative)
      || !(study->view[most].error.rms > FAR * noise))
    return;
  snprintf(best->finding[best->findings++], sizeof *best->finding,
           "the error follows the load: %.2g %% of the force at %g N, %.2g %% at %g N; `bristle loads '%g N=FILE' '%g "
           "N=FILE'` fits each load alone and says how each parameter follows it",
           100 * study->view[least].error.relative, from, 100 * study->view[most].error.relative, to, from, to);
}

/* ---- from the request to the result ---- */

void bristle_study_begin(bristle_study_request *request)
{
  memset(request, 0, sizeof *request);
  request->fitting.term[BRISTLE_TERM_MASS] = BRISTLE_TERM_CHOOSE;
  request->fitting.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  request->fitting.term[BRISTLE_TERM_GRAVITY] = BRISTLE_TERM_CHOOSE;
  request->fitting.term[BRISTLE_TERM_GRAVITY_COSINE] = BRISTLE_TERM_CHOOSE;
}

/* an experiment has runs and unknowns of its own */
static bristle_fault_kind check_rig(const bristle_study_request *q, bristle_fault *fault)
{
  int experiment = 0;
  if (bristle_rig_is_experiment(q->rig, &experiment, fault)) return fault->kind;
  const struct {
    int given;
    const char *name, *why;
  } others[] = { { q->logs > 0, q->logs ? q->log[0] : "", "its file lists the runs" },
                 { q->validate != NULL, "option validate", "its file says which runs are held out" },
                 { q->frees || q->free_start, "option free", "its file lists the unknowns" },
                 { q->set && q->set[0], "option set", "write it into the file" },
                 { q->compare != NULL, "option compare", "its file names the columns" } };
  for (size_t i = 0; experiment && i < sizeof others / sizeof *others; i++)
    if (others[i].given)
      return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "%s does not go with option rig of an experiment: %s",
                       others[i].name, others[i].why);
  if (experiment || q->logs) return BRISTLE_FAULT_NONE;
  return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "no log file given; give the log of a run of %s", q->rig);
}

bristle_fault_kind bristle_study_check(const bristle_study_request *request, bristle_fault *fault)
{
  if (request->logs > BRISTLE_STUDY_LOGS)
    return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "at most %d logs at a time", (int)BRISTLE_STUDY_LOGS);
  if (request->rig) return check_rig(request, fault);
  if (!request->logs) return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "no log file given");
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind work(bristle_study *study, bristle_fault *fault)
{
  const bristle_study_request *q = &study->request;
  bristle_fault_kind kind = bristle_study_check(q, fault);
  if (!kind) kind = q->rig ? study_fit_rig(study, fault) : study_choose_laws(study, fault);
  if (!kind && !q->rig) kind = study_read(study, fault);
  if (!kind && !q->rig) kind = q->free_decay ? study_fit_decay(study, fault) : study_fit(study, fault);
  if (!kind && !q->rig && !q->free_decay) kind = study_fit_delayed(study, fault);
  if (!kind && !q->rig && !q->free_decay) kind = study_fit_curved(study, fault);
  if (!kind && q->profile) kind = study_profile(study, fault);
  if (kind) return kind;
  if (!study->decay && !study->motion
      && !(study->view = study_views_make(study->result[0], study->log, study->logs, study->validation)))
    return fault_memory(fault);
  if (study->view) tell_loads(study), study_tell_starts(study);
  find_doubt(study);
  return BRISTLE_FAULT_NONE;
}

/* Is there a mass or a spring that nobody asked for, and that the leading law takes for nothing? It was friction. */
static int has_idle_term(const bristle_study *study)
{
  static const double CLEARLY = 2; /* deviations */
  if (!study->results || study->request.fitting.term[BRISTLE_TERM_MASS] != BRISTLE_TERM_CHOOSE) return 0;
  const bristle_identified *best = study->result[0];
  const bristle_estimate *term = best->estimate + best->law->f64->info->nparam;
  const int springs = !study->request.reading.term[0] && !strcmp(best->extra_text[0], "x");
  for (int i = 0; i < 1 + springs; i++) {
    const bristle_estimate *e = &term[i ? BRISTLE_TERM_EXTRA : BRISTLE_TERM_MASS];
    if (e->free && isfinite(e->deviation) && fabs(e->value) < CLEARLY * e->deviation) return 1;
  }
  return 0;
}

static void tell_end(bristle_study *study)
{
  study->furthest = 1;
  study_tell(study, 1);
}

/* from, span: the part of the progress that this run tells */
static bristle_fault_kind run(const bristle_study_request *request, double from, double span, bristle_study **study,
                              bristle_fault *fault)
{
  bristle_study *made = *study = calloc(1, sizeof *made);
  if (!made) return fault_memory(fault);
  made->request = *request;
  made->from = made->furthest = from, made->span = span;
  if (!made->request.settings) made->request.settings = "";
  made->reading = request->reading;
  made->reading.motion_only = request->free_decay;
  made->fitting = request->fitting;
  made->fitting.progress = NULL; /* the parts tell it to the study */
  if (!request->rig) made->fitting.range = request->free, made->fitting.ranges = request->frees;
  return work(made, fault);
}

/* A delay that leaves no law to fit was none. */
static int ends_by_delay(const bristle_study *study, bristle_fault_kind kind)
{
  return kind == BRISTLE_FAULT_VALUE && !study->request.reading.keep_delay && study->logs
         && study->log[0]->force_delay != 0;
}

/* Does the law miss starts, stops and turns by far more than before the force was moved? A delay makes them better,
   too; one that only the moving samples ask for stands for what happens in between, as where a relay drives a mass to
   and fro. */
static int delay_misleads(const bristle_study *study)
{
  static const double FAR = 1.2;
  const double before = study->slow_before;
  const double after = study->results ? study->result[0]->held_out_slow : (double)NAN;
  return before > 0 && after > FAR * before;
}

/* What the records speak against is not asked for again; 0: nothing is */
static int take_back(const bristle_study *study, bristle_study_request *next)
{
  if (delay_misleads(study)) return next->reading.keep_delay = 1;
  if (!has_idle_term(study)) return 0;
  next->fitting.term[BRISTLE_TERM_MASS] = BRISTLE_TERM_NONE;
  return 1;
}

bristle_fault_kind bristle_study_run(const bristle_study_request *request, bristle_study **study, bristle_fault *fault)
{
  static const double FIRST =
      0.85; /* of the progress, where there may be another run, which is rare and has less to search */
  bristle_study_request next = *request;
  for (double from = 0, span;; from += span) {
    const int may_repeat = next.fitting.term[BRISTLE_TERM_MASS] == BRISTLE_TERM_CHOOSE;
    span = (1 - from) * (may_repeat ? FIRST : 1);
    const bristle_fault_kind kind = run(&next, from, span, study, fault);
    const int none = kind && !(*study && ends_by_delay(*study, kind));
    if (!kind && !take_back(*study, &next)) break;
    if (kind) next.reading.keep_delay = 1;
    bristle_study_free(*study);
    *study = NULL;
    if (none) return kind;
  }
  tell_end(*study);
  return BRISTLE_FAULT_NONE;
}

void bristle_study_free(bristle_study *study)
{
  if (!study) return;
  study_views_free(study->view, study->logs + (study->validation != NULL));
  for (int i = 0; i < study->results; i++) bristle_identified_free(study->result[i]);
  for (size_t i = 0; i < study->logs; i++) bristle_log_free(study->log[i]);
  bristle_log_free(study->validation);
  bristle_decay_free(study->decay);
  bristle_motion_free(study->motion);
  for (int i = 0; i < study->given_loads; i++) free(study->given_load[i]);
  free(study);
}

bristle_fault_kind bristle_study_model(const bristle_study *study, const char *path, bristle_fault *fault)
{
  return bristle_identified_write(study->result[0], study_logs(study), study->logs, study->request.settings, path,
                                  fault);
}
