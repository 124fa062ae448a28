/* Coupled steps of a batch, side by side: what does not depend on the law. Every contact runs its own search
 * (search.h), bit for bit the one it would run alone; one that has ended stays as it is until its whole group has.
 *
 * A stretch of a batch goes through passes, each a loop over lanes: the law's `begin` (model_lanes.h) says where
 * searches start; then the law's `evaluate` and `lanes_decide` take turns; `lanes_end` writes what came
 * out. Passes are short on purpose: a processor sees a few hundred instructions ahead, and works on several groups at a
 * time only if they fit in there. */
#ifndef BRISTLE_LANES_H
#define BRISTLE_LANES_H

#include "core/search.h"

/* Coupled steps side by side pay where a register holds several numbers, and take tens of kilobytes of stack: nothing
   for microcontrollers. */
#if defined(__x86_64__) || defined(__aarch64__) || defined(__wasm_simd128__)
#define BRISTLE_LANES 1
#else
#define BRISTLE_LANES 0
#endif

enum { ABREAST = 64 / sizeof(real), GROUPS = 12, TOGETHER = GROUPS * ABREAST };

typedef real lane_row[TOGETHER] __attribute__((aligned(64)));

typedef struct lanes {
  size_t count;      /* contacts of this stretch; the rest of the lanes idles */
  const real *v;     /* free velocities */
  int nstate, jumps; /* of the law */
  int decreed;       /* contacts may rest without a search (done); else rest is a first guess like any other */
  /* what each round leaves to the next takes turns in two or three rows */
  lane_row u[3], r[2], f[2];
  lane_row lo, hi, rise, secant, best, stalled, bracketed, done;
  lane_row d, r_lo, w, gain;
  lane_row u_end, f_end, part;
  lane_row *t[2], *t_end; /* states: nstate rows each */
  int open[GROUPS];       /* groups that are searching */
} lanes;

/* Which groups have something to search for? Each of these returns how many are left. */
int BRISTLE_TYPED(lanes_begin)(lanes *m);
/* One evaluation of every search is in u[round % 3], r, f and t[round % 2]. The first was at u_end, and is in f_end and
   t_end unless rest is by decree. */
int BRISTLE_TYPED(lanes_decide)(lanes *m, int round);
/* Forces, end velocities (or NULL) and states; a state's row begins every `stride` numbers. */
void BRISTLE_TYPED(lanes_end)(const lanes *m, real *force, real *v_end, real *s, size_t stride);

#endif
