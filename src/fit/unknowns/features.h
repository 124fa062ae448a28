/* What the data say before any law is fitted; not installed. */
#ifndef BRISTLE_FIT_FEATURES_H
#define BRISTLE_FIT_FEATURES_H

#include "lab/identify.h"

typedef struct features {
  double mass, offset;             /* by linear regression, where the balance has them */
  double dry, peak, fall, viscous; /* the Stribeck curve through the samples: level, static level, speed */
  double stiffness;                /* after reversals */
  double slow, fast;               /* speeds that occur */
  double high;                     /* 98 % of the moving samples are slower */
  double travel;                   /* between the ends of the motion */
  double step, duration;           /* s */
  double size;                     /* largest |friction| */
  double load;                     /* mean normal load, 1 without one */
  int slow_fall;                   /* of the options: Stribeck speeds may be as large as those that occur */
  int resolved;                    /* the bend after reversals spans several samples */
} features;

bristle_fault_kind features_find(features *f, const bristle_log *const *logs, size_t count,
                                 const bristle_identify_options *options, bristle_fault *fault);

#endif
