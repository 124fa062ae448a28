/* Time against true error on stiff rigs with a LuGre contact: the native solver, CVODE and, where they can be had,
 * SciPy's LSODA and Radau and Octave's lsode and ode15s, in one run.
 *
 * Error: the largest distance from the reference on a grid of 100 points a second; the time includes filling that grid.
 * Every solver is swept over its tolerances (CVODE also over nine weightings of them), and the setting shown is the
 * cheapest one that meets the target together with every tighter setting of its kind: not the luckiest. Times are
 * medians of interleaved repetitions on one thread. The reference is the native solver at 1e-13; CVODE at 1e-13 is
 * printed beside it. */
#include "solver.h"

#include "bristle/params.h"
#include "lab/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SETTINGS = 41, WEIGHTS = 9, REPEATS = 15, SPEEDS = 32, TARGETS = 3 };
static const double targets[TARGETS] = { 1e-4, 1e-6, 1e-8 };
static const plant stick_slip = { .name = "stick-slip", .mass = 1, .stiffness = 2, .speed = 0.1, .end = 20 };
static const plant others[] = {
  { .name = "belt", .mass = 1, .stiffness = 10, .base = 0.1, .end = 20 },
  { .name = "PID hunting", .mass = 1, .kp = 3, .kd = 6, .ki = 4, .target = 1, .end = 100 },
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static double median(double *list, int count)
{
  qsort(list, (size_t)count, sizeof *list, by_size);
  return list[count / 2];
}

/* ---- our solver ---- */

typedef struct grid {
  double *x;
  int filled, points;
} grid;

/* the points of the grid that fall on this piece of the path */
static int fill(void *context, const bristle_segment *piece)
{
  grid *g = context;
  const double per_h = 1 / piece->h, *c = piece->c, first = -piece->t * per_h, step = per_h / GRID;
  int last = (int)((piece->t + piece->h) * GRID + 1e-9);
  if (last > g->points - 1) last = g->points - 1;
  for (int i = g->filled; i <= last; i++) {
    const double s = first + i * step;
    g->x[i] = c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
  }
  if (last >= g->filled) g->filled = last + 1;
  return 0;
}

static long run_native(const plant *p, double rtol, int ledger, double *x)
{
  bristle_lugre law = bristle_lugre_default();
  const double times[] = { 0, 2 * p->end }, anchor[] = { 0, 2 * p->end * p->speed };
  law.sigma1 = 316.22776601683796;
  bristle_rig rig = { .kind = BRISTLE_RIG_AXIS };
  bristle_axis *a = &rig.as.axis;
  a->mass = p->mass;
  a->stiffness = p->stiffness;
  a->kp = p->kp;
  a->kd = p->kd;
  a->ki = p->ki;
  a->anchor = (bristle_program){ .count = 2, .t = times, .y = anchor };
  a->target.offset = p->target;
  a->base.offset = p->base;
  a->load.offset = 1;
  a->contact = (bristle_contact){ .law = bristle_law_find("lugre"), .p = (const double *)&law };
  grid g = { .x = x, .points = points_of(p) };
  const bristle_sim_sink sink = { .context = &g, .segment = fill };
  const bristle_sim_options options = {
    .method = BRISTLE_METHOD_NATIVE, .end = p->end, .rtol = rtol, .no_ledger = !ledger
  };
  bristle_sim_stats stats;
  bristle_sim_error error;
  if (bristle_simulate(&rig, &options, &sink, &stats, &error)) {
    printf("native: %s\n", error.what);
    exit(1);
  }
  return (long)stats.steps;
}

/* ---- settings ---- */

/* from loose to tight, a quarter of a decade each */
static double rtol_of(int index) { return 1e-2 * pow(10, -0.25 * index); }

static setting weighted(int index, int weight)
{
  static const double v[] = { 1, 0.1, 0.01 }, z[] = { 1e-4, 1e-5, 1e-6 };
  return (setting){ rtol_of(index), 1, v[weight / 3], z[weight % 3] };
}

typedef struct result {
  double error, time;
  long steps;
} result;

/* the loosest setting that meets the target with all tighter ones; SETTINGS where there is none */
static int robust(const result *list, double target)
{
  int i = SETTINGS;
  while (i > 0 && list[i - 1].error <= target) i--;
  return i;
}

static double distance(const double *x, const double *reference, int points)
{
  double most = 0;
  for (int i = 0; i < points; i++) most = fmax(most, fabs(x[i] - reference[i]));
  return most;
}

/* ---- a set of plants: worst error, mean time ---- */

typedef struct trial {
  const plant *plants;
  int count;
  double *reference; /* count x MOST_POINTS */
  peer *peer;
} trial;

static result sweep_native(const trial *t, int index, int ledger)
{
  static double x[MOST_POINTS];
  result r = { 0 };
  for (int i = 0; i < t->count; i++) {
    const double begun = now();
    r.steps += run_native(&t->plants[i], rtol_of(index), ledger, x);
    r.time += (now() - begun) / t->count;
    r.error = fmax(r.error, distance(x, t->reference + i * MOST_POINTS, points_of(&t->plants[i])));
  }
  r.steps /= t->count;
  return r;
}

static result sweep_peer(const trial *t, const setting *s)
{
  static double x[MOST_POINTS];
  result r = { 0 };
  for (int i = 0; i < t->count; i++) {
    const double begun = now();
    const long steps = peer_run(t->peer, &t->plants[i], s, x);
    r.time += (now() - begun) / t->count;
    r.error = fmax(r.error,
                   steps < 0 ? HUGE_VAL : distance(x, t->reference + i * MOST_POINTS, points_of(&t->plants[i])));
    r.steps += steps;
  }
  r.steps /= t->count;
  return r;
}

/* the chosen settings once more, in turn */
static void race(const trial *t, double target, int ours, const setting *theirs)
{
  double time[3][REPEATS];
  const int repeats = t->count > 1 ? 3 : REPEATS;
  result native = { 0 }, cvode = { 0 };
  for (int i = 0; i < repeats; i++) {
    time[0][i] = (native = sweep_native(t, ours, 0)).time;
    time[1][i] = (cvode = sweep_peer(t, theirs)).time;
    time[2][i] = sweep_native(t, ours, 1).time;
  }
  const double mine = median(time[0], repeats), other = median(time[1], repeats);
  printf("  %.0e m: CVODE / native = %5.1f, with the energy ledger %5.1f   (native rtol %.1e, %ld steps, error %.1e; "
         "CVODE rtol %.1e, %ld steps, error %.1e)\n",
         target, other / mine, other / median(time[2], repeats), rtol_of(ours), native.steps, native.error,
         theirs->rtol, cvode.steps, cvode.error);
}

/* Bits of `weightings` say which ones to sweep; returns those that were best for some target. */
static unsigned compare(const trial *t, unsigned weightings)
{
  unsigned chosen = 0;
  static result ours[SETTINGS], theirs[WEIGHTS][SETTINGS];
  for (int i = 0; i < SETTINGS; i++) ours[i] = sweep_native(t, i, 0);
  for (int w = 0; w < WEIGHTS; w++)
    for (int i = 0; i < SETTINGS; i++) {
      const setting s = weighted(i, w);
      theirs[w][i] = weightings >> w & 1 ? sweep_peer(t, &s) : (result){ .error = HUGE_VAL };
    }
  for (int k = 0; k < TARGETS; k++) {
    const int mine = robust(ours, targets[k]);
    int best = -1, at = 0;
    for (int w = 0; w < WEIGHTS; w++) {
      const int i = robust(theirs[w], targets[k]);
      if (i < SETTINGS && (best < 0 || theirs[w][i].time < theirs[best][at].time)) best = w, at = i;
    }
    if (best < 0 || mine == SETTINGS) {
      printf("  %.0e m: not reached by %s\n", targets[k], best < 0 ? "CVODE" : "the native solver");
      continue;
    }
    const setting s = weighted(at, best);
    chosen |= 1u << best;
    race(t, targets[k], mine, &s);
  }
  return chosen;
}

static unsigned bench(const plant *plants, int count, unsigned weightings)
{
  static double check[MOST_POINTS];
  trial t = { plants, count, malloc((size_t)count * MOST_POINTS * sizeof(double)), peer_open(plants) };
  double apart = 0;
  if (!t.reference) exit(1);
  for (int i = 0; i < count; i++) {
    const setting tight = { 1e-13, 1, 1e-2, 1e-6 };
    run_native(&plants[i], 1e-13, 0, t.reference + i * MOST_POINTS);
    peer_run(t.peer, &plants[i], &tight, check);
    apart = fmax(apart, distance(check, t.reference + i * MOST_POINTS, points_of(&plants[i])));
  }
  printf("%s, %g s%s: references by the native solver and by CVODE at 1e-13 are %.1e m apart\n", plants->name,
         plants->end, count > 1 ? ", worst of all speeds" : "", apart);
  const unsigned chosen = compare(&t, weightings);
  peer_close(t.peer);
  free(t.reference);
  return chosen;
}

/* ---- SciPy, if it is there ---- */

/* hands the reference to the script and prints its times beside ours */
/* Solvers of another language on the stick-slip benchmark: `command` gets the reference's file and prints a line for
   each method and target: method, target, seconds, error. */
static void bench_script(const char *language, const char *command, const char *reference, const trial *t,
                         const result *ours)
{
  char line[512], method[32];
  double target, seconds, error;
  int lines = 0;
  snprintf(line, sizeof line, "%s %s 2>/dev/null", command, reference);
  FILE *answers = popen(line, "r");
  while (answers && fgets(line, sizeof line, answers))
    if (sscanf(line, "%31s %lf %lf %lf", method, &target, &seconds, &error) == 4) {
      double time[REPEATS];
      const int index = robust(ours, target);
      if (!lines++) printf("stick-slip, beside %s\n", language);
      for (int i = 0; i < REPEATS; i++) time[i] = sweep_native(t, index, 0).time;
      printf("  %.0e m: %s %s / native = %.0f   (its error %.1e)\n", target, language, method,
             seconds / median(time, REPEATS), error);
    }
  if (answers) pclose(answers);
  if (!lines) printf("%s: not there\n", language);
}

static void bench_scripts(void)
{
  static double x[MOST_POINTS];
  char name[] = "/tmp/bristle-solver-XXXXXX";
  const int file = mkstemp(name);
  FILE *reference = file < 0 ? NULL : fdopen(file, "wb");
  if (!reference) return;
  run_native(&stick_slip, 1e-13, 0, x);
  fwrite(x, sizeof *x, (size_t)points_of(&stick_slip), reference);
  fclose(reference);
  const trial t = { &stick_slip, 1, x, NULL };
  result ours[SETTINGS];
  for (int i = 0; i < SETTINGS; i++) ours[i] = sweep_native(&t, i, 0);
  bench_script("SciPy", "python3 " BENCH_FOLDER "/solver_scipy.py", name, &t, ours);
  bench_script("Octave", "octave-cli --norc " BENCH_FOLDER "/solver_octave.m", name, &t, ours);
  remove(name);
}

/* for the page of `make bench` (bench/page.py): every setting on stick-slip; the reference goes to a file */
static void print_points(const char *path)
{
  static double reference[MOST_POINTS];
  const trial t = { &stick_slip, 1, reference, peer_open(&stick_slip) };
  FILE *file = fopen(path, "wb");
  run_native(&stick_slip, 1e-13, 0, reference);
  if (file) fwrite(reference, sizeof *reference, (size_t)points_of(&stick_slip), file), fclose(file);
  for (int i = 0; i < SETTINGS; i++) {
    double time[5];
    result r = { 0 };
    for (int k = 0; k < 5; k++) time[k] = (r = sweep_native(&t, i, 0)).time;
    printf("error|Bristle, native|%.1e|%.4g|%.3g\n", rtol_of(i), median(time, 5), r.error);
    for (int w = 0; w < WEIGHTS; w++) {
      const setting s = weighted(i, w);
      r = sweep_peer(&t, &s);
      printf("error|CVODE|%.1e|%.4g|%.3g\n", s.rtol, r.time, r.error);
    }
  }
  peer_close(t.peer);
}

int main(int argc, char **argv)
{
  static plant speeds[SPEEDS];
  if (argc > 2 && !strcmp(argv[1], "points")) {
    print_points(argv[2]);
    return 0;
  }
  printf("Time against true error; BDF, dense, analytic Jacobian for CVODE; robust settings on both sides\n");
  const unsigned any = (1u << WEIGHTS) - 1, tuned = bench(&stick_slip, 1, any);
  for (int i = 0; i < SPEEDS; i++) {
    speeds[i] = stick_slip;
    speeds[i].speed = 0.05 + 0.1 * i / (SPEEDS - 1);
  }
  speeds[0].name = "stick-slip at 32 drive speeds from 0.05 to 0.15 m/s";
  bench(speeds, SPEEDS, tuned);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) bench(&others[i], 1, any);
  bench_scripts();
  return 0;
}
