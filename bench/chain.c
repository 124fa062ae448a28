/* Rows of masses from 100 to 100 000 in one run: cost for each mass and step, with fixed and with adaptive steps, and
 * memory. Bars: the cost may vary by a factor of two over the sizes, and a mass may take 300 bytes. */
#include "bristle/params.h"
#include "lab/sim.h"

#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

enum { SIZES = 4, REPEATS = 3 };
static const size_t sizes[SIZES] = { 100, 1000, 10000, 100000 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static size_t in_use(void)
{
  const struct mallinfo2 memory = mallinfo2();
  return memory.uordblks + memory.hblkhd;
}

static int note_memory(void *context, double t, double h, int accepted)
{
  size_t *most = context;
  const size_t used = in_use();
  (void)t, (void)h, (void)accepted;
  if (used > *most) *most = used;
  return 0;
}

/* Seconds for one mass and one pass over the row. Every size runs the same stretch of time, small ones many times. */
static double cost(const char *law, bristle_method method, size_t count, double *bytes)
{
  double p[64], passes = 0;
  size_t most = 0;
  const size_t before = in_use();
  bristle_rig rig = { .kind = BRISTLE_RIG_CHAIN };
  rig.as.chain = (bristle_chain){ .count = count,
                                  .mass = 1,
                                  .coupling = 10,
                                  .stiffness = 2,
                                  .speed = 0.1,
                                  .load = 1,
                                  .scatter = 0.5, /* some slide from the start */
                                  .seed = 1,
                                  .contact = { .law = bristle_law_find(law), .p = p } };
  bristle_defaults(rig.as.chain.contact.law->f64->info, p);
  const int fixed = method == BRISTLE_METHOD_COUPLED;
  const bristle_sim_options options = {
    .method = method, .end = fixed ? 0.02 : 6e-4, .step = fixed ? 1e-3 : 2e-4, .rtol = 1e-2
  };
  const bristle_sim_sink sink = { .context = &most, .step = note_memory };
  const double start = now();
  for (size_t done = 0; done < 100000; done += count) {
    bristle_sim_stats stats = { 0 };
    bristle_sim_error error = { 0 };
    if (bristle_simulate(&rig, &options, &sink, &stats, &error)) printf("%s\n", error.what);
    passes += (double)stats.evaluations;
  }
  const double seconds = now() - start;
  *bytes = (double)(most - before) / (double)count;
  return seconds / (double)count / passes;
}

int main(void)
{
  static const char *const laws[] = { "lugre", "stribeck" };
  static const bristle_method methods[] = { BRISTLE_METHOD_COUPLED, BRISTLE_METHOD_ADAPTIVE };
  int failures = 0;
  printf("%-10s %-9s", "law", "method");
  for (int k = 0; k < SIZES; k++) printf(" %9zu", sizes[k]);
  printf("   ns for each mass and step; largest over smallest; bytes for each mass\n");
  for (int i = 0; i < 2; i++)
    for (int m = 0; m < 2; m++) {
      double best[SIZES], bytes[SIZES], low = HUGE_VAL, high = 0;
      for (int k = 0; k < SIZES; k++) best[k] = HUGE_VAL;
      for (int r = 0; r < REPEATS; r++)
        for (int k = 0; k < SIZES; k++) best[k] = fmin(best[k], cost(laws[i], methods[m], sizes[k], &bytes[k]));
      printf("%-10s %-9s", laws[i], bristle_method_text(methods[m]));
      for (int k = 0; k < SIZES; k++) {
        printf(" %9.1f", 1e9 * best[k]);
        low = fmin(low, best[k]);
        high = fmax(high, best[k]);
      }
      const int holds = high / low <= 2 && bytes[SIZES - 1] < 300;
      printf("   %.2f (at most 2)  %.0f (below 300) %s\n", high / low, bytes[SIZES - 1], holds ? "ok" : "MISSED");
      failures += !holds;
    }
  return failures != 0;
}
