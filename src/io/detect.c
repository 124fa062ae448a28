/* How a table is written: its lines and cells, and the guess of separator and decimal mark. */
#include "io/csv.h"

const char *line_end(const char *p, const char *end)
{
  const char *feed = memchr(p, '\n', (size_t)(end - p));
  if (!feed) feed = end;
  const char *carriage = memchr(p, '\r', (size_t)(feed - p));
  return carriage ? carriage : feed;
}

const char *line_next(const char *at, const char *end)
{
  if (at < end && *at == '\r') at++;
  else if (at < end) return at + 1;
  return at < end && *at == '\n' ? at + 1 : at;
}

static const char *skip_blanks(const char *p, const char *end)
{
  while (p < end && is_blank(*p)) p++;
  return p;
}

int is_comment(const char *p, const char *end)
{
  p = skip_blanks(p, end);
  return p < end && *p == '#';
}

int is_blank_line(const char *p, const char *end) { return skip_blanks(p, end) == end; }

/* ---- cells ---- */

/* where an unquoted cell ends; among blanks a unit in brackets belongs to the name before it */
static const char *cell_end(const char *p, const char *end, char separator)
{
  if (separator == 0) return end;
  if (separator != ' ') {
    const char *at = memchr(p, separator, (size_t)(end - p));
    return at ? at : end;
  }
  char closing = 0;
  for (; p < end; p++) {
    if (closing) closing = *p == closing ? 0 : closing;
    else if (*p == '[') closing = ']';
    else if (*p == '(') closing = ')';
    else if (is_blank(*p)) {
      const char *follow = skip_blanks(p, end);
      if (follow == end || (*follow != '[' && *follow != '(')) return p;
    }
  }
  return end;
}

static cell cut_quoted(const char *p, const char *end, char separator)
{
  cell c = { p + 1, NULL, 0, 1, 0 };
  const char *q = p + 1;
  while (q < end && (*q != '"' || (q + 1 < end && q[1] == '"'))) q += *q == '"' ? 2 : 1;
  c.unclosed = q >= end;
  c.length = (size_t)((q < end ? q : end) - c.text);
  if (q < end) q = skip_blanks(q + 1, end);
  if (q < end && separator != ' ' && *q != separator && *q != '#') c.unclosed = 1; /* text after the quote */
  q = cell_end(q < end ? q : end, end, separator);
  if (q < end) {
    c.next = separator == ' ' ? skip_blanks(q, end) : q + 1;
    if (separator == ' ' && c.next == end) c.next = NULL;
  }
  return c;
}

cell cell_cut(const char *p, const char *end, char separator)
{
  while (p < end && (*p == ' ' || (*p == '\t' && separator != '\t'))) p++;
  if (p < end && *p == '"') return cut_quoted(p, end, separator);
  const char *stop = cell_end(p, end, separator);
  cell c = { p, NULL, 0, 0, 0 };
  if (stop < end) {
    c.next = separator == ' ' ? skip_blanks(stop, end) : stop + 1;
    if (separator == ' ' && c.next == end) c.next = NULL;
  }
  while (stop > p && is_blank(stop[-1])) stop--;
  c.length = (size_t)(stop - p);
  return c;
}

/* a separator at the end of a line starts no cell */
size_t cell_count(const char *p, const char *end, char separator)
{
  size_t count = 0;
  while (p && (count == 0 || !is_blank_line(p, end))) {
    cell c = cell_cut(p, end, separator);
    p = c.next;
    count++;
  }
  return count;
}

cell_kind cell_classify(const cell *c, char separator, char mark, char *used)
{
  static const char *const gaps[] = { "", "nan", "na", "n/a", "null", "none", "-", "--", "-nan", "#n/a" };
  static const char marks[] = { '.', ',' };
  const char *text = c->text, *end = c->text + c->length;
  while (c->quoted && text < end && is_blank(*text)) text++;
  while (c->quoted && end > text && is_blank(end[-1])) end--;
  for (int i = 0; i < 2; i++) {
    decimal d;
    if (mark && marks[i] != mark && !(c->quoted && separator == ',')) continue;
    if (marks[i] == ',' && separator == ',' && !c->quoted) continue;
    if (decimal_scan(text, end, marks[i], &d) != end) continue;
    if (used) *used = memchr(text, marks[i], (size_t)(end - text)) ? marks[i] : 0;
    return CELL_NUMBER;
  }
  double seconds;
  if (stamp_read(text, end, &seconds)) return CELL_NUMBER;
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    size_t n = strlen(gaps[i]), k = 0;
    if (n != (size_t)(end - text)) continue;
    while (k < n && (text[k] | (text[k] >= 'A' && text[k] <= 'Z' ? 32 : 0)) == gaps[i][k]) k++;
    if (k == n) return CELL_GAP;
  }
  return CELL_TEXT;
}

/* ---- the guess ---- */

enum { SAMPLE = 32 };
typedef struct sample {
  const char *start[SAMPLE], *end[SAMPLE];
  int lines;
} sample;

static void take_sample(const csv *r, sample *s)
{
  s->lines = 0;
  for (const char *p = r->p; p < r->end && s->lines < SAMPLE;) {
    const char *stop = line_end(p, r->end);
    if (!is_blank_line(p, stop) && !is_comment(p, stop)) s->start[s->lines] = p, s->end[s->lines++] = stop;
    p = line_next(stop, r->end);
  }
}

/* the share of numbers in the rows, less when rows and header disagree about the number of cells */
static double score(const sample *s, char separator, char *mark)
{
  double numbers = 0, cells = 0, penalty = 0;
  int first = s->lines > 1;
  size_t columns = cell_count(s->start[first], s->end[first], separator);
  *mark = '.';
  for (int i = 0; i < s->lines; i++) {
    size_t n = 0;
    for (const char *p = s->start[i]; p && (!n || !is_blank_line(p, s->end[i])) && n < 1000; n++) {
      char used = 0;
      cell c = cell_cut(p, s->end[i], separator);
      if (i >= first) {
        cells++;
        numbers += cell_classify(&c, separator, 0, &used) != CELL_TEXT;
        if (used == ',' && !c.quoted) *mark = ',';
      }
      p = c.next;
    }
    if (n != columns && n < 1000) penalty = 0.3;
  }
  if (columns == 1) /* a header with separators in it is no single name */
    for (int i = 0; i < 4; i++)
      if (cell_count(s->start[0], s->end[0], ";\t, "[i]) > 1) penalty = 0.5;
  return numbers / cells - penalty + (columns > 1 ? 0.01 : 0);
}

void csv_detect(csv *r)
{
  static const char candidates[] = { ';', '\t', ',', ' ', 0 };
  sample s;
  double best = -10;
  take_sample(r, &s);
  r->separator = 0;
  r->mark = '.';
  for (int i = 0; s.lines && i < 5; i++) {
    char mark;
    double value = score(&s, candidates[i], &mark);
    if (value > best) best = value, r->separator = candidates[i], r->mark = mark;
  }
}

/* A file of whole numbers in its first lines hides its decimal comma: then the first strange cell shows it. */
int csv_hidden_comma(const csv *r)
{
  if (r->mark != '.' || r->separator == ',') return 0;
  for (size_t i = 0; i < r->table->columns; i++) {
    const bristle_column *column = &r->table->column[i];
    cell c = { column->stranger.text, NULL, strlen(column->stranger.text), 0, 0 };
    if (column->strange && cell_classify(&c, r->separator, ',', NULL) == CELL_NUMBER) return 1;
  }
  return 0;
}
