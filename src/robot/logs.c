/* Logs of robots: tables become even grids, with a position and a torque for each joint. */
#include "robot/logs.h"

#include "io/recognise.h"
#include "maths/elementary.h"

#include "lab/digest.h"
#include "lab/fit.h"

#include <stdlib.h>

static const double STILL = 0.02; /* rad or m that a joint which is said to stand still may move */
static const double MANY_TURNS = 3 * 6.283185307179586; /* no joint of an arm turns further in rad */

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

bristle_fault_kind log_reader_refuse(const log_reader *r, const char *hint, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(r->fault, BRISTLE_FAULT_VALUE, hint, format, args);
  va_end(args);
  return fault_at(r->fault, r->table->file, 0, 0);
}

/* ---- columns ---- */

const bristle_column *log_reader_column(const log_reader *r, int joint, robot_channel channel)
{
  const size_t place = r->found.at[joint][channel];
  return place < r->table->columns ? &r->table->column[place] : NULL;
}

static bristle_fault_kind check_unit(const log_reader *r, int joint, robot_channel channel)
{
  static const char *const units[][2] = {
    { "rad", "m" }, { "rad/s", "m/s" }, { "N*m", "N" }, { "A", "A" }, { "rad", "m" }
  };
  const bristle_column *c = log_reader_column(r, joint, channel);
  const char *wanted = units[channel][r->study->robot.tree.body[joint].prismatic];
  if (!c || c->origin == BRISTLE_UNIT_ORIGIN_NONE) return BRISTLE_FAULT_NONE;
  bristle_fault ignored;
  if (c->origin != BRISTLE_UNIT_ORIGIN_UNKNOWN && !unit_fits(&c->scale, c->unit, wanted, NULL, &ignored))
    return BRISTLE_FAULT_NONE;
  log_reader_refuse(r, NULL, "joint %s: the column '%s' has the unit '%s', expected %s",
                    r->study->robot.joint[joint].name, c->name, c->unit, wanted);
  return r->fault->kind = BRISTLE_FAULT_UNIT;
}

/* the column that the torque comes from; NULL: none */
const bristle_column *log_reader_torque(const log_reader *r, int joint, double *factor)
{
  const bristle_column *torque = log_reader_column(r, joint, ROBOT_TORQUE),
                       *current = log_reader_column(r, joint, ROBOT_CURRENT);
  *factor = torque && isnan(r->data->gain[joint]) ? 1 : r->data->gain[joint];
  if (torque) return torque;
  return current;
}

static bristle_fault_kind check_torque(log_reader *r, int joint)
{
  double factor;
  const char *name = r->study->robot.joint[joint].name;
  const bristle_column *torque = log_reader_torque(r, joint, &factor);
  if (!torque)
    return log_reader_refuse(
        r,
        "torque or current of every joint that moves is needed, or the targets of all; a joint that stands "
        "still: option hold",
        "joint %s: found no torque and no current", name);
  if (isnan(factor))
    return log_reader_refuse(
        r, "option gain 14.8 for all joints, or option gain NAME=14.8 for each, in N m/A at the joint",
        "joint %s: the log has the current '%s', and nobody says what torque an ampere is", name, torque->name);
  return BRISTLE_FAULT_NONE;
}

/* of columns whose names read the same the first is used */
static void tell_alike(const log_reader *r, int joint, const bristle_column *used)
{
  const size_t other = used ? robot_column_alike(r->table, (size_t)(used - r->table->column)) : r->table->columns;
  if (other < r->table->columns)
    study_note(r->study, "%s: joint %s: '%.60s' is used, '%.60s' is not", r->table->file,
               r->study->robot.joint[joint].name, used->name, r->table->column[other].name);
}

static bristle_fault_kind check_joint(log_reader *r, int joint)
{
  double factor;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int c = 0; c < ROBOT_CHANNELS && !kind; c++) kind = check_unit(r, joint, (robot_channel)c);
  if (kind) return kind;
  if (r->data->servos && !log_reader_column(r, joint, ROBOT_TARGET))
    return log_reader_refuse(r, "targets of every joint that moves are needed; a joint that stands still: option hold",
                             "joint %s: found no target", r->study->robot.joint[joint].name);
  if (!r->data->servos && (kind = check_torque(r, joint))) return kind;
  const bristle_column *other = r->data->servos ? log_reader_column(r, joint, ROBOT_TARGET)
                                                : log_reader_torque(r, joint, &factor);
  const bristle_column *x = log_reader_column(r, joint, ROBOT_POSITION),
                       *v = log_reader_column(r, joint, ROBOT_VELOCITY);
  text_append(r->data->columns[joint], sizeof *r->data->columns, 0, "%s%s%s%s, %s", r->found.sign[joint] < 0 ? "-" : "",
              x->name, v ? ", " : "", v ? v->name : "", other->name);
  tell_alike(r, joint, x);
  tell_alike(r, joint, v);
  tell_alike(r, joint, other);
  return kind;
}

/* Commands count where no joint has a torque, or a current with its gain. */
static bristle_fault_kind check_channels(log_reader *r)
{
  const bristle_robot *robot = &r->study->robot;
  int torques = 0, targets = 0;
  for (int k = 0; k < robot->tree.count; k++) {
    double factor;
    torques += log_reader_torque(r, k, &factor) && !isnan(factor);
    targets += log_reader_column(r, k, ROBOT_TARGET) != NULL;
  }
  const int servos = targets > 0 && !torques;
  if (r->log != r->data->log && servos != r->data->servos)
    return log_reader_refuse(r, "the logs of one call have the same columns", "the log has %s, the first one has not",
                             servos ? "commands without torques" : "torques");
  r->data->servos = servos;
  if (servos && robot->massless[0])
    return log_reader_refuse(r, "without torques the inertias of the file are believed: give them",
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
    leave_out_holes(r, log_reader_column(r, k, ROBOT_POSITION), r->study->robot.joint[k].name);
    leave_out_holes(r, log_reader_column(r, k, ROBOT_VELOCITY), r->study->robot.joint[k].name);
    const bristle_column *other = r->data->servos ? log_reader_column(r, k, ROBOT_TARGET)
                                                  : log_reader_torque(r, k, &factor);
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
  return left >= LOG_SHORTEST ? BRISTLE_FAULT_NONE
                              : log_reader_refuse(r, NULL, "found %zu row%s that can be used, expected at least %d",
                                                  left, PLURAL(left), LOG_SHORTEST);
}

/* Numbers that nothing has: a broken cell. They would decide every mean. */
static bristle_fault_kind check_sizes(const log_reader *r, const bristle_column *c)
{
  static const double most = 1e9; /* SI: m or rad, and per second, N or N m, A */
  for (size_t i = 0; c && i < r->table->rows; i++)
    if (r->whole[i] && fabs(c->data[i]) > most)
      return log_reader_refuse(r, "correct the cell, or check the unit of the column",
                               "'%.80s' is %.3g in row %zu, beyond what any machine has", c->name, c->data[i], i + 1);
  return BRISTLE_FAULT_NONE;
}

/* Positions as a joint can have them: degrees that nobody calls so are seen by their size. */
static bristle_fault_kind check_range(const log_reader *r, int joint)
{
  const bristle_robot_joint *j = &r->study->robot.joint[joint];
  const bristle_column *c = log_reader_column(r, joint, ROBOT_POSITION);
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
  const int unsaid = c->origin == BRISTLE_UNIT_ORIGIN_NONE, turns = widest > MANY_TURNS;
  if (rotary && widest > 6 && (unsaid ? beyond || turns : beyond && turns))
    return log_reader_refuse(r, "if these are degrees, call the column so: 'q [deg]', 'q_deg'; or correct the limits",
                             "joint %s: '%s' reaches from %.4g to %.4g, which are no rad of a joint%s", j->name,
                             c->name, low, high, limited ? " with these limits" : "");
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
      return log_reader_refuse(r, "leave option hold out, or cut the log",
                               "joint %s is said to stand still, but '%s' goes from %.4g to %.4g", r->data->held[k],
                               c->name, low, high);
  }
  return BRISTLE_FAULT_NONE;
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
  for (int k = 0; k < r->study->robot.tree.count && !kind; k++) {
    for (int c = 0; c < ROBOT_CHANNELS && !kind; c++) kind = check_sizes(r, log_reader_column(r, k, (robot_channel)c));
    if (!kind) kind = check_range(r, k);
  }
  if (!kind) kind = log_reader_grid(r);
  free(r->whole);
  return kind;
}

/* the rows of a log, so that it can be told from the others; without a name, which a copy has not */
static void digest_rows(const bristle_table *table, char digest[65])
{
  char pair[2][65] = { "", "" }; /* of the columns so far, and of the next one */
  for (size_t c = 0; c < table->columns; c++) {
    bristle_digest(table->column[c].data, table->rows * sizeof(double), pair[1]);
    bristle_digest(pair, sizeof pair, pair[0]);
  }
  memcpy(digest, pair[0], sizeof pair[0]);
}

/* a log that counts twice makes its numbers look better than they are, and one that validates itself says nothing */
static bristle_fault_kind check_different(const log_reader *r, char digest[][65], int logs, int validates)
{
  digest_rows(r->table, digest[logs]);
  for (int k = 0; k < logs; k++)
    if (!strcmp(digest[k], digest[logs]))
      return log_reader_refuse(r, validates ? "validate with another record" : "give each record once",
                               "this is the same data as %.150s", r->study->record[k].file);
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind robot_logs_read(bristle_robot_study *study, bristle_fault *fault)
{
  char digest[2 * BRISTLE_ROBOT_LOGS][65];
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
      kind = check_different(&r, digest, study->records, held);
      if (!kind) kind = read_table(&r);
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
