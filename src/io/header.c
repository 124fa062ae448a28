/* Names of columns and the units in them: "v [mm/s]", "t (s)", "x / mm", "x in mm", "position_mm", "velocity mm/s",
   "x.mm", or a line of units. */
#include "io/csv.h"
#include "io/recognise.h"

static void copy_text(char *to, size_t size, const char *text, size_t length)
{
  if (length >= size) {
    length = size - 1;
    while (length && ((unsigned char)text[length] & 0xc0) == 0x80) length--; /* no half characters */
  }
  memcpy(to, text, length);
  to[length] = '\0';
  for (char *c = to; *c; c++)
    if ((unsigned char)*c < 0x20) *c = ' ';
}

static int set_unit(bristle_column *column, const char *text, size_t length, bristle_unit_origin origin)
{
  bristle_unit_scale scale;
  while (length && is_blank(*text)) text++, length--;
  while (length && is_blank(text[length - 1])) length--;
  int none = length == 0 || (length == 1 && *text == '-'); /* "[-]": a number without a unit */
  if (!none && bristle_unit_read(text, length, &scale, NULL)) return 0;
  if (none) bristle_unit_read("1", 1, &scale, NULL);
  copy_text(column->unit, sizeof column->unit, none ? "1" : text, none ? 1 : length);
  column->origin = origin;
  column->scale = scale;
  return 1;
}

static void set_name(bristle_column *column, const char *text, size_t length)
{
  while (length && is_blank(text[length - 1])) length--;
  copy_text(column->name, sizeof column->name, text, length);
}

/* "position[3]": the fourth of an array, no unit; but "mu [1]" is a number without one */
static int is_index(const char *text, size_t at, size_t end)
{
  if (at < 2 || is_blank(text[at - 2]) || at == end) return 0;
  for (size_t i = at; i < end; i++)
    if (text[i] < '0' || text[i] > '9') return 0;
  return 1;
}

/* "v [m/s]": brackets must hold a unit; "v (filtered)" is just a name */
static int take_bracket(bristle_column *column, const char *text, size_t length, char opening, char closing)
{
  if (length < 2 || text[length - 1] != closing) return 0;
  size_t at = length;
  while (at && text[at - 1] != opening) at--;
  if (!at || is_index(text, at, length - 1)) return 0;
  const char *unit = text + at;
  size_t n = length - 1 - at;
  if (!set_unit(column, unit, n, BRISTLE_UNIT_ORIGIN_GIVEN)) {
    if (opening == '(') return 0;
    copy_text(column->unit, sizeof column->unit, unit, n);
    column->origin = BRISTLE_UNIT_ORIGIN_UNKNOWN;
  }
  set_name(column, text, at - 1);
  return 1;
}

/* Words of names that end as a unit does: a phase A, a joint N, a limit min. */
static int may_be_a_word(const char *unit, size_t length)
{
  return length == 1 || word_find("min|in|rev|bar|sec|ft|lb", unit, length) >= 0;
}

/* Is what stands behind the name its unit? One underscore says so. A blank or a dot does where nothing else could be
   meant, or where the name asks for that dimension: "force N" is a force in newtons, "phase A" is no current. */
static int stands_for_unit(const bristle_column *column, char mark)
{
  const size_t name = strlen(column->name);
  if (mark == '_') return 1;
  if (!name || strchr("/_-.", column->name[name - 1])) return 0;
  if (name > 3 && !strcmp(column->name + name - 3, " in")) return 0;
  return !may_be_a_word(column->unit, strlen(column->unit)) || column_name_asks(column->name, &column->scale);
}

/* "velocity_rad_s", "velocity mm/s", "x.mm": the longest tail that is a unit when its underscores are read as "/" */
static int take_tail(bristle_column *column, const char *text, size_t length, const char *marks)
{
  for (size_t i = 1; i + 1 < length; i++) {
    char unit[32];
    size_t n = length - i - 1, used = 0;
    if (!strchr(marks, text[i]) || n >= sizeof unit || !strncmp(text + i, " in ", 4)) continue;
    for (size_t k = i + 1; k < length; k++) {
      if (length - k > 5 && !memcmp(text + k, "_per_", 5)) unit[used++] = '/', k += 4;
      else unit[used++] = text[k] == '_' ? '/' : text[k];
    }
    if (strchr("/1 .", unit[0]) || !set_unit(column, unit, used, BRISTLE_UNIT_ORIGIN_IN_NAME)) continue;
    set_name(column, text, i);
    if (stands_for_unit(column, text[i])) return 1;
    column->origin = BRISTLE_UNIT_ORIGIN_NONE;
    column->unit[0] = '\0';
    bristle_unit_read("1", 1, &column->scale, NULL);
  }
  return 0;
}

void header_take(bristle_column *column, const cell *c)
{
  char text[sizeof column->header];
  size_t length = 0;
  for (size_t i = 0; i < c->length && length < sizeof text - 1; i++) {
    if (c->quoted && c->text[i] == '"' && i + 1 < c->length && c->text[i + 1] == '"') i++;
    text[length++] = c->text[i];
  }
  while (length && is_blank(text[length - 1])) length--;
  copy_text(column->header, sizeof column->header, text, length);
  column->origin = BRISTLE_UNIT_ORIGIN_NONE;
  text[length] = '\0';
  if (take_bracket(column, text, length, '[', ']') || take_bracket(column, text, length, '(', ')')) return;
  if (take_tail(column, text, length, " .")) return;
  for (size_t i = 1; i + 3 < length; i++) {
    size_t word = !memcmp(text + i, " / ", 3) ? 3 : i + 4 < length && !memcmp(text + i, " in ", 4) ? 4 : 0;
    if (word && set_unit(column, text + i + word, length - i - word, BRISTLE_UNIT_ORIGIN_GIVEN)) {
      set_name(column, text, i);
      return;
    }
  }
  if (!take_tail(column, text, length, "_")) set_name(column, text, length);
}

static int is_word(const cell *c, const char *word)
{
  size_t n = strlen(word);
  for (size_t i = 0; i < n && c->length >= n; i++)
    if ((c->text[i] | 32) != word[i]) return 0;
  return c->length == n || (c->length == n + 1 && (c->text[n] | 32) == 's');
}

/* the text of a cell in a line of units: "m/s", "[m/s]", "(m/s)", "-" or nothing; the word itself may stand before */
static int unit_cell(bristle_column *column, const cell *c)
{
  const char *text = c->text;
  size_t length = is_word(c, "unit") ? 0 : c->length;
  if (length >= 2 && ((*text == '[' && text[length - 1] == ']') || (*text == '(' && text[length - 1] == ')')))
    text++, length -= 2;
  return set_unit(column, text, length, BRISTLE_UNIT_ORIGIN_GIVEN);
}

/* how many cells of a line are units, and how many are texts that are none; 0: the line has a number */
static int count_units(const char *p, const char *end, char separator, size_t *named, size_t *unknown)
{
  bristle_column scratch;
  for (*named = *unknown = 0; p;) {
    cell c = cell_cut(p, end, separator);
    if (cell_classify(&c, separator, 0, NULL) == CELL_NUMBER) return 0;
    const int known = unit_cell(&scratch, &c);
    *named += known && strcmp(scratch.unit, "1") != 0;
    *unknown += !known;
    p = c.next;
  }
  return 1;
}

/* One cell that is no unit we know ("inc") must not make the others be lost. */
int header_take_units(bristle_table *table, const char *p, const char *end, char separator)
{
  size_t named, unknown;
  if (cell_count(p, end, separator) != table->columns || !count_units(p, end, separator, &named, &unknown)) return 0;
  if (!named || unknown >= named) return 0;
  for (size_t i = 0; i < table->columns && p; i++) {
    cell c = cell_cut(p, end, separator);
    bristle_column *column = &table->column[i];
    if (!is_word(&c, "unit") && !unit_cell(column, &c)) {
      copy_text(column->unit, sizeof column->unit, c.text, c.length);
      column->origin = BRISTLE_UNIT_ORIGIN_UNKNOWN;
    }
    p = c.next;
  }
  return 1;
}

int header_is_unit(const cell *c)
{
  bristle_column scratch;
  return unit_cell(&scratch, c);
}

void header_take_more(bristle_table *table, const char *p, const char *end, char separator)
{
  if (cell_count(p, end, separator) != table->columns) return;
  for (size_t i = 0; i < table->columns && p; i++) {
    bristle_column *column = &table->column[i];
    cell c = cell_cut(p, end, separator);
    p = c.next;
    if (cell_classify(&c, separator, 0, NULL) != CELL_TEXT) continue;
    if (header_is_unit(&c)) {
      if (column->origin == BRISTLE_UNIT_ORIGIN_NONE) unit_cell(column, &c);
    } else if (strlen(column->name) + c.length + 2 < sizeof column->name) {
      size_t used = strlen(column->name);
      snprintf(column->name + used, sizeof column->name - used, "%s%.*s", used ? " " : "", (int)c.length, c.text);
      snprintf(column->header, sizeof column->header, "%s", column->name);
    }
  }
}
