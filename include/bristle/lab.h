/* All of libbristle-lab: files, simulation, scenarios, identification. Link with bristle-lab (pkg-config, or CMake's
 * bristle::lab), which brings libbristle along.
 *
 * Threads: any number of them may call anything at once, each with objects and faults of its own; scenarios and tables
 * that nobody changes may be shared. */
#ifndef BRISTLE_LAB_H
#define BRISTLE_LAB_H

#include "bristle/identify.h"
#include "bristle/scenario.h"
#include "bristle/text.h"

#endif
