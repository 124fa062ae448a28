/* The fast build (BRISTLE_FAST) beside the exact one: every law with loops, 512 random contacts, prescribed and
 * coupled, rates, in both precisions, from states that a march left. Differences are counted in roundings: units of
 * what all inputs (velocity, place, load, states, parameters), each off by one rounding, may change in the result.
 * Prescribed steps and rates may differ by 4 of them. For the end of a coupled step each build searches until a
 * tolerance of some roundings is met, in its own way: those may differ by 100.
 *
 * usage: fast-batches [SEED] */
#include "bristle/bristle.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 512, MOST = 64 };
enum { PRESCRIBED, COUPLED, RATES, JOBS };

#define FAST_LAW(law)                                                                             \
  extern const bristle_model bristle_##law##_fast_model;                                             \
  extern const bristle_model_f32 bristle_##law##_fast_model_f32;
#include "fast.def"
#undef FAST_LAW
static const struct {
  const char *name;
  const bristle_model *f64;
  const bristle_model_f32 *f32;
} fast[] = {
#define FAST_LAW(law) { #law, &bristle_##law##_fast_model, &bristle_##law##_fast_model_f32 },
#include "fast.def"
#undef FAST_LAW
};

static uint64_t random_state;
static double part(void) /* splitmix64 */
{
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u, z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef double row[CONTACTS];
typedef struct inputs { /* all of them numbers of single precision, so that both precisions see the same contacts */
  row v, x, n, w, s[MOST], p[MOST];
} inputs;
typedef struct outputs { /* force, end velocity, states or their rates */
  row y[2 + MOST];
} outputs;

static void to_single(double *x, size_t count)
{
  for (size_t i = 0; i < count; i++) x[i] = (float)x[i];
}

/* admissible parameters about the defaults; every fourth contact has the defaults themselves */
static void draw_parameters(const bristle_model *law, inputs *in)
{
  const bristle_info *info = law->info;
  double usual[MOST], p[MOST];
  bristle_defaults(info, usual);
  for (int i = 0; i < CONTACTS; i++) {
    memcpy(p, usual, sizeof p);
    for (int r = 0; i % 4 && r < info->param_rows; r++)
      for (int j = 0; j < info->param[r].count && info->param[r].kind != BRISTLE_ROW_OPTION; j++)
        p[info->param[r].first + j] *= exp(0.8 * part() - 0.4);
    if (bristle_check(law, p, NULL)) memcpy(p, usual, sizeof p);
    for (int j = 0; j < info->nparam; j++) in->p[j][i] = p[j];
  }
  to_single(in->p[0], sizeof in->p / sizeof(double));
}

static void run(const bristle_model *law, int job, const inputs *in, outputs *out)
{
  const int states = law->info->nstate;
  memcpy(out->y[2], in->s[0], sizeof in->s);
  memcpy(out->y[1], in->v, sizeof in->v);
  bristle_batch b = { .count = CONTACTS,
                      .p = in->p[0],
                      .per_contact = 1,
                      .s = out->y[2],
                      .v = in->v,
                      .x = in->x,
                      .n = in->n,
                      .w = job == COUPLED ? in->w : NULL,
                      .h = (float)1e-3,
                      .load = law->info->load,
                      .f = out->y[0],
                      .v_end = out->y[1],
                      .rate = NULL };
  static row rates[MOST];
  if (job == RATES) b.rate = rates[0], law->eval_n(&b), memcpy(out->y[2], rates, (size_t)states * sizeof *rates);
  else law->step_n(&b);
}

static void run_f32(const bristle_model_f32 *law, int job, const inputs *in, outputs *out)
{
  static float v[CONTACTS], x[CONTACTS], n[CONTACTS], w[CONTACTS], p[MOST * CONTACTS], s[MOST * CONTACTS], f[CONTACTS],
      u[CONTACTS], rates[MOST * CONTACTS];
  const size_t states = (size_t)law->info->nstate * CONTACTS, all = (size_t)law->info->nparam * CONTACTS;
  for (size_t i = 0; i < CONTACTS; i++)
    v[i] = u[i] = (float)in->v[i], x[i] = (float)in->x[i], n[i] = (float)in->n[i], w[i] = (float)in->w[i];
  for (size_t i = 0; i < all; i++) p[i] = (float)in->p[0][i];
  for (size_t i = 0; i < states; i++) s[i] = (float)in->s[0][i];
  const bristle_batch_f32 b = { .count = CONTACTS,
                                .p = p,
                                .per_contact = 1,
                                .s = s,
                                .v = v,
                                .x = x,
                                .n = n,
                                .w = job == COUPLED ? w : NULL,
                                .h = 1e-3f,
                                .load = law->info->load,
                                .f = f,
                                .v_end = u,
                                .rate = rates };
  if (job == RATES) law->eval_n(&b);
  else law->step_n(&b);
  for (size_t i = 0; i < CONTACTS; i++) out->y[0][i] = f[i], out->y[1][i] = u[i];
  for (size_t i = 0; i < states; i++) out->y[2][i] = job == RATES ? rates[i] : s[i];
}

/* speeds from stick to gross sliding, states of 300 coupled steps */
static void draw(const bristle_model *law, inputs *in)
{
  static outputs out;
  memset(in, 0, sizeof *in);
  draw_parameters(law, in);
  for (int i = 0; i < CONTACTS; i++) {
    in->n[i] = (float)(0.5 + part()), in->w[i] = (float)(1e-3 * (0.5 + part()));
    in->x[i] = (float)(0.01 * (part() - 0.5));
  }
  for (int step = 0; step < 300; step++) {
    for (int i = 0; i < CONTACTS; i++)
      in->v[i] = (float)((part() < 0.9 ? 1 : -1) * (i & 1 ? 1 : -1) * pow(10, -6 + 5.5 * part()));
    if (step == 299) break;
    run(law, COUPLED, in, &out);
    memcpy(in->s, out.y[2], sizeof in->s);
    to_single(in->s[0], sizeof in->s / sizeof(double));
  }
}

/* What one rounding of each input may change, by moving it by 2^-30 either way: a jump of the law counts in full. */
static void conditions(const bristle_model *law, int job, const inputs *in, const outputs *at, outputs *unit)
{
  static inputs moved;
  static outputs there;
  const int rows = 2 + law->info->nstate;
  const double by = 0x1p-30;
  for (int k = 0; k < rows; k++)
    for (int i = 0; i < CONTACTS; i++) unit->y[k][i] = fabs(at->y[k][i]);
  for (int j = 0; j < 4 + law->info->nstate + law->info->nparam; j++)
    for (int side = -1; side < 2; side += 2) {
      moved = *in;
      double *x = j == 0                      ? moved.v
                  : j == 1                    ? moved.x
                  : j == 2                    ? moved.n
                  : j == 3                    ? moved.w
                  : j < 4 + law->info->nstate ? moved.s[j - 4]
                                              : moved.p[j - 4 - law->info->nstate];
      for (int i = 0; i < CONTACTS; i++) x[i] *= 1 + side * by;
      run(law, job, &moved, &there);
      for (int k = 0; k < rows; k++)
        for (int i = 0; i < CONTACTS; i++) unit->y[k][i] += 0.5 * fabs(there.y[k][i] - at->y[k][i]) / by;
    }
}

/* the largest difference in roundings, over all contacts */
static double roundings(const outputs *a, const outputs *b, const outputs *unit, int rows, double rounding)
{
  double worst = 0;
  for (int k = 0; k < rows; k++)
    for (int i = 0; i < CONTACTS; i++) {
      const double apart = fabs(a->y[k][i] - b->y[k][i]);
      if (!(apart <= worst * rounding * unit->y[k][i])) worst = apart / (rounding * unit->y[k][i]); /* NaN counts */
    }
  return worst;
}

/* worst: prescribed steps and rates in both precisions, coupled steps in both */
static void measure(const bristle_law *law, const bristle_model *f64, const bristle_model_f32 *f32, double worst[4])
{
  static inputs in;
  static outputs exact, fused, unit;
  const int rows = 2 + law->f64->info->nstate;
  draw(law->f64, &in);
  for (int job = 0; job < JOBS; job++) {
    double *const most = worst + (job == COUPLED ? 2 : 0);
    run(law->f64, job, &in, &exact);
    conditions(law->f64, job, &in, &exact, &unit);
    run(f64, job, &in, &fused);
    most[0] = fmax(most[0], roundings(&fused, &exact, &unit, rows, 0x1p-53));
    run_f32(law->f32, job, &in, &exact);
    run_f32(f32, job, &in, &fused);
    most[1] = fmax(most[1], roundings(&fused, &exact, &unit, rows, 0x1p-24));
  }
}

int main(int argc, char **argv)
{
  static const double most[4] = { 4, 4, 100, 100 };
  int passed = 0, failed = 0, differ = 0;
  random_state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  for (size_t l = 0; l < sizeof fast / sizeof *fast; l++) {
    double worst[4] = { 0 };
    int holds = 1;
    measure(bristle_law_find(fast[l].name), fast[l].f64, fast[l].f32, worst);
    for (int k = 0; k < 4; k++) holds &= worst[k] <= most[k];
    printf("%s %-18s f64 %.2f, f32 %.2f roundings; coupled f64 %.2f, f32 %.2f\n", holds ? "ok" : "FAIL", fast[l].name,
           worst[0], worst[1], worst[2], worst[3]);
    passed += holds, failed += !holds, differ += worst[0] > 0;
  }
  if (!differ) printf("FAIL the fast build gives the bits of the exact one: nothing was contracted\n"), failed++;
  printf("%d passed, %d failed, 0 skipped\n", passed, failed);
  return failed != 0;
}
