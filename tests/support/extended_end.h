/* Closes a law compiled in extended precision; the counterpart of core/model_plain.h. */
#include "core/couple.h"

static real ROLE(eval_entry)(const real *p, const real *s, const input *in, real *rate)
{
  params q;
  input k;
  state none = { 0 }, none_rate;
  const real gain = ROLE(apply_load)((const params *)p, in, &q, &k);
  return gain * ROLE(eval)(&q, ROLE(nstate) ? (const state *)s : &none, &k, ROLE(nstate) ? (state *)rate : &none_rate);
}

static real ROLE(step)(const real *p, real *s, const input *in, real *v_end)
{
  params q;
  input k;
  state none = { 0 };
  const real gain = ROLE(apply_load)((const params *)p, in, &q, &k);
  return gain * ROLE(couple)(&q, ROLE(nstate) ? (state *)s : &none, &k, v_end);
}

extern const extended_law BRISTLE_CAT(SYMBOL, _extended);
const extended_law BRISTLE_CAT(SYMBOL, _extended) = { ROLE(eval_entry), ROLE(step) };
