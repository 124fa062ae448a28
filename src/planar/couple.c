/* The coupled step in the plane: three unknown speeds u with r(u) = u - u_free + w f(u) = 0.
 *
 * f is known only by evaluation, bends sharply at rest and may fall with the speed, so a plain Newton iteration is not
 * enough. It starts on the side of rest, from the answer the contact would give if it stuck; a line search lets the
 * residual only fall. Where the contact cannot hold, that search ends without a root, and others start from free
 * sliding and from speeds between the two, until one ends in a root. The Jacobian is a difference: no slope is made by
 * hand. */
#include "planar/couple.h"

enum { COUPLE_STEPS = 60, COUPLE_HALVINGS = 12, COUPLE_STARTS = 8 };

typedef struct coupling {
  planar_force *force;
  void *contact;
  double w[3][3], v_free[3];
  double at_rest; /* |w f(0)|: forces are sums of terms this large, and rounded as such */
} coupling;

typedef struct point {
  double u[3], r[3], size, scale;
} point;

static void evaluate(const coupling *c, point *at)
{
  double f[3], lost = 0;
  c->force(c->contact, at->u, f);
  for (int i = 0; i < 3; i++) {
    double wf = dot3(c->w[i], f);
    at->r[i] = at->u[i] - c->v_free[i] + wf;
    lost += wf * wf;
  }
  at->size = sqrt_f64(dot3(at->r, at->r));
  at->scale = sqrt_f64(dot3(c->v_free, c->v_free)) + sqrt_f64(lost) + c->at_rest;
}

/* d r/d u by differences over `reach`, taken towards larger |u| so that no difference spans the bend at rest */
static void slopes(const coupling *c, const point *at, const double reach[3], double jacobian[3][3])
{
  for (int j = 0; j < 3; j++) {
    point near = *at;
    near.u[j] += reach[j];
    double moved = near.u[j] - at->u[j];
    evaluate(c, &near);
    for (int i = 0; i < 3; i++) jacobian[i][j] = (near.r[i] - at->r[i]) / moved;
  }
}

/* x = -a^-1 r by elimination with row exchange; 0 when a is singular */
static int solve(double a[3][3], const double r[3], double x[3])
{
  for (int i = 0; i < 3; i++) x[i] = -r[i];
  for (int k = 0; k < 3; k++) {
    int best = k;
    for (int i = k + 1; i < 3; i++)
      if (abs_f64(a[i][k]) > abs_f64(a[best][k])) best = i;
    if (!(abs_f64(a[best][k]) > 1e-300)) return 0;
    for (int j = 0; j < 3; j++) {
      double t = a[k][j];
      a[k][j] = a[best][j];
      a[best][j] = t;
    }
    double t = x[k];
    x[k] = x[best];
    x[best] = t;
    for (int i = k + 1; i < 3; i++) {
      double part = a[i][k] / a[k][k];
      for (int j = k; j < 3; j++) a[i][j] -= part * a[k][j];
      x[i] -= part * x[k];
    }
  }
  for (int i = 2; i >= 0; i--) {
    for (int j = i + 1; j < 3; j++) x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
  return 1;
}

/* Moves along `way` by the largest of 1, 1/2, 1/4.. of it that makes the residual smaller; 0 when none does. */
static int descend(const coupling *c, point *at, const double way[3])
{
  double part = 1;
  for (int k = 0; k < COUPLE_HALVINGS; k++, part *= 0.5) {
    point next = *at;
    for (int i = 0; i < 3; i++) next.u[i] += part * way[i];
    evaluate(c, &next);
    if (next.size < at->size * (1 - 1e-4 * part)) {
      *at = next;
      return 1;
    }
  }
  return 0;
}

static int is_root(const point *at, double tolerance) { return at->size <= tolerance * at->scale; }

static int search(const coupling *c, point *at)
{
  for (int k = 0; k < COUPLE_STEPS && !is_root(at, 0x1p-50); k++) {
    double jacobian[3][3], way[3], reach[3], speed = sqrt_f64(dot3(at->u, at->u));
    for (int i = 0; i < 3; i++) reach[i] = copysign_f64(1e-6 * speed + 1e-16 * at->scale, at->u[i]);
    slopes(c, at, reach, jacobian);
    if (!solve(jacobian, at->r, way) || !descend(c, at, way)) break;
  }
  return is_root(at, 1e-12);
}

/* another search, from part * u; the better end is kept */
static void start_from(const coupling *c, const double u[3], double part, point *best)
{
  point at = { .u = { part * u[0], part * u[1], part * u[2] } };
  evaluate(c, &at);
  search(c, &at);
  if (at.size < best->size) *best = at;
}

int planar_couple(const planar_frame *frame, const bristle_planar_input *in, planar_force *force, void *contact,
                  double u[3])
{
  /* v_end = v - w T' n f, hence u = T v - (n T w T') f with T of frame_velocity */
  coupling c = { .force = force, .contact = contact };
  double rows[3][3];
  for (int i = 0; i < 3; i++) frame_velocity(frame, in->w[i], rows[i]);
  for (int j = 0; j < 3; j++) {
    double column[3] = { rows[0][j], rows[1][j], rows[2][j] }, turned[3];
    frame_velocity(frame, column, turned);
    for (int i = 0; i < 3; i++) c.w[i][j] = in->n * turned[i];
  }
  frame_velocity(frame, in->v, c.v_free);

  point rest = { .u = { 0, 0, 0 } }, best;
  double lost[3];
  evaluate(&c, &rest);
  for (int i = 0; i < 3; i++) lost[i] = rest.r[i] + c.v_free[i];
  c.at_rest = sqrt_f64(dot3(lost, lost));
  best = rest;
  if (!is_root(&rest, 0x1p-51)) {
    /* a stuck contact is a spring: its slope at rest gives the first guess */
    double jacobian[3][3], way[3] = { 0, 0, 0 }, reach[3];
    for (int i = 0; i < 3; i++) reach[i] = copysign_f64(1e-9 * rest.scale, -rest.r[i]);
    slopes(&c, &rest, reach, jacobian);
    if (!solve(jacobian, rest.r, way) || !descend(&c, &best, way) || !search(&c, &best)) {
      double outwards = 1, inwards = 1;
      for (int k = 0; k < COUPLE_STARTS && !is_root(&best, 1e-12); k++) {
        if (k > 0) start_from(&c, way, outwards *= 10, &best);
        start_from(&c, c.v_free, inwards, &best);
        inwards *= 0.1;
      }
    }
  }
  for (int i = 0; i < 3; i++) u[i] = best.u[i];
  return is_root(&best, 1e-10);
}

int planar_is_coupled(const bristle_planar_input *in)
{
  int coupled = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) coupled |= in->w[i][j] != 0;
  return coupled && in->n > 0;
}

void planar_end_velocity(const bristle_planar_input *in, const double wrench[3], double *v_end)
{
  if (v_end)
    for (int i = 0; i < 3; i++) v_end[i] = in->v[i] - dot3(in->w[i], wrench);
}
