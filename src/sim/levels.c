/* Levels that follow a load that changes: which laws and methods can go with them. */
#include "sim/rigs.h"

#include "maths/elementary.h"

#include <string.h>

/* the smallest value of a program, or one below it */
static double least_of(const bristle_program *p)
{
  double least = p->kind == BRISTLE_PROGRAM_KNOTS && p->count ? (double)HUGE_VAL : 0;
  for (size_t i = 0; p->kind == BRISTLE_PROGRAM_KNOTS && i < p->count; i++) least = fmin(least, p->y[i]);
  const size_t waves = p->kind == BRISTLE_PROGRAM_SINES ? p->count : p->kind == BRISTLE_PROGRAM_CHIRP;
  for (size_t i = 0; i < waves; i++) least -= fabs(p->amplitude[i]);
  return p->offset + least;
}

/* Levels follow the load; what is measured against them does not (a length up to which a bristle is elastic). */
static bristle_sim_status check_low_levels(const bristle_contact *contact, double load, bristle_sim_error *error)
{
  const bristle_info *info = contact->law->f64->info;
  double p[BRISTLE_LAW_SIZE];
  bristle_error fault;
  for (int r = 0; r < info->param_rows; r++)
    for (int k = info->param[r].first; k < info->param[r].first + info->param[r].count; k++)
      p[k] = contact->p[k] * (strcmp(info->param[r].unit, "N") ? 1 : fmax(load, 1e-6));
  if (!bristle_check(contact->law->f64, p, &fault)) return BRISTLE_SIM_OK;
  return sim_fail(
      error, BRISTLE_SIM_UNSUITABLE, 0, "friction",
      "where the load falls to %g, %s = %g breaks a rule of the load form 'level': %s; use load: coefficient, "
      "another %s, or solver: {method: coupled, step: 10 us}",
      load, fault.field, fault.value, fault.rule ? fault.rule : "its range", fault.field);
}

/* A step of a law sees one load. Levels that move within it are extrapolated well by most laws; where switches depend
   on the level, steps would shrink without end, or converge to something else. */
bristle_sim_status sim_check_levels(const bristle_contact *contact, const bristle_program *load,
                                    const bristle_sim_options *o, bristle_sim_error *error)
{
  const int varies = load->kind != BRISTLE_PROGRAM_KNOTS || load->count > 1;
  const int fixed = o->method == BRISTLE_METHOD_COUPLED || o->method == BRISTLE_METHOD_STEPRULE;
  if (contact->load != BRISTLE_LOAD_LEVEL || !varies || fixed) return BRISTLE_SIM_OK;
  if (!(contact->law->f64->info->traits & BRISTLE_TRAIT_ONE_LEVEL))
    return check_low_levels(contact, least_of(load), error);
  return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "friction",
                  "%s in the load form 'level' cannot follow a load that changes; use load: coefficient, another law, "
                  "or solver: {method: coupled, step: 10 us}",
                  contact->law->name);
}
