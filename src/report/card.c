/* The card that begins a page: a verdict, its numbers, what to do next. */
#include "io/support.h"
#include "report/support.h"

#include <ctype.h>
#include <string.h>

void bristle_report_card(bristle_report *r, const bristle_card *c)
{
  static const char *const grades[] = { "good", "care", "bad" };
  if (!report_is_fine(r)) return;
  text_print(&r->body, "<div class=\"card %s%s\">\n", grades[c->grade], c->beside ? " beside" : "");
  report_element(&r->body, "<p class=\"badge\">", c->word, "</p>\n");
  report_element(&r->body, "<h2 class=\"headline\">", c->sentence, "</h2>\n");
  for (size_t i = 0; i < c->details; i++) report_element(&r->body, "<p>", c->detail[i], "</p>\n");
  if (c->rows) text_print(&r->body, "<div class=\"scroll\" tabindex=\"0\"><table>\n");
  for (size_t i = 0; i < c->rows; i++) {
    const bristle_card_row *row = &c->row[i];
    report_element(&r->body, row->unknown ? "<tr class=\"unknown\"><th scope=\"row\">" : "<tr><th scope=\"row\">",
                   row->about, " ");
    if (row->name) report_element(&r->body, "<code>", row->name, "</code>");
    report_element(&r->body, "</th><td>", row->value, "</td>");
    report_element(&r->body, "<td>", row->unit, "</td></tr>\n");
    if (row->note) report_element(&r->body, "<tr class=\"unknown\"><td colspan=\"3\">", row->note, "</td></tr>\n");
  }
  if (c->rows) text_print(&r->body, "</table></div>\n");
  if (c->next) report_element(&r->body, "<p class=\"next\"><b>Next:</b> ", c->next, "</p>\n");
  text_print(&r->body, "</div><!-- card -->\n");
}

void bristle_report_card_facts(bristle_report *r, const bristle_card *c)
{
  if (!report_is_fine(r) || !c->facts) return;
  text_print(&r->body, "<div class=\"tiles\">\n");
  for (size_t i = 0; i < c->facts; i++) {
    report_element(&r->body, "<p><b>", c->fact[i][0], "</b> ");
    report_element(&r->body, "", c->fact[i][1], "</p>\n");
  }
  text_print(&r->body, "</div>\n");
}

char *bristle_report_about(const char *doc, char out[64])
{
  snprintf(out, 64, "%.*s", (int)strcspn(doc, ",:;("), doc);
  return out;
}

char *bristle_report_unit(const char *unit, char out[48])
{
  size_t used = 0;
  out[0] = '\0';
  if (!strcmp(unit, "1")) return out;
  for (const char *c = unit; *c; c++) {
    const int power = *c == '^' && isdigit((unsigned char)c[1]);
    used = text_append(out, 48, used, power ? "^{%c}" : "%c", power ? c[1] : *c == '*' ? ' ' : *c);
    c += power;
  }
  return out;
}
