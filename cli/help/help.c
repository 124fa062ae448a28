/* bristle help: the manual, from the tables of the verbs. */
#include "help.h"

#include "common/cli.h"

typedef struct request {
  const char *name;
  int man, json, completion;
} request;

static void json_option(const option *o, const char *separator)
{
  static const char *const kinds[] = { "switch", "text",   "file",     "law",   "table",  "page", "document",
                                       "result", "folder", "quantity", "whole", "choice", "call" };
  const struct {
    const char *key, *text;
  } texts[] = { { "name", o->name },   { "also", o->also },        { "argument", o->argument },
                { "usual", o->usual }, { "kind", kinds[o->kind] }, { "help", o->help } };
  printf("%s\n        {", separator);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i].text) bristle_json_print(stdout, i ? ", %s: %s" : "%s: %s", texts[i].key, texts[i].text);
  bristle_json_print(stdout, ", 'repeats': %i}", o->most || o->repeats);
}

static void write_json(void)
{
  listed_option list[MOST_OPTIONS];
  printf("{\n  \"verbs\": [");
  for (int i = 0; i < verb_count; i++) {
    const int count = verb_options(verbs[i], list);
    bristle_json_print(stdout, "%c\n    {'name': %s, 'summary': %s, 'options': [", i ? ',' : 0, verbs[i]->name,
                       verbs[i]->summary);
    for (int k = 0; k < count; k++) json_option(list[k].row, k ? "," : "");
    printf("]}");
  }
  printf("\n  ]\n}\n");
}

static int run(void *asked)
{
  const request *q = asked;
  if (q->man) write_man_page(stdout);
  else if (q->json) write_json();
  else if (q->completion) write_completion(q->completion - 1, stdout);
  else if (!q->name) print_help(stdout);
  else {
    int k = 0;
    while (k < verb_count && strcmp(verbs[k]->name, q->name)) k++;
    if (k == verb_count) return usage_error("there is no verb '%s'; `bristle help` lists them", q->name);
    print_verb_help(verbs[k], stdout);
  }
  return finish_output(stdout);
}

static const option options[] = { { "--man", NULL, OPTION_SWITCH, IN(request, man),
                                    .help = "the manual page bristle.1" },
                                  { "--completion", "bash|zsh|fish", OPTION_CHOICE, IN(request, completion),
                                    .help = "the completion script of a shell" },
                                  OPTION_JSON(request, "the option tables of all verbs, as JSON"),
                                  OPTIONS_END };
static const option_conflict conflicts[] = {
  { "--man", "--json", "" }, { "--man", "--completion", "" }, { "--json", "--completion", "" }, { NULL, NULL, NULL }
};

const verb verb_help = {
  .name = "help",
  .summary = "explain a verb; the manual page, completion for shells",
  .usage = "[VERB]\n--man | --completion bash|zsh|fish | --json",
  .about = "Prints the help of a verb, the manual page, or the completion script of a shell.",
  .argument = { "VERB", NULL, OPTION_TEXT, IN(request, name), .help = "its name", .noun = "verb" },
  .options = options,
  .conflicts = conflicts,
  .examples = "bristle help simulate\nbristle help --completion bash > bristle.bash\n",
  .request = sizeof(request),
  .run = run,
};
