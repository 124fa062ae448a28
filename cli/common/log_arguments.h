/* The options that say how a log is read, the same for every verb that takes one. */
#ifndef CLI_LOG_ARGUMENTS_H
#define CLI_LOG_ARGUMENTS_H

#include "lab/identify.h"
#include "verb.h"

/* Tables whose places are those of bristle_log_options: what every such verb has, and --rate and --term. */
extern const option log_options[], log_more_options[];
/* What only shows when all were read. 0, or USAGE with a message. */
int log_check(const bristle_log_options *reading);

/* The notes of a log name flags instead of options. */
void log_notes_as_flags(bristle_log *log);

#endif
