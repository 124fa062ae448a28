/* Fourier transforms of any length, and power densities. */
#include "fit/signals/signal.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- lengths that are powers of two ---- */

static void swap(double *a, double *b)
{
  double keep = *a;
  *a = *b;
  *b = keep;
}

/* radix 2 in place; turn[k], turn[count/2 + k] = cos, sin of 2 pi k/count */
static void transform_power(double *re, double *im, size_t count, const double *turn, double sign)
{
  for (size_t i = 1, j = 0; i < count; i++) { /* bit-reversed order */
    size_t bit = count >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) swap(&re[i], &re[j]), swap(&im[i], &im[j]);
  }
  for (size_t half = 1; half < count; half *= 2)
    for (size_t first = 0; first < count; first += 2 * half)
      for (size_t k = 0; k < half; k++) {
        size_t a = first + k, b = a + half, at = k * (count / (2 * half));
        double c = turn[at], s = sign * turn[count / 2 + at];
        double x = c * re[b] - s * im[b], y = c * im[b] + s * re[b];
        re[b] = re[a] - x, im[b] = im[a] - y;
        re[a] += x, im[a] += y;
      }
}

static void fill_turns(double *turn, size_t count)
{
  for (size_t k = 0; k < count / 2; k++) {
    turn[k] = cos(2 * PI * (double)k / (double)count);
    turn[count / 2 + k] = sin(2 * PI * (double)k / (double)count);
  }
}

/* ---- any length: a convolution with a chirp (Bluestein 1970) ---- */

typedef struct chirp {
  double *turn;                            /* of the power of two */
  double *re, *im, *kernel_re, *kernel_im; /* of that length */
  double *cosine, *sine;                   /* of pi k^2/count */
} chirp;

static void transform_any(double *re, double *im, size_t count, size_t power, chirp *c, double sign)
{
  for (size_t k = 0; k < count; k++) {
    uint64_t square = (uint64_t)k * k % (2 * (uint64_t)count); /* whole turns removed while still exact */
    double angle = PI * (double)square / (double)count;
    c->cosine[k] = cos(angle), c->sine[k] = sign * sin(angle);
    c->re[k] = re[k] * c->cosine[k] - im[k] * c->sine[k];
    c->im[k] = re[k] * c->sine[k] + im[k] * c->cosine[k];
    c->kernel_re[k] = c->kernel_re[(power - k) % power] = c->cosine[k];
    c->kernel_im[k] = c->kernel_im[(power - k) % power] = -c->sine[k];
  }
  transform_power(c->re, c->im, power, c->turn, -1);
  transform_power(c->kernel_re, c->kernel_im, power, c->turn, -1);
  for (size_t k = 0; k < power; k++) {
    double x = c->re[k] * c->kernel_re[k] - c->im[k] * c->kernel_im[k];
    c->im[k] = c->re[k] * c->kernel_im[k] + c->im[k] * c->kernel_re[k];
    c->re[k] = x;
  }
  transform_power(c->re, c->im, power, c->turn, 1);
  for (size_t k = 0; k < count; k++) {
    double x = c->re[k] / (double)power, y = c->im[k] / (double)power;
    re[k] = x * c->cosine[k] - y * c->sine[k];
    im[k] = x * c->sine[k] + y * c->cosine[k];
  }
}

bristle_fault_kind bristle_fourier(double *re, double *im, size_t count, int inverse, bristle_fault *fault)
{
  double sign = inverse ? 1 : -1;
  size_t power = 1;
  if (count < 2) return BRISTLE_FAULT_NONE;
  while (power < count) power *= 2;
  int exact = power == count;
  if (!exact)
    for (power = 1; power < 2 * count - 1;) power *= 2;
  double *work = calloc(exact ? power : 5 * power + 2 * count, sizeof *work);
  if (!work) return fault_memory(fault);
  fill_turns(work, power);
  if (exact) {
    transform_power(re, im, count, work, sign);
  } else {
    double *rest = work + power, *pair = rest + 4 * power;
    chirp c = { work, rest, rest + power, rest + 2 * power, rest + 3 * power, pair, pair + count };
    transform_any(re, im, count, power, &c, sign);
  }
  free(work);
  return BRISTLE_FAULT_NONE;
}

/* ---- power density ---- */

static bristle_fault_kind add_segment(const double *y, size_t segment, double *re, double *im, double *density,
                                      bristle_fault *fault)
{
  double mean = 0;
  for (size_t i = 0; i < segment; i++) mean += y[i] / (double)segment;
  for (size_t i = 0; i < segment; i++) {
    re[i] = (y[i] - mean) * 0.5 * (1 - cos(2 * PI * (double)i / (double)segment)); /* Hann */
    im[i] = 0;
  }
  bristle_fault_kind kind = bristle_fourier(re, im, segment, 0, fault);
  for (size_t k = 0; !kind && k <= segment / 2; k++) density[k] += re[k] * re[k] + im[k] * im[k];
  return kind;
}

bristle_fault_kind bristle_power_density(const double *y, size_t count, double rate, size_t segment, double *density,
                                         bristle_fault *fault)
{
  bristle_fault_kind kind = signal_check(y, count, fault);
  if (kind) return kind;
  if (segment < 4 || segment > count || !(rate > 0))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "a segment is part of the record and has 4 samples or more",
                     "segments of %zu samples from a record of %zu at %g per second", segment, count, rate);
  double *re = malloc(2 * segment * sizeof *re), segments = 0;
  if (!re) return fault_memory(fault);
  memset(density, 0, sizeof *density * (segment / 2 + 1));
  for (size_t first = 0; !kind && first + segment <= count; first += segment - segment / 2, segments++)
    kind = add_segment(y + first, segment, re, re + segment, density, fault);
  free(re);
  /* the squares of a Hann window sum to 3/8 of its length; all but the ends stand for two frequencies */
  for (size_t k = 0; k <= segment / 2; k++)
    density[k] *= (k == 0 || 2 * k == segment ? 1 : 2) / (rate * 0.375 * (double)segment * segments);
  return kind;
}
