/* What the page leaves out of the library: vector laws, and laws with their own friction for each direction. */
#include "bristle/vector.h"

int bristle_vector_law_count(void) { return 0; }
const bristle_vector_law *bristle_vector_law_at(int index)
{
  (void)index;
  return NULL;
}
const bristle_vector_law *bristle_vector_law_find(const char *name)
{
  (void)name;
  return NULL;
}
const bristle_law *bristle_law_skewed(const bristle_law *law)
{
  (void)law;
  return NULL;
}
