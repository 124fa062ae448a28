/* Loads that a drive carries: other forces or torques of the records, which may be a part of the force and make
   friction of their own. Nobody has asked for them, so they must explain a good deal more than a term that was. */
#include "fit/campaign/campaign.h"
#include "lab/identify.h"
#include "maths/elementary.h"

#include <stdlib.h>

static const double FALL = 0.9;        /* of the held-out error, below which a load stays */
static const double OWN_FALL = 0.7;    /* the same for friction by a load that nobody measured: half of the squares */
static const double FRICTION = 0.99;   /* the same for the friction that it makes */
static const double CLEARLY = 3;       /* deviations */
static const double LEAST_PART = 0.03; /* of the force that friction must be beside the load */
static const double LEFT_OF_IT = 0.5;  /* of the friction that a balance without the load finds */

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

/* The square of what friction is in a balance, and the work that it takes. */
static double friction_square(const sums *total, sums_set set, sums_set friction, double *work)
{
  double x[SUMS_COLUMNS], part[SUMS_COLUMNS] = { 0 };
  sums own = *total;
  sums_solve(total, set, x);
  *work = 0;
  for (int i = 0; i < SUMS_COLUMNS; i++) {
    if (friction >> i & 1) part[i] = x[i];
    const int row = i > COLUMN_VISCOUS ? i : COLUMN_VISCOUS, column = i > COLUMN_VISCOUS ? COLUMN_VISCOUS : i;
    *work += part[i] * total->matrix[row][column];
    own.right[i] = 0;
  }
  own.square = 0; /* what is left of no force is the square of the friction */
  return sums_left(&own, part);
}

/* A column that is the force once more, as it was commanded or measured elsewhere, or that the force was made of, takes
   the friction with it: what is left beside a load takes work, is more than a trifle, and about what it was before. */
static int leaves_friction(const sums *total, sums_set plain, sums_set load, sums_set made)
{
  const sums_set friction = COLUMN_BIT(COLUMN_COULOMB) | COLUMN_BIT(COLUMN_VISCOUS);
  double work, unused;
  const double square = friction_square(total, plain | load | made, friction | made, &work);
  return work > 0 && square > LEAST_PART * LEAST_PART * total->square
         && square > LEFT_OF_IT * LEFT_OF_IT * friction_square(total, plain, friction, &unused);
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
    return leaves_friction(&total, set, load, friction) ? load | friction : 0;
  return leaves_friction(&total, set, load, 0) ? load : 0;
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
  if (!blocks) return fault_memory(fault);
  const bristle_fault_kind kind = balance_sum(c, choice->source, choice->cutoff, blocks, fault);
  balance_take_given(c, blocks);
  for (size_t k = log->extras - log->tried; k < log->extras && !kind; k += 2)
    *kept |= judge_load(blocks, plain | *kept, COLUMN_EXTRA + (int)k);
  free(blocks);
  return kind;
}

bristle_fault_kind campaign_choose_loads(campaign *c, bristle_campaign *report, bristle_fault *fault)
{
  const sums_set plain = c->set;
  bristle_campaign unused;
  cutoff_choice choice;
  sums_set kept = 0;
  if (c->logs[0]->tried < 2 || !are_alike(c)) { /* one: that of gravity, which is found anew */
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
  tell(c, kept, report);
  return kind;
}

/* ---- what follows the normal load ---- */

static const char *const followers[] = {
  [BRISTLE_LOAD_FORCE] = "friction does not follow the load, which is left aside",
  [BRISTLE_LOAD_COEFFICIENT] = "all friction follows the load",
  [BRISTLE_LOAD_LEVEL] = "the levels follow the load, what rises with the speed does not"
};

/* one load in all records fits every form alike */
static int load_varies(const campaign *c)
{
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t l = 0; l < c->fitted; l++)
    for (size_t i = 0; c->logs[l]->n && i < c->logs[l]->count; i++)
      low = fmin(low, c->logs[l]->n[i]), high = fmax(high, c->logs[l]->n[i]);
  return high > low;
}

/* The form whose balance predicts what was held out, if it does so clearly better than coefficients */
static bristle_fault_kind best_form(campaign *c, const cutoff_choice *choice, bristle_load *form, bristle_fault *fault)
{
  static const bristle_load forms[] = { BRISTLE_LOAD_COEFFICIENT, BRISTLE_LOAD_LEVEL, BRISTLE_LOAD_FORCE };
  double least = HUGE_VAL;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  sums_blocks *blocks = malloc(sizeof *blocks);
  if (!blocks) return fault_memory(fault);
  for (size_t k = 0; k < sizeof forms / sizeof *forms && !kind; k++) {
    c->options->load = forms[k], c->options->use_load = forms[k] != BRISTLE_LOAD_FORCE;
    kind = balance_sum(c, choice->source, choice->cutoff, blocks, fault);
    balance_take_given(c, blocks);
    const double error = sums_held_out(blocks, c->set | COLUMN_BIT(COLUMN_CONCAVE));
    if (error < FALL * least) *form = forms[k];
    if (error < least) least = error;
  }
  free(blocks);
  return kind;
}

bristle_fault_kind campaign_choose_load_form(campaign *c, bristle_campaign *report, bristle_fault *fault)
{
  const sums_set before = c->set, mass = COLUMN_BIT(COLUMN_MASS);
  const bristle_load given = c->options->load;
  bristle_campaign unused;
  cutoff_choice choice;
  bristle_load form = given;
  if (!load_varies(c)) return BRISTLE_FAULT_NONE;
  if (c->options->term[BRISTLE_TERM_MASS] == BRISTLE_TERM_CHOOSE) c->set |= mass;
  bristle_fault_kind kind = cutoff_by_force(c, &unused, &choice, fault);
  if (!kind && choice.blocked) {
    c->set &= ~mass;
    kind = cutoff_by_force(c, &unused, &choice, fault);
  }
  if (!kind && !choice.blocked) kind = best_form(c, &choice, &form, fault);
  c->set = before;
  c->options->load = form, c->options->use_load = form != BRISTLE_LOAD_FORCE;
  if (!kind && form != given)
    campaign_note(report, 0, "%s (%s); option load_form coefficient, level or force says otherwise", followers[form],
                  form == BRISTLE_LOAD_LEVEL ? "option load_form level" : "option load_form force");
  return kind;
}

/* ---- the load that gravity and a mass make ---- */

/* The load at which the level is known best, and is what a law without the term would find: the part of the load's
   column that goes with the level's. */
static double load_of_level(const sums *total, sums_set set)
{
  sums other = *total;
  double x[SUMS_COLUMNS];
  for (int i = 0; i < SUMS_COLUMNS; i++)
    other.right[i] = i > COLUMN_EXTRA ? total->matrix[i][COLUMN_EXTRA] : total->matrix[COLUMN_EXTRA][i];
  other.square = total->matrix[COLUMN_EXTRA][COLUMN_EXTRA];
  sums_solve(&other, set, x);
  return x[COLUMN_COULOMB];
}

/* The term is made anew, the only one of every log: friction that grows with the load, and is zero at one of them. */
static bristle_fault_kind make_term(const campaign *c, const double *x, double load, bristle_fault *fault)
{
  char text[160], inertia[40] = "";
  if (x[COLUMN_MASS] > 0) snprintf(inertia, sizeof inertia, "%.4g*a", x[COLUMN_MASS]);
  snprintf(text, sizeof text, "load_friction=sign(v)*(abs(%s%+.4g*sin(x)%+.4g*cos(x))-%.4g)", inertia, x[COLUMN_SINE],
           x[COLUMN_COSINE], load);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (size_t l = 0; l < c->count && !kind; l++) {
    c->logs[l]->extras = 0;
    kind = log_extra_add(c->logs[l], text, fault);
    c->logs[l]->tried = c->logs[l]->extras;
  }
  return kind;
}

/* The balance without the term, with it, and with it once more: what gravity is depends a little on the friction that
   it makes. The part of the load that becomes friction is in x, or 0; *left is what is left of the held-out error. */
static bristle_fault_kind look_at_own_load(const campaign *c, const cutoff_choice *choice, sums_blocks *blocks,
                                           double x[SUMS_COLUMNS], double *load, double *left, bristle_fault *fault)
{
  const sums_set with = c->set | COLUMN_BIT(COLUMN_EXTRA);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  *load = 0;
  for (int pass = 0; pass < 3 && !kind; pass++) {
    sums total;
    kind = balance_sum(c, choice->source, choice->cutoff, blocks, fault);
    if (kind) break;
    balance_take_given(c, blocks);
    sums_total(blocks, &total);
    sums_solve(&total, pass ? with : c->set, x);
    *left = pass ? sums_held_out(blocks, with) / sums_held_out(blocks, c->set) : 1;
    if (pass && (!(*left < FALL) || !(x[COLUMN_EXTRA] < 1) || !is_clear(blocks, &total, with, COLUMN_EXTRA))) {
      x[COLUMN_EXTRA] = 0;
      break;
    }
    if (pass == 1) *load = load_of_level(&total, c->set);
    if (pass < 2) kind = make_term(c, x, *load, fault);
    if (pass == 1 && *left > OWN_FALL) break; /* judged by the load that the plain balance knows */
  }
  return kind;
}

bristle_fault_kind campaign_choose_own_load(campaign *c, const cutoff_choice *choice, bristle_campaign *report,
                                            bristle_fault *fault)
{
  const sums_set gravity = COLUMN_BIT(COLUMN_SINE) | COLUMN_BIT(COLUMN_COSINE);
  double x[SUMS_COLUMNS], load, left;
  if ((c->set & gravity) != gravity || c->logs[0]->extras) return BRISTLE_FAULT_NONE;
  sums_blocks *blocks = malloc(sizeof *blocks);
  if (!blocks) return fault_memory(fault);
  const bristle_fault_kind kind = look_at_own_load(c, choice, blocks, x, &load, &left, fault);
  free(blocks);
  if (!kind && x[COLUMN_EXTRA] > 0 && left > OWN_FALL)
    campaign_note(
        report, 0,
        "friction may grow with the load that gravity makes, by %.2g %% of it: option term 'load_friction=%s' would "
        "lower the held-out error by %.0f %%",
        100 * x[COLUMN_EXTRA], c->logs[0]->extra_text[0], 100 * (1 - left));
  if (!kind && x[COLUMN_EXTRA] > 0 && left <= OWN_FALL) {
    const int heavy = x[COLUMN_MASS] > 0;
    c->set |= COLUMN_BIT(COLUMN_EXTRA);
    campaign_note(report, 0,
                  "friction grows with the load that gravity%s make%s, by %.2g %% of it (load_friction); levels are "
                  "those at a load of %.3g N*m",
                  heavy ? " and inertia" : "", heavy ? "" : "s", 100 * x[COLUMN_EXTRA], load);
  } else forget(c);
  return kind;
}
