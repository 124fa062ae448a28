/* The logs of a robot on even grids, and what is made of them; not installed. */
#ifndef BRISTLE_ROBOT_DATA_H
#define BRISTLE_ROBOT_DATA_H

#include "io/memory.h"
#include "io/support.h"
#include "robot/columns.h"

/* One log. Stretches between gaps lie one behind the other. */
typedef struct robot_log {
  int held_out, stretches;
  size_t count;
  size_t *first; /* stretches + 1 places */
  double step;   /* s */
  double *t;
  /* for each joint, count numbers: as measured, on the grid */
  double *q[BRISTLE_ROBOT_JOINTS], *v[BRISTLE_ROBOT_JOINTS], *y[BRISTLE_ROBOT_JOINTS], *aim[BRISTLE_ROBOT_JOINTS];
  /* behind the filter; moving: the samples that count */
  double *x[BRISTLE_ROBOT_JOINTS], *dx[BRISTLE_ROBOT_JOINTS], *ddx[BRISTLE_ROBOT_JOINTS], *f[BRISTLE_ROBOT_JOINTS];
  unsigned char *moving[BRISTLE_ROBOT_JOINTS];
  unsigned char *inside; /* far enough from the ends of its stretch for the filter */
} robot_log;

typedef struct robot_data {
  int logs;
  robot_log log[2 * BRISTLE_ROBOT_LOGS];
  double threshold[BRISTLE_ROBOT_JOINTS]; /* a joint moves that is faster */
  int servos;                             /* the logs have commands instead of torques */
  double gain[BRISTLE_ROBOT_JOINTS];      /* given: N m/A, a factor, or of servos N m/rad; NaN: not given */
  double damping[BRISTLE_ROBOT_JOINTS];   /* of servos, N m s/rad */
  double zero[BRISTLE_ROBOT_JOINTS];      /* what is added to the angles of the log, as found */
  const bristle_law *servo_law;
  int names_are_doubtful; /* joints were given by number or by hand */
  char columns[BRISTLE_ROBOT_JOINTS][160];
  int helds; /* joints that are said to stand still */
  char held[BRISTLE_ROBOT_JOINTS][BRISTLE_ROBOT_NAME];
  int view; /* the log that the page shows: with each joint's model, and the torque without the bodies */
  double *model[BRISTLE_ROBOT_JOINTS], *friction[BRISTLE_ROBOT_JOINTS];
} robot_data;

/* What the request says of gains and damping. */
bristle_fault_kind robot_gains_read(bristle_robot_study *study, bristle_fault *fault);
/* Reads all logs of the study's request. */
bristle_fault_kind robot_logs_read(bristle_robot_study *study, bristle_fault *fault);
/* Motion and torque behind a low-pass (0: none), and which samples move. */
bristle_fault_kind robot_logs_filter(bristle_robot_study *study, double cutoff, bristle_fault *fault);
/* A column through the same filter, in place, stretch by stretch. */
bristle_fault_kind robot_log_pass(const robot_log *log, double cutoff, double *column, bristle_fault *fault);

void study_note(bristle_robot_study *study, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* what is to know about a joint, and how good it can be at best: a bristle_grade */
void joint_say(bristle_robot_result *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void joint_grade(bristle_robot_result *r, int at_most);

#endif
