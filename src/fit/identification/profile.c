/* Profile likelihood: what the rest of the parameters can make up for when one of them is moved. */
#include "lab/identify.h"
#include "io/support.h"
#include "maths/elementary.h"

bristle_fault_kind bristle_identify_profile(const bristle_identified *result, const bristle_log *const *logs,
                                            size_t log_count, const bristle_identify_options *options, const char *name,
                                            int count, double lo, double hi, double *value, double *cost,
                                            bristle_fault *fault)
{
  bristle_identify_options held = *options;
  int place = 0, logarithmic = lo > 0 && hi / lo > 3;
  const bristle_row *row = bristle_param_find(result->law->f64->info, name);
  if (!row || row->count != 1 || row->kind == BRISTLE_ROW_OPTION)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "name a single parameter of the law", "there is no profile of '%.40s'",
                     name);
  while (place < BRISTLE_IDENTIFY_NAMES - 1 && held.fixed[place]) place++;
  held.start = result->p;
  held.slow_fall = result->slow_fall;
  held.folds = -1;
  held.progress = NULL;
  for (int i = 0; i < count; i++) {
    bristle_identified *one = NULL;
    double part = count > 1 ? i / (count - 1.0) : 0;
    value[i] = logarithmic ? lo * pow(hi / lo, part) : lo + (hi - lo) * part;
    held.fixed[place] = name;
    held.fixed_value[place] = value[i];
    cost[i] = HUGE_VAL; /* no such parameter set: fs below fc, for example */
    if (!bristle_identify(result->law, logs, log_count, NULL, &held, &one, fault))
      cost[i] = pow(one->fitted_rms / result->fitted_rms, 2);
    bristle_identified_free(one);
  }
  return BRISTLE_FAULT_NONE;
}
