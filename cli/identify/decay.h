/* `bristle identify --free-decay`, in files of its own. */
#ifndef CLI_IDENTIFY_DECAY_H
#define CLI_IDENTIFY_DECAY_H

#include "bristle/report.h"
#include "identify.h"

/* --mass, --inertia, --gravity or --stiffness of a free motion, or NULL where it is not given. These return 0, or an
   exit code with a message on stderr. */
int decay_argument(identification *id, const char *flag, const char *value);
/* Finds the releases in the logs and fits the laws, best first. */
int identify_decay(identification *id);
void decay_doubt(identification *id);

#endif
