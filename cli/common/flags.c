/* The library names options; the tool names its flags. */
#include "cli.h"

/* the flag of an option, in `flag`; 0: no verb has it */
static int find_flag(const char *name, size_t length, char flag[32])
{
  listed_option list[MOST_OPTIONS];
  if (length + 3 > 32) return 0;
  snprintf(flag, 32, "--%.*s", (int)length, name);
  for (char *c = flag; *c; c++)
    if (*c == '_') *c = '-';
  for (int i = 0; i < verb_count; i++)
    for (int k = verb_options(verbs[i], list) - 1; k >= 0; k--)
      if (!strcmp(list[k].row->name, flag)) return 1;
  return 0;
}

/* puts `to`, which is not longer, in the place of what is there */
static void put(char *at, size_t length, const char *to)
{
  const size_t size = strlen(to);
  memmove(at + size, at + length, strlen(at + length) + 1);
  memcpy(at, to, size);
}

void words_as_flags(char *text, size_t size)
{
  static const char *const verbs_too[][2] = {
    { "an identification with option objective robust", "`bristle identify --objective robust`" },
    { "identification with option free_decay", "`bristle identify --free-decay`" },
  };
  static const char word[] = "option ";
  char flag[32];
  (void)size; /* it only becomes shorter */
  for (size_t i = 0; i < sizeof verbs_too / sizeof *verbs_too; i++) {
    char *at = strstr(text, verbs_too[i][0]);
    if (at) put(at, strlen(verbs_too[i][0]), verbs_too[i][1]);
  }
  for (char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
    const char *name = at + strlen(word);
    const size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyz_");
    if (length && find_flag(name, length, flag)) put(at, strlen(word) + length, flag);
  }
}
