/* Synthetic truth: axes with known random parameters, one percent of noise, fitted from nothing but the data. What is
   found must be what was put in, as often and as exactly as the deviations claim. */
#include "lab/identify.h"
#include "maths/random.h"
#include "support/test.h"

enum { SAMPLES = 8000, PARAMETERS = 27, LAWS = 5, ELEMENTS = 4 };
static const double STEP = 1e-3;

typedef struct axis {
  const bristle_law *law;
  double p[BRISTLE_LAW_SIZE];
  double level, length, speed; /* static level, presliding length, Stribeck speed: what the motion must cover */
} axis;

/* ---- random axes ---- */

static double between(uint64_t *state, double lo, double hi) { return lo * pow(hi / lo, random_unit(state)); }

static double normal(uint64_t *state)
{
  double a = random_unit(state), b = random_unit(state);
  return sqrt(-2 * log(a + 1e-300)) * cos(6.283185307179586 * b);
}

static void put(axis *a, const char *name, double value)
{
  const bristle_row *row = bristle_param_find(a->law->f64->info, name);
  if (row) a->p[row->first] = value;
}

static axis random_axis(const char *law, uint64_t *state)
{
  axis a = { .law = bristle_law_find(law) };
  bristle_defaults(a.law->f64->info, a.p);
  double fc = between(state, 0.3, 100), excess = between(state, 0.2, 0.8), speed = between(state, 1e-3, 1e-2);
  double sigma0 = fc / between(state, 1e-5, 1e-4), sigma1 = between(state, 0.2, 0.8) * fc / speed;
  put(&a, "fc", fc);
  put(&a, "fs", fc * (1 + excess));
  put(&a, "vs", speed);
  put(&a, "sigma0", sigma0);
  put(&a, "sigma1", sigma1);
  put(&a, "sigma2", between(state, 0.5, 3) * fc);
  put(&a, "zba", between(state, 0.3, 0.8) * fc / sigma0);
  put(&a, "c", fc * between(state, 20, 100));
  const bristle_row *k = bristle_param_find(a.law->f64->info, "k"),
                    *share = bristle_param_find(a.law->f64->info, "alpha");
  if (k && share) { /* elements that yield one after the other */
    double total = 0, way = 0.3 * fc / sigma0;
    for (int i = 0; i < ELEMENTS; i++) total += a.p[share->first + i] = between(state, 0.5, 2);
    for (int i = 0; i < ELEMENTS; i++) {
      a.p[share->first + i] /= total;
      a.p[k->first + i] = a.p[share->first + i] * fc / way;
      way *= between(state, 2, 3);
    }
    put(&a, "sigma1", 0);
  }
  a.level = fc * (1 + excess), a.length = fc / sigma0, a.speed = speed;
  return a;
}

/* ---- what was recorded ---- */

/* strokes of very different length and speed: presliding, the Stribeck drop and fast sliding all occur */
static double position(const axis *a, double t)
{
  double fast = 0.25, slow = 2 * a->speed, ramp = t < 0.3 ? t * t * (0.9 - 2 * t) / 0.027 : 1;
  double late = fmin(fmax(t - 4, 0), 0.5), later = late * late * (1.5 - 2 * late) * 4;
  return ramp
         * (fast / (6.2832 * 0.5) * sin(6.2832 * 0.5 * t) * later + slow / (6.2832 * 0.9) * sin(6.2832 * 0.9 * t)
            + 2 * a->length * sin(6.2832 * 3.1 * t) + 0.4 * a->length * sin(6.2832 * 11.3 * t));
}

/* the states between two samples in many small steps, so that the data do not share the fit's one step */
static double force_at_end(const axis *a, double *s, double from)
{
  enum { PARTS = 20 };
  bristle_input in = { .n = 1, .h = STEP / PARTS };
  double rate[BRISTLE_LAW_SIZE];
  for (int k = 0; k < PARTS && a->law->f64->info->nstate; k++) {
    double begin = from + in.h * k;
    in.x = position(a, begin);
    in.v = (position(a, begin + in.h) - in.x) / in.h;
    a->law->f64->step(a->p, s, &in, NULL);
  }
  double end = from + STEP, little = 1e-6;
  in.v = (position(a, end + little) - position(a, end - little)) / (2 * little);
  in.x = position(a, end);
  return a->law->f64->eval(a->p, s, &in, rate);
}

/* a log as its reader would make it, from text */
static bristle_log *record(const axis *a, double noise, uint64_t *state)
{
  char *text = malloc(SAMPLES * 100 + 100);
  size_t used = (size_t)sprintf(text, "t [s],x [m],v [m/s],F [N]\n");
  double s[BRISTLE_LAW_SIZE] = { 0 };
  for (int i = 0; i < SAMPLES; i++) {
    double t = i * STEP, little = 1e-6, f = i ? force_at_end(a, s, t - STEP) : 0;
    double v = (position(a, t + little) - position(a, t - little)) / (2 * little);
    if (!i) { /* nothing has moved yet */
      double rate[BRISTLE_LAW_SIZE];
      f = a->law->f64->eval(a->p, s, &(bristle_input){ .v = v, .n = 1 }, rate);
    }
    used += (size_t)sprintf(text + used, "%.9g,%.15g,%.15g,%.15g\n", t, position(a, t), v,
                            f + noise * a->level * normal(state));
  }
  bristle_table *table = NULL;
  bristle_log *log = NULL;
  bristle_fault fault;
  bristle_log_options options = { 0 };
  if (bristle_table_parse("made up", text, used, &table, &fault)
      || bristle_log_from_table(table, &options, &log, &fault))
    CHECK(0, "%s", fault.what);
  bristle_table_free(table);
  free(text);
  return log;
}

/* ---- the count ---- */

typedef struct tally {
  const char *law;
  int cases, recovered;
  int seen[PARAMETERS], covered[PARAMETERS];
  char name[PARAMETERS][32];
} tally;

/* recovered: the error left is the noise, and every number that the fit calls determined is within four deviations */
static void count_case(tally *t, const axis *a, const bristle_identified *r, double noise)
{
  int good = r->rms < 1.05 * noise * a->level;
  for (int k = 0; k < a->law->f64->info->nparam && k < PARAMETERS; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (!x->free || x->reason[0]) continue;
    double miss = fabs(x->value - a->p[k]) / x->deviation;
    snprintf(t->name[k], sizeof t->name[k], "%s", x->name);
    t->seen[k]++;
    t->covered[k] += miss < 1.96;
    if (miss > 5 && fabs(x->value - a->p[k]) > 0.02 * fabs(a->p[k])) good = 0;
  }
  t->recovered += good;
  t->cases++;
  if (!good && getenv("BRISTLE_TRUTH_SHOW")) {
    printf("  %s case %d: rms %.3g of %.3g\n", t->law, t->cases, r->rms, noise * a->level);
    for (int k = 0; k < a->law->f64->info->nparam; k++)
      if (r->estimate[k].free)
        printf("    %-8s %12.5g +- %-10.3g truth %12.5g  %.1f %s\n", r->estimate[k].name, r->estimate[k].value,
               r->estimate[k].deviation, a->p[k], (r->estimate[k].value - a->p[k]) / r->estimate[k].deviation,
               r->estimate[k].reason[0] ? "(not determined)" : "");
  }
}

static tally run_law(const char *law, int cases, unsigned long long seed)
{
  const double noise = 0.01;
  tally t = { .law = law };
  for (int i = 0; i < cases; i++) {
    uint64_t state = seed + 1000ull * (unsigned long long)i;
    axis a = random_axis(law, &state);
    bristle_log *log = record(&a, noise, &state);
    bristle_fault fault;
    bristle_identified *r = NULL;
    bristle_identify_options options = { .folds = -1, .seed = 7 };
    options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
    if (!log) return t;
    CHECK(!bristle_identify(a.law, (const bristle_log *const *)&log, 1, NULL, &options, &r, &fault), "%s", fault.what);
    if (r) count_case(&t, &a, r, noise);
    bristle_identified_free(r);
    bristle_log_free(log);
  }
  return t;
}

static const char *const laws[LAWS] = { "lugre", "dahl", "elasto_plastic", "gms", "stribeck" };

/* ---- the intervals ---- */

/* Intervals of a parameter, those of all elements and of all laws that have it. */
typedef struct pool {
  char name[32];
  int seen, covered;
} pool;

enum { POOLS = 16 };

static void add_to_pool(pool *pools, const char *name, int seen, int covered)
{
  size_t length = strcspn(name, "[");
  int i = 0;
  while (i < POOLS - 1 && pools[i].seen && (strlen(pools[i].name) != length || strncmp(pools[i].name, name, length)))
    i++;
  snprintf(pools[i].name, sizeof pools[i].name, "%.*s", (int)length, name);
  pools[i].seen += seen, pools[i].covered += covered;
}

static void check_part(const char *law, const char *name, int covered, int seen)
{
  double part = (double)covered / seen;
  CHECK(part >= 0.90 && part <= 0.98, "%s %s: %d of %d intervals, %.1f %%, cover the truth", law, name, covered, seen,
        100 * part);
}

/* Every parameter of every law by itself, and all of a name together. Where few axes determine one its part is chance.
 */
static void check_intervals(const tally *t, const pool *pools)
{
  enum { ENOUGH = 100 };
  for (int l = 0; l < LAWS; l++)
    for (int k = 0; k < PARAMETERS; k++)
      if (t[l].seen[k] >= ENOUGH) check_part(t[l].law, t[l].name[k], t[l].covered[k], t[l].seen[k]);
  for (int i = 0; i < POOLS && pools[i].seen; i++) {
    printf("  %s: %d of %d intervals, %.1f %%\n", pools[i].name, pools[i].covered, pools[i].seen,
           100.0 * pools[i].covered / pools[i].seen);
    check_part("all laws,", pools[i].name, pools[i].covered, pools[i].seen);
  }
}

static void show(const tally *t)
{
  printf("  %-14s %d of %d recovered;", t->law, t->recovered, t->cases);
  for (int k = 0; k < PARAMETERS; k++)
    if (t->seen[k]) printf(" %s %d/%d", t->name[k], t->covered[k], t->seen[k]);
  putchar('\n');
  fflush(stdout); /* a law takes minutes */
}

static void check_truth(int cases, int intervals)
{
  int total = 0, recovered = 0;
  tally tallies[LAWS];
  pool pools[POOLS] = { 0 };
  for (int l = 0; l < LAWS; l++) {
    tally *t = &tallies[l];
    *t = run_law(laws[l], cases, 42 + 77777ull * (unsigned long long)l);
    total += t->cases, recovered += t->recovered;
    if (intervals || getenv("BRISTLE_TRUTH_SHOW")) show(t);
    for (int k = 0; k < PARAMETERS; k++)
      if (t->seen[k]) add_to_pool(pools, t->name[k], t->seen[k], t->covered[k]);
  }
  if (intervals) check_intervals(tallies, pools);
  CHECK(recovered >= 0.95 * total, "%d of %d axes recovered", recovered, total);
}

/* make check-long runs two hundred axes of each law, make test ALL=1 four, every other run one */
TEST(truth_is_recovered_from_noisy_axes)
{
  int long_run = getenv("BRISTLE_LONG") != NULL;
  check_truth(long_run ? 200 : test_is_long() ? 4 : 1, long_run);
}

/* Within its band Karnopp's contact holds whatever force is applied. A fit that told it the measured force there would
   widen the band over every sample and explain the noise itself. */
TEST(truth_is_not_shown_to_a_law_that_is_to_predict_it)
{
  const double noise = 0.05;
  uint64_t state = 11;
  axis a = random_axis("stribeck", &state);
  bristle_log *log = record(&a, noise, &state);
  bristle_identified *r = NULL;
  bristle_fault fault;
  bristle_identify_options options = { .folds = -1 };
  if (!log) exit(1);
  CHECK(!bristle_identify(bristle_law_find("karnopp"), (const bristle_log *const *)&log, 1, NULL, &options, &r, &fault),
        "%s", fault.what);
  if (!r) exit(1);
  CHECK(r->rms > 0.97 * noise * a.level, "%.4g N left of a noise of %.4g N", r->rms, noise * a.level);
  bristle_identified_free(r);
  bristle_log_free(log);
}
