/* The profile likelihood of one parameter. */
#include "study/page/page.h"

void study_part_profile(const bristle_study *study, bristle_report *page)
{
  if (!study->profile_count) return;
  const bristle_identified *best = study->result[0];
  char title[80];
  snprintf(title, sizeof title, "Profile of %s", study->request.profile);
  const bristle_series series[] = { { "all others fitted again", BRISTLE_STYLE_LINE, (size_t)study->profile_count,
                                      study->profile_value, study->profile_cost, NULL } };
  /* 3.84: what chi squared with one degree of freedom exceeds in 5 % of cases */
  const bristle_mark marks[] = {
    { .at = 1 + 3.84 * best->memory / (double)best->rows, .horizontal = 1, .label = "95 %" }
  };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                             .title = title,
                                             .caption = "Sum of squares/its minimum. Values below the line agree with "
                                                        "the data; a flat profile is a parameter they do not contain.",
                                             .half = 1,
                                             .x = { study->request.profile, study->profile_unit, 0 },
                                             .y = { "squares", NULL, 0 },
                                             .series_count = 1,
                                             .series = series,
                                             .mark_count = 1,
                                             .marks = marks });
}
