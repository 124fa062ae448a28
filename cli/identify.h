/* What the verb `identify` found, for its outputs. */
#ifndef CLI_IDENTIFY_H
#define CLI_IDENTIFY_H

#include "bristle/identify.h"

enum { IDENTIFY_LOGS = 64, IDENTIFY_LAWS = 64, IDENTIFY_SENTENCES = 16, IDENTIFY_PROFILE = 25 };

typedef struct identification {
  bristle_log_options reading;
  bristle_identify_options fitting;
  bristle_log *log[IDENTIFY_LOGS], *validation;
  size_t logs;
  bristle_identified *result[IDENTIFY_LAWS]; /* best first */
  int results;
  char failed[IDENTIFY_LAWS][240]; /* laws that could not be fitted, and why */
  int failures;
  char settings[600]; /* the command, for the record */
  /* profile likelihood of the best model, or no points */
  int skew_is_given;
  const char *profile_name;
  int profile_count;
  double profile_value[IDENTIFY_PROFILE], profile_cost[IDENTIFY_PROFILE];
} identification;

void identify_json(const identification *id, FILE *out);
/* 0, or FAILED with a message on stderr. */
int identify_report(const identification *id, const char *path);
/* "lugre", or "lugre + skew" when that term was fitted. */
void identify_name(const bristle_identified *r, char text[64]);
/* "12.3 +- 0.4": as many digits as the deviation allows. */
void identify_number(const bristle_estimate *x, char text[64]);

#endif
