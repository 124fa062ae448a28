/* A law's entry points (BRISTLE_FINISH) for one instruction set, named by BRISTLE_SET: only its loops over a batch are
   used, and the linker drops the rest. See lean_entry.h. */
#undef SYMBOL
#define SYMBOL BRISTLE_CAT(BRISTLE_CAT(MODEL, _), BRISTLE_SET)
#include "core/couple.h"

/* contact by contact is for odd ends here: small, not fast */
static real ROLE(step)(const real *p, real *s, const input *in, real *v_end) __attribute__((cold, noinline));
static real ROLE(eval_entry)(const real *p, const real *s, const input *in, real *rate) __attribute__((cold, noinline));
#include "core/model_plain.h"

#define LOOP(what) BRISTLE_TYPED(BRISTLE_CAT(BRISTLE_CAT(bristle_, SYMBOL), what))
void LOOP(_step_n)(const batch *b);
void LOOP(_eval_n)(const batch *b);
void LOOP(_step_n)(const batch *b) { ROLE(step_n)(b); }
void LOOP(_eval_n)(const batch *b) { ROLE(eval_n)(b); }
