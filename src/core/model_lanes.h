/* Coupled steps of a batch: what depends on the law. The order of passes is told in lanes.h. */
#include "core/lanes.h"

/* One stretch of a batch; optional inputs point to constants. `common` and `shared` of the passes are known when they
   are compiled: common parameters have their usual values, shared ones are the same for all contacts, after the load
   too. */
typedef struct stretch {
  const batch *b;
  size_t from;
  const real *x, *n, *w;
  lane_row p[ROLE(nparam)]; /* parameters after the load, where they are not shared */
  lanes m;
} stretch;

#define P_LANE_TAKE(name, ...) q.name = host_p[FIELD_AT(params, name) * count + l];
#define V_LANE_TAKE(name, size, ...)                                                                 \
  for (size_t i_ = 0; i_ < (size); i_++) q.name[i_] = host_p[(FIELD_AT(params, name) + i_) * count + l];
#define P_LANE_PUT(name, ...) at->p[FIELD_AT(params, name)][l] = p.name;
#define V_LANE_PUT(name, size, ...)                                                                  \
  for (size_t i_ = 0; i_ < (size); i_++) at->p[FIELD_AT(params, name) + i_][l] = p.name[i_];
#define P_LANE_GET(name, ...) q.name = at->p[FIELD_AT(params, name)][l];
#define V_LANE_GET(name, size, ...)                                                                  \
  for (size_t i_ = 0; i_ < (size); i_++) q.name[i_] = at->p[FIELD_AT(params, name) + i_][l];
#define S_LANE_GATHER(name, ...) s.name = state_in[FIELD_AT(state, name) * count + l];
#define SV_LANE_GATHER(name, size, ...)                                                              \
  for (size_t i_ = 0; i_ < (size); i_++) s.name[i_] = state_in[(FIELD_AT(state, name) + i_) * count + l];
#define S_LANE_PUT(name, ...) t_out[FIELD_AT(state, name)][l] = t.name;
#define SV_LANE_PUT(name, size, ...)                                                                 \
  for (size_t i_ = 0; i_ < (size); i_++) t_out[FIELD_AT(state, name) + i_][l] = t.name[i_];

#if !BRISTLE_LANES || (0 STATES(P_COUNT, V_COUNT)) > 4

/* Laws with many states are loops over elements, which do not vectorise again. */
static void ROLE(couple_n)(const batch *b, int common)
{
  (void)common;
  ROLE(one_by_one)(b, 1);
}

#elif defined(CLOSED)

/* Laws that know the root need no search: one loop, like that of prescribed motion. */
FN void ROLE(solve)(const batch *b, size_t from, size_t to, const real *x, const real *n, real *v_end, int common,
                    int shared)
{
  const params first = *(const params *)b->p;
  real *const out = b->s, *const force = b->f;
  BRISTLE_INDEPENDENT
  for (size_t at = from; at < to; at++) {
    params q = first, p;
    if (!shared && b->per_contact) { PARAMS(P_GATHER, V_GATHER) }
    if (common) { COMMON(COMMON_SET) }
    state s, moved;
    STATES(S_GATHER, SV_GATHER)
    input in = { b->v[at], x[at - from], n[at - from], 0, 0, b->w[at], b->h, shared ? BRISTLE_LOAD_FORCE : b->load }, k;
    const real gain = ROLE(apply_load)(&q, &in, &p, &k);
    const choice coupled = k.w > 0;
    real u;
    moved = s;
    const real prescribed = ROLE(move)(&p, &moved, &k);
    k.f = k.v / k.w;
    const real f = ROLE(root)(&p, &s, &k, &u);
    for (int i = 0; i < ROLE(nstate); i++) ((real *)&s)[i] = r_pick(coupled, ((real *)&s)[i], ((real *)&moved)[i]);
    v_end[at - from] = r_pick(coupled, u, k.v);
    force[at] = gain * r_pick(coupled, f, prescribed);
    STATES(S_SCATTER, SV_SCATTER)
  }
  (void)out;
}

FN void ROLE(stretches)(const batch *b, int common, int shared)
{
  lane_row zero, one, end;
  for (size_t i = 0; i < TOGETHER; i++) zero[i] = 0, one[i] = 1;
  for (size_t from = 0; from < b->count; from += TOGETHER) {
    const size_t to = from + TOGETHER < b->count ? from + TOGETHER : b->count;
    ROLE(solve)(b, from, to, b->x ? b->x + from : zero, b->n ? b->n + from : one, b->v_end ? b->v_end + from : end,
                common, shared);
  }
}

FN void ROLE(couples)(const batch *b, int common)
{
  if (common && !b->per_contact && b->load == BRISTLE_LOAD_FORCE) ROLE(stretches)(b, 1, 1);
  else if (!HAS_COMMON || common) ROLE(stretches)(b, 1, 0);
  else ROLE(stretches)(b, 0, 0);
}

#define COUPLE_LOOP(name, nothing, target)                                                           \
  target static void ROLE(couple_##name)(const batch *b, int common) { ROLE(couples)(b, common); }
#define COUPLE_ROW(name, nothing, target) ROLE(couple_##name),
EACH_PROCESSOR(COUPLE_LOOP, loop, )

static void ROLE(couple_n)(const batch *b, int common)
{
  typedef void couple(const batch *, int);
  static couple *const all[] = { EACH_PROCESSOR(COUPLE_ROW, loop, ) };
  couple *const *const loop = PROCESSOR_OF(all);
  if (loop) (*loop)(b, common);
  else ROLE(one_by_one)(b, 1);
}

#else

/* Parameters and compliances after the load. */
FN void ROLE(load_lanes)(stretch *at, int common, int shared)
{
  const batch *b = at->b;
  const real *host_p = b->p + (b->per_contact ? at->from : 0), *v = at->m.v, *w = at->w;
  const size_t count = b->count, all = at->m.count;
  const params first = *(const params *)b->p;
  BRISTLE_INDEPENDENT
  for (size_t l = 0; l < all; l++) {
    params q = first, p;
    if (!shared && b->per_contact) { PARAMS(P_LANE_TAKE, V_LANE_TAKE) }
    if (common) { COMMON(COMMON_SET) }
    const input in = { v[l], at->x[l], at->n[l], 0, 0, w[l], b->h, shared ? BRISTLE_LOAD_FORCE : b->load };
    input k;
    at->m.gain[l] = ROLE(apply_load)(&q, &in, &p, &k);
    at->m.w[l] = k.w;
    if (!shared) { PARAMS(P_LANE_PUT, V_LANE_PUT) }
  }
  (void)host_p, (void)count;
}

/* what a lane was given, for the passes below: q, s and k */
#define LANE(l)                                                                                      \
  params q = first;                                                                                  \
  if (!shared) { PARAMS(P_LANE_GET, V_LANE_GET) }                                                    \
  if (common) { COMMON(COMMON_SET) } /* no load touches them */                                      \
  state s;                                                                                           \
  STATES(S_LANE_GATHER, SV_LANE_GATHER)                                                              \
  const real w = at->m.w[l];                                                                         \
  const input k = { at->m.v[l], at->x[l], at->n[l], r_pick(w > 0, at->m.v[l] / w, K(0)), 0, w, h, load };
#define LANE_CONSTANTS                                                                               \
  const batch *b = at->b;                                                                            \
  const params first = *(const params *)b->p;                                                        \
  const real h = b->h, *state_in = b->s + at->from;                                                  \
  const size_t count = b->count;                                                                     \
  const bristle_load load = shared ? BRISTLE_LOAD_FORCE : b->load;                                   \
  (void)state_in, (void)count;

/* The law where the searches of every open group stand. */
FN void ROLE(evaluate)(stretch *at, const real *u, real *r, real *f, lane_row *t_out, int common, int shared)
{
  LANE_CONSTANTS
#ifdef SPLIT_STEP
  lane_row ahead;
  for (size_t group = 0; group < at->m.count; group += ABREAST) {
    if (!at->m.open[group / ABREAST]) continue;
    BRISTLE_INDEPENDENT
    for (size_t i = 0; i < ABREAST; i++) {
      const size_t l = group + i;
      LANE(l)
      (void)s;
      ahead[l] = ROLE(residual_ahead)(&q, &k, at->m.d[l], u[l]);
    }
  }
#endif
  for (size_t group = 0; group < at->m.count; group += ABREAST) {
    if (!at->m.open[group / ABREAST]) continue;
    BRISTLE_INDEPENDENT
    for (size_t i = 0; i < ABREAST; i++) {
      const size_t l = group + i;
      LANE(l)
      state t;
      real force;
#ifdef SPLIT_STEP
      r[l] = ROLE(residual_on)(&q, &s, &k, at->m.d[l], u[l], ahead[l], &t, &force);
#else
      r[l] = ROLE(residual)(&q, &s, &k, at->m.d[l], u[l], &t, &force);
#endif
      f[l] = force;
      STATES(S_LANE_PUT, SV_LANE_PUT)
    }
  }
  (void)t_out;
}

/* Laws that stick, or jump at rest, say themselves that a contact rests. For the others rest is the root of a search,
   and its first guess. */
#if defined(STICTION) || defined(JUMPS_AT_REST)
#define REST_BY_DECREE
#endif

/* Who rests, and where the others begin. A step at rest left r[1], f[1] and t[1], the first motion r[0]. */
FN void ROLE(begin_lanes)(stretch *at, int common, int shared)
{
  LANE_CONSTANTS
  lanes *const m = &at->m;
  BRISTLE_INDEPENDENT
  for (size_t l = 0; l < m->count; l++) {
    LANE(l)
    start go;
    real r = m->r[1][l], f = m->f[1][l];
#ifdef HOLD
    state t;
    r = ROLE(still)(&q, &s, &k, &t, &f);
#endif
    const real r0 = ROLE(judge_rest)(&q, &s, &k, r, f, &go);
#ifdef JUMPS_AT_REST
    ROLE(judge_first)(&k, m->r[0][l], &go);
#endif
    ROLE(bracket)(&q, &s, &k, r0, &go, 0);
    /* prescribed motion is a search that ends at its first guess */
    const choice coupled = w > 0, rests = go.rests & coupled;
    m->u_end[l] = r_pick(rests, K(0), r_pick(coupled, go.guess, r_abs(k.v)));
    m->d[l] = r_pick(rests, K(1), r_pick(coupled, go.d, r_copysign(K(1), k.v)));
#ifdef REST_BY_DECREE
    m->done[l] = r_pick(rests, SEARCH_ON_ROOT, K(0));
    m->f_end[l] = go.f_rest;
#endif
    m->lo[l] = go.lo, m->hi[l] = go.hi, m->rise[l] = go.slope, m->r_lo[l] = go.r_lo;
#ifdef HAS_INITIAL_GUESS
    m->secant[l] = go.inverse;
#endif
  }
#ifdef HAS_INITIAL_GUESS
  BRISTLE_INDEPENDENT
  for (size_t l = 0; l < m->count; l++) {
    LANE(l)
    const start go = {
      .d = m->d[l], .hi = m->hi[l], .guess = m->u_end[l], .r_lo = m->r_lo[l], .inverse = m->secant[l]
    };
    m->u_end[l] = r_pick(w > 0, ROLE(sharpen)(&q, &s, &k, &go, 0), go.guess);
  }
#endif
}

#define PASSES_OF(kind, common, shared, target)                                                      \
  target static void ROLE(load_##kind)(stretch * at) { ROLE(load_lanes)(at, common, shared); }       \
  target static void ROLE(begin_##kind)(stretch * at) { ROLE(begin_lanes)(at, common, shared); }     \
  target static void ROLE(evaluate_##kind)(stretch * at, const real *u, real *r, real *f, lane_row *t) \
  {                                                                                                  \
    ROLE(evaluate)(at, u, r, f, t, common, shared);                                                  \
  }
EACH_PROCESSOR(PASSES_OF, shared, 1, 1)
EACH_PROCESSOR(PASSES_OF, common, 1, 0)
#if HAS_COMMON
EACH_PROCESSOR(PASSES_OF, any, 0, 0)
#endif

typedef struct lane_passes {
  void (*load)(stretch *), (*begin)(stretch *);
  void (*evaluate)(stretch *, const real *, real *, real *, lane_row *);
} lane_passes;

/* A step at rest, and the first motion, where the law has to be asked for them. */
static void ROLE(rest_lanes)(stretch *at, const lane_passes *pass)
{
  lanes *const m = &at->m;
  for (size_t g = 0; g < GROUPS; g++) m->open[g] = g * ABREAST < m->count;
#if !defined(HOLD) && !(defined(STICTION) && defined(INSTANT))
  for (size_t l = 0; l < m->count; l++) m->u[0][l] = 0, m->d[l] = 1;
  pass->evaluate(at, m->u[0], m->r[1], m->f[1], m->t_end);
#endif
#ifdef JUMPS_AT_REST
  for (size_t l = 0; l < m->count; l++) m->u[0][l] = K(REAL_TINY), m->d[l] = m->r[1][l] < 0 ? K(1) : K(-1);
  pass->evaluate(at, m->u[0], m->r[0], m->f[0], m->t[0]);
#endif
  (void)pass;
}

/* The passes for a batch on this processor, or NULL. */
#define PASSES_ROW(kind, ...) { ROLE(load_##kind), ROLE(begin_##kind), ROLE(evaluate_##kind) },
static const lane_passes *ROLE(passes)(const batch *b, int common)
{
  static const lane_passes shared[] = { EACH_PROCESSOR(PASSES_ROW, shared, , ) };
  static const lane_passes usual[] = { EACH_PROCESSOR(PASSES_ROW, common, , ) };
#if HAS_COMMON
  static const lane_passes any[] = { EACH_PROCESSOR(PASSES_ROW, any, , ) };
  if (!common) return PROCESSOR_OF(any);
#endif
  (void)common;
  return !b->per_contact && b->load == BRISTLE_LOAD_FORCE ? PROCESSOR_OF(shared) : PROCESSOR_OF(usual);
}

/* all whole groups of a batch */
static void ROLE(couple_groups)(const batch *b, const lane_passes *pass)
{
  lane_row zero, one, t[3][ROLE(nstate) + 1];
  stretch at;
  lanes *const m = &at.m;
  at.b = b;
  m->nstate = ROLE(nstate), m->jumps = ROLE(jumps) > 0;
#ifdef REST_BY_DECREE
  m->decreed = 1;
#else
  m->decreed = 0;
#endif
  m->t[0] = t[0], m->t[1] = t[1], m->t_end = t[2];
  for (size_t i = 0; i < TOGETHER; i++) zero[i] = 0, one[i] = 1;
  const size_t whole = b->count / ABREAST * ABREAST;
  for (at.from = 0; at.from < whole; at.from += TOGETHER) {
    m->count = at.from + TOGETHER < whole ? TOGETHER : whole - at.from;
    m->v = b->v + at.from;
    at.x = b->x ? b->x + at.from : zero;
    at.n = b->n ? b->n + at.from : one;
    at.w = b->w ? b->w + at.from : zero;
    pass->load(&at);
    ROLE(rest_lanes)(&at, pass);
    pass->begin(&at);
#ifdef REST_BY_DECREE
    int left = BRISTLE_TYPED(lanes_begin)(m);
    if (left) pass->evaluate(&at, m->u_end, m->r[0], m->f[0], m->t[0]);
#else
    int left = (int)(m->count / ABREAST);
    pass->evaluate(&at, m->u_end, m->r[0], m->f_end, m->t_end);
#endif
    for (int i = 0; i < COUPLE_ITERATIONS && left; i++) {
      if (i) pass->evaluate(&at, m->u[i % 3], m->r[i % 2], m->f[i % 2], m->t[i % 2]);
      left = BRISTLE_TYPED(lanes_decide)(m, i);
    }
    real *const v_end = b->v_end ? b->v_end + at.from : NULL;
    BRISTLE_TYPED(lanes_end)(m, b->f + at.from, v_end, b->s + at.from, b->count);
  }
}

/* The contacts that fill no group, as a group of their own whose last lanes repeat the last contact. */
static void ROLE(couple_tail)(const batch *b, size_t from, const lane_passes *pass)
{
  real p[ROLE(nparam)][ABREAST], s[ROLE(nstate) + 1][ABREAST], v[ABREAST], x[ABREAST], n[ABREAST], w[ABREAST],
      f[ABREAST], v_end[ABREAST];
  batch whole = *b;
  whole.count = ABREAST, whole.s = s[0], whole.v = v, whole.x = x, whole.n = n, whole.w = w, whole.f = f;
  whole.v_end = v_end;
  if (b->per_contact) whole.p = p[0];
  for (size_t l = 0; l < ABREAST; l++) {
    const size_t at = from + l < b->count ? from + l : b->count - 1;
    v[l] = b->v[at], x[l] = b->x ? b->x[at] : K(0), n[l] = b->n ? b->n[at] : K(1), w[l] = b->w ? b->w[at] : K(0);
    for (int k = 0; k < ROLE(nstate); k++) s[k][l] = b->s[(size_t)k * b->count + at];
    for (size_t j = 0; b->per_contact && j < ROLE(nparam); j++) p[j][l] = b->p[j * b->count + at];
  }
  ROLE(couple_groups)(&whole, pass);
  for (size_t at = from; at < b->count; at++) {
    const size_t l = at - from;
    b->f[at] = f[l];
    if (b->v_end) b->v_end[at] = v_end[l];
    for (int k = 0; k < ROLE(nstate); k++) b->s[(size_t)k * b->count + at] = s[k][l];
  }
}

static void ROLE(couple_n)(const batch *b, int common)
{
  enum { FEW = ABREAST / 4 }; /* so few are done sooner one by one */
  const lane_passes *const pass = ROLE(passes)(b, common);
  const size_t tail = b->count % ABREAST;
  if (b->count <= FEW || !pass) {
    ROLE(one_by_one)(b, 1);
    return;
  }
  ROLE(couple_groups)(b, pass);
  if (tail) ROLE(couple_tail)(b, b->count - tail, pass);
}

#endif
