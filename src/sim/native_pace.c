/* Step control of the native solver: how far to go, and where to stop.
 *
 * Besides the error test three rules hold, because all columns of the extrapolation can agree on stepping over what
 * none of them has seen: a step that comes from fast sliding stops before the Stribeck fall and takes it in portions; a
 * contact that starts to slide neither bends nor travels by more than a part of its bristle's length; and a bristle law
 * has a kink where the slip changes its sign, where steps end. Each is foreseen from acceleration, jerk and snap, so
 * that few steps are tried in vain. */
#include "sim/native.h"

#include "core/maths.h"
#include "maths/elementary.h"

static const double most_bend = 0.3, most_travel = 0.5; /* parts of a bristle's length in one step */
static const double safety = 0.8;

/* ---- what is foreseen ---- */

/* A slip speed so small that crossing zero with it bends no bristle by more than the tolerance. A state that bears no
   force (the second one of a law of first order) is no bristle. */
static double no_kink(const native *n)
{
  double bend = INFINITY;
  for (int k = 0; k < n->law_bristles; k++)
    if (isfinite(n->bend[k])) bend = smaller(bend, 1 / n->per_error.w[k]);
  return sqrt(0.1 * bend * fabs(n->slip_accel));
}

/* The time in which v + a t + j t^2/2 + q t^3/6 falls to `goal`, or infinity. */
static double time_to(double v, double a, double j, double q, double goal)
{
  const double drop = goal - v, inside = a * a + 2 * j * drop;
  if (inside < 0) return INFINITY;
  const double p = -(a + (a < 0 ? -sqrt(inside) : sqrt(inside)));
  const double one = j != 0 ? p / j : -1, two = p != 0 ? -2 * drop / p : -1;
  double t = one > 0 ? one : (double)INFINITY;
  if (two > 0 && two < t) t = two;
  for (int i = 0; i < 2 && isfinite(t); i++) { /* from the parabola to the cubic */
    const double value = t * (a + t * (0.5 * j + t * (q / 6))) - drop, slope = a + t * (j + 0.5 * t * q);
    const double next = t - value / slope;
    if (!(next > 0.5 * t && next < 1.5 * t)) break;
    t = next;
  }
  return t;
}

/* How far the speed may change in one step of a law that is a curve: the curve may fall and rise within its own speed,
   which lies between two sub-steps of every column if the step is long enough. */
static double most_change(const native *n, double speed)
{
  return 0.7 * larger(speed, n->steep ? native_slowest(n) : n->law_speed);
}

/* A curve that falls within so little speed that the tolerance cannot follow it falls within nothing. */
static int has_curve(const native *n) { return n->steep || n->law_speed * n->per_error.v > 100; }

/* A law without bristles: down to where its curve begins to change; within that, portion by portion. */
static double foresee_curve(const native *n, double speed, double a)
{
  if (!has_curve(n)) return INFINITY;
  if (a > 0) return speed < n->reach ? 0.8 * most_change(n, speed) / a : (double)INFINITY;
  const double fall = speed > 1.5 * n->reach ? speed - n->reach : 0.8 * most_change(n, speed);
  return a < 0 ? fall / -a : (double)INFINITY;
}

/* the longest step that keeps the rules, as far as one can see */
static double foresee(const native *n, double h)
{
  const double slip = native_slip(n, n->t, &n->at), speed = fabs(slip), way = slip < 0 ? -1 : 1,
               a = way * n->slip_accel;
  if (n->locked) return h;
  if (!n->law_bristles || n->sharp) return smaller(h, foresee_curve(n, speed, a));
  if (n->plain && speed > n->close) { /* else nothing is known of jerk and snap */
    /* sliding: to the Stribeck fall; in it by portions; then to rest */
    const double goal = speed > 1.5 * n->reach ? n->reach : speed > n->law_speed ? 0.4 * speed : 0;
    h = smaller(h, time_to(speed, a, way * n->jerk, way * n->snap, goal));
  }
  for (int k = 0; k < n->law_bristles; k++) {
    const double bend = most_bend * n->bend[k], travel = 0.8 * most_travel * n->bend[k];
    if (fabs(n->rate[k]) * h > bend) h = bend / fabs(n->rate[k]);
    if (speed < n->law_speed && a >= 0 && isfinite(travel))
      h = smaller(h, 2 * travel / (speed + sqrt(speed * speed + 2 * a * travel)));
  }
  return h;
}

/* ---- what is found ---- */

/* likewise for a law without bristles, whose speed went from `from` to `to` */
static double excess_of_curve(const native *n, double from, double to)
{
  if (n->locked || !has_curve(n)) return 0;
  const double speed = fabs(from), there = from < 0 ? -to : to;
  /* beyond rest a sharp law is continued smoothly, and the step is cut there; any other has its curve again */
  const double end = n->sharp ? larger(there, 0) : there;
  if (speed > 1.5 * n->reach && end < 0.5 * n->reach)
    return larger(1.0001, 0.8 * (speed - end) / (speed - n->reach)); /* back to where the curve begins */
  return smaller(speed, end) < n->reach && speed <= 1.5 * n->reach ? fabs(end - speed) / most_change(n, speed) : 0;
}

/* how far a step went beyond what is trusted: above 1 it is too far */
static double excess(const native *n, double from, const step_result *step)
{
  const double to = native_slip(n, n->t + step->h, &step->end);
  if (!n->law_bristles || n->sharp) return excess_of_curve(n, from, to);
  const double fall = fabs(from) - (from < 0 ? -to : to);
  double most = 0;
  if (n->reach > 0 && fabs(from) > 1.5 * n->reach && fabs(from) - fall < 0.5 * n->reach)
    most = 0.8 * fall / (fabs(from) - n->reach); /* the fall was passed: back to its upper end */
  for (int k = 0; k < n->bristles; k++)
    most = larger(most, fabs(step->end.w[k] - n->at.w[k]) / (most_bend * n->bend[k]));
  if (fabs(from) < n->law_speed && from * n->slip_accel > 0) {
    const double travel = fabs(step->end.x - n->at.x - (step->end.base_x - n->at.base_x));
    for (int k = 0; k < n->law_bristles; k++) most = larger(most, travel / (most_travel * n->bend[k]));
  }
  return most;
}

/* where the slip is zero, by the parabola through its start, its slope there and its end */
static double zero_of_parabola(double v0, double a0, double v1, double h)
{
  const double bend = v1 - v0 - a0 * h, slope = a0 * h; /* v0 + slope s + bend s^2 */
  const double root = sqrt(larger(slope * slope - 4 * bend * v0, 0));
  const double q = -0.5 * (slope + (slope < 0 ? -root : root));
  const double s1 = bend != 0 ? q / bend : -1, s2 = q != 0 ? v0 / q : -1;
  const double first = s1 > 0 && s1 < 1 ? s1 : 2, second = s2 > 0 && s2 < 1 ? s2 : 2;
  const double s = smaller(first, second);
  return s < 1 ? s * h : h * v0 / (v0 - v1);
}

/* Shortens a step that crosses a kink of the law, at the slip `kink`, until it ends there, to what matters. */
static void land(native *n, step_result *step, double kink, double close)
{
  const double v0 = native_slip(n, n->t, &n->at) - kink;
  double h1 = step->h, v1 = native_slip(n, n->t + h1, &step->end) - kink,
         h = zero_of_parabola(v0, n->slip_accel, v1, h1), low = 0, high = h1;
  for (int i = 0; i < 20; i++) {
    if (!(h > low && h < high)) h = 0.5 * (low + high);
    step->h = h;
    step->worst = native_try(n, h, &step->end);
    const double v = native_slip(n, n->t + h, &step->end) - kink;
    if (fabs(v) <= close || step->worst > 1 || high - low < 1e-14 * (n->t + h)) return;
    if (v * v0 > 0) low = h;
    else high = h;
    const double secant = v != v1 ? h - v * (h - h1) / (v - v1) : 0;
    h1 = h;
    v1 = v;
    h = secant;
  }
}

/* does the step cross the kink? */
static int crosses(double from, double to, double kink, double close)
{
  from -= kink, to -= kink;
  return fabs(from) > close && fabs(to) > close && from * to < 0;
}

/* Where a step turns back before its end, by the parabola through its start, its slope there and its end: the part of
   it, and the slip there. 0 where it does not. */
static double turns_back(const native *n, double from, double to, double h, double *slip)
{
  const double slope = n->slip_accel * h, bend = to - from - slope, part = bend != 0 ? -0.5 * slope / bend : 0;
  *slip = from + 0.5 * slope * part;
  return part > 0.05 && part < 1 ? part : 0;
}

/* The first kink between two slips, or infinity: rest, except for a smooth curve, and the corners of a curve. */
static double first_kink(const native *n, double from, double to, double close)
{
  double kink = HUGE_VAL;
  if ((n->law_bristles || n->sharp) && crosses(from, to, 0, close)) kink = 0;
  for (int i = 0; i < n->corners; i++)
    if (crosses(from, to, n->corner[i], close) && fabs(n->corner[i] - from) < fabs(kink - from)) kink = n->corner[i];
  return kink;
}

/* Ends a step at the first kink that it crosses. One that seems to touch a kink and turn back is cut where it turns. */
static void land_on_kinks(native *n, double from, step_result *step)
{
  const double close = n->law_bristles ? n->close : 1 / n->per_error.v;
  double to = native_slip(n, n->t + step->h, &step->end), turn = to;
  double kink = first_kink(n, from, to, close);
  if (!isfinite(kink)) {
    const double part = turns_back(n, from, to, step->h, &turn);
    if (part == 0 || !isfinite(first_kink(n, from, turn + 0.2 * (turn - from), close))) return;
    step->h *= part;
    step->worst = native_try(n, step->h, &step->end);
    to = native_slip(n, n->t + step->h, &step->end);
    kink = first_kink(n, from, to, close);
  }
  if (isfinite(kink) && isfinite(step->worst) && !(n->sharp && kink == 0)) /* a stop is located elsewhere */
    land(n, step, kink, close);
}

void native_locate(native *n, step_result *step, double (*function)(native *, double, const native_point *))
{
  double low = 0, high = step->h, at_low = function(n, n->t, &n->at), at_high = function(n, n->t + high, &step->end);
  int stuck = 0; /* the same end kept: halve its value, as the Illinois rule does */
  for (int i = 0; i < 60 && high - low > 4e-16 * (n->t + high); i++) {
    double h = at_low > at_high ? low + (high - low) * (at_low / (at_low - at_high)) : 0.5 * (low + high);
    if (!(h > low && h < high)) h = 0.5 * (low + high);
    step_result trial = { .h = h };
    trial.worst = native_try(n, h, &trial.end);
    const double value = function(n, n->t + h, &trial.end);
    *step = trial;
    if (value == 0) return;
    if (value > 0) {
      low = h;
      at_low = value;
      if (stuck > 0) at_high *= 0.5;
      stuck = 1;
    } else {
      high = h;
      at_high = value;
      if (stuck < 0) at_low *= 0.5;
      stuck = -1;
    }
  }
}

/* ---- the next length ---- */

/* worst^(-1/columns): the factor that would bring the error to what is allowed. The power of maths/elementary.h is
   right to the last bit, and takes a tenth of the time of a run. */
static double lengthening(double worst, int columns)
{
  return columns == 8 ? 1 / sqrt(sqrt(sqrt(worst))) : exp_f64(log_f64(worst) * (-1.0 / columns));
}

/* After a step that passed: by its error, and by how the error changed from the last one (Gustafsson's rule). A step
   that was cut short for other reasons leaves the length as it was, within reason. */
static void plan(native *n, const step_result *step, double root)
{
  const double plain = safety * root;
  const int cut = step->h < 0.9 * n->length;
  double factor = plain;
  if (n->before > 0) factor = smaller(plain, safety * step->h / n->before * root * root / n->control);
  factor = smaller(n->refused ? 1 : 5, larger(0.2, factor));
  if (cut)
    n->length = larger(step->h * smaller(5, larger(0.2, plain)), smaller(n->length, 1.2 * larger(step->h, n->shorten)));
  else n->length = step->h * factor;
  n->before = cut ? 0 : step->h;
  n->control = smaller(root, 2.2);
  n->shorten = step->h;
  n->refused = 0;
}

static double refuse(native *n, const step_result *step, double factor)
{
  n->recorder.stats->rejected++;
  n->refused = 1;
  return step->h * factor;
}

bristle_sim_status native_find_step(native *n, double limit, step_result *step, bristle_sim_error *error)
{
  const double shortest = 1e-15 * larger(n->t, 1e-3 * n->options->end), from = native_slip(n, n->t, &n->at);
  const bristle_sim_sink *sink = n->recorder.sink;
  n->close = no_kink(n);
  for (;;) {
    const double wanted = foresee(n, n->length);
    step->h = wanted * 1.01 >= limit ? limit : wanted; /* no crumbs */
    step->worst = native_try(n, step->h, &step->end);
    const double far = excess(n, from, step);
    if (far > 1 && step->h > shortest) {
      n->length = refuse(n, step, larger(0.2, 0.8 / far));
      if (sink->step && sink->step(sink->context, n->t, step->h, 0)) return BRISTLE_SIM_STOPPED;
      continue;
    }
    if (isfinite(step->worst) && !n->locked) land_on_kinks(n, from, step);
    const int passed = step->worst <= 1 || step->h <= shortest;
    if (sink->step && sink->step(sink->context, n->t, step->h, passed)) return BRISTLE_SIM_STOPPED;
    const double root = step->worst > 0 ? lengthening(step->worst, n->table.columns) : 10;
    if (passed) {
      if (!isfinite(step->worst))
        return sim_fail(error, BRISTLE_SIM_NO_PROGRESS, n->t, NULL, "a number is no longer finite");
      plan(n, step, root);
      return BRISTLE_SIM_OK;
    }
    n->length = refuse(n, step, smaller(0.7, larger(0.1, isfinite(step->worst) ? safety * root : 0.1)));
  }
}
