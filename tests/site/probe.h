/* What is done to a law to see how it behaves: a subject with its own sizes, moved as told or pushed as a body. */
#ifndef ATLAS_PROBE_H
#define ATLAS_PROBE_H

#include "bristle/bristle.h"

/* A law with parameters, and the sizes by which it is looked at. */
typedef struct subject {
  const bristle_law *law;
  double p[BRISTLE_LAW_SIZE];
  double level;  /* N: the largest friction of slow sliding */
  double speed;  /* m/s: where friction changes with speed, 1 mm/s where it does not */
  double fast;   /* m/s: where the viscous part is as large as the level, 40 times the speed where there is none */
  double travel; /* m: before the contact slides; where it does not give way, the speed times 10 ms */
} subject;

subject subject_of(const bristle_law *law);
/* the same with one parameter changed; 0 where the law does not allow that */
int subject_with(const subject *of, const bristle_row *row, double value, subject *out);
/* without the part of friction that grows with speed, so that levels can be compared */
subject subject_dry(const subject *of);

/* A contact that is moved, or that carries a body of 1 kg. */
typedef struct contact {
  const subject *of;
  double s[BRISTLE_LAW_SIZE];
  double x, v, force;
} contact;

contact contact_fresh(const subject *of);
/* at constant velocity over a time, in `steps` steps */
void contact_move(contact *c, double v, double time, int steps);
/* over a way in either direction, at a speed */
void contact_go(contact *c, double way, double speed, int steps);
/* a body of `mass` under an applied force, one step */
void contact_push(contact *c, double mass, double applied, double h);

/* friction after a long time at constant velocity, reached by running it */
double steady_force(const subject *of, double v);
/* the largest friction while the applied force rises by `rate` (N/s) until the body has slid away */
double break_away(contact *c, double rate);

/* Does a body of 1 kg, pulled through a spring with 5 % of damping at constant speed, stick and slip? */
int sticks_and_slips(const subject *of, double stiffness, double pull);
/* the stiffness at which a slip would be `ratio` times as fast as the speed of the subject */
double stiffness_for(const subject *of, double ratio);

#endif
