/* The rigid body dynamics of a serial arm in a vertical plane. */
#include "sim/arm.h"

#include "maths/elementary.h"

arm_body arm_weigh(const bristle_arm *rig)
{
  arm_body body = { .n = (int)rig->count, .gravity = rig->gravity };
  double beyond = 0; /* the mass of all links after this one */
  for (int b = body.n - 1; b >= 0; b--) {
    const bristle_arm_link *link = &rig->link[b];
    body.length[b] = link->length;
    body.moment[b] = link->mass * link->centre + link->length * beyond;
    for (int a = 0; a < b; a++) body.turn[a][b] = body.turn[b][a] = rig->link[a].length * body.moment[b];
    body.turn[b][b] = link->inertia + link->mass * link->centre * link->centre + link->length * link->length * beyond;
    beyond += link->mass;
  }
  return body;
}

arm_pose arm_place(const arm_body *body, const double *q, const double *v)
{
  arm_pose pose;
  double angle = 0, rate = 0;
  for (int a = 0; a < body->n; a++) {
    angle += q[a];
    rate += v[a];
    pose.sine[a] = sin(angle);
    pose.cosine[a] = cos(angle);
    pose.rate[a] = rate;
  }
  return pose;
}

void arm_torques(const arm_body *body, const arm_pose *pose, const double push[2], double *torque)
{
  double sum = 0;
  for (int a = body->n - 1; a >= 0; a--) {
    const double s = pose->sine[a], c = pose->cosine[a];
    double one = -body->gravity * body->moment[a] * c + body->length[a] * (push[1] * c - push[0] * s);
    for (int b = 0; b < body->n; b++) {
      const double across = s * pose->cosine[b] - c * pose->sine[b];
      one -= body->turn[a][b] * across * pose->rate[b] * pose->rate[b];
    }
    torque[a] = sum += one; /* a joint turns all links after it */
  }
}

/* the inverse of a positive matrix, in its place */
static void invert(int n, double *m)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = m[i * n + j];
      for (int k = 0; k < j; k++) sum -= m[i * n + k] * m[j * n + k];
      m[i * n + j] = i == j ? sqrt(sum) : sum / m[j * n + j];
    }
  for (int i = 0; i < n; i++) { /* the lower triangle becomes its inverse */
    m[i * n + i] = 1 / m[i * n + i];
    for (int j = 0; j < i; j++) {
      double sum = 0;
      for (int k = j; k < i; k++) sum -= m[i * n + k] * m[k * n + j];
      m[i * n + j] = sum * m[i * n + i];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = i; k < n; k++) sum += m[k * n + i] * m[k * n + j];
      m[j * n + i] = sum; /* above the diagonal, which is not read any more */
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) m[i * n + j] = m[j * n + i];
}

void arm_compliance(const arm_body *body, const arm_pose *pose, const double *added, double h, double *w)
{
  const int n = body->n;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      w[a * n + b] = body->turn[a][b] * (pose->cosine[a] * pose->cosine[b] + pose->sine[a] * pose->sine[b]);
  for (int a = 0; added && a < n; a++) { /* in joint a, between links a - 1 and a */
    w[a * n + a] += added[a];
    if (!a) continue;
    w[(a - 1) * n + a - 1] += added[a];
    w[(a - 1) * n + a] -= added[a];
    w[a * n + a - 1] -= added[a];
  }
  invert(n, w);
  /* from absolute angles to joints: differences of neighbours, from the last so that each is still there when needed */
  for (int a = n - 1; a > 0; a--)
    for (int b = 0; b < n; b++) w[a * n + b] -= w[(a - 1) * n + b];
  for (int a = 0; a < n; a++)
    for (int b = n - 1; b > 0; b--) w[a * n + b] -= w[a * n + b - 1];
  for (int a = 0; a < n; a++)
    for (int b = 0; b <= a; b++) w[a * n + b] = w[b * n + a] = 0.5 * h * (w[a * n + b] + w[b * n + a]);
}

double arm_kinetic(const arm_body *body, const arm_pose *pose)
{
  double sum = 0;
  for (int a = 0; a < body->n; a++)
    for (int b = 0; b < body->n; b++)
      sum += body->turn[a][b] * (pose->cosine[a] * pose->cosine[b] + pose->sine[a] * pose->sine[b]) * pose->rate[a]
             * pose->rate[b];
  return 0.5 * sum;
}

double arm_potential(const arm_body *body, const arm_pose *pose)
{
  double sum = 0;
  for (int a = 0; a < body->n; a++) sum += body->moment[a] * pose->sine[a];
  return body->gravity * sum;
}

void arm_tip(const arm_body *body, const arm_pose *pose, double at[2])
{
  at[0] = at[1] = 0;
  for (int a = 0; a < body->n; a++) {
    at[0] += body->length[a] * pose->cosine[a];
    at[1] += body->length[a] * pose->sine[a];
  }
}
