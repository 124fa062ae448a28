/* Coupled batches beside a loop of coupled steps over the same contacts, in one run. 1024 bodies on springs stick and
 * slip, each at another phase; or are pushed at random, so that neighbours differ as much as they can. */
#include "bristle/bristle.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { CONTACTS = 1024, STEPS = 400, TRIES = 5, SIZE = 64 };

#define LAW(name)                                                                                    \
  extern const bristle_model bristle_##name##_model;                                                 \
  extern const bristle_model_f32 bristle_##name##_model_f32;
LAW(lugre)
LAW(coulomb)
LAW(dahl)
LAW(stribeck)
/* coulomb by the general search instead of its formula */
extern double (*const bristle_coulomb_searched)(const double *, double *, const bristle_input *, double *);
extern float (*const bristle_coulomb_searched_f32)(const float *, float *, const bristle_input_f32 *, float *);

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* what the clock itself takes, which is half a microsecond for this one */
static double clock_cost(void)
{
  static double least;
  if (least > 0) return least;
  least = 1;
  for (int i = 0; i < 2000; i++) {
    const double start = now();
    least = fmin(least, now() - start);
  }
  return least;
}

typedef struct spent {
  double batch, loop, search; /* ns for a contact and step; of each step the best of TRIES is counted */
} spent;

enum { SLIP, PUSH }; /* motions */

#define BENCH(REAL, INPUT, BATCH, MODEL, SUFFIX)                                                     \
  static REAL v_##SUFFIX[CONTACTS], w_##SUFFIX[CONTACTS], f_##SUFFIX[CONTACTS], u_##SUFFIX[CONTACTS],       \
      s_##SUFFIX[SIZE * CONTACTS], before_##SUFFIX[SIZE * CONTACTS], p_##SUFFIX[SIZE * CONTACTS];    \
  typedef REAL step_##SUFFIX(const REAL *, REAL *, const INPUT *, REAL *);                           \
                                                                                                     \
  static double loop_##SUFFIX(const MODEL *m, step_##SUFFIX *step, const REAL *p)                    \
  {                                                                                                  \
    const int nstate = m->info->nstate;                                                              \
    static REAL s[SIZE * CONTACTS];                                                                  \
    memcpy(s, before_##SUFFIX, sizeof s);                                                            \
    const double start = now();                                                                      \
    for (int i = 0; i < CONTACTS; i++) {                                                             \
      REAL t[SIZE];                                                                                  \
      for (int k = 0; k < nstate; k++) t[k] = s[k * CONTACTS + i];                                   \
      const INPUT in = { .v = v_##SUFFIX[i], .n = 1, .w = w_##SUFFIX[i], .h = (REAL)1e-3, .load = m->info->load }; \
      f_##SUFFIX[i] = step(p, t, &in, &u_##SUFFIX[i]);                                               \
      for (int k = 0; k < nstate; k++) s[k * CONTACTS + i] = t[k];                                   \
    }                                                                                                \
    return now() - start;                                                                            \
  }                                                                                                  \
                                                                                                     \
  static spent run_##SUFFIX(const MODEL *m, step_##SUFFIX *search, int motion, int per_contact)      \
  {                                                                                                  \
    static double x[CONTACTS];                                                                       \
    REAL one[SIZE];                                                                                  \
    spent all = { 0, 0, 0 };                                                                         \
    for (int r = 0; r < m->info->param_rows; r++)                                                    \
      for (int j = 0; j < m->info->param[r].count; j++)                                              \
        one[m->info->param[r].first + j] = (REAL)m->info->param[r].initial[j];                       \
    for (int j = 0; j < m->info->nparam; j++)                                                        \
      for (int i = 0; i < CONTACTS; i++) p_##SUFFIX[j * CONTACTS + i] = one[j];                      \
    memset(s_##SUFFIX, 0, sizeof s_##SUFFIX), memset(u_##SUFFIX, 0, sizeof u_##SUFFIX), memset(x, 0, sizeof x); \
    for (int i = 0; i < CONTACTS; i++) w_##SUFFIX[i] = (REAL)(motion == SLIP ? 1e-3 : 1e-3 * (0.5 + i * 7919 % 1024 / 1024.0)); \
    const BATCH b = { CONTACTS, per_contact ? p_##SUFFIX : one, per_contact, s_##SUFFIX, v_##SUFFIX, NULL, NULL, w_##SUFFIX, \
                      (REAL)1e-3, m->info->load, f_##SUFFIX, u_##SUFFIX, NULL };                     \
    for (int n = 0; n < STEPS; n++) {                                                                \
      spent best = { 1, 1, 1 };                                                                      \
      for (int i = 0; i < CONTACTS; i++) {                                                           \
        const double pull = motion == SLIP ? 2 * (0.1 * (1e-3 * n + 6.0 * i / CONTACTS) - x[i]) : 2.5 * sin(0.05 * n + i); \
        v_##SUFFIX[i] = u_##SUFFIX[i] + w_##SUFFIX[i] * (REAL)pull;                                  \
      }                                                                                              \
      memcpy(before_##SUFFIX, s_##SUFFIX, sizeof s_##SUFFIX);                                        \
      for (int k = 0; k < TRIES; k++) {                                                              \
        best.loop = fmin(best.loop, loop_##SUFFIX(m, m->step, one));                                 \
        if (search) best.search = fmin(best.search, loop_##SUFFIX(m, search, one));                  \
        memcpy(s_##SUFFIX, before_##SUFFIX, sizeof s_##SUFFIX);                                      \
        const double start = now();                                                                  \
        m->step_n(&b);                                                                               \
        best.batch = fmin(best.batch, now() - start);                                                \
      }                                                                                              \
      for (int i = 0; i < CONTACTS; i++) x[i] += 1e-3 * (double)u_##SUFFIX[i];                       \
      all.batch += best.batch, all.loop += best.loop, all.search += best.search;                     \
    }                                                                                                \
    const double clock = STEPS * clock_cost(), ns = 1e9 / STEPS / CONTACTS;                                                        \
    return (spent){ (all.batch - clock) * ns, (all.loop - clock) * ns, search ? (all.search - clock) * ns : 0 };                   \
  }

BENCH(double, bristle_input, bristle_batch, bristle_model, f64)
BENCH(float, bristle_input_f32, bristle_batch_f32, bristle_model_f32, f32)

static int failures;
static void row(const char *what, spent t, double least)
{
  const int holds = t.loop / t.batch >= least;
  printf("%-44s batch %6.2f ns, loop %6.1f ns: %5.1f times", what, t.batch, t.loop, t.loop / t.batch);
  if (t.search > 0) printf("; by the search %6.1f ns: %5.1f times", t.search, t.search / t.batch);
  if (least > 0) printf("  (at least %g) %s", least, holds ? "ok" : "MISSED");
  printf("\n");
  failures += least > 0 && !holds;
}

int main(void)
{
  const int wide = __builtin_cpu_supports("avx512f"); /* bars are for these; others are only shown */
  row("lugre f64, stick-slip", run_f64(&bristle_lugre_model, NULL, SLIP, 0), wide ? 7 : 0);
  row("lugre f64, stick-slip, parameters of its own", run_f64(&bristle_lugre_model, NULL, SLIP, 1), wide ? 4 : 0);
  row("lugre f64, pushed at random", run_f64(&bristle_lugre_model, NULL, PUSH, 0), wide ? 3 : 0);
  row("lugre f32, stick-slip", run_f32(&bristle_lugre_model_f32, NULL, SLIP, 0), wide ? 12 : 0);
  row("lugre f32, stick-slip, parameters of its own", run_f32(&bristle_lugre_model_f32, NULL, SLIP, 1), wide ? 6 : 0);
  row("lugre f32, pushed at random", run_f32(&bristle_lugre_model_f32, NULL, PUSH, 0), wide ? 4 : 0);
  row("dahl f64, stick-slip", run_f64(&bristle_dahl_model, NULL, SLIP, 0), 0);
  row("stribeck f64, pushed at random", run_f64(&bristle_stribeck_model, NULL, PUSH, 0), 0);
  row("coulomb f64, pushed at random", run_f64(&bristle_coulomb_model, bristle_coulomb_searched, PUSH, 0), 0);
  row("coulomb f32, pushed at random", run_f32(&bristle_coulomb_model_f32, bristle_coulomb_searched_f32, PUSH, 0), 0);
  return failures != 0;
}
