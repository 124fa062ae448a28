/* Every law with memory, driven along a smooth path: its exact or implicit steps against classical Runge-Kutta on
 * `eval` with far smaller steps, and the order at which the two meet. */
#include "support/law.h"

static const double amplitude = 4e-3, turn = 2 * 3.14159265358979323846 * 40, duration = 0.033;

static double speed(double t) { return amplitude * sin(turn * t) + 0.3 * amplitude * sin(2.7 * turn * t); }
static double place(double t)
{
  return amplitude / turn * (1 - cos(turn * t)) + 0.3 * amplitude / (2.7 * turn) * (1 - cos(2.7 * turn * t));
}

static bristle_input moment(const contact *c, double t)
{
  return (bristle_input){ .v = speed(t), .x = place(t), .n = c->n, .load = c->load };
}

/* by steps, each at the mean velocity of its interval */
static double by_steps(contact c, int steps)
{
  double h = duration / steps, rate[MAX_STATE];
  for (int i = 0; i < steps; i++) {
    bristle_input in = moment(&c, i * h);
    in.v = (place((i + 1) * h) - place(i * h)) / h;
    in.h = h;
    c.model->step(c.p, c.s, &in, NULL);
  }
  bristle_input end = moment(&c, duration);
  return c.model->eval(c.p, c.s, &end, rate);
}

static double by_runge_kutta(contact c, int steps)
{
  const int n = c.model->info->nstate;
  double h = duration / steps, k[4][MAX_STATE], s[MAX_STATE];
  static const double node[4] = { 0, 0.5, 0.5, 1 };
  for (int i = 0; i < steps; i++) {
    for (int stage = 0; stage < 4; stage++) {
      for (int j = 0; j < n; j++) s[j] = stage ? c.s[j] + node[stage] * h * k[stage - 1][j] : c.s[j];
      bristle_input in = moment(&c, (i + node[stage]) * h);
      c.model->eval(c.p, s, &in, k[stage]);
    }
    for (int j = 0; j < n; j++) c.s[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
  bristle_input end = moment(&c, duration);
  return c.model->eval(c.p, c.s, &end, k[0]);
}

static int has_jumps(const bristle_info *info)
{
  for (int r = 0; r < info->state_rows; r++)
    if (info->state[r].kind == BRISTLE_ROW_JUMP) return 1;
  return 0;
}

TEST(steps_converge_to_an_independent_solution)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    contact c = contact_of(bristle_law_at(i)->name);
    if (!c.model->info->nstate) continue;
    /* flags and timers change in steps only, so such a law is its own reference, far finer */
    double exact = has_jumps(c.model->info) ? by_steps(c, 1 << 17) : by_runge_kutta(c, 1 << 16);
    double error[5], level = fabs(steady_at(&c, 1e-3));
    for (int k = 0; k < 5; k++) error[k] = fabs(by_steps(c, 256 << k) - exact) / level;
    double order = error[4] > 1e-8 ? log2(error[0] / error[4]) / 4 : 9;
    printf("  %-17s error %.1e at h = %.0f us, %.1e at %.0f us: order %s%.1f\n", c.law->name, error[0],
           1e6 * duration / 256, error[4], 1e6 * duration / 4096, order == 9 ? "exact, > " : "",
           order == 9 ? 2 : order);
    CHECK(error[4] < 2e-3, "%s is %g off at the finest step", c.law->name, error[4]);
    /* Runge-Kutta itself is only this good where the law's rate jumps (reset_integrator) */
    CHECK(order > 0.8 || error[0] < 1e-4, "%s converges with order %g", c.law->name, order);
  }
}
