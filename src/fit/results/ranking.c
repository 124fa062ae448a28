/* Which of several results leads, and which the data do not tell from it. */
#include "fit/results/result.h"

#include "maths/elementary.h"

/* Than the best: only then a law with a stiffness that nobody knows leads all the same, since it may stand for a delay.
   A curve that predicts better is one, though its parameters are not told apart: less is enough. */
static const double MUCH_WORSE = 3, WORSE = 1.1;
static const double EXPLAINED = 1.5; /* of the best error in motion: such a law explains motion */
static const double POOR = 0.25;     /* of the force is missed: a law that leads with that is doubted */

/* What a result is judged by. Pieces of the fitted record come before the validation record: a choice made on that
   would leave nothing to validate it with. */
typedef struct judgement {
  int kind; /* the smaller, the more it says */
  double score;
} judgement;

/* Samples on the way to motion count as well; a law may have its best delay between force and motion, which nobody
   knows: otherwise bristles and damping would stand for it. */
typedef enum way { PLAIN, SLOW, DELAYED } way;

/* squares that were held out, in one block */
static double block_squares(const bristle_identified *r, int block, way how)
{
  const double squares = r->block_squares[block][0] + (how & SLOW ? r->block_squares[block][1] : 0);
  return how & DELAYED && r->delay_left > 0 ? r->delay_left * squares : squares;
}

static judgement judge(const bristle_identified *r, way how)
{
  double squares = 0, rows = 0;
  for (int b = 0; b < BRISTLE_BLOCKS; b++) {
    squares += block_squares(r, b, how);
    rows += r->block_rows[b][0] + (how & SLOW ? r->block_rows[b][1] : 0);
  }
  if (isfinite(r->held_out)) return (judgement){ 0, rows > 0 ? sqrt(squares / rows) : r->held_out };
  if (isfinite(r->validation)) return (judgement){ 1, r->validation };
  return (judgement){ 2, r->bic };
}

/* Samples on the way to motion judge laws only where some law explains them as it explains motion, and explains that:
   one that misses both alike, as with forces of end stops, has no say. */
static int slow_samples_judge(bristle_identified *const *results, int count)
{
  double best = HUGE_VAL;
  for (int i = 0; i < count; i++)
    if (judge(results[i], PLAIN).kind == 0) best = fmin(best, judge(results[i], PLAIN).score);
  for (int i = 0; i < count; i++) {
    const judgement here = judge(results[i], PLAIN);
    if (results[i]->slow_counted && (here.kind != 0 || here.score <= EXPLAINED * best)) return 1;
  }
  return 0;
}

static int compare_by(const bristle_identified *a, const bristle_identified *b, way how)
{
  judgement x = judge(a, how), y = judge(b, how);
  return x.kind != y.kind ? x.kind - y.kind : (x.score > y.score) - (x.score < y.score);
}

/* How much worse b is than a on what was held out, in standard deviations of the difference, block by block. */
static double distance(const bristle_identified *a, const bristle_identified *b, way how)
{
  double mean = 0, square = 0, blocks = 0;
  for (int k = 0; k < BRISTLE_BLOCKS; k++) {
    if (!(a->block_rows[k][0] + a->block_rows[k][1] > 0)) continue;
    const double worse = block_squares(b, k, how) - block_squares(a, k, how);
    mean += worse, square += worse * worse, blocks++;
  }
  if (blocks < 2) return HUGE_VAL;
  mean /= blocks;
  const double spread = sqrt(fmax(square / blocks - mean * mean, 0) / fmax(blocks - 1, 1));
  return spread > 0 ? mean / spread : mean > 0 ? HUGE_VAL : 0;
}

/* The same by how many blocks are better, as deviations of tossed coins: where few blocks have all of the error, its
   mean difference is no larger than its spread, and errors that are ten times smaller in every block would not count.
 */
static double distance_by_blocks(const bristle_identified *a, const bristle_identified *b, way how)
{
  double won = 0, counted = 0;
  for (int k = 0; k < BRISTLE_BLOCKS; k++) {
    const double x = block_squares(a, k, how), y = block_squares(b, k, how);
    won += (x < y) - (x > y), counted += x != y;
  }
  return counted > 0 ? won / sqrt(counted) : 0;
}

void ranking_gain(const bristle_identified *first, const bristle_identified *second, double *ratio, double *deviations)
{
  const way how = first->slow_counted && second->slow_counted ? SLOW : PLAIN;
  *ratio = judge(second, how).score / judge(first, how).score;
  *deviations = fmax(distance(second, first, how), distance_by_blocks(second, first, how));
}

static int follows_closely(const bristle_identified *a, const bristle_identified *b, way how)
{
  judgement x = judge(a, how), y = judge(b, how);
  if (x.kind != y.kind) return 0;
  return y.score <= x.score + 0.01 * fabs(x.score) || (x.kind == 0 && distance(a, b, how) < 1);
}

/* is b nearly as good as a, which is better, with the best delay of each or with none? */
static int nearly_as_good(const bristle_identified *a, const bristle_identified *b, way how)
{
  return follows_closely(a, b, how) || follows_closely(a, b, (way)(how & SLOW));
}

static int fitted_numbers(const bristle_identified *r)
{
  int count = drag_has_exponent(r);
  for (int k = 0; k < r->estimates; k++) count += r->estimate[k].free;
  return count;
}

static void exchange(bristle_identified **a, bristle_identified **b)
{
  bristle_identified *keep = *a;
  *a = *b;
  *b = keep;
}

/* The leading law may be a rigid one, which takes the way that a contact bends for a part of the delay: one that
   explains the motion clearly better with its own delay knows it better. */
bristle_identified *bristle_identified_of_delay(bristle_identified *const *results, int count)
{
  static const double CLEARLY = 0.8; /* of the error */
  bristle_identified *best = results[0];
  for (int i = 1; i < count && best->late != 0; i++)
    if (results[i]->tested && results[i]->late != 0 && judge(best, DELAYED).kind == 0
        && judge(results[i], DELAYED).kind == 0
        && judge(results[i], DELAYED).score < CLEARLY * judge(best, DELAYED).score)
      best = results[i];
  return best;
}

static int may_miss(bristle_role role)
{
  return role == BRISTLE_ROLE_DAMPING || role == BRISTLE_ROLE_VISCOUS || role == BRISTLE_ROLE_SHARE
         || role == BRISTLE_ROLE_OFFSET;
}

/* parameters that a law cannot do without and that the records do not determine */
static int missing(const bristle_identified *r)
{
  int count = 0;
  if (!r->law) return 0;
  const bristle_info *info = r->law->f64->info;
  for (int k = 0; k < info->nparam; k++)
    count += !may_miss(bristle_param_at(info, k)->role) && result_is_undetermined(&r->estimate[k]);
  return count;
}

int bristle_identified_is_whole(const bristle_identified *r) { return !missing(r); }

/* Is all that misses a part of the curve over the speed, and one of its levels or its power known? With bristles it may
   be one number only, and where nothing slides none: beside them a curve that nobody knows stands for what they do not
   do, as creep. */
static int misses_curve_only(const bristle_identified *r)
{
  const bristle_info *info = r->law->f64->info;
  int known = 0, bristles = 0;
  for (int k = 0; k < info->nparam; k++) {
    const bristle_role role = bristle_param_at(info, k)->role;
    const int curve = role == BRISTLE_ROLE_LEVEL || role == BRISTLE_ROLE_STATIC_LEVEL || role == BRISTLE_ROLE_DRAG
                      || role == BRISTLE_ROLE_EXCESS_LEVEL || role == BRISTLE_ROLE_STRIBECK_SPEED
                      || role == BRISTLE_ROLE_STRIBECK_FALL || role == BRISTLE_ROLE_POWER;
    const int missed = result_is_undetermined(&r->estimate[k]);
    const int tells = role == BRISTLE_ROLE_LEVEL || role == BRISTLE_ROLE_STATIC_LEVEL || role == BRISTLE_ROLE_POWER;
    if (missed && !curve && !may_miss(role)) return 0;
    bristles |= role == BRISTLE_ROLE_STIFFNESS;
    known += !missed && r->estimate[k].free && tells;
  }
  return known && (!bristles || (missing(r) == 1 && !r->nothing_slides));
}

/* Does a predict what was held out so much better than b that it is not the smaller law in disguise? */
static int predicts_better(const bristle_identified *a, const bristle_identified *b, way how)
{
  return misses_curve_only(a) && judge(b, how).score > WORSE * judge(a, how).score && !nearly_as_good(a, b, how);
}

/* The place of the best law that is not much worse than the best and misses the least: a law with more parameters that
   nobody knows is a smaller one in disguise. */
static int find_reference(bristle_identified *const *results, int count, way how)
{
  int found = 0;
  for (int i = 0; i < count && missing(results[found]); i++) {
    judgement best = judge(results[0], how), here = judge(results[i], how);
    if (best.kind != 0 || here.kind != 0 || here.score > MUCH_WORSE * best.score) break;
    if (missing(results[i]) < missing(results[found]) && !predicts_better(results[found], results[i], how)) found = i;
  }
  return found;
}

/* Is a better in every column that people see: errors of the fit, of what was held out, in motion and on the way to it,
   of the validation record, and BIC? */
static int better_throughout(const bristle_identified *a, const bristle_identified *b)
{
  const double shown[][2] = { { a->rms, b->rms },
                              { a->relative, b->relative },
                              { a->held_out, b->held_out },
                              { a->held_out_slow, b->held_out_slow },
                              { a->validation, b->validation },
                              { a->bic, b->bic } };
  for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
    if (isfinite(shown[k][0]) && isfinite(shown[k][1]) && !(shown[k][0] < shown[k][1])) return 0;
  return 1;
}

/* Must a lead, and not b? No law stands behind one that is worse in all that is shown, unless parameters that nobody
   knows make it better; and none that explains the force behind one that does not, whatever is known of it. */
static int overtakes(const bristle_identified *a, const bristle_identified *b, way how)
{
  const judgement x = judge(a, how), y = judge(b, how);
  if (!better_throughout(a, b) || nearly_as_good(a, b, how)) return 0;
  if (missing(a) <= missing(b)) return 1;
  return a->relative <= POOR && b->relative > POOR && x.kind == y.kind && y.score > WORSE * x.score;
}

/* the place of the law that leads instead: each is better throughout than the one before it */
static int overtaken(bristle_identified *const *results, int count, int lead, way how)
{
  for (int i = 0; i < count; i++)
    if (overtakes(results[i], results[lead], how)) lead = i, i = -1;
  return lead;
}

void bristle_identified_rank(bristle_identified **results, int count)
{
  if (count < 1) return; /* no law could be fitted */
  const way how = (way)((slow_samples_judge(results, count) ? SLOW : 0) | DELAYED);
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && compare_by(results[k], results[k - 1], how) < 0; k--)
      exchange(&results[k], &results[k - 1]);
  const int reference = find_reference(results, count, how), least = missing(results[reference]);
  int lead = reference;
  for (int i = 0; i < count; i++) {
    results[i]->indistinguishable = i == 0 || nearly_as_good(results[0], results[i], how);
    if (i > reference) results[i]->indistinguishable |= nearly_as_good(results[reference], results[i], how);
    if (i < reference || missing(results[i]) > least || !nearly_as_good(results[reference], results[i], how)) continue;
    if (fitted_numbers(results[i]) < fitted_numbers(results[lead])) lead = i;
  }
  lead = overtaken(results, count, lead, how);
  for (int i = 0; i < count; i++)
    results[i]->explains_more = i < lead && missing(results[i]) > missing(results[lead])
                                && !nearly_as_good(results[i], results[lead], how);
  for (int i = 0; i < count; i++) /* better, but not known well enough to lead, or by less than a delay makes up for */
    results[i]->indistinguishable |= i <= lead || better_throughout(results[i], results[lead]);
  for (int k = lead; k > 0; k--) exchange(&results[k], &results[k - 1]);
}
