/* A plan as the command line needs it: the request, what was found, and its outputs. */
#ifndef CLI_PLAN_H
#define CLI_PLAN_H

#include "lab/identify.h"
#include "lab/io.h"
#include "lab/plan.h"
#include "common/verb.h"

#include <stdio.h>

enum { MOST_PLAN_LOADS = 16 };

typedef struct plan_request {
  const char *model, *data, *output, *scenario, *report;
  const char *wanted;                           /* "sigma0,fc", or NULL */
  const char *speed, *stroke, *rate, *duration; /* quantities as given, or NULL */
  const char *noise, *goal, *loads;             /* the same */
  const char *acceleration, *jerk, *force;      /* the same */
  const char *set[MOST_SETS + 1];
  int json;
  bristle_log_options reading; /* of the data */
} plan_request;

typedef struct plan_job {
  bristle_friction friction;
  int wanted[BRISTLE_LAW_SIZE];
  bristle_contact contact;
  bristle_plan_limits limits;
  double load[MOST_PLAN_LOADS];
  int has_record;
  bristle_information record; /* what the data tell already */
  double record_duration;
  int lost[BRISTLE_LAW_SIZE]; /* not determined by the record, as the model file says */
  double record_noise;        /* of its force beside the model */
  char warning[600];          /* what the numbers rest on and should not; or "" */
  bristle_plan *plan;
} plan_job;

/* What a parameter is taken for and how accurately it will be known; relative, infinite where it is not determined. */
typedef struct plan_promise {
  const bristle_row *row;
  char name[40], value[40], unit[24];
  double number;                        /* the value */
  int lost;                             /* of the job */
  double record, planned, record_alone; /* alone: were all other parameters known */
} plan_promise;
int plan_promises(const plan_job *job, plan_promise *list); /* returns how many */
const char *plan_percent(double deviation, char text[24]);  /* "0.5 %", or "not determined" */
/* How many pieces from this one on are the same. */
int plan_piece_repeats(const plan_job *job, int first);

void plan_print(const plan_job *job, const plan_request *q, FILE *out);
void plan_print_json(const plan_job *job, const plan_request *q, FILE *out);
/* The motion as CSV, and a scenario that runs it with the law. */
bristle_fault_kind plan_write_motion(const plan_job *job, const char *path, bristle_fault *fault);
bristle_fault_kind plan_write_scenario(const plan_job *job, const char *path, const char *motion_path,
                                       bristle_fault *fault);
bristle_fault_kind plan_report(const plan_job *job, const plan_request *q, bristle_fault *fault);

#endif
