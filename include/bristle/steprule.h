/* Time steps that follow the friction (Dymore user's manual, eqs. 4, 5, 8 and 9), for any host.
 *
 *   #include <bristle/steprule.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     bristle_steprule rule;
 *     bristle_steprule_init(&rule, BRISTLE_STEPRULE_COULOMB);
 *     rule.speed = 1e-3;
 *     printf("%.1f ms at rest, %.1f ms at 0.1 m/s\n", 1e3 * bristle_steprule_length(&rule, 0),
 *            1e3 * bristle_steprule_length(&rule, 0.1));
 *   }
 * It prints "0.1 ms at rest, 1.0 ms at 0.1 m/s".
 *
 *   Coulomb:  dt = dt_min + (dt_max - dt_min) tanh^4 nu                    nu = (V/vs)/vbar_min
 *   LuGre:    Omega dt = dtau_min (nu <= 1 ? 1 : nu^alpha)                 Omega = sigma0 vs/fc, a rate in 1/s
 *
 * V is the slip speed, of a vector slip its norm. The LuGre rule lengthens the step with V although the bristle's own
 * rate sigma0 V/g grows as well: with the default parameters an explicit bristle update is unstable above V = 19.5 vs.
 * The laws of this library update the bristle exactly and need no cap; a host that integrates it explicitly sets
 * `explicit_update`, which keeps dt <= g/(sigma0 V).
 *
 * The manual lists a fourth parameter T_s (scaled by Omega in the LuGre set) and never says what it does. Our reading:
 * the HOLD time. Friction dictates the step while V/vs < vbar_min and for the time T_s after that; then the host's own
 * step control takes over until the next small velocity. The first call counts as a small velocity.
 */
#ifndef BRISTLE_STEPRULE_H
#define BRISTLE_STEPRULE_H

#include "bristle/bristle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bristle_steprule_kind { BRISTLE_STEPRULE_COULOMB, BRISTLE_STEPRULE_LUGRE } bristle_steprule_kind;

/* The law's numbers may be in any load form, if all in the same. The Coulomb rule without the cap reads the speed only.
 */
typedef struct bristle_steprule {
  bristle_steprule_kind kind;
  double c[4];                                     /* Coulomb: dt_min 1e-4 s, dt_max 1e-3 s, vbar_min 5, T_s 1 s
                                                      LuGre: dtau_min 0.02, vbar_min 5, alpha 1.2, Tbar_s 5 (hold time Tbar_s/Omega) */
  double speed;                                    /* vs above; the rest is for bristles */
  double stiffness, level, static_level, exponent; /* sigma0, fc, fs, gamma */
  int explicit_update; /* the host integrates the bristle explicitly: never exceed g/(sigma0 V) */
} bristle_steprule;

/* When the last small velocity was; owned by the caller, zero at the start of a run. */
typedef struct bristle_steprule_clock {
  double last;
  int started;
} bristle_steprule_clock;

/* The manual's defaults (the second printed "dt_min" is dt_max), exponent 2, no cap; the other numbers are still 0. */
void bristle_steprule_init(bristle_steprule *rule, bristle_steprule_kind kind);
/* The same with the numbers of a law, by their roles: the first speed at which it changes, stiffness,
   level, static level (or level) and exponent (or 2). Names the first number that the rule needs and the law does not
   have. */
bristle_status bristle_steprule_take(bristle_steprule *rule, bristle_steprule_kind kind, const bristle_info *law,
                                     const double *p, bristle_error *error);
/* The same with a speed vs of yours, for laws that have none; 0: the law's own. */
bristle_status bristle_steprule_take_at(bristle_steprule *rule, bristle_steprule_kind kind, const bristle_info *law,
                                        const double *p, double speed, bristle_error *error);
bristle_status bristle_steprule_check(const bristle_steprule *rule, bristle_error *error);

/* Speed of a slip with dim components. */
double bristle_steprule_speed(const double *slip, int dim);
/* The rule's step at the slip speed V >= 0, cap included where asked for; no hold. */
double bristle_steprule_length(const bristle_steprule *rule, double V);
/* g(V)/(sigma0 V), one relaxation time of the bristle; the largest double at rest. */
double bristle_steprule_cap(const bristle_steprule *rule, double V);
/* The hold time in seconds. */
double bristle_steprule_hold(const bristle_steprule *rule);

/* The next step at time t for `count` contacts, the host's own control proposing `host`: the smallest step of the
   contacts that are in control, or `host` when none is. A contact with explicit_update caps the result in any case. A
   negative speed stands for a contact that nothing presses on: there is no friction, and it has no say. */
double bristle_steprule_next(const bristle_steprule *rules, bristle_steprule_clock *clocks, const double *speeds,
                             int count, double t, double host);

#ifdef __cplusplus
}
#endif
#endif
