/* Rigid bodies in a tree: inverse dynamics (recursive Newton-Euler), the mass matrix (composite bodies), and torques as
   rows times inertial numbers. Everything is seen from the frame of each body. */
#include "robot/frame.h"

#include "lab/robot.h"

#include <string.h>

/* How the frame of a body moves, gravity as an acceleration of all that stands still. */
typedef struct motion {
  double turn[9], at[3]; /* in the parent's frame, now */
  double w[3], dw[3], a[3];
} motion;

static void place(const bristle_body *b, double q, motion *m)
{
  memcpy(m->turn, b->turn, sizeof m->turn);
  memcpy(m->at, b->at, sizeof m->at);
  if (b->prismatic) {
    double along[3];
    turn_forward(b->turn, b->axis, along);
    for (int i = 0; i < 3; i++) m->at[i] += q * along[i];
  } else {
    double own[9];
    turn_about(b->axis, q, own);
    turn_product(b->turn, own, m->turn);
  }
}

static void move(const bristle_body *b, const motion *from, double v, double a, motion *m)
{
  double swing[3], spin[3], up[3], w[3];
  cross(from->dw, m->at, swing);
  cross(from->w, m->at, spin);
  cross(from->w, spin, spin);
  for (int i = 0; i < 3; i++) up[i] = from->a[i] + swing[i] + spin[i];
  turn_back(m->turn, up, m->a);
  turn_back(m->turn, from->w, w);
  turn_back(m->turn, from->dw, m->dw);
  double bend[3];
  cross(w, b->axis, bend);
  for (int i = 0; i < 3; i++) {
    m->w[i] = w[i];
    if (b->prismatic) m->a[i] += a * b->axis[i] + 2 * v * bend[i];
    else m->w[i] += v * b->axis[i], m->dw[i] += a * b->axis[i] + v * bend[i];
  }
}

static void move_all(const bristle_bodies *tree, const double *q, const double *v, const double *a, motion *m)
{
  motion base = { .w = { 0 }, .dw = { 0 }, .a = { 0 } };
  for (int i = 0; i < 3; i++) base.a[i] = -tree->gravity[i];
  for (int k = 0; k < tree->count; k++) {
    const bristle_body *b = &tree->body[k];
    place(b, q[k], &m[k]);
    move(b, b->parent < 0 ? &base : &m[b->parent], v ? v[k] : 0, a ? a[k] : 0, &m[k]);
  }
}

/* What acts on a body at the origin of its frame. */
typedef struct wrench {
  double f[3], n[3];
} wrench;

static void wrench_of(const motion *m, const double i[BRISTLE_BODY_NUMBERS], wrench *out)
{
  double swing[3], spin[3], turned[3], arm[3];
  cross(m->dw, i + 1, swing);
  cross(m->w, i + 1, spin);
  cross(m->w, spin, spin);
  for (int k = 0; k < 3; k++) out->f[k] = i[0] * m->a[k] + swing[k] + spin[k];
  inertia_times(i + 4, m->w, turned);
  cross(m->w, turned, turned);
  inertia_times(i + 4, m->dw, out->n);
  cross(i + 1, m->a, arm);
  for (int k = 0; k < 3; k++) out->n[k] += turned[k] + arm[k];
}

/* the same wrench seen from the parent */
static wrench wrench_up(const motion *m, const wrench *w)
{
  wrench up;
  double arm[3];
  turn_forward(m->turn, w->f, up.f);
  turn_forward(m->turn, w->n, up.n);
  cross(m->at, up.f, arm);
  for (int k = 0; k < 3; k++) up.n[k] += arm[k];
  return up;
}

static double along_axis(const bristle_body *b, const wrench *w) { return dot(b->axis, b->prismatic ? w->f : w->n); }

void bristle_bodies_torques(const bristle_bodies *tree, const double *q, const double *v, const double *a,
                            double *torque)
{
  motion m[BRISTLE_ROBOT_JOINTS];
  wrench w[BRISTLE_ROBOT_JOINTS];
  move_all(tree, q, v, a, m);
  for (int k = 0; k < tree->count; k++) wrench_of(&m[k], tree->body[k].inertia, &w[k]);
  for (int k = tree->count - 1; k >= 0; k--) {
    const bristle_body *b = &tree->body[k];
    torque[k] = along_axis(b, &w[k]);
    if (b->parent < 0) continue;
    const wrench up = wrench_up(&m[k], &w[k]);
    for (int i = 0; i < 3; i++) w[b->parent].f[i] += up.f[i], w[b->parent].n[i] += up.n[i];
  }
}

void bristle_bodies_mass(const bristle_bodies *tree, const double *q, double *mass)
{
  const int n = tree->count;
  frame at[BRISTLE_ROBOT_JOINTS];
  motion m[BRISTLE_ROBOT_JOINTS];
  double whole[BRISTLE_ROBOT_JOINTS][BRISTLE_BODY_NUMBERS];
  for (int k = 0; k < n; k++) {
    place(&tree->body[k], q[k], &m[k]);
    memcpy(at[k].turn, m[k].turn, sizeof at[k].turn);
    memcpy(at[k].at, m[k].at, sizeof at[k].at);
    memcpy(whole[k], tree->body[k].inertia, sizeof whole[k]);
  }
  for (int k = n - 1; k >= 0; k--)
    if (tree->body[k].parent >= 0) body_add(whole[tree->body[k].parent], &at[k], whole[k]);
  memset(mass, 0, sizeof *mass * (size_t)(n * n));
  for (int k = 0; k < n; k++) {
    const bristle_body *b = &tree->body[k];
    motion alone = { .w = { 0 } };
    memcpy(b->prismatic ? alone.a : alone.dw, b->axis, sizeof b->axis);
    wrench w;
    wrench_of(&alone, whole[k], &w);
    for (int j = k; j >= 0; j = tree->body[j].parent) {
      mass[k * n + j] = mass[j * n + k] = along_axis(&tree->body[j], &w);
      w = wrench_up(&m[j], &w);
    }
  }
}

/* the row of a joint: only the bodies behind it are in it */
static void row_of(const bristle_bodies *tree, const motion *m, int joint, double *row)
{
  unsigned char behind[BRISTLE_ROBOT_JOINTS] = { 0 };
  memset(row, 0, sizeof *row * (size_t)(BRISTLE_BODY_NUMBERS * tree->count));
  for (int k = joint; k < tree->count; k++) {
    behind[k] = k == joint || (tree->body[k].parent >= 0 && behind[tree->body[k].parent]);
    for (int c = 0; c < BRISTLE_BODY_NUMBERS && behind[k]; c++) {
      double one[BRISTLE_BODY_NUMBERS] = { 0 };
      wrench w;
      one[c] = 1;
      wrench_of(&m[k], one, &w);
      for (int j = k; j > joint; j = tree->body[j].parent) w = wrench_up(&m[j], &w);
      row[BRISTLE_BODY_NUMBERS * k + c] = along_axis(&tree->body[joint], &w);
    }
  }
}

void bristle_bodies_row(const bristle_bodies *tree, const double *q, const double *v, const double *a, int joint,
                        double *row)
{
  motion m[BRISTLE_ROBOT_JOINTS];
  move_all(tree, q, v, a, m);
  row_of(tree, m, joint, row);
}

void bristle_bodies_rows(const bristle_bodies *tree, const double *q, const double *v, const double *a, double *rows)
{
  motion m[BRISTLE_ROBOT_JOINTS];
  move_all(tree, q, v, a, m);
  for (int j = 0; j < tree->count; j++) row_of(tree, m, j, rows + j * BRISTLE_BODY_NUMBERS * tree->count);
}
