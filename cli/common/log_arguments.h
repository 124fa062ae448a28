/* The options that say how a log is read, the same for every verb that takes one. */
#ifndef CLI_LOG_ARGUMENTS_H
#define CLI_LOG_ARGUMENTS_H

#include "bristle/identify.h"

/* Reads --time, --position, --velocity, --acceleration, --force, --load, --weight, --reference, --rate (not of plan),
   --join, --term (not of plan), --cutoff, --delay, --from or --to at argv[*i] and advances *i. Returns -1 when it is
   none of them, 0, or an exit code with a message on stderr. */
int log_argument(bristle_log_options *reading, const char *verb_name, int argc, char **argv, int *i);

#endif
