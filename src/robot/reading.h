/* What the readers of URDF and MJCF share; not installed. */
#ifndef BRISTLE_ROBOT_READING_H
#define BRISTLE_ROBOT_READING_H

#include "robot/frame.h"
#include "robot/xml.h"

#include "lab/robot.h"

enum { READING_TIES = 2000 }; /* links and joints of URDF; finding one by its name takes as long as there are */

typedef struct reading {
  xml_document document;
  bristle_robot *robot;
  bristle_fault *fault;
  unsigned char reached[READING_TIES]; /* joints of URDF, in their order: they hang on the base */
} reading;

bristle_fault_kind urdf_read(reading *r);
bristle_fault_kind mjcf_read(reading *r);

/* A sentence about what was left out; the same one once. */
void robot_note(bristle_robot *robot, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A name that may stand in messages and files. */
bristle_fault_kind robot_name(const reading *r, const xml_node *node, const char *text, char name[BRISTLE_ROBOT_NAME]);
/* A joint behind `parent`, its frame in that of the parent; *place is where it is then. */
bristle_fault_kind robot_joint(reading *r, const xml_node *node, int parent, const frame *at, int prismatic,
                               const double axis[3], int *place);
/* A mass with its inertia (xx xy yy xz yz zz) about its centre, `at` in the frame of a body; -1: of what stands still.
 */
bristle_fault_kind robot_mass(reading *r, const xml_node *node, int body, const frame *at, double mass,
                              const double inertia[6]);
/* The only child of this name; NULL: none. A second one is a fault. */
bristle_fault_kind robot_only_child(const reading *r, const xml_node *node, const char *name, const xml_node **child);
/* turns about x, y, z that stand still, in this order */
void turn_of_rpy(const double rpy[3], double turn[9]);

#endif
