/* What tests of laws share: parameter sets by name, and a reference integrator that knows only `eval`. */
#ifndef TEST_LAW_H
#define TEST_LAW_H

#include "bristle/bristle.h"
#include "support/test.h"

enum { MAX_PARAM = 64, MAX_STATE = 64 };

/* A law with its parameters and state, at the defaults and at rest. */
typedef struct contact {
  const bristle_law *law;
  const bristle_model *model;
  double p[MAX_PARAM], s[MAX_STATE];
  bristle_load load;
  double n;
} contact;

contact contact_of(const char *law);
void set(contact *c, const char *parameter, double value);
void set_vector(contact *c, const char *parameter, int count, const double *values);
/* index of a state by name, for c.s[...] */
int state_at(const contact *c, const char *name);
/* the 1995 parameters of Canudas de Wit et al.: sigma0 1e5, sigma1 sqrt(1e5), sigma2 0.4, fc 1, fs 1.5, vs 1e-3 */
contact contact_1995(const char *law);

double force_at(const contact *c, double v); /* eval, state as it is */
double steady_at(const contact *c, double v);
/* prescribed motion at constant v for a time, in `steps` steps; the last force */
double glide(contact *c, double v, double time, int steps);

/* A mass on the contact, integrated by classical Runge-Kutta with `eval` alone (no step code involved). */
typedef struct rig {
  contact c;
  double mass, t, x, v;
  double (*push)(const struct rig *r, double t, double x, double v, double extra); /* applied force */
  double (*extra_rate)(const struct rig *r, double t, double x, double v);         /* optional third state */
  double extra, a[8];                                                              /* constants for push */
  double force;                                                                    /* friction at (t, x, v) */
} rig;
void rig_advance(rig *r, double h);
/* the same rig by the coupled step: one step of length h, semi-implicit position */
void rig_step(rig *r, double h);

#endif
