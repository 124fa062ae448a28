/* All of libbristle-lab: simulation, files, identification, reports. Link with bristle-lab (pkg-config, or CMake's
 * bristle::lab), which brings libbristle along.
 *
 * Threads: any number of them may call anything at once, each with objects and faults of its own; logs, scenarios and
 * results that nobody changes may be shared. A process that called bristle_files_guard uses files on one thread. */
#ifndef BRISTLE_LAB_H
#define BRISTLE_LAB_H

#include "bristle/decay.h"
#include "bristle/digest.h"
#include "bristle/fleet.h"
#include "bristle/joint_file.h"
#include "bristle/loads.h"
#include "bristle/loops.h"
#include "bristle/plan.h"
#include "bristle/report.h"
#include "bristle/rig.h"
#include "bristle/scenario.h"
#include "bristle/sim.h"
#include "bristle/study.h"
#include "bristle/sweep.h"
#include "bristle/text.h"
#include "bristle/trajectory.h"

#endif
