/* `bristle identify --rig`: simulated motion instead of a measured force, in files of its own. */
#ifndef CLI_IDENTIFY_RIG_H
#define CLI_IDENTIFY_RIG_H

#include "bristle/report.h"
#include "identify.h"

/* What the file and the options say together. 0, or an exit code with a message on stderr, as the others. */
int rig_check_arguments(identification *id, const identify_request *q);
/* Reads the scenario or the experiment and its runs, and fits the laws, best first. */
int identify_rig(identification *id, const identify_request *q);
void rig_doubt(identification *id);
void rig_text(const identification *id, FILE *out);        /* the runs, before the ranking */
void rig_text_errors(const identification *id, FILE *out); /* and their errors behind it */
void rig_json(const identification *id, FILE *out);        /* "rig": ..., "laws": [...] */

#endif
