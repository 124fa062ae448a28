/* The page inside a unit: law, variables, and the steady curve as a picture. */
#include "fmi/fmi.h"

#include "bristle/text.h"

#include "maths/elementary.h"
#include <string.h>

enum { WIDTH = 640, HEIGHT = 320, POINTS = 240 };

static void add_text(buffer *b, const char *text)
{
  for (; *text; text++) {
    if (*text == '&') buffer_add(b, "&amp;", 5);
    else if (*text == '<') buffer_add(b, "&lt;", 4);
    else buffer_add(b, text, 1);
  }
}

static double steady(const fmi_unit *u, double v)
{
  const bristle_input in = { .v = v, .n = u->q->load > 0 ? u->q->load : 1, .load = u->q->friction->load };
  return u->q->friction->law->f64->steady(u->q->friction->p, &in);
}

/* forwards, or backwards (direction -1) turned about the origin */
static void add_path(buffer *b, const fmi_unit *u, double direction, double most, double highest)
{
  buffer_print(b, "<path fill=\"none\" stroke=\"#06c\"%s d=\"", direction < 0 ? " stroke-dasharray=\"6 4\"" : "");
  for (int i = 0; i <= POINTS; i++) {
    const double v = most * (i > 0 ? (double)i / POINTS : 1e-6), f = direction * steady(u, direction * v);
    buffer_print(b, "%s%.1f %.1f", i ? "L" : "M", WIDTH * v / most, HEIGHT - HEIGHT * f / (1.05 * highest));
  }
  buffer_print(b, "\"/>\n");
}

static void add_curve(buffer *b, const fmi_unit *u)
{
  const double most = 20 * u->speed_scale;
  const int both = !(u->info->traits & BRISTLE_TRAIT_ODD);
  double highest = 0;
  if (!(u->info->traits & BRISTLE_TRAIT_STEADY)) return;
  for (int i = 1; i <= POINTS; i++) {
    highest = fmax(highest, fabs(steady(u, most * i / POINTS)));
    if (both) highest = fmax(highest, fabs(steady(u, -most * i / POINTS)));
  }
  if (!(highest > 0) || !isfinite(highest)) return;
  buffer_print(
      b,
      "<h2>Steady friction%s</h2>\n<svg viewBox=\"-50 -10 %d %d\" width=\"%d\" role=\"img\" aria-label=\"friction over"
      " speed\">\n<path fill=\"none\" stroke=\"#888\" d=\"M0 0V%dH%d\"/>\n",
      both ? ", forwards and (dashed) backwards" : "", WIDTH + 60, HEIGHT + 50, WIDTH, HEIGHT, WIDTH);
  add_path(b, u, 1, most, highest);
  if (both) add_path(b, u, -1, most, highest);
  buffer_print(b,
               "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.3g %s</text><text x=\"-4\" y=\"14\""
               " text-anchor=\"end\">%.3g</text>\n</svg>\n",
               WIDTH, HEIGHT + 24, most, bristle_speed_unit(u->q->friction->rotary), 1.05 * highest);
}

static void add_variables(buffer *b, const fmi_unit *u)
{
  static const char *const kinds[] = { "time", "input", "parameter", "output", "local" };
  char number[48];
  buffer_print(
      b, "<h2>Variables</h2>\n<table><tr><th>name</th><th>kind</th><th>start</th><th>unit</th><th>meaning</th></tr>\n");
  for (int i = 0; i < u->variables; i++) {
    const fmi_variable *v = &u->variable[i];
    bristle_number_text(v->start, number, sizeof number);
    buffer_print(b, "<tr><td>%s</td><td>%s</td><td>%s</td><td>%s</td><td>", v->name, kinds[v->causality],
                 v->exact ? number : "", v->unit);
    add_text(b, v->description);
    buffer_print(b, "</td></tr>\n");
  }
  buffer_print(b, "</table>\n");
}

char *fmi_page(const fmi_unit *u)
{
  buffer b = { 0 };
  buffer_print(&b,
               "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>%s</title>\n<style>body{font:16px/1.5 "
               "sans-serif;"
               "max-width:50em;margin:2em auto;padding:0 1em}table{border-collapse:collapse}td,th{text-align:left;"
               "padding:.1em .8em .1em 0}</style>\n<h1>%s</h1>\n<p>",
               u->name, u->name);
  add_text(&b, u->info->title);
  buffer_print(&b, ". Written by bristle %s.</p>\n<pre>", u->q->version);
  add_text(&b, u->info->equations);
  buffer_print(&b, "</pre>\n<p>Use it for: ");
  add_text(&b, u->info->use);
  buffer_print(&b, "</p>\n<p>What it cannot do: ");
  add_text(&b, u->info->limits);
  buffer_print(
      &b,
      "</p>\n<p>F is a resistance: the body feels its opposite. In co-simulation an element takes v as constant over a"
      " communication step; a body takes steps of its own. Directional derivatives are exact.</p>\n");
  if (u->q->origin[0]) {
    buffer_print(&b, "<pre>");
    add_text(&b, u->q->origin);
    buffer_print(&b, "</pre>\n");
  }
  add_curve(&b, u);
  add_variables(&b, u);
  return buffer_take(&b);
}
