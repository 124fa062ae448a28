/* The parameters of the best law. */
#include "study/page/page.h"

#include "maths/elementary.h"

void study_part_parameters(const bristle_study *study, bristle_report *page)
{
  const bristle_identified *r = study->result[0];
  enum { COLUMNS = 4 };
  static const char *const heads[COLUMNS] = { "parameter", "value", "95 % interval", "remark" };
  char cell[BRISTLE_ESTIMATES][3][80];
  const char *cells[BRISTLE_ESTIMATES * COLUMNS];
  size_t rows = 0;
  for (int k = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (bristle_identified_is_knot(r, k)) continue;
    if (!x->free && x->value == 0) continue;
    char number[64];
    study_number(x, number);
    snprintf(cell[rows][0], 80, "%s", x->name);
    const char *times = study_times(r, k);
    if (*times) snprintf(cell[rows][1], 80, "%.40s times %.30s", number, times);
    else snprintf(cell[rows][1], 80, "%.50s %s", number, strcmp(x->unit, "1") ? x->unit : "");
    double interval[2];
    study_interval(r, k, interval);
    snprintf(cell[rows][2], 80, "%.6g to %.6g", interval[0], interval[1]);
    if (!x->free || !isfinite(x->deviation)) cell[rows][2][0] = '\0';
    for (int c = 0; c < 3; c++) cells[rows * COLUMNS + (size_t)c] = cell[rows][c];
    cells[rows * COLUMNS + 3] = x->reason;
    rows++;
  }
  bristle_report_section(page, "Parameters");
  bristle_report_table(page, &(bristle_report_grid){
                                 .align = "lrrl", .columns = COLUMNS, .rows = rows, .heads = heads, .cells = cells });
}
