/* What the best law says of each record, sample by sample: for the page, the summary and the JSON. */
#ifndef CLI_IDENTIFY_VIEWS_H
#define CLI_IDENTIFY_VIEWS_H

#include "bristle/identify.h"

#include <stddef.h>

typedef struct identify_view {
  const bristle_log *log;
  int is_validation;
  double *model, *residual, *friction; /* NaN where no filter has settled */
  double rms, relative, largest;       /* of the samples that move */
} identify_view;

/* NULL: no memory. `validation` comes last and may be NULL. */
identify_view *identify_views_make(const bristle_identified *best, bristle_log *const *logs, size_t count,
                                   const bristle_log *validation);
void identify_views_free(identify_view *views, size_t count); /* NULL is fine */
int identify_view_moves(const identify_view *view, size_t i);
/* Places of the fitted records with the smallest, the median and the largest error, each once; returns how many. */
int identify_views_choose(const identify_view *views, size_t count, size_t chosen[3]);

#endif
