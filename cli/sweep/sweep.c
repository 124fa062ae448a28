/* bristle sweep: a scenario many times. */
#include "sweep.h"

#include "common/progress.h"
#include "device.h"
#include "platform/platform.h"
#include "ranks.h"

/* ---- options ---- */

static int read_shard(void *asked, const option *o, const char *value)
{
  sweep_request *q = asked;
  static const long long most = 1000000000;
  char *end, *after = NULL;
  const long long i = strtoll(value, &end, 10), n = *end == '/' ? strtoll(end + 1, &after, 10) : 0;
  if (*value < '0' || *value > '9' || !after || *after || end[1] < '0' || end[1] > '9' || i < 1 || n < i || n > most)
    return usage_error("%s is I/N with I from 1 to N, such as 2/8, and N up to %lld; got '%s'", o->name, most, value);
  q->shard = (unsigned long long)(i - 1), q->shards = (unsigned long long)n;
  return DONE;
}

static int read_device(void *asked, const option *o, const char *value)
{
  sweep_request *q = asked;
  q->cuda = !strcmp(value, "cuda");
  return q->cuda || !strcmp(value, "cpu") ? DONE : usage_error("%s is cpu or cuda; got '%s'", o->name, value);
}

static int check(void *asked)
{
  const sweep_request *q = asked;
  if (q->check && q->spec) return usage_error("--check looks at a folder with results, and needs no spec");
  if (q->check) return DONE;
  if (!q->spec) return usage_error("no sweep given: name its spec, a YAML file");
  if (!q->folder || !*q->folder) return usage_error("no output folder given: use -o FOLDER");
  return DONE;
}

/* ---- computing ---- */

typedef struct watch {
  progress bar;
  const ranks *ranks; /* or NULL */
  const device *gpu;  /* or NULL */
  int told;
} watch;

/* Ctrl-C: the chunk that was begun is finished, so that nothing is lost */
static int show(void *context, unsigned long long done, unsigned long long of)
{
  watch *w = context;
  if (w->ranks) w->ranks->listen();
  if (w->ranks && w->ranks->rank ? !progress_is_stopped() : !progress_show(&w->bar, (double)done / (double)of))
    return 0;
  progress_be_patient();
  if (!w->told++) fprintf(stderr, "bristle sweep: finishing this chunk; Ctrl-C again ends at once\n");
  return 1;
}

static int march(void *context, const bristle_law *law, const bristle_ensemble *e, char why[200])
{
  return device_march(((const watch *)context)->gpu, law, e, why);
}

static unsigned long long next(void *context) { return ((const watch *)context)->ranks->next(); }

static int go_on(const sweep_request *q, const bristle_sweep *s, const bristle_sweep_state *state)
{
  return failure(STOPPED, "stopped; %llu of %llu chunks are in %s, and the same command goes on from there",
                 s->chunks - state->missing, s->chunks, q->folder);
}

static int compute(const sweep_request *q, bristle_sweep *s, const ranks *r, bristle_sweep_state *state)
{
  const int here = r ? 1 : platform_processors();
  bristle_fault fault;
  watch w = { progress_start("sweeping"), r, NULL, 0 };
  device gpu;
  const bristle_sweep_options options = { .threads = q->threads ? (int)q->threads : here,
                                          .shard = q->shard,
                                          .shards = q->shards,
                                          .context = &w,
                                          .next = r ? next : NULL,
                                          .progress = show,
                                          .march = q->cuda ? march : NULL };
  int code = q->cuda ? device_find(&gpu) : DONE;
  w.gpu = &gpu;
  if (!code) code = make_folder(q->folder);
  if (code) return code;
  const bristle_fault_kind kind = bristle_sweep_compute(s, q->folder, &options, state, &fault);
  progress_end(&w.bar);
  if (kind) return fault_exit(&fault);
  if (state->again)
    fprintf(stderr, "bristle sweep: %llu chunk%s there but not whole, and computed again\n", state->again,
            state->again == 1 ? " was" : "s were");
  return state->stopped && state->missing ? go_on(q, s, state) : DONE;
}

/* All ranks take chunks until there are none left; the first then sums up, and finds whatever another left undone. */
static int compute_together(const sweep_request *q, bristle_sweep *s, const ranks *r, bristle_sweep_state *state)
{
  int code = compute(q, s, r, state);
  if (code && code != STOPPED) r->abort(code);
  r->wait();
  if (!code && !r->rank) code = compute(q, s, NULL, state);
  return code;
}

/* ---- results ---- */

static int finish(const sweep_request *q, bristle_sweep *s, const char *folder)
{
  bristle_sweep_summary *sum;
  bristle_fault fault;
  bristle_fault_kind kind = bristle_sweep_sum(s, folder, &sum, &fault);
  if (!kind && q->merge) kind = bristle_sweep_merge(s, folder, q->merge, &fault);
  int code = kind ? fault_exit(&fault) : DONE;
  if (!code && q->report) code = sweep_page(s, sum, q->report);
  if (!code && q->json) sweep_json(s, folder, sum, stdout);
  else if (!code && !q->quiet) {
    FILE *words = words_open(stdout);
    sweep_tell(s, folder, sum, words);
    if (q->merge) fprintf(words, "  merged     %s\n", q->merge);
    if (q->report) fprintf(words, "  report     %s\n", q->report);
    words_close(words, stdout);
  } else if (!code) sweep_tell_failures(s, sum, stderr);
  bristle_sweep_summary_free(sum);
  return code ? code : finish_output(stdout);
}

static int check_folder(const sweep_request *q)
{
  bristle_sweep *s;
  bristle_fault fault;
  bristle_fault_kind kind = bristle_sweep_folder(q->check, &s, &fault);
  if (kind) return fault_exit(&fault);
  kind = bristle_sweep_check(s, q->check, &fault);
  const int code = kind ? fault_exit(&fault) : finish(q, s, q->check);
  bristle_sweep_free(s);
  return code;
}

static int tell_missing(const sweep_request *q, const bristle_sweep *s, const bristle_sweep_state *state)
{
  if (q->json)
    printf("{\"computed\": %llu, \"found\": %llu, \"missing\": %llu, \"chunks\": %llu}\n", state->computed,
           state->found, state->missing, s->chunks);
  else if (!q->quiet)
    printf("%llu chunks computed, %llu were there; %llu of %llu are still to do by other shards\n", state->computed,
           state->found, state->missing, s->chunks);
  return finish_output(stdout);
}

static int run(void *asked)
{
  const sweep_request *q = asked;
  bristle_sweep *s;
  bristle_sweep_state state;
  bristle_fault fault;
  const ranks *r;
  if (q->check) return check_folder(q);
  int code = ranks_find(&r);
  if (code) return code;
  if (bristle_sweep_read(q->spec, &s, &fault)) {
    code = fault_exit(&fault);
    if (r) r->abort(code);
    return code;
  }
  if (q->cuda && !s->marches)
    code = failure(USAGE,
                   "--device cuda runs specs with `engine: ensemble` and a scenario with solver: {method: coupled, "
                   "step: 1 ms}; this one has neither, or not both");
  else code = r ? compute_together(q, s, r, &state) : compute(q, s, NULL, &state);
  if (!code && !(r && r->rank)) code = state.missing ? tell_missing(q, s, &state) : finish(q, s, q->folder);
  bristle_sweep_free(s);
  if (r) r->end();
  return code;
}

static const option options[] = {
  { "-o", "FOLDER", OPTION_FOLDER, IN(sweep_request, folder),
    .help = "where the results go, made when it does not exist: chunk-000000.npy, ... and manifest.json. What is there "
            "of the same sweep is not computed again",
    .also = "--output" },
  { "--threads", "N", OPTION_WHOLE, IN(sweep_request, threads), .help = "number of threads; by default all processors",
    .least = 1 },
  { "--shard", "I/N", OPTION_CALL, 0,
    .help = "computes every N-th chunk only, beginning with the I-th: for N machines that share the folder, or whose "
            "chunk files are put together afterwards. The process that finds all chunks there writes the summary",
    .read = read_shard },
  { "--device", "NAME", OPTION_CALL, 0,
    .help = "cpu, or cuda: an NVIDIA GPU marches specs with engine: ensemble, to the same bytes. Needs libbristle-cuda "
            "(`make cuda`), which is looked for beside the tool and where BRISTLE_CUDA says",
    .read = read_device },
  { "--check", "FOLDER", OPTION_TEXT, IN(sweep_request, check),
    .help = "compares every chunk with its digest, and sums up what is there, without the spec", .noun = "folder" },
  { "--merge", "OUT.npy", OPTION_RESULT, IN(sweep_request, merge),
    .help = "all rows in one file: NPY, or a table where the name ends in .csv", .noun = "file" },
  OPTION_REPORT(sweep_request, "a page with maps over the first two keys, distributions and sensitivities"),
  OPTION_JSON(sweep_request, "full result as JSON"),
  { "--quiet", NULL, OPTION_SWITCH, IN(sweep_request, quiet), .help = "no summary" },
  OPTIONS_END
};

static const option details[] = {
  GROUP("keys of a spec"),
  { "scenario", .help = "the file of a scenario, seen from the spec, or its keys themselves" },
  { "identification",
    .help = "instead of a scenario: {file: LOG.csv, model: lugre, cutoff: 50 Hz, mass: free, noise: {F: 0.1 N}}; its "
            "keys may be swept as well, and quantities are its parameters, their deviations (fc.std), error and rms" },
  { "set", .help = "{time.output: 100 ms, solver.rtol: 1e-6}: values that replace those of the scenario in all runs" },
  { "keys",
    .help = "what differs from run to run, by its place in the scenario as for `simulate --set`: speed, friction.fc, "
            "time.end, links.2.mass. Each is a list of values, {from: 1 N, to: 2 N, count: 11, scale: log}, or drawn: "
            "{uniform: [LO, HI]}, {loguniform: [LO, HI]}, {normal: [MEAN, STD]}, {lognormal: [MEDIAN, FACTOR]}. "
            "{..., times: NAME} multiplies it by a key before it" },
  { "runs", .help = "number of draws for each point of the grids" },
  { "sampling", .help = "random (the usual; keys that break a rule of the law are drawn again) or sobol, which fills "
                        "the space evenly" },
  { "indices", .help = "true: Sobol's indices, first and total, from runs x (keys + 2) runs" },
  { "seed", .help = "seed of the random values (0)" },
  { "quantities",
    .help = "[end.x, min.F, max.F, mean.v, ...] of each column, from rows `time.output` apart; stick_slip (1: it let "
            "go at least twice, 0: it slid all along, nan: the run is too short to tell), period, slips, sticks, "
            "reversals, events, steps; energy.in, energy.stored, "
            "energy.lost, energy.friction, energy.residual" },
  { "series", .help = "[x, F]: whole columns" },
  { "after", .help = "5 s: extrema, means and events count from then on (0)" },
  { "steps", .help = "a run that needs more has failed (1000000)" },
  { "engine",
    .help = "ensemble: all runs of a chunk go through fixed coupled steps together, which is faster where many "
            "short steps are wanted, and on a GPU; for mass, spring-pull, belt, servo and pendulum with constant "
            "forces, loads and speeds and solver: {method: coupled, step: 1 ms}. Otherwise solver" },
  { "chunk", .help = "runs in one file (by default a thousandth of all, 100 to 100000)" },
  { "title", .help = "text for the page" },
  OPTIONS_END
};

const verb verb_sweep = {
  .name = "sweep",
  .summary = "run a scenario many times, over grids or random values",
  .usage = "SPEC.yaml -o FOLDER [--shard I/N] [--threads N] [--device cuda] [--merge OUT.npy] [--report OUT.html]\n"
           "--check FOLDER [--merge OUT.npy] [--report OUT.html]",
  .about = "Runs a scenario many times, thousands to billions, with different values of its keys. The same spec gives "
           "the same "
           "bytes, on any number of threads, shards and ranks, and after any interruption: Ctrl-C finishes the chunk, "
           "and the same command goes on.",
  .argument = { "SPEC.yaml", NULL, OPTION_FILE, IN(sweep_request, spec), .help = "the spec; its keys are listed below",
                .noun = "spec" },
  .options = options,
  .details = details,
  .examples = "bristle sweep examples/sweeps/stick_slip.yaml -o sweep --report sweep.html\n"
              "bristle sweep --check sweep --merge sweep.csv\n",
  .request = sizeof(sweep_request),
  .check = check,
  .run = run,
};
