/* What rigs share. Those with several degrees of freedom are all on the general solver: chain, slider, ball, arm. */
#ifndef SIM_RIGS_H
#define SIM_RIGS_H

#include "sim/system.h"

/* The drivers of the rigs are in rigs.def; these of their parts stand in other files. `self` is the rig. */
int sim_columns_slider(const void *self, int rotary, bristle_sim_column *columns);
int sim_columns_ball(const void *self, int rotary, bristle_sim_column *columns);
int sim_columns_arm(const void *self, int rotary, bristle_sim_column *columns);
bristle_sim_status sim_check_slider(const void *self, bristle_sim_error *error);
bristle_sim_status sim_check_ball(const void *self, bristle_sim_error *error);
bristle_sim_status sim_check_arm(const void *self, bristle_sim_error *error);

/* May this contact follow this load by this method? Asked by rigs whose load may change. */
bristle_sim_status sim_check_levels(const bristle_contact *contact, const bristle_program *load,
                                    const bristle_sim_options *options, bristle_sim_error *error);

/* Where the states of `count` equal contacts stand in y: state k of contact i is y[place[k] + i]. Those that flow come
   before the ledger, those that jump behind it. */
typedef struct sim_states {
  int states;
  size_t count;
  size_t flow, jump; /* the numbers of the whole system */
  size_t place[BRISTLE_LAW_SIZE];
} sim_states;

/* `motion` numbers come first. */
sim_states sim_states_of(const bristle_info *law, size_t count, size_t motion);
/* `count` contacts from number `from` on, as a batch of their own: state k of contact i is s[k*count + i - from]. */
void sim_take_states(const sim_states *states, const double *y, size_t from, size_t count, double *s);
void sim_put_states(const sim_states *states, double *y, size_t from, size_t count, const double *s);
/* Scales of states and ledger for sim_calls.share_scales: each state has one for all contacts, all energies one. */
void sim_share_states(const sim_states *states, double *scale);
void sim_share(double *scale, size_t count);
/* Likewise for bristles in all directions, which may miss the tolerance a hundred times: they are bent by microns, what
   they do to the motion is held by its own tolerance, and where the slip turns their lag would rule the step. */
void sim_share_bends(double *scale, size_t count);

/* What is small for a law, per unit load: the least scale of motion, states and energies, so that a run which starts
   from zero need not start with all digits of nothing. */
typedef struct sim_least {
  double bend, speed; /* break-away deflection level/stiffness [m] and Stribeck speed [m/s]; 0 where the law has none */
} sim_least;
sim_least sim_least_of(const bristle_info *law, const double *p);
void sim_raise(double *scale, size_t count, double least);

/* The step rule of a run: by the law or as chosen, with the strategy parameters given. */
bristle_sim_status sim_choose_rule(const bristle_sim_options *options, const bristle_info *law, const double *p,
                                   bristle_steprule *rule, bristle_sim_error *error);
/* The method that runs: AUTO is ADAPTIVE; STEPRULE fills *rule from the law. */
bristle_sim_status sim_choose_method(const bristle_sim_options *options, const bristle_info *law, const double *p,
                                     bristle_method *method, bristle_steprule *rule, bristle_sim_error *error);

/* Appends a column; returns the new count. */
int sim_put_column(bristle_sim_column *columns, int at, const char *name, const char *unit);

/* One row of a check: a value that must be finite, and above or not below 0 where asked. */
typedef enum sim_bound { SIM_FINITE, SIM_NOT_NEGATIVE, SIM_POSITIVE } sim_bound;
typedef struct sim_number {
  const char *field;
  double value;
  sim_bound bound;
} sim_number;
bristle_sim_status sim_check_numbers(const sim_number *numbers, size_t count, bristle_sim_error *error);
/* The vector law of a slider or ball and its parameters. */
bristle_sim_status sim_check_vector(const bristle_contact *contact, int dim, bristle_sim_error *error);

#endif
