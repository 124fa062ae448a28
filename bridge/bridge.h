/* Models in other people's tools: a family of formats, each one file and one line in formats.def. A format sees the
 * public headers and the texts of the laws; no law is written again. */
#ifndef BRIDGE_H
#define BRIDGE_H

#include "lab/io.h"
#include "lab/units.h"

#include <stddef.h>

/* options that only some formats take */
enum {
  BRIDGE_SINGLE = 1,
  BRIDGE_SAMPLE_TIME = 2,
  BRIDGE_COMPENSATE = 4,
  BRIDGE_SHAPE = 8,
  BRIDGE_LOAD = 16,
  BRIDGE_DATA = 32,
  BRIDGE_LAWS = 64 /* not an option: `model` is a list of laws, and there is no friction */
};

typedef struct bridge_request {
  const bristle_friction *friction; /* NULL for formats of laws */
  const char *model;                /* as the user named it: a law or a file, or a list of laws */
  const char *const *set;           /* "fc=2 N", what the user said beside it; ends with NULL; or NULL */
  const char *output;               /* its name ends as the format's files do */
  const char *version;              /* of the tool */
  const char *origin;               /* where the parameters come from, "" when nothing is known */
  const char *shape;                /* of an FMU: element, body, servo; NULL when not given */
  const char *data;                 /* a log whose motion tells what a poor target costs; NULL when not given */
  double sample_time;               /* s; 0: not given */
  double load;                      /* normal load for targets that have none; 0: not given */
  int single, compensate;
} bridge_request;

enum { BRIDGE_FILES = 6, BRIDGE_NOTES = 16, BRIDGE_NOTE_SIZE = 320 };

/* What was written, and what the target cannot represent. */
typedef struct bridge_result {
  char file[BRIDGE_FILES][512];
  int files;
  char lost[BRIDGE_NOTES][BRIDGE_NOTE_SIZE];
  int losses;
  char note[BRIDGE_NOTES][BRIDGE_NOTE_SIZE];
  int notes;
} bridge_result;

typedef struct bridge_format {
  const char *name, *summary, *ending; /* "c99"; what it is for; ".c" */
  unsigned options;
  bristle_fault_kind (*write)(const bridge_request *q, bridge_result *r, bristle_fault *fault);
} bridge_format;

int bridge_format_count(void);
const bridge_format *bridge_format_at(int index);
const bridge_format *bridge_format_find(const char *name); /* NULL if there is none */

/* What a model file says about itself, as lines; "" when it says nothing, NULL without memory. Belongs to the caller.
 */
char *bridge_origin(const char *path);

/* Does the format take these options, and is the output named like its files? */
bristle_fault_kind bridge_check(const bridge_format *format, const bridge_request *q, bristle_fault *fault);
/* Checks the request, then writes all files or none. */
bristle_fault_kind bridge_export(const bridge_format *format, const bridge_request *q, bridge_result *r,
                                 bristle_fault *fault);

#endif
