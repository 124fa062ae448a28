/* The part of coupled batches that all laws share, compiled for double and, with BRISTLE_F32, for float. */
#include "bristle/bristle.h"
#ifndef BRISTLE_DIM
#define BRISTLE_DIM 1
#endif
#include "core/scalar.h"
#include "core/lanes.h"

typedef struct params { /* of no law: batch.h asks for some */
  real none;
} params;
#define ROLE(role) lanes_##role
#include "core/batch.h"
#include "core/clones.h"

#if defined(__clang__)
#define BRISTLE_ROLLED
#else
#define BRISTLE_ROLLED _Pragma("GCC unroll 1") /* a short loop unrolled first would have its outer loop vectorised */
#endif

/* The search of a lane is put together from the rows, run on by one evaluation and taken apart again, in two loops: the
   second, where to look next, is for groups that have not ended. The round is a constant: the first two have little to
   remember, and later ones need not ask what is known. */
FN choice judge_group(lanes *m, size_t first, const int round, const choice smooth)
{
  const int now = round % 2, before = 1 - now, stands = round % 3, stood = (round + 2) % 3, older = (round + 1) % 3;
  choice any = 0;
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < ABREAST; i++) {
    const size_t l = first + i;
    const real v = m->v[l], r_lo = m->r_lo[l], f_end = m->f_end[l], done = m->done[l];
    const real u = round == 0 ? m->u_end[l] : m->u[stands][l];
    search q = { .u = u, .lo = m->lo[l], .hi = m->hi[l], .rise = m->rise[l] };
    if (round == 0) {
      q.u_last = q.u_older = q.lo;
      q.r_last = r_lo;
      m->u[0][l] = u;
      m->best[l] = K(4) * (r_abs(v) + q.hi);
    } else {
      q.u_last = m->u[stood][l];
      q.u_older = round == 1 ? K(0) : m->u[older][l]; /* looked at only by searches that began at 0 */
      q.r_last = m->r[before][l], q.f_last = m->f[before][l];
      q.bracketed = m->bracketed[l];
    }
    const choice rested = r_lo < 0; /* then a residual was known beforehand */
    const choice curved = (round == 0 ? 0 : round == 1 ? rested : 1) & smooth;
    search_judge(v, m->w[l], r_lo, m->r[now][l], m->f[now][l], &q, round == 0 ? rested : 1, curved, 0);
    const choice was_done = done > 0;
    m->u_end[l] = m->u[older][l] = r_pick(was_done, u, q.u);
    m->f_end[l] = r_pick(was_done, f_end, q.f);
    q.done = r_pick(was_done, done, q.done);
    m->part[l] = r_pick(was_done, K(-1), r_pick(q.done == SEARCH_BY_PART, q.part, K(0)));
    m->done[l] = q.done;
    m->lo[l] = q.lo, m->hi[l] = q.hi, m->rise[l] = q.rise, m->secant[l] = q.secant, m->bracketed[l] = q.bracketed;
    any |= q.done == 0;
  }
  return any;
}

/* A search that ends without a root, on a jump of its law, keeps the force that the balance names. */
FN choice next_group(lanes *m, size_t first, const int round)
{
  const int now = round % 2, stands = round % 3, older = (round + 1) % 3;
  choice any = 0;
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < ABREAST; i++) {
    const size_t l = first + i;
    const real u = m->u[stands][l], u_end = m->u_end[l], f_end = m->f_end[l], done = m->done[l];
    search q = { .lo = m->lo[l], .hi = m->hi[l], .secant = m->secant[l], .bracketed = m->bracketed[l] };
    q.best = m->best[l], q.stalled = round == 0 ? K(0) : m->stalled[l];
    search_next(u, m->r[now][l], &q, 0);
    const choice was_done = done > 0;
    m->u_end[l] = m->u[older][l] = r_pick(was_done, u_end, q.u);
    m->f_end[l] = r_pick(was_done, f_end, (m->v[l] - m->d[l] * q.u) / m->w[l]);
    m->done[l] = r_pick(was_done, done, q.done);
    m->best[l] = q.best, m->stalled[l] = q.stalled;
    any |= !was_done & (q.done == 0);
  }
  return any;
}

/* States where the searches of a group end. */
FN void decide_states(lanes *m, size_t first, int now)
{
  for (int k = 0; k < m->nstate; k++) {
    const real *t = m->t[now][k], *t_last = m->t[1 - now][k];
    real *t_end = m->t_end[k];
    BRISTLE_ROLLED
    BRISTLE_INDEPENDENT
    for (size_t i = 0; i < ABREAST; i++) {
      const size_t l = first + i;
      const real part = m->part[l], here = t[l], later = here + (here - t_last[l]) * part;
      t_end[l] = r_pick(part == K(-1), t_end[l], r_pick(part == 0, here, later));
    }
  }
}

FN int decide(lanes *m, const int round, const int now, const choice smooth)
{
  int groups = 0;
  for (size_t g = 0; g < GROUPS; g++) {
    if (!m->open[g]) continue;
    const size_t first = g * ABREAST;
    m->open[g] = judge_group(m, first, round, smooth) && next_group(m, first, round);
    decide_states(m, first, now);
    groups += m->open[g];
  }
  return groups;
}

/* ---- where no contact rests by decree, the first evaluation went to where searches end, and mostly has hit ---- */

FN choice misses(const lanes *m, size_t first)
{
  choice any = 0;
  BRISTLE_ROLLED
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < ABREAST; i++) {
    const size_t l = first + i;
    const real w = m->w[l], tolerance = search_tolerance(m->v[l], w, m->r_lo[l], m->f_end[l]);
    any |= !((r_abs(m->r[0][l]) <= tolerance) | !(w > 0));
  }
  return any;
}

/* from where searches end to where they go on from */
FN void go_on(lanes *m, size_t first)
{
  BRISTLE_ROLLED
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < ABREAST; i++) {
    const size_t l = first + i;
    m->f[0][l] = m->f_end[l];
    m->done[l] = 0;
  }
  for (int k = 0; k < m->nstate; k++) {
    real *t = m->t[0][k] + first;
    const real *t_end = m->t_end[k] + first;
    BRISTLE_ROLLED
    BRISTLE_INDEPENDENT
    for (size_t i = 0; i < ABREAST; i++) t[i] = t_end[i];
  }
}

FN int decide_first(lanes *m)
{
  for (size_t g = 0; g < GROUPS; g++) {
    if (!m->open[g]) continue;
    m->open[g] = misses(m, g * ABREAST);
    if (m->open[g]) go_on(m, g * ABREAST);
  }
  return decide(m, 0, 0, !m->jumps);
}

BRISTLE_CLONES int BRISTLE_TYPED(lanes_begin)(lanes *m)
{
  int groups = 0;
  for (size_t g = 0; g < GROUPS; g++) {
    choice any = 0;
    for (size_t l = g * ABREAST; l < (g + 1) * ABREAST; l++) any |= m->done[l] == 0;
    m->open[g] = any && g * ABREAST < m->count;
    groups += m->open[g];
  }
  return groups;
}

BRISTLE_CLONES int BRISTLE_TYPED(lanes_decide)(lanes *m, int round)
{
  if (round == 0) return m->decreed ? decide(m, 0, 0, !m->jumps) : decide_first(m);
  if (m->jumps) return decide(m, round, round % 2, 0);
  return round == 1 ? decide(m, 1, 1, 1) : decide(m, round, round % 2, 1);
}

BRISTLE_CLONES void BRISTLE_TYPED(lanes_end)(const lanes *m, real *force, real *v_end, real *s, size_t stride)
{
  BRISTLE_INDEPENDENT
  for (size_t l = 0; l < m->count; l++) force[l] = m->gain[l] * m->f_end[l];
  for (size_t l = 0; v_end && l < m->count; l++) v_end[l] = m->d[l] * m->u_end[l];
  for (int k = 0; k < m->nstate; k++)
    for (size_t l = 0; l < m->count; l++) s[(size_t)k * stride + l] = m->t_end[k][l];
}
