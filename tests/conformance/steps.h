/* Conformance of steps: the coupled step, and batches beside single contacts. A part of conformance.c. */
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
  if (row->kind == BRISTLE_ROW_OPTION) return (real)floor(between(row->lo, row->hi + 0.999));
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
      if (row->count == 1 && row->kind == BRISTLE_ROW_LOG && row->hi > 2 * row->initial[0])
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
  const int stride = test_share(1, 5); /* over the variants of large batches */
  EACH_LAW(m)
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    for (int variant = counts[k] > 64 ? (int)(l_ - laws) % stride : 0; variant < 24;
         variant += counts[k] > 64 ? stride : 1)
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
