/* The linearly implicit step: (1 - h J) change = h rate, with J by differences of the contacts themselves.
 *
 * J has the form of an arrow: the states of a contact depend on themselves and on the three speeds. So each contact
 * states its change as change = own + by_speed * change of v, and three equations for the speeds are left. */
#include "sim/implicit.h"

#include "maths/elementary.h"

typedef struct contact {
  double arms[3][3]; /* slip = arms v */
  double force[3], rate[IMPLICIT_STATES];
  double force_slip[3][3], force_bend[3][IMPLICIT_STATES];
  double rate_slip[IMPLICIT_STATES][3], rate_bend[IMPLICIT_STATES][IMPLICIT_STATES];
} contact;

/* how fast a bristle returns to where sliding has brought it, for each part of it that is missing */
static double return_rate(const bristle_vector_model *law, const double *p, const double *slid, double missing)
{
  const bristle_vector_input along = { .v = { 1 }, .n = 1, .h = 1, .load = BRISTLE_LOAD_COEFFICIENT };
  double z[IMPLICIT_STATES], force[3], rate[IMPLICIT_STATES] = { 0 };
  for (int k = 0; k < law->info->nstate; k++) z[k] = slid[k] * (1 - missing);
  law->eval(p, z, &along, force, rate);
  return rate[0] / missing;
}

/* A Jacobian knows exponentials. A bristle that arrives at its level like another power of its distance (a Dahl
   exponent that is not 1) keeps the linearly implicit step below that distance. */
static int returns_exponentially(const bristle_vector_model *law, const double *p)
{
  const bristle_vector_input far = { .v = { 1 }, .n = 1, .h = 1e6, .load = BRISTLE_LOAD_COEFFICIENT };
  double slid[IMPLICIT_STATES] = { 0 }, force[3], v[3];
  law->step(p, slid, &far, force, v);
  return fabs(return_rate(law, p, slid, 1e-10) / return_rate(law, p, slid, 1e-8) - 1) < 0.01;
}

int sim_implicit_suits(const bristle_vector_model *law, const double *p)
{
  const bristle_info *info = law->info;
  if (info->nstate > IMPLICIT_STATES || (info->traits & BRISTLE_TRAIT_SET_VALUED)) return 0;
  for (int r = 0; r < info->state_rows; r++)
    if (info->state[r].kind != BRISTLE_ROW_FLOW) return 0;
  return info->nstate == 0 || returns_exponentially(law, p);
}

/* a x = b for `right` columns, by elimination with row exchange; b becomes x */
static void solve(int n, double a[3][3], int right, double b[3][4])
{
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k])) pivot = i;
    for (int j = 0; j < n; j++) {
      const double swap = a[k][j];
      a[k][j] = a[pivot][j], a[pivot][j] = swap;
    }
    for (int j = 0; j < right; j++) {
      const double swap = b[k][j];
      b[k][j] = b[pivot][j], b[pivot][j] = swap;
    }
    for (int i = 0; i < n; i++) {
      if (i == k) continue;
      const double part = a[i][k] / a[k][k];
      for (int j = k; j < n; j++) a[i][j] -= part * a[k][j];
      for (int j = 0; j < right; j++) b[i][j] -= part * b[k][j];
    }
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < right; j++) b[i][j] /= a[i][i];
}

static double size_of(const double *a, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * a[i];
  return sqrt(sum);
}

/* Differences in the slip go away from rest, so that none spans the bend of |v| there. */
static void differences(const sim_bristles *b, size_t i, double *slip, double *z, contact *c)
{
  const double step = 1e-7 * size_of(slip, b->dim) + b->small_slip, bend = 1e-6 * size_of(z, b->states) + b->small_bend;
  double force[3], rate[IMPLICIT_STATES];
  b->eval(b->self, i, slip, z, c->force, c->rate);
  for (int j = 0; j < b->dim; j++) {
    const double kept = slip[j];
    slip[j] += copysign(step, kept);
    const double moved = 1 / (slip[j] - kept);
    b->eval(b->self, i, slip, z, force, rate);
    for (int k = 0; k < b->dim; k++) c->force_slip[k][j] = (force[k] - c->force[k]) * moved;
    for (int k = 0; k < b->states; k++) c->rate_slip[k][j] = (rate[k] - c->rate[k]) * moved;
    slip[j] = kept;
  }
  for (int j = 0; j < b->states; j++) {
    const double kept = z[j];
    z[j] += copysign(bend, kept);
    const double moved = 1 / (z[j] - kept);
    b->eval(b->self, i, slip, z, force, rate);
    for (int k = 0; k < b->dim; k++) c->force_bend[k][j] = (force[k] - c->force[k]) * moved;
    for (int k = 0; k < b->states; k++) c->rate_bend[k][j] = (rate[k] - c->rate[k]) * moved;
    z[j] = kept;
  }
}

/* The states' own change and that by each speed, from (1 - h rate_bend) x = h (rate, rate_slip arms). */
static void eliminate(const sim_bristles *b, const contact *c, double h, double x[3][4])
{
  double a[3][3];
  for (int i = 0; i < b->states; i++) {
    for (int j = 0; j < b->states; j++) a[i][j] = (i == j) - h * c->rate_bend[i][j];
    x[i][0] = h * c->rate[i];
    for (int j = 0; j < 3; j++) {
      x[i][j + 1] = 0;
      for (int k = 0; k < b->dim; k++) x[i][j + 1] += h * c->rate_slip[i][k] * c->arms[k][j];
    }
  }
  solve(b->states, a, 4, x);
}

/* What a contact adds to the equations of the speeds: friction at the end of the step. */
static void add(const sim_bristles *b, const contact *c, double h, double x[3][4], double a[3][3], double right[3][4])
{
  for (int k = 0; k < b->dim; k++) {
    double row[4] = { c->force[k], 0, 0, 0 };
    for (int j = 0; j < 3; j++)
      for (int d = 0; d < b->dim; d++) row[j + 1] += c->force_slip[k][d] * c->arms[d][j];
    for (int j = 0; j < 4; j++)
      for (int s = 0; s < b->states; s++) row[j] += c->force_bend[k][s] * x[s][j];
    for (int i = 0; i < 3; i++) {
      right[i][0] -= h * c->arms[k][i] * row[0];
      for (int j = 0; j < 3; j++) a[i][j] += h * c->arms[k][i] * row[j + 1];
    }
  }
}

int sim_implicit_step(const sim_bristles *b, double h, const double inertia[3], const double push[3], double v[3],
                      double *z, double lost[3])
{
  double a[3][3] = { { 0 } }, change[3][4];
  for (int i = 0; i < 3; i++) {
    a[i][i] = inertia[i];
    change[i][0] = h * push[i];
  }
  for (size_t i = 0; i < b->count; i++) {
    contact c;
    double slip[3] = { 0, 0, 0 }, here[IMPLICIT_STATES];
    double(*const x)[4] = (double(*)[4])(b->room + i * IMPLICIT_ROOM);
    b->arms(b->self, i, c.arms);
    for (int k = 0; k < b->dim; k++)
      for (int j = 0; j < 3; j++) slip[k] += c.arms[k][j] * v[j];
    for (int k = 0; k < b->states; k++) here[k] = z[(size_t)k * b->count + i];
    differences(b, i, slip, here, &c);
    eliminate(b, &c, h, x);
    add(b, &c, h, x, a, change);
  }
  solve(3, a, 1, change);
  double along = 0; /* old and new velocity, weighed as in the energy */
  for (int i = 0; i < 3; i++) along += inertia[i] * v[i] * (v[i] + change[i][0]);
  if (along < 0) return 0;
  for (size_t i = 0; i < b->count; i++)
    for (int k = 0; k < b->states; k++) {
      const double *x = b->room + i * IMPLICIT_ROOM + 4 * (size_t)k;
      z[(size_t)k * b->count + i] += x[0] + x[1] * change[0][0] + x[2] * change[1][0] + x[3] * change[2][0];
    }
  for (int i = 0; i < 3; i++) {
    v[i] += change[i][0];
    lost[i] = push[i] - inertia[i] * change[i][0] / h;
  }
  return 1;
}
