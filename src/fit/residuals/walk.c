/* A law along a measured motion: its states go from sample to sample by the exact step at the mean velocity of the
   interval, its force is that at the sample, so that nothing lags by half a step. */
#include "fit/records/turns.h"
#include "fit/residuals/terms.h"
#include "fit/residuals/walk.h"
#include "fit/fast/fast.h"

#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

static bristle_input input_at(const walk *w, size_t i)
{
  const bristle_log *log = w->log;
  bristle_input in = { .v = log->v[i], .x = log->x[i], .n = log->n ? log->n[i] : 1, .load = w->contact.load, .h = 1 };
  in.a = log->a ? log->a[i] : 0;
  /* At rest any force up to the static level holds, and only the record says which. In motion a law must not see the
     force that it is to predict: one that rests within a band would widen it until nothing is left to explain. */
  in.f = in.v == 0 ? log->f[i] - term_sum(log, w->term, i) : 0;
  return in;
}

static double advance(walk *w, const bristle_input *in, double *df)
{
  const bristle_info *info = w->contact.law->f64->info;
  if (!w->derivatives) return w->contact.law->f64->step(w->contact.p, w->s, in, NULL);
  double force = w->contact.law->diff->sensitivity(w->contact.p, w->s, in, NULL, df, w->ds);
  /* what is forgotten decays for ever, and subnormal numbers are a hundred times slower than others */
  for (int k = 0; k < info->nstate * info->nparam; k++) w->ds[k] = fabs(w->ds[k]) < 1e-200 ? 0 : w->ds[k];
  return force;
}

void walk_begin(walk *w, size_t stretch)
{
  const bristle_info *info = w->contact.law->f64->info;
  size_t first = w->start = w->log->first[stretch];
  memset(w->s, 0, sizeof *w->s * (size_t)info->nstate);
  memset(w->ds, 0, sizeof *w->ds * (size_t)info->nstate * (size_t)info->nparam);
  if (!info->nstate || !w->log->bent[stretch]) return;
  bristle_input in = input_at(w, first); /* as if it had been going on for long */
  double df[BRISTLE_LAW_SIZE];
  in.h = w->log->summary.duration;
  advance(w, &in, df);
}

static double instant_force(walk *w, size_t i, double *df)
{
  bristle_input in = input_at(w, i);
  if (!w->derivatives) return w->contact.law->f64->step(w->contact.p, w->s, &in, NULL);
  return w->contact.law->diff->sensitivity(w->contact.p, w->s, &in, NULL, df, w->ds);
}

static double step_to(walk *w, size_t i, double *df)
{
  walk_turn turn = walk_turn_at(w->log, i);
  bristle_input in = input_at(w, i);
  in.x = w->log->x[i - 1];
  if (turn.there > 0) {
    in.h = turn.there;
    in.v = turn.way / turn.there;
    advance(w, &in, df);
    in.x += turn.way;
  }
  in.h = turn.h - turn.there;
  in.v = turn.back / in.h;
  return advance(w, &in, df);
}

static double force_now(walk *w, const bristle_input *in, double *df)
{
  double rate[BRISTLE_LAW_SIZE];
  if (!w->derivatives) return w->contact.law->f64->eval(w->contact.p, w->s, in, rate);
  return w->contact.law->diff->instant(w->contact.p, w->s, in, df, w->ds);
}

double walk_force(walk *w, size_t i, double *df)
{
  double unused[BRISTLE_LAW_SIZE];
  if (!df) df = unused;
  if (!w->contact.law->f64->info->nstate) return instant_force(w, i, df);
  if (i != w->start) {
    double force = step_to(w, i, df);
    if (w->rough) return force;
  }
  bristle_input in = input_at(w, i);
  return force_now(w, &in, df);
}

/* ---- a whole log ---- */

static int fast_forces(const bristle_log *log, const maps_law *law, const double *p, double *force)
{
  fast_layout *layout = fast_layout_make(&log, 1);
  fast_walk *w = FAST_NEW(fast_walk);
  fast_block *block = FAST_NEW(fast_block);
  int failed = !layout || !w || !block;
  for (size_t k = 0; k < log->stretches && !failed; k++) {
    fast_begin(w, law, p);
    for (size_t b = layout->first[k]; b < layout->first[k + 1]; b++) {
      fast_next(w, layout, b, block);
      for (size_t i = 0; i < layout->span[b].count; i++) force[layout->span[b].first + i] = block->force[fast_place(i)];
    }
  }
  fast_layout_free(layout);
  platform_aligned_free(w), platform_aligned_free(block);
  return failed;
}

int walk_forces(const bristle_contact *contact, const bristle_log *log, const double *term, double *force)
{
  const maps_law *maps = fast_law(contact->law, contact->load, contact->p);
  if (maps) return fast_forces(log, maps, contact->p, force);
  walk *w = malloc(sizeof *w);
  if (!w) return 1;
  *w = (walk){ .contact = *contact, .log = log };
  memcpy(w->term, term, sizeof w->term);
  for (size_t k = 0; k < log->stretches; k++) {
    walk_begin(w, k);
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) force[i] = walk_force(w, i, NULL);
  }
  free(w);
  return 0;
}

int walk_result(const bristle_identified *r, const bristle_log *log, double *force)
{
  const bristle_contact contact = bristle_identified_contact(r);
  return walk_forces(&contact, log, r->term, force);
}
