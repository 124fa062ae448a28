/* Tables of which only blocks of rows are kept, because a log is longer than what its use needs; not installed. */
#ifndef BRISTLE_IO_BLOCKS_H
#define BRISTLE_IO_BLOCKS_H

#include "bristle/io.h"

/* Of a table with more rows than `longest`, `count` blocks of `rows` each are kept. */
typedef struct table_limit {
  size_t longest, rows, count;
} table_limit;

/* bristle_table_parse with a limit, or NULL */
bristle_fault_kind table_parse(const char *name, const char *text, size_t size, const table_limit *limit,
                               bristle_table **table, bristle_fault *fault);
/* which row of the file a row of the table is */
static inline size_t table_row(const bristle_table *table, size_t row)
{
  return table->blocks ? table->block[row / table->block_rows] + row % table->block_rows : row;
}

typedef struct blocks {
  const table_limit *limit;
  size_t rows, count, columns; /* count: of whole blocks; those that a file may have, until blocks_choose */
  double *range;               /* count x columns: half of the largest less the smallest number; NaN: there is none */
  const char **start;          /* of text: where each begins */
  size_t *line;
  unsigned char *kept;
} blocks;

int blocks_begin(blocks *b, const table_limit *limit, size_t most, size_t columns); /* 0: no memory */
/* the numbers of a block, which begin in this row of the table */
void blocks_look(blocks *b, size_t block, const bristle_table *table, size_t row);
int blocks_choose(blocks *b);
int blocks_note(const blocks *b, bristle_table *table);
void blocks_end(blocks *b);
/* the same for a table in memory, which loses its other rows; 0: no memory */
int blocks_keep(bristle_table *table, const table_limit *limit);

#endif
