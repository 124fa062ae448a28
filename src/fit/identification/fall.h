/* Stribeck speeds that are larger than a quarter of the speeds that occur; not installed. */
#ifndef BRISTLE_FIT_FALL_H
#define BRISTLE_FIT_FALL_H

#include "lab/identify.h"

/* the records that a result was fitted to, and how */
typedef struct fall_records {
  const bristle_log *const *logs;
  size_t count;
  const bristle_log *validation;
  const bristle_identify_options *options;
} fall_records;

/* bristle_identify without a second thought about bounds. */
bristle_fault_kind identify_plainly(const bristle_law *law, const bristle_log *const *logs, size_t log_count,
                                    const bristle_log *validation, const bristle_identify_options *options,
                                    bristle_identified **result, bristle_fault *fault);

/* Where the bound of Stribeck speeds holds one of a result's: the law once more, from there, with a larger bound. NULL:
   there is nothing to try, or pieces that were held out do not ask for it, or the curve does not show what it falls to.
 */
bristle_identified *fall_beyond_bound(const bristle_identified *held, const fall_records *records);
/* Widens the deviations of such a fall by what another shape of the curve would change. */
void fall_judge_shape(bristle_identified *r, const fall_records *records);

#endif
