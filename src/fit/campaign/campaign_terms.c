/* The terms beside friction (mass, offset, gravity), chosen once for all records by the linear balance. */
#include "fit/campaign/campaign.h"
#include "lab/identify.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <stdarg.h>
#include <stdlib.h>

static const double FALL = 0.99;     /* of the held-out error, below which a term stays */
static const double CLEARLY = 3;     /* deviations */
static const double WALD = 28.7;     /* chi-square of two unknowns at five deviations: strokes repeat, blocks are few */
static const double SAME_MASS = 0.3; /* change of the mass from a band to half of it */

void campaign_note(bristle_campaign *report, int doubtful, const char *format, ...)
{
  va_list args;
  if (report->note_count == BRISTLE_CAMPAIGN_NOTES) report->note_count -= doubtful && !report->doubtful;
  if (report->note_count == BRISTLE_CAMPAIGN_NOTES) return;
  if (doubtful && !report->doubtful) report->doubtful = (int)report->note_count + 1;
  va_start(args, format);
  vsnprintf(report->note[report->note_count++], sizeof *report->note, format, args);
  va_end(args);
}

static int wants(const bristle_identify_options *o, int term)
{
  return o->term[term] == BRISTLE_TERM_FREE || o->term[term] == BRISTLE_TERM_CHOOSE;
}

static const sums_set GRAVITY = COLUMN_BIT(COLUMN_SINE) | COLUMN_BIT(COLUMN_COSINE);

sums_set campaign_first_terms(const campaign *c, const bristle_identify_options *o)
{
  const bristle_term mass = o->term[BRISTLE_TERM_MASS]; /* where it is to be chosen, so is gravity: unasked */
  const int swings = c->logs[0]->rotary && (mass == BRISTLE_TERM_FREE || mass == BRISTLE_TERM_GIVEN);
  sums_set set = COLUMN_BIT(COLUMN_COULOMB) | COLUMN_BIT(COLUMN_VISCOUS);
  if (mass == BRISTLE_TERM_FREE) set |= COLUMN_BIT(COLUMN_MASS);
  if (wants(o, BRISTLE_TERM_OFFSET)) set |= COLUMN_BIT(COLUMN_OFFSET);
  for (int t = BRISTLE_TERM_EXTRA; t < BRISTLE_TERM_FRICTION_AT; t++)
    if (o->term[t] == BRISTLE_TERM_FREE) set |= COLUMN_BIT(balance_column(t));
  if (o->term[BRISTLE_TERM_GRAVITY] == BRISTLE_TERM_FREE || (swings && wants(o, BRISTLE_TERM_GRAVITY))) set |= GRAVITY;
  return set;
}

/* gravity stays if it is clear and lowers the error of what was not seen */
static sums_set choose_gravity(const sums_blocks *b, sums_set set)
{
  if ((set & GRAVITY) != GRAVITY) return set;
  const double with = sums_held_out(b, set), without = sums_held_out(b, set & ~GRAVITY);
  return with < FALL * without && sums_wald(b, set, GRAVITY) > WALD ? set : set & ~GRAVITY;
}

static sums_set choose_mass(const sums_blocks *b, sums_set set, bristle_campaign *report)
{
  const sums_set mass = COLUMN_BIT(COLUMN_MASS);
  sums total;
  double x[SUMS_COLUMNS];
  if (!(set & mass)) return set;
  sums_total(b, &total);
  sums_solve(&total, set, x);
  if (x[COLUMN_MASS] > 0 && sums_held_out(b, set) < sums_held_out(b, set & ~mass)) return set;
  if (report->against) return set & ~mass; /* it gets its sign with that of the force */
  campaign_note(
      report, 0,
      "the mass is not determined by these records and was left out: the force does not follow the acceleration; "
      "record faster changes of speed");
  return set & ~mass;
}

/* Friction only takes. Where what follows the velocity clearly gives, and no mass resists as it should, the force is
   counted against the motion. */
static void look_at_sign(const sums_blocks *b, sums_set set, bristle_campaign *report)
{
  const int dry = COLUMN_COULOMB, rising = COLUMN_VISCOUS;
  double v[SUMS_COLUMNS][SUMS_COLUMNS], x[SUMS_COLUMNS];
  sums total;
  sums_total(b, &total);
  sums_solve(&total, set, x);
  sums_jackknife(b, set, v);
  if ((set & COLUMN_BIT(COLUMN_MASS)) && x[COLUMN_MASS] > CLEARLY * sqrt(v[COLUMN_MASS][COLUMN_MASS])) return;
  /* the power of friction, summed over the samples, is linear in its coefficients */
  const double way = total.matrix[rising][dry], square = total.matrix[rising][rising];
  const double power = way * x[dry] + square * x[rising];
  const double spread = way * way * v[dry][dry] + 2 * way * square * v[rising][dry]
                        + square * square * v[rising][rising];
  if (!(way > 0 && power < -CLEARLY * sqrt(spread))) return;
  report->against = 1;
  campaign_note(report, 1,
                "the force seems to be counted against the motion: friction comes out negative (%.3g at the speeds "
                "that occur), but friction always takes energy; turn its sign: option force 'NAME*-1'",
                power / way);
}

/* the first law whose friction rises with a power of the speed */
static const char *rising_law(void)
{
  for (int i = 0; i < bristle_law_count(); i++)
    if (bristle_param_role(bristle_law_at(i)->f64->info, BRISTLE_ROLE_POWER)) return bristle_law_at(i)->name;
  return "with such a power";
}

/* The curve of friction over speed, by one more column: bent downwards, or falling altogether. */
static void look_at_curve(const sums_blocks *b, sums_set set, bristle_campaign *report)
{
  double v[SUMS_COLUMNS][SUMS_COLUMNS], x[SUMS_COLUMNS];
  sums total;
  sums_total(b, &total);
  sums_solve(&total, set, x);
  sums_jackknife(b, set, v);
  const double slope = x[COLUMN_VISCOUS], spread = sqrt(v[COLUMN_VISCOUS][COLUMN_VISCOUS]);
  if (slope < -CLEARLY * spread) {
    report->fall = -slope;
    campaign_note(
        report, 0,
        "friction falls with the speed over these records (its slope is negative, %.3g +- %.2g): a viscous coefficient "
        "of zero is the nearest that laws allow",
        slope, spread);
    return;
  }
  const sums_set bent = set | COLUMN_BIT(COLUMN_CONCAVE);
  sums_solve(&total, bent, x);
  sums_jackknife(b, bent, v);
  report->concavity = x[COLUMN_CONCAVE] / sqrt(v[COLUMN_CONCAVE][COLUMN_CONCAVE]);
  if (fabs(report->concavity) > CLEARLY && sums_held_out(b, bent) < FALL * sums_held_out(b, set))
    campaign_note(report, 0,
                  "friction rises %s than in proportion to the speed: a viscous coefficient is a mean of the speeds "
                  "that occur; the law %s is made for that",
                  report->concavity < 0 ? "less" : "more", rising_law());
}

bristle_fault_kind campaign_choose_terms(campaign *c, const cutoff_choice *choice, bristle_campaign *report,
                                         bristle_fault *fault)
{
  sums_blocks *blocks = malloc(sizeof *blocks);
  if (!blocks) return fault_memory(fault);
  bristle_fault_kind kind = balance_sum(c, choice->source, choice->cutoff, blocks, fault);
  if (!kind) {
    balance_take_given(c, blocks);
    if (c->options->term[BRISTLE_TERM_GRAVITY] == BRISTLE_TERM_CHOOSE) c->set = choose_gravity(blocks, c->set);
    look_at_sign(blocks, c->set, report);
    c->set = choose_mass(blocks, c->set, report);
    if (!report->against) look_at_curve(blocks, c->set, report);
  }
  free(blocks);
  return kind;
}

/* The same where bristles carry the force. Small angles cannot tell gravity from a spring or a constant. A mass that
   depends on the band is none: it stands for what the bristle misses. */
bristle_fault_kind campaign_choose_terms_bent(campaign *c, const cutoff_choice *choice, bristle_campaign *report,
                                              bristle_fault *fault)
{
  const sums_set mass = COLUMN_BIT(COLUMN_MASS);
  double found[2] = { 0 }, held[2] = { 0 };
  sums_blocks *blocks = malloc(sizeof *blocks);
  bristle_fault_kind kind = blocks ? BRISTLE_FAULT_NONE : fault_memory(fault);
  if (c->options->term[BRISTLE_TERM_GRAVITY] == BRISTLE_TERM_CHOOSE) c->set &= ~GRAVITY;
  if (!kind) kind = balance_sum_bristle(c, choice->source, choice->cutoff, 0, 1, &choice->k, blocks, fault);
  if (!kind) {
    balance_take_given(c, blocks);
    if (!report->doubtful) look_at_sign(blocks, c->set, report); /* once is enough */
  }
  for (int octave = 0; octave < 2 && !kind && (c->set & mass) && choice->cutoff > 0; octave++) {
    sums total;
    double x[SUMS_COLUMNS];
    kind = balance_sum_bristle(c, choice->source, choice->cutoff / (octave + 1), 0, 1, &choice->k, blocks, fault);
    if (kind) break;
    balance_take_given(c, blocks);
    sums_total(blocks, &total);
    sums_solve(&total, c->set, x);
    found[octave] = x[COLUMN_MASS];
    if (octave == 0) held[1] = sums_held_out(blocks, c->set), held[0] = sums_held_out(blocks, c->set & ~mass);
  }
  free(blocks);
  if (kind || !(c->set & mass)) return kind;
  if (found[0] > 0 && held[1] < FALL * held[0] && fabs(found[1] - found[0]) < SAME_MASS * found[0]) return kind;
  c->set &= ~mass;
  campaign_note(
      report, 0,
      "nearly nothing slides in these records: the mass is not determined and was left out; record longer strokes");
  return kind;
}

/* the terms of the balance become those of the fits */
void campaign_settle_terms(const campaign *c, bristle_identify_options *o)
{
  for (int t = 0; t < BRISTLE_TERM_FRICTION_AT; t++)
    if ((t != BRISTLE_TERM_SKEW && wants(o, t)) || t >= BRISTLE_TERM_EXTRA) /* a skew is for the fits to find */
      o->term[t] = c->set >> balance_column(t) & 1 ? BRISTLE_TERM_FREE : BRISTLE_TERM_NONE;
}
