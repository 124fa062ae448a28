/* Logs with fewer samples; not installed. */
#ifndef BRISTLE_FIT_THIN_H
#define BRISTLE_FIT_THIN_H

#include "lab/identify.h"
#include "io/memory.h"

/* Every stride-th sample, with the mean velocity over the longer way; belongs to the list. */
bristle_log *log_thinned(const bristle_log *log, size_t stride, memory **list);
/* Logs with about `rows` samples in all where there are more; the same logs otherwise. NULL: no memory. */
const bristle_log *const *logs_thinned(const bristle_log *const *logs, size_t count, size_t rows, memory **list);

#endif
