/* Simulation-error fits: the friction and the plant of one axis from recorded motions.
 *
 * A run is a recording of an axis that was driven by a known input. The same axis is simulated from the run's start by
 * the library's coupled step, and what is fitted is the difference between the simulated and the measured position (or
 * velocity): nothing is differentiated or filtered, noise does no harm, and friction shows where it matters, in stops
 * and reversals. Derivatives by every unknown are carried through the coupled step exactly.
 *
 *   mass dv/dt = drive + outside - F,  drive = gain u - drag v where the drive is on, else 0
 *   outside    = bias - gravity sin(x + tilt) - stiffness x - damping v
 *   u          = strength * (input + kp (target - x) - kd v, held within +-limit)
 *   load       = 1 + |load_drive drive - load_outside outside|
 *
 * The load is what the friction law sees as normal load. A law in the form `level` has its own levels at no load, and
 * load_drive says how much of them each unit of the transmitted force adds: gears. Linear and rotary axes share this.
 */
#ifndef BRISTLE_LAB_TRAJECTORY_H
#define BRISTLE_LAB_TRAJECTORY_H

#include "lab/identify.h"

/* ---- what was recorded ---- */

/* The arrays belong to the caller; those that may be NULL say what that means. */
typedef struct bristle_run {
  const char *name; /* for messages; may be NULL */
  size_t count;
  const double *t;        /* must grow */
  const double *target;   /* of the position controller; NULL: there is none. Straight lines between the samples */
  const double *input;    /* force, torque or voltage beside the controller's; NULL: none. The same */
  const double *enabled;  /* the drive is on where this is not 0, until the next sample; NULL: always */
  const double *strength; /* factor of u after its limit, until the next sample: the supply voltage in units of the
                             nominal one; NULL: 1 */
  const double *position; /* measured; NULL: not fitted */
  const double *velocity; /* the same */
  double kp, kd, limit;   /* limit 0: none */
  double mass, gravity;   /* known parts, to which those of the plant are added: the weight of this run */
  double x, v;            /* where it starts */
} bristle_run;

/* ---- what is unknown ---- */

typedef enum bristle_plant {
  BRISTLE_PLANT_MASS,         /* in addition to that of the run */
  BRISTLE_PLANT_GAIN,         /* force per unit of u: kt/R of a motor fed by a voltage */
  BRISTLE_PLANT_DRAG,         /* of the drive: kt^2/R */
  BRISTLE_PLANT_GRAVITY,      /* in addition to that of the run: m g l */
  BRISTLE_PLANT_TILT,         /* where the pendulum hangs */
  BRISTLE_PLANT_BIAS,         /* constant force */
  BRISTLE_PLANT_LOAD_DRIVE,   /* load per unit of drive force */
  BRISTLE_PLANT_LOAD_OUTSIDE, /* load per unit of outside force */
  BRISTLE_PLANT_STIFFNESS,    /* of a spring that is at rest at x = 0, but for the bias */
  BRISTLE_PLANT_DAMPING,      /* of a damper beside it */
  BRISTLE_PLANT_COUNT
} bristle_plant;
const char *bristle_plant_name(bristle_plant value); /* "load_drive" */

/* A number that is known (lo = hi, or both 0) or searched between lo and hi from `start`. */
typedef struct bristle_guess {
  double start, lo, hi;
} bristle_guess;

typedef struct bristle_trajectory {
  const bristle_law *law;
  bristle_load load; /* the form of the parameters */
  bristle_guess plant[BRISTLE_PLANT_COUNT];
  const bristle_guess *param; /* nparam; what a law's relations ask for (fs >= fc) holds within these bounds */
  size_t count;
  const bristle_run *run;
  double step; /* the longest step of the simulation; 0 is 1 ms */
  double loss; /* error at which the loss bends from squares to sizes; 0: squares */
  int rotary;  /* for the units of the result */
} bristle_trajectory;

/* ---- simulating ---- */

/* All numbers of the axis. */
typedef struct bristle_axis_values {
  double plant[BRISTLE_PLANT_COUNT];
  double param[BRISTLE_LAW_SIZE];
} bristle_axis_values;

/* Position and velocity at the samples of a run; x or v may be NULL. Returns 0, or 1 when a number was no longer
   finite. */
int bristle_trajectory_simulate(const bristle_trajectory *trajectory, const bristle_run *run,
                                const bristle_axis_values *values, double *x, double *v);

typedef struct bristle_run_error {
  size_t count;
  double mean, rms, largest; /* of |simulated - measured| position, or of the velocity where only that was measured */
} bristle_run_error;
/* The errors of `count` runs, whether or not they were fitted; those of a run that cannot be simulated are infinite. */
bristle_fault_kind bristle_trajectory_errors(const bristle_trajectory *trajectory, const bristle_axis_values *values,
                                             size_t count, const bristle_run *run, bristle_run_error *error,
                                             bristle_fault *fault);

/* ---- fitting ---- */

/* Of the options candidates (0 is 400, -1 none), refinements (to the end: 0 is 3), folds, threads, seed and progress
   count. *result is NULL when the fit could not be tried. */
bristle_fault_kind bristle_trajectory_fit(const bristle_trajectory *trajectory, const bristle_identify_options *options,
                                          bristle_identified **result, bristle_fault *fault);
/* All numbers of the axis that a result stands for. */
void bristle_trajectory_values(const bristle_trajectory *trajectory, const bristle_identified *result,
                               bristle_axis_values *values);

/* ---- experiment files ---- */

/* An axis, what is unknown of it and its runs, as a file has them: `bristle identify --help` shows one. */
typedef struct bristle_trajectory_file {
  bristle_trajectory trajectory; /* of the runs to fit; its law may be changed by bristle_trajectory_file_law */
  size_t fitted, held;
  bristle_run *run; /* those to fit first, then those held out */
  const char *title;
  struct bristle_trajectory_memory *memory;
} bristle_trajectory_file;

/* *file is NULL when the reading failed. */
bristle_fault_kind bristle_trajectory_file_read(const char *path, bristle_trajectory_file **file, bristle_fault *fault);
/* Takes another law: known and unknown parameters go by their names, those that it does not have are left out. */
bristle_fault_kind bristle_trajectory_file_law(bristle_trajectory_file *file, const bristle_law *law,
                                               bristle_fault *fault);
void bristle_trajectory_file_free(bristle_trajectory_file *file); /* NULL is fine */

#endif
