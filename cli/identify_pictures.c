/* The pictures of one log on the page of `bristle identify`: curves, loops, the Stribeck curve, residuals, work. */
#include "identify_report.h"

#include "cli.h"
#include "log_table.h"

#include <math.h>

enum { CURVE = 200, SEGMENT = 512, BINS = 30, AROUND = 5 };

/* What the pictures of one log need. */
typedef struct picture {
  const identification *id;
  const bristle_identified *best;
  const bristle_log *log;
  bristle_report *page;
  double *model, *residual, *friction;
} picture;

static const char *force_unit(const picture *p) { return p->log->rotary ? "N*m" : "N"; }
static const char *length_unit(const picture *p) { return p->log->rotary ? "rad" : "m"; }
static const char *speed_unit(const picture *p) { return p->log->rotary ? "rad/s" : "m/s"; }

/* ---- curves ---- */

static void draw_time(const picture *p)
{
  const bristle_log *log = p->log;
  const bristle_series forces[] = { { "measured", BRISTLE_STYLE_LINE, log->count, log->t, log->f, NULL },
                                    { "fitted", BRISTLE_STYLE_LINE, log->count, log->t, p->model, NULL } };
  const bristle_series rest[] = { { "measured - fitted", BRISTLE_STYLE_LINE, log->count, log->t, p->residual, NULL } };
  bristle_report_plot(p->page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                                .title = "Force",
                                                .group = log->file,
                                                .x = { "t", "s", 0 },
                                                .y = { "F", force_unit(p), 0 },
                                                .series_count = 2,
                                                .series = forces });
  bristle_report_plot(p->page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                                .title = "Residual",
                                                .group = log->file,
                                                .x = { "t", "s", 0 },
                                                .y = { "residual", force_unit(p), 0 },
                                                .series_count = 1,
                                                .series = rest });
}

static void draw_loop(const picture *p)
{
  const bristle_log *log = p->log;
  const bristle_series loops[] = { { "measured", BRISTLE_STYLE_LINE, log->count, log->x, log->f, NULL },
                                   { "fitted", BRISTLE_STYLE_LINE, log->count, log->x, p->model, NULL } };
  bristle_report_plot(p->page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                                .title = "Hysteresis",
                                                .half = 1,
                                                .x = { "x", length_unit(p), 0 },
                                                .y = { "F", force_unit(p), 0 },
                                                .series_count = 2,
                                                .series = loops });
}

/* the law's steady force, and the difference of the directions */
static double steady_force(const picture *p, double v, double load)
{
  bristle_input in = { .v = v, .n = p->log->n ? load : 1, .load = p->best->load };
  return p->best->law->f64->steady(p->best->p, &in) + p->best->term[BRISTLE_TERM_SKEW] * fabs(v);
}

static double mean_load(const bristle_log *log)
{
  double sum = 0;
  for (size_t i = 0; i < log->count && log->n; i++) sum += log->n[i];
  return sum / (double)log->count;
}

static void draw_velocity(const picture *p)
{
  const bristle_log *log = p->log;
  double v[CURVE], f[CURVE];
  const double load = mean_load(log);
  for (int i = 0; i < CURVE; i++) {
    double side = i < CURVE / 2 ? -1 : 1,
           part = (i < CURVE / 2 ? CURVE / 2 - 1 - i : i - CURVE / 2) / (CURVE / 2 - 1.0);
    v[i] = side * log->summary.speed_high * pow(1e-4, 1 - part);
    f[i] = steady_force(p, v[i], load);
  }
  const int steady = (p->best->law->f64->info->traits & BRISTLE_STEADY) != 0;
  const bristle_series series[] = { { "measured", BRISTLE_STYLE_POINTS, log->count, log->v, p->friction, NULL },
                                    { "law, steady", BRISTLE_STYLE_LINE, CURVE, v, f, NULL } };
  bristle_report_plot(p->page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                                .title = "Friction by velocity",
                                                .half = 1,
                                                .x = { "v", speed_unit(p), 0 },
                                                .y = { "friction", force_unit(p), 0 },
                                                .series_count = steady ? 2 : 1,
                                                .series = series,
                                                .limit = 4000 });
}

/* Samples of steady sliding: the speed hardly changes, and the law, where it has a steady force, is near it. What the
   law says chooses the samples, what was measured is shown. */
static int is_steady(const picture *p, size_t i)
{
  const double *v = p->log->v, near = 0.05 * fabs(v[i]);
  if (fabs(v[i + AROUND] - v[i]) > near || fabs(v[i - AROUND] - v[i]) > near) return 0;
  if (!(p->best->law->f64->info->traits & BRISTLE_STEADY)) return 1;
  const double steady = steady_force(p, v[i], p->log->n ? p->log->n[i] : 1);
  return fabs(p->friction[i] - p->residual[i] - steady) < 0.05 * fabs(steady);
}

static size_t find_steady_samples(const picture *p, int direction, double *speed, double *force)
{
  const bristle_log *log = p->log;
  size_t count = 0;
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k] + AROUND; i + AROUND < log->first[k + 1]; i++) {
      const double v = log->v[i] * direction;
      if (v < 1e-4 * log->summary.speed_high || !is_steady(p, i)) continue;
      speed[count] = v;
      force[count++] = p->friction[i] * direction;
    }
  return count;
}

/* both directions over the logarithm of the speed, where the fall from the static level can be seen */
static void draw_stribeck(const picture *p)
{
  const bristle_log *log = p->log;
  double *points = malloc(sizeof *points * 4 * log->count);
  double v[2][CURVE], f[2][CURVE], lowest = log->summary.speed_high;
  const double load = mean_load(log);
  bristle_series series[4];
  size_t shown = 0, found = 0;
  for (int side = 0; side < 2 && points; side++) {
    double *speed = points + 2 * (size_t)side * log->count, *force = speed + log->count;
    const size_t count = find_steady_samples(p, side ? -1 : 1, speed, force);
    for (size_t i = 0; i < count; i++) lowest = fmin(lowest, speed[i]);
    found += count;
    series[shown++] = (bristle_series){
      side ? "measured, backward" : "measured, forward", BRISTLE_STYLE_POINTS, count, speed, force, NULL
    };
  }
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < CURVE; i++) {
      v[side][i] = log->summary.speed_high * pow(0.3 * lowest / log->summary.speed_high, 1 - i / (CURVE - 1.0));
      f[side][i] = (side ? -1 : 1) * steady_force(p, side ? -v[side][i] : v[side][i], load);
    }
    series[shown++] = (bristle_series){ side ? "law, backward" : "law, forward",
                                        side ? BRISTLE_STYLE_DASHED : BRISTLE_STYLE_LINE,
                                        CURVE,
                                        v[side],
                                        f[side],
                                        NULL };
  }
  const int steady = (p->best->law->f64->info->traits & BRISTLE_STEADY) != 0;
  if (points && found)
    bristle_report_plot(
        p->page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                  .title = "Stribeck curve",
                                  .caption = "Samples of steady sliding, by their speed and by what the law says.",
                                  .half = 1,
                                  .x = { "|v|", speed_unit(p), 1 },
                                  .y = { "friction", force_unit(p), 0 },
                                  .series_count = steady ? 4 : 2,
                                  .series = series,
                                  .limit = 4000 });
  free(points);
}

static void draw_spectrum(const picture *p)
{
  double density[SEGMENT / 2 + 1], frequency[SEGMENT / 2 + 1];
  bristle_fault fault;
  if (p->log->count < 2 * SEGMENT
      || bristle_power_density(p->residual, p->log->count, p->log->summary.rate, SEGMENT, density, &fault))
    return;
  for (int i = 0; i <= SEGMENT / 2; i++) {
    frequency[i] = i * p->log->summary.rate / SEGMENT;
    density[i] = sqrt(density[i]);
  }
  const bristle_series series[] = { { "residual", BRISTLE_STYLE_LINE, SEGMENT / 2, frequency + 1, density + 1, NULL } };
  bristle_report_plot(
      p->page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                .title = "Spectrum of the residual",
                                .half = 1,
                                .caption = "White noise is flat; a hill is something the law misses.",
                                .x = { "frequency", "Hz", 1 },
                                .y = { p->log->rotary ? "density (N m/sqrt(Hz))" : "density (N/sqrt(Hz))", NULL, 1 },
                                .series_count = 1,
                                .series = series });
}

static void draw_histogram(const picture *p)
{
  double at[BINS], count[BINS] = { 0 }, widest = 0;
  for (size_t i = 0; i < p->log->count; i++) widest = fmax(widest, fabs(p->residual[i]));
  widest = fmin(widest, 4 * p->best->rms);
  if (!(widest > 0)) return;
  for (int k = 0; k < BINS; k++) at[k] = widest * ((k + 0.5) / (BINS / 2.0) - 1);
  for (size_t i = 0; i < p->log->count; i++) {
    int bin = (int)floor((p->residual[i] / widest + 1) * BINS / 2);
    if (bin >= 0 && bin < BINS) count[bin]++;
  }
  const bristle_series series[] = { { "samples", BRISTLE_STYLE_STEPS, BINS, at, count, NULL } };
  bristle_report_plot(p->page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                                .title = "Residuals by size",
                                                .half = 1,
                                                .x = { "residual", force_unit(p), 0 },
                                                .y = { "samples", NULL, 0 },
                                                .series_count = 1,
                                                .series = series });
}

/* work of each way between two reversals, measured and fitted */
static void write_energy(const picture *p)
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
  bristle_report_table(p->page, &(bristle_report_grid){ .caption = "Work of friction on the ways between reversals.",
                                                        .align = "rrrr",
                                                        .columns = 4,
                                                        .rows = rows,
                                                        .heads = heads,
                                                        .cells = cells });
}

static void write_notes(const picture *p)
{
  const bristle_log *log = p->log;
  char digest[24]; /* enough to tell files apart; the model file has all of it */
  const char *facts[1][2] = { { "SHA-256", digest } };
  snprintf(digest, sizeof digest, "%.16s...", log->digest);
  log_table_report(log, p->page);
  if (log->digest[0]) bristle_report_facts(p->page, 1, facts);
  for (size_t i = 0; i < log->note_count; i++) bristle_report_text(p->page, log->note[i]);
}

/* residual and friction of each sample; the ends of stretches, where a filter has not settled, do not count in the fit
   and are left out here as well */
static void compare_samples(const picture *p)
{
  const bristle_log *log = p->log;
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) {
      const int settled = i >= log->first[k] + log->drop && i + log->drop < log->first[k + 1];
      p->residual[i] = settled ? log->f[i] - p->model[i] : 0;
      p->friction[i] = log->f[i] - bristle_identified_beside(p->best, log, i);
      if (!settled) p->friction[i] = p->model[i] = (double)NAN;
    }
}

void identify_pictures(const identification *id, const bristle_log *log, bristle_report *page)
{
  bristle_fault fault;
  char heading[300];
  double *memory = malloc(sizeof *memory * 3 * log->count);
  picture p = { id, id->result[0], log, page, memory, NULL, NULL };
  if (!memory || bristle_identified_force(p.best, log, p.model, &fault)) {
    free(memory);
    return;
  }
  p.residual = memory + log->count, p.friction = p.residual + log->count;
  compare_samples(&p);
  snprintf(heading, sizeof heading, "%s%s", log->file, log == id->validation ? " (validation)" : "");
  bristle_report_section(page, heading);
  write_notes(&p);
  draw_time(&p);
  draw_loop(&p);
  draw_velocity(&p);
  draw_stribeck(&p);
  draw_histogram(&p);
  draw_spectrum(&p);
  write_energy(&p);
  free(memory);
}
