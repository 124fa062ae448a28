/* The page of a fleet: axes that changed, their drift over time, and distributions over the fleet. */
#include "fleet.h"

#include "maths/elementary.h"

enum { BINS = 30, MOST_PLOTS = 12 };

static void add_left(bristle_report *page, const bristle_fleet *f, int trends)
{
  static const char *const heads[] = { "axis", "number", "since", "before", "after", "change", "kind" };
  size_t count = 0;
  char(*text)[4][40] = calloc(f->axes, sizeof *text);
  const char **cell = calloc(f->axes * 7 + 1, sizeof *cell);
  for (size_t i = 0; i < f->axes && text && cell; i++) {
    const bristle_fleet_axis *a = &f->axis[i];
    const bristle_fleet_shift own = { a->column, a->since, a->before, a->after, a->change, a->statistic, a->drifts };
    const bristle_fleet_shift *c = trends ? &a->trend : &own;
    if (c->column < 0) continue;
    const char **row = cell + 7 * count;
    snprintf(text[i][0], 40, "%.4g", c->before), snprintf(text[i][1], 40, "%.4g", c->after);
    snprintf(text[i][2], 40, "%+.1f %%", 100 * c->change);
    row[0] = a->name, row[1] = f->name[c->column], row[2] = f->entry[a->first + c->since].day;
    row[3] = text[i][0], row[4] = text[i][1], row[5] = text[i][2], row[6] = c->drifts ? "drift" : "jump";
    count++;
  }
  if (count)
    bristle_report_table(page, &(bristle_report_grid){ trends ? "Trends that are no alarm" : "Axes that changed",
                                                       "lllrrrl", 7, count, heads, cell });
  free(text);
  free(cell);
}

/* how many axes are too short to be judged, changed, show a trend; how many logs could not be used */
typedef struct tally {
  size_t brief, left, trends, unreadable;
} tally;

static tally count_axes(const bristle_fleet *f)
{
  tally n = { 0 };
  for (size_t i = 0; i < f->axes; i++) {
    n.brief += f->axis[i].days < BRISTLE_FLEET_DAYS, n.left += f->axis[i].column >= 0;
    n.trends += f->axis[i].trend.column >= 0;
  }
  for (size_t i = 0; i < f->entries; i++) n.unreadable += f->entry[i].status == BRISTLE_FLEET_UNREADABLE;
  return n;
}

/* the axes that changed most clearly */
static size_t set_rows(const bristle_fleet *f, bristle_card_row *row, char (*value)[64], size_t room)
{
  size_t rows = 0;
  for (size_t i = 0; i < f->axes && rows < room; i++) {
    const bristle_fleet_axis *a = &f->axis[i];
    if (a->column < 0) continue;
    snprintf(value[rows], 64, "%+.0f %% since %.20s", 100 * a->change, f->entry[a->first + a->since].day);
    row[rows] = (bristle_card_row){
      .name = a->name, .about = f->name[a->column], .value = value[rows], .unit = a->drifts ? "drift" : "jump"
    };
    rows++;
  }
  return rows;
}

/* The first screen: which axes to look at. */
static void add_card(bristle_report *page, const bristle_fleet *f)
{
  enum { SHOWN = 8 };
  static const char *const words[] = { "Nothing to do", "Not enough to judge", "Look at these axes" };
  const tally n = count_axes(f);
  const bristle_grade grade = n.left                    ? BRISTLE_GRADE_BAD
                              : n.brief || n.unreadable ? BRISTLE_GRADE_CARE
                                                        : BRISTLE_GRADE_GOOD;
  char sentence[200], brief[200], trend[200], value[SHOWN][64], number[4][32];
  const char *details[2];
  bristle_card_row row[SHOWN];
  size_t count = 0;
  if (n.left) snprintf(sentence, sizeof sentence, "%zu of %zu axes changed.", n.left, f->axes);
  else if (n.brief == f->axes) snprintf(sentence, sizeof sentence, "No axis can be judged yet.");
  else snprintf(sentence, sizeof sentence, "No %saxis has changed.", n.brief ? "other " : "");
  if (n.brief) {
    snprintf(brief, sizeof brief, "%zu of %zu axes cannot be judged: their histories are shorter than %d usable days.",
             n.brief, f->axes, BRISTLE_FLEET_DAYS);
    details[count++] = brief;
  }
  if (n.trends) {
    snprintf(trend, sizeof trend, "%zu more show%s a trend that is no alarm.", n.trends, n.trends == 1 ? "s" : "");
    details[count++] = trend;
  }
  const size_t shown[] = { f->axes, f->entries, n.left, n.unreadable };
  for (int i = 0; i < 4; i++) snprintf(number[i], 32, "%zu", shown[i]);
  const char *const fact[][2] = { { number[0], "axes" },
                                  { number[1], "logs" },
                                  { number[2], "axes that changed" },
                                  { number[3], "logs that could not be used" } };
  const bristle_card card = { .grade = grade,
                              .word = words[grade],
                              .sentence = sentence,
                              .details = count,
                              .detail = details,
                              .rows = set_rows(f, row, value, SHOWN),
                              .row = row,
                              .next = n.left ? "look at the histories below, then identify the newest log of such an "
                                               "axis with `bristle identify`."
                                             : "add the logs of the next days and run it again; only new logs are "
                                               "fitted.",
                              .facts = 4,
                              .fact = fact };
  bristle_report_card(page, &card);
  bristle_report_card_facts(page, &card);
}

/* values over days, with their 95 % intervals */
static void add_history(bristle_report *page, const bristle_fleet *f, const bristle_fleet_axis *a, int column)
{
  double *room = malloc(4 * a->count * sizeof *room), *t = room, *y = t + a->count, *low = y + a->count,
         *high = low + a->count;
  size_t n = 0;
  char title[200], caption[200] = "";
  if (!room) return;
  for (size_t i = a->first; i < a->first + a->count; i++) {
    const bristle_fleet_entry *e = &f->entry[i];
    if (e->status || !isfinite(e->value[column]) || !isfinite(e->deviation[column])) continue;
    t[n] = e->at - f->entry[a->first].at, y[n] = e->value[column];
    low[n] = y[n] - 1.96 * e->deviation[column], high[n] = y[n] + 1.96 * e->deviation[column], n++;
  }
  snprintf(title, sizeof title, "%s: %s", a->name, f->name[column]);
  if (a->column == column)
    snprintf(caption, sizeof caption, "%s by %+.1f %% since %s.", a->drifts ? "Drifts" : "Jumped", 100 * a->change,
             f->entry[a->first + a->since].day);
  const bristle_series series[] = { { "95 % interval", BRISTLE_STYLE_BAND, n, t, high, low },
                                    { f->name[column], BRISTLE_STYLE_POINTS, n, t, y, NULL } };
  const bristle_mark mark = { .at = f->entry[a->first + a->since].at - f->entry[a->first].at, .label = "change" };
  if (n > 1)
    bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                               .title = title,
                                               .caption = caption,
                                               .x = { "days since the first log", "", 0 },
                                               .y = { f->name[column], f->unit[a->rotary][column], 0 },
                                               .half = 1,
                                               .series_count = 2,
                                               .series = series,
                                               .mark_count = a->column == column,
                                               .marks = &mark });
  free(room);
}

/* one point for each axis: its median would hide a change, so all logs count. The first one begins the section. */
static void add_distribution(bristle_report *page, const bristle_fleet *f, int column, int *begun)
{
  double least = HUGE_VAL, most = -HUGE_VAL, bin[BINS + 1] = { 0 }, at[BINS + 1];
  size_t n = 0;
  int mixed = 0; /* linear and rotary axes */
  for (size_t i = 1; i < f->axes; i++) mixed |= f->axis[i].rotary != f->axis[0].rotary;
  for (size_t i = 0; i < f->entries; i++) {
    const bristle_fleet_entry *e = &f->entry[i];
    if (e->status || !isfinite(e->value[column]) || !isfinite(e->deviation[column])) continue;
    least = fmin(least, e->value[column]), most = fmax(most, e->value[column]), n++;
  }
  if (n < 10 || !(most > least)) return;
  if (!(*begun)++) bristle_report_section(page, "Distributions over the fleet");
  for (size_t i = 0; i < f->entries; i++) {
    const bristle_fleet_entry *e = &f->entry[i];
    if (e->status || !isfinite(e->value[column]) || !isfinite(e->deviation[column])) continue;
    const double x = (e->value[column] - least) / (most - least) * BINS;
    bin[x < BINS ? (int)x : BINS - 1] += 1 / (double)n;
  }
  for (int k = 0; k <= BINS; k++) at[k] = least + (most - least) * k / BINS;
  bin[BINS] = bin[BINS - 1];
  const bristle_series series[] = { { "fraction of the logs", BRISTLE_STYLE_STEPS, BINS + 1, at, bin, NULL } };
  bristle_report_plot(page,
                      &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                       .title = f->name[column],
                                       .x = { f->name[column], mixed ? "" : f->unit[f->axis[0].rotary][column], 0 },
                                       .y = { "fraction of the logs", "", 0 },
                                       .half = 1,
                                       .series_count = 1,
                                       .series = series });
}

int fleet_page(const bristle_fleet *f, const bristle_fleet_options *o, const char *path)
{
  bristle_report *page = bristle_report_new("Fleet");
  char logs[80], rate[200];
  int shown = 0, begun = 0;
  snprintf(logs, sizeof logs, "%zu of %zu axes", f->entries, f->axes);
  snprintf(rate, sizeof rate,
           "%g for the whole fleet: a number counts as changed above %.2f times what its own scatter "
           "gives, and by %g %% or more",
           o->false_alarms, f->threshold, 100 * o->least);
  const char *const facts[][2] = { { "logs", logs }, { "false alarms", rate } };
  add_card(page, f);
  bristle_report_section(page, "Axes that changed");
  add_left(page, f, 0);
  add_left(page, f, 1);
  for (size_t i = 0; i < f->axes && shown < MOST_PLOTS; i++)
    if (f->axis[i].column >= 0) add_history(page, f, &f->axis[i], f->axis[i].column), shown++;
  bristle_report_section(page, "Friction at the medium speed of each axis");
  for (size_t i = 0; i < f->axes && i < 4 * MOST_PLOTS; i++) add_history(page, f, &f->axis[i], 1);
  for (int c = 0; c < f->columns; c++) add_distribution(page, f, c, &begun);
  bristle_report_section(page, "How changes were judged");
  bristle_report_facts(page, 2, facts);
  return finish_page(page, path);
}
