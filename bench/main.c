/* LuGre against the same scheme in plain C, in one run: medians of interleaved repetitions, bars as ratios. */
#include "bristle/params.h"
#include "limit.h"
#include "plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern const bristle_diff bristle_lugre_diff;
extern const bristle_model bristle_lugre_fast_model; /* the fast build (BRISTLE_FAST) of the same law */
extern const bristle_model_f32 bristle_lugre_fast_model_f32;

enum { CONTACTS = 1024, ROUNDS = 40, REPEATS = 25, SAMPLES = 10000 };

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

static double median(double *times)
{
  qsort(times, REPEATS, sizeof *times, by_size);
  return times[REPEATS / 2];
}

/* what the loops below work on; the results are printed so that nothing is optimised away */
static double v[CONTACTS], z[CONTACTS], z_fast[CONTACTS], f_fast[CONTACTS], z_plain[CONTACTS], f[CONTACTS],
    f_plain[CONTACTS];
static float v32[CONTACTS], z32[CONTACTS], z32_fast[CONTACTS], f32_fast[CONTACTS], z32_plain[CONTACTS], f32[CONTACTS],
    f32_plain[CONTACTS];
static double path[SAMPLES], sink;
static int avx512; /* which lanes are measured */

static void steps_f64(const bristle_model *law, double *state, double *force)
{
  bristle_lugre p = bristle_lugre_default();
  bristle_batch b = { .count = CONTACTS, .p = (const double *)&p, .s = state, .v = v, .h = 1e-4, .f = force };
  for (int i = 0; i < ROUNDS; i++) law->step_n(&b);
}
static void batch_f64(void) { steps_f64(&bristle_lugre_model, z, f); }
static void fast_f64(void) { steps_f64(&bristle_lugre_fast_model, z_fast, f_fast); }
static void plain_f64(void)
{
  bristle_lugre d = bristle_lugre_default();
  plain_lugre p = { d.sigma0, d.sigma1, d.sigma2, d.fc, d.fs, d.vs };
  for (int i = 0; i < ROUNDS; i++) plain_step(CONTACTS, &p, z_plain, v, f_plain, 1e-4);
}
static void steps_f32(const bristle_model_f32 *law, float *state, float *force)
{
  bristle_lugre_f32 p = bristle_lugre_default_f32();
  bristle_batch_f32 b = { .count = CONTACTS, .p = (const float *)&p, .s = state, .v = v32, .h = 1e-4f, .f = force };
  for (int i = 0; i < ROUNDS; i++) law->step_n(&b);
}
static void batch_f32(void) { steps_f32(&bristle_lugre_model_f32, z32, f32); }
static void fast_f32(void) { steps_f32(&bristle_lugre_fast_model_f32, z32_fast, f32_fast); }
static void plain_f32(void)
{
  bristle_lugre_f32 d = bristle_lugre_default_f32();
  plain_lugre_f32 p = { d.sigma0, d.sigma1, d.sigma2, d.fc, d.fs, d.vs };
  for (int i = 0; i < ROUNDS; i++) plain_step_f32(CONTACTS, &p, z32_plain, v32, f32_plain, 1e-4f);
}

/* one contact in a loop, each step waiting for the last, as in a simulation */
static void scalar_step(void)
{
  bristle_lugre p = bristle_lugre_default();
  bristle_lugre_state s = { 0 };
  bristle_input in = { .n = 1, .h = 1e-3 };
  for (int i = 0; i < SAMPLES; i++) {
    in.v = path[i];
    sink += bristle_lugre_step(&p, &s, &in, NULL);
  }
}
static void scalar_sensitivity(void)
{
  bristle_lugre p = bristle_lugre_default();
  double s[1] = { 0 }, df[sizeof p / sizeof(double)], ds[sizeof p / sizeof(double)] = { 0 };
  bristle_input in = { .n = 1, .h = 1e-3 };
  for (int i = 0; i < SAMPLES; i++) {
    in.v = path[i];
    sink += bristle_lugre_diff.sensitivity((const double *)&p, s, &in, NULL, df, ds);
  }
}
/* 10 s of stick-slip: mass 1 kg on a spring of 2 N/m pulled at 0.1 m/s, steps of 1 ms */
static void scalar_coupled(void)
{
  bristle_lugre p = bristle_lugre_default();
  bristle_lugre_state s = { 0 };
  double x = 0, u = 0, h = 1e-3;
  for (int i = 0; i < SAMPLES; i++) {
    bristle_input in = { .v = u + h * 2 * (0.1 * h * (i + 1) - x), .n = 1, .w = h, .h = h };
    bristle_lugre_step(&p, &s, &in, &u);
    x += h * u;
  }
  sink += x;
}
/* the C library's exp, each waiting for the last (as the step does), and independent */
static void libm_exp_chain(void)
{
  double x = 0.5;
  for (int i = 0; i < SAMPLES; i++) x = exp(-x) * path[0] + 0.5;
  sink += x;
}
static void libm_exp_independent(void)
{
  for (int i = 0; i < SAMPLES; i++) sink += exp(path[i]);
}

static double fmas[2];
static void limit_f64(void) { sink += limit_run(avx512, 0, SAMPLES, &fmas[0]); }
static void limit_f32(void) { sink += limit_run(avx512, 1, SAMPLES, &fmas[1]); }

static void (*const jobs[])(void) = {
  batch_f64, fast_f64,    plain_f64,          batch_f32,      fast_f32,       plain_f32,           limit_f64,
  limit_f32, scalar_step, scalar_sensitivity, scalar_coupled, libm_exp_chain, libm_exp_independent
};
enum { BATCH, FAST, PLAIN, BATCH32, FAST32, PLAIN32, LIMIT, LIMIT32, STEP, SENSITIVITY, COUPLED, EXP_CHAIN, EXP, JOBS };

static int failures;
static void bar(const char *what, double ratio, double limit, int at_least)
{
  int holds = at_least ? ratio >= limit : ratio <= limit;
  printf("%-62s %6.2f  (%s %g) %s\n", what, ratio, at_least ? "at least" : "at most", limit, holds ? "ok" : "MISSED");
  failures += !holds;
}

/* Products of the two loops of a step, fused or not, as the compiler leaves them (objdump of the loops for shared
   parameters): at one in a slot of the limit, they would take this part of the time. */
static void print_limit(const char *precision, int products, double fma, double exact, double fast)
{
  printf(
      "%s: one fused multiply-add %.4f ns; the %d products of a step are %.0f %% of the exact build's time, %.0f %% of "
      "the fast one's\n",
      precision, fma * 1e9, products, 100 * products * fma / exact, 100 * products * fma / fast);
}

static double relative_error(void)
{
  double worst = 0;
  for (int i = 0; i < CONTACTS; i++) worst = fmax(worst, fabs(f[i] - f_plain[i]) / (fabs(f_plain[i]) + 1e-3));
  return worst;
}

int main(int argc, char **argv)
{
  static double times[JOBS][REPEATS];
  const char *isa = argc > 1                            ? argv[1]
                    : __builtin_cpu_supports("avx512f") ? "avx512"
                    : __builtin_cpu_supports("avx2")    ? "avx2"
                                                        : "sse2";
  avx512 = isa[0] == 'a' && isa[3] == '5';
  srand(1);
  for (int i = 0; i < CONTACTS; i++) { /* stick to gross sliding: 1e-6 to 0.3 m/s, that is 300 vs */
    v[i] = (i & 1 ? -1 : 1) * pow(10, -6 + 5.477 * rand() / RAND_MAX);
    v32[i] = (float)v[i];
  }
  for (int i = 0; i < SAMPLES; i++) {
    double t = 1e-3 * i, pi = 3.14159265358979323846;
    path[i] = 0.02 * sin(2 * pi * 0.2 * t) + 0.003 * sin(2 * pi * 1.3 * t) + 0.0008 * sin(2 * pi * 5.1 * t);
  }
  for (int r = 0; r < REPEATS; r++)
    for (int j = 0; j < JOBS; j++) {
      double start = now();
      jobs[j]();
      times[j][r] = now() - start;
    }
  double t[JOBS];
  for (int j = 0; j < JOBS; j++) t[j] = median(times[j]);

  const double per = 1e9 / CONTACTS / ROUNDS, each = 1e9 / SAMPLES;
  printf("batch of %d contacts, %s: f64 %.2f ns, plain %.1f ns; f32 %.2f ns, plain %.1f ns; largest difference %.1e\n",
         CONTACTS, isa, t[BATCH] * per, t[PLAIN] * per, t[BATCH32] * per, t[PLAIN32] * per, relative_error());
  printf("fast build: f64 %.2f ns, f32 %.2f ns\n", t[FAST] * per, t[FAST32] * per);
  const double step = 1.0 / CONTACTS / ROUNDS;
  print_limit("f64", 40, t[LIMIT] / fmas[0], t[BATCH] * step, t[FAST] * step);
  print_limit("f32", 28, t[LIMIT32] / fmas[1], t[BATCH32] * step, t[FAST32] * step);
  printf("one contact: step %.1f ns, with 8 parameter sensitivities %.1f ns, coupled %.1f ns; exp %.2f ns in a chain, "
         "%.2f ns independent\n\n",
         t[STEP] * each, t[SENSITIVITY] * each, t[COUPLED] * each, t[EXP_CHAIN] * each, t[EXP] * each);
  int avx2 = isa[0] == 'a' && !avx512;
  if (avx512 || avx2) {
    bar("batch f64 against plain C with libm", t[PLAIN] / t[BATCH], avx512 ? 6 : 3, 1);
    bar("batch f32 against plain C with libm", t[PLAIN32] / t[BATCH32], avx512 ? 12 : 6, 1);
    bar("fast batch f64 against plain C with libm", t[PLAIN] / t[FAST], avx512 ? 11 : 4, 1);
    bar("fast batch f32 against plain C with libm", t[PLAIN32] / t[FAST32], avx512 ? 30 : 10, 1);
  } else {
    printf("no bar for batches without AVX2: %.2f (f64), %.2f (f32)\n", t[PLAIN] / t[BATCH], t[PLAIN32] / t[BATCH32]);
  }
  bar("step with all parameter sensitivities against the plain step", t[SENSITIVITY] / t[STEP], 4, 0);
  bar("coupled step against one libm exp (both as a chain)", t[COUPLED] / t[EXP_CHAIN], 20, 0);
  printf("%-62s %6.2f\n", "coupled step against one libm exp (independent ones)", t[COUPLED] / t[EXP]);
  return failures != 0 || sink == 0.123;
}
