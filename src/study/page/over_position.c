/* Tables over the position, with their deviations. */
#include "study/page/page.h"

void study_part_over_position(const bristle_study *study, bristle_report *page)
{
  const bristle_identified *r = study->result[0];
  for (int kind = 0; kind < BRISTLE_OVERS; kind++) {
    double position[BRISTLE_KNOTS + 1], value[BRISTLE_KNOTS + 1], deviation[BRISTLE_KNOTS + 1];
    double low[BRISTLE_KNOTS + 1], high[BRISTLE_KNOTS + 1];
    int knots = bristle_identified_over(r, (bristle_over)kind, position, value, deviation);
    const bristle_places *p = &r->over[kind];
    if (!knots) continue;
    if (p->periodic) { /* closed */
      position[knots] = p->low + p->length, value[knots] = value[0], deviation[knots] = deviation[0];
      knots++;
    }
    for (int k = 0; k < knots; k++) low[k] = value[k] - 2 * deviation[k], high[k] = value[k] + 2 * deviation[k];
    const size_t count = (size_t)knots;
    const bristle_series series[] = { { "table", BRISTLE_STYLE_LINE, count, position, value, NULL },
                                      { "- 2 deviations", BRISTLE_STYLE_DASHED, count, position, low, NULL },
                                      { "+ 2 deviations", BRISTLE_STYLE_DASHED, count, position, high, NULL } };
    bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                               .title = kind == BRISTLE_OVER_FRICTION ? "Friction over the position"
                                                                                      : "Force over the position",
                                               .caption = p->periodic ? "One period; levels and offset are the mean."
                                                                      : "Levels and offset are the mean.",
                                               .half = 1,
                                               .x = { "position", bristle_length_unit(r->rotary), 0 },
                                               .y = { "force", study_unit(r), 0 },
                                               .series_count = 3,
                                               .series = series });
  }
}
