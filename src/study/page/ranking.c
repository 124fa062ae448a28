/* All laws, best first. */
#include "study/page/page.h"

#include "maths/elementary.h"

/* one law of the ranking; its cells have room for 64 characters each */
enum { RANKING = 8 };
static void rank_cells(const bristle_identified *r, int place, char cell[RANKING][64])
{
  int count = 0;
  char name[64];
  for (int k = 0; k < r->estimates; k++) count += r->estimate[k].free;
  study_name(r, name);
  const char mark[] = { ' ', study_mark(r, place), '\0' };
  snprintf(cell[0], 64, "%.40s%s", name, place == 0 ? " (leads)" : mark[1] == ' ' ? "" : mark);
  snprintf(cell[1], 64, "%d", count);
  snprintf(cell[2], 64, "%.4g %s", r->rms, study_unit(r));
  snprintf(cell[3], 64, "%.3f %%", 100 * r->relative);
  snprintf(cell[4], 64, "%.4g %s", r->held_out, study_unit(r));
  snprintf(cell[5], 64, "%.3f %%", 100 * r->validation);
  snprintf(cell[6], 64, "%.1f", r->bic);
  snprintf(cell[7], 64, "%.4g %s", r->held_out_slow, study_unit(r));
  if (!isfinite(r->held_out)) cell[4][0] = '\0';
  if (!isfinite(r->validation)) cell[5][0] = '\0';
  if (!isfinite(r->held_out_slow)) cell[7][0] = '\0';
}

void study_part_ranking(const bristle_study *study, bristle_report *page)
{
  static const char *const heads[RANKING] = { "law", "free", "rms", "error", "held out", "validation", "BIC", "slow" };
  char cell[BRISTLE_STUDY_LAWS][RANKING][64];
  const char *cells[BRISTLE_STUDY_LAWS * RANKING], *shown[RANKING];
  size_t used = 0, columns = 0;
  for (int k = 0; k < RANKING; k++)
    if ((k != 5 || study_is_validated(study)) && (k != 7 || study_has_slow(study))) shown[columns++] = heads[k];
  for (int i = 0; i < study->results; i++) {
    rank_cells(study->result[i], i, cell[i]);
    for (int k = 0; k < RANKING; k++)
      if ((k != 5 || study_is_validated(study)) && (k != 7 || study_has_slow(study))) cells[used++] = cell[i][k];
  }
  bristle_report_section(page, "Ranking");
  bristle_report_table_marked(
      page,
      &(bristle_report_grid){
          .caption =
              "Ranked by the error of moving samples in pieces that were held out in turn. Laws marked = are "
              "indistinguishable from the best; laws marked + explain more, but with parameters that this log does "
              "not determine. Among equally good laws the simplest well-determined one wins. Neither the fit nor the "
              "ranking uses the validation log. Slow: held-out error of samples that start, stop or turn; it counts "
              "only where a law explains them as well as it explains motion.",
          .align = "lrrrrrrr",
          .columns = columns,
          .rows = (size_t)study->results,
          .heads = shown,
          .cells = cells },
      1);
  for (int i = 0; i < study->failures; i++) bristle_report_text(page, study->failed[i]);
}
