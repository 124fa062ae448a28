/* Moving a law and pushing a body on it: the experiments behind the pictures and the comparison. */
#include "probe.h"

#include <math.h>

enum { MASS = 1 }; /* kg, of every body here */

static double positive(double value, double otherwise) { return value > 0 && value < 1e6 ? value : otherwise; }

static double speed_of(const bristle_info *info, const double *p)
{
  const double stribeck = bristle_role_value(info, p, BRISTLE_ROLE_STRIBECK_SPEED, 0);
  const double fall = bristle_role_value(info, p, BRISTLE_ROLE_STRIBECK_FALL, 0);
  const double smoothing = bristle_role_value(info, p, BRISTLE_ROLE_SMOOTHING_SPEED, 0);
  const double rise = bristle_role_value(info, p, BRISTLE_ROLE_SMOOTHING_RISE, 0);
  if (stribeck > 0) return stribeck;
  if (fall > 0) return 1 / fall;
  if (smoothing > 0) return smoothing;
  return positive(rise > 0 ? 1 / rise : 0, 1e-3);
}

static double stiffness_of(const bristle_info *info, const double *p)
{
  const bristle_row *row = bristle_param_role(info, BRISTLE_ROLE_STIFFNESS);
  double sum = 0;
  for (int i = 0; row && i < row->count; i++) sum += p[row->first + i];
  return sum;
}

static double level_of(const subject *s)
{
  const bristle_info *info = s->law->f64->info;
  const subject dry = subject_dry(s);
  double level = bristle_static_level(info, s->p);
  for (double v = 0.01; v < 20 && info->traits & BRISTLE_TRAIT_STEADY; v *= 1.25) {
    const bristle_input in = { .v = v * s->speed, .n = 1 };
    level = fmax(level, fabs(s->law->f64->steady(dry.p, &in)));
  }
  return level;
}

static void find_sizes(subject *s)
{
  const bristle_info *info = s->law->f64->info;
  s->speed = speed_of(info, s->p);
  s->level = level_of(s);
  const double stiffness = stiffness_of(info, s->p), viscous = bristle_role_value(info, s->p, BRISTLE_ROLE_VISCOUS, 0);
  s->fast = viscous > 0 ? s->level / viscous : 40 * s->speed;
  s->travel = bristle_role_value(info, s->p, BRISTLE_ROLE_LENGTH, 0.01 * s->speed);
  if (stiffness > 0) s->travel = s->level / stiffness;
}

subject subject_of(const bristle_law *law)
{
  subject s = { .law = law };
  bristle_defaults(law->f64->info, s.p);
  find_sizes(&s);
  return s;
}

int subject_with(const subject *of, const bristle_row *row, double value, subject *out)
{
  *out = *of;
  for (int i = 0; i < row->count; i++) out->p[row->first + i] = value;
  return bristle_check(of->law->f64, out->p, NULL) == BRISTLE_STATUS_OK;
}

subject subject_dry(const subject *of)
{
  subject s = *of;
  const bristle_info *info = of->law->f64->info;
  for (int r = 0; r < info->param_rows; r++)
    if (info->param[r].role == BRISTLE_ROLE_VISCOUS || info->param[r].role == BRISTLE_ROLE_DRAG)
      s.p[info->param[r].first] = info->param[r].lo;
  return s;
}

contact contact_fresh(const subject *of)
{
  contact c = { .of = of };
  const bristle_info *info = of->law->f64->info;
  for (int r = 0; r < info->state_rows; r++)
    for (int i = 0; i < info->state[r].count; i++)
      c.s[info->state[r].first + i] = info->state[r].initial ? info->state[r].initial[i] : 0;
  return c;
}

void contact_move(contact *c, double v, double time, int steps)
{
  const double h = time / steps;
  for (int i = 0; i < steps; i++) {
    const bristle_input in = { .v = v, .x = c->x, .n = 1, .h = h };
    c->force = c->of->law->f64->step(c->of->p, c->s, &in, NULL);
    c->x += h * v;
  }
  c->v = v;
}

void contact_go(contact *c, double way, double speed, int steps)
{
  contact_move(c, way < 0 ? -speed : speed, fabs(way) / speed, steps);
}

void contact_push(contact *c, double mass, double applied, double h)
{
  const bristle_input in = { .v = c->v + h / mass * applied, .x = c->x, .n = 1, .f = applied, .w = h / mass, .h = h };
  c->force = c->of->law->f64->step(c->of->p, c->s, &in, &c->v);
  c->x += h * c->v;
}

double steady_force(const subject *of, double v)
{
  contact c = contact_fresh(of);
  contact_move(&c, 0, 10, 100); /* what grows at rest is there */
  contact_move(&c, v, fmax(100 * of->travel / fabs(v), 10), 400);
  return c.force;
}

double break_away(contact *c, double rate)
{
  const subject *of = c->of;
  const double begin = c->x, h = fmin(of->level / rate / 2000, 1e-4), far = 20 * of->travel;
  double largest = 0;
  for (int i = 1; i < 4000000; i++) {
    const double applied = rate * h * i;
    contact_push(c, MASS, applied, h);
    largest = fmax(largest, c->force);
    if (c->x - begin > far && (c->v > 10 * of->speed || applied > 3 * of->level)) break;
  }
  return largest;
}

double stiffness_for(const subject *of, double ratio)
{
  const double root = of->level / (of->speed * ratio);
  return root * root / MASS;
}

/* The step is short enough for the falling curve while the body moves, and longer while it waits; the spring has a
   damper of 5 %, as every real one, so that an oscillation which nothing feeds dies out. */
int sticks_and_slips(const subject *of, double stiffness, double pull)
{
  contact c = contact_fresh(of);
  const double load = of->level / (stiffness * pull), swing = 6.283 * sqrt(MASS / stiffness);
  const double damping = 2 * 0.05 * sqrt(stiffness * MASS);
  const double waiting = swing / 300, shortest = fmin(waiting, 0.3 * MASS * of->speed / of->level);
  const double end = 4 * load + 12 * swing;
  double t = 0, watched = 0, still = 0, fastest = 0;
  for (long i = 0; t < end && i < 1000000; i++) {
    const double h = fabs(c.v) < 0.02 * pull ? waiting : shortest;
    t += h;
    contact_push(&c, MASS, stiffness * (pull * t - c.x - h * c.v) + damping * (pull - c.v), h);
    if (t < 0.5 * end) continue;
    watched += h;
    if (fabs(c.v) < 0.1 * pull) still += h;
    fastest = fmax(fastest, c.v);
  }
  return still > 0.02 * watched && fastest > 1.3 * pull;
}
