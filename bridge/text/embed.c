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

static void write_flavour(FILE *out, const char *folder, const char *flavour)
{
  char path[1000];
  snprintf(path, sizeof path, "%s/%s.i", folder, flavour);
  char *raw = read_file(path), *head = distil_head(raw), *tidy = distil_tidy(raw);
  static const char *const roots[] = { "law_step", "law_eval", "law_steady", "law_mode", "real",
                                       "input",    "params",   "state",      NULL };
  static const char *const slopes[] = { "law_slopes", "operator", NULL };
  char *text = distil(tidy, strcmp(flavour, "slopes") ? roots : slopes, NULL);
  if (!strcmp(flavour, "f64")) fprintf(out, "  .head =\n"), write_text(out, head), fprintf(out, "  ,\n");
  fprintf(out, "  .%s =\n", flavour);
  write_text(out, text);
  fprintf(out, "  ,\n");
  free(raw), free(head), free(tidy), free(text);
}

/* small programs: double precision only, both directions alike, no FMUs */
static void write_law(FILE *out, const char *name, const char *folder, int skewed)
{
  if (skewed) fputs("#ifndef BRISTLE_NO_F32\n", out);
  fprintf(out, "{ .name = \"%s\", .skewed = %d,\n", name, skewed);
  write_flavour(out, folder, "f64");
  if (!skewed) fputs("#ifndef BRISTLE_NO_F32\n", out);
  write_flavour(out, folder, "f32");
  write_flavour(out, folder, "slopes");
  fputs(skewed ? "},\n#endif\n" : "#endif\n},\n", out);
}

int main(int argc, char **argv)
{
  int laws = 0, skewed = 0;
  FILE *out = argc > 2 ? fopen(argv[1], "w") : NULL;
  if (!out) return 1;
  fputs("/* made by bridge/text/embed.c */\n#include \"text/texts.h\"\n", out);
  for (int i = 3; i < argc; i++) {
    char *path = strchr(argv[i], '=');
    if (!strcmp(argv[i], "LAWS")) {
      laws = 1;
      fputs("const law_text law_texts[] = {\n", out);
      continue;
    }
    if (!strcmp(argv[i], "SKEWED")) {
      skewed = 1;
      continue;
    }
    if (!path) return 1;
    *path++ = '\0';
    if (!laws) {
      fprintf(out, "const char template_%s[] =\n", argv[i]);
      char *text = read_file(path);
      write_text(out, text);
      free(text);
      fputs(";\n", out);
      continue;
    }
    write_law(out, argv[i], path, skewed);
  }
  fputs("{ 0 } };\n", out);
  return fclose(out) != 0;
}
