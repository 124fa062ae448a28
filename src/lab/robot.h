/* Robots: trees of rigid bodies from URDF or MJCF, and the friction of all their joints from a log.
 *
 * The first part is arithmetic on the caller's memory: inverse dynamics, the mass matrix and the columns of base
 * parameters. The rest is a hosted layer like lab/study.h: it allocates, never prints and keeps no state.
 */
#ifndef BRISTLE_LAB_ROBOT_H
#define BRISTLE_LAB_ROBOT_H

#include "lab/io.h"

/* ---- a tree of bodies ---- */

enum { BRISTLE_ROBOT_JOINTS = 64, BRISTLE_BODY_NUMBERS = 10 };

/* One joint and the body that it moves. Its frame stands in that of its parent at `at`, turned by `turn` (row by row,
   out of this frame into the parent's), where the joint is at zero. */
typedef struct bristle_body {
  int parent;    /* its place in the tree, lower than this one's; -1: what does not move */
  int prismatic; /* slides along the axis; 0: turns about it */
  double turn[9], at[3];
  double axis[3]; /* length 1, in its own frame */
  /* kg; kg m; kg m^2 about the origin of the frame: m, m x, m y, m z, xx, xy, yy, xz, yz, zz. The tensor, so that xy is
     minus the product of inertia. */
  double inertia[BRISTLE_BODY_NUMBERS];
} bristle_body;

typedef struct bristle_bodies {
  int count;
  double gravity[3]; /* m/s^2, in the frame that does not move */
  bristle_body body[BRISTLE_ROBOT_JOINTS];
} bristle_bodies;

/* The torques (forces of prismatic joints) that this motion needs, without friction. */
void bristle_bodies_torques(const bristle_bodies *tree, const double *q, const double *v, const double *a,
                            double *torque);
/* The mass matrix, count x count. */
void bristle_bodies_mass(const bristle_bodies *tree, const double *q, double *mass);
/* torque = row times the 10 numbers of all bodies, for each joint: count rows of 10 count numbers. */
void bristle_bodies_rows(const bristle_bodies *tree, const double *q, const double *v, const double *a, double *rows);
/* The row of one joint. */
void bristle_bodies_row(const bristle_bodies *tree, const double *q, const double *v, const double *a, int joint,
                        double *row);

/* ---- files ---- */

enum { BRISTLE_ROBOT_NAME = 64, BRISTLE_ROBOT_NOTES = 12 };

/* What the file says of a joint; NaN where it says nothing. Of hinges in rad and N m, else in m and N. */
typedef struct bristle_robot_joint {
  char name[BRISTLE_ROBOT_NAME];
  double lower, upper, speed, effort;
  double armature, damping, friction;
  double gain, rate_gain; /* of the position actuator of an MJCF file */
} bristle_robot_joint;

typedef struct bristle_robot {
  char file[256], name[BRISTLE_ROBOT_NAME];
  bristle_bodies tree;
  bristle_robot_joint joint[BRISTLE_ROBOT_JOINTS];
  char massless[BRISTLE_ROBOT_NAME]; /* a body that moves and has no inertia in the file; or "" */
  int notes;
  char note[BRISTLE_ROBOT_NOTES][200]; /* what of the file was left out, as sentences */
} bristle_robot;

/* URDF, or the part of MJCF that describes trees: bodies with their inertias, hinges and slides, frames, classes of
   defaults. What is neither is refused with its line. */
bristle_fault_kind bristle_robot_read(const char *path, bristle_robot *robot, bristle_fault *fault);
/* The place of a joint by its name; -1: there is none. */
int bristle_robot_find(const bristle_robot *robot, const char *name);
/* A joint stands still at a value and is no joint any more: its body becomes a part of its parent. */
void bristle_robot_hold(bristle_robot *robot, int joint, double value);

/* ---- identification ---- */

enum { BRISTLE_ROBOT_LOGS = 64, BRISTLE_ROBOT_SAYS = 8, BRISTLE_ROBOT_NUMBERS = 8 };

/* The texts must live as long as the study. Lists end with NULL, or are NULL. */
typedef struct bristle_robot_request {
  const char *robot;        /* URDF or MJCF */
  const char *const *log;   /* fitted */
  const char *const *check; /* held out */
  const char *const *joint; /* "shoulder_pan_joint=q1": which columns are a joint's; "=-q1": counted backwards */
  const char *const *gain;  /* "14.87 N*m/A" for all joints, "elbow=11.13" for one: what turns currents into torques, or
                               where the logs have commands the gain of the servos ("20 N*m/rad"), which is else found */
  const char *const *damping; /* of servos, N m s/rad, in the same way */
  const char *const *hold;    /* "gripper" or "gripper=0.2": joints that stand still in all logs */
  double cutoff;              /* Hz; 0: chosen from the data */
  double from, to;            /* the part of each log that is used, s; to = 0: to the end */
  int threads;
  const char *settings; /* how all this was asked for; or NULL */
} bristle_robot_request;

/* One number of a joint's result. */
typedef struct bristle_robot_number {
  char name[24], unit[24];
  double value, deviation;
  int of_law;       /* a parameter of the law; else beside it */
  char reason[120]; /* why it is not determined; "": it is */
} bristle_robot_number;

typedef struct bristle_robot_result {
  char name[BRISTLE_ROBOT_NAME], columns[160]; /* of the log, in words */
  int prismatic, servo; /* servo: errors are those of a simulated position, size and relative those of the tracking */
  const char *law;      /* "coulomb" */
  int numbers;
  bristle_robot_number number[BRISTLE_ROBOT_NUMBERS];
  int rank, columns_of_rank;    /* base parameters that the motion shows, and inertial numbers they come from */
  double rms, relative;         /* of the samples that move, N m; as a part of the torque */
  double held_out;              /* rms of blocks that the fit did not see */
  double check, check_relative; /* rms of the logs that were held out; NaN: none */
  double size;                  /* rms of the torque */
  double log_error[2 * BRISTLE_ROBOT_LOGS]; /* rms of each log, of servos only */
  double slow, fast;                        /* the speeds that count: 5 % and 95 % */
  double late;                              /* s that the torque seems to come late; 0: it does not */
  size_t samples;                           /* that move */
  int grade;                                /* a bristle_grade (lab/report.h) */
  int says;
  char say[BRISTLE_ROBOT_SAYS][240]; /* what is to know, most important first */
} bristle_robot_result;

typedef struct bristle_robot_record {
  char file[256];
  size_t rows;
  double duration, rate;
  int held_out;
} bristle_robot_record;

typedef struct bristle_robot_study {
  bristle_robot_request request;
  bristle_robot robot; /* without the joints that are held */
  int records;
  bristle_robot_record record[2 * BRISTLE_ROBOT_LOGS];
  double cutoff;
  int cutoff_chosen;
  bristle_robot_result joint[BRISTLE_ROBOT_JOINTS];
  int notes;
  char note[BRISTLE_ROBOT_NOTES][240];
  struct robot_data *data; /* of the study's own files */
  struct memory *list;
} bristle_robot_study;

/* Reads the robot and the logs, and fits every joint. *study is NULL where that is not possible. */
bristle_fault_kind bristle_robot_identify(const bristle_robot_request *request, bristle_robot_study **study,
                                          bristle_fault *fault);
void bristle_robot_study_free(bristle_robot_study *study); /* NULL is fine */
/* All joints as one document; one joint of it is a model file: "robot.yaml#elbow". */
bristle_fault_kind bristle_robot_model(const bristle_robot_study *study, const char *path, bristle_fault *fault);
bristle_fault_kind bristle_robot_page(const bristle_robot_study *study, const char *path, bristle_fault *fault);
void bristle_robot_json(const bristle_robot_study *study, FILE *out);
void bristle_robot_text(const bristle_robot_study *study, FILE *out);

#endif
