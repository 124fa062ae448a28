/* Closes a law for exported texts: the entry points of core/model_plain.h, under names that do not depend on the law.
 */
#include "core/couple.h"

static real law_step(const params *p, state *s, const input *in, real *v_end)
{
  params q;
  input k;
  const real gain = ROLE(apply_load)(p, in, &q, &k);
  return gain * ROLE(couple)(&q, s, &k, v_end);
}

static real law_eval(const params *p, const state *s, const input *in, state *rate)
{
  params q;
  input k;
  const real gain = ROLE(apply_load)(p, in, &q, &k);
  return gain * ROLE(eval)(&q, s, &k, rate);
}

static real law_steady(const params *p, const input *in)
{
  params q;
  input k;
  const real gain = ROLE(apply_load)(p, in, &q, &k);
  return gain * ROLE(steady)(&q, &k);
}

static bristle_mode law_mode(const params *p, const state *s, const input *in)
{
  params q;
  input k;
  ROLE(apply_load)(p, in, &q, &k);
  return ROLE(mode)(&q, s, &k);
}

#if !BRISTLE_F32
/* as in core/model_tables.h */
#define FIELD_SIZE(type, name) ((int)(sizeof(((type *)0)->name) / (sizeof(real))))
#ifndef RELATIONS
#define RELATIONS(R)
#endif
#include "core/model_rules.h"

static int law_rules(const double *values, bristle_breach *out, int max) { return ROLE(rules)(values, out, max); }
#endif
