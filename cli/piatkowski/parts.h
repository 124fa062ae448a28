/* What the parts of the page share. */
#ifndef CLI_PIATKOWSKI_PARTS_H
#define CLI_PIATKOWSKI_PARTS_H

#include "piatkowski.h"

#include "lab/loops.h"
#include "io/support.h"

enum { LOOPS = 3, LOOP_SAMPLES = 1500 };
#define PIATKOWSKI_FLOOR 0.05 /* of the relative errors */

/* Two cycles from the virgin state. `record` points into it: do not copy it. */
typedef struct loop_data {
  double x[LOOP_SAMPLES], f[LOOP_SAMPLES], v[LOOP_SAMPLES];
  bristle_loop_record record;
} loop_data;

/* Under a load of 1. */
void piatkowski_loop(loop_data *l, const bristle_contact *contact, double amplitude, double period);
/* The sections about loads. */
bristle_fault_kind piatkowski_loads(bristle_report *report, piatkowski_numbers *numbers, bristle_fault *fault);

#endif
