/* The laws that exist in two and three dimensions, from the one list in vector.def. */
#include "bristle/vector.h"

#include "core/name.h"

#define BRISTLE_VECTOR_LAW(name, folder)                                                             \
  extern const bristle_vector_model bristle_##name##_vector2, bristle_##name##_vector3;              \
  extern const bristle_vector_model_f32 bristle_##name##_vector2_f32, bristle_##name##_vector3_f32;  \
  extern const bristle_vector_diff bristle_##name##_vector2_diff, bristle_##name##_vector3_diff;
#include "vector/vector.def"
#undef BRISTLE_VECTOR_LAW

#ifdef BRISTLE_NO_DIFF /* targets without a C++ compiler */
#define DIFF(name) { 0, 0 }
#else
#define DIFF(name) { &bristle_##name##_vector2_diff, &bristle_##name##_vector3_diff }
#endif

#ifdef BRISTLE_VECTOR_F32
#define SINGLE(name) { &bristle_##name##_vector2_f32, &bristle_##name##_vector3_f32 }
#else /* in double precision only */
#define SINGLE(name) { 0, 0 }
#endif

static const bristle_vector_law laws[] = {
#define BRISTLE_VECTOR_LAW(name, folder)                                                             \
  { #name,                                                                                           \
    { &bristle_##name##_vector2, &bristle_##name##_vector3 },                                        \
    SINGLE(name),                                                                                    \
    DIFF(name) },
#include "vector/vector.def"
#undef BRISTLE_VECTOR_LAW
};

enum { LAWS = sizeof laws / sizeof *laws };

int bristle_vector_law_count(void) { return LAWS; }

const bristle_vector_law *bristle_vector_law_at(int index) { return index >= 0 && index < LAWS ? &laws[index] : NULL; }

const bristle_vector_law *bristle_vector_law_find(const char *name)
{
  for (int i = 0; i < LAWS; i++)
    if (is_name(name, laws[i].name)) return &laws[i];
  return NULL;
}
