/* bristle show --linear: where the force of a law is a straight line over the speed, the motion of a body with it is a
 * linear system, piece by piece: m dv/dt = u - (level + slope v). The pieces are found on the law itself, while a
 * motion gets faster from rest and while it gets slower again. */
#include "lines.h"

#include "common/cli.h"

#include "bristle/bristle.h"
#include "lab/units.h"

#include "maths/elementary.h"

enum { SPEEDS = 3000, SHORTEST = 20 };

/* fastest: beyond the speeds at which laws change, so that the last piece is seen */
static double fastest_of(const bristle_friction *f)
{
  const bristle_row *row = bristle_law_speed(f->info);
  return row && f->p[row->first] > 0 ? 3 * f->p[row->first] : 0.01;
}

/* the force at rising speeds, and at falling ones behind them */
static void follow(const bristle_friction *f, double fastest, double *force)
{
  double state[BRISTLE_LAW_SIZE] = { 0 };
  for (int i = 0; i < 2 * SPEEDS; i++) {
    const int k = i < SPEEDS ? i + 1 : 2 * SPEEDS - i;
    const bristle_input in = {
      .v = fastest * k / SPEEDS, .a = (i < SPEEDS ? 1 : -1) * fastest, .n = 1, .h = 1.0 / SPEEDS, .load = f->load
    };
    force[i] = f->law->f64->step(f->p, state, &in, NULL);
  }
}

/* is sample i on the line through its neighbours, to rounding? */
static int is_straight(const double *force, int i)
{
  const double bend = force[i + 1] - 2 * force[i] + force[i - 1];
  return fabs(bend) <= 1e-12 * (fabs(force[i - 1]) + fabs(force[i]) + fabs(force[i + 1]));
}

static void print_piece(const bristle_friction *f, const char *when, double from, double to, double level, double slope,
                        double mass)
{
  const char *speed = f->rotary ? "rad/s" : "m/s", *force = bristle_force_unit(f->rotary);
  char range[60];
  if (to > 0) snprintf(range, sizeof range, "%.4g to %.4g %s", from, to, speed);
  else snprintf(range, sizeof range, "from %.4g %s on", from, speed);
  printf("  %s, %s\n    F = %.6g %s %c %.6g v\n", when, range, level, force, slope < 0 ? '-' : '+', fabs(slope));
  printf("    d/dt (x, v) = [0 1; 0 %.6g] (x, v) + [0; %.6g] u + [0; %.6g]%s\n", slope != 0 ? -slope / mass : 0.0,
         1 / mass, level != 0 ? -level / mass : 0.0, slope < 0 ? "   unstable: it is driven away from this speed" : "");
}

/* returns how many pieces there are */
static int print_pieces(const bristle_friction *f, const char *when, const double *force, double fastest, int rising,
                        double mass)
{
  int pieces = 0;
  for (int i = 1; i + 1 < SPEEDS;) {
    int end = i;
    while (end + 1 < SPEEDS && is_straight(force, end)) end++;
    if (end - i >= SHORTEST) {
      const int first = i - 1, last = end < SPEEDS ? end : SPEEDS - 1;
      const double step = fastest / SPEEDS, a = (rising ? first + 1 : SPEEDS - first) * step,
                   b = (rising ? last + 1 : SPEEDS - last) * step;
      const double slope = (force[last] - force[first]) / (b - a), level = force[first] - slope * a;
      const double low = fmin(a, b), high = fmax(a, b), near = 1.5 * step;
      const double clean = fabs(slope) * fastest < 1e-9 * fabs(level) ? 0 : slope;
      print_piece(f, when, low > near ? low : 0, high > fastest - near ? 0 : high, level, clean, mass);
      pieces++;
    }
    i = end + 1;
  }
  return pieces;
}

int show_lines(const bristle_friction *f, double mass)
{
  static double force[2 * SPEEDS];
  const double fastest = fastest_of(f);
  for (int i = 0; i < f->info->state_rows; i++)
    if (f->info->state[i].kind == BRISTLE_ROW_FLOW)
      return usage_error("--linear: the force of %s follows a state, not the speed alone: it has no straight pieces",
                         f->info->name);
  follow(f, fastest, force);
  printf(
      "%s: linear systems of a body of %g %s, u pushes and x is the position; backward the signs of the levels turn\n",
      f->info->name, mass, f->rotary ? "kg*m^2" : "kg");
  int pieces = print_pieces(f, "getting faster", force, fastest, 1, mass);
  pieces += print_pieces(f, "getting slower", force + SPEEDS, fastest, 0, mass);
  if (!pieces) puts("  none: its force is nowhere straight over the speed");
  return finish_output(stdout);
}
