/* The joint of a body on a ball. */
#ifndef SIM_BALL_H
#define SIM_BALL_H

#include "bristle/joint.h"
#include "lab/sim.h"

bristle_joint ball_joint(const bristle_ball *ball);
/* Are the bristles columns of the rows? */
int ball_shows_bristles(const bristle_info *info);

#endif
