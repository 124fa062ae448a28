/* A plot: checked, thinned out, scaled to its units, and written as a picture, a legend and data for the page's script.
 */
#include "report/support.h"

#include "maths/elementary.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static const char *const style_names[] = { "line", "dashed", "steps", "points", "band", "wide" };

/* ---- checks ---- */

static int check_series(bristle_report *r, const bristle_plot *plot, const bristle_series *s)
{
  const char *name = s->name ? s->name : "";
  if (s->count && (!s->x || !s->y || (s->style == BRISTLE_STYLE_BAND && !s->low))) {
    report_fail(r, BRISTLE_FAULT_VALUE, "series '%.60s' of '%.60s' has no data", name, plot->title ? plot->title : "");
    return 0;
  }
  double last = -HUGE_VAL;
  for (size_t i = 0; plot->kind == BRISTLE_PLOT_TIME && i < s->count; i++) {
    if (s->x[i] < last) {
      report_fail(r, BRISTLE_FAULT_VALUE, "series '%.60s' of '%.60s' goes back in time at sample %zu", name,
                  plot->title ? plot->title : "", i);
      return 0;
    }
    if (isfinite(s->x[i])) last = s->x[i];
  }
  return 1;
}

/* ---- thinning out ---- */

static double *gather(const double *values, const size_t *kept, size_t count)
{
  double *out = malloc((count + 1) * sizeof *out);
  for (size_t k = 0; out && k < count; k++) out[k] = values[kept[k]];
  return out;
}

/* gaps keep a place on the time axis, and nothing else */
static void mark_gaps(curve *c, const frame *x, const frame *y)
{
  double *xs = (double *)c->s.x, *ys = (double *)c->s.y, last = 0;
  for (size_t i = c->s.count; i-- > 0;)
    if (frame_shows(x, xs[i])) last = xs[i]; /* the first one */
  for (size_t i = 0; i < c->s.count; i++) {
    if (is_gap(&c->s, x, y, i)) ys[i] = (double)NAN;
    if (!frame_shows(x, xs[i])) xs[i] = last;
    last = xs[i];
  }
}

static int thin_out(const bristle_plot *plot, const bristle_series *s, const frame *x, const frame *y, size_t limit,
                    curve *c)
{
  size_t count;
  size_t *kept = plot->kind == BRISTLE_PLOT_TIME ? keep_time(s, x, y, limit, &count)
                                                 : keep_path(s, x, y, limit, &count);
  if (!kept) return 0;
  *c = (curve){ *s, s->count };
  c->s.count = count;
  c->s.x = gather(s->x, kept, count);
  c->s.y = gather(s->y, kept, count);
  c->s.low = s->style == BRISTLE_STYLE_BAND ? gather(s->low, kept, count) : NULL;
  free(kept);
  if (!c->s.x || !c->s.y || (s->style == BRISTLE_STYLE_BAND && !c->s.low)) return 0;
  mark_gaps(c, x, y);
  return 1;
}

static void release_curves(curve *curves, size_t count)
{
  for (size_t k = 0; curves && k < count; k++) {
    free((void *)curves[k].s.x);
    free((void *)curves[k].s.y);
    free((void *)curves[k].s.low);
  }
  free(curves);
}

static int thin_out_all(picture *p, size_t limit, const picture *from)
{
  const bristle_plot *plot = p->plot;
  p->curves = calloc(plot->series_count + 1, sizeof *p->curves);
  if (!p->curves) return 0;
  for (size_t k = 0; k < plot->series_count; k++) {
    const bristle_series *s = from ? &from->curves[k].s : &plot->series[k];
    if (!thin_out(plot, s, &p->x, &p->y, limit, &p->curves[k])) return 0;
  }
  return 1;
}

/* ---- scaling ---- */

static void find_frames(picture *p)
{
  const bristle_plot *plot = p->plot;
  p->x = frame_empty(plot->x.log);
  p->y = frame_empty(plot->y.log);
  for (size_t k = 0; k < plot->series_count; k++) {
    const bristle_series *s = &plot->series[k];
    int band = s->style == BRISTLE_STYLE_BAND;
    for (size_t i = 0; i < s->count; i++) {
      if (plot->kind == BRISTLE_PLOT_TIME) frame_take(&p->x, s->x[i]);
      if (is_gap(s, &p->x, &p->y, i)) continue;
      frame_take(&p->x, s->x[i]);
      frame_take(&p->y, s->y[i]);
      if (band) frame_take(&p->y, s->low[i]);
    }
  }
  for (size_t k = 0; k < plot->mark_count; k++) /* a limit that the data never reach still belongs into the picture */
    frame_take(plot->marks[k].horizontal ? &p->y : &p->x, plot->marks[k].at);
  frame_finish(&p->x);
  frame_finish(&p->y);
}

/* the exponent of x that the first plot of a group chose */
static int group_exponent(bristle_report *r, const char *name, int exponent)
{
  for (size_t i = 0; i < r->groups; i++)
    if (!strcmp(r->group[i].name, name)) return r->group[i].exponent;
  group *larger = realloc(r->group, (r->groups + 1) * sizeof *larger);
  if (larger) r->group = larger;
  char *copy = larger ? malloc(strlen(name) + 1) : NULL;
  if (!copy) report_fail(r, BRISTLE_FAULT_MEMORY, "not enough memory for the report");
  else r->group[r->groups++] = (group){ strcpy(copy, name), exponent };
  return exponent;
}

static void scale_values(double *values, size_t count, int exponent)
{
  double factor = pow(10, abs(exponent));
  for (size_t i = 0; values && i < count; i++) values[i] = exponent < 0 ? values[i] * factor : values[i] / factor;
}

static void scale_frame(frame *f, int exponent)
{
  scale_values(&f->low, 1, exponent);
  scale_values(&f->high, 1, exponent);
}

static void scale_picture(picture *p, int x_exponent, int y_exponent)
{
  for (size_t k = 0; k < p->plot->series_count; k++) {
    bristle_series *s = &p->curves[k].s;
    scale_values((double *)s->x, s->count, x_exponent);
    scale_values((double *)s->y, s->count, y_exponent);
    scale_values((double *)s->low, s->low ? s->count : 0, y_exponent);
  }
  scale_frame(&p->x, x_exponent);
  scale_frame(&p->y, y_exponent);
  axis_label(&p->plot->x, x_exponent, &p->x_label);
  axis_label(&p->plot->y, y_exponent, &p->y_label);
  axis_unit(p->plot->x.unit, x_exponent, &p->x_unit);
  axis_unit(p->plot->y.unit, y_exponent, &p->y_unit);
}

/* ---- data for the script ---- */

/* Four bytes are enough when their rounding is invisible even in a hundredfold zoom. Short series cost nothing. */
static int float_is_enough(const double *values, size_t count)
{
  enum { SHORT = 2000 };
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = 0; i < count; i++) low = fmin(low, values[i]), high = fmax(high, values[i]);
  double size = fmax(fabs(low), fabs(high)), rounding = size * 0.5 * (double)FLT_EPSILON;
  return count > SHORT && size < 1e38 && size > 1e-37 && rounding < 1e-6 * (high - low);
}

static void put_array(text *out, const char *key, const double *values, size_t count, int as_float)
{
  text_print(out, ",\"%s\":[%d,\"", key, as_float ? 32 : 64);
  text_base64(out, values, count, as_float);
  text_print(out, "\"]");
}

static void put_series(text *out, const curve *c, bristle_plot_kind kind)
{
  const bristle_series *s = &c->s;
  int narrow = float_is_enough(s->y, s->count) && (!s->low || float_is_enough(s->low, s->count));
  text_print(out, "{\"name\":");
  text_json(out, s->name);
  text_print(out, ",\"style\":\"%s\"", style_names[s->style]);
  put_array(out, "x", s->x, s->count, kind == BRISTLE_PLOT_XY && float_is_enough(s->x, s->count));
  put_array(out, "y", s->y, s->count, narrow);
  if (s->low) put_array(out, "low", s->low, s->count, narrow);
  text_print(out, "}");
}

static void put_axis(text *out, const char *key, const bristle_plot_axis *axis, const text *label, const text *unit)
{
  text_print(out, ",\"%s\":{\"log\":%s,\"name\":", key, axis->log ? "true" : "false");
  text_json(out, axis->label);
  text_print(out, ",\"label\":");
  text_json(out, label->data);
  text_print(out, ",\"unit\":");
  text_json(out, unit->data);
  text_print(out, "}");
}

static void put_data(text *out, const picture *p)
{
  const bristle_plot *plot = p->plot;
  text_print(out, "<script type=\"application/json\">{\"kind\":\"%s\",\"equal\":%s",
             plot->kind == BRISTLE_PLOT_TIME ? "time" : "xy", plot->equal ? "true" : "false");
  put_axis(out, "x", &plot->x, &p->x_label, &p->x_unit);
  put_axis(out, "y", &plot->y, &p->y_label, &p->y_unit);
  text_print(out, ",\"series\":[");
  for (size_t k = 0; k < plot->series_count; k++) {
    if (k) text_add(out, ",", 1);
    put_series(out, &p->curves[k], plot->kind);
  }
  text_print(out, "],\"marks\":[");
  for (size_t k = 0; k < plot->mark_count; k++) {
    text_print(out, "%s{\"axis\":\"%s\",\"at\":", k ? "," : "", plot->marks[k].horizontal ? "y" : "x");
    text_number(out, p->marks[k]);
    text_print(out, ",\"label\":");
    text_json(out, plot->marks[k].label);
    text_print(out, "}");
  }
  text_print(out, "],\"spans\":[");
  for (size_t k = 0; k < plot->span_count; k++)
    for (int end = 0; end < 2; end++) {
      text_print(out, k || end ? "," : "");
      text_number(out, p->spans[2 * k + (size_t)end]);
    }
  text_print(out, "]}</script>\n");
}

/* ---- the figure ---- */

static void put_legend(text *out, const bristle_plot *plot)
{
  text_print(out, "<ul class=\"legend\">");
  for (size_t k = 0; k < plot->series_count; k++) {
    text_print(out, "<li class=\"c%zu %s\"><span>", k % 7, style_names[plot->series[k].style]);
    text_rich(out, plot->series[k].name ? plot->series[k].name : "");
    text_print(out, "</span></li>");
  }
  if (plot->span_count && plot->span_name) {
    text_print(out, "<li class=\"shade\"><span>");
    text_rich(out, plot->span_name);
    text_print(out, "</span></li>");
  }
  text_print(out, "</ul>\n");
}

static void put_caption(text *out, const picture *p)
{
  const bristle_plot *plot = p->plot;
  size_t shown = 0, total = 0;
  for (size_t k = 0; k < plot->series_count; k++) shown += p->curves[k].s.count, total += p->curves[k].total;
  const int thinned = 10 * shown < 9 * total; /* what hardly changes a picture needs no word */
  if (!plot->caption && !thinned) return;
  text_print(out, "<figcaption>");
  text_rich(out, plot->caption);
  if (thinned) {
    text_print(out, "%s<small>Shown: ", plot->caption ? " " : "");
    text_count(out, shown);
    text_print(out, " of ");
    text_count(out, total);
    text_print(out, " points, extremes kept.</small>");
  }
  text_print(out, "</figcaption>\n");
}

static void put_figure(bristle_report *r, const picture *p, const picture *small)
{
  const bristle_plot *plot = p->plot;
  text *out = &r->body;
  text_print(out, "<figure class=\"plot%s%s\"", plot->half ? " half" : "", plot->equal ? " equal" : "");
  if (plot->group && plot->kind == BRISTLE_PLOT_TIME) {
    text_print(out, " data-group=\"");
    text_html(out, plot->group);
    text_print(out, "\" data-from=\"");
    text_number(out, p->x.log ? pow(10, p->x.low) : p->x.low);
    text_print(out, "\" data-to=\"");
    text_number(out, p->x.log ? pow(10, p->x.high) : p->x.high);
    text_print(out, "\"");
  }
  text_print(out, ">\n");
  if (plot->title) {
    text_print(out, "<h3>");
    text_rich(out, plot->title);
    text_print(out, "</h3>\n");
  }
  put_legend(out, plot);
  text_print(out, "<div class=\"view\">");
  picture_svg(small, out);
  text_print(out, "</div>\n");
  put_caption(out, p);
  put_data(out, p);
  text_print(out, "</figure>\n");
}

static int choose_units(bristle_report *r, picture *p)
{
  const bristle_plot *plot = p->plot;
  int x = axis_exponent(&plot->x, &p->x), y = axis_exponent(&plot->y, &p->y);
  if (plot->group && plot->kind == BRISTLE_PLOT_TIME && !plot->x.log) x = group_exponent(r, plot->group, x);
  if (plot->equal) x = y = x > y ? x : y;
  p->marks = malloc((plot->mark_count + 1) * sizeof *p->marks);
  if (!p->marks) return 0;
  for (size_t k = 0; k < plot->mark_count; k++) {
    p->marks[k] = plot->marks[k].at;
    scale_values(&p->marks[k], 1, plot->marks[k].horizontal ? y : x);
  }
  p->spans = malloc((2 * plot->span_count + 1) * sizeof *p->spans);
  if (!p->spans) return 0;
  for (size_t k = 0; k < plot->span_count; k++)
    p->spans[2 * k] = plot->spans[k].from, p->spans[2 * k + 1] = plot->spans[k].to;
  scale_values(p->spans, 2 * plot->span_count, x);
  scale_picture(p, x, y);
  return 1;
}

void bristle_report_plot(bristle_report *r, const bristle_plot *plot)
{
  enum { USUAL = 20000, LEAST = 100, STATIC = 800 };
  if (!report_is_fine(r)) return;
  for (size_t k = 0; k < plot->series_count; k++)
    if (!check_series(r, plot, &plot->series[k])) return;
  picture p = { .plot = plot };
  find_frames(&p);
  size_t limit = plot->limit == 0 ? USUAL : plot->limit < LEAST ? LEAST : plot->limit;
  int whole = thin_out_all(&p, limit, NULL) && choose_units(r, &p);
  picture small = p;
  small.curves = NULL;
  whole = whole && thin_out_all(&small, STATIC, &p);
  if (whole) put_figure(r, &p, &small);
  else report_fail(r, BRISTLE_FAULT_MEMORY, "not enough memory for the report");
  r->plots++;
  release_curves(small.curves, plot->series_count);
  release_curves(p.curves, plot->series_count);
  text_drop(&p.x_label), text_drop(&p.y_label), text_drop(&p.x_unit), text_drop(&p.y_unit);
  free(p.marks);
  free(p.spans);
}
