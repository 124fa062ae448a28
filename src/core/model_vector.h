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
  for (size_t i_ = 0; BRISTLE_##kind == BRISTLE_FLOW && i_ < sizeof(t->name) / (sizeof(vec)); i_++) {   \
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

FN void ROLE(loop)(const host_batch *b, int common, int loaded)
{
  const size_t count = b->count;
  const params shared = *(const params *)b->p;
  BRISTLE_INDEPENDENT
  for (size_t at = 0; at < count; at++) {
    params q = shared, scaled;
    state s;
    input k, in;
    if (common) { COMMON(COMMON_SET) }
    for (int j = 0; j < ROLE(nstate); j++) ((real *)&s)[j] = b->s[(size_t)j * count + at];
    EACH(i)
    {
      in.v.c[i] = b->v[(size_t)i * count + at];
      in.f.c[i] = 0;
      EACH(j) in.w[i][j] = 0;
    }
    in.n = loaded ? b->n[at] : K(1);
    in.h = b->h;
    in.load = b->load;
    const real gain = ROLE(apply_load)(&q, &in, &scaled, &k);
    const vec f = v_scale(gain, ROLE(move)(&scaled, &s, &k));
    EACH(i) b->f[(size_t)i * count + at] = f.c[i];
    for (int j = 0; j < ROLE(nstate); j++) b->s[(size_t)j * count + at] = ((real *)&s)[j];
  }
}

BRISTLE_CLONES static void ROLE(common_n)(const host_batch *b)
{
  if (b->n) ROLE(loop)(b, 1, 1);
  else ROLE(loop)(b, 1, 0);
}

/* per-contact parameters, or unusual ones: contact by contact */
static void ROLE(general_n)(const host_batch *b)
{
  for (size_t at = 0; at < b->count; at++) {
    real q[ROLE(nparam)], s[ROLE(nstate) + 1], force[3];
    host_input in = { .n = b->n ? b->n[at] : 1, .h = b->h, .load = b->load };
    for (size_t j = 0; j < ROLE(nparam); j++) q[j] = b->per_contact ? b->p[j * b->count + at] : b->p[j];
    for (int j = 0; j < ROLE(nstate); j++) s[j] = b->s[(size_t)j * b->count + at];
    for (size_t j = 0; j < BRISTLE_DIM; j++) in.v[j] = b->v[j * b->count + at];
    ROLE(step)(q, s, &in, force, NULL);
    for (int j = 0; j < ROLE(nstate); j++) b->s[(size_t)j * b->count + at] = s[j];
    for (size_t j = 0; j < BRISTLE_DIM; j++) b->f[j * b->count + at] = force[j];
  }
}

static void ROLE(step_n)(const host_batch *b)
{
  if (!b->per_contact && ROLE(is_common)((const params *)b->p)) ROLE(common_n)(b);
  else ROLE(general_n)(b);
}

#include "core/model_tables.h"

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
};
