/* Identification: from measured motion and force to friction laws with their parameters, ranked, with deviations.
 *
 *   #include <bristle/identify.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     bristle_identification *fit = bristle_identification_open();
 *     bristle_fault fault;
 *     double fc = 0, deviation = 0;
 *     bristle_fault_kind kind = bristle_identification_set(fit, "log", "examples/compare/loops.csv", &fault);
 *     if (!kind) kind = bristle_identification_set(fit, "model", "dahl", &fault);
 *     if (!kind) kind = bristle_identification_run(fit, &fault);
 *     if (!kind) kind = bristle_identification_number(fit, 0, "fc", &fc, &deviation, &fault);
 *     printf("fc %.3f +- %.3f N %s\n", fc, deviation, kind ? fault.what : bristle_identification_doubt(fit));
 *     bristle_identification_close(fit);
 *   }
 * It prints "fc 1.225 +- 0.025 N ".
 *
 * What `bristle identify` does, from a program: its options have the same names and take the same texts, with
 * underscores for dashes. The same files and options give the same result, whatever the number of threads.
 */
#ifndef BRISTLE_IDENTIFY_H
#define BRISTLE_IDENTIFY_H

#include "bristle/io.h"

BRISTLE_BEGIN

typedef struct bristle_identification bristle_identification;

/* With the usual options: an offset is fitted, mass and gravity where the logs ask for them. NULL: no memory. */
bristle_identification *bristle_identification_open(void);
void bristle_identification_close(bristle_identification *fit); /* NULL is fine */

/* Sets an option before the run; all texts are copied. "log" is a file, and may be given several times, like "term",
   "free", "fix" and "set". The others: validate, model, mass, inertia, offset, gravity, skew, load_form, objective,
   floor, time, position, velocity, acceleration, force, load, weight, reference, lead, radius, rate, from, to, cutoff,
   delay, decimate, folds, seed, threads, rig, compare, free_decay ("1"), stiffness; and settings, a line that pages and
   model files quote. */
bristle_fault_kind bristle_identification_set(bristle_identification *fit, const char *option, const char *value,
                                              bristle_fault *fault);
/* `progress` is called from one thread at a time with the part that is done; nonzero stops the run. */
void bristle_identification_watch(bristle_identification *fit, int (*progress)(void *context, double part),
                                  void *context);
/* Reads, fits, ranks and doubts; once. A result with a doubt is no fault. */
bristle_fault_kind bristle_identification_run(bristle_identification *fit, bristle_fault *fault);

/* Why the best law must not be used, as a sentence; "": nothing speaks against it. */
const char *bristle_identification_doubt(const bristle_identification *fit);
/* The laws that were fitted, best first, from place 0 on; NULL after the last. */
const bristle_law *bristle_identification_law(const bristle_identification *fit, int place);
/* A number of a law: "sigma0", "k[2]", "mass", "offset". Either pointer may be NULL. The standard deviation is infinite
   where the logs do not determine the number, 0 where it was given. */
bristle_fault_kind bristle_identification_number(const bristle_identification *fit, int place, const char *name,
                                                 double *value, double *deviation, bristle_fault *fault);

typedef enum bristle_identification_format {
  BRISTLE_IDENTIFICATION_MODEL, /* a file for `friction: {file: model.yaml}` and bristle_friction_file_read */
  BRISTLE_IDENTIFICATION_PAGE,  /* HTML that needs no other file */
  BRISTLE_IDENTIFICATION_JSON,  /* everything */
  BRISTLE_IDENTIFICATION_TEXT   /* a summary */
} bristle_identification_format;
/* `path` NULL is the standard output. */
bristle_fault_kind bristle_identification_write(const bristle_identification *fit, bristle_identification_format format,
                                                const char *path, bristle_fault *fault);

BRISTLE_END
#endif
