/* The functions that fits and simulations use instead of the C library's, against long double. */
#include "support/test.h"

#include "maths/elementary.h"

#undef exp
#undef exp2
#undef log
#undef log1p
#undef log2
#undef log10
#undef pow
#undef cbrt
#undef hypot
#undef sin
#undef cos
#undef tan
#undef atan
#undef atan2
#undef asin
#undef acos
#undef sinh
#undef cosh
#undef asinh
#undef erfc

typedef struct function {
  const char *name;
  double (*same)(double x);
  long double (*exact)(long double x);
  double lo, hi; /* where it is looked at */
  double ulp;
} function;

static const function functions[] = {
  { "exp", same_exp, expl, -700, 709.7, 0.55 },
  { "exp near 0", same_exp, expl, -1, 1, 0.55 },
  { "log", same_log, logl, 1e-300, 1e6, 0.55 },
  { "log near 1", same_log, logl, 0.5, 2, 0.55 },
  { "log1p", same_log1p, log1pl, -0.9, 3, 1.6 },
  { "log1p near 0", same_log1p, log1pl, -1e-8, 1e-8, 1.1 },
  { "log2", same_log2, log2l, 1e-9, 1e9, 2.2 },
  { "log10", same_log10, log10l, 1e-9, 1e9, 2.2 },
  { "cbrt", same_cbrt, cbrtl, -1e9, 1e9, 1.6 },
  { "exp2", same_exp2, exp2l, -30, 30, 50 },
  { "sin", same_sin, sinl, -10, 10, 1.1 },
  { "sin far", same_sin, sinl, -1e6, 1e6, 1.1 },
  { "sin very far", same_sin, sinl, -1e12, 1e12, 1.1 },
  { "cos", same_cos, cosl, -10, 10, 1.1 },
  { "cos far", same_cos, cosl, -1e6, 1e6, 1.1 },
  { "cos very far", same_cos, cosl, -1e12, 1e12, 1.1 },
  { "tan", same_tan, tanl, -10, 10, 2.6 },
  { "atan", same_atan, atanl, -10, 10, 1.6 },
  { "atan far", same_atan, atanl, -1e9, 1e9, 1.1 },
  { "asin", same_asin, asinl, -1, 1, 3.6 },
  { "acos", same_acos, acosl, -1, 1, 3.6 },
  { "sinh", same_sinh, sinhl, -30, 30, 3.1 },
  { "sinh near 0", same_sinh, sinhl, -1e-6, 1e-6, 3.1 },
  { "cosh", same_cosh, coshl, -30, 30, 2.6 },
  { "asinh", same_asinh, asinhl, -1e3, 1e3, 3.1 },
  { "erfc", same_erfc, erfcl, -5, 5, 2000 },
  { "erfc far", same_erfc, erfcl, 2, 26, 2000 },
};

static double error_in_ulp(double value, long double exact)
{
  int exponent;
  frexpl(exact, &exponent);
  return (double)(fabsl(value - exact) / ldexpl(1, exponent - 53));
}

TEST(elementary_functions_are_accurate)
{
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
    const function *c = &functions[f];
#ifdef _WIN32 /* its long double functions are those of the coprocessor, which are wrong far from zero */
    if (c->exact == sinl || c->exact == cosl || c->exact == tanl) continue;
#endif
    double worst = 0, at = 0;
    const int count = test_is_long() ? 2000000 : 20000;
    for (int i = 0; i <= count; i++) {
      const double x = c->lo + (c->hi - c->lo) * ((double)i / count), error = error_in_ulp(c->same(x), c->exact(x));
      if (error > worst) worst = error, at = x;
    }
    CHECK(worst <= c->ulp, "%s is wrong by %.3g ulp at %.17g", c->name, worst, at);
  }
}

TEST(elementary_functions_of_two)
{
  for (int i = -60; i <= 60; i++)
    for (int k = -60; k <= 60; k++) {
      const double x = i * 0.37 + 1e-3, y = k * 0.21;
      const double angle = error_in_ulp(same_atan2(y, x), atan2l(y, x)),
                   length = error_in_ulp(same_hypot(x, y), hypotl(x, y));
      CHECK(k == 0 || angle < 2.1, "atan2(%g, %g): %g ulp", y, x, angle);
      CHECK(length < 1.1, "hypot(%g, %g): %g ulp", x, y, length);
      const double base = 1e-3 + 0.5 * (i + 60), power = error_in_ulp(same_pow(base, y), powl(base, y));
      CHECK(power < (y == floor(y) ? 1 + 0.3 * fabs(y) : 0.65), "pow(%g, %g): %g ulp", base, y, power);
    }
  for (int k = -22; k <= 22; k++) {
    char text[8];
    snprintf(text, sizeof text, "1e%d", k);
    CHECK(same_pow(10, k) == strtod(text, NULL), "10^%d", k);
  }
  CHECK(same_pow(-2, 3) == -8 && same_pow(0, 0.5) == 0 && same_pow(7, 0) == 1, "pow");
  CHECK(fabs(same_hypot(3e200, 4e200) / 5e200 - 1) < 3e-16 && same_hypot(0, 0) == 0 && same_hypot(1e-200, 0) == 1e-200,
        "hypot");
}

TEST(elementary_functions_at_their_ends)
{
  CHECK(same_exp(-800) == 0 && isinf(same_exp(710.1)) && isinf(same_exp(800)) && isnan(same_exp(NAN))
            && same_exp(0) == 1,
        "exp");
  CHECK(isinf(same_log(0)) && isnan(same_log(-1)) && isinf(same_log(INFINITY)) && same_log(1) == 0, "log");
  CHECK(isinf(same_log1p(-1)) && isnan(same_log1p(-2)) && same_log1p(0) == 0, "log1p");
  CHECK(same_log2(8) == 3 && same_log2(0.25) == -2 && same_exp2(-3) == 0.125, "log2");
  CHECK(same_sin(0) == 0 && same_cos(0) == 1 && isnan(same_sin(INFINITY)) && isnan(same_cos(NAN)), "sin and cos");
  CHECK(same_atan2(0, -1) == acos(-1) && same_atan2(1, 0) == acos(0) && same_atan2(-1, 0) == -acos(0), "atan2");
  CHECK(same_asin(1) == asin(1) && isnan(same_asin(1.1)) && same_acos(1) == 0, "asin and acos");
  CHECK(same_erfc(0) == 1 && same_erfc(-30) == 2 && same_erfc(40) == 0, "erfc");
}
