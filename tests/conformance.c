/* One test for every registered law: what its table says must hold, and what its traits claim must be true.
 * The same text is built for double and, through conformance_f32.c, for float; and through conformance_skewed.c for the
 * laws with their own friction for each direction. It needs only the law objects of that precision, so it also runs on
 * a microcontroller. */
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
    CHECK(is_param == (row->kind < BRISTLE_FLOW), "%s.%s kind %d", m->info->name, row->name, row->kind);
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
  static const double speeds[] = { 0, TINY_SPEED, 1e-30, 1e-9, 1e-4, 1, 1e3, 1e6 }, loads[] = { 0, 1, 1e5 };
  static const double steps[] = { 1e-6, 1e-3, 1 }, compliances[] = { 0, 1e-4, 10 };
  for (int load = 0; load < 3; load++)
    for (int k = 0; k < 8 * 3 * 3 * 3; k++) {
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
        if (bristle_check(m, p, NULL) == BRISTLE_OK)
#else
        if (row->kind == BRISTLE_OPTION)
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
    if (!has(m, BRISTLE_ODD)) continue;
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
    if (!has(m, BRISTLE_STEADY)) continue;
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
    CHECK(differs == (has(m, BRISTLE_ACCELERATION) != 0), "%s: the trait is wrong", m->info->name);
  }
}

CONFORMANCE(rate_free_laws_forget_the_clock)
{
  EACH_LAW(m)
  {
    if (!has(m, BRISTLE_RATE_FREE)) continue;
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
    if (!has(m, BRISTLE_PASSIVE)) continue;
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
    if (!has(m, BRISTLE_STICKS)) continue;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
      double moved = drift(m, steps[i]);
      CHECK(moved < allowed, "%s drifts %g at h = %g", m->info->name, moved, steps[i]);
    }
  }
}

/* ---- the coupled step ---- */

CONFORMANCE(coupled_step_closes_the_balance_for_any_host)
{
  EACH_LAW(m)
  {
    for (int trial = 0; trial < 200; trial++) {
      real p[SIZE], s[SIZE], end;
      defaults(m, p, s);
      const double level = static_level(m, p); /* F may be a small difference of forces of this size */
      input in = at(m, 0, pow(10, between(-5, -0.5)));
      in.w = (real)((double)in.h * pow(10, between(-3, 4)));
      for (int i = 0; i < 12; i++) {
        in.v = random_speed();
        double f = (double)m->step(p, s, &in, &end);
        double gap = (double)in.v - (double)in.w * f - (double)end,
               scale = fabs((double)in.v) + (double)in.w * (fabs(f) + level);
        CHECK(fabs(gap) <= 100 * EPS * scale, "%s: v %.17g w %g h %g F %.17g v_end %.17g gap %g", m->info->name,
              (double)in.v, (double)in.w, (double)in.h, f, (double)end, gap);
        in.x += in.h * end;
      }
    }
  }
}

/* the force returned is the law's own at the end velocity, or lies between the two sides of a jump there */
CONFORMANCE(coupled_step_ends_on_the_law)
{
  EACH_LAW(m)
  {
    for (int trial = 0; trial < 300; trial++) {
      real p[SIZE], s[SIZE], end;
      defaults(m, p, s);
      const double level = static_level(m, p);
      input in = at(m, 0, pow(10, between(-4, -1)));
      for (int i = 0; i < 4; i++) {
        real before[SIZE];
        memcpy(before, s, sizeof s);
        /* clustered near break-away, where stick, creep and slip meet */
        in.w = (real)pow(10, between(-4, 0));
        in.v = (real)((double)in.w * level * between(-2, 2));
        double f = (double)m->step(p, s, &in, &end), lo = 1e300, hi = -1e300;
        for (int k = -1; k <= 1; k++) {
          real t[SIZE];
          memcpy(t, before, sizeof t);
          input there = in;
          there.v = end + (real)k * (real)(256 * EPS * fabs((double)end) + 1e-30);
          there.w = 0;
          there.f = in.v / in.w;
          double g = (double)m->step(p, t, &there, NULL);
          lo = fmin(lo, g);
          hi = fmax(hi, g);
        }
        double slack = SLACK * EPS * (level + fabs(f)) + 1e-6 * (hi - lo);
        CHECK(f >= lo - slack && f <= hi + slack,
              "%s: v %.9g w %.9g h %g ends at %.9g with F = %.12g, the law gives %.12g to %.12g", m->info->name,
              (double)in.v, (double)in.w, (double)in.h, (double)end, f, lo, hi);
        in.x += in.h * end;
      }
    }
  }
}

/* ---- batches ---- */

/* a shape of the law that its batch loops are not made for */
static real unusual(const bristle_row *row, real value)
{
  if (row->kind == BRISTLE_OPTION) return (real)floor(between(row->lo, row->hi + 0.999));
  return row->role == BRISTLE_ROLE_EXPONENT ? (real)fmin((double)value * between(1, 1.25), row->hi) : value;
}

static void fill(const model *m, size_t count, real *p, real *s, real *v, real *x, real *n, real *w)
{
  real base[SIZE], none[SIZE];
  defaults(m, base, none);
  for (size_t i = 0; i < count; i++) {
    for (int j = 0; j < m->info->nparam; j++) p[(size_t)j * count + i] = base[j];
    for (int r = 0; r < m->info->param_rows; r++) { /* positive scalars vary by a quarter */
      const bristle_row *row = &m->info->param[r];
      if (row->count == 1 && row->kind == BRISTLE_LOG && row->hi > 2 * row->initial[0])
        p[(size_t)row->first * count + i] *= (real)between(1, 1.25);
    }
    v[i] = random_speed();
    x[i] = (real)between(-1e-5, 1e-5);
    n[i] = (real)between(0, 3);
    w[i] = i % 11 == 3 ? 0 : (real)pow(10, between(-5, -2)); /* some are prescribed all the same */
  }
  memset(s, 0, sizeof *s * count * (size_t)m->info->nstate);
}

static int same_bits(const real *a, const real *b, size_t n) { return n == 0 || !memcmp(a, b, n * sizeof *a); }

enum { MOST = 1000 };
static real b_p[SIZE * MOST], b_s[SIZE * MOST], c_s[SIZE * MOST], b_rate[SIZE * MOST], c_rate[SIZE * MOST], b_v[MOST],
    b_x[MOST], b_n[MOST], b_w[MOST], b_f[MOST], c_f[MOST], b_end[MOST], c_end[MOST];

static void compare_batch(const model *m, size_t count, int per_contact, int load, int coupled, int odd)
{
  const size_t nstate = (size_t)m->info->nstate;
  fill(m, count, b_p, b_s, b_v, b_x, b_n, b_w);
  real one[SIZE], none[SIZE];
  defaults(m, one, none);
  for (int r = 0; odd && r < m->info->param_rows; r++) {
    const bristle_row *row = &m->info->param[r];
    one[row->first] = unusual(row, one[row->first]);
    for (size_t i = 0; i < count; i++)
      b_p[(size_t)row->first * count + i] = unusual(row, b_p[(size_t)row->first * count + i]);
  }
  batch b = { .count = count,
              .p = per_contact ? b_p : one,
              .per_contact = per_contact,
              .s = b_s,
              .v = b_v,
              .x = b_x,
              .n = b_n,
              .w = coupled ? b_w : NULL,
              .h = (real)1e-3,
              .load = (bristle_load)load,
              .f = b_f,
              .v_end = b_end,
              .rate = b_rate };
  memcpy(c_s, b_s, sizeof *c_s * count * nstate);
  for (int round = 0; round < 3; round++) {
    m->step_n(&b);
    for (size_t i = 0; i < count; i++) {
      real p[SIZE], s[SIZE];
      for (int j = 0; j < m->info->nparam; j++) p[j] = per_contact ? b_p[(size_t)j * count + i] : one[j];
      for (size_t k = 0; k < nstate; k++) s[k] = c_s[k * count + i];
      input in = { .v = b_v[i], .x = b_x[i], .n = b_n[i], .w = coupled ? b_w[i] : 0, .h = b.h, .load = b.load };
      c_f[i] = m->step(p, s, &in, &c_end[i]);
      for (size_t k = 0; k < nstate; k++) c_s[k * count + i] = s[k];
    }
    CHECK(same_bits(b_f, c_f, count) && same_bits(b_s, c_s, count * nstate) && same_bits(b_end, c_end, count),
          "%s step: n %zu, per contact %d, load form %d, coupled %d, unusual %d, round %d", m->info->name, count,
          per_contact, load, coupled, odd, round);
    for (size_t i = 0; i < count; i++) b_v[i] = random_speed();
  }
  m->eval_n(&b);
  for (size_t i = 0; i < count; i++) {
    real p[SIZE], s[SIZE], rate[SIZE];
    for (int j = 0; j < m->info->nparam; j++) p[j] = per_contact ? b_p[(size_t)j * count + i] : one[j];
    for (size_t k = 0; k < nstate; k++) s[k] = b_s[k * count + i];
    input in = { .v = b_v[i], .x = b_x[i], .n = b_n[i], .load = b.load };
    c_f[i] = m->eval(p, s, &in, rate);
    for (size_t k = 0; k < nstate; k++) c_rate[k * count + i] = rate[k];
  }
  CHECK(same_bits(b_f, c_f, count) && same_bits(b_rate, c_rate, count * nstate),
        "%s eval: n %zu, per contact %d, load form %d", m->info->name, count, per_contact, load);
}

CONFORMANCE(batch_equals_scalar_bit_for_bit)
{
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm__)
  static const size_t counts[] = { 0, 1, 7, 64, 301, MOST };
#else /* a microcontroller takes contacts one by one, and an emulated one takes minutes for thousands */
  static const size_t counts[] = { 0, 1, 7, 64 };
#endif
  EACH_LAW(m)
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    for (int variant = 0; variant < 24; variant++)
      compare_batch(m, counts[k], variant & 1, variant / 4 % 3, variant >> 1 & 1, variant / 12);
}

/* optional inputs: no positions means 0, no loads means 1 */
CONFORMANCE(batch_without_loads_means_unit_load)
{
  EACH_LAW(m)
  {
    fill(m, 9, b_p, b_s, b_v, b_x, b_n, b_w);
    for (int i = 0; i < 9; i++) b_x[i] = 0, b_n[i] = 1;
    batch b = { .count = 9,
                .p = b_p,
                .per_contact = 1,
                .s = b_s,
                .v = b_v,
                .x = b_x,
                .n = b_n,
                .h = (real)1e-3,
                .load = m->info->load,
                .f = b_f };
    memcpy(c_s, b_s, sizeof *c_s * 9 * (size_t)m->info->nstate);
    batch c = b;
    c.x = c.n = NULL;
    c.s = c_s;
    c.f = c_f;
    m->step_n(&b);
    m->step_n(&c);
    CHECK(same_bits(b_f, c_f, 9), "%s", m->info->name);
  }
}

/* ---- affine ---- */

/* the step from the middle of two states is the middle of the steps from them */
CONFORMANCE(affine_laws_step_by_affine_maps)
{
  EACH_LAW(m)
  {
    if (!has(m, BRISTLE_AFFINE)) continue;
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
