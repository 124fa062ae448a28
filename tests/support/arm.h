/* A planar serial arm with friction in its joints, stepped through the network: what a user's own multibody code does.
 */
#ifndef TEST_ARM_H
#define TEST_ARM_H

#include "bristle/network.h"
#include "support/law.h"

enum { ARM_MOST = 64, ARM_WORK = 80000 };

typedef struct arm {
  int n;
  double mass[ARM_MOST], length[ARM_MOST], torque[ARM_MOST];
  double gravity;
  double q[ARM_MOST], u[ARM_MOST]; /* joint angles and rates */
  contact c[ARM_MOST];
  double f[ARM_MOST], w[ARM_MOST * ARM_MOST], free[ARM_MOST];
  bristle_network_report report;
} arm;

/* mass matrix, and torques of gravity and of turning that act against the motors */
void arm_dynamics(const arm *a, double *m, double *against);
/* friction that balances gravity at rest */
void arm_loads(const arm *a, double *torque);
/* A pose with gravity, each joint loaded with `part` of what its law holds for ever; the laws take turns. Lighter and
   lighter links make the compliance worse conditioned. */
arm arm_loaded(const char *const *laws, int kinds, int n, double part, double lighter);
void arm_step(arm *a, double h);
double arm_energy(const arm *a); /* kinetic and potential; that of the contacts is not counted */

#endif
