/* The conformance of every law in single precision. */
#define CONFORMANCE_F32
#include "conformance.c"
