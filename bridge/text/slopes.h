/* The numbers of exported derivatives: those of core/dual.h with one direction. C++17; not compiled here: the
 * preprocessor makes texts of it (cmake/bridge.cmake). */
#ifndef BRIDGE_SLOPES_H
#define BRIDGE_SLOPES_H

#include "bridge/text/written_out.h"

#define BRISTLE_WIDE_H /* core/wide.h: eight directions side by side, here one */
#include "core/maths.h"
typedef double lanes;

#include "core/dual.h"
#include "bridge/text/roots.h"

#endif
