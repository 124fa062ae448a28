/* What the rigs with several degrees of freedom share: places of states, choice of the method, checks. */
#include "bristle/bristle.h"
#include "sim/rigs.h"

#include "maths/elementary.h"
#include "bristle/text.h"

#include <stdio.h>
#include <string.h>

/* ---- states ---- */

sim_states sim_states_of(const bristle_info *law, size_t count, size_t motion)
{
  sim_states made = { .states = law->nstate, .count = count, .flow = motion };
  for (int jumping = 0; jumping <= 1; jumping++) {
    if (jumping) made.flow += LEDGER;
    for (int r = 0; r < law->state_rows; r++) {
      const bristle_row *row = &law->state[r];
      if ((row->kind == BRISTLE_ROW_JUMP) != jumping) continue;
      for (int k = row->first; k < row->first + row->count; k++) {
        made.place[k] = made.flow + made.jump;
        *(jumping ? &made.jump : &made.flow) += count;
      }
    }
  }
  return made;
}

void sim_take_states(const sim_states *states, const double *y, size_t from, size_t count, double *s)
{
  for (int k = 0; k < states->states; k++)
    memcpy(s + (size_t)k * count, y + states->place[k] + from, count * sizeof *s);
}

void sim_put_states(const sim_states *states, double *y, size_t from, size_t count, const double *s)
{
  for (int k = 0; k < states->states; k++)
    memcpy(y + states->place[k] + from, s + (size_t)k * count, count * sizeof *s);
}

void sim_share(double *scale, size_t count)
{
  double largest = 0;
  for (size_t i = 0; i < count; i++) largest = fmax(largest, scale[i]);
  for (size_t i = 0; i < count; i++) scale[i] = largest;
}

void sim_share_bends(double *scale, size_t count)
{
  sim_share(scale, count);
  for (size_t i = 0; i < count; i++) scale[i] *= 100;
}

sim_least sim_least_of(const bristle_info *law, const double *p)
{
  const double stiffness = bristle_stiffness(law, p);
  return (sim_least){ .bend = stiffness > 0 ? bristle_role_value(law, p, BRISTLE_ROLE_LEVEL, 0) / stiffness : 0,
                      .speed = bristle_role_value(law, p, BRISTLE_ROLE_STRIBECK_SPEED, 0) };
}

void sim_raise(double *scale, size_t count, double least)
{
  for (size_t i = 0; i < count; i++) scale[i] = fmax(scale[i], least);
}

void sim_share_states(const sim_states *states, double *scale)
{
  for (int k = 0; k < states->states; k++)
    if (states->place[k] < states->flow) sim_share(scale + states->place[k], states->count);
  sim_share(scale + states->flow - LEDGER, LEDGER);
}

/* ---- method ---- */

bristle_sim_status sim_choose_rule(const bristle_sim_options *options, const bristle_info *law, const double *p,
                                   bristle_steprule *rule, bristle_sim_error *error)
{
  const bristle_sim_strategy *s = &options->strategy;
  bristle_error fault = { 0 };
  int missing = s->rule == BRISTLE_SIM_RULE_COULOMB
                || bristle_steprule_take_at(rule, BRISTLE_STEPRULE_LUGRE, law, p, s->speed, &fault);
  if (missing && s->rule != BRISTLE_SIM_RULE_LUGRE)
    missing = bristle_steprule_take_at(rule, BRISTLE_STEPRULE_COULOMB, law, p, s->speed, &fault) != BRISTLE_STATUS_OK;
  if (missing)
    return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "method", "the step rule needs %s, which %s does not have%s",
                    fault.field, law->name,
                    strcmp(fault.field, "speed") ? "" : "; give it: solver: {method: steprule, v_s: 1 mm/s}");
  for (int i = 0; i < 4; i++)
    if (s->given[i]) rule->c[i] = s->c[i];
  if (!bristle_steprule_check(rule, &fault)) return BRISTLE_SIM_OK;
  return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "solver", "strategy parameter c%d is %g: %s", fault.index + 1,
                  fault.value, fault.rule ? fault.rule : "out of range");
}

bristle_sim_status sim_choose_method(const bristle_sim_options *options, const bristle_info *law, const double *p,
                                     bristle_method *method, bristle_steprule *rule, bristle_sim_error *error)
{
  *method = options->method == BRISTLE_METHOD_AUTO ? BRISTLE_METHOD_ADAPTIVE : options->method;
  if (*method == BRISTLE_METHOD_NATIVE || *method == BRISTLE_METHOD_CVODE)
    return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "method",
                    "%s runs rigs with one degree of freedom only; use adaptive, coupled or steprule",
                    bristle_method_text(*method));
  if (*method == BRISTLE_METHOD_COUPLED && !(options->step > 0))
    return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "step", "the coupled method needs a step above 0");
  return *method == BRISTLE_METHOD_STEPRULE ? sim_choose_rule(options, law, p, rule, error) : BRISTLE_SIM_OK;
}

/* ---- columns and checks ---- */

int sim_put_column(bristle_sim_column *columns, int at, const char *name, const char *unit)
{
  snprintf(columns[at].name, sizeof columns[at].name, "%s", name);
  columns[at].unit = unit;
  return at + 1;
}

bristle_sim_status sim_check_numbers(const sim_number *numbers, size_t count, bristle_sim_error *error)
{
  static const char *const rules[] = { "finite", "finite and not negative", "finite and above 0" };
  for (size_t i = 0; i < count; i++) {
    const sim_number *n = &numbers[i];
    const int broken = (n->bound == SIM_POSITIVE && !(n->value > 0)) || (n->bound == SIM_NOT_NEGATIVE && n->value < 0);
    if (broken || !isfinite(n->value))
      return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, n->field, "it is %g, and must be %s", n->value, rules[n->bound]);
  }
  return BRISTLE_SIM_OK;
}

bristle_sim_status sim_check_vector(const bristle_contact *contact, int dim, bristle_sim_error *error)
{
  bristle_error fault;
  if (!contact->vector || !contact->p)
    return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "friction", "this rig needs a vector law with parameters");
  if (bristle_vector_check(contact->vector->f64[dim - 2], contact->p, &fault)) return sim_fail_check(error, &fault);
  return BRISTLE_SIM_OK;
}
