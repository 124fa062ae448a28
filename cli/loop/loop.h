/* What the files of `bristle loop` share. */
#ifndef CLI_LOOP_H
#define CLI_LOOP_H

#include "lab/loops.h"
#include "lab/units.h"

enum { LOOP_POINTS = 1000, LOOP_CURVE = 21 };

typedef struct loop_shown {
  const bristle_contact *contact;
  double load, amplitude, tolerance, period;
  int rotary;
  bristle_cycle_measured limit;
} loop_shown;

/* A page with the loop and the limiting cycle time over the amplitude; an exit code. */
int loop_report(const loop_shown *shown, const char *path);

#endif
