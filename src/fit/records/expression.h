/* Arithmetic of columns: "ddq2*cos(q1-q2)"; not installed. */
#ifndef BRISTLE_FIT_EXPRESSION_H
#define BRISTLE_FIT_EXPRESSION_H

#include "io/support.h"

enum { EXPRESSION_STEPS = 64, EXPRESSION_DEPTH = 24 };

/* A program for a stack: what each step does, and its number or the place of its column. */
typedef struct expression {
  int steps;
  struct {
    char what;
    double number;
    int place;
  } step[EXPRESSION_STEPS];
} expression;

/* The place of a column, differentiated `order` times; negative: there is no such column. */
typedef int (*expression_find)(void *context, const char *name, size_t length, int order);

/* + - * / ^ ( ), sin cos tan abs sqrt exp sign, d(column) and dd(column), numbers, columns. A name that begins with d
   or dd is a derivative where no column is called so. Names with other characters than letters, digits, _ . [ ] # and %
   stand in `back quotes`. */
bristle_fault_kind expression_read(const char *text, expression_find find, void *context, expression *to,
                                   bristle_fault *fault);
double expression_value(const expression *e, const double *const *column, size_t i);
/* Does it contain a sign? */
int expression_jumps(const expression *e);

#endif
