/* Completion of words for bash, zsh and fish. */
#include "help.h"

#include "common/cli.h"

static int is_file(const option *o) { return o->kind >= OPTION_FILE && o->kind <= OPTION_FOLDER; }

/* the words that may follow: choices, laws, or nothing that is known */
static void words(const option *o, FILE *out)
{
  if (o->kind == OPTION_LAW)
    for (int i = 0; i < bristle_law_count(); i++) fprintf(out, "%s%s", i ? " " : "", bristle_law_at(i)->name);
  else
    for (const char *c = o->argument; c && *c; c += strcspn(c, "|") + (c[strcspn(c, "|")] == '|'))
      if (*c >= 'a' && *c <= 'z') fprintf(out, "%s%.*s", c == o->argument ? "" : " ", (int)strcspn(c, "|"), c);
}

static int has_words(const option *o) { return o->kind == OPTION_LAW || (o->argument && strchr(o->argument, '|')); }

/* ---- bash ---- */

static void bash_verb(const verb *v, FILE *out)
{
  listed_option list[MOST_OPTIONS];
  const int count = verb_options(v, list);
  fprintf(out, "  %s)\n    options='--help", v->name);
  for (int k = 0; k < count; k++)
    fprintf(out, " %s%s%s", list[k].row->name, list[k].row->also ? " " : "",
            list[k].row->also ? list[k].row->also : "");
  fputs("'\n    case $before in\n", out);
  for (int k = 0; k < count; k++) {
    const option *o = list[k].row;
    if (!o->argument) continue;
    fprintf(out, "    %s%s%s) files=%d words='", o->name, o->also ? "|" : "", o->also ? o->also : "", is_file(o));
    words(o, out);
    fputs("' options= ;;\n", out);
  }
  fprintf(out, "    *) files=%d words='", v->argument.name && is_file(&v->argument));
  if (v->argument.name && has_words(&v->argument)) words(&v->argument, out);
  fputs("' ;;\n    esac ;;\n", out);
}

static void bash(FILE *out)
{
  fputs("# completion of bristle for bash; made by `bristle help --completion bash`\n"
        "_bristle() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= words= files=0\n"
        "  if [ \"$COMP_CWORD\" = 1 ]; then\n    COMPREPLY=($(compgen -W '--help --version",
        out);
  for (int i = 0; i < verb_count; i++) fprintf(out, " %s", verbs[i]->name);
  fputs("' -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n", out);
  for (int i = 0; i < verb_count; i++) bash_verb(verbs[i], out);
  fputs("  esac\n"
        "  case $word in -*) words=$options files=0 ;; esac\n"
        "  local listed=\n"
        "  case $word in *,*) [ -z \"$words\" ] || { listed=${word%,*},; files=0; } ;; esac\n" /* names after a comma */
        "  COMPREPLY=($(compgen -P \"$listed\" -W \"$words\" -- \"${word#\"$listed\"}\"))\n"
        "  [ \"$files\" = 0 ] || COMPREPLY+=($(compgen -f -- \"$word\"))\n"
        "}\n"
        "complete -o filenames -F _bristle bristle\n",
        out);
}

/* ---- zsh and fish ---- */

/* inside single quotes, and in zsh inside brackets; one line */
static void quoted(const char *text, int brackets, FILE *out)
{
  for (; *text; text++) {
    if (*text == '\'') fputs(brackets ? "'\\''" : "\\'", out);
    else if (brackets && strchr("[]:\\", *text)) fprintf(out, "\\%c", *text);
    else if (!brackets && *text == '\\') fputs("\\\\", out);
    else putc(*text == '\n' ? ' ' : *text, out);
  }
}

static void zsh_value(const option *o, FILE *out)
{
  fputc(':', out);
  quoted(o->argument ? o->argument : o->name, 1, out);
  if (o->kind == OPTION_LAW) {
    fputs(":_sequence compadd - ", out); /* names with commas between */
    words(o, out);
  } else if (has_words(o)) {
    fputs(":(", out);
    words(o, out);
    putc(')', out);
  } else fputs(is_file(o) ? ":_files" : ": ", out);
}

static void zsh(FILE *out)
{
  listed_option list[MOST_OPTIONS];
  fputs("#compdef bristle\n# made by `bristle help --completion zsh`\n"
        "_bristle() {\n  if (( CURRENT == 2 )); then\n    local -a verbs=(\n",
        out);
  for (int i = 0; i < verb_count; i++) {
    fprintf(out, "      '%s:", verbs[i]->name);
    quoted(verbs[i]->summary, 1, out);
    fputs("'\n", out);
  }
  fputs("    )\n    _describe verb verbs\n    return\n  fi\n  local verb=$words[2]\n  shift words\n  (( CURRENT-- ))\n"
        "  case $verb in\n",
        out);
  for (int i = 0; i < verb_count; i++) {
    const verb *v = verbs[i];
    const int count = verb_options(v, list);
    fprintf(out, "  %s) _arguments '--help[how to use it]'", v->name);
    for (int k = 0; k < count; k++) {
      const option *o = list[k].row;
      fprintf(out, " \\\n    '%s%s[", o->most || o->repeats ? "*" : "", o->name);
      quoted(o->help, 1, out);
      putc(']', out);
      if (o->argument) zsh_value(o, out);
      putc('\'', out);
    }
    if (v->argument.name) {
      fprintf(out, " \\\n    '%s", v->argument.most ? "*" : "1");
      zsh_value(&v->argument, out);
      putc('\'', out);
    }
    fputs(" ;;\n", out);
  }
  fputs("  esac\n}\n_bristle \"$@\"\n", out);
}

static void fish_option(const char *verb_name, const option *o, FILE *out)
{
  const char *names[2] = { o->name, o->also };
  fprintf(out, "complete -c bristle -n '__fish_seen_subcommand_from %s'", verb_name);
  for (int k = 0; k < 2; k++)
    if (names[k]) fprintf(out, names[k][1] == '-' ? " -l %s" : " -s %s", names[k] + (names[k][1] == '-' ? 2 : 1));
  if (o->argument) fputs(is_file(o) ? " -rF" : " -x", out);
  if (has_words(o)) {
    fputs(o->kind == OPTION_LAW ? " -a '(__bristle_listed " : " -a '", out);
    words(o, out);
    fputs(o->kind == OPTION_LAW ? ")'" : "'", out);
  }
  fputs(" -d '", out);
  quoted(o->help, 0, out);
  fputs("'\n", out);
}

static void fish(FILE *out)
{
  listed_option list[MOST_OPTIONS];
  fputs("# completion of bristle for fish; made by `bristle help --completion fish`\n"
        "function __bristle_listed\n"
        "  set -l before (string match -r '^.*,' -- (commandline -ct))\n"
        "  for word in $argv\n    echo $before$word\n  end\nend\n"
        "complete -c bristle -n __fish_use_subcommand -f\n",
        out);
  for (int i = 0; i < verb_count; i++) {
    const verb *v = verbs[i];
    const int count = verb_options(v, list);
    fprintf(out, "complete -c bristle -n __fish_use_subcommand -f -a %s -d '", v->name);
    quoted(v->summary, 0, out);
    fputs("'\n", out);
    if (v->argument.name && has_words(&v->argument)) {
      fprintf(out, "complete -c bristle -n '__fish_seen_subcommand_from %s' -a '", v->name);
      words(&v->argument, out);
      fputs("'\n", out);
    }
    for (int k = 0; k < count; k++) fish_option(v->name, list[k].row, out);
  }
}

void write_completion(int shell, FILE *out)
{
  void (*const writers[])(FILE *) = { bash, zsh, fish };
  writers[shell](out);
}
