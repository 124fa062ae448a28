/* Do the log and the file mean the same robot? Not installed. */
#ifndef BRISTLE_ROBOT_DOUBT_H
#define BRISTLE_ROBOT_DOUBT_H

#include "robot/data.h"

/* Tries other directions, zeros and orders of the joints; what is much better is told, and its joint is bad. */
bristle_fault_kind robot_doubt_readings(bristle_robot_study *study, bristle_fault *fault);

#endif
