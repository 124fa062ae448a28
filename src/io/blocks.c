/* Long logs: blocks of rows instead of all. Laws are fitted to what moves and turns, which may be a small part of a
   log, and which columns tell it is not known yet. So each column in turn chooses an equal share of the blocks, evenly
   spread over what it changes by: time chooses blocks at even distances, a position those that move, a force those with
   reversals. */
#include "io/blocks.h"

#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

int blocks_begin(blocks *b, const table_limit *limit, size_t most, size_t columns)
{
  *b = (blocks){ .limit = limit, .count = most / limit->rows + 1, .columns = columns };
  b->range = malloc(b->count * columns * sizeof *b->range);
  b->start = malloc(b->count * sizeof *b->start);
  b->line = malloc(b->count * sizeof *b->line);
  b->kept = calloc(b->count, 1);
  if (b->range && b->start && b->line && b->kept) return 1;
  blocks_end(b);
  return 0;
}

void blocks_end(blocks *b)
{
  free(b->range);
  free(b->start);
  free(b->line);
  free(b->kept);
}

void blocks_look(blocks *b, size_t block, const bristle_table *table, size_t row)
{
  for (size_t c = 0; c < b->columns; c++) {
    const double *data = table->column[c].data + row;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (size_t i = 0; i < b->limit->rows; i++)
      low = data[i] < low ? data[i] : low, high = data[i] > high ? data[i] : high;
    b->range[block * b->columns + c] = high >= low ? high / 2 - low / 2 : (double)NAN; /* finite */
  }
}

/* how much a block tells in a column: at most 1, as if it changed by `full` */
static double tells(const blocks *b, size_t block, size_t column, double full)
{
  const double range = b->range[block * b->columns + column];
  if (!(full > 0)) return 1;
  if (!(range > 0)) return 0;
  const double part = range < full ? range / full : 1;
  return part * part;
}

static double all_tell(const blocks *b, size_t column, double full)
{
  double sum = 0;
  for (size_t k = 0; k < b->count; k++) sum += tells(b, k, column, full);
  return sum;
}

/* Whatever lies above this level is worth one choice, so that a few cells that are far off take no more than their own
   blocks. 0: the column never changes. */
static double find_full(const blocks *b, size_t column, size_t share)
{
  double high = 0;
  for (size_t k = 0; k < b->count; k++)
    if (b->range[k * b->columns + column] > high) high = b->range[k * b->columns + column];
  double low = high;
  while (low > 0 && all_tell(b, column, low) < (double)share) high = low, low /= 16;
  for (int i = 0; i < 40 && low > 0; i++) {
    const double middle = sqrt(low / high) * high;
    if (all_tell(b, column, middle) < (double)share) high = middle;
    else low = middle;
  }
  return high;
}

/* the nearest block that nobody has, or this one */
static void take_near(blocks *b, size_t block)
{
  for (size_t d = 0; d < b->count; d++) {
    const size_t after = block + d;
    if (after < b->count && !b->kept[after]) {
      b->kept[after] = 1;
      return;
    }
    if (d <= block && !b->kept[block - d]) {
      b->kept[block - d] = 1;
      return;
    }
  }
}

/* Columns that tell the same of every block begin at different places, or they would choose the same ones. */
static void choose_by(blocks *b, size_t column, size_t share)
{
  const double full = find_full(b, column, share), all = all_tell(b, column, full);
  const double begin = ((double)column + 0.5) / (double)b->columns;
  double sum = 0;
  size_t done = 0;
  for (size_t k = 0; k < b->count && done < share; k++)
    for (sum += tells(b, k, column, full); done < share && sum * (double)share > ((double)done + begin) * all; done++)
      take_near(b, k);
}

int blocks_choose(blocks *b)
{
  const size_t most = b->limit->count;
  b->count = b->rows / b->limit->rows;
  memset(b->kept, b->count <= most, b->count);
  for (size_t c = 0, given = 0; c < b->columns && b->count > most; c++) {
    const size_t until = (c + 1) * most / b->columns;
    choose_by(b, c, until - given);
    given = until;
  }
  return b->count > 0;
}

int blocks_note(const blocks *b, bristle_table *table)
{
  table->all_rows = b->rows, table->block_rows = b->limit->rows, table->blocks = 0;
  free(table->block);
  table->block = malloc((b->count + 1) * sizeof *table->block);
  for (size_t k = 0; k < b->count && table->block; k++)
    if (b->kept[k]) table->block[table->blocks++] = k * b->limit->rows;
  return table->block != NULL;
}

static void compact(bristle_table *table)
{
  table->rows = table->blocks * table->block_rows;
  for (size_t c = 0; c < table->columns; c++) {
    bristle_column *column = &table->column[c];
    for (size_t k = 0; k < table->blocks; k++)
      memmove(column->data + k * table->block_rows, column->data + table->block[k], table->block_rows * sizeof(double));
    column->gaps = 0;
    for (size_t i = 0; i < table->rows; i++) column->gaps += !isfinite(column->data[i]);
    double *fitted = realloc(column->data, (table->rows + 1) * sizeof *fitted);
    if (fitted) column->data = fitted;
  }
}

int blocks_keep(bristle_table *table, const table_limit *limit)
{
  blocks b;
  if (!blocks_begin(&b, limit, table->rows, table->columns)) return 0;
  b.rows = table->rows;
  for (size_t k = 0; k < table->rows / limit->rows; k++) blocks_look(&b, k, table, k * limit->rows);
  const int good = blocks_choose(&b) && blocks_note(&b, table);
  if (good) compact(table);
  blocks_end(&b);
  return good;
}
