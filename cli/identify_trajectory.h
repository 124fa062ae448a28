/* `bristle identify --rig FILE.yaml`: simulation-error fits, in files of their own. */
#ifndef CLI_IDENTIFY_TRAJECTORY_H
#define CLI_IDENTIFY_TRAJECTORY_H

#include "bristle/trajectory.h"

#include <stdio.h>

enum { TRAJECTORY_LAWS = 16 };

/* One law fitted to the runs of an experiment. */
typedef struct trajectory_found {
  const bristle_law *law;
  bristle_trajectory_result *result;
  bristle_run_error *error;        /* of each run, those fitted first */
  double fitted_error, held_error; /* means over runs of the mean error; held: NaN without such runs */
} trajectory_found;

typedef struct trajectory_job {
  const char *rig;
  bristle_trajectory_file *file;
  int count;
  trajectory_found found[TRAJECTORY_LAWS]; /* best first */
} trajectory_job;

/* The verb, when --rig is among its arguments; all of them are handed on. Returns the exit code. */
int identify_trajectory(int argc, char **argv);

/* "kg*m^2": of an unknown of the axis or of the law. */
void trajectory_unit(const trajectory_job *job, const bristle_law *law, const char *name, char *text, size_t size);
void trajectory_json(const trajectory_job *job, FILE *out);
bristle_fault_kind trajectory_write_model(const trajectory_job *job, const char *path, bristle_fault *fault);
/* 0, or FAILED with a message on stderr. */
int trajectory_report(const trajectory_job *job, const char *path);

#endif
