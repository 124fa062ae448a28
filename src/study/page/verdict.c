/* The verdict, with the picture that carries it. */
#include "study/page/page.h"

void study_part_verdict(const bristle_study *study, bristle_report *page)
{
  char sentence[STUDY_SENTENCES][240], name[64], text[400];
  study_name(study->result[0], name);
  bristle_report_section(page, "Verdict");
  if (study->doubt[0]) {
    snprintf(text, sizeof text, "Do not use this result: %s.", study->doubt);
    bristle_report_notice(page, text);
  }
  if (study->results > 1) snprintf(text, sizeof text, "The best of %d fits is `%s`.", study->results, name);
  else snprintf(text, sizeof text, "The law is `%s`.", name);
  bristle_report_text(page, text);
  int count = bristle_identified_verdict(study->result[0], (const bristle_log *const *)study->log, study->logs,
                                         sentence, STUDY_SENTENCES);
  for (int i = 0; i < count; i++) bristle_report_text(page, sentence[i]);
  if (!study->view) return;
  /* the picture that carries it */
  if (study->result[0]->nothing_slides || !study_draw_stribeck(study, page)) study_draw_loop(&study->view[0], page);
  study_draw_presliding(study, page);
}
