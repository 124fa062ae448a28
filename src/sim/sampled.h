/* An axis whose controller is a program in a computer: it looks at the axis once in a sample time and holds its command
   until the next time. It may carry the friction compensation that `bristle export --to c99 --compensate` writes. */
#ifndef SIM_SAMPLED_H
#define SIM_SAMPLED_H

#include "lab/sim.h"

/* The model in the computer, which need not be true, and how it is used: see bridge/c99/compensate.h.in. */
typedef struct sampled_model {
  const bristle_law *law; /* NULL: no compensation */
  bristle_load load;
  double p[BRISTLE_LAW_SIZE];
  double gain, limit, band, rest_speed, fade_time, rise_time;
} sampled_model;

typedef struct sampled_axis {
  bristle_axis axis; /* a mass with a controller; no spring, no observer */
  double sample;     /* s between commands */
  double mass;       /* kg: force per acceleration of the target, known beforehand */
  sampled_model model;
} sampled_axis;

/* the times and the band of the export, for this law */
void sampled_defaults(sampled_model *model);

/* The compensation alone: what it remembers, and the force of the next sample. */
typedef struct sampled_contact {
  double s[BRISTLE_LAW_SIZE];
} sampled_contact;
typedef struct sampled_compensator {
  const sampled_model *model;
  sampled_contact contact;
  double force, limit, band, gain, rest_speed, fade_time, rise_time;
} sampled_compensator;
void sampled_begin(sampled_compensator *c, const sampled_model *model);
double sampled_compensate(sampled_compensator *c, double plan, double measured, double load, double sample);

extern const bristle_rig_driver sim_sampled;
enum { SAMPLED_RIG = BRISTLE_RIG_ARM + 1 }; /* its kind: none of those that others look into */

#endif
