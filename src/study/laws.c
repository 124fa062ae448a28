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
#define STARTS(name) { #name, STUDY_STARTS },
#define SPECIAL(name) { #name, STUDY_SPECIAL },
#include "models/usual.def"
#undef SWING
#undef USUAL
#undef CURVED
#undef ELEMENTS
#undef STARTS
#undef SPECIAL
};
enum { ROWS = sizeof rows / sizeof *rows };

/* with levels of their own for each direction, unless they have such already */
const bristle_law *study_law_as_asked(const bristle_study *study, const bristle_law *law)
{
  return study->request.skewed_levels && (law->f64->info->traits & BRISTLE_TRAIT_ODD) ? bristle_law_skewed(law) : law;
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

/* a parameter to fix or to free is that of the laws that have it: one of them must */
static bristle_fault_kind check_name(const bristle_study *study, const char *name, bristle_fault *fault)
{
  for (int i = 0; i < study->laws; i++)
    if (bristle_param_find(study->law[i]->f64->info, name)) return BRISTLE_FAULT_NONE;
  return fault_set(fault, BRISTLE_FAULT_VALUE, "`bristle show` lists the parameters of a law",
                   study->laws == 1 ? "the law %s has no parameter '%.40s'" : "%s and the other laws have no '%.40s'",
                   study->laws ? study->law[0]->name : "", name);
}

static bristle_fault_kind check_names(bristle_study *study, bristle_fault *fault)
{
  bristle_identify_options *o = &study->fitting;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int i = 0; i < BRISTLE_IDENTIFY_NAMES && o->free[i] && !kind; i++) kind = check_name(study, o->free[i], fault);
  for (int i = 0; i < BRISTLE_IDENTIFY_NAMES && o->fixed[i] && !kind; i++) kind = check_name(study, o->fixed[i], fault);
  for (int i = 0; i < o->ranges && !kind; i++) kind = check_name(study, o->range[i].name, fault);
  o->names_of_any = 1;
  return kind;
}

bristle_fault_kind study_choose_laws(bristle_study *study, bristle_fault *fault)
{
  const char *list = study->request.model;
  if (!list) {
    add_listed(study, STUDY_SWING);
    add_listed(study, study->request.free_decay ? STUDY_CURVED : STUDY_USUAL);
    return study->request.rig ? BRISTLE_FAULT_NONE : check_names(study, fault);
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
  if (study->laws) return study->request.rig ? BRISTLE_FAULT_NONE : check_names(study, fault);
  return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "which laws? option model %s,%s or option model all",
                   study_law_listed(STUDY_SWING, 4)->name, study_law_listed(STUDY_SWING, 1)->name);
}
