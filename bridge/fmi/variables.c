/* The variables of a unit: names, units, bounds, what each is. */
#include "fmi/fmi.h"

#include "bristle/text.h"

#include <float.h>
#include <string.h>

int fmi_is_state(const fmi_unit *u, const fmi_variable *v)
{
  for (int i = 0; i < u->variables; i++)
    if (u->variable[i].derivative_of == v->reference) return 1;
  return 0;
}

int fmi_remembers(const fmi_unit *u)
{
  for (int k = 0; k < u->info->state_rows; k++)
    if (u->info->state[k].kind == BRISTLE_ROW_JUMP) return 1;
  return 0;
}

/* a name that is taken gets "_law": inputs and outputs of a unit come before parameters and states of its law */
static fmi_variable *add(fmi_unit *u, fmi_causality causality, int reference, const char *name, const char *unit,
                         const char *description)
{
  fmi_variable *v = &u->variable[u->variables++];
  *v = (fmi_variable){ .reference = reference, .derivative_of = -1, .causality = causality };
  snprintf(v->name, sizeof v->name, "%s", name);
  snprintf(v->description, sizeof v->description, "%s", description);
  if (strcmp(unit, "1")) snprintf(v->unit, sizeof v->unit, "%s", unit);
  for (int i = 0; i + 1 < u->variables; i++)
    if (!strcmp(u->variable[i].name, v->name)) snprintf(v->name, sizeof v->name, "%.50s_law", name);
  return v;
}

static void add_input(fmi_unit *u, int reference, const char *name, const char *unit, const char *description,
                      double start)
{
  fmi_variable *v = add(u, FMI_INPUT, reference, name, unit, description);
  v->start = start;
  v->exact = 1;
}

static void add_parameter(fmi_unit *u, int reference, const char *name, const char *unit, const char *description,
                          double start, double lo)
{
  fmi_variable *v = add(u, FMI_PARAMETER, reference, name, unit, description);
  v->start = start;
  v->lo = lo, v->hi = 1e12;
  v->exact = 1;
}

static void add_state(fmi_unit *u, int reference, const char *name, const char *unit, const char *description,
                      double nominal)
{
  fmi_variable *v = add(u, FMI_OUTPUT, reference, name, unit, description);
  v->exact = 1;
  v->nominal = nominal;
}

static void add_derivative(fmi_unit *u, int reference, int of, const char *name, const char *unit)
{
  char text[80], described[120];
  snprintf(text, sizeof text, "der(%s)", name);
  snprintf(described, sizeof described, "rate of %s", name);
  add(u, FMI_LOCAL, reference, text, unit, described)->derivative_of = of;
}

/* "N*m/rad" per second, as the units of bristle write it */
static void per_second(const char *unit, char text[40])
{
  if (!unit[0] || !strcmp(unit, "1")) snprintf(text, 40, "1/s");
  else snprintf(text, 40, "%.30s/s", unit);
}

static int uses_load(const fmi_unit *u)
{
  return u->q->friction->load != BRISTLE_LOAD_FORCE || strstr(u->text->f64, "_torque(") != NULL;
}

static void list_inputs(fmi_unit *u)
{
  const int rotary = u->q->friction->rotary;
  const char *force = bristle_force_unit(rotary), *speed = bristle_speed_unit(rotary),
             *length = bristle_length_unit(rotary);
  if (u->shape == FMI_ELEMENT) {
    add_input(u, FMI_IN_V, "v", speed, "relative velocity", 0);
    if (strstr(u->text->f64, "in->x")) add_input(u, FMI_IN_X, "x", length, "relative position", 0);
    if (u->info->traits & BRISTLE_TRAIT_SET_VALUED)
      add_input(u, FMI_IN_F, "f", force, "force that acts on the body; used at v = 0", 0);
    if (u->info->traits & BRISTLE_TRAIT_ACCELERATION)
      add_input(u, FMI_IN_A, "a", bristle_acceleration_unit(rotary), "acceleration: speeding up or slowing down", 0);
  } else {
    add_input(u, FMI_IN_FORCE, "force", force, "external force on the body", 0);
    if (u->shape == FMI_SERVO) {
      add_input(u, FMI_IN_TARGET, "target", length, "position to go to", 0);
      add_input(u, FMI_IN_TARGET_SPEED, "target_speed", speed, "velocity of the target", 0);
    }
  }
  if (!uses_load(u)) return;
  add_input(u, FMI_IN_N, "n", "N", "normal load", u->q->load > 0 ? u->q->load : 1);
  if (u->q->friction->load != BRISTLE_LOAD_FORCE) u->variable[u->variables - 1].hi = DBL_MAX; /* not negative */
}

static void list_host(fmi_unit *u)
{
  const int rotary = u->q->friction->rotary;
  if (u->shape == FMI_ELEMENT) return;
  add_parameter(u, FMI_MASS, "mass", rotary ? "kg*m^2" : "kg", "inertia of the body", 1, 1e-9);
  if (u->shape == FMI_BODY) {
    add_parameter(u, FMI_STIFFNESS, "stiffness", rotary ? "N*m/rad" : "N/m", "spring to a puller; 0: none", 0, 0);
    add_parameter(u, FMI_PULL_SPEED, "pull_speed", bristle_speed_unit(rotary), "velocity of the puller", 0, -1e9);
  } else {
    add_parameter(u, FMI_GAIN_P, "gain_p", rotary ? "N*m/rad" : "N/m", "gain of the position error", 100, 0);
    add_parameter(u, FMI_GAIN_D, "gain_d", rotary ? "N*m*s/rad" : "N*s/m", "gain of the velocity error", 10, 0);
    add_parameter(u, FMI_GAIN_I, "gain_i", rotary ? "N*m/(rad*s)" : "N/(m*s)", "gain of the integrated error", 0, 0);
  }
  add_parameter(u, FMI_STEP, "step", "s", "longest step inside a communication step (co-simulation)", 1e-5, 1e-9);
}

static void list_outputs(fmi_unit *u)
{
  const int rotary = u->q->friction->rotary;
  const char *force = bristle_force_unit(rotary), *speed = bristle_speed_unit(rotary),
             *length = bristle_length_unit(rotary);
  add(u, FMI_OUTPUT, FMI_FRICTION, "F", force, "friction: a resistance, with the sign of the velocity in sliding");
  add(u, FMI_OUTPUT, FMI_POWER, "P", "W", "power that friction takes from the motion");
  fmi_variable *mode = add(u, FMI_OUTPUT, FMI_MODE, "mode", "1", "0 stuck, 1 presliding, 2 sliding");
  mode->integer = mode->discrete = 1;
  if (u->shape == FMI_ELEMENT) return;
  add(u, FMI_OUTPUT, FMI_DRIVE, "drive", force, "all forces on the body but friction");
  if (u->shape == FMI_SERVO) add(u, FMI_OUTPUT, FMI_ERROR, "error", length, "target less position");
  add_state(u, FMI_X, "x", length, "position", u->length_scale);
  add_state(u, FMI_V, "v", speed, "velocity", u->speed_scale);
  u->variable[u->variables - 1].reset = (u->info->traits & BRISTLE_TRAIT_SET_VALUED) != 0 || u->jump >= 0;
  if (u->shape == FMI_SERVO) add_state(u, FMI_INTEGRAL, "integral", rotary ? "rad*s" : "m*s", "integrated error", 1e-3);
  add_derivative(u, FMI_DER_X, FMI_X, "x", speed);
  add_derivative(u, FMI_DER_V, FMI_V, "v", bristle_acceleration_unit(rotary));
  if (u->shape == FMI_SERVO) add_derivative(u, FMI_DER_INTEGRAL, FMI_INTEGRAL, "integral", length);
}

static void list_law(fmi_unit *u)
{
  const bristle_friction *f = u->q->friction;
  char name[60], unit[48], rate[40];
  for (int r = 0; r < u->info->param_rows; r++) {
    const bristle_row *row = &u->info->param[r];
    bristle_unit(row, f->load, f->rotary, unit, sizeof unit);
    for (int i = 0; i < row->count; i++) {
      bristle_param_name(row, i, name, sizeof name);
      fmi_variable *v = add(u, FMI_PARAMETER, FMI_PARAM + row->first + i, name, unit, row->doc);
      v->start = f->p[row->first + i];
      v->lo = row->lo, v->hi = row->hi;
      v->whole = row->kind == BRISTLE_ROW_OPTION;
      v->exact = 1;
    }
  }
  for (int r = 0; r < u->info->state_rows; r++) {
    const bristle_row *row = &u->info->state[r];
    bristle_unit(row, BRISTLE_LOAD_FORCE, f->rotary, unit, sizeof unit);
    for (int i = 0; i < row->count; i++) {
      const int at = row->first + i, flows = row->kind == BRISTLE_ROW_FLOW;
      bristle_param_name(row, i, name, sizeof name);
      add_state(u, FMI_STATE + at, name, unit, row->doc, flows ? 1e-2 * u->length_scale : 0);
      fmi_variable *v = &u->variable[u->variables - 1];
      v->discrete = !flows;
      if (!flows) continue;
      per_second(unit, rate);
      snprintf(name, sizeof name, "%s", v->name);
      add_derivative(u, FMI_RATE + at, FMI_STATE + at, name, rate);
    }
  }
}

static void list_indicators(fmi_unit *u)
{
  const int stops = u->shape != FMI_ELEMENT && u->info->traits & BRISTLE_TRAIT_SET_VALUED;
  const int rotary = u->q->friction->rotary;
  add(u, FMI_LOCAL, FMI_INDICATOR, stops ? "slip_to_stick" : "reversal", bristle_speed_unit(rotary),
      stops ? "falls below 0 when the body stops" : "falls below 0 when the velocity has changed its sign")
      ->indicator = 1;
  if (stops)
    add(u, FMI_LOCAL, FMI_INDICATOR + 1, "stick_to_slip", bristle_force_unit(rotary),
        "falls below 0 when the contact gives way")
        ->indicator = 1;
  const int jumps = u->shape != FMI_ELEMENT && u->jump >= 0;
  if (jumps)
    add(u, FMI_LOCAL, FMI_INDICATOR + 1, "jump", "1",
        "falls below 0 when the speed comes to a jump of friction, or leaves it")
        ->indicator = 1;
  if (fmi_remembers(u))
    add(u, FMI_LOCAL, FMI_INDICATOR + 1 + (stops || jumps), "memory", "1", "falls below 0 when a flag of the law turns")
        ->indicator = 1;
}

void fmi_list_variables(fmi_unit *u)
{
  if (u->version == 3) add(u, FMI_INDEPENDENT, FMI_TIME, "time", "s", "simulation time");
  list_inputs(u);
  list_host(u);
  list_outputs(u);
  list_law(u);
  list_indicators(u);
}
