/* Networks of contacts: one contact, random networks in motion, arms that hold, derivatives, and independent solutions.
 */
#include "support/arm.h"

static unsigned long long seed = 3;
static double uniform(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-53;
}
static double between(double lo, double hi) { return lo + (hi - lo) * uniform(); }
static double normal(void) { return sqrt(-2 * log(uniform() + 1e-300)) * cos(6.283185307179586 * uniform()); }

enum { MOST = 64, WORK = 100000 };
static double work[WORK];

/* h times a random symmetric matrix with eigenvalues over `condition`, of mean diagonal h */
static void random_compliance(int n, double condition, double h, double *w)
{
  static double q[MOST * MOST];
  double value[MOST], sum = 0;
  for (int i = 0; i < n * n; i++) q[i] = normal();
  for (int i = 0; i < n; i++) {
    double size = 0;
    for (int j = 0; j < i; j++) {
      double dot = 0;
      for (int k = 0; k < n; k++) dot += q[i * n + k] * q[j * n + k];
      for (int k = 0; k < n; k++) q[i * n + k] -= dot * q[j * n + k];
    }
    for (int k = 0; k < n; k++) size += q[i * n + k] * q[i * n + k];
    for (int k = 0; k < n; k++) q[i * n + k] /= sqrt(size);
    sum += value[i] = pow(condition, n > 1 ? -(double)i / (n - 1) : 0);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double dot = 0;
      for (int k = 0; k < n; k++) dot += q[k * n + i] * value[k] * q[k * n + j];
      w[i * n + j] = w[j * n + i] = h * dot * n / sum;
    }
}

/* ---- one contact ---- */

TEST(network_of_one_contact_is_the_coupled_step)
{
  for (int i = 0; i < bristle_law_count(); i++)
    for (int k = 0; k < 200; k++) {
      contact c = contact_of(bristle_law_at(i)->name);
      double s[MAX_STATE], u = 0, f, end, w = pow(10, between(-4, -3.4)), h = 1e-3;
      for (int j = 0; j < 5; j++) {
        bristle_input in = { .v = between(-1, 1) * pow(10, between(-5, -2)), .n = 1, .h = h, .load = c.load };
        c.model->step(c.p, c.s, &in, &u);
      }
      memcpy(s, c.s, sizeof s);
      const double v = u + w * between(-2, 2);
      bristle_network_contact one = { .law = c.model, .p = c.p, .s = c.s, .n = 1, .load = c.load };
      bristle_network net = { .count = 1, .contact = &one, .w = &w, .v = &v, .h = h, .f = &f, .u = &u };
      const bristle_network_report r = bristle_network_solve(&net, work);
      bristle_input in = { .v = v, .n = 1, .w = w, .h = h, .load = c.load };
      const double alone = c.model->step(c.p, s, &in, &end), scale = fabs(v) + w * fabs(alone);
      CHECK(r.converged, "%s: v %g w %g residual %g", c.law->name, v, w, r.residual);
      CHECK(fabs(u - end) <= 1e-9 * scale + 1e-3 * fabs(end) * (fabs(u - v + w * f) <= 1e-11 * scale),
            "%s: v %g w %g ends at %.15g, alone %.15g", c.law->name, v, w, u, end);
    }
}

/* ---- random networks in motion ---- */

typedef struct outcome {
  long solves, failed, open, nonsense;
  double gained; /* energy given back beyond what was stored, as a part of the work done */
} outcome;

typedef enum motion { HOLDING, STICK_SLIP, SLIDING } motion;

static const char *const mixed_laws[] = { "coulomb", "dahl", "lugre", "elasto_plastic", "gms" };

/* a network from rest under forces that fit the kind of motion */
static void run_network(const char *const *laws, int kinds, int n, const double *w, double h, motion kind, int steps,
                        outcome *out)
{
  static contact c[MOST];
  static bristle_network_contact at[MOST];
  double v[MOST], u[MOST] = { 0 }, f[MOST], push[MOST], phase[MOST], omega[MOST];
  for (int i = 0; i < n; i++) {
    c[i] = contact_of(laws[(int)(kinds * uniform())]);
    at[i] = (bristle_network_contact){ .law = c[i].model, .p = c[i].p, .s = c[i].s, .n = 1, .load = c[i].load };
    push[i] = kind == HOLDING ? between(-0.6, 0.6) : kind == STICK_SLIP ? between(-2.5, 2.5) : between(3, 5);
    phase[i] = between(0, 6.28), omega[i] = between(20, 300);
  }
  bristle_network net = { .count = n, .contact = at, .w = w, .v = v, .h = h, .f = f, .u = u };
  for (int step = 0; step < steps; step++) {
    const double t = step * h;
    for (int i = 0; i < n; i++) {
      v[i] = u[i];
      for (int j = 0; j < n; j++)
        v[i] += w[i * n + j] * push[j]
                * (kind == HOLDING      ? fmin(1, 20 * t)
                   : kind == STICK_SLIP ? sin(omega[j] * t + phase[j])
                                        : 1);
    }
    const bristle_network_report r = bristle_network_solve(&net, work);
    double size = 0, scale = 0;
    for (int i = 0; i < n; i++) {
      double gap = u[i] - v[i], sum = fabs(v[i]);
      for (int j = 0; j < n; j++) gap += w[i * n + j] * f[j], sum += fabs(w[i * n + j] * f[j]);
      size = fmax(size, fabs(gap)), scale = fmax(scale, sum);
      out->nonsense += !isfinite(f[i]) || !isfinite(u[i]);
      at[i].x += h * u[i];
    }
    out->solves++;
    out->failed += !r.converged;
    out->open += !(size <= 1.01e-12 * scale);
  }
}

static outcome run_networks(const char *const *laws, int kinds, int n, double condition, double h, int matrices,
                            int steps)
{
  static double w[MOST * MOST];
  outcome out = { 0 };
  for (int m = 0; m < matrices; m++)
    for (int kind = HOLDING; kind <= SLIDING; kind++) {
      random_compliance(n, condition, h, w);
      run_network(laws, kinds, n, w, h, (motion)kind, steps, &out);
    }
  return out;
}

TEST(random_networks_converge_and_close_their_balance)
{
  const int longer = getenv("BRISTLE_LONG") ? 40 : test_is_long() ? 8 : 1;
  for (int law = -1; law < 5; law++) {
    outcome sum = { 0 };
    static const int sizes[] = { 1, 2, 6, 30, 64 };
    for (int k = 0; k < 5; k++)
      for (double condition = 10; condition < 2e6; condition *= 316.2)
        for (double h = 1e-4; h < 2e-3; h *= 10) {
          const int n = sizes[k], steps = n > 6 ? 8 : 60;
          outcome o = run_networks(law < 0 ? mixed_laws : mixed_laws + law, law < 0 ? 5 : 1, n, condition, h, longer,
                                   steps);
          sum.solves += o.solves, sum.failed += o.failed, sum.open += o.open, sum.nonsense += o.nonsense;
        }
    printf("  %s: %ld solves, %ld without convergence\n", law < 0 ? "mixed" : mixed_laws[law], sum.solves, sum.failed);
    CHECK((double)sum.failed <= 1e-4 * (double)sum.solves, "%ld of %ld", sum.failed, sum.solves);
    CHECK(sum.open == 0 && sum.nonsense == 0, "balance open %ld times, nonsense %ld times", sum.open, sum.nonsense);
  }
}

/* ---- the order of contacts ---- */

TEST(order_of_contacts_does_not_matter)
{
  enum { N = 6 };
  double w[N * N], turned[N * N], v[N], u[N], f[N], v2[N], u2[N], f2[N];
  for (int k = 0; k < 200; k++) {
    static contact c[N], d[N];
    bristle_network_contact at[N], to[N];
    random_compliance(N, 1e3, 1e-3, w);
    for (int i = 0; i < N; i++) {
      c[i] = contact_of(mixed_laws[(i + k) % 5]);
      v[i] = between(-2e-3, 2e-3), u[i] = u2[i] = 0;
    }
    for (int i = 0; i < N; i++) {
      const int j = (i * 5 + k) % N; /* a permutation */
      d[i] = c[j];
      v2[i] = v[j];
      at[i] = (bristle_network_contact){ .law = c[i].model, .p = c[i].p, .s = c[i].s, .n = 1, .load = c[i].load };
      to[i] = (bristle_network_contact){ .law = d[i].model, .p = d[i].p, .s = d[i].s, .n = 1, .load = d[i].load };
      for (int l = 0; l < N; l++) turned[i * N + l] = w[j * N + (l * 5 + k) % N];
    }
    bristle_network a = { .count = N, .contact = at, .w = w, .v = v, .h = 1e-3, .f = f, .u = u };
    bristle_network b = { .count = N, .contact = to, .w = turned, .v = v2, .h = 1e-3, .f = f2, .u = u2 };
    bristle_network_solve(&a, work);
    bristle_network_solve(&b, work);
    for (int i = 0; i < N; i++) CHECK_ABS(f2[i], f[(i * 5 + k) % N], 1e-8);
  }
}
