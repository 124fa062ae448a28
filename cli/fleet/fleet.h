/* What the parts of `bristle fleet` share. */
#ifndef CLI_FLEET_H
#define CLI_FLEET_H

#include "common/cli.h"

#include "lab/fleet.h"

typedef struct fleet_request {
  const char *manifest, *many, *folder, *model, *report;
  double false_alarms, least;
  long long threads;
  int mass, json, quiet;
  bristle_log_options reading;
} fleet_request;

/* axes.csv: a row for each axis. 0, or an exit code with a message. */
int fleet_write_axes(const bristle_fleet *f, const char *folder);
void fleet_tell(const bristle_fleet *f, const bristle_fleet_options *o, const char *folder, FILE *out);
void fleet_json(const bristle_fleet *f, FILE *out);
int fleet_page(const bristle_fleet *f, const bristle_fleet_options *o, const char *path);

#endif
