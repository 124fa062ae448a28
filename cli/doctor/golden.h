/* Do the laws give the bits that every build must give? */
#ifndef DOCTOR_GOLDEN_H
#define DOCTOR_GOLDEN_H

typedef struct golden_result {
  int equal, different, unknown; /* laws in one precision; unknown: not in the list */
  const char *first;             /* a law that differs, or NULL */
} golden_result;

golden_result golden_compare(void);

#endif
