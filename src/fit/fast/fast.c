/* LuGre's bristle obeys z' = a z + b at the constant velocity of a step, with a and b known for every step beforehand:
   all exponentials of a block are computed side by side. So are the chains of z and of its derivatives: a block is cut
   into runs, each goes from a bristle at rest, and since everything is affine in the start of the run, the true starts
   follow from run to run; then all runs go once more from there. */
#include "fit/fast/fast.h"

#include <math.h>
#include <stdint.h>

#if defined(BRISTLE_DISPATCH) && defined(__x86_64__)
#define FAST_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FAST_CLONES
#endif

typedef double lanes __attribute__((vector_size(8 * MAPS_LANES), aligned(8), may_alias));
typedef long long lane_bits __attribute__((vector_size(8 * MAPS_LANES), aligned(8), may_alias));

int fast_suits(const bristle_law *law, bristle_load load, const double *p)
{
  const bristle_info *info = law->f64->info;
  if (strcmp(law->name, "lugre") || load != BRISTLE_LOAD_FORCE) return 0;
  return p[bristle_param_find(info, "gamma")->first] == 2 && p[bristle_param_find(info, "vd")->first] >= 1e9
         && p[bristle_param_find(info, "limit")->first] == 0;
}

/* ---- the plan ---- */

static void add_extra(fast_plan *plan, fast_steps *block, size_t i, double slide, double h)
{
  plan->extra[plan->extras++] = (fast_extra){ fast_place(i), slide, h };
  block->extras++;
}

/* the step of sample `at`, number i of its block; the turn inside a step as in walk.c */
static void add_step(fast_plan *plan, fast_steps *block, const bristle_log *log, size_t at, int is_first)
{
  size_t i = at - block->first, place = fast_place(i);
  block->v[place] = log->v[at], block->f[place] = log->f[at];
  if (is_first) { /* nothing has moved yet */
    if (walk_starts_sliding(log, at)) add_extra(plan, block, i, log->v[at], log->summary.duration);
    return;
  }
  block->slide[place] = log->slide[at];
  block->h[place] = log->t[at] - log->t[at - 1];
  if (log->v[at - 1] * log->v[at] >= 0) return;
  walk_turn turn = walk_turn_at(log, at);
  if (turn.there > 0) add_extra(plan, block, i, turn.way / turn.there, turn.there);
  block->slide[place] = turn.back / (turn.h - turn.there);
  block->h[place] = turn.h - turn.there;
}

static void add_stretch(fast_plan *plan, const bristle_log *log, size_t stretch)
{
  size_t begin = log->first[stretch], end = log->first[stretch + 1];
  for (size_t first = begin; first < end; first += MAPS_BLOCK) {
    fast_steps *block = &plan->block[plan->blocks++];
    block->first = first;
    block->count = end - first < MAPS_BLOCK ? end - first : MAPS_BLOCK;
    block->extra = plan->extras;
    for (size_t i = 0; i < MAPS_BLOCK; i++) block->h[i] = 1; /* steps without a sample stay where they are */
    for (size_t i = 0; i < block->count; i++) add_step(plan, block, log, first + i, first + i == begin);
  }
}

static size_t extras_of(const bristle_log *log)
{
  size_t count = log->stretches;
  for (size_t i = 1; i < log->count; i++) count += log->v[i - 1] * log->v[i] < 0;
  return count;
}

fast_plan *fast_plan_make(const bristle_log *const *logs, size_t log_count)
{
  memory *list = NULL;
  fast_plan *plan = memory_take(&list, sizeof *plan);
  size_t blocks = 0, extras = 0, stretches = 0, stretch = 0;
  for (size_t l = 0; l < log_count; l++) {
    blocks += logs[l]->count / MAPS_BLOCK + logs[l]->stretches;
    extras += extras_of(logs[l]);
    stretches += logs[l]->stretches;
  }
  if (!plan) return NULL;
  char *room = memory_take(&list, sizeof *plan->block * (blocks + 1) + 64);
  plan->block = room ? (fast_steps *)(void *)(room + (64 - (uintptr_t)room % 64) % 64) : NULL;
  plan->extra = memory_take(&list, sizeof *plan->extra * (extras + 1));
  plan->first = memory_take(&list, sizeof *plan->first * (stretches + 1));
  if (!plan->block || !plan->extra || !plan->first) {
    memory_free(list);
    return NULL;
  }
  for (size_t l = 0; l < log_count; l++)
    for (size_t k = 0; k < logs[l]->stretches; k++) {
      plan->first[stretch++] = plan->blocks;
      add_stretch(plan, logs[l], k);
    }
  plan->first[stretch] = plan->blocks;
  plan->memory_list = list;
  return plan;
}

void fast_plan_free(fast_plan *plan)
{
  if (plan) memory_free(plan->memory_list);
}

/* ---- one block ---- */

void fast_begin(fast_walk *w, const double *p)
{
  const bristle_info *info = bristle_law_find("lugre")->f64->info;
  w->p = p;
  w->unit = p[bristle_param_find(info, "fs")->first] / p[bristle_param_find(info, "sigma0")->first];
  w->z = 0;
  memset(w->slope, 0, sizeof w->slope);
}

/* puts the extra steps of a block before those of their samples: one affine map after the other is one again */
static void prepend_extras(fast_walk *w, const fast_plan *plan, const fast_steps *block)
{
  double slide[MAPS_BLOCK], h[MAPS_BLOCK];
  if (!block->extras) return;
  const fast_extra *extra = plan->extra + block->extra;
  for (size_t k = 0; k < block->extras; k++) slide[k] = extra[k].slide, h[k] = extra[k].h;
  lugre_steps(w->p, w->unit, block->extras, slide, h, w->before);
  for (size_t k = 0; k < block->extras; k++) {
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
    lane_bits remembers = s.gain > 1e-150; /* subnormal numbers are a hundred times slower than others */
    s.gain = (lanes)((lane_bits)s.gain & remembers);
    for (size_t j = 0; j < MAPS_MOVING; j++) s.gain_slope[j] = (lanes)((lane_bits)s.gain_slope[j] & remembers);
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
}

FAST_CLONES static void walk_runs(fast_walk *w, fast_block *out)
{
  const lanes *a = (const lanes *)w->step, *b = a + MAPS_RUN, *da = b + MAPS_RUN, *db = da + MAPS_MOVING * MAPS_RUN;
  const lanes *c = (const lanes *)w->at_sample, *d = c + MAPS_RUN, *dc = d + MAPS_RUN,
              *dd = dc + MAPS_SLOPES * MAPS_RUN;
  lanes z, slope[MAPS_MOVING], *force = (lanes *)out->force, *by = (lanes *)out->slope;
  survey s = survey_runs(w->step);
  join_runs(w, &s, &z, slope);
  for (size_t k = 0; k < MAPS_RUN; k++) {
    for (size_t j = 0; j < MAPS_MOVING; j++)
      slope[j] = a[k] * slope[j] + (da[j * MAPS_RUN + k] * z + db[j * MAPS_RUN + k]);
    z = a[k] * z + b[k];
    lanes bent = c[k], sum[MAPS_SLOPES]; /* stores come last: the compiler must take each for a change of any row */
    for (size_t j = 0; j < MAPS_SLOPES; j++) sum[j] = dc[j * MAPS_RUN + k] * z + dd[j * MAPS_RUN + k];
    for (size_t j = 0; j < MAPS_MOVING; j++) sum[maps_moving[j]] += bent * slope[j];
    force[k] = bent * z + d[k];
    for (size_t j = 0; j < MAPS_SLOPES; j++) by[j * MAPS_RUN + k] = sum[j];
  }
}

void fast_next(fast_walk *w, const fast_plan *plan, size_t block, fast_block *out)
{
  const fast_steps *steps = &plan->block[block];
  lugre_steps(w->p, w->unit, MAPS_BLOCK, steps->slide, steps->h, w->step);
  prepend_extras(w, plan, steps);
  lugre_forces(w->p, w->unit, MAPS_BLOCK, steps->v, w->at_sample);
  walk_runs(w, out);
}
