/* The command line: a table of verbs. */
#include "common/cli.h"

#include "common/progress.h"

static const verb *const verbs[] = { &verb_models,   &verb_show,  &verb_simulate, &verb_drive,
                                     &verb_identify, &verb_plan,  &verb_compare,  &verb_loads,
                                     &verb_gallery,  &verb_joint, &verb_loop };
enum { VERBS = sizeof verbs / sizeof *verbs };

static void print_help(FILE *out)
{
  fprintf(out,
          "bristle %s: friction laws from Coulomb to generalised Maxwell slip\n\n"
          "usage: bristle VERB [arguments]\n\n",
          BRISTLE_VERSION);
  for (int i = 0; i < VERBS; i++) fprintf(out, "  %-10s %s\n", verbs[i]->name, verbs[i]->summary);
  fprintf(out, "\n`bristle VERB --help` explains a verb. Try: bristle show lugre\n");
}

/* which option is it, whatever its value and its other name? NULL when it is none */
static const char *option_name(const char *argument, char text[40])
{
  if (argument[0] != '-' || argument[1] == '\0' || (argument[1] >= '0' && argument[1] <= '9') || argument[1] == '.')
    return NULL;
  snprintf(text, 40, "%.*s", (int)strcspn(argument, "="), argument);
  return strcmp(text, "--output") ? text : "-o";
}

/* An option with two values would silently drop one of them. */
static int refuse_repeats(const char *verb_name, int argc, char **argv)
{
  static const char *const lists[] = { "--set", "--fix", "--free", "--join", "--term" };
  char first[40], second[40];
  for (int i = 0; i < argc; i++) {
    const char *name = option_name(argv[i], first);
    int may_repeat = !name;
    for (size_t k = 0; name && k < sizeof lists / sizeof *lists; k++) may_repeat |= !strcmp(name, lists[k]);
    for (int k = i + 1; k < argc && !may_repeat; k++) {
      const char *other = option_name(argv[k], second);
      if (other && !strcmp(name, other)) return usage_error(verb_name, "'%s' is given twice", name);
    }
  }
  return DONE;
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    print_help(stderr);
    return USAGE;
  }
  const char *name = argv[1];
  if (is_flag(name, "--help") || is_flag(name, "-h") || is_flag(name, "help")) {
    print_help(stdout);
    return DONE;
  }
  if (is_flag(name, "--version")) {
    puts("bristle " BRISTLE_VERSION);
    return DONE;
  }
  for (int i = 0; i < VERBS; i++) {
    if (strcmp(verbs[i]->name, name)) continue;
    for (int k = 2; k < argc; k++)
      if (is_flag(argv[k], "--help") || is_flag(argv[k], "-h")) {
        fputs(verbs[i]->help, stdout);
        return DONE;
      }
    leave_nothing_on_signals();
    bristle_files_guard();
    const int code = refuse_repeats(name, argc - 2, argv + 2);
    return code ? code : verbs[i]->run(argc - 2, argv + 2);
  }
  fprintf(stderr, "bristle: there is no verb '%s'\n\n", name);
  print_help(stderr);
  return USAGE;
}
