/* The linear balance of forces behind a low-pass: mass a + offset + gravity + Coulomb sign v + viscous v. The motion is
   filtered before it is differentiated; what follows from it without being linear in it, and the force, go through the
   same filter, so that both sides stay equal in what the filter leaves. */
#include "fit/campaign/campaign.h"
#include "bristle/identify.h"
#include "io/memory.h"
#include "fit/signals/signal.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { MOST = 40000 }; /* rows are enough for a dozen unknowns */

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

/* A log on its way into the sums: its motion, what friction does, and the force behind the filter. */
typedef struct page {
  const bristle_log *log;
  motion m;
  double *friction, *force;
  double *extra[BRISTLE_EXTRAS];
} page;

static void fill_row(const campaign *c, const page *p, size_t i, double *row)
{
  const double n = load_of(c, p->log, i), v = p->m.v[i];
  row[COLUMN_MASS] = p->m.a[i];
  row[COLUMN_OFFSET] = 1;
  row[COLUMN_SINE] = p->log->rotary ? sin(p->m.x[i]) : 0;
  row[COLUMN_COSINE] = p->log->rotary ? cos(p->m.x[i]) : 0;
  row[COLUMN_SKEW] = n * fabs(v);
  row[COLUMN_COULOMB] = p->friction[i];
  row[COLUMN_VISCOUS] = n * v;
  row[COLUMN_CONCAVE] = n * v * fabs(v);
  for (size_t k = 0; k < p->log->extras; k++) row[COLUMN_EXTRA + k] = p->extra[k][i];
}

static void add_page(const campaign *c, const page *p, int moving_only, size_t rows, size_t *at, sums_blocks *out)
{
  const size_t stride = rows / MOST + 1;
  double row[COLUMNS];
  for (size_t i = 0; i < p->log->count; i++) {
    const int phase = p->log->phase[i];
    if (moving_only ? phase != BRISTLE_PHASE_MOVING : phase == BRISTLE_PHASE_NONE) continue;
    const size_t here = (*at)++;
    if (here % stride) continue;
    fill_row(c, p, i, row);
    sums_add_row(&out->block[here * SUMS_BLOCKS / rows], COLUMN_EXTRA + (int)p->log->extras, row, p->force[i],
                 p->log->raw[BRISTLE_CHANNEL_FORCE][i]);
  }
}

static bristle_fault_kind open_page(const bristle_log *log, motion_source source, double cutoff, page *p, memory **list,
                                    bristle_fault *fault)
{
  p->log = log;
  p->m = motion_room(log->count, list);
  p->friction = memory_take(list, sizeof(double) * (log->count + 1));
  p->force = memory_take(list, sizeof(double) * (log->count + 1));
  for (size_t k = 0; k < log->extras; k++)
    if (!(p->extra[k] = memory_take(list, sizeof(double) * (log->count + 1)))) return signal_no_memory(fault);
  if (!p->m.x || !p->friction || !p->force) return signal_no_memory(fault);
  memcpy(p->force, log->raw[BRISTLE_CHANNEL_FORCE], sizeof *p->force * log->count);
  bristle_fault_kind kind = motion_make(log, source, cutoff, &p->m, fault);
  if (!kind) kind = motion_filter(log, cutoff, p->force, fault);
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
    kind = open_page(c->logs[l], source, cutoff, &p, &list, fault);
    for (size_t i = 0; i < p.log->count && !kind; i++) p.friction[i] = load_of(c, p.log, i) * sign_of(p.m.v[i]);
    if (!kind) kind = motion_filter(p.log, cutoff, p.friction, fault);
    if (!kind) add_page(c, &p, 1, rows, &at, out);
    memory_free(list);
  }
  return kind;
}

/* Dahl's bristle in units of its yield, exact along straight pieces of the way; it starts unbent. */
static void bend(const campaign *c, const bristle_log *log, const double *x, double k, double *out)
{
  for (size_t s = 0; s < log->stretches; s++) {
    double w = out[log->first[s]] = 0;
    for (size_t i = log->first[s] + 1; i < log->first[s + 1]; i++) {
      const double way = x[i] - x[i - 1], toward = sign_of(way);
      w = toward + (w - toward) * exp(-k * fabs(way));
      out[i] = load_of(c, log, i) * w;
    }
  }
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
    kind = open_page(c->logs[l], source, cutoff, &p, &list, fault);
    for (int j = 0; j < count && !kind; j++) {
      bend(c, p.log, p.m.x, k[j], p.friction);
      kind = motion_filter(p.log, cutoff, p.friction, fault);
      at = begin;
      if (!kind) add_page(c, &p, moving_only, rows, &at, &out[j]);
    }
    memory_free(list);
  }
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
