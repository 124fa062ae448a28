/* bristle identify: from a measured log to friction laws with parameters, ranked. */
#include "identify.h"

#include "common/cli.h"
#include "decay.h"
#include "rig.h"

#include <math.h>

static const double USELESS = 0.5; /* of the signal left over: a law that misses that much explains nothing */

int identify_no_result(const identification *id)
{
  return failure(BAD_DATA, "no law could be fitted: %s", id->failures ? id->failed[0] : "none was asked for");
}

/* ---- doubts ---- */

static int has_notes(const identification *id)
{
  for (size_t i = 0; i < id->logs; i++)
    if (id->log[i]->note_count) return 1;
  return 0;
}

/* The law explains the records that it was fitted to, and not the one that it was not. */
static void find_doubt_by_validation(identification *id)
{
  const bristle_identified *best = id->result[0];
  const double error = isfinite(best->held_out) ? best->held_out : best->rms;
  if (!(best->validation > USELESS) && !bristle_identified_fails_validation(best)) return;
  id->contradicted = 1;
  snprintf(id->doubt, sizeof id->doubt,
           "not convincing on the validation record: there %s misses the force by %.3g %s (%.2g %%), in the fitted "
           "records by %.3g %s; compare load, temperature, direction and speeds of the records, or fit both",
           best->law->name, best->validation_rms, identify_unit(best), 100 * best->validation, error,
           identify_unit(best));
}

/* What makes even the best result unusable. A confident number from bad data does more harm than none. */
static void find_doubt(identification *id)
{
  const bristle_identified *best = id->result[0];
  id->doubt_code = BAD_DATA;
  for (size_t i = 0; i < id->logs + (id->validation != NULL); i++) {
    const bristle_log *log = i < id->logs ? id->log[i] : id->validation;
    if (!log->doubtful) continue;
    snprintf(id->doubt, sizeof id->doubt, "something is wrong with the data of %.150s, see its notes", log->file);
    return;
  }
  if (id->campaign.doubtful)
    for (size_t i = 0; i < id->campaign.note_count && !id->doubt[0]; i++)
      snprintf(id->doubt, sizeof id->doubt, "%s", id->campaign.note[i]);
  if (id->doubt[0]) return;
  id->doubt_code = UNCONVINCING;
  if (id->decay) decay_doubt(id);
  else if (id->motion) rig_doubt(id);
  else if (best->relative > USELESS)
    snprintf(id->doubt, sizeof id->doubt, "even the best law, %s, misses %.0f %% of the force%s%s", best->law->name,
             100 * best->relative, has_notes(id) ? "; look at the notes on the data" : "",
             id->reading.inverse ? "" : "; if the force accelerates a mass as well, say --mass free");
  else if (best->doubtful) snprintf(id->doubt, sizeof id->doubt, "%s", best->finding[0]);
  else find_doubt_by_validation(id);
}

static int tell_doubt(const identification *id, const identify_request *q)
{
  return failure(id->doubt_code, "do not use this result: %s%s", id->doubt,
                 q->output ? "; no model was written (--trust writes it all the same)" : "");
}

/* ---- the verb ---- */

static int write_results(const identification *id, const identify_request *q)
{
  bristle_fault fault;
  if (q->output && (!id->doubt[0] || q->trust)
      && bristle_identified_write(id->result[0], (const bristle_log *const *)id->log, id->logs, id->settings, q->output,
                                  &fault))
    return fault_exit(&fault);
  return q->report ? identify_report(id, q->report) : DONE;
}

static int identify(identification *id, const identify_request *q)
{
  int code = id->rig ? identify_rig(id, q) : identify_laws(id, q->model);
  if (!code && !id->rig) code = identify_read(id, q);
  if (!code && !id->rig) code = id->free_decay ? identify_decay(id) : identify_fit(id);
  if (!code && !id->rig && !id->free_decay) code = identify_delayed(id);
  if (!code && q->profile) code = identify_profile(id, q->profile);
  if (code) return code;
  if (!id->decay && !id->motion && !(id->view = identify_views_make(id->result[0], id->log, id->logs, id->validation)))
    return no_memory();
  find_doubt(id);
  if ((code = write_results(id, q))) return code;
  const int to_stdout = q->output && !strcmp(q->output, "-");
  if (q->json) identify_json(id, stdout);
  else if (!q->quiet) identify_text(id, to_stdout ? stderr : stdout);
  code = finish_output(stdout);
  return code || !id->doubt[0] || q->trust ? code : tell_doubt(id, q);
}

static void free_identification(identification *id)
{
  identify_views_free(id->view, id->logs + (id->validation != NULL));
  for (int i = 0; i < id->results; i++) bristle_identified_free(id->result[i]);
  for (size_t i = 0; i < id->logs; i++) bristle_log_free(id->log[i]);
  bristle_log_free(id->validation);
  bristle_decay_free(id->decay);
  bristle_motion_free(id->motion);
  for (int i = 0; i < id->given_loads; i++) free(id->given_load[i]);
  free(id);
}

static int check(void *request)
{
  identify_request *q = request;
  identification *id = q->id = calloc(1, sizeof *id);
  if (!id) return no_memory();
  snprintf(id->settings, sizeof id->settings, "%s", verb_command());
  id->fitting.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  id->fitting.term[BRISTLE_TERM_GRAVITY] = id->fitting.term[BRISTLE_TERM_GRAVITY_COSINE] = BRISTLE_TERM_CHOOSE;
  return identify_arguments(id, q);
}

static int run(void *request)
{
  const identify_request *q = request;
  return identify(q->id, q);
}

static void clear(void *request)
{
  identify_request *q = request;
  if (q->id) free_identification(q->id);
}

const verb verb_identify = {
  .name = "identify",
  .summary = "fit friction laws to a measured log, ranked, with deviations",
  .usage = "DATA.csv [MORE.csv ...] [--model LAWS] [--mass free|VALUE] [options]\n"
           "SWING.csv --free-decay [--inertia VALUE] [--gravity VALUE|free] [--mass VALUE] [options]\n"
           "--rig SCENARIO.yaml LOG.csv [MORE.csv ...] [--free mass] [--set KEY=VALUE] [options]\n"
           "--rig EXPERIMENT.yaml [--model LAWS] [options]",
  .about =
      "Fits laws to measured motion and force and says how far to trust the result. The columns are recognised by name "
      "and unit, and the guess is printed. The law is driven by the measured motion; its force is compared with the "
      "measured one, or, with --mass, with force = mass a + gravity sin x + offset + skew |v| + friction. With --rig a "
      "scenario is simulated as `bristle simulate` does and its motion is compared: docs/identify.md. No model is "
      "written unless the exit code is 0.",
  .argument = { "DATA.csv", NULL, OPTION_FILE, IN(identify_request, input),
                .help = "one record or several; '50 N=DATA.csv' gives the normal load of a whole file",
                .most = IDENTIFY_LOGS, .noun = "logs at a time" },
  .options = identify_options,
  .conflicts = identify_conflicts,
  .examples = "bristle identify examples/compare/loops.csv -o model.yaml --report model.html\n"
              "bristle identify examples/compare/loops.csv --model dahl,lugre --objective relative --profile sigma0\n"
              "bristle identify --rig examples/servo/servo.yaml -o servo.yaml --report servo.html\n",
  .request = sizeof(identify_request),
  .check = check,
  .run = run,
  .clear = clear,
};
