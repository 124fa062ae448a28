/* One joint: which friction its torque shows, how well that is known, and what is odd, in words. */
#include "robot/joint.h"

#include "fit/common/sort.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <string.h>

#include "lab/report.h"
#include "lab/units.h"

#include <stdlib.h>

enum { FORMS = 8, FEWEST = 300, LAGS = 6 };
static const double CLEARLY = 2;    /* deviations that a larger model must gain by, */
static const double WORTH = 0.01;   /* and part of the sum of squares */
static const double UNKNOWN = 0.5;  /* a deviation that is a larger part of its number: not determined */
static const double LATE = 0.3;     /* part of the sum of squares that a delay must take away */
static const double ONE_WAY = 0.05; /* part of the moving samples that one direction needs */

/* ---- which friction ---- */

/* Does the larger model leave clearly less of the blocks that it did not see? */
static int is_better(const double simple[GRAM_BLOCKS], const double larger[GRAM_BLOCKS])
{
  double sum = 0, square = 0, whole = 0;
  for (int b = 0; b < GRAM_BLOCKS; b++) {
    const double gain = simple[b] - larger[b];
    sum += gain, square += gain * gain, whole += simple[b];
  }
  const double mean = sum / GRAM_BLOCKS, spread = sqrt(fmax(square / GRAM_BLOCKS - mean * mean, 0) / GRAM_BLOCKS);
  return sum > WORTH * whole && mean > CLEARLY * spread;
}

/* a form, and where its viscous part comes out below zero the form without it */
static double try_form(joint_fit *fit, friction_form *form, double left[GRAM_BLOCKS])
{
  const bristle_info *info = form->law->f64->info;
  double sum = joint_try(fit, form, left);
  if (sum < HUGE_VAL || (form->shape >= 0 && bristle_param_at(info, form->shape)->role == BRISTLE_ROLE_POWER))
    return sum;
  for (int k = 0; k < form->linear; k++) {
    if (bristle_param_at(info, form->place[k])->role != BRISTLE_ROLE_VISCOUS) continue;
    friction_form less = *form;
    less.linear--;
    memmove(less.place + k, less.place + k + 1, (size_t)(less.linear - k) * sizeof *less.place);
    sum = less.linear ? joint_try(fit, &less, left) : HUGE_VAL;
    if (sum < HUGE_VAL) *form = less;
    return sum;
  }
  return sum;
}

static void adopt(friction_form *best, double left[GRAM_BLOCKS], const friction_form *form,
                  const double other[GRAM_BLOCKS])
{
  *best = *form;
  memcpy(left, other, GRAM_BLOCKS * sizeof *left);
}

static void try_load(joint_fit *fit, friction_form *best, double left[GRAM_BLOCKS])
{
  double other[GRAM_BLOCKS];
  friction_form form = *best;
  form.load = 1;
  joint_solve(fit, best, 0);
  if (try_form(fit, &form, other) < HUGE_VAL && is_better(left, other)) adopt(best, left, &form, other);
}

/* 0: not even the simplest form has friction in it */
static int choose(joint_fit *fit, friction_form *best)
{
  friction_form forms[FORMS];
  double left[GRAM_BLOCKS], other[GRAM_BLOCKS];
  const int count = friction_forms(forms, FORMS);
  *best = forms[0];
  if (!(try_form(fit, best, left) < HUGE_VAL)) return 0;
  try_load(fit, best, left);
  for (int k = 1; k < count; k++) {
    forms[k].load = best->load;
    if (try_form(fit, &forms[k], other) < HUGE_VAL && is_better(left, other)) adopt(best, left, &forms[k], other);
  }
  if (!best->load) try_load(fit, best, left);
  return 1;
}

/* ---- numbers ---- */

static bristle_robot_number *add_number(bristle_robot_result *r, const char *name, const char *unit, double value,
                                        double deviation, int of_law)
{
  bristle_robot_number *n = &r->number[r->numbers++];
  *n = (bristle_robot_number){ .value = value, .deviation = deviation, .of_law = of_law };
  text_append(n->name, sizeof n->name, 0, "%s", name);
  text_append(n->unit, sizeof n->unit, 0, "%s", unit);
  return n;
}

/* why a number is not known: another one that moves with it, or nothing that shows it */
static void give_reason(bristle_robot_result *r, int k, const double *covariance, int wide, const int *column)
{
  bristle_robot_number *n = &r->number[k];
  if (column[k] < 0 || n->deviation <= UNKNOWN * fabs(n->value)) return;
  double most = 0;
  int with = -1;
  for (int j = 0; j < r->numbers; j++) {
    if (j == k || column[j] < 0) continue;
    const double both = covariance[column[k] * wide + column[k]] * covariance[column[j] * wide + column[j]];
    const double part = both > 0 ? covariance[column[k] * wide + column[j]] / sqrt(both) : 0;
    if (fabs(part) > fabs(most)) most = part, with = j;
  }
  if (fabs(most) > 0.9)
    snprintf(n->reason, sizeof n->reason,
             "cannot be told apart from %s (correlation %.2f): more different speeds would", r->number[with].name,
             most);
  else snprintf(n->reason, sizeof n->reason, "zero within its uncertainty");
}

static int fill_numbers(joint_fit *fit, const friction_form *form, bristle_robot_result *r)
{
  const bristle_info *info = form->law->f64->info;
  const char *const force = bristle_force_unit(!r->prismatic);
  double deviation[FRICTION_COLUMNS], covariance[FRICTION_COLUMNS * FRICTION_COLUMNS], value[FRICTION_COLUMNS];
  int column[BRISTLE_ROBOT_NUMBERS];
  const int n = form->linear + 1 + form->load, slope = form->shape >= 0;
  memcpy(value, fit->x + fit->rank, (size_t)n * sizeof *value);
  if (joint_solve(fit, form, slope)) return 1;
  const int wide = fit->columns;
  gram_jackknife(&fit->g, wide, deviation, covariance, fit->work);
  for (int k = 0; k < info->param_rows && r->numbers + 2 < BRISTLE_ROBOT_NUMBERS; k++) {
    const bristle_row *row = &info->param[k];
    char unit[48];
    int at = -1;
    if (row->kind == BRISTLE_ROW_OPTION) continue;
    for (int i = 0; i < form->linear; i++)
      if (form->place[i] == row->first) at = i;
    if (row->first == form->shape) at = wide - 1;
    bristle_unit(row, BRISTLE_LOAD_FORCE, !r->prismatic, unit, sizeof unit);
    column[r->numbers] = at;
    const int fitted = at >= 0, missing = !fitted && row->role == BRISTLE_ROLE_VISCOUS;
    bristle_robot_number *number = add_number(r, row->name, unit,
                                              row->first == form->shape ? form->value
                                              : fitted                  ? value[at]
                                              : missing                 ? 0
                                                                        : row->initial[0],
                                              fitted ? deviation[at] : (double)NAN, 1);
    if (missing) snprintf(number->reason, sizeof number->reason, "zero: the fit would have it below");
  }
  column[r->numbers] = form->linear;
  add_number(r, "offset", force, value[form->linear], deviation[form->linear], 0);
  if (form->load) {
    column[r->numbers] = form->linear + 1;
    add_number(r, "load_friction", "1", value[form->linear + 1], deviation[form->linear + 1], 0);
  }
  for (int k = 0; k < r->numbers; k++)
    if (r->number[k].of_law) give_reason(r, k, covariance, wide, column);
  return joint_solve(fit, form, 0);
}

/* ---- errors ---- */

static double model_at(const joint_fit *fit, size_t i)
{
  double sum = 0;
  for (int k = 0; k < fit->rank; k++) sum += fit->z[i * (size_t)fit->rank + (size_t)k] * fit->x[k];
  for (int c = 0; c < fit->columns; c++) sum += fit->column[c][i] * fit->x[fit->rank + c];
  return sum;
}

static void fill_errors(const joint_fit *fit, bristle_robot_result *r)
{
  const robot_data *data = fit->study->data;
  double sum[2] = { 0 }, size[2] = { 0 };
  size_t count[2] = { 0 }, at = 0;
  for (int k = 0; k < data->logs; at += data->log[k++].count)
    for (size_t i = 0; i < data->log[k].count; i++) {
      if (!data->log[k].moving[fit->joint][i]) continue;
      const int held = data->log[k].held_out;
      const double e = fit->y[at + i] - model_at(fit, at + i);
      sum[held] += e * e, size[held] += fit->y[at + i] * fit->y[at + i], count[held]++;
    }
  r->rms = sqrt(sum[0] / (double)count[0]), r->relative = sqrt(sum[0] / size[0]);
  r->size = sqrt(size[0] / (double)count[0]);
  r->check = count[1] ? sqrt(sum[1] / (double)count[1]) : (double)NAN;
  r->check_relative = count[1] ? sqrt(sum[1] / size[1]) : (double)NAN;
}

/* the torque of a view, for the page */
static void keep_view(const joint_fit *fit)
{
  robot_data *data = fit->study->data;
  size_t at = 0;
  for (int k = 0; k < data->view; k++) at += data->log[k].count;
  for (size_t i = 0; i < data->log[data->view].count; i++) {
    const int seen = data->log[data->view].inside[i];
    double rigid = 0;
    for (int k = 0; k < fit->rank; k++) rigid += fit->z[(at + i) * (size_t)fit->rank + (size_t)k] * fit->x[k];
    data->model[fit->joint][i] = seen ? model_at(fit, at + i) : (double)NAN;
    data->friction[fit->joint][i] = seen ? fit->y[at + i] - rigid : (double)NAN;
  }
}

/* Does the torque come late? Its columns stay, it moves; a parabola through the three best sums of squares. */
static double find_delay(joint_fit *fit)
{
  const robot_data *data = fit->study->data;
  double left[2 * LAGS + 1];
  double *measured = malloc((fit->total + 1) * sizeof *measured);
  int best = 0;
  if (!measured) return 0;
  memcpy(measured, fit->y, fit->total * sizeof *measured);
  for (int lag = 0; lag <= 2 * LAGS; lag++) {
    size_t at = 0;
    for (int k = 0; k < data->logs; at += data->log[k++].count) {
      const long n = (long)data->log[k].count;
      for (long i = 0; i < n; i++) {
        const long from = i + lag - LAGS;
        fit->y[at + (size_t)i] = measured[at + (size_t)(from < 0 ? 0 : from >= n ? n - 1 : from)];
      }
    }
    left[lag] = joint_products(fit);
    if (left[lag] < left[best]) best = lag;
  }
  memcpy(fit->y, measured, fit->total * sizeof *measured);
  free(measured);
  const double whole = left[LAGS];
  joint_products(fit);
  if (best == 0 || best == 2 * LAGS || left[best] > (1 - LATE) * whole) return 0;
  const double bend = left[best - 1] - 2 * left[best] + left[best + 1];
  const double shift = bend > 0 ? 0.5 * (left[best - 1] - left[best + 1]) / bend : 0;
  return (best - LAGS + shift) * data->log[0].step;
}

static void fill_speeds(const joint_fit *fit, bristle_robot_result *r)
{
  double *speed = malloc((fit->moving + 1) * sizeof *speed);
  size_t used = 0, forward = 0;
  if (!speed) return;
  for (size_t i = 0; i < fit->total; i++)
    if (fit->block[i] >= 0) forward += fit->v[i] > 0, speed[used++] = fabs(fit->v[i]);
  sort_numbers(speed, used);
  r->slow = speed[used / 20], r->fast = speed[used - 1 - used / 20];
  free(speed);
  const double part = (double)forward / (double)used;
  if (part < ONE_WAY || part > 1 - ONE_WAY) {
    joint_grade(r, BRISTLE_GRADE_BAD);
    joint_say(r,
              "The joint moves one way only: friction cannot be told from a constant torque. Record both directions.");
  }
}

/* ---- words ---- */

static void judge(bristle_robot_result *r)
{
  const char *force = bristle_force_unit(!r->prismatic);
  if (r->relative > 0.5) {
    joint_grade(r, BRISTLE_GRADE_BAD);
    joint_say(r,
              "Poor fit: %.0f %% of the torque is unexplained. Does the file describe this robot, with these zeros and "
              "directions?",
              100 * r->relative);
  } else if (r->relative > 0.2) {
    joint_grade(r, BRISTLE_GRADE_CARE);
    joint_say(r, "%.0f %% of the torque is unexplained.", 100 * r->relative);
  }
  if (r->check > 2 * r->held_out && r->check_relative > 2 * r->relative) {
    joint_grade(r, BRISTLE_GRADE_BAD);
    joint_say(r, "Does not carry over to the held-out log: %.3g %s there, %.3g %s here.", r->check, force, r->held_out,
              force);
  }
  if (r->late != 0) {
    joint_grade(r, BRISTLE_GRADE_CARE);
    joint_say(r, "The torque comes %.1f ms %s than the motion; levels may be a little off. Two clocks?",
              1e3 * fabs(r->late), r->late > 0 ? "later" : "earlier");
  }
  for (int k = 0; k < r->numbers; k++) {
    const bristle_robot_number *n = &r->number[k];
    if (!n->of_law || !n->reason[0] || !(n->deviation > 0)) continue;
    joint_grade(r, BRISTLE_GRADE_CARE);
    joint_say(r, "%s is not determined: %s.", n->name, n->reason);
  }
  for (int k = 0; k < r->numbers; k++)
    if (!r->number[k].of_law && !strcmp(r->number[k].unit, "1"))
      joint_say(r, "Friction grows by %.3g of the torque of the bodies, beside its own level.", r->number[k].value);
}

/* friction that drives: the torque or the motion is counted the other way round */
static void refuse_sign(const joint_fit *fit, bristle_robot_result *r)
{
  const double level = fit->x[fit->rank];
  joint_grade(r, BRISTLE_GRADE_BAD);
  if (level < 0)
    joint_say(
        r,
        "Friction would drive the joint (%.3g %s): torque and position are counted in opposite directions. Turn one "
        "of them round: option gain %s=-1, or option joint.",
        level, bristle_force_unit(!r->prismatic), r->name);
  else joint_say(r, "No law of friction explains what is left beside the bodies.");
}

bristle_fault_kind joint_identify(bristle_robot_study *study, int joint, bristle_fault *fault)
{
  bristle_robot_result *r = &study->joint[joint];
  joint_fit fit;
  friction_form best;
  if (joint_open(&fit, study, joint)) {
    joint_close(&fit);
    return fault_memory(fault);
  }
  r->samples = fit.moving, r->rank = fit.rank, r->columns_of_rank = fit.wide;
  r->rms = r->relative = r->held_out = r->check = r->check_relative = r->size = r->slow = r->fast = NAN;
  if (fit.moving < FEWEST) {
    joint_grade(r, BRISTLE_GRADE_BAD);
    joint_say(r, "The joint hardly moves: %zu samples, at least %d are needed.", fit.moving, FEWEST);
  } else {
    const int found = choose(&fit, &best);
    joint_solve(&fit, &best, 0);
    fill_speeds(&fit, r);
    fill_errors(&fit, r);
    keep_view(&fit);
    if (found) {
      double left[GRAM_BLOCKS];
      r->law = best.law->name;
      r->held_out = sqrt(gram_held_out(&fit.g, left, fit.work) / (double)fit.moving);
      r->late = find_delay(&fit);
      if (fill_numbers(&fit, &best, r)) {
        joint_close(&fit);
        return fault_memory(fault);
      }
      judge(r);
    } else refuse_sign(&fit, r);
  }
  joint_close(&fit);
  return BRISTLE_FAULT_NONE;
}
