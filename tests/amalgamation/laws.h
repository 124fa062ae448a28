/* What the golden bits need of a law: laws.c makes it of an amalgamation and its own header, golden.c uses it with the
 * library's. */
#ifndef AMALGAMATION_LAWS_H
#define AMALGAMATION_LAWS_H

#define AMALGAMATED_LAW(real, X)                                                                     \
  typedef struct law_entry##X {                                                                      \
    const char *name;                                                                                \
    int nparam, nstate;                                                                              \
    void (*defaults)(real *p);                                                                       \
    real (*step)(const real *p, real *s, const void *in, real *v_end);                               \
    real (*eval)(const real *p, const real *s, const void *in, real *rate);                          \
  } law_entry##X;                                                                                    \
  extern const law_entry##X laws##X[]; /* ends with a name NULL */

#ifndef FLOAT32_ONLY
AMALGAMATED_LAW(double, )
#endif
AMALGAMATED_LAW(float, _f32)

#endif
