/* Which column of a log belongs to which joint; not installed. */
#ifndef BRISTLE_ROBOT_COLUMNS_H
#define BRISTLE_ROBOT_COLUMNS_H

#include "lab/robot.h"

typedef enum robot_channel {
  ROBOT_POSITION,
  ROBOT_VELOCITY,
  ROBOT_TORQUE,
  ROBOT_CURRENT,
  ROBOT_TARGET,
  ROBOT_CHANNELS,
  ROBOT_OTHER = ROBOT_CHANNELS
} robot_channel;

/* Places in the table; the number of columns: it has none. */
typedef struct robot_columns {
  size_t time;
  size_t at[BRISTLE_ROBOT_JOINTS][ROBOT_CHANNELS];
  double sign[BRISTLE_ROBOT_JOINTS];
  int by_number; /* the names of the log are numbers, and were taken in the order of the file */
} robot_columns;

/* `given` as in bristle_robot_request.joint. Joints without a position are a fault that names them all. */
bristle_fault_kind robot_columns_find(const bristle_table *table, const bristle_robot *robot, const char *const *given,
                                      robot_columns *found, bristle_fault *fault);
/* The next column behind this place whose name reads the same; the number of columns: there is none. */
size_t robot_column_alike(const bristle_table *table, size_t place);
/* The position column that is called like this; the number of columns: there is none. */
size_t robot_column_named(const bristle_table *table, const char *name);

#endif
