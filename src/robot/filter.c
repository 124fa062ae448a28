/* Motion and torque of all joints behind one low-pass, and the samples that count. */
#include "robot/data.h"

#include "fit/common/sort.h"
#include "io/support.h"
#include "maths/elementary.h"

#include "lab/fit.h"

#include <stdlib.h>
#include <string.h>

enum { FILTER_ORDER = 4 };
static const double SLOW = 0.03;  /* of the speed that 5 % of the samples exceed: slower ones do not count */
static const double AGREES = 0.1; /* what a measured velocity may differ by from that of the position, of its rms */

bristle_fault_kind robot_log_pass(const robot_log *log, double cutoff, double *column, bristle_fault *fault)
{
  bristle_lowpass filter;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!(cutoff > 0) || cutoff >= 0.45 / log->step) return kind;
  kind = bristle_lowpass_design(FILTER_ORDER, cutoff, 1 / log->step, &filter, fault);
  for (int s = 0; s < log->stretches && !kind; s++)
    kind = bristle_lowpass_both_ways(&filter, column + log->first[s], log->first[s + 1] - log->first[s],
                                     column + log->first[s], fault);
  return kind;
}

static bristle_fault_kind derive(const robot_log *log, const double *y, double *out, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int s = 0; s < log->stretches && !kind; s++)
    kind = bristle_differentiate(NULL, log->step, y + log->first[s], log->first[s + 1] - log->first[s],
                                 out + log->first[s], fault);
  return kind;
}

static int take_columns(bristle_robot_study *study, robot_log *log, int joint)
{
  double **to[] = { &log->x[joint], &log->dx[joint], &log->ddx[joint], &log->f[joint] };
  for (int k = 0; k < 4; k++)
    if (!*to[k] && !(*to[k] = memory_take(&study->list, log->count * sizeof(double)))) return 0;
  if (!log->moving[joint]) log->moving[joint] = memory_take(&study->list, log->count);
  return log->moving[joint] != NULL;
}

/* The measured velocity instead of the derivative, where both are the same motion. */
static void choose_velocity(bristle_robot_study *study, const robot_log *log, int joint, const double *measured,
                            const char *file)
{
  double apart = 0, size = 0;
  for (size_t i = 0; i < log->count; i++) {
    if (!log->inside[i]) continue;
    const double d = measured[i] - log->dx[joint][i];
    apart += d * d, size += measured[i] * measured[i] + log->dx[joint][i] * log->dx[joint][i];
  }
  const double part = sqrt(2 * apart / fmax(size, 1e-300));
  if (part <= AGREES) memcpy(log->dx[joint], measured, log->count * sizeof *measured);
  else
    study_note(study,
               "%s, joint %s: the velocity column differs from the motion of the position by %.0f %%; the "
               "position is used",
               file, study->robot.joint[joint].name, fmin(100 * part, 999));
}

static bristle_fault_kind filter_joint(bristle_robot_study *study, robot_log *log, int joint, double cutoff,
                                       double *room, const char *file, bristle_fault *fault)
{
  const size_t bytes = log->count * sizeof(double);
  if (!take_columns(study, log, joint)) return fault_memory(fault);
  memcpy(log->x[joint], log->q[joint], bytes);
  bristle_fault_kind kind = robot_log_pass(log, cutoff, log->x[joint], fault);
  if (!kind) kind = derive(log, log->x[joint], log->dx[joint], fault);
  if (!kind && log->v[joint]) {
    memcpy(room, log->v[joint], bytes);
    kind = robot_log_pass(log, cutoff, room, fault);
    if (!kind) choose_velocity(study, log, joint, room, file);
  }
  if (!kind) kind = derive(log, log->dx[joint], log->ddx[joint], fault);
  if (kind || !log->y[joint]) return kind;
  memcpy(log->f[joint], log->y[joint], bytes);
  return robot_log_pass(log, cutoff, log->f[joint], fault);
}

/* far enough from the ends of each stretch for the filter to have settled */
static void find_inside(robot_log *log, double cutoff)
{
  const size_t drop = cutoff > 0 ? (size_t)(1 / (cutoff * log->step)) + 2 : 2;
  memset(log->inside, 0, log->count);
  for (int s = 0; s < log->stretches; s++)
    for (size_t i = log->first[s] + drop; i + drop < log->first[s + 1]; i++) log->inside[i] = 1;
}

static bristle_fault_kind find_moving(bristle_robot_study *study, int joint, bristle_fault *fault)
{
  robot_data *data = study->data;
  size_t total = 0, used = 0;
  for (int k = 0; k < data->logs; k++) total += data->log[k].count;
  double *speed = malloc((total + 1) * sizeof *speed);
  if (!speed) return fault_memory(fault);
  for (int k = 0; k < data->logs; k++)
    for (size_t i = 0; i < data->log[k].count && !data->log[k].held_out; i++)
      if (data->log[k].inside[i]) speed[used++] = fabs(data->log[k].dx[joint][i]);
  data->threshold[joint] = used ? SLOW * sort_pick(speed, used, used * 95 / 100) : 0;
  free(speed);
  for (int k = 0; k < data->logs; k++) {
    const robot_log *log = &data->log[k];
    for (size_t i = 0; i < log->count; i++)
      log->moving[joint][i] = log->inside[i] && fabs(log->dx[joint][i]) > data->threshold[joint];
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind robot_logs_filter(bristle_robot_study *study, double cutoff, bristle_fault *fault)
{
  robot_data *data = study->data;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int k = 0; k < data->logs && !kind; k++) {
    robot_log *log = &data->log[k];
    double *room = malloc(log->count * sizeof *room);
    if (!room) return fault_memory(fault);
    find_inside(log, cutoff);
    for (int j = 0; j < study->robot.tree.count && !kind; j++)
      kind = filter_joint(study, log, j, cutoff, room, study->record[k].file, fault);
    free(room);
  }
  for (int j = 0; j < study->robot.tree.count && !kind; j++) kind = find_moving(study, j, fault);
  return kind;
}
