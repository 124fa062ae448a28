/* What a fit makes small. An objective is one file here with one descriptor, and one line in objectives.def. */
#ifndef FIT_OBJECTIVE_H
#define FIT_OBJECTIVE_H

#include "lab/identify.h"

typedef struct objective {
  const char *name;
  /* Residuals are divided by the force, but never by less than this; NULL: they are taken as they are. `largest` is the
     largest force of all records. */
  double (*least_force)(const bristle_identify_options *options, double largest);
  /* The loss of one search. It is repeated, each time from where the last one ended, with the size that an ordinary
     residual has there; `full`: the last and longest search of a law. NULL: plain squares, one search. */
  void (*loss)(int round, int full, double ordinary, bristle_fit_options *options);
  int rounds; /* of the full search; all others have two */
} objective;

const objective *objective_of(bristle_objective which);

#endif
