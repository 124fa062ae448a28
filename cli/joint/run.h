/* What the verb `joint` does with its two files. */
#ifndef CLI_JOINT_RUN_H
#define CLI_JOINT_RUN_H

#include "lab/joint_file.h"

/* the columns a joint may need; absent ones read as zero */
enum { T, FX, FY, FZ, MX, MY, MZ, V, W, WX, WY, WZ, X, APPLIED, COLUMNS };

typedef struct joint_run {
  bristle_joint_file file;
  bristle_table *table;
  const bristle_column *column[COLUMNS];
  double s[BRISTLE_LAW_SIZE];
  double x, rotation[3]; /* at the row reached */
  int still;             /* static analysis: friction against the displacement alone */
  /* totals for the summary */
  double dissipated, most_force, most_torque, most_load, most_slip;
} joint_run;

bristle_fault_kind joint_pick_columns(joint_run *r, bristle_fault *fault);
/* Looks at all rows before any output, so that bad data leave none behind. */
bristle_fault_kind joint_check_rows(joint_run *r, bristle_fault *fault);
double joint_cell(const joint_run *r, int column, size_t row);
void joint_loads_at(const joint_run *r, size_t row, bristle_joint_loads *loads);
void joint_motion_at(const joint_run *r, size_t row, bristle_joint_motion *m);
/* The axis that a single angular velocity turns about. */
void joint_axis(const bristle_joint *j, double axis[3]);
/* What is written of a row; `table` of them is kept where a page wants pictures. */
enum { JOINT_CELLS = 16 };
/* Does the law have what lambda and C0 are made of? */
int joint_couples(const joint_run *r);
int joint_columns(const joint_run *r, const char *name[JOINT_CELLS], const char *unit[JOINT_CELLS]);
/* The page: force and torque over time, coefficient over slip, bristles. 0, or FAILED with a message. */
int joint_report(const joint_run *r, const char *joint_path, const char *data_path, const char *path,
                 double *const *kept);

/* From the row before to this one: the state, and the friction at the row. */
void joint_step_to(joint_run *r, size_t row, bristle_joint_friction *out);

#endif
