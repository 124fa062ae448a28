/* What the general solver needs to know of a rig: a flat array of numbers, and one coupled step of it.
 *
 * y holds first the `flow` numbers, which are continuous in time and may be extrapolated, then the `jump` numbers
 * (flags and memories of laws), which may not. The last LEDGER of the flow numbers are the energy integrals. */
#ifndef SIM_SYSTEM_H
#define SIM_SYSTEM_H

#include "lab/sim.h"
#include "bristle/steprule.h"

/* work put in, lost in dampers and drives, friction force times slip */
enum { WORK_IN, DAMPED, RUBBED, LEDGER };

/* What every rig can do. */
typedef struct sim_calls {
  /* Inputs are smooth on the piece of time that begins at t: choose it, and return its end. */
  double (*begin)(void *self, double t);
  /* One coupled step of length h, first order, with an error that is a power series in h where the inputs are smooth.
   */
  void (*advance)(void *self, double t, double h, double *y);
  void (*row)(void *self, double t, const double *y, double *values);
  /* Energy in masses, springs and heights; that of the contacts goes to *contact. */
  double (*stored)(void *self, double t, const double *y, double *contact);
  double (*slip)(void *self, double t, const double *y); /* signed slip speed, or its size */
  bristle_mode (*mode)(void *self, double t, const double *y);
  /* Gives the flow numbers of one kind the largest of their scales, for the tolerance: a component that is 0 but for
     rounding must not be held to its own digits. */
  void (*share_scales)(void *self, double *scale);
} sim_calls;

typedef struct sim_system {
  void *self;
  sim_calls calls;
  size_t flow, jump;
  int width;       /* numbers in a row */
  double swing;    /* the longest step of a system that rests; 0: any. See sim_program_swing */
  double slow;     /* a slip speed that counts, before any was seen; for laws that rest exactly */
  size_t contacts; /* for the step rules, each with its own slip speed; 0: one, with `slip` */
  void (*speeds)(void *self, double t, const double *y, double *speeds); /* negative: nothing presses, no say */
  const bristle_steprule *rules; /* of each contact; NULL: the one rule of the run for all */
  int rests;                     /* the law is set-valued: slip can be exactly 0 */
  size_t resting; /* several contacts with such laws, each with its own signed slip; 0: one, with `slip` */
  double (*resting_slip)(void *self, size_t contact, const double *y);
  int columns;    /* of the extrapolation; 0 is the usual four */
  int has_energy; /* the law knows what its contact stores */
  int symmetric;  /* the error is a power series in h^2: extrapolation gains two orders at a time */
  int corners;    /* rates may have corners that no flag tells of: estimates of the error are not believed at once */
  int local;      /* times, except that of `begin`, count from the last `begin`: late in a long run an instant within a
                     short piece would have no digits left */
  const unsigned char
      *flags; /* for each jump number: is it a switch, whose instant must be found? NULL: none is, and none is known */
  /* Brings flags and memories up to the instant t: advance leaves those of the mean velocity. May be NULL. */
  void (*settle)(void *self, double t, double *y);
  /* Shows flags and memories the extrapolated end of a step, which is not quite that of the column they came from.
     May be NULL. */
  void (*remember)(void *self, double t, double *y);
  /* A number that is shown, and held by the tolerance like those of y. May be NULL. */
  double (*watch)(void *self, double t, const double *y);
} sim_system;

/* Errors at corners add up: each may be this part of the tolerance. */
#define SIM_CORNER_SHARE 0.02

/* Runs a system with the extrapolated coupled step (ADAPTIVE), the plain one with a fixed length (COUPLED) or with
   lengths from `rule` (STEPRULE). y holds the initial values and, afterwards, the final ones. */
bristle_sim_status sim_run_system(const sim_system *system, double *y, bristle_method method,
                                  const bristle_steprule *rule, const bristle_sim_options *options,
                                  const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error);

/* ---- shared by the solvers ---- */

/* An eighth of the shortest period of a program; infinite where it has no waves. A contact at rest has no error that
   could shorten a step, and must not step over the part of a wave that makes it let go. */
double sim_program_swing(const bristle_program *program);

/* Which of the jump numbers of a law are flags: `place` says where in y its states are. */
void sim_find_flags(const bristle_info *law, const size_t *place, size_t flow, unsigned char *flags);

/* Weights of `columns` first-order results with 1, 2, ... sub-steps that cancel the powers of h, and of the difference
   from the result without the first column, which is the error estimate. */
enum { MOST_COLUMNS = 8 };
void sim_weights(int columns, int power, double weight[MOST_COLUMNS], double error[MOST_COLUMNS]);

/* Fills *error and returns the status. */
bristle_sim_status sim_fail(bristle_sim_error *error, bristle_sim_status status, double t, const char *field,
                            const char *format, ...) __attribute__((format(printf, 5, 6)));

/* The same of a check of the law, a joint or a patch. */
bristle_sim_status sim_fail_check(bristle_sim_error *error, const bristle_error *fault);

/* Rows at multiples of `output`, events of the mode, the ledger: the same for every solver. */
typedef struct sim_recorder {
  const bristle_sim_options *options;
  const bristle_sim_sink *sink;
  bristle_sim_stats *stats;
  size_t next; /* the next row */
  bristle_mode mode;
  double slip;      /* its sign counts */
  double begun[2];  /* stored energy at the start: mechanical, contacts */
  double most_lost; /* the most that the friction had dissipated so far */
  double reported;  /* progress */
  double marked;    /* where the run stood when its steps were last counted */
} sim_recorder;

double sim_next_row(const sim_recorder *recorder); /* its time; infinite when there is none left */
/* The ledger after a step: integrals and stored energies now. */
void sim_balance(sim_recorder *recorder, const double ledger[LEDGER], double mechanical, double contact);
int sim_progress(sim_recorder *recorder, double t);
/* Has the time all but stood still for a great many steps? Then a run would never end. */
int sim_stalled(sim_recorder *recorder, double t);
bristle_sim_status sim_fail_stalled(const sim_recorder *recorder, double t, bristle_sim_error *error);
int sim_event(sim_recorder *recorder, double t, bristle_event_kind kind);

#endif
