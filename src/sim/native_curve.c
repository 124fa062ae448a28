/* The curve of a law without bristles, as the native solver must know it: where it bends, where it has corners, and
 * whether it is infinitely steep at rest.
 *
 * Steps must neither pass over a bend that no column sees, nor over a corner, where the error estimate may be small by
 * accident. What parameters are called says little about where a curve bends (a ramp between two speeds, a rise a tenth
 * as wide as the hump after it), so the curve itself is looked at, once for each run. So is what a bristle does where
 * sliding has brought it. */
#include "sim/native.h"

#include "maths/elementary.h"

/* speeds from 1e-12 to 1e4 m/s, four for each doubling */
enum { OCTAVE = 4, SPEEDS = 53 * OCTAVE + 1 };
static const double slowest = 1e-12, ratio = 1.189207115002721;
static const double visible = 0.02; /* a bend that counts, relative to the force */

static double curve_at(const native *n, double slip)
{
  const bristle_input at = { .v = slip, .n = n->in.load, .load = n->host.rig->contact.load };
  double rate[MOST_BRISTLES];
  return n->host.model->eval(n->host.rig->contact.p, n->at.w, &at, rate);
}

/* how far the curve is from the straight line through its points at half and twice the speed, relative to its size */
static double bend_of(const double *here)
{
  const double half = here[-OCTAVE], twice = here[OCTAVE];
  const double size = larger(fabs(half), larger(fabs(*here), fabs(twice)));
  return size > 0 ? fabs((2 * half + twice) / 3 - *here) / size : 0;
}

static double slope_at(const native *n, double slip)
{
  const bristle_input at = { .v = slip, .n = n->in.load, .load = n->host.rig->contact.load };
  double df[BRISTLE_D_STATE];
  n->host.diff->jacobian(n->host.rig->contact.p, n->at.w, &at, NULL, df, NULL);
  return fabs(df[BRISTLE_D_V]);
}

/* A slope that grows without end towards rest, as that of a power below 1 does. */
static int is_steep(const native *n, double way) { return slope_at(n, way * 1e-200) > 2 * slope_at(n, way * slowest); }

/* Change of the slope (order 1) or of the curvature (order 2) from one half of an interval to the other, as a force. */
static double turn(const native *n, double low, double high, int order)
{
  const double part = (high - low) / (order + 1);
  if (order == 1) return fabs(curve_at(n, low) - 2 * curve_at(n, low + part) + curve_at(n, high));
  return fabs(curve_at(n, low) - 3 * (curve_at(n, low + part) - curve_at(n, high - part)) - curve_at(n, high));
}

/* Closes in on where the curve turns most. At a corner the change of slope is the same however close one looks, and the
   force falls with the width alone (with its square where only the curvature jumps); a smooth bend becomes straight one
   order faster. */
static void look_for_corner(native *n, double low, double high, int order)
{
  const double narrow = order == 1 ? 1e-6 : 1e-3, first = turn(n, low, high, order), whole = high - low;
  if (!(first > 1e-4 * fabs(curve_at(n, high))) || n->corners == MOST_CORNERS) return;
  for (int i = 0; i < n->corners; i++)
    if ((n->corner[i] - low) * (n->corner[i] - high) <= 0) return;        /* known already */
  for (int halves = 1; fabs(high - low) > narrow * fabs(low); halves++) { /* that overlap: no corner is cut in two */
    const double part = (high - low) / 4;
    const double left = turn(n, low, low + 2 * part, order), centre = turn(n, low + part, low + 3 * part, order),
                 right = turn(n, low + 2 * part, high, order);
    if (centre >= left && centre >= right) low += part, high -= part;
    else if (left >= right) high -= 2 * part;
    else low += 2 * part;
    const double shrunk = (high - low) / whole;
    if (halves >= 4 && turn(n, low, high, order) < 0.1 * first * (order == 1 ? shrunk : shrunk * shrunk)) return;
  }
  n->corner[n->corners++] = 0.5 * (low + high);
}

static void read_one_way(native *n, double way)
{
  double force[SPEEDS], speed = slowest;
  int seen = 0;
  for (int i = 0; i < SPEEDS; i++, speed *= ratio) force[i] = curve_at(n, way * speed);
  speed = slowest * 2;
  for (int i = OCTAVE; i < SPEEDS - OCTAVE; i++, speed *= ratio) {
    const double bend = bend_of(force + i);
    if (bend > n->rtol) n->reach = larger(n->reach, 0.5 * speed);
    for (int order = 1; order <= 2 && bend > 0.05 * visible; order++)
      look_for_corner(n, way * speed / ratio, way * speed * ratio, order);
    if (bend < visible || seen++) continue;
    n->law_speed = n->law_speed > 0 ? smaller(n->law_speed, speed) : speed;
  }
  n->steep |= is_steep(n, way);
}

void native_read_curve(native *n)
{
  n->corners = n->steep = 0;
  read_one_way(n, 1);
  if (!(n->host.model->info->traits & BRISTLE_TRAIT_ODD)) {
    read_one_way(n, -1);
    return;
  }
  const int found = n->corners < MOST_CORNERS / 2 ? n->corners : MOST_CORNERS / 2;
  for (int i = 0; i < found; i++) n->corner[found + i] = -n->corner[i];
  n->corners = 2 * found;
}

/* ---- is the law one for this solver? ---- */

/* How fast the rate of the first state changes close to where sliding has brought it, relative to its distance from
   there. Where a bristle arrives after a finite way (a Dahl exponent below 1) this has no bound. */
static double rate_near_sliding(const bristle_axis *rig, const double *slid, double load, double distance)
{
  const bristle_input at = { .v = 1, .n = load, .load = rig->contact.load };
  const int states = rig->contact.law->f64->info->nstate;
  double near[MOST_BRISTLES], rate[2][MOST_BRISTLES];
  for (int k = 0; k < states; k++) near[k] = slid[k] * (1 - distance);
  rig->contact.law->f64->eval(rig->contact.p, slid, &at, rate[0]);
  rig->contact.law->f64->eval(rig->contact.p, near, &at, rate[1]);
  return fabs(rate[1][0] - rate[0][0]) / distance;
}

/* A Jacobian says nothing of a bristle that arrives at its level after a finite way. */
static int slides_smoothly(const bristle_axis *rig)
{
  double z[MOST_BRISTLES] = { 0 };
  const bristle_piece piece = bristle_program_piece(&rig->load, 0);
  const double load = bristle_program_value(&rig->load, &piece, 0, NULL);
  const bristle_input along = { .v = 1, .n = load, .h = 1e6, .load = rig->contact.load };
  if (!rig->contact.law->f64->info->nstate) return 1;
  rig->contact.law->f64->step(rig->contact.p, z, &along, NULL);
  return !(rate_near_sliding(rig, z, load, 1e-8) > 2 * rate_near_sliding(rig, z, load, 1e-4));
}

int axis_suits_native(const bristle_axis *rig)
{
  const bristle_info *info = rig->contact.law->f64->info;
  return rig->contact.law->diff && (info->traits & BRISTLE_TRAIT_SMOOTH)
         && info->nstate + (rig->observer != NULL) <= MOST_BRISTLES && slides_smoothly(rig);
}
