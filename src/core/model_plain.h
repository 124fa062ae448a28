/* The descriptor of a law in plain numbers: scalar entry points, batch loops, tables, rules. */

/* ---- scalar entry points ---- */

static real ROLE(eval_entry)(const real *p, const real *s, const input *in, real *rate)
{
  params q;
  input k;
  state none = { 0 }, none_rate;
  const real gain = ROLE(apply_load)((const params *)p, in, &q, &k);
  return gain * ROLE(eval)(&q, ROLE(nstate) ? (const state *)s : &none, &k, ROLE(nstate) ? (state *)rate : &none_rate);
}

static real ROLE(step)(const real *p, real *s, const input *in, real *v_end)
{
  params q;
  input k;
  state none = { 0 };
  real v;
  const real gain = ROLE(apply_load)((const params *)p, in, &q, &k);
  const real f = ROLE(couple)(&q, ROLE(nstate) ? (state *)s : &none, &k, &v);
  if (v_end) *v_end = v;
  return gain * f;
}

static real ROLE(steady_entry)(const real *p, const input *in)
{
  params q;
  input k;
  const real gain = ROLE(apply_load)((const params *)p, in, &q, &k);
  return gain * ROLE(steady)(&q, &k);
}

static real ROLE(energy_entry)(const real *p, const real *s, const input *in)
{
  params q;
  input k;
  state none = { 0 };
  const real gain = ROLE(apply_load)((const params *)p, in, &q, &k);
  return gain * ROLE(energy)(&q, ROLE(nstate) ? (const state *)s : &none, &k);
}

static bristle_mode ROLE(mode_entry)(const real *p, const real *s, const input *in)
{
  params q;
  input k;
  state none = { 0 };
  ROLE(apply_load)((const params *)p, in, &q, &k);
  return ROLE(mode)(&q, ROLE(nstate) ? (const state *)s : &none, &k);
}

/* ---- batches ---- */

#include "core/batch.h"

enum { BLOCK = 256 };
typedef BRISTLE_TYPED(bristle_batch) batch;
typedef struct lane_source { /* one block of a batch; optional inputs point to constants */
  const real *v, *x, *n;
} lane_source;

#define FIELD_AT(type, name) (offsetof(type, name) / sizeof(real))
#define P_GATHER(name, ...) q.name = b->p[FIELD_AT(params, name) * b->count + at];
#define V_GATHER(name, size, ...)                                                                    \
  for (size_t i_ = 0; i_ < (size); i_++) q.name[i_] = b->p[(FIELD_AT(params, name) + i_) * b->count + at];
#define S_GATHER(name, ...) s.name = b->s[FIELD_AT(state, name) * b->count + at];
#define SV_GATHER(name, size, ...)                                                                   \
  for (size_t i_ = 0; i_ < (size); i_++) s.name[i_] = b->s[(FIELD_AT(state, name) + i_) * b->count + at];
#define S_SCATTER(name, ...) out[FIELD_AT(state, name) * b->count + at] = s.name;
#define SV_SCATTER(name, size, ...)                                                                  \
  for (size_t i_ = 0; i_ < (size); i_++) out[(FIELD_AT(state, name) + i_) * b->count + at] = s.name[i_];

#ifndef HEAVY
/* one contact of a block after the load: k, p */
#define BLOCK_CONTACT(at)                                                                            \
  params q = shared, p;                                                                              \
  if (per_contact) { ALL_PARAMS(P_GATHER, V_GATHER) }                                                \
  if (common) { COMMON(COMMON_SET) }                                                                 \
  const input given = { in.v[at - from], in.x[at - from], in.n[at - from], 0, 0, 0, h, load };       \
  input k;                                                                                           \
  const real gain = ROLE(apply_load)(&q, &given, &p, &k);                                            \
  (void)gain;

/* The loop itself. Everything that is the same for all contacts of a batch is a constant argument, so each
   variant below compiles to straight-line code. */
FN void ROLE(block)(const batch *b, size_t from, size_t to, lane_source in, int stepping, int common, int per_contact,
                    bristle_load load)
{
  const params shared = *(const params *)b->p;
  real *const out = stepping ? b->s : b->rate;
  real *const force = b->f;
  const real h = b->h;
#ifdef SPLIT_STEP
  real ahead[BLOCK];
  BRISTLE_INDEPENDENT
  for (size_t at = from; stepping && at < to; at++) {
    BLOCK_CONTACT(at)
    ahead[at - from] = ROLE(ahead)(&p, &k);
  }
#endif
  BRISTLE_INDEPENDENT
  for (size_t at = from; at < to; at++) {
    BLOCK_CONTACT(at)
    state s;
    STATES(S_GATHER, SV_GATHER)
    if (stepping) {
#ifdef SPLIT_STEP
      force[at] = gain * ROLE(move_on)(&p, &s, &k, ahead[at - from]);
#else
      force[at] = gain * ROLE(move)(&p, &s, &k);
#endif
    } else {
      state rate;
      force[at] = gain * ROLE(eval)(&p, &s, &k, &rate);
      s = rate;
    }
    STATES(S_SCATTER, SV_SCATTER)
  }
  (void)out;
}

FN void ROLE(blocks)(const batch *b, int stepping, int common, int per_contact, bristle_load load)
{
  real zero[BLOCK], one[BLOCK]; /* filled only as far as a small batch needs them: solvers call with eight contacts */
  const size_t filled = b->count < BLOCK ? b->count : BLOCK;
  for (size_t i = 0; !b->x && i < filled; i++) zero[i] = 0;
  for (size_t i = 0; !b->n && i < filled; i++) one[i] = 1;
  for (size_t from = 0; from < b->count; from += BLOCK) {
    const size_t to = from + BLOCK < b->count ? from + BLOCK : b->count;
    lane_source in = { b->v + from, b->x ? b->x + from : zero, b->n ? b->n + from : one };
    ROLE(block)(b, from, to, in, stepping, common, per_contact, load);
  }
}

static int ROLE(all_common)(const batch *b)
{
  if (!b->per_contact) return ROLE(is_common)((const params *)b->p);
  for (size_t at = 0; at < b->count; at++) {
    params q;
    ALL_PARAMS(P_GATHER, V_GATHER)
    if (!ROLE(is_common)(&q)) return 0;
  }
  return 1;
}
#endif

/* Contact by contact: laws that do not vectorise, small batches, and what no loop is compiled for. */
static void ROLE(one_by_one)(const batch *b, int stepping)
{
  for (size_t at = 0; at < b->count; at++) {
    params q = *(const params *)b->p;
    if (b->per_contact) { ALL_PARAMS(P_GATHER, V_GATHER) }
    state s, rate;
    STATES(S_GATHER, SV_GATHER)
    input k = {
      b->v[at], b->x ? b->x[at] : 0, b->n ? b->n[at] : 1, 0, 0, stepping && b->w ? b->w[at] : 0, b->h, b->load
    };
    real *const out = stepping ? b->s : b->rate, v;
    if (stepping) {
      b->f[at] = ROLE(step)((const real *)&q, (real *)&s, &k, &v);
      if (b->v_end) b->v_end[at] = v;
    } else {
      b->f[at] = ROLE(eval_entry)((const real *)&q, (const real *)&s, &k, (real *)&rate);
      s = rate;
    }
    STATES(S_SCATTER, SV_SCATTER)
    (void)out;
  }
}

#ifdef HEAVY /* laws whose move is a loop of its own do not vectorise */
static void ROLE(eval_n)(const batch *b) { ROLE(one_by_one)(b, 0); }
static void ROLE(step_n)(const batch *b) { ROLE(one_by_one)(b, 1); }
#else

#include "core/model_lanes.h"

FN void ROLE(moves)(const batch *b, int common)
{
  if (HAS_COMMON && !common) ROLE(blocks)(b, 1, 0, 0, b->load);
  else if (b->per_contact) ROLE(blocks)(b, 1, 1, 1, b->load);
  else if (b->load == BRISTLE_LOAD_FORCE) ROLE(blocks)(b, 1, 1, 0, BRISTLE_LOAD_FORCE);
  else ROLE(blocks)(b, 1, 1, 0, b->load);
}

FN void ROLE(rates)(const batch *b, int common)
{
  if (!b->per_contact) ROLE(blocks)(b, 0, 1, 0, b->load);
  else if (!HAS_COMMON || common) ROLE(blocks)(b, 0, 1, 1, b->load);
  else ROLE(blocks)(b, 0, 0, 1, b->load);
}

/* Eight contacts at once with nothing left to decide: what solvers call that keep their columns in lanes. */
FN void ROLE(rates_8)(const batch *b)
{
  const lane_source in = { b->v, b->x, b->n };
  ROLE(block)(b, 0, 8, in, 0, 1, 0, BRISTLE_LOAD_FORCE);
}

typedef struct loops {
  void (*move)(const batch *, int), (*rates)(const batch *, int), (*rates_8)(const batch *);
} loops;
#define LOOPS_OF(name, nothing, target)                                                              \
  target static void ROLE(move_##name)(const batch *b, int common) { ROLE(moves)(b, common); }       \
  target static void ROLE(rates_##name)(const batch *b, int common) { ROLE(rates)(b, common); }      \
  target static void ROLE(rates_8_##name)(const batch *b) { ROLE(rates_8)(b); }
#define LOOPS_ROW(name, nothing, target) { ROLE(move_##name), ROLE(rates_##name), ROLE(rates_8_##name) },
EACH_PROCESSOR(LOOPS_OF, n, )
static const loops ROLE(all_loops)[] = { EACH_PROCESSOR(LOOPS_ROW, n, ) };

static void ROLE(eval_n)(const batch *b)
{
  const int common = ROLE(all_common)(b), shared = !b->per_contact;
  const loops *const loop = PROCESSOR_OF(ROLE(all_loops));
  if (!loop || (shared && !common)) ROLE(one_by_one)(b, 0); /* one unusual set for all */
  else if (common && shared && b->count == 8 && b->load == BRISTLE_LOAD_FORCE && b->x && b->n) loop->rates_8(b);
  else loop->rates(b, common);
}

static void ROLE(step_n)(const batch *b)
{
  const int common = ROLE(all_common)(b);
  const loops *const loop = PROCESSOR_OF(ROLE(all_loops));
  if (b->w || (!common && b->per_contact)) { /* prescribed motion goes with the coupled ones there, as w = 0 */
    ROLE(couple_n)(b, common);
    return;
  }
  if (!loop) {
    ROLE(one_by_one)(b, 1);
    return;
  }
  if (b->v_end)
    for (size_t at = 0; at < b->count; at++) b->v_end[at] = b->v[at];
  loop->move(b, common);
}
#endif

#include "core/model_tables.h"

#include "core/model_rules.h"

#if !BRISTLE_F32
#ifndef ADVICE
#define ADVICE(A)
#endif
#define p q
static int ROLE(advice)(const double *values, const bristle_input *in, bristle_breach *out, int max)
{
  const params *q = (const params *)values;
  int count = 0;
  ADVICE(BREACH)
  (void)q, (void)in, (void)out, (void)max;
  return count;
}
#undef p
#endif

#if BRISTLE_F32
#define RULES_OF_LAW
#else
#define RULES_OF_LAW .rules = ROLE(rules), .advice = ROLE(advice),
#endif
#define DESCRIBE(name, rates_of_many, steps_of_many)                                                 \
  extern const BRISTLE_TYPED(bristle_model) name;                                                    \
  const BRISTLE_TYPED(bristle_model) name = {                                                        \
    .info = &ROLE(info),                                                                             \
    .eval = ROLE(eval_entry),                                                                        \
    .step = ROLE(step),                                                                              \
    .steady = ROLE(steady_entry),                                                                    \
    .energy = ROLE(energy_entry),                                                                    \
    .mode = ROLE(mode_entry),                                                                        \
    .eval_n = rates_of_many,                                                                         \
    .step_n = steps_of_many,                                                                         \
    RULES_OF_LAW                                                                                     \
  };
DESCRIBE(BRISTLE_TYPED(BRISTLE_CAT(BRISTLE_CAT(bristle_, SYMBOL), _model)), ROLE(eval_n), ROLE(step_n))
