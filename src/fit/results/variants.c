/* How much the parameters depend on what nobody can know exactly: the band of the filter, the noise of the motion, a
   delay between force and motion, a mass that could not be determined. Each is changed a little and the laws are fitted
   again from where they were; what the parameters move by belongs to their deviations. What a law gains by a delay of
   its own is no merit of a law that gains nothing: bristles and damping stand for delays. */
#include "fit/campaign/campaign.h"
#include "fit/common/parallel.h"
#include "maths/random.h"
#include "fit/records/record.h"
#include "fit/results/variants.h"
#include "fit/signals/signal.h"
#include "maths/elementary.h"

#include <stdlib.h>

static const double LONGEST = 3;      /* samples of delay that are thought of */
static const double WELL_KNOWN = 0.3; /* samples */
static const double NOTICEABLE = 0.3;
static const double MOST_OF_IT = 0.5; /* of the squares of the residuals */
static const double PROMISING = 0.95; /* of them: a delay that leaves less is worth a trial */
static const double EXPLAINED =
    0.25; /* of the force, or less is left: a long delay of a law that explains nothing is none */
static const double FALLING = 0.9; /* of them: at two samples of a delay of forty */
static const double WHOLE = 0.15;  /* samples: so near to a whole one a delay is that */

static const int shifts[VARIANTS] = { [EARLIER] = -1, [LATER] = 1, [MUCH_EARLIER] = -2, [MUCH_LATER] = 2 };

/* ---- the records, a little different ---- */

static void shake(double *y, size_t count, double noise, random_state *random)
{
  for (size_t i = 0; i < count; i++) {
    const double a = random_part(random), b = random_part(random);
    y[i] += noise * sqrt(-2 * log(a)) * cos(2 * PI * b);
  }
}

/* the force of some samples before or after; the ends of stretches do not count */
static void shift(const bristle_log *log, double *force, int by)
{
  const size_t way = (size_t)abs(by);
  for (size_t k = 0; k < log->stretches; k++) {
    const size_t begin = log->first[k], length = log->first[k + 1] - begin;
    if (length <= way) continue;
    if (by > 0) memmove(force + begin + way, force + begin, sizeof *force * (length - way));
    else memmove(force + begin, force + begin + way, sizeof *force * (length - way));
  }
}

/* the other columns that terms are made of */
static bristle_fault_kind shake_sources(bristle_log *log, random_state *random, bristle_fault *fault)
{
  record_terms *terms = memory_take(&log->memory_list, sizeof *terms);
  if (!terms) return fault_memory(fault);
  *terms = *log->terms;
  log->terms = terms;
  for (int k = 0; k < terms->sources; k++) {
    double *copy = memory_take(&log->memory_list, sizeof *copy * (log->count + 1));
    if (!copy) return fault_memory(fault);
    memcpy(copy, terms->data[k], sizeof *copy * log->count);
    shake(copy, log->count, terms->noise[k], random);
    terms->data[k] = copy;
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind change(bristle_log *log, int variant, bristle_fault *fault)
{
  random_state random = random_start((unsigned long long)variant);
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    const int moved = variant >= SHAKEN && (c == BRISTLE_CHANNEL_POSITION || c == BRISTLE_CHANNEL_VELOCITY);
    const int shifted = shifts[variant] && c == BRISTLE_CHANNEL_FORCE;
    if (!log->raw[c] || (!moved && !shifted)) continue;
    double *copy = memory_take(&log->memory_list, sizeof *copy * (log->count + 1));
    if (!copy) return fault_memory(fault);
    memcpy(copy, log->raw[c], sizeof *copy * log->count);
    if (moved) shake(copy, log->count, log->fact[c].noise, &random);
    else shift(log, copy, shifts[variant]);
    log->raw[c] = copy;
  }
  if (shifts[variant] && log->fresh) {
    unsigned char *fresh = memory_take(&log->memory_list, log->count + 1);
    if (!fresh) return fault_memory(fault);
    log_shift_fresh(log, fresh, -shifts[variant]);
  }
  return variant >= SHAKEN && log->terms ? shake_sources(log, &random, fault) : BRISTLE_FAULT_NONE;
}

/* ---- fits ---- */

typedef struct trials {
  bristle_identified *const *result; /* those under test */
  int results;
  const bristle_log *const *logs; /* of the records as they are, or of a variant */
  size_t count;
  const bristle_identify_options *options;
  const bristle_campaign *campaign;
  outcome (*found)[VARIANTS]; /* by result */
  int variant;
  double late; /* samples, of the variant BETWEEN */
} trials;

static void fit_again(void *context, int i)
{
  trials *t = context;
  const bristle_identified *from = t->result[i];
  outcome *to = &t->found[i][t->variant];
  bristle_identify_options options = *t->options;
  bristle_fault ignored;
  double unused[BRISTLE_ESTIMATES];
  options.progress = NULL;
  options.threads = 1;
  for (int k = 0; k < BRISTLE_TERMS; k++)
    if (options.term[k] == BRISTLE_TERM_NONE && from->estimate[from->law->f64->info->nparam + k].free)
      options.term[k] = BRISTLE_TERM_FREE; /* a skew that was tried beside the others */
  if (t->variant == WITH_MASS) options.term[BRISTLE_TERM_MASS] = BRISTLE_TERM_FREE;
  /* other objectives weigh residuals: what was found must be compared in their own measure */
  if (t->variant != AS_IT_IS || options.objective != BRISTLE_ABSOLUTE)
    to->there = !identify_again(from, t->logs, t->count, &options, from->slow_counted, to->value, &to->square,
                                &ignored);
  if (from->law->f64->info->nstate > 0 && !from->slow_counted
      && (t->variant == AS_IT_IS || t->variant == BETWEEN || shifts[t->variant])
      && identify_again(from, t->logs, t->count, &options, 1, unused, &to->whole, &ignored))
    to->whole = 0;
}

/* Without a filter the motion is free of noise, and it is the motion that is moved. */
static bristle_fault_kind delay_between(const trials *t, bristle_log *log, bristle_fault *fault)
{
  const double delay = t->late / log->summary.rate;
  return t->campaign->cutoff > 0 ? bristle_log_delay(log, delay, fault) : log_delay_motion(log, delay, fault);
}

static void try_variant(trials *t, int variant)
{
  bristle_fault ignored;
  bristle_log *copy = calloc(t->count, sizeof *copy);
  const bristle_log **list = calloc(t->count, sizeof *list);
  const cutoff_choice choice = { .source = t->campaign->from_velocity ? MOTION_FROM_VELOCITY : MOTION_FROM_POSITION,
                                 .cutoff = t->campaign->cutoff / (variant == HALF_BAND ? 2 : 1) };
  int failed = !copy || !list;
  for (size_t l = 0; l < t->count && !failed; l++) {
    copy[l] = *t->logs[l];
    copy[l].memory_list = NULL;
    list[l] = &copy[l];
    copy[l].phase = memory_take(&copy[l].memory_list, copy[l].count + 1);
    failed = !copy[l].phase;
    if (!failed) memcpy(copy[l].phase, t->logs[l]->phase, copy[l].count);
    copy[l].f = NULL;
    failed = failed || change(&copy[l], variant, &ignored)
             || (variant == BETWEEN && delay_between(t, &copy[l], &ignored))
             || campaign_apply(&choice, &copy[l], &ignored);
    for (int c = 0; c < BRISTLE_CHANNELS && !failed; c++) /* fits look at what was filtered */
      if (copy[l].raw[c] != t->logs[l]->raw[c]) {
        memory_give(&copy[l].memory_list, copy[l].raw[c]);
        copy[l].raw[c] = t->logs[l]->raw[c];
      }
  }
  trials changed = *t;
  changed.logs = list, changed.variant = variant;
  if (!failed) parallel_for(t->options->threads > 0 ? t->options->threads : 2, t->results, fit_again, &changed);
  for (size_t l = 0; copy && l < t->count; l++) memory_free(copy[l].memory_list);
  free(copy), free(list);
}

/* ---- what follows ---- */

/* The squares for a shift of the force, in samples. */
typedef struct point {
  double at, square;
} point;

/* Where the squares are least as a function of that shift. */
typedef struct valley {
  double delay, square_of_deviation; /* samples that the force is late; the latter infinite: not known */
  double left, foreseen;             /* part of the squares there: the least that was seen, and that of a parabola */
} valley;

/* From the squares at several shifts, in their order. A parabola that has its lowest point far away speaks of something
   else than a delay. What it promises must be seen: where damping makes up for a force that comes early but not for a
   late one, the squares are steeper on one side, and the parabola has its lowest point on the other. */
static valley find_valley(const point *p, int count, double here, double worth)
{
  valley v = { 0, HUGE_VAL, 1, 1 };
  int low = 0;
  for (int i = 1; i < count; i++)
    if (p[i].square < p[low].square) low = i;
  if (count < 3) return v;
  v.left = p[low].square / here;
  /* one sample aside it must show on both sides of where the records are: a sample beside a jump is no delay */
  if (low + 1 < count && fabs(p[low].at) == 1 && p[low + 1].at == 0) low++;
  else if (low > 0 && fabs(p[low].at) == 1 && p[low - 1].at == 0) low--;
  const point *m = &p[low < 1 ? 1 : low > count - 2 ? count - 2 : low];
  const double before = (m->square - m[-1].square) / (m->at - m[-1].at);
  const double after = (m[1].square - m->square) / (m[1].at - m->at);
  const double bend = 2 * (after - before) / (m[1].at - m[-1].at);
  const double slope = before + bend / 2 * (m->at - m[-1].at);
  v.foreseen = v.left;
  if (!(bend > 0)) return v;
  /* squares are not negative: where they are steep on one side only, a parabola passes below zero */
  const double reach = sqrt(2 * m->square / bend), at = m->at + fmin(fmax(-slope / bend, -reach), reach);
  if (!(fabs(at) < LONGEST)) return v;
  v.foreseen = fmin(v.left, fmax(m->square - slope * slope / bend / 2, 0) / here);
  v.delay = -at; /* the record whose force was shifted later fits best when the force came early */
  v.square_of_deviation = 2 * here / (worth * bend);
  return v;
}

/* may the force, as it is filtered, or the motion be shifted by parts of a sample? */
static int is_fine(const bristle_campaign *all, double rate) { return all->cutoff < rate / 8; }

static int is_plain(const valley *v)
{
  return v->square_of_deviation < WELL_KNOWN * WELL_KNOWN && fabs(v->delay) > NOTICEABLE && v->left < MOST_OF_IT;
}

/* the mean of the squares of the records as they are */
static double square_here(const outcome *found, const bristle_identified *r)
{
  return found[AS_IT_IS].there ? found[AS_IT_IS].square : r->fitted_rms * r->fitted_rms;
}

/* The valley of the rows that count, or of all with the samples on the way to motion. */
static valley valley_of(const outcome *found, const bristle_identified *r, int whole, double between)
{
  static const int at[6] = { MUCH_EARLIER, EARLIER, AS_IT_IS, LATER, MUCH_LATER, BETWEEN };
  const double worth = (double)r->rows / fmax(r->memory, 1);
  const double here = whole ? found[AS_IT_IS].whole : square_here(found, r);
  point p[6];
  int count = 0;
  for (int k = 0; k < 6; k++) {
    const outcome *o = &found[at[k]];
    point new = { k < 5 ? k - 2 : -between, k == 2 ? here : whole ? o->whole : o->there ? o->square : 0 };
    int place = count;
    if (!(new.square > 0)) continue;
    for (; place > 0 && p[place - 1].at > new.at; place--) p[place] = p[place - 1];
    p[place] = new, count++;
  }
  const int beside = (whole ? found[EARLIER].whole > 0 && found[LATER].whole > 0
                            : found[EARLIER].there && found[LATER].there);
  return find_valley(p, here > 0 && beside ? count : 0, here, worth);
}

/* A delay between samples is tried where much is promised of it, or where it would be told, and such a shift is exact;
   0: nothing to try. */
static double worth_trying(const valley *v)
{
  const double fraction = fabs(v->delay - round(v->delay));
  const int promised = v->foreseen < PROMISING * v->left || v->square_of_deviation < WELL_KNOWN * WELL_KNOWN;
  return promised && fraction > WHOLE ? v->delay : 0;
}

/* The mean square with the force so many samples earlier. A shift that takes the mass, or makes another one, stands for
   what the force of a relay does: it knows the direction of motion alone. */
static double square_at(void *context, double late)
{
  static const double SAME = 2; /* times the mass, or a part of it */
  trials *one = context;
  const bristle_identified *r = one->result[0];
  const outcome *o = &one->found[0][BETWEEN];
  const int mass = r->law->f64->info->nparam + BRISTLE_TERM_MASS;
  one->found[0][BETWEEN] = (outcome){ 0 };
  one->late = late;
  try_variant(one, BETWEEN);
  const double before = r->estimate[mass].value, after = o->value[mass];
  if (r->estimate[mass].free && !(after < SAME * before && before < SAME * after)) return HUGE_VAL;
  return o->there ? o->square : HUGE_VAL;
}

/* Squares that fall to the last shift that was tried ask for more. Samples that the force is late; 0: none of those.
 *left: of the squares. */
static double look_further(const trials *t, int i, double *left)
{
  const outcome *found = t->found[i];
  const double most = DELAY_LONGEST * t->logs[0]->summary.rate, here = square_here(found, t->result[i]);
  const int early = found[MUCH_EARLIER].there && found[MUCH_EARLIER].square < found[EARLIER].square;
  const int later = found[MUCH_LATER].there && found[MUCH_LATER].square < found[LATER].square;
  outcome own[1][VARIANTS] = { { { 0 } } };
  trials one = *t;
  one.result = &t->result[i], one.results = 1, one.found = own;
  if (early == later) return 0;
  *left = found[early ? MUCH_EARLIER : MUCH_LATER].square;
  if (!(here > 0) || !(*left < FALLING * here)) return 0;
  const double late = far_delay(square_at, &one, early ? 1 : -1, 2 * most, left);
  *left /= here;
  return fabs(late) >= LONGEST && fabs(late) <= most ? late : 0;
}

static double look_between(const trials *t, int i)
{
  const double rate = t->logs[0]->summary.rate;
  const valley mine = valley_of(t->found[i], t->result[i], 0, 0), all = valley_of(t->found[i], t->result[i], 1, 0);
  trials one = *t;
  if (!is_fine(t->campaign, rate)) return 0;
  one.result = &t->result[i], one.results = 1, one.found = &t->found[i];
  one.late = worth_trying(&mine) != 0 ? mine.delay : worth_trying(&all);
  if (one.late != 0) try_variant(&one, BETWEEN);
  return one.late;
}

/* What delays do to a result; returns the square of what the delay may be, in samples. */
static double judge_delay(const outcome *found, bristle_identified *r, double rate, double between)
{
  const valley mine = valley_of(found, r, 0, between), all = valley_of(found, r, 1, between);
  r->delay = mine.delay / rate, r->delay_left = mine.left;
  r->delay_known = mine.square_of_deviation < WELL_KNOWN * WELL_KNOWN;
  r->late = (is_plain(&mine) ? mine.delay : is_plain(&all) ? all.delay : 0) / rate;
  if (!isfinite(mine.square_of_deviation)) return 1;
  /* the square of a delay that is found contains its variance */
  return fmin(fmax(mine.delay * mine.delay, mine.square_of_deviation),
              fabs(mine.delay) > 1 || mine.square_of_deviation < 1 ? LONGEST * LONGEST : 1);
}

/* Band, delay and noise may change the size of the drop from the static level, but must not make it vanish. */
static double lowest_drop(const bristle_identified *r, const outcome *found)
{
  double lowest = result_drop(r, r->p);
  for (int v = 0; v < VARIANTS; v++)
    if (found[v].there && v != MUCH_EARLIER && v != MUCH_LATER && v != BETWEEN)
      lowest = fmin(lowest, result_drop(r, found[v].value));
  return lowest;
}

static void conclude(const trials *t, int i)
{
  const outcome *found = t->found[i];
  const double rate = t->logs[0]->summary.rate;
  bristle_identified *r = t->result[i];
  double left, squared = judge_delay(found, r, rate, look_between(t, i));
  const double further = r->delay_known ? 0 : look_further(t, i, &left);
  if (further != 0) squared = further * further; /* deviations contain what it would change, also where it is no more */
  if (further != 0 && left < MOST_OF_IT && sqrt(left) * r->relative < EXPLAINED)
    r->delay = r->late = further / rate, r->delay_left = left, r->delay_known = 1;
  result_judge_drop(r, lowest_drop(r, found));
  variants_widen(r, found, squared, 1 / rate);
  resolved_judge_elements(r);
  r->tested = 1;
}

static int any_falls(const trials *t, int variant)
{
  for (int i = 0; i < t->results; i++)
    if ((t->found[i][variant].there && t->found[i][variant].square < square_here(t->found[i], t->result[i]))
        || t->found[i][variant].whole < t->found[i][AS_IT_IS].whole)
      return 1;
  return 0;
}

void bristle_identified_test(bristle_identified *const *results, int count, const bristle_log *const *logs,
                             size_t log_count, const bristle_identify_options *options, const bristle_campaign *all)
{
  bristle_identified **list = calloc((size_t)count + 1, sizeof *list);
  trials t = { .result = list, .logs = logs, .count = log_count, .options = options, .campaign = all };
  for (int i = 0; list && logs[0]->phase && i < count; i++)
    if (!results[i]->tested) list[t.results++] = results[i];
  t.found = calloc((size_t)t.results + 1, sizeof *t.found);
  for (int v = 0; t.found && t.results && v < VARIANTS; v++) {
    const int asked = v == HALF_BAND      ? all->cutoff > 0
                      : v == MUCH_EARLIER ? any_falls(&t, EARLIER)
                      : v == MUCH_LATER   ? any_falls(&t, LATER)
                      : v == BETWEEN      ? 0
                      : v == WITH_MASS    ? all->mass_left_out
                                          : 1;
    if (asked) try_variant(&t, v);
  }
  for (int i = 0; t.found && i < t.results; i++) conclude(&t, i);
  free(t.found), free(list);
}

/* The squares have a sharp bottom where forces jump: it is looked for in quarters of a sample, or in whole ones where
   values between samples would have less noise than the samples. */
double bristle_identified_late(bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                               const bristle_identify_options *options, const bristle_campaign *all)
{
  enum { TRIED = 9 };
  outcome(*found)[VARIANTS] = calloc(1, sizeof *found);
  const double rate = logs[0]->summary.rate, step = is_fine(all, rate) ? 0.25 : 1;
  const double middle = step < 1 ? result->late * rate : round(result->late * rate);
  double lowest = HUGE_VAL, late = result->late;
  trials t = { .result = &result,
               .results = 1,
               .logs = logs,
               .count = log_count,
               .options = options,
               .campaign = all,
               .found = found };
  for (int k = 0; found && result->tested && result->late != 0 && k < TRIED; k++) {
    const outcome *o = &found[0][BETWEEN];
    memset(found, 0, sizeof *found);
    t.late = middle + step * (k - TRIED / 2);
    if (fabs(t.late) > fmax(LONGEST, fabs(middle) + 1)) continue;
    try_variant(&t, BETWEEN);
    const double square = o->whole > 0 ? o->whole : o->there ? o->square : HUGE_VAL;
    if (square < lowest) lowest = square, late = t.late / rate;
  }
  free(found);
  return result->tested ? late : 0;
}
