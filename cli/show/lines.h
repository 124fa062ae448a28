/* The straight pieces of a law, each a linear system. */
#ifndef CLI_SHOW_LINES_H
#define CLI_SHOW_LINES_H

#include "lab/io.h"

/* Prints them for a body of this mass; an exit code. */
int show_lines(const bristle_friction *friction, double mass);

#endif
