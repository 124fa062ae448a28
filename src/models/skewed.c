/* Every law once more, with its own friction for each direction; apart from the registry, so that programs that do not
   ask for it do not carry it. */
#include "bristle/bristle.h"

#define BRISTLE_LAW(name)                                                                            \
  extern const bristle_model bristle_##name##_skewed_model;                                          \
  extern const bristle_model_f32 bristle_##name##_skewed_model_f32;                                  \
  extern const bristle_diff bristle_##name##_skewed_diff;
#include "models/models.def"
#undef BRISTLE_LAW

#ifdef BRISTLE_LEAN /* in double precision only */
#define SINGLE(name) 0
#else
#define SINGLE(name) &bristle_##name##_skewed_model_f32
#endif
#ifdef BRISTLE_NO_DIFF /* targets without a C++ compiler */
#define DIFF(name) 0
#else
#define DIFF(name) &bristle_##name##_skewed_diff
#endif

static const bristle_law skewed[] = {
#define BRISTLE_LAW(name) { #name, &bristle_##name##_skewed_model, SINGLE(name), DIFF(name) },
#include "models/models.def"
#undef BRISTLE_LAW
};

const bristle_law *bristle_law_skewed(const bristle_law *law)
{
  for (int i = 0; i < bristle_law_count(); i++)
    if (bristle_law_at(i) == law || &skewed[i] == law) return &skewed[i];
  return NULL;
}
