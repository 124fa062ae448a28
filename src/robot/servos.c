/* All joints that follow commands: gains, passes, and what each joint's numbers are worth. */
#include "robot/joint.h"
#include "robot/servo.h"

#include "fit/common/parallel.h"
#include "fit/common/sort.h"
#include "io/support.h"
#include "maths/elementary.h"

#include "lab/report.h"
#include "lab/units.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 3 };
static const double MOST_DELAY = 0.1, MOST_TURN = 0.25; /* s, rad */
static const double LOADED = 0.1;    /* of the servo's torque that the weight must be to show a gain */
static const double UNKNOWN = 0.5;   /* a deviation that is a larger part of its number: not determined */
static const double TOGETHER = 0.95; /* a correlation that is worth a word */

/* ---- what is searched ---- */

static void set_bounds(servo_fit *fit)
{
  const bristle_robot_study *study = fit->study;
  const robot_log *log = &study->data->log[0];
  double inertia = 0, speed = 0, most = 0;
  for (size_t i = 0; i < log->count; i++) {
    inertia += fit->term[0].inertia[i] / (double)log->count;
    speed += log->dx[fit->joint][i] * log->dx[fit->joint][i] / (double)log->count;
    most = fmax(most, fabs(fit->term[0].bias[i]));
  }
  const double wide = fit->gain_is_known ? 1 : 1000; /* the start of a gain that is searched may be far off */
  const double torque = wide * fit->p[SERVO_GAIN] * fit->size;
  fit->speed = fmax(sqrt(speed), 1e-3), fit->inertia = fmax(fabs(inertia), 1e-9);
  const double hi[SERVO_NUMBERS] = {
    30 * fit->inertia + torque / wide, 10 * torque,
    10 * torque / fit->speed,          MOST_DELAY,
    fit->p[SERVO_GAIN] * wide,         fit->gain_is_known ? torque + most : MOST_TURN
  };
  for (int k = 0; k < SERVO_NUMBERS; k++) fit->hi[k] = hi[k], fit->lo[k] = 0, fit->free[k] = 1;
  fit->lo[SERVO_LEVEL] = 1e-6 * torque / wide, fit->lo[SERVO_GAIN] = fit->p[SERVO_GAIN] / 100;
  fit->lo[SERVO_OFFSET] = -hi[SERVO_OFFSET];
  fit->free[SERVO_GAIN] = !fit->gain_is_known;
  /* the zero of a slide shows in nothing but what it does to other joints */
  if (!fit->gain_is_known && study->robot.tree.body[fit->joint].prismatic) fit->free[SERVO_OFFSET] = 0;
}

/* The gain that holds the weight: bias over the distance to the target, of samples that hardly move. */
static double first_gain(const servo_fit *fit)
{
  const robot_data *data = fit->study->data;
  double both = 0, square = 0, bias[2] = { 0 }, away[2] = { 0 }, n = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < data->logs; k++) {
      const robot_log *log = &data->log[k];
      for (size_t i = 0; i < log->count && !log->held_out; i++) {
        const double e = log->aim[fit->joint][i] - log->x[fit->joint][i], b = fit->term[k].bias[i];
        if (!pass) bias[0] += b, away[0] += e, n++;
        else both += (b - bias[0] / n) * (e - away[0] / n), square += (e - away[0] / n) * (e - away[0] / n);
      }
    }
  const double gain = both / fmax(square, 1e-12);
  return gain > 0.3 * fit->load ? gain : fmax(fit->load, 1e-3);
}

/* Does the weight show the gain? */
static int shows_gain(const servo_fit *fit)
{
  const double gain = fit->p[SERVO_GAIN];
  return fit->load > LOADED * gain && fit->deviation[SERVO_GAIN] < UNKNOWN * gain && gain > 1.01 * fit->lo[SERVO_GAIN]
         && gain < 0.99 * fit->hi[SERVO_GAIN];
}

typedef struct servos {
  bristle_robot_study *study;
  servo_fit fit[BRISTLE_ROBOT_JOINTS];
  bristle_fault fault[BRISTLE_ROBOT_JOINTS];
  int pass, shown[BRISTLE_ROBOT_JOINTS];
  double moved[BRISTLE_ROBOT_JOINTS][SERVO_NUMBERS];
  double common; /* gain of joints whose own one nothing shows; 0: none */
} servos;

static void fit_one(void *context, int joint)
{
  servos *s = context;
  servo_fit *fit = &s->fit[joint];
  const double gain = s->study->data->gain[joint];
  if (servo_open(fit, s->study, joint)) {
    fault_memory(&s->fault[joint]);
    return;
  }
  if (!s->pass) {
    fit->gain_is_known = !isnan(gain);
    fit->damping = s->study->data->damping[joint];
    fit->p[SERVO_GAIN] = fit->gain_is_known ? gain : first_gain(fit);
    set_bounds(fit);
  } else if (!fit->gain_is_known && !s->shown[joint] && s->common > 0) {
    const double part = s->common / fit->p[SERVO_GAIN];
    for (int k = 0; k < SERVO_NUMBERS; k++)
      if (k == SERVO_LEVEL || k == SERVO_VISCOUS) fit->p[k] *= part, fit->hi[k] = fmax(fit->hi[k], 2 * fit->p[k]);
    fit->p[SERVO_GAIN] = s->common, fit->free[SERVO_GAIN] = fit->free[SERVO_OFFSET] = 0, fit->p[SERVO_OFFSET] = 0;
    fit->lo[SERVO_LEVEL] = fmin(fit->lo[SERVO_LEVEL], 1e-3 * fit->p[SERVO_LEVEL]);
  }
  if (s->pass && !fit->gain_is_known && fit->deviation[SERVO_OFFSET] > UNKNOWN * MOST_TURN)
    fit->free[SERVO_OFFSET] = 0,
    fit->p[SERVO_OFFSET] = 0; /* nothing shows it, and the terms of others would follow it */
  servo_search(fit, !s->pass || (s->pass == 1 && !s->shown[joint]), &s->fault[joint]);
}

/* ---- what the filter does ---- */

/* the same joint with the terms of other cut-offs: what its numbers move by */
static void fit_again(void *context, int joint)
{
  servos *s = context;
  servo_fit again = s->fit[joint], *fit = &s->fit[joint];
  again.room = NULL;
  if (servo_open(&again, s->study, joint)) fault_memory(&s->fault[joint]);
  else if (!servo_search(&again, 0, &s->fault[joint]))
    for (int k = 0; k < SERVO_NUMBERS; k++) s->moved[joint][k] = fmax(s->moved[joint][k], fabs(again.p[k] - fit->p[k]));
  servo_close(&again);
}

/* A zero that runs to its end holds the other numbers at an arbitrary place: what they are without it counts, too. */
static void fit_without_zero(void *context, int joint)
{
  servos *s = context;
  servo_fit again = s->fit[joint], *fit = &s->fit[joint];
  if (fit->gain_is_known || !fit->free[SERVO_OFFSET] || !servo_is_at_end(fit, SERVO_OFFSET)) return;
  again.free[SERVO_OFFSET] = 0, again.p[SERVO_OFFSET] = 0;
  if (!servo_search(&again, 0, &s->fault[joint]))
    for (int k = 0; k < SERVO_NUMBERS; k++) s->moved[joint][k] = fmax(s->moved[joint][k], fabs(again.p[k] - fit->p[k]));
}

/* Inertia and bias come from filtered motions: half and twice the cut-off say how much that matters. And nobody knows
   where within a sample a command was taken over. */
static bristle_fault_kind widen(servos *s, bristle_fault *fault)
{
  static const double factors[] = { 0.5, 2, 1 };
  bristle_robot_study *study = s->study;
  const int count = study->robot.tree.count, threads = study->request.threads > 0 ? study->request.threads : 2;
  const double late = study->data->log[0].step / sqrt(12);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  parallel_for(threads, count, fit_without_zero, s);
  for (int k = 0; k < 3 && !kind; k++) {
    kind = robot_logs_filter(study, study->cutoff * factors[k], fault);
    if (!kind && k < 2) parallel_for(threads, count, fit_again, s);
    for (int j = 0; j < count && !kind; j++)
      if ((kind = s->fault[j].kind)) *fault = s->fault[j];
  }
  for (int j = 0; j < count; j++)
    for (int k = 0; k < SERVO_NUMBERS; k++) {
      servo_fit *fit = &s->fit[j];
      if (!fit->free[k] || (servo_is_at_end(fit, k) && s->moved[j][k] == 0)) continue;
      const double more = k == SERVO_DELAY ? hypot(late, s->moved[j][k]) : s->moved[j][k];
      fit->deviation[k] = hypot(fit->deviation[k], more);
    }
  return kind;
}

/* the gain of joints that show none is that of the others in the middle */
static void find_common(servos *s)
{
  double known[BRISTLE_ROBOT_JOINTS];
  size_t count = 0;
  for (int j = 0; j < s->study->robot.tree.count; j++) {
    s->shown[j] = s->fit[j].gain_is_known || shows_gain(&s->fit[j]);
    if (s->shown[j]) known[count++] = s->fit[j].p[SERVO_GAIN];
  }
  s->common = count ? sort_pick(known, count, count / 2) : 0;
}

bristle_fault_kind servo_identify(bristle_robot_study *study, bristle_fault *fault)
{
  const int count = study->robot.tree.count, threads = study->request.threads > 0 ? study->request.threads : 2;
  servos *s = calloc(1, sizeof *s);
  friction_form form;
  if (!s) return fault_memory(fault);
  s->study = study;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  friction_forms(&form, 1);
  study->data->servo_law = form.law;
  int all_known = 1;
  for (s->pass = 0; s->pass < PASSES && !kind && !(s->pass && all_known); s->pass++) {
    parallel_for(threads, count, fit_one, s);
    for (int j = 0; j < count && !kind; j++)
      if ((kind = s->fault[j].kind)) *fault = s->fault[j];
    if (!s->pass) find_common(s);
    if (!s->pass && !kind && !(s->common > 0))
      kind = fault_set(fault, BRISTLE_FAULT_VALUE,
                       "option gain: N m for each rad of the servos, of all joints or of one",
                       "no joint carries a weight that shows the gain of its servo");
    for (int j = 0; j < count; j++) {
      all_known &= s->fit[j].gain_is_known;
      if (!s->fit[j].gain_is_known) study->data->zero[j] = s->fit[j].p[SERVO_OFFSET];
    }
  }
  if (!kind) kind = widen(s, fault);
  for (int j = 0; j < count && !kind; j++) servo_report(&s->fit[j], s->shown[j]);
  for (int j = 0; j < count; j++) servo_close(&s->fit[j]);
  free(s);
  return kind;
}

/* ---- words ---- */

static void care(bristle_robot_result *r) { joint_grade(r, BRISTLE_GRADE_CARE); }

static double correlation(const servo_fit *fit, int a, int b)
{
  const double both = fit->deviation[a] * fit->deviation[b];
  return both > 0 ? fit->covariance[a * SERVO_NUMBERS + b] / both : 0;
}

static bristle_robot_number *add(bristle_robot_result *r, const servo_fit *fit, int k, const char *name,
                                 const char *unit)
{
  bristle_robot_number *n = &r->number[r->numbers++];
  *n = (bristle_robot_number){ .value = fit->p[k], .deviation = fit->free[k] ? fit->deviation[k] : (double)NAN };
  snprintf(n->name, sizeof n->name, "%s", name);
  snprintf(n->unit, sizeof n->unit, "%s", unit);
  n->of_law = k == SERVO_LEVEL || k == SERVO_VISCOUS;
  if (!fit->free[k]) return n;
  const int at_end = servo_is_at_end(fit, k);
  if (k == SERVO_OFFSET && !at_end) return n;
  if (at_end) snprintf(n->reason, sizeof n->reason, "it ran to an end of its range; faster motions would show it");
  else if (!(n->deviation < UNKNOWN * fabs(n->value)))
    snprintf(n->reason, sizeof n->reason, "the motion does not show it%s",
             k == SERVO_ARMATURE || k == SERVO_DELAY ? "; faster motions would" : "");
  return n;
}

static void keep_servo_view(const servo_fit *fit)
{
  robot_data *data = fit->study->data;
  const robot_log *log = &data->log[data->view];
  servo_simulate(fit, fit->p, data->view, data->model[fit->joint]);
  for (size_t i = 0; i < log->count; i++)
    data->friction[fit->joint][i] = data->model[fit->joint][i] - log->q[fit->joint][i];
}

/* of each log, and of those that were fitted or held out together */
static void fill_errors(const servo_fit *fit, bristle_robot_result *r)
{
  const robot_data *data = fit->study->data;
  double sum[2] = { 0 }, count[2] = { 0 };
  for (int k = 0; k < data->logs; k++) {
    const robot_log *log = &data->log[k];
    const double e = r->log_error[k] = servo_error(fit, k);
    sum[log->held_out] += e * e * (double)log->count, count[log->held_out] += (double)log->count;
  }
  r->rms = sqrt(sum[0] / count[0]), r->check = count[1] > 0 ? sqrt(sum[1] / count[1]) : (double)NAN;
  r->size = fit->size, r->relative = r->rms / r->size, r->check_relative = r->check / r->size;
}

/* correlation of position and target over the fitted logs */
static double follows(const servo_fit *fit)
{
  const robot_data *data = fit->study->data;
  double mean[2] = { 0 }, both = 0, square[2] = { 0 };
  for (int pass = 0; pass < 2; pass++)
    for (int k = 0; k < data->logs; k++) {
      const double *x = data->log[k].x[fit->joint], *aim = data->log[k].aim[fit->joint];
      for (size_t i = 0; i < data->log[k].count && !data->log[k].held_out; i++) {
        if (!pass) mean[0] += x[i] / (double)fit->fitted, mean[1] += aim[i] / (double)fit->fitted;
        else {
          const double a = x[i] - mean[0], b = aim[i] - mean[1];
          both += a * b, square[0] += a * a, square[1] += b * b;
        }
      }
    }
  return both / sqrt(fmax(square[0] * square[1], 1e-300));
}

static void judge(const servo_fit *fit, int gain_is_found, bristle_robot_result *r)
{
  const char *length = bristle_length_unit(!r->prismatic);
  const double both = correlation(fit, SERVO_LEVEL, SERVO_VISCOUS);
  if (follows(fit) < 0) {
    r->grade = BRISTLE_GRADE_BAD;
    joint_say(
        r, "The position goes against its target: one of the two columns is counted the other way round, or belongs to "
           "another joint.");
  } else if (r->relative > 0.5) {
    r->grade = BRISTLE_GRADE_BAD;
    joint_say(
        r,
        "Poor fit: the simulated position is off by %.0f %% of the tracking error. Do the file, the gains and the "
        "directions belong to this robot?",
        100 * r->relative);
  }
  if (r->check > 3 * r->rms && r->check_relative > 0.2) {
    care(r);
    joint_say(r, "Much worse on the held-out log: %.3g %s there, %.3g %s here.", r->check, length, r->rms, length);
  }
  if (!fit->gain_is_known && !gain_is_found) {
    care(r);
    joint_say(
        r,
        "The gain is not determined: no weight on this axis, so that only ratios to it are known. All numbers are for "
        "%.3g, that of the other joints.",
        fit->p[SERVO_GAIN]);
  }
  if (!fit->gain_is_known && gain_is_found) { /* made-up robots: 86 % of the numbers within two deviations */
    care(r);
    joint_say(r,
              "The gain was found from the weight of the links: masses or a zero of the file that are off change all "
              "numbers beyond their deviations. Option gain gives it where you know it.");
  }
  for (int k = 0; k < r->numbers; k++)
    if (r->number[k].reason[0] && isfinite(r->number[k].deviation)) {
      care(r);
      joint_say(r, "%s is not determined: %s.", r->number[k].name, r->number[k].reason);
    }
  if (both < -TOGETHER)
    joint_say(r, "%s and %s balance each other (correlation %.2f): slower and faster motions tell them apart.",
              r->number[0].name, r->number[1].name, both);
  if (!fit->gain_is_known && gain_is_found && servo_is_at_end(fit, SERVO_OFFSET)) {
    care(r);
    joint_say(
        r,
        "The zero of the angle runs to its end (%.2f rad): the masses or zeros of the file do not fit this robot. What "
        "the numbers are without it is in their deviations.",
        fit->p[SERVO_OFFSET]);
  }
}

void servo_report(servo_fit *fit, int gain_is_found)
{
  bristle_robot_result *r = &fit->study->joint[fit->joint];
  const bristle_info *info = fit->study->data->servo_law->f64->info;
  const int rotary = !r->prismatic;
  r->law = fit->study->data->servo_law->name, r->servo = 1;
  r->samples = fit->fitted, r->held_out = r->slow = r->fast = NAN;
  fill_errors(fit, r);
  add(r, fit, SERVO_LEVEL, bristle_param_role(info, BRISTLE_ROLE_LEVEL)->name, bristle_force_unit(rotary));
  add(r, fit, SERVO_VISCOUS, bristle_param_role(info, BRISTLE_ROLE_VISCOUS)->name, rotary ? "N*m*s/rad" : "N*s/m");
  add(r, fit, SERVO_ARMATURE, "armature", bristle_mass_unit(rotary));
  add(r, fit, SERVO_DELAY, "delay", "s");
  bristle_robot_number *gain = add(r, fit, SERVO_GAIN, "gain", bristle_stiffness_unit(rotary));
  if (!fit->gain_is_known && !gain_is_found) {
    gain->deviation = NAN;
    snprintf(gain->reason, sizeof gain->reason, "no weight on this axis shows it");
  }
  if (fit->gain_is_known) add(r, fit, SERVO_OFFSET, "offset", bristle_force_unit(rotary));
  else if (gain_is_found) add(r, fit, SERVO_OFFSET, "zero", bristle_length_unit(rotary));
  judge(fit, gain_is_found, r);
  keep_servo_view(fit);
}
