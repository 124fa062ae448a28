/* What the two planar models share: coordinates, the coupled step and the way errors are told. */
#ifndef BRISTLE_PLANAR_COUPLE_H
#define BRISTLE_PLANAR_COUPLE_H

#include "bristle/planar.h"
#include "core/check.h"
#include "core/scalar.h"

/* Slip and spin as three speeds u = (vx, vy, gyration*omega) at the centre of pressure; forces are their duals. */
typedef struct planar_frame {
  double cop[2], gyration;
} planar_frame;

FN void frame_velocity(const planar_frame *t, const double v[3], double u[3])
{
  u[0] = v[0] - v[2] * t->cop[1];
  u[1] = v[1] + v[2] * t->cop[0];
  u[2] = v[2] * t->gyration;
}

FN void frame_motion(const planar_frame *t, const double u[3], double v[3])
{
  v[2] = u[2] / t->gyration;
  v[0] = u[0] + v[2] * t->cop[1];
  v[1] = u[1] - v[2] * t->cop[0];
}

FN void frame_wrench(const planar_frame *t, const double f[3], double gain, double wrench[3])
{
  wrench[0] = gain * f[0];
  wrench[1] = gain * f[1];
  wrench[2] = gain * (t->gyration * f[2] + t->cop[0] * f[1] - t->cop[1] * f[0]);
}

FN double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* Is the motion given, or does the friction change it? */
int planar_is_coupled(const bristle_planar_input *in);
void planar_end_velocity(const bristle_planar_input *in, const double wrench[3], double *v_end);

/* The force, per unit load, after a step at the constant speeds u; it must leave the contact's state alone. */
typedef void planar_force(void *contact, const double u[3], double f[3]);

/* Finds u with u = u_free - w f(u), of several such the one reached from rest; 0 when it is not found to 1e-10. */
int planar_couple(const planar_frame *frame, const bristle_planar_input *in, planar_force *force, void *contact,
                  double u[3]);

/* One row of a check. A value outside lo..hi, NaN included, is an error. */
typedef struct planar_bound {
  const char *field;
  double value, lo, hi;
} planar_bound;

bristle_status planar_fail(bristle_error *error, bristle_status status, const char *model, const char *field,
                           const char *rule, long index, double value);
bristle_status planar_check_bounds(const char *model, const planar_bound *bounds, int count, bristle_error *error);

#define PLANAR_LARGEST 0x1.fffffffffffffp1023

#endif
