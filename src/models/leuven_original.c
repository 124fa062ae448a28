/* Leuven as first published: one state, and a memory of the reversals that its hysteresis curve started from.
 *
 * The hysteresis force is Fb + Fd(z): Fb at the last reversal that is still remembered, Fd the transition curve from
 * there. A reversal of the velocity starts a new curve; where a curve comes back to the reversal before its own, the
 * loop is closed, both are forgotten and the outer curve goes on, with another Fb. The force of the curves is
 * continuous there, but dz/dt depends on Fb and jumps, and with it the damping: that is the flaw which the modified law
 * repairs. The curve is that of the elements of `leuven`, doubled after a reversal (Masing), so that equal parameters
 * mean the same hysteresis and only the equation of z differs.
 *
 * The step is made as in leuven, with D = |sgn(v) g - Fb| for the level; a sub-step in which a loop closes is cut
 * there. Where the level has fallen below Fb on an inner curve, D is negative and the equation runs away from Fb, but
 * only as far as the next closing. The memory holds MARKS reversals; loops inside a full one are elastic: nothing is
 * lost or jumps. */
#define MODEL leuven_original
#define TITLE "Original Leuven: one state and a memory of reversals under a Stribeck curve"
#define EQUATIONS                                                                                    \
  "dz/dt = v (1 - sgn(r)|r|^n),  r = Fd/(sgn(v) g(v) - Fb),  Fh = Fb + Fd\n"                         \
  "before a reversal: Fb = 0, Fd = y(z);  after one at z_m: Fb = Fh(z_m), Fd = 2 y((z - z_m)/2)\n"   \
  "y(z)  = sum of k_i z, each held within +-alpha_i fs,  sum alpha_i = 1\n"                          \
  "a loop that closes (z back at the reversal before the last) takes both reversals out of the memory\n" \
  "F     = Fh + sigma1 dz/dt + sigma2 v\n"                                                           \
  "g(v)  = fc + (fs - fc) exp(-|v/vs|^gamma)"
#define USE                                                                                          \
  "Publications that use the law of 2000, and to see what its modification (leuven) changed: there r = Fh sgn(v)/g, "  \
  "which knows no Fb."
#define LIMITS                                                                                       \
  "The force jumps by a part of sigma1 v where an inner loop closes. Where the level falls below Fb on an inner curve "  \
  "(a small loop left at speed), z runs ahead of the motion until that loop closes, so energy may be returned. "     \
  "Ten reversals are remembered; loops inside the tenth are elastic. The step is of second order, not exact."
#define SOURCE                                                                                       \
  "Swevers, Al-Bender, Ganseman, Prajogo, IEEE TAC 45 (2000) 675; its flaws: Lampaert, Swevers, Al-Bender, "         \
  "IEEE TAC 47 (2002) 683. The curve of elements and what happens when the memory is full are ours."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY)
#define LOAD FORCE
#define MARKS 10
#define PARAMS(P, V)                                                                                 \
  V(k,     ELEMENTS, "N/m", (8e4, 6e4, 4e4, 2e4),   0, 1e12, LOG,    STIFFNESS,      "stiffness of each element") \
  V(alpha, ELEMENTS, "1",   (0.1, 0.2, 0.3, 0.4),   0, 1,    LINEAR, SHARE,          "share of each element in the level") \
  P(n,      "1",     2,        0.1,  10,   LINEAR, EXPONENT,       "exponent of the transition to sliding") \
  P(sigma1, "N*s/m", 316.2278, 0,    1e9,  LOG,    DAMPING,        "damping")                        \
  P(sigma2, "N*s/m", 0.4,      0,    1e9,  LOG,    VISCOUS,        "viscous coefficient")            \
  P(fc,     "N",     1,        1e-9, 1e9,  LOG,    LEVEL,          "Coulomb level")                  \
  P(fs,     "N",     1.5,      1e-9, 1e9,  LOG,    STATIC_LEVEL,   "static level, and the sum of the element levels") \
  P(vs,     "m/s",   1e-3,     1e-9, 1e3,  LOG,    STRIBECK_SPEED, "Stribeck speed")                 \
  P(gamma,  "1",     2,        0.1,  10,   LINEAR, EXPONENT,       "Stribeck exponent")
#define STATES(S, V)                                                                                 \
  S(z,         "m", FLOW, "deflection")                                                              \
  S(direction, "1", JUMP, "of the last motion")                                                      \
  S(depth,     "1", JUMP, "reversals in the memory")                                                 \
  V(mark, MARKS, "m", JUMP, "deflection at each of them, the oldest first")
#define RELATIONS(R) R(AT_LEAST, fs, fc) R(SUM_IS_ONE, alpha)
#define RULES(R) ELEMENT_RULES(R)
#define COMMON(C) C(gamma, 2) C(n, 2)
#define HEAVY
#define SKEW_NO_LEVEL /* the memory goes by one virgin curve, the same both ways */
#include "core/model_begin.h"

enum { LEUVEN_ORIGINAL_STEPS = 8 }; /* their lengths q^k/((1 + q)(1 + q^2)(1 + q^4)) assume eight */

/* the curve that the motion is on: Fh = base + scale y((z - origin)/scale), until z comes to `closes` */
typedef struct curve {
  real base, origin, closes, scale;
  int forward; /* 0 on the way back into the last reversal of a full memory */
} curve;

KERNEL real leuven_original_level(const params *p, real v)
{
  return r_max(stribeck_level(p->fc, p->fs, p->vs, p->gamma, v), K(REAL_TINY));
}

/* y(z) */
KERNEL real leuven_original_virgin(const params *p, real z)
{
  real sum = K(0);
  for (int i = 0; i < ELEMENTS; i++) sum += saturate(p->k[i] * z, p->alpha[i] * p->fs);
  return sum;
}

/* the deflection at which the last element is at its level */
KERNEL real leuven_original_span(const params *p)
{
  real span = K(0);
  for (int i = 0; i < ELEMENTS; i++) span = r_max(span, element_deflection(p->alpha[i] * p->fs, p->k[i]));
  return span;
}

KERNEL int leuven_original_depth(const state *s)
{
  real depth = r_abs(s->depth) + K(0.5);
  return depth < K(MARKS) ? (int)r_value(depth) : MARKS;
}

KERNEL curve leuven_original_curve(const params *p, const state *s, real d)
{
  const int depth = leuven_original_depth(s);
  curve c = { K(0), K(0), K(0), K(1), 1 };
  if (depth == 0) return c;
  c.base = leuven_original_virgin(p, s->mark[0]);
  for (int i = 1; i < depth; i++) c.base += K(2) * leuven_original_virgin(p, K(0.5) * (s->mark[i] - s->mark[i - 1]));
  c.origin = s->mark[depth - 1];
  c.scale = K(2);
  c.forward = d * (s->z - c.origin) >= K(0);
  c.closes = !c.forward ? c.origin : depth == 1 ? -s->mark[0] : s->mark[depth - 2];
  return c;
}

KERNEL real leuven_original_beyond(const params *p, const curve *c, real z)
{
  return c->scale * leuven_original_virgin(p, (z - c->origin) / c->scale);
}

KERNEL real leuven_original_force(const params *p, const state *s)
{
  const curve c = leuven_original_curve(p, s, s->direction);
  return c.base + leuven_original_beyond(p, &c, s->z);
}

/* (1 - sgn(r)|r|^n)/(1 - r), which is n at r = 1; above 1000 |r| counts as 1000 */
KERNEL real leuven_original_pull(real r, real n)
{
  real u = K(1) - r, power = r_pow(r_min(r_abs(r), K(1000)), n);
  real near = n * (K(1) - (n - K(1)) * K(0.5) * u * (K(1) - (n - K(2)) * K(1.0 / 3) * u));
  return r_abs(u) < K(1e-4) ? near : (K(1) - (r < K(0) ? -power : power)) / u;
}

/* dz/dx at the deflection z of a motion in the direction d, at the level g */
KERNEL real leuven_original_rate(const params *p, const curve *c, real z, real d, real g)
{
  real D = g - d * c->base, safe = D > K(0) ? r_max(D, K(REAL_TINY)) : r_min(D, K(-REAL_TINY));
  real r = d * leuven_original_beyond(p, c, z) / safe;
  return c->forward ? (K(1) - r) * leuven_original_pull(r, p->n) : K(1);
}

/* what z moves by over a part of the path in which no loop closes: where the equation is stable, an exponential */
KERNEL real leuven_original_glide(const params *p, const curve *c, real z, real d, real g, real path)
{
  real D = g - d * c->base;
  if (!c->forward || !(D > K(0))) {
    real middle = z + d * K(0.5) * path * leuven_original_rate(p, c, z, d, g);
    middle = d * (middle - c->closes) > K(0) ? c->closes : middle;
    return d * path * leuven_original_rate(p, c, middle, d, g);
  }
  D = r_max(D, K(REAL_TINY));
  real start = leuven_original_beyond(p, c, z), r = d * start / D, u = K(1) - r, pull = leuven_original_pull(r, p->n);
  real stiffness = element_sum(p->k), part = K(0.5) * path, dz = K(0), least = d * K(1e-6) * leuven_original_span(p);
  /* first the steepest slope, then the chord over the half, then, with the pull of its middle, the whole; last the
     steeper of the two chords, so that r does not pass 1 from either side. A chord is never shorter than a millionth
     of the curve: a shorter one would be rounding. */
  for (int i = 0; i < 4; i++) {
    dz = d * u * (D / stiffness) * r_decay(stiffness * pull * part / D).d;
    if (i == 3) break;
    real over = dz + (u < K(0) ? -least : least), reached = leuven_original_beyond(p, c, z + over);
    stiffness = r_max(over == K(0) ? stiffness : (reached - start) / over, i == 2 ? stiffness : K(1e-12));
    if (i == 1) pull = leuven_original_pull(d * leuven_original_beyond(p, c, z + dz) / D, p->n), part = path;
  }
  return dz;
}

/* the last reversal is over, and with it the one before: the loop between them is closed */
KERNEL void leuven_original_forget(state *s, const curve *c)
{
  const int depth = leuven_original_depth(s), left = depth - (c->forward && depth > 1 ? 2 : 1);
  for (int i = left > 0 ? left : 0; i < MARKS; i++) s->mark[i] = K(0);
  s->depth = K(left > 0 ? left : 0);
}

/* a reversal is remembered; a load that dropped has lowered the levels, and with them the largest deflection */
KERNEL void leuven_original_turn(const params *p, state *s, real d)
{
  const int depth = leuven_original_depth(s);
  real span = leuven_original_span(p);
  s->z = saturate(s->z, span);
  for (int i = 0; i < MARKS; i++) s->mark[i] = saturate(s->mark[i], span);
  if (s->direction * d < K(0) && depth < MARKS) {
    s->mark[depth] = s->z;
    s->depth = K(depth + 1);
  }
  s->direction = d;
}

KERNEL real leuven_original_eval(const params *p, const state *s, const input *in, state *rate)
{
  real d = sign(in->v), force = leuven_original_force(p, s), g = leuven_original_level(p, in->v);
  const curve c = leuven_original_curve(p, s, d);
  int turned = d * s->direction < K(0) && leuven_original_depth(s) < MARKS; /* a new curve starts at its own Fb */
  rate->z = in->v * (turned ? K(1) : leuven_original_rate(p, &c, s->z, d, g));
  rate->direction = rate->depth = K(0);
  for (int i = 0; i < MARKS; i++) rate->mark[i] = K(0);
  return force + p->sigma1 * rate->z + p->sigma2 * in->v;
}

/* along a part of the path, through the loops that close on it; returns what z has moved by, which its difference would
   give with fewer digits */
KERNEL real leuven_original_advance(const params *p, state *s, real d, real g, real path)
{
  real moved = K(0);
  for (int i = 0; i <= 2 * MARKS; i++) {
    const curve c = leuven_original_curve(p, s, d);
    const int bounded = leuven_original_depth(s) > 0;
    real gap = d * (c.closes - s->z),
         dz = bounded && gap <= K(0) ? K(0) : leuven_original_glide(p, &c, s->z, d, g, path);
    if (!bounded || d * dz < gap) {
      s->z += dz;
      return moved + dz;
    }
    if (gap > K(0)) {
      path *= K(1) - gap / (d * dz);
      moved += d * gap;
      s->z = c.closes;
    }
    leuven_original_forget(s, &c);
  }
  return moved;
}

KERNEL real leuven_original_move(const params *p, state *s, const input *in)
{
  real g = leuven_original_level(p, in->v), d = sign(in->v), path = r_abs(in->v) * in->h;
  if (in->v == K(0)) return leuven_original_force(p, s);
  leuven_original_turn(p, s, d);
  real moved = K(0), q = r_sqrt(r_sqrt(r_sqrt(K(1) + path * element_sum(p->k) / g)));
  real step = path / ((K(1) + q) * (K(1) + q * q) * (K(1) + q * q * q * q));
  for (int j = 0; j < LEUVEN_ORIGINAL_STEPS; j++) {
    moved += leuven_original_advance(p, s, d, g, step);
    step *= q;
  }
  return leuven_original_force(p, s) + p->sigma1 * moved * (K(1) / in->h) + p->sigma2 * in->v;
}

KERNEL real leuven_original_steady(const params *p, const input *in)
{
  return sign(in->v) * leuven_original_level(p, in->v) + p->sigma2 * in->v;
}

/* the energy in the elements: the memory holds what each of them has been through */
KERNEL real leuven_original_energy(const params *p, const state *s, const input *in)
{
  const int depth = leuven_original_depth(s);
  real sum = K(0);
  (void)in;
  for (int i = 0; i < ELEMENTS; i++) {
    real level = p->alpha[i] * p->fs, f = saturate(p->k[i] * (depth > 0 ? s->mark[0] : s->z), level);
    for (int j = 0; j < depth; j++) {
      real to = j + 1 < depth ? s->mark[j + 1] : s->z;
      f += K(2) * saturate(K(0.5) * p->k[i] * (to - s->mark[j]), level);
    }
    sum += K(0.5) * f * element_deflection(f, p->k[i]);
  }
  return sum;
}

KERNEL bristle_mode leuven_original_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(leuven_original_force(p, s), leuven_original_level(p, in->v), in->v, p->vs);
}

KERNEL step_bounds leuven_original_step_bounds(const params *p, const state *s, const input *in, real d)
{
  const curve c = leuven_original_curve(p, s, d);
  const int turns = s->direction * d < K(0);
  real near = leuven_original_span(p) * K(1e-6), follow = turns ? K(1) : leuven_original_rate(p, &c, s->z, d, p->fs);
  real ahead = leuven_original_beyond(p, &c, s->z + d * near) - leuven_original_beyond(p, &c, s->z);
  real stiffness = turns ? element_sum(p->k) : d * ahead / r_max(near, K(REAL_TINY));
  return make_step_bounds((stiffness * in->h + p->sigma1) * clamp(follow, K(0), K(1)) + p->sigma2,
                          p->fs + K(2) * p->sigma1 * leuven_original_span(p) / in->h, p->sigma2);
}

#include "core/model_end.h"
