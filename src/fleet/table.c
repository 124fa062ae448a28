/* The table of an axis: a row for each log. Its first line tells which logs and options it belongs to. */
#include "fleet/fleet.h"

#include "bristle/digest.h"
#include "maths/elementary.h"

#include <stdlib.h>
#include <sys/stat.h>

static void axis_path(const char *folder, const char *name, char path[4200])
{
  snprintf(path, 4200, "%.4000s/axis-%.100s.csv", folder, name);
}

void fleet_axis_digest(const bristle_fleet *f, const bristle_fleet_axis *axis, const bristle_fleet_options *o,
                       char digest[65])
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  digest[0] = '\0';
  if (!out) return;
  fprintf(out, "%s %d %g %g %g", BRISTLE_VERSION, (int)o->mass, o->reading.cutoff, o->reading.from, o->reading.to);
  for (int k = 0; k < o->laws; k++) fprintf(out, " %s", o->law[k]->name);
  for (int k = 0; k < BRISTLE_CHANNELS; k++) fprintf(out, " %s", o->reading.column[k] ? o->reading.column[k] : "");
  for (size_t i = axis->first; i < axis->first + axis->count; i++) {
    struct stat about = { .st_size = -1 }; /* a log that has grown or was replaced is another one */
    if (stat(f->entry[i].file, &about)) about.st_size = -1;
    fprintf(out, "\n%s,%s,%lld,%lld", f->entry[i].file, f->entry[i].day, (long long)about.st_size,
            (long long)about.st_mtime);
  }
  fclose(out);
  bristle_digest(text, size, digest);
  free(text);
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
  for (; *text; text++) putc(*text == '"' ? '\'' : *text == '\n' ? ' ' : *text, out);
  putc('"', out);
}

bristle_fault_kind fleet_axis_write(const bristle_fleet *f, const bristle_fleet_axis *axis, const char *folder,
                                    const char digest[65], bristle_fault *fault)
{
  static const char *const status[] = { "fine", "doubtful", "unreadable" };
  char path[4200];
  bristle_output *output;
  axis_path(folder, axis->name, path);
  const bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &output, fault);
  if (kind) return kind;
  FILE *out = bristle_output_stream(output);
  fprintf(out, "# bristle fleet %s law %s rotary %d speeds %.17g %.17g %.17g\naxis,day,status,law,rms,error", digest,
          axis->law[0] ? axis->law : "-", axis->rotary, axis->speed[0], axis->speed[1], axis->speed[2]);
  for (int c = 0; c < f->columns; c++) fprintf(out, ",%s,%s_std", f->name[c], f->name[c]);
  fputs(",file,doubt\n", out);
  for (size_t i = axis->first; i < axis->first + axis->count; i++) {
    const bristle_fleet_entry *e = &f->entry[i];
    fprintf(out, "%s,%s,%s,%s", e->axis, e->day, status[e->status], e->law);
    put_number(out, e->status == BRISTLE_FLEET_UNREADABLE ? (double)NAN : e->rms);
    put_number(out, e->status == BRISTLE_FLEET_UNREADABLE ? (double)NAN : e->error);
    for (int c = 0; c < f->columns; c++) put_number(out, e->value[c]), put_number(out, e->deviation[c]);
    put_text(out, e->file);
    put_text(out, e->doubt);
    putc('\n', out);
  }
  return bristle_output_commit(output, fault);
}

/* ---- reading what was written ---- */

/* the next cell of a line; quotes stay outside */
static const char *take(const char *p, char *cell, size_t size)
{
  const int quoted = *p == '"';
  p += quoted;
  size_t length = strcspn(p, quoted ? "\"\n" : ",\n");
  snprintf(cell, size, "%.*s", (int)length, p);
  p += length + (quoted && p[length] == '"');
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

int fleet_axis_read(bristle_fleet *f, bristle_fleet_axis *axis, const char *folder, const char digest[65])
{
  char path[4200], found[65] = "", law[24] = "";
  struct stat about;
  axis_path(folder, axis->name, path);
  FILE *in = stat(path, &about) || !S_ISREG(about.st_mode) ? NULL : fopen(path, "rb"); /* what a fleet wrote itself */
  char *text = in ? malloc((size_t)about.st_size + 1) : NULL;
  const size_t size = text ? fread(text, 1, (size_t)about.st_size, in) : 0;
  if (in) fclose(in);
  if (!text) return 1;
  text[size] = '\0';
  const char *p = text;
  int wrong = sscanf(p, "# bristle fleet %64s law %23s rotary %1d speeds %lf %lf %lf", found, law, &axis->rotary,
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
