/* Coulomb: constant friction against the motion, anything up to that at rest, plus a viscous part. */
#define MODEL coulomb
#define TITLE "Coulomb: constant friction with true stick, plus viscous"
#define EQUATIONS                                                                                    \
  "v != 0: F = fc sgn v + sigma2 v\n"                                                                \
  "v  = 0: F = whatever holds the body, at most fc"
#define USE "The first model of any dry contact; two parameters that every log determines."
#define LIMITS "No static peak, no presliding displacement, no lag. Exact stick needs the coupled step (or events)."
#define SOURCE "Coulomb 1785; set-valued rest by projection as in Moreau-type time stepping."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SET_VALUED | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1, 1e-9, 1e9, LOG,    LEVEL,   "Coulomb level")                                 \
  P(sigma2, "N*s/m", 0, 0,    1e9, LOG,    VISCOUS, "viscous coefficient")
#define STATES(S, V)
#define INSTANT
#define STICTION
#define CLOSED
#include "core/model_begin.h"

KERNEL vec coulomb_force(const params *p, const input *in)
{
  vec dry = v_select(v_norm(in->v) == K(0), v_clip(in->f, p->fc), v_along(p->fc, in->v));
  return v_add(dry, v_scale(p->sigma2, in->v));
}

KERNEL range coulomb_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(-p->fc, p->fc);
}

#if BRISTLE_DIM == 1
KERNEL real coulomb_closed(const params *p, const state *s, const input *in)
{
  real most = in->w * p->fc;
  (void)s;
  return (in->v - saturate(in->v, most)) / (K(1) + in->w * p->sigma2);
}
#endif

KERNEL step_bounds coulomb_step_bounds(const params *p, const state *s, const input *in, vec d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->sigma2, p->fc, p->sigma2);
}

#include "core/model_end.h"
