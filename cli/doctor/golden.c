/* The hashes of tests/golden/bits.txt, computed on this machine. */
#include "golden.h"

#include "golden/hash.h"

static const struct {
  const char *law, *precision;
  u64 bits;
} wanted[] = {
#define GOLDEN_BITS(law, precision, bits) { law, precision, bits },
#include "golden_bits.def"
#undef GOLDEN_BITS
};

static void compare(const char *law, const char *precision, u64 bits, golden_result *result)
{
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    if (strcmp(wanted[i].law, law) || strcmp(wanted[i].precision, precision)) continue;
    if (wanted[i].bits == bits) result->equal++;
    else result->different++;
    if (wanted[i].bits != bits && !result->first) result->first = law;
    return;
  }
  result->unknown++;
}

golden_result golden_compare(void)
{
  golden_result result = { 0 };
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    compare(law->name, "f64", hash_f64(law->f64), &result);
    compare(law->name, "f32", hash_f32(law->f32), &result);
  }
  return result;
}
