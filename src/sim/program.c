/* Programs of time. Solvers ask for the smooth piece they are on and never step across its end, so that a value at a
 * jump is the one on their own side. */
#include "sim/system.h"

#include "maths/elementary.h"

#define TWO_PI 6.283185307179586477

static bristle_piece everything(void) { return (bristle_piece){ -HUGE_VAL, HUGE_VAL, 0, 0, 0 }; }

/* the piece of one run through the knots, t counted from their own zero */
static bristle_piece knots_piece(const bristle_program *p, double t)
{
  const size_t n = p->count;
  if (n == 0) return everything();
  if (t < p->t[0]) return (bristle_piece){ -HUGE_VAL, p->t[0], 0, p->y[0], 0 };
  if (t >= p->t[n - 1]) return (bristle_piece){ p->t[n - 1], HUGE_VAL, 0, p->y[n - 1], 0 };
  size_t low = 0, high = n - 1; /* t[low] <= t < t[high] */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (p->t[middle] <= t) low = middle;
    else high = middle;
  }
  const double length = p->t[high] - p->t[low];
  return (bristle_piece){ p->t[low], p->t[high], p->t[low], p->y[low], (p->y[high] - p->y[low]) / length };
}

bristle_piece bristle_program_piece(const bristle_program *p, double t)
{
  if (p->kind == BRISTLE_PROGRAM_CHIRP)
    return t < p->duration ? (bristle_piece){ -HUGE_VAL, p->duration, 0, 0, 0 }
                           : (bristle_piece){ p->duration, HUGE_VAL, 0, 0, 0 };
  if (p->kind == BRISTLE_PROGRAM_SINES || p->count == 0) return everything();
  if (!(p->period > 0)) return knots_piece(p, t);
  double shift = floor((t - p->t[0]) / p->period) * p->period;
  bristle_piece piece = knots_piece(p, fmax(t - shift, p->t[0]));
  /* rounding may put t at the end of a piece, or of the whole turn: the next one begins there */
  for (int i = 0; i < 3 && piece.end + shift <= t; i++) {
    if (isinf(piece.end) || piece.end >= p->t[p->count - 1]) {
      shift += p->period;
      piece = knots_piece(p, p->t[0]);
    } else {
      piece = knots_piece(p, piece.end);
    }
  }
  if (isinf(piece.end)) { /* t - shift was rounded up to the last knot */
    shift += p->period;
    piece = knots_piece(p, p->t[0]);
  }
  piece.begin += shift;
  piece.end += shift;
  piece.t0 += shift;
  return piece;
}

static double sines_value(const bristle_program *p, double t, double *slope)
{
  double sum = 0, rate = 0;
  for (size_t i = 0; i < p->count; i++) {
    const double w = TWO_PI * p->frequency[i], angle = w * t + (p->phase ? p->phase[i] : 0);
    sum += p->amplitude[i] * sin(angle);
    if (slope) rate += p->amplitude[i] * w * cos(angle);
  }
  if (slope) *slope = rate;
  return sum;
}

/* the angle is a parabola up to `duration` and then a straight line */
static double chirp_value(const bristle_program *p, double t, double *slope)
{
  const double s = fmin(t, p->duration), sweep = (p->f1 - p->f0) / p->duration;
  const double turns = p->f0 * s + 0.5 * sweep * s * s + p->f1 * (t - s);
  if (slope) *slope = p->amplitude[0] * TWO_PI * (p->f0 + sweep * s) * cos(TWO_PI * turns);
  return p->amplitude[0] * sin(TWO_PI * turns);
}

double bristle_program_value(const bristle_program *p, const bristle_piece *piece, double t, double *slope)
{
  if (p->kind == BRISTLE_PROGRAM_SINES) return p->offset + sines_value(p, t, slope);
  if (p->kind == BRISTLE_PROGRAM_CHIRP) return p->offset + chirp_value(p, t, slope);
  if (slope) *slope = piece->rate;
  return p->offset + piece->y0 + piece->rate * (t - piece->t0);
}

/* Gauss's rule with five points: exact for the lines of knots, and for a chirp on panels shorter than its waves */
static double gauss(const bristle_program *p, const bristle_piece *piece, double a, double b)
{
  static const double node[3] = { 0, 0.5384693101056831, 0.9061798459386640 };
  static const double weight[3] = { 0.5688888888888889, 0.4786286704993665, 0.2369268850561891 };
  const double middle = 0.5 * (a + b), half = 0.5 * (b - a);
  double sum = weight[0] * bristle_program_value(p, piece, middle, NULL);
  for (int i = 1; i < 3; i++)
    sum += weight[i]
           * (bristle_program_value(p, piece, middle - half * node[i], NULL)
              + bristle_program_value(p, piece, middle + half * node[i], NULL));
  return half * sum;
}

static double sines_integral(const bristle_program *p, double a, double b)
{
  double sum = p->offset * (b - a);
  for (size_t i = 0; i < p->count; i++) {
    const double w = TWO_PI * p->frequency[i], phase = p->phase ? p->phase[i] : 0;
    /* cos u - cos v as a product: no cancellation for short intervals, and right for frequency 0 */
    const double half = 0.5 * w * (b - a), wave = half == 0 ? 1 : sin(half) / half;
    sum += p->amplitude[i] * sin(0.5 * w * (a + b) + phase) * wave * (b - a);
  }
  return sum;
}

double bristle_program_integral(const bristle_program *p, double a, double b)
{
  if (p->kind == BRISTLE_PROGRAM_SINES) return sines_integral(p, a, b);
  double sum = 0;
  while (a < b) {
    const bristle_piece piece = bristle_program_piece(p, a);
    const double end = fmin(piece.end, b);
    if (p->kind == BRISTLE_PROGRAM_KNOTS) {
      sum += (end - a) * bristle_program_value(p, &piece, 0.5 * (a + end), NULL);
    } else {
      const double panels = ceil((end - a) * 8 * fmax(fabs(p->f0), fabs(p->f1)) + 1);
      for (double i = 0; i < panels; i++)
        sum += gauss(p, &piece, a + (end - a) * (i / panels), a + (end - a) * ((i + 1) / panels));
    }
    a = end;
  }
  return sum;
}

double sim_program_swing(const bristle_program *p)
{
  double fastest = 0;
  if (p->kind == BRISTLE_PROGRAM_CHIRP) fastest = fmax(fabs(p->f0), fabs(p->f1));
  for (size_t i = 0; p->kind == BRISTLE_PROGRAM_SINES && i < p->count; i++)
    fastest = fmax(fastest, fabs(p->frequency[i]));
  return fastest > 0 ? 1 / (8 * fastest) : (double)HUGE_VAL;
}
