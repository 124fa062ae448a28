/* Random admissible parameters, random programs, and what is asked of every run: that it ends within a budget of steps,
 * and that its energy account closes, or that the run says so. */
#ifndef SIM_RANDOM_RIG_H
#define SIM_RANDOM_RIG_H

#include "lab/sim.h"

#include <stdint.h>

enum { RANDOM_KNOTS = 8, RANDOM_SINES = 3, RANDOM_PARAM = 128 };

typedef struct random_inputs {
  double t[RANDOM_KNOTS], y[RANDOM_KNOTS], amplitude[RANDOM_SINES], frequency[RANDOM_SINES], phase[RANDOM_SINES];
} random_inputs;

/* The same name, rig and set give the same numbers on every machine. */
void chance_begin(const char *law, size_t rig, int set);
double chance_between(double a, double b);
double chance_decades(double a, double b);

/* Within a decade of p, which holds the usual parameters, and by the rules of the law. */
void random_parameters(const bristle_info *info, double *p, int (*admissible)(const void *law, const double *p),
                       const void *law);
bristle_program random_sines(random_inputs *in, double size);
bristle_program random_knots(random_inputs *in, double end, double low, double high);

/* Which laws a rig takes is the rig's own rule, not that of a test. */
int rig_fits(const bristle_rig *rig);

typedef struct random_tally {
  int runs, told;
  double worst; /* residual */
} random_tally;

/* Runs it. `name` says what it is. Budget 0: none. */
void random_run(const bristle_rig *rig, double end, size_t budget, const char *name, random_tally *tally);

#endif
