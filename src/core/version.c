#include "bristle/api.h"

const char *bristle_version(void) { return BRISTLE_VERSION; }
