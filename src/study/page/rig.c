/* The part of simulated runs. */
#include "study/page/page.h"

static void draw(bristle_report *page, const char *title, const char *caption, const char *name, const char *unit,
                 const bristle_series *series, size_t count)
{
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = title,
                                             .caption = caption,
                                             .half = 1,
                                             .x = { "time", "s", 0 },
                                             .y = { name, unit, 0 },
                                             .series_count = count,
                                             .series = series,
                                             .limit = 2000 });
}

static void draw_run(const bristle_study *study, size_t k, bristle_report *page)
{
  const bristle_motion *m = study->motion;
  const bristle_motion_run *run = &m->run[k];
  double *y = malloc(2 * sizeof *y * run->count * (size_t)m->channels),
         *rest = y ? y + run->count * (size_t)m->channels : NULL;
  if (!y || m->simulate(m->self, study->result[0], k, y)) {
    free(y);
    return;
  }
  for (int c = 0; c < m->channels; c++) {
    const size_t at = (size_t)c * run->count;
    const bristle_series both[] = {
      { "measured", BRISTLE_STYLE_WIDE, run->count, run->t, run->measured + at, NULL },
      { "simulated", BRISTLE_STYLE_LINE, run->count, run->t, y + at, NULL },
      { "target", BRISTLE_STYLE_DASHED, run->count, run->t, run->target, NULL },
    };
    for (size_t i = 0; i < run->count; i++) rest[at + i] = y[at + i] - run->measured[at + i];
    const bristle_series left[] = {
      { "simulated - measured", BRISTLE_STYLE_LINE, run->count, run->t, rest + at, NULL },
    };
    draw(page, run->name, run->held ? "Held out." : "Fitted.", m->channel[c], m->unit[c], both,
         run->target && !c ? 3 : 2);
    draw(page, "Residual", NULL, "residual", m->unit[c], left, 1);
  }
  free(y);
}

void study_part_rig(const bristle_study *study, bristle_report *page)
{
  if (!study->motion) return;
  bristle_report_section(page, "Runs");
  for (size_t k = 0; k < study->motion->count; k++) draw_run(study, k, page);
}
