/* What the command line says to `bristle identify`, for its parts. */
#ifndef CLI_IDENTIFY_REQUEST_H
#define CLI_IDENTIFY_REQUEST_H

#include "bristle/study.h"
#include "common/verb.h"

enum { IDENTIFY_FREES = 16 };

typedef struct identify_request {
  const char *input[BRISTLE_STUDY_LOGS + 1], *output, *report, *model, *validate, *profile, *rig, *compare;
  const char *mass, *inertia, *offset, *gravity, *skew, *stiffness; /* "free", "none" or a quantity; or NULL */
  const char *fix[BRISTLE_IDENTIFY_NAMES], *free[BRISTLE_IDENTIFY_NAMES], *set[MOST_SETS + 1];
  int json, quiet, trust, free_decay;
  int objective, load_form; /* 1 + their number; 0: not given */
  int starts, candidates;   /* 0: not given, -1: none */
  long long seed, decimate, folds, threads;
  double floor;
  bristle_log_options reading;
  bristle_range ranges[IDENTIFY_FREES]; /* what --free says with bounds, or with --rig */
  bristle_study_request asked;          /* all of it, for the library */
  bristle_study *study;
} identify_request;

extern const option identify_options[];
extern const option_conflict identify_conflicts[];
/* Makes `asked` of the rest. 0, or an exit code with a message on stderr. */
int identify_arguments(identify_request *q);

#endif
