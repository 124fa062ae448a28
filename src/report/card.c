/* The card that begins a page: a verdict, its numbers, what to do next. */
#include "report/support.h"

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
    report_element(&r->body, "<code>", row->name, "</code></th>");
    report_element(&r->body, "<td>", row->value, "</td>");
    report_element(&r->body, "<td>", row->unit, "</td></tr>\n");
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
