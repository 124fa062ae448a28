/* The first screen of the page of a run: what happened, what to be careful about, the numbers, one picture. */
#include "common/cli.h"

#include "simulation.h"

#include "io/support.h"
#include "maths/elementary.h"

enum { MOST_ROWS = 5, MOST_DETAILS = BRISTLE_SIM_WARNINGS + MOST_NOTES, CELL = 64, LINE = 300 };

typedef struct first_screen {
  char sentence[400], laws[200], detail[MOST_DETAILS][LINE], value[MOST_ROWS][CELL], unit[MOST_ROWS][48],
      number[4][CELL];
  const char *details[MOST_DETAILS], *facts[4][2];
  bristle_card_row row[MOST_ROWS];
  bristle_card card;
} first_screen;

/* stretches of sliding, and their time together */
static size_t count_slides(const simulation *s, int mode, double *sliding)
{
  size_t slides = 0;
  *sliding = 0;
  for (size_t i = 1; i < s->rows; i++) {
    if (s->kept[mode][i] < BRISTLE_MODE_SLIDING) continue;
    slides += s->kept[mode][i - 1] < BRISTLE_MODE_SLIDING || i == 1;
    *sliding += s->kept[0][i] - s->kept[0][i - 1];
  }
  return slides;
}

static void set_sentence(const simulation *s, first_screen *f)
{
  const int mode = simulation_column(s, "mode");
  double sliding = 0;
  simulation_laws(s, f->laws, sizeof f->laws);
  const size_t slides = mode < 0 ? 0 : count_slides(s, mode, &sliding);
  if (mode < 0)
    snprintf(f->sentence, sizeof f->sentence, "%.3g s of `%s` friction in a rig `%s`.", s->scenario->options.end,
             f->laws, s->scenario->rig_name);
  else if (slides)
    snprintf(f->sentence, sizeof f->sentence, "The contact (`%s`) slides %zu time%s, %.3g s of %.3g s in all.", f->laws,
             slides, slides == 1 ? "" : "s", sliding, s->scenario->options.end);
  else
    snprintf(f->sentence, sizeof f->sentence, "The contact (`%s`) never slides in %.3g s.", f->laws,
             s->scenario->options.end);
}

/* warnings and notes: whoever reads the first screen has read them */
static void add_doubts(const simulation *s, first_screen *f)
{
  bristle_sim_warning warning[BRISTLE_SIM_WARNINGS];
  simulation_note note[MOST_NOTES];
  const int warnings = bristle_sim_warnings(&s->stats, warning), notes = simulation_notes(s, note);
  for (int i = 0; i < warnings + notes; i++) {
    snprintf(f->detail[i], LINE, "%s: %.260s.", i < warnings ? "Warning" : "Note",
             i < warnings ? warning[i] : note[i - warnings]);
    f->details[f->card.details++] = f->detail[i];
  }
  f->card.grade = warnings ? BRISTLE_GRADE_BAD : notes ? BRISTLE_GRADE_CARE : BRISTLE_GRADE_GOOD;
}

/* from where to where motion and force go */
static void add_rows(const simulation *s, first_screen *f)
{
  static const char *const names[] = { "x", "v", "F", "n" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const int k = simulation_column(s, names[i]);
    if (k < 0) continue;
    const size_t at = f->card.rows++;
    snprintf(f->value[at], CELL, "%.3g to %.3g", s->least[k], s->largest[k]);
    f->row[at] = (bristle_card_row){ .about = simulation_word(names[i]),
                                     .name = names[i],
                                     .value = f->value[at],
                                     .unit = bristle_report_unit(s->columns[k].unit, f->unit[at]) };
  }
}

static void add_facts(const simulation *s, first_screen *f)
{
  const bristle_sim_stats *st = &s->stats;
  if (!s->scenario->options.no_ledger) {
    snprintf(f->number[0], CELL, "%.3g J", st->friction);
    snprintf(f->number[1], CELL, "%.1g", st->work_done > 0 ? fabs(st->residual / st->work_done) : 0);
    f->facts[f->card.facts][0] = f->number[0], f->facts[f->card.facts++][1] = "turned into heat by friction";
    f->facts[f->card.facts][0] = f->number[1], f->facts[f->card.facts++][1] = "error of the energy account, of 1";
  }
  snprintf(f->number[2], CELL, "%zu", st->events);
  f->facts[f->card.facts][0] = f->number[2], f->facts[f->card.facts++][1] = "stops, starts and turns";
  snprintf(f->number[3], CELL, "%zu", st->steps);
  f->facts[f->card.facts][0] = f->number[3], f->facts[f->card.facts++][1] = "steps of the solver";
}

void simulation_card(const simulation *s, bristle_report *report)
{
  static const char *const words[] = { "Run complete", "Run complete, with notes", "Read the warning" };
  first_screen *f = calloc(1, sizeof *f);
  if (!f) return;
  bristle_card *card = &f->card;
  set_sentence(s, f), add_doubts(s, f), add_rows(s, f), add_facts(s, f);
  card->word = words[card->grade], card->sentence = f->sentence;
  card->detail = f->details, card->row = f->row, card->fact = (const char *const(*)[2])f->facts;
  card->beside = s->rows > 1 && simulation_column(s, "F") >= 0;
  card->next =
      "change a value and run it again; `bristle sweep` does that for many values, `bristle export` puts the law "
      "into other tools.";
  bristle_report_card(report, card);
  if (card->beside) simulation_add_first(s, report);
  bristle_report_card_facts(report, card);
  free(f);
}
