/* Bouc-Wen: hysteresis beside an elastic force.
 *
 * Along the motion y = z sgn v obeys dy/dx = A - (b + c) y^n above zero and A + (b - c) |y|^n below. In units of the
 * length L where its right side would vanish, w = y/L, the gap e = 1 - w to the limit is the natural variable:
 *
 *   -d ln(e) = (1 - w|w|^(n-1))/(1 - w) ds,   s = A path/L,
 *
 * whose right side is 1 for n = 1 and smooth, between 1 and n, for others. So n = 1 is solved exactly, and any other n
 * by Newton's method on the path as an integral over ln(e) (Gauss' rule; positive weights keep every iterate bounded).
 * The two sides of zero are separate phases. The gap can only shrink: |z| never leaves its limit by a step. */
#define MODEL bouc_wen
#define TITLE "Bouc-Wen: smooth hysteresis beside a spring"
#define EQUATIONS                                                                                    \
  "dz/dt = A v - b |v| |z|^(n-1) z - c v |z|^n\n"                                                    \
  "F     = a sigma0 x + (1 - a) sigma0 z;  |z| is at most (A/(b + c))^(1/n)"
#define USE                                                                                          \
  "Isolators, magnetorheological dampers, structures: one smooth loop with a chosen sharpness n and, through c, a " \
  "chosen slope on unloading."
#define LIMITS                                                                                       \
  "No static peak, no dependence on speed; loops creep under vibration and need not close. Sticks and has a steady "  \
  "force only with a = 0. b and c carry the unit 1/m^n. No parameter is a force: to follow the normal load use the " \
  "coefficient form. n far above 2 is for double precision."
#define SOURCE "Bouc 1967; Wen, J. Eng. Mech. Div. ASCE 102 (1976) 249."
#define TRAITS                                                                                       \
  (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_RATE_FREE | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PANELS 6
#define PARAMS(P, V)                                                                                 \
  P(sigma0, "N/m", 1e5, 1e-3,  1e12, LOG,    STIFFNESS,  "stiffness")                                \
  P(a,      "1",   0,   0,     1,    LINEAR, RATIO,      "part of the stiffness that stays elastic") \
  P(A,      "1",   1,   1e-6,  1e6,  LOG,    RATIO,      "slope of z at zero")                       \
  P(b,      "1/m", 1e5, 1e-12, 1e30, LOG,    PER_LENGTH, "what bounds the loop; 1/m^n")              \
  P(c,      "1/m", 0,   -1e30, 1e30, LINEAR, PER_LENGTH, "difference of loading and unloading; 1/m^n") \
  P(n,      "1",   1,   1,     10,   LINEAR, EXPONENT,   "sharpness of the bend")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "hysteretic displacement")
#define RULES(R)                                                                                     \
  R(c, p->c, p->c <= p->b && p->c > -p->b, "c must lie above -b and not above b")
#define COMMON(C) C(n, 1)
#define HEAVY
#define REDUCTIONS(R) R(dahl, "a = 0, A = 1, c = 0, n = 1", "fc = sigma0/b, delta = 1, sigma2 = 0")
#define SKEW_LEVEL(q, k) /* the level goes with A/(b + c) to the power of 1/n */                       \
  q.b = q.b * r_pow(k, -q.n), q.c = q.c * r_pow(k, -q.n);
#include "core/model_begin.h"

/* n = 1 needs no powers. Numbers that carry derivatives go the long way, for the slope in n. */
KERNEL int bouc_wen_usual(const params *p) { return sizeof(real) == sizeof(scalar) && p->n == K(1); }

/* x^y for y that is 1 when n is: by the short way in value, by the long one in derivatives */
KERNEL real bouc_wen_power(const params *p, real x, real y)
{
  if (bouc_wen_usual(p)) return x;
  real q = r_pow(x, y);
  return p->n == K(1) ? r_value_of(x, q) : q;
}

/* the length L at which A and coefficient |z|^n balance */
KERNEL real bouc_wen_length(const params *p, real coefficient)
{
  return bouc_wen_power(p, p->A / coefficient, K(1) / p->n);
}

KERNEL real bouc_wen_limit(const params *p) { return bouc_wen_length(p, p->b + p->c); }

/* path per change of -ln(e) at the gap e = 1 - w; where e is all rounding, by its expansion around the limit */
KERNEL real bouc_wen_pace(real n, real e)
{
  real w = K(1) - e, m = r_pow(r_abs(w), n);
  real near = n * (K(1) - K(0.5) * (n - K(1)) * e * (K(1) - K(1.0 / 3) * (n - K(2)) * e));
  return r_abs(e) < K(1e-4) ? K(1) / near : e / (w > K(0) ? K(1) - m : K(1) + m);
}

/* path while the gap shrinks from e to e exp(-t): Gauss' rule with eight points on each panel */
KERNEL real bouc_wen_path(real n, real e, real t)
{
  const scalar at[4] = { (scalar)0.1834346424956498, (scalar)0.5255324099163290, (scalar)0.7966664774136267,
                         (scalar)0.9602898564975363 };
  const scalar weight[4] = { (scalar)0.3626837833783620, (scalar)0.3137066458778873, (scalar)0.2223810344533745,
                             (scalar)0.1012285362903763 };
  real half = t * K(0.5 / PANELS), sum = K(0);
  for (int panel = 0; panel < PANELS; panel++)
    for (int i = 0; i < 4; i++) {
      real middle = half * K(2 * panel + 1), off = half * at[i];
      real before = e * r_decay(middle - off).e, after = e * r_decay(middle + off).e;
      sum += (bouc_wen_pace(n, before) + bouc_wen_pace(n, after)) * weight[i];
    }
  return half * sum;
}

/* The t for which path(t) is the given one. The pace is lowest at the start or at the limit, which bounds t; the last
   correction is made even when nothing is left to correct, because it carries the derivatives. */
KERNEL real bouc_wen_travel(real n, real e, real path)
{
  real t = path, lo = K(0), hi = K(1.01) * path * r_max(n, K(1) / bouc_wen_pace(n, e));
  for (int i = 0; i < 24; i++) {
    real miss = bouc_wen_path(n, e, t) - path, next = t - miss / bouc_wen_pace(n, e * r_decay(t).e);
    if (miss < K(0)) lo = t;
    else hi = t;
    t = next >= lo && next <= hi ? next : K(0.5) * (lo + hi);
    if (r_abs(miss) <= K(16) * K(REAL_EPSILON) * path) break;
  }
  return t;
}

/* ln(1 + x) for x >= 0; small x by the series of 2 artanh(x/(2 + x)), so that nothing of it is lost */
KERNEL real bouc_wen_log(real x)
{
  real y = x / (K(2) + x), u = y * y;
  real series = K(1) + u * (K(1.0 / 3) + u * (K(1.0 / 5) + u * (K(1.0 / 7) + u * (K(1.0 / 9) + u * K(1.0 / 11)))));
  return x < K(0.1) ? K(2) * y * series : r_log(K(1) + x);
}

KERNEL real bouc_wen_eval(const params *p, const state *s, const input *in, state *rate)
{
  real m = bouc_wen_power(p, r_abs(s->z), p->n);
  rate->z = p->A * in->v - (p->b * r_abs(in->v) * sign(s->z) + p->c * in->v) * m;
  return p->sigma0 * (p->a * in->x + (K(1) - p->a) * s->z);
}

KERNEL real bouc_wen_move(const params *p, state *s, const input *in)
{
  real d = r_copysign(K(1), in->v), way = r_abs(in->v) * in->h * p->A, y = d * s->z;
  int usual = bouc_wen_usual(p);

  /* below zero: how far back to it */
  real back = bouc_wen_length(p, r_max(p->b - p->c, K(1e-15) * p->b)), limit = bouc_wen_limit(p);
  real below = -r_min(y, K(0)) / back, gap = K(1) + below, whole = bouc_wen_log(below);
  real home = usual || !(y < K(0)) ? whole : bouc_wen_path(p->n, gap, whole);
  real to_zero = back * (p->n == K(1) ? r_value_of(whole, home) : home);
  int above = way >= to_zero;

  real length = above ? limit : back, start = above ? r_max(y, K(0)) : y, e = above ? K(1) - start / limit : gap;
  real path = r_min((above ? way - to_zero : way) / length, K(40)); /* beyond, the limit is reached to the last bit */
  real travel = usual ? path : bouc_wen_travel(p->n, e, path);
  real moved = r_decay(p->n == K(1) ? r_value_of(path, travel) : travel).d;
  s->z = d * (start + length * e * moved);
  return p->sigma0 * (p->a * (in->x + in->v * in->h) + (K(1) - p->a) * s->z);
}

KERNEL real bouc_wen_steady(const params *p, const input *in)
{
  return p->sigma0 * (p->a * in->x + (K(1) - p->a) * bouc_wen_limit(p) * sign(in->v));
}

KERNEL real bouc_wen_energy(const params *p, const state *s, const input *in)
{
  return K(0.5) * p->sigma0 * (p->a * in->x * in->x + (K(1) - p->a) * s->z * s->z / p->A);
}

KERNEL bristle_mode bouc_wen_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(s->z, bouc_wen_limit(p), in->v, K(1e-3));
}

KERNEL step_bounds bouc_wen_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real m = r_pow(r_abs(s->z), p->n), rise = p->A - (p->b * sign(d * s->z) + p->c) * m;
  real soft = p->sigma0 * p->a, hard = p->sigma0 * (K(1) - p->a);
  return make_step_bounds((soft + hard * r_max(rise, K(0))) * in->h,
                          soft * r_abs(in->x) + hard * r_max(bouc_wen_limit(p), r_abs(s->z)), soft * in->h);
}

#include "core/model_end.h"
