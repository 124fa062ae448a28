/* bristle identify: from a measured log to friction laws with parameters, ranked. */
#include "identify.h"

#include "common/cli.h"
#include "decay.h"
#include "rig.h"

#include <math.h>

static const double USELESS = 0.5; /* of the signal left over: a law that misses that much explains nothing */

int identify_fault(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "bristle identify: %s\n", text);
  return FAILED;
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
  id->unconvincing = 1;
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
  fprintf(stderr, "bristle identify: do not use these numbers: %s%s\n", id->doubt,
          q->output ? "; no model was written (--trust writes it all the same)" : "");
  return id->unconvincing ? UNCONVINCING : FAILED;
}

/* ---- the verb ---- */

static int write_results(const identification *id, const identify_request *q)
{
  bristle_fault fault;
  if (q->output && (!id->doubt[0] || q->trust)
      && bristle_identified_write(id->result[0], (const bristle_log *const *)id->log, id->logs, id->settings, q->output,
                                  &fault))
    return identify_fault(&fault);
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
  if (!id->decay && !id->motion
      && !(id->view = identify_views_make(id->result[0], id->log, id->logs, id->validation))) {
    fputs("bristle identify: not enough memory\n", stderr);
    return FAILED;
  }
  find_doubt(id);
  if ((code = write_results(id, q))) return code;
  const int to_stdout = q->output && !strcmp(q->output, "-");
  if (q->json) identify_json(id, stdout);
  else if (!q->quiet) identify_text(id, to_stdout ? stderr : stdout);
  code = finish_output(stdout, "identify");
  return code || !id->doubt[0] || q->trust ? code : tell_doubt(id, q);
}

/* the command as a shell would take it */
static void note_settings(identification *id, int argc, char **argv)
{
  size_t used = 0;
  for (int i = 0; i < argc && used < sizeof id->settings; i++) {
    const char *quote = strpbrk(argv[i], " *#|&;()<>$") ? "'" : "";
    used += (size_t)snprintf(id->settings + used, sizeof id->settings - used, "%s%s%s%s", i ? " " : "", quote, argv[i],
                             quote);
  }
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

static int run(int argc, char **argv)
{
  identification *id = calloc(1, sizeof *id);
  identify_request q = { 0 };
  if (!id) {
    fputs("bristle identify: not enough memory\n", stderr);
    return FAILED;
  }
  note_settings(id, argc, argv);
  id->fitting.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  id->fitting.term[BRISTLE_TERM_GRAVITY] = id->fitting.term[BRISTLE_TERM_GRAVITY_COSINE] = BRISTLE_TERM_CHOOSE;
  int code = identify_arguments(id, &q, argc, argv);
  if (!code) code = reserve_output("identify", q.output, BRISTLE_OUTPUT_DOCUMENT);
  if (!code) code = reserve_output("identify", q.report, BRISTLE_OUTPUT_PAGE);
  if (!code) code = identify(id, &q);
  free_identification(id);
  return code;
}

const verb verb_identify = {
  "identify",
  "fit friction laws to a measured log, ranked, with deviations",
  "usage: bristle identify DATA.csv [MORE.csv ...] [--model coulomb,stribeck,lugre|all] [--mass free|VALUE]\n"
  "                        [--objective absolute|relative|robust] [--validate FILE] [-o model.yaml]\n"
  "                        [--report out.html] [--json] ...\n"
  "       bristle identify SWING.csv --free-decay [--inertia VALUE] [--gravity VALUE|free] [--mass VALUE] ...\n"
  "       bristle identify --rig SCENARIO.yaml LOG.csv [MORE.csv ...] [--free mass] [--set KEY=VALUE] ...\n"
  "       bristle identify --rig EXPERIMENT.yaml [--model LAWS] [-o model.yaml] [--report out.html] [--json]\n\n"
  "Fits laws to measured motion and force and says how far to trust the numbers. The columns are recognised by name\n"
  "and unit, and the guess is printed. The law is driven by the measured motion; its force is compared with the\n"
  "measured one, or, with --mass, with force = mass a + gravity sin x + offset + skew |v| + friction. With --rig a\n"
  "scenario is simulated as `bristle simulate` does and its motion is compared: docs/identify.md.\n\n"
  "  DATA.csv     one record or several; '50 N=DATA.csv' gives the normal load of a whole file\n"
  "  --time, --position, --velocity, --acceleration, --force, --load COL   the column, by name or place ('#2'),\n"
  "               perhaps with factor, shift and unit: --force 'motor_voltage*35.15 N', 'current*12 N*m',\n"
  "               --position 'q2+0.5 rad'; none: that column is not used\n"
  "  --reference COL   what position or velocity should have been   --rate HZ   for a table without time\n"
  "  --join FILE  columns of another file, at the times of this one; both clocks must be the same\n"
  "  --weight COL how much each sample counts: 0 not at all, otherwise as 1/deviation^2; without it all alike\n"
  "  --cutoff HZ  of the zero-phase filter where a derivative is missing; without it the data choose; none: no filter\n"
  "  --delay S    that the force was measured late ('2 ms'), or none; without it a delay that explains most of what\n"
  "               is left is taken out and told\n"
  "  --from, --to S   the part of the record that is used\n"
  "  --decimate N all columns alike through one filter, then every N-th residual counts\n"
  "  --model      laws, or all; without it coulomb, stribeck, asymmetric, dahl, lugre and elasto_plastic\n"
  "  --mass, --offset, --gravity, --skew   free, none or a value; the offset is free unless you say otherwise. skew\n"
  "               |v| is what the directions differ by; with several laws the best three are tried with it as well\n"
  "  --term NAME=EXPRESSION   one more force of the balance, NAME times the expression, NAME unknown; up to eight. It "
  "is\n"
  "               made of columns of the file: numbers, + - * / ^ ( ), sin cos tan abs sqrt exp sign, and derivatives\n"
  "               behind the same filter: --term 'inertia12=ddq2*cos(q1-q2)', --term 'pull=#4'. Without any, another\n"
  "               torque or force of the file is tried as a load that the drive carries\n"
  "  --free-decay a motion that nothing drives (a swing, a coast, a body on a spring): position or velocity alone. Of\n"
  "               --inertia or --mass, --gravity, --stiffness (a value, free or none) one value sets the scale; "
  "without\n"
  "               any, everything is found per unit inertia. Releases are found in the record\n"
  "  --rig FILE   a scenario, whose programs may name columns of the log (force: {column: motor_force}); the "
  "parameters\n"
  "               of its law are searched from the values of the file. --free KEY[=LO..HI] searches a number of the\n"
  "               scenario (mass, initial.v, force.sine.amplitude) or bounds a parameter, in the unit of the file;\n"
  "               --free start: where each run begins; --set changes the scenario; --compare x,v=COLUMN says what is\n"
  "               compared; --candidates N, --starts N: random sets tried, and refined to the end. A file with `runs`\n"
  "               and `unknown` is an experiment: docs/experiments.md\n"
  "  --fix NAME[=VALUE]   holds a parameter   --free NAME   fits one that is usually held, such as an exponent\n"
  "  --load-form  coefficient (the default with a load), level, or force, which leaves the load aside\n"
  "  --objective  absolute; relative: errors by the force, at least --floor (0.05) of the greatest; robust: outliers\n"
  "               count less\n"
  "  --folds N    pieces of the record that are held out in turn, 4; their error ranks the laws; 0: none\n"
  "  --validate FILE   another record, unseen by fit and ranking (unless there are no folds), to check the result "
  "with\n"
  "  --profile NAME    profile likelihood of a parameter of the best law\n"
  "  --seed N     of the screening; the same seed gives the same result   --threads N   2\n"
  "  -o FILE      the best law as a model file, for `friction: {file: model.yaml}`\n"
  "  --report     a page with pictures   --json   everything for machines   --quiet   no summary\n"
  "  --trust      writes the model and exits with 0 even where the data are doubtful or no law fits them\n\n"
  "exit codes: 0 fine; 1 the data are doubtful, cannot be read, or no law fits them; 2 wrong call; 3 the law fits but\n"
  "misses the validation record more than twice as much. No model is written unless 0.\n\n"
  "examples:\n"
  "  bristle identify examples/compare/loops.csv -o model.yaml --report model.html\n"
  "  bristle identify examples/compare/loops.csv --model dahl,lugre --objective relative --profile sigma0\n"
  "  bristle identify --rig examples/servo/servo.yaml -o servo.yaml --report servo.html\n",
  run,
};
