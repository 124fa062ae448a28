/* The command line: finds the verb and runs it. */
#include "common/cli.h"
#include "common/progress.h"

#include "io/support.h"
#include "platform/platform.h"

#ifndef VERBS_DEF
#define VERBS_DEF "verbs.def"
#endif

#define VERB(name) extern const verb verb_##name;
#include VERBS_DEF
#undef VERB

#define VERB(name) &verb_##name,
const verb *const verbs[] = {
#include VERBS_DEF
};
#undef VERB
const int verb_count = sizeof verbs / sizeof *verbs;

static int is_help(const char *argument) { return !strcmp(argument, "--help") || !strcmp(argument, "-h"); }

/* `identify --many` is the verb of its own that fits many logs */
static int is_many(int argc, char **argv)
{
  for (int k = 2; k < argc && !strcmp(argv[1], "identify"); k++)
    if (!strcmp(argv[k], "--many") || !strncmp(argv[k], "--many=", 7)) return 1;
  return 0;
}

static int no_verb(const char *name)
{
  char names[400];
  size_t used = 0, length = 0;
  for (int i = 0; i < verb_count; i++)
    used = text_append(names, sizeof names, used, "%s%s", i ? "|" : "", verbs[i]->name);
  const int near = word_nearest(names, name, strlen(name));
  const char *word = near < 0 ? NULL : word_at(names, near, &length);
  fprintf(stderr, "bristle: there is no verb '%s'", name);
  if (word) fprintf(stderr, "; did you mean '%.*s'?", (int)length, word);
  fputs("\n\n", stderr);
  print_help(stderr);
  return USAGE;
}

int main(int argc, char **argv)
{
  platform_begin(&argc, &argv);
  if (argc < 2) {
    print_help(stderr);
    return USAGE;
  }
  if (is_help(argv[1])) {
    print_help(stdout);
    return finish_output(stdout);
  }
  if (!strcmp(argv[1], "--version")) {
    puts("bristle " BRISTLE_VERSION);
    return DONE;
  }
  const char *name = is_many(argc, argv) ? "fleet" : argv[1];
  for (int i = 0; i < verb_count; i++) {
    if (strcmp(verbs[i]->name, name)) continue;
    for (int k = 2; k < argc; k++)
      if (is_help(argv[k])) {
        FILE *words = words_open(stdout);
        print_verb_help(verbs[i], words);
        words_close(words, stdout);
        return finish_output(stdout);
      }
    fault_words = words_as_flags;
    leave_nothing_on_signals();
    bristle_files_guard();
    return verb_main(verbs[i], argc - 2, argv + 2);
  }
  return no_verb(argv[1]);
}
