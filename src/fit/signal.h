/* What the signal functions share. */
#ifndef BRISTLE_FIT_SIGNAL_H
#define BRISTLE_FIT_SIGNAL_H

#include "bristle/fit.h"

#define PI 3.14159265358979323846

/* a fault that names the first sample that is no finite number, or none */
bristle_fault_kind signal_check(const double *y, size_t count, bristle_fault *fault);
bristle_fault_kind signal_no_memory(bristle_fault *fault);

#endif
