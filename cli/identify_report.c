/* The page of `bristle identify`: measured and fitted curves, loops, the Stribeck curve, residuals, numbers, ranking.
 */
#include "cli.h"

#include "bristle/report.h"
#include "identify.h"

#include <math.h>

enum { CURVE = 200, SEGMENT = 512, BINS = 30 };

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

/* friction by velocity: the samples without the other terms, and the law's steady force */
static void draw_curve(const picture *p)
{
  const bristle_log *log = p->log;
  double v[CURVE], f[CURVE], mean_load = 0;
  for (size_t i = 0; i < log->count && log->n; i++) mean_load += log->n[i] / (double)log->count;
  for (int i = 0; i < CURVE; i++) {
    double side = i < CURVE / 2 ? -1 : 1,
           part = (i < CURVE / 2 ? CURVE / 2 - 1 - i : i - CURVE / 2) / (CURVE / 2 - 1.0);
    v[i] = side * log->summary.speed_high * pow(1e-4, 1 - part);
    bristle_input in = { .v = v[i], .n = log->n ? mean_load : 1, .load = p->best->load };
    f[i] = p->best->law->f64->steady(p->best->p, &in) + p->best->term[BRISTLE_TERM_SKEW] * fabs(v[i]);
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
  bristle_report_plot(p->page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                                .title = "Spectrum of the residual",
                                                .half = 1,
                                                .caption = "White noise is flat; a hill is something the law misses.",
                                                .x = { "frequency", "Hz", 1 },
                                                .y = { "density (N/sqrt(Hz))", NULL, 1 },
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
  const char *facts[BRISTLE_CHANNELS + 1][2];
  size_t count = 0;
  for (int c = 0; c < BRISTLE_CHANNELS; c++)
    if (log->column[c][0])
      facts[count][0] = bristle_channel_text((bristle_channel)c), facts[count++][1] = log->column[c];
  if (log->digest[0]) facts[count][0] = "SHA-256", facts[count++][1] = log->digest;
  bristle_report_facts(p->page, count, facts);
  for (size_t i = 0; i < log->note_count; i++) bristle_report_text(p->page, log->note[i]);
}

static void add_log(const identification *id, const bristle_log *log, bristle_report *page)
{
  bristle_fault fault;
  double *memory = malloc(sizeof *memory * 3 * log->count);
  picture p = { id, id->result[0], log, page, memory, NULL, NULL };
  if (!memory || bristle_identified_force(p.best, log, p.model, &fault)) {
    free(memory);
    return;
  }
  p.residual = memory + log->count, p.friction = p.residual + log->count;
  const double *term = p.best->term;
  for (size_t i = 0; i < log->count; i++) {
    p.residual[i] = log->f[i] - p.model[i];
    p.friction[i] = log->f[i] - term[BRISTLE_TERM_OFFSET] - term[BRISTLE_TERM_GRAVITY] * sin(log->x[i])
                    - (log->a ? term[BRISTLE_TERM_MASS] * log->a[i] : 0);
  }
  bristle_report_section(page, log->file);
  write_notes(&p);
  draw_time(&p);
  draw_loop(&p);
  draw_curve(&p);
  draw_spectrum(&p);
  draw_histogram(&p);
  write_energy(&p);
  free(memory);
}

/* ---- numbers ---- */

static void add_verdict(const identification *id, bristle_report *page)
{
  char sentence[IDENTIFY_SENTENCES][240], name[64], text[120];
  identify_name(id->result[0], name);
  bristle_report_section(page, "Verdict");
  snprintf(text, sizeof text, "The best law is `%s`.", name);
  bristle_report_text(page, text);
  int count = bristle_identified_verdict(id->result[0], (const bristle_log *const *)id->log, id->logs, sentence,
                                         IDENTIFY_SENTENCES);
  for (int i = 0; i < count; i++) bristle_report_text(page, sentence[i]);
}

static void add_ranking(const identification *id, bristle_report *page)
{
  enum { COLUMNS = 7 };
  static const char *const heads[COLUMNS] = { "law", "numbers", "rms", "error", "held out", "validation", "BIC" };
  char cell[IDENTIFY_LAWS][COLUMNS][64];
  const char *cells[IDENTIFY_LAWS * COLUMNS];
  for (int i = 0; i < id->results; i++) {
    const bristle_identified *r = id->result[i];
    int count = 0;
    for (int k = 0; k < r->estimates; k++) count += r->estimate[k].free;
    identify_name(r, cell[i][0]);
    snprintf(cell[i][1], 64, "%d", count);
    snprintf(cell[i][2], 64, "%.4g %s", r->rms, r->rotary ? "N*m" : "N");
    snprintf(cell[i][3], 64, "%.3f %%", 100 * r->relative);
    snprintf(cell[i][4], 64, "%.4g", r->held_out);
    snprintf(cell[i][5], 64, "%.3f %%", 100 * r->validation);
    snprintf(cell[i][6], 64, "%.1f", r->bic);
    if (!isfinite(r->held_out)) cell[i][4][0] = '\0';
    if (!isfinite(r->validation)) cell[i][5][0] = '\0';
    for (int k = 0; k < COLUMNS; k++) cells[i * COLUMNS + k] = cell[i][k];
  }
  bristle_report_section(page, "Ranking");
  bristle_report_table(
      page,
      &(bristle_report_grid){ .caption = "By the validation record where there is one, else by what was held out; of "
                                         "laws within one percent of the best the one with the fewest numbers leads.",
                              .align = "lrrrrrr",
                              .columns = COLUMNS,
                              .rows = (size_t)id->results,
                              .heads = heads,
                              .cells = cells });
  for (int i = 0; i < id->failures; i++) bristle_report_text(page, id->failed[i]);
}

static void add_numbers(const bristle_identified *r, bristle_report *page)
{
  enum { COLUMNS = 4 };
  static const char *const heads[COLUMNS] = { "number", "value", "95 % interval", "remark" };
  char cell[BRISTLE_ESTIMATES][3][80];
  const char *cells[BRISTLE_ESTIMATES * COLUMNS];
  size_t rows = 0;
  for (int k = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (!x->free && x->value == 0) continue;
    char number[64];
    identify_number(x, number);
    snprintf(cell[rows][0], 80, "%s", x->name);
    snprintf(cell[rows][1], 80, "%.50s %s", number, strcmp(x->unit, "1") ? x->unit : "");
    snprintf(cell[rows][2], 80, "%.5g to %.5g", x->value - 1.96 * x->deviation, x->value + 1.96 * x->deviation);
    if (!x->free || !isfinite(x->deviation)) cell[rows][2][0] = '\0';
    for (int c = 0; c < 3; c++) cells[rows * COLUMNS + (size_t)c] = cell[rows][c];
    cells[rows * COLUMNS + 3] = x->reason;
    rows++;
  }
  bristle_report_section(page, "Numbers");
  bristle_report_table(page, &(bristle_report_grid){
                                 .align = "lrrl", .columns = COLUMNS, .rows = rows, .heads = heads, .cells = cells });
}

static void add_correlation(const bristle_identified *r, bristle_report *page)
{
  const char *names[BRISTLE_ESTIMATES];
  int place[BRISTLE_ESTIMATES];
  size_t count = 0;
  for (int k = 0; k < r->estimates; k++)
    if (isfinite(r->correlation[k * r->estimates + k])) place[count] = k, names[count++] = r->estimate[k].name;
  double *values = malloc(sizeof *values * (count * count + 1));
  if (!values || count < 2) {
    free(values);
    return;
  }
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++) values[a * count + b] = r->correlation[place[a] * r->estimates + place[b]];
  bristle_report_matrix(page, &(bristle_matrix){ .caption = "Correlations: pairs near +-1 cannot be told apart.",
                                                 .columns = count,
                                                 .rows = count,
                                                 .column_names = names,
                                                 .row_names = names,
                                                 .values = values,
                                                 .limit = 1 });
  free(values);
}

static void add_profile(const identification *id, bristle_report *page)
{
  if (!id->profile_count) return;
  char title[80];
  snprintf(title, sizeof title, "Profile of %s", id->profile_name);
  const bristle_series series[] = { { "sum of squares by its least", BRISTLE_STYLE_LINE, (size_t)id->profile_count,
                                      id->profile_value, id->profile_cost, NULL } };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                             .title = title,
                                             .x = { id->profile_name, NULL, 0 },
                                             .y = { "squares", NULL, 0 },
                                             .series_count = 1,
                                             .series = series });
}

int identify_report(const identification *id, const char *path)
{
  bristle_fault fault;
  bristle_report *page = bristle_report_new("Identified friction");
  add_verdict(id, page);
  add_ranking(id, page);
  add_numbers(id->result[0], page);
  add_correlation(id->result[0], page);
  add_profile(id, page);
  for (size_t i = 0; i < id->logs; i++) add_log(id, id->log[i], page);
  if (id->validation) add_log(id, id->validation, page);
  bristle_report_section(page, "Settings");
  bristle_report_code(page, id->settings);
  int code = DONE;
  if (bristle_report_write(page, path, &fault)) {
    char text[1000];
    bristle_fault_text(&fault, text, sizeof text);
    fprintf(stderr, "bristle identify: %s\n", text);
    code = FAILED;
  }
  bristle_report_free(page);
  return code;
}
