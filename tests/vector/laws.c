/* Friction in the plane and in space: what every vector law promises, and the friction ellipse. */
#include "bristle/vector.h"
#include "support/law.h"

#define EACH_VECTOR_LAW(law, m)                                                                      \
  for (int l_ = 0; l_ < bristle_vector_law_count(); l_++)                                            \
    for (int d_ = 0; d_ < 2; d_++)                                                                   \
      for (const bristle_vector_law *law = bristle_vector_law_at(l_); law; law = NULL)               \
        for (const bristle_vector_model *m = law->f64[d_]; m; m = NULL)

static unsigned long long seed = 11;
static double between(double lo, double hi)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static double dot(int dim, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < dim; i++) sum += a[i] * b[i];
  return sum;
}
static double norm(int dim, const double *a) { return sqrt(dot(dim, a, a)); }

static void random_vector(int dim, double size, double *a)
{
  do
    for (int i = 0; i < dim; i++) a[i] = between(-1, 1);
  while (norm(dim, a) > 1 || norm(dim, a) < 0.1);
  double length = norm(dim, a);
  for (int i = 0; i < dim; i++) a[i] *= size / length;
}

/* a rotation: two random axes made orthonormal (in the plane, a random angle) */
static void random_rotation(int dim, double r[3][3])
{
  memset(r, 0, sizeof(double[3][3]));
  if (dim == 2) {
    double a = between(0, 6.283185307179586);
    r[0][0] = r[1][1] = cos(a), r[0][1] = -sin(a), r[1][0] = sin(a), r[2][2] = 1;
    return;
  }
  random_vector(3, 1, r[0]);
  random_vector(3, 1, r[1]);
  double along = dot(3, r[0], r[1]);
  for (int i = 0; i < 3; i++) r[1][i] -= along * r[0][i];
  double length = norm(3, r[1]);
  for (int i = 0; i < 3; i++) r[1][i] /= length;
  for (int i = 0; i < 3; i++) r[2][i] = r[0][(i + 1) % 3] * r[1][(i + 2) % 3] - r[0][(i + 2) % 3] * r[1][(i + 1) % 3];
}

static void turn(int dim, const double r[3][3], const double *a, double *out)
{
  for (int i = 0; i < dim; i++) out[i] = dot(dim, r[i], a);
}

static int is_isotropic(const bristle_vector_law *law) { return strcmp(law->name, "lugre_ellipse") != 0; }

/* ---- the scalar law along a line ---- */

TEST(vector_laws_along_a_line_are_the_scalar_laws)
{
  EACH_VECTOR_LAW(law, m)
  {
    /* vector elasto_plastic has steps of its own, which the next test follows to the scalar law */
    if (!is_isotropic(law) || !strcmp(law->name, "elasto_plastic")) continue;
    contact c = contact_of(law->name);
    double s[MAX_STATE] = { 0 }, axis[3] = { 0 };
    random_vector(m->dim, 1, axis);
    for (int i = 0; i < 400; i++) {
      double v = (i % 7 < 4 ? 1 : -1) * pow(10, between(-6, -1)), h = pow(10, between(-4, -2)), force[3];
      bristle_vector_input in = { .n = 1, .h = h, .load = c.load };
      bristle_input line = { .v = v, .n = 1, .h = h, .load = c.load };
      for (int k = 0; k < m->dim; k++) in.v[k] = v * axis[k];
      double f = c.model->step(c.p, c.s, &line, NULL);
      m->step(c.p, s, &in, force, NULL);
      double along = dot(m->dim, force, axis);
      CHECK(fabs(along - f) <= 1e-14 * (fabs(f) + 1), "%s %d-D: %.15g, scalar %.15g", law->name, m->dim, along, f);
    }
  }
}

/* elasto_plastic meets its scalar law as the steps shrink, with second order */
TEST(vector_elasto_plastic_converges_to_the_scalar_law_along_a_line)
{
  const bristle_vector_model *m = bristle_vector_law_find("elasto_plastic")->f64[0];
  double off[3];
  for (int level = 0; level < 3; level++) {
    contact c = contact_of("elasto_plastic");
    double s[MAX_STATE] = { 0 };
    const int steps = 100 << (2 * level);
    off[level] = 0;
    for (int i = 0; i < steps; i++) {
      double t = (i + 0.5) / steps, v = 1e-3 * sin(18.85 * t), f, force[3];
      bristle_vector_input in = { .v = { 0.6 * v, 0.8 * v }, .n = 1, .h = 0.3 / steps };
      bristle_input line = { .v = v, .n = 1, .h = in.h };
      f = c.model->step(c.p, c.s, &line, NULL);
      m->step(c.p, s, &in, force, NULL);
      off[level] = fmax(off[level], fabs(0.6 * force[0] + 0.8 * force[1] - f));
    }
  }
  printf("  largest difference %.1e, %.1e, %.1e N\n", off[0], off[1], off[2]);
  CHECK(off[2] < 2e-4 && off[2] < off[0] / 16, "%g, %g, %g", off[0], off[1], off[2]);
}

/* whatever the step: a bristle within its limit stays there, one beyond it never grows */
TEST(vector_elasto_plastic_never_passes_its_limit)
{
  const bristle_vector_model *m = bristle_vector_law_find("elasto_plastic")->f64[0];
  double p[MAX_PARAM], s[2] = { 0 };
  bristle_defaults(m->info, p);
  const double sigma0 = p[bristle_param_find(m->info, "sigma0")->first],
               fs = p[bristle_param_find(m->info, "fs")->first];
  for (int i = 0; i < 20000; i++) {
    bristle_vector_input in = { .n = 1, .h = pow(10, between(-6, 0)) };
    double f[3];
    random_vector(2, pow(10, between(-6, 0)), in.v);
    m->step(p, s, &in, f, NULL);
    CHECK(norm(2, s) <= fs / sigma0 * (1 + 1e-12), "|z| = %g at |v| = %g, h = %g", norm(2, s), norm(2, in.v), in.h);
  }
}

/* with equal axes the ellipse is a circle, and the law is lugre */
TEST(ellipse_with_equal_axes_is_lugre)
{
  for (int d = 0; d < 2; d++) {
    const bristle_vector_model *m = bristle_vector_law_find("lugre_ellipse")->f64[d];
    const bristle_vector_model *iso = bristle_vector_law_find("lugre")->f64[d];
    double p[MAX_PARAM], q[MAX_PARAM], s[3] = { 0 }, t[3] = { 0 };
    bristle_defaults(m->info, p);
    bristle_defaults(iso->info, q);
    for (int i = 0; i < m->dim; i++) {
      p[bristle_param_find(m->info, "fc")->first + i] = 1;
      p[bristle_param_find(m->info, "fs")->first + i] = 1.5;
    }
    for (int i = 0; i < 300; i++) {
      bristle_vector_input in = { .n = 1, .h = 1e-3 };
      double f[3], g[3];
      random_vector(m->dim, pow(10, between(-6, -1)), in.v);
      m->step(p, s, &in, f, NULL);
      iso->step(q, t, &in, g, NULL);
      for (int k = 0; k < m->dim; k++) CHECK_ABS(f[k], g[k], 1e-14);
    }
  }
}

/* ---- no preferred direction ---- */

TEST(isotropic_laws_turn_with_the_axes)
{
  EACH_VECTOR_LAW(law, m)
  {
    if (!is_isotropic(law)) continue;
    for (int trial = 0; trial < 10; trial++) {
      double r[3][3], s[MAX_STATE] = { 0 }, t[MAX_STATE] = { 0 }, p[MAX_PARAM];
      random_rotation(m->dim, r);
      bristle_defaults(m->info, p);
      for (int i = 0; i < 60; i++) {
        bristle_vector_input a = { .n = 1, .h = 1e-3, .load = m->info->load }, b = a;
        double f[3], g[3], turned[3], v_a[3], v_b[3];
        random_vector(m->dim, pow(10, between(-5, -2)), a.v);
        turn(m->dim, r, a.v, b.v);
        if (i % 2)
          for (int k = 0; k < m->dim; k++) a.w[k][k] = b.w[k][k] = 1e-3;
        m->step(p, s, &a, f, v_a);
        m->step(p, t, &b, g, v_b);
        turn(m->dim, r, f, turned);
        for (int k = 0; k < m->dim; k++)
          CHECK(fabs(turned[k] - g[k]) <= 1e-13, "%s %d-D: %.15g and %.15g", law->name, m->dim, turned[k], g[k]);
      }
      m->rotate(s, (const double(*)[3])r); /* the states of one in the frame of the other */
      for (int k = 0; k < m->info->nstate; k++)
        CHECK(fabs(s[k] - t[k]) <= 1e-13 * (1 + fabs(t[k])), "%s state %d", law->name, k);
    }
  }
}

TEST(states_are_kept_in_the_tangent_plane)
{
  const bristle_vector_model *m = bristle_vector_law_find("gms")->f64[1];
  double s[MAX_STATE] = { 0 }, normal[3];
  random_vector(3, 1, normal);
  for (int i = 0; i < 30; i++) s[i] = between(-1e-5, 1e-5);
  m->project(s, normal);
  for (int e = 0; e < 10; e++) CHECK_ABS(dot(3, s + 3 * e, normal), 0, 1e-20);
}

/* ---- the ellipse ---- */

/* steady kinetic friction F satisfies sum (F_i/fc_i)^2 = 1, and no other point of the ellipse dissipates more */
TEST(steady_sliding_lies_on_the_ellipse_and_dissipates_most)
{
  for (int d = 0; d < 2; d++) {
    const bristle_vector_model *m = bristle_vector_law_find("lugre_ellipse")->f64[d];
    double p[MAX_PARAM];
    bristle_defaults(m->info, p);
    double *fc = p + bristle_param_find(m->info, "fc")->first,
           *sigma2 = p + bristle_param_find(m->info, "sigma2")->first;
    for (int k = 0; k < m->dim; k++) sigma2[k] = 0;
    for (int trial = 0; trial < 200; trial++) {
      bristle_vector_input in = { .n = 1, .h = 1e-2 };
      double s[3] = { 0 }, f[3], steady[3], on = 0, best = 0;
      random_vector(m->dim, 0.1, in.v); /* 100 vs: kinetic */
      for (int i = 0; i < 50; i++) m->step(p, s, &in, f, NULL);
      m->steady(p, &in, steady);
      for (int k = 0; k < m->dim; k++) {
        CHECK_ABS(f[k], steady[k], 1e-12);
        on += pow(f[k] / fc[k], 2);
        best += pow(fc[k] * in.v[k], 2); /* support function of the ellipse */
      }
      CHECK_ABS(on, 1, 1e-12);
      CHECK_NEAR(dot(m->dim, f, in.v), sqrt(best), 1e-12);
    }
  }
}

/* ---- circles ---- */

/* constant speed around a circle: steps along chords against Runge-Kutta on eval with the turning velocity */
TEST(circular_paths_match_an_independent_integration)
{
  EACH_VECTOR_LAW(law, m)
  {
    if (!m->info->nstate || !strcmp(law->name, "gms")) continue; /* gms changes its flags in steps: below */
    const double radius = 2e-5, speed = 1e-3, turns = speed / radius, time = 0.03;
    const int steps = 60000;
    const double h = time / steps;
    double p[MAX_PARAM], s[MAX_STATE] = { 0 }, y[MAX_STATE] = { 0 }, k[4][MAX_STATE], u[MAX_STATE], f[3], g[3];
    static const double node[4] = { 0, 0.5, 0.5, 1 };
    bristle_defaults(m->info, p);
    for (int i = 0; i < steps; i++) {
      bristle_vector_input in = { .n = 1, .h = h, .load = m->info->load };
      double a = turns * h * i, b = turns * h * (i + 1);
      in.v[0] = radius * (cos(b) - cos(a)) / h, in.v[1] = radius * (sin(b) - sin(a)) / h;
      m->step(p, s, &in, f, NULL);
      for (int stage = 0; stage < 4; stage++) {
        for (int j = 0; j < m->info->nstate; j++) u[j] = stage ? y[j] + node[stage] * h * k[stage - 1][j] : y[j];
        double angle = turns * h * (i + node[stage]);
        in.v[0] = -speed * sin(angle), in.v[1] = speed * cos(angle);
        m->eval(p, u, &in, g, k[stage]);
      }
      for (int j = 0; j < m->info->nstate; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
    for (int j = 0; j < m->info->nstate; j++)
      CHECK(1e5 * fabs(s[j] - y[j]) <= 1e-8, "%s %d-D state %d: force off by %g", law->name, m->dim, j,
            1e5 * fabs(s[j] - y[j]));
  }
}

TEST(gms_on_a_circle_converges_with_its_steps)
{
  const bristle_vector_model *m = bristle_vector_law_find("gms")->f64[0];
  double p[MAX_PARAM], end[3][2];
  bristle_defaults(m->info, p);
  for (int level = 0; level < 3; level++) {
    const int steps = 500 << (3 * level);
    const double radius = 2e-5, turns = 1e-3 / radius, h = 0.03 / steps;
    double s[MAX_STATE] = { 0 };
    for (int i = 0; i < steps; i++) {
      bristle_vector_input in = { .n = 1, .h = h };
      double a = turns * h * i, b = turns * h * (i + 1);
      in.v[0] = radius * (cos(b) - cos(a)) / h, in.v[1] = radius * (sin(b) - sin(a)) / h;
      m->step(p, s, &in, end[level], NULL);
    }
  }
  double coarse = hypot(end[0][0] - end[2][0], end[0][1] - end[2][1]),
         fine = hypot(end[1][0] - end[2][0], end[1][1] - end[2][1]);
  CHECK(fine < coarse / 4 && fine < 1e-3, "coarse %g, fine %g", coarse, fine);
}

/* ---- holding ---- */

TEST(vector_laws_hold_at_any_angle)
{
  static const double steps[] = { 1e-5, 1e-4, 1e-3, 1e-2, 1e-1 };
  EACH_VECTOR_LAW(law, m)
  {
    if (!(m->info->traits & BRISTLE_STICKS)) continue;
    for (int k = 0; k < 5; k++) {
      if (k == 0 && m->dim == 3) continue; /* a million steps each: the plane has shown it */
      const double h = steps[k], w = h / 0.01;
      double p[MAX_PARAM], s[MAX_STATE] = { 0 }, v[3] = { 0 }, x[3] = { 0 }, x1[3] = { 0 }, load[3], f[3], slow[3];
      bristle_defaults(m->info, p);
      bristle_vector_input in = { .n = 1, .h = h, .load = m->info->load };
      random_vector(m->dim, 1e-6, in.v);
      m->steady(p, &in, slow);
      for (int i = 0; i < m->dim; i++) load[i] = 0.5 * slow[i], in.w[i][i] = w;
      const long all = lround(10 / h), settle = lround(1 / h);
      for (long i = 0; i < all; i++) {
        for (int j = 0; j < m->dim; j++) in.v[j] = v[j] + w * load[j];
        m->step(p, s, &in, f, v);
        for (int j = 0; j < m->dim; j++) x[j] += h * v[j];
        if (i == settle - 1) memcpy(x1, x, sizeof x);
      }
      for (int j = 0; j < m->dim; j++) x[j] -= x1[j];
      CHECK(norm(m->dim, x) < 1e-12, "%s %d-D drifts %g at h = %g", law->name, m->dim, norm(m->dim, x), h);
    }
  }
}

/* any symmetric compliance: the balance closes */
TEST(vector_coupled_step_closes_the_balance)
{
  EACH_VECTOR_LAW(law, m)
  {
    for (int trial = 0; trial < 100; trial++) {
      double p[MAX_PARAM], s[MAX_STATE] = { 0 }, r[3][3], eigen[3];
      bristle_defaults(m->info, p);
      random_rotation(m->dim, r);
      bristle_vector_input in = { .n = 1, .h = pow(10, between(-4, -1)), .load = m->info->load };
      for (int k = 0; k < m->dim; k++) eigen[k] = in.h * pow(10, between(-1, 2));
      for (int i = 0; i < m->dim; i++)
        for (int j = 0; j < m->dim; j++)
          for (int k = 0; k < m->dim; k++) in.w[i][j] += r[k][i] * eigen[k] * r[k][j];
      for (int i = 0; i < 8; i++) {
        double f[3], v[3];
        random_vector(m->dim, pow(10, between(-5, 0)), in.v);
        m->step(p, s, &in, f, v);
        for (int k = 0; k < m->dim; k++) {
          double gap = in.v[k] - dot(m->dim, in.w[k], f) - v[k], scale = norm(m->dim, in.v) + 3 * norm(m->dim, in.w[k]);
          CHECK(fabs(gap) <= 1e-12 * scale, "%s %d-D: gap %g of %g", law->name, m->dim, gap, scale);
        }
        CHECK(isfinite(norm(m->dim, f)) && isfinite(norm(m->dim, v)), "%s", law->name);
      }
    }
  }
}

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

TEST(vector_batch_equals_single_steps_bit_for_bit)
{
  enum { COUNT = 131 };
  EACH_VECTOR_LAW(law, m)
  {
    static double s[MAX_STATE * COUNT], v[3 * COUNT], n[COUNT], f[3 * COUNT];
    double p[MAX_PARAM];
    const int ns = m->info->nstate;
    bristle_defaults(m->info, p);
    memset(s, 0, sizeof s);
    for (int i = 0; i < COUNT; i++) {
      double a[3];
      random_vector(m->dim, pow(10, between(-6, -1)), a);
      for (int k = 0; k < m->dim; k++) v[k * COUNT + i] = a[k];
      n[i] = between(0.1, 2);
    }
    for (int round = 0; round < 3; round++) {
      static double before[MAX_STATE * COUNT];
      memcpy(before, s, sizeof s);
      bristle_vector_batch b = {
        .count = COUNT, .p = p, .s = s, .v = v, .n = n, .h = 1e-3, .load = BRISTLE_LOAD_COEFFICIENT, .f = f
      };
      m->step_n(&b);
      for (int i = 0; i < COUNT; i++) {
        double one[MAX_STATE], force[3];
        bristle_vector_input in = { .n = n[i], .h = 1e-3, .load = BRISTLE_LOAD_COEFFICIENT };
        for (int k = 0; k < ns; k++) one[k] = before[k * COUNT + i];
        for (int k = 0; k < m->dim; k++) in.v[k] = v[k * COUNT + i];
        m->step(p, one, &in, force, NULL);
        for (int k = 0; k < m->dim; k++)
          CHECK(!memcmp(&force[k], &f[k * COUNT + i], sizeof *f), "%s %d-D contact %d: %.17g and %.17g", law->name,
                m->dim, i, force[k], f[k * COUNT + i]);
        for (int k = 0; k < ns; k++) CHECK(!memcmp(&one[k], &s[k * COUNT + i], sizeof *s), "%s state", law->name);
      }
      for (int i = 0; i < m->dim * COUNT; i++) v[i] = -0.7 * v[i];
    }
  }
}

TEST(vector_laws_in_single_precision_follow_double)
{
  EACH_VECTOR_LAW(law, m)
  {
    const bristle_vector_model_f32 *small = law->f32[d_];
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
