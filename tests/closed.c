/* Laws that write their coupled solution down, against the search that they do without: the same root to rounding, the
 * same choice between rest and motion, in both precisions. closed.def lists them (cmake/programs.cmake). */
#include "bristle/bristle.h"
#include "support/test.h"

#define CLOSED_LAW(name)                                                                             \
  extern const bristle_model bristle_##name##_model;                                                 \
  extern const bristle_model_f32 bristle_##name##_model_f32;                                         \
  extern double (*const bristle_##name##_searched)(const double *, double *, const bristle_input *, double *); \
  extern float (*const bristle_##name##_searched_f32)(const float *, float *, const bristle_input_f32 *, float *);
#include "closed.def"
#undef CLOSED_LAW

static unsigned long long seed = 7;
static double between(double lo, double hi)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

/* every scalar within a decade of its default; options and offsets as they are allowed */
static void random_parameters(const bristle_info *info, double *p)
{
  bristle_defaults(info, p);
  for (int r = 0; r < info->param_rows; r++) {
    const bristle_row *row = &info->param[r];
    double value = (row->initial[0] != 0 ? row->initial[0] : 0.5) * pow(10, between(-1, 1));
    if (row->role == BRISTLE_ROLE_OFFSET) value = between(-2, 2);
    if (row->kind == BRISTLE_ROW_OPTION || between(0, 1) < 0.3) continue;
    p[row->first] = fmin(fmax(value, row->lo), row->hi);
  }
}

enum { CASES = 20000, SIZE = 64 };
typedef struct seen {
  int rests, moves;
} seen;

/* Rounding of the root: u is a difference of numbers of the size of v and w F, and F one of forces as large as that at
 * rest. */
#define COMPARE(REAL, INPUT, MODEL, EPSILON, SUFFIX)                                           \
  static void compare_##SUFFIX(const MODEL *m, REAL (*search)(const REAL *, REAL *, const INPUT *, REAL *)) \
  {                                                                                                  \
    seen all = { 0, 0 };                                                                             \
    const int nstate = m->info->nstate;                                                              \
    for (int i = 0; i < CASES; i++) {                                                                \
      double wide[SIZE];                                                                             \
      REAL p[SIZE], s[SIZE], t[SIZE], u, u_searched;                                                 \
      random_parameters(m->info, wide);                                                              \
      for (int j = 0; j < m->info->nparam; j++) p[j] = (REAL)wide[j];                                \
      INPUT in = { .n = (REAL)between(0.1, 3), .h = (REAL)pow(10, between(-5, -2)), .load = (bristle_load)(i % 3) }; \
      memset(s, 0, sizeof s);                                                                        \
      for (int k = 0; k < 3; k++) {                                                                  \
        in.v = (REAL)(between(-1, 1) * pow(10, between(-5, -1)));                                    \
        m->step(p, s, &in, NULL);                                                                    \
      }                                                                                              \
      in.v = 0;                                                                                      \
      memcpy(t, s, sizeof t);                                                                        \
      const double f_rest = fabs((double)m->step(p, t, &in, NULL));                                  \
      memcpy(t, s, sizeof t);                                                                        \
      in.w = (REAL)pow(10, between(-5, 1));                                                          \
      in.v = (REAL)(between(-4, 4) * (double)in.w * (i % 2 ? 1 : pow(10, between(-3, 3))));                  \
      const REAL f = m->step(p, s, &in, &u), f_searched = search(p, t, &in, &u_searched);            \
      const double size = fabs((double)in.v) + (double)in.w * (fabs((double)f_searched) + f_rest);   \
      const double slack = 64 * EPSILON * size;                                                      \
      all.rests += u == 0, all.moves += u != 0;                                                      \
      CHECK((u == 0) == (u_searched == 0) || fabs((double)(u - u_searched)) <= EPSILON * 1e-3 * size, \
            "%s: %g or %g", m->info->name, (double)u, (double)u_searched);                           \
      CHECK(fabs((double)u - (double)u_searched) <= slack, "%s ends at %.17g, the search at %.17g (v %g w %g h %g)", \
            m->info->name, (double)u, (double)u_searched, (double)in.v, (double)in.w, (double)in.h); \
      CHECK(fabs((double)f - (double)f_searched) <= slack / (double)in.w, "%s: F %.17g, by the search %.17g", \
            m->info->name, (double)f, (double)f_searched);                                           \
      CHECK(fabs((double)in.v - (double)in.w * (double)f - (double)u) <= slack, "%s: the balance is open by %g", \
            m->info->name, (double)in.v - (double)in.w * (double)f - (double)u);                     \
      for (int k = 0; k < nstate; k++)                                                               \
        CHECK(fabs((double)s[k] - (double)t[k]) <= 64 * EPSILON * fabs((double)t[k]) + (double)in.h * slack, "%s: state %d %.17g %.17g", \
              m->info->name, k, (double)s[k], (double)t[k]);                                         \
    }                                                                                                \
    CHECK((all.rests > 0 || !(m->info->traits & BRISTLE_TRAIT_SET_VALUED)) && all.moves > CASES / 10, "%s: %d %d", \
          m->info->name, all.rests, all.moves);                                                      \
  }

COMPARE(double, bristle_input, bristle_model, 0x1p-52, f64)
COMPARE(float, bristle_input_f32, bristle_model_f32, 0x1p-23, f32)

TEST(closed_forms_are_what_the_search_finds)
{
#define CLOSED_LAW(name)                                                                             \
  compare_f64(&bristle_##name##_model, bristle_##name##_searched);                                   \
  compare_f32(&bristle_##name##_model_f32, bristle_##name##_searched_f32);
#include "closed.def"
}
