/* The motion of one joint under its servo, and the numbers that explain it. */
#include "robot/servo.h"

#include "fit/common/sort.h"
#include "fit/squares/linear.h"
#include "io/support.h"
#include "maths/elementary.h"

#include "lab/fit.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 24, STARTS = 24, GAINS = 4, REFINED = 3, STRIDES = 12 };
static const double PACE = 2e-3;  /* s of a step of the simulation */
static const double NUDGE = 1e-3; /* of a number, for derivatives */

/* ---- what the other joints do ---- */

static void terms_at(const servo_fit *fit, const robot_log *log, size_t i, servo_terms *to)
{
  const bristle_bodies *tree = &fit->study->robot.tree;
  const int n = tree->count, j = fit->joint;
  double q[BRISTLE_ROBOT_JOINTS], v[BRISTLE_ROBOT_JOINTS], a[BRISTLE_ROBOT_JOINTS],
      one[BRISTLE_ROBOT_JOINTS] = { 0 }, torque[BRISTLE_ROBOT_JOINTS], other[BRISTLE_ROBOT_JOINTS];
  const double h = 1e-4;
  for (int k = 0; k < n; k++) {
    q[k] = log->x[k][i] + fit->study->data->zero[k];
    v[k] = log->dx[k][i], a[k] = k == j ? 0 : log->ddx[k][i];
  }
  bristle_bodies_torques(tree, q, v, a, torque);
  to->bias[i] = torque[j];
  one[j] = 1;
  bristle_bodies_torques(tree, q, NULL, one, torque);
  bristle_bodies_torques(tree, q, NULL, NULL, other);
  to->inertia[i] = torque[j] - other[j];
  q[j] += h;
  bristle_bodies_torques(tree, q, v, a, torque);
  q[j] -= 2 * h;
  bristle_bodies_torques(tree, q, v, a, other);
  to->slope[i] = (torque[j] - other[j]) / (2 * h);
}

int servo_open(servo_fit *fit, bristle_robot_study *study, int joint)
{
  const robot_data *data = study->data;
  size_t total = 0;
  double sum[2] = { 0 };
  fit->study = study, fit->joint = joint, fit->zero = data->zero[joint], fit->fitted = 0;
  for (int k = 0; k < data->logs; k++) total += data->log[k].count;
  free(fit->room);
  fit->room = malloc(3 * (total + 1) * sizeof *fit->room);
  if (!fit->room) return 1;
  double *at = fit->room;
  for (int k = 0; k < data->logs; k++) {
    const robot_log *log = &data->log[k];
    fit->term[k] = (servo_terms){ at, at + log->count, at + 2 * log->count };
    at += 3 * log->count;
    for (size_t i = 0; i < log->count; i++) {
      terms_at(fit, log, i, &fit->term[k]);
      if (log->held_out) continue;
      const double e = log->aim[joint][i] - log->x[joint][i], b = fit->term[k].bias[i];
      sum[0] += e * e, sum[1] += b * b;
      fit->fitted++;
    }
  }
  const double n = (double)fit->fitted;
  fit->size = sqrt(sum[0] / n);
  fit->load = sqrt(sum[1] / n) / fmax(fit->size, 1e-12);
  return 0;
}

void servo_close(servo_fit *fit)
{
  free(fit->room);
  fit->room = NULL;
}

/* ---- the motion ---- */

static double between(const double *y, double at, size_t first, size_t last)
{
  if (!(at > (double)first)) return y[first];
  if (at >= (double)last) return y[last];
  const size_t i = (size_t)at;
  return y[i] + (at - (double)i) * (y[i + 1] - y[i]);
}

typedef struct servo_state {
  double q, v, s[BRISTLE_LAW_SIZE];
} servo_state;

/* One step of length 2h around the place `at` among the samples, by the midpoint rule: its middle is an implicit step
   of h, friction exact. Who rests there rests at the end. */
static int step(const servo_fit *fit, const double *p, const double *law, int log, size_t first, size_t last, double at,
                double h, servo_state *x)
{
  const robot_log *l = &fit->study->data->log[log];
  const servo_terms *t = &fit->term[log];
  const double slope = between(t->slope, at, first, last), gain = p[SERVO_GAIN];
  const double target = between(l->aim[fit->joint], at - p[SERVO_DELAY] / l->step, first, last);
  const double moved = x->q - between(l->x[fit->joint], at, first, last);
  const double turned = fit->gain_is_known ? 0 : p[SERVO_OFFSET] - fit->zero;
  double bias = between(t->bias, at, first, last) + slope * (moved + turned), middle;
  if (fit->gain_is_known) bias += p[SERVO_OFFSET];
  const double mass = between(t->inertia, at, first, last) + p[SERVO_ARMATURE];
  const double whole = mass + h * fit->damping + h * h * (gain + slope);
  if (!(whole > 0)) return 1;
  const bristle_input in = { .v = (mass * x->v + h * (gain * (target - x->q) - bias)) / whole, .w = h / whole, .h = h };
  fit->study->data->servo_law->f64->step(law, x->s, &in, &middle);
  x->v = middle == 0 ? 0 : 2 * middle - x->v;
  x->q += 2 * h * middle;
  return !(fabs(x->q) < 1e3);
}

int servo_simulate(const servo_fit *fit, const double p[SERVO_NUMBERS], int log, double *q)
{
  const robot_log *l = &fit->study->data->log[log];
  const bristle_info *info = fit->study->data->servo_law->f64->info;
  const int steps = (int)ceil(l->step / PACE);
  double law[BRISTLE_LAW_SIZE];
  bristle_defaults(info, law);
  law[bristle_param_role(info, BRISTLE_ROLE_LEVEL)->first] = p[SERVO_LEVEL];
  law[bristle_param_role(info, BRISTLE_ROLE_VISCOUS)->first] = p[SERVO_VISCOUS];
  for (int s = 0; s < l->stretches; s++) {
    const size_t first = l->first[s], last = l->first[s + 1] - 1;
    servo_state x = { .q = l->x[fit->joint][first], .v = l->dx[fit->joint][first] };
    q[first] = x.q;
    for (size_t i = first; i < last; i++) {
      for (int k = 0; k < steps; k++)
        if (step(fit, p, law, log, first, last, (double)i + (k + 0.5) / steps, 0.5 * l->step / steps, &x)) return 1;
      q[i + 1] = x.q;
    }
  }
  return 0;
}

/* simulated - measured of all fitted logs */
static int errors_of(const servo_fit *fit, const double p[SERVO_NUMBERS], double *error)
{
  const robot_data *data = fit->study->data;
  for (int k = 0; k < data->logs; k++) {
    const robot_log *log = &data->log[k];
    if (log->held_out) continue;
    if (servo_simulate(fit, p, k, error)) return 1;
    for (size_t i = 0; i < log->count; i++) error[i] -= log->q[fit->joint][i];
    error += log->count;
  }
  return 0;
}

double servo_error(const servo_fit *fit, int log)
{
  const robot_log *l = &fit->study->data->log[log];
  double sum = 0, *q = malloc((l->count + 1) * sizeof *q);
  if (!q || servo_simulate(fit, fit->p, log, q)) sum = HUGE_VAL;
  for (size_t i = 0; q && i < l->count; i++) sum += (q[i] - l->q[fit->joint][i]) * (q[i] - l->q[fit->joint][i]);
  free(q);
  return sqrt(sum / (double)l->count);
}

/* ---- the search ---- */

static double nudge_of(const servo_fit *fit, int k)
{
  static const double least[SERVO_NUMBERS] = { 1e-5, 1e-5, 1e-5, 2e-4, 1e-5, 1e-3 };
  return fmax(NUDGE * fabs(fit->p[k]), least[k]);
}

typedef struct pass {
  const servo_fit *fit;
  double *room; /* errors, then a column of derivatives for each free number */
} pass;

/* errors at p, and their derivatives where they are wanted */
static int columns_of(const servo_fit *fit, const double p[SERVO_NUMBERS], int derivatives, double *room)
{
  double other[SERVO_NUMBERS], *column = room + fit->fitted;
  if (errors_of(fit, p, room)) return 1;
  for (int k = 0; k < SERVO_NUMBERS && derivatives; k++) {
    if (!fit->free[k]) continue;
    memcpy(other, p, sizeof other);
    const double h = p[k] + nudge_of(fit, k) < fit->hi[k] ? nudge_of(fit, k) : -nudge_of(fit, k);
    other[k] += h;
    if (errors_of(fit, other, column)) return 1;
    for (size_t i = 0; i < fit->fitted; i++) column[i] = (column[i] - room[i]) / h;
    column += fit->fitted;
  }
  return 0;
}

static int residuals(void *context, const double *unknown, bristle_rows *rows)
{
  const pass *s = context;
  double p[SERVO_NUMBERS];
  int n = 0;
  memcpy(p, s->fit->p, sizeof p);
  for (int k = 0; k < SERVO_NUMBERS; k++)
    if (s->fit->free[k]) p[k] = unknown[n++];
  const int wanted = bristle_rows_wanted(rows) != BRISTLE_WANT_RESIDUALS;
  if (columns_of(s->fit, p, wanted, s->room)) return 1;
  bristle_rows_add(rows, &(bristle_block){ .count = s->fit->fitted,
                                           .residual = s->room,
                                           .jacobian = wanted ? s->room + s->fit->fitted : NULL,
                                           .row_stride = 1,
                                           .column_stride = s->fit->fitted });
  return 0;
}

/* loss: the error from where on one counts less; 0: all alike */
static bristle_fault_kind refine(servo_fit *fit, double loss, double *room, double *cost, bristle_fault *fault)
{
  bristle_unknown unknown[SERVO_NUMBERS];
  double start[SERVO_NUMBERS];
  pass context = { fit, room };
  int n = 0;
  for (int k = 0; k < SERVO_NUMBERS; k++)
    if (fit->free[k]) {
      unknown[n] = (bristle_unknown){ .kind = k == SERVO_GAIN || k == SERVO_LEVEL ? BRISTLE_ROW_LOG
                                                                                  : BRISTLE_ROW_LINEAR,
                                      .lo = fit->lo[k],
                                      .hi = fit->hi[k],
                                      .scale = nudge_of(fit, k) };
      start[n++] = fmin(fmax(fit->p[k], fit->lo[k]), fit->hi[k]);
    }
  const bristle_fit_problem problem = { n, unknown, start, residuals, &context };
  const bristle_fit_options options = { .loss = loss > 0 ? BRISTLE_HUBER : BRISTLE_SQUARES,
                                        .loss_scale = loss,
                                        .iterations = 40,
                                        .cost = 1e-6,
                                        .step = 1e-4,
                                        .minimum_only = 1 };
  bristle_fit_result *found = NULL;
  bristle_fault_kind kind = bristle_fit(&problem, &options, &found, fault);
  if (kind) return kind;
  n = 0;
  for (int k = 0; k < SERVO_NUMBERS; k++)
    if (fit->free[k]) fit->p[k] = found->p[n++];
  *cost = found->cost;
  bristle_fit_free(found);
  return kind;
}

int servo_is_at_end(const servo_fit *fit, int k)
{
  return fit->p[k] >= 0.999 * fit->hi[k] || fit->p[k] <= fit->lo[k] + 1e-3 * fabs(fit->lo[k]);
}

typedef struct normal {
  int count, place[SERVO_NUMBERS]; /* the free numbers */
  double scale[SERVO_NUMBERS], matrix[SERVO_NUMBERS * SERVO_NUMBERS], block[BLOCKS][SERVO_NUMBERS];
} normal;

/* Products of the derivatives, and of each block with its errors; errors beyond `loss` count as that, and curve
 * nothing. */
static void sum_normal(const servo_fit *fit, double loss, const double *error, normal *n)
{
  const size_t rows = fit->fitted;
  const double *j = error + rows;
  for (int k = 0; k < SERVO_NUMBERS; k++)
    if (fit->free[k]) n->place[n->count++] = k;
  for (int a = 0; a < n->count; a++) {
    const double *one = j + (size_t)a * rows, length = linear_length(one, (int)rows);
    n->scale[a] = length > 0 && !servo_is_at_end(fit, n->place[a]) ? 1 / length : 0;
    for (int b = 0; b <= a; b++) {
      const double *other = j + (size_t)b * rows;
      double sum = 0;
      for (size_t i = 0; i < rows; i++) sum += loss > 0 && fabs(error[i]) > loss ? 0 : one[i] * other[i];
      n->matrix[a * n->count + b] = n->matrix[b * n->count + a] = sum * n->scale[a] * n->scale[b];
    }
    for (size_t i = 0; i < rows; i++)
      n->block[i * BLOCKS / rows][a] += n->scale[a] * one[i]
                                        * (loss > 0 ? fmax(fmin(error[i], loss), -loss) : error[i]);
  }
}

/* Deviations from blocks of the motion, so that errors that follow each other are in them; infinite: nothing shows it.
 */
static int find_deviations(servo_fit *fit, double loss, double *room)
{
  normal n = { .count = 0 };
  double v[SERVO_NUMBERS * SERVO_NUMBERS], s[SERVO_NUMBERS], whole[BLOCKS][SERVO_NUMBERS] = { { 0 } };
  if (columns_of(fit, fit->p, 1, room)) return 1;
  sum_normal(fit, loss, room, &n);
  const int m = n.count;
  linear_singular(n.matrix, m, v, s);
  for (int b = 0; b < BLOCKS; b++) /* inverse of the matrix times the block's gradient */
    for (int a = 0; a < m; a++)
      for (int k = 0; k < m; k++)
        for (int c = 0; c < m && s[k] > 1e-10 * s[0]; c++)
          whole[b][a] += v[k * m + a] * v[k * m + c] * n.block[b][c] / s[k];
  memset(fit->covariance, 0, sizeof fit->covariance);
  memset(fit->deviation, 0, sizeof fit->deviation);
  for (int a = 0; a < m; a++) {
    const int own = n.place[a] * SERVO_NUMBERS;
    for (int c = 0; c < m; c++) {
      double sum = 0;
      for (int b = 0; b < BLOCKS; b++) sum += whole[b][a] * whole[b][c];
      fit->covariance[own + n.place[c]] = sum * n.scale[a] * n.scale[c] * BLOCKS / (BLOCKS - m);
    }
    fit->deviation[n.place[a]] = servo_is_at_end(fit, n.place[a]) ? 0
                                 : n.scale[a] > 0                 ? sqrt(fit->covariance[own + n.place[a]])
                                                                  : HUGE_VAL;
  }
  return 0;
}

/* Errors beyond this are what the model lacks, not noise: fast parts of a motion, where a servo saturates. */
static double find_scale(const servo_fit *fit, double *room)
{
  static const double huber = 1.345, deviation = 1.4826;
  if (errors_of(fit, fit->p, room)) return 0;
  for (size_t i = 0; i < fit->fitted; i++) room[i] = fabs(room[i]);
  return huber * deviation * sort_pick(room, fit->fitted, fit->fitted / 2);
}

/* The starts: each number small or large, in all combinations that matter. */
static void set_start(servo_fit *fit, double first, int number)
{
  static const double level[] = { 0.02, 0.1, 0.3 }, gain[] = { 1, 3, 10, 30 };
  if (fit->free[SERVO_GAIN]) fit->p[SERVO_GAIN] = first * gain[number / STARTS % GAINS];
  const double torque = fit->p[SERVO_GAIN] * fit->size;
  fit->p[SERVO_ARMATURE] = fit->inertia * (number & 1 ? 3 : 0.1);
  fit->p[SERVO_DELAY] = number & 2 ? 0.015 : 0.003;
  fit->p[SERVO_VISCOUS] = torque / fit->speed * (number & 4 ? 0.3 : 0.03);
  fit->p[SERVO_LEVEL] = fmax(level[number / 8 % 3] * torque, fit->lo[SERVO_LEVEL]);
  fit->p[SERVO_OFFSET] = fit->gain_is_known ? 0 : fit->zero;
}

/* A gain that grows with all that works against it hardly moves the joint otherwise: a search creeps along that valley.
   It is walked in strides, all numbers scaled, the others fitted again at each, while that pays. */
static bristle_fault_kind walk_gain(servo_fit *fit, double *room, double *best, bristle_fault *fault)
{
  static const double strides[] = { 1.15, 1 / 1.15 };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int way = 0; way < 2 && fit->free[SERVO_GAIN] && !kind; way++)
    for (int paid = 1, taken = 0; paid && taken < STRIDES && !kind; taken++) {
      double kept[SERVO_NUMBERS], end = HUGE_VAL;
      memcpy(kept, fit->p, sizeof kept);
      for (int k = 0; k < SERVO_NUMBERS; k++)
        if (k != SERVO_DELAY && k != SERVO_OFFSET) fit->p[k] = fmin(fit->p[k] * strides[way], fit->hi[k]);
      fit->free[SERVO_GAIN] = 0;
      kind = refine(fit, 0, room, &end, fault);
      fit->free[SERVO_GAIN] = 1;
      paid = !kind && end < *best;
      if (paid) *best = end;
      else memcpy(fit->p, kept, sizeof kept);
    }
  return kind;
}

bristle_fault_kind servo_search(servo_fit *fit, int fresh, bristle_fault *fault)
{
  const int starts = fit->free[SERVO_GAIN] ? STARTS * GAINS : STARTS;
  const double first = fit->p[SERVO_GAIN];
  double best = HUGE_VAL, kept[SERVO_NUMBERS], cost[STARTS * GAINS];
  double *room = malloc((SERVO_NUMBERS + 1) * fit->fitted * sizeof *room);
  bristle_fault_kind kind = room ? BRISTLE_FAULT_NONE : fault_memory(fault);
  memcpy(kept, fit->p, sizeof kept);
  for (int k = 0; k < starts && fresh && !kind; k++) {
    cost[k] = 0;
    set_start(fit, first, k);
    if (errors_of(fit, fit->p, room)) cost[k] = HUGE_VAL;
    for (size_t i = 0; i < fit->fitted && cost[k] < HUGE_VAL; i++) cost[k] += room[i] * room[i];
  }
  for (int round = 0; round < (fresh ? REFINED : 1) && !kind; round++) {
    double end = HUGE_VAL;
    int start = 0;
    for (int k = 1; k < starts && fresh; k++)
      if (cost[k] < cost[start]) start = k;
    if (fresh) set_start(fit, first, start), cost[start] = HUGE_VAL;
    else memcpy(fit->p, kept, sizeof kept);
    if ((kind = refine(fit, 0, room, &end, fault))) break;
    if (end < best) best = end, memcpy(kept, fit->p, sizeof kept);
  }
  memcpy(fit->p, kept, sizeof kept);
  if (!kind && fresh) kind = walk_gain(fit, room, &best, fault);
  const double loss = kind ? 0 : find_scale(fit, room);
  if (!kind) kind = refine(fit, loss, room, &best, fault);
  if (!kind && find_deviations(fit, loss, room))
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "joint %s cannot be simulated",
                     fit->study->robot.joint[fit->joint].name);
  free(room);
  return kind;
}
