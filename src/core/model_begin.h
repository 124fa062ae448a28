/* Turns a law's PARAMS and STATES lists into the types its kernels use. Included by every file in src/models
 * after the lists and before the kernels; model_end.h closes the law. No include guard, on purpose.
 *
 *   P(name, unit, default, lo, hi, kind, role, doc)           a parameter; kinds and roles are in bristle.h
 *   V(name, count, unit, (defaults), lo, hi, kind, role, doc) a vector of parameters
 *   S(name, unit, kind, doc)                                  a state; zero is the virgin state
 *   V(name, count, unit, kind, doc)                           a vector of states
 *   R(AT_LEAST, a, b), R(ABOVE, a, b), R(BELOW_RATIO, a, b, c), R(SUM_IS_ONE, a)   in RELATIONS(R), where there are any
 *
 * A law that becomes another one for some parameters says so in REDUCTIONS: R(law, when, then), see bristle_reduction.
 */
#include "bristle/bristle.h"
#ifndef BRISTLE_DIM
#define BRISTLE_DIM 1
#endif
#if defined(BRISTLE_SCALAR) /* another kind of number, with its own finish: fit/fast, tests/support/extended.h */
#include BRISTLE_SCALAR
#elif defined(BRISTLE_DIFF)
#include "core/dual.h"
#else
#include "core/scalar.h"
#endif
#include "core/pieces.h"

#ifndef BRISTLE_MACROS
#define BRISTLE_MACROS
#define BRISTLE_CAT_(a, b) a##b
#define BRISTLE_CAT(a, b) BRISTLE_CAT_(a, b)
#define BRISTLE_STR_(a) #a
#define BRISTLE_STR(a) BRISTLE_STR_(a)
#define ROLE(role) BRISTLE_CAT(BRISTLE_CAT(MODEL, _), role)

#define KERNEL FN

#define P_FIELD(name, ...) real name;
#define V_FIELD(name, count, ...) real name[count];
/* states with a rate live in space; flags and timers do not */
#define STATE_FLOW vec
#define STATE_JUMP real
#define S_FIELD(name, unit, kind, doc) STATE_##kind name;
#define SV_FIELD(name, count, unit, kind, doc) STATE_##kind name[count];
#define P_COUNT(...) +1
#define V_COUNT(name, count, ...) +(count)
#endif

/* With BRISTLE_SKEW every law has two parameters more, at the end of its table: see skew.h. */
#ifdef BRISTLE_SKEW
#define SKEW_ROWS(P)                                                                                 \
  P(level_skew,   "1",     0, -0.95, 0.95, LINEAR, SKEW, "levels are 1 + this times as high forwards, 1 - this times backwards") \
  P(viscous_skew, "1",     0, -1,    1,    LINEAR, SKEW, "viscous friction is 1 + this times as large forwards, 1 - this times backwards")
#else
#define SKEW_ROWS(P)
#endif
#define ALL_PARAMS(P, V) PARAMS(P, V) SKEW_ROWS(P)

typedef struct params {
  ALL_PARAMS(P_FIELD, V_FIELD)
} params;
#if (0 STATES(P_COUNT, V_COUNT)) > 0
typedef struct state {
  STATES(S_FIELD, SV_FIELD)
} state;
enum { ROLE(nstate) = sizeof(state) / sizeof(real) };
#else
typedef struct state {
  real none;
} state;
enum { ROLE(nstate) = 0 };
#endif
enum { ROLE(nparam) = 0 ALL_PARAMS(P_COUNT, V_COUNT) };

/* What kernels write that hold something on both sides of zero, so that the two levels may differ:
   level_on(p, x, level)    the level on the side of x, where `level` is that of the direction of motion
   held_within(p, x, level) x, but not beyond the level on its side
   level_factor(p)          how much higher this direction's level is than the one in the table */
#ifdef BRISTLE_SKEW
#include "core/skew_level.h"
#else
#define level_on(p, x, level) (level)
#define held_within(p, x, level) v_clip(x, level)
#define level_factor(p) ((void)(p), K(1))
#endif
