/* The elasto-plastic bristle in the plane and in space.
 *
 * The share of the motion that slips fades with the angle between bristle and motion: alpha (1 + cos)/2. Over the path
 * s, the part q of the bristle along the motion, the part aside of it and the length y obey
 *
 *   dq/ds = 1 - k q,  d aside/ds = -k aside,  k = alpha(y) (1 + q/y)/(2 zm).
 *
 * In the parabolic coordinates p = (y + q)/2 and rho = (y - q)/(y + q) this is
 *
 *   dp/ds = (1 - alpha(y) p/zm)/(1 + rho),  d rho/ds = -2 rho/y,  y = p (1 + rho),
 *
 * the scalar law for p, on a path shorter by 1 + rho, while the bristle turns into the motion. Along a line rho = 0 and
 * the scalar law alone is left: there a step is the scalar step. A step has up to three parts: inwards while the
 * bristle is bent against the motion (q < 0), where along a line nothing slips; freely through the elastic range; and
 * outwards in p and rho. No part needs a short step: p never passes zm, rho only falls.
 *
 * A single contact goes outwards in the scalar law's sub-steps. A batch goes in one step of third order in c, cheaper,
 * without a branch, and cut into passes of which several contacts fit into a processor's window. Off the line both are
 * of second order in the step. Where a single step turns the bristle and crosses the whole plastic zone it misses by up
 * to 2 % of zm, in a batch by up to 5 %; for a tenth of that path it is 1e-3 zm in both. */

/* what one pass leaves to the next; the first pass sets the first list */
#define RELAY_START(F)                                                                               \
  F(per_speed) /* 1/|v| */                                                                           \
  F(zm)                                                                                              \
  F(b)         /* (zm - zba)/zm */                                                                   \
  F(per_width) /* 1/(zm - zba) */                                                                    \
  F(left)      /* path still to go */                                                                \
  F(q)                                                                                               \
  F(aside)     /* its square */                                                                      \
  F(moved)     /* change of q so far */                                                              \
  F(fade)      /* part of aside that is left */
#define RELAY(F)                                                                                     \
  RELAY_START(F)                                                                                     \
  F(p)                                                                                               \
  F(per_p)                                                                                           \
  F(rho)                                                                                             \
  F(eta)      /* (zm - p)/(zm - zba) */                                                              \
  F(shrunk)   /* over the first half of a batch's step: what is left of rho, */                      \
  F(e)        /* of eta if c were 0, */                                                              \
  F(m)        /* and (1 - e)/b */                                                                    \
  F(eta_half) /* eta ahead, and one over it */                                                       \
  F(per_half)                                                                                        \
  F(eta_end)                                                                                         \
  F(per_end)                                                                                         \
  F(c_start)                                                                                         \
  F(c_half)                                                                                          \
  F(c_end)

#define RELAY_FIELD(name) real name;
typedef struct relay {
  RELAY(RELAY_FIELD)
} relay;

KERNEL real elasto_plastic_slip(vec z, vec v, real zba, real zm)
{
  real y = v_norm(z);
  return K(0.5) * elasto_plastic_alpha(y, zba, zm) * (K(1) + v_dot(z, v_along(K(1), v)) / r_max(y, K(REAL_TINY)));
}

KERNEL void elasto_plastic_start(const params *p, const state *s, const input *in, relay *t)
{
  real speed = v_norm(in->v), level = elasto_plastic_level(p, speed);
  t->zm = level * (K(1) / p->sigma0);
  real width = r_max(t->zm - p->zba, K(REAL_EPSILON) * t->zm);
  t->per_speed = K(1) / r_max(speed, K(REAL_TINY));
  t->b = width * (p->sigma0 / level);
  t->per_width = K(1) / width;
  t->left = speed * in->h;
  vec d = v_scale(t->per_speed, in->v);
  t->q = v_dot(s->z, d);
  vec aside = v_sub(s->z, v_scale(t->q, d));
  t->aside = v_dot(aside, aside);
  t->moved = K(0);
  t->fade = K(1);
}

/* k for a bristle with these parts */
KERNEL real elasto_plastic_rate(const params *p, const relay *t, real q, real aside)
{
  real y = r_sqrt(q * q + aside), eta = clamp((t->zm - y) * t->per_width, K(0), K(1));
  real alpha = y <= p->zba && y < t->zm ? K(0) : elasto_plastic_share(eta);
  return K(0.5) * t->b * t->per_width * alpha * (K(1) + q / r_max(y, K(REAL_TINY)));
}

/* Over a path at constant k: the part of a bristle that is left, the part that is gone, and the mean of the first on
   the way. e^-x is replaced by 1/(1 + x + x^2/2 + x^3/6), and the bound on x keeps that finite. */
typedef struct fading {
  real left, gone, mean;
} fading;

KERNEL fading elasto_plastic_fading(real x)
{
  x = r_min(x, K(1e10));
  real mean = K(1) + x * (K(0.5) + x * K(1.0 / 6)), left = K(1) / (K(1) + x * mean);
  fading f = { left, x * mean * left, mean * left };
  return f;
}

/* Up to q = 0, in two steps with the mean of k at their ends. */
KERNEL void elasto_plastic_inwards(const params *p, const state *s, const input *in, relay *t)
{
  (void)s, (void)in;
  real way = r_min(t->left, r_max(-t->q, K(0))), l = K(0.5) * way;
  real rate = elasto_plastic_rate(p, t, t->q, t->aside);
#pragma GCC unroll 2
  for (int i = 0; i < 2; i++) {
    fading f = elasto_plastic_fading(rate * l);
    real ahead = elasto_plastic_rate(p, t, t->q * f.left + l * f.mean, t->aside * f.left * f.left);
    f = elasto_plastic_fading(K(0.5) * (rate + ahead) * l);
    real change = l * f.mean - t->q * f.gone;
    t->moved += change;
    t->q += change;
    t->aside = t->aside * f.left * f.left;
    t->fade = t->fade * f.left;
    rate = ahead;
  }
  t->left -= way;
}

/* Through the elastic range, and what lies behind in parabolic coordinates. Beyond 40 zm nothing changes any more. */
KERNEL void elasto_plastic_leave(const params *p, const state *s, const input *in, relay *t)
{
  (void)s, (void)in;
  real zba = r_min(p->zba, t->zm), square_y = t->q * t->q + t->aside;
  /* as a number, because gcc would take two roots in two branches */
  real inside = square_y < zba * zba ? K(1) : K(0), outside = K(1) - inside;
  real root = r_sqrt(r_max(inside * (zba * zba - t->aside) + outside * square_y, K(0)));
  real way = inside * clamp(root - t->q, K(0), t->left), y = inside * zba + outside * root;
  t->left -= way;
  t->moved += way;
  t->q += way;
  t->p = r_max(K(0.5) * (y + r_max(t->q, K(0))), K(REAL_TINY));
  t->per_p = K(1) / t->p;
  t->rho = K(0.25) * t->aside * t->per_p * t->per_p;
  real eta = (t->zm - t->p) * t->per_width;
  t->eta = r_abs(eta) > K(REAL_TINY) ? eta : K(REAL_TINY);
  t->left = r_min(t->left, K(40) * t->zm);
}

/* Change of the bristle, given by how much eta has fallen and to which part sqrt(rho). p never passes zm; what y does
   beyond its limit, when it turns in one long step, is cut off. */
KERNEL vec elasto_plastic_arrive(const state *s, const input *in, const relay *t, real used, real turned)
{
  vec d = v_scale(t->per_speed, in->v), aside = v_sub(s->z, v_scale(v_dot(s->z, d), d));
  real grown = used * (t->b * t->zm), p = t->p + grown, bow = t->p * t->rho, bow_end = p * t->rho * square(turned);
  real cut = r_max(K(1) - r_max(t->zm, t->p + bow) / (p + bow_end), K(0)), kept = t->fade * (p * t->per_p) * turned;
  real along = t->moved + (grown + (bow - bow_end)) - cut * (p - bow_end);
  return v_add(v_scale(along, d), v_scale((kept - K(1)) - cut * kept, aside));
}

/* ---- a single contact ---- */

KERNEL vec elasto_plastic_outwards(const state *s, const input *in, const relay *t)
{
  real tau = t->left * t->per_width, per_b = t->zm * t->per_width, eta = t->eta, rho = t->rho, used = K(0),
       turned = K(1);
  real r = elasto_plastic_growth(r_max(eta - t->p * rho * t->per_width, K(0)), tau);
  real step = elasto_plastic_first_step(tau, r);
  for (int i = 0; i < PLASTIC_STEPS; i++) {
    real shrunk = square(r_decay(K(0.5) * step / ((per_b - eta) * (K(1) + rho))).e);
    const real ahead[3] = { rho, rho * shrunk, rho * square(shrunk) };
    plastic_step y = elasto_plastic_yield(eta, t->b, step / (K(1) + ahead[1]), ahead);
    real turn = r_decay(step / ((per_b - y.half) * (K(1) + ahead[1]))).e;
    eta = eta > K(0) ? r_max(eta - y.change, K(0)) : eta - y.change;
    rho = rho * square(turn);
    used += y.change;
    turned *= turn;
    step *= r;
  }
  return elasto_plastic_arrive(s, in, t, used, turned);
}

KERNEL vec elasto_plastic_bent(const params *p, const state *s, const input *in)
{
  relay t;
  elasto_plastic_start(p, s, in, &t);
  if (t.q < K(0)) elasto_plastic_inwards(p, s, in, &t);
  elasto_plastic_leave(p, s, in, &t);
  if (t.left > K(0)) return elasto_plastic_outwards(s, in, &t);
  if (t.fade == K(1)) return v_scale(in->h, in->v); /* a spring, to the last bit */
  return elasto_plastic_arrive(s, in, &t, K(0), K(1));
}

/* ---- batches ---- */

#ifndef BRISTLE_DIFF
/* e^-(l/y) to the third power of l, with one division; the bound keeps the cube of y finite */
KERNEL real elasto_plastic_swing(real y, real l)
{
  y = r_min(y, K(BRISTLE_F32 ? 1e12 : 1e100));
  real cube = y * y * y;
  return cube / (cube + l * (y * y + l * (K(0.5) * y + l * K(1.0 / 6))));
}

/* half of the path, over zm - zba */
KERNEL real elasto_plastic_half_path(const relay *t) { return K(0.5) * t->left * t->per_width; }

/* y over zm - zba */
KERNEL real elasto_plastic_size(const relay *t, real eta, real rho)
{
  return (t->zm * t->per_width - eta) * (K(1) + rho);
}

/* c from eta and 1/eta */
KERNEL real elasto_plastic_bow(const relay *t, real eta, real per_eta, real rho)
{
  real seen = clamp(eta * (K(1) + rho) - rho * (t->zm * t->per_width), K(0), K(1));
  return (K(1) - t->b * eta) * square(r_sinq(seen) * per_eta);
}

KERNEL void elasto_plastic_aim(const params *p, const state *s, const input *in, relay *t)
{
  (void)p, (void)s, (void)in;
  real l = elasto_plastic_half_path(t);
  t->shrunk = square(elasto_plastic_swing(elasto_plastic_size(t, t->eta, t->rho), l));
  l = l / (K(1) + t->rho * t->shrunk);
  real x = t->b * l, mean = K(1) + x * (K(0.5) + x * K(1.0 / 6));
  t->e = K(1) / (K(1) + x * mean);
  t->m = l * mean * t->e;
}

KERNEL void elasto_plastic_halfway(const params *p, const state *s, const input *in, relay *t)
{
  (void)p, (void)s, (void)in;
  t->c_start = elasto_plastic_bow(t, t->eta, K(1) / t->eta, t->rho);
  /* n/d and d/n from one division */
  real n = t->eta * t->e, d = K(1) + t->eta * (t->m * t->c_start), per = K(1) / (n * d);
  t->eta_half = n * (n * per);
  t->per_half = d * (d * per);
}

KERNEL void elasto_plastic_whole_way(const params *p, const state *s, const input *in, relay *t)
{
  (void)p, (void)s, (void)in;
  t->c_half = elasto_plastic_bow(t, t->eta_half, t->per_half, t->rho * t->shrunk);
  real c = r_max(K(2) * t->c_half - t->c_start, K(0)); /* Kutta's third stage */
  real n = t->eta * t->e * t->e, d = K(1) + t->eta * (t->m * (K(1) + t->e) * c), per = K(1) / (n * d);
  t->eta_end = n * (n * per);
  t->per_end = d * (d * per);
}

KERNEL void elasto_plastic_weigh(const params *p, const state *s, const input *in, relay *t)
{
  (void)p, (void)s, (void)in;
  t->c_end = elasto_plastic_bow(t, t->eta_end, t->per_end, t->rho * square(t->shrunk));
}

KERNEL vec elasto_plastic_finish(const params *p, state *s, const input *in, relay *t)
{
  real c = (t->c_start + K(4) * t->c_half + t->c_end) * K(1.0 / 6), twice = K(1) + t->e;
  real q = t->eta * (t->m * twice * c), used = t->eta * (t->b * t->m * twice + q) / (K(1) + q);
  real y = elasto_plastic_size(t, t->eta_half, t->rho * t->shrunk);
  real turned = square(elasto_plastic_swing(y, elasto_plastic_half_path(t)));
  vec dz = elasto_plastic_arrive(s, in, t, used, turned);
  s->z = v_add(s->z, dz);
  return elasto_plastic_force(p, s->z, v_scale(K(1) / in->h, dz), in->v);
}

/* `inwards` is left out where no bristle is bent against the motion; the last pass returns the force */
#define PASSES(FIRST, PASS, WHERE_NEGATIVE, LAST)                                                    \
  FIRST(start)                                                                                       \
  WHERE_NEGATIVE(inwards, q)                                                                         \
  PASS(leave)                                                                                        \
  PASS(aim)                                                                                          \
  PASS(halfway)                                                                                      \
  PASS(whole_way)                                                                                    \
  PASS(weigh)                                                                                        \
  LAST(finish)
#endif
