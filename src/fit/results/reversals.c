/* Presliding and sliding that no law with a single bristle can hold together. Where none of them explains the samples
   at reversals as it explains motion, the best of them is fitted to all samples, and what it misses is looked at over
   the way since each reversal: if that is the same at every reversal it is no noise but the shape of the hysteresis,
   which several elements in parallel have. A bristle that bends within a few samples says nothing: that may be a delay.
 */
#include "fit/residuals/terms.h"
#include "fit/residuals/walk.h"
#include "fit/records/motion.h"

#include "maths/elementary.h"
#include <stdlib.h>
#include <string.h>

enum { WAYS = 6, FEWEST_TURNS = 4 };
static const double way_end[WAYS] = { 0.25, 0.5, 1, 2, 4, 8 }; /* in lengths of the presliding, level/stiffness */
static const double BACK = 0.25;                               /* of a length: less far back is no reversal */
static const double SYSTEMATIC = 4;  /* mean square of the common course, relative to the scatter about it */
static const double EXPLAINED = 1.5; /* times the error far from reversals */

static double value_of_role(const bristle_identified *r, bristle_role role)
{
  const bristle_row *row = bristle_param_role(r->law->f64->info, role);
  return row && row->count == 1 ? r->p[row->first] : 0;
}

static int has_one_bristle(const bristle_info *info)
{
  const bristle_row *row = bristle_param_role(info, BRISTLE_ROLE_STIFFNESS);
  return row && row->count == 1 && info->nstate > 0 && !bristle_param_role(info, BRISTLE_ROLE_SHARE);
}

/* the one that explains most of what starts, stops and turns; NULL where laws with elements were asked for */
static const bristle_identified *best_of(bristle_identified *const *results, int count)
{
  const bristle_identified *best = NULL;
  for (int i = 0; i < count; i++) {
    const bristle_identified *r = results[i];
    if (bristle_param_role(r->law->f64->info, BRISTLE_ROLE_SHARE)) return NULL;
    if (!has_one_bristle(r->law->f64->info) || !isfinite(r->held_out_slow)) continue;
    if (!best || r->held_out_slow < best->held_out_slow) best = r;
  }
  return best;
}

/* ---- what is missed after each reversal ---- */

/* sums over reversals, by the way since then */
typedef struct course {
  double length; /* of the presliding */
  size_t turns;
  double cells[WAYS], sum[WAYS], squares[WAYS];
  double far, far_squares; /* samples beyond */
  /* of the reversal at work */
  double count[WAYS], missed[WAYS];
} course;

static void close_turn(course *c)
{
  int any = 0;
  for (int w = 0; w < WAYS; w++) {
    if (!(c->count[w] > 0)) continue;
    const double mean = c->missed[w] / c->count[w];
    c->cells[w]++, c->sum[w] += mean, c->squares[w] += mean * mean;
    c->count[w] = c->missed[w] = 0, any = 1;
  }
  c->turns += any;
}

/* residuals in the direction of motion, from the extreme point at `from` to the next one at `to` */
static void add_turn(course *c, const bristle_log *log, const double *residual, size_t from, size_t to)
{
  const double side = log->x[to] > log->x[from] ? 1 : -1;
  for (size_t i = from + 1; i <= to; i++) {
    const double way = fabs(log->x[i] - log->x[from]) / c->length;
    if (log->phase[i] == BRISTLE_PHASE_NONE) continue;
    if (way >= way_end[WAYS - 1]) c->far++, c->far_squares += residual[i] * residual[i];
    for (int w = 0; w < WAYS; w++)
      if (way < way_end[w]) {
        c->missed[w] += side * residual[i], c->count[w]++;
        break;
      }
  }
  close_turn(c);
}

/* extreme points of the position: it goes back from them by more than a part of the presliding */
static void add_stretch(course *c, const bristle_log *log, const double *residual, size_t begin, size_t end)
{
  size_t last = begin, extreme = begin;
  int side = 0, turned = 0;
  for (size_t i = begin + 1; i < end; i++) {
    const double back = side * (log->x[extreme] - log->x[i]), away = fabs(log->x[i] - log->x[begin]);
    if (!side && away > BACK * c->length) side = log->x[i] > log->x[begin] ? 1 : -1, extreme = i;
    if (side && back <= 0) extreme = i;
    if (!side || back <= BACK * c->length) continue;
    if (turned) add_turn(c, log, residual, last, extreme);
    turned = 1, last = extreme, extreme = i, side = -side;
  }
  if (turned) add_turn(c, log, residual, last, extreme);
}

/* model - measured, behind the filter of the record */
static int residuals_of(const bristle_identified *r, const bristle_log *log, double *residual)
{
  bristle_fault ignored;
  if (walk_result(r, log, residual) || motion_like_force(log, log->filtered ? log->cutoff : 0, residual, &ignored))
    return 1;
  for (size_t i = 0; i < log->count; i++) residual[i] += term_sum(log, r->term, i) - log->f[i];
  return 0;
}

static int gather(const bristle_identified *r, const bristle_log *const *logs, size_t count, course *c)
{
  int failed = 0;
  for (size_t l = 0; l < count && !failed; l++) {
    double *residual = malloc(sizeof *residual * (logs[l]->count + 1));
    failed = !residual || residuals_of(r, logs[l], residual);
    for (size_t k = 0; k < logs[l]->stretches && !failed; k++)
      add_stretch(c, logs[l], residual, logs[l]->first[k], logs[l]->first[k + 1]);
    free(residual);
  }
  return failed;
}

/* squares of the common course relative to the scatter about it, each for one degree of freedom; and its size */
static double systematic(const course *c, double *size)
{
  double common = 0, scatter = 0, ways = 0, freedom = 0, cells = 0;
  for (int w = 0; w < WAYS; w++) {
    if (c->cells[w] < FEWEST_TURNS) continue;
    const double square = c->sum[w] * c->sum[w] / c->cells[w];
    common += square, scatter += fmax(c->squares[w] - square, 0);
    ways++, freedom += c->cells[w] - 1, cells += c->cells[w];
  }
  *size = cells > 0 ? sqrt(common / cells) : 0;
  return ways >= 2 && scatter > 0 ? common / ways / (scatter / freedom) : 0;
}

/* the law fitted to all samples, those at reversals too; NULL: it cannot be */
static bristle_identified *fit_whole(const bristle_identified *from, const bristle_log *const *logs, size_t count,
                                     const bristle_identify_options *options)
{
  bristle_identify_options whole = *options;
  bristle_identified *r = NULL;
  bristle_fault ignored;
  whole.slow_fall = from->slow_fall;
  bristle_identified_take_free(from, &whole);
  whole.slow_samples = 1, whole.folds = -1, whole.progress = NULL;
  whole.candidates = 200, whole.refinements = 2;
  return bristle_identify(from->law, logs, count, NULL, &whole, &r, &ignored) ? NULL : r;
}

int bristle_identified_reversals(bristle_identified *const *results, int count, const bristle_log *const *logs,
                                 size_t log_count, const bristle_identify_options *options, bristle_reversals *found)
{
  const bristle_identified *best = logs[0]->phase ? best_of(results, count) : NULL, *r = best;
  bristle_identified *again = NULL;
  const double noise = motion_force_noise_of(logs, log_count);
  double ratio = 0;
  course c = { 0 };
  *found = (bristle_reversals){ 0 };
  if (best && !best->slow_counted) r = again = fit_whole(best, logs, log_count, options);
  if (!r) return 0;
  const bristle_row *stiff = bristle_param_role(r->law->f64->info, BRISTLE_ROLE_STIFFNESS);
  c.length = value_of_role(r, BRISTLE_ROLE_LEVEL) / r->p[stiff->first];
  /* a stiffness that shows in too few samples is called not determined */
  if (isfinite(r->estimate[stiff->first].deviation) && c.length > 0 && isfinite(c.length)
      && !gather(r, logs, log_count, &c))
    ratio = systematic(&c, &found->missed);
  found->turns = c.turns, found->sliding = c.far > 0 ? sqrt(c.far_squares / c.far) : 0;
  if (ratio > SYSTEMATIC && found->missed > EXPLAINED * found->sliding && found->missed > noise) found->law = best->law;
  bristle_identified_free(again);
  return found->law != NULL;
}

void bristle_identified_tell_reversals(bristle_identified *result, const bristle_reversals *found, const char *advice)
{
  const char *unit = bristle_force_unit(result->rotary);
  const int elements = bristle_param_role(result->law->f64->info, BRISTLE_ROLE_SHARE) != NULL;
  if (!found->law || result->findings == BRISTLE_FINDINGS) return;
  snprintf(result->finding[result->findings++], sizeof *result->finding,
           "%s fits sliding (%.3g %s) but not the starts after %zu reversals (%.3g %s, the same way each time), and "
           "no other law with one bristle fits both; %s",
           found->law->name, found->sliding, unit, found->turns, found->missed, unit,
           elements && result->slow_counted ? "several elements do" : advice);
}
