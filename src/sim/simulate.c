/* One door for all rigs: checks, columns, and the rig's own run. */
#include "maths/elementary.h"
#include "sim/rigs.h"

#include <string.h>

#define SIM_RIG(KIND, name) extern const bristle_rig_driver sim_##name;
#include "sim/rigs.def"
#undef SIM_RIG
static const bristle_rig_driver *const drivers[] = {
#define SIM_RIG(KIND, name) [BRISTLE_RIG_##KIND] = &sim_##name,
#include "sim/rigs.def"
#undef SIM_RIG
};

static const bristle_rig_driver *driver_of(const bristle_rig *rig)
{
  if (rig->driver) return rig->driver;
  return (size_t)rig->kind < sizeof drivers / sizeof *drivers ? drivers[rig->kind] : NULL;
}

static const void *self_of(const bristle_rig *rig) { return rig->driver ? rig->as.self : &rig->as; }

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

bristle_sim_status bristle_sim_check(const bristle_rig *rig, const bristle_sim_options *options,
                                     bristle_sim_error *error)
{
  const bristle_rig_driver *driver = driver_of(rig);
  if (!driver) return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "rig", "there is no rig %d", (int)rig->kind);
  bristle_sim_status status = driver->check(self_of(rig), error);
  if (!status) status = check_options(options, error);
  return !status && driver->suits ? driver->suits(self_of(rig), options, error) : status;
}

int bristle_sim_columns(const bristle_rig *rig, bristle_sim_column columns[BRISTLE_SIM_COLUMNS])
{
  const bristle_rig_driver *driver = driver_of(rig);
  return driver ? driver->columns(self_of(rig), rig->rotary, columns) : 0;
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
  return driver_of(rig)->run(self_of(rig), options, sink, stats, error);
}
