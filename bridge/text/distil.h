/* Preprocessed C, made readable: what is needed of it, with its comments. */
#ifndef BRIDGE_DISTIL_H
#define BRIDGE_DISTIL_H

/* Writes out what the preprocessor left of constants, load forms and choices between lanes. NULL without memory; the
   result belongs to the caller, as below. */
char *distil_tidy(const char *text);

/* The definitions that the named functions and types need, in their order, each with the comment before it. `given`
   are names that somebody else defines. Both lists end with NULL. */
char *distil(const char *text, const char *const *roots, const char *const *given);

/* The comment that a file begins with. */
char *distil_head(const char *text);

#endif
