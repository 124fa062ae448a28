/* The linear balance of forces behind a low-pass: mass a + offset + gravity + Coulomb sign v + viscous v. The motion is
   filtered before it is differentiated; what follows from it without being linear in it, and the force, go through the
   same filter, so that both sides stay equal in what the filter leaves. */
#include "fit/campaign/campaign.h"
#include "core/clones.h"
#include "lab/identify.h"
#include "io/memory.h"
#include "fit/signals/signal.h"
#include "maths/elementary.h"
#include "maths/exponentials.h"

#include <stdlib.h>

enum { MOST = 40000, SIDE = EXPONENTIALS }; /* rows are enough for a dozen unknowns; bristles side by side */

static double sign_of(double v) { return v > 0 ? 1 : v < 0 ? -1 : 0; }

static double load_of(const campaign *c, const bristle_log *log, size_t i)
{
  return c->options->use_load && log->n ? log->n[i] : 1;
}

/* how many samples of the fitted logs count, by a rule */
static size_t rows_of(const campaign *c, int moving_only)
{
  size_t rows = 0;
  for (size_t l = 0; l < c->fitted; l++)
    for (size_t i = 0; i < c->logs[l]->count; i++)
      rows += moving_only ? c->logs[l]->phase[i] == BRISTLE_PHASE_MOVING : c->logs[l]->phase[i] != BRISTLE_PHASE_NONE;
  return rows;
}

/* A log on its way into the sums: its motion, what friction does (or several do), and the force behind the filter. */
typedef struct page {
  const bristle_log *log;
  motion m;
  double *friction[SIDE], *force;
  int frictions;
  int further; /* sums of what is beside friction are there already */
  double *extra[BRISTLE_EXTRAS];
} page;

static void fill_row(const campaign *c, const page *p, size_t i, double *row)
{
  const int whole = c->options->load != BRISTLE_LOAD_LEVEL; /* what rises with the speed follows the load, too */
  const double n = whole ? load_of(c, p->log, i) : 1, v = p->m.v[i];
  row[COLUMN_MASS] = p->m.a[i];
  row[COLUMN_OFFSET] = 1;
  row[COLUMN_SINE] = p->log->rotary ? sin(p->m.x[i]) : 0;
  row[COLUMN_COSINE] = p->log->rotary ? cos(p->m.x[i]) : 0;
  row[COLUMN_SKEW] = n * fabs(v);
  row[COLUMN_COULOMB] = p->friction[0][i];
  row[COLUMN_VISCOUS] = n * v;
  row[COLUMN_CONCAVE] = n * v * fabs(v);
  for (size_t k = 0; k < p->log->extras; k++) row[COLUMN_EXTRA + k] = p->extra[k][i];
}

/* What the frictions of a page have to do with, in one block: their sums side by side. */
typedef struct side_sums {
  double matrix[COLUMNS][SIDE], right[SIDE], rough[SIDE];
} side_sums;

/* `row` has the other columns; the place of friction among the sums gets its squares */
BRISTLE_CLONES static void add_sides(side_sums *s, int columns, const double *row, const double friction[SIDE],
                                     double force, double rough)
{
  for (int i = 0; i < columns; i++)
    for (int j = 0; j < SIDE; j++) s->matrix[i][j] += (i == COLUMN_COULOMB ? friction[j] : row[i]) * friction[j];
  for (int j = 0; j < SIDE; j++) s->right[j] += friction[j] * force, s->rough[j] += friction[j] * rough;
}

/* from the sums of a block, or back to them */
static void move_sides(side_sums *s, int frictions, sums_blocks *out, size_t block, int back)
{
  for (int j = 0; j < frictions; j++) {
    sums *const own = &out[j].block[block];
    for (int i = 0; i < COLUMNS + 2; i++) {
      double *const here = i < COLUMN_COULOMB ? &own->matrix[COLUMN_COULOMB][i]
                           : i < COLUMNS      ? &own->matrix[i][COLUMN_COULOMB]
                           : i == COLUMNS     ? &own->right[COLUMN_COULOMB]
                                              : &own->rough[COLUMN_COULOMB];
      double *const there = i < COLUMNS ? &s->matrix[i][j] : i == COLUMNS ? &s->right[j] : &s->rough[j];
      if (back) *here = *there;
      else *there = *here;
    }
  }
}

static void add_page(const campaign *c, const page *p, int moving_only, size_t rows, size_t *at, sums_blocks *out)
{
  const size_t stride = rows / MOST + 1;
  const int columns = COLUMN_EXTRA + (int)p->log->extras, several = p->frictions > 1 || p->further;
  double row[COLUMNS], friction[SIDE] = { 0 };
  side_sums side = { 0 };
  size_t block = SUMS_BLOCKS;
  for (size_t i = 0; i < p->log->count; i++) {
    const int phase = p->log->phase[i];
    if (moving_only ? phase != BRISTLE_PHASE_MOVING : phase == BRISTLE_PHASE_NONE) continue;
    const size_t here = (*at)++;
    if (here % stride) continue;
    fill_row(c, p, i, row);
    const size_t now = here * SUMS_BLOCKS / rows;
    const double rough = p->log->raw[BRISTLE_CHANNEL_FORCE][i];
    if (several && now != block) {
      if (block < SUMS_BLOCKS) move_sides(&side, p->frictions, out, block, 1);
      move_sides(&side, p->frictions, out, now, 0);
    }
    block = now;
    if (!p->further) sums_add_row(&out[0].block[block], columns, row, p->force[i], rough);
    for (int j = 0; j < p->frictions && several; j++) friction[j] = p->friction[j][i];
    if (several) add_sides(&side, columns, row, friction, p->force[i], rough);
  }
  if (several && block < SUMS_BLOCKS) move_sides(&side, p->frictions, out, block, 1);
}

static bristle_fault_kind open_page(const bristle_log *log, motion_source source, double cutoff, int frictions, page *p,
                                    memory **list, bristle_fault *fault)
{
  p->log = log;
  p->frictions = frictions;
  p->further = 0;
  p->m = motion_room(log->count, list);
  for (int j = 0; j < frictions; j++)
    if (!(p->friction[j] = memory_take(list, sizeof(double) * (log->count + 1)))) return fault_memory(fault);
  p->force = memory_take(list, sizeof(double) * (log->count + 1));
  for (size_t k = 0; k < log->extras; k++)
    if (!(p->extra[k] = memory_take(list, sizeof(double) * (log->count + 1)))) return fault_memory(fault);
  if (!p->m.x || !p->force) return fault_memory(fault);
  memcpy(p->force, log->raw[BRISTLE_CHANNEL_FORCE], sizeof *p->force * log->count);
  const bristle_fault_kind kind = motion_make(log, source, cutoff, &p->m, p->force, fault);
  for (size_t k = 0; k < log->stretches && !kind; k++) motion_draw_lines(log, k, p->m.a + log->first[k]);
  const log_motion of = { p->m.x, p->m.v, p->m.a, cutoff, cutoff > 0 };
  return kind ? kind : log_extra_make(log, &of, p->extra, fault);
}

bristle_fault_kind balance_sum(const campaign *c, motion_source source, double cutoff, sums_blocks *out,
                               bristle_fault *fault)
{
  const size_t rows = rows_of(c, 1);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  memset(out, 0, sizeof *out);
  for (size_t l = 0, at = 0; l < c->fitted && !kind; l++) {
    memory *list = NULL;
    page p;
    kind = open_page(c->logs[l], source, cutoff, 1, &p, &list, fault);
    for (size_t i = 0; i < p.log->count && !kind; i++) p.friction[0][i] = load_of(c, p.log, i) * sign_of(p.m.v[i]);
    if (!kind) kind = motion_like_force(p.log, cutoff, p.friction[0], fault);
    if (!kind) add_page(c, &p, 1, rows, &at, out);
    memory_free(list);
  }
  return kind;
}

/* Dahl's bristle in units of its yield, exact along straight pieces of the way; it starts unbent. SIDE of
   them; those beyond the columns of the page go nowhere. */
static void bend(const campaign *c, const page *p, const double k[SIDE])
{
  static const double FAR = 700; /* beyond it nothing is left of where the bristle was */
  const bristle_log *log = p->log;
  for (size_t s = 0; s < log->stretches; s++) {
    double w[SIDE] = { 0 };
    for (int j = 0; j < p->frictions; j++) p->friction[j][log->first[s]] = 0;
    for (size_t i = log->first[s] + 1; i < log->first[s + 1]; i++) {
      const double way = p->m.x[i] - p->m.x[i - 1], toward = sign_of(way), load = load_of(c, log, i);
      double left[SIDE];
      for (int j = 0; j < SIDE; j++) left[j] = -k[j] * fabs(way) < -FAR ? -FAR : -k[j] * fabs(way);
      same_exponentials(left);
      for (int j = 0; j < SIDE; j++) w[j] = toward + (w[j] - toward) * left[j];
      for (int j = 0; j < p->frictions; j++) p->friction[j][i] = load * w[j];
    }
  }
}

/* all columns of friction, side by side */
static bristle_fault_kind filter_frictions(const page *p, double cutoff, bristle_fault *fault)
{
  const bristle_log *log = p->log;
  bristle_lowpass filter;
  for (size_t s = 0; s < log->stretches; s++)
    for (int j = 0; j < p->frictions; j++) motion_draw_lines(log, s, p->friction[j] + log->first[s]);
  if (!(cutoff > 0)) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_lowpass_design(LOG_FILTER_ORDER, cutoff, log->summary.rate, &filter, fault);
  for (size_t s = 0; s < log->stretches && !kind; s++) {
    double *column[SIDE];
    for (int j = 0; j < p->frictions; j++) column[j] = p->friction[j] + log->first[s];
    kind = signal_lowpass_columns(&filter, column, p->frictions, log->first[s + 1] - log->first[s], fault);
  }
  return kind;
}

/* up to SIDE stiffnesses */
static bristle_fault_kind sum_some(const campaign *c, const page *p, double cutoff, int moving_only, size_t rows,
                                   size_t *at, const double *k, sums_blocks *out, bristle_fault *fault)
{
  double all[SIDE];
  for (int j = 0; j < SIDE; j++) all[j] = k[j < p->frictions ? j : 0];
  bend(c, p, all);
  const bristle_fault_kind kind = filter_frictions(p, cutoff, fault);
  if (!kind) add_page(c, p, moving_only, rows, at, out);
  return kind;
}

bristle_fault_kind balance_sum_bristle(const campaign *c, motion_source source, double cutoff, int moving_only,
                                       int count, const double *k, sums_blocks *out, bristle_fault *fault)
{
  const size_t rows = rows_of(c, moving_only);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  memset(out, 0, sizeof *out * (size_t)count);
  size_t at = 0;
  for (size_t l = 0; l < c->fitted && !kind; l++) {
    memory *list = NULL;
    page p;
    const size_t begin = at;
    kind = open_page(c->logs[l], source, cutoff, count < SIDE ? count : SIDE, &p, &list, fault);
    for (int j = 0; j < count && !kind; j += SIDE) {
      p.frictions = count - j < SIDE ? count - j : SIDE;
      p.further = j > 0;
      at = begin;
      kind = sum_some(c, &p, cutoff, moving_only, rows, &at, k + j, out + j, fault);
    }
    memory_free(list);
  }
  for (int j = 1; j < count && !kind; j++)
    for (int b = 0; b < SUMS_BLOCKS; b++) sums_take_others(&out[j].block[b], &out[0].block[b], COLUMN_COULOMB);
  return kind;
}

int balance_column(int term)
{
  static const int column[BRISTLE_TERM_EXTRA] = { [BRISTLE_TERM_MASS] = COLUMN_MASS,
                                                  [BRISTLE_TERM_OFFSET] = COLUMN_OFFSET,
                                                  [BRISTLE_TERM_GRAVITY] = COLUMN_SINE,
                                                  [BRISTLE_TERM_SKEW] = COLUMN_SKEW,
                                                  [BRISTLE_TERM_GRAVITY_COSINE] = COLUMN_COSINE };
  return term < BRISTLE_TERM_EXTRA ? column[term] : COLUMN_EXTRA + term - BRISTLE_TERM_EXTRA;
}

void balance_take_given(const campaign *c, sums_blocks *blocks)
{
  for (int t = 0; t < BRISTLE_TERM_FRICTION_AT; t++)
    if (c->options->term[t] == BRISTLE_TERM_GIVEN)
      for (int b = 0; b < SUMS_BLOCKS; b++)
        sums_take_off(&blocks->block[b], balance_column(t), c->options->term_value[t]);
}
