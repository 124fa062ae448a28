/* All laws, best first. */
#include "study/page/page.h"

#include "maths/elementary.h"

/* one law of the ranking; its cells have room for 64 characters each */
enum { RANKING = 9, VALIDATION = 5, SLOW = 7 };

static const char *remark(const bristle_identified *r, int place, int is_least)
{
  const char mark = study_mark(r, place);
  return place == 0    ? (is_least ? "leads" : "leads: simplest of the good ones")
         : mark == '=' ? "as good as the one that leads"
         : mark == '+' ? "better, with parameters that are not determined"
                       : "";
}

static void rank_cells(const bristle_identified *r, char cell[RANKING][64])
{
  int count = 0;
  char name[64];
  for (int k = 0; k < r->estimates; k++) count += r->estimate[k].free;
  study_name(r, name);
  snprintf(cell[0], 64, "%.60s", name);
  snprintf(cell[1], 64, "%d", count);
  snprintf(cell[2], 64, "%.4g %s", r->rms, study_unit(r));
  snprintf(cell[3], 64, "%.3f %%", 100 * r->relative);
  snprintf(cell[4], 64, "%.4g %s", r->held_out, study_unit(r));
  snprintf(cell[VALIDATION], 64, "%.3f %%", 100 * r->validation);
  snprintf(cell[6], 64, "%.1f", r->bic);
  snprintf(cell[SLOW], 64, "%.4g %s", r->held_out_slow, study_unit(r));
  if (!isfinite(r->held_out)) cell[4][0] = '\0';
  if (!isfinite(r->validation)) cell[VALIDATION][0] = '\0';
  if (!isfinite(r->held_out_slow)) cell[SLOW][0] = '\0';
}

/* by the held-out error, which is a column; without one as the fit ranked them */
static void order_laws(const bristle_study *study, int *order)
{
  for (int i = 0; i < study->results; i++) {
    int k = i;
    for (; k > 0 && study->result[i]->held_out < study->result[order[k - 1]]->held_out; k--) order[k] = order[k - 1];
    order[k] = i;
  }
}

static int is_shown(const bristle_study *study, int column)
{
  return (column != VALIDATION || study_is_validated(study)) && (column != SLOW || study_has_slow(study));
}

void study_part_ranking(const bristle_study *study, bristle_report *page)
{
  static const char *const heads[RANKING] = {
    "law", "free", "rms", "error", "held out", "validation", "BIC", "slow", ""
  };
  char cell[BRISTLE_STUDY_LAWS][RANKING][64];
  const char *cells[BRISTLE_STUDY_LAWS * RANKING], *shown[RANKING];
  int order[BRISTLE_STUDY_LAWS];
  size_t used = 0, columns = 0, lead = 0;
  order_laws(study, order);
  for (int k = 0; k < RANKING; k++)
    if (is_shown(study, k)) shown[columns++] = heads[k];
  for (int i = 0; i < study->results; i++) {
    rank_cells(study->result[order[i]], cell[i]);
    snprintf(cell[i][RANKING - 1], 64, "%s", remark(study->result[order[i]], order[i], i == 0));
    if (order[i] == 0) lead = (size_t)i + 1;
    for (int k = 0; k < RANKING; k++)
      if (is_shown(study, k)) cells[used++] = cell[i][k];
  }
  bristle_report_section(page, "Ranking");
  bristle_report_table_marked(
      page,
      &(bristle_report_grid){
          .caption =
              "In the order of `held out`: the error of moving samples in pieces of the log that the fit did not see. "
              "Among equally good laws the simplest well-determined one leads. Neither the fit nor the ranking uses "
              "the "
              "validation log. Slow: held-out error of samples that start, stop or turn; it counts only where a law "
              "explains them as well as it explains motion.",
          .align = columns == RANKING       ? "lrrrrrrrl"
                   : columns == RANKING - 1 ? "lrrrrrrl"
                                            : "lrrrrrl",
          .columns = columns,
          .rows = (size_t)study->results,
          .heads = shown,
          .cells = cells },
      lead);
  for (int i = 0; i < study->failures; i++) bristle_report_text(page, study->failed[i]);
}
