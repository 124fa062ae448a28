/* The static picture of a plot, an SVG of a few kilobytes: for paper, for pages without scripts, and until the script
 * has drawn its own. Colours come from the page's style sheet. */
#include "report/support.h"

#include "maths/elementary.h"

#include <string.h>

enum { LEFT = 64, RIGHT = 14, TOP = 10, BOTTOM = 44, WIDE = 960, NARROW = 480, HIGH = 326 };

/* the place of a picture's plotting area, in pixels */
typedef struct area {
  const picture *p;
  frame x, y;
  int width, height;
} area;

static double left_of(const area *a, double share) { return LEFT + share * (a->width - LEFT - RIGHT); }
static double top_of(const area *a, double share) { return TOP + (1 - share) * (a->height - TOP - BOTTOM); }

static void put_label(text *out, double x, double y, const char *anchor, const char *more, const char *label)
{
  text_print(out, "<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"%s\"%s>", x, y, anchor, more);
  text_html(out, label);
  text_print(out, "</text>");
}

/* in tenths of a pixel, so that whole numbers are fine enough */
static void put_line(text *out, const char *class_name, double x1, double y1, double x2, double y2)
{
  text_print(out, "<path class=\"%s\" d=\"M%.0f %.0fL%.0f %.0f\" transform=\"scale(.1)\"/>", class_name, 10 * x1,
             10 * y1, 10 * x2, 10 * y2);
}

static void put_axes(const area *a, text *out)
{
  ticks across = ticks_of(&a->x, a->width / 90), up = ticks_of(&a->y, 6);
  double left = left_of(a, 0), right = left_of(a, 1), top = top_of(a, 1), bottom = top_of(a, 0);
  text label = { 0 };
  for (int i = 0; i < across.count; i++) {
    double x = left_of(a, frame_at(&a->x, across.at[i]));
    put_line(out, "grid", x, top, x, bottom);
    label.used = 0;
    tick_text(&across, i, &label);
    put_label(out, x, bottom + 16, "middle", "", label.data);
  }
  for (int i = 0; i < up.count; i++) {
    double y = top_of(a, frame_at(&a->y, up.at[i]));
    put_line(out, "grid", left, y, right, y);
    label.used = 0;
    tick_text(&up, i, &label);
    put_label(out, left - 6, y + 4, "end", "", label.data);
  }
  text_drop(&label);
  put_label(out, (left + right) / 2, a->height - 8, "middle", "", a->p->x_label.data);
  put_label(out, -(top + bottom) / 2, 14, "middle", " transform=\"rotate(-90)\"", a->p->y_label.data);
}

static void put_point(const area *a, text *out, char command, double x, double y)
{
  double left = left_of(a, frame_at(&a->x, x)), top = top_of(a, frame_at(&a->y, y));
  text_print(out, "%c%.0f %.0f", command, 10 * left, 10 * top);
}

static void put_path(const area *a, const bristle_series *s, text *out)
{
  int drawing = 0, points = s->style == BRISTLE_STYLE_POINTS;
  for (size_t i = 0; i < s->count; i++) {
    if (isnan(s->y[i])) {
      drawing = 0;
      continue;
    }
    if (drawing && s->style == BRISTLE_STYLE_STEPS) put_point(a, out, 'L', s->x[i], s->y[i - 1]);
    put_point(a, out, drawing && !points ? 'L' : 'M', s->x[i], s->y[i]);
    int alone = points || (!drawing && (i + 1 == s->count || isnan(s->y[i + 1])));
    if (alone) text_print(out, "h0"); /* a dot, through its round ends */
    drawing = 1;
  }
}

/* each stretch without a gap: along the upper edge, and back along the lower one */
static void put_band(const area *a, const bristle_series *s, text *out)
{
  for (size_t begin = 0, end; begin < s->count; begin = end + 1) {
    for (end = begin; end < s->count && !isnan(s->y[end]); end++)
      put_point(a, out, end == begin ? 'M' : 'L', s->x[end], s->y[end]);
    for (size_t i = end; i-- > begin;) put_point(a, out, 'L', s->x[i], s->low[i]);
    if (end > begin) text_print(out, "z");
  }
}

/* first the lines, then the labels, in three rows; a label without room is left out */
static void put_marks(const area *a, text *out)
{
  double busy[3] = { -1e9, -1e9, -1e9 }, left = left_of(a, 0), right = left_of(a, 1);
  for (int labels = 0; labels < 2; labels++)
    for (size_t k = 0; k < a->p->plot->mark_count; k++) {
      const bristle_mark *m = &a->p->plot->marks[k];
      const frame *f = m->horizontal ? &a->y : &a->x;
      if (!frame_shows(f, a->p->marks[k])) continue;
      double share = frame_at(f, a->p->marks[k]), x = left_of(a, share), y = top_of(a, share);
      if (!labels && m->horizontal) put_line(out, "mark", left, y, right, y);
      if (!labels && !m->horizontal) put_line(out, "mark", x, top_of(a, 1), x, top_of(a, 0));
      if (!labels || !m->label) continue;
      double wide = 6.5 * (double)strlen(m->label);
      int row = 0, flip = m->horizontal || x + wide > right;
      while (!m->horizontal && row < 3 && busy[row] > (flip ? x - wide : x)) row++;
      if (row == 3) continue;
      put_label(out,
                m->horizontal ? right - 4
                : flip        ? x - 4
                              : x + 4,
                m->horizontal ? y - 4 : TOP + 12 + 13 * row, flip ? "end" : "start", " class=\"note\"", m->label);
      if (!m->horizontal) busy[row] = flip ? x : x + wide + 10;
    }
}

static void put_spans(const area *a, text *out)
{
  for (size_t k = 0; k < a->p->plot->span_count; k++) {
    const double from = frame_at(&a->x, a->p->spans[2 * k]), to = frame_at(&a->x, a->p->spans[2 * k + 1]);
    const double left = left_of(a, fmax(0, fmin(1, from))), right = left_of(a, fmax(0, fmin(1, to)));
    if (right > left)
      text_print(out, "<rect class=\"span\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%.0f\"/>", left, top_of(a, 1),
                 right - left, top_of(a, 0) - top_of(a, 1));
  }
}

/* grows the shorter side until a unit is as long across as up */
static void make_equal(area *a)
{
  double across = (a->x.high - a->x.low) / (a->width - LEFT - RIGHT);
  double up = (a->y.high - a->y.low) / (a->height - TOP - BOTTOM);
  if (across < up) frame_pad(&a->x, 0.5 * (up / across - 1));
  else frame_pad(&a->y, 0.5 * (across / up - 1));
}

void picture_svg(const picture *p, text *out)
{
  static const char *const classes[] = { "line", "line dashed", "line", "dots", "band", "line wide" };
  area a = { p, p->x, p->y, WIDE, HIGH };
  if (p->plot->half) a.width = NARROW, a.height = NARROW * 6 / 10;
  else if (p->plot->equal) a.width = WIDE * 3 / 4;
  if (p->plot->equal) a.height = a.width * 2 / 3;
  if (p->plot->kind == BRISTLE_PLOT_XY) frame_pad(&a.x, 0.04);
  frame_pad(&a.y, 0.06);
  if (p->plot->equal) make_equal(&a);
  text_print(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", a.width, a.height);
  text_html(out, p->plot->title);
  text_print(out, "\">");
  put_spans(&a, out);
  put_axes(&a, out);
  for (size_t k = 0; k < p->plot->series_count; k++) {
    const bristle_series *s = &p->curves[k].s;
    text_print(out, "<path class=\"%s c%zu\" transform=\"scale(.1)\" d=\"", classes[s->style], k % 7);
    if (s->style == BRISTLE_STYLE_BAND) put_band(&a, s, out);
    else put_path(&a, s, out);
    text_print(out, "\"/>");
  }
  put_marks(&a, out);
  text_print(out, "</svg>");
}
