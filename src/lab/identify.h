/* Identification: from measured motion and force to a friction law with its parameters, and how far to trust them.
 *
 * bristle_identify fits one law to some logs (lab/log.h); the law is driven by the measured motion, sample by
 * sample, and its force is compared with the measured one, alone or as part of force = mass a + gravity sin x + offset
 * + friction.
 *
 * A hosted layer like lab/fit.h: it allocates (one call frees each object), never prints and keeps no state. The
 * same data, options and seed give the same result, whatever the number of threads.
 */
#ifndef BRISTLE_LAB_IDENTIFY_H
#define BRISTLE_LAB_IDENTIFY_H

#include "lab/log.h"

/* ---- what is fitted ---- */

typedef enum bristle_term {
  BRISTLE_TERM_NONE,  /* not part of the balance */
  BRISTLE_TERM_FREE,  /* fitted */
  BRISTLE_TERM_GIVEN, /* known */
  BRISTLE_TERM_CHOOSE /* fitted where the records ask for it: bristle_campaign_prepare decides */
} bristle_term;

/* What a fit makes small. Objectives beyond these have the numbers of their places in the list of names. */
typedef enum bristle_objective {
  BRISTLE_ABSOLUTE,
  BRISTLE_RELATIVE, /* each residual by the force, at least `floor` times the largest one */
  BRISTLE_ROBUST    /* Huber's loss, its scale from the residuals themselves */
} bristle_objective;
const char *bristle_objective_name(int objective); /* NULL beyond the last */

/* Laws with levels of their own for each direction have no offset beside them: the term is left out. */
/* mass a + offset + gravity sin x + gravity_cos cos x + skew |v|: what the two directions differ by, beside friction
 * the same in both; then each term of the records' own, times its column. */
enum {
  BRISTLE_TERM_MASS,
  BRISTLE_TERM_OFFSET,
  BRISTLE_TERM_GRAVITY,
  BRISTLE_TERM_SKEW,
  BRISTLE_TERM_GRAVITY_COSINE,
  BRISTLE_TERM_EXTRA,                                             /* the first of bristle_log.extra */
  BRISTLE_TERM_FRICTION_AT = BRISTLE_TERM_EXTRA + BRISTLE_EXTRAS, /* the first knot of friction over the position */
  BRISTLE_TERM_FORCE_AT = BRISTLE_TERM_FRICTION_AT + BRISTLE_KNOTS - 1,
  BRISTLE_TERMS = BRISTLE_TERM_FORCE_AT + BRISTLE_KNOTS - 1
};
/* "mass", "kg" or "kg*m^2"; "" for terms of the records' own, whose names are theirs */
const char *bristle_term_name(int term);
const char *bristle_term_unit(int term, int rotary);
enum { BRISTLE_IDENTIFY_NAMES = 16 };

/* Where a number is searched. */
typedef struct bristle_range {
  const char *name;
  double lo, start, hi; /* start NaN: in the middle, of the logarithms where both ends are positive */
} bristle_range;

typedef struct bristle_identify_options {
  bristle_term term[BRISTLE_TERMS];
  double term_value[BRISTLE_TERMS];
  bristle_objective objective;
  double floor;      /* of the relative objective; 0 is 0.05 */
  size_t decimate;   /* residuals go through one filter, all alike, and every n-th counts; 0 and 1: all of them */
  bristle_load load; /* load form, when the logs have a load */
  int use_load;
  int choose_load;                            /* 1: the records decide between coefficient, level and none */
  int nothing_slides;                         /* bristle_campaign_prepare found nothing but bending bristles */
  const char *free[BRISTLE_IDENTIFY_NAMES];   /* parameters that are fitted though they usually are not: exponents */
  const char *fixed[BRISTLE_IDENTIFY_NAMES];  /* fixed parameters */
  double fixed_value[BRISTLE_IDENTIFY_NAMES]; /* NaN: at the default */
  int names_of_any;         /* laws without such a parameter pass over these names: they are for several laws at once */
  const double *start;      /* nparam values to start from instead of the search; or NULL */
  int start_is_near;        /* it is the optimum of nearly the same problem */
  int only_to_rank;         /* rms, bic and deviations as of white residuals: whoever only ranks laws needs no more */
  const double *start_term; /* BRISTLE_TERMS values beside it; NULL: guesses */
  int slow_samples; /* on the way to motion count for laws with states 0: where such a law explains them, 1: always, -1:
                       never */
  int slow_fall; /* Stribeck speeds may be as large as those that occur, and larger: of a result that has slow_fall */
  const double *base;         /* nparam values: those of fixed parameters, and guesses; NULL: defaults */
  const bristle_range *range; /* of parameters that are searched in these bounds */
  int ranges, only_ranges;    /* only_ranges: all others are fixed */
  int candidates;             /* of the screening; 0 is 2000 */
  int refinements;            /* searches from the best of them; 0 is 6 */
  int folds;                  /* pieces held out in turn; 0 is 4, negative: none */
  int threads;                /* 0 is 2 */
  unsigned long long seed;
  int (*progress)(void *context, double fraction); /* nonzero stops; or NULL. Called from one thread at a time */
  void *context;
} bristle_identify_options;

/* A fitted number. */
typedef struct bristle_estimate {
  char name[32]; /* "sigma0", "k[2]", "mass" */
  char unit[24];
  double value, deviation; /* infinite: not determined */
  int free;                /* 0: fixed */
  int bound;               /* -1, +1: at the lower or upper bound of its range */
  char reason[256];        /* why it is not determined, and what would help; or "" */
  /* what bristle_identified_test found: changes by half the cut-off, by a delay of one sample, by the noise of the
     motion; all are part of the deviation then */
  double band, delay, motion;
  double bias; /* what bristle_identified_instruments would change it by, part of the deviation then; or 0 */
} bristle_estimate;

/* the law's numbers, terms, and up to 16 numbers of a rig */
enum { BRISTLE_ESTIMATES = BRISTLE_LAW_SIZE + BRISTLE_TERMS + 16, BRISTLE_BLOCKS = 24, BRISTLE_FINDINGS = 6 };

typedef struct bristle_identified {
  const bristle_law *law;
  bristle_load load;
  int rotary;
  double p[BRISTLE_LAW_SIZE];
  double term[BRISTLE_TERMS];
  char extra_text[BRISTLE_EXTRAS][120]; /* what the terms of the records' own are times; "": there is none */
  bristle_places over[BRISTLE_OVERS];   /* tables over the position whose knots are among the terms */
  int estimates;
  bristle_estimate estimate[BRISTLE_ESTIMATES]; /* the law's numbers in their order, then the terms */
  double *correlation;                          /* estimates x estimates; NaN where not free */
  /* how well */
  size_t rows;          /* residuals */
  double fitted_rms;    /* of the residuals that were made small, N */
  double rms;           /* the error of the model as bristle_errors have it, N */
  double relative;      /* the same by the force */
  double largest;       /* the largest residual */
  double held_out;      /* rms of the moving samples of pieces that were held out in turn; NaN: none */
  double held_out_slow; /* the same of the samples on the way to motion and back; NaN: none */
  /* squares and numbers of the rows behind them, block by block of the records: moving, and on the way to motion */
  double block_squares[BRISTLE_BLOCKS][2], block_rows[BRISTLE_BLOCKS][2];
  int findings, doubtful; /* of bristle_identified_diagnose: sentences, and the first that forbids to use the model,
                             from 1; 0: none */
  char finding[BRISTLE_FINDINGS][240];
  int against;           /* the force is counted against the motion, as the campaign or the work has it */
  int nothing_slides;    /* in the records: what only sliding shows is not determined */
  int tested;            /* by bristle_identified_test */
  int compared;          /* by bristle_identified_instruments, with a reference */
  double delay;          /* s that the force seems to be behind the motion */
  int delay_known;       /* to less than a sample */
  double late;           /* s of delay, known to a part of a sample, that explain most of what is left; 0: none */
  double delay_left;     /* part of the squares of the residuals that is left with the best delay; 0: not tested */
  int slow_counted;      /* samples on the way to motion were fitted: the law explains them as it explains motion */
  int slow_fall;         /* a Stribeck speed above a quarter of those that occur: held-out pieces asked for it */
  int indistinguishable; /* from the best law, by what was held out: set by bristle_identified_rank */
  int explains_more;     /* than the law that leads, and clearly, with parameters that are not determined */
  double validation;     /* |residual|/|force| of the validation log with these parameters; NaN: none */
  double validation_rms; /* the residuals of its moving samples */
  double aicc, bic;
  double memory;    /* residuals for one effective sample, because they follow each other; 1 for white ones */
  double whiteness; /* probability of residuals as correlated as these if they were white */
  double energy;    /* work of the model by the measured one, over all samples */
  double noise;     /* standard deviation of the residuals */
  double condition;
  bristle_fit_stop stop;
  int iterations, jacobians, evaluations, screened, agreeing; /* refinements that ended in the same place */
  double rival[BRISTLE_LAW_SIZE];                             /* parameters of another optimum that is nearly as good */
  double rival_cost; /* its sum of squares relative to that of the best; 0: there is none */
  /* of simulated motion (lab/decay.h), where what is compared is no force */
  char unit[8];          /* of rms, largest, held_out and noise: "rad"; "" is that of a force */
  double measured_noise; /* white part of what was measured */
  double *residual;      /* simulated - measured, release after release; NULL elsewhere */
  double *beside; /* the unknowns beside the law's: numbers of the axis, then x and v at the start of each release */
  char note[200]; /* goes into the model file; or "" */
  char prefix[8]; /* of the names of what is beside the law, in the model file; or "" */
  struct memory *memory_list;
} bristle_identified;

/* ---- records that are used together ---- */

enum { BRISTLE_CUTOFFS = 32, BRISTLE_CAMPAIGN_NOTES = 12 };

/* What was decided for all records of an identification, and why. */
typedef struct bristle_campaign {
  double cutoff;     /* Hz, of motion and force alike; 0: no filter */
  int chosen;        /* the cut-off is ours, not the caller's */
  int from_velocity; /* the motion is that of the velocity column; else of the position */
  int presliding;    /* most of the force is that of bending bristles: the cut-off was judged by a bristle law */
  int dequantised;   /* positions of few counts were joined by straight lines between the changes of level */
  int against;       /* the force seems to be counted against the motion: nothing else about friction means anything */
  int mass_left_out; /* it was asked for, and the records do not determine it */
  size_t decimate;   /* every n-th residual counts */
  double moving, transition, rest; /* parts of the samples of the fitted records */
  double forward;                  /* part of the moving samples */
  double fall;      /* of friction over the speed, in N per m/s, where it clearly falls; 0: it does not */
  double concavity; /* of friction over speed, in deviations: clearly negative means that it rises less and less */
  /* the curve of the choice: by source (position, velocity); NaN where a source was not tried */
  int points;
  double frequency[BRISTLE_CUTOFFS], error[2][BRISTLE_CUTOFFS], loss[2][BRISTLE_CUTOFFS];
  int doubtful; /* the first note that is a reason not to believe any fit, counted from 1; 0: none is */
  size_t note_count;
  char note[BRISTLE_CAMPAIGN_NOTES][240];
} bristle_campaign;

/* Decides for all records together, those to be fitted first and those that only follow (validation): where the motion
   is taken from, one cut-off, which samples move or rest, which terms are in the balance. The logs get filtered
   motions and forces; terms in `options` that were BRISTLE_TERM_CHOOSE become FREE or NONE, a mass that the records do
   not determine becomes NONE, and `decimate` is set. A cut-off or a decimation of the caller's is kept. */
bristle_fault_kind bristle_campaign_prepare(bristle_log *const *logs, size_t fitted, size_t count,
                                            const bristle_log_options *reading, bristle_identify_options *options,
                                            bristle_campaign *campaign, bristle_fault *fault);

/* ---- one law ---- */

/* Frees what a result was fitted with though it usually is not, such as an exponent: for fits that shall be like it. */
void bristle_identified_take_free(const bristle_identified *result, bristle_identify_options *options);

/* Fits one law. `validation` may be NULL; the result keeps no pointer to the logs. */
bristle_fault_kind bristle_identify(const bristle_law *law, const bristle_log *const *logs, size_t log_count,
                                    const bristle_log *validation, const bristle_identify_options *options,
                                    bristle_identified **result, bristle_fault *fault);
void bristle_identified_free(bristle_identified *result); /* NULL is fine */

/* Fits again with half the cut-off, with the force a sample or two earlier and later, and with the motion disturbed by
   its own noise, and widens the deviations by what the parameters move. Afterwards laws are ranked as if each had its
   best delay. The records must have gone through bristle_campaign_prepare. What cannot be fitted again is left out. */
void bristle_identified_test(bristle_identified *const *results, int count, const bristle_log *const *logs,
                             size_t log_count, const bristle_identify_options *options,
                             const bristle_campaign *campaign);

/* Drag beside any law: a term `drag` of the records' own, the last one, times a power of the speed against the motion.
   An exponent of 2 is taken where the records do not speak against it. */
bristle_fault_kind bristle_drag_add(bristle_log *const *logs, size_t count, double exponent, bristle_fault *fault);
void bristle_drag_forget(bristle_log *const *logs, size_t count);
int bristle_identified_has_drag(const bristle_identified *result);
/* Does what a result leaves in motion bend over the speed? */
int bristle_identified_bends(const bristle_identified *result, const bristle_log *const *logs, size_t count);
/* Does it predict clearly better what was held out? */
int bristle_identified_drag_helps(const bristle_identified *with, const bristle_identified *without);
/* The exponent of the least squares between two bounds, by refits; the records have any drag. */
double bristle_identified_exponent(const bristle_identified *result, const bristle_log *const *logs, size_t count,
                                   const bristle_identify_options *options, double low, double high);
/* Deviations contain what other exponents that are as good would change; nothing where there is no drag. */
void bristle_identified_widen_by_drag(bristle_identified *result, const bristle_log *const *logs, size_t count,
                                      const bristle_identify_options *options);

/* Deviations of levels and speeds contain what another shape of a Stribeck fall that is seen would change. */
void bristle_identified_judge_fall(bristle_identified *result, const bristle_log *const *logs, size_t count,
                                   const bristle_identify_options *options);

/* Of ranked results that were tested, the one whose delay counts. */
bristle_identified *bristle_identified_of_delay(bristle_identified *const *results, int count);

/* Compares the linear parameters of a result with those that instruments made of the reference ask for, where every
   record has one: noise of the motion that a controller feeds back biases least squares. Widens the deviations by a
   clear difference. The records must have gone through bristle_campaign_prepare. */
void bristle_identified_instruments(bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                                    const bristle_identify_options *options, const bristle_campaign *campaign);

/* The delay of the force, in s, that explains most of what a tested result leaves; 0: none. */
double bristle_identified_late(bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                               const bristle_identify_options *options, const bristle_campaign *campaign);

/* Looks for friction and force over the position in what a result leaves: fills `over`, with no knots where there is
   nothing. A table lowers the error of samples that were held out from `before` to `after`. Returns how many there are.
 */
int bristle_identified_places(const bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                              bristle_places over[BRISTLE_OVERS], double *before, double *after);
/* Is this estimate a knot of a table? They are shown together, not one by one. */
int bristle_identified_is_knot(const bristle_identified *result, int k);
/* The table of a result: where its knots are, their values and deviations, BRISTLE_KNOTS at most. Returns how many; 0:
   there is no such table. */
int bristle_identified_over(const bristle_identified *result, bristle_over kind, double *position, double *value,
                            double *deviation);

/* What the residuals ask for (position, delay), and whether the records show friction at all: fills `finding`. */
void bristle_identified_diagnose(bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                                 const bristle_identify_options *options);

/* What no law with a single bristle explains at the reversals of the records. */
typedef struct bristle_reversals {
  const bristle_law *law; /* the one that explains most of it; NULL: there is nothing of that kind */
  size_t turns;
  double missed, sliding; /* what it misses after all reversals alike, and its error in motion; rms in N */
} bristle_reversals;

/* Looks whether presliding and sliding together are too much for the laws with a single bristle, where none of the
   results explains the samples at reversals: elements in parallel may. Nonzero: so it is. */
int bristle_identified_reversals(bristle_identified *const *results, int count, const bristle_log *const *logs,
                                 size_t log_count, const bristle_identify_options *options, bristle_reversals *found);
/* Tells that among the findings of a diagnosed result, and ends with the advice, unless elements have done it. */
void bristle_identified_tell_reversals(bristle_identified *result, const bristle_reversals *found, const char *advice);

/* The contact that was found; it points to the parameters of the result. */
bristle_contact bristle_identified_contact(const bristle_identified *result);
/* The force that the result predicts at each sample of a log, all terms included. */
bristle_fault_kind bristle_identified_force(const bristle_identified *result, const bristle_log *log, double *force,
                                            bristle_fault *fault);
/* How much of that force (rms) depends on what the motion does between the samples, which a log does not say. */
double bristle_identified_between_samples(const bristle_identified *result, const bristle_log *log);

/* The same beside what was measured, behind the filter of the record: the model's force, measured - model, and the
   measured force less the terms. NaN where no filter has settled. Each has log->count places. */
bristle_fault_kind bristle_identified_compare(const bristle_identified *result, const bristle_log *log, double *model,
                                              double *residual, double *friction, bristle_fault *fault);
/* The error of a model on a record: of the samples that move, where these are known, every n-th where it is decimated.
 */
typedef struct bristle_errors {
  size_t rows;
  double rms, relative, largest; /* relative: |residual|/|force| */
  double noise;                  /* of the force, behind the filter of the record */
} bristle_errors;
bristle_fault_kind bristle_residual_errors(const bristle_log *log, const double *residual, bristle_errors *errors,
                                           bristle_fault *fault);

/* What the terms of a result add up to at a sample, without the skew, which is friction of a direction. */
double bristle_identified_beside(const bristle_identified *result, const bristle_log *log, size_t i);

/* Profile likelihood: the parameter fixed at `count` values between lo and hi, all others fitted again; cost[i] is the
   ratio of its sum of squares to that of the best fit. */
bristle_fault_kind bristle_identify_profile(const bristle_identified *result, const bristle_log *const *logs,
                                            size_t log_count, const bristle_identify_options *options, const char *name,
                                            int count, double lo, double hi, double *value, double *cost,
                                            bristle_fault *fault);

/* No law may end worse than one that it contains, or than itself without a term: such results are fitted again from the
   optimum of the smaller one, and replaced. */
void bristle_identified_mend(bristle_identified **results, int count, const bristle_log *const *logs, size_t log_count,
                             const bristle_log *validation, const bristle_identify_options *options);

/* Is the error of the validation record much worse than that of held-out pieces of the fitted records? Then the model
   does not carry over: more than twice as large, as a force and as a part of the force, more than three deviations
   above the errors of single blocks, and more than 2 % of the force. */
int bristle_identified_fails_validation(const bristle_identified *result);
/* What the force of a validation record comes later by than in the fitted records, in s, where that explains most of
   what the result misses there; negative: earlier; 0: it does not. */
double bristle_identified_validation_delay(const bristle_identified *result, const bristle_log *validation);

/* A law is whole when the data determine what makes it more than a smaller law: levels, stiffness, the Stribeck speed.
   Damping and viscous friction may be absent. */
int bristle_identified_is_whole(const bristle_identified *result);
/* Best first: by what was held out, else by validation, else by BIC; but of those that what was held out cannot tell
   from the best, the one with the fewest fitted numbers leads. */
void bristle_identified_rank(bristle_identified **results, int count);
/* Samples that start, stop or turn are not explained as motion is, beyond the noise of the force: what is said of the
   error is said of motion. */
int bristle_identified_misses_slow(const bristle_identified *result, double noise);
/* Sentences for the reader, with the most important first; returns how many of `max` were written. */
int bristle_identified_verdict(const bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                               char (*sentence)[240], int max);

/* ---- model files ---- */

/* A file that `friction: {file: ...}` reads: values with units and deviations, and where they come from. */
bristle_fault_kind bristle_identified_write(const bristle_identified *result, const bristle_log *const *logs,
                                            size_t log_count, const char *settings, const char *path,
                                            bristle_fault *fault);

/* How the records of a model were read, from its file. All zero where the file does not say. */
enum { BRISTLE_MODEL_DIGESTS = 64 };
typedef struct bristle_model_reading {
  int known;
  char column[BRISTLE_CHANNELS][100]; /* as bristle_log_options have them; "": recognised */
  double lead, radius, rate, delay, from, to;
  int inverse; /* the force moves a mass as well */
  double rms;  /* the error of the model, N */
  bristle_conditioning conditioning;
  int digests;
  char digest[BRISTLE_MODEL_DIGESTS][65]; /* of the first records */
} bristle_model_reading;
bristle_fault_kind bristle_model_reading_read(const char *path, bristle_model_reading *reading, bristle_fault *fault);
/* Relative standard deviations of its parameters: NaN where the file has none, infinite where it says not determined.
 */
bristle_fault_kind bristle_model_deviations(const char *path, const bristle_info *info, double *deviation,
                                            bristle_fault *fault);
/* Was the model identified from this file? */
int bristle_model_reading_saw(const bristle_model_reading *reading, const char *digest);
/* A record read and conditioned like those of the model. Options that are given, a cut-off and a decimation among them,
   come first; `terms` are those of the model, for files that do not say how: then the record decides as in an
   identification. */
bristle_fault_kind bristle_model_log(const char *path, const bristle_model_reading *reading,
                                     const bristle_log_options *options, const bristle_identify_options *terms,
                                     bristle_campaign *campaign, bristle_log **log, bristle_fault *fault);

#endif
