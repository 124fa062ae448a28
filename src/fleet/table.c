/* The table of an axis: a row for each log. Its first line tells which logs and options it belongs to. */
#include "fleet/fleet.h"

#include "io/files.h"
#include "lab/digest.h"
#include "maths/elementary.h"
#include "platform/platform.h"

#include <stdlib.h>

static const char OWN[] = " digest "; /* stands before the digest of the table itself */

static void axis_path(const char *folder, const char *name, char path[4200])
{
  snprintf(path, 4200, "%.4000s/axis-%.100s.csv", folder, name);
}

/* ---- what a table is made of ---- */

/* with its length, so that no two lists of texts look alike */
static void key_text(FILE *out, const char *text)
{
  if (text) fprintf(out, "%zu:%s;", strlen(text), text);
  else fputs("-;", out);
}

static void key_number(FILE *out, double x) { fprintf(out, "%.17g;", x); }

/* Every field that fits and readings depend on. scripts/test-restart.py changes every option of the verb. */
static void key_options(FILE *out, const bristle_fleet_options *o)
{
  const bristle_log_options *r = &o->reading;
  for (int k = 0; k < o->laws; k++) key_text(out, o->law[k]->name);
  for (int k = 0; k < BRISTLE_CHANNELS; k++) key_text(out, r->column[k]);
  for (int k = 0; k < BRISTLE_JOINS; k++) key_text(out, r->join[k]);
  for (int k = 0; k < BRISTLE_EXTRAS; k++) key_text(out, r->term[k]);
  const double numbers[] = { r->rate, r->delay, r->from, r->to, r->cutoff, r->lead, r->radius };
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) key_number(out, numbers[k]);
  fprintf(out, "%d;%d;%d;%d;%d;%d;", (int)o->mass, r->loads, r->keep_delay, r->inverse, r->motion_only,
          r->acceleration);
}

/* whether it can be read or not is noted in the list that the thread keeps */
static void open_once(const char *file)
{
  char *text = NULL;
  size_t size;
  bristle_fault ignored;
  read_whole(file, &text, &size, &ignored);
  free(text);
}

bristle_fault_kind fleet_key_make(const bristle_fleet *f, const bristle_fleet_axis *axis,
                                  const bristle_fleet_options *o, fleet_key *key, bristle_fault *fault)
{
  platform_memory words;
  FILE *out = platform_memory_open(&words);
  *key = (fleet_key){ .digest = "" };
  if (!out) return fault_memory(fault);
  key_text(out, BRISTLE_VERSION);
  key_options(out, o);
  opened_list *before = opened_keep(&key->files);
  for (size_t i = axis->first; i < axis->first + axis->count; i++) {
    key_text(out, f->entry[i].file);
    key_text(out, f->entry[i].day);
    open_once(f->entry[i].file);
  }
  for (int k = 0; k < BRISTLE_JOINS && o->reading.join[k]; k++) open_once(o->reading.join[k]);
  opened_keep(before);
  key->files.sealed = 1;
  const int failed = platform_memory_close(&words);
  if (!failed) opened_digest(&key->files, words.text, key->digest);
  free(words.text);
  return failed || !key->digest[0] ? fault_memory(fault) : opened_fault(&key->files, fault);
}

bristle_fault_kind fleet_key_check(const bristle_fleet *f, const bristle_fleet_axis *axis, const fleet_key *key,
                                   bristle_fault *fault)
{
  const bristle_fleet_entry *entry = &f->entry[axis->first];
  for (size_t i = 0; i < axis->count; i++) {
    const char *here = opened_find(&key->files, entry[i].file);
    for (size_t k = 0; k < i && here && *here; k++) {
      const char *there = opened_find(&key->files, entry[k].file);
      if (!there || strcmp(here, there)) continue;
      fault_set(fault, BRISTLE_FAULT_VALUE, "list each log once",
                "the days %.40s and %.40s of axis '%.40s' are one log", entry[k].day, entry[i].day, axis->name);
      return fault_at(fault, entry[i].file, 0, 0);
    }
  }
  return BRISTLE_FAULT_NONE;
}

/* ---- writing ---- */

static void put_number(FILE *out, double x)
{
  char text[BRISTLE_NUMBER_SIZE] = "";
  if (!isnan(x)) bristle_number_write(x, text);
  fprintf(out, ",%s", text);
}

static void put_text(FILE *out, const char *text)
{
  fputs(",\"", out);
  for (; *text; text++) {
    if (*text == '"') putc('"', out);
    putc(*text == '\n' || *text == '\r' ? ' ' : *text, out);
  }
  putc('"', out);
}

bristle_fault_kind fleet_axis_replaceable(const bristle_fleet_axis *axis, const char *folder, bristle_fault *fault)
{
  char path[4200];
  axis_path(folder, axis->name, path);
  return files_result(path, fault);
}

bristle_fault_kind fleet_axis_write(const bristle_fleet *f, const bristle_fleet_axis *axis, const char *folder,
                                    const char digest[65], bristle_fault *fault)
{
  static const char *const status[] = { "fine", "doubtful", "unreadable" };
  char path[4200];
  bristle_output *output;
  axis_path(folder, axis->name, path);
  platform_memory words;
  FILE *out = platform_memory_open(&words);
  if (!out) return fault_memory(fault);
  fprintf(out, "# bristle fleet %s law %s rotary %d speeds %.17g %.17g %.17g\naxis,day,status,law,rms,error", digest,
          axis->law[0] ? axis->law : "-", axis->rotary, axis->speed[0], axis->speed[1], axis->speed[2]);
  for (int c = 0; c < f->columns; c++) fprintf(out, ",%s,%s_std", f->name[c], f->name[c]);
  fputs(",file,doubt\n", out);
  for (size_t i = axis->first; i < axis->first + axis->count; i++) {
    const bristle_fleet_entry *e = &f->entry[i];
    table_text(out, e->axis);
    putc(',', out);
    table_text(out, e->day);
    fprintf(out, ",%s,%s", status[e->status], e->law);
    put_number(out, e->status == BRISTLE_FLEET_UNREADABLE ? (double)NAN : e->rms);
    put_number(out, e->status == BRISTLE_FLEET_UNREADABLE ? (double)NAN : e->error);
    for (int c = 0; c < f->columns; c++) put_number(out, e->value[c]), put_number(out, e->deviation[c]);
    put_text(out, e->file);
    put_text(out, e->doubt);
    putc('\n', out);
  }
  bristle_fault_kind kind = platform_memory_close(&words) ? fault_memory(fault) : BRISTLE_FAULT_NONE;
  if (!kind) kind = bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &output, fault);
  if (!kind) {
    char own[65];
    const size_t head = strcspn(words.text, "\n");
    bristle_digest(words.text, words.size, own);
    out = bristle_output_stream(output);
    fprintf(out, "%.*s%s%s%s", (int)head, words.text, OWN, own, words.text + head);
    kind = bristle_output_commit(output, fault);
  }
  free(words.text);
  return kind;
}

/* ---- reading what was written ---- */

/* the next cell of a line; quotes stay outside, and two of them are one */
static const char *take(const char *p, char *cell, size_t size)
{
  const int quoted = *p == '"';
  size_t used = 0;
  for (p += quoted; *p && *p != '\n'; p++) {
    if (quoted && *p == '"' && *++p != '"') break;
    if (!quoted && *p == ',') break;
    if (used + 1 < size) cell[used++] = *p;
  }
  cell[used] = '\0';
  return p + (*p == ',');
}

static const char *take_number(const char *p, double *x)
{
  char cell[64];
  p = take(p, cell, sizeof cell);
  if (!strcmp(cell, "inf")) *x = HUGE_VAL;
  else if (!bristle_number_read(cell, strlen(cell), '.', 0, x)) *x = (double)NAN;
  return p;
}

static const char *take_entry(const bristle_fleet *f, const char *p, bristle_fleet_entry *e)
{
  char cell[400];
  p = take(p, cell, sizeof cell);
  p = take(p, cell, sizeof cell);
  if (strcmp(cell, e->day)) return NULL;
  p = take(p, cell, sizeof cell);
  e->status = cell[0] == 'f' ? BRISTLE_FLEET_FINE : cell[0] == 'd' ? BRISTLE_FLEET_DOUBTFUL : BRISTLE_FLEET_UNREADABLE;
  p = take(p, e->law, sizeof e->law);
  p = take_number(p, &e->rms);
  p = take_number(p, &e->error);
  for (int c = 0; c < f->columns; c++) {
    p = take_number(p, &e->value[c]);
    p = take_number(p, &e->deviation[c]);
  }
  p = take(p, cell, sizeof cell);
  p = take(p, e->doubt, sizeof e->doubt);
  return *p == '\n' ? p + 1 : NULL;
}

/* Is it all as it was written? Its own digest, at the end of the first line, is of everything else, and is taken out.
 */
static int is_whole(char *text, size_t size)
{
  char own[65] = "", found[65];
  const size_t head = strcspn(text, "\n"), length = strlen(OWN) + 64;
  if (head < length || strncmp(text + head - length, OWN, strlen(OWN))) return 0;
  memcpy(own, text + head - 64, 64);
  memmove(text + head - length, text + head, size - head + 1);
  bristle_digest(text, size - length, found);
  return !strcmp(own, found);
}

int fleet_axis_read(bristle_fleet *f, bristle_fleet_axis *axis, const char *folder, const char digest[65])
{
  char path[4200], found[65] = "", law[24] = "", *text;
  size_t size;
  bristle_fault ignored;
  axis_path(folder, axis->name, path);
  if (read_own(path, &text, &size, &ignored)) return 1;
  const char *p = text;
  int wrong = !is_whole(text, size)
              || sscanf(p, "# bristle fleet %64s law %23s rotary %1d speeds %lf %lf %lf", found, law, &axis->rotary,
                        &axis->speed[0], &axis->speed[1], &axis->speed[2])
                     != 6
              || strcmp(found, digest) != 0 || (axis->rotary & ~1);
  for (int k = 0; k < 2 && !wrong; k++) p += strcspn(p, "\n"), p += *p == '\n';
  for (size_t i = 0; i < axis->count && !wrong; i++) wrong = !(p = take_entry(f, p, &f->entry[axis->first + i]));
  if (!wrong && *p) wrong = 1;
  if (!wrong) snprintf(axis->law, sizeof axis->law, "%s", strcmp(law, "-") ? law : "");
  if (!wrong && !axis->law[0]) snprintf(axis->why, sizeof axis->why, "%s", f->entry[axis->first].doubt);
  free(text);
  return wrong;
}

/* ---- what is left of other runs ---- */

typedef struct strays {
  const bristle_fleet *fleet;
  const char *folder;
  char *first;
  size_t count;
} strays;

static void look_at(void *context, const char *name)
{
  static const char begin[] = "# bristle fleet ";
  strays *s = context;
  char path[4200], *text;
  size_t size, length = strlen(name);
  bristle_fault ignored;
  if (length < 10 || strncmp(name, "axis-", 5) || strcmp(name + length - 4, ".csv")) return;
  for (size_t i = 0; i < s->fleet->axes; i++)
    if (strlen(s->fleet->axis[i].name) == length - 9 && !strncmp(s->fleet->axis[i].name, name + 5, length - 9)) return;
  snprintf(path, sizeof path, "%.4000s/%.150s", s->folder, name);
  if (read_own(path, &text, &size, &ignored)) return;
  if (!strncmp(text, begin, strlen(begin))) {
    if (!s->count || strcmp(name, s->first) < 0) snprintf(s->first, BRISTLE_FLEET_STRAY, "%s", name);
    s->count++;
  }
  free(text);
}

size_t bristle_fleet_strays(const bristle_fleet *fleet, const char *folder, char first[BRISTLE_FLEET_STRAY])
{
  strays s = { fleet, folder, first, 0 };
  first[0] = '\0';
  platform_list(folder, look_at, &s);
  return s.count;
}
