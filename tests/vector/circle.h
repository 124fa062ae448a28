/* Bristles on a circle at constant speed, in the words of the papers and by nothing of the library: Runge-Kutta for the
 * laws whose rates are smooth; for gms, where a stuck element is a spring and a slipping one obeys a linear equation,
 * the closed form, with the onset of slip where the chord of the circle reaches the level. */
#ifndef CIRCLE_H
#define CIRCLE_H

#include "support.h"

enum { MOST_ELEMENTS = 4 };

typedef struct circle {
  const char *law;
  int dim, elements, slipping;
  double radius, speed, t, axis[2][3], z[MOST_ELEMENTS][3];
  double sigma0[3], fc[3], fs[3], vs, zba;          /* bristles; one value for all axes but in the ellipse */
  double k[MOST_ELEMENTS], alpha[MOST_ELEMENTS], c; /* gms */
} circle;

static inline double circle_row(const bristle_info *info, const double *p, const char *name, int i)
{
  const bristle_row *row = bristle_param_find(info, name);
  return row ? p[row->first + (row->count > 1 ? i : 0)] : 0;
}

static inline circle circle_of(const char *law, int dim, const double *p)
{
  const bristle_info *info = bristle_vector_law_find(law)->f64[dim - 2]->info;
  double r[3][3];
  circle c = { .law = law, .dim = dim, .elements = 1, .radius = 2e-5, .speed = 1e-3, .slipping = 1 };
  random_rotation(dim, r);
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < dim; k++) c.axis[i][k] = r[i][k];
  for (int i = 0; i < dim; i++) {
    c.sigma0[i] = circle_row(info, p, "sigma0", i);
    c.fc[i] = circle_row(info, p, "fc", i), c.fs[i] = circle_row(info, p, "fs", i);
  }
  c.vs = circle_row(info, p, "vs", 0), c.zba = circle_row(info, p, "zba", 0);
  if (!strcmp(law, "gms")) {
    c.elements = MOST_ELEMENTS, c.radius = 4e-5, c.c = circle_row(info, p, "c", 0), c.slipping = 0;
    for (int e = 0; e < MOST_ELEMENTS; e++)
      c.k[e] = circle_row(info, p, "k", e), c.alpha[e] = circle_row(info, p, "alpha", e);
  }
  return c;
}

/* from where it started */
static inline void circle_position(const circle *c, double t, double *x)
{
  double angle = c->speed / c->radius * t, a = -2 * pow(sin(angle / 2), 2), b = sin(angle);
  for (int k = 0; k < c->dim; k++) x[k] = c->radius * (a * c->axis[0][k] + b * c->axis[1][k]);
}

static inline void circle_velocity(const circle *c, double t, double *v)
{
  double angle = c->speed / c->radius * t;
  for (int k = 0; k < c->dim; k++) v[k] = c->speed * (cos(angle) * c->axis[1][k] - sin(angle) * c->axis[0][k]);
}

static inline double circle_level(const circle *c, double fc, double fs)
{
  return fc + (fs - fc) * exp(-pow(c->speed / c->vs, 2));
}

static inline void circle_rate(const circle *c, double t, const double *z, double *rate)
{
  double v[3], slip[3];
  circle_velocity(c, t, v);
  if (!strcmp(c->law, "lugre_ellipse")) {
    double kinetic[2] = { 0, 0 }, still[2] = { 0, 0 };
    for (int i = 0; i < c->dim; i++)
      for (int power = 0; power < 2; power++) {
        kinetic[power] += pow(pow(c->fc[i], power + 1) * v[i], 2);
        still[power] += pow(pow(c->fs[i], power + 1) * v[i], 2);
      }
    double g = circle_level(c, sqrt(kinetic[1] / kinetic[0]), sqrt(still[1] / still[0]));
    for (int i = 0; i < c->dim; i++) slip[i] = sqrt(kinetic[1]) / g * c->sigma0[i] / pow(c->fc[i], 2);
  } else {
    double g = strcmp(c->law, "dahl") ? circle_level(c, c->fc[0], c->fs[0]) : c->fc[0], zm = g / c->sigma0[0],
           share = 1;
    if (!strcmp(c->law, "elasto_plastic")) {
      double y = norm(c->dim, z), part = fmin(fmax((y - c->zba) / (zm - c->zba), 0), 1);
      share = y > 0 ? (1 - cos(acos(-1) * part)) / 2 * (1 + dot(c->dim, z, v) / (y * c->speed)) / 2 : 0;
    }
    for (int i = 0; i < c->dim; i++) slip[i] = share * c->speed / zm;
  }
  for (int i = 0; i < c->dim; i++) rate[i] = v[i] - slip[i] * z[i];
}

static inline void circle_runge_kutta(circle *c, double h)
{
  static const double node[4] = { 0, 0.5, 0.5, 1 };
  double k[4][3];
  for (int stage = 0; stage < 4; stage++) {
    double u[3];
    for (int i = 0; i < c->dim; i++) u[i] = c->z[0][i] + (stage ? node[stage] * h * k[stage - 1][i] : 0);
    circle_rate(c, c->t + node[stage] * h, u, k[stage]);
  }
  for (int i = 0; i < c->dim; i++) c->z[0][i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* dF/dt = c (alpha v/|v| - F/g): what turns with the motion, lagging behind it, and a rest that dies away */
static inline void circle_gms(circle *c)
{
  const double g = circle_level(c, c->fc[0], c->fs[0]), rate = c->c / g, turns = c->speed / c->radius;
  c->slipping = 0;
  for (int e = 0; e < c->elements; e++) {
    const double level = c->alpha[e] * g, onset = 2 / turns * asin(level / c->k[e] / (2 * c->radius));
    double now[3], then[3], from[3];
    circle_position(c, fmin(c->t, onset), from);
    for (int i = 0; i < c->dim; i++) c->z[e][i] = from[i];
    if (c->t <= onset) continue;
    c->slipping++;
    const double lag = atan(turns / rate), size = level * cos(lag) / c->k[e], left = exp(-rate * (c->t - onset));
    circle_velocity(c, c->t - lag / turns, now);
    circle_velocity(c, onset - lag / turns, then);
    for (int i = 0; i < c->dim; i++)
      c->z[e][i] = size / c->speed * now[i] + left * (from[i] - size / c->speed * then[i]);
  }
}

static inline void circle_advance(circle *c, double h)
{
  if (strcmp(c->law, "gms")) circle_runge_kutta(c, h);
  c->t += h;
  if (!strcmp(c->law, "gms")) circle_gms(c);
}

#endif
