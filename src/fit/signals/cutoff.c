/* The cut-off frequency that a record asks for. The odd extension of the record about its ends is periodic without
   jumps or kinks, so its sine transform separates signal and noise, and the filter acts on each of its lines alone. */
#include "fit/signals/signal.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

typedef struct lines {
  size_t count;
  double *power;  /* of each line; white noise has its variance in each */
  double *bend;   /* ln tan(pi f/rate): the filter's gain depends on the distance to that of the cut-off */
  double *stress; /* what differentiation does to the line's power */
  int order;
  double noise; /* variance */
} lines;

/* Sums over all lines for a filter whose cut-off is at `bend`: left out ((1 - g)^2 P, 1 - g), let through (g). */
typedef struct sums {
  double left, refused, stressed_left, stressed_passed;
} sums;

static sums sum_lines(const lines *l, double bend)
{
  sums s = { 0, 0, 0, 0 };
  for (size_t k = 0; k < l->count; k++) {
    double grown = exp(fmin(2 * l->order * (l->bend[k] - bend), 700)), passed = 1 / (1 + grown);
    double refused = grown * passed, left = refused * refused * l->power[k];
    s.left += left;
    s.refused += refused;
    s.stressed_left += l->stress[k] * left;
    s.stressed_passed += l->stress[k] * passed;
  }
  return s;
}

/* generalised cross-validation (Craven and Wahba 1979) */
static double score_signal(const lines *l, double bend)
{
  sums s = sum_lines(l, bend);
  return s.left / (s.refused * s.refused);
}

/* the expected square error of the derivative, but for a constant (Mallows 1973) */
static double score_derivative(const lines *l, double bend)
{
  sums s = sum_lines(l, bend);
  return s.stressed_left + 2 * l->noise * s.stressed_passed;
}

/* The lowest score between two bends: the best of a grid (scores have several minima), then golden sections. */
static double best_bend(const lines *l, double low, double high, double (*score)(const lines *, double), int *at_end)
{
  enum { GRID = 120, SECTIONS = 20 };
  const double golden = 0.61803398874989485, width = (high - low) / GRID;
  double best = HUGE_VAL;
  int at = 0;
  for (int i = 0; i <= GRID; i++) {
    double value = score(l, low + i * width);
    if (value < best) best = value, at = i;
  }
  *at_end = at == GRID;
  double a = low + width * (at ? at - 1 : 0), b = low + width * (at < GRID ? at + 1 : GRID);
  for (int i = 0; i < SECTIONS; i++) {
    double x = b - golden * (b - a), y = a + golden * (b - a);
    if (score(l, x) < score(l, y)) b = y;
    else a = x;
  }
  return 0.5 * (a + b);
}

/* The spectrum of the record less the chord between its ends, under a sin^4 window. */
static bristle_fault_kind fill_lines(const double *y, size_t count, int derivative, lines *l, bristle_fault *fault)
{
  double *re = calloc(2 * count, sizeof *re), *im = re + count, slope = (y[count - 1] - y[0]) / (double)(count - 1);
  double weight = 0;
  if (!re) return fault_memory(fault);
  for (size_t i = 0; i < count; i++) {
    double window = pow(sin(PI * ((double)i + 0.5) / (double)count), 4);
    weight += window * window;
    re[i] = window * (y[i] - y[0] - slope * (double)i);
  }
  bristle_fault_kind kind = bristle_fourier(re, im, count, 0, fault);
  for (size_t k = 0; !kind && k < l->count; k++) {
    double x = re[k + 1], z = im[k + 1], angle = 2 * PI * (double)(k + 1) / (double)count; /* 2 pi f/rate */
    l->power[k] = (x * x + z * z) / weight;
    l->bend[k] = log(tan(angle / 2));
    l->stress[k] = pow(sin(angle), 2 * derivative); /* central differences */
  }
  free(re);
  return kind;
}

bristle_fault_kind bristle_cutoff_choose(const double *y, size_t count, double rate, int order, int derivative,
                                         bristle_cutoff *cutoff, bristle_fault *fault)
{
  enum { LEAST = 64 };
  bristle_fault_kind kind = signal_check(y, count, fault);
  if (kind) return kind;
  if (count < LEAST)
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%zu samples, expected at least %d", count, LEAST);
  if (order < 1 || order > BRISTLE_LOWPASS_ORDER || derivative < 0 || derivative > 2 || !(rate > 0))
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL,
                     "order %d, derivative %d, rate %g: expected 1 to %d, 0 to 2, a positive rate", order, derivative,
                     rate, BRISTLE_LOWPASS_ORDER);
  lines l = { .count = (count - 1) / 2, .order = order };
  l.power = malloc(3 * l.count * sizeof *l.power);
  if (!l.power) return fault_memory(fault);
  l.bend = l.power + l.count;
  l.stress = l.bend + l.count;
  kind = fill_lines(y, count, derivative, &l, fault);
  if (!kind) {
    double low = l.bend[4], high = log(tan(PI * 0.45)); /* above the window's main lobe; to 0.9 of half the rate */
    double bend = best_bend(&l, low, high, score_signal, &cutoff->at_end);
    sums s = sum_lines(&l, bend);
    l.noise = s.left / s.refused;
    if (derivative) bend = best_bend(&l, low, high, score_derivative, &cutoff->at_end);
    cutoff->noise = sqrt(l.noise);
    cutoff->frequency = rate * atan(exp(bend)) / PI;
  }
  free(l.power);
  return kind;
}
