/* The functions of <math.h> that round as they like, with the same bits everywhere: include this instead.
 *
 * Fits and simulations must not depend on the C library, so exp, log, pow, sin and the like are our own (elementary.c,
 * on core/maths.h). What every C library must get right to the last bit stays: sqrt, fabs, floor, fmod, fmax, ldexp and
 * their kind. A test looks at the symbols (scripts/test-bytes.sh). */
#ifndef BRISTLE_ELEMENTARY_H
#define BRISTLE_ELEMENTARY_H

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Errors against long double, in units of the last place, by tests/elementary.c: */
double same_exp(double x);             /* 0.55 */
double same_exp2(double x);            /* 2 |x| where x is not whole */
double same_log(double x);             /* 0.55 */
double same_log1p(double x);           /* 1.5 */
double same_log2(double x);            /* 2; exact for powers of 2 */
double same_log10(double x);           /* 2 */
double same_pow(double x, double y);   /* 0.6; whole y up to 64: y/4 */
double same_cbrt(double x);            /* 1.5 */
double same_hypot(double x, double y); /* 1.1 */
double same_sin(double x);             /* 1.0 for |x| < 1e15, and so for cos */
double same_cos(double x);
double same_tan(double x);  /* 2.5 */
double same_atan(double x); /* 1.5 */
double same_atan2(double y, double x);
double same_asin(double x);  /* 3.5 */
double same_acos(double x);  /* 3.5 */
double same_sinh(double x);  /* 3 */
double same_cosh(double x);  /* 2.5 */
double same_asinh(double x); /* 3 */
double same_erfc(double x);  /* 2000 */

#ifdef __cplusplus
}
#endif

#define exp(x) same_exp(x)
#define exp2(x) same_exp2(x)
#define log(x) same_log(x)
#define log1p(x) same_log1p(x)
#define log2(x) same_log2(x)
#define log10(x) same_log10(x)
#define pow(x, y) same_pow(x, y)
#define cbrt(x) same_cbrt(x)
#define hypot(x, y) same_hypot(x, y)
#define sin(x) same_sin(x)
#define cos(x) same_cos(x)
#define tan(x) same_tan(x)
#define atan(x) same_atan(x)
#define atan2(y, x) same_atan2(y, x)
#define asin(x) same_asin(x)
#define acos(x) same_acos(x)
#define sinh(x) same_sinh(x)
#define cosh(x) same_cosh(x)
#define asinh(x) same_asinh(x)
#define erfc(x) same_erfc(x)

#endif
