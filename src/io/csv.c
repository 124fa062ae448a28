/* Tables from text: one pass over the file, numbers straight into columns of doubles in SI. */
#include "io/csv.h"
#include "io/blocks.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { MOST_COLUMNS = 10000 };

bristle_fault_kind csv_place(csv *r, const char *at)
{
  return fault_at(r->fault, r->file, r->line, at ? (size_t)(at - r->line_start) + 1 : 0);
}

static bristle_fault_kind no_memory(csv *r)
{
  fault_set(r->fault, BRISTLE_FAULT_MEMORY, "split the file", "not enough memory for the table");
  return fault_at(r->fault, r->file, 0, 0);
}

/* ---- rows ---- */

static void remember(csv *r, bristle_cell *first, size_t *count, const char *text, size_t length)
{
  if ((*count)++) return;
  first->line = r->line;
  first->column = (size_t)(text - r->line_start) + 1;
  excerpt(text, length, first->text);
}

static void store(csv *r, bristle_column *column, size_t row, const decimal *d, const char *text, const char *end)
{
  double value = unit_apply(&column->scale, decimal_value_quickly(d, text, end, column->scale.decimal));
  column->data[row] = value;
  if (isfinite(value)) return;
  remember(r, &column->stranger, &column->strange, text, (size_t)(end - text));
  column->data[row] = (double)NAN;
}

/* a cell that is not plainly a number; returns where the next one starts, NULL after the last */
static const char *read_odd_cell(csv *r, bristle_column *column, size_t row, const char *p)
{
  const char *stop = line_end(p, r->end);
  cell c = cell_cut(p, stop, r->separator);
  if (c.unclosed) r->open_quote = c.text - 1;
  char used = r->mark;
  cell_kind kind = cell_classify(&c, r->separator, r->mark, &used);
  double seconds;
  if (kind == CELL_NUMBER && stamp_read(c.text, c.text + c.length, &seconds)) {
    column->data[row] = seconds;
  } else if (kind == CELL_NUMBER) {
    decimal d;
    const char *text = c.text, *end = c.text + c.length;
    while (text < end && is_blank(*text)) text++;
    const char *number_end = decimal_scan(text, end, used ? used : '.', &d);
    store(r, column, row, &d, text, number_end);
  } else {
    column->data[row] = (double)NAN;
    if (kind == CELL_GAP) remember(r, &column->gap, &column->gaps, c.text, c.length);
    else remember(r, &column->stranger, &column->strange, c.text, c.length);
  }
  return c.next ? c.next : NULL;
}

static bristle_fault_kind ragged(csv *r, size_t found, const char *at)
{
  const bristle_table *t = r->table;
  const char *stop = line_end(r->line_start, r->end);
  const char *hint = found > t->columns && r->separator == ','
                         ? "decimal commas need ; or a tab between the cells, and text with commas needs quotes"
                     : found < t->columns && line_next(stop, r->end) >= r->end
                         ? "it is the last line: if the recording was cut off, delete it"
                         : "every row must have as many cells as the first line";
  fault_set(r->fault, BRISTLE_FAULT_SYNTAX, hint, "found %zu cell%s, expected %zu", found, found == 1 ? "" : "s",
            t->columns);
  return csv_place(r, at);
}

static bristle_fault_kind unclosed(csv *r)
{
  fault_set(r->fault, BRISTLE_FAULT_SYNTAX, "close the cell with a second one on the same line, before the separator",
            "found a quote that does not end with its cell");
  return csv_place(r, r->open_quote);
}

/* one row; leaves r->p at the start of the next line */
static bristle_fault_kind read_row(csv *r, size_t row)
{
  const char *p = r->p, *end = r->end;
  const char separator = r->separator, mark = r->mark;
  const size_t columns = r->table->columns;
  bristle_column *column = r->table->column;
  for (size_t i = 0; i < columns; i++) {
    decimal d;
    while (p < end && (*p == ' ' || (*p == '\t' && separator != '\t'))) p++;
    const char *q = decimal_scan_quickly(p, end, mark, &d), *after = q;
    if (q) {
      while (after < end && (*after == ' ' || (*after == '\t' && separator != '\t'))) after++;
      int over = after == end || *after == '\n' || *after == '\r' || (*after == '#' && after > q);
      int more = !over && (separator == ' ' ? after > q : *after == separator);
      if (over || more) {
        store(r, &column[i], row, &d, p, q);
        p = separator == ' ' || over ? after : after + 1;
        if (over && i + 1 < columns) return ragged(r, i + 1, after);
        if (over || i + 1 < columns) continue;
        break;
      }
    }
    const char *next = read_odd_cell(r, &column[i], row, p);
    if (r->open_quote) return unclosed(r);
    if (!next && i + 1 < columns) return ragged(r, i + 1, line_end(p, end));
    p = next ? next : line_end(p, end);
  }
  while (p < end && is_blank(*p)) p++;
  const char *stop = line_end(p, end);
  if (p < stop && *p != '#') { /* one separator at the end is a habit of some programs, more is another table */
    size_t found = cell_count(r->line_start, stop, separator);
    if (found != columns) return ragged(r, found, p);
  }
  r->p = line_next(stop, end);
  return BRISTLE_FAULT_NONE;
}

static int note_line(csv *r, size_t row, size_t *room)
{
  bristle_table *t = r->table;
  const size_t line = r->line - 1; /* that of the row which has just been read */
  if (t->skips && t->skip[2 * t->skips - 1] + (row - t->skip[2 * t->skips - 2]) == line) return 1;
  if (t->skips == *room) {
    size_t larger = *room ? 2 * *room : 8;
    size_t *moved = realloc(t->skip, larger * 2 * sizeof *moved);
    if (!moved) return 0;
    t->skip = moved;
    *room = larger;
  }
  t->skip[2 * t->skips] = row;
  t->skip[2 * t->skips++ + 1] = line;
  return 1;
}

/* behind blank lines and comments; *found is 0 at the end of the file */
static bristle_fault_kind next_row(csv *r, size_t row, int *found)
{
  for (*found = 0; r->p < r->end && !*found; r->line++) {
    const char *p = r->p;
    r->line_start = p;
    while (p < r->end && is_blank(*p)) p++;
    *found = p < r->end && *p != '\n' && *p != '\r' && *p != '#';
    const bristle_fault_kind kind = *found ? read_row(r, row) : BRISTLE_FAULT_NONE;
    if (kind) return kind;
    if (!*found) r->p = line_next(line_end(p, r->end), r->end);
  }
  return BRISTLE_FAULT_NONE;
}

static void forget_rows(bristle_table *t)
{
  t->rows = t->skips = 0;
  for (size_t i = 0; i < t->columns; i++) t->column[i].gaps = t->column[i].strange = 0;
}

/* `most` rows, if there are as many */
static bristle_fault_kind read_rows(csv *r, size_t most, size_t *room)
{
  int found = 1;
  for (size_t n = 0; n < most && found; n++) {
    bristle_fault_kind kind = next_row(r, r->table->rows, &found);
    if (kind || !found) return kind;
    if (!note_line(r, r->table->rows, room)) return no_memory(r);
    r->table->rows++;
  }
  return BRISTLE_FAULT_NONE;
}

/* Every row, block after block in the same place: what there is to choose from. */
static bristle_fault_kind survey(csv *r, blocks *b)
{
  int found = 1;
  for (b->rows = 0; found; b->rows += (size_t)found) {
    const size_t at = b->rows % r->limit->rows, block = b->rows / r->limit->rows;
    if (!at && block) blocks_look(b, block - 1, r->table, 0);
    if (!at) b->start[block] = r->p, b->line[block] = r->line;
    bristle_fault_kind kind = next_row(r, at, &found);
    if (kind) return kind;
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_blocks(csv *r, blocks *b)
{
  size_t room = 0;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  forget_rows(r->table);
  for (size_t k = 0; k < b->count && !kind; k++) {
    if (!b->kept[k]) continue;
    r->p = b->start[k], r->line = b->line[k];
    kind = read_rows(r, r->limit->rows, &room);
  }
  return kind || blocks_note(b, r->table) ? kind : no_memory(r);
}

/* ---- the head of the file ---- */

static int has_text(const csv *r, const char *p, const char *stop)
{
  for (size_t n = 0; p && (!n || !is_blank_line(p, stop)); n++) {
    cell c = cell_cut(p, stop, r->separator);
    if (cell_classify(&c, r->separator, 0, NULL) == CELL_TEXT) return 1;
    p = c.next;
  }
  return 0;
}

static bristle_fault_kind take_names(csv *r, const char *p, const char *stop)
{
  for (size_t i = 0; i < r->table->columns && p; i++) {
    cell c = cell_cut(p, stop, r->separator);
    if (c.unclosed) {
      fault_set(r->fault, BRISTLE_FAULT_SYNTAX, "close the name with a second one on the same line",
                "found a quote that does not end in the header");
      return csv_place(r, c.text - 1);
    }
    header_take(&r->table->column[i], &c);
    p = c.next;
  }
  return BRISTLE_FAULT_NONE;
}

/* number of columns, names and units; leaves r->p at the first row */
static bristle_fault_kind read_header(csv *r, const char *comment)
{
  bristle_table *t = r->table;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  const char *p = r->p, *stop = line_end(p, r->end);
  t->columns = r->rows ? cell_count(r->rows, line_end(r->rows, r->end), r->separator)
                       : cell_count(p, stop, r->separator);
  if (t->columns > MOST_COLUMNS) {
    fault_set(r->fault, BRISTLE_FAULT_SYNTAX, "one row per sample, one column per signal",
              "found %zu cells in the first line, expected at most %d", t->columns, MOST_COLUMNS);
    return csv_place(r, p);
  }
  t->column = calloc(t->columns, sizeof *t->column);
  if (!t->column) return no_memory(r);
  for (size_t i = 0; i < t->columns; i++) t->column[i].scale.numerator = t->column[i].scale.denominator = 1;
  if (p != r->rows && has_text(r, p, stop)) {
    kind = take_names(r, p, stop);
    r->p = line_next(stop, r->end);
    r->line++;
    stop = line_end(r->p, r->end);
    if (!kind && r->p < r->end && header_take_units(t, r->p, stop, r->separator)) {
      r->p = line_next(stop, r->end);
      r->line++;
    }
    for (; !kind && r->rows && r->p < r->rows; r->line++) {
      stop = line_end(r->p, r->end);
      header_take_more(t, r->p, stop, r->separator);
      r->p = line_next(stop, r->end);
    }
  } else if (comment) {
    const char *comment_end = line_end(comment, r->end);
    comment = (const char *)memchr(comment, '#', (size_t)(comment_end - comment)) + 1;
    if (cell_count(comment, comment_end, r->separator) == t->columns && has_text(r, comment, comment_end))
      kind = take_names(r, comment, comment_end);
  }
  return kind;
}

static bristle_fault_kind nothing(csv *r, const char *found, const char *hint)
{
  fault_set(r->fault, BRISTLE_FAULT_SYNTAX, hint, "found %s, expected rows of numbers", found);
  return fault_at(r->fault, r->file, 0, 0);
}

/* every row has at least one byte per column: that bounds the memory by the size of the file */
static size_t most_rows(const csv *r)
{
  size_t rows = 1, most = (size_t)(r->end - r->p) / r->table->columns + 1;
  for (const char *p = r->p; p < r->end; p++) rows += *p == '\n' || *p == '\r';
  return rows < most ? rows : most;
}

static bristle_fault_kind make_room(csv *r, size_t rows)
{
  for (size_t i = 0; i < r->table->columns; i++) {
    free(r->table->column[i].data);
    if (!(r->table->column[i].data = malloc((rows + 1) * sizeof(double)))) return no_memory(r);
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_all(csv *r, size_t most)
{
  size_t room = 0;
  bristle_fault_kind kind = make_room(r, most);
  forget_rows(r->table);
  return kind ? kind : read_rows(r, most, &room);
}

/* Rows of a log that is longer than its limit are read twice: first to choose. */
static bristle_fault_kind read_some(csv *r, size_t most)
{
  const csv rows = *r;
  blocks b;
  if (!blocks_begin(&b, r->limit, most, r->table->columns)) return no_memory(r);
  bristle_fault_kind kind = make_room(r, r->limit->rows * r->limit->count);
  forget_rows(r->table);
  if (!kind) kind = survey(r, &b);
  const int longer = b.rows > r->limit->longest;
  if (!kind && longer && !csv_hidden_comma(r)) kind = blocks_choose(&b) ? read_blocks(r, &b) : no_memory(r);
  blocks_end(&b);
  if (kind || longer) return kind;
  *r = rows; /* comments, blank lines and carriage returns had counted */
  return read_all(r, most);
}

static bristle_fault_kind read_table(csv *r)
{
  int seen_comment = 0;
  bristle_fault_kind kind = csv_check_bytes(r);
  if (kind) return kind;
  if (r->p == r->end) return nothing(r, "an empty file", "was the recording stopped too early?");
  const char *comment = csv_skip_head(r, &seen_comment);
  if (r->p == r->end)
    return nothing(r, seen_comment ? "only comments" : "only blank lines", "was the recording stopped too early?");
  csv_skip_preamble(r);
  if (!r->rows) csv_detect(r);
  if ((kind = read_header(r, comment))) return kind;
  const csv rows = *r;
  const size_t most = most_rows(r);
  bristle_fault_kind (*const read)(csv *, size_t) = r->limit && most > r->limit->longest ? read_some : read_all;
  if ((kind = read(r, most))) return kind;
  if (csv_hidden_comma(r)) {
    *r = rows;
    r->mark = ',';
    if ((kind = read(r, most))) return kind;
  }
  r->table->separator = r->separator;
  r->table->mark = r->mark;
  if (!r->table->rows) return nothing(r, "a header and no rows", "was the recording stopped too early?");
  for (size_t i = 0; i < r->table->columns; i++) {
    double *fitted = realloc(r->table->column[i].data, r->table->rows * sizeof(double));
    if (fitted) r->table->column[i].data = fitted;
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind table_parse(const char *name, const char *text, size_t size, const table_limit *limit,
                               bristle_table **table, bristle_fault *fault)
{
  bristle_fault spare;
  csv r = { .file = name, .p = text, .end = text + size, .line_start = text, .line = 1, .limit = limit };
  r.fault = fault ? fault : &spare;
  *table = NULL;
  r.table = calloc(1, sizeof *r.table);
  if (!r.table) return no_memory(&r);
  snprintf(r.table->file, sizeof r.table->file, "%s", name);
  bristle_fault_kind kind = mat_recognise(text, size) ? mat_parse(text, size, r.table, r.fault) : read_table(&r);
  if (!kind && limit && r.table->rows > limit->longest && !blocks_keep(r.table, limit)) kind = no_memory(&r);
  if (kind) bristle_table_free(r.table);
  else *table = r.table;
  return kind;
}

bristle_fault_kind bristle_table_parse(const char *name, const char *text, size_t size, bristle_table **table,
                                       bristle_fault *fault)
{
  return table_parse(name, text, size, NULL, table, fault);
}

bristle_fault_kind bristle_table_read(const char *path, bristle_table **table, bristle_fault *fault)
{
  char *text;
  size_t size;
  *table = NULL;
  bristle_fault_kind kind = read_whole(path, &text, &size, fault);
  if (kind) return kind;
  kind = bristle_table_parse(strcmp(path, "-") ? path : "standard input", text, size, table, fault);
  free(text);
  return kind;
}

void bristle_table_free(bristle_table *table)
{
  if (!table) return;
  for (size_t i = 0; table->column && i < table->columns; i++) free(table->column[i].data);
  free(table->column);
  free(table->skip);
  free(table->block);
  free(table);
}
