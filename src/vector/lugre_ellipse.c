/* LuGre with a friction ellipse: stiffness, damping and levels differ from axis to axis.
 *
 * Velenis, Tsiotras, Canudas de Wit and Sorine choose the rate lambda = |Mk^2 v|/g so that kinetic friction lies on the
 * ellipse of the levels and dissipates the most that any force on it could. For constant v each axis is a linear
 * equation of its own, so the step is exact componentwise. With equal axes it is lugre. */
#define MODEL lugre_ellipse
#define TITLE "LuGre with friction ellipse: bristles that differ along the axes"
#define EQUATIONS                                                                                    \
  "dz_i/dt = v_i - C_i z_i,  C_i = lambda sigma0_i/fc_i^2,  lambda = |Mk^2 v|/g\n"                   \
  "g = gk + (gs - gk) exp(-(|v|/vs)^gamma),  gk = |Mk^2 v|/|Mk v|,  gs = |Ms^2 v|/|Ms v|\n"          \
  "F_i = sigma0_i z_i + sigma1_i dz_i/dt + sigma2_i v_i,  Mk = diag(fc),  Ms = diag(fs)"
#define USE "Tyres, guideways, brushed or woven surfaces: contacts that hold and slide differently along and across."
#define LIMITS "The axes are those of the contact frame. Drifts under vibration like lugre."
#define SOURCE                                                                                       \
  "Velenis, Tsiotras, Canudas de Wit, Sorine, Vehicle System Dynamics 43 (2005); origin of the friction ellipse in Altair MotionSolve."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY)
#define LOAD FORCE
#if BRISTLE_DIM == 2
#define AXES(x, y, z) (x, y)
#else
#define AXES(x, y, z) (x, y, z)
#endif
#define PARAMS(P, V)                                                                                 \
  V(sigma0, BRISTLE_DIM, "N/m",   AXES(1e5, 1e5, 1e5),                1e-3, 1e12, LOG,    STIFFNESS,      "bristle stiffness along each axis") \
  V(sigma1, BRISTLE_DIM, "N*s/m", AXES(316.2278, 316.2278, 316.2278), 0,    1e9,  LOG,    DAMPING,        "bristle damping along each axis") \
  V(sigma2, BRISTLE_DIM, "N*s/m", AXES(0.4, 0.4, 0.4),                0,    1e9,  LOG,    VISCOUS,        "viscous coefficient along each axis") \
  V(fc,     BRISTLE_DIM, "N",     AXES(1, 0.7, 0.7),                  1e-9, 1e9,  LOG,    LEVEL,          "Coulomb level along each axis") \
  V(fs,     BRISTLE_DIM, "N",     AXES(1.5, 1, 1),                    1e-9, 1e9,  LOG,    STATIC_LEVEL,   "static level along each axis") \
  P(vs,     "m/s", 1e-3, 1e-9, 1e3, LOG,    STRIBECK_SPEED, "Stribeck speed")                        \
  P(gamma,  "1",   2,    0.1,  10,  LINEAR, EXPONENT,       "Stribeck exponent")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "mean bristle deflection")
#define RULES(R)                                                                                     \
  R(fs, lugre_ellipse_lowest(p), lugre_ellipse_lowest(p) >= K(1), "fs must not be below fc along any axis")
#define COMMON(C) C(gamma, 2)
#include "core/model_begin.h"

/* the smallest ratio fs/fc of any axis */
KERNEL real lugre_ellipse_lowest(const params *p)
{
  real ratio = p->fs[0] / p->fc[0];
  EACH(i) ratio = r_min(ratio, p->fs[i] / p->fc[i]);
  return ratio;
}

/* |M^2 v|/|M v|: the level of the ellipse in the direction of v */
KERNEL real lugre_ellipse_reach(const real *m, vec v)
{
  real first = K(0), second = K(0);
  EACH(i) first += square(m[i] * v.c[i]), second += square(m[i] * m[i] * v.c[i]);
  return first > K(0) ? r_sqrt(second) / r_max(r_sqrt(first), K(REAL_TINY)) : m[0];
}

KERNEL real lugre_ellipse_level(const params *p, vec v)
{
  return stribeck_level(lugre_ellipse_reach(p->fc, v), lugre_ellipse_reach(p->fs, v), p->vs, p->gamma, v_norm(v));
}

/* lambda, the part of C that all axes share */
KERNEL real lugre_ellipse_lambda(const params *p, vec v)
{
  real sum = K(0);
  EACH(i) sum += square(p->fc[i] * p->fc[i] * v.c[i]);
  return r_sqrt(sum) / lugre_ellipse_level(p, v);
}

KERNEL real lugre_ellipse_rate(const params *p, real lambda, int i)
{
  return lambda * p->sigma0[i] / r_max(p->fc[i] * p->fc[i], K(REAL_TINY));
}

KERNEL vec lugre_ellipse_force(const params *p, vec z, vec dz, vec v)
{
  vec f;
  EACH(i) f.c[i] = p->sigma0[i] * z.c[i] + p->sigma1[i] * dz.c[i] + p->sigma2[i] * v.c[i];
  return f;
}

KERNEL vec lugre_ellipse_eval(const params *p, const state *s, const input *in, state *rate)
{
  real lambda = lugre_ellipse_lambda(p, in->v);
  EACH(i) rate->z.c[i] = in->v.c[i] - lugre_ellipse_rate(p, lambda, i) * s->z.c[i];
  return lugre_ellipse_force(p, s->z, rate->z, in->v);
}

KERNEL vec lugre_ellipse_move(const params *p, state *s, const input *in)
{
  real lambda = lugre_ellipse_lambda(p, in->v);
  vec dz;
  EACH(i)
  {
    real x = lugre_ellipse_rate(p, lambda, i) * in->h;
    dz.c[i] = in->v.c[i] * in->h * mean_decay(x) - s->z.c[i] * r_decay(x).d;
  }
  s->z = v_add(s->z, dz);
  return lugre_ellipse_force(p, s->z, v_scale(K(1) / in->h, dz), in->v);
}

KERNEL vec lugre_ellipse_steady(const params *p, const input *in)
{
  real lambda = r_max(lugre_ellipse_lambda(p, in->v), K(REAL_TINY));
  vec f;
  EACH(i) f.c[i] = in->v.c[i] * (p->fc[i] * p->fc[i] / lambda + p->sigma2[i]);
  return f;
}

KERNEL real lugre_ellipse_energy(const params *p, const state *s, const input *in)
{
  real sum = K(0);
  (void)in;
  EACH(i) sum += K(0.5) * p->sigma0[i] * square(s->z.c[i]);
  return sum;
}

KERNEL bristle_mode lugre_ellipse_mode(const params *p, const state *s, const input *in)
{
  vec elastic;
  EACH(i) elastic.c[i] = p->sigma0[i] * s->z.c[i];
  return bristle_regime(elastic, lugre_ellipse_level(p, in->v), in->v, p->vs);
}

KERNEL step_bounds lugre_ellipse_step_bounds(const params *p, const state *s, const input *in, vec d)
{
  real slope = K(0), force_bound = K(0), viscous = K(0);
  (void)s, (void)d;
  EACH(i)
  {
    slope = r_max(slope, p->sigma0[i] * in->h + p->sigma1[i] + p->sigma2[i]);
    force_bound += p->fs[i] * (K(1) + K(2) * p->sigma1[i] / (p->sigma0[i] * in->h));
    viscous = r_max(viscous, p->sigma2[i]);
  }
  return make_step_bounds(slope, force_bound, viscous);
}

#include "core/model_end.h"
