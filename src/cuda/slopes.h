/* A law's entry points with derivatives on the GPU (BRISTLE_FINISH), as core/model_diff.h is on the processor: the move
 * of a step is run once more at its known end velocity u, a few directions at a time, with a lane for u itself; then u
 * - v
 * + w F(u) = 0 gives du for every direction. One thread for each contact. */
#include "cuda/law.h"

namespace {

enum {
  NPARAM = ROLE(nparam),
  NSTATE = ROLE(nstate),
  D_PARAM = (int)BRISTLE_D_STATE + (int)NSTATE,
  DIRECTIONS = D_PARAM + NPARAM,
  D_END = DIRECTIONS,
  COLUMNS = DIRECTIONS + 1,
  THREADS = 64
};

/* the step of one contact, as step_n has made it */
struct made {
  double v, x, n, w, h, f, u;
  bristle_load load;
};

__device__ lanes unit(int direction, int first)
{
  lanes d;
  for (int l = 0; l < LANES; l++) d.of[l] = direction == first + l ? 1.0 : 0.0;
  return d;
}

/* parameters, states and input of one pass */
struct seeds {
  params p, loaded;
  state s;
  input in;
  real gain;
};

__device__ void seed(seeds *a, const bristle_batch &b, const double *before, const made &m, size_t at, int first)
{
  const size_t stride = b.per_contact ? b.count : 1, i = b.per_contact ? at : 0;
  const bool coupled = m.w > 0;
  for (int j = 0; j < NPARAM; j++) ((real *)&a->p)[j] = real(b.p[j * stride + i], unit(D_PARAM + j, first));
  for (int k = 0; k < NSTATE; k++)
    ((real *)&a->s)[k] = real(before[k * b.count + at], unit(BRISTLE_D_STATE + k, first));
  input k;
  k.v = real(m.u, unit(coupled ? (int)D_END : (int)BRISTLE_D_V, first));
  k.x = real(m.x, unit(BRISTLE_D_X, first));
  k.n = real(m.n, unit(BRISTLE_D_N, first));
  k.f = coupled ? real(m.v / m.w, unit(BRISTLE_D_V, first) * (1.0 / m.w)) : real(0.0);
  k.a = real(0.0);
  k.w = m.w;
  k.h = m.h;
  k.load = m.load;
  a->gain = ROLE(apply_load)(&a->p, &k, &a->loaded, &a->in);
}

/* is the law's force the one that closes the balance? If not, the step ended on a jump of the law */
__device__ bool on_the_curve(const made &m, double f_law, const seeds *a)
{
  const double force_bound = (a->gain * ROLE(step_bounds)(&a->loaded, &a->s, &a->in, K(1)).force_bound).v;
  return m.w * abs_f64(m.f - f_law) <= 1e-9 * (abs_f64(m.v) + m.w * force_bound);
}

__global__ void __launch_bounds__(THREADS) slopes_kernel(bristle_batch b, const double *before, double *df, double *ds)
{
  const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x, n = b.count;
  if (at >= n) return;
  const made m = {
    b.v[at], b.x ? b.x[at] : 0, b.n ? b.n[at] : 1, b.w ? b.w[at] : 0, b.h, b.f[at], b.v_end[at], b.load
  };
  const bool coupled = m.w > 0;
  bool curve = true;
  double end_f = 0, end_s[NSTATE + 1] = { 0 };
  for (int first = 0; first < COLUMNS; first += LANES) { /* columns lie where results will */
    seeds a;
    seed(&a, b, before, m, at, first);
    const real force = a.gain * ROLE(move)(&a.loaded, &a.s, &a.in);
    if (coupled && first == 0) curve = on_the_curve(m, force.v, &a);
    for (int l = 0; l < LANES && first + l < COLUMNS; l++) {
      if (first + l == D_END) end_f = lane(force.d, l);
      else df[(first + l) * n + at] = lane(force.d, l);
      for (int k = 0; k < NSTATE; k++) {
        const double slope = lane(((real *)&a.s)[k].d, l);
        if (first + l == D_END) end_s[k] = slope;
        else ds[((size_t)k * DIRECTIONS + first + l) * n + at] = slope;
      }
    }
  }
  for (int j = 0; j < DIRECTIONS; j++) {
    const double raw = df[j * n + at], free = j == BRISTLE_D_V && coupled ? 1.0 : 0.0;
    const double du = coupled && curve ? (free - m.w * raw) / (1.0 + m.w * end_f) : 0.0;
    df[j * n + at] = curve ? raw + end_f * du : free / m.w;
    for (int k = 0; k < NSTATE; k++) ds[((size_t)k * DIRECTIONS + j) * n + at] += end_s[k] * du;
  }
}

int slopes_n(const bristle_batch *b, const double *before, double *df, double *ds, void *stream)
{
  const unsigned blocks = (unsigned)((b->count + THREADS - 1) / THREADS);
  if (b->count) slopes_kernel<<<blocks, THREADS, 0, (cudaStream_t)stream>>>(*b, before, df, ds);
  return (int)cudaGetLastError();
}

} // namespace

/* bristle_cuda_lugre_slopes and the like */
#define CUDA_SLOPES BRISTLE_CAT(BRISTLE_CAT(bristle_cuda_, MODEL), _slopes)
extern "C" {
extern const cuda_slopes CUDA_SLOPES;
const cuda_slopes CUDA_SLOPES = slopes_n;
}
