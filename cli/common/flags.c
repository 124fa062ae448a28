/* The library names options; the tool names its flags, the playground its controls. */
#include "cli.h"

#include <ctype.h>
#include <stdlib.h>

/* the flag of an option, in `flag`; 0: no verb has it */
static int find_flag(const char *name, size_t length, char flag[120])
{
  listed_option list[MOST_OPTIONS];
  if (length + 3 > 32) return 0;
  snprintf(flag, 120, "--%.*s", (int)length, name);
  for (char *c = flag; *c; c++)
    if (*c == '_') *c = '-';
  for (int i = 0; i < verb_count; i++)
    for (int k = verb_options(verbs[i], list) - 1; k >= 0; k--)
      if (!strcmp(list[k].row->name, flag)) return 1;
  return 0;
}

/* puts `to` in the place of what is there, as far as there is room */
static char *put(char *text, size_t size, char *at, size_t length, const char *to)
{
  const size_t place = (size_t)(at - text), rest = strlen(at + length) + 1, room = strlen(to);
  if (place + room + rest > size) return at + length;
  memmove(at + room, at + length, rest);
  memcpy(at, to, room);
  return at + room;
}

/* ---- the playground, whose users have lists and buttons ---- */

int is_in_browser(void) { return getenv("BRISTLE_BROWSER") != NULL; }

/* what of "force 'NAME*-1'" belongs to the option beside its name: a text in quotes, a NAME */
static size_t value_length(const char *at)
{
  if (*at != ' ') return 0;
  if (at[1] == '\'') return strcspn(at + 2, "'") + (strchr(at + 2, '\'') ? 3 : 2);
  const size_t length = strspn(at + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return length && !islower((unsigned char)at[1 + length]) ? 1 + length : 0;
}

/* the control for an option and its value; returns how much of the text at `name` it stands for */
static size_t find_control(const char *name, size_t length, char control[120])
{
  static const char *const controls[][2] = { { "mass free", "mass “unknown: find it”" },
                                             { "mass none", "mass “none”" },
                                             { "mass", "the mass" },
                                             { "model", "other laws to try" },
                                             { "time", "another column for the time" },
                                             { "position", "another column for the position" },
                                             { "velocity", "another column for the velocity" },
                                             { "force", "another column for the force" } };
  const size_t value = value_length(name + length), factor = value ? strcspn(name + length, "*") : 0;
  if (factor < value) { /* "force 'current*35 N'" */
    snprintf(control, 120, "the column “%.*s”, one unit of which makes %.*s", (int)(factor - 2 < 40 ? factor - 2 : 40),
             name + length + 2, (int)(value - factor - 2 < 20 ? value - factor - 2 : 20), name + length + factor + 1);
    return length + value;
  }
  for (size_t i = 0; i < sizeof controls / sizeof *controls; i++) {
    const size_t all = strlen(controls[i][0]);
    if (strncmp(name, controls[i][0], all) != 0 || all < length) continue;
    snprintf(control, 120, "%s", controls[i][1]);
    return all + value_length(name + all);
  }
  snprintf(control, 120, "“%.*s” of the command line tool", length < 30 ? (int)length : 30, name);
  return length + value_length(name + length);
}

/* ---- sentences ---- */

static const char word[] = "option ";

void words_as_flags(char *text, size_t size)
{
  static const char *const verbs_too[][2] = {
    { "an identification with option objective robust", "`bristle identify --objective robust`" },
    { "identification with option free_decay", "`bristle identify --free-decay`" },
  };
  const int browser = is_in_browser();
  char shown[120];
  for (size_t i = 0; i < sizeof verbs_too / sizeof *verbs_too && !browser; i++) {
    char *at = strstr(text, verbs_too[i][0]);
    if (at) put(text, size, at, strlen(verbs_too[i][0]), verbs_too[i][1]);
  }
  for (char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
    const char *name = at + strlen(word);
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz_");
    if (!length || !find_flag(name, length, shown)) continue;
    const size_t all = browser ? find_control(name, length, shown) : length;
    put(text, size, at, strlen(word) + all, shown);
  }
}
