/* The elementary functions: every float against double, and 1e7 doubles each against long double; a 97th and a 30th
   of them where the long tests are not asked for. */
#include "core/maths.h"
#include "support/test.h"

#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
enum { SHARE = 997 }; /* sanitizers want to see the code run, not every float */
#else
enum { SHARE = 1 };
#endif

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(_WIN32)
#define FAST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FAST
#endif

/* ---- every float ----
   The reference is our own double function, itself checked below to about 1 ulp of double. */

enum { BLOCK = 4096 };

static uint32_t stride; /* every so many floats */

/* largest error over a block, as the bits of a non-negative double (they order like the number) */
#define EXHAUST(name, expression_f32, expression_f64, unit)                                          \
  FAST static int64_t block_##name(uint32_t first, uint32_t last)                                    \
  {                                                                                                  \
    int64_t worst = 0;                                                                               \
    for (uint32_t b = first; b < last; b++) {                                                        \
      float x = from_bits_f32(b * stride);                                                 \
      double y = (double)(expression_f32), ref = (expression_f64);                                   \
      float scale = from_bits_f32(bits_f32((float)ref) & 0x7f800000u);                               \
      double error = abs_f64(y - ref) / (unit ? (double)scale * 0x1p-23 : 1.0);                      \
      int64_t bits = (int64_t)bits_f64(error);                                                       \
      worst = bits > worst ? bits : worst;                                                           \
    }                                                                                                \
    return worst;                                                                                    \
  }                                                                                                  \
  static double worst_##name(float from, float to)                                                   \
  {                                                                                                  \
    int64_t worst = 0;                                                                               \
    uint32_t lo = bits_f32(from) / stride + 1, hi = bits_f32(to) / stride;                           \
    for (uint64_t b = lo; b < hi; b += BLOCK) {                                                      \
      int64_t w = block_##name((uint32_t)b, (uint32_t)(b + BLOCK < hi ? b + BLOCK : hi));            \
      worst = w > worst ? w : worst;                                                                 \
    }                                                                                                \
    return from_bits_f64((uint64_t)worst);                                                           \
  }

EXHAUST(exp_up, exp_f32(x), exp_f64((double)x), 1)
EXHAUST(exp_down, exp_f32(-x), exp_f64(-(double)x), 1)
EXHAUST(decay_e, decay_f32(x).e, decay_f64((double)x).e, 0)
EXHAUST(decay_d, decay_f32(x).d, decay_f64((double)x).d, 1)
EXHAUST(fade, fade_f32(x, 0.25f, 0.75f), fade_f64((double)x, 0.25, 0.75), 0)
EXHAUST(log, log_f32(x), log_f64((double)x), 1)
EXHAUST(tanh, tanh_f32(x), tanh_f64((double)x), 1)
EXHAUST(sinq, sinq_f32(x), sinq_f64((double)x), 1)

#define REPORT(name, worst, bound)                                                                   \
  do {                                                                                               \
    double w_ = (worst);                                                                             \
    printf("  %-10s %.3g (stated %g)\n", name, w_, (double)(bound));                                 \
    CHECK(w_ <= (bound), "%s is off by %g, stated %g", name, w_, (double)(bound));                   \
  } while (0)

TEST(maths_f32_every_float_is_within_the_stated_error)
{
  const float least = 0x1p-149f, most = 0x1.fffffep127f;
  stride = SHARE * (uint32_t)test_share(1, 97);
  REPORT("exp", fmax(worst_exp_up(least, 87), worst_exp_down(least, 87)), 1.1);
  REPORT("decay e", worst_decay_e(least, most), 7e-8);
  REPORT("decay d", worst_decay_d(least, most), 1.5);
  REPORT("fade", worst_fade(least, most), 1.3e-7);
  REPORT("log", worst_log(least, most), 1.0);
  REPORT("tanh", worst_tanh(0x1p-126f, most), 3.0);
  REPORT("sinq", worst_sinq(0x1p-126f, 1), 4.0);
}

/* ---- doubles ---- */

static uint64_t seed = 88172645463325252u;
static double uniform(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-53;
}

static double ulps(double y, long double ref)
{
  double r = (double)ref;
  double ulp = fmax(from_bits_f64(bits_f64(r) & 0x7ff0000000000000u), 0x1p-1022) * 0x1p-52;
  return (double)(fabsl((long double)y - ref) / (long double)ulp);
}

/* log-uniform between 10^a and 10^b */
static double spread(double a, double b) { return pow(10, a + (b - a) * uniform()); }

TEST(maths_f64_ten_million_points_each_are_within_the_stated_error)
{
  double e = 0, de = 0, dd = 0, f = 0, l = 0, t = 0, s = 0, p = 0;
  const long double half_pi = 1.57079632679489661923132169163975144L;
  const int points = test_share(10000000, 300000) / SHARE;
  for (int i = 0; i < points; i++) {
    double x = 1416 * uniform() - 708, a = spread(-20, 3), q = i & 1 ? spread(-300, 300) : 0.5 + uniform();
    double y = spread(-20, 2), u = i & 1 ? uniform() : spread(-20, 0);
    e = fmax(e, ulps(exp_f64(x), expl(x)));
    decay_f64_t d = decay_f64(a);
    de = fmax(de, (double)fabsl(d.e - expl(-a)));
    dd = fmax(dd, ulps(d.d, -expm1l(-a)));
    f = fmax(f, (double)fabsl(fade_f64(a, u, 1 - u) - (u + (1 - (long double)u) * expl(-a))));
    l = fmax(l, ulps(log_f64(q), logl(q)));
    t = fmax(t, ulps(tanh_f64(y), tanhl(y)));
    s = fmax(s, ulps(sinq_f64(u), sinl(half_pi * u)));
    double base = spread(-3, 3), power = 6 * uniform() - 2, size = fabs(power * log(base));
    p = fmax(p, ulps(pow_f64(base, power), powl(base, power)) / (1 + 2 * size));
  }
  REPORT("exp", e, 1.1);
  REPORT("decay e", de, 1.2e-16);
  REPORT("decay d", dd, 1.5);
  REPORT("fade", f, 2.3e-16);
  REPORT("log", l, 1.0);
  REPORT("tanh", t, 3.0);
  REPORT("sinq", s, 4.0);
  REPORT("pow", p, 1.0);
}

TEST(maths_limits_and_special_values)
{
  CHECK(exp_f64(0) == 1 && exp_f32(0) == 1, "exp(0)");
  CHECK(decay_f64(0).d == 0 && decay_f64(0).e == 1, "decay(0)");
  CHECK(decay_f64(INFINITY).d == 1 && decay_f64(INFINITY).e < 1e-200, "decay(inf)");
  CHECK(decay_f32(INFINITY).d == 1 && decay_f32(INFINITY).e < 1e-25f, "decay(inf)");
  CHECK(fade_f64(0, 2, 3) == 5 && fade_f64(INFINITY, 2, 3) == 2 && fade_f32(INFINITY, 2, 3) == 2, "fade");
  CHECK(isfinite(exp_f64(1e300)) && exp_f64(-1e300) < 1e-300, "exp saturates");
  CHECK(tanh_f64(1e300) == 1 && tanh_f64(-1e300) == -1 && tanh_f64(0) == 0, "tanh");
  CHECK(log_f64(1) == 0 && log_f32(1) == 0, "log(1)");
  CHECK_NEAR(log_f64(5e-324), -744.44007192138122, 1e-15);
  CHECK(pow_f64(0, 2) == 0 && pow_f64(0, 0) == 1 && pow_f64(0, 0.5) == 0 && pow_f64(3, 2) == 9, "pow");
  CHECK(sinq_f64(1) == 1 && sinq_f64(-1) == -1 && sinq_f32(1) == 1, "sinq(1) = %.17g", sinq_f64(1));
}
