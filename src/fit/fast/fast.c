/* The bristle of an affine law obeys z' = a z + b at the constant velocity of a step, with a and b known for every step
   beforehand: all exponentials of a block are computed side by side. So are the chains of z and of its derivatives: a
   block is cut into runs, each goes from a bristle at rest, and since everything is affine in the start of the run, the
   true starts follow from run to run; then all runs go once more from there. */
#include "fit/records/turns.h"
#include "core/clones.h"
#include "fit/fast/fast.h"

#include "maths/elementary.h"

#include <stdint.h>
#include <string.h>

typedef double lanes __attribute__((vector_size(8 * MAPS_LANES), aligned(8), may_alias));

const maps_law *fast_law(const bristle_law *law, bristle_load load, const double *p)
{
  if (!(law->f64->info->traits & BRISTLE_TRAIT_AFFINE) || load != BRISTLE_LOAD_FORCE) return NULL;
  for (const maps_law *const *l = maps_laws; *l; l++)
    if (!strcmp((*l)->name, law->name)) return (*l)->suits(p) ? *l : NULL;
  return NULL;
}

void fast_rows(const maps_law *law, int nparam, int *row)
{
  for (int k = 0; k < nparam; k++) row[k] = -1;
  for (int j = 0; j < MAPS_SLOPES; j++)
    if (law->place[j] >= 0) row[law->place[j]] = j;
}

/* ---- the layout ---- */

/* sign changes on the way to each of `count` samples */
BRISTLE_CLONES static size_t count_turns(const double *v, size_t count)
{
  size_t turns = 0;
  for (size_t i = 0; i < count; i++) turns += v[i - 1] * v[i] < 0;
  return turns;
}

/* The smallest number of two rows, signs apart. Numbers without a sign are in the order of their bits, and unlike them
   those have a smallest that does not depend on the order of looking: the loop is vectorised. */
BRISTLE_CLONES static double least_of(const double *a, const double *b)
{
  const uint64_t unsigned_part = ~0ull >> 1;
  uint64_t least = ~0ull;
  double number;
  for (size_t i = 0; i < MAPS_BLOCK; i++) {
    uint64_t x, y;
    memcpy(&x, a + i, sizeof x), memcpy(&y, b + i, sizeof y);
    x &= unsigned_part, y &= unsigned_part;
    least = x < least ? x : least;
    least = y < least ? y : least;
  }
  memcpy(&number, &least, sizeof number);
  return number;
}

/* numbers of consecutive samples, to their places */
static void spread(double *restrict to, const double *restrict from, size_t count)
{
  if (count == MAPS_BLOCK)
    for (size_t k = 0; k < MAPS_RUN; k++)
      for (size_t l = 0; l < MAPS_LANES; l++) to[k * MAPS_LANES + l] = from[l * MAPS_RUN + k];
  else
    for (size_t i = 0; i < count; i++) to[fast_place(i)] = from[i];
}

static void add_extra(fast_layout *layout, fast_span *span, size_t i, double slide, double h)
{
  layout->extra[layout->extras++] = (fast_extra){ fast_place(i), slide, h };
  span->extras++;
}

/* the turn inside a step as in walk.c */
static void add_turn(fast_layout *layout, fast_span *span, fast_steps *steps, const bristle_log *log, size_t i)
{
  walk_turn turn = walk_turn_at(log, span->first + i);
  if (turn.there > 0) add_extra(layout, span, i, turn.way / turn.there, turn.there);
  steps->slide[fast_place(i)] = turn.back / (turn.h - turn.there);
  steps->h[fast_place(i)] = turn.h - turn.there;
}

/* samples from `first` on, of a stretch that begins there or before; `bent` as in the log */
static void add_block(fast_layout *layout, const bristle_log *log, size_t first, size_t count, int begins, int bent)
{
  fast_span *span = &layout->span[layout->blocks];
  fast_steps *steps = &layout->steps[layout->blocks++];
  const double *v = log->v + first, *t = log->t + first;
  double h[MAPS_BLOCK];
  *span = (fast_span){ .first = first, .count = count, .extra = layout->extras };
  if (count < MAPS_BLOCK) memset(steps, 0, sizeof *steps);
  for (size_t i = (size_t)begins; i < count; i++) h[i] = t[i] - t[i - 1];
  if (begins) h[0] = 1;
  spread(steps->v, v, count);
  spread(steps->f, log->f + first, count);
  spread(steps->slide, log->slide + first, count);
  spread(steps->h, h, count);
  /* without a sample z stays as it is */
  for (size_t i = count; i < MAPS_BLOCK; i++) steps->h[fast_place(i)] = 1;
  if (begins) {
    steps->slide[0] = 0; /* nothing has moved yet */
    if (bent) add_extra(layout, span, 0, v[0], log->summary.duration);
  }
  if (count_turns(v + begins, count - (size_t)begins))
    for (size_t i = (size_t)begins; i < count; i++)
      if (v[i - 1] * v[i] < 0) add_turn(layout, span, steps, log, i);
  span->slowest = least_of(steps->slide, steps->v);
}

static void add_stretch(fast_layout *layout, const bristle_log *log, size_t stretch)
{
  size_t begin = log->first[stretch], end = log->first[stretch + 1];
  for (size_t first = begin; first < end; first += MAPS_BLOCK)
    add_block(layout, log, first, end - first < MAPS_BLOCK ? end - first : MAPS_BLOCK, first == begin,
              log->bent[stretch]);
}

fast_layout *fast_layout_make(const bristle_log *const *logs, size_t log_count)
{
  fast_layout *layout = calloc(1, sizeof *layout);
  size_t blocks = 1, extras = 1, stretches = 0, stretch = 0;
  for (size_t l = 0; l < log_count; l++) {
    blocks += logs[l]->count / MAPS_BLOCK + logs[l]->stretches;
    extras += count_turns(logs[l]->v + 1, logs[l]->count ? logs[l]->count - 1 : 0) + logs[l]->stretches;
    stretches += logs[l]->stretches;
  }
  if (!layout) return NULL;
  layout->span = malloc(sizeof *layout->span * blocks);
  layout->room = platform_aligned(8 * MAPS_BLOCK, sizeof *layout->steps * (blocks + 1));
  layout->extra = malloc(sizeof *layout->extra * extras);
  layout->first = malloc(sizeof *layout->first * (stretches + 1));
  if (!layout->span || !layout->room || !layout->extra || !layout->first) {
    fast_layout_free(layout);
    return NULL;
  }
  layout->steps = (fast_steps *)(layout->room + FAST_LAYOUT_AT);
  for (size_t l = 0; l < log_count; l++)
    for (size_t k = 0; k < logs[l]->stretches; k++) {
      layout->first[stretch++] = layout->blocks;
      add_stretch(layout, logs[l], k);
    }
  layout->first[stretch] = layout->blocks;
  return layout;
}

void fast_layout_free(fast_layout *layout)
{
  if (!layout) return;
  free(layout->span), platform_aligned_free(layout->room), free(layout->extra), free(layout->first);
  free(layout);
}

/* ---- one block ---- */

/* The speed at which the Stribeck curve has fallen to a part 1e-17 of fc above it: below the last digit. */
static double speed_of_sliding(double dry, double peak, double fall)
{
  return fall * sqrt(fmax(log(1e17 * fabs(peak - dry) / dry), 1));
}

void fast_begin(fast_walk *w, const maps_law *law, const double *p)
{
  const int *place = law->place;
  const double stiffness = p[place[0]], dry = p[place[MAPS_LEVEL]];
  const int falls = place[MAPS_LEVEL + 1] >= 0 && place[MAPS_LEVEL + 2] >= 0;
  const double peak = falls ? p[place[MAPS_LEVEL + 1]] : dry, fall = falls ? p[place[MAPS_LEVEL + 2]] : 0;
  w->law = law;
  w->p = p;
  w->unit = peak / stiffness;
  w->z = 0;
  memset(w->slope, 0, sizeof w->slope);
  for (int j = 0; j < MAPS_MOVING; j++) w->size[j] = place[MAPS_LEVEL + j] >= 0 ? p[place[MAPS_LEVEL + j]] : 1;
  w->fast = falls ? speed_of_sliding(dry, peak, fall) : 0;
  for (size_t i = 0; i < MAPS_BLOCK; i++) w->sliding_level[i] = dry, w->sliding_level[MAPS_BLOCK + i] = 1;
  memset(w->sliding_level + 2 * MAPS_BLOCK, 0, 2 * sizeof *w->sliding_level * MAPS_BLOCK); /* by fs and vs */
}

/* levels at the velocities of a block: the same for all where all are fast */
static const double *levels_at(fast_walk *w, const fast_span *span, const double *v)
{
  if (span->slowest >= w->fast) return w->sliding_level;
  w->law->levels(w->p, MAPS_BLOCK, v, w->level);
  return w->level;
}

/* puts the extra steps of a block before those of their samples: one affine map after the other is one again */
static void prepend_extras(fast_walk *w, const fast_layout *layout, const fast_span *span)
{
  double slide[MAPS_BLOCK], h[MAPS_BLOCK];
  if (!span->extras) return;
  const fast_extra *extra = layout->extra + span->extra;
  for (size_t k = 0; k < span->extras; k++) slide[k] = extra[k].slide, h[k] = extra[k].h;
  w->law->levels(w->p, span->extras, slide, w->level);
  w->law->steps(w->p, w->unit, span->extras, slide, h, w->level, w->before);
  for (size_t k = 0; k < span->extras; k++) {
    double *step = w->step + extra[k].place, *before = w->before + k;
    double a = step[0], first_a = before[0], first_b = before[MAPS_BLOCK];
    for (size_t j = 2; j < 2 + MAPS_MOVING; j++) {
      double *da = step + j * MAPS_BLOCK, *db = step + (j + MAPS_MOVING) * MAPS_BLOCK;
      double first_da = before[j * MAPS_BLOCK], first_db = before[(j + MAPS_MOVING) * MAPS_BLOCK];
      *db += *da * first_b + a * first_db;
      *da = *da * first_a + a * first_da;
    }
    step[MAPS_BLOCK] += a * first_b;
    step[0] = a * first_a;
  }
}

/* What the runs of a block make of a bristle at rest (`end`), and what a start elsewhere adds (`gain`). */
typedef struct survey {
  lanes gain, gain_slope[MAPS_MOVING], end, end_slope[MAPS_MOVING];
} survey;

static inline __attribute__((always_inline)) survey survey_runs(const double *step)
{
  const lanes *a = (const lanes *)step, *b = a + MAPS_RUN, *da = b + MAPS_RUN, *db = da + MAPS_MOVING * MAPS_RUN;
  survey s = { .gain = (lanes){ 0 } + 1 };
  for (size_t k = 0; k < MAPS_RUN; k++) {
    for (size_t j = 0; j < MAPS_MOVING; j++) {
      s.gain_slope[j] = a[k] * s.gain_slope[j] + da[j * MAPS_RUN + k] * s.gain;
      s.end_slope[j] = a[k] * s.end_slope[j] + (da[j * MAPS_RUN + k] * s.end + db[j * MAPS_RUN + k]);
    }
    s.gain = a[k] * s.gain;
    s.end = a[k] * s.end + b[k];
  }
  return s;
}

/* the bristle at the start of each run; the walk goes on from the end of the last one */
static inline __attribute__((always_inline)) void join_runs(fast_walk *w, const survey *s, lanes *z, lanes *slope)
{
  for (size_t l = 0; l < MAPS_LANES; l++) {
    (*z)[l] = w->z;
    for (size_t j = 0; j < MAPS_MOVING; j++) {
      slope[j][l] = w->slope[j];
      w->slope[j] = s->gain[l] * w->slope[j] + (s->gain_slope[j][l] * w->z + s->end_slope[j][l]);
    }
    w->z = s->gain[l] * w->z + s->end[l];
  }
  for (size_t j = 0; j < MAPS_MOVING; j++) /* what decays for ever would end in subnormal numbers */
    if (fabs(w->slope[j]) * w->size[j] < 1e-25 * w->unit) w->slope[j] = 0;
}

BRISTLE_CLONES static void walk_runs(fast_walk *w)
{
  const lanes *a = (const lanes *)w->step, *b = a + MAPS_RUN, *da = b + MAPS_RUN, *db = da + MAPS_MOVING * MAPS_RUN;
  lanes z, slope[MAPS_MOVING], *to = (lanes *)w->step;
  survey s = survey_runs(w->step);
  join_runs(w, &s, &z, slope);
  for (size_t k = 0; k < MAPS_RUN; k++) {
    for (size_t j = 0; j < MAPS_MOVING; j++)
      slope[j] = a[k] * slope[j] + (da[j * MAPS_RUN + k] * z + db[j * MAPS_RUN + k]);
    z = a[k] * z + b[k];
    to[k] = z;
    for (size_t j = 0; j < MAPS_MOVING; j++) to[(1 + j) * MAPS_RUN + k] = slope[j];
  }
}

BRISTLE_CLONES void fast_add(double *restrict to, double factor, const double *restrict from)
{
  for (size_t k = 0; k < MAPS_BLOCK; k++) to[k] += factor * from[k];
}

void fast_next(fast_walk *w, const fast_layout *layout, size_t block, fast_block *out)
{
  const fast_steps *steps = &layout->steps[block];
  const fast_span *span = &layout->span[block];
  w->law->steps(w->p, w->unit, MAPS_BLOCK, steps->slide, steps->h, levels_at(w, span, steps->slide), w->step);
  prepend_extras(w, layout, span);
  walk_runs(w);
  w->law->forces(w->p, steps->v, levels_at(w, span, steps->v), w->step, out->force, out->slope[0]);
}
