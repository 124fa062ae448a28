#ifndef BRISTLE_CORE_NAME_H
#define BRISTLE_CORE_NAME_H

/* Is what somebody gave the name of a law? People write LuGre and Dahl, so that its case does not matter. */
static inline int is_name(const char *given, const char *name)
{
  if (!given) return 0;
  while (*name) {
    const char c = *given >= 'A' && *given <= 'Z' ? (char)(*given - 'A' + 'a') : *given;
    if (c != *name) return 0;
    given++, name++;
  }
  return !*given;
}

#endif
