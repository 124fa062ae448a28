/* The conformance of every law with its own friction for each direction. */
#define CONFORMANCE_SKEWED
#include "conformance.c"
