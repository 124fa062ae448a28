/* One degree of freedom: what the solvers share about it. */
#ifndef SIM_AXIS_H
#define SIM_AXIS_H

#include "sim/axis_equation.h"
#include "sim/system.h"

/* the smooth pieces that all inputs are on */
typedef struct axis_pieces {
  bristle_piece force, anchor, target, base, load;
} axis_pieces;

/* the inputs at an instant */
typedef struct axis_inputs {
  double force, anchor, anchor_rate, target, target_rate, base, load;
} axis_inputs;

/* constants of the axis, worked out once */
typedef struct axis_host {
  const bristle_axis *rig;
  const bristle_model *model;
  const bristle_diff *diff;
  const bristle_model *observer; /* or NULL */
  double observer_damping;
  double gain, per_mass;
  axis_numbers number;
  axis_pieces pieces;
} axis_host;

axis_host axis_place(const bristle_axis *rig);
/* Chooses the pieces that begin at t; returns the end of the shortest. */
double axis_begin(axis_host *host, double t);
/* The shortest swing of all inputs: see sim_program_swing. */
double axis_swing(const bristle_axis *rig);
axis_inputs axis_inputs_at(const axis_host *host, double t);
/* The command before the limit, without the observer's force. */
double axis_command(const bristle_axis *rig, const axis_inputs *in, double x, double v, double c);
/* All forces on the mass but friction. */
double axis_push(const axis_host *host, const axis_inputs *in, double x, double v, double c, double compensation);
/* Energy of mass, spring and height. */
double axis_energy(const axis_host *host, const axis_inputs *in, double x, double v);
/* The observer's force, and its rate, for the deflection z. */
double axis_observe(const axis_host *host, const axis_inputs *in, double x, double v, double z, double *rate);

/* The least scales of position, velocity, controller, energies and states: see axis_scale.c. */
typedef struct axis_least {
  double x, v, c, energy, bend[BRISTLE_LAW_SIZE];
} axis_least;
axis_least axis_least_of(const axis_host *host, const axis_inputs *in, double end);

/* Target, error and command of a controlled axis, as columns: how many there are, 3 or 0. */
int axis_put_control(const axis_host *host, const axis_inputs *in, double x, double v, double c, double observer_z,
                     double *values);

bristle_sim_status axis_run_native(const bristle_axis *rig, const bristle_sim_options *options,
                                   const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error);
bristle_sim_status axis_run_system(const bristle_axis *rig, bristle_method method, const bristle_sim_options *options,
                                   const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error);
int axis_suits_native(const bristle_axis *rig);

/* ---- contacts on a line, shared with driven ones ---- */

bristle_sim_status contact_check(const bristle_contact *contact, const double *z, bristle_sim_error *error);
bristle_sim_status program_check(const bristle_program *program, const char *field, bristle_sim_error *error);
int contact_columns(const bristle_contact *contact, int rotary, bristle_sim_column *columns);

#endif
