/* Friction or force over the position in what a law leaves of the force: belts, screws, gears, magnets. Tables over the
   whole way, and over one period, are judged by samples that their fit did not see. */
#include "fit/residuals/terms.h"
#include "fit/signals/signal.h"
#include "fit/squares/sums.h"
#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 6000, BASE = 11, COARSE = 8, FINE = BRISTLE_KNOTS, CYCLES = 256, PER_CYCLE = 4, FEWEST = 300 };
static const double ASKED =
    0.89; /* of the held-out error: a table is asked for where it takes a fifth of the squares */
static const double SECOND = 0.95; /* the same for a table of the other kind beside it */
static const double LEAST_CYCLES = 1.5;
static const double PASSES =
    8; /* over the whole way, at the least: what happens once or twice in a place is no table */
static const double VISITED = 0.2; /* of an even share of the samples must be near every knot */

/* what is left at a moving sample, and what it may come from */
typedef struct left {
  double x, direction, rest, base[BASE];
} left;

typedef struct search {
  left *row;
  size_t rows;
  double low, high;
  double shortest; /* period that the samples and the filter show */
  sums_blocks *blocks;
} search;

/* ---- samples ---- */

static size_t count_moving(const bristle_log *const *logs, size_t count)
{
  size_t moving = 0;
  for (size_t l = 0; l < count; l++)
    for (size_t i = 0; i < logs[l]->count; i++) moving += logs[l]->phase[i] == BRISTLE_PHASE_MOVING;
  return moving;
}

/* What may go with the place without coming from it. Strokes between the same ends are slow in the same places, hence
   any curve over the speed, for both directions; and they turn there, hence what fades with the way since. */
static left left_at(const bristle_log *log, size_t i, double rest, double since, double range)
{
  const double x = log->x[i], direction = log->direction[i], v = log->v[i], speed = fabs(v);
  const double sine = log->rotary ? sin(x) : 0, cosine = log->rotary ? cos(x) : 0;
  return (left){ x,
                 direction,
                 rest,
                 { 1, direction, v, v * speed, direction * sqrt(speed), speed, log->a ? log->a[i] : 0, sine, cosine,
                   direction * exp(-since / (0.02 * range)), direction * exp(-since / (0.1 * range)) } };
}

/* the range of the motion, and the way since its last turn at each sample */
static double find_turns(const bristle_log *log, double *since)
{
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) {
      const int goes_on = i > log->first[k] && log->v[i] * log->v[i - 1] > 0;
      since[i] = goes_on ? since[i - 1] + fabs(log->x[i] - log->x[i - 1]) : 0;
      low = fmin(low, log->x[i]), high = fmax(high, log->x[i]);
    }
  return high - low;
}

static int gather(search *s, const bristle_identified *r, const bristle_log *const *logs, size_t count)
{
  bristle_fault ignored;
  const size_t moving = count_moving(logs, count), stride = moving / MOST + 1;
  double speed = 0, rate = HUGE_VAL, travel = 0;
  s->row = malloc(sizeof *s->row * (moving / stride + 1));
  s->blocks = malloc(sizeof *s->blocks);
  s->low = HUGE_VAL, s->high = -HUGE_VAL;
  if (!s->row || !s->blocks) return 1;
  for (size_t l = 0, at = 0; l < count; l++) {
    const bristle_log *log = logs[l];
    double *force = malloc(sizeof *force * 2 * (log->count + 1)), *since = force ? force + log->count : NULL;
    const int failed = !force || bristle_identified_force(r, log, force, &ignored);
    const double range = failed ? 0 : find_turns(log, since);
    for (size_t i = 0; i < log->count && !failed; i++) {
      if (log->phase[i] != BRISTLE_PHASE_MOVING || at++ % stride) continue;
      s->row[s->rows++] = left_at(log, i, log->f[i] - force[i], since[i], range);
      s->low = fmin(s->low, log->x[i]), s->high = fmax(s->high, log->x[i]);
    }
    free(force);
    if (failed) return 1;
    travel += log->summary.travel;
    speed = fmax(speed, log->summary.speed_median);
    rate = fmin(rate, log->filtered ? log->cutoff : log->summary.rate / 4);
  }
  s->shortest = 1.5 * speed / rate;
  return s->rows < FEWEST || !(s->high > s->low) || travel < PASSES * (s->high - s->low);
}

/* ---- one table, or two ---- */

static int columns_of(const bristle_places *p) { return p->knots ? p->knots - 1 : 0; }

static void fill_row(const left *r, const bristle_places over[BRISTLE_OVERS], double *row)
{
  memcpy(row, r->base, sizeof r->base);
  for (int kind = 0, at = BASE; kind < BRISTLE_OVERS; at += columns_of(&over[kind]), kind++)
    for (int k = 0; k < columns_of(&over[kind]); k++)
      row[at + k] = places_column(&over[kind], r->x, k) * (kind == BRISTLE_OVER_FRICTION ? r->direction : 1);
}

/* the error of samples that were held out */
static double held_out(const search *s, const bristle_places over[BRISTLE_OVERS])
{
  const int columns = BASE + columns_of(&over[0]) + columns_of(&over[1]);
  double row[SUMS_COLUMNS];
  memset(s->blocks, 0, sizeof *s->blocks);
  for (size_t i = 0; i < s->rows; i++) {
    fill_row(&s->row[i], over, row);
    sums_add_row(&s->blocks->block[i * SUMS_BLOCKS / s->rows], columns, row, s->row[i].rest, s->row[i].rest);
  }
  return sums_held_out(s->blocks, ((sums_set)1 << columns) - 1);
}

/* Fills the shares of the knots. One that hardly anything was measured near would be made up: then 0. */
static int is_visited(const search *s, bristle_places *p)
{
  memset(p->share, 0, sizeof p->share);
  for (size_t i = 0; i < s->rows; i++)
    for (int k = 0; k < p->knots; k++) p->share[k] += places_hat(p, s->row[i].x, k) / (double)s->rows;
  for (int k = 0; k < p->knots; k++)
    if (p->share[k] < VISITED / p->knots) return 0;
  return 1;
}

static void offer(const search *s, int kind, const bristle_places *table, bristle_places best[BRISTLE_OVERS],
                  double *least)
{
  bristle_places over[BRISTLE_OVERS];
  memcpy(over, best, sizeof over);
  over[kind] = *table;
  if (!is_visited(s, &over[kind])) return;
  const double error = held_out(s, over);
  if (error < *least) *least = error, memcpy(best, over, sizeof over);
}

/* ---- periods ---- */

/* how much of what is left has this many cycles over the way */
static double strength(const search *s, int kind, double cycles)
{
  double along[2] = { 0 };
  for (size_t i = 0; i < s->rows; i++) {
    const double angle = 2 * PI * cycles * (s->row[i].x - s->low) / (s->high - s->low);
    const double y = s->row[i].rest * (kind == BRISTLE_OVER_FRICTION ? s->row[i].direction : 1);
    along[0] += y * cos(angle), along[1] += y * sin(angle);
  }
  return along[0] * along[0] + along[1] * along[1];
}

/* all of them at even steps: each angle turns on by the same amount */
static double strongest_cycles(const search *s, int kind, double most)
{
  double *turn = malloc(sizeof *turn * 4 * s->rows), best = 0, strongest = 0;
  if (!turn) return 0;
  for (size_t i = 0; i < s->rows; i++) {
    const double step = 2 * PI * (s->row[i].x - s->low) / (s->high - s->low) / PER_CYCLE;
    double *t = turn + 4 * i;
    t[0] = s->row[i].rest * (kind == BRISTLE_OVER_FRICTION ? s->row[i].direction : 1), t[1] = 0;
    t[2] = cos(step), t[3] = sin(step);
  }
  for (int k = 1; k <= most * PER_CYCLE; k++) {
    double along[2] = { 0 };
    for (size_t i = 0; i < s->rows; i++) {
      double *t = turn + 4 * i;
      const double c = t[0] * t[2] - t[1] * t[3];
      t[1] = t[0] * t[3] + t[1] * t[2], t[0] = c;
      along[0] += t[0], along[1] += t[1];
    }
    const double here = along[0] * along[0] + along[1] * along[1];
    if (k >= LEAST_CYCLES * PER_CYCLE && here > strongest) strongest = here, best = (double)k / PER_CYCLE;
  }
  free(turn);
  return best;
}

/* the period to a fraction of a knot over the whole way */
static double find_period(const search *s, int kind)
{
  const double way = s->high - s->low, most = fmin(CYCLES, way / s->shortest);
  double best = most > LEAST_CYCLES ? strongest_cycles(s, kind, most) : 0;
  if (!(best > 0)) return 0;
  for (double step = 0.1; step > 0.005; step /= 4) {
    double at = best, strongest = strength(s, kind, best);
    for (int k = -4; k <= 4; k++) {
      const double here = k ? strength(s, kind, best + k * step) : 0;
      if (here > strongest) strongest = here, at = best + k * step;
    }
    best = at;
  }
  return way / best;
}

/* ---- both kinds ---- */

/* The strongest wave is a little off where the places are not visited alike: what tables leave decides on the last
   percent. */
static void refine_period(const search *s, int kind, bristle_places best[BRISTLE_OVERS], double *least)
{
  for (double step = 0.004; step > 1e-4 && best[kind].periodic; step /= 4)
    for (int moved = 1, steps = 0; moved && steps < 5; steps++) {
      const double before = *least;
      bristle_places table = best[kind];
      table.length *= 1 + step;
      offer(s, kind, &table, best, least);
      table.length *= (1 - step) / (1 + step);
      if (*least == before) offer(s, kind, &table, best, least);
      moved = *least < before;
    }
}

/* the best table of a kind beside what `best` has of the other */
static void try_kind(const search *s, int kind, bristle_places best[BRISTLE_OVERS], double *least)
{
  const double period = find_period(s, kind), way = s->high - s->low;
  const bristle_places tables[] = {
    { .knots = COARSE, .low = s->low, .length = way },
    { .knots = FINE, .low = s->low, .length = way },
    { .knots = COARSE, .length = period, .periodic = 1 },
    { .knots = FINE, .length = period, .periodic = 1 },
  };
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
    if (tables[k].length > 0) offer(s, kind, &tables[k], best, least);
  refine_period(s, kind, best, least);
}

int bristle_identified_places(const bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                              bristle_places over[BRISTLE_OVERS], double *before, double *after)
{
  search s = { 0 };
  bristle_places found[BRISTLE_OVERS][BRISTLE_OVERS] = { 0 };
  double least[BRISTLE_OVERS];
  memset(over, 0, sizeof *over * BRISTLE_OVERS);
  *before = *after = (double)NAN;
  if (!logs[0]->phase || !logs[0]->direction || result->nothing_slides || gather(&s, result, logs, log_count)) {
    free(s.row), free(s.blocks);
    return 0;
  }
  *before = *after = held_out(&s, over);
  for (int kind = 0; kind < BRISTLE_OVERS; kind++) least[kind] = *before, try_kind(&s, kind, found[kind], &least[kind]);
  const int first = least[BRISTLE_OVER_FORCE] < least[BRISTLE_OVER_FRICTION];
  int kinds = least[first] < ASKED * *before;
  if (kinds) {
    double both = SECOND * least[first];
    memcpy(over, found[first], sizeof found[first]);
    *after = least[first];
    try_kind(&s, !first, over, &both);
    if (over[!first].knots) *after = both, kinds = 2;
  }
  free(s.row), free(s.blocks);
  return kinds;
}
