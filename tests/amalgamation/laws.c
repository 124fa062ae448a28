/* Every law of an amalgamation as a row of a table. The list STATEFUL(lugre), STATELESS(coulomb), ... is made from its
 * header by scripts/test-amalgamation.sh. */
#include "laws.h"

#include "bristle.h"

#include <stddef.h>
#include <string.h>

#define DEFAULTS(law, real, X)                                                                       \
  static void law##_defaults##X(real *p)                                                             \
  {                                                                                                  \
    const bristle_##law##X d = bristle_##law##_default##X();                                         \
    memcpy(p, &d, sizeof d);                                                                         \
  }
#define STATEFUL_LAW(law, real, X)                                                                   \
  DEFAULTS(law, real, X)                                                                             \
  static real law##_do_step##X(const real *p, real *s, const void *in, real *v_end)                  \
  {                                                                                                  \
    return bristle_##law##_step##X((const bristle_##law##X *)p, (bristle_##law##_state##X *)s,       \
                                   (const bristle_input##X *)in, v_end);                             \
  }                                                                                                  \
  static real law##_do_eval##X(const real *p, const real *s, const void *in, real *rate)             \
  {                                                                                                  \
    return bristle_##law##_eval##X((const bristle_##law##X *)p, (const bristle_##law##_state##X *)s, \
                                   (const bristle_input##X *)in, (bristle_##law##_state##X *)rate);  \
  }
#define STATELESS_LAW(law, real, X)                                                                  \
  DEFAULTS(law, real, X)                                                                             \
  static real law##_do_step##X(const real *p, real *s, const void *in, real *v_end)                  \
  {                                                                                                  \
    (void)s;                                                                                         \
    return bristle_##law##_step##X((const bristle_##law##X *)p, (const bristle_input##X *)in, v_end); \
  }                                                                                                  \
  static real law##_do_eval##X(const real *p, const real *s, const void *in, real *rate)             \
  {                                                                                                  \
    (void)s, (void)rate;                                                                             \
    return bristle_##law##_eval##X((const bristle_##law##X *)p, (const bristle_input##X *)in);       \
  }
#define ROW(law, real, X, states)                                                                    \
  { #law, (int)(sizeof(bristle_##law##X) / sizeof(real)), (int)((states) / sizeof(real)), law##_defaults##X, \
    law##_do_step##X, law##_do_eval##X },

#ifndef FLOAT32_ONLY
#define STATEFUL(law) STATEFUL_LAW(law, double, )
#define STATELESS(law) STATELESS_LAW(law, double, )
#include "laws.def"
#undef STATEFUL
#undef STATELESS
#define STATEFUL(law) ROW(law, double, , sizeof(bristle_##law##_state))
#define STATELESS(law) ROW(law, double, , 0)
const law_entry laws[] = {
#include "laws.def"
  { NULL, 0, 0, NULL, NULL, NULL }
};
#undef STATEFUL
#undef STATELESS
#endif

#define STATEFUL(law) STATEFUL_LAW(law, float, _f32)
#define STATELESS(law) STATELESS_LAW(law, float, _f32)
#include "laws.def"
#undef STATEFUL
#undef STATELESS
#define STATEFUL(law) ROW(law, float, _f32, sizeof(bristle_##law##_state_f32))
#define STATELESS(law) ROW(law, float, _f32, 0)
const law_entry_f32 laws_f32[] = {
#include "laws.def"
  { NULL, 0, 0, NULL, NULL, NULL }
};
