/* Rows of residuals on their way from a law's walk to a solver; not installed. */
#ifndef BRISTLE_FIT_SHEET_H
#define BRISTLE_FIT_SHEET_H

#include "fit/residuals/experiment.h"

/* Where rows go: to a solver with their derivatives, or into plain arrays. */
typedef struct receiver {
  bristle_rows *rows;
  double *residual, *measured; /* measured may be NULL */
  double *jacobian;            /* row by row, or NULL */
  size_t *slot;                /* or NULL */
  size_t count;                /* rows so far */
  size_t slots;                /* rows so far, those that do not count included */
} receiver;

/* Columns of one stretch, or of a block of it: residual, measured force, derivatives by the unknowns. Where rows are
   selected, the law stands apart, sample by sample: the filter needs all of them, and few become rows. */
typedef struct sheet {
  size_t room, filled;
  int columns;
  double *data; /* column after column, `room` apart */
  double *weight;
  size_t *slot; /* of each row, among all rows in time */
  double *law;  /* with slots: force and derivatives of the law alone, `length` apart */
  size_t length;
} sheet;

static inline double *column_of(const sheet *s, int column) { return s->data + (size_t)column * s->room; }
static inline double *law_of(const sheet *s, int column) { return s->law + (size_t)column * s->length; }

/* Room for the longest stretch of the records, or for a block where rows need no more; nonzero: no memory. Free it
   then, too. */
int sheet_make(const experiment *e, int columns, int derivatives, sheet *s);
void sheet_free(sheet *s);
/* Passes `count` rows on. */
void sheet_pour(const experiment *e, sheet *s, receiver *to, size_t count);
/* From the law along a whole stretch, behind the filter of the record: it gets the terms and loses the measured force;
   rows that do not count for this law fall out, and of the others every `decimate`-th is left. Without derivatives
   there may be columns for them, all zero. Nonzero: no memory. */
int sheet_select(const experiment *e, const bristle_log *log, size_t stretch, const double *value, int derivatives,
                 sheet *s, receiver *to);

#endif
