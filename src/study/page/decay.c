/* The part of free motions. */
#include "study/page/page.h"

static void draw_release(const bristle_decay *d, const bristle_identified *best, size_t k, const double *residual,
                         bristle_report *page)
{
  const bristle_run *run = &d->run[k];
  const double *measured = run->position ? run->position : run->velocity;
  double *simulated = malloc(sizeof *simulated * run->count);
  char title[80];
  if (!simulated) return;
  for (size_t i = 0; i < run->count; i++) simulated[i] = measured[i] + residual[i];
  const bristle_series both[] = { { "measured", BRISTLE_STYLE_WIDE, run->count, run->t, measured, NULL },
                                  { "simulated", BRISTLE_STYLE_LINE, run->count, run->t, simulated, NULL } };
  const bristle_series rest[] = { { "simulated - measured", BRISTLE_STYLE_LINE, run->count, run->t, residual, NULL } };
  snprintf(title, sizeof title, "Release %zu", k + 1);
  const char *name = d->by_velocity ? "v" : "x";
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = title,
                                             .caption = run->name,
                                             .half = 1,
                                             .x = { "time", "s", 0 },
                                             .y = { name, best->unit, 0 },
                                             .series_count = 2,
                                             .series = both });
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = "Residual",
                                             .half = 1,
                                             .x = { "time", "s", 0 },
                                             .y = { "residual", best->unit, 0 },
                                             .series_count = 1,
                                             .series = rest });
  free(simulated);
}

void study_part_decay(const bristle_study *study, bristle_report *page)
{
  if (!study->decay) return;
  const bristle_identified *best = study->result[0];
  const double *residual = best->residual;
  bristle_report_section(page, "Free motion");
  for (size_t k = 0; k < study->decay->count; residual += study->decay->run[k++].count)
    draw_release(study->decay, best, k, residual, page);
}
