/* Pieces of the table reader; not installed. */
#ifndef BRISTLE_IO_CSV_H
#define BRISTLE_IO_CSV_H

#include "io/blocks.h"
#include "io/support.h"

/* A text being read: `separator` ' ' is any run of blanks, 0 no separator at all. */
typedef struct csv {
  const char *file;
  const char *p, *end; /* p is at the start of a line */
  const char *line_start;
  size_t line;
  const char *rows;       /* where the first row starts, if lines above the table told; or NULL */
  const char *open_quote; /* where a quote starts that does not end with its cell; or NULL */
  char separator, mark;
  const table_limit *limit; /* or NULL: every row is kept */
  bristle_table *table;
  bristle_fault *fault;
} csv;

bristle_fault_kind csv_place(csv *r, const char *at); /* the fault is at this place of the line; returns its kind */

/* one cell of a line that ends at `end`; `next` is where the following one starts, NULL after the last */
typedef struct cell {
  const char *text, *next;
  size_t length;
  int quoted, unclosed;
} cell;

cell cell_cut(const char *p, const char *end, char separator);
size_t cell_count(const char *p, const char *end, char separator);

typedef enum cell_kind { CELL_NUMBER, CELL_GAP, CELL_TEXT } cell_kind;
/* `mark` 0 takes a point, and a comma where that cannot be the separator; *used (may be NULL) tells which */
cell_kind cell_classify(const cell *c, char separator, char mark, char *used);

/* "12:30:05.250", "2024-05-01T12:30:05.250": all of the text, in seconds; 0 if it is no time */
int stamp_read(const char *p, const char *end, double *seconds);

/* end of the line at p, without the line break; and the start of the next one */
const char *line_end(const char *p, const char *end);
const char *line_next(const char *line_end, const char *end);
int is_comment(const char *p, const char *end);
int is_blank_line(const char *p, const char *end);
static inline int is_blank(char c) { return c == ' ' || c == '\t'; }

/* Is it a MAT-file of MATLAB? Then its variables become the columns. */
int mat_recognise(const char *text, size_t size);
bristle_fault_kind mat_parse(const char *text, size_t size, bristle_table *table, bristle_fault *fault);

/* chooses separator and decimal mark from the first lines at r->p */
void csv_detect(csv *r);
/* do the rows that were read show that the mark is a comma? */
int csv_hidden_comma(const csv *r);

/* is it text at all? */
bristle_fault_kind csv_check_bytes(csv *r);
/* to the first line with cells; returns the comment directly before it, which may be the header, or NULL */
const char *csv_skip_head(csv *r, int *seen_comment);
/* to the line of names, where an instrument has written lines above the table */
void csv_skip_preamble(csv *r);

/* ---- header ---- */

/* takes a header cell apart: name and unit */
void header_take(bristle_column *column, const cell *c);
/* the units of a line under the header; 0 if the line is none */
int header_take_units(bristle_table *table, const char *p, const char *end, char separator);
/* a second line of names, perhaps with units among them */
void header_take_more(bristle_table *table, const char *p, const char *end, char separator);
int header_is_unit(const cell *c);

#endif
