/* The page of the gallery: one section for each figure. */
#include "common/cli.h"

#include "gallery.h"

#include "maths/elementary.h"
#include "io/support.h"

enum { COLUMNS = 7, CURVE = 401, CELL = 60, SHOWN = 900 };

/* ---- pictures ---- */

static int is_chosen(const gallery_plot *plot, size_t run)
{
  return !plot->runs || strchr(plot->runs, (int)('0' + run)) != NULL;
}

/* rows of the time that the plot shows */
static void span(const gallery_plot *plot, const simulation *s, size_t *first, size_t *count)
{
  const double *t = s->kept[0], slack = 1e-9 * t[s->rows - 1];
  size_t end = s->rows;
  *first = 0;
  if (plot->to > 0) {
    while (*first < s->rows && t[*first] < plot->from - slack) ++*first;
    while (end > *first && t[end - 1] > plot->to + slack) end--;
  }
  *count = end - *first;
}

static bristle_plot_axis axis_of(const simulation *s, const char *name)
{
  const int place = simulation_column(s, name);
  return place < 0 ? (bristle_plot_axis){ name, NULL, 0 } : simulation_axis(s, place);
}

/* the steady force of the law over the speeds of the run; returns how many points */
static size_t steady_curve(const simulation *s, double *speed, double *force)
{
  const bristle_rig *rig = &s->scenario->rig;
  const bristle_contact *contact = rig->kind == BRISTLE_RIG_DRIVEN ? &rig->as.driven.contact : &rig->as.axis.contact;
  const double *v = run_column(s, "v");
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; v && i < s->rows; i++) low = fmin(low, v[i]), high = fmax(high, v[i]);
  bristle_input in = { .n = 1, .load = contact->load };
  for (int i = 0; i < CURVE; i++) {
    speed[i] = in.v = low + (high - low) * i / (CURVE - 1);
    force[i] = contact->law->f64->steady(contact->p, &in);
    if (i && (speed[i] > 0) != (speed[i - 1] > 0)) force[i] = (double)NAN; /* no chord across rest */
  }
  return CURVE;
}

static void draw_plot(const gallery_figure *figure, const gallery_plot *p, const simulation *runs,
                      bristle_report *report)
{
  bristle_series series[GALLERY_RUNS + 1];
  double speed[CURVE], force[CURVE];
  const simulation *first_run = NULL;
  size_t count = 0;
  for (size_t i = 0; i < figure->run_count; i++) {
    const simulation *s = &runs[i];
    const double *x = run_column(s, p->x), *y = run_column(s, p->y);
    size_t first, rows;
    if (!is_chosen(p, i) || !x || !y) continue;
    if (!first_run) first_run = s;
    span(p, s, &first, &rows);
    series[count++] = (bristle_series){ .name = figure->runs[i].name, .count = rows, .x = x + first, .y = y + first };
  }
  if (!first_run) return;
  if (p->steady)
    series[count++] = (bristle_series){ .name = p->steady,
                                        .style = BRISTLE_STYLE_DASHED,
                                        .count = steady_curve(first_run, speed, force),
                                        .x = speed,
                                        .y = force };
  const bristle_plot plot = { .kind = strcmp(p->x, "t") ? BRISTLE_PLOT_XY : BRISTLE_PLOT_TIME,
                              .title = p->title,
                              .caption = p->caption,
                              .x = axis_of(first_run, p->x),
                              .y = axis_of(first_run, p->y),
                              .equal = p->equal,
                              .half = p->half,
                              .series_count = count,
                              .series = series,
                              .mark_count = p->mark_count,
                              .marks = p->marks,
                              .limit = SHOWN };
  bristle_report_plot(report, &plot);
}

/* ---- numbers ---- */

/* computed as the reference is written, with two digits more */
static void write_alike(const char *reference, double computed, char text[CELL])
{
  const char *dot = strchr(reference, '.'), *power = strpbrk(reference, "eE");
  const char *end = power ? power : reference + strlen(reference);
  const int places = dot ? (int)(end - dot) - 1 : 0, exponent = power ? atoi(power + 1) : 0;
  snprintf(text, CELL, "%.*f%s", places + 2, computed * pow(10, -exponent), power ? power : "");
}

static void number_cells(const gallery_figure *figure, const gallery_number *n, const gallery_result *r,
                         char text[3][CELL], const char **cells)
{
  const int limit = n->reference[0] == '<';
  if (limit) snprintf(text[0], CELL, "%.2g", r->computed);
  else write_alike(n->reference, r->computed, text[0]);
  snprintf(text[1], CELL, "%s%s", limit ? "below " : "", n->reference + (limit ? 2 : 0));
  snprintf(text[2], CELL, "%.1e", r->difference);
  cells[0] = n->what;
  cells[1] = text[0];
  cells[2] = text[1];
  cells[3] = limit ? NULL : text[2];
  cells[4] = strcmp(n->unit, "1") ? n->unit : NULL;
  cells[5] = gallery_source_text(figure, n);
  cells[6] = r->within ? "yes" : "NO";
}

void gallery_numbers(const gallery_figure *figure, const gallery_result *results, bristle_report *report)
{
  static const char *const heads[] = { "number",     "computed", "reference",
                                       "difference", "unit",     "source of the reference",
                                       "agrees" };
  const size_t rows = figure->number_count + (figure->run_count > 0);
  char(*text)[3][CELL] = calloc(rows, sizeof *text);
  const char **cells = calloc(COLUMNS * rows, sizeof *cells);
  for (size_t i = 0; text && cells && i < rows; i++)
    number_cells(figure, i < figure->number_count ? &figure->numbers[i] : &gallery_residual_limit, &results[i], text[i],
                 cells + COLUMNS * i);
  const bristle_report_grid grid = { NULL, "lrrrllc", COLUMNS, rows, heads, cells };
  if (text && cells) bristle_report_table(report, &grid);
  free(text);
  free(cells);
}

/* ---- how to repeat it ---- */

static void add_commands(const gallery_figure *figure, bristle_report *report)
{
  char text[GALLERY_RUNS * 300] = "";
  size_t used = 0;
  for (size_t i = 0; i < figure->run_count; i++) {
    const gallery_run *run = &figure->runs[i];
    char file[100];
    gallery_file(figure, i, file, sizeof file);
    used = text_append(text, sizeof text, used, "%sbristle simulate examples/%s.yaml -o %s", i ? "\n" : "",
                       run->example, file);
    if (run->set) used = text_append(text, sizeof text, used, " --set '%s'", run->set);
  }
  if (used) bristle_report_code(report, text);
}

void gallery_section(const gallery_figure *figure, const simulation *runs, const gallery_result *results,
                     bristle_report *report)
{
  bristle_report_section_named(report, figure->title, figure->name);
  bristle_report_text(report, figure->text);
  for (size_t i = 0; i < figure->plot_count; i++) draw_plot(figure, &figure->plots[i], runs, report);
  if (figure->draw) figure->draw(runs, report);
  gallery_numbers(figure, results, report);
  add_commands(figure, report);
}
