/* Tables of a law as C: the fields of a structure and its initial values. */
#ifndef BRIDGE_TYPED_H
#define BRIDGE_TYPED_H

#include "bristle/bristle.h"
#include "text/scan.h"

void typed_fields(buffer *out, const bristle_row *rows, int count, const char *type);
/* the defaults, with commas between; suffix "f" for constants of single precision */
void typed_defaults(buffer *out, const bristle_info *info, const char *suffix);

#endif
