/* Friction of a joint as columns beside those of its bodies: the laws' own curves, with one parameter searched. */
#include "robot/joint.h"

#include "io/support.h"
#include "maths/elementary.h"

#include <string.h>

static const char *const usual[] = {
#define SWING(name) #name,
#define USUAL(name) #name,
#define CURVED(name) #name,
#define ELEMENTS(name)
#define STARTS(name)
#define SPECIAL(name)
#include "models/usual.def"
};

enum { GRID = 9, STEPS = 6, LOADS = 3, POLISH = 4 };

/* Is its force at a speed linear in all parameters but one? Then form says which. */
static int as_form(const bristle_law *law, friction_form *form)
{
  const bristle_info *info = law->f64->info;
  *form = (friction_form){ .law = law, .shape = -1 };
  if (info->nstate || !(info->traits & BRISTLE_TRAIT_SET_VALUED)) return 0;
  for (int k = 0; k < info->param_rows; k++) {
    const bristle_row *row = &info->param[k];
    const bristle_role role = row->role;
    if (row->count > 1) return 0;
    if (role == BRISTLE_ROLE_EXPONENT || role == BRISTLE_ROLE_CHOICE) continue;
    if (role == BRISTLE_ROLE_POWER || role == BRISTLE_ROLE_STRIBECK_SPEED) {
      if (form->shape >= 0) return 0;
      form->shape = row->first;
    } else if (role == BRISTLE_ROLE_LEVEL || role == BRISTLE_ROLE_STATIC_LEVEL || role == BRISTLE_ROLE_VISCOUS) {
      if (form->linear + 4 >= FRICTION_COLUMNS) return 0; /* offset, load, slope, room */
      form->place[form->linear++] = row->first;
    } else return 0;
  }
  return form->linear > 0;
}

int friction_forms(friction_form *forms, int most)
{
  int count = 0;
  for (size_t k = 0; k < sizeof usual / sizeof *usual && count < most; k++)
    count += as_form(bristle_law_find(usual[k]), &forms[count]);
  return count;
}

/* ---- columns ---- */

/* the law's force at each sample with one linear parameter at 1 and the others at 0 */
static void law_column(const joint_fit *fit, const friction_form *form, int which, double shape, double *to)
{
  double p[BRISTLE_LAW_SIZE];
  bristle_defaults(form->law->f64->info, p);
  for (int k = 0; k < form->linear; k++) p[form->place[k]] = k == which;
  if (form->shape >= 0) p[form->shape] = shape;
  for (size_t i = 0; i < fit->total; i++) {
    const bristle_input in = { .v = fit->v[i] };
    to[i] = fit->v[i] == 0 ? 0 : form->law->f64->steady(p, &in);
  }
}

/* friction jumps where the motion turns: it goes through the filter that the torque went through */
static int filter_column(const joint_fit *fit, double *column)
{
  const robot_data *data = fit->study->data;
  bristle_fault ignored;
  for (int k = 0; k < data->logs; column += data->log[k++].count)
    if (robot_log_pass(&data->log[k], fit->study->cutoff, column, &ignored)) return 1;
  return 0;
}

static int fill_columns(joint_fit *fit, const friction_form *form, int slope)
{
  int n = 0, failed = 0;
  for (int k = 0; k < form->linear && !failed; k++, n++) {
    law_column(fit, form, k, form->value, fit->column[n]);
    failed = filter_column(fit, fit->column[n]);
  }
  for (size_t i = 0; i < fit->total; i++) fit->column[n][i] = 1;
  n++;
  if (form->load && !failed) {
    for (size_t i = 0; i < fit->total; i++)
      fit->column[n][i] = fit->v[i] > 0 ? fabs(fit->rigid[i]) : fit->v[i] < 0 ? -fabs(fit->rigid[i]) : 0;
    failed = filter_column(fit, fit->column[n++]);
  }
  if (slope && form->shape >= 0 && !failed) { /* at the linear parameters of the last solution */
    const double h = 1e-4 * fabs(form->value);
    double *to = fit->column[n], *one = fit->column[FRICTION_COLUMNS - 1];
    memset(to, 0, fit->total * sizeof *to);
    for (int k = 0; k < form->linear; k++)
      for (int side = -1; side < 2; side += 2) {
        law_column(fit, form, k, form->value + side * h, one);
        for (size_t i = 0; i < fit->total; i++) to[i] += side * fit->x[fit->rank + k] * one[i] / (2 * h);
      }
    failed = filter_column(fit, to);
    n++;
  }
  fit->columns = n;
  return failed;
}

static int sum_products(joint_fit *fit)
{
  double row[4 * BRISTLE_BODY_NUMBERS * BRISTLE_ROBOT_JOINTS];
  gram_close(&fit->g);
  if (gram_open(&fit->g, fit->rank + fit->columns)) return 1;
  for (size_t i = 0; i < fit->total; i++) {
    if (fit->block[i] < 0) continue;
    memcpy(row, fit->z + i * (size_t)fit->rank, (size_t)fit->rank * sizeof *row);
    for (int c = 0; c < fit->columns; c++) row[fit->rank + c] = fit->column[c][i];
    row[fit->rank + fit->columns] = fit->y[i];
    gram_add(&fit->g, fit->block[i], row);
  }
  return 0;
}

static double left_of_all(const joint_fit *fit)
{
  double sum = 0;
  for (int b = 0; b < GRAM_BLOCKS; b++) sum += gram_left(&fit->g, b, fit->x);
  return sum;
}

static void keep_rigid(joint_fit *fit)
{
  for (size_t i = 0; i < fit->total; i++) {
    double sum = 0;
    for (int k = 0; k < fit->rank; k++) sum += fit->z[i * (size_t)fit->rank + (size_t)k] * fit->x[k];
    fit->rigid[i] = sum;
  }
}

double joint_products(joint_fit *fit)
{
  if (sum_products(fit)) return HUGE_VAL;
  gram_solve(&fit->g, -1, -1, fit->x, fit->work);
  return left_of_all(fit);
}

int joint_solve(joint_fit *fit, const friction_form *form, int slope)
{
  if (fill_columns(fit, form, slope) || sum_products(fit)) return 1;
  gram_solve(&fit->g, -1, -1, fit->x, fit->work);
  return 0;
}

/* ---- the search ---- */

static double squares(joint_fit *fit, friction_form *form, double log_value)
{
  form->value = exp(log_value);
  return joint_solve(fit, form, 0) ? HUGE_VAL : left_of_all(fit);
}

/* a grid, then thirds of what is around its best place */
static void search_shape(joint_fit *fit, friction_form *form)
{
  const bristle_row *row = bristle_param_at(form->law->f64->info, form->shape);
  const double slow = fit->study->data->threshold[fit->joint];
  const int power = row->role == BRISTLE_ROLE_POWER;
  double low = power ? log(0.1) : log(slow), high = power ? log(2.0) : log(slow * 16), best = HUGE_VAL;
  int place = 0;
  const double pace = (high - low) / (GRID - 1);
  for (int k = 0; k < GRID; k++) {
    const double s = squares(fit, form, low + pace * k);
    if (s < best) best = s, place = k;
  }
  const double middle = low + pace * place;
  low = fmax(low, middle - pace), high = fmin(high, middle + pace);
  for (int k = 0; k < STEPS; k++) {
    const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
    if (squares(fit, form, a) < squares(fit, form, b)) high = b;
    else low = a;
  }
  form->value = exp(0.5 * (low + high));
}

/* Gauss and Newton on the shape, while that pays: the load has moved it */
static void polish_shape(joint_fit *fit, friction_form *form)
{
  for (int round = 0; round < POLISH && form->shape >= 0; round++) {
    friction_form next = *form;
    if (joint_solve(fit, form, 0)) return;
    const double before = left_of_all(fit);
    if (joint_solve(fit, form, 1)) return;
    const double step = fit->x[fit->rank + fit->columns - 1];
    next.value += fmax(fmin(step, 0.3 * form->value), -0.3 * form->value);
    if (!(next.value > 0) || joint_solve(fit, &next, 0) || left_of_all(fit) >= before) return;
    form->value = next.value;
  }
}

/* what no friction has: levels and viscous parts below zero, or a set that the law refuses */
static int is_friction(const joint_fit *fit, const friction_form *form)
{
  double p[BRISTLE_LAW_SIZE];
  bristle_defaults(form->law->f64->info, p);
  for (int k = 0; k < form->linear; k++) p[form->place[k]] = fit->x[fit->rank + k];
  if (form->shape >= 0) p[form->shape] = form->value;
  const int load_place = fit->rank + form->linear + 1;
  return bristle_check(form->law->f64, p, NULL) == BRISTLE_STATUS_OK && (!form->load || fit->x[load_place] > 0);
}

double joint_try(joint_fit *fit, friction_form *form, double left[GRAM_BLOCKS])
{
  for (int round = 0; round < (form->load ? LOADS : 1); round++) {
    if (form->shape >= 0 && !round) search_shape(fit, form);
    polish_shape(fit, form);
    if (joint_solve(fit, form, 0)) return HUGE_VAL;
    keep_rigid(fit);
  }
  return is_friction(fit, form) ? gram_held_out(&fit->g, left, fit->work) : HUGE_VAL;
}
