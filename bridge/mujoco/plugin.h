/* Friction of hinge and slide joints in MuJoCo: what the files of the plugin share.
 *
 * All joints of a model that have friction, of all instances of the plugin, are one network (bristle/network.h). The
 * last instance leads: its data hold the network, and it alone computes. States are in plugin_state. Everything else
 * here is scratch of one mjData, so that threads with an mjData each do not meet. */
#ifndef BRISTLE_MUJOCO_PLUGIN_H
#define BRISTLE_MUJOCO_PLUGIN_H

#include "bristle/io.h"
#include "bristle/network.h"

#include <mujoco/mujoco.h>

#include <stddef.h>

#define PLUGIN_NAME "bristle.friction"

enum { WHY = 900 }; /* bytes of a message */

typedef struct friction_joint {
  bristle_friction friction;
  double normal; /* load */
  int dof, qpos;
  int state; /* place in plugin_state */
} friction_joint;

typedef struct friction_net {
  int count, nv;
  friction_joint *joint;
  bristle_network_contact *contact;
  double *work, *memory;     /* of the network; of all arrays that follow */
  double *s;                 /* states within a solve, those of all joints after each other */
  double *w, *f, *v, *u;     /* network: compliance, forces, free and end velocities */
  double *column;            /* nv x count: what a unit force does to each velocity over the step */
  double *total, *other;     /* nv: forces, and those of the actuators */
  double *metric;            /* nC: the integrator's own matrix, where it is not the inertia */
  double *factor, *inverse;  /* nC, nv: the same, factorised */
  double *dense, *row;       /* nv x nv, nv: inertia with the active constraints */
  double *rate;              /* nv: accelerations that fit the forces to rounding, where constraints are active */
  double *added;             /* nv: what is in qfrc_passive by now */
  double *before, *start;    /* nv: where the constraint solver would have started, and where it does */
  double *lower, *pivot;     /* nC, nv: of the quick way, inertia and slopes, factorised */
  double *end, *next, *left; /* nv: of the quick way, two guesses and what is left of the balance */
  double *applied;           /* forces of the user that a solve before the actuation has seen */
  int set_valued;            /* how many of the joints have a law that really sticks */
  int has_metric, has_factor, constrained;
  int nested;  /* inside mj_fwdActuation of our own */
  int fresh;   /* computed since the last step */
  int early;   /* computed before the actuation, because there is none */
  int started; /* `start` has been set */
} friction_net;

/* config.c: what the XML says. Both return 0, or 1 with a sentence in `why`. */
int config_joints(const mjModel *m, int instance, int *joint, int most, int *count, char *why);
int config_friction(const mjModel *m, int instance, int joint, friction_joint *out, char *why);
int config_states(const mjModel *m, int instance); /* of all its joints; 0 where something is wrong, which init tells */
const char *const *config_attributes(int *count);

/* network.c: the joints of a model. Returns NULL with a sentence in `why`. */
friction_net *net_new(const mjModel *m, int slot, char *why);
void net_free(friction_net *net);

/* refuse.c: what the solve could not be right for, as a sentence, or NULL */
const char *refused_option(const mjModel *m);
const char *refused_model(const mjModel *m, int lead, int slot);

/* inertia.c: velocities and compliance at the end of the step, as the integrator will make them */
void inertia_prepare(const mjModel *m, mjData *d, friction_net *net);
void inertia_velocities(const mjModel *m, mjData *d, friction_net *net);
void inertia_compliance(const mjModel *m, mjData *d, friction_net *net);
/* where constraints are active: `rate` for forces that have changed since, `change` of each joint */
void inertia_shift(const mjModel *m, friction_net *net, const double *change);
/* a matrix in the engine's sparse layout: L'DL in place, 1/D apart; and what it makes of x */
void inertia_factorise(const mjModel *m, double *a, double *inverse);
void inertia_solve(const mjModel *m, const double *a, const double *inverse, double *x);

/* quick.c: forces, end velocities and states where nothing is constrained; 0 where the network must find them */
int quick_solve(const mjModel *m, mjData *d, friction_net *net);

/* solve.c */
void solve_step(const mjModel *m, mjData *d, friction_net *net);
void solve_advance(const mjModel *m, mjData *d, friction_net *net);

#endif
