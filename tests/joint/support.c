#include "joint/support.h"

void joint_set(jointed *c, const char *parameter, double value)
{
  const bristle_info *info = c->j.contact.law ? c->j.contact.law->f64->info : c->j.contact.vector->f64[0]->info;
  const bristle_row *row = bristle_param_find(info, parameter);
  if (row) c->p[row->first] = value;
}

void joint_make(jointed *c, bristle_joint_kind kind, const char *law)
{
  memset(c, 0, sizeof *c);
  bristle_joint_init(&c->j, kind);
  const bristle_info *info = bristle_joint_use(&c->j, law, c->p);
  if (!info) {
    printf("no law %s for a %s joint\n", law, bristle_joint_kind_text(kind));
    exit(1);
  }
  bristle_defaults(info, c->p);
  joint_set(c, "fc", 0.25);
  joint_set(c, "fs", 0.3);
  joint_set(c, "vs", 1e-3);
  joint_set(c, "sigma0", 1e4);
  joint_set(c, "sigma1", 30); /* stick is well damped for every inertia used here */
  joint_set(c, "sigma2", 0.4);
  c->j.pin_radius = c->j.ball_radius = 0.02;
  c->j.friction_arm = 0.03;
  c->j.bending_arm = 0.1;
  c->j.reaction_arm = 0.05;
  c->j.overlap = 0.15;
}

double random_between(double lo, double hi)
{
  static unsigned long long state = 88172645463325252ULL;
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return lo + (hi - lo) * (double)(state >> 11) * 0x1p-53;
}

void random_vector(double a[3], double size)
{
  for (int i = 0; i < 3; i++) a[i] = random_between(-size, size);
}

double inner(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

void cross(const double a[3], const double b[3], double out[3])
{
  const double c[3] = { a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0] };
  memcpy(out, c, sizeof c);
}

/* rows: an orthonormal frame grown from two random vectors */
void random_rotation(double r[3][3])
{
  random_vector(r[0], 1);
  random_vector(r[1], 1);
  double length = sqrt(inner(r[0], r[0]));
  for (int i = 0; i < 3; i++) r[0][i] /= length;
  double part = inner(r[0], r[1]);
  for (int i = 0; i < 3; i++) r[1][i] -= part * r[0][i];
  length = sqrt(inner(r[1], r[1]));
  for (int i = 0; i < 3; i++) r[1][i] /= length;
  cross(r[0], r[1], r[2]);
}

void turn(const double r[3][3], const double a[3], double out[3])
{
  const double b[3] = { inner(r[0], a), inner(r[1], a), inner(r[2], a) };
  memcpy(out, b, sizeof b);
}

double apart(const double a[3], const double b[3])
{
  double most = 0;
  for (int i = 0; i < 3; i++) most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

bristle_joint_friction joint_slide(jointed *c, const bristle_joint_loads *loads, bristle_joint_motion motion)
{
  bristle_joint_friction out;
  motion.w = 0;
  memset(motion.w_rot, 0, sizeof motion.w_rot);
  motion.h = 1e4; /* exact at any length */
  for (int i = 0; i < 30; i++) bristle_joint_step(&c->j, c->s, loads, &motion, &out);
  return out;
}
