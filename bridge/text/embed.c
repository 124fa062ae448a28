/* Made at build time: the texts of the laws as constants of a C source.
 *
 *   embed OUT TEMPLATE name=path ... LAWS name=folder ... SKEWED name=folder ...
 *
 * A folder holds f64.i, f32.i and slopes.i of a law as the preprocessor left them. */
#include "distil.h"
#include "scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_file(const char *path)
{
  char *text = buffer_read(path, NULL);
  if (text) return text;
  fprintf(stderr, "embed: %s cannot be read\n", path);
  exit(1);
}

static void write_text(FILE *out, const char *text)
{
  if (!text) exit(1);
  for (const char *line = text; *line;) {
    const size_t length = strcspn(line, "\n");
    fputs("  \"", out);
    for (size_t i = 0; i < length; i++) {
      if (line[i] == '"' || line[i] == '\\') putc('\\', out);
      if (line[i] == '?' && i && line[i - 1] == '?') fputs("\" \"", out); /* no trigraphs */
      putc(line[i], out);
    }
    fprintf(out, "%s\"\n", line[length] ? "\\n" : "");
    line += length + (line[length] == '\n');
  }
  if (!*text) fputs("  \"\"\n", out);
}

/* Texts of one kind stand one behind the other: they are so alike that a package of them takes half of the space. */
enum { PARTS = 4, MOST_LAWS = 200 };
static const char *const parts[PARTS] = { "head", "f64", "f32", "slopes" };
typedef struct law {
  const char *name, *folder;
  size_t at[PARTS]; /* where its texts begin */
} law;
typedef struct group {
  const char *name;
  int skewed, count;
  law laws[MOST_LAWS];
} group;

static char *text_of(const law *l, int part)
{
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.i", l->folder, part ? parts[part] : "f64");
  char *raw = read_file(path), *tidy = distil_tidy(raw), *text;
  static const char *const roots[] = { "law_step", "law_eval", "law_steady", "law_mode", "law_rules",
                                       "real",     "input",    "params",     "state",    NULL };
  static const char *const slopes[] = { "law_slopes", "operator", NULL };
  if (part) text = distil(tidy, part < 3 ? roots : slopes, NULL);
  else text = distil_head(raw);
  free(raw), free(tidy);
  return text;
}

static void write_texts(FILE *out, group *g, int from, int to)
{
  for (int part = from; part < to; part++) {
    size_t at = 0;
    fprintf(out, "static const char %s_%s[] =\n", parts[part], g->name);
    for (int i = 0; i < g->count; i++) {
      char *text = text_of(&g->laws[i], part);
      write_text(out, text);
      fputs("  \"\\0\"\n", out);
      g->laws[i].at[part] = at;
      at += strlen(text) + 1;
      free(text);
    }
    fputs(";\n", out);
  }
}

static void write_table(FILE *out, const group *g)
{
  for (int i = 0; i < g->count; i++) {
    const law *l = &g->laws[i];
    fprintf(out, "{ .name = \"%s\", .skewed = %d", l->name, g->skewed);
    for (int part = 0; part < PARTS; part++) {
      if (part == 2 && !g->skewed) fputs("\n#ifndef BRISTLE_NO_F32\n", out);
      fprintf(out, ", .%s = %s_%s + %zu", parts[part], parts[part], g->name, l->at[part]);
    }
    fputs(g->skewed ? " },\n" : "\n#endif\n},\n", out);
  }
}

/* small programs: double precision only, both directions alike, no FMUs */
static void write_laws(FILE *out, group *plain, group *skewed)
{
  write_texts(out, plain, 0, 2);
  fputs("#ifndef BRISTLE_NO_F32\n", out);
  write_texts(out, plain, 2, PARTS);
  write_texts(out, skewed, 0, PARTS);
  fputs("#endif\nconst law_text law_texts[] = {\n", out);
  write_table(out, plain);
  fputs("#ifndef BRISTLE_NO_F32\n", out);
  write_table(out, skewed);
  fputs("#endif\n{ 0 } };\n", out);
}

static void write_template(FILE *out, const char *name, const char *path)
{
  char *text = read_file(path);
  fprintf(out, "const char template_%s[] =\n", name);
  write_text(out, text);
  fputs(";\n", out);
  free(text);
}

int main(int argc, char **argv)
{
  static group plain = { .name = "plain" }, skewed = { .name = "skewed", .skewed = 1 };
  group *laws = NULL;
  FILE *out = argc > 2 ? fopen(argv[1], "w") : NULL;
  if (!out) return 1;
  fputs("/* made by bridge/text/embed.c */\n#include \"text/texts.h\"\n", out);
  for (int i = 3; i < argc; i++) {
    char *path = strchr(argv[i], '=');
    if (!strcmp(argv[i], "LAWS")) {
      laws = &plain;
    } else if (!strcmp(argv[i], "SKEWED")) {
      laws = &skewed;
    } else {
      if (!path || (laws && laws->count == MOST_LAWS)) return 1;
      *path++ = '\0';
      if (laws) laws->laws[laws->count++] = (law){ .name = argv[i], .folder = path };
      else write_template(out, argv[i], path);
    }
  }
  write_laws(out, &plain, &skewed);
  return fclose(out) != 0;
}
