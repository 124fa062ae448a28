/* The section of the records on the page of `bristle identify`: a table of all, pictures of the best, median and worst.
 */
#include "fit/records/motion.h"
#include "study/page/page.h"

#include "maths/elementary.h"
#include "platform/platform.h"

enum { SEGMENT = 512, BINS = 30, SHOWN = 6000 };

static const char *force_unit(const bristle_log *log) { return bristle_force_unit(log->rotary); }

/* the name of a file without its folder */
static const char *short_name(const bristle_log *log) { return platform_name(log->file); }

/* ---- pictures of one record ---- */

static void draw_time(const study_view *view, const char *which, bristle_report *page)
{
  const bristle_log *log = view->log;
  char title[2][200], caption[200];
  const double noise = motion_force_noise(log);
  const bristle_series forces[] = { { "measured", BRISTLE_STYLE_WIDE, log->count, log->t, log->f, NULL },
                                    { "fitted", BRISTLE_STYLE_LINE, log->count, log->t, view->model, NULL } };
  const bristle_series rest[] = { { "measured - fitted", BRISTLE_STYLE_LINE, log->count, log->t, view->residual,
                                    NULL } };
  const bristle_mark marks[] = { { .at = 2 * noise, .horizontal = 1, .label = "noise, 2 deviations" },
                                 { .at = -2 * noise, .horizontal = 1, .label = "" } };
  snprintf(title[0], sizeof title[0], "Force, %.90s%s", short_name(log), which);
  snprintf(title[1], sizeof title[1], "Residuals, %.90s%s", short_name(log), which);
  snprintf(caption, sizeof caption,
           "%.3g %s rms of the samples that move; the noise of the force, filtered alike, is %.2g %s.", view->error.rms,
           force_unit(log), noise, force_unit(log));
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = title[0],
                                             .group = log->file,
                                             .x = { "time", "s", 0 },
                                             .y = { "force", force_unit(log), 0 },
                                             .series_count = 2,
                                             .series = forces,
                                             .limit = SHOWN });
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = title[1],
                                             .caption = isfinite(view->error.rms) ? caption : NULL,
                                             .group = log->file,
                                             .x = { "time", "s", 0 },
                                             .y = { "residual", force_unit(log), 0 },
                                             .series_count = 1,
                                             .series = rest,
                                             .mark_count = noise > 0 ? 2 : 0,
                                             .marks = marks,
                                             .limit = SHOWN });
}

int study_draw_loop(const study_view *view, bristle_report *page)
{
  const bristle_log *log = view->log;
  const bristle_series loops[] = { { "measured", BRISTLE_STYLE_WIDE, log->count, log->x, log->f, NULL },
                                   { "fitted", BRISTLE_STYLE_LINE, log->count, log->x, view->model, NULL } };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                             .title = "Force over position",
                                             .caption = short_name(log),
                                             .x = { "position", bristle_length_unit(log->rotary), 0 },
                                             .y = { "force", force_unit(log), 0 },
                                             .series_count = 2,
                                             .series = loops,
                                             .limit = SHOWN });
  return 1;
}

/* ---- residuals of all records together ---- */

/* the spectrum of the longest stretch of settled samples of a record */
static void draw_spectrum(const study_view *view, bristle_report *page)
{
  double density[SEGMENT / 2 + 1], frequency[SEGMENT / 2 + 1];
  const bristle_log *log = view->log;
  bristle_fault fault;
  size_t begin = 0, longest = 0, from = 0;
  for (size_t i = 0; i <= log->count; i++) {
    if (i < log->count && isfinite(view->residual[i])) continue;
    if (i - from > longest) longest = i - from, begin = from;
    from = i + 1;
  }
  if (longest < 2 * SEGMENT
      || bristle_power_density(view->residual + begin, longest, log->summary.rate, SEGMENT, density, &fault))
    return;
  for (int i = 0; i <= SEGMENT / 2; i++) {
    frequency[i] = i * log->summary.rate / SEGMENT;
    density[i] = sqrt(density[i]);
  }
  const bristle_series series[] = { { "residual", BRISTLE_STYLE_LINE, SEGMENT / 2, frequency + 1, density + 1, NULL } };
  const bristle_mark marks[] = { { .at = log->cutoff, .label = "cut-off" } };
  bristle_report_plot(
      page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                             .title = "Spectrum of the residuals",
                             .half = 1,
                             .caption = "White noise is flat; a peak is an effect the law misses.",
                             .x = { "frequency", "Hz", 1 },
                             .y = { log->rotary ? "density (N m/sqrt(Hz))" : "density (N/sqrt(Hz))", NULL, 1 },
                             .series_count = 1,
                             .series = series,
                             .mark_count = log->cutoff > 0,
                             .marks = marks });
}

static void draw_histogram(const bristle_study *study, bristle_report *page)
{
  double at[BINS], count[BINS] = { 0 }, widest = 0;
  for (size_t l = 0; l < study->logs; l++) widest = fmax(widest, study->view[l].error.largest);
  widest = fmin(widest, 4 * study->result[0]->rms);
  if (!(widest > 0)) return;
  for (int k = 0; k < BINS; k++) at[k] = widest * ((k + 0.5) / (BINS / 2.0) - 1);
  for (size_t l = 0; l < study->logs; l++)
    for (size_t i = 0; i < study->log[l]->count; i++) {
      if (!study_view_moves(&study->view[l], i)) continue;
      int bin = (int)floor((study->view[l].residual[i] / widest + 1) * BINS / 2);
      if (bin >= 0 && bin < BINS) count[bin]++;
    }
  const bristle_series series[] = { { "samples", BRISTLE_STYLE_STEPS, BINS, at, count, NULL } };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                             .title = "Residuals by size, all records",
                                             .caption = "Of the samples that move.",
                                             .half = 1,
                                             .x = { "residual", force_unit(study->log[0]), 0 },
                                             .y = { "samples", NULL, 0 },
                                             .series_count = 1,
                                             .series = series });
}

/* work of each way between two reversals, measured and fitted */
static void write_energy(const study_view *p, bristle_report *page)
{
  enum { ROWS = 12 };
  const bristle_log *log = p->log;
  char cell[ROWS][4][24];
  const char *cells[ROWS * 4], *heads[4] = { "from", "to", "measured", "fitted" };
  double measured = 0, fitted = 0, start = log->t[0], still = 0.01 * log->summary.speed_high;
  size_t rows = 0;
  int direction = 0;
  for (size_t i = 1; i < log->count && rows < ROWS; i++) {
    if (isnan(p->friction[i])) continue;
    double h = log->t[i] - log->t[i - 1], other = log->f[i] - p->friction[i];
    int now = log->slide[i] > still ? 1 : log->slide[i] < -still ? -1 : direction;
    if (now != direction && direction) {
      const double values[4] = { start, log->t[i], measured, fitted };
      for (int k = 0; k < 4; k++) {
        snprintf(cell[rows][k], sizeof cell[rows][k], k < 2 ? "%.3f s" : "%.4g J", values[k]);
        cells[rows * 4 + (size_t)k] = cell[rows][k];
      }
      rows++;
      measured = fitted = 0, start = log->t[i];
    }
    direction = now;
    measured += p->friction[i] * log->v[i] * h;
    fitted += (p->model[i] - other) * log->v[i] * h;
  }
  if (rows < 2) return;
  bristle_report_table(page, &(bristle_report_grid){ .caption = "Work of friction between reversals.",
                                                     .align = "rrrr",
                                                     .columns = 4,
                                                     .rows = rows,
                                                     .heads = heads,
                                                     .cells = cells });
}

/* ---- the section ---- */

static void write_table(const bristle_study *study, size_t all, bristle_report *page)
{
  enum { COLUMNS = 8 };
  static const char *const heads[COLUMNS] = { "record", "samples", "duration", "top speed",
                                              "rms",    "error",   "largest",  "notes" };
  char(*cell)[COLUMNS][100] = calloc(all, sizeof *cell);
  const char **cells = calloc(all * COLUMNS, sizeof *cells);
  for (size_t l = 0; l < all && cell && cells; l++) {
    const study_view *view = &study->view[l];
    const bristle_log *log = view->log;
    char(*c)[100] = cell[l];
    snprintf(c[0], 100, "%.80s%s", short_name(log), view->is_validation ? " (validation)" : "");
    snprintf(c[1], 100, "%zu", log->count);
    snprintf(c[2], 100, "%.4g s", log->summary.duration);
    snprintf(c[3], 100, "%.3g %s", log->summary.speed_high, bristle_speed_unit(log->rotary));
    snprintf(c[4], 100, "%.4g %s", view->error.rms, force_unit(log));
    snprintf(c[5], 100, "%.3f %%", 100 * view->error.relative);
    snprintf(c[6], 100, "%.4g %s", view->error.largest, force_unit(log));
    snprintf(c[7], 100, "%zu", log->note_count);
    if (!isfinite(view->error.rms)) c[4][0] = c[5][0] = c[6][0] = 0;
    for (int k = 0; k < COLUMNS; k++) cells[l * COLUMNS + (size_t)k] = c[k];
  }
  if (cell && cells)
    bristle_report_table(page, &(bristle_report_grid){ .caption = "Errors of the best law on the samples that move.",
                                                       .align = "lrrrrrrr",
                                                       .columns = COLUMNS,
                                                       .rows = all,
                                                       .heads = heads,
                                                       .cells = cells });
  free(cell), free(cells);
}

/* a table of all, pictures of a few */
void study_part_records(const bristle_study *study, bristle_report *page)
{
  if (!study->view) return;
  static const char *const which[4][3] = {
    { "" }, { "" }, { " (smaller error)", " (larger error)" }, { " (smallest error)", " (median)", " (largest error)" }
  };
  size_t chosen[3];
  const int count = study_views_choose(study->view, study->logs, chosen);
  bristle_report_section(page, study->logs > 1 ? "Records" : "Record");
  write_table(study, study->logs + (study->validation != NULL), page);
  for (int i = 0; i < count; i++) draw_time(&study->view[chosen[i]], which[count][i], page);
  if (study->validation) draw_time(&study->view[study->logs], " (validation)", page);
  draw_histogram(study, page);
  draw_spectrum(&study->view[chosen[count / 2]], page);
  if (!study->result[0]->nothing_slides) study_draw_loop(&study->view[chosen[count / 2]], page);
  write_energy(&study->view[chosen[count / 2]], page);
}
