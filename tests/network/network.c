/* Networks of contacts: one contact, and the order of several. */
#include "support/arm.h"
#include "support/compliance.h"

enum { WORK = 4000 };
static double work[WORK];

/* ---- one contact ---- */

TEST(network_of_one_contact_is_the_coupled_step)
{
  any_again();
  for (int i = 0; i < bristle_law_count(); i++)
    for (int k = 0; k < 200; k++) {
      contact c = contact_of(bristle_law_at(i)->name);
      double s[MAX_STATE], u = 0, f, end, w = pow(10, any_between(-4, -3.4)), h = 1e-3;
      for (int j = 0; j < 5; j++) {
        bristle_input in = { .v = any_between(-1, 1) * pow(10, any_between(-5, -2)), .n = 1, .h = h, .load = c.load };
        c.model->step(c.p, c.s, &in, &u);
      }
      memcpy(s, c.s, sizeof s);
      const double v = u + w * any_between(-2, 2);
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

/* place: 0 and 1: of v, 2: of W, 3: a load, 4: the step */
static bristle_network_report solve_with(const bristle_law *law, double wrong, int place, int rows)
{
  contact c[2] = { contact_of(law->name), contact_of(law->name) };
  double w[4] = { 1e-3, 2e-4, 2e-4, 1e-3 }, v[2] = { 1e-4, 2e-4 }, u[2] = { 0, 1e-3 }, f[2];
  bristle_network_contact at[2];
  if (rows == 1) w[1] = 0;
  if (place < 2) v[place] = wrong;
  if (place == 2) w[0] = wrong;
  for (int i = 0; i < 2; i++)
    at[i] = (bristle_network_contact){ .law = c[i].model, .p = c[i].p, .s = c[i].s, .n = 1, .load = c[i].load };
  if (place == 3) at[0].n = wrong;
  const bristle_network net = {
    .count = rows, .contact = at, .w = w, .v = v, .h = place == 4 ? wrong : 1e-3, .f = f, .u = u
  };
  return bristle_network_solve(&net, work);
}

TEST(networks_with_numbers_that_are_not_finite_do_not_converge)
{
  static const double wrong[] = { NAN, INFINITY, -INFINITY };
  for (int l = 0; l < bristle_law_count(); l++)
    for (int k = 0; k < 3; k++)
      for (int rows = 1; rows <= 2; rows++)
        for (int place = 0; place < 5; place++) {
          const bristle_law *law = bristle_law_at(l);
          if (place == 1 && rows == 1) continue;
          if ((l + k + place) % test_share(1, 3)) continue; /* every law meets every place, and every number */
          const bristle_network_report r = solve_with(law, wrong[k], place, rows);
          CHECK(!r.converged && r.residual > 1, "%s, %d rows, %g at place %d: converged %d, residual %g", law->name,
                rows, wrong[k], place, r.converged, r.residual);
        }
}

/* beside the diagonal, too, where comparisons with a number that is none let a wrong guess pass */
TEST(networks_with_one_entry_of_w_that_is_not_finite_do_not_converge)
{
  enum { N = 6 };
  static const double wrong[] = { NAN, INFINITY, -INFINITY };
  double w[N * N], v[N], u[N], f[N];
  any_again();
  for (int k = 0; k < 600; k++) {
    contact c[N];
    bristle_network_contact at[N];
    random_compliance(N, 1e3, 1e-3, w);
    for (int i = 0; i < N; i++) {
      c[i] = contact_of(bristle_law_at((7 * k + 5 * i) % bristle_law_count())->name);
      at[i] = (bristle_network_contact){ .law = c[i].model, .p = c[i].p, .s = c[i].s, .n = 1, .load = c[i].load };
      v[i] = any_between(-2e-3, 2e-3), u[i] = k % 2 ? v[i] : 0;
    }
    const int i = k % N, j = (i + 1 + k / N % (N - 1)) % N;
    w[i * N + j] = w[j * N + i] = wrong[k % 3];
    const bristle_network net = { .count = N, .contact = at, .w = w, .v = v, .h = 1e-3, .f = f, .u = u };
    const bristle_network_report r = bristle_network_solve(&net, work);
    CHECK(!r.converged && r.residual > 1, "case %d, %g at %d, %d: converged %d, residual %g", k, wrong[k % 3], i, j,
          r.converged, r.residual);
  }
}

/* ---- the order of contacts ---- */

TEST(order_of_contacts_does_not_matter)
{
  enum { N = 6 };
  static const char *const laws[] = { "coulomb", "dahl", "lugre", "elasto_plastic", "gms" };
  double w[N * N], turned[N * N], v[N], u[N], f[N], v2[N], u2[N], f2[N];
  any_again();
  for (int k = 0; k < 200; k++) {
    static contact c[N], d[N];
    bristle_network_contact at[N], to[N];
    random_compliance(N, 1e3, 1e-3, w);
    for (int i = 0; i < N; i++) {
      c[i] = contact_of(laws[(i + k) % 5]);
      v[i] = any_between(-2e-3, 2e-3), u[i] = u2[i] = 0;
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
