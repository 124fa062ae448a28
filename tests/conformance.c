/* One test for every registered law: what its table says must hold, and what its traits claim must be true.
 * The same text is built for double and, through conformance_f32.c, for float; and through conformance_skewed.c for the
 * laws with their own friction for each direction. It needs only the law objects of that precision, so it also runs on
 * a microcontroller. */
#include "conformance/laws.h"
#include "conformance/steps.h"

/* ---- tables ---- */

static int unit_is_known(const char *unit)
{
  static const char *const known[] = { "1",   "N",   "m",   "s",     "m/s",       "N/m",     "N*s/m", "N/s",
                                       "1/m", "1/s", "s/m", "m/s^2", "N*s^2/m^2", "s^2/m^2", "1/N",   "kg" };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(unit, known[i])) return 1;
  return 0;
}

static void check_rows(const model *m, const bristle_row *rows, int count, int total, int is_param)
{
  int next = 0;
  for (int r = 0; r < count; r++) {
    const bristle_row *row = &rows[r];
    CHECK(row->first == next && row->count > 0, "%s.%s", m->info->name, row->name);
    next += row->count;
    CHECK(unit_is_known(row->unit), "%s.%s has unit %s", m->info->name, row->name, row->unit);
    CHECK(strlen(row->doc) > 5, "%s.%s has no doc", m->info->name, row->name);
    CHECK(is_param == (row->kind < BRISTLE_ROW_FLOW), "%s.%s kind %d", m->info->name, row->name, row->kind);
    for (int i = 0; is_param && i < row->count; i++)
      CHECK(row->lo <= row->initial[i] && row->initial[i] <= row->hi, "%s.%s default %g", m->info->name, row->name,
            row->initial[i]);
  }
  CHECK(next == total && total <= SIZE, "%s rows cover %d of %d", m->info->name, next, total);
}

CONFORMANCE(tables_are_sane)
{
  EACH_LAW(m)
  {
    check_rows(m, m->info->param, m->info->param_rows, m->info->nparam, 1);
    check_rows(m, m->info->state, m->info->state_rows, m->info->nstate, 0);
    CHECK(strlen(m->info->title) && strlen(m->info->equations) && strlen(m->info->use) && strlen(m->info->limits)
              && strlen(m->info->source),
          "%s is not documented", m->info->name);
    for (const model *const *other = laws; other < l_; other++)
      CHECK(strcmp((*other)->info->name, m->info->name), "%s twice", m->info->name);
  }
}

/* ---- finite everywhere ---- */

static void check_finite(const model *m, const real *p, const char *what, double value)
{
  const int stride = test_share(1, 7); /* prime to the lengths of the lists: every value occurs */
  static const double speeds[] = { 0, TINY_SPEED, 1e-30, 1e-9, 1e-4, 1, 1e3, 1e6 }, loads[] = { 0, 1, 1e5 };
  static const double steps[] = { 1e-6, 1e-3, 1 }, compliances[] = { 0, 1e-4, 10 };
  for (int load = 0; load < 3; load++)
    for (int k = load % stride; k < 8 * 3 * 3 * 3; k += stride) {
      real s[SIZE] = { 0 }, rate[SIZE] = { 0 }, end = 0;
      input in = { .v = (real)(speeds[k % 8] * (k & 1 ? -1 : 1)),
                   .n = (real)loads[k / 8 % 3],
                   .h = (real)steps[k / 24 % 3],
                   .w = (real)compliances[k / 72],
                   .load = (bristle_load)load };
      double sum = 0;
      for (int i = 0; i < 3; i++) { /* forth, back, forth */
        sum += (double)m->step(p, s, &in, &end) * 0;
        sum += (double)end * 0;
        in.v = -in.v;
      }
      sum += (double)m->eval(p, s, &in, rate) * 0 + (double)m->steady(p, &in) * 0 + (double)m->energy(p, s, &in) * 0;
      for (int i = 0; i < m->info->nstate; i++) sum += (double)s[i] * 0 + (double)rate[i] * 0;
      CHECK(sum == 0, "%s with %s = %g: v %g n %g h %g w %g load form %d", m->info->name, what, value, (double)in.v,
            (double)in.n, (double)in.h, (double)in.w, load);
    }
}

CONFORMANCE(results_are_finite_at_rest_without_load_and_at_every_bound)
{
  EACH_LAW(m)
  {
    real p[SIZE], s[SIZE];
    defaults(m, p, s);
    check_finite(m, p, "defaults", 0);
    for (int r = 0; r < m->info->param_rows; r++)
      for (int side = 0; side < 2; side++) {
        const bristle_row *row = &m->info->param[r];
        real kept = p[row->first];
        p[row->first] = (real)(side ? row->hi : row->lo);
#ifndef CONFORMANCE_F32 /* a bound may break a relation; then the set is refused and need not work */
        if (bristle_check(m, p, NULL) == BRISTLE_STATUS_OK)
#else
        if (row->kind == BRISTLE_ROW_OPTION)
#endif
          check_finite(m, p, row->name, (double)p[row->first]);
        p[row->first] = kept;
      }
  }
}

/* ---- claims ---- */

CONFORMANCE(odd_laws_are_odd_along_every_path)
{
  EACH_LAW(m)
  {
    if (!has(m, BRISTLE_TRAIT_ODD)) continue;
    real p[SIZE], a[SIZE], b[SIZE], end;
    defaults(m, p, a);
    defaults(m, p, b);
    input in = at(m, 0, 1e-3), mirror = in;
    for (int i = 0; i < 300; i++) {
      in.v = random_speed();
      in.w = mirror.w = i % 3 ? 0 : (real)1e-3;
      mirror.v = -in.v;
      mirror.x = -in.x;
      real f = m->step(p, a, &in, &end), g = m->step(p, b, &mirror, NULL);
      in.x += end * in.h;
      CHECK(fabs((double)(f + g)) <= 8 * EPS * fabs((double)f), "%s step %d: %.17g and %.17g", m->info->name, i,
            (double)f, (double)g);
    }
  }
}

CONFORMANCE(steady_force_is_where_a_long_glide_ends)
{
  EACH_LAW(m)
  {
    if (!has(m, BRISTLE_TRAIT_STEADY)) continue;
    for (double v = 1e-5; v < 2; v *= 7)
      for (int side = -1; side <= 1; side += 2) {
        real p[SIZE], s[SIZE], rate[SIZE], f = 0;
        defaults(m, p, s);
        input in = at(m, side * v, fmax(20, GLIDE / v) / 400);
        for (int i = 0; i < 400; i++) {
          f = m->step(p, s, &in, NULL);
          in.x += in.v * in.h;
        }
        real end = m->steady(p, &in), now = m->eval(p, s, &in, rate);
        double tolerance = sizeof(real) == 8 ? 1e-9 : 1e-4;
        CHECK(fabs((double)(f - end)) <= tolerance * fabs((double)end), "%s at %g: glides to %.12g, steady %.12g",
              m->info->name, side * v, (double)f, (double)end);
        CHECK(fabs((double)(now - end)) <= tolerance * fabs((double)end), "%s at %g: eval %.12g, steady %.12g",
              m->info->name, side * v, (double)now, (double)end);
        CHECK((double)end * side >= 0, "%s drives the motion at %g", m->info->name, side * v);
      }
  }
}

CONFORMANCE(only_laws_that_say_so_read_the_acceleration)
{
  EACH_LAW(m)
  {
    int differs = 0;
    for (double v = 1e-4; v < 1; v *= 3) {
      real p[SIZE], s[SIZE], rate[SIZE];
      defaults(m, p, s);
      input in = at(m, v, 1e-3);
      in.a = (real)1;
      const real up = m->eval(p, s, &in, rate);
      in.a = (real)-1;
      differs |= up != m->eval(p, s, &in, rate);
    }
    CHECK(differs == (has(m, BRISTLE_TRAIT_ACCELERATION) != 0), "%s: the trait is wrong", m->info->name);
  }
}

CONFORMANCE(rate_free_laws_forget_the_clock)
{
  EACH_LAW(m)
  {
    if (!has(m, BRISTLE_TRAIT_RATE_FREE)) continue;
    real p[SIZE], a[SIZE], b[SIZE];
    defaults(m, p, a);
    defaults(m, p, b);
    input in = at(m, 0, 1e-3), slow = at(m, 0, 4e-3);
    for (int i = 0; i < 300; i++) {
      in.v = (real)0.1 * random_speed();
      slow.v = in.v / 4;
      real f = m->step(p, a, &in, NULL), g = m->step(p, b, &slow, NULL);
      CHECK(fabs((double)(f - g)) <= 1e3 * EPS * (fabs((double)f) + 1e-3), "%s: %.17g at speed, %.17g slowly",
            m->info->name, (double)f, (double)g);
    }
  }
}

CONFORMANCE(passive_laws_never_return_more_than_they_stored)
{
  EACH_LAW(m)
  {
    if (!has(m, BRISTLE_TRAIT_PASSIVE)) continue;
    for (int path = 0; path < 20; path++) {
      real p[SIZE], s[SIZE];
      defaults(m, p, s);
      input in = at(m, 0, pow(10, between(-5, -1)));
      double work = 0, moved = 0, scale = 0, speed = pow(10, between(-5, 0));
      in.f = 0;
      for (int i = 0; i < 400; i++) {
        in.v = (real)(i < 399 ? speed * between(-1, 1) : 0);             /* random walk ... */
        if (i > 200) in.v = (real)(-moved / (399.5 - i) / (double)in.h); /* ... that closes */
        double before = (double)m->energy(p, s, &in);
        double f = (double)m->step(p, s, &in, NULL), done = f * (double)in.v * (double)in.h;
        in.x += in.v * in.h;
        moved += (double)in.v * (double)in.h;
        work += done;
        scale += fabs(done);
        double after = (double)m->energy(p, s, &in);
        CHECK(done - (after - before) >= -1e2 * EPS * (scale + after), "%s path %d step %d: work %g, stored %g",
              m->info->name, path, i, done, after - before);
      }
      CHECK(work >= -1e2 * EPS * scale, "%s gained %g over a closed path", m->info->name, -work);
    }
  }
}

/* W1: inertia 0.01, half the static level, 10 s; the body may settle for 1 s and must not move after that */
static double drift(const model *m, double h)
{
  real p[SIZE], s[SIZE], v = 0;
  defaults(m, p, s);
  const double load = 0.5 * static_level(m, p);
  const long settle = lround(1 / h), all = lround(10 / h);
  double x = 0, x1 = 0; /* positions in double: the host's business, not the law's */
  input in = at(m, 0, h);
  in.w = (real)(h / 0.01);
  for (long i = 0; i < all; i++) {
    in.v = (real)((double)v + h / 0.01 * load);
    in.x = (real)x;
    m->step(p, s, &in, &v);
    x += h * (double)v;
    if (i == settle - 1) x1 = x;
  }
  return fabs(x - x1);
}

CONFORMANCE(sticking_laws_hold_half_their_level_without_drift)
{
#ifdef CONFORMANCE_F32
  static const double steps[] = { 1e-3, 1e-2, 1e-1 };
  const double allowed = 1e-7;
#elif defined(CONFORMANCE_SKEWED)
  static const double steps[] = { 1e-3, 1e-2, 1e-1 };
  const double allowed = 1e-12;
#else
  static const double steps[] = { 1e-5, 1e-4, 1e-3, 1e-2, 1e-1 };
  const double allowed = 1e-12;
#endif
  EACH_LAW(m)
  {
    if (!has(m, BRISTLE_TRAIT_STICKS)) continue;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
      if (steps[i] < 9e-5 && (l_ - laws) % test_share(1, 6)) continue; /* a million steps */
      double moved = drift(m, steps[i]);
      CHECK(moved < allowed, "%s drifts %g at h = %g", m->info->name, moved, steps[i]);
    }
  }
}

/* ---- affine ---- */

/* the step from the middle of two states is the middle of the steps from them */
CONFORMANCE(affine_laws_step_by_affine_maps)
{
  EACH_LAW(m)
  {
    if (!has(m, BRISTLE_TRAIT_AFFINE)) continue;
    CHECK(m->info->nstate == 1, "%s", m->info->name);
    real p[SIZE], s[SIZE];
    defaults(m, p, s);
    for (int k = 0; k < 200; k++) {
      input in = at(m, random_speed(), 1e-3);
      real lo = (real)between(-2e-5, 0), hi = (real)between(0, 2e-5), middle = (lo + hi) / 2;
      m->step(p, &lo, &in, NULL), m->step(p, &hi, &in, NULL), m->step(p, &middle, &in, NULL);
      CHECK(fabs((double)(lo / 2 + hi / 2 - middle)) <= 8 * EPS * 2e-5, "%s: %g", m->info->name,
            (double)(lo / 2 + hi / 2 - middle));
    }
  }
}
