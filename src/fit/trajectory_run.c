/* One run of an axis, with the derivatives of the whole motion by every unknown.
 *
 * Each step is the coupled one: everything but friction gives the velocity the axis would have without it, and the law
 * closes the balance. Positions are taken at the middle of the step and the drag at its mean velocity, which makes all
 * but the friction second order. A change of the compliance w by dw acts as
 * one of the free velocity by -F dw, because only v - w F enters the balance; so the generated derivatives by v, x, n,
 * states and parameters are enough. */
#include "fit/trajectory.h"

#include <math.h>
#include <string.h>

static const double DEFAULT_STEP = 1e-3;

/* the axis at an instant, each quantity with its row of derivatives */
typedef struct axis_state {
  double x, v, z[TRAJECTORY_STATES];
  double *dx, *dv, *dz; /* dz: states x unknowns */
} axis_state;

/* what drives the axis during one step */
typedef struct drive {
  double target, input, strength;
  int on;
} drive;

typedef struct runner {
  const axis_job *job;
  const bristle_model *model;
  const bristle_diff *diff;
  int states, params, unknowns;
  double df[3 + TRAJECTORY_STATES + BRISTLE_FRICTION_SIZE];
  double ds[TRAJECTORY_STATES * (3 + TRAJECTORY_STATES + BRISTLE_FRICTION_SIZE)];
  axis_state s;
  double rows[(2 + TRAJECTORY_STATES) * MOST_UNKNOWNS]; /* behind dx, dv, dz */
} runner;

/* the forces of a step without friction, and what the step is solved with */
typedef struct balance {
  double command, driving, mass, drag, gravity, angle_sine, angle_cosine;
  double drive, outside, transmitted; /* transmitted: the signed number whose size is the load */
  double divisor, free, compliance;
  int saturated;
} balance;

static balance balance_of(const runner *r, const drive *d, double h)
{
  const bristle_run *run = r->job->run;
  const double *plant = r->job->values->plant;
  balance b = { .mass = run->mass + plant[BRISTLE_PLANT_MASS], .gravity = run->gravity + plant[BRISTLE_PLANT_GRAVITY] };
  double u = d->input;
  const double middle = r->s.x + 0.5 * h * r->s.v;
  if (run->target) u += run->kp * (d->target - middle) - run->kd * r->s.v;
  b.saturated = run->limit > 0 && fabs(u) > run->limit;
  b.command = d->strength * (b.saturated ? copysign(run->limit, u) : u);
  b.drag = d->on ? plant[BRISTLE_PLANT_DRAG] : 0;
  b.driving = d->on ? plant[BRISTLE_PLANT_GAIN] * b.command : 0;
  b.drive = b.driving - b.drag * r->s.v;
  const double angle = middle + plant[BRISTLE_PLANT_TILT];
  if (b.gravity != 0) b.angle_sine = sin(angle), b.angle_cosine = cos(angle);
  b.outside = plant[BRISTLE_PLANT_BIAS] - b.gravity * b.angle_sine;
  b.transmitted = plant[BRISTLE_PLANT_LOAD_DRIVE] * b.drive - plant[BRISTLE_PLANT_LOAD_OUTSIDE] * b.outside;
  b.divisor = b.mass + 0.5 * h * b.drag;
  b.compliance = h / b.divisor;
  b.free = ((b.mass - 0.5 * h * b.drag) * r->s.v + h * (b.driving + b.outside)) / b.divisor;
  return b;
}

static bristle_input input_of(const runner *r, const balance *b, double h)
{
  return (bristle_input){ .v = b->free,
                          .x = r->s.x,
                          .n = 1 + fabs(b->transmitted),
                          .w = b->compliance,
                          .h = h,
                          .load = r->job->trajectory->load };
}

static void step_plain(runner *r, const drive *d, double h)
{
  const balance b = balance_of(r, d, h);
  const bristle_input in = input_of(r, &b, h);
  double v_end;
  r->model->step(r->job->values->param, r->s.z, &in, &v_end);
  r->s.x += 0.5 * h * (r->s.v + v_end);
  r->s.v = v_end;
}

/* how one unknown moves the free velocity (the change of w included), the position and the load */
typedef struct push {
  double v, x, n;
} push;

static push push_of(const runner *r, const balance *b, const drive *d, double h, double force, int k)
{
  const bristle_run *run = r->job->run;
  const double *plant = r->job->values->plant;
  const int which = r->job->unknown[k].plant;
  const double dx = r->s.dx[k], dv = r->s.dv[k], dmiddle = dx + 0.5 * h * dv;
  double dmass = which == BRISTLE_PLANT_MASS, ddrag = d->on && which == BRISTLE_PLANT_DRAG;
  double dcommand = run->target && !b->saturated ? -d->strength * (run->kp * dmiddle + run->kd * dv) : 0;
  double ddriving = 0, doutside = which == BRISTLE_PLANT_BIAS;
  if (d->on) ddriving = plant[BRISTLE_PLANT_GAIN] * dcommand + (which == BRISTLE_PLANT_GAIN ? b->command : 0);
  if (which == BRISTLE_PLANT_GRAVITY) doutside -= b->angle_sine;
  doutside -= b->gravity * b->angle_cosine * (dmiddle + (which == BRISTLE_PLANT_TILT));
  const double ddivisor = dmass + 0.5 * h * ddrag,
               dmomentum = (dmass - 0.5 * h * ddrag) * r->s.v + (b->mass - 0.5 * h * b->drag) * dv;
  double dtransmitted = plant[BRISTLE_PLANT_LOAD_DRIVE] * (ddriving - ddrag * r->s.v - b->drag * dv)
                        - plant[BRISTLE_PLANT_LOAD_OUTSIDE] * doutside;
  if (which == BRISTLE_PLANT_LOAD_DRIVE) dtransmitted += b->drive;
  if (which == BRISTLE_PLANT_LOAD_OUTSIDE) dtransmitted -= b->outside;
  push p = { .x = dx, .n = b->transmitted < 0 ? -dtransmitted : dtransmitted };
  p.v = (dmomentum + h * (ddriving + doutside) - b->free * ddivisor) / b->divisor;
  p.v += force * b->compliance / b->divisor * ddivisor;
  return p;
}

static void step_with_derivatives(runner *r, const drive *d, double h)
{
  const balance b = balance_of(r, d, h);
  const bristle_input in = input_of(r, &b, h);
  const int n = r->unknowns, width = r->diff->directions, first_param = BRISTLE_D_STATE + r->states;
  double v_end, before[TRAJECTORY_STATES];
  const double force = r->diff->step(r->job->values->param, r->s.z, &in, &v_end, r->df, r->ds);
  for (int k = 0; k < n; k++) {
    const axis_unknown *unknown = &r->job->unknown[k];
    const push p = push_of(r, &b, d, h, force, k);
    double df = r->df[BRISTLE_D_V] * p.v + r->df[BRISTLE_D_X] * p.x + r->df[BRISTLE_D_N] * p.n;
    for (int i = 0; i < r->states; i++) {
      before[i] = r->s.dz[i * n + k];
      df += r->df[BRISTLE_D_STATE + i] * before[i];
    }
    for (int i = 0; i < r->states; i++) {
      const double *row = r->ds + i * width;
      double dz = row[BRISTLE_D_V] * p.v + row[BRISTLE_D_X] * p.x + row[BRISTLE_D_N] * p.n;
      for (int j = 0; j < r->states; j++) dz += row[BRISTLE_D_STATE + j] * before[j];
      for (int j = 0; j < 2 && unknown->param[j] >= 0; j++)
        dz += unknown->factor[j] * row[first_param + unknown->param[j]];
      r->s.dz[i * n + k] = dz;
    }
    for (int j = 0; j < 2 && unknown->param[j] >= 0; j++)
      df += unknown->factor[j] * r->df[first_param + unknown->param[j]];
    const double dv_end = p.v - b.compliance * df;
    r->s.dx[k] += 0.5 * h * (r->s.dv[k] + dv_end);
    r->s.dv[k] = dv_end;
  }
  r->s.x += 0.5 * h * (r->s.v + v_end);
  r->s.v = v_end;
}

/* from sample i - 1 to sample i, in steps of equal length; inputs at the middle of each */
static void advance(runner *r, size_t i, double longest)
{
  const bristle_run *run = r->job->run;
  const double span = run->t[i] - run->t[i - 1];
  const int steps = (int)fmax(1, ceil(span / longest - 1e-6));
  const double h = span / steps;
  for (int k = 0; k < steps; k++) {
    const double part = (k + 0.5) / steps;
    const drive d = {
      .target = run->target ? run->target[i - 1] + part * (run->target[i] - run->target[i - 1]) : 0,
      .input = run->input ? run->input[i - 1] + part * (run->input[i] - run->input[i - 1]) : 0,
      .strength = run->strength ? run->strength[i - 1] : 1,
      .on = run->enabled ? run->enabled[i - 1] != 0 : 1,
    };
    if (r->unknowns) step_with_derivatives(r, &d, h);
    else step_plain(r, &d, h);
  }
}

int axis_simulate(const axis_job *job, const axis_sink *sink)
{
  const bristle_run *run = job->run;
  const bristle_law *law = job->trajectory->law;
  runner r = { .job = job,
               .model = law->f64,
               .diff = law->diff,
               .states = law->f64->info->nstate,
               .params = law->f64->info->nparam,
               .unknowns = job->unknowns };
  const double longest = job->step > 0 ? job->step : DEFAULT_STEP;
  r.s.dx = r.rows, r.s.dv = r.rows + r.unknowns, r.s.dz = r.rows + 2 * r.unknowns;
  r.s.x = run->x, r.s.v = run->v;
  for (size_t i = 0; i < run->count; i++) {
    if (i) advance(&r, i, longest);
    if (!isfinite(r.s.x) || !isfinite(r.s.v)) return 1;
    const int stop = sink->sample(sink->context, i, r.s.x, r.s.v, r.unknowns ? r.s.dx : NULL, r.s.dv);
    if (stop) return stop;
  }
  return 0;
}
