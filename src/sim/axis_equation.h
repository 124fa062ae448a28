/* The equation of motion of an axis, once: with plain numbers for the solvers and, compiled as C++ with AXIS_REAL = a
 * value and its derivatives, for identification. Nothing here is differentiated by hand.
 *
 *   mass dv/dt = drive + outside - viscous v - F
 *   drive      = gain strength (force + kp (target - x) + kd (d target/dt - v), within +-limit), where it is on
 *   outside    = bias - gravity sin(x + tilt) + stiffness (anchor - x) + damping d anchor/dt
 *   viscous    = drag of the drive, where it is on, + damping
 *   load       = 1 + |load_drive (drive - drag v) - load_outside (outside - damping v)| */
#ifndef SIM_AXIS_EQUATION_H
#define SIM_AXIS_EQUATION_H

#include "maths/elementary.h"

#ifndef AXIS_REAL
#define AXIS_REAL double
#define AXIS_SIN sin
#define AXIS_COS cos
#define AXIS_SIZE fabs
#define AXIS_IS_THERE(number) ((number) != 0) /* saves a sine */
#endif

/* the numbers of an axis, in the order of bristle_plant */
typedef struct axis_numbers {
  AXIS_REAL mass, gain, drag, gravity, tilt, bias, load_drive, load_outside, stiffness, damping;
} axis_numbers;
enum { AXIS_NUMBERS = 10 };

/* what drives it at an instant */
typedef struct axis_drive {
  double force, target, target_rate, anchor, anchor_rate; /* force: all of the command that is known beforehand */
  double kp, kd, limit, strength;                         /* limit 0: none */
  int on;
} axis_drive;

typedef struct axis_forces {
  AXIS_REAL drive, outside, viscous;
} axis_forces;

static inline axis_forces axis_forces_at(const axis_numbers *p, const axis_drive *d, AXIS_REAL x, AXIS_REAL v)
{
  axis_forces f;
  f.drive = 0, f.viscous = p->damping;
  if (d->on) {
    AXIS_REAL command = d->force + d->kp * (d->target - x) + d->kd * (d->target_rate - v);
    if (d->limit > 0 && command > d->limit) command = d->limit;
    if (d->limit > 0 && command < -d->limit) command = -d->limit;
    f.drive = p->gain * d->strength * command;
    f.viscous = p->damping + p->drag;
  }
  f.outside = p->bias + p->stiffness * (d->anchor - x) + p->damping * d->anchor_rate;
  if (AXIS_IS_THERE(p->gravity)) f.outside = f.outside - p->gravity * AXIS_SIN(x + p->tilt);
  return f;
}

/* how much the forces from outside fall with the position */
static inline AXIS_REAL axis_slope(const axis_numbers *p, AXIS_REAL x)
{
  AXIS_REAL slope = p->stiffness;
  if (AXIS_IS_THERE(p->gravity)) slope = slope + p->gravity * AXIS_COS(x + p->tilt);
  return slope;
}

/* What a coupled step of length h asks of the contact: the velocity at its end without friction, what a unit of
   friction takes from it, the load. Position at the middle of the step and viscous forces at its mean velocity make all
   but the friction second order; what a step of that kind gains in frequency, (omega h)^2/24, is taken back by a
   slightly larger mass (Takahashi and Imada 1984). */
typedef struct axis_balance {
  AXIS_REAL free, compliance, load;
} axis_balance;

static inline axis_balance axis_balance_over(const axis_numbers *p, const axis_drive *d, AXIS_REAL x, AXIS_REAL v,
                                             AXIS_REAL h)
{
  const AXIS_REAL half = 0.5 * h, middle = x + half * v;
  const axis_forces f = axis_forces_at(p, d, middle, v);
  const AXIS_REAL mass = p->mass + h * h * axis_slope(p, middle) / 12.0, divisor = mass + half * f.viscous;
  axis_balance b;
  b.compliance = h / divisor;
  b.free = ((mass - half * f.viscous) * v + h * (f.drive + f.outside)) / divisor;
  const AXIS_REAL carried = p->load_drive * (f.drive - (f.viscous - p->damping) * v)
                            - p->load_outside * (f.outside - p->damping * v);
  b.load = 1.0 + AXIS_SIZE(carried);
  return b;
}

#endif
