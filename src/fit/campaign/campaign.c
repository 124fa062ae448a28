/* What is decided once for all records of an identification: source and filter of the motion, the samples that count,
   and the terms beside friction. */
#include "fit/campaign/campaign.h"
#include "fit/signals/signal.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { FEWEST_MOVING = 200 };
static const double ONE_WAY = 0.05; /* of the moving samples */
static const double BRISTLY = 0.7;  /* of the error of a rigid law: then presliding carries the force */
static const double QUIET = 2e-4;   /* noise of the velocity beside its fast speeds that needs no filter */
static const double SETTLING = 1.5; /* periods of the cut-off at the ends of a stretch */

/* ---- what moves ---- */

/* of the way, where nothing slides for long */
static double part_forward(const campaign *c)
{
  double ways[2] = { 0 };
  for (size_t l = 0; l < c->fitted; l++)
    for (size_t i = 1; i < c->logs[l]->count; i++) ways[c->logs[l]->slide[i] > 0] += fabs(c->logs[l]->slide[i]);
  return ways[0] + ways[1] > 0 ? ways[1] / (ways[0] + ways[1]) : 0.5;
}

static void count_phases(const campaign *c, bristle_campaign *report, size_t *moving)
{
  double phase[4] = { 0 }, forward = 0, all = 0;
  for (size_t l = 0; l < c->fitted; l++) {
    const bristle_log *log = c->logs[l];
    for (size_t i = 0; i < log->count; i++) {
      phase[log->phase[i]]++, all++;
      forward += log->phase[i] == BRISTLE_PHASE_MOVING && log->v[i] > 0;
    }
  }
  *moving = (size_t)phase[BRISTLE_PHASE_MOVING];
  if (*moving < FEWEST_MOVING) forward = phase[BRISTLE_PHASE_MOVING] * part_forward(c);
  report->moving = phase[BRISTLE_PHASE_MOVING] / all;
  report->transition = phase[BRISTLE_PHASE_TRANSITION] / all;
  report->rest = phase[BRISTLE_PHASE_REST] / all;
  report->forward = *moving ? forward / phase[BRISTLE_PHASE_MOVING] : part_forward(c);
}

static size_t samples_of(const campaign *c)
{
  size_t samples = 0;
  for (size_t l = 0; l < c->fitted; l++) samples += c->logs[l]->count;
  return samples;
}

/* ---- the filter ---- */

static bristle_fault_kind choose_filter(campaign *c, bristle_campaign *report, cutoff_choice *choice,
                                        bristle_fault *fault)
{
  bristle_fault_kind kind = cutoff_by_force(c, report, choice, fault);
  if (kind || !choice->blocked) return kind;
  if (c->set & COLUMN_BIT(COLUMN_MASS)) {
    campaign_note(report, 0,
                  "the mass is not determined by these records and was left out: the acceleration is below its noise "
                  "at every cut-off");
    c->set &= ~COLUMN_BIT(COLUMN_MASS);
    kind = cutoff_by_force(c, report, choice, fault);
  }
  if (kind || !choice->blocked) return kind;
  /* even the velocity is mostly noise: the lowest loss there is */
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < report->points; i++)
      if (isfinite(report->error[s][i]) && report->error[s][i] < choice->error)
        *choice = (cutoff_choice){ (motion_source)s, report->frequency[i], report->error[s][i], 0, 0, 0 };
  campaign_note(report, 1,
                "the velocity is barely above the noise of the motion: nothing that depends on it can be trusted");
  return kind;
}

/* Does a bristle explain the moving samples much better than a rigid contact? */
static bristle_fault_kind look_for_bristles(const campaign *c, const cutoff_choice *choice, int *bristly,
                                            bristle_fault *fault)
{
  enum { STIFFNESSES = 9 };
  double k[STIFFNESSES], x[SUMS_COLUMNS], least = HUGE_VAL, rigid = 0, travel = 0;
  sums_blocks *blocks = malloc(sizeof *blocks * STIFFNESSES);
  if (!blocks) return fault_memory(fault);
  for (size_t l = 0; l < c->fitted; l++) travel = fmax(travel, c->logs[l]->summary.travel);
  for (int j = 0; j < STIFFNESSES; j++) k[j] = pow(10, 1 + 5.0 * j / (STIFFNESSES - 1)) / travel;
  bristle_fault_kind kind = balance_sum_bristle(c, choice->source, choice->cutoff, 1, STIFFNESSES, k, blocks, fault);
  for (int j = 0; j < STIFFNESSES && !kind; j++) {
    sums total;
    balance_take_given(c, &blocks[j]);
    sums_total(&blocks[j], &total);
    rigid = sums_solve(&total, c->set, x);
    least = fmin(least, rigid);
  }
  *bristly = !kind && least < BRISTLY * BRISTLY * rigid;
  free(blocks);
  return kind;
}

/* measured so finely that any filter would only take something away */
static int needs_no_filter(const campaign *c, motion_source source)
{
  for (size_t l = 0; l < c->count; l++)
    if (motion_velocity_noise(c->logs[l], source, 0) > QUIET * c->logs[l]->summary.speed_high) return 0;
  return !(c->set & COLUMN_BIT(COLUMN_MASS)) && !c->logs[0]->extras;
}

/* Where nearly nothing slides every sample says something, and there is nothing else to judge a law by. */
static void count_everything(const campaign *c, size_t moving)
{
  for (size_t l = 0; l < c->count; l++)
    for (size_t i = 0; i < c->logs[l]->count; i++) {
      unsigned char *phase = &c->logs[l]->phase[i];
      if (*phase == BRISTLE_PHASE_REST) *phase = BRISTLE_PHASE_TRANSITION;
      if (*phase == BRISTLE_PHASE_TRANSITION && moving < FEWEST_MOVING) *phase = BRISTLE_PHASE_MOVING;
    }
}

/* ---- the logs after that ---- */

bristle_fault_kind campaign_apply(const cutoff_choice *choice, bristle_log *log, bristle_fault *fault)
{
  motion m = motion_room(log->count, &log->memory_list);
  double *force = memory_take(&log->memory_list, sizeof *force * (log->count + 1));
  double *slide = memory_take(&log->memory_list, sizeof *slide * (log->count + 1));
  if (!m.x || !force || !slide) return fault_memory(fault);
  memcpy(force, log->raw[BRISTLE_CHANNEL_FORCE], sizeof *force * log->count);
  bristle_fault_kind kind = motion_make(log, choice->source, choice->cutoff, &m, force, fault);
  if (kind) return kind;
  for (size_t k = 0; k < log->stretches; k++) motion_draw_lines(log, k, m.a + log->first[k]);
  double *direction = memory_take(&log->memory_list, sizeof *direction * (log->count + 1));
  if (!direction) return fault_memory(fault);
  for (size_t i = 0; i < log->count; i++) direction[i] = (m.v[i] > 0) - (m.v[i] < 0);
  if (!kind) kind = motion_like_force(log, choice->cutoff, direction, fault);
  const double *const before[] = { log->x, log->v, log->a, log->f, log->slide, log->direction };
  for (size_t k = 0; k < sizeof before / sizeof *before; k++) memory_give(&log->memory_list, before[k]);
  log->direction = direction;
  log->x = m.x, log->v = m.v, log->a = m.a, log->f = force, log->slide = slide;
  log->cutoff = choice->cutoff;
  log->filtered = choice->cutoff > 0;
  log->drop = 0; /* the phases know the ends */
  if (!kind) kind = log_extra_fill(log, fault);
  for (size_t k = 0; k < log->stretches; k++) {
    const size_t begin = log->first[k], end = log->first[k + 1];
    for (size_t i = begin + 1; i < end; i++)
      slide[i] = choice->source == MOTION_FROM_POSITION ? (m.x[i] - m.x[i - 1]) / (log->t[i] - log->t[i - 1])
                                                        : 0.5 * (m.v[i] + m.v[i - 1]);
    slide[begin] = slide[begin + 1];
    size_t cut = log->filtered ? (size_t)ceil(SETTLING * log->summary.rate / log->cutoff) : 0;
    if (cut > (end - begin) / 8) cut = (end - begin) / 8;
    for (size_t i = 0; i < cut; i++)
      log->phase[begin + i] = log->phase[end - 1 - i] = (unsigned char)BRISTLE_PHASE_NONE;
  }
  return kind;
}

static void describe(const bristle_campaign *report, bristle_log *log)
{
  const char *from = report->from_velocity ? "velocity" : "position";
  for (int c = BRISTLE_CHANNEL_POSITION; c <= BRISTLE_CHANNEL_ACCELERATION; c++) {
    char *text = log->column[c];
    if (c == BRISTLE_CHANNEL_POSITION && log->raw[c]) continue;
    if (report->cutoff > 0)
      snprintf(text, sizeof log->column[c], "from %s, filtered at %.3g Hz%s", from, report->cutoff,
               report->chosen ? " (chosen from the data)" : "");
    else snprintf(text, sizeof log->column[c], "from %s by differences, no filter", from);
  }
}

static void note_conditioning(const bristle_campaign *report, bristle_log *const *logs, size_t count)
{
  for (size_t l = 0; l < count; l++)
    logs[l]->conditioning = (bristle_conditioning){ .known = 1,
                                                    .cutoff = report->cutoff,
                                                    .from_velocity = report->from_velocity,
                                                    .presliding = report->presliding,
                                                    .dequantised = report->dequantised,
                                                    .decimate = report->decimate };
}

/* Four samples for each period of the cut-off say what there is; more of them where these would be too few to fit
   anything to. */
static size_t every_of(const campaign *c, double cutoff)
{
  enum { FEWEST = 60 };
  size_t moving = 0;
  for (size_t l = 0; l < c->fitted; l++)
    for (size_t i = 0; i < c->logs[l]->count; i++) moving += c->logs[l]->phase[i] == BRISTLE_PHASE_MOVING;
  const double every = fmin(floor(c->rate / (4 * cutoff) + 0.5), floor((double)moving / FEWEST));
  return every > 1 ? (size_t)every : 1;
}

/* ---- the whole ---- */

static bristle_fault_kind begin(campaign *c, bristle_fault *fault)
{
  c->rate = HUGE_VAL;
  for (size_t l = 0; l < c->count; l++) {
    bristle_log *log = c->logs[l];
    c->rate = fmin(c->rate, log->summary.rate);
    log->phase = memory_take(&log->memory_list, log->count + 1);
    if (!log->phase) return fault_memory(fault);
  }
  return phases_find(c, fault);
}

/* the filter, judged by a bristle, and the terms beside it */
static bristle_fault_kind settle_bristly(campaign *c, size_t moving, bristle_campaign *report, cutoff_choice *choice,
                                         bristle_fault *fault)
{
  if (choice->source == MOTION_FROM_POSITION && campaign_counts_levels(c)) {
    if (campaign_dequantise(c)) return fault_memory(fault);
    report->dequantised = 1;
  }
  bristle_fault_kind kind = cutoff_by_bristle(c, choice->source, report, choice, fault);
  const sums_set before = c->set;
  if (!kind) kind = campaign_choose_terms_bent(c, choice, report, fault);
  if (!kind && c->set != before) kind = cutoff_by_bristle(c, choice->source, report, choice, fault);
  count_everything(c, moving);
  return kind;
}

/* Without a mass the balance has no use for what reversals show, and would filter it away: what a bristle predicts
   decides too. One as stiff as can be is none, and velocities are better behind the narrower filter then. */
static bristle_fault_kind keep_reversals(campaign *c, const bristle_campaign *report, cutoff_choice *choice,
                                         bristle_fault *fault)
{
  bristle_campaign unused = *report;
  cutoff_choice other = *choice;
  const bristle_fault_kind kind = cutoff_by_bristle(c, choice->source, &unused, &other, fault);
  if (!kind && !other.blocked && !other.stiffest && other.cutoff > choice->cutoff) *choice = other;
  return kind;
}

/* A cut-off of the caller's. */
static bristle_fault_kind take_cutoff(campaign *c, const bristle_log_options *reading, size_t moving,
                                      bristle_campaign *report, cutoff_choice *choice, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  int bristly = moving < FEWEST_MOVING;
  choice->cutoff = fmax(reading->cutoff, 0);
  if (!bristly) kind = campaign_choose_terms(c, choice, report, fault);
  if (!kind && !bristly) kind = campaign_choose_own_load(c, choice, report, fault);
  if (!kind && !bristly) kind = look_for_bristles(c, choice, &bristly, fault);
  report->presliding = bristly;
  if (bristly) count_everything(c, moving);
  return kind;
}

/* What was decided for records like these is not decided again. */
static bristle_fault_kind follow(campaign *c, const bristle_conditioning *like, size_t moving, bristle_campaign *report,
                                 cutoff_choice *choice, bristle_fault *fault)
{
  const motion_source source = like->from_velocity ? MOTION_FROM_VELOCITY : MOTION_FROM_POSITION;
  int there = 1;
  for (size_t l = 0; l < c->count; l++) there &= motion_has(c->logs[l], source);
  if (there) choice->source = source;
  choice->cutoff = like->cutoff;
  report->presliding = like->presliding || moving < FEWEST_MOVING;
  report->dequantised = like->dequantised && choice->source == MOTION_FROM_POSITION;
  if (report->dequantised && campaign_dequantise(c)) return fault_memory(fault);
  if (report->presliding) count_everything(c, moving);
  return report->presliding ? BRISTLE_FAULT_NONE : campaign_choose_own_load(c, choice, report, fault);
}

static bristle_fault_kind decide(campaign *c, const bristle_log_options *reading, bristle_campaign *report,
                                 cutoff_choice *choice, bristle_fault *fault)
{
  size_t moving;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  *choice = (cutoff_choice){ .source = motion_has(c->logs[0], MOTION_FROM_POSITION) ? MOTION_FROM_POSITION
                                                                                    : MOTION_FROM_VELOCITY };
  count_phases(c, report, &moving);
  if (reading->like) return follow(c, reading->like, moving, report, choice, fault);
  if (reading->cutoff != 0) return take_cutoff(c, reading, moving, report, choice, fault);
  int bristly = moving < FEWEST_MOVING;
  report->chosen = 1;
  for (int round = 0; round < 2 && !kind && !bristly; round++) {
    const sums_set before = c->set;
    kind = choose_filter(c, report, choice, fault);
    if (!kind && round == 0) kind = campaign_choose_terms(c, choice, report, fault);
    if (!kind && round == 0) kind = campaign_choose_own_load(c, choice, report, fault);
    if (c->set == before) break;
  }
  if (!kind && !bristly) kind = look_for_bristles(c, choice, &bristly, fault);
  report->presliding = bristly;
  if (!kind && bristly) kind = settle_bristly(c, moving, report, choice, fault);
  else if (!kind && !(c->set & COLUMN_BIT(COLUMN_MASS))) kind = keep_reversals(c, report, choice, fault);
  if (!kind && needs_no_filter(c, choice->source)) choice->cutoff = 0;
  return kind;
}

/* Many records that go one way each may go both ways together: single ones have no say. */
static void forget_directions(bristle_log *log)
{
  if (!log->one_way_note) return;
  for (size_t i = log->one_way_note; i < log->note_count; i++)
    memcpy(log->note[i - 1], log->note[i], sizeof *log->note);
  log->note_count--;
  log->doubtful--;
  if (log->doubt_note == log->one_way_note) log->doubt_note = 0;
  else if (log->doubt_note > log->one_way_note) log->doubt_note--;
  log->one_way_note = 0;
}

static void judge_directions(campaign *c, bristle_campaign *report)
{
  const int both = report->forward >= ONE_WAY && report->forward <= 1 - ONE_WAY;
  size_t told = 0;
  for (size_t l = 0; l < c->count; l++)
    if (both) forget_directions(c->logs[l]);
    else told += c->logs[l]->one_way_note != 0;
  if (both) return;
  c->set &= ~COLUMN_BIT(COLUMN_OFFSET);
  if (!told)
    campaign_note(report, 1,
                  "the motion goes in one direction only: friction cannot be separated from a constant force; record "
                  "both directions");
}

/* In a motion of one frequency the acceleration follows the position, and a spring looks like a mass. */
static void look_for_one_frequency(const campaign *c, const bristle_identify_options *o, bristle_campaign *report)
{
  static const double NEARLY = 0.98; /* of the acceleration, squared */
  double xx = 0, xa = 0, aa = 0;
  if (o->term[BRISTLE_TERM_MASS] != BRISTLE_TERM_FREE || o->term[BRISTLE_TERM_GRAVITY] == BRISTLE_TERM_FREE) return;
  for (size_t l = 0; l < c->fitted; l++) {
    const bristle_log *log = c->logs[l];
    double n = 0, x = 0, a = 0, squares[3] = { 0 };
    for (size_t i = 0; i < log->count; i++) {
      if (log->phase[i] != BRISTLE_PHASE_MOVING) continue;
      n++, x += log->x[i], a += log->a[i];
      squares[0] += log->x[i] * log->x[i], squares[1] += log->x[i] * log->a[i], squares[2] += log->a[i] * log->a[i];
    }
    if (n > 0) xx += squares[0] - x * x / n, xa += squares[1] - x * a / n, aa += squares[2] - a * a / n;
  }
  if (!(xa < 0 && xa * xa > NEARLY * xx * aa)) return;
  const double square = -xa / xx; /* of the angular frequency */
  campaign_note(report, 0,
                "the motion has one frequency, %.3g Hz: a spring of 1 %s would look like a mass of %.2g %s less; where "
                "a spring may be, record a second frequency",
                sqrt(square) / (2 * PI), bristle_stiffness_unit(c->logs[0]->rotary), 1 / square,
                bristle_mass_unit(c->logs[0]->rotary));
}

bristle_fault_kind bristle_campaign_prepare(bristle_log *const *logs, size_t fitted, size_t count,
                                            const bristle_log_options *reading, bristle_identify_options *options,
                                            bristle_campaign *report, bristle_fault *fault)
{
  campaign c = { .logs = logs, .fitted = fitted, .count = count, .options = options };
  cutoff_choice choice;
  memset(report, 0, sizeof *report);
  for (int i = 0; i < BRISTLE_CUTOFFS; i++)
    report->error[0][i] = report->error[1][i] = report->loss[0][i] = report->loss[1][i] = (double)NAN;
  bristle_fault_kind kind = begin(&c, fault);
  if (logs[0]->force_delay != 0)
    campaign_note(report, 0, "the force is taken %.3g ms (%.2g samples) %s than it stands in the records",
                  1e3 * fabs(logs[0]->force_delay), fabs(logs[0]->force_delay) * c.rate,
                  logs[0]->force_delay > 0 ? "earlier" : "later");
  c.set = campaign_first_terms(&c, options);
  if (!kind && options->choose_load) kind = campaign_choose_load_form(&c, report, fault);
  if (!kind) kind = campaign_choose_loads(&c, report, fault);
  if (!kind) kind = campaign_choose_unasked(&c, report, fault);
  if (!kind) kind = decide(&c, reading, report, &choice, fault);
  if (!kind) judge_directions(&c, report);
  report->cutoff = choice.cutoff;
  report->from_velocity = choice.source == MOTION_FROM_VELOCITY;
  for (size_t l = 0; l < count && !kind; l++) {
    kind = campaign_apply(&choice, logs[l], fault);
    describe(report, logs[l]);
  }
  if (kind) return kind;
  if (!options->decimate && choice.cutoff > 0) options->decimate = every_of(&c, choice.cutoff);
  report->decimate = options->decimate;
  note_conditioning(report, logs, count);
  options->nothing_slides = report->presliding && report->moving * (double)samples_of(&c) < FEWEST_MOVING;
  const int mass_is_wanted = options->term[BRISTLE_TERM_MASS] == BRISTLE_TERM_FREE;
  campaign_settle_terms(&c, options);
  look_for_one_frequency(&c, options, report);
  report->mass_left_out = mass_is_wanted && !report->presliding
                          && options->term[BRISTLE_TERM_MASS] == BRISTLE_TERM_NONE;
  return kind;
}
