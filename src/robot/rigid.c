/* The torque of rigid bodies as columns: of all inertial numbers behind a joint only those combinations stay that its
   motion shows. */
#include "robot/joint.h"

#include "fit/squares/linear.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <string.h>

#include <stdlib.h>

static const double RANK = 1e-4;   /* of the largest singular value, columns scaled to one: smaller ones are left out */
static const double SILENT = 1e-9; /* a column whose rms is smaller says nothing */

static void motion_at(const robot_log *log, int joints, size_t i, double *q, double *v, double *a)
{
  for (int k = 0; k < joints; k++) q[k] = log->x[k][i], v[k] = log->dx[k][i], a[k] = log->ddx[k][i];
}

/* all columns of a sample: inertial numbers of the bodies behind the joint, then the rotor */
static void columns_at(const joint_fit *fit, const robot_log *log, size_t i, double *row)
{
  const bristle_bodies *tree = &fit->study->robot.tree;
  double q[BRISTLE_ROBOT_JOINTS], v[BRISTLE_ROBOT_JOINTS], a[BRISTLE_ROBOT_JOINTS];
  motion_at(log, tree->count, i, q, v, a);
  bristle_bodies_row(tree, q, v, a, fit->joint, row);
  row[BRISTLE_BODY_NUMBERS * tree->count] = a[fit->joint];
}

/* products of the columns over the fitted samples */
static double *products(const joint_fit *fit)
{
  const robot_data *data = fit->study->data;
  const size_t wide = (size_t)fit->wide;
  double *m = calloc(wide * (wide + 1), sizeof *m), *row = m + wide * wide;
  if (!m) return NULL;
  for (size_t at = 0, k = 0; k < (size_t)data->logs; at += data->log[k++].count)
    for (size_t i = 0; i < data->log[k].count; i++) {
      if (fit->block[at + i] < 0) continue;
      columns_at(fit, &data->log[k], i, row);
      for (size_t c = 0; c < wide; c++)
        for (size_t d = 0; d <= c && row[c] != 0; d++) m[c * wide + d] += row[c] * row[d];
    }
  for (size_t c = 0; c < wide; c++)
    for (size_t d = 0; d < c; d++) m[d * wide + c] = m[c * wide + d];
  return m;
}

/* m (wide x wide) becomes the directions that stay: wide x rank in `turn` */
static int cut(joint_fit *fit, double *m)
{
  const size_t wide = (size_t)fit->wide;
  const double rows = (double)(fit->moving ? fit->moving : 1);
  double *v = malloc((wide * wide + 2 * wide) * sizeof *v);
  if (!v) return 1;
  double *s = v + wide * wide, *scale = s + wide;
  for (size_t c = 0; c < wide; c++) {
    const double length = sqrt(m[c * wide + c]);
    scale[c] = length > SILENT * sqrt(rows) ? 1 / length : 0;
  }
  for (size_t c = 0; c < wide; c++)
    for (size_t d = 0; d < wide; d++) m[c * wide + d] *= scale[c] * scale[d];
  linear_singular(m, fit->wide, v, s);
  fit->rank = 0;
  while (fit->rank < fit->wide && s[fit->rank] > RANK * RANK * s[0] && s[fit->rank] > 0) fit->rank++;
  fit->turn = malloc((wide * (size_t)fit->rank + 1) * sizeof *fit->turn);
  for (size_t c = 0; c < wide && fit->turn; c++)
    for (int k = 0; k < fit->rank; k++)
      fit->turn[c * (size_t)fit->rank + (size_t)k] = scale[c] * v[(size_t)k * wide + c] / sqrt(s[k] / rows);
  free(v);
  return !fit->turn;
}

static int combine(joint_fit *fit)
{
  const robot_data *data = fit->study->data;
  const int rank = fit->rank;
  fit->z = malloc((fit->total * (size_t)rank + 1) * sizeof *fit->z);
  double *row = malloc((size_t)fit->wide * sizeof *row);
  if (fit->z && row)
    for (size_t at = 0, k = 0; k < (size_t)data->logs; at += data->log[k++].count)
      for (size_t i = 0; i < data->log[k].count; i++) {
        double *z = fit->z + (at + i) * (size_t)rank;
        memset(z, 0, (size_t)rank * sizeof *z);
        columns_at(fit, &data->log[k], i, row);
        for (int c = 0; c < fit->wide; c++)
          for (int d = 0; d < rank && row[c] != 0; d++) z[d] += row[c] * fit->turn[c * rank + d];
      }
  const int failed = !fit->z || !row;
  free(row);
  return failed;
}

/* the moving samples of the fitted logs, cut into blocks of equal size */
static void make_blocks(joint_fit *fit)
{
  const robot_data *data = fit->study->data;
  size_t at = 0, seen = 0;
  for (int k = 0; k < data->logs; at += data->log[k++].count)
    for (size_t i = 0; i < data->log[k].count; i++)
      fit->moving += fit->block[at + i] = data->log[k].moving[fit->joint][i] && !data->log[k].held_out;
  for (size_t i = 0; i < fit->total; i++)
    fit->block[i] = (signed char)(fit->block[i] ? (long)(seen++ * GRAM_BLOCKS / fit->moving) : -1);
}

int joint_open(joint_fit *fit, bristle_robot_study *study, int joint)
{
  const robot_data *data = study->data;
  *fit = (joint_fit){ .study = study, .joint = joint, .wide = BRISTLE_BODY_NUMBERS * study->robot.tree.count + 1 };
  for (int k = 0; k < data->logs; k++) fit->total += data->log[k].count;
  fit->block = calloc(fit->total + 1, 1);
  fit->y = calloc(3 * fit->total + 1, sizeof *fit->y);
  fit->v = fit->y + fit->total, fit->rigid = fit->v + fit->total;
  int failed = !fit->block || !fit->y;
  for (int c = 0; c < FRICTION_COLUMNS && !failed; c++)
    failed = !(fit->column[c] = malloc((fit->total + 1) * sizeof *fit->column[c]));
  if (failed) return 1;
  make_blocks(fit);
  for (size_t at = 0, k = 0; k < (size_t)data->logs; at += data->log[k++].count) {
    memcpy(fit->y + at, data->log[k].f[joint], data->log[k].count * sizeof *fit->y);
    memcpy(fit->v + at, data->log[k].dx[joint], data->log[k].count * sizeof *fit->v);
  }
  double *m = products(fit);
  failed = !m || cut(fit, m) || combine(fit);
  free(m);
  const size_t most = (size_t)(fit->rank + FRICTION_COLUMNS + 2);
  fit->work = malloc(3 * most * most * sizeof *fit->work);
  if (fit->work) fit->x = fit->work + 2 * most * most;
  return failed || !fit->work;
}

void joint_close(joint_fit *fit)
{
  for (int c = 0; c < FRICTION_COLUMNS; c++) free(fit->column[c]);
  free(fit->block);
  free(fit->y);
  free(fit->turn);
  free(fit->z);
  free(fit->work);
  gram_close(&fit->g);
}
