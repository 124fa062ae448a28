/* Simulation of small systems with friction: rigs, programs of time, solvers, energy ledger.
 *
 *   #include <bristle/sim.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     double p[BRISTLE_LAW_SIZE];
 *     const bristle_law *law = bristle_law_find("coulomb");
 *     bristle_sim_stats stats;
 *     bristle_sim_error error;
 *     bristle_rig rig = { .as.axis = { .mass = 1, .force = { .offset = 3 }, .contact = { .law = law, .p = p } } };
 *     bristle_defaults(law->f64->info, p);
 *     bristle_sim_options options = { .end = 1 };
 *     if (bristle_simulate(&rig, &options, &(bristle_sim_sink){ 0 }, &stats, &error)) return 1;
 *     printf("friction took %.3f J of %.3f J\n", stats.friction, stats.work_in);
 *   }
 * It prints "friction took 1.000 J of 3.000 J".
 *
 * A rig is a mechanical system with one contact (axis, driven, planar, ball) or many (chain, arm). Everything is in SI;
 * rotary rigs share the code (kg -> kg m^2, N -> N m, m -> rad). bristle_simulate runs it from t = 0 to `end` and hands
 * rows, steps and events to the caller's functions; nothing is printed and no state outlives the call.
 */
#ifndef BRISTLE_SIM_H
#define BRISTLE_SIM_H

#include "bristle/api.h"
#include "bristle/planar.h"
#include "bristle/bristle.h"
#include "bristle/steprule.h"

#include <stddef.h>

BRISTLE_BEGIN

/* ---- programs: numbers that change with time ---- */

typedef enum bristle_program_kind {
  BRISTLE_PROGRAM_KNOTS, /* straight lines between knots; two knots at one time are a jump; constant outside */
  BRISTLE_PROGRAM_SINES, /* sum of amplitude sin(2 pi frequency t + phase) */
  BRISTLE_PROGRAM_CHIRP  /* amplitude sin(2 pi (f0 t + (f1 - f0) t^2/(2 duration))), from then on at f1 */
} bristle_program_kind;

/* All zero is the constant 0; with an offset only it is a constant. The arrays belong to the caller. */
typedef struct bristle_program {
  bristle_program_kind kind;
  double offset;                               /* added to all of it */
  size_t count;                                /* knots or sines */
  const double *t, *y;                         /* knots: times that do not fall, values */
  double period;                               /* knots: repeated, the last knot falling on the first; 0 = once */
  const double *amplitude, *frequency, *phase; /* sines [-, Hz, rad]; phase may be NULL. Chirp: amplitude[0] */
  double f0, f1, duration;                     /* chirp [Hz, Hz, s] */
} bristle_program;

/* ---- rigs ---- */

/* The contacts (bristle/vector.h) of sliders and balls have a vector law, all others one along a line. */

/* One degree of freedom:
     mass dv/dt = gain * command + stiffness (anchor - x) + damping (d anchor/dt - v) - drag v - gravity sin x - F
     command    = force + kp (target - x) + kd (d target/dt - v) + ki c + observer,  dc/dt = target - x
   held within +-limit where limit > 0. F is the friction at the slip v - base. A mass with a force program, a spring
   pull, a belt, a servo and a pendulum are all of this form. */
typedef struct bristle_axis {
  double mass;
  double gain, limit; /* gain 0 is read as 1: force per unit of command */
  bristle_program force;
  double stiffness, damping, drag, gravity;
  bristle_program anchor; /* position of the other end of the spring */
  double kp, ki, kd;
  bristle_program target;
  /* Friction compensation: a law with one bristle as observer, dz/dt = its rate - observer_gain (x - target), whose
     force is added to the command. Its parameters, or NULL for none. */
  const bristle_law *observer_law;
  const double *observer;
  double observer_gain;
  bristle_program base; /* velocity of the surface under the mass */
  bristle_program load; /* normal load */
  bristle_contact contact;
  double x, v, c, observer_z; /* initial values */
  double z[BRISTLE_LAW_SIZE]; /* initial states of the law */
} bristle_axis;

/* A contact whose motion is prescribed: position or velocity as a program. */
typedef struct bristle_driven {
  bristle_program motion;
  int velocity; /* 1: the program is the velocity, x its integral from x; 0: it is the position */
  double x;
  bristle_program load;
  bristle_program force; /* applied force, for laws that stick exactly while the motion rests */
  bristle_contact contact;
  double z[BRISTLE_LAW_SIZE];
} bristle_driven;

/* Burridge and Knopoff's row of blocks: each tied to its neighbours and to a plate that moves with `speed`.
     mass dv_i/dt = coupling (x_{i+1} - 2 x_i + x_{i-1}) + stiffness (speed t - x_i) - damping v_i - F_i */
typedef struct bristle_chain {
  size_t count;
  double mass, coupling, stiffness, damping, speed;
  double load;    /* on each block */
  double scatter; /* initial positions are spread by +- this, from `seed` */
  unsigned seed;
  bristle_contact contact;
} bristle_chain;

/* A slider in the plane: two translations and spin, with a distributed patch or the reduced model under it.
     mass dv/dt = force + stiffness (anchor - x), inertia d omega/dt = torque, all minus friction */
typedef struct bristle_slider {
  double mass, inertia, load;
  int reduced; /* 1: the limit-surface model; 0: the patch itself */
  int ring;    /* 1: ring or disk of inner and outer radius; 0: rectangle of width and height */
  double width, height, inner, outer;
  int cells;                /* across: cells x cells, or rings */
  bristle_program force[3]; /* fx, fy, torque */
  double stiffness;         /* spring to the anchor point, acting at the centre */
  bristle_program anchor[2];
  bristle_contact contact; /* lugre or elasto_plastic as vector law, per unit load */
  double x[3], v[3];       /* initial x, y, angle and their rates */
} bristle_slider;

/* A body hanging on a ball joint: a spherical pendulum of given inertia with the friction of bristle/joint.h.
   The centre of mass is at arm (0, 0, -1) in the body; inertia about the joint, (across, across, along) the arm. */
typedef struct bristle_ball {
  double mass, arm, inertia[3], gravity;
  double radius, preload, load; /* ball radius, friction torque of the preload, additional load on the joint */
  double mu_s;                  /* static coefficient that the preload is measured with */
  int sum;                      /* preload added (1) or the larger of the two (0) */
  bristle_contact contact;      /* vector law per unit load */
  double tilt, azimuth, w[3];   /* initial direction of the arm and angular velocity (in the body) */
} bristle_ball;

/* One link of an arm with the joint that it turns about. Its torque is
     torque + kp (target - q) + kd (d target/dt - v), held within +-limit where limit > 0. */
typedef struct bristle_arm_link {
  double mass, length, centre; /* centre: from the joint to the centre of mass, along the link */
  double inertia;              /* about the centre of mass */
  bristle_program torque;
  double kp, kd, limit;
  bristle_program target;
  bristle_program load; /* normal load of the joint's friction */
  bristle_contact contact;
  double q, v;                /* initial angle and its rate */
  double z[BRISTLE_LAW_SIZE]; /* initial states of the law */
} bristle_arm_link;

/* A serial arm in a vertical plane. q_1 is the angle of the first link from the horizontal, upwards positive, every
   other q_i that of link i from link i-1. The joints are solved together, as a network (bristle/network.h). */
enum { BRISTLE_ARM_LINKS = 40 };
typedef struct bristle_arm {
  size_t count; /* at most BRISTLE_ARM_LINKS */
  const bristle_arm_link *link;
  double gravity;
  bristle_program push[2]; /* force on the tip: horizontal, vertical */
} bristle_arm;

typedef enum bristle_rig_kind {
  BRISTLE_RIG_AXIS,
  BRISTLE_RIG_DRIVEN,
  BRISTLE_RIG_CHAIN,
  BRISTLE_RIG_SLIDER,
  BRISTLE_RIG_BALL,
  BRISTLE_RIG_ARM
} bristle_rig_kind;

typedef struct bristle_rig_driver bristle_rig_driver;

typedef struct bristle_rig {
  bristle_rig_kind kind;
  int rotary; /* units of the columns: rad and N m */
  const bristle_rig_driver
      *driver; /* of a rig that is none of these kinds, its parameters at as.self; NULL: by the kind */
  union {
    const void *self;
    bristle_axis axis;
    bristle_driven driven;
    bristle_chain chain;
    bristle_slider slider;
    bristle_ball ball;
    bristle_arm arm;
  } as;
} bristle_rig;

/* ---- solvers ---- */

typedef enum bristle_method {
  BRISTLE_METHOD_AUTO,
  BRISTLE_METHOD_NATIVE,   /* extrapolated linearly implicit Euler, lands on reversals; laws whose states all flow */
  BRISTLE_METHOD_ADAPTIVE, /* the coupled step, extrapolated, with error control; every law and rig */
  BRISTLE_METHOD_COUPLED,  /* the coupled step with a fixed length */
  BRISTLE_METHOD_STEPRULE, /* the coupled step with Dymore's step rules */
  BRISTLE_METHOD_CVODE     /* SUNDIALS, where built with it */
} bristle_method;

/* Dymore's step rule of a run: which, and what of its strategy parameters c1..c4 is not the manual's default. */
typedef enum bristle_sim_rule {
  BRISTLE_SIM_RULE_BY_LAW,
  BRISTLE_SIM_RULE_COULOMB,
  BRISTLE_SIM_RULE_LUGRE
} bristle_sim_rule;
typedef struct bristle_sim_strategy {
  bristle_sim_rule rule; /* by the law: LuGre's where it has a bristle, else Coulomb's */
  int given[4];
  double c[4];
  double speed; /* vs of the rules; 0: that of the law */
} bristle_sim_strategy;

typedef struct bristle_sim_options {
  bristle_method method;
  double end;          /* > 0 */
  double output;       /* time between rows; 0 = only the first and the last */
  const double *times; /* rows at these times instead, rising from 0 or more up to `end`; or NULL */
  size_t time_count;
  double rtol, atol; /* 0 = 1e-8 (native 1e-9) and none; relative to the largest value of each quantity so far */
  double step;       /* coupled: its length; steprule: the host's, where the rule leaves it the choice; others: the
                        longest step, 0 = no limit */
  bristle_sim_strategy strategy; /* steprule */
  int no_ledger;                 /* 1: leave out the energy integrals */
  size_t most_steps;             /* 0 = 1e9 */
} bristle_sim_options;

typedef enum bristle_event_kind {
  BRISTLE_EVENT_REVERSAL, /* the slip changes its sign */
  BRISTLE_EVENT_STICK,    /* the contact comes to rest, or its bristle carries the load again */
  BRISTLE_EVENT_SLIP      /* it starts to slide */
} bristle_event_kind;

/* What a run did. Energies in J. */
typedef struct bristle_sim_stats {
  bristle_method method; /* the one that ran */
  double rtol;           /* the tolerance it kept; 0 where the steps are given */
  size_t steps, rejected, evaluations, jacobians, events, rows;
  size_t unsolved;                /* arm: steps and sub-steps whose joints did not fit together to 1e-12 */
  double shortest, longest, last; /* step */
  double widened;                 /* largest factor by which the tolerance had to be widened on the way; 0: nowhere */
  /* work in = change of the stored energy + dissipated + residual */
  double work_in, stored, dissipated, friction, residual;
  double work_done;  /* the most energy turned over: put in, stored or lost; what the residual is compared with */
  double given_back; /* the most energy that the friction gave back beyond what it had stored: broken passivity */
  int has_energy;    /* the law knows its stored energy, so given_back means something */
} bristle_sim_stats;

typedef struct bristle_sim_column {
  char name[24];
  const char *unit;
} bristle_sim_column;

/* Position over one step of the native solver: sum of c[k] s^k, s = (t - t0)/h. */
typedef struct bristle_segment {
  double t, h, c[6];
} bristle_segment;

/* Where results go; any of the functions may be NULL. A nonzero return stops the run. */
typedef struct bristle_sim_sink {
  void *context;
  int (*row)(void *context, const double *values); /* in the order of the columns */
  int (*step)(void *context, double t, double h, int accepted);
  int (*event)(void *context, double t, bristle_event_kind kind);
  int (*progress)(void *context, double fraction);
  int (*segment)(void *context, const bristle_segment *segment); /* native solver only: the position as it goes */
} bristle_sim_sink;

typedef enum bristle_sim_status {
  BRISTLE_SIM_OK,
  BRISTLE_SIM_STOPPED,     /* by the sink */
  BRISTLE_SIM_BAD_INPUT,   /* the rig or the options break a rule */
  BRISTLE_SIM_UNSUITABLE,  /* this method cannot run this rig or law */
  BRISTLE_SIM_NO_PROGRESS, /* the step became too small, or a number was no longer finite */
  BRISTLE_SIM_MEMORY
} bristle_sim_status;

typedef struct bristle_sim_error {
  bristle_sim_status status;
  char field[48]; /* "mass", "stiffness", ... or empty */
  char what[240]; /* a sentence */
  double t;       /* when */
} bristle_sim_error;

/* Columns of the rows: t first, mode last where there is one (0 stuck, 1 presliding, 2 sliding). Returns their number.
 */
enum { BRISTLE_SIM_COLUMNS = 256 };

/* What a rig is to the library; `self` points to its numbers. Every kind above is one of these, and hosts may bring
   their own (bristle_rig.driver). */
struct bristle_rig_driver {
  bristle_sim_status (*check)(const void *self, bristle_sim_error *error);
  /* What the options ask of the rig; NULL: nothing. */
  bristle_sim_status (*suits)(const void *self, const bristle_sim_options *options, bristle_sim_error *error);
  int (*columns)(const void *self, int rotary, bristle_sim_column *columns);
  bristle_sim_status (*run)(const void *self, const bristle_sim_options *options, const bristle_sim_sink *sink,
                            bristle_sim_stats *stats, bristle_sim_error *error);
};

int bristle_sim_columns(const bristle_rig *rig, bristle_sim_column columns[BRISTLE_SIM_COLUMNS]);
bristle_sim_status bristle_sim_check(const bristle_rig *rig, const bristle_sim_options *options,
                                     bristle_sim_error *error);
bristle_sim_status bristle_simulate(const bristle_rig *rig, const bristle_sim_options *options,
                                    const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error);
const char *bristle_method_text(bristle_method method);

/* What a reader of a run's numbers must know, in sentences: friction that gave back more energy than it had stored, a
   tolerance that was widened, an energy account that misses more than 1e-6 of the energy turned over (where the error
   is controlled; steps of a given length are what they are), joints whose forces do not fit together. Returns how many.
 */
enum { BRISTLE_SIM_WARNINGS = 4 };
typedef char bristle_sim_warning[200];
int bristle_sim_warnings(const bristle_sim_stats *stats, bristle_sim_warning list[BRISTLE_SIM_WARNINGS]);

BRISTLE_END
#endif
