/* Several models on one log, for the outputs of `bristle compare`. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "bristle/identify.h"

enum { MOST_COMPARED = 16 };

typedef struct compared {
  const char *path;
  char name[80];                  /* the law, and the file where that is not enough */
  bristle_identified model;       /* law, parameters and terms; nothing else in it is used */
  double *force;                  /* predicted, at each sample */
  double rms, relative, greatest; /* of the errors; relative: their length by that of the measured forces */
  double energy;                  /* work of the model by the measured one */
} compared;

typedef struct comparison {
  const char *data;
  bristle_log *log;
  int count;
  compared model[MOST_COMPARED]; /* as given */
  int order[MOST_COMPARED];      /* best first */
} comparison;

/* What stands beside the law in a model file, by the places of bristle_identified. */
extern const char *const compare_terms[BRISTLE_TERMS];

/* Which model is best and by how much, as a sentence. */
void compare_verdict(const comparison *c, char *text, size_t size);
/* A page with curves, loops, the Stribeck curve and the errors. 0, or FAILED with a message on stderr. */
int compare_report(const comparison *c, const char *path);

#endif
