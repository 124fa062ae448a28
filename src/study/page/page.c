/* The page of a study: verdict with its picture, ranking, parameters, records, and what was decided. */
#include "platform/platform.h"
#include "study/page/page.h"

bristle_fault_kind bristle_study_page(const bristle_study *study, const char *path, bristle_fault *fault)
{
#define PART(name) study_part_##name,
  static study_part *const parts[] = {
#include "study/page/page.def"
  };
#undef PART
  char title[200] = "Identified friction";
  size_t used = strlen(title);
  if (study->logs && study->log[0])
    used = text_append(title, sizeof title, 0, "Friction of %.150s", platform_name(study->log[0]->file));
  if (study->logs > 1) text_append(title, sizeof title, used, " and %zu more", study->logs - 1);
  bristle_report *page = bristle_report_new(study->motion && study->motion->title ? study->motion->title : title);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) parts[i](study, page);
  const bristle_fault_kind kind = bristle_report_write(page, path, fault);
  bristle_report_free(page);
  return kind;
}
