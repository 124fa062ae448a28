/* Noise on the rows of a run, to make them look like measurements. */
#ifndef CLI_NOISE_H
#define CLI_NOISE_H

#include "lab/scenario.h"

#include <stdint.h>

/* All zero is no noise. */
typedef struct noise {
  double level[BRISTLE_SIM_COLUMNS]; /* standard deviation of each column */
  uint64_t state;                    /* of the generator */
} noise;

/* "F=10 mN,x=1 um" for the columns of a run; units are those of the columns, or plain SI. */
bristle_fault_kind noise_read(const char *text, unsigned seed, int width, const bristle_sim_column *columns,
                              noise *made, bristle_fault *fault);
/* Adds to a row; the same seed gives the same numbers. */
void noise_add(noise *n, int width, double *values);

#endif
