/* LuGre's bristle obeys z' = a z + b at the constant velocity of a step, with a and b known for every step beforehand:
   all exponentials of a block are computed side by side, only the chain of z and of its derivatives goes step by step.
 */
#include "fit/fast/fast.h"

#include <math.h>

int fast_suits(const bristle_law *law, bristle_load load, const double *p)
{
  const bristle_info *info = law->f64->info;
  if (strcmp(law->name, "lugre") || load != BRISTLE_LOAD_FORCE) return 0;
  return p[bristle_param_find(info, "gamma")->first] == 2 && p[bristle_param_find(info, "vd")->first] >= 1e9
         && p[bristle_param_find(info, "limit")->first] == 0;
}

void fast_begin(fast_walk *w, const bristle_log *log, const double *p, size_t stretch)
{
  const bristle_info *info = bristle_law_find("lugre")->f64->info;
  w->log = log, w->p = p;
  w->next = log->first[stretch], w->end = log->first[stretch + 1];
  w->unit = p[bristle_param_find(info, "fs")->first] / p[bristle_param_find(info, "sigma0")->first];
  w->start = w->next;
  w->z = 0;
  memset(w->slope, 0, sizeof w->slope);
}

/* one step of the block: `place` is that of the sample at its end */
static void add_step(fast_walk *w, double slide, double h, double v, size_t place)
{
  size_t at = w->steps++;
  w->slide[at] = slide, w->h[at] = h, w->v[at] = v, w->place[at] = place;
}

/* the steps of as many samples as fit; the turn inside a step as in walk.c */
static void gather(fast_walk *w, fast_block *block)
{
  const bristle_log *log = w->log;
  block->first = w->next;
  block->count = w->steps = 0;
  for (; w->next < w->end && w->steps + 2 <= MAPS_BLOCK; w->next++) {
    size_t i = w->next;
    if (i == w->start) {
      if (walk_starts_sliding(log, i)) add_step(w, log->v[i], log->summary.duration, log->v[i], MAPS_BLOCK);
      add_step(w, 0, 1, log->v[i], block->count++); /* nothing has moved yet */
    } else if (log->v[i - 1] * log->v[i] >= 0) {
      add_step(w, log->slide[i], log->t[i] - log->t[i - 1], log->v[i], block->count++);
    } else {
      walk_turn turn = walk_turn_at(log, i);
      if (turn.there > 0) add_step(w, turn.way / turn.there, turn.there, log->v[i], MAPS_BLOCK);
      add_step(w, turn.back / (turn.h - turn.there), turn.h - turn.there, log->v[i], block->count++);
    }
  }
}

static void chain_steps(fast_walk *w, double *z, double (*slope)[MAPS_BLOCK])
{
  const double *a = w->step, *b = a + MAPS_BLOCK, *da = b + MAPS_BLOCK, *db = da + MAPS_SLOPES * MAPS_BLOCK;
  double now = w->z, s[MAPS_SLOPES];
  memcpy(s, w->slope, sizeof s);
  for (size_t k = 0; k < w->steps; k++) {
    for (int j = 0; j < MAPS_SLOPES; j++) {
      s[j] = a[k] * s[j] + (da[(size_t)j * MAPS_BLOCK + k] * now + db[(size_t)j * MAPS_BLOCK + k]);
      slope[j][k] = s[j];
    }
    z[k] = now = a[k] * now + b[k];
  }
  w->z = now;
  memcpy(w->slope, s, sizeof s);
}

/* drops the steps that end at no sample */
static void keep_samples(const fast_walk *w, fast_block *block)
{
  if (block->count == w->steps) return;
  for (size_t k = 0; k < w->steps; k++) {
    size_t to = w->place[k];
    if (to == MAPS_BLOCK) continue;
    block->force[to] = block->force[k];
    for (int j = 0; j < MAPS_SLOPES; j++) block->slope[j][to] = block->slope[j][k];
  }
}

int fast_next(fast_walk *w, fast_block *block)
{
  double z[MAPS_BLOCK], slope[MAPS_SLOPES][MAPS_BLOCK];
  if (w->next >= w->end) return 0;
  gather(w, block);
  lugre_maps(w->p, w->unit, w->steps, w->slide, w->h, w->v, w->step, w->at_sample);
  chain_steps(w, z, slope);
  const double *c = w->at_sample, *d = c + MAPS_BLOCK, *dc = d + MAPS_BLOCK, *dd = dc + MAPS_SLOPES * MAPS_BLOCK;
  for (size_t k = 0; k < w->steps; k++) block->force[k] = c[k] * z[k] + d[k];
  for (size_t j = 0; j < MAPS_SLOPES; j++)
    for (size_t k = 0; k < w->steps; k++)
      block->slope[j][k] = c[k] * slope[j][k] + (dc[j * MAPS_BLOCK + k] * z[k] + dd[j * MAPS_BLOCK + k]);
  keep_samples(w, block);
  return 1;
}
