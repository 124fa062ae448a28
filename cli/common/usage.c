/* --help: what the tables of a verb say, for a terminal. */
#include "cli.h"

const char *const exit_codes[][2] = {
  { "0", "all went well" },
  { "1", "internal failure: out of memory, or a solver that makes no progress" },
  { "2", "usage error: an unknown option, an invalid value, options that contradict each other" },
  { "3", "bad data: a file with wrong contents, or a log without enough information" },
  { "4", "not convincing: no law fits, the validation log disagrees, or a number misses its reference" },
  { "5", "a file cannot be read or written" },
  { "130", "interrupted" },
};
const int exit_code_count = sizeof exit_codes / sizeof *exit_codes;

enum { WIDTH = 100, COLUMN = 24, ROOM = 1600 };

/* words of a text, wrapped; the first line goes on at `column`, the others begin at `indent` */
static void wrap(const char *text, int indent, int column, FILE *out)
{
  int first = 1;
  while (*text) {
    const size_t word = strcspn(text, " \n");
    if (!first && (column + 1 + (int)word > WIDTH || text[-1] == '\n')) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (!first) column += fprintf(out, " ");
    column += fprintf(out, "%.*s", (int)word, text);
    first = 0;
    text += word + (text[word] != '\0');
  }
  putc('\n', out);
}

void option_flags(const option *o, char *text, size_t size)
{
  snprintf(text, size, "%s%s%s%s%s", o->name, o->also ? ", " : "", o->also ? o->also : "", o->argument ? " " : "",
           o->argument ? o->argument : "");
}

void option_help(const option *o, char *text, size_t size)
{
  snprintf(text, size, "%s%s%s%s%s", o->help, o->usual ? " (default: " : "", o->usual ? o->usual : "",
           o->usual ? ")" : "", o->most && o->name[0] == '-' ? "; may be repeated" : "");
}

static void print_option(const option *o, FILE *out)
{
  char text[ROOM];
  option_flags(o, text, sizeof text);
  int column = fprintf(out, "  %s", text);
  if (column >= COLUMN) fprintf(out, "\n%*s", COLUMN, "");
  else fprintf(out, "%*s", COLUMN - column, "");
  option_help(o, text, sizeof text);
  wrap(text, COLUMN, COLUMN, out);
}

static void print_options(const option *rows, FILE *out)
{
  for (const option *o = rows; o && (o->name || o->group || o->table); o++) {
    if (o->group) fprintf(out, "\n%s:\n", o->group);
    else if (o->table) print_options(o->table, out);
    else print_option(o, out);
  }
}

void verb_usage(const verb *v, const char *before, FILE *out)
{
  listed_option list[MOST_OPTIONS];
  const int count = verb_options(v, list);
  if (v->usage) {
    for (const char *line = v->usage; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n'))
      fprintf(out, "%sbristle %s %.*s\n", line == v->usage ? before : "       ", v->name, (int)strcspn(line, "\n"),
              line);
    return;
  }
  fprintf(out, "%sbristle %s", before, v->name);
  if (v->argument.name) fprintf(out, " %s%s", v->argument.name, v->argument.most ? " ..." : "");
  for (int k = 0; k < count; k++)
    if (list[k].row->ask) fprintf(out, " %s %s", list[k].row->name, list[k].row->argument);
  fputs(count ? " [options]\n" : "\n", out);
}

void print_verb_help(const verb *v, FILE *out)
{
  verb_usage(v, "usage: ", out);
  putc('\n', out);
  wrap(v->about, 0, 0, out);
  putc('\n', out);
  if (v->argument.name) print_option(&v->argument, out);
  print_options(v->options, out);
  print_options(v->details, out);
  fprintf(out, "\nexamples:\n");
  for (const char *line = v->examples; *line; line += strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n'))
    fprintf(out, "  %.*s\n", (int)strcspn(line, "\n"), line);
}

void print_help(FILE *out)
{
  fprintf(out,
          "bristle %s: friction laws from Coulomb to generalised Maxwell slip\n\n"
          "usage: bristle VERB [arguments]\n\n",
          BRISTLE_VERSION);
  for (int i = 0; i < verb_count; i++) fprintf(out, "  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
  fputs("\nexit codes:\n", out);
  for (int i = 0; i < exit_code_count; i++) fprintf(out, "  %-4s %s\n", exit_codes[i][0], exit_codes[i][1]);
  fprintf(out, "\n`bristle VERB --help` explains a verb. Try: bristle show lugre\n");
  print_places(out);
}
