/* The laws that go by affine maps. */
#include "fit/fast/maps.h"

#define MAPS(name) extern const maps_law name##_maps;
#include "maps.def"
#undef MAPS
#define MAPS(name) &name##_maps,
const maps_law *const maps_laws[] = {
#include "maps.def"
  NULL
};
