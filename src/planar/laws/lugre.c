/* The law of this name once more, for the reduced planar model. */
#define BRISTLE_FINISH "planar/reduced_end.h"
#include "models/lugre.c"
