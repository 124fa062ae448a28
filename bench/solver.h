/* Solvers beside each other on small stiff rigs with one LuGre contact: what they share. */
#ifndef BENCH_SOLVER_H
#define BENCH_SOLVER_H

/* mass dv/dt = stiffness (speed t - x) + kp (target - x) - kd v + ki c - F(v - base),  dc/dt = target - x */
typedef struct plant {
  const char *name;
  double mass, stiffness, speed, base, kp, kd, ki, target, end;
} plant;

enum { GRID = 100, MOST_POINTS = 100 * GRID + 1 }; /* positions are wanted a hundred times a second */

static inline int points_of(const plant *p) { return (int)(p->end * GRID + 0.5) + 1; }

/* Tolerances: relative, and absolute for x, v and z as multiples of it. */
typedef struct setting {
  double rtol, x, v, z;
} setting;

/* CVODE, BDF, dense, with an analytic Jacobian, written as a careful user would. Fills x on the grid; steps taken. */
typedef struct peer peer;
peer *peer_open(const plant *p);
long peer_run(peer *self, const plant *p, const setting *s, double *x);
void peer_close(peer *self);

#endif
