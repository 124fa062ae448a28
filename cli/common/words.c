/* Words for a terminal that can show more than ASCII. */
#include "cli.h"

#include <ctype.h>
#include <unistd.h>

static char *kept;
static size_t kept_size;

/* the locale of the terminal, which this program does not use otherwise: numbers shall not depend on it */
static int shows_symbols(FILE *out)
{
  static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
  if (!isatty(fileno(out))) return 0;
  for (int k = 0; k < 3; k++) {
    const char *value = getenv(names[k]);
    if (value && *value) return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
  }
  return 0;
}

FILE *words_open(FILE *out)
{
  FILE *words = shows_symbols(out) ? open_memstream(&kept, &kept_size) : NULL;
  return words ? words : out;
}

void words_close(FILE *words, FILE *out)
{
  if (words == out || fclose(words)) return;
  for (const char *at = kept; *at; at++) {
    const int begins = at == kept || !isalnum((unsigned char)at[-1]);
    if (begins && !strncmp(at, "+-", 2) && at[2] != '-') fputs("\xc2\xb1", out), at++;
    else if (begins && !strncmp(at, "um", 2) && !isalnum((unsigned char)at[2])) fputs("\xc2\xb5m", out), at++;
    else putc(*at, out);
  }
  free(kept);
}
