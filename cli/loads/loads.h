/* Models at several normal loads, for the outputs of `bristle loads`. */
#ifndef CLI_LOADS_H
#define CLI_LOADS_H

#include "lab/loads.h"

enum { MOST_LOADS = 32 };

/* One parameter at all loads. */
typedef struct loads_column {
  const bristle_row *row;
  double n[MOST_LOADS], value[MOST_LOADS], deviation[MOST_LOADS];
  bristle_load_series series;
  bristle_load_law law;
  int constant;    /* the same everywhere, to the last digit: held, not fitted */
  char fault[200]; /* why there is no rule, or "" */
} loads_column;

typedef struct loads_answer {
  const bristle_info *info;
  int rotary, count; /* of columns */
  loads_column column[BRISTLE_LAW_SIZE];
} loads_answer;

/* A page with each parameter over the load. 0, or FAILED with a message on stderr. */
int loads_report(const loads_answer *a, const char *path);

#endif
