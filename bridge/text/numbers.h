/* The numbers of exported texts: those of core/scalar.h, with the compiler's own functions written out, so that any C99
 * compiler gives the same bits. Not compiled: the preprocessor makes texts of it (cmake/bridge.cmake). */
#ifndef BRIDGE_NUMBERS_H
#define BRIDGE_NUMBERS_H

#include "bridge/text/written_out.h"

#include "core/scalar.h"

#include "bridge/text/roots.h"

#endif
