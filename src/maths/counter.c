/* Random numbers by counting, and what makes them normal. */
#include "maths/counter.h"

#include "maths/elementary.h"

void counter_words(const uint32_t place[4], const uint32_t seed[2], uint32_t out[4])
{
  uint32_t x[4] = { place[0], place[1], place[2], place[3] }, key[2] = { seed[0], seed[1] };
  for (int round = 0; round < 10; round++) {
    const uint64_t a = (uint64_t)0xD2511F53u * x[0], b = (uint64_t)0xCD9E8D57u * x[2];
    const uint32_t next[4] = { (uint32_t)(b >> 32) ^ x[1] ^ key[0], (uint32_t)b, (uint32_t)(a >> 32) ^ x[3] ^ key[1],
                               (uint32_t)a };
    for (int i = 0; i < 4; i++) x[i] = next[i];
    key[0] += 0x9E3779B9u; /* the golden ratio, and sqrt(3) - 1 */
    key[1] += 0xBB67AE85u;
  }
  for (int i = 0; i < 4; i++) out[i] = x[i];
}

uint64_t counter_bits(uint64_t seed, uint64_t at, uint32_t which, uint32_t attempt)
{
  const uint32_t place[4] = { (uint32_t)at, (uint32_t)(at >> 32), which, attempt };
  const uint32_t key[2] = { (uint32_t)seed, (uint32_t)(seed >> 32) };
  uint32_t out[4];
  counter_words(place, key, out);
  return ((uint64_t)out[0] << 32 | out[1]) >> 12;
}

double counter_part(uint64_t seed, uint64_t at, uint32_t which, uint32_t attempt)
{
  return ((double)counter_bits(seed, at, which, attempt) + 0.5) * (1.0 / 4503599627370496.0);
}

/* A rational start (Abramowitz and Stegun 26.2.23, good to 5e-4), then Halley's steps on erfc. */
double normal_quantile(double p)
{
  const double tail = fmin(p, 1 - p), s = sqrt(-2 * same_log(tail)), root_two_pi = 2.5066282746310002;
  double z = s
             - (2.515517 + s * (0.802853 + s * 0.010328))
                   / (1 + s * (1.432788 + s * (0.189269 + s * 0.001308))); /* the upper tail: z > 0 */
  for (int i = 0; i < 2; i++) {
    const double error = 0.5 * same_erfc(z * 0.70710678118654752) - tail;
    const double step = error * root_two_pi * same_exp(0.5 * z * z);
    z += step / (1 - 0.5 * z * step);
  }
  return p < 0.5 ? -z : z;
}
