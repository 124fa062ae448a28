/* What instruments write above their tables: titles, dates, settings. The table is found from its rows: lines of
   numbers with one number of cells. Names stand in the line of as many cells with the most different words. */
#include "io/csv.h"

#include <stdlib.h>

enum { SAMPLE = 200, FEWEST = 4 }; /* lines that are looked at, and the fewest that show anything */

bristle_fault_kind csv_check_bytes(csv *r)
{
  const unsigned char *b = (const unsigned char *)r->p;
  size_t size = (size_t)(r->end - r->p);
  if (size >= 2 && ((b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff))) {
    fault_set(r->fault, BRISTLE_FAULT_SYNTAX, "save it as UTF-8 or plain text",
              "found UTF-16 text, expected a table in UTF-8");
    return csv_place(r, r->p);
  }
  if (size >= 3 && b[0] == 0xef && b[1] == 0xbb && b[2] == 0xbf) r->p += 3, r->line_start += 3;
  const char *bad = memchr(r->p, 0, (size_t)(r->end - r->p));
  for (const char *p = r->p; p < r->end && p < r->p + 4096 && !bad; p++)
    if ((unsigned char)*p < 0x20 && !strchr("\t\n\r\f\v", *p)) bad = p;
  if (!bad) return BRISTLE_FAULT_NONE;
  for (const char *p = r->p; p < bad; p++)
    if (*p == '\n') r->line++, r->line_start = p + 1;
  fault_set(r->fault, BRISTLE_FAULT_SYNTAX, "is this a spreadsheet or another binary file? export it as CSV",
            "found the byte 0x%02x, expected text", (unsigned char)*bad);
  return csv_place(r, bad);
}

const char *csv_skip_head(csv *r, int *seen_comment)
{
  const char *comment = NULL;
  while (r->p < r->end) {
    const char *stop = line_end(r->p, r->end);
    r->line_start = r->p;
    if (is_comment(r->p, stop)) comment = r->p, *seen_comment = 1;
    else if (is_blank_line(r->p, stop)) comment = NULL;
    else if (!(r->line == 1 && stop - r->p == 5 && !memcmp(r->p, "sep=", 4))) break; /* spreadsheets say it so */
    r->p = line_next(stop, r->end);
    r->line++;
  }
  return comment;
}

/* ---- lines of an instrument ---- */

typedef struct head {
  const char *start[SAMPLE], *end[SAMPLE];
  size_t line[SAMPLE];
  int lines, rows; /* rows: the first line of the table's rows */
  size_t columns;
} head;

static void take_lines(const csv *r, head *h)
{
  size_t line = r->line;
  h->lines = 0;
  for (const char *p = r->p; p < r->end && h->lines < SAMPLE; line++) {
    const char *stop = line_end(p, r->end);
    if (!is_blank_line(p, stop) && !is_comment(p, stop)) {
      h->start[h->lines] = p, h->end[h->lines] = stop;
      h->line[h->lines++] = line;
    }
    p = line_next(stop, r->end);
  }
}

static size_t count_kind(const char *p, const char *stop, char separator, cell_kind kind)
{
  size_t count = 0, cells = 0;
  for (; p && (!cells || !is_blank_line(p, stop)); cells++) {
    cell c = cell_cut(p, stop, separator);
    count += cell_classify(&c, separator, 0, NULL) == kind;
    p = c.next;
  }
  return count;
}

static int is_row(const head *h, int i, char separator)
{
  if (cell_count(h->start[i], h->end[i], separator) != h->columns) return 0;
  size_t numbers = count_kind(h->start[i], h->end[i], separator, CELL_NUMBER);
  return numbers && numbers >= count_kind(h->start[i], h->end[i], separator, CELL_TEXT);
}

static int same_cell(const cell *a, const cell *b)
{
  return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* how many different words, units and numbers apart */
static int different_words(const char *line, const char *stop, char separator)
{
  int words = 0;
  for (const char *p = line; p;) {
    cell c = cell_cut(p, stop, separator);
    int is_new = cell_classify(&c, separator, 0, NULL) == CELL_TEXT && !header_is_unit(&c);
    for (const char *q = line; q && q < p && is_new;) {
      cell before = cell_cut(q, stop, separator);
      is_new = !same_cell(&before, &c);
      q = before.next;
    }
    words += is_new;
    p = c.next;
  }
  return words;
}

/* LabVIEW names a column of comments that most rows do not have */
static int is_names(const head *h, int i, char separator)
{
  size_t cells = cell_count(h->start[i], h->end[i], separator);
  const char *last = h->end[i] - 7;
  return cells == h->columns || (cells == h->columns + 1 && last > h->start[i] && !memcmp(last, "Comment", 7));
}

/* the line of names, or -1 */
static int names_of(const head *h, char separator)
{
  int best = -1, most = 0;
  for (int i = 0; i < h->rows; i++) {
    if (!is_names(h, i, separator)) continue;
    int words = different_words(h->start[i], h->end[i], separator);
    if (words > most) most = words, best = i;
  }
  return best;
}

/* Is what stands above the rows more than names and units? Lines of numbers among it are no titles but broken rows, and
   names whose number differs from that of the cells are a mistake that must be told. */
static int is_preamble(const head *h, char separator)
{
  const int first_fits = is_names(h, 0, separator), last = h->rows - 1;
  if (last < 0 || h->columns < 2 || (first_fits && h->rows <= 2)) return 0;
  for (int i = 0; i < h->rows; i++)
    if (!count_kind(h->start[i], h->end[i], separator, CELL_TEXT)) return 0;
  return is_names(h, last, separator) || cell_count(h->start[last], h->end[last], separator) == 1;
}

void csv_skip_preamble(csv *r)
{
  head *h = malloc(sizeof *h);
  if (!h) return; /* the table is read as if there were none */
  take_lines(r, h);
  csv low = *r;
  const int sure = 3 * h->lines / 4 < h->lines - 2 ? 3 * h->lines / 4 : h->lines - 2; /* the last line may be cut off */
  if (h->lines >= FEWEST) {
    low.p = h->start[sure];
    csv_detect(&low);
    h->rows = sure;
    h->columns = cell_count(h->start[sure], h->end[sure], low.separator);
    while (h->rows > 0 && is_row(h, h->rows - 1, low.separator)) h->rows--;
  }
  if (h->lines >= FEWEST && is_row(h, sure, low.separator) && is_preamble(h, low.separator)) {
    const int names = names_of(h, low.separator), first = names < 0 ? h->rows : names;
    r->rows = h->start[h->rows];
    r->table->preamble = h->line[first] - 1;
    r->separator = low.separator, r->mark = low.mark;
    r->p = h->start[first];
    r->line = h->line[first];
    r->line_start = r->p;
  }
  free(h);
}
