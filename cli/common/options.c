/* Reads the arguments of a verb by its tables. */
#include "cli.h"

#include "io/support.h"

static char command[600];

const char *verb_command(void) { return command; }

static void note_command(int argc, char **argv)
{
  size_t used = 0;
  command[0] = '\0';
  for (int i = 0; i < argc && used < sizeof command; i++) {
    const char *quote = strpbrk(argv[i], " *#|&;()<>$") ? "'" : "";
    used = text_append(command, sizeof command, used, "%s%s%s%s", i ? " " : "", quote, argv[i], quote);
  }
}

static int add_options(const option *rows, size_t base, const char *group, listed_option *list, int count)
{
  for (const option *o = rows; o && (o->name || o->group || o->table); o++) {
    if (o->group) group = o->group;
    else if (o->table) count = add_options(o->table, base + o->place, group, list, count);
    else if (count < MOST_OPTIONS) list[count++] = (listed_option){ o, base, group };
  }
  return count;
}

int verb_options(const verb *v, listed_option list[MOST_OPTIONS]) { return add_options(v->options, 0, NULL, list, 0); }

/* ---- values ---- */

static int put_text(const option *o, const char **to, const char *value)
{
  int at = 0;
  if (!o->most) {
    if (*to) return usage_error("one %s at a time; got '%s' and '%s'", o->noun, *to, value);
    *to = value;
    return DONE;
  }
  while (at < o->most && to[at]) at++;
  if (at == o->most) return usage_error("at most %d %s", o->most, o->noun ? o->noun : o->name);
  to[at] = value;
  return DONE;
}

int read_quantity(const option *o, const char *value, double *to)
{
  bristle_fault fault;
  if (bristle_quantity_read(value, strlen(value), o->unit, to, NULL, &fault))
    return usage_error("%s %s: %s", o->name, value, fault.what);
  if (!o->range || *to > 0) return DONE;
  return usage_error("%s %s: expected %s", o->name, value, o->range);
}

static int read_integer(const option *o, const char *value, long long *to)
{
  char *end;
  *to = strtoll(value, &end, 10);
  if (*value && !*end && *to >= o->least) return DONE;
  return usage_error("%s needs a whole number of at least %lld, got '%s'", o->name, o->least, value);
}

static int read_choice(const option *o, const char *value, int *to)
{
  char list[120] = "";
  size_t used = 0, length, after;
  if ((*to = 1 + word_find(o->argument, value, strlen(value)))) return DONE;
  for (int k = 0; used < sizeof list; k++) {
    const char *word = word_at(o->argument, k, &length);
    if (!length) break;
    word_at(o->argument, k + 1, &after);
    used = text_append(list, sizeof list, used, "%s%.*s", !k ? "" : after ? ", " : " or ", (int)length, word);
  }
  return usage_error("%s is %s, not '%s'", o->name, list, value);
}

static int take(const listed_option *l, void *request, const char *value)
{
  const option *o = l->row;
  void *to = (char *)request + l->base + o->place;
  switch (o->kind) {
  case OPTION_SWITCH:
    *(int *)to = 1;
    return DONE;
  case OPTION_QUANTITY:
    return read_quantity(o, value, to);
  case OPTION_WHOLE:
    return read_integer(o, value, to);
  case OPTION_CHOICE:
    return read_choice(o, value, to);
  case OPTION_CALL:
    return o->read((char *)request + l->base, o, value);
  default:
    return put_text(o, to, value);
  }
}

/* ---- arguments ---- */

static int unknown_option(const listed_option *list, int count, const char *name)
{
  char names[40 * MOST_OPTIONS];
  size_t used = 0;
  for (int k = 0; k < count; k++)
    used = text_append(names, sizeof names, used, "%s%s", k ? "|" : "",
                       list[k].row->name + strspn(list[k].row->name, "-"));
  const char *bare = name + strspn(name, "-"); /* dashes are no likeness */
  const int near = count ? word_nearest(names, bare, strlen(bare)) : -1;
  if (near < 0) return usage_error("'%s' is not an option of this verb", name);
  return usage_error("'%s' is not an option of this verb; did you mean '%s'?", name, list[near].row->name);
}

/* argv[*i] and perhaps the next: an option with or without its value, or an argument */
static int take_argument(const verb *v, const listed_option *list, int count, int *given, void *request, int argc,
                         char **argv, int *i)
{
  char *word = argv[*i], name[80];
  if (word[0] != '-' || !word[1]) {
    const listed_option argument = { &v->argument, 0, NULL };
    if (!v->argument.name) return usage_error("'%s' is not an option of this verb", word);
    return take(&argument, request, word);
  }
  const char *equals = strchr(word, '='), *value = equals ? equals + 1 : NULL;
  snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - word : (long)strlen(word)), word);
  int k = 0;
  while (k < count && strcmp(list[k].row->name, name) && (!list[k].row->also || strcmp(list[k].row->also, name))) k++;
  if (k == count) return unknown_option(list, count, name);
  const option *o = list[k].row;
  if (given[k]++ && !o->most && !o->repeats) return usage_error("'%s' is given twice", o->name);
  if (!o->argument) return value ? usage_error("'%s' takes no value", name) : take(&list[k], request, NULL);
  /* the next option is no value: `--report --json` would write a file named --json */
  if (!value && *i + 1 < argc && strncmp(argv[*i + 1], "--", 2)) value = argv[++*i];
  if (value) return take(&list[k], request, value);
  return usage_error("'%s' needs %s", name,
                     o->kind >= OPTION_FILE && o->kind <= OPTION_RESULT && o->kind != OPTION_LAW ? "the name of a file"
                                                                                                 : "a value");
}

/* ---- all of them ---- */

static int is_output(const option *o) { return o->kind >= OPTION_TABLE && o->kind <= OPTION_RESULT; }

static const char *text_of(const listed_option *l, const void *request)
{
  return *(const char *const *)((const char *)request + l->base + l->row->place);
}

static int option_is_given(const listed_option *list, int count, const int *given, const char *name)
{
  for (int k = 0; k < count; k++)
    if (!strcmp(list[k].row->name, name)) return given[k];
  return 0;
}

static int check_together(const verb *v, const listed_option *list, int count, const int *given, const void *request)
{
  for (const option_conflict *c = v->conflicts; c && c->one; c++)
    if (option_is_given(list, count, given, c->one) && option_is_given(list, count, given, c->other))
      return usage_error("%s does not go with %s%s", c->one, c->other, c->why);
  for (int k = 0; k < count; k++) {
    const option *o = list[k].row;
    if (given[k] && o->with && !option_is_given(list, count, given, o->with))
      return usage_error("%s goes with %s", o->name, o->with);
    if (o->ask && !given[k]) return usage_error("%s", o->ask);
    if (is_output(o) && given[k] && !strcmp(text_of(&list[k], request), "-")
        && option_is_given(list, count, given, "--json"))
      return usage_error("--json and %s - would both write to the standard output", o->name);
  }
  return DONE;
}

static int reserve_outputs(const listed_option *list, int count, const void *request)
{
  static const bristle_output_kind kinds[] = { BRISTLE_OUTPUT_TABLE, BRISTLE_OUTPUT_PAGE, BRISTLE_OUTPUT_DOCUMENT,
                                               BRISTLE_OUTPUT_SWEEP };
  int code = DONE;
  for (int k = 0; k < count && !code; k++)
    if (is_output(list[k].row))
      code = reserve_output(text_of(&list[k], request), kinds[list[k].row->kind - OPTION_TABLE]);
  return code;
}

static int fill_request(const verb *v, const listed_option *list, int count, void *request, int argc, char **argv)
{
  int given[MOST_OPTIONS] = { 0 }, code = DONE;
  for (int k = 0; k < count && !code; k++)
    if (list[k].row->usual && list[k].row->kind >= OPTION_QUANTITY && list[k].row->kind < OPTION_CALL)
      code = take(&list[k], request, list[k].row->usual);
  for (int i = 0; i < argc && !code; i++) code = take_argument(v, list, count, given, request, argc, argv, &i);
  if (!code && v->argument.ask && !*(const char **)((char *)request + v->argument.place))
    code = usage_error("%s", v->argument.ask);
  if (!code) code = check_together(v, list, count, given, request);
  if (!code && v->check) code = v->check(request);
  return code ? code : reserve_outputs(list, count, request);
}

int verb_main(const verb *v, int argc, char **argv)
{
  listed_option list[MOST_OPTIONS];
  const int count = verb_options(v, list);
  void *request = calloc(1, v->request + 1);
  if (!request) return no_memory();
  running_verb = v->name;
  note_command(argc, argv);
  int code = fill_request(v, list, count, request, argc, argv);
  if (!code) code = v->run(request);
  if (v->clear) v->clear(request);
  free(request);
  return code;
}
