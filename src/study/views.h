/* What the best law says of each record, sample by sample: for the page, the summary and the JSON. */
#ifndef CLI_IDENTIFY_VIEWS_H
#define CLI_IDENTIFY_VIEWS_H

#include "lab/identify.h"

#include <stddef.h>

typedef struct study_view {
  const bristle_log *log;
  int is_validation;
  double *model, *residual, *friction; /* NaN where no filter has settled */
  bristle_errors error;
} study_view;

/* NULL: no memory. `validation` comes last and may be NULL. */
study_view *study_views_make(const bristle_identified *best, bristle_log *const *logs, size_t count,
                             const bristle_log *validation);
void study_views_free(study_view *views, size_t count); /* NULL is fine */
int study_view_moves(const study_view *view, size_t i);
/* Places of the fitted records with the smallest, the median and the largest error, each once; returns how many. */
int study_views_choose(const study_view *views, size_t count, size_t chosen[3]);

#endif
