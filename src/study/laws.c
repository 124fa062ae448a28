/* Which laws a study fits. */
#include "study/study.h"

static const struct {
  const char *law;
  study_list list;
} rows[] = {
#define SWING(name) { #name, STUDY_SWING },
#define USUAL(name) { #name, STUDY_USUAL },
#define CURVED(name) { #name, STUDY_CURVED },
#define ELEMENTS(name) { #name, STUDY_ELEMENTS },
#define SPECIAL(name) { #name, STUDY_SPECIAL },
#include "models/usual.def"
#undef SWING
#undef USUAL
#undef CURVED
#undef ELEMENTS
#undef SPECIAL
};
enum { ROWS = sizeof rows / sizeof *rows };

/* with levels of their own for each direction, unless they have such already */
const bristle_law *study_law_as_asked(const bristle_study *study, const bristle_law *law)
{
  return study->request.skewed_levels && (law->f64->info->traits & BRISTLE_ODD) ? bristle_law_skewed(law) : law;
}

const bristle_law *study_law_listed(study_list list, int place)
{
  for (int i = 0; i < ROWS; i++)
    if (rows[i].list == list && place-- == 0) return bristle_law_find(rows[i].law);
  return NULL;
}

static void add(bristle_study *study, const bristle_law *law)
{
  if (study->laws < BRISTLE_STUDY_LAWS) study->law[study->laws++] = study_law_as_asked(study, law);
}

static void add_listed(bristle_study *study, study_list list)
{
  const bristle_law *law;
  for (int i = 0; (law = study_law_listed(list, i)); i++) add(study, law);
}

/* those that ask for more than a motion and a force are fitted by name only */
static int fits_any_log(const bristle_law *law)
{
  const bristle_law *special;
  for (int i = 0; (special = study_law_listed(STUDY_SPECIAL, i)); i++)
    if (law == special) return 0;
  return 1;
}

bristle_fault_kind study_choose_laws(bristle_study *study, bristle_fault *fault)
{
  const char *list = study->request.model;
  if (!list) {
    add_listed(study, STUDY_SWING);
    add_listed(study, study->request.free_decay ? STUDY_CURVED : STUDY_USUAL);
    return BRISTLE_FAULT_NONE;
  }
  const int is_all = !strcmp(list, "all");
  for (int i = 0; i < bristle_law_count() && is_all; i++)
    if (fits_any_log(bristle_law_at(i))) add(study, bristle_law_at(i));
  for (size_t length; !is_all && *list; list += length + (list[length] == ',')) {
    char name[64];
    length = strcspn(list, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, list);
    const bristle_law *law = bristle_law_find(name);
    if (!law)
      return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "there is no law '%s'; did you mean '%s'?", name,
                       bristle_law_nearest(name));
    add(study, law);
  }
  if (study->laws) return BRISTLE_FAULT_NONE;
  return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "which laws? option model %s,%s or option model all",
                   study_law_listed(STUDY_SWING, 4)->name, study_law_listed(STUDY_SWING, 1)->name);
}
