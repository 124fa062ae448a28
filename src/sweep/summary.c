/* What all runs say together, in two passes over the chunks: sizes first, then how they are spread and what decides
   them. Memory does not grow with the number of runs. */
#include "sweep/sweep.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { GROUPS = 64, PARTS = 24 };

/* how the values of a key are told apart: those of a grid one by one, others by parts of their range */
typedef struct key_parts {
  const bristle_sweep_column *column;
  size_t count;
  int by_value, is_log;
  double least, largest;
} key_parts;

typedef struct summing {
  const bristle_sweep *s;
  bristle_sweep_summary *sum;
  size_t place[SWEEP_COLUMNS]; /* of each column in a row */
  size_t keys;
  key_parts map[2], part[SWEEP_KEYS];
  double *count, *total;         /* columns x keys x GROUPS */
  double *cell;                  /* how many, columns x map */
  double *alone, *any, *squares; /* columns x keys, the same, columns: Sobol's indices */
} summing;

/* ---- parts of a key ---- */

static key_parts parts_of(const bristle_sweep_column *c, const bristle_sweep_numbers *n, size_t most)
{
  key_parts p = { c, PARTS, 0, c->is_log && n->least > 0, n->least, n->largest };
  if (c->values && c->values <= most) p.by_value = 1, p.count = c->values;
  else if (n->least == n->largest) p.count = 1;
  return p;
}

static double share_of(const key_parts *p, double x)
{
  if (p->is_log) return log(x / p->least) / log(p->largest / p->least);
  return (x - p->least) / (p->largest - p->least);
}

static size_t part_at(const key_parts *p, double x)
{
  size_t k = 0;
  if (p->count == 1) return 0;
  if (p->by_value) {
    while (k + 1 < p->count && p->column->grid[k] != x) k++;
    return k;
  }
  const double at = share_of(p, x) * (double)p->count;
  if (!(at < (double)p->count)) return p->count - 1;
  return at > 0 ? (size_t)at : 0;
}

static double middle_of(const key_parts *p, size_t k)
{
  const double share = ((double)k + 0.5) / (double)p->count;
  if (p->by_value) return p->column->grid[k];
  if (p->is_log) return p->least * exp(share * log(p->largest / p->least));
  return p->least + share * (p->largest - p->least);
}

/* ---- the first pass ---- */

static void add_number(bristle_sweep_numbers *n, double x)
{
  if (!isfinite(x)) return;
  const double before = x - n->mean;
  if (!n->count++) n->least = n->largest = x;
  n->mean += before / (double)n->count;
  n->deviation += before * (x - n->mean); /* the sum of squares until the end of the pass */
  n->least = fmin(n->least, x);
  n->largest = fmax(n->largest, x);
}

static void first_pass(summing *m, unsigned long long run, const double *row)
{
  const bristle_sweep *s = m->s;
  bristle_sweep_summary *sum = m->sum;
  for (size_t i = 0; i < s->columns; i++) {
    const double x = row[m->place[i]];
    if (s->column[i].kind != BRISTLE_SWEEP_SERIES) add_number(&sum->numbers[i], x);
    if (s->column[i].kind == BRISTLE_SWEEP_REDRAWS) sum->redraws += (unsigned long long)x;
    if (s->column[i].kind != BRISTLE_SWEEP_STATUS) continue;
    const int status = x == 1 ? 1 : x == 2 ? 2 : 0;
    if (!sum->status[status]++) sum->first[status] = run;
  }
}

/* ---- the second pass ---- */

static int is_quantity(const summing *m, size_t i) { return m->s->column[i].kind == BRISTLE_SWEEP_QUANTITY; }

static void second_pass(summing *m, unsigned long long run, const double *row)
{
  (void)run;
  const bristle_sweep *s = m->s;
  bristle_sweep_summary *sum = m->sum;
  size_t group[SWEEP_KEYS], cell = 0;
  for (size_t j = 0; j < m->keys; j++) group[j] = part_at(&m->part[j], row[j]);
  if (sum->map) cell = part_at(&m->map[1], row[1]) * sum->cells[0] + part_at(&m->map[0], row[0]);
  for (size_t i = 0; i < s->columns; i++) {
    bristle_sweep_numbers *n = &sum->numbers[i];
    const double x = row[m->place[i]];
    if (s->column[i].kind == BRISTLE_SWEEP_SERIES || !isfinite(x)) continue;
    const double at = n->largest > n->least ? (x - n->least) / (n->largest - n->least) * BRISTLE_SWEEP_BINS : 0;
    n->bin[at < BRISTLE_SWEEP_BINS ? (int)at : BRISTLE_SWEEP_BINS - 1]++;
    if (!is_quantity(m, i)) continue;
    for (size_t j = 0; j < m->keys; j++) {
      const size_t k = (i * m->keys + j) * GROUPS + group[j];
      m->count[k]++, m->total[k] += x - n->mean;
    }
    if (!sum->map) continue;
    const size_t k = i * sum->cells[0] * sum->cells[1] + cell;
    m->cell[k]++, sum->map[k] += (x - sum->map[k]) / m->cell[k];
  }
}

/* Saltelli's and Jansen's estimates, from A, B and A with one key of B */
static void add_group(summing *m, const double *rows)
{
  const bristle_sweep *s = m->s;
  for (size_t i = 0; i < s->columns; i++) {
    if (!is_quantity(m, i)) continue;
    const double mean = m->sum->numbers[i].mean, *y = rows + m->place[i];
    int whole = 1;
    for (size_t k = 0; k < m->keys + 2; k++) whole &= isfinite(y[k * s->width]) != 0;
    if (!whole) continue;
    const double a = y[0] - mean, b = y[s->width] - mean;
    m->squares[i] += 0.5 * (a * a + b * b);
    for (size_t j = 0; j < m->keys; j++) {
      const double mixed = y[(j + 2) * s->width] - mean;
      m->alone[i * m->keys + j] += b * (mixed - a);
      m->any[i * m->keys + j] += 0.5 * (a - mixed) * (a - mixed);
    }
  }
}

/* ---- passes ---- */

static bristle_fault_kind pass(summing *m, const char *folder, int second, bristle_fault *fault)
{
  const bristle_sweep *s = m->s;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (unsigned long long k = 0; k < s->chunks && !kind; k++) {
    char *bytes, digest[65];
    const double *rows;
    const unsigned long long count = sweep_chunk_runs(s, k), group = m->keys + 2;
    kind = sweep_chunk_read(s, folder, k, &bytes, &rows, second ? NULL : digest, fault);
    for (unsigned long long i = 0; i < count && !kind; i++)
      (second ? second_pass : first_pass)(m, k * s->chunk + i, rows + i * s->width);
    for (unsigned long long i = 0; second && s->indices && i + group <= count && !kind; i += group)
      add_group(m, rows + i * s->width);
    free(bytes);
  }
  return kind;
}

/* the part of the variance between groups, less what chance alone puts there */
static double share_between(const summing *m, size_t i, size_t j)
{
  const bristle_sweep_numbers *n = &m->sum->numbers[i];
  const double all = n->deviation * n->deviation * ((double)n->count - 1), number = (double)n->count;
  double between = 0, groups = 0;
  for (size_t k = 0; k < GROUPS; k++) {
    const size_t at = (i * m->keys + j) * GROUPS + k;
    if (m->count[at] > 0) groups++, between += m->total[at] * m->total[at] / m->count[at];
  }
  if (!(all > 0) || number <= groups || groups < 2) return NAN;
  return fmax(0, (between - (groups - 1) * (all - between) / (number - groups)) / all);
}

static void settle(summing *m)
{
  const size_t columns = m->s->columns;
  bristle_sweep_summary *sum = m->sum;
  for (size_t i = 0; i < columns; i++)
    for (size_t j = 0; j < columns; j++) {
      const size_t at = i * columns + j, of = i * m->keys + j;
      sum->share[at] = NAN;
      if (sum->total) sum->total[at] = NAN;
      if (!is_quantity(m, i) || j >= m->keys) continue;
      sum->share[at] = share_between(m, i, j);
      if (!sum->total || !(m->squares[i] > 0)) continue;
      sum->share[at] = m->alone[of] / m->squares[i];
      sum->total[at] = m->any[of] / m->squares[i];
    }
  const size_t cells = columns * sum->cells[0] * sum->cells[1];
  for (size_t k = 0; sum->map && k < cells; k++)
    if (!(m->cell[k] > 0)) sum->map[k] = NAN;
}

static void prepare(summing *m)
{
  const bristle_sweep *s = m->s;
  bristle_sweep_summary *sum = m->sum;
  for (size_t i = 0; i < s->columns; i++) {
    bristle_sweep_numbers *n = &sum->numbers[i];
    n->deviation = n->count > 1 ? sqrt(n->deviation / ((double)n->count - 1)) : 0;
  }
  for (size_t j = 0; j < m->keys; j++) m->part[j] = parts_of(&s->column[j], &sum->numbers[j], GROUPS);
  for (size_t j = 0; j < 2 && m->keys > 1; j++) {
    m->map[j] = parts_of(&s->column[j], &sum->numbers[j], BRISTLE_SWEEP_MAP);
    sum->cells[j] = m->map[j].count;
    for (size_t k = 0; k < sum->cells[j]; k++) sum->at[j][k] = middle_of(&m->map[j], k);
  }
}

static int take_memory(summing *m)
{
  const size_t columns = m->s->columns, pairs = columns * (m->keys + 1);
  bristle_sweep_summary *sum = m->sum;
  const size_t cells = columns * BRISTLE_SWEEP_MAP * BRISTLE_SWEEP_MAP;
  sum->numbers = calloc(columns, sizeof *sum->numbers);
  sum->share = calloc(columns * columns, sizeof(double));
  if (m->s->indices) sum->total = calloc(columns * columns, sizeof(double));
  if (m->keys > 1) sum->map = calloc(cells, sizeof(double));
  m->count = calloc(pairs * GROUPS, sizeof(double));
  m->total = calloc(pairs * GROUPS, sizeof(double));
  m->cell = calloc(cells, sizeof(double));
  m->alone = calloc(pairs, sizeof(double));
  m->any = calloc(pairs, sizeof(double));
  m->squares = calloc(columns, sizeof(double));
  return sum->numbers && sum->share && (sum->total || !m->s->indices) && (sum->map || m->keys < 2) && m->count
         && m->total && m->cell && m->alone && m->any && m->squares;
}

bristle_fault_kind bristle_sweep_sum(const bristle_sweep *s, const char *folder, bristle_sweep_summary **summary,
                                     bristle_fault *fault)
{
  bristle_sweep_summary *sum = calloc(1, sizeof *sum);
  summing *m = calloc(1, sizeof *m);
  *summary = NULL;
  bristle_fault_kind kind = sum && m ? BRISTLE_FAULT_NONE : fault_memory(fault);
  if (!kind) {
    m->s = s, m->sum = sum;
    while (m->keys < s->columns && s->column[m->keys].kind == BRISTLE_SWEEP_KEY) m->keys++;
    for (size_t i = 0, at = 0; i < s->columns; at += s->column[i++].count) m->place[i] = at;
    if (!take_memory(m)) kind = fault_memory(fault);
  }
  if (!kind) kind = pass(m, folder, 0, fault);
  if (!kind) prepare(m), kind = pass(m, folder, 1, fault);
  if (!kind) settle(m);
  if (m) free(m->count), free(m->total), free(m->cell), free(m->alone), free(m->any), free(m->squares);
  free(m);
  if (kind) bristle_sweep_summary_free(sum);
  else *summary = sum;
  return kind;
}

void bristle_sweep_summary_free(bristle_sweep_summary *sum)
{
  if (!sum) return;
  free(sum->numbers);
  free(sum->share);
  free(sum->total);
  free(sum->map);
  free(sum);
}
