/* A plan as the command line needs it: the request, what was found, and its three outputs. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "bristle/io.h"
#include "bristle/plan.h"

#include <stdio.h>

enum { MOST_PLAN_LOADS = 16 };

typedef struct plan_request {
  const char *model, *data, *output, *scenario;
  const char *wanted;                           /* "sigma0,fc", or NULL */
  const char *speed, *stroke, *rate, *duration; /* quantities as given, or NULL */
  const char *noise, *goal, *loads;             /* the same */
  int json, argc;
  char **argv; /* for --set and the columns of the data */
} plan_request;

typedef struct plan_job {
  bristle_friction friction;
  int wanted[BRISTLE_FRICTION_SIZE];
  bristle_plan_contact contact;
  bristle_plan_limits limits;
  double load[MOST_PLAN_LOADS];
  int has_record;
  bristle_information record; /* what the data tell already */
  double record_duration;
  bristle_plan *plan;
} plan_job;

void plan_print(const plan_job *job, const plan_request *q, FILE *out);
void plan_print_json(const plan_job *job, const plan_request *q, FILE *out);
/* The motion as CSV, and a scenario that runs it with the law. */
bristle_fault_kind plan_write_motion(const plan_job *job, const char *path, bristle_fault *fault);
bristle_fault_kind plan_write_scenario(const plan_job *job, const char *path, const char *motion_path,
                                       bristle_fault *fault);

#endif
