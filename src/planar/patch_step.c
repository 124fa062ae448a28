/* Moving a patch: cell velocities from slip and spin, the vector law's batch over all cells, one sum.
 *
 * The law is linear in the load (coefficient form), so the cells carry their fixed shares and the load multiplies
 * the sum: a load that changes every step costs nothing. */
#include "planar/couple.h"
#include "core/clones.h"

enum { LANES = 8 }; /* partial sums: fixed, so that every instruction set adds in the same order */

BRISTLE_CLONES static void cell_velocities(size_t count, const double *restrict x, const double *restrict y,
                                           const double v[3], double *restrict vx, double *restrict vy)
{
  const double a = v[0], b = v[1], omega = v[2];
  for (size_t i = 0; i < count; i++) {
    vx[i] = a - omega * y[i];
    vy[i] = b + omega * x[i];
  }
}

static double total(const double lanes[LANES])
{
  return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

BRISTLE_CLONES static void sum_wrench(size_t count, const double *restrict x, const double *restrict y,
                                      const double *restrict fx, const double *restrict fy, double *restrict sum)
{
  double a[LANES] = { 0 }, b[LANES] = { 0 }, c[LANES] = { 0 };
  size_t i = 0;
  for (; i + LANES <= count; i += LANES)
    for (int k = 0; k < LANES; k++) {
      a[k] += fx[i + k];
      b[k] += fy[i + k];
      c[k] += x[i + k] * fy[i + k] - y[i + k] * fx[i + k];
    }
  for (int k = 0; i < count; i++, k++) {
    a[k] += fx[i];
    b[k] += fy[i];
    c[k] += x[i] * fy[i] - y[i] * fx[i];
  }
  sum[0] = total(a);
  sum[1] = total(b);
  sum[2] = total(c);
}

static const bristle_vector_model *law_of(const bristle_patch *patch) { return patch->contact.vector->f64[0]; }

/* all cells through one step at the constant velocity v; wrench per unit load */
static void move(const bristle_patch *patch, const double v[3], double h, double *s, double sum[3])
{
  const size_t n = patch->count;
  bristle_vector_batch batch = { .count = n,
                                 .p = patch->contact.p,
                                 .s = s,
                                 .v = patch->v,
                                 .n = patch->share,
                                 .h = h,
                                 .load = BRISTLE_LOAD_COEFFICIENT,
                                 .f = patch->f };
  cell_velocities(n, patch->x, patch->y, v, patch->v, patch->v + n);
  law_of(patch)->step_n(&batch);
  sum_wrench(n, patch->x, patch->y, patch->f, patch->f + n, sum);
}

/* ---- the coupled step ---- */

typedef struct trial {
  const bristle_patch *patch;
  planar_frame frame;
  double h;
} trial;

static void trial_force(void *contact, const double u[3], double f[3])
{
  const trial *t = contact;
  const bristle_patch *patch = t->patch;
  double v[3], sum[3];
  frame_motion(&t->frame, u, v);
  for (size_t i = 0; i < patch->count * (size_t)law_of(patch)->info->nstate; i++) patch->trial[i] = patch->s[i];
  move(patch, v, t->h, patch->trial, sum);
  f[0] = sum[0];
  f[1] = sum[1];
  f[2] = (sum[2] - t->frame.cop[0] * sum[1] + t->frame.cop[1] * sum[0]) / t->frame.gyration;
}

void bristle_patch_step(bristle_patch *patch, const bristle_planar_input *in, double wrench[3], double *v_end)
{
  double v[3] = { in->v[0], in->v[1], in->v[2] }, sum[3], gain = in->n > 0 ? in->n : 0;
  int solved = 0;
  if (planar_is_coupled(in)) {
    /* a single cell has no torque: any length will do to measure its spin */
    trial t = { patch, { { patch->cop[0], patch->cop[1] }, patch->gyration > 0 ? patch->gyration : 1 }, in->h };
    double u[3];
    solved = planar_couple(&t.frame, in, trial_force, &t, u);
    frame_motion(&t.frame, u, v);
  }
  move(patch, v, in->h, patch->s, sum);
  for (int i = 0; i < 3; i++) wrench[i] = gain * sum[i];
  planar_end_velocity(in, wrench, v_end);
  for (int i = 0; v_end && solved && i < 3; i++) v_end[i] = v[i];
}

/* ---- cell by cell ---- */

static bristle_vector_input cell_input(const bristle_patch *patch, const bristle_planar_input *in, size_t i)
{
  bristle_vector_input cell = { .v = { in->v[0] - in->v[2] * patch->y[i], in->v[1] + in->v[2] * patch->x[i] },
                                .n = patch->share[i] * (in->n > 0 ? in->n : 0),
                                .h = in->h,
                                .load = BRISTLE_LOAD_COEFFICIENT };
  return cell;
}

static void add(const bristle_patch *patch, size_t i, const double f[3], double wrench[3])
{
  wrench[0] += f[0];
  wrench[1] += f[1];
  wrench[2] += patch->x[i] * f[1] - patch->y[i] * f[0];
}

void bristle_patch_eval(const bristle_patch *patch, const bristle_planar_input *in, double wrench[3], double *rate)
{
  const size_t n = patch->count, states = (size_t)law_of(patch)->info->nstate;
  for (int k = 0; k < 3; k++) wrench[k] = 0;
  for (size_t i = 0; i < n; i++) {
    bristle_vector_input cell = cell_input(patch, in, i);
    double s[BRISTLE_LAW_SIZE], ds[BRISTLE_LAW_SIZE], f[3];
    for (size_t k = 0; k < states; k++) s[k] = patch->s[k * n + i];
    law_of(patch)->eval(patch->contact.p, s, &cell, f, ds);
    add(patch, i, f, wrench);
    for (size_t k = 0; rate && k < states; k++) rate[k * n + i] = ds[k];
  }
}

void bristle_patch_steady(const bristle_patch *patch, const bristle_planar_input *in, double wrench[3])
{
  for (int k = 0; k < 3; k++) wrench[k] = 0;
  for (size_t i = 0; i < patch->count; i++) {
    bristle_vector_input cell = cell_input(patch, in, i);
    double f[3];
    law_of(patch)->steady(patch->contact.p, &cell, f);
    add(patch, i, f, wrench);
  }
}

double bristle_patch_energy(const bristle_patch *patch, double n)
{
  const size_t states = (size_t)law_of(patch)->info->nstate;
  bristle_planar_input in = { .n = n };
  double energy = 0;
  for (size_t i = 0; i < patch->count; i++) {
    bristle_vector_input cell = cell_input(patch, &in, i);
    double s[BRISTLE_LAW_SIZE];
    for (size_t k = 0; k < states; k++) s[k] = patch->s[k * patch->count + i];
    energy += law_of(patch)->energy(patch->contact.p, s, &cell);
  }
  return energy;
}
