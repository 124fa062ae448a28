/* What the parts of `bristle sweep` share. */
#ifndef CLI_SWEEP_H
#define CLI_SWEEP_H

#include "common/cli.h"

#include "lab/sweep.h"

typedef struct sweep_request {
  const char *spec, *folder, *check, *merge, *report;
  unsigned long long shard, shards;
  long long threads;
  int json, quiet, cuda;
} sweep_request;

/* The runs that gave no numbers, in words. `s` may be of a folder alone: then no reasons are known. */
void sweep_tell_failures(bristle_sweep *s, const bristle_sweep_summary *sum, FILE *out);
void sweep_tell(bristle_sweep *s, const char *folder, const bristle_sweep_summary *sum, FILE *out);
void sweep_json(const bristle_sweep *s, const char *folder, const bristle_sweep_summary *sum, FILE *out);
/* Writes the page; 0, or an exit code with a message. */
int sweep_page(bristle_sweep *s, const bristle_sweep_summary *sum, const char *path);

#endif
