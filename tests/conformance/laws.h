/* The laws that the tests of conformance hold to their word, in the precision and form that is built, and how they are
   called. */
#include "bristle/bristle.h"
#include "support/test.h"

#ifdef CONFORMANCE_F32
typedef float real;
typedef bristle_model_f32 model;
typedef bristle_input_f32 input;
typedef bristle_batch_f32 batch;
#define BRISTLE_LAW(name) extern const bristle_model_f32 bristle_##name##_model_f32;
#include "models/models.def"
#undef BRISTLE_LAW
#define BRISTLE_LAW(name) &bristle_##name##_model_f32,
#define NAME(test) test##_f32
#define EPS 0x1p-23
#define TINY_SPEED 1e-38f
#else
typedef double real;
typedef bristle_model model;
typedef bristle_input input;
typedef bristle_batch batch;
#ifdef CONFORMANCE_SKEWED
#define BRISTLE_LAW(name) extern const bristle_model bristle_##name##_skewed_model;
#include "models/models.def"
#undef BRISTLE_LAW
#define BRISTLE_LAW(name) &bristle_##name##_skewed_model,
#define NAME(test) test##_skewed
#define GLIDE 2e-3 /* m: higher levels take longer ways */
#define SLACK 3e4  /* leuven misses 1e4 in one of 1e5 steps, with skews or without */
#else
#define BRISTLE_LAW(name) extern const bristle_model bristle_##name##_model;
#include "models/models.def"
#undef BRISTLE_LAW
#define BRISTLE_LAW(name) &bristle_##name##_model,
#define NAME(test) test
#endif
#define EPS 0x1p-52
#define TINY_SPEED 1e-308
#endif
#ifndef GLIDE
#define GLIDE 1e-3
#define SLACK 1e4
#endif
#define CONFORMANCE(test) TEST(NAME(conformance_##test))

static const model *const laws[] = {
#include "models/models.def"
};
enum { LAWS = sizeof laws / sizeof *laws, SIZE = 64 };

/* ---- helpers ---- */

static unsigned long long seed = 1;
static double uniform(void) /* xorshift, the same numbers on every target */
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-53;
}
static double between(double lo, double hi) { return lo + (hi - lo) * uniform(); }
static real random_speed(void) { return (real)((uniform() < 0.5 ? -1 : 1) * pow(10, between(-6, 0))); }

static int has(const model *m, unsigned trait) { return (m->info->traits & trait) != 0; }

#ifdef CONFORMANCE_SKEWED
/* different skews for different laws, of both signs, where the law has something to skew */
static void skew_defaults(const model *m, real *p)
{
  const size_t odd = strlen(m->info->name) % 2;
  real *level = p + m->info->nparam - 2, *viscous = level + 1;
  *level = odd ? 0.3 : -0.2;
  if (bristle_check(m, p, NULL)) *level = 0;
  *viscous = odd ? -0.8 : 0.5;
  if (bristle_check(m, p, NULL)) *viscous = 0;
}
#endif

static void defaults(const model *m, real *p, real *s)
{
  for (int r = 0; r < m->info->param_rows; r++) {
    const bristle_row *row = &m->info->param[r];
    for (int i = 0; i < row->count; i++) p[row->first + i] = (real)row->initial[i];
  }
  memset(s, 0, SIZE * sizeof *s);
#ifdef CONFORMANCE_SKEWED
  skew_defaults(m, p);
#endif
}

static input at(const model *m, double v, double h)
{
  return (input){ .v = (real)v, .n = 1, .h = (real)h, .load = m->info->load };
}

/* the largest force of slow steady sliding: what a sticking contact can hold for ever */
static double static_level(const model *m, const real *p)
{
  double level = 0;
  for (double v = 1e-7; v < 1e-2; v *= 1.5) {
    input in = at(m, v, 1);
    level = fmax(level, fabs((double)m->steady(p, &in)));
  }
  return level;
}

#define EACH_LAW(m) for (const model *const *l_ = laws, *m; l_ < laws + LAWS && (m = *l_, 1); l_++)
