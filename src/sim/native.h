/* The state of the native solver: one point of the trajectory with everything known there, and trial steps from it. */
#ifndef SIM_NATIVE_H
#define SIM_NATIVE_H

#include "sim/axis.h"

enum { MOST_CORNERS = 8 };   /* of the curve of a law */
enum { MOST_BRISTLES = 16 }; /* states of the law and of the observer */

/* A point: position, velocity, integral of the controller, bristles (the observer's last), energy integrals. */
typedef struct native_point {
  double x, v, c, base_x, w[MOST_BRISTLES], ledger[LEDGER];
} native_point;

typedef double native_row[MOST_COLUMNS] __attribute__((aligned(64))); /* a number for each column */

/* Columns of the extrapolation: column j takes count[j] sub-steps. */
typedef struct native_columns {
  int columns, stages;                 /* stages: sub-steps of the last column */
  native_row part, on[MOST_COLUMNS];   /* 1/count; 1 while the column still has a sub-step in that stage, else 0 */
  native_row weight, estimate, second; /* result, difference from a shorter table, and from another one */
} native_columns;

typedef struct native native;
struct native {
  native_columns table;
  axis_host host;
  const bristle_sim_options *options;
  sim_recorder recorder;
  double (*attempt)(native *, double h, native_point *end);
  int bristles, law_bristles, ledger;
  int sharp;     /* the law rests exactly: stick and slip are different systems */
  double swing;  /* of the inputs: see sim_program_swing */
  int locked;    /* in stick */
  int direction; /* of slip, for a sharp law */
  int steep;     /* the curve of a law without bristles is infinitely steep at rest */
  int corners;   /* slips at which that curve has a corner */
  double corner[MOST_CORNERS];
  int varying; /* load or surface speed change on this piece */
  int plain;   /* all inputs are straight lines, the drive is linear, load and surface speed are constant */
  double rtol;
  native_point scale;                      /* the largest values so far */
  native_point per_error;                  /* 1/the error that is allowed */
  double bend[MOST_BRISTLES];              /* how far a bristle bends before it slides */
  double law_speed, reach;                 /* where the law changes with speed; beyond `reach` it no longer does */
  double length, control, before, shorten; /* of the step control: see native_pace.c */
  double close;                            /* a slip speed that is as good as none */
  int refused;

  /* the point the next step starts from, and what is known there */
  double t, accel, jerk, snap, friction, rate[MOST_BRISTLES];
  double slip_accel; /* acceleration relative to the surface */
  axis_inputs in;
  double push_rate; /* slope of the part of the push that depends on time alone */
  native_point at;
  /* Jacobian: friction and bristle rates by velocity, position, bristles */
  double fv, fx, fw[MOST_BRISTLES];
  double rv[MOST_BRISTLES], rx[MOST_BRISTLES], rw[MOST_BRISTLES][MOST_BRISTLES];
  /* the host's own: -d push/d v, -d push/d x, d push/d c, d push/d w; and the push */
  double kv, kx, ki, kw[MOST_BRISTLES], push;
};

/* fmax and fmin are calls, for the sake of numbers that are none */
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }

/* ---- native_point.c ---- */

/* Chooses the columns for the tolerance, and the code for this processor. */
void native_choose(native *n);
/* Begins the smooth piece of the inputs at the present time; returns its end. */
double native_begin_piece(native *n);
/* Fills in what is known at the point: friction, rates, Jacobian, acceleration and its slope. */
void native_look(native *n);
/* A trial step of length h; returns its error relative to the tolerance, infinite where it failed. */
double native_try(native *n, double h, native_point *end);
double native_accel(const native *n, double t, const native_point *at);
/* Force needed to keep a locked contact at rest, and the most it can hold in that direction. */
double native_hold(native *n, double t, const native_point *at, double *level);
double native_slip(const native *n, double t, const native_point *at);
bristle_mode native_mode(const native *n, double t, const native_point *at);
/* A sharp law sliding one way is continued smoothly to the other side of rest, where a step may try to look. */
double native_one_way(const native *n, double slip);

/* The slowest slip that the tolerance can tell from rest. */
static inline double native_slowest(const native *n) { return 10 / n->per_error.v; }

/* ---- native_scale.c ---- */

/* Error scales: largest values so far, and what is small for this rig before it has moved. */
void native_start_scales(native *n);
void native_grow_scales(native *n);

/* ---- native_curve.c ---- */

/* Of a law without bristles: narrows law_speed to its first bend, widens reach to its last, and finds its corners. */
void native_read_curve(native *n);

/* ---- native_pace.c ---- */

typedef struct step_result {
  native_point end;
  double h, worst;
} step_result;

/* A step that passes, or the shortest there is. `limit` is as far as it may go. */
bristle_sim_status native_find_step(native *n, double limit, step_result *step, bristle_sim_error *error);
/* Shortens a step to where `function` is zero; it is not negative at the start and negative at the end. */
void native_locate(native *n, step_result *step, double (*function)(native *, double, const native_point *));

#endif
