/* Friction in the plane and in space: what every vector law promises, and the friction ellipse. */
#include "circle.h"

static int is_isotropic(const bristle_vector_law *law) { return strcmp(law->name, "lugre_ellipse") != 0; }

/* ---- the scalar law along a line ---- */

TEST(vector_laws_along_a_line_are_the_scalar_laws)
{
  EACH_VECTOR_LAW(law, m)
  {
    if (!is_isotropic(law)) continue;
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

/* constant speed around a circle in a tilted plane, by steps along its chords; single and as a batch */
TEST(circular_paths_match_an_independent_solution)
{
  enum { STEPS = 60000, LOOKS = 100 };
  EACH_VECTOR_LAW(law, m)
  {
    if (!m->info->nstate) continue;
    const int dim = m->dim;
    double p[MAX_PARAM], s[MAX_STATE] = { 0 }, t[MAX_STATE] = { 0 }, worst[2] = { 0, 0 };
    bristle_defaults(m->info, p);
    circle c = circle_of(law->name, dim, p);
    const double h = 0.1 / STEPS;
    for (int i = 1; i <= STEPS; i++) {
      double from[3], to[3], f[3];
      bristle_vector_input in = { .n = 1, .h = h };
      circle_position(&c, h * (i - 1), from);
      circle_position(&c, h * i, to);
      for (int k = 0; k < dim; k++) in.v[k] = (to[k] - from[k]) / h;
      bristle_vector_batch batch = { .count = 1, .p = p, .s = t, .v = in.v, .h = h, .f = f };
      m->step_n(&batch);
      m->step(p, s, &in, f, NULL);
      circle_advance(&c, h);
      for (int e = 0; i % (STEPS / LOOKS) == 0 && e < c.elements; e++)
        for (int which = 0; which < 2; which++) {
          double off[3];
          for (int k = 0; k < dim; k++) off[k] = (which ? t : s)[e * dim + k] - c.z[e][k];
          worst[which] = fmax(worst[which], norm(dim, off) / norm(dim, c.z[e]));
        }
    }
    CHECK(worst[0] <= 1e-8 && worst[1] <= 1e-8, "%s %d-D: bristle off by %g, in a batch %g", law->name, dim, worst[0],
          worst[1]);
    CHECK(c.slipping == c.elements, "%s: all elements slip in the end", law->name);
  }
}

/* ---- holding ---- */

TEST(vector_laws_hold_at_any_angle)
{
  static const double steps[] = { 1e-5, 1e-4, 1e-3, 1e-2, 1e-1 };
  EACH_VECTOR_LAW(law, m)
  {
    if (!(m->info->traits & BRISTLE_TRAIT_STICKS)) continue;
    for (int angle = 0; angle < 5; angle++) {
      double d[3] = { 1, 0, 0 };
      if (angle == 1) d[0] = 0, d[1] = -1;
      if (angle > 1) random_vector(m->dim, 1, d);
      for (int k = angle % test_share(1, 5) != 0; k < 5; k++) { /* the shortest at one angle */
        double moved = drift(m, d, steps[k]);
        CHECK(moved < 1e-12, "%s %d-D drifts %g at h = %g", law->name, m->dim, moved, steps[k]);
      }
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

/* what the force of the law, at the end velocity, leaves of the balance */
static double balance_left(const bristle_vector_model *m, const double *p, const double *s, bristle_vector_input in,
                           const double *end)
{
  double t[MAX_STATE], f[3], off = 0, scale = norm(m->dim, in.v);
  bristle_vector_input at = in;
  memcpy(t, s, sizeof t);
  memcpy(at.v, end, sizeof at.v);
  memset(at.w, 0, sizeof at.w);
  m->step(p, t, &at, f, NULL);
  for (int k = 0; k < m->dim; k++) {
    off = fmax(off, fabs(end[k] - in.v[k] + dot(m->dim, in.w[k], f)));
    scale += norm(m->dim, in.w[k]);
  }
  return off / scale;
}

/* A body shaken by about the level, sticking and sliding in turn. Where friction falls with speed, or a step is long,
   the end velocity is not easily found. gms jumps where an element stops slipping: there may be none. */
TEST(vector_coupled_step_is_solved)
{
  EACH_VECTOR_LAW(law, m)
  {
    const int jumps = !strcmp(law->name, "gms"), sets = jumps || (m->info->traits & BRISTLE_TRAIT_SET_VALUED);
    int steps = 0, unsolved = 0;
    for (int trial = 0; trial < 15; trial++) {
      const double h = pow(10, -4 + 0.5 * (trial % 5)), mass = pow(10, -2 + trial / 5);
      double p[MAX_PARAM], s[MAX_STATE] = { 0 }, v[3] = { 0 }, f[3], before[MAX_STATE];
      bristle_defaults(m->info, p);
      for (int i = 0; i < 300; i++, steps++) {
        const double t = h * i, push[3] = { 1.3 * sin(30 * t), 0.9 * cos(17 * t), 0.2 * sin(90 * t) };
        bristle_vector_input in = { .n = 1, .h = h, .load = m->info->load };
        for (int k = 0; k < m->dim; k++) in.w[k][k] = h / mass, in.v[k] = v[k] + h / mass * push[k];
        memcpy(before, s, sizeof s);
        m->step(p, s, &in, f, v);
        if (!(sets && norm(m->dim, v) == 0)) unsolved += balance_left(m, p, before, in, v) > 1e-12;
      }
    }
    CHECK(unsolved <= (jumps ? steps / 100 : 0), "%s %d-D: %d of %d", law->name, m->dim, unsolved, steps);
  }
}

/* true stick with a static level above the sliding one, in any direction: holds below fs, breaks away above it, slides
 * at g */
TEST(vector_stribeck_holds_up_to_its_static_level_and_slides_below_it)
{
  const bristle_vector_law *law = bristle_vector_law_find("stribeck");
  for (int dim = 2; law && dim <= 3; dim++) {
    const bristle_vector_model *m = law->f64[dim - 2];
    const double h = 1e-3, mass = 1, direction[3] = { 0.6, dim == 2 ? 0.8 : 0.48, dim == 2 ? 0 : 0.64 };
    double p[MAX_PARAM], s[MAX_STATE] = { 0 }, v[3] = { 0 }, f[3];
    bristle_defaults(m->info, p); /* fc 1, fs 1.5, vs 1e-3, sigma2 0.4 */
    for (int i = 0; i < 3000; i++) {
      const double push = i < 1000 ? 1.499 : i < 1100 ? 1.501 : 1.2;
      bristle_vector_input in = { .n = 1, .h = h, .load = m->info->load };
      for (int k = 0; k < dim; k++) in.w[k][k] = h / mass, in.v[k] = v[k] + h / mass * push * direction[k];
      m->step(p, s, &in, f, v);
      if (i == 999) {
        CHECK(norm(dim, v) == 0, "%d-D moves at %g m/s below the static level", dim, norm(dim, v));
        CHECK_ABS(norm(dim, f), 1.499, 1e-12);
      }
    }
    /* 1.2 N would not have moved it; once it slides, the level is fc and the speed tends to 0.2 N/(0.4 N s/m) */
    CHECK(norm(dim, v) > 0.1, "%d-D stands still at %g m/s", dim, norm(dim, v));
    CHECK_ABS(norm(dim, f), 1 + 0.4 * norm(dim, v), 1e-9);
    CHECK_ABS(dot(dim, f, direction), norm(dim, f), 1e-9);
  }
  CHECK(law != NULL, "stribeck has no vector form");
}

/* Bent beyond fs/sigma0 and moved across or aslant, the step meets a fine integration of the rates; at rest the bristle
   comes back to its bound, in its own direction. */
TEST(bounded_bristle_lets_go_in_every_direction)
{
  const bristle_vector_model *m = bristle_vector_law_find("lugre_bounded")->f64[0];
  double p[MAX_PARAM];
  bristle_defaults(m->info, p);
  const double bound = 1.5e-5, slow[][2] = { { 0, 0 }, { 0, 1e-4 }, { 3e-3, 4e-3 }, { -2e-3, 1e-3 } };
  for (int k = 0; k < 4; k++) {
    double s[2] = { 1e-4, 0 }, z[2] = { 1e-4, 0 }, force[2], rate[2];
    const bristle_vector_input coarse = { .v = { slow[k][0], slow[k][1] }, .n = 1, .h = 1e-4 };
    bristle_vector_input fine = coarse;
    fine.h = 1e-7;
    for (int i = 0; i < 10; i++) m->step(p, s, &coarse, force, NULL);
    for (int i = 0; i < 10000; i++) { /* the midpoint rule */
      double half[2], ignored[2];
      m->eval(p, z, &fine, ignored, rate);
      for (int j = 0; j < 2; j++) half[j] = z[j] + 0.5 * fine.h * rate[j];
      m->eval(p, half, &fine, ignored, rate);
      for (int j = 0; j < 2; j++) z[j] += fine.h * rate[j];
    }
    const double apart = hypot(s[0] - z[0], s[1] - z[1]);
    CHECK(apart < 0.01 * hypot(z[0], z[1]), "%g, %g m/s: %g, %g for %g, %g m", slow[k][0], slow[k][1], s[0], s[1], z[0],
          z[1]);
  }
  double s[2] = { 6e-5, 8e-5 }, force[2];
  const bristle_vector_input rest = { .n = 1, .h = 1 };
  m->step(p, s, &rest, force, NULL);
  CHECK_NEAR(hypot(s[0], s[1]), bound, 1e-9);
  CHECK_NEAR(s[1] / s[0], 8.0 / 6, 1e-12);
}
