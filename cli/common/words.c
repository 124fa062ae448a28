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

void words_close(FILE *words, FILE *out)
{
  if (words == out || platform_memory_close(&kept)) return;
  for (const char *at = kept.text; *at; at++) {
    const int begins = at == kept.text || !isalnum((unsigned char)at[-1]);
    if (begins && !strncmp(at, "+-", 2) && at[2] != '-') fputs("\xc2\xb1", out), at++;
    else if (begins && !strncmp(at, "um", 2) && !isalnum((unsigned char)at[2])) fputs("\xc2\xb5m", out), at++;
    else putc(*at, out);
  }
  free(kept.text);
}
