/* A joint under recorded reactions and motion: its columns, and its friction from row to row. */
#include "run.h"

#include "bristle/text.h"

#include "maths/elementary.h"

#include <string.h>

enum { MOST_PARTS = 1024 };

/* ---- columns ---- */

/* The normal load that a single reaction of 1 brings, the one that the column stands for; and what kind of joint it is.
 */
static bristle_joint_map under(const bristle_joint *j, int column)
{
  const bristle_joint_motion still = { 0 };
  bristle_joint_loads loads = { 0 };
  bristle_joint_map map;
  if (column >= FX && column <= FZ) loads.force[column - FX] = 1;
  if (column >= MX && column <= MZ) loads.moment[column - MX] = 1;
  bristle_joint_resolve(j, &loads, &still, &map);
  return map;
}

/* what the joint must have: the reactions that it feels, and the motion it allows */
static unsigned needed(const bristle_joint *j)
{
  const bristle_joint_map map = under(j, T);
  const int turns = map.dim - map.translations;
  unsigned need = 1u << T;
  for (int column = FX; column <= MZ; column++)
    if (under(j, column).load > 0) need |= 1u << column;
  if (map.translations) need |= 1u << V;
  if (turns == 1) need |= 1u << W;
  if (turns == 3) need |= 1u << WX | 1u << WY | 1u << WZ;
  return need;
}

bristle_fault_kind joint_pick_columns(joint_run *r, bristle_fault *fault)
{
  const bristle_joint *j = &r->file.joint;
  const int turns = under(j, T).translations == 0;
  const bristle_wanted wanted[COLUMNS] = {
    [T] = { "t|time", "s", 0 },
    [FX] = { "fx|f_x|force_x", "N", 0 },
    [FY] = { "fy|f_y|force_y", "N", 0 },
    [FZ] = { "fz|f_z|force_z", "N", 0 },
    [MX] = { "mx|m_x|moment_x", "N*m", 0 },
    [MY] = { "my|m_y|moment_y", "N*m", 0 },
    [MZ] = { "mz|m_z|moment_z", "N*m", 0 },
    [V] = { "vz|v|v_z|velocity", "m/s", 0 },
    [W] = { "w|wz|w_z|omega|omega_z|angular_velocity", "rad/s", 0 },
    [WX] = { "wx|w_x|omega_x", "rad/s", 0 },
    [WY] = { "wy|w_y|omega_y", "rad/s", 0 },
    [WZ] = { "wz|w_z|omega_z", "rad/s", 0 },
    [X] = { "x|z|position|displacement", "m", 0 },
    [APPLIED] = { "applied", turns ? "N*m" : "N", 0 },
  };
  const unsigned need = needed(j);
  const unsigned welcome = (j->overlap_rule != BRISTLE_JOINT_OVERLAP_CONSTANT ? 1u << X : 0)
                           | (bristle_joint_dim(j->kind) == 1 ? 1u << APPLIED : 0) | (r->still ? 1u << X : 0);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int i = 0; i < COLUMNS && !kind; i++) {
    bristle_wanted w = wanted[i];
    if (!(need & 1u << i)) w.flags |= BRISTLE_OPTIONAL;
    if ((need | welcome) & 1u << i) kind = bristle_table_pick(r->table, &w, &r->column[i], fault);
  }
  return kind ? kind : bristle_table_check_increasing(r->table, r->column[T], fault);
}

double joint_cell(const joint_run *r, int column, size_t row)
{
  return r->column[column] ? r->column[column]->data[row] : 0;
}

void joint_loads_at(const joint_run *r, size_t row, bristle_joint_loads *loads)
{
  for (int i = 0; i < 3; i++) {
    loads->force[i] = joint_cell(r, FX + i, row);
    loads->moment[i] = joint_cell(r, MX + i, row);
  }
}

/* the axis that a single angular velocity turns about: z, unless the file says otherwise */
void joint_axis(const bristle_joint *j, double axis[3])
{
  const double *c = j->cross_axis, length = sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
  for (int i = 0; i < 3; i++) axis[i] = c[i] / length;
}

void joint_motion_at(const joint_run *r, size_t row, bristle_joint_motion *m)
{
  const bristle_joint *j = &r->file.joint;
  double axis[3];
  joint_axis(j, axis);
  memset(m, 0, sizeof *m);
  m->v = joint_cell(r, V, row);
  m->f = joint_cell(r, APPLIED, row);
  for (int i = 0; i < 3; i++) {
    m->omega[i] = r->column[WX] ? joint_cell(r, WX + i, row) : joint_cell(r, W, row) * axis[i];
    m->torque[i] = m->f * axis[i];
  }
}

/* ---- between two rows ---- */

/* two rows, and what lies between them: velocities, loads and applied forces change linearly */
typedef struct span {
  double h;
  bristle_joint_loads from, to;
  bristle_joint_motion a, b;
} span;

static double mix(double a, double b, double c) { return a + c * (b - a); }

static void span_between(const joint_run *r, size_t row, span *p)
{
  p->h = joint_cell(r, T, row) - joint_cell(r, T, row - 1);
  joint_loads_at(r, row - 1, &p->from);
  joint_loads_at(r, row, &p->to);
  joint_motion_at(r, row - 1, &p->a);
  joint_motion_at(r, row, &p->b);
  p->a.x = r->x;
  p->b.x = r->column[X] ? r->column[X]->data[row] : r->x + 0.5 * p->h * (p->a.v + p->b.v);
  p->a.a = p->b.a = (p->b.v - p->a.v) / p->h;
  for (int i = 0; i < 3; i++) {
    p->a.rotation[i] = r->rotation[i];
    p->b.rotation[i] = r->rotation[i] + 0.5 * p->h * (p->a.omega[i] + p->b.omega[i]);
    p->a.alpha[i] = p->b.alpha[i] = (p->b.omega[i] - p->a.omega[i]) / p->h;
  }
}

/* The part of the span from `begin` to `end` (0..1), in `parts` steps at the velocities in the middle of each: exact
   when the velocity is constant, second order when it changes. */
static void advance(const bristle_joint *j, const span *p, double begin, double end, int parts, double *s)
{
  bristle_joint_friction out;
  const double part = (end - begin) / parts;
  for (int k = 0; k < parts && part > 0; k++) {
    const double start = begin + k * part, c = start + 0.5 * part;
    bristle_joint_loads loads;
    bristle_joint_motion m = p->a;
    m.h = p->h * part;
    m.x = mix(p->a.x, p->b.x, start);
    m.v = mix(p->a.v, p->b.v, c);
    m.f = mix(p->a.f, p->b.f, c);
    for (int i = 0; i < 3; i++) {
      m.rotation[i] = mix(p->a.rotation[i], p->b.rotation[i], start);
      m.omega[i] = mix(p->a.omega[i], p->b.omega[i], c);
      m.torque[i] = mix(p->a.torque[i], p->b.torque[i], c);
      loads.force[i] = mix(p->from.force[i], p->to.force[i], c);
      loads.moment[i] = mix(p->from.moment[i], p->to.moment[i], c);
    }
    bristle_joint_step(j, s, &loads, &m, &out);
  }
}

/* Where each velocity passes through zero, in order, between 0 and 1: friction turns there, and steps across would see
   less motion than there is. The last entry is 1. */
static int reversals(const span *p, double at[5])
{
  const double from[4] = { p->a.v, p->a.omega[0], p->a.omega[1], p->a.omega[2] };
  const double to[4] = { p->b.v, p->b.omega[0], p->b.omega[1], p->b.omega[2] };
  int count = 0;
  for (int i = 0; i < 4; i++) {
    if (!(from[i] * to[i] < 0)) continue;
    const double c = from[i] / (from[i] - to[i]);
    int k = count++;
    for (; k > 0 && at[k - 1] > c; k--) at[k] = at[k - 1];
    at[k] = c;
  }
  at[count++] = 1;
  return count;
}

/* the largest difference of the coefficients, and their size */
static int settled(const bristle_joint_friction *a, const bristle_joint_friction *b)
{
  double change = 0, size = 0;
  for (int i = 0; i < 3; i++) {
    change = fmax(change, fmax(fabs(a->mu[i] - b->mu[i]), fabs(a->mu_rot[i] - b->mu_rot[i])));
    size = fmax(size, fmax(fabs(a->mu[i]), fabs(a->mu_rot[i])));
  }
  return change <= 1e-7 * size + 1e-15;
}

/* Doubles the parts until the friction at the row has settled twice in a row, so that the result does not depend on the
   sampling, nor on two wrong ones that agree by chance. */
void joint_step_to(joint_run *r, size_t row, bristle_joint_friction *out)
{
  const bristle_joint *j = &r->file.joint;
  const size_t size = sizeof(double) * (size_t)r->file.friction.info->nstate;
  double s[BRISTLE_LAW_SIZE], rate[BRISTLE_LAW_SIZE];
  span p;
  bristle_joint_friction last = { 0 };
  double turn[5];
  int agreed = 0;
  span_between(r, row, &p);
  if (r->still) {
    bristle_joint_static(j, &p.to, &p.b, out);
    r->x = p.b.x;
    memcpy(r->rotation, p.b.rotation, sizeof r->rotation);
    return;
  }
  const int pieces = reversals(&p, turn);
  for (int parts = 1; parts <= MOST_PARTS && agreed < 2; parts *= 2) {
    memcpy(s, r->s, size);
    for (int i = 0; i < pieces; i++) advance(j, &p, i ? turn[i - 1] : 0, turn[i], parts, s);
    bristle_joint_eval(j, s, &p.to, &p.b, out, rate);
    agreed = parts > 1 && settled(out, &last) ? agreed + 1 : 0;
    last = *out;
  }
  memcpy(r->s, s, size);
  r->x = p.b.x;
  memcpy(r->rotation, p.b.rotation, sizeof r->rotation);
}

/* ---- bad rows ---- */

static bristle_fault_kind check_row(const joint_run *r, size_t row, bristle_fault *fault)
{
  bristle_joint_loads loads;
  bristle_joint_motion m;
  bristle_error error;
  joint_loads_at(r, row, &loads);
  joint_motion_at(r, row, &m);
  m.x = r->x;
  if (!bristle_joint_check_state(&r->file.joint, &loads, &m, 0, &error)) return BRISTLE_FAULT_NONE;
  char text[300];
  bristle_error_text(&error, text, sizeof text);
  return bristle_table_fault(r->table, r->column[T], row, fault, NULL, "%s", text);
}

/* all rows before any output, so that bad data leave none behind */
bristle_fault_kind joint_check_rows(joint_run *r, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  r->x = r->column[X] ? r->column[X]->data[0] : 0;
  for (size_t row = 0; row < r->table->rows && !kind; row++) {
    span p;
    if (row) {
      span_between(r, row, &p);
      r->x = p.b.x;
    }
    kind = check_row(r, row, fault);
  }
  r->x = r->column[X] ? r->column[X]->data[0] : 0;
  return kind;
}
