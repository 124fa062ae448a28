/* How far parameters stand for each other. */
#include "study/page/page.h"

#include "maths/elementary.h"

void study_part_correlation(const bristle_study *study, bristle_report *page)
{
  const bristle_identified *r = study->result[0];
  const char *names[BRISTLE_ESTIMATES];
  int place[BRISTLE_ESTIMATES];
  size_t count = 0;
  for (int k = 0; k < r->estimates; k++)
    if (!bristle_identified_is_knot(r, k) && isfinite(r->correlation[k * r->estimates + k]))
      place[count] = k, names[count++] = r->estimate[k].name;
  double *values = malloc(sizeof *values * (count * count + 1));
  if (!values || count < 2) {
    free(values);
    return;
  }
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++) values[a * count + b] = r->correlation[place[a] * r->estimates + place[b]];
  bristle_report_matrix(page, &(bristle_matrix){ .caption = "Correlations: pairs near 1 or -1 cannot be separated.",
                                                 .columns = count,
                                                 .rows = count,
                                                 .column_names = names,
                                                 .row_names = names,
                                                 .values = values,
                                                 .limit = 1 });
  free(values);
}
