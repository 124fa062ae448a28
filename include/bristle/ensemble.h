/* Many bodies at once, each on a spring and a damper with one friction contact, marched over many steps.
 *
 *   #include <bristle/ensemble.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     const bristle_law *law = bristle_law_find("coulomb");
 *     double p[BRISTLE_LAW_SIZE], s[2 * BRISTLE_LAW_SIZE] = { 0 };
 *     double body[BRISTLE_BODY_ROWS] = { 1 }, x[2] = { 0 }, v[2] = { 1, 2 };
 *     bristle_defaults(law->f64->info, p);
 *     bristle_ensemble bodies = { .count = 2, .p = p, .body = body, .h = 1e-3, .steps = 500, .x = x, .v = v, .s = s };
 *     bristle_ensemble_march(law, &bodies);
 *     printf("after 0.5 s: %.2f m/s, %.2f m/s\n", v[0], v[1]);
 *   }
 * It prints "after 0.5 s: 0.50 m/s, 1.50 m/s".
 *
 *   mass dv/dt = stiffness (y - x) + damping (dy/dt - v) + push - weight sin x - F(v - belt)
 *   y = amplitude place(t),  dy/dt = amplitude speed(t),  push = force + amplitude force(t)
 *
 * That is a mass under a force, a body pulled through a spring, a body on a moving belt, a servo with its target, a
 * pendulum (weight = m g l). The host is implicit (linearly, in spring and damper), the contact is solved with it, so
 * any step length is stable; the scheme is of first order in h. The weight is that of the beginning of a step. Without
 * a host (driven) the velocity is amplitude speed(t).
 *
 * Bodies are independent, and a result does not depend on how they are divided into calls, threads or devices:
 * bristle/cuda.h marches the same structure on a GPU, in its exact build with the same bits.
 */
#ifndef BRISTLE_ENSEMBLE_H
#define BRISTLE_ENSEMBLE_H

#include "bristle/bristle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of `body`: number r of body i is body[r*count + i], or body[r] when all are alike. */
enum {
  BRISTLE_BODY_MASS,
  BRISTLE_BODY_STIFFNESS,
  BRISTLE_BODY_DAMPING,
  BRISTLE_BODY_BELT,
  BRISTLE_BODY_WEIGHT,
  BRISTLE_BODY_FORCE,
  BRISTLE_BODY_AMPLITUDE,
  BRISTLE_BODY_ROWS
};

/* Rows of `tally`, brought up to date by each march. Begin with 0, +big, -big, +big, -big, then zeros. */
enum {
  BRISTLE_TALLY_WORK,    /* lost in the contact: the sum of F times the slip */
  BRISTLE_TALLY_F_LEAST, /* of the friction force */
  BRISTLE_TALLY_F_MOST,
  BRISTLE_TALLY_V_LEAST, /* of the velocity of the body */
  BRISTLE_TALLY_V_MOST,
  BRISTLE_TALLY_STEPS,      /* since the tally began */
  BRISTLE_TALLY_SLIDES,     /* 1 when the law's mode was sliding at the end of the last one, else 0 */
  BRISTLE_TALLY_SLIPS,      /* how often it has become 1 */
  BRISTLE_TALLY_SLIP_FIRST, /* the number of the step at whose end it did so first, and last */
  BRISTLE_TALLY_SLIP_LAST,
  BRISTLE_TALLY_ROWS
};

#define BRISTLE_ENSEMBLE(real)                                                                       \
  {                                                                                                  \
    size_t count;                                                                                    \
    const real *p;       /* of the law: nparam values, or nparam*count when per_contact is set */    \
    int per_contact;                                                                                 \
    bristle_load load;                                                                               \
    const real *n;       /* loads, count of them, or NULL for 1 */                                   \
    const real *body;    /* BRISTLE_BODY_ROWS values, or BRISTLE_BODY_ROWS*count when per_body is set */ \
    int per_body;                                                                                    \
    int driven;          /* the motion is prescribed; of `body` only the amplitude is read */        \
    const real *place, *speed, *force; /* at the end of each step, `steps` of them, or NULL for 0 */ \
    real h, t;           /* step length, > 0; time at the start (only belts ask for it) */              \
    size_t steps;                                                                                    \
    real *x, *v, *s;     /* in and out: count, count, nstate*count */                                \
    real *f;             /* out: friction forces of the last step, count, or NULL */                  \
    real *tally;         /* in and out: BRISTLE_TALLY_ROWS*count, or NULL */                         \
  }
typedef struct bristle_ensemble BRISTLE_ENSEMBLE(double) bristle_ensemble;
typedef struct bristle_ensemble_f32 BRISTLE_ENSEMBLE(float) bristle_ensemble_f32;

/* On this thread. Masses must be positive, the rest finite; nothing is checked. */
void bristle_ensemble_march(const bristle_law *law, const bristle_ensemble *e);
void bristle_ensemble_march_f32(const bristle_law *law, const bristle_ensemble_f32 *e);

#ifdef __cplusplus
}
#endif
#endif
