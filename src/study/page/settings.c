/* How it was asked for. */
#include "study/page/page.h"

void study_part_settings(const bristle_study *study, bristle_report *page)
{
  if (study->view || !study->request.settings[0]) return; /* they stand among the decisions */
  bristle_report_section(page, "Settings");
  bristle_report_code(page, study->request.settings);
}
