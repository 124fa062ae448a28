/* One law fitted to free decays: the axis, what is unknown of it, and where each release starts. */
#include "fit/trajectories/axis_source.h"
#include "fit/decays/decay.h"
#include "maths/elementary.h"

static features features_of(const bristle_decay *d, double dry, double viscous)
{
  double duration = 0;
  for (size_t k = 0; k < d->count; k++) duration += d->run[k].t[d->run[k].count - 1] - d->run[k].t[0];
  /* friction that does not show counts as a thousandth of what acts beside it */
  const double *plant = d->start.plant;
  const double beside = fmax(plant[BRISTLE_PLANT_GRAVITY], plant[BRISTLE_PLANT_STIFFNESS] * d->size)
                        + plant[BRISTLE_PLANT_MASS] * d->fast / duration;
  dry = fmax(dry, 1e-3 * beside);
  const double length = d->by_velocity ? 1e-3 * d->fast * duration / (double)d->count
                                       : fmax(4 * d->noise, 1e-3 * d->size);
  return (features){ .mass = plant[BRISTLE_PLANT_MASS],
                     .dry = dry,
                     .peak = 1.2 * dry,
                     .fall = 0.1 * d->fast,
                     .viscous = viscous,
                     .stiffness = dry / length,
                     .slow = d->slow,
                     .fast = d->fast,
                     .high = d->fast,
                     .travel = d->by_velocity ? d->fast * duration : d->size,
                     .step = d->step,
                     .duration = duration,
                     .size = dry + viscous * d->fast,
                     .load = 1 };
}

/* numbers that are positive and of any size are searched by their logarithms */
static bristle_unknown unknown_of(int plant, const char *name, double value)
{
  const int positive = plant == BRISTLE_PLANT_MASS || plant == BRISTLE_PLANT_GRAVITY
                       || plant == BRISTLE_PLANT_STIFFNESS;
  bristle_unknown x = { .name = name, .lo = -HUGE_VAL, .hi = HUGE_VAL };
  if (positive && value > 0) x.kind = BRISTLE_ROW_LOG, x.lo = 1e-6 * value, x.hi = 1e6 * value;
  else if (positive) x.lo = 0;
  return x;
}

/* the numbers of the axis that are searched or not zero; where it hangs is what people know, not the tilt */
static void add_numbers(const bristle_decay *d, axis_source *a)
{
  for (int plant = 0; plant < BRISTLE_PLANT_COUNT; plant++) {
    int searched = 0;
    for (int k = 0; k < d->axis_count; k++) searched |= d->axis[k] == plant;
    if (!searched && (d->start.plant[plant] == 0 || plant == BRISTLE_PLANT_GAIN)) continue;
    const double sign = plant == BRISTLE_PLANT_TILT ? -1 : 1;
    replay_number *number = axis_source_add(a, plant, sign);
    if (sign < 0) snprintf(number->name, sizeof number->name, "x0");
    number->start = sign * d->start.plant[plant];
    number->unknown = unknown_of(plant, number->name, number->start);
    if (!searched)
      number->unknown = (bristle_unknown){ .name = number->name, .lo = number->start, .hi = number->start };
  }
  axis_source_add_starts(a);
}

/* "N*m/(kg*m^2)" */
static void say_per_inertia(bristle_identified *made)
{
  static const char *const behind[2] = { "/kg", "/(kg*m^2)" };
  for (int k = 0; k < made->estimates; k++) {
    bristle_estimate *x = &made->estimate[k];
    const size_t length = strlen(x->unit);
    if (x->unit[0] == 'N' && length + strlen(behind[made->rotary]) < sizeof x->unit)
      snprintf(x->unit + length, sizeof x->unit - length, "%s", behind[made->rotary]);
  }
  snprintf(
      made->note, sizeof made->note,
      "found per unit inertia: multiply every force and stiffness by the %s in %s; as they are, they belong to 1 %s",
      made->rotary ? "inertia" : "mass", bristle_mass_unit(made->rotary), bristle_mass_unit(made->rotary));
}

bristle_fault_kind bristle_decay_fit(const bristle_decay *decay, const bristle_law *law,
                                     const bristle_identified *start, const bristle_identify_options *options,
                                     bristle_identified **result, bristle_fault *fault)
{
  const bristle_trajectory trajectory = { .law = law, .count = decay->count, .run = decay->run, .step = decay->step };
  const int room = BRISTLE_PLANT_COUNT + 2 * (int)decay->count;
  const features f = features_of(decay, decay->level, decay->viscous);
  const replay_effort effort = { .growth = 3 * decay->half_period };
  axis_source a;
  memory *list = NULL;
  *result = NULL;
  bristle_fault_kind kind = axis_source_begin(&a, &trajectory, decay->rotary, decay->noise, room, &list, fault);
  if (!kind) {
    a.base = decay->start;
    add_numbers(decay, &a);
    kind = replay_fit(&a.source, &f, options, &effort, start, result, fault);
  }
  if (!kind && decay->per_inertia) say_per_inertia(*result);
  memory_free(list);
  return kind;
}
