/* Effects of friction, each measured on a law: which law shows which. */
#ifndef ATLAS_EFFECTS_H
#define ATLAS_EFFECTS_H

#include "probe.h"

typedef struct effect {
  const char *name;  /* of the column */
  const char *title; /* a few words */
  const char *how;   /* what is done and what is compared */
  const char *unit;  /* of the number */
  double (*measure)(const subject *of);
  double limit;  /* the effect is there above it, */
  int below;     /* or, where this is set, below it; */
  double nearly; /* and nearly there below this, where it is not 0 */
} effect;

typedef enum effect_grade { EFFECT_NO, EFFECT_NEARLY, EFFECT_YES } effect_grade;

extern const effect effects[];
extern const int effect_count;

effect_grade effect_shown(const effect *e, double number);
const char *effect_word(effect_grade grade); /* no, nearly, yes */

/* The laws of the comparison, some a second time with a parameter that switches an effect on. */
typedef struct variant {
  const char *law, *parameter;
  double value;
} variant;

extern const variant variants[];
extern const int variant_count;

/* "dahl", or "startstop fs_inf=1.5"; 0 where the name is none */
int subject_named(const char *name, subject *out);
int comparison_count(void);
void comparison_name(int index, char *text, int size);

#endif
