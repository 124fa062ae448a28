/* Contact-steps a second on the GPU: 2^20 LuGre contacts, each with parameters of its own, over 2000 steps of 1 ms. Pulled
 * through springs they stick and slip, each at another phase; driven ones follow one program at their own amplitude. */
#include "bristle/cuda.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static constexpr size_t CONTACTS = 1 << 20;
static constexpr int STEPS = 2000, TRIES = 3;

template <class real> static real *device(const std::vector<real> &host)
{
  real *p = nullptr;
  cudaMalloc(&p, host.size() * sizeof(real));
  cudaMemcpy(p, host.data(), host.size() * sizeof(real), cudaMemcpyHostToDevice);
  return p;
}

static int march(const bristle_law *l, bristle_cuda_build b, const bristle_ensemble *e) { return bristle_cuda_march(l, b, e, nullptr); }
static int march(const bristle_law *l, bristle_cuda_build b, const bristle_ensemble_f32 *e)
{
  return bristle_cuda_march_f32(l, b, e, nullptr);
}

template <class real, class ensemble> static void run(const char *name, const char *precision, int driven, bristle_cuda_build build)
{
  const bristle_law *law = bristle_law_find(name);
  const bristle_info *info = law->f64->info;
  std::vector<double> usual(info->nparam);
  bristle_defaults(info, usual.data());
  std::vector<real> p((size_t)info->nparam * CONTACTS), body((size_t)BRISTLE_BODY_ROWS * CONTACTS), zero(CONTACTS, 0),
      s((size_t)(info->nstate + 1) * CONTACTS, 0), place, speed;
  for (int j = 0; j < info->nparam; j++)
    for (size_t i = 0; i < CONTACTS; i++) p[j * (size_t)CONTACTS + i] = (real)usual[j];
  for (size_t i = 0; i < CONTACTS; i++) {
    const double row[BRISTLE_BODY_ROWS] = { 1, 2, 0, 0, 0, 2 * 0.1 * 6.0 * (double)i / CONTACTS, 0.1 };
    for (int r = 0; r < BRISTLE_BODY_ROWS; r++) body[r * (size_t)CONTACTS + i] = (real)row[r];
  }
  for (int k = 0; k < STEPS; k++) place.push_back((real)(1e-3 * (k + 1))), speed.push_back((real)std::sin(4e-3 * (k + 1)));
  ensemble e = {};
  e.count = CONTACTS, e.p = device(p), e.per_contact = 1, e.load = info->load, e.body = device(body), e.per_body = 1;
  e.driven = driven, e.place = device(place), e.speed = device(speed), e.h = (real)1e-3, e.steps = STEPS;
  e.x = device(zero), e.v = device(zero), e.s = device(s), e.f = device(zero);
  cudaEvent_t from, to;
  cudaEventCreate(&from), cudaEventCreate(&to);
  float best = 1e9f;
  for (int k = 0; k < TRIES + 1; k++) {
    cudaMemset(e.x, 0, CONTACTS * sizeof(real)), cudaMemset(e.v, 0, CONTACTS * sizeof(real));
    cudaMemset(e.s, 0, (size_t)info->nstate * CONTACTS * sizeof(real));
    cudaEventRecord(from);
    const int error = march(law, build, &e);
    cudaEventRecord(to);
    cudaEventSynchronize(to);
    float ms;
    cudaEventElapsedTime(&ms, from, to);
    if (k > 0 && ms < best) best = ms;
    if (error) std::printf("%s\n", bristle_cuda_error(error));
  }
  std::vector<real> v(CONTACTS);
  cudaMemcpy(v.data(), e.v, CONTACTS * sizeof(real), cudaMemcpyDeviceToHost);
  size_t slow = 0;
  for (real u : v) slow += std::fabs((double)u) < 1e-4;
  std::printf("%-9s %s %-10s %-5s %.3g contact-steps/s (%.0f %% of the bodies slower than 0.1 mm/s at the end)\n", name,
              precision, driven ? "prescribed" : "coupled", build == BRISTLE_CUDA_FAST ? "fast" : "exact",
              (double)CONTACTS * STEPS / (best * 1e-3), 100.0 * (double)slow / CONTACTS);
  std::fflush(stdout);
  const void *const all[] = { e.p, e.body, e.place, e.speed, e.x, e.v, e.s, e.f };
  for (const void *q : all) cudaFree((void *)q);
}

int main(int argc, char **argv)
{
  if (bristle_cuda_devices() == 0) {
    std::printf("no GPU here\n");
    return 77;
  }
  for (int k = 1; k < (argc > 1 ? argc : 2); k++)
    for (int driven = 1; driven >= 0; driven--)
      for (int fast = 0; fast < 2; fast++) {
        const bristle_cuda_build build = fast ? BRISTLE_CUDA_FAST : BRISTLE_CUDA_EXACT;
        run<double, bristle_ensemble>(argc > 1 ? argv[k] : "lugre", "f64", driven, build);
        run<float, bristle_ensemble_f32>(argc > 1 ? argv[k] : "lugre", "f32", driven, build);
      }
  return 0;
}
