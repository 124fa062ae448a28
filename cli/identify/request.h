/* What the command line says to `bristle identify`, for its parts. */
#ifndef CLI_IDENTIFY_REQUEST_H
#define CLI_IDENTIFY_REQUEST_H

#include "lab/study.h"
#include "common/verb.h"

typedef struct identify_request {
  const char *input[BRISTLE_STUDY_LOGS + 1], *output, *report, *model, *validate, *profile, *rig, *compare;
  const char *set[MOST_SETS + 1];
  char next[600]; /* what the page says to do with the model */
  bristle_study_words words;
  int json, quiet, trust, free_decay;
  int objective, load_form; /* 1 + their number; 0: not given */
  int starts, candidates;   /* 0: not given, -1: none */
  long long seed, decimate, folds, threads;
  double floor;
  bristle_log_options reading;
  bristle_study_request asked; /* all of it, for the library */
  bristle_study *study;
} identify_request;

extern const option identify_options[];
extern const option_conflict identify_conflicts[];
/* Makes `asked` of the rest. 0, or an exit code with a message on stderr. */
int identify_arguments(identify_request *q);

#endif
