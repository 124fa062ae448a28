/* Joint files that list the fields of Adams or MotionSolve. */
#ifndef CLI_JOINT_FIELDS_H
#define CLI_JOINT_FIELDS_H

#include "bristle/scenario.h"

/* The document has a mapping `fields`: *tree is the same with the keys of a joint file. Free it, also after a fault. */
bristle_fault_kind joint_fields(const bristle_document *document, bristle_tree **tree, bristle_fault *fault);

#endif
