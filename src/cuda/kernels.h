/* A law's entry points for the GPU (BRISTLE_FINISH): one thread for each contact or body, the law's own coupled step in
 * it. Which parameters have their usual values is asked for by each thread; those of one warp nearly always agree. */
#include "core/couple.h"
#include "core/batch.h"
#include "cuda/law.h"
#include "ensemble/body.h"

typedef BRISTLE_TYPED(bristle_batch) batch;

#define FIELD_AT(type, name) (offsetof(type, name) / sizeof(real))
#define P_TAKE(name, ...) q.name = p[FIELD_AT(params, name) * stride + i];
#define V_TAKE(name, size, ...)                                                                      \
  for (int i_ = 0; i_ < (size); i_++) q.name[i_] = p[(FIELD_AT(params, name) + i_) * stride + i];
#define S_TAKE(name, ...) s.name = from[FIELD_AT(state, name) * count + at];
#define SV_TAKE(name, size, ...)                                                                     \
  for (int i_ = 0; i_ < (size); i_++) s.name[i_] = from[(FIELD_AT(state, name) + i_) * count + at];
#define S_GIVE(name, ...) to[FIELD_AT(state, name) * count + at] = s.name;
#define SV_GIVE(name, size, ...)                                                                     \
  for (int i_ = 0; i_ < (size); i_++) to[(FIELD_AT(state, name) + i_) * count + at] = s.name[i_];

static __device__ params ROLE(params_of)(const real *p, int per_contact, size_t count, size_t at)
{
  const size_t stride = per_contact ? count : 1, i = per_contact ? at : 0;
  params q;
  PARAMS(P_TAKE, V_TAKE)
  return q;
}

static __device__ state ROLE(state_of)(const real *from, size_t count, size_t at)
{
  state s = {};
  STATES(S_TAKE, SV_TAKE)
  (void)from, (void)count, (void)at;
  return s;
}

static __device__ void ROLE(put_state)(real *to, size_t count, size_t at, const state &s)
{
  STATES(S_GIVE, SV_GIVE)
  (void)to, (void)count, (void)at, (void)s;
}

/* the law's usual parameters as constants */
static __device__ params ROLE(common_of)(params q)
{
  COMMON(COMMON_SET)
  return q;
}

/* Threads of a block, and how many blocks a multiprocessor must have room for. Four (128 registers for each thread) pay
   for laws with few states, though some numbers are spilled; short fast steps want eight. */
enum { THREADS = 128, LEAN = ROLE(nstate) <= 4 };
#if defined(BRISTLE_SCALAR)
enum { FAST = 1 };
#else
enum { FAST = 0 };
#endif
#define ROOM(driven) (!LEAN ? 1 : (driven) && FAST ? 8 : 4)

/* f, but in the fast build no number where the motion is none: its exponentials may have lost that */
static __device__ real ROLE(force_of)(real f, real motion) { return FAST && !(motion == motion) ? motion : f; }

/* ---- batches ---- */

template <int stepping> static __device__ void ROLE(advance)(const batch &b, params q, size_t at)
{
  state s = ROLE(state_of)(b.s, b.count, at), rate = {};
  const input in = { b.v[at], b.x ? b.x[at] : K(0), b.n ? b.n[at] : K(1), 0, 0, stepping && b.w ? b.w[at] : K(0), b.h,
                     b.load };
  params loaded;
  input k;
  real u = in.v;
  const real gain = ROLE(apply_load)(&q, &in, &loaded, &k);
  if (stepping) {
    b.f[at] = ROLE(force_of)(gain * ROLE(couple)(&loaded, &s, &k, &u), in.v);
    if (b.v_end) b.v_end[at] = u;
    ROLE(put_state)(b.s, b.count, at, s);
  } else {
    b.f[at] = ROLE(force_of)(gain * ROLE(eval)(&loaded, &s, &k, &rate), in.v);
    ROLE(put_state)(b.rate, b.count, at, rate);
  }
}

template <int stepping> static __global__ void __launch_bounds__(THREADS) ROLE(batch_kernel)(batch b)
{
  const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= b.count) return;
  const params q = ROLE(params_of)(b.p, b.per_contact, b.count, at);
  if (ROLE(is_common)(&q)) ROLE(advance)<stepping>(b, ROLE(common_of)(q), at);
  else ROLE(advance)<stepping>(b, q, at);
}

/* ---- ensembles ---- */

/* steps between two looks at the 64 bits of their number; a loop of 32 bits has fewer instructions */
enum { STRETCH = 1 << 20 };

/* a program, or one that is always zero: both are read without a question */
typedef struct tape {
  const real *at;
  unsigned pace;
} tape;
static __device__ const real ROLE(nothing) = 0;
static __device__ tape ROLE(tape_of)(const real *program)
{
  tape t = { program ? program : &ROLE(nothing), program ? 1u : 0u };
  asm("" : "+r"(t.pace)); /* or the compiler asks in each step after all */
  return t;
}

#if defined(CLOSED) || defined(HEAVY) /* no search, or evaluations so long that nothing else counts */
#define COUPLE ROLE(couple)
#else
#define COUPLE ROLE(couple_first)
/* ROLE(couple) with the first evaluation before the loop. Most searches end there, and what the loop needs besides is
   then never computed. */
static __device__ real ROLE(couple_first)(const params *p, state *s, const input *in, real *v_end)
{
  if (!(in->w > 0)) return ROLE(couple)(p, s, in, v_end);
  input k = *in;
  k.f = in->v / in->w;
  state t, t_last = *s;
  const start b = ROLE(begin)(p, s, &k, &t);
  if (b.rests) {
    *s = t;
    *v_end = 0;
    return b.f_rest;
  }
  real f, r = ROLE(residual)(p, s, &k, b.d, b.guess, &t, &f);
  /* as search_judge says it; the fast build is content with four times as much */
  if (r_abs(r) <= K(FAST ? 8 : 2) * K(REAL_EPSILON) * (r_abs(k.v) - b.r_lo + k.w * r_abs(f))) {
    *s = t;
    *v_end = b.d * b.guess;
    return f;
  }
  search q = ROLE(search_from)(&k, &b);
  for (int i = 0; i < COUPLE_ITERATIONS && !(q.done > 0); i++) {
    if (i) r = ROLE(residual)(p, s, &k, b.d, q.u, &t, &f);
    search_on(k.v, k.w, b.r_lo, r, f, &q, ROLE(jumps) > 0);
    if (q.done == SEARCH_BY_PART) ROLE(extend)(&t, &t_last, q.part);
    t_last = t;
  }
  *s = t;
  *v_end = b.d * q.u;
  return q.done == SEARCH_ON_ROOT || q.done == SEARCH_BY_PART ? q.f : (k.v - *v_end) / k.w;
}
#endif

/* the tally of a body, which stays in registers too */
typedef struct tally {
  real row[BRISTLE_TALLY_ROWS];
} tally;

template <int driven, int counting>
static __device__ void ROLE(march_body)(const ensemble &e, params q, const body &b, size_t at)
{
  constexpr int TIMES = !(driven && LEAN) ? 1 : FAST ? 4 : 2; /* constants are loaded once for all of them */
  input in = { 0, 0, e.n ? e.n[at] : K(1), 0, 0, driven ? K(0) : body_compliance(&b), e.h, e.load }, k;
  params loaded;
  const real gain = ROLE(apply_load)(&q, &in, &loaded, &k);
  state s = ROLE(state_of)(e.s, e.count, at);
  tally all = {};
  if (counting && e.tally)
    for (int r = 0; r < BRISTLE_TALLY_ROWS; r++) all.row[r] = e.tally[r * e.count + at];
  real x = e.x[at], v = e.v[at], f = 0;
  const tape place = ROLE(tape_of)(e.place), speed = ROLE(tape_of)(e.speed), force = ROLE(tape_of)(e.force);
  for (size_t from = 0; from < e.steps; from += STRETCH) {
    const unsigned many = e.steps - from < STRETCH ? (unsigned)(e.steps - from) : (unsigned)STRETCH;
    const real *places = place.at + from * place.pace, *speeds = speed.at + from * speed.pace;
    const real *forces = force.at + from * force.pace;
    unsigned left = many;
#pragma unroll(TIMES)
    for (; left; left--) {
      const moment m = { *places, *speeds, *forces };
      places += place.pace, speeds += speed.pace, forces += force.pace;
      real u;
      k.x = driven ? x : b.belt != K(0) ? x - b.belt * (e.t + (real)(from + (many - left)) * e.h) : x;
      k.v = driven ? b.amplitude * m.speed : body_free(&b, x, v, &m);
      if (driven) {
        u = k.v;
        f = gain * ROLE(move)(&loaded, &s, &k);
      } else {
        f = gain * (LEAN ? COUPLE(&loaded, &s, &k, &u) : ROLE(couple)(&loaded, &s, &k, &u));
      }
      v = driven ? u : u + b.belt;
      x = x + e.h * v;
      if (counting && e.tally) {
        k.v = u;
        const real slides = ROLE(mode)(&loaded, &s, &k) == BRISTLE_MODE_SLIDING ? K(1) : K(0);
        body_count(all.row, 1, e.h, f, u, v, slides);
      }
    }
  }
  ROLE(put_state)(e.s, e.count, at, s);
  e.x[at] = x, e.v[at] = v;
  if (e.f) e.f[at] = ROLE(force_of)(f, x); /* x has all velocities in it */
  if (counting && e.tally)
    for (int r = 0; r < BRISTLE_TALLY_ROWS; r++) e.tally[r * e.count + at] = all.row[r];
}

template <int driven, int counting>
static __global__ void __launch_bounds__(THREADS, ROOM(driven)) ROLE(march_kernel)(ensemble e)
{
  const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (at >= e.count) return;
  const params q = ROLE(params_of)(e.p, e.per_contact, e.count, at);
  body b = body_take(&e, at);
  if (ROLE(is_common)(&q) && b.weight == K(0)) { /* no pendulum: the compiler may forget its sine */
    b.weight = 0;
    ROLE(march_body)<driven, counting>(e, ROLE(common_of)(q), b, at);
  } else {
    ROLE(march_body)<driven, counting>(e, q, b, at);
  }
}

/* ---- entries ---- */

static unsigned ROLE(blocks)(size_t count) { return (unsigned)((count + THREADS - 1) / THREADS); }

static int ROLE(cuda_step_n)(const batch *b, void *stream)
{
  if (b->count) ROLE(batch_kernel)<1><<<ROLE(blocks)(b->count), THREADS, 0, (cudaStream_t)stream>>>(*b);
  return (int)cudaGetLastError();
}
static int ROLE(cuda_eval_n)(const batch *b, void *stream)
{
  if (b->count) ROLE(batch_kernel)<0><<<ROLE(blocks)(b->count), THREADS, 0, (cudaStream_t)stream>>>(*b);
  return (int)cudaGetLastError();
}
template <int driven, int counting> static void ROLE(launch)(const ensemble *e, void *stream)
{
  ROLE(march_kernel)<driven, counting><<<ROLE(blocks)(e->count), THREADS, 0, (cudaStream_t)stream>>>(*e);
}
static int ROLE(cuda_march)(const ensemble *e, void *stream)
{
  /* larger laws ask for a tally in each step: they do not notice, and compile in two thirds of the time */
  constexpr int apart = LEAN ? 0 : 1;
  if (!e->count) return (int)cudaSuccess;
  if (e->driven && e->tally) ROLE(launch)<1, 1>(e, stream);
  else if (e->driven) ROLE(launch)<1, apart>(e, stream);
  else if (e->tally) ROLE(launch)<0, 1>(e, stream);
  else ROLE(launch)<0, apart>(e, stream);
  return (int)cudaGetLastError();
}

/* bristle_cuda_lugre_exact and the like */
#define CUDA_LAW BRISTLE_TYPED(BRISTLE_CAT(BRISTLE_CAT(bristle_cuda_, MODEL), BRISTLE_CUDA_BUILD))
extern "C" {
extern const BRISTLE_TYPED(cuda_law) CUDA_LAW;
const BRISTLE_TYPED(cuda_law) CUDA_LAW = { ROLE(cuda_step_n), ROLE(cuda_eval_n), ROLE(cuda_march) };
}
