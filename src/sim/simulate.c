/* One door for all rigs: checks, columns, and which solver runs. */
#include "sim/driven.h"
#include "sim/rigs.h"

#include <math.h>
#include <string.h>

static bristle_sim_status check_rig(const bristle_rig *rig, bristle_sim_error *error)
{
  switch (rig->kind) {
  case BRISTLE_RIG_AXIS:
    return axis_check(&rig->as.axis, error);
  case BRISTLE_RIG_DRIVEN:
    return driven_check(&rig->as.driven, error);
  case BRISTLE_RIG_CHAIN:
    return sim_check_chain(&rig->as.chain, error);
  case BRISTLE_RIG_SLIDER:
    return sim_check_slider(&rig->as.slider, error);
  case BRISTLE_RIG_BALL:
    return sim_check_ball(&rig->as.ball, error);
  case BRISTLE_RIG_ARM:
    return sim_check_arm(&rig->as.arm, error);
  }
  return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "rig", "there is no rig %d", (int)rig->kind);
}

static bristle_sim_status check_times(const bristle_sim_options *o, bristle_sim_error *error)
{
  for (size_t i = 0; o->times && i < o->time_count; i++)
    if (!(o->times[i] >= (i ? o->times[i - 1] : 0) && o->times[i] <= o->end))
      return sim_fail(error, BRISTLE_SIM_BAD_INPUT, o->times[i], "times", "row %zu is out of order or beyond the end",
                      i + 1);
  return BRISTLE_SIM_OK;
}

static bristle_sim_status check_options(const bristle_sim_options *o, bristle_sim_error *error)
{
  const bristle_sim_status bad = BRISTLE_SIM_BAD_INPUT;
  if (!(o->end > 0) || !isfinite(o->end))
    return sim_fail(error, bad, 0, "end", "it is %g s, and must be above 0", o->end);
  if (!(o->output >= 0)) return sim_fail(error, bad, 0, "output", "it is %g s, and must not be negative", o->output);
  if (o->output > 0 && o->end / o->output > 1e9)
    return sim_fail(error, bad, 0, "output", "%g rows are more than 1e9", o->end / o->output);
  if (!(o->rtol >= 0 && o->rtol < 1))
    return sim_fail(error, bad, 0, "rtol", "it is %g, and must be between 0 and 1", o->rtol);
  if (o->rtol > 0 && o->rtol < 1e-14)
    return sim_fail(error, bad, 0, "rtol", "it is %g: doubles carry no more than 1e-14", o->rtol);
  if (!(o->atol >= 0) || !isfinite(o->atol))
    return sim_fail(error, bad, 0, "atol", "it is %g, and must not be negative", o->atol);
  if (!(o->step >= 0) || !isfinite(o->step))
    return sim_fail(error, bad, 0, "step", "it is %g s, and must not be negative", o->step);
  if (o->method == BRISTLE_METHOD_COUPLED && o->step == 0)
    return sim_fail(error, bad, 0, "step", "the coupled method needs a step length");
  if (o->method == BRISTLE_METHOD_STEPRULE && o->step == 0)
    return sim_fail(error, bad, 0, "step",
                    "the step rule leaves the step to the host once its hold time is over: give the host's step, 1 ms "
                    "for example");
  return check_times(o, error);
}

/* the smallest value of a program, or one below it */
static double least_of(const bristle_program *p)
{
  double least = p->kind == BRISTLE_PROGRAM_KNOTS && p->count ? (double)HUGE_VAL : 0;
  for (size_t i = 0; p->kind == BRISTLE_PROGRAM_KNOTS && i < p->count; i++) least = fmin(least, p->y[i]);
  const size_t waves = p->kind == BRISTLE_PROGRAM_SINES ? p->count : p->kind == BRISTLE_PROGRAM_CHIRP;
  for (size_t i = 0; i < waves; i++) least -= fabs(p->amplitude[i]);
  return p->offset + least;
}

/* Levels follow the load; what is measured against them does not (zba of elasto_plastic). */
static bristle_sim_status check_low_levels(const bristle_contact *contact, double load, bristle_sim_error *error)
{
  const bristle_info *info = contact->law->f64->info;
  enum { MOST_PARAM = 128 };
  double p[MOST_PARAM];
  bristle_error fault;
  if (info->nparam > MOST_PARAM) return BRISTLE_SIM_OK;
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

/* A step of a law sees one load. Levels that move within it are extrapolated well by most laws; these two have
   switches that depend on the level, and their steps would shrink without end, or converge to something else. */
static bristle_sim_status check_levels(const bristle_contact *contact, const bristle_program *load,
                                       const bristle_sim_options *o, bristle_sim_error *error)
{
  const int varies = load->kind != BRISTLE_PROGRAM_KNOTS || load->count > 1;
  const int fixed = o->method == BRISTLE_METHOD_COUPLED || o->method == BRISTLE_METHOD_STEPRULE;
  const char *law = contact->law->name;
  if (contact->load != BRISTLE_LOAD_LEVEL || !varies || fixed) return BRISTLE_SIM_OK;
  if (strcmp(law, "leuven") != 0 && strcmp(law, "armstrong") != 0)
    return check_low_levels(contact, least_of(load), error);
  return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "friction",
                  "%s in the load form 'level' cannot follow a load that changes; use load: coefficient, the law %s, "
                  "or solver: {method: coupled, step: 10 us}",
                  law, strcmp(law, "leuven") ? "gonthier" : "gms");
}

bristle_sim_status bristle_sim_check(const bristle_rig *rig, const bristle_sim_options *options,
                                     bristle_sim_error *error)
{
  bristle_sim_status status = check_rig(rig, error);
  if (!status) status = check_options(options, error);
  if (!status && rig->kind == BRISTLE_RIG_AXIS)
    status = check_levels(&rig->as.axis.contact, &rig->as.axis.load, options, error);
  if (!status && rig->kind == BRISTLE_RIG_DRIVEN)
    status = check_levels(&rig->as.driven.contact, &rig->as.driven.load, options, error);
  return status;
}

int bristle_sim_columns(const bristle_rig *rig, bristle_sim_column columns[BRISTLE_SIM_COLUMNS])
{
  switch (rig->kind) {
  case BRISTLE_RIG_AXIS:
    return axis_columns(&rig->as.axis, rig->rotary, columns);
  case BRISTLE_RIG_DRIVEN:
    return driven_columns(&rig->as.driven, rig->rotary, columns);
  case BRISTLE_RIG_CHAIN:
    return sim_columns_chain(&rig->as.chain, rig->rotary, columns);
  case BRISTLE_RIG_SLIDER:
    return sim_columns_slider(&rig->as.slider, rig->rotary, columns);
  case BRISTLE_RIG_BALL:
    return sim_columns_ball(&rig->as.ball, rig->rotary, columns);
  case BRISTLE_RIG_ARM:
    return sim_columns_arm(&rig->as.arm, rig->rotary, columns);
  }
  return 0;
}

static bristle_sim_status run_axis(const bristle_axis *rig, const bristle_sim_options *o, const bristle_sim_sink *sink,
                                   bristle_sim_stats *stats, bristle_sim_error *error)
{
  const int suits = axis_suits_native(rig);
  if (o->method == BRISTLE_METHOD_NATIVE && !suits)
    return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "method",
                    "%s has flags, memories or too many states for the native solver; use adaptive",
                    rig->contact.law->name);
  if (o->method == BRISTLE_METHOD_NATIVE || (o->method == BRISTLE_METHOD_AUTO && suits))
    return axis_run_native(rig, o, sink, stats, error);
  return axis_run_system(rig, o->method == BRISTLE_METHOD_AUTO ? BRISTLE_METHOD_ADAPTIVE : o->method, o, sink, stats,
                         error);
}

static bristle_sim_status run_driven(const bristle_driven *rig, const bristle_sim_options *o,
                                     const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error)
{
  if (o->method == BRISTLE_METHOD_NATIVE || o->method == BRISTLE_METHOD_STEPRULE)
    return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "method",
                    "prescribed motion is run by auto, adaptive or coupled");
  return driven_run(rig, o->method == BRISTLE_METHOD_COUPLED ? BRISTLE_METHOD_COUPLED : BRISTLE_METHOD_ADAPTIVE, o,
                    sink, stats, error);
}

bristle_sim_status bristle_simulate(const bristle_rig *rig, const bristle_sim_options *options,
                                    const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error)
{
  static const bristle_sim_sink nowhere = { 0 };
  bristle_sim_stats unread;
  if (!sink) sink = &nowhere;
  if (!stats) stats = &unread;
  memset(stats, 0, sizeof *stats);
  const bristle_sim_status status = bristle_sim_check(rig, options, error);
  if (status) return status;
  if (options->method == BRISTLE_METHOD_CVODE)
    return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "method", "the library is built without CVODE");
  switch (rig->kind) {
  case BRISTLE_RIG_AXIS:
    return run_axis(&rig->as.axis, options, sink, stats, error);
  case BRISTLE_RIG_DRIVEN:
    return run_driven(&rig->as.driven, options, sink, stats, error);
  case BRISTLE_RIG_CHAIN:
    return sim_run_chain(&rig->as.chain, options, sink, stats, error);
  case BRISTLE_RIG_SLIDER:
    return sim_run_slider(&rig->as.slider, options, sink, stats, error);
  case BRISTLE_RIG_BALL:
    return sim_run_ball(&rig->as.ball, options, sink, stats, error);
  case BRISTLE_RIG_ARM:
    return sim_run_arm(&rig->as.arm, options, sink, stats, error);
  }
  return BRISTLE_SIM_BAD_INPUT;
}
