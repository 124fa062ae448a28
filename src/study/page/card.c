/* The first screen: may the model be used, what are its numbers, what to do next; and one picture. */
#include "study/page/page.h"

#include "fit/records/motion.h"
#include "maths/elementary.h"
#include "platform/platform.h"

#include <ctype.h>

enum { ROWS = BRISTLE_ESTIMATES + 1, OTHERS = 2, SHOWN = 4000 }; /* one row more for a delay */

typedef struct first_screen {
  char sentence[400], detail[5][400], value[ROWS][64], about[ROWS][64], unit[ROWS][48], number[4][32];
  const char *details[5], *facts[4][2];
  bristle_card_row row[ROWS];
  bristle_card card;
} first_screen;

/* the error that is told: of the log that was held out, where there is one */
static double told_error(const bristle_study *study, const bristle_identified *r)
{
  return study_is_validated(study) ? r->validation : r->relative;
}

/* two digits, and no more of what is nothing */
static const char *percent(double part, char text[32])
{
  const double p = 100 * part;
  if (p < 0.01) return "less than 0.01 %";
  snprintf(text, 32, p < 1 ? "%.2f %%" : p < 10 ? "%.1f %%" : "%.0f %%", p);
  return text;
}

static int misses_slow(const bristle_study *study)
{
  return !study->motion
         && bristle_identified_misses_slow(study->result[0],
                                           motion_force_noise_of((const bristle_log *const *)study->log, study->logs));
}

static int is_unknown(const bristle_estimate *x) { return x->free && (x->reason[0] || !isfinite(x->deviation)); }

/* "12.3 +- 0.4" with the sign that people write */
static void set_value(const bristle_estimate *x, char text[64])
{
  char number[64];
  if (is_unknown(x) && isfinite(x->deviation) && fabs(x->value) <= 2 * x->deviation)
    snprintf(number, sizeof number, "zero within +- %.2g", 2 * x->deviation);
  else if (is_unknown(x)) snprintf(number, sizeof number, "not determined");
  else study_number(x, number);
  const char *sign = strstr(number, " +- ");
  if (sign) snprintf(text, 64, "%.*s ± %s", (int)(sign - number), number, sign + 4);
  else snprintf(text, 64, "%s", number);
}

/* the head of what the table says of a parameter: "Stribeck speed" */
static void set_about(const bristle_identified *r, int k, char text[64])
{
  const bristle_info *info = r->law->f64->info;
  const char *const beside[] = { [BRISTLE_TERM_MASS] = r->rotary ? "inertia" : "moving mass",
                                 [BRISTLE_TERM_OFFSET] = r->rotary ? "constant torque" : "constant force",
                                 [BRISTLE_TERM_GRAVITY] = "gravity, times sin x",
                                 [BRISTLE_TERM_SKEW] = "difference of the directions",
                                 [BRISTLE_TERM_GRAVITY_COSINE] = "gravity, times cos x" };
  const bristle_row *row = k < info->nparam ? bristle_param_at(info, k) : NULL;
  const int term = k - info->nparam;
  if (row && row->count == 1) bristle_report_about(row->doc, text);
  else if (term >= 0 && term < (int)(sizeof beside / sizeof *beside) && beside[term])
    snprintf(text, 64, "%s", beside[term]);
}

/* Is it needed to use the law elsewhere? An offset or a gravity that is not told from zero is no reason for care. */
static int is_needed(const bristle_identified *r, int k) { return k <= r->law->f64->info->nparam + BRISTLE_TERM_MASS; }

/* how many were fitted and are known */
static void add_rows(const bristle_study *study, first_screen *s, size_t *fitted, size_t *known)
{
  const bristle_identified *r = study->result[0];
  for (int k = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (bristle_identified_is_knot(r, k) || !x->free) continue;
    const size_t at = s->card.rows++;
    set_value(x, s->value[at]), set_about(r, k, s->about[at]), bristle_report_unit(x->unit, s->unit[at]);
    s->row[at] = (bristle_card_row){
      .name = x->name, .about = s->about[at], .value = s->value[at], .unit = s->unit[at], .unknown = is_unknown(x)
    };
    if (is_unknown(x) && x->reason[0] && is_needed(r, k)) s->row[at].note = x->reason;
    *fitted += 1, *known += !is_unknown(x);
    if (is_unknown(x) && is_needed(r, k)) s->card.grade = BRISTLE_GRADE_CARE;
  }
}

/* A delay of the force that was found: it moves every number, so it stands among them. */
static void add_delay(const bristle_study *study, first_screen *s)
{
  const bristle_identified *r = study->result[0];
  const double moved = study->logs && study->log[0] ? study->log[0]->force_delay : 0;
  const size_t at = s->card.rows;
  int left = 0; /* found, and not removed */
  for (int i = 0; i < r->findings; i++) left |= strstr(r->finding[i], "the force seems to come") != NULL;
  if (!left && moved == 0) return;
  snprintf(s->value[at], 64, "%.2g", 1e3 * (left ? r->delay : moved));
  s->row[at] = (bristle_card_row){
    .about = "delay of the force", .value = s->value[at], .unit = "ms", .unknown = left
  };
  if (left) s->row[at].note = "it is not removed; the deviations contain what it changes";
  s->card.rows++;
}

static void add_detail(first_screen *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_detail(first_screen *s, const char *format, ...)
{
  const size_t at = s->card.details;
  va_list args;
  if (at == sizeof s->details / sizeof *s->details) return;
  va_start(args, format);
  vsnprintf(s->detail[at], sizeof s->detail[at], format, args);
  va_end(args);
  s->details[s->card.details++] = s->detail[at];
}

/* Friction and a constant force are then one number. */
static void add_one_way(const bristle_study *study, first_screen *s)
{
  for (size_t l = 0; l < study->logs; l++) {
    const bristle_log *log = study->log[l];
    if (!log || !log->one_way_note || s->card.grade == BRISTLE_GRADE_BAD) continue;
    s->card.grade = BRISTLE_GRADE_CARE;
    add_detail(s, "%.380s.", log->note[log->one_way_note - 1]);
    s->detail[s->card.details - 1][0] = (char)toupper((unsigned char)s->detail[s->card.details - 1][0]);
    return;
  }
}

static const double CLEARLY = 0.7; /* of the error of the leading law: reason to look at another one */

/* "Samples that start, stop or turn are missed by 0.019 N m; `maxwell_slip` misses them by 0.0064 N m." */
static void add_slow(const bristle_study *study, first_screen *s)
{
  const bristle_identified *best = study->result[0], *other = NULL;
  char name[64], unit[48], beside[240] = "";
  if (study->doubt[0] || !misses_slow(study)) return;
  for (int i = 1; i < study->results; i++) {
    const double slow = study->result[i]->held_out_slow;
    if (slow < CLEARLY * best->held_out_slow && !(other && other->held_out_slow <= slow)) other = study->result[i];
  }
  bristle_report_unit(study_unit(best), unit);
  if (other) {
    study_name(other, name);
    snprintf(beside, sizeof beside, "; `%s` by %.2g %s%s", name, other->held_out_slow, unit,
             other->explains_more ? ", with parameters that this log does not determine" : "");
  }
  add_detail(s, "At starts, stops and reversals it is off by %.2g %s, in motion by %.2g %s%s.", best->held_out_slow,
             unit, best->held_out, unit, beside);
}

static const double WORSE = 1.1; /* times the error of the leading law: worth a word */

/* "`dahl` misses 11 %, `coulomb` 12 %." */
static void add_others(const bristle_study *study, first_screen *s)
{
  char text[200];
  size_t used = 0;
  int shown = 0;
  for (int i = 1; i < study->results && shown < OTHERS; i++) {
    const double error = told_error(study, study->result[i]);
    char name[64], part[32];
    int told = 0; /* the same law beside other terms is no news */
    for (int k = 0; k < i; k++) told |= study->result[k]->law == study->result[i]->law;
    if (told) continue;
    if (!isfinite(error) || !(error > WORSE * told_error(study, study->result[0]))) continue;
    study_name(study->result[i], name);
    used = text_append(text, sizeof text, used, "%s`%s` misses %s", shown++ ? ", " : "", name, percent(error, part));
  }
  if (shown) add_detail(s, "%s.", text);
}

static void add_sentence(const bristle_study *study, first_screen *s)
{
  const bristle_identified *best = study->result[0];
  char name[64], part[32];
  if (study->doubt[0]) {
    snprintf(s->sentence, sizeof s->sentence, "%s.", study->doubt);
    s->sentence[0] = (char)toupper((unsigned char)s->sentence[0]);
    return;
  }
  study_name(best, name);
  const double error = told_error(study, best);
  if (!isfinite(error)) snprintf(s->sentence, sizeof s->sentence, "`%s` is the law.", name);
  else
    snprintf(s->sentence, sizeof s->sentence,
             study_is_validated(study) ? "`%s` predicts the held-out log with an error of %s%s."
                                       : "`%s` describes the log with an error of %s%s.",
             name, percent(error, part), misses_slow(study) ? " in motion" : "");
}

static void add_facts(const bristle_study *study, first_screen *s, size_t fitted, size_t known)
{
  const bristle_identified *best = study->result[0];
  const int validated = study_is_validated(study);
  const double error = told_error(study, best);
  if (isfinite(error)) {
    s->facts[s->card.facts][0] = percent(error, s->number[0]);
    s->facts[s->card.facts++][1] = validated ? "error on the held-out log" : "error on the fitted log";
  }
  snprintf(s->number[1], sizeof s->number[1], "%.3g %s", best->rms, study_unit(best));
  s->facts[s->card.facts][0] = s->number[1], s->facts[s->card.facts++][1] = "rms of the residuals";
  snprintf(s->number[2], sizeof s->number[2], "%zu of %zu", known, fitted);
  s->facts[s->card.facts][0] = s->number[2], s->facts[s->card.facts++][1] = "parameters determined";
  snprintf(s->number[3], sizeof s->number[3], "%d", study->results);
  s->facts[s->card.facts][0] = s->number[3],
  s->facts[s->card.facts++][1] = study->results == 1 ? "fit" : "fits, ranked";
}

/* Force over time, measured and by the law: of the log that was held out, where there is one. At rest friction is what
   it must be, and no law says it. */
static void draw(const bristle_study *study, bristle_report *page)
{
  const study_view *view = &study->view[study->validation ? study->logs : 0];
  const bristle_log *log = view->log;
  const char *const word = study->validation ? "predicted" : "fitted";
  char title[200];
  double *model = malloc((log->count + 1) * sizeof *model);
  if (!model) return;
  for (size_t i = 0; i < log->count; i++)
    model[i] = log->phase && log->phase[i] == BRISTLE_PHASE_REST ? (double)NAN : view->model[i];
  snprintf(title, sizeof title, "Measured and %s, %.90s", word, platform_name(log->file));
  const bristle_series forces[] = { { "measured", BRISTLE_STYLE_WIDE, log->count, log->t, log->f, NULL },
                                    { word, BRISTLE_STYLE_LINE, log->count, log->t, model, NULL } };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .half = 1,
                                             .title = title,
                                             .caption = study->validation ? "The fit never saw this log." : NULL,
                                             .x = { "time", "s", 0 },
                                             .y = { "force", bristle_force_unit(log->rotary), 0 },
                                             .series_count = 2,
                                             .series = forces,
                                             .limit = SHOWN });
  free(model);
}

void study_part_card(const bristle_study *study, bristle_report *page)
{
  static const char *const words[] = { "Use this model", "Use with care", "Do not use this model" };
  first_screen *s = calloc(1, sizeof *s);
  char verdict[1][240] = { "" };
  size_t fitted = 0, known = 0;
  if (!s) return;
  add_rows(study, s, &fitted, &known);
  add_delay(study, s);
  bristle_card *card = &s->card;
  if (study->doubt[0]) card->grade = BRISTLE_GRADE_BAD;
  card->word = words[card->grade], card->sentence = s->sentence, card->beside = study->view != NULL;
  card->detail = s->details, card->row = s->row, card->fact = (const char *const(*)[2])s->facts;
  add_sentence(study, s);
  if (bristle_identified_verdict(study->result[0], (const bristle_log *const *)study->log, study->logs, verdict, 1)
      && strstr(verdict[0], "noise") && !study->doubt[0])
    add_detail(s, "%s", verdict[0]);
  if (strstr(verdict[0], "far above the noise") && !card->grade) card->grade = BRISTLE_GRADE_CARE;
  add_one_way(study, s);
  add_slow(study, s);
  card->word = words[card->grade];
  add_others(study, s);
  add_facts(study, s, fitted, known);
  const bristle_study_request *q = &study->request;
  if (card->grade == BRISTLE_GRADE_BAD)
    card->next = q->next_doubtful ? q->next_doubtful : "read the notes on the log below, and record again.";
  else card->next = q->next ? q->next : "check it on another log; simulate with `friction: {file: model.yaml}`.";
  bristle_report_card(page, card);
  if (study->view) draw(study, page);
  bristle_report_card_facts(page, card);
  free(s);
}
