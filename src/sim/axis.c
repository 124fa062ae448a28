/* One degree of freedom: forces, energy, columns, checks. */
#include "maths/elementary.h"
#include "sim/axis.h"
#include "sim/rigs.h"

#include "bristle/bristle.h"

#include <stdio.h>
#include <string.h>

axis_host axis_place(const bristle_axis *rig)
{
  axis_host host = { .rig = rig,
                     .model = rig->contact.law->f64,
                     .diff = rig->contact.law->diff,
                     .gain = rig->gain != 0 ? rig->gain : 1,
                     .per_mass = 1 / rig->mass,
                     .number = { .mass = rig->mass,
                                 .gain = rig->gain != 0 ? rig->gain : 1,
                                 .drag = rig->drag,
                                 .gravity = rig->gravity,
                                 .stiffness = rig->stiffness,
                                 .damping = rig->damping } };
  if (rig->observer) {
    host.observer = rig->observer_law->f64;
    host.observer_damping = bristle_role_value(host.observer->info, rig->observer, BRISTLE_ROLE_DAMPING, 0);
  }
  return host;
}

double axis_begin(axis_host *host, double t)
{
  const bristle_axis *r = host->rig;
  axis_pieces *p = &host->pieces;
  p->force = bristle_program_piece(&r->force, t);
  p->anchor = bristle_program_piece(&r->anchor, t);
  p->target = bristle_program_piece(&r->target, t);
  p->base = bristle_program_piece(&r->base, t);
  p->load = bristle_program_piece(&r->load, t);
  return fmin(fmin(fmin(p->force.end, p->anchor.end), fmin(p->target.end, p->base.end)), p->load.end);
}

double axis_swing(const bristle_axis *r)
{
  const bristle_program *const programs[] = { &r->force, &r->anchor, &r->target, &r->base, &r->load };
  double swing = HUGE_VAL;
  for (int i = 0; i < 5; i++) swing = fmin(swing, sim_program_swing(programs[i]));
  return swing;
}

axis_inputs axis_inputs_at(const axis_host *host, double t)
{
  const bristle_axis *r = host->rig;
  const axis_pieces *p = &host->pieces;
  axis_inputs in;
  in.force = bristle_program_value(&r->force, &p->force, t, NULL);
  in.anchor = bristle_program_value(&r->anchor, &p->anchor, t, &in.anchor_rate);
  in.target = bristle_program_value(&r->target, &p->target, t, &in.target_rate);
  in.base = bristle_program_value(&r->base, &p->base, t, NULL);
  in.load = bristle_program_value(&r->load, &p->load, t, NULL);
  return in;
}

double axis_command(const bristle_axis *r, const axis_inputs *in, double x, double v, double c)
{
  return in->force + r->kp * (in->target - x) + r->kd * (in->target_rate - v) + r->ki * c;
}

double axis_push(const axis_host *host, const axis_inputs *in, double x, double v, double c, double compensation)
{
  const bristle_axis *r = host->rig;
  const axis_drive drive = { .force = in->force + r->ki * c + compensation,
                             .target = in->target,
                             .target_rate = in->target_rate,
                             .anchor = in->anchor,
                             .anchor_rate = in->anchor_rate,
                             .kp = r->kp,
                             .kd = r->kd,
                             .limit = r->limit,
                             .strength = 1,
                             .on = 1 };
  const axis_forces f = axis_forces_at(&host->number, &drive, x, v);
  return f.drive + f.outside - f.viscous * v;
}

static int is_controlled(const bristle_axis *r) { return r->kp != 0 || r->ki != 0 || r->kd != 0; }

int axis_put_control(const axis_host *host, const axis_inputs *in, double x, double v, double c, double observer_z,
                     double *values)
{
  const bristle_axis *r = host->rig;
  double rate, command = axis_command(r, in, x, v, c);
  if (!is_controlled(r)) return 0;
  if (r->observer) command += axis_observe(host, in, x, v, observer_z, &rate);
  values[0] = in->target;
  values[1] = in->target - x;
  values[2] = r->limit > 0 ? fmin(fmax(command, -r->limit), r->limit) : command;
  return 3;
}

double axis_energy(const axis_host *host, const axis_inputs *in, double x, double v)
{
  const bristle_axis *r = host->rig;
  const double stretch = in->anchor - x, half = sin(0.5 * x);
  return 0.5 * r->mass * v * v + 0.5 * r->stiffness * stretch * stretch + 2 * r->gravity * half * half;
}

double axis_observe(const axis_host *host, const axis_inputs *in, double x, double v, double z, double *rate)
{
  const bristle_axis *r = host->rig;
  const bristle_input at = { .v = v, .n = 1, .load = BRISTLE_LOAD_FORCE };
  const double correction = -r->observer_gain * (x - in->target);
  const double force = host->observer->eval(r->observer, &z, &at, rate);
  *rate += correction;
  return force + host->observer_damping * correction;
}

int bristle_axis_observes(const bristle_law *law)
{
  const bristle_info *info = law->f64->info;
  return (info->traits & BRISTLE_TRAIT_AFFINE) && info->nstate == 1 && bristle_param_role(info, BRISTLE_ROLE_STIFFNESS)
         && bristle_param_role(info, BRISTLE_ROLE_DAMPING);
}

/* ---- columns ---- */

static const char *unit_of(const char *linear, int rotary)
{
  static const char *const pairs[][2] = { { "m", "rad" }, { "m/s", "rad/s" }, { "N", "N*m" }, { "m*s", "rad*s" } };
  for (size_t i = 0; rotary && i < sizeof pairs / sizeof *pairs; i++)
    if (!strcmp(linear, pairs[i][0])) return pairs[i][1];
  return linear;
}

static int put_states(const bristle_info *info, int rotary, bristle_sim_column *columns, int at)
{
  for (int r = 0; r < info->state_rows; r++) {
    const bristle_row *row = &info->state[r];
    for (int i = 0; i < row->count; i++) {
      char name[24];
      snprintf(name, sizeof name, row->count > 1 ? "%s%d" : "%s", row->name, i + 1);
      at = sim_put_column(columns, at, name, unit_of(row->unit, rotary));
    }
  }
  return at;
}

int contact_columns(const bristle_contact *contact, int rotary, bristle_sim_column *columns)
{
  int at = sim_put_column(columns, 0, "t", "s");
  at = sim_put_column(columns, at, "x", unit_of("m", rotary));
  at = sim_put_column(columns, at, "v", unit_of("m/s", rotary));
  at = sim_put_column(columns, at, "F", unit_of("N", rotary));
  return put_states(contact->law->f64->info, rotary, columns, at);
}

static int axis_columns(const void *self, int rotary, bristle_sim_column *columns)
{
  const bristle_axis *rig = self;
  int at = contact_columns(&rig->contact, rotary, columns);
  if (rig->ki != 0) at = sim_put_column(columns, at, "integral", unit_of("m*s", rotary));
  if (rig->observer) at = sim_put_column(columns, at, "observer_z", unit_of("m", rotary));
  if (is_controlled(rig)) {
    at = sim_put_column(columns, at, "target", unit_of("m", rotary));
    at = sim_put_column(columns, at, "error", unit_of("m", rotary));
    at = sim_put_column(columns, at, "command", unit_of("N", rotary));
  }
  return sim_put_column(columns, at, "mode", "1");
}

/* ---- checks ---- */

bristle_sim_status program_check(const bristle_program *p, const char *field, bristle_sim_error *error)
{
  const bristle_sim_status bad = BRISTLE_SIM_BAD_INPUT;
  if (!isfinite(p->offset)) return sim_fail(error, bad, 0, field, "its offset must be finite");
  if (p->kind == BRISTLE_PROGRAM_KNOTS) {
    for (size_t i = 0; i < p->count; i++) {
      if (!isfinite(p->t[i]) || !isfinite(p->y[i]))
        return sim_fail(error, bad, 0, field, "knot %zu is not finite", i + 1);
      if (i && p->t[i] < p->t[i - 1])
        return sim_fail(error, bad, p->t[i], field, "time goes back at knot %zu: %g s after %g s", i + 1, p->t[i],
                        p->t[i - 1]);
    }
    if (p->period != 0 && !(p->count > 1 && fabs(p->t[p->count - 1] - p->t[0] - p->period) <= 1e-9 * p->period))
      return sim_fail(error, bad, 0, field, "repeated knots must span exactly one period");
  } else {
    for (size_t i = 0; i < (p->kind == BRISTLE_PROGRAM_CHIRP ? 1 : p->count); i++)
      if (!isfinite(p->amplitude[i])
          || (p->kind == BRISTLE_PROGRAM_SINES && !isfinite(p->frequency[i] + (p->phase ? p->phase[i] : 0))))
        return sim_fail(error, bad, 0, field, "amplitude, frequency and phase must be finite");
    if (p->kind == BRISTLE_PROGRAM_CHIRP && !(p->duration > 0 && isfinite(p->f0 + p->f1 + p->duration)))
      return sim_fail(error, bad, 0, field, "a chirp needs finite frequencies and a duration above 0");
  }
  return BRISTLE_SIM_OK;
}

bristle_sim_status contact_check(const bristle_contact *contact, const double *z, bristle_sim_error *error)
{
  bristle_error fault;
  if (!contact->law) return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "friction", "this rig needs a law on a line");
  const bristle_info *info = contact->law->f64->info;
  if (info->nstate > BRISTLE_LAW_SIZE)
    return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "friction", "the law has %d states, more than %d", info->nstate,
                    BRISTLE_LAW_SIZE);
  if (bristle_check(contact->law->f64, contact->p, &fault)) return sim_fail_check(error, &fault);
  for (int i = 0; i < info->nstate; i++)
    if (!isfinite(z[i]))
      return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "initial", "state %d of the law is not finite", i + 1);
  return BRISTLE_SIM_OK;
}

/* One bristle whose damping is a plain number: no variants, and no damping that fades. */
static bristle_sim_status check_observer(const bristle_axis *r, bristle_sim_error *error)
{
  const bristle_sim_status bad = BRISTLE_SIM_BAD_INPUT;
  bristle_error fault;
  if (!r->observer_law || !bristle_axis_observes(r->observer_law))
    return sim_fail(error, bad, 0, "observer", "it needs a law with one bristle that is stiff and damped");
  if (bristle_check(r->observer_law->f64, r->observer, &fault))
    return sim_fail(error, bad, 0, "observer", "parameter %s: %s", fault.field,
                    fault.rule ? fault.rule : "out of its range");
  const bristle_info *law = r->observer_law->f64->info;
  for (int k = 0; k < law->param_rows; k++) {
    const bristle_row *row = &law->param[k];
    if (row->role != BRISTLE_ROLE_CHOICE && row->role != BRISTLE_ROLE_FADING_SPEED) continue;
    if (r->observer[row->first] != row->initial[0])
      return sim_fail(error, bad, 0, "observer", "it has no %s: leave it out, or at %g", row->name, row->initial[0]);
  }
  return BRISTLE_SIM_OK;
}

static bristle_sim_status axis_check(const void *self, bristle_sim_error *error)
{
  const bristle_axis *r = self;
  const bristle_sim_status bad = BRISTLE_SIM_BAD_INPUT;
  const struct {
    const char *name;
    double value;
    int may_be_negative;
  } number[] = { { "stiffness", r->stiffness, 0 },
                 { "damping", r->damping, 0 },
                 { "drag", r->drag, 0 },
                 { "gravity", r->gravity, 1 },
                 { "kp", r->kp, 0 },
                 { "ki", r->ki, 0 },
                 { "kd", r->kd, 0 },
                 { "gain", r->gain, 1 },
                 { "limit", r->limit, 0 },
                 { "x", r->x, 1 },
                 { "v", r->v, 1 },
                 { "integral", r->c, 1 },
                 { "observer_z", r->observer_z, 1 } };
  if (!(r->mass > 0) || !isfinite(r->mass))
    return sim_fail(error, bad, 0, "mass", "it is %g, and must be above 0", r->mass);
  for (size_t i = 0; i < sizeof number / sizeof *number; i++)
    if (!isfinite(number[i].value) || (number[i].value < 0 && !number[i].may_be_negative))
      return sim_fail(error, bad, 0, number[i].name, "it is %g, and must be finite%s", number[i].value,
                      number[i].may_be_negative ? "" : " and not negative");
  bristle_sim_status status = contact_check(&r->contact, r->z, error);
  const bristle_program *const programs[] = { &r->force, &r->anchor, &r->target, &r->base, &r->load };
  static const char *const names[] = { "force", "anchor", "target", "base", "load" };
  for (int i = 0; !status && i < 5; i++) status = program_check(programs[i], names[i], error);
  return !status && r->observer ? check_observer(r, error) : status;
}

/* ---- the rig ---- */

static bristle_sim_status suits(const void *self, const bristle_sim_options *options, bristle_sim_error *error)
{
  const bristle_axis *rig = self;
  return sim_check_levels(&rig->contact, &rig->load, options, error);
}

static bristle_sim_status run(const void *self, const bristle_sim_options *o, const bristle_sim_sink *sink,
                              bristle_sim_stats *stats, bristle_sim_error *error)
{
  const bristle_axis *rig = self;
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

extern const bristle_rig_driver sim_axis;
const bristle_rig_driver sim_axis = { .check = axis_check, .suits = suits, .columns = axis_columns, .run = run };
