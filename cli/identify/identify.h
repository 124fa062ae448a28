/* What the verb `identify` was asked for and what it found, for its parts. */
#ifndef CLI_IDENTIFY_H
#define CLI_IDENTIFY_H

#include "bristle/decay.h"
#include "bristle/identify.h"
#include "bristle/rig.h"
#include "common/verb.h"
#include "views.h"

enum { IDENTIFY_LOGS = 64, IDENTIFY_LAWS = 64, IDENTIFY_SENTENCES = 16, IDENTIFY_PROFILE = 25, IDENTIFY_FREES = 16 };

/* What --rig was asked for. */
typedef struct identify_rigging {
  int experiment; /* the file lists its runs and unknowns; otherwise it is a scenario */
  bristle_range ranges[IDENTIFY_FREES];
  int frees, free_start;
  const char *log[IDENTIFY_LOGS + 1];
  bristle_rig_request request;
} identify_rigging;

typedef struct identification {
  bristle_log_options reading;
  bristle_identify_options fitting;
  bristle_identify_options asked; /* the same before the records had their say */
  bristle_log *log[IDENTIFY_LOGS], *validation;
  bristle_campaign campaign;
  size_t logs;
  double *given_load[IDENTIFY_LOGS + 1]; /* loads that are the same for a whole file */
  int given_loads;
  const bristle_law *law[IDENTIFY_LAWS]; /* to be fitted */
  int laws;
  bristle_identified *result[IDENTIFY_LAWS]; /* best first */
  int results;
  char failed[IDENTIFY_LAWS][240]; /* laws that could not be fitted, and why */
  int failures;
  char settings[600]; /* the command, for the record */
  char doubt[300];    /* why the best result is not to be used, as a sentence; or "" */
  int contradicted;   /* because of the validation record alone */
  int doubt_code;     /* and the exit code of that: the data are bad, or the result is not convincing */
  int skew_is_given;
  int laws_are_given;
  int skewed_levels; /* laws are fitted with their own friction for each direction */
  int free_decay;    /* there is no force: the motion was free */
  bristle_decay_options decaying;
  bristle_decay *decay; /* or NULL */
  const char *rig;      /* file of what is simulated, or NULL */
  identify_rigging rigging;
  bristle_motion *motion; /* or NULL */
  identify_view *view;    /* the records as the best law sees them, validation last; NULL where motion is compared */
  /* profile likelihood of the best model, or no points */
  const char *profile_name, *profile_unit;
  int profile_count;
  double profile_value[IDENTIFY_PROFILE], profile_cost[IDENTIFY_PROFILE];
} identification;

/* What the command line says. */
typedef struct identify_request {
  const char *input[IDENTIFY_LOGS + 1], *model, *validate, *output, *report, *profile, *rig, *compare;
  const char *mass, *inertia, *offset, *gravity, *skew, *stiffness; /* "free", "none" or a quantity; or NULL */
  const char *fix[BRISTLE_IDENTIFY_NAMES], *free[BRISTLE_IDENTIFY_NAMES], *set[MOST_SETS + 1];
  size_t inputs;
  int json, quiet, trust, free_decay;
  int objective, load_form; /* 1 + their number; 0: not given */
  int starts, candidates;   /* 0: not given, -1: none */
  long long seed, decimate, folds, threads;
  double floor;
  bristle_log_options reading;
  identification *id; /* what becomes of it */
} identify_request;

/* These return 0, or an exit code with a message on stderr. */
extern const option identify_options[];
extern const option_conflict identify_conflicts[];
int identify_arguments(identification *id, identify_request *q); /* from the request to the work */
int identify_read(identification *id, const identify_request *q);
int identify_laws(identification *id, const char *list); /* "lugre,dahl", "all", or NULL for the usual ones */
int identify_fit(identification *id);
/* Once more, where a delay of the force explains most of what is left. */
int identify_delayed(identification *id);
int identify_profile(identification *id, const char *name);
int identify_report(const identification *id, const char *path);
/* Why there is no result. */
int identify_no_result(const identification *id);

/* Is there a record that was not fitted? */
int identify_is_validated(const identification *id);

void identify_json(const identification *id, FILE *out);
void identify_text(const identification *id, FILE *out);

/* "lugre", or "lugre + skew" when that term was fitted. */
void identify_name(const bristle_identified *r, char text[64]);
/* Is there an error of samples that start, stop or turn? It is shown apart. */
int identify_has_slow(const identification *id);
/* The 95 % interval of an estimate. What is positive has one on the logarithmic scale, that never reaches zero; others
   end at their bounds. */
void identify_interval(const bristle_identified *r, int k, double interval[2]);
/* The unit of its residuals: of a force, or of the motion where that is compared. */
const char *identify_unit(const bristle_identified *r);
/* What an estimate is times, where that is a column of the records' own; else "". */
const char *identify_times(const bristle_identified *r, int k);
/* "12.3 +- 0.4": as many digits as the deviation allows. */
void identify_number(const bristle_estimate *x, char text[64]);

#endif
