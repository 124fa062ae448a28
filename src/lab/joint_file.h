/* Joint files: a joint with its geometry and its friction, from YAML or JSON. */
#ifndef BRISTLE_LAB_JOINT_FILE_H
#define BRISTLE_LAB_JOINT_FILE_H

#include "lab/io.h"
#include "bristle/joint.h"

/* A joint as its file has it. `joint` points into this struct: do not copy it. */
typedef struct bristle_joint_file {
  bristle_joint joint;
  bristle_friction friction; /* coefficient form */
  char name[64];
} bristle_joint_file;

/* type, name, geometry, preload, inputs, effect, combine, mu_s, friction: `bristle joint --help` shows one. The joint
   has passed bristle_joint_check; a fault names the line of the field that broke a rule. */
bristle_fault_kind bristle_joint_file_read(const bristle_node *map, bristle_joint_file *file, bristle_fault *fault);

#endif
