/* Limit surfaces: the wrench of a sliding patch as a function of the direction of its motion alone.
 *
 * The table covers half of all directions (the wrench is odd) by two pseudo-angles b/(a + b), which order directions as
 * angles do but need one division and no arc tangent: `turn`, of (vx, vy), over four quadrants, and `tilt`, from pure
 * spin to pure translation, over one. It holds the force along and across the slip, and the torque: pure translation in
 * any direction is then exact, and the surface of a round patch is round. Between nodes it is bilinear. */
#include "planar/surface.h"

static const char *const name = "surface";

enum { MOST_SEGMENTS = 1000 };

size_t bristle_surface_memory(int segments)
{
  return segments < 1 || segments > MOST_SEGMENTS ? 0 : 3 * (size_t)(4 * segments + 1) * (size_t)(segments + 1);
}

/* ---- look-up ---- */

FN double clamped(double x, double hi) { return x < 0 ? 0 : x > hi ? hi : x; }

static void table_wrench(const bristle_surface *surface, const double u[3], double H[3])
{
  const double sign = u[2] < 0 ? -1 : 1, vx = sign * u[0], vy = sign * u[1];
  const double slip = sqrt_f64(vx * vx + vy * vy), spin = abs_f64(u[2]) * (surface->arm / surface->gyration);
  const double side = abs_f64(vx) + abs_f64(vy), quarter = vy / (side > 0 ? side : 1);
  const double turn = vx < 0 ? 2 - quarter : quarter < 0 ? 4 + quarter : quarter, tilt = slip / (slip + spin);
  const int n = surface->segments;
  const double a = clamped(n * turn, 4 * n), b = clamped(n * tilt, n);
  const int i = a < 4 * n ? (int)a : 4 * n - 1, j = b < n ? (int)b : n - 1;
  const double p = a - i, q = b - j;
  const double *node = surface->table + 3 * ((size_t)i * (size_t)(n + 1) + (size_t)j), *next = node + 3 * (n + 1);
  double local[3];
  for (int k = 0; k < 3; k++)
    local[k] = (1 - p) * ((1 - q) * node[k] + q * node[k + 3]) + p * ((1 - q) * next[k] + q * next[k + 3]);
  const double c = slip > 0 ? vx / slip : 1, s = slip > 0 ? vy / slip : 0;
  H[0] = sign * (c * local[0] - s * local[1]);
  H[1] = sign * (s * local[0] + c * local[1]);
  H[2] = sign * local[2];
}

/* A V/sqrt(V'A V) with A = diag(1, 1, arm^2) and, as the spin's part of the motion grows, the terms that take the force
   away where the patch spins about `centre`. A is symmetric: H.u is its denominator. */
static void ellipsoid_wrench(const bristle_surface *surface, const double u[3], double H[3])
{
  const double omega = u[2] / surface->gyration, spin = surface->arm * omega;
  const double part = abs_f64(spin) / (abs_f64(spin) + sqrt_f64(u[0] * u[0] + u[1] * u[1]));
  const double sx = -part * surface->centre[1], sy = part * surface->centre[0];
  const double x = u[0] + sx * omega, y = u[1] + sy * omega, t = sx * u[0] + sy * u[1] + surface->arm * spin;
  const double speed = sqrt_f64(x * u[0] + y * u[1] + t * omega);
  H[0] = x / speed;
  H[1] = y / speed;
  H[2] = t / (surface->gyration * speed);
}

void surface_wrench(const bristle_surface *surface, const double u[3], double H[3])
{
  /* the direction alone matters: bring u to 1, so that squares of the smallest speeds are no zeros */
  double most = abs_f64(u[0]);
  most = most < abs_f64(u[1]) ? abs_f64(u[1]) : most;
  most = most < abs_f64(u[2]) ? abs_f64(u[2]) : most;
  if (!(most > 1e-300)) {
    H[0] = H[1] = H[2] = 0;
    return;
  }
  const double scale = 1 / most, unit[3] = { u[0] * scale, u[1] * scale, u[2] * scale };
  if (surface->segments > 0) table_wrench(surface, unit, H);
  else ellipsoid_wrench(surface, unit, H);
}

void bristle_surface_wrench(const bristle_surface *surface, const double v[3], double wrench[3])
{
  const planar_frame frame = { { surface->cop[0], surface->cop[1] }, surface->gyration };
  double u[3], H[3];
  frame_velocity(&frame, v, u);
  surface_wrench(surface, u, H);
  frame_wrench(&frame, H, 1, wrench);
}

/* ---- from a patch ---- */

/* force along and across (c, s), torque over gyration, for slip and spin (both >= 0, in m/s) */
static void node_from_cells(const bristle_patch *patch, double c, double s, double slip, double spin, double node[3])
{
  double fx = 0, fy = 0, torque = 0, omega = spin / patch->arm;
  for (size_t i = 0; i < patch->count; i++) {
    double x = patch->x[i] - patch->cop[0], y = patch->y[i] - patch->cop[1];
    double vx = slip * c - omega * y, vy = slip * s + omega * x, speed = sqrt_f64(vx * vx + vy * vy);
    double part = speed > 1e-14 ? patch->share[i] / speed : 0;
    fx += part * vx;
    fy += part * vy;
    torque += part * (x * vy - y * vx);
  }
  node[0] = c * fx + s * fy;
  node[1] = c * fy - s * fx;
  node[2] = torque / patch->gyration;
}

static void fill_table(const bristle_patch *patch, int n, double *table)
{
  for (int i = 0; i <= 4 * n; i++) {
    /* the direction of the pseudo-angle `turn`: |vx| + |vy| = 1 */
    double turn = (double)i / n, a = turn <= 2 ? 1 - turn : turn - 3;
    double b = turn <= 1 ? turn : turn <= 3 ? 2 - turn : turn - 4, size = sqrt_f64(a * a + b * b);
    for (int j = 0; j <= n; j++, table += 3) {
      double tilt = (double)j / n;
      if (j < n) {
        node_from_cells(patch, a / size, b / size, tilt, 1 - tilt, table);
      } else { /* the force is along the slip and acts in the centre of pressure */
        table[0] = 1;
        table[1] = table[2] = 0;
      }
    }
  }
}

/* The point about which spin makes no force is the one with the least mean distance to the load: Weiszfeld's iteration,
   with the distance kept above the size of a cell, as its pressure is spread. */
static void find_centre(const bristle_patch *patch, double centre[2])
{
  double x = patch->cop[0], y = patch->cop[1];
  for (int k = 0; k < 200; k++) {
    double sum = 0, sx = 0, sy = 0;
    for (size_t i = 0; i < patch->count; i++) {
      double dx = patch->x[i] - x, dy = patch->y[i] - y, r = sqrt_f64(dx * dx + dy * dy),
             least = 1e-3 * patch->gyration;
      double weight = patch->share[i] / (r > least ? r : least);
      sum += weight;
      sx += weight * dx;
      sy += weight * dy;
    }
    x += sx / sum;
    y += sy / sum;
  }
  centre[0] = x - patch->cop[0];
  centre[1] = y - patch->cop[1];
}

bristle_status bristle_surface_init(bristle_surface *surface, const bristle_patch *patch, int segments, double *table,
                                    bristle_error *error)
{
  bristle_status status = bristle_patch_check(patch, error);
  if (status) return status;
  if (segments < 0 || segments > MOST_SEGMENTS)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "segments", "must be 0 (ellipsoid) to 1000", -1,
                       segments);
  if (segments > 0 && !table)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "table", "a table needs memory", -1, 0);
  if (!(patch->gyration > 0))
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "gyration",
                       "the load must be spread over more than one point", -1, patch->gyration);
  bristle_surface made = { { patch->cop[0], patch->cop[1] }, patch->arm, patch->gyration, { 0, 0 }, segments, table };
  find_centre(patch, made.centre);
  if (segments > 0) fill_table(patch, segments, table);
  *surface = made;
  return BRISTLE_STATUS_OK;
}

bristle_surface bristle_surface_disk(double radius)
{
  bristle_surface disk = { { 0, 0 }, radius * (2.0 / 3), radius * 0x1.6a09e667f3bcdp-1, { 0, 0 }, 0, NULL };
  return disk;
}

bristle_status bristle_surface_check(const bristle_surface *surface, bristle_error *error)
{
  const planar_bound bounds[] = {
    { "cop", surface->cop[0], -1e6, 1e6 },
    { "cop", surface->cop[1], -1e6, 1e6 },
    { "gyration", surface->gyration, 1e-12, 1e6 },
    { "arm", surface->arm, 1e-13, 1e6 },
    { "centre", surface->centre[0], -1e6, 1e6 },
    { "centre", surface->centre[1], -1e6, 1e6 },
    { "segments", surface->segments, 0, MOST_SEGMENTS },
  };
  bristle_status status = planar_check_bounds(name, bounds, 7, error);
  if (status) return status;
  double offset2 = surface->centre[0] * surface->centre[0] + surface->centre[1] * surface->centre[1];
  if (surface->arm > surface->gyration * (1 + 1e-9))
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "arm",
                       "the mean distance cannot exceed the root mean square", -1, surface->arm);
  if (!(offset2 < surface->arm * surface->arm))
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "centre",
                       "must be nearer to the centre of pressure than arm", -1, sqrt_f64(offset2));
  if (surface->segments > 0 && !surface->table)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "table", "a table needs memory", -1, 0);
  for (size_t i = 0; i < bristle_surface_memory(surface->segments); i++)
    if (!is_finite(surface->table[i]) || abs_f64(surface->table[i]) > 1 + 1e-9)
      return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "table", "unit wrenches lie within -1..1", (long)i,
                         surface->table[i]);
  return BRISTLE_STATUS_OK;
}
