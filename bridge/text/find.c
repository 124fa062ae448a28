/* The text of a law by its name. */
#include "texts.h"

#include <string.h>

const law_text *law_text_find(const char *name, int skewed)
{
  for (const law_text *t = law_texts; t->name; t++)
    if (!strcmp(t->name, name) && t->skewed == skewed) return t;
  return 0;
}
