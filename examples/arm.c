/* A 2-link arm with LuGre friction in both joints holds its pose against gravity, then is pushed.
 * What a multibody code does: free velocities, W = h M^-1, one solve for all joints. */
#include <bristle/network.h>
#include <bristle/params.h>
#include <math.h>
#include <stdio.h>

/* mass matrix of two rods of mass m and length l, and the torques of gravity and of turning */
static void dynamics(const double q[2], const double u[2], double m[3], double t[2])
{
  const double mass = 2, l = 0.4, g = 9.81, k = mass * l * l, c = cos(q[1]), turn = 0.5 * k * sin(q[1]);
  m[2] = k / 3;
  m[1] = k / 3 + 0.5 * k * c;
  m[0] = 5 * k / 3 + k * c;
  t[1] = turn * u[0] * u[0] + 0.5 * mass * g * l * cos(q[0] + q[1]);
  t[0] = -turn * (2 * u[0] + u[1]) * u[1] + 1.5 * mass * g * l * cos(q[0]) + 0.5 * mass * g * l * cos(q[0] + q[1]);
}

int main(void)
{
  bristle_lugre p[2] = { bristle_lugre_default(), bristle_lugre_default() };
  double s[2] = { 0 }, q[2] = { 0.2, 0.5 }, u[2] = { 0 }, v[2], f[2], w[4], m[3], t[2], work[256];
  const double h = 1e-3;
  bristle_network_contact joint[2];
  for (int i = 0; i < 2; i++) {
    p[i].fc = i ? 8 : 25, p[i].fs = 1.3 * p[i].fc, p[i].sigma0 = 1e5, p[i].sigma1 = 300, p[i].vs = 0.01;
    joint[i] = (bristle_network_contact){ .law = &bristle_lugre_model, .p = (const double *)&p[i], .s = &s[i], .n = 1 };
  }
  const bristle_network net = { .count = 2, .contact = joint, .w = w, .v = v, .h = h, .f = f, .u = u };
  if (bristle_network_work(&net) > sizeof work / sizeof *work) return 1;

  for (int step = 1; step <= 12000; step++) {
    const double time = step * h, push = time > 10 && time < 10.2 ? 30 : 0;
    dynamics(q, u, m, t);
    const double det = m[0] * m[2] - m[1] * m[1];
    w[0] = h * m[2] / det, w[1] = w[2] = -h * m[1] / det, w[3] = h * m[0] / det;
    for (int i = 0; i < 2; i++) v[i] = u[i] + w[2 * i] * (push - t[0]) + w[2 * i + 1] * -t[1];
    const bristle_network_report r = bristle_network_solve(&net, work); /* u: end velocities, s: new states */
    if (!r.converged) printf("step %d: residual %g; a shorter step helps\n", step, r.residual);
    for (int i = 0; i < 2; i++) q[i] += h * u[i];
    if (step % 1000 == 0) printf("t %2.0f s  q %.15f %.15f rad  F %.4f %.4f N m\n", time, q[0], q[1], f[0], f[1]);
  }
}
