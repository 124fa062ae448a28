/* The descriptor of a law in two or three dimensions; the counterpart of model_plain.h. */
#include "bristle/vector.h"

typedef BRISTLE_TYPED(bristle_vector_input) host_input;
typedef BRISTLE_TYPED(bristle_vector_batch) host_batch;

FN vec v_from(const real *a)
{
  vec r;
  EACH(i) r.c[i] = a[i];
  return r;
}

FN void v_to(vec a, real *out) { EACH(i) out[i] = a.c[i]; }

FN input ROLE(host)(const host_input *in)
{
  input k;
  k.v = v_from(in->v);
  k.n = in->n;
  k.f = v_from(in->f);
  EACH(i) EACH(j) k.w[i][j] = in->w[i][j];
  k.h = in->h;
  k.load = in->load;
  return k;
}

static void ROLE(eval_entry)(const real *p, const real *s, const host_input *in, real *force, real *rate)
{
  params q;
  input k, host = ROLE(host)(in);
  state none = { 0 }, none_rate;
  const real gain = ROLE(apply_load)((const params *)p, &host, &q, &k);
  v_to(v_scale(gain,
               ROLE(eval)(&q, ROLE(nstate) ? (const state *)s : &none, &k, ROLE(nstate) ? (state *)rate : &none_rate)),
       force);
}

static void ROLE(step)(const real *p, real *s, const host_input *in, real *force, real *v_end)
{
  params q;
  input k, host = ROLE(host)(in);
  state none = { 0 };
  vec v;
  const real gain = ROLE(apply_load)((const params *)p, &host, &q, &k);
  v_to(v_scale(gain, ROLE(couple)(&q, ROLE(nstate) ? (state *)s : &none, &k, &v)), force);
  if (v_end) v_to(v, v_end);
}

static void ROLE(steady_entry)(const real *p, const host_input *in, real *force)
{
  params q;
  input k, host = ROLE(host)(in);
  const real gain = ROLE(apply_load)((const params *)p, &host, &q, &k);
  v_to(v_scale(gain, ROLE(steady)(&q, &k)), force);
}

static real ROLE(energy_entry)(const real *p, const real *s, const host_input *in)
{
  params q;
  input k, host = ROLE(host)(in);
  state none = { 0 };
  const real gain = ROLE(apply_load)((const params *)p, &host, &q, &k);
  return gain * ROLE(energy)(&q, ROLE(nstate) ? (const state *)s : &none, &k);
}

static bristle_mode ROLE(mode_entry)(const real *p, const real *s, const host_input *in)
{
  params q;
  input k, host = ROLE(host)(in);
  state none = { 0 };
  ROLE(apply_load)((const params *)p, &host, &q, &k);
  return ROLE(mode)(&q, ROLE(nstate) ? (const state *)s : &none, &k);
}

/* ---- states in a frame that turns ---- */

FN void v_turn(real *z, const real r[3][3])
{
  vec a = v_from(z);
  EACH(i)
  {
    z[i] = 0;
    EACH(j) z[i] += r[i][j] * a.c[j];
  }
}

FN void v_flatten(real *z, const real normal[3])
{
  real along = 0;
  if (BRISTLE_DIM < 3) return; /* two-dimensional laws live in their plane */
  EACH(i) along += z[i] * normal[i];
  EACH(i) z[i] -= along * normal[i];
}

#define EACH_SPATIAL(name, kind, what)                                                               \
  for (size_t i_ = 0; BRISTLE_ROW_##kind == BRISTLE_ROW_FLOW && i_ < sizeof(t->name) / (sizeof(vec)); i_++) {   \
    real *z = (real *)&t->name + i_ * BRISTLE_DIM;                                                   \
    what;                                                                                            \
  }
#define S_TURN(name, unit, kind, doc) EACH_SPATIAL(name, kind, v_turn(z, r))
#define SV_TURN(name, size, unit, kind, doc) EACH_SPATIAL(name, kind, v_turn(z, r))
#define S_FLATTEN(name, unit, kind, doc) EACH_SPATIAL(name, kind, v_flatten(z, normal))
#define SV_FLATTEN(name, size, unit, kind, doc) EACH_SPATIAL(name, kind, v_flatten(z, normal))

static void ROLE(rotate)(real *s, const real r[3][3])
{
  state *t = (state *)s;
  STATES(S_TURN, SV_TURN)
  (void)t, (void)r;
}

static void ROLE(project)(real *s, const real normal[3])
{
  state *t = (state *)s;
  STATES(S_FLATTEN, SV_FLATTEN)
  (void)t, (void)normal;
}

/* ---- batches ---- */

#include "core/batch.h"

/* contact number `at` of a batch; returns the gain of the load */
FN real ROLE(take)(const host_batch *b, const params *p, size_t at, int common, int loaded, params *scaled, state *s,
                   input *k)
{
  const size_t count = b->count;
  params q = *p;
  input in;
  if (common) { COMMON(COMMON_SET) }
  for (int j = 0; j < ROLE(nstate); j++) ((real *)s)[j] = b->s[(size_t)j * count + at];
  EACH(i)
  {
    in.v.c[i] = b->v[(size_t)i * count + at];
    in.f.c[i] = 0;
    EACH(j) in.w[i][j] = 0;
  }
  in.n = loaded ? b->n[at] : K(1);
  in.h = b->h;
  in.load = b->load;
  return ROLE(apply_load)(&q, &in, scaled, k);
}

FN void ROLE(give)(const host_batch *b, size_t at, const state *s, vec f)
{
  EACH(i) b->f[(size_t)i * b->count + at] = f.c[i];
  for (int j = 0; j < ROLE(nstate); j++) b->s[(size_t)j * b->count + at] = ((const real *)s)[j];
}

#ifndef PASSES
FN vec ROLE(move_one)(const params *p, state *s, const input *in) { return ROLE(move)(p, s, in); }

FN void ROLE(loop)(const host_batch *batch, int common, int loaded)
{
  const host_batch b = *batch; /* copies: nothing that is written can change them */
  const params shared = *(const params *)b.p;
  BRISTLE_INDEPENDENT
  for (size_t at = 0; at < b.count; at++) {
    params q;
    state s;
    input k;
    const real gain = ROLE(take)(&b, &shared, at, common, loaded, &q, &s, &k);
    ROLE(give)(&b, at, &s, v_scale(gain, ROLE(move_one)(&q, &s, &k)));
  }
}
#else
/* A law whose step is one long chain of operations cuts it into passes: a processor sees only about a hundred
   instructions ahead, and only if several contacts fit into these does it work on more than one at a time. */
enum { BLOCK = 32 };
#define RELAY_ROW(name) real name[BLOCK];
typedef struct relay_rows {
  RELAY(RELAY_ROW)
} relay_rows;
#define RELAY_TAKE(name) t.name = rows.name[i];
#define RELAY_GIVE(name) rows.name[i] = t.name;
#define PASS_LOOP(before, name, after)                                                               \
  BRISTLE_INDEPENDENT                                                                                \
  for (size_t i = 0; i < size; i++) {                                                                \
    params q;                                                                                        \
    state s;                                                                                         \
    input k;                                                                                         \
    relay t;                                                                                         \
    const real gain = ROLE(take)(&b, &shared, first + i, common, loaded, &q, &s, &k);                \
    (void)gain;                                                                                      \
    before name(&q, &s, &k, &t);                                                                     \
    after                                                                                            \
  }
#define PASS_FIRST(name) PASS_LOOP(, ROLE(name), RELAY_START(RELAY_GIVE))
#define PASS_EVERY(name) PASS_LOOP(RELAY(RELAY_TAKE), ROLE(name), RELAY(RELAY_GIVE))
#define PASS_LAST(name)                                                                              \
  PASS_LOOP(RELAY(RELAY_TAKE) const vec f =, ROLE(name), ROLE(give)(&b, first + i, &s, v_scale(gain, f));)
/* unaffected contacts come out as they went in: leaving a block out changes no bit */
#define PASS_NEGATIVE(name, field)                                                                   \
  any = 0;                                                                                           \
  for (size_t i = 0; i < size; i++) any |= rows.field[i] < K(0);                                     \
  if (any) PASS_EVERY(name)

/* the same for one contact */
#define ONE_PASS(name) ROLE(name)(p, s, in, &t);
#define ONE_NEGATIVE(name, field)                                                                    \
  if (t.field < K(0)) ROLE(name)(p, s, in, &t);
#define ONE_LAST(name) return ROLE(name)(p, s, in, &t);

FN vec ROLE(move_one)(const params *p, state *s, const input *in)
{
  relay t;
  PASSES(ONE_PASS, ONE_PASS, ONE_NEGATIVE, ONE_LAST)
}

FN void ROLE(loop)(const host_batch *batch, int common, int loaded)
{
  const host_batch b = *batch;
  const params shared = *(const params *)b.p;
  for (size_t first = 0; first < b.count; first += BLOCK) {
    const size_t size = b.count - first < BLOCK ? b.count - first : BLOCK;
    relay_rows rows;
    int any;
    PASSES(PASS_FIRST, PASS_EVERY, PASS_NEGATIVE, PASS_LAST)
  }
}
#endif

FN void ROLE(common)(const host_batch *b)
{
  if (b->n) ROLE(loop)(b, 1, 1);
  else ROLE(loop)(b, 1, 0);
}
#define COMMON_LOOP(name, nothing, target) target static void ROLE(common_##name)(const host_batch *b) { ROLE(common)(b); }
#define COMMON_ROW(name, nothing, target) ROLE(common_##name),
EACH_PROCESSOR(COMMON_LOOP, n, )

/* per-contact parameters, unusual ones, or a processor without loops: contact by contact */
static void ROLE(general_n)(const host_batch *b)
{
  for (size_t at = 0; at < b->count; at++) {
    params p, q;
    state s;
    input k;
    for (size_t j = 0; j < ROLE(nparam); j++) ((real *)&p)[j] = b->per_contact ? b->p[j * b->count + at] : b->p[j];
    const real gain = ROLE(take)(b, &p, at, 0, b->n != NULL, &q, &s, &k);
    ROLE(give)(b, at, &s, v_scale(gain, ROLE(move_one)(&q, &s, &k)));
  }
}

static void ROLE(step_n)(const host_batch *b)
{
  typedef void common_n(const host_batch *);
  static common_n *const all[] = { EACH_PROCESSOR(COMMON_ROW, n, ) };
  common_n *const *const loop = PROCESSOR_OF(all);
  if (loop && !b->per_contact && ROLE(is_common)((const params *)b->p)) (*loop)(b);
  else ROLE(general_n)(b);
}

#include "core/model_tables.h"
#include "core/model_rules.h"

#define VECTOR_NAME(model) BRISTLE_CAT(BRISTLE_CAT(bristle_, model), BRISTLE_CAT(_vector, BRISTLE_DIM))
#define DESCRIPTOR BRISTLE_TYPED(VECTOR_NAME(MODEL))
extern const BRISTLE_TYPED(bristle_vector_model) DESCRIPTOR;
const BRISTLE_TYPED(bristle_vector_model) DESCRIPTOR = {
  .info = &ROLE(info),
  .dim = BRISTLE_DIM,
  .eval = ROLE(eval_entry),
  .step = ROLE(step),
  .steady = ROLE(steady_entry),
  .energy = ROLE(energy_entry),
  .mode = ROLE(mode_entry),
  .rotate = ROLE(rotate),
  .project = ROLE(project),
  .step_n = ROLE(step_n),
#if !BRISTLE_F32
  .rules = ROLE(rules),
#endif
};
