/* Drag beside friction: a force against the motion that goes with a power of the speed, as fluids, greases and gears
   have it, beside whatever law. It is a term of the records' own, the last of them; its exponent is searched for with
   refits, and what the exponent may be otherwise belongs to the deviations. */
#include "fit/records/log.h"
#include "fit/records/record.h"
#include "fit/results/result.h"
#include "fit/squares/sums.h"
#include "lab/identify.h"

#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

static const char TIMES[] = "sign(v)*abs(v)^"; /* and the exponent */

/* ---- the term ---- */

static bristle_fault_kind add(bristle_log *log, double exponent, bristle_fault *fault)
{
  char text[80];
  snprintf(text, sizeof text, "drag=%s%.4g", TIMES, exponent);
  bristle_fault_kind kind = log_extra_add(log, text, fault);
  return kind ? kind : log_extra_fill(log, fault);
}

bristle_fault_kind bristle_drag_add(bristle_log *const *logs, size_t count, double exponent, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (size_t l = 0; l < count && !kind; l++) {
    for (size_t k = 0; k < logs[l]->extras; k++) memory_give(&logs[l]->memory_list, logs[l]->extra[k]);
    kind = add(logs[l], exponent, fault);
  }
  return kind;
}

void bristle_drag_forget(bristle_log *const *logs, size_t count)
{
  for (size_t l = 0; l < count; l++) {
    bristle_log *log = logs[l];
    memory_give(&log->memory_list, log->extra[--log->extras]);
    log->extra[log->extras] = NULL;
  }
}

/* its place among the terms of the records' own; -1: it was not fitted */
static int place_of(const bristle_identified *r)
{
  for (int k = 0; k < BRISTLE_EXTRAS; k++)
    if (r->estimate[r->law->f64->info->nparam + BRISTLE_TERM_EXTRA + k].free
        && !strncmp(r->extra_text[k], TIMES, sizeof TIMES - 1))
      return k;
  return -1;
}

int bristle_identified_has_drag(const bristle_identified *r) { return place_of(r) >= 0; }

int bristle_identified_drag_helps(const bristle_identified *with, const bristle_identified *without)
{
  static const double FALL = 0.99, CLEARLY = 3; /* of the held-out error; deviations: as for other terms */
  const bristle_estimate *drag = &with->estimate[with->law->f64->info->nparam + BRISTLE_TERM_EXTRA + place_of(with)];
  double ratio, deviations;
  ranking_gain(without, with, &ratio, &deviations);
  return drag->value > CLEARLY * drag->deviation && ratio < FALL && deviations > CLEARLY;
}

/* ---- is there any? ---- */

enum { OFFSET, LEVEL, VISCOUS, MASS, BEND, COLUMNS };

static int add_left(const bristle_identified *r, const bristle_log *log, size_t rows, size_t *at, sums_blocks *b)
{
  bristle_fault ignored;
  double *force = malloc(sizeof *force * (log->count + 1));
  const int failed = !force || !log->phase || bristle_identified_force(r, log, force, &ignored);
  for (size_t i = 0; i < log->count && !failed; i++) {
    const double v = log->v[i], left = log->f[i] - force[i];
    if (log->phase[i] != BRISTLE_PHASE_MOVING) continue;
    const double row[COLUMNS] = { 1, (v > 0) - (v < 0), v, log->a ? log->a[i] : 0, v * fabs(v) };
    sums_add_row(&b->block[(*at)++ * SUMS_BLOCKS / rows], COLUMNS, row, left, left);
  }
  free(force);
  return failed;
}

int bristle_identified_bends(const bristle_identified *r, const bristle_log *const *logs, size_t count)
{
  enum { FEWEST = 200 };
  static const double WALD = 9; /* chi-square at three deviations */
  const sums_set bend = (sums_set)1 << BEND;
  size_t rows = 0, at = 0;
  for (size_t l = 0; l < count; l++)
    for (size_t i = 0; logs[l]->phase && i < logs[l]->count; i++) rows += logs[l]->phase[i] == BRISTLE_PHASE_MOVING;
  sums_blocks *b = rows < FEWEST ? NULL : calloc(1, sizeof *b);
  int failed = !b;
  for (size_t l = 0; l < count && !failed; l++) failed = add_left(r, logs[l], rows, &at, b);
  const int found = !failed && sums_wald(b, 2 * bend - 1, bend) > WALD;
  free(b);
  return found;
}

/* ---- other exponents ---- */

typedef struct search {
  const bristle_identified *result;
  const bristle_log *const *logs;
  size_t count;
  const bristle_identify_options *options;
} search;

typedef struct point {
  double at, square; /* logarithm of the exponent; infinite: no fit */
  double value[BRISTLE_ESTIMATES];
} point;

/* the result's fit again, with another exponent */
static void try_exponent(const search *s, point *p)
{
  bristle_log *copy = calloc(s->count, sizeof *copy);
  const bristle_log **list = calloc(s->count, sizeof *list);
  bristle_identify_options options = *s->options;
  bristle_fault ignored;
  int failed = !copy || !list;
  p->square = HUGE_VAL;
  for (size_t l = 0; l < s->count && !failed; l++) {
    copy[l] = *s->logs[l], list[l] = &copy[l];
    copy[l].memory_list = NULL;
    copy[l].terms = memory_take(&copy[l].memory_list, sizeof *copy[l].terms);
    failed = !copy[l].terms;
    if (!failed) *copy[l].terms = *s->logs[l]->terms, copy[l].extras--;
    failed = failed || add(&copy[l], exp(p->at), &ignored);
  }
  options.progress = NULL, options.threads = 1;
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (s->result->estimate[s->result->law->f64->info->nparam + t].free) options.term[t] = BRISTLE_TERM_FREE;
  if (!failed
      && identify_again(s->result, list, s->count, &options, s->result->slow_counted, p->value, &p->square, &ignored))
    p->square = HUGE_VAL;
  for (size_t l = 0; copy && l < s->count; l++) memory_free(copy[l].memory_list);
  free(copy), free(list);
}

/* the lowest point of the parabola through three */
static double vertex(const point p[3], double *bend)
{
  const double a = (p[1].square - p[0].square) / (p[1].at - p[0].at);
  const double b = (p[2].square - p[1].square) / (p[2].at - p[1].at);
  *bend = 2 * (b - a) / (p[2].at - p[0].at);
  return *bend > 0 ? (p[0].at + p[1].at) / 2 - a / *bend : p[1].at;
}

static const double EXPONENT_LOW = 0.1, EXPONENT_HIGH = 5;
static const double STEP = 0.2; /* of the logarithm, at first */

/* Three points about the lowest between the bounds, so near to each other that squares go with the square of the
   distance. */
static void walk(const search *s, point p[3], double low, double high)
{
  enum { MOST = 12 };
  static const double NEAR = 1.2; /* times the squares of the lowest */
  double step = STEP;
  for (int k = 0; k < 3; k++) p[k].at = p[1].at + (k - 1) * step, try_exponent(s, &p[k]);
  for (int k = 0; k < MOST; k++) {
    if (p[0].square < p[1].square && p[0].at - step > low) {
      p[2] = p[1], p[1] = p[0], p[0].at -= step;
      try_exponent(s, &p[0]);
    } else if (p[2].square < p[1].square && p[2].at + step < high) {
      p[0] = p[1], p[1] = p[2], p[2].at += step;
      try_exponent(s, &p[2]);
    } else if (fmax(p[0].square, p[2].square) > NEAR * p[1].square) {
      step /= 2;
      p[0].at = p[1].at - step, p[2].at = p[1].at + step;
      try_exponent(s, &p[0]), try_exponent(s, &p[2]);
    } else break;
  }
}

static double exponent_of(const bristle_identified *r)
{
  return strtod(r->extra_text[place_of(r)] + sizeof TIMES - 1, NULL);
}

double bristle_identified_exponent(const bristle_identified *r, const bristle_log *const *logs, size_t count,
                                   const bristle_identify_options *options, double low, double high)
{
  static const double ALIKE = 2, EARNED = 0.04; /* deviations; of the squares: another exponent must gain that much */
  const search s = { r, logs, count, options };
  point *p = calloc(3, sizeof *p);
  double bend, found = log(low), near = 0;
  if (!p) return low;
  p[1].at = log(exponent_of(r));
  walk(&s, p, log(low), log(high));
  found = fmin(fmax(vertex(p, &bend), fmax(p[0].at, log(low))), fmin(p[2].at, log(high)));
  if (bend > 0)
    near = sqrt(2 * p[1].square / bend * fmax(ALIKE * ALIKE * fmax(r->memory, 1) / (double)r->rows, EARNED));
  free(p);
  return fabs(found - log(2)) < near ? 2 : exp(found);
}

void bristle_identified_widen_by_drag(bristle_identified *r, const bristle_log *const *logs, size_t count,
                                      const bristle_identify_options *options)
{
  const search s = { r, logs, count, options };
  point *p = place_of(r) >= 0 ? calloc(3, sizeof *p) : NULL;
  double bend;
  if (!p) return;
  const double mine = p[1].at = log(exponent_of(r));
  walk(&s, p, log(EXPONENT_LOW), log(EXPONENT_HIGH));
  const double aside = vertex(p, &bend) - mine;
  /* where every exponent is as good, all of those between are possible */
  const double spread = bend > 0 ? sqrt(2 * p[1].square * fmax(r->memory, 1) / ((double)r->rows * bend)) : log(2);
  const double off = fmin(hypot(spread, bend > 0 ? aside : 0), log(2));
  for (int k = 0; k < r->estimates && isfinite(p[0].square + p[2].square); k++) {
    bristle_estimate *x = &r->estimate[k];
    const double change = off * (p[2].value[k] - p[0].value[k]) / (p[2].at - p[0].at);
    if (!x->free || !isfinite(x->deviation)) continue;
    x->deviation = hypot(x->deviation, change);
    if (x->deviation > 0.5 * fabs(x->value) && !x->reason[0])
      snprintf(x->reason, sizeof x->reason,
               "another exponent of the drag would change it by %.2g %s; record a wider range of speeds", fabs(change),
               x->unit);
  }
  free(p);
}

int drag_has_exponent(const bristle_identified *r) { return place_of(r) >= 0 && fabs(exponent_of(r) - 2) > 1e-3; }
