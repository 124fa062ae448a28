/* Every law of the library, from the one list in models.def. */
#include "bristle/bristle.h"

#include "core/name.h"

#define BRISTLE_LAW(name)                                                                            \
  extern const bristle_model bristle_##name##_model;                                                 \
  extern const bristle_model_f32 bristle_##name##_model_f32;                                         \
  extern const bristle_diff bristle_##name##_diff;
#include "models/models.def"
#undef BRISTLE_LAW

static const bristle_law laws[] = {
#ifdef BRISTLE_NO_DIFF /* targets without a C++ compiler */
#define BRISTLE_LAW(name) { #name, &bristle_##name##_model, &bristle_##name##_model_f32, 0 },
#elif defined BRISTLE_NO_F32 /* programs that are small and never ask for single precision */
#define BRISTLE_LAW(name) { #name, &bristle_##name##_model, 0, &bristle_##name##_diff },
#else
#define BRISTLE_LAW(name) { #name, &bristle_##name##_model, &bristle_##name##_model_f32, &bristle_##name##_diff },
#endif
#include "models/models.def"
#undef BRISTLE_LAW
};

enum { LAWS = sizeof laws / sizeof *laws };

int bristle_law_count(void) { return LAWS; }

const bristle_law *bristle_law_at(int index) { return index >= 0 && index < LAWS ? &laws[index] : NULL; }

const bristle_law *bristle_law_find(const char *name)
{
  for (int i = 0; i < LAWS; i++)
    if (is_name(name, laws[i].name)) return &laws[i];
  return NULL;
}

/* edits that turn a into b (Levenshtein); names longer than the row count as far away */
static int distance(const char *a, const char *b)
{
  enum { LONGEST = 32 };
  int row[LONGEST + 1], length = 0;
  while (b[length] && length <= LONGEST) length++;
  if (length > LONGEST) return LONGEST;
  for (int j = 0; j <= length; j++) row[j] = j;
  for (int i = 0; a[i] && i < LONGEST; i++) {
    int diagonal = row[0];
    row[0] = i + 1;
    for (int j = 1; j <= length; j++) {
      int change = diagonal + (a[i] != b[j - 1]);
      diagonal = row[j];
      int shift = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
      row[j] = change < shift ? change : shift;
    }
  }
  return row[length];
}

const char *bristle_law_nearest(const char *name)
{
  if (!name) return NULL;
  int best = 0, best_distance = distance(name, laws[0].name);
  for (int i = 1; i < LAWS; i++) {
    int d = distance(name, laws[i].name);
    if (d < best_distance) best = i, best_distance = d;
  }
  return laws[best].name;
}
