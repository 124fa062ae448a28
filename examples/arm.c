/* A 2-link arm with LuGre friction in both joints holds its pose against gravity for a minute, then its tip is pushed
 * upwards until it breaks away: examples/arm_hold.yaml in plain C. What a multibody code does: free velocities v,
 * W = h M^-1, one solve for all joints. */
#include <bristle/network.h>
#include <bristle/params.h>
#include <math.h>
#include <stdio.h>

static const double mass = 2, l = 0.4, g = 9.81; /* two equal rods */

/* mass matrix (11, 12, 22), and the joint torques of gravity, of turning and of a push upwards on the tip */
static void dynamics(const double q[2], const double u[2], double push, double m[3], double torque[2])
{
  const double k = mass * l * l, c = cos(q[1]), turn = 0.5 * k * sin(q[1]);
  const double first = l * cos(q[0]), second = l * cos(q[0] + q[1]);
  m[2] = k / 3;
  m[1] = k / 3 + 0.5 * k * c;
  m[0] = 5 * k / 3 + k * c;
  torque[1] = -turn * u[0] * u[0] + (push - 0.5 * mass * g) * second;
  torque[0] = turn * (2 * u[0] + u[1]) * u[1] + (push - 1.5 * mass * g) * first + (push - 0.5 * mass * g) * second;
}

int main(void)
{
  bristle_lugre p[2] = { bristle_lugre_default(), bristle_lugre_default() };
  double s[2] = { 0 }, q[2] = { 0.2, 0.5 }, u[2] = { 0 }, rest[2] = { 0 }, v[2], f[2], w[4], m[3], torque[2], work[256];
  const double h = 1e-3;
  bristle_network_contact joint[2];
  for (int i = 0; i < 2; i++) {
    p[i].fc = i ? 8 : 25, p[i].fs = 1.3 * p[i].fc, p[i].vs = 0.01;
    p[i].sigma0 = 1e5, p[i].sigma1 = 300, p[i].sigma2 = 0.4;
    joint[i] = (bristle_network_contact){ .law = &bristle_lugre_model, .p = (const double *)&p[i], .s = &s[i], .n = 1 };
  }
  const bristle_network net = { .count = 2, .contact = joint, .w = w, .v = v, .h = h, .f = f, .u = u };
  if (bristle_network_work(&net) > sizeof work / sizeof *work) return 1;

  for (int step = 1; step <= 62000; step++) {
    const double t = step * h, push = t > 60 ? 30 * (t - 60) : 0;
    dynamics(q, u, push, m, torque);
    const double det = m[0] * m[2] - m[1] * m[1];
    w[0] = h * m[2] / det, w[1] = w[2] = -h * m[1] / det, w[3] = h * m[0] / det;
    for (int i = 0; i < 2; i++) v[i] = u[i] + w[2 * i] * torque[0] + w[2 * i + 1] * torque[1];
    const bristle_network_report r = bristle_network_solve(&net, work); /* u: end velocities, s: new states */
    if (!r.converged) printf("t %.3f s: residual %g; a shorter step helps\n", t, r.residual);
    for (int i = 0; i < 2; i++) q[i] += h * u[i];
    if (step == 10000) rest[0] = q[0], rest[1] = q[1];
    if (step == 60000) printf("drift from 10 s to 60 s: %.1e %.1e rad\n", q[0] - rest[0], q[1] - rest[1]);
    if (step % 10000 == 0) printf("t %2.0f s  q %.6f %.6f rad  F %.4f %.4f N m\n", t, q[0], q[1], f[0], f[1]);
    if (u[1] > 0.1) {
      printf("breaks away at %.3f s under %.1f N\n", t, push);
      return 0;
    }
  }
  return 1;
}
