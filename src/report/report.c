/* The page: its sections, texts and tables, and the file with everything embedded. */
#include "io/support.h"
#include "maths/elementary.h"
#include "report/support.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bristle_report *bristle_report_new(const char *title)
{
  bristle_report *r = calloc(1, sizeof *r);
  if (r) text_html(&r->title, title ? title : "");
  return r;
}

void bristle_report_free(bristle_report *r)
{
  if (!r) return;
  for (size_t i = 0; i < r->groups; i++) free(r->group[i].name);
  free(r->group);
  text_drop(&r->title), text_drop(&r->contents), text_drop(&r->body);
  free(r);
}

int report_is_fine(const bristle_report *r) { return r && !r->kind && !r->body.failed; }

void report_fail(bristle_report *r, bristle_fault_kind kind, const char *format, ...)
{
  va_list args;
  if (r->kind) return;
  r->kind = kind;
  va_start(args, format);
  vsnprintf(r->what, sizeof r->what, format, args);
  va_end(args);
}

/* ---- texts and tables ---- */

/* ends what is folded */
static const char *unfold(const bristle_report *r) { return r->folded ? "</div></details>\n" : ""; }

void bristle_report_section(bristle_report *r, const char *heading)
{
  char name[32];
  snprintf(name, sizeof name, "s%zu", r ? r->sections + 1 : 0);
  bristle_report_section_named(r, heading, name);
}

void bristle_report_chapter(bristle_report *r, const char *heading)
{
  if (!report_is_fine(r)) return;
  text_print(&r->contents, "%s<h2>", r->chapters++ ? "</ol>\n" : "");
  text_rich(&r->contents, heading);
  text_print(&r->contents, "</h2>\n<ol class=\"thumbs\">\n");
}

void bristle_report_section_named(bristle_report *r, const char *heading, const char *name)
{
  if (!report_is_fine(r)) return;
  if (!name[0] || name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")]) {
    report_fail(r, BRISTLE_FAULT_VALUE, "'%.60s' is no name of a section", name);
    return;
  }
  text_print(&r->body, "%s", unfold(r));
  r->folded = 0;
  if (!r->sections) r->lead = r->body.used;
  text_print(&r->body, "%s<section id=\"%s\">\n<h2>", r->sections ? "</section>\n" : "", name);
  text_rich(&r->body, heading);
  text_print(&r->body, "</h2>\n");
  r->sections++;
  text_print(&r->contents, "<li><a href=\"#%s\">", name);
  text_rich(&r->contents, heading);
  text_print(&r->contents, "</a></li>\n");
}

void report_element(text *out, const char *open, const char *content, const char *close)
{
  text_print(out, "%s", open);
  text_rich(out, content);
  text_print(out, "%s", close);
}

void bristle_report_text(bristle_report *r, const char *paragraph)
{
  if (report_is_fine(r)) report_element(&r->body, "<p>", paragraph, "</p>\n");
}

void bristle_report_notice(bristle_report *r, const char *paragraph)
{
  if (report_is_fine(r)) report_element(&r->body, "<p class=\"notice\">", paragraph, "</p>\n");
}

void bristle_report_fold(bristle_report *r, const char *summary)
{
  if (!report_is_fine(r)) return;
  text_print(&r->body, "%s", unfold(r));
  report_element(&r->body, "<details><summary>", summary, "</summary>\n<div class=\"fold\">\n");
  r->folded = 1;
}

void bristle_report_link(bristle_report *r, const char *address, const char *label)
{
  if (!report_is_fine(r)) return;
  text_print(&r->body, "<p class=\"link\"><a href=\"");
  text_html(&r->body, address);
  report_element(&r->body, "\">", label, "</a></p>\n");
}

void bristle_report_code(bristle_report *r, const char *code)
{
  if (!report_is_fine(r)) return;
  text_print(&r->body, "<pre><code>");
  text_html(&r->body, code);
  text_print(&r->body, "</code></pre>\n");
}

void bristle_report_facts(bristle_report *r, size_t count, const char *const (*facts)[2])
{
  if (!report_is_fine(r)) return;
  text_print(&r->body, "<dl>\n");
  for (size_t i = 0; i < count; i++) {
    report_element(&r->body, "<div><dt>", facts[i][0], "</dt>");
    report_element(&r->body, "<dd>", facts[i][1], "</dd></div>\n");
  }
  text_print(&r->body, "</dl>\n");
}

static void open_table(text *out, const char *class_name, const char *caption)
{
  text_print(out, "<div class=\"scroll\" tabindex=\"0\"><table class=\"%s\">\n", class_name);
  if (caption) report_element(out, "<caption>", caption, "</caption>\n");
}

static void put_cell(text *out, const char *element, char align, const char *content)
{
  text_print(out, "<%s%s>", element, align == 'r' ? " class=\"r\"" : align == 'c' ? " class=\"c\"" : "");
  text_rich(out, content);
  text_print(out, "</%.2s>", element);
}

void bristle_report_table(bristle_report *r, const bristle_report_grid *g) { bristle_report_table_marked(r, g, 0); }

void bristle_report_table_marked(bristle_report *r, const bristle_report_grid *g, size_t row)
{
  if (!report_is_fine(r)) return;
  size_t letters = g->align ? strlen(g->align) : 0;
  open_table(&r->body, "data", g->caption);
  text_print(&r->body, "<thead><tr>");
  for (size_t k = 0; k < g->columns; k++)
    put_cell(&r->body, "th scope=\"col\"", k < letters ? g->align[k] : 'l', g->heads[k]);
  text_print(&r->body, "</tr></thead>\n<tbody>\n");
  for (size_t i = 0; i < g->rows; i++) {
    text_print(&r->body, i + 1 == row ? "<tr class=\"marked\">" : "<tr>");
    for (size_t k = 0; k < g->columns; k++)
      put_cell(&r->body, "td", k < letters ? g->align[k] : 'l', g->cells[i * g->columns + k]);
    text_print(&r->body, "</tr>\n");
  }
  text_print(&r->body, "</tbody></table></div>\n");
}

/* two places of what the largest has before the point, and more of small ones */
static int places_of(double limit)
{
  int places = limit < 10 ? 2 : limit < 100 ? 1 : 0;
  for (double x = limit; x < 0.5 && places < 9; x *= 10) places++;
  return places;
}

/* how strong the colour of a value is, in percent; a map's smallest value, even zero, is not empty */
static int share_of(double value, const bristle_matrix *m)
{
  const double pale = m->low > 0 || m->unit ? 0.08 : 0;
  const double share = pale + (1 - pale) * fmax(0, fmin(1, (fabs(value) - m->low) / (m->limit - m->low)));
  return (int)(100 * share + 0.5);
}

static void put_coloured(text *out, double value, const bristle_matrix *m, int wide)
{
  if (isnan(value)) {
    text_print(out, "<td class=\"gap\"%s</td>", wide ? " title=\"no number\">" : ">");
    return;
  }
  text_print(out, "<td class=\"%s\" style=\"--a:%d%%\"%s", value < 0 ? "less" : "more", share_of(value, m),
             wide ? " title=\"" : ">");
  text_fixed(out, value, places_of(m->limit));
  text_print(out, wide ? "\"></td>" : "</td>");
}

/* which colour is which number, from the smallest to the largest that occur */
static void put_bar(text *out, const bristle_matrix *m)
{
  enum { STEPS = 9 };
  const size_t count = m->columns * m->rows;
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = 0; i < count; i++)
    if (isfinite(m->values[i])) low = fmin(low, m->values[i]), high = fmax(high, m->values[i]);
  if (!(low <= high)) return;
  text_print(out, "<p class=\"bar\">");
  text_fixed(out, low, places_of(m->limit));
  for (int i = 0; i < STEPS && high > low; i++) {
    const double value = low + (high - low) * i / (STEPS - 1);
    text_print(out, "<i class=\"%s\" style=\"--a:%d%%\"></i>", value < 0 ? "less" : "more", share_of(value, m));
  }
  if (high > low) text_fixed(out, high, places_of(m->limit));
  report_element(out, " ", m->unit, " <i class=\"gap\"></i> no number</p>\n");
}

/* a name beside the cells, and what it stands for in a command */
static void put_name(text *out, const char *scope, const char *name, const bristle_matrix *m, const double *at)
{
  char element[80], number[BRISTLE_NUMBER_SIZE];
  snprintf(element, sizeof element, "th scope=\"%s\"", scope);
  if (m->command && at) {
    bristle_number_write(*at, number);
    snprintf(element, sizeof element, "th scope=\"%s\" data-at=\"%s\"", scope, number);
  }
  put_cell(out, element, 'l', name);
}

static void put_column_names(text *out, const bristle_matrix *m)
{
  text_print(out, "<tr><td></td>");
  for (size_t k = 0; k < m->columns; k++)
    put_name(out, "col", m->column_names[k], m, m->column_at ? m->column_at + k : NULL);
  text_print(out, "</tr>");
}

void bristle_report_matrix(bristle_report *r, const bristle_matrix *m)
{
  if (!report_is_fine(r)) return;
  enum { WIDEST = 14 }; /* with numbers */
  const int wide = m->columns > WIDEST;
  text *out = &r->body;
  open_table(out, wide ? "matrix map" : "matrix", m->caption);
  if (!m->upward) text_print(out, "<thead>"), put_column_names(out, m), text_print(out, "</thead>\n");
  text_print(out, "<tbody>\n");
  for (size_t n = 0; n < m->rows; n++) {
    const size_t i = m->upward ? m->rows - 1 - n : n;
    text_print(out, "<tr>");
    put_name(out, "row", m->row_names[i], m, m->row_at ? m->row_at + i : NULL);
    for (size_t k = 0; k < m->columns; k++) put_coloured(out, m->values[i * m->columns + k], m, wide);
    text_print(out, "</tr>\n");
  }
  text_print(out, "</tbody>");
  if (m->upward) text_print(out, "\n<tfoot>"), put_column_names(out, m), text_print(out, "</tfoot>");
  text_print(out, "</table></div>\n");
  if (m->unit) put_bar(out, m);
  if (!m->command) return;
  text_print(out, "<p class=\"pick\" aria-live=\"polite\" hidden data-command=\"");
  text_html(out, m->command);
  text_print(out, "\">Click a cell for the command that runs it.</p>\n");
}

/* ---- the file ---- */

static void put_embedded(FILE *out, const embedded *e) { fwrite(e->data, 1, e->size, out); }

static void put_text(FILE *out, const text *t)
{
  if (t->used) fwrite(t->data, 1, t->used, out);
}

static void put_head(FILE *out, const bristle_report *r)
{
  /* the policy keeps the promise that nothing is fetched */
  fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data:\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"bristle\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        out);
  put_text(out, &r->title);
  fputs("</title>\n<style>\n", out);
  put_embedded(out, &embedded_page_css);
  fputs("</style>\n</head>\n", out);
}

static void put_body(FILE *out, const bristle_report *r)
{
  enum { MANY = 4 };
  fputs("<body>\n<header>\n<h1>", out);
  put_text(out, &r->title);
  fputs("</h1>\n<button id=\"theme\" type=\"button\" hidden>Dark</button>\n</header>\n", out);
  fputs("<main>\n", out);
  if (r->plots) fputs("<noscript><p class=\"notice\">Scripts are off: the pictures are static.</p></noscript>\n", out);
  const size_t lead = r->sections ? r->lead : r->body.used; /* what is found comes before the contents */
  if (lead) fwrite(r->body.data, 1, lead, out);
  if (r->sections >= MANY) {
    fputs(r->chapters ? "<nav aria-label=\"Contents\">\n" : "<nav aria-label=\"Contents\">\n<ol>\n", out);
    put_text(out, &r->contents);
    fputs("</ol>\n</nav>\n", out);
  }
  if (r->body.used > lead) fwrite(r->body.data + lead, 1, r->body.used - lead, out);
  fputs(unfold(r), out);
  fputs(r->sections ? "</section>\n</main>\n" : "</main>\n", out);
  if (r->plots)
    fputs("<footer>Drag to zoom, double-click to go back; names in a legend switch their curves. Keys in a picture: "
          "+ &minus; zoom, arrows move, 0 goes back. PNG, SVG and CSV save a picture and its numbers.</footer>\n",
          out);
}

bristle_fault_kind bristle_report_write(const bristle_report *r, const char *path, bristle_fault *fault)
{
  if (!r || r->body.failed || r->contents.failed || r->title.failed)
    return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the report");
  if (r->kind) return fault_set(fault, r->kind, NULL, "report: %s", r->what);
  bristle_output *output;
  bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_PAGE, &output, fault);
  if (kind) return kind;
  FILE *out = bristle_output_stream(output);
  put_head(out, r);
  put_body(out, r);
  fputs("<script>\n", out);
  put_embedded(out, &embedded_page_js);
  fputs("</script>\n</body>\n</html>\n", out);
  return bristle_output_commit(output, fault);
}
