/* The manual page bristle(1), in the macros of man(7). */
#include "help.h"

#include "common/cli.h"

/* A backslash begins an escape, a dot or a quote at the start of a line a request; plain minus signs are hyphens. */
static void roff(const char *text, FILE *out)
{
  for (const char *at = text; *at; at++) {
    if ((at == text || at[-1] == '\n') && (*at == '.' || *at == '\'')) fputs("\\&", out);
    if (*at == '\\') fputs("\\e", out);
    else if (*at == '-') fputs("\\-", out);
    else putc(*at, out);
  }
}

static void term(const char *flags, const char *help, FILE *out)
{
  fputs(".TP\n.B ", out);
  roff(flags, out);
  putc('\n', out);
  roff(help, out);
  putc('\n', out);
}

static void options(const option *rows, FILE *out)
{
  for (const option *o = rows; o && (o->name || o->group || o->table); o++) {
    char flags[200], help[1600];
    if (o->table) {
      options(o->table, out);
      continue;
    }
    if (o->group) {
      fputs(".PP\n.I ", out);
      roff(o->group, out);
      putc('\n', out);
      continue;
    }
    option_flags(o, flags, sizeof flags);
    option_help(o, help, sizeof help);
    term(flags, help, out);
  }
}

static void chapter(const verb *v, FILE *out)
{
  fprintf(out, ".SS \"bristle %s: %s\"\n.nf\n", v->name, v->summary);
  verb_usage(v, "", out);
  fputs(".fi\n.PP\n", out);
  roff(v->about, out);
  putc('\n', out);
  if (v->argument.name) term(v->argument.name, v->argument.help, out);
  options(v->options, out);
  options(v->details, out);
  fputs(".PP\nExamples:\n.PP\n.nf\n", out);
  roff(v->examples, out);
  fputs(".fi\n", out);
}

void write_man_page(FILE *out)
{
  fprintf(out,
          ".TH BRISTLE 1 \"\" \"bristle %s\" \"User Commands\"\n"
          ".SH NAME\nbristle \\- friction laws: list, simulate, identify, plan\n"
          ".SH SYNOPSIS\n.B bristle\n.I VERB\n[arguments]\n"
          ".SH DESCRIPTION\n"
          "Friction laws from Coulomb to generalised Maxwell slip, exact and stable when coupled to a simulator.\n"
          "Values may carry units; without one they are SI. A file is written whole or not at all, and an output\n"
          "never replaces an input.\n.SH VERBS\n",
          BRISTLE_VERSION);
  for (int i = 0; i < verb_count; i++) chapter(verbs[i], out);
  fputs(".SH EXIT STATUS\n", out);
  for (int i = 0; i < exit_code_count; i++) term(exit_codes[i][0], exit_codes[i][1], out);
}
