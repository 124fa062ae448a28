/* Closes a law that knows its coupled solution with the general search all the same, as an oracle. */
#include "core/couple.h"

static real ROLE(step)(const real *p, real *s, const input *in, real *v_end)
{
  params q;
  input k;
  state none = { 0 };
  const real gain = ROLE(apply_load)((const params *)p, in, &q, &k);
  return gain * ROLE(couple)(&q, ROLE(nstate) ? (state *)s : &none, &k, v_end);
}

typedef real searched_step(const real *p, real *s, const input *in, real *v_end);
#define SEARCHED BRISTLE_TYPED(BRISTLE_CAT(BRISTLE_CAT(bristle_, MODEL), _searched))
extern searched_step *const SEARCHED;
searched_step *const SEARCHED = ROLE(step);
