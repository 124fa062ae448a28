/* Logs of robots: tables become even grids, with a position and a torque for each joint. */
#include "robot/data.h"

#include "io/recognise.h"
#include "maths/elementary.h"

#include "lab/fit.h"

#include <stdlib.h>

enum { SHORTEST = 100, ENOUGH = 40000 }; /* samples of a stretch that is used; of a log that are worth their time */
static const double GAP = 5;             /* steps that a log may lack without a new stretch */
static const double STILL = 0.02;        /* rad or m that a joint which is said to stand still may move */
static const double MANY_TURNS = 3 * 6.283185307179586; /* no joint of an arm turns further in rad */

typedef struct log_reader {
  bristle_robot_study *study;
  robot_data *data;
  robot_log *log;
  const bristle_table *table;
  robot_columns found;
  unsigned char *whole; /* rows that have all numbers */
  bristle_fault *fault;
} log_reader;

void study_note(bristle_robot_study *study, const char *format, ...)
{
  char text[sizeof *study->note];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (int k = 0; k < study->notes; k++)
    if (!strcmp(study->note[k], text)) return;
  if (study->notes < BRISTLE_ROBOT_NOTES) memcpy(study->note[study->notes++], text, sizeof text);
}

static bristle_fault_kind refuse(const log_reader *r, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bristle_fault_kind refuse(const log_reader *r, const char *hint, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(r->fault, BRISTLE_FAULT_VALUE, hint, format, args);
  va_end(args);
  return fault_at(r->fault, r->table->file, 0, 0);
}

/* ---- columns ---- */

static const bristle_column *column_at(const log_reader *r, int joint, robot_channel channel)
{
  const size_t place = r->found.at[joint][channel];
  return place < r->table->columns ? &r->table->column[place] : NULL;
}

static bristle_fault_kind check_unit(const log_reader *r, int joint, robot_channel channel)
{
  static const char *const units[][2] = {
    { "rad", "m" }, { "rad/s", "m/s" }, { "N*m", "N" }, { "A", "A" }, { "rad", "m" }
  };
  const bristle_column *c = column_at(r, joint, channel);
  const char *wanted = units[channel][r->study->robot.tree.body[joint].prismatic];
  if (!c || c->origin == BRISTLE_UNIT_ORIGIN_NONE) return BRISTLE_FAULT_NONE;
  bristle_fault ignored;
  if (c->origin != BRISTLE_UNIT_ORIGIN_UNKNOWN && !unit_fits(&c->scale, c->unit, wanted, NULL, &ignored))
    return BRISTLE_FAULT_NONE;
  refuse(r, NULL, "joint %s: the column '%s' has the unit '%s', expected %s", r->study->robot.joint[joint].name,
         c->name, c->unit, wanted);
  return r->fault->kind = BRISTLE_FAULT_UNIT;
}

/* the column that the torque comes from; NULL: none */
static const bristle_column *torque_at(const log_reader *r, int joint, double *factor)
{
  const bristle_column *torque = column_at(r, joint, ROBOT_TORQUE), *current = column_at(r, joint, ROBOT_CURRENT);
  *factor = torque && isnan(r->data->gain[joint]) ? 1 : r->data->gain[joint];
  if (torque) return torque;
  return current;
}

static bristle_fault_kind check_torque(log_reader *r, int joint)
{
  double factor;
  const char *name = r->study->robot.joint[joint].name;
  const bristle_column *torque = torque_at(r, joint, &factor);
  if (!torque)
    return refuse(r,
                  "torque or current of every joint that moves is needed, or the targets of all; a joint that stands "
                  "still: option hold",
                  "joint %s: found no torque and no current", name);
  if (isnan(factor))
    return refuse(r, "option gain 14.8 for all joints, or option gain NAME=14.8 for each, in N m/A at the joint",
                  "joint %s: the log has the current '%s', and nobody says what torque an ampere is", name,
                  torque->name);
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind check_joint(log_reader *r, int joint)
{
  double factor;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int c = 0; c < ROBOT_CHANNELS && !kind; c++) kind = check_unit(r, joint, (robot_channel)c);
  if (kind) return kind;
  if (r->data->servos && !column_at(r, joint, ROBOT_TARGET))
    return refuse(r, "targets of every joint that moves are needed; a joint that stands still: option hold",
                  "joint %s: found no target", r->study->robot.joint[joint].name);
  if (!r->data->servos && (kind = check_torque(r, joint))) return kind;
  const bristle_column *other = r->data->servos ? column_at(r, joint, ROBOT_TARGET) : torque_at(r, joint, &factor);
  const bristle_column *x = column_at(r, joint, ROBOT_POSITION), *v = column_at(r, joint, ROBOT_VELOCITY);
  text_append(r->data->columns[joint], sizeof *r->data->columns, 0, "%s%s%s%s, %s", r->found.sign[joint] < 0 ? "-" : "",
              x->name, v ? ", " : "", v ? v->name : "", other->name);
  return kind;
}

/* Commands count where no joint has a torque, or a current with its gain. */
static bristle_fault_kind check_channels(log_reader *r)
{
  const bristle_robot *robot = &r->study->robot;
  int torques = 0, targets = 0;
  for (int k = 0; k < robot->tree.count; k++) {
    double factor;
    torques += torque_at(r, k, &factor) && !isnan(factor);
    targets += column_at(r, k, ROBOT_TARGET) != NULL;
  }
  const int servos = targets > 0 && !torques;
  if (r->log != r->data->log && servos != r->data->servos)
    return refuse(r, "the logs of one call have the same columns", "the log has %s, the first one has not",
                  servos ? "commands without torques" : "torques");
  r->data->servos = servos;
  if (servos && robot->massless[0])
    return refuse(r, "without torques the inertias of the file are believed: give them",
                  "joint %s moves bodies without mass", robot->massless);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int k = 0; k < robot->tree.count && !kind; k++) kind = check_joint(r, k);
  return kind;
}

/* ---- rows ---- */

static void leave_out_holes(log_reader *r, const bristle_column *c, const char *whose)
{
  size_t holes = 0;
  for (size_t i = 0; c && i < r->table->rows; i++)
    if (!isfinite(c->data[i])) r->whole[i] = 0, holes++;
  if (holes)
    study_note(r->study, "%s: %zu cells of '%s'%s%s are no numbers; their rows are left out", r->table->file, holes,
               c->name, *whose ? ", joint " : "", whose);
}

static bristle_fault_kind find_holes(log_reader *r)
{
  memset(r->whole, 1, r->table->rows);
  leave_out_holes(r, &r->table->column[r->found.time], "");
  for (int k = 0; k < r->study->robot.tree.count; k++) {
    double factor;
    leave_out_holes(r, column_at(r, k, ROBOT_POSITION), r->study->robot.joint[k].name);
    leave_out_holes(r, column_at(r, k, ROBOT_VELOCITY), r->study->robot.joint[k].name);
    const bristle_column *other = r->data->servos ? column_at(r, k, ROBOT_TARGET) : torque_at(r, k, &factor);
    leave_out_holes(r, other, r->study->robot.joint[k].name);
  }
  const double *t = r->table->column[r->found.time].data;
  const double from = r->study->request.from, to = r->study->request.to;
  size_t left = 0;
  double start = NAN;
  for (size_t i = 0; i < r->table->rows; i++) {
    if (!r->whole[i]) continue;
    if (isnan(start)) start = t[i];
    if (t[i] - start < from || (to > 0 && t[i] - start > to)) r->whole[i] = 0;
    else left++;
  }
  return left >= SHORTEST ? BRISTLE_FAULT_NONE
                          : refuse(r, NULL, "found %zu rows that can be used, expected at least %d", left, SHORTEST);
}

/* Positions as a joint can have them: degrees that nobody calls so are seen by their size. */
static bristle_fault_kind check_range(const log_reader *r, int joint)
{
  const bristle_robot_joint *j = &r->study->robot.joint[joint];
  const bristle_column *c = column_at(r, joint, ROBOT_POSITION);
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (size_t i = 0; i < r->table->rows; i++)
    if (r->whole[i]) low = fmin(low, c->data[i]), high = fmax(high, c->data[i]);
  low *= r->found.sign[joint], high *= r->found.sign[joint];
  if (low > high) {
    const double keep = low;
    low = high, high = keep;
  }
  const int rotary = !r->study->robot.tree.body[joint].prismatic, limited = j->upper > j->lower;
  const double room = limited ? 0.25 * (j->upper - j->lower) : 0;
  const int beyond = limited && (high > j->upper + room || low < j->lower - room);
  const double widest = fmax(fabs(low), fabs(high));
  if (rotary && c->origin == BRISTLE_UNIT_ORIGIN_NONE && (beyond || widest > MANY_TURNS) && widest > 6)
    return refuse(r, "if these are degrees, call the column so: 'q [deg]', 'q_deg'",
                  "joint %s: '%s' reaches from %.4g to %.4g, which are no rad of a joint%s", j->name, c->name, low,
                  high, limited ? " with these limits" : "");
  if (beyond)
    study_note(r->study,
               "joint %s goes from %.4g to %.4g, far beyond the limits of the file (%.4g to %.4g): another zero, "
               "or another joint?",
               j->name, low, high, j->lower, j->upper);
  if (!(high > low)) study_note(r->study, "%s: joint %s stands still", r->table->file, j->name);
  return BRISTLE_FAULT_NONE;
}

/* Does a joint move that is said to stand still? */
static bristle_fault_kind check_held(const log_reader *r)
{
  for (int k = 0; k < r->data->helds; k++) {
    const size_t place = robot_column_named(r->table, r->data->held[k]);
    double low = HUGE_VAL, high = -HUGE_VAL;
    if (place == r->table->columns) continue;
    const bristle_column *c = &r->table->column[place];
    for (size_t i = 0; i < r->table->rows; i++)
      if (isfinite(c->data[i])) low = fmin(low, c->data[i]), high = fmax(high, c->data[i]);
    if (high - low > STILL)
      return refuse(r, "leave option hold out, or cut the log",
                    "joint %s is said to stand still, but '%s' goes from %.4g to %.4g", r->data->held[k], c->name, low,
                    high);
  }
  return BRISTLE_FAULT_NONE;
}

/* ---- the grid ---- */

static double *take(log_reader *r, size_t count) { return memory_take(&r->study->list, count * sizeof(double)); }

/* Where the grid's stretches lie in the rows that are left: fills from and until, at most `most`. */
static int find_stretches(const double *t, size_t count, double step, size_t *from, size_t *until, int most)
{
  int found = 0;
  for (size_t i = 0, start = 0; i < count; i++) {
    if (i + 1 < count && t[i + 1] - t[i] <= GAP * step) continue;
    if (i + 1 - start >= SHORTEST && found < most) from[found] = start, until[found++] = i + 1;
    start = i + 1;
  }
  return found;
}

typedef struct stretch_plan {
  size_t from[64], until[64], samples[64], longest, thin; /* every `thin`-th sample stays */
  int stretches;
  double *t, step, *room;
} stretch_plan;

static bristle_fault_kind plan_grid(log_reader *r, stretch_plan *p, size_t rows)
{
  bristle_timing timing;
  bristle_fault_kind kind = bristle_timing_examine(p->t, rows, 0, &timing, r->fault);
  if (kind) return kind;
  if (timing.backwards)
    return refuse(r, "two logs in one file, or two clocks: cut it there, or sort it by its time",
                  "the time goes back or stands still behind t = %.6g s", p->t[timing.first_backwards]);
  p->step = timing.step;
  p->stretches = find_stretches(p->t, rows, p->step, p->from, p->until, 64);
  if (!p->stretches) return refuse(r, NULL, "found no stretch of %d samples without a gap", SHORTEST);
  size_t total = 0;
  for (int s = 0; s < p->stretches; s++) {
    p->samples[s] = (size_t)floor((p->t[p->until[s] - 1] - p->t[p->from[s]]) / p->step * (1 - 1e-9)) + 1;
    total += p->samples[s];
    if (p->samples[s] > p->longest) p->longest = p->samples[s];
  }
  p->thin = (total + ENOUGH - 1) / ENOUGH;
  total = 0;
  for (int s = 0; s < p->stretches; s++) total += (p->samples[s] + p->thin - 1) / p->thin;
  robot_log *log = r->log;
  log->stretches = p->stretches, log->step = p->step * (double)p->thin, log->count = total;
  log->first = memory_take(&r->study->list, (size_t)(p->stretches + 1) * sizeof *log->first);
  log->t = take(r, total), log->inside = memory_take(&r->study->list, total);
  if (!log->first || !log->t || !log->inside) return fault_memory(r->fault);
  for (int s = 0; s < p->stretches; s++) {
    const size_t kept = (p->samples[s] + p->thin - 1) / p->thin;
    log->first[s + 1] = log->first[s] + kept;
    for (size_t i = 0; i < kept; i++) log->t[log->first[s] + i] = p->t[p->from[s]] + log->step * (double)i;
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind grid_column(log_reader *r, const stretch_plan *p, const bristle_column *c, double factor,
                                      double *rows, double **to)
{
  if (!c) return BRISTLE_FAULT_NONE;
  *to = take(r, r->log->count);
  if (!*to) return fault_memory(r->fault);
  for (size_t i = 0, k = 0; i < r->table->rows; i++)
    if (r->whole[i]) rows[k++] = factor * c->data[i];
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int s = 0; s < p->stretches && !kind; s++) {
    double *even = p->thin > 1 ? p->room : *to + r->log->first[s];
    kind = bristle_resample(p->t + p->from[s], rows + p->from[s], p->until[s] - p->from[s], p->t[p->from[s]], p->step,
                            p->samples[s], even, r->fault);
    if (!kind && p->thin > 1) kind = bristle_decimate(even, p->samples[s], p->thin, *to + r->log->first[s], r->fault);
  }
  return kind;
}

static bristle_fault_kind make_grid(log_reader *r)
{
  stretch_plan p = { .stretches = 0 };
  size_t rows = 0;
  double *room = malloc(2 * r->table->rows * sizeof *room);
  if (!room) return fault_memory(r->fault);
  p.t = room + r->table->rows;
  for (size_t i = 0; i < r->table->rows; i++)
    if (r->whole[i]) p.t[rows++] = r->table->column[r->found.time].data[i];
  bristle_fault_kind kind = plan_grid(r, &p, rows);
  if (!kind && p.thin > 1) {
    p.room = malloc(p.longest * sizeof *p.room);
    if (!p.room) kind = fault_memory(r->fault);
    study_note(r->study, "%s: of %zu samples every %zuth counts, behind a filter", r->table->file, rows, p.thin);
  }
  for (int k = 0; k < r->study->robot.tree.count && !kind; k++) {
    double factor = 1;
    const double sign = r->found.sign[k];
    const bristle_column *torque = r->data->servos ? NULL : torque_at(r, k, &factor);
    const bristle_column *target = r->data->servos ? column_at(r, k, ROBOT_TARGET) : NULL;
    kind = grid_column(r, &p, column_at(r, k, ROBOT_POSITION), sign, room, &r->log->q[k]);
    if (!kind) kind = grid_column(r, &p, column_at(r, k, ROBOT_VELOCITY), sign, room, &r->log->v[k]);
    if (!kind && torque) kind = grid_column(r, &p, torque, sign * factor, room, &r->log->y[k]);
    if (!kind) kind = grid_column(r, &p, target, sign, room, &r->log->aim[k]);
  }
  free(p.room);
  free(room);
  return kind;
}

static bristle_fault_kind read_table(log_reader *r)
{
  bristle_fault_kind kind = robot_columns_find(r->table, &r->study->robot, r->study->request.joint, &r->found,
                                               r->fault);
  if (kind) return kind;
  r->data->names_are_doubtful |= r->found.by_number || (r->study->request.joint && *r->study->request.joint);
  if (r->found.by_number)
    study_note(r->study,
               "the joints of the log have numbers; they are taken in the order of the robot's file, from %s to %s",
               r->study->robot.joint[0].name, r->study->robot.joint[r->study->robot.tree.count - 1].name);
  if ((kind = check_channels(r))) return kind;
  r->whole = malloc(r->table->rows + 1);
  if (!r->whole) return fault_memory(r->fault);
  kind = find_holes(r);
  if (!kind) kind = check_held(r);
  for (int k = 0; k < r->study->robot.tree.count && !kind; k++) kind = check_range(r, k);
  if (!kind) kind = make_grid(r);
  free(r->whole);
  return kind;
}

bristle_fault_kind robot_logs_read(bristle_robot_study *study, bristle_fault *fault)
{
  const char *const *const lists[] = { study->request.log, study->request.check };
  log_reader r = { .study = study, .data = study->data, .fault = fault };
  bristle_fault_kind kind = robot_gains_read(study, fault);
  for (int held = 0; held < 2; held++)
    for (const char *const *path = lists[held]; path && *path && !kind; path++) {
      bristle_table *table = NULL;
      if (study->records == 2 * BRISTLE_ROBOT_LOGS)
        return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "more than %d logs", 2 * BRISTLE_ROBOT_LOGS);
      if ((kind = bristle_table_read(*path, &table, fault))) break;
      bristle_robot_record *record = &study->record[study->records];
      r.table = table, r.log = &study->data->log[study->records];
      kind = read_table(&r);
      r.log->held_out = record->held_out = held;
      snprintf(record->file, sizeof record->file, "%s", *path);
      record->rows = table->rows;
      if (!kind)
        record->duration = (double)r.log->count * r.log->step, record->rate = 1 / r.log->step, study->records++;
      bristle_table_free(table);
    }
  study->data->logs = study->records;
  return kind;
}
