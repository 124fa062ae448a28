/* What the data say before any law is fitted: mass and offset by regression, a Stribeck curve through the moving
   samples, the stiffness from the way after reversals. Rough, but in the right decade. */
#include "fit/unknowns/features.h"
#include "core/maths.h"
#include "io/support.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"
#include "maths/exponentials.h"

#include <stdlib.h>

enum { MOST = 4000, ENOUGH_TO_RANK = 1000, OWN = 4, COLUMNS = OWN + BRISTLE_EXTRAS, SPEEDS = 40, BINS = 100 };

typedef struct sample {
  double a, v, f, x;
  double extra[BRISTLE_EXTRAS];
} sample;

/* ---- small least squares ---- */

typedef struct normal {
  int n;
  double matrix[COLUMNS][COLUMNS], right[COLUMNS], square;
} normal;

static void normal_add(normal *s, const double *row, double y)
{
  for (int i = 0; i < s->n; i++) {
    for (int j = 0; j < s->n; j++) s->matrix[i][j] += row[i] * row[j];
    s->right[i] += row[i] * y;
  }
  s->square += y * y;
}

/* solves for the columns in use; returns the sum of squares that is left */
static double normal_solve(const normal *s, const int *use, double *x)
{
  double m[COLUMNS][COLUMNS + 1];
  int pick[COLUMNS], n = 0;
  for (int i = 0; i < s->n; i++) {
    x[i] = 0;
    if (use[i] && s->matrix[i][i] > 0) pick[n++] = i;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) m[i][j] = s->matrix[pick[i]][pick[j]];
    m[i][i] *= 1 + 1e-12;
    m[i][n] = s->right[pick[i]];
  }
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double part = m[k][k] != 0 ? m[i][k] / m[k][k] : 0;
      for (int j = k; j <= n; j++) m[i][j] -= part * m[k][j];
    }
  for (int k = n - 1; k >= 0; k--) {
    double sum = m[k][n];
    for (int j = k + 1; j < n; j++) sum -= m[k][j] * x[pick[j]];
    x[pick[k]] = m[k][k] != 0 ? sum / m[k][k] : 0;
  }
  double left = s->square;
  for (int i = 0; i < n; i++) left -= x[pick[i]] * s->right[pick[i]];
  return left;
}

/* ---- the samples ---- */

static size_t gather(const bristle_log *const *logs, size_t count, size_t most, sample *out)
{
  size_t total = 0, kept = 0;
  for (size_t l = 0; l < count; l++) total += logs[l]->count;
  size_t stride = total / most + 1;
  for (size_t l = 0; l < count; l++)
    for (size_t i = 0; i < logs[l]->count && kept < most; i += stride) {
      for (size_t k = 0; k < logs[l]->extras; k++) out[kept].extra[k] = logs[l]->extra[k][i];
      out[kept].a = logs[l]->a ? logs[l]->a[i] : 0, out[kept].v = logs[l]->v[i];
      out[kept].f = logs[l]->f[i], out[kept++].x = logs[l]->x[i];
    }
  return kept;
}

/* Mass, offset and a first idea of friction; the records' own terms are taken off the force. */
static void find_balance(features *f, sample *s, size_t count, int extras, const bristle_identify_options *o)
{
  normal eq = { .n = OWN + extras };
  int use[COLUMNS] = { o->term[BRISTLE_TERM_MASS] == BRISTLE_TERM_FREE,
                       o->term[BRISTLE_TERM_OFFSET] == BRISTLE_TERM_FREE, 1, 1 };
  double x[COLUMNS];
  for (int k = 0; k < extras; k++) use[OWN + k] = o->term[BRISTLE_TERM_EXTRA + k] == BRISTLE_TERM_FREE;
  double mass = o->term[BRISTLE_TERM_MASS] == BRISTLE_TERM_GIVEN ? o->term_value[BRISTLE_TERM_MASS] : 0;
  double offset = o->term[BRISTLE_TERM_OFFSET] == BRISTLE_TERM_GIVEN ? o->term_value[BRISTLE_TERM_OFFSET] : 0;
  for (size_t i = 0; i < count; i++) {
    double row[COLUMNS] = { s[i].a, 1, s[i].v > 0 ? 1 : -1, s[i].v };
    memcpy(row + OWN, s[i].extra, sizeof *row * (size_t)extras);
    if (fabs(s[i].v) > 0.02 * f->fast) normal_add(&eq, row, s[i].f - mass * s[i].a - offset);
  }
  double left = normal_solve(&eq, use, x);
  if (x[3] < 0) use[3] = 0, left = normal_solve(&eq, use, x);
  (void)left;
  f->mass = mass + (use[0] ? x[0] : 0);
  f->offset = offset + (use[1] ? x[1] : 0);
  f->dry = x[2];
  f->viscous = x[3];
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < extras; k++) s[i].f -= x[OWN + k] * s[i].extra[k];
}

/* Samples of about the same speed, as sums: of 1, speed, speed^2, force, force speed; the force along the motion. */
typedef struct bin {
  double n, v, vv, f, fv;
} bin;

/* Which bin: the quick logarithm tells, except right beside an edge. */
static size_t bin_of(double ratio, double width)
{
  const double about = log_f64(ratio) / width, within = about - (double)(size_t)about;
  return within > 1e-9 && within < 1 - 1e-9 ? (size_t)about : (size_t)(log(ratio) / width);
}

static size_t bin_speeds(const features *f, const sample *s, size_t count, bin *bins, double *square)
{
  double least = 0.2 * f->slow, width = log(f->fast / least) / BINS;
  memset(bins, 0, sizeof *bins * BINS);
  *square = 0;
  for (size_t i = 0; i < count; i++) {
    double speed = fabs(s[i].v), force = s[i].f - f->mass * s[i].a - f->offset, along = s[i].v > 0 ? force : -force;
    if (!(speed > least)) continue;
    const size_t k = bin_of(speed / least, width);
    bin *to = &bins[k < BINS ? k : BINS - 1];
    to->n++, to->v += speed, to->vv += speed * speed, to->f += along, to->fv += along * speed;
    *square += along * along;
  }
  size_t used = 0;
  for (size_t k = 0; k < BINS; k++)
    if (bins[k].n > 0) bins[used++] = bins[k];
  return used;
}

/* what is left of a drop at the speeds of the next few bins */
static void drops_at(const bin *bins, size_t left, double fall, double drops[EXPONENTIALS])
{
  static const double FAR = 700; /* of such a drop nothing is left */
  for (size_t k = 0; k < EXPONENTIALS; k++) {
    const double mean = k < left ? bins[k].v / bins[k].n : 0;
    drops[k] = fmax(-(mean / fall) * (mean / fall), -FAR);
  }
  same_exponentials(drops);
}

/* the equations of level, drop and viscous part for a drop at the speed vs */
static normal curve_equations(const bin *bins, size_t used, double square, double fall)
{
  normal eq = { .n = 3, .square = square };
  double drops[EXPONENTIALS];
  for (size_t k = 0; k < used; k++) {
    const bin *b = &bins[k];
    if (k % EXPONENTIALS == 0) drops_at(bins + k, used - k, fall, drops);
    const double drop = drops[k % EXPONENTIALS];
    const double matrix[3][3] = { { b->n, b->n * drop, b->v },
                                  { b->n * drop, b->n * drop * drop, b->v * drop },
                                  { b->v, b->v * drop, b->vv } };
    const double right[3] = { b->f, b->f * drop, b->fv };
    for (int i = 0; i < 3; i++) {
      eq.right[i] += right[i];
      for (int j = 0; j < 3; j++) eq.matrix[i][j] += matrix[i][j];
    }
  }
  return eq;
}

/* The speed of the Stribeck drop by trying; levels and viscous part follow linearly for each. */
static void find_curve(features *f, const sample *s, size_t count)
{
  bin bins[BINS];
  double best = HUGE_VAL, low = f->slow / 3, high = f->fast / 2, square;
  size_t used = bin_speeds(f, s, count, bins, &square);
  for (int k = 0; k < SPEEDS; k++) {
    double fall = low * pow(high / low, k / (SPEEDS - 1.0)), x[3];
    normal eq = curve_equations(bins, used, square, fall);
    int use[3] = { 1, 1, 1 };
    double left = normal_solve(&eq, use, x);
    if (x[2] < 0) use[2] = 0, left = normal_solve(&eq, use, x);
    if (x[1] < 0) use[1] = 0, left = normal_solve(&eq, use, x);
    if (x[2] < 0) use[2] = 0, left = normal_solve(&eq, use, x);
    if (!(left < best) || !(x[0] > 0)) continue;
    best = left;
    f->dry = x[0], f->peak = x[0] + x[1], f->viscous = x[2], f->fall = fall;
  }
}

/* ---- stiffness ---- */

/* After the turn at sample i: force by way until the force has changed by fc; 0 when that takes less than a sample */
static double slope_after(const features *f, const bristle_log *log, size_t i, size_t end, int *samples)
{
  double turn = log->f[i] - (log->a ? f->mass * log->a[i] : 0), sign = 0;
  for (size_t k = i + 1; k < end; k++) {
    double way = log->x[k] - log->x[i], rise = log->f[k] - (log->a ? f->mass * log->a[k] : 0) - turn;
    if (sign == 0 && way != 0) sign = way > 0 ? 1 : -1;
    if (way * sign < 0) return 0; /* turned again */
    if (rise * sign < f->dry) continue;
    *samples = (int)(k - i);
    return fabs(way) > 0 ? fabs(rise / way) : 0;
  }
  return 0;
}

static void find_stiffness(features *f, const bristle_log *const *logs, size_t count, double *work)
{
  size_t slopes = 0, several = 0;
  for (size_t l = 0; l < count; l++)
    for (size_t k = 0; k < logs[l]->stretches; k++)
      for (size_t i = logs[l]->first[k] + 1; i + 1 < logs[l]->first[k + 1] && slopes < MOST; i++) {
        int samples = 0;
        if (!(logs[l]->slide[i] * logs[l]->slide[i + 1] < 0)) continue;
        double slope = slope_after(f, logs[l], i, logs[l]->first[k + 1], &samples);
        if (slope > 0) work[slopes++] = slope, several += samples > 2;
      }
  sort_numbers(work, slopes);
  f->resolved = slopes && 2 * several >= slopes;
  /* the secant to fc after a full turn is about 0.7 of the slope at the turn */
  if (slopes) f->stiffness = 1.5 * work[slopes / 2];
  else f->stiffness = f->dry / (f->slow * f->step * 3);
}

/* the speed that 98 % of the moving samples stay below, and the way between the ends of the motion */
static void find_range(features *f, const sample *s, size_t count, double *work)
{
  size_t moving = 0;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = 0; i < count; i++) {
    if (i % 8 == 0 && fabs(s[i].v) > 0.01 * f->fast) work[moving++] = fabs(s[i].v); /* a few hundred will do */
    low = fmin(low, s[i].x), high = fmax(high, s[i].x);
  }
  sort_numbers(work, moving);
  f->high = moving ? work[(size_t)(0.98 * (double)(moving - 1))] : f->fast;
  f->travel = high > low ? high - low : f->fast * f->duration;
}

static double mean_load(const bristle_log *const *logs, size_t count)
{
  double sum = 0, samples = 0;
  for (size_t l = 0; l < count; l++)
    for (size_t i = 0; i < logs[l]->count && logs[l]->n; i++) sum += fabs(logs[l]->n[i]), samples++;
  return samples > 0 && sum > 0 ? sum / samples : 1;
}

bristle_fault_kind features_find(features *f, const bristle_log *const *logs, size_t count,
                                 const bristle_identify_options *options, bristle_fault *fault)
{
  sample *s = malloc(sizeof *s * MOST);
  double *work = malloc(sizeof *work * MOST);
  memset(f, 0, sizeof *f);
  if (!s || !work) {
    free(s), free(work);
    return fault_memory(fault);
  }
  f->slow = HUGE_VAL;
  f->slow_fall = options->slow_fall;
  for (size_t l = 0; l < count; l++) {
    const bristle_log_summary *m = &logs[l]->summary;
    f->fast = fmax(f->fast, m->speed_high);
    if (m->speed_low > 0) f->slow = fmin(f->slow, m->speed_low);
    f->step = 1 / m->rate;
    f->duration += m->duration;
  }
  if (!(f->slow < f->fast)) f->slow = 0.05 * f->fast;
  size_t kept = gather(logs, count, options->only_to_rank ? ENOUGH_TO_RANK : MOST, s);
  find_range(f, s, kept, work);
  find_balance(f, s, kept, (int)logs[0]->extras, options);
  find_curve(f, s, kept);
  for (size_t i = 0; i < kept; i++) f->size = fmax(f->size, fabs(s[i].f - f->mass * s[i].a - f->offset));
  if (!(f->dry > 0.03 * f->size)) f->dry = 0.3 * f->size; /* hardly any dry friction: anything will do as a start */
  if (!(f->peak >= f->dry)) f->peak = 1.1 * f->dry;
  if (!(f->fall > 0)) f->fall = sqrt(f->slow * f->fast);
  find_stiffness(f, logs, count, work);
  f->load = options->use_load ? mean_load(logs, count) : 1;
  free(s), free(work);
  return BRISTLE_FAULT_NONE;
}
