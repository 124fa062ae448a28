/* The motion of a log behind a low-pass, and what its noise leaves in the derivatives; not installed. */
#ifndef BRISTLE_FIT_MOTION_H
#define BRISTLE_FIT_MOTION_H

#include "fit/records/log.h"

typedef enum motion_source { MOTION_FROM_POSITION, MOTION_FROM_VELOCITY, MOTION_SOURCES } motion_source;

typedef struct motion {
  double *x, *v, *a; /* as long as the log */
} motion;

/* Room for one, on the list; x NULL: no memory. */
motion motion_room(size_t count, memory **list);
/* Is there a column to make it from? */
int motion_has(const bristle_log *log, motion_source source);
/* Zero-phase low-pass of the measured column, then differences of sixth order; cutoff 0: no filter. Another signal of
   the log goes through the same low-pass, in place and in the same time; or NULL. */
bristle_fault_kind motion_make(const bristle_log *log, motion_source source, double cutoff, motion *out, double *also,
                               bristle_fault *fault);
/* The same low-pass for a signal alone, in place. */
bristle_fault_kind motion_filter(const bristle_log *log, double cutoff, double *signal, bristle_fault *fault);
/* What is compared with a force that is fresh in some samples only is taken to the straight lines between these, too:
   a column along one stretch; and one of the whole log, which then goes through the low-pass. */
void motion_draw_lines(const bristle_log *log, size_t stretch, double *column);
bristle_fault_kind motion_like_force(const bristle_log *log, double cutoff, double *column, bristle_fault *fault);
/* First or second derivative of a signal of the log, by differences of sixth order. */
void motion_derivative(const bristle_log *log, const double *y, int order, double *out);
/* Standard deviations of velocity and acceleration that the white noise of the column causes behind the filter. */
double motion_velocity_noise(const bristle_log *log, motion_source source, double cutoff);
double motion_acceleration_noise(const bristle_log *log, motion_source source, double cutoff);
/* The noise of the force as it is compared with a law: behind the filter, where there is one. */
double motion_force_noise(const bristle_log *log);
double motion_force_noise_of(const bristle_log *const *logs, size_t count); /* the largest of several records */

#endif
