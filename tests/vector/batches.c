/* Vector laws: derivatives, batches, single precision. */
#include "vector/support.h"

/* ---- derivatives ---- */

static void differences(const bristle_vector_model *m, double *p, double *s, bristle_vector_input in, int j,
                        double *slope)
{
  double out[2][3 + MAX_STATE], step = 0;
  for (int side = 0; side < 2; side++) {
    double q[MAX_PARAM], t[MAX_STATE];
    bristle_vector_input k = in;
    memcpy(q, p, sizeof q);
    memcpy(t, s, sizeof t);
    double *x = j < m->dim                      ? &k.v[j]
                : j == m->dim                   ? &k.n
                : j <= m->dim + m->info->nstate ? &t[j - m->dim - 1]
                                                : &q[j - m->dim - 1 - m->info->nstate];
    step = 1e-5 * fmax(fabs(*x), j < m->dim ? 1e-4 : j > m->dim && j <= m->dim + m->info->nstate ? 1e-6 : 1e-3);
    *x += side ? step : -step;
    m->step(q, t, &k, out[side], NULL);
    memcpy(out[side] + m->dim, t, sizeof(double) * (size_t)m->info->nstate);
  }
  for (int i = 0; i < m->dim + m->info->nstate; i++) slope[i] = (out[1][i] - out[0][i]) / (2 * step);
}

TEST(vector_derivatives_match_differences)
{
  EACH_VECTOR_LAW(law, m)
  {
    const bristle_vector_diff *diff = law->diff[d_];
    const int D = diff->directions, n = m->info->nstate;
    long compared = 0, off = 0;
    for (int trial = 0; trial < 30; trial++) {
      static double df[3 * (MAX_PARAM + MAX_STATE)], ds[MAX_STATE * (MAX_PARAM + MAX_STATE)];
      double p[MAX_PARAM], s[MAX_STATE] = { 0 }, f[3], slope[3 + MAX_STATE];
      bristle_defaults(m->info, p);
      bristle_vector_input in = { .n = 1.3, .h = 1e-3, .load = (bristle_load)(trial % 3) };
      for (int i = 0; i < 5; i++) {
        random_vector(m->dim, pow(10, between(-5, -2)), in.v);
        m->step(p, s, &in, f, NULL);
      }
      if (trial % 2)
        for (int k = 0; k < m->dim; k++) in.w[k][k] = 2e-3 * (k + 1);
      double t[MAX_STATE];
      memcpy(t, s, sizeof t);
      diff->step(p, t, &in, f, NULL, df, ds);
      for (int j = 0; j < D; j++) {
        differences(m, p, s, in, j, slope);
        for (int i = 0; i < m->dim + n; i++) {
          double mine = i < m->dim ? df[i * D + j] : ds[(i - m->dim) * D + j],
                 scale = fabs(slope[i]) + 1e-3 * (i < m->dim ? 1 : 1e-5);
          CHECK(isfinite(mine), "%s", law->name);
          compared++;
          off += fabs(mine - slope[i]) > 2e-4 * scale + 1e-9;
        }
      }
    }
    /* kinks (onset of slip, vector elements switched off) account for the few that differ */
    CHECK(off <= compared / 20, "%s %d-D: %ld of %ld differ", law->name, m->dim, off, compared);
  }
}

/* ---- batches and single precision ---- */

enum { COUNT = 131 };

typedef struct crowd {
  double s[MAX_STATE * COUNT], f[3 * COUNT];
} crowd;

/* the contact `at` of a crowd alone: as a batch of one, or by the single step */
static void alone(const bristle_vector_model *m, const double *p, const bristle_vector_batch *b, const crowd *before,
                  int at, int single, double *s, double *f)
{
  bristle_vector_input in = { .n = b->n[at], .h = b->h, .load = b->load };
  bristle_vector_batch one = { .count = 1, .p = p, .s = s, .v = in.v, .n = &in.n, .h = b->h, .load = b->load, .f = f };
  for (int k = 0; k < m->info->nstate; k++) s[k] = before->s[k * COUNT + at];
  for (int k = 0; k < m->dim; k++) in.v[k] = b->v[k * COUNT + at];
  if (single) m->step(p, s, &in, f, NULL);
  else m->step_n(&one);
}

/* A batch is its contacts one by one, whether they share their parameters or not; and these are single steps, but for
   elasto_plastic, whose batches have a cheaper step of their own (tests/models/elasto_plastic.c). */
TEST(vector_batch_equals_single_steps_bit_for_bit)
{
  EACH_VECTOR_LAW(law, m)
  {
    static crowd shared, own, before;
    static double v[3 * COUNT], n[COUNT], every[MAX_PARAM * COUNT];
    const int ns = m->info->nstate, has_step = strcmp(law->name, "elasto_plastic") != 0;
    double p[MAX_PARAM];
    bristle_defaults(m->info, p);
    memset(&shared, 0, sizeof shared);
    for (int i = 0; i < COUNT; i++) {
      double a[3];
      random_vector(m->dim, pow(10, between(-6, -1)), a);
      for (int k = 0; k < m->dim; k++) v[k * COUNT + i] = a[k];
      for (int k = 0; k < m->info->nparam; k++) every[k * COUNT + i] = p[k];
      n[i] = between(0.1, 2);
    }
    for (int round = 0; round < 3; round++) {
      before = own = shared;
      bristle_vector_batch b = { .count = COUNT, .p = p, .s = shared.s, .v = v, .n = n, .h = 1e-3, .f = shared.f };
      b.load = BRISTLE_LOAD_COEFFICIENT;
      bristle_vector_batch c = b;
      m->step_n(&b);
      c.p = every, c.per_contact = 1, c.s = own.s, c.f = own.f;
      m->step_n(&c);
      CHECK(!memcmp(&own, &shared, sizeof own), "%s %d-D: parameters of their own", law->name, m->dim);
      for (int i = 0; i < COUNT; i++)
        for (int single = 0; single <= has_step; single++) {
          double one[MAX_STATE], force[3];
          alone(m, p, &b, &before, i, single, one, force);
          for (int k = 0; k < m->dim; k++)
            CHECK(!memcmp(&force[k], &shared.f[k * COUNT + i], sizeof *force), "%s %d-D contact %d: %.17g and %.17g",
                  law->name, m->dim, i, force[k], shared.f[k * COUNT + i]);
          for (int k = 0; k < ns; k++)
            CHECK(!memcmp(&one[k], &shared.s[k * COUNT + i], sizeof *one), "%s state", law->name);
        }
      for (int i = 0; i < m->dim * COUNT; i++) v[i] = -0.7 * v[i];
    }
  }
}

/* they are there where BRISTLE_VECTOR_F32 asks for them, as the complete tests do */
TEST(vector_laws_in_single_precision_follow_double)
{
  EACH_VECTOR_LAW(law, m)
  {
    const bristle_vector_model_f32 *small = law->f32[d_];
#ifndef BRISTLE_VECTOR_F32
    CHECK(!small, "%s %d-D", law->name, m->dim);
    continue;
#endif
    double p[MAX_PARAM], s[MAX_STATE] = { 0 };
    float q[MAX_PARAM], t[MAX_STATE] = { 0 };
    bristle_defaults(m->info, p);
    for (int i = 0; i < m->info->nparam; i++) q[i] = (float)p[i];
    for (int i = 0; i < 200; i++) {
      bristle_vector_input in = { .n = 1, .h = 1e-3, .load = m->info->load };
      bristle_vector_input_f32 in32 = { .n = 1, .h = 1e-3f, .load = m->info->load };
      double f[3];
      float g[3];
      random_vector(m->dim, pow(10, between(-5, -1)), in.v);
      for (int k = 0; k < m->dim; k++) in32.v[k] = (float)in.v[k];
      m->step(p, s, &in, f, NULL);
      small->step(q, t, &in32, g, NULL);
      for (int k = 0; k < m->dim; k++)
        CHECK(fabs(f[k] - (double)g[k]) < 2e-3, "%s %d-D: %g and %g", law->name, m->dim, f[k], (double)g[k]);
    }
  }
}
