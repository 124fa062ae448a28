/* From the end of a search to numbers with units and doubts; not installed. */
#ifndef BRISTLE_FIT_RESULT_H
#define BRISTLE_FIT_RESULT_H

#include "fit/identify.h"

bristle_fault_kind result_fill(bristle_identified *made, const experiment *e, const features *f,
                               const bristle_fit_result *fit, bristle_fault *fault);
/* Why a number is not determined, and which experiment would determine it. */
void result_explain(bristle_estimate *estimate, const bristle_row *row, const features *f);

#endif
