/* Closes a law of one state whose step is affine in it: its numbers a and b of a z + b, and the force, with their
 * derivatives by the parameters, for many samples at once, all from the law's own text.
 *
 * The parameters of the Stribeck curve act through the level alone: the law is evaluated with the level in place of
 * both fc and fs, and one derivative by it makes three.
 *
 * Only the usual values of the rare parameters: they are known at compile time here. */
#include "fit/fast/maps.h"

#include "core/batch.h"
#include "core/clones.h"

#define FIELD_AT(type, name) (offsetof(type, name) / sizeof(real))

namespace {

/* what a slope of `real` is by: a parameter, the level, or the deflection */
enum { BY_LEVEL = MAPS_SLOPES, BY_DEFLECTION };

struct numbers {
  double p[ROLE(nparam)];
};

FN numbers copied(const double *p)
{
  numbers n;
  for (int j = 0; j < ROLE(nparam); j++) n.p[j] = p[j];
  return n;
}

/* the row of slopes that belongs to a role, or -1 */
constexpr int slope_of(bristle_role role)
{
  return role == BRISTLE_ROLE_STIFFNESS        ? 0
         : role == BRISTLE_ROLE_DAMPING        ? 1
         : role == BRISTLE_ROLE_VISCOUS        ? 2
         : role == BRISTLE_ROLE_LEVEL          ? MAPS_LEVEL
         : role == BRISTLE_ROLE_STATIC_LEVEL   ? MAPS_LEVEL + 1
         : role == BRISTLE_ROLE_STRIBECK_SPEED ? MAPS_LEVEL + 2
                                               : -1;
}

/* and the place of its parameter */
constexpr int place_of(int slope)
{
  int at = 0, found = -1;
#define P_PLACE(name, unit, def, lo, hi, kind, role, doc)                                            \
  if (slope_of(BRISTLE_ROLE_##role) == slope) found = at;                                            \
  at++;
#define V_PLACE(name, size, ...) at += size;
  PARAMS(P_PLACE, V_PLACE)
  return at ? found : -1;
}

FN real seeded(double value, int slope)
{
  real r(value);
  r.d[slope] = 1;
  return r;
}

/* Called for each sample: only there does the compiler see the usual values of the rare parameters, and leave out what
   they switch off. The rest is the same for all samples and moves out of the loop. */
FN params with_slopes(const numbers &n)
{
  params q;
#define P_SEED(name, unit, def, lo, hi, kind, role, doc)                                             \
  q.name = slope_of(BRISTLE_ROLE_##role) < 0 ? real(n.p[FIELD_AT(params, name)])                     \
                                             : seeded(n.p[FIELD_AT(params, name)], slope_of(BRISTLE_ROLE_##role));
  PARAMS(P_SEED, P_SEED)
  COMMON(COMMON_SET)
  return q;
}

/* the same law with a level that does not depend on the speed */
FN params with_level(const numbers &n, double level)
{
  params q = with_slopes(n);
#define P_LEVEL(name, unit, def, lo, hi, kind, role, doc)                                            \
  if (slope_of(BRISTLE_ROLE_##role) == MAPS_LEVEL || slope_of(BRISTLE_ROLE_##role) == MAPS_LEVEL + 1) \
    q.name = seeded(level, BY_LEVEL);
  PARAMS(P_LEVEL, P_LEVEL)
  return q;
}

FN input input_of(double v, double h)
{
  input in;
  in.v = real(v), in.x = in.n = in.f = in.a = real(0), in.w = 0, in.h = h, in.load = BRISTLE_LOAD_FORCE;
  return in;
}

} // namespace

/* A loop of its own: one long chain of results that wait for each other would leave the processor idle, and it does not
   look far enough ahead to begin with the next sample. */
BRISTLE_CLONES static void ROLE(map_levels)(const double *p, size_t count, const double *v, double *out)
{
  const numbers n = copied(p);
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < count; i++) {
    const params q = with_slopes(n);
    const real g = ROLE(level)(&q, r_abs(real(v[i])));
    out[i] = g.v;
    _Pragma("GCC unroll 4") for (int j = 0; j < MAPS_MOVING; j++)
        out[(size_t)(1 + j) * MAPS_BLOCK + i] = g.d[MAPS_LEVEL + j];
  }
}

BRISTLE_CLONES static void ROLE(map_steps)(const double *p, double unit, size_t count, const double *slide,
                                           const double *h, const double *level, double *out)
{
  const numbers n = copied(p);
  const double part = 1 / unit;
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < count; i++) {
    const params q = with_level(n, level[i]);
    const input in = input_of(slide[i], h[i]);
    state zero = { seeded(0, BY_DEFLECTION) }, other = { real(unit) };
    ROLE(move)(&q, &zero, &in);
    ROLE(move)(&q, &other, &in);
    /* A little less, which is nothing beside b, makes 0 of what is long forgotten: products of small factors would end
       in subnormal numbers, which are a hundred times slower than others. */
    const double a = zero.z.d[BY_DEFLECTION] - 1e-18;
    out[i] = a > 0 ? a : 0;
    out[MAPS_BLOCK + i] = zero.z.v;
    const double by_level = (other.z.d[BY_LEVEL] - zero.z.d[BY_LEVEL]) * part;
    _Pragma("GCC unroll 4") for (int j = 0; j < MAPS_MOVING; j++)
    {
      const double by = level[(size_t)(1 + j) * MAPS_BLOCK + i];
      out[(size_t)(2 + j) * MAPS_BLOCK + i] = by_level * by;
      out[(size_t)(2 + MAPS_MOVING + j) * MAPS_BLOCK + i] = zero.z.d[BY_LEVEL] * by;
    }
  }
}

BRISTLE_CLONES static void ROLE(map_forces)(const double *p, const double *v, const double *level,
                                            const double *bristle, double *force, double *slope)
{
  const numbers n = copied(p);
  const double part = 1 / p[place_of(0)];
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < MAPS_BLOCK; i++) {
    const params q = with_level(n, level[i]);
    const input in = input_of(v[i], 1);
    const state s = { seeded(bristle[i], BY_DEFLECTION) };
    state rate;
    const real f = ROLE(eval)(&q, &s, &in, &rate);
    /* all parameters but vs twice as large make the force twice as large, so one derivative follows from the others */
    double rest = f.v;
    force[i] = f.v;
    _Pragma("GCC unroll 8") for (int j = 1; j < MAPS_SLOPES; j++)
    {
      const size_t row = (size_t)(1 + j - MAPS_LEVEL) * MAPS_BLOCK;
      double by = f.d[j];
      if (j >= MAPS_LEVEL) by = f.d[BY_DEFLECTION] * bristle[row + i] + f.d[BY_LEVEL] * level[row + i];
      if (j < MAPS_SLOPES - 1 && place_of(j) >= 0) rest -= n.p[place_of(j)] * by;
      slope[(size_t)j * MAPS_BLOCK + i] = by;
    }
    slope[i] = rest * part;
  }
}

static int ROLE(map_suits)(const double *p)
{
  params q;
  for (int j = 0; j < ROLE(nparam); j++) ((real *)&q)[j] = real(p[j]);
  return ROLE(is_common)(&q);
}

extern "C" const maps_law BRISTLE_CAT(MODEL, _maps);
const maps_law BRISTLE_CAT(MODEL, _maps) = {
  BRISTLE_STR(MODEL), { place_of(0), place_of(1), place_of(2), place_of(3), place_of(4), place_of(5) },
  ROLE(map_suits),    ROLE(map_levels),
  ROLE(map_steps),    ROLE(map_forces),
};
