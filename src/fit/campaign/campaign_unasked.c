/* What the force does beside friction where nobody has said so: it may accelerate a mass, lift against gravity, or bend
   a spring. Left out, that becomes friction with an error; put in without need, it takes friction away. So a term must
   explain a good deal that neither a curve of friction over the speed nor a bristle explains. */
#include "fit/campaign/campaign.h"
#include "lab/identify.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { STIFFNESSES = 9, BALANCES = STIFFNESSES + 1, CANDIDATES = 3 };
enum { FEWEST_MOVING = 200 };
static const double FALL = 0.9;          /* of the held-out error, as for loads that nobody has asked for */
static const double LEAST_PART = 0.03;   /* of the force: a delay of a sample makes a mass of less */
static const double WALD[] = { 25, 29 }; /* chi-square of one or two unknowns at five deviations */

typedef struct candidate {
  sums_set set;
  int positive; /* what is below zero is something else */
} candidate;

/* the balance with a rigid contact, and with bristles of several stiffnesses */
typedef struct balances {
  sums_blocks *of;
  sums_set curve; /* columns that take part whatever is chosen: friction may bend over the speed */
} balances;

static double held_out(const balances *b, sums_set set, int *at)
{
  double least = HUGE_VAL;
  for (int j = 0; j < BALANCES; j++) {
    const double error = sums_held_out(&b->of[j], set | b->curve);
    if (error < least) least = error, *at = j;
  }
  return least;
}

/* the part of the force that a term is, without its mean, which is an offset */
static double part_of_force(const sums *s, sums_set set, const double *x)
{
  double square = 0, mean = 0;
  for (int i = 0; i < SUMS_COLUMNS; i++) {
    if (!(set >> i & 1)) continue;
    mean += x[i] * (i > COLUMN_OFFSET ? s->matrix[i][COLUMN_OFFSET] : s->matrix[COLUMN_OFFSET][i]);
    for (int j = 0; j < SUMS_COLUMNS; j++)
      if (set >> j & 1) square += x[i] * x[j] * (i > j ? s->matrix[i][j] : s->matrix[j][i]);
  }
  return s->square > 0 ? sqrt(fmax(square - mean * mean / s->n, 0) / s->square) : 0;
}

/* what is left of the error with a term, or 1 where it does not stand */
static double judge(const balances *b, sums_set set, const candidate *k)
{
  int at = 0, unused;
  sums total;
  double x[SUMS_COLUMNS];
  const double with = held_out(b, set | k->set, &at), without = held_out(b, set, &unused);
  const sums_set all = set | k->set | b->curve;
  if (!(with < FALL * without)) return 1;
  sums_total(&b->of[at], &total);
  sums_solve(&total, all, x);
  for (int i = 0; i < SUMS_COLUMNS; i++)
    if (k->positive && (k->set >> i & 1) && !(x[i] > 0)) return 1;
  if (!(part_of_force(&total, k->set, x) > LEAST_PART)) return 1;
  return sums_wald(&b->of[at], all, k->set) > WALD[!k->positive] ? with / without : 1;
}

/* one term after the other, the one that explains most first */
static sums_set choose(const balances *b, sums_set set, const candidate *candidates)
{
  sums_set chosen = 0;
  for (int round = 0; round < CANDIDATES; round++) {
    double least = 1;
    int best = -1;
    for (int k = 0; k < CANDIDATES; k++) {
      if (!candidates[k].set || (candidates[k].set & chosen)) continue;
      const double left = judge(b, set | chosen, &candidates[k]);
      if (left < least) least = left, best = k;
    }
    if (best < 0) break;
    chosen |= candidates[best].set;
  }
  return chosen;
}

static bristle_fault_kind sum_all(const campaign *c, const cutoff_choice *choice, balances *b, bristle_fault *fault)
{
  double k[STIFFNESSES], travel = 0;
  for (size_t l = 0; l < c->fitted; l++) travel = fmax(travel, c->logs[l]->summary.travel);
  for (int j = 0; j < STIFFNESSES; j++) k[j] = pow(10, 1 + 5.0 * j / (STIFFNESSES - 1)) / travel;
  bristle_fault_kind kind = balance_sum(c, choice->source, choice->cutoff, b->of, fault);
  if (!kind) kind = balance_sum_bristle(c, choice->source, choice->cutoff, 1, STIFFNESSES, k, b->of + 1, fault);
  for (int j = 0; j < BALANCES && !kind; j++) balance_take_given(c, &b->of[j]);
  return kind;
}

static void tell(sums_set chosen, sums_set spring, bristle_campaign *report)
{
  if (chosen & COLUMN_BIT(COLUMN_MASS))
    campaign_note(report, 0,
                  "the force follows the acceleration, so that a mass is fitted beside friction; option mass none "
                  "leaves it out");
  if (chosen & COLUMN_BIT(COLUMN_SINE))
    campaign_note(report, 0,
                  "the force follows the angle as a weight does, so that gravity is fitted beside friction; option "
                  "gravity none leaves it out");
  if (chosen & spring)
    campaign_note(report, 0,
                  "the force follows the position, so that a spring is fitted beside friction (spring, times x); "
                  "option mass none leaves it out");
}

/* a term of the motion alone, which is forgotten with the loads that were tried */
static bristle_fault_kind add_spring(const campaign *c, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (size_t l = 0; l < c->count && !kind; l++) {
    kind = log_extra_add(c->logs[l], "spring=x", fault);
    c->logs[l]->tried = 1;
  }
  return kind;
}

static void forget_spring(const campaign *c)
{
  for (size_t l = 0; l < c->count; l++) c->logs[l]->extras = c->logs[l]->tried = 0;
}

/* the filter with all that may be there; without a mass where nothing speeds up */
static bristle_fault_kind find_filter(campaign *c, const candidate *candidates, cutoff_choice *choice,
                                      bristle_fault *fault)
{
  const sums_set plain = c->set;
  bristle_campaign unused;
  for (int k = 0; k < CANDIDATES; k++) c->set |= candidates[k].set;
  bristle_fault_kind kind = cutoff_by_force(c, &unused, choice, fault);
  if (!kind && choice->blocked) {
    c->set &= ~COLUMN_BIT(COLUMN_MASS) | plain;
    kind = cutoff_by_force(c, &unused, choice, fault);
  }
  c->set = plain;
  return kind;
}

static size_t moving_of(const campaign *c)
{
  size_t moving = 0;
  for (size_t l = 0; l < c->fitted; l++)
    for (size_t i = 0; i < c->logs[l]->count; i++) moving += c->logs[l]->phase[i] == BRISTLE_PHASE_MOVING;
  return moving;
}

bristle_fault_kind campaign_choose_unasked(campaign *c, bristle_campaign *report, bristle_fault *fault)
{
  const sums_set mass = COLUMN_BIT(COLUMN_MASS), spring = COLUMN_BIT(COLUMN_EXTRA);
  const bristle_identify_options *o = c->options;
  const int swings = c->logs[0]->rotary && o->term[BRISTLE_TERM_GRAVITY] == BRISTLE_TERM_CHOOSE;
  if (o->term[BRISTLE_TERM_MASS] != BRISTLE_TERM_CHOOSE || moving_of(c) < FEWEST_MOVING) return BRISTLE_FAULT_NONE;
  const int springs = !c->logs[0]->extras;
  const candidate candidates[CANDIDATES] = { { mass, 1 },
                                             { swings ? COLUMN_BIT(COLUMN_SINE) | COLUMN_BIT(COLUMN_COSINE) : 0, 0 },
                                             { springs ? spring : 0, 1 } };
  balances b = { malloc(sizeof *b.of * BALANCES), COLUMN_BIT(COLUMN_CONCAVE) | COLUMN_BIT(COLUMN_SKEW) };
  bristle_fault_kind kind = b.of ? BRISTLE_FAULT_NONE : fault_memory(fault);
  cutoff_choice choice = { .blocked = 1 };
  sums_set chosen = 0;
  if (!kind && springs) kind = add_spring(c, fault);
  if (!kind) kind = find_filter(c, candidates, &choice, fault);
  if (!kind && !choice.blocked) kind = sum_all(c, &choice, &b, fault);
  if (!kind && !choice.blocked) chosen = choose(&b, c->set, candidates);
  if (springs && !(chosen & spring)) forget_spring(c);
  c->set |= chosen;
  tell(chosen, springs ? spring : 0, report);
  free(b.of);
  return kind;
}
