/* Words for a terminal that can show more than ASCII. */
#include "cli.h"

#include "platform/platform.h"

#include <ctype.h>

static platform_memory kept;

FILE *words_open(FILE *out)
{
  FILE *words = platform_shows_symbols(out) ? platform_memory_open(&kept) : NULL;
  return words ? words : out;
}

/* the law that leads is green, what makes a result doubtful red, what to know before it is used yellow */
static const char *colour_of(const char *line)
{
  static const char *const yellow[] = { "note:", "warning:", "not represented:" };
  const size_t length = strcspn(line, "\n");
  char text[400];
  snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), line);
  const char *const first = text + strspn(text, " ");
  if (text[0] == '*' && text[1] == ' ') return "\x1b[1;32m";
  if (strstr(text, "Do not use") || strstr(text, "do not use")) return "\x1b[1;31m";
  for (size_t i = 0; i < sizeof yellow / sizeof *yellow; i++)
    if (!strncmp(first, yellow[i], strlen(yellow[i]))) return "\x1b[33m";
  return strstr(text, "not determined") ? "\x1b[33m" : NULL;
}

void words_close(FILE *words, FILE *out)
{
  if (words == out || platform_memory_close(&kept)) return;
  const int colours = shows_colours(out);
  const char *colour = NULL;
  for (const char *at = kept.text; *at; at++) {
    if (colours && (at == kept.text || at[-1] == '\n') && (colour = colour_of(at))) fputs(colour, out);
    if (colour && *at == '\n') fputs("\x1b[0m", out), colour = NULL;
    const int begins = at == kept.text || !isalnum((unsigned char)at[-1]);
    if (begins && !strncmp(at, "+-", 2) && at[2] != '-') fputs("\xc2\xb1", out), at++;
    else if (begins && !strncmp(at, "um", 2) && !isalnum((unsigned char)at[2])) fputs("\xc2\xb5m", out), at++;
    else putc(*at, out);
  }
  free(kept.text);
}
