/* A robot with its logs: what is read, what the filter shall be, then every joint for itself. */
#include "robot/doubt.h"
#include "robot/joint.h"
#include "robot/servo.h"

#include "fit/common/parallel.h"
#include "fit/common/sort.h"
#include "io/support.h"
#include "maths/elementary.h"

#include "lab/fit.h"

#include <stdlib.h>

/* ---- joints that stand still ---- */

static bristle_fault_kind hold_joints(bristle_robot_study *study, bristle_fault *fault)
{
  bristle_robot *robot = &study->robot;
  for (const char *const *held = study->request.hold; held && *held; held++) {
    char name[BRISTLE_ROBOT_NAME];
    const size_t length = strcspn(*held, "=");
    double value = 0;
    snprintf(name, sizeof name, "%.*s", (int)length, *held);
    const int joint = bristle_robot_find(robot, name);
    if (joint < 0)
      return fault_set(fault, BRISTLE_FAULT_REQUEST, "the names are those of the robot's file",
                       "option hold %s: there is no such joint that moves", name);
    const char *unit = robot->tree.body[joint].prismatic ? "m" : "rad";
    if ((*held)[length]
        && bristle_quantity_read(*held + length + 1, strlen(*held + length + 1), unit, &value, NULL, fault))
      return fault->kind = BRISTLE_FAULT_REQUEST;
    study_note(study, "joint %s stands still at %.4g %s, as asked", name, value, unit);
    snprintf(study->data->held[study->data->helds++], BRISTLE_ROBOT_NAME, "%s", name);
    bristle_robot_hold(robot, joint, value);
  }
  return robot->tree.count ? BRISTLE_FAULT_NONE
                           : fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "no joint is left that moves");
}

/* ---- the filter ---- */

enum { SEGMENT = 1024, BANDS = 10 };
static const double MOST = 0.99; /* part of a velocity's power that counts as its band */

/* The frequency below which nearly all power of a velocity lies; 0: it cannot be told. */
static double band_of(const robot_log *log, int joint)
{
  const size_t samples = log->first[1] - log->first[0];
  size_t segment = SEGMENT;
  while (segment > samples) segment /= 2;
  double *v = malloc((samples + segment + 1) * sizeof *v), *density = v ? v + samples : NULL, whole = 0, sum = 0;
  size_t k = 0;
  bristle_fault ignored;
  if (v && !bristle_differentiate(NULL, log->step, log->q[joint], samples, v, &ignored)
      && !bristle_power_density(v, samples, 1 / log->step, segment, density, &ignored)) {
    for (size_t i = 1; i <= segment / 2; i++) whole += density[i];
    for (k = 1; k < segment / 2 && (sum += density[k]) < MOST * whole; k++) continue;
  }
  free(v);
  return (double)k / ((double)segment * log->step);
}

/* Not above what the positions (or measured velocities) themselves ask for, so that accelerations are as good as can
   be, and not far above the band of the motion: the rest is noise of the torque. Friction that turns within a sample
   goes through the same filter, so that a low one does not bend it. */
static bristle_fault_kind choose_cutoff(bristle_robot_study *study, bristle_fault *fault)
{
  const robot_data *data = study->data;
  double found[BRISTLE_ROBOT_JOINTS * 8], band = 0;
  size_t count = 0;
  study->cutoff = study->request.cutoff;
  if (study->cutoff != 0) return BRISTLE_FAULT_NONE;
  for (int k = 0; k < data->logs && k < 8; k++)
    for (int j = 0; j < study->robot.tree.count && !data->log[k].held_out; j++) {
      const robot_log *log = &data->log[k];
      const double *from = log->v[j] ? log->v[j] : log->q[j];
      bristle_cutoff cutoff;
      bristle_fault ignored;
      if (!bristle_cutoff_choose(from, log->first[1] - log->first[0], 1 / log->step, 4, log->v[j] ? 1 : 2, &cutoff,
                                 &ignored)
          && cutoff.frequency > 0)
        found[count++] = cutoff.frequency;
      band = fmax(band, band_of(log, j));
    }
  if (!count || !(band > 0))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "give one: option cutoff '8 Hz'", "found no cut-off for the motion");
  study->cutoff = fmin(sort_pick(found, count, count / 2), BANDS * band), study->cutoff_chosen = 1;
  return BRISTLE_FAULT_NONE;
}

/* ---- all of it ---- */

typedef struct work {
  bristle_robot_study *study;
  bristle_fault fault[BRISTLE_ROBOT_JOINTS];
} work;

static void fit_joint(void *context, int joint)
{
  work *w = context;
  joint_identify(w->study, joint, &w->fault[joint]);
}

static int open_views(bristle_robot_study *study)
{
  robot_data *data = study->data;
  for (int k = 0; k < data->logs && data->view == 0; k++)
    if (data->log[k].held_out) data->view = k;
  for (int j = 0; j < study->robot.tree.count; j++) {
    const size_t size = data->log[data->view].count * sizeof(double);
    data->model[j] = memory_take(&study->list, size);
    data->friction[j] = memory_take(&study->list, size);
    if (!data->model[j] || !data->friction[j]) return 1;
  }
  return 0;
}

static bristle_fault_kind fit_joints(bristle_robot_study *study, bristle_fault *fault)
{
  const int count = study->robot.tree.count;
  if (open_views(study)) return fault_memory(fault);
  for (int j = 0; j < count; j++) {
    bristle_robot_result *r = &study->joint[j];
    snprintf(r->name, sizeof r->name, "%s", study->robot.joint[j].name);
    snprintf(r->columns, sizeof r->columns, "%s", study->data->columns[j]);
    r->prismatic = study->robot.tree.body[j].prismatic;
  }
  if (study->data->servos) return servo_identify(study, fault);
  work *w = calloc(1, sizeof *w);
  if (!w) return fault_memory(fault);
  w->study = study;
  parallel_for(study->request.threads > 0 ? study->request.threads : 2, count, fit_joint, w);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int j = 0; j < count && !kind; j++)
    if ((kind = w->fault[j].kind)) *fault = w->fault[j];
  free(w);
  return kind;
}

bristle_fault_kind bristle_robot_identify(const bristle_robot_request *request, bristle_robot_study **study,
                                          bristle_fault *fault)
{
  bristle_robot_study *s = calloc(1, sizeof *s);
  bristle_fault ignored;
  *study = NULL;
  if (!fault) fault = &ignored;
  if (!s) return fault_memory(fault);
  s->request = *request;
  s->data = memory_take(&s->list, sizeof *s->data);
  bristle_fault_kind kind = s->data ? bristle_robot_read(request->robot, &s->robot, fault) : fault_memory(fault);
  for (int k = 0; k < s->robot.notes && !kind; k++) study_note(s, "%s: %s", request->robot, s->robot.note[k]);
  if (!kind) kind = hold_joints(s, fault);
  if (!kind) kind = robot_logs_read(s, fault);
  if (!kind) kind = choose_cutoff(s, fault);
  if (!kind) kind = robot_logs_filter(s, s->cutoff, fault);
  if (!kind) kind = fit_joints(s, fault);
  if (!kind && !s->data->servos) kind = robot_doubt_readings(s, fault);
  if (kind) {
    bristle_robot_study_free(s);
    return kind;
  }
  *study = s;
  return kind;
}

void bristle_robot_study_free(bristle_robot_study *study)
{
  if (!study) return;
  memory_free(study->list);
  free(study);
}
