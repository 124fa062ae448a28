/* Targets that know a level and a damping, some also a static level: what of a model they can hold, and what is lost.
 */
#ifndef BRIDGE_PLAIN_H
#define BRIDGE_PLAIN_H

#include "parts.h"

typedef struct plain_model {
  double friction, damping; /* F = friction sgn v + damping v, the best line through the steady curve up to `fastest` */
  double resting;           /* what must be overcome to slide */
  double fastest;
} plain_model;

/* what a target holds: a level and a damping; a static level too; the whole steady curve */
typedef enum plain_target { PLAIN_LINE, PLAIN_PEAK, PLAIN_CURVE } plain_target;

/* Finds them and tells what they leave out, in numbers; with --data also the error of the force along that motion. */
bristle_fault_kind plain_reduce(const bridge_request *q, plain_target target, plain_model *plain, bridge_result *r,
                                bristle_fault *fault);
/* steady friction of the model at a speed, the mean of both directions, for targets that know no difference */
double plain_mean(const bridge_request *q, double v);

/* Writes one text file. */
bristle_fault_kind plain_write(const bridge_request *q, buffer *b, bridge_result *r, bristle_fault *fault);
/* "written by bristle ..." and where the parameters come from: lines for a comment of the target's language */
void plain_banner(buffer *b, const bridge_request *q, const char *before);

#endif
