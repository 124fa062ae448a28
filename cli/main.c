/* The command line: a table of verbs. */
#include "cli.h"

static const verb *const verbs[] = { &verb_models, &verb_show,    &verb_simulate, &verb_drive,   &verb_identify,
                                     &verb_plan,   &verb_compare, &verb_loads,    &verb_gallery, &verb_joint };
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
    return verbs[i]->run(argc - 2, argv + 2);
  }
  fprintf(stderr, "bristle: there is no verb '%s'\n\n", name);
  print_help(stderr);
  return USAGE;
}
