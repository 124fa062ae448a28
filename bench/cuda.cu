/* Contact-steps a second on the GPU: 2^20 LuGre contacts, each with parameters of its own, over 2000 steps of 1 ms. Pulled
 * through springs they stick and slip, each at another phase; driven ones follow one program at their own amplitude.
 * cuda-bench [LAW...], or cuda-bench points: of lugre with other numbers of contacts, in the lines of bench/page.c. */
#include "bristle/cuda.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

static constexpr size_t USUAL = 1 << 20;
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

template <class real, class ensemble>
static void run(const char *name, const char *precision, int driven, bristle_cuda_build build, size_t contacts, bool point)
{
  const bristle_law *law = bristle_law_find(name);
  const bristle_info *info = law->f64->info;
  std::vector<double> usual(info->nparam);
  bristle_defaults(info, usual.data());
  std::vector<real> p((size_t)info->nparam * contacts), body((size_t)BRISTLE_BODY_ROWS * contacts), zero(contacts, 0),
      s((size_t)(info->nstate + 1) * contacts, 0), place, speed;
  for (int j = 0; j < info->nparam; j++)
    for (size_t i = 0; i < contacts; i++) p[j * (size_t)contacts + i] = (real)usual[j];
  for (size_t i = 0; i < contacts; i++) {
    const double row[BRISTLE_BODY_ROWS] = { 1, 2, 0, 0, 0, 2 * 0.1 * 6.0 * (double)i / contacts, 0.1 };
    for (int r = 0; r < BRISTLE_BODY_ROWS; r++) body[r * (size_t)contacts + i] = (real)row[r];
  }
  for (int k = 0; k < STEPS; k++) place.push_back((real)(1e-3 * (k + 1))), speed.push_back((real)std::sin(4e-3 * (k + 1)));
  ensemble e = {};
  e.count = contacts, e.p = device(p), e.per_contact = 1, e.load = info->load, e.body = device(body), e.per_body = 1;
  e.driven = driven, e.place = device(place), e.speed = device(speed), e.h = (real)1e-3, e.steps = STEPS;
  e.x = device(zero), e.v = device(zero), e.s = device(s), e.f = device(zero);
  cudaEvent_t from, to;
  cudaEventCreate(&from), cudaEventCreate(&to);
  float best = 1e9f;
  for (int k = 0; k < TRIES + 1; k++) {
    cudaMemset(e.x, 0, contacts * sizeof(real)), cudaMemset(e.v, 0, contacts * sizeof(real));
    cudaMemset(e.s, 0, (size_t)info->nstate * contacts * sizeof(real));
    cudaEventRecord(from);
    const int error = march(law, build, &e);
    cudaEventRecord(to);
    cudaEventSynchronize(to);
    float ms;
    cudaEventElapsedTime(&ms, from, to);
    if (k > 0 && ms < best) best = ms;
    if (error) std::printf("%s\n", bristle_cuda_error(error));
  }
  std::vector<real> v(contacts);
  cudaMemcpy(v.data(), e.v, contacts * sizeof(real), cudaMemcpyDeviceToHost);
  size_t slow = 0;
  for (real u : v) slow += std::fabs((double)u) < 1e-4;
  const double rate = (double)contacts * STEPS / (best * 1e-3);
  const char *kind = driven ? "prescribed" : "coupled", *how = build == BRISTLE_CUDA_FAST ? "fast" : "exact";
  if (point) std::printf("throughput|Bristle, GPU %s|%s|%s|%zu|%.4g\n", how, precision, kind, contacts, rate);
  else std::printf("%-9s %s %-10s %-5s %.3g contact-steps/s (%.0f %% of the bodies slower than 0.1 mm/s at the end)\n", name,
                   precision, kind, how, rate, 100.0 * (double)slow / contacts);
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
  const bool points = argc > 1 && !std::strcmp(argv[1], "points");
  for (size_t contacts = 64; points && contacts <= USUAL << 2; contacts *= 4)
    for (int k = 0; k < 4; k++) {
      const bristle_cuda_build build = k % 2 ? BRISTLE_CUDA_FAST : BRISTLE_CUDA_EXACT;
      run<double, bristle_ensemble>("lugre", "f64", k / 2, build, contacts, true);
      run<float, bristle_ensemble_f32>("lugre", "f32", k / 2, build, contacts, true);
    }
  for (int k = 1; !points && k < (argc > 1 ? argc : 2); k++)
    for (int driven = 1; driven >= 0; driven--)
      for (int fast = 0; fast < 2; fast++) {
        const bristle_cuda_build build = fast ? BRISTLE_CUDA_FAST : BRISTLE_CUDA_EXACT;
        run<double, bristle_ensemble>(argc > 1 ? argv[k] : "lugre", "f64", driven, build, USUAL, false);
        run<float, bristle_ensemble_f32>(argc > 1 ? argv[k] : "lugre", "f32", driven, build, USUAL, false);
      }
  return 0;
}
