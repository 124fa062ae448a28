/* `vec`: slip, force and bristle in one, two or three dimensions (BRISTLE_DIM). In one it is a plain real and these
 * are the scalar operations, so a law written with them reads once and serves all. */
#ifndef BRISTLE_SPACE_H
#define BRISTLE_SPACE_H

#if BRISTLE_DIM == 1

typedef real vec;
FN vec v_zero(void) { return K(0); }
FN vec v_add(vec a, vec b) { return a + b; }
FN vec v_sub(vec a, vec b) { return a - b; }
FN vec v_scale(real k, vec a) { return k * a; }
FN vec v_over(vec a, real k) { return a / k; }
FN real v_dot(vec a, vec b) { return a * b; }
FN real v_norm(vec a) { return r_abs(a); }
/* the vector of this length along a */
FN vec v_along(real length, vec a) { return r_copysign(length, a); }
/* a, but not longer than the radius */
FN vec v_clip(vec a, real radius) { return clamp(a, -radius, radius); }
FN vec v_select(int c, vec a, vec b) { return c ? a : b; }
/* How far z goes in a time towards the vector of this length along v: by the part moved = 1 - e^-x,
   x = |v| time/length. */
FN vec v_relax(vec z, vec v, real length, real time, real x, real moved)
{
  (void)time, (void)x;
  return (r_copysign(length, v) - z) * moved;
}
/* the part of the move after which f, carried along, reaches the level */
FN real v_onset(vec f, vec move, real level)
{
  return r_min(r_max(level - r_copysign(K(1), move) * f, K(0)) / r_max(r_abs(move), K(REAL_TINY)), K(1));
}

#else

typedef struct vec {
  real c[BRISTLE_DIM];
} vec;
#define EACH(i) for (int i = 0; i < BRISTLE_DIM; i++)

FN vec v_zero(void)
{
  vec r;
  EACH(i) r.c[i] = K(0);
  return r;
}
FN vec v_add(vec a, vec b)
{
  vec r;
  EACH(i) r.c[i] = a.c[i] + b.c[i];
  return r;
}
FN vec v_sub(vec a, vec b)
{
  vec r;
  EACH(i) r.c[i] = a.c[i] - b.c[i];
  return r;
}
FN vec v_scale(real k, vec a)
{
  vec r;
  EACH(i) r.c[i] = k * a.c[i];
  return r;
}
FN vec v_over(vec a, real k)
{
  vec r;
  EACH(i) r.c[i] = a.c[i] / k;
  return r;
}
FN real v_dot(vec a, vec b)
{
  real sum = K(0);
  EACH(i) sum += a.c[i] * b.c[i];
  return sum;
}
FN real v_norm(vec a) { return r_sqrt(v_dot(a, a)); }
FN vec v_along(real length, vec a) { return v_scale(length / r_max(v_norm(a), K(REAL_TINY)), a); }
FN vec v_clip(vec a, real radius)
{
  real norm = v_norm(a);
  return v_scale(norm > radius ? radius / norm : K(1), a);
}
FN vec v_select(int c, vec a, vec b)
{
  vec r;
  EACH(i) r.c[i] = c ? a.c[i] : b.c[i];
  return r;
}
/* v time moved/x in place of length v/|v|: the direction has no slope at rest, this has */
FN vec v_relax(vec z, vec v, real length, real time, real x, real moved)
{
  (void)length;
  real series = K(1) - x * K(0.5) * (K(1) - x * K(1.0 / 3) * (K(1) - x * K(0.25)));
  return v_sub(v_scale(time * (x < K(1e-3) ? series : moved / r_max(x, K(1e-3))), v), v_scale(moved, z));
}
/* the last root of |f + part move| = level; a force beyond the level that goes on outwards is there already */
FN real v_onset(vec f, vec move, real level)
{
  real a = v_dot(move, move), b = v_dot(f, move), c = level * level - v_dot(f, f);
  real root = r_sqrt(r_max(b * b + a * c, K(0)));
  real whole = b > K(0) ? b + root : a, part = b > K(0) ? r_max(c, K(0)) : root - b;
  return r_min(part / r_max(whole, K(REAL_TINY)), K(1));
}

/* what the kernels see of bristle_vector_input */
typedef struct input {
  vec v;
  real n;
  vec f;
  scalar w[BRISTLE_DIM][BRISTLE_DIM], h;
  bristle_load load;
} input;

#endif
#endif
