/* Friction that other tools know, as model files. */
#ifndef BRIDGE_IMPORT_H
#define BRIDGE_IMPORT_H

#include "bridge.h"

typedef struct bridge_import {
  const char *file, *joint, *output, *version; /* joint: which one of several; NULL: the only one */
} bridge_import;

/* Reads BAM parameters (JSON), or the joints of URDF and MuJoCo files (XML), and writes a model file. What of them no
   law holds is told in r->lost. */
bristle_fault_kind bridge_import_run(const bridge_import *q, bridge_result *r, bristle_fault *fault);

#endif
