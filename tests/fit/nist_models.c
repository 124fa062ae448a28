/* The models of the NIST problems, b[0] being b1 of the files. */
#include "fit/nist.h"

#include <math.h>

#define PI 3.141592653589793238462643383279L

static nist_number squared(nist_number z) { return z * z; }

/* z^power where the base is positive; nowhere else does the model exist */
static nist_number power(nist_number z, nist_number exponent)
{
  return creall(z) > 0 ? cexpl(exponent * clogl(z)) : (nist_number)NAN;
}

nist_number nist_model_misra1a(const nist_number *b, const long double *x) { return b[0] * (1 - cexpl(-b[1] * x[0])); }
nist_number nist_model_misra1b(const nist_number *b, const long double *x)
{
  return b[0] * (1 - 1 / squared(1 + b[1] * x[0] / 2));
}
nist_number nist_model_misra1c(const nist_number *b, const long double *x)
{
  return b[0] * (1 - power(1 + 2 * b[1] * x[0], -0.5L));
}
nist_number nist_model_misra1d(const nist_number *b, const long double *x)
{
  return b[0] * b[1] * x[0] / (1 + b[1] * x[0]);
}
nist_number nist_model_chwirut(const nist_number *b, const long double *x)
{
  return cexpl(-b[0] * x[0]) / (b[1] + b[2] * x[0]);
}
nist_number nist_model_lanczos(const nist_number *b, const long double *x)
{
  return b[0] * cexpl(-b[1] * x[0]) + b[2] * cexpl(-b[3] * x[0]) + b[4] * cexpl(-b[5] * x[0]);
}
nist_number nist_model_gauss(const nist_number *b, const long double *x)
{
  return b[0] * cexpl(-b[1] * x[0]) + b[2] * cexpl(-squared((x[0] - b[3]) / b[4]))
         + b[5] * cexpl(-squared((x[0] - b[6]) / b[7]));
}
nist_number nist_model_danwood(const nist_number *b, const long double *x) { return b[0] * power(x[0], b[1]); }
nist_number nist_model_kirby2(const nist_number *b, const long double *x)
{
  return (b[0] + x[0] * (b[1] + x[0] * b[2])) / (1 + x[0] * (b[3] + x[0] * b[4]));
}
nist_number nist_model_cubics(const nist_number *b, const long double *x)
{
  return (b[0] + x[0] * (b[1] + x[0] * (b[2] + x[0] * b[3]))) / (1 + x[0] * (b[4] + x[0] * (b[5] + x[0] * b[6])));
}
nist_number nist_model_nelson(const nist_number *b, const long double *x)
{
  return b[0] - b[1] * x[0] * cexpl(-b[2] * x[1]);
}
nist_number nist_model_mgh17(const nist_number *b, const long double *x)
{
  return b[0] + b[1] * cexpl(-x[0] * b[3]) + b[2] * cexpl(-x[0] * b[4]);
}
nist_number nist_model_roszman1(const nist_number *b, const long double *x)
{
  return b[0] - b[1] * x[0] - catanl(b[2] / (x[0] - b[3])) / PI;
}
nist_number nist_model_enso(const nist_number *b, const long double *x)
{
  long double year = 2 * PI * x[0] / 12;
  nist_number first = 2 * PI * x[0] / b[3], second = 2 * PI * x[0] / b[6];
  return b[0] + b[1] * cosl(year) + b[2] * sinl(year) + b[4] * ccosl(first) + b[5] * csinl(first) + b[7] * ccosl(second)
         + b[8] * csinl(second);
}
nist_number nist_model_mgh09(const nist_number *b, const long double *x)
{
  return b[0] * (x[0] * x[0] + x[0] * b[1]) / (x[0] * x[0] + x[0] * b[2] + b[3]);
}
nist_number nist_model_mgh10(const nist_number *b, const long double *x) { return b[0] * cexpl(b[1] / (x[0] + b[2])); }
nist_number nist_model_rat42(const nist_number *b, const long double *x)
{
  return b[0] / (1 + cexpl(b[1] - b[2] * x[0]));
}
nist_number nist_model_rat43(const nist_number *b, const long double *x)
{
  return b[0] * power(1 + cexpl(b[1] - b[2] * x[0]), -1 / b[3]);
}
nist_number nist_model_eckerle4(const nist_number *b, const long double *x)
{
  return b[0] / b[1] * cexpl(-0.5L * squared((x[0] - b[2]) / b[1]));
}
nist_number nist_model_bennett5(const nist_number *b, const long double *x)
{
  return b[0] * power(b[1] + x[0], -1 / b[2]);
}
