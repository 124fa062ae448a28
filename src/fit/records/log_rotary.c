/* Lengths or angles, forces or torques: what the units of the columns say, or their names, and a screw or a pulley
   between the two. */
#include "fit/records/log.h"

#include "fit/signals/signal.h"
#include "io/recognise.h"

static const int telling[] = { BRISTLE_CHANNEL_POSITION, BRISTLE_CHANNEL_VELOCITY, BRISTLE_CHANNEL_ACCELERATION,
                               BRISTLE_CHANNEL_FORCE };
enum { TELLING = sizeof telling / sizeof *telling };

log_motion_kind log_kind_of(const bristle_unit_scale *unit)
{
  return unit->power[BRISTLE_DIMENSION_ANGLE] || unit->power[BRISTLE_DIMENSION_LENGTH] == 2 ? LOG_ROTARY : LOG_LINEAR;
}

/* a unit behind the name of the column, or else its own */
static log_motion_kind kind_of(const bristle_table *table, const log_choice *choice, int channel)
{
  const log_column *chosen = &choice->column[channel];
  if (chosen->place == table->columns || chosen->kind || chosen->scaled) return chosen->kind;
  const bristle_column *column = &table->column[chosen->place];
  const int open = column->origin == BRISTLE_UNIT_ORIGIN_NONE || column->origin == BRISTLE_UNIT_ORIGIN_UNKNOWN;
  return open ? LOG_KIND_OPEN : log_kind_of(&column->scale);
}

static const char *header_of(const bristle_table *table, const log_choice *choice, int channel)
{
  return table->column[choice->column[channel].place].header;
}

/* A speed in mm/s beside a torque: a factor is missing that nobody can guess. */
static bristle_fault_kind refuse_mixture(const bristle_table *table, const log_choice *choice, int linear, int rotary,
                                         bristle_fault *fault)
{
  fault_set(fault, BRISTLE_FAULT_UNIT,
            "give option lead '10 mm' (travel per turn of the screw) or option radius '20 mm' (of the pulley, the "
            "pinion or the wheel)",
            "the %s (%s) is linear and the %s (%s) is rotary: the travel per turn is missing",
            bristle_channel_text((bristle_channel)linear), header_of(table, choice, linear),
            bristle_channel_text((bristle_channel)rotary), header_of(table, choice, rotary));
  return fault_at(fault, table->file, 0, 0);
}

/* Angles become lengths and torques become forces; what has no unit follows the motion that has one. */
static int convert(const bristle_table *table, log_choice *choice, int open_is_rotary, double radius)
{
  static const int others[] = { BRISTLE_CHANNEL_LOAD, BRISTLE_CHANNEL_REFERENCE };
  int changed = 0;
  for (int k = 0; k < TELLING + 2; k++) {
    const int channel = k < TELLING ? telling[k] : others[k - TELLING];
    log_column *column = &choice->column[channel];
    log_motion_kind kind = kind_of(table, choice, channel);
    if (kind == LOG_KIND_OPEN && open_is_rotary && channel != BRISTLE_CHANNEL_LOAD) kind = LOG_ROTARY;
    if (column->place == table->columns || kind != LOG_ROTARY) continue;
    const int torque = channel == BRISTLE_CHANNEL_FORCE || channel == BRISTLE_CHANNEL_LOAD;
    const double factor = torque ? 1 / radius : radius;
    column->factor *= factor, column->shift *= factor, column->turned = 1;
    changed = 1;
  }
  return changed;
}

/* Where no column has a unit that tells, names may. Gravity on an arm is looked for over an angle only. */
static const bristle_column *rotary_by_name(const bristle_table *table, const log_choice *choice)
{
  static const char rotary[] = "q|dq|qd|qdot|ddq|qdd|theta|phi|angle|angular|winkel|omega|joint|tau|torque|drehmoment";
  static const char linear[] = "x|F|f|force|kraft|displacement|weg|stroke|slide|slip|linear|prismatic";
  const bristle_column *found = NULL;
  for (int k = 0; k < TELLING; k++) {
    const size_t place = choice->column[telling[k]].place;
    if (place == table->columns) continue;
    if (column_name_has_one_of(table->column[place].name, linear)) return NULL;
    if (!found && column_name_has_one_of(table->column[place].name, rotary)) found = &table->column[place];
  }
  return found;
}

bristle_fault_kind log_decide_rotary(const bristle_table *table, const bristle_log_options *options, log_choice *choice,
                                     bristle_fault *fault)
{
  const double radius = options->radius > 0 ? options->radius : options->lead / (2 * PI);
  int linear = -1, rotary = -1; /* a channel of the motion that is, by its unit */
  for (int k = 0; k + 1 < TELLING; k++) {
    const log_motion_kind kind = kind_of(table, choice, telling[k]);
    if (kind == LOG_LINEAR && linear < 0) linear = telling[k];
    if (kind == LOG_ROTARY && rotary < 0) rotary = telling[k];
  }
  const log_motion_kind force = kind_of(table, choice, BRISTLE_CHANNEL_FORCE);
  choice->rotary = rotary >= 0 || force == LOG_ROTARY;
  if (!choice->rotary && linear < 0 && force == LOG_KIND_OPEN)
    choice->rotary = (choice->rotary_by_name = rotary_by_name(table, choice)) != NULL;
  if (radius > 0) {
    if (!convert(table, choice, choice->rotary && linear < 0, radius)) {
      fault_set(fault, BRISTLE_FAULT_UNIT,
                "leave it out, or write the unit after the column: option force 'NAME [N*m]'",
                "option %s has nothing to convert: no column has an angle or a torque as its unit",
                options->radius > 0 ? "radius" : "lead");
      return fault_at(fault, table->file, 0, 0);
    }
    choice->rotary = 0;
    return BRISTLE_FAULT_NONE;
  }
  if (force == LOG_LINEAR && linear < 0) linear = BRISTLE_CHANNEL_FORCE;
  if (force == LOG_ROTARY && rotary < 0) rotary = BRISTLE_CHANNEL_FORCE;
  if (linear >= 0 && rotary >= 0) return refuse_mixture(table, choice, linear, rotary, fault);
  return BRISTLE_FAULT_NONE;
}

void log_tell_rotary(bristle_log *log, const log_choice *choice)
{
  if (choice->rotary && choice->rotary_by_name)
    log_note(log, 0,
             "no column has a unit: by the name '%.60s' the motion is taken for a rotation, in rad and N*m; a unit "
             "says otherwise: option position 'NAME [deg]', or 'NAME [m]' of a motion along a line",
             choice->rotary_by_name->header);
}

void log_tell_turned(bristle_log *log, const bristle_log_options *options)
{
  const double radius = options->radius > 0 ? options->radius : options->lead / (2 * PI);
  if (!(radius > 0)) return;
  log_note(log, 0,
           "angles and torques are those of a %s of %.6g m: they became lengths (times %.6g m/rad) and forces (times "
           "%.6g 1/m)",
           options->radius > 0 ? "radius" : "lead", options->radius > 0 ? options->radius : options->lead, radius,
           1 / radius);
}
