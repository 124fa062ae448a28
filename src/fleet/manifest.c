/* Which logs there are: a table of files, axes and days, or a pattern of names. */
#include "fleet/fleet.h"

#include "io/support.h"
#include "maths/elementary.h"
#include "platform/platform.h"

#include <stdlib.h>

enum { CELLS = 16, CELL = 400 };

/* ---- days ---- */

/* days since 1970 of a date of the Gregorian calendar, or a plain number; nonzero: neither */
static int read_day(const char *text, double *day, int *date)
{
  int y, m, d, used = 0;
  *date = 0;
  if (sscanf(text, "%4d-%2d-%2d%n", &y, &m, &d, &used) == 3 && used >= 8) {
    long days;
    if (text[used] || !calendar_day(y, m, d, &days)) return 1;
    *date = 1, *day = (double)days;
    return 0;
  }
  return !bristle_number_read(text, strlen(text), '.', 0, day);
}

static char *keep(bristle_fleet *f, const char *text, size_t length)
{
  char *copy = memory_take(&f->memory_list, length + 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

static bristle_fault_kind add_entry(bristle_fleet *f, const char *place, size_t line, const char *file,
                                    const char *axis, const char *day, bristle_fault *fault)
{
  char shown[EXCERPT];
  double at;
  int date;
  if (read_day(day, &at, &date)) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "write a date, 2026-03-01, or a number", "'%s' is not a day",
              excerpt(day, strlen(day), shown));
    return fault_at(fault, place, line, 0);
  }
  if (f->entries && date != f->dates) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "write all days in one way", "'%s' is a %s, and the days before it are %s",
              excerpt(day, strlen(day), shown), date ? "date" : "number", date ? "numbers" : "dates");
    return fault_at(fault, place, line, 0);
  }
  f->dates = date;
  if (!*axis || strlen(axis) > 100 || strpbrk(axis, "/\\\",") || axis[0] == '.') {
    fault_set(fault, BRISTLE_FAULT_VALUE, "it is part of the name of a file", "'%s' is not a valid axis name",
              excerpt(axis, strlen(axis), shown));
    return fault_at(fault, place, line, 0);
  }
  if (!(f->entries & (f->entries - 1))) { /* room is a power of two */
    bristle_fleet_entry *larger = realloc(f->entry, (f->entries ? 2 * f->entries : 1) * sizeof *larger);
    if (!larger) return fault_memory(fault);
    f->entry = larger;
  }
  bristle_fleet_entry *e = &f->entry[f->entries];
  memset(e, 0, sizeof *e);
  e->file = keep(f, file, strlen(file)), e->axis = keep(f, axis, strlen(axis)), e->day = keep(f, day, strlen(day));
  e->at = at;
  if (!e->file || !e->axis || !e->day) return fault_memory(fault);
  f->entries++;
  return BRISTLE_FAULT_NONE;
}

/* ---- a table ---- */

/* cells of a line, without quotes; returns how many */
static int split_line(const char *line, size_t length, char cell[CELLS][CELL])
{
  int count = 0, quoted = 0;
  size_t used = 0;
  for (size_t i = 0; i <= length && count < CELLS; i++) {
    const char c = i < length ? line[i] : ',';
    const int twice = quoted && c == '"' && i + 1 < length && line[i + 1] == '"'; /* is one that belongs to the text */
    i += (size_t)twice;
    if (c == '"' && !twice) quoted = !quoted;
    else if ((c == ',' && !quoted) || i == length) {
      while (used && (cell[count][used - 1] == ' ' || cell[count][used - 1] == '\r')) used--;
      cell[count++][used] = '\0', used = 0;
    } else if (used + 1 < CELL && (used || c != ' ')) cell[count][used++] = c;
  }
  return count;
}

static bristle_fault_kind read_table(bristle_fleet *f, const char *path, const char *text, bristle_fault *fault)
{
  static const char *const names[3] = { "file", "axis", "day" };
  char cell[CELLS][CELL], file[4200];
  int place[3] = { -1, -1, -1 };
  size_t line = 0;
  const int folder = (int)(platform_name(path) - path);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!strncmp(text, "\xef\xbb\xbf", 3)) text += 3; /* some editors begin a file with it */
  for (const char *p = text; *p && !kind; p += *p == '\n') {
    const size_t length = strcspn(p, "\n");
    const char *start = p;
    line++, p += length;
    if (!length || *start == '#' || *start == '\r') continue;
    const int count = split_line(start, length, cell);
    if (place[0] < 0) {
      for (int k = 0; k < 3; k++)
        for (int i = 0; i < count; i++) {
          if (strcmp(cell[i], names[k])) continue;
          if (place[k] >= 0) {
            fault_set(fault, BRISTLE_FAULT_SYNTAX, "remove one", "there are two columns '%s'", names[k]);
            return fault_at(fault, path, line, 0);
          }
          place[k] = i;
        }
      if (place[0] < 0 || place[1] < 0 || place[2] < 0) {
        fault_set(fault, BRISTLE_FAULT_SYNTAX, "the first line is file,axis,day",
                  "a column of files, axes and days is missing");
        return fault_at(fault, path, line, 0);
      }
      continue;
    }
    for (int k = 0; k < 3; k++)
      if (place[k] >= count) {
        fault_set(fault, BRISTLE_FAULT_SYNTAX, NULL, "this line has no '%s'", names[k]);
        return fault_at(fault, path, line, 0);
      }
    const char *name = cell[place[0]];
    snprintf(file, sizeof file, "%.*s%s", platform_is_absolute(name) ? 0 : folder, path, name);
    kind = add_entry(f, path, line, file, cell[place[1]], cell[place[2]], fault);
  }
  return kind;
}

/* ---- a pattern ---- */

/* axis3_2026-03-01.csv, or axis3/2026-03-01.csv */
static bristle_fault_kind add_named(bristle_fleet *f, const char *path, bristle_fault *fault)
{
  char folder[200] = "", above[4200], stem[200];
  const char *name = platform_name(path);
  if (name > path) {
    snprintf(above, sizeof above, "%.*s", (int)(name - path - 1), path);
    snprintf(folder, sizeof folder, "%.199s", platform_name(above));
  }
  snprintf(stem, sizeof stem, "%s", name);
  char *dot = strrchr(stem, '.');
  if (dot) *dot = '\0';
  char *mark = strrchr(stem, '_');
  if (!mark) return add_entry(f, path, 0, path, folder, stem, fault);
  *mark = '\0';
  return add_entry(f, path, 0, path, stem, mark + 1, fault);
}

typedef struct matched {
  bristle_fleet *fleet;
  bristle_fault_kind kind;
  bristle_fault *fault;
} matched;

static int take_match(void *context, const char *path)
{
  matched *m = context;
  return (m->kind = add_named(m->fleet, path, m->fault)) != BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_pattern(bristle_fleet *f, const char *pattern, bristle_fault *fault)
{
  matched m = { f, BRISTLE_FAULT_NONE, fault };
  const long count = platform_match(pattern, take_match, &m);
  if (count > 0) return m.kind;
  if (count < 0) fault_set(fault, BRISTLE_FAULT_FILE, "name a table of files", "patterns are not known here");
  else
    fault_set(fault, BRISTLE_FAULT_FILE, "put the pattern in quotes, or name a table of files",
              "no file has such a name");
  return fault_at(fault, pattern, 0, 0);
}

/* ---- axes ---- */

static int by_axis_and_day(const void *one, const void *other)
{
  const bristle_fleet_entry *a = one, *b = other;
  const int axis = strcmp(a->axis, b->axis);
  if (axis) return axis;
  return a->at != b->at ? (a->at < b->at ? -1 : 1) : strcmp(a->file, b->file);
}

static bristle_fault_kind list_axes(bristle_fleet *f, const char *place, bristle_fault *fault)
{
  if (!f->entries) {
    fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "there is no log in it");
    return fault_at(fault, place, 0, 0);
  }
  qsort(f->entry, f->entries, sizeof *f->entry, by_axis_and_day);
  f->axis = calloc(f->entries, sizeof *f->axis);
  if (!f->axis) return fault_memory(fault);
  for (size_t i = 0; i < f->entries; i++) {
    if (!i || strcmp(f->entry[i].axis, f->entry[i - 1].axis))
      f->axis[f->axes++] = (bristle_fleet_axis){ .name = f->entry[i].axis, .first = i, .column = -1 };
    f->axis[f->axes - 1].count++;
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_fleet_read(const char *manifest, bristle_fleet **fleet, bristle_fault *fault)
{
  bristle_fault spare;
  bristle_fleet *f = calloc(1, sizeof *f);
  char *text = NULL;
  size_t size;
  fault = fault ? fault : &spare;
  *fleet = NULL;
  if (!f) return fault_memory(fault);
  bristle_fault_kind kind;
  if (strpbrk(manifest, "*?")) kind = read_pattern(f, manifest, fault);
  else if (!(kind = read_whole(manifest, &text, &size, fault))) kind = read_table(f, manifest, text, fault);
  free(text);
  if (!kind) kind = list_axes(f, manifest, fault);
  if (kind) bristle_fleet_free(f);
  else *fleet = f;
  return kind;
}

void bristle_fleet_free(bristle_fleet *f)
{
  if (!f) return;
  memory_free(f->memory_list);
  free(f->entry);
  free(f->axis);
  free(f);
}
