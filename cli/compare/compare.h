/* Several models on one log, for the outputs of `bristle compare`. */
#ifndef CLI_COMPARE_H
#define CLI_COMPARE_H

#include "lab/identify.h"

enum { MOST_COMPARED = 16 };

typedef struct compared {
  const char *path;
  char name[80];            /* the law, and the file where that is not enough */
  bristle_identified model; /* law, parameters and terms; nothing else in it is used */
  double *force;            /* predicted, at each sample */
  bristle_errors error;     /* as identifications have it */
  double energy;            /* work of the model's friction by the measured one */
  double between;           /* what the motion between the samples may change, where that is what the model misses */
} compared;

typedef struct comparison {
  const char *data;
  bristle_log *log;
  bristle_campaign campaign;
  bristle_model_reading reading; /* of the first model whose file says how its records were read */
  const char *reading_of;        /* that file */
  char other[300];               /* a model that was identified otherwise; or "" */
  int count;
  compared model[MOST_COMPARED]; /* as given */
  int order[MOST_COMPARED];      /* best first */
  int terms;                     /* of all models, beside mass, offset, gravity and skew */
  char term[BRISTLE_EXTRAS][160];
  const char *const *asked; /* terms of the command line, which say what those of a name are times; up to a NULL */
} comparison;

/* What a model file has beside the law: fills the model's terms and adds to those of the comparison. */
bristle_fault_kind compare_read_terms(const char *path, comparison *c, compared *m, bristle_fault *fault);

/* How the record was read and filtered. */
void compare_say_reading(const comparison *c, char *text, size_t size);
/* More than half of the force is left over otherwise. */
int compare_fits(const comparison *c);
/* Which model is best and by how much, as a sentence. */
void compare_verdict(const comparison *c, char *text, size_t size);
/* A page with curves, loops, the Stribeck curve and the errors. 0, or FAILED with a message on stderr. */
int compare_report(const comparison *c, const char *path);

#endif
