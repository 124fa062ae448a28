/* What counts as a small error for a rig: scales of position, velocity, integral and bristles. */
#include "sim/native.h"

#include "maths/elementary.h"
#include "bristle/bristle.h"

/* Velocities are held to a tenth of their share, since what happens near rest decides the next slip; bristles to ten
   times theirs, since an error in them is pulled back by the balance of forces within a vibration of the contact. */
static const double velocity_share = 0.1, bristle_share = 10;

static double allow(const native *n, double scale) { return 1 / (n->rtol * scale + n->options->atol + 1e-300); }

static void set_errors(native *n)
{
  const native_point *s = &n->scale;
  n->per_error.x = allow(n, s->x);
  n->per_error.v = allow(n, velocity_share * s->v);
  n->per_error.c = allow(n, s->c);
  for (int k = 0; k < n->bristles; k++) n->per_error.w[k] = allow(n, bristle_share * s->w[k]);
}

/* in small leaps, so that the errors need not be worked out anew after every step */
static int grow(double *scale, double value)
{
  if (!(fabs(value) > 1.05 * *scale)) return 0;
  *scale = fabs(value);
  return 1;
}

void native_grow_scales(native *n)
{
  native_point *s = &n->scale;
  /* the ends of spring and controller are positions too: a mass still at rest will follow them */
  int grown = grow(&s->x, n->at.x) | grow(&s->x, n->in.anchor) | grow(&s->x, n->in.target);
  grown |= grow(&s->v, n->at.v) | grow(&s->c, n->at.c);
  for (int k = 0; k < n->bristles; k++) grown |= grow(&s->w[k], n->at.w[k]);
  if (grown) set_errors(n);
}

/* The speed at which the law changes, and the one beyond which that is over to the tolerance: exp(-u^n) = rtol. */
static void find_speeds(native *n)
{
  const bristle_info *law = n->host.model->info;
  const double *p = n->host.rig->contact.p;
  const bristle_row *speed = bristle_law_speed(law);
  n->law_speed = speed ? fabs(p[speed->first]) : 0;
  n->reach = n->law_speed * pow(-log(fmin(n->rtol, 0.1)), 1 / bristle_law_exponent(law, p));
  if (!n->law_bristles) native_read_curve(n);
}

/* Friction in sliding, slow or at the law's own speed (a rolling tyre has none in slow creep); 0 where the law says
   nothing about it. */
static double level_of(const native *n)
{
  const double *p = n->host.rig->contact.p;
  bristle_input at = { .v = 1e-12, .n = n->in.load, .load = n->host.rig->contact.load };
  if (!(n->host.model->info->traits & BRISTLE_TRAIT_STEADY)) return 0;
  const double slow = fabs(n->host.model->steady(p, &at));
  at.v = n->law_speed;
  return n->law_speed > 0 ? larger(slow, fabs(n->host.model->steady(p, &at))) : slow;
}

/* How far each bristle bends before it slides: level over stiffness, both near rest, whatever the run starts with. */
static void find_bends(native *n)
{
  const bristle_axis *rig = n->host.rig;
  const int size = n->law_bristles;
  const bristle_input slow = { .v = 1e-12, .n = n->in.load, .load = rig->contact.load };
  double rate[MOST_BRISTLES], df[BRISTLE_D_STATE + MOST_BRISTLES];
  double drate[MOST_BRISTLES * (BRISTLE_D_STATE + MOST_BRISTLES)];
  const native_point virgin = { 0 };
  n->host.diff->jacobian(rig->contact.p, virgin.w, &slow, rate, df, drate);
  for (int k = 0; k < size; k++) {
    const double stiffness = fabs(df[BRISTLE_D_STATE + k]), bend = level_of(n) / stiffness;
    n->bend[k] = bend > 0 && isfinite(bend) ? bend : HUGE_VAL;
  }
  if (rig->observer) {
    const bristle_info *law = n->host.observer->info;
    n->bend[size] = bristle_static_level(law, rig->observer)
                    / bristle_role_value(law, rig->observer, BRISTLE_ROLE_STIFFNESS, 0);
  }
}

/* What is small for this rig, so that a start from rest is not resolved to fractions of nothing: bristles are measured
   by how far they bend, velocities by the law's own speed and by those of the inputs. */
void native_start_scales(native *n)
{
  native_point *s = &n->scale;
  find_speeds(n);
  find_bends(n);
  for (int k = 0; k < n->bristles; k++) {
    if (isfinite(n->bend[k])) grow(&s->w[k], 0.1 * n->bend[k]);
    grow(&s->x, s->w[k]);
  }
  grow(&s->v, n->law_speed);
  grow(&s->v, n->in.base);
  grow(&s->v, n->in.anchor_rate);
  /* nothing known yet: a thousandth of what forces and speeds could do in the whole time */
  const double end = n->options->end;
  if (s->v == 0) grow(&s->v, 1e-3 * (level_of(n) + fabs(n->push)) * n->host.per_mass * end);
  if (s->x == 0) grow(&s->x, 1e-3 * s->v * end);
  if (s->c == 0) grow(&s->c, 1e-3 * s->x * end);
  native_grow_scales(n);
  set_errors(n);
}
