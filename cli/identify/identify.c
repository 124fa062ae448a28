/* bristle identify: from a measured log to friction laws with parameters, ranked. */
#include "request.h"

#include "common/cli.h"
#include "common/progress.h"

/* ---- the bar ---- */

typedef struct bar {
  progress shown;
  int started;
} bar;

/* not before the first fit: until then a signal ends the program at once */
static int show(void *context, double fraction)
{
  bar *b = context;
  if (!b->started) b->shown = progress_start("identifying");
  b->started = 1;
  return progress_show(&b->shown, fraction);
}

/* ---- the verb ---- */

/* what the page says to do with the model, by the name of its file; in the playground there are no commands */
static void tell_next(identify_request *q)
{
  const char *const model = q->output && strcmp(q->output, "-") ? q->output : "model.yaml";
  if (is_in_browser()) {
    q->asked.next = "check it on another log of the same machine; keep the model, or take it as C for a controller.";
    return;
  }
  snprintf(q->next, sizeof q->next,
           "check it on another log: `bristle compare %.120s --data OTHER.csv`. Simulate with it: `bristle simulate "
           "%.120s` shows how. Put it on a controller: `bristle export %.120s --to c99 -o friction.c`.",
           model, model, model);
  q->asked.settings = verb_command();
  q->asked.next = q->next;
  q->asked.next_doubtful = "read the notes on the log below, and record again; `bristle plan` designs a motion that "
                           "answers the question.";
}

static int check(void *request)
{
  identify_request *q = request;
  bristle_fault fault;
  bristle_study_begin(&q->asked);
  q->asked.reword = words_as_flags;
  const int code = identify_arguments(q);
  tell_next(q);
  return !code && bristle_study_check(&q->asked, &fault) ? fault_exit(&fault) : code;
}

static int write_results(const identify_request *q)
{
  bristle_fault fault;
  const bristle_study *study = q->study;
  if (q->output && (!study->doubt[0] || q->trust) && bristle_study_model(study, q->output, &fault))
    return fault_exit(&fault);
  if (q->report && bristle_study_page(study, q->report, &fault)) return fault_exit(&fault);
  FILE *const screen = q->output && !strcmp(q->output, "-") ? stderr : stdout;
  if (q->json) bristle_study_json(study, stdout);
  else if (!q->quiet) {
    FILE *words = words_open(screen);
    bristle_study_text(study, words);
    words_close(words, screen);
    if (!study->doubt[0] || q->trust) tell_written(screen, q->output);
    tell_written(screen, q->report);
  }
  return finish_output(stdout);
}

static int run(void *request)
{
  identify_request *q = request;
  bristle_fault fault;
  bar shown = { .started = 0 };
  q->asked.fitting.progress = show, q->asked.fitting.context = &shown;
  const bristle_fault_kind kind = bristle_study_run(&q->asked, &q->study, &fault);
  if (shown.started) progress_end(&shown.shown);
  if (kind) return fault_exit(&fault);
  const int code = write_results(q);
  if (code || !q->study->doubt[0] || q->trust) return code;
  return failure(q->study->doubt_is_of_data ? BAD_DATA : UNCONVINCING, "do not use this result: %s%s", q->study->doubt,
                 q->output ? "; no model was written (--trust writes it all the same)" : "");
}

static void clear(void *request) { bristle_study_free(((identify_request *)request)->study); }

const verb verb_identify = {
  .name = "identify",
  .summary = "fit friction laws to a measured log, ranked, with deviations",
  .usage = "DATA.csv [MORE.csv ...] [--model LAWS] [--mass free|VALUE] [options]\n"
           "SWING.csv --free-decay [--inertia VALUE] [--gravity VALUE|free] [--mass VALUE] [options]\n"
           "--rig SCENARIO.yaml LOG.csv [MORE.csv ...] [--free mass] [--set KEY=VALUE] [options]\n"
           "--rig EXPERIMENT.yaml [--model LAWS] [options]\n"
           "--many MANIFEST.csv -o FOLDER, the same as `bristle fleet`",
  .about = "Fits friction laws to measured motion and force, ranks them, and says how far to trust the result. "
           "Columns are recognised by name and unit, and the choice is printed. Each law is driven with the measured "
           "motion, and its force is compared with the measured one; where the log shows a mass, gravity or a "
           "spring, force = mass a + gravity sin x + offset + skew |v| + friction. With --rig a scenario is "
           "simulated, and its motion is compared (docs/identify.md). The model is written only with exit code 0.",
  .argument = { "DATA.csv", NULL, OPTION_FILE, IN(identify_request, input),
                .help = "one log or several; '50 N=DATA.csv' gives the normal load of a whole file",
                .most = BRISTLE_STUDY_LOGS, .noun = "logs at a time" },
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
