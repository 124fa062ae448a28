/* The texts that exports are made of: each law as C, and the frames around them. Made at build time. */
#ifndef BRIDGE_TEXTS_H
#define BRIDGE_TEXTS_H

typedef struct law_text {
  const char *name;
  const char *head;      /* the comment that the law's file begins with */
  const char *f64, *f32; /* C99: law_step, law_eval, law_steady, law_mode and what they need; f64: law_rules */
  const char *slopes;    /* C++17: law_slopes, the derivatives along one direction */
  int skewed;            /* with its own friction for each direction: two parameters more */
} law_text;

extern const law_text law_texts[];                           /* ends with a name NULL */
const law_text *law_text_find(const char *name, int skewed); /* NULL where this build has none */

#endif
