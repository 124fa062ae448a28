/* Loads that a drive carries: other forces or torques of the records, which may be a part of the force and make
   friction of their own. Nobody has asked for them, so they must explain a good deal more than a term that was. */
#include "fit/campaign.h"
#include "fit/identify.h"
#include "fit/signal.h"

#include <math.h>
#include <stdlib.h>

static const double FALL = 0.9;        /* of the held-out error, below which a load stays */
static const double FRICTION = 0.99;   /* the same for the friction that it makes */
static const double CLEARLY = 3;       /* deviations */
static const double LEAST_PART = 0.03; /* of the force that friction must be beside the load */

static sums_set set_of_tried(const campaign *c)
{
  const bristle_log *log = c->logs[0];
  sums_set set = 0;
  for (size_t k = log->extras - log->tried; k < log->extras; k++) set |= COLUMN_BIT(COLUMN_EXTRA + (int)k);
  return set;
}

/* the tried terms of the logs, which are the last ones, are forgotten */
static void forget(const campaign *c)
{
  for (size_t l = 0; l < c->count; l++) c->logs[l]->extras -= c->logs[l]->tried, c->logs[l]->tried = 0;
}

/* a column that only some records have can say nothing about all of them */
static int are_alike(const campaign *c)
{
  for (size_t l = 1; l < c->count; l++) {
    if (c->logs[l]->tried != c->logs[0]->tried) return 0;
    for (size_t k = 0; k < c->logs[0]->extras; k++)
      if (strcmp(c->logs[l]->extra_text[k], c->logs[0]->extra_text[k])) return 0;
  }
  return 1;
}

/* A column that is the force once more, as it was commanded or measured elsewhere, leaves no friction: what is left
   beside a load takes work, and is more than a trifle. */
static int leaves_friction(const sums *total, sums_set set, sums_set made)
{
  const sums_set friction = COLUMN_BIT(COLUMN_COULOMB) | COLUMN_BIT(COLUMN_VISCOUS) | made;
  double x[SUMS_COLUMNS], part[SUMS_COLUMNS] = { 0 }, work = 0;
  sums own = *total;
  sums_solve(total, set, x);
  for (int i = 0; i < SUMS_COLUMNS; i++) {
    if (friction >> i & 1) part[i] = x[i];
    const int row = i > COLUMN_VISCOUS ? i : COLUMN_VISCOUS, column = i > COLUMN_VISCOUS ? COLUMN_VISCOUS : i;
    work += part[i] * total->matrix[row][column];
    own.right[i] = 0;
  }
  own.square = 0; /* what is left of no force is the square of the friction */
  double square = sums_left(&own, part);
  return work > 0 && square > LEAST_PART * LEAST_PART * total->square;
}

/* Does the coefficient of a column stand clear of zero, to the positive side? */
static int is_clear(const sums_blocks *b, const sums *total, sums_set set, int column)
{
  double x[SUMS_COLUMNS], v[SUMS_COLUMNS][SUMS_COLUMNS];
  sums_solve(total, set, x);
  sums_jackknife(b, set, v);
  return x[column] > CLEARLY * sqrt(v[column][column]);
}

/* the load of one column, and the friction that it makes; returns what stays of them */
static sums_set judge_load(const sums_blocks *b, sums_set set, int column)
{
  const sums_set load = COLUMN_BIT(column), friction = COLUMN_BIT(column + 1);
  const double without = sums_held_out(b, set), alone = sums_held_out(b, set | load);
  const double both = sums_held_out(b, set | load | friction);
  sums total;
  sums_total(b, &total);
  if (!(fmin(alone, both) < FALL * without)) return 0;
  if (both < FRICTION * alone && is_clear(b, &total, set | load | friction, column + 1))
    return leaves_friction(&total, set | load | friction, friction) ? load | friction : 0;
  return leaves_friction(&total, set | load, 0) ? load : 0;
}

static void tell(const campaign *c, sums_set kept, bristle_campaign *report)
{
  const bristle_log *log = c->logs[0];
  for (size_t k = log->extras - log->tried; k < log->extras; k += 2) {
    if (!(kept >> (COLUMN_EXTRA + (int)k) & 1)) continue;
    const int makes_friction = kept >> (COLUMN_EXTRA + (int)k + 1) & 1;
    campaign_note(report, 0, "the column %s is a load that the drive carries: %s is its part of the force%s%s%s",
                  log->extra_text[k], log->extra_name[k], makes_friction ? ", and friction grows with it by " : "",
                  makes_friction ? log->extra_name[k + 1] : "",
                  makes_friction ? " times its size" : "; friction does not follow it");
  }
}

static bristle_fault_kind look_at(const campaign *c, const cutoff_choice *choice, sums_set *kept, bristle_fault *fault)
{
  const bristle_log *log = c->logs[0];
  const sums_set plain = c->set & ~set_of_tried(c);
  sums_blocks *blocks = malloc(sizeof *blocks);
  if (!blocks) return signal_no_memory(fault);
  const bristle_fault_kind kind = balance_sum(c, choice->source, choice->cutoff, blocks, fault);
  balance_take_given(c, blocks);
  for (size_t k = log->extras - log->tried; k < log->extras && !kind; k += 2)
    *kept |= judge_load(blocks, plain | *kept, COLUMN_EXTRA + (int)k);
  free(blocks);
  return kind;
}

bristle_fault_kind campaign_choose_loads(campaign *c, bristle_identify_options *o, bristle_campaign *report,
                                         bristle_fault *fault)
{
  const sums_set plain = c->set;
  bristle_campaign unused;
  cutoff_choice choice;
  sums_set kept = 0;
  if (!c->logs[0]->tried || !are_alike(c)) {
    forget(c);
    return BRISTLE_FAULT_NONE;
  }
  c->set |= set_of_tried(c);
  bristle_fault_kind kind = cutoff_by_force(c, &unused, &choice, fault);
  if (!kind && choice.blocked) { /* nothing speeds up: there is no mass to be found */
    c->set &= ~COLUMN_BIT(COLUMN_MASS);
    kind = cutoff_by_force(c, &unused, &choice, fault);
  }
  if (!kind && !choice.blocked) kind = look_at(c, &choice, &kept, fault);
  c->set = plain | kept;
  if (!kept) forget(c);
  for (int t = BRISTLE_TERM_EXTRA; kept && t < BRISTLE_TERMS; t++)
    if (kept >> balance_column(t) & 1) o->term[t] = BRISTLE_TERM_FREE;
  tell(c, kept, report);
  return kind;
}
