/* What can be computed about networks without the network: a stack of blocks, energy, differences. */
#include "support/arm.h"

/* ---- a stack of three blocks, Coulomb friction between them: all choices of stick and slip tried ---- */

/* u = v - W F with F_i = fc sgn(u_i) or |F_i| <= fc and u_i = 0; the one choice that fits */
static int brute_force(const double *w, const double *v, double fc, double *f)
{
  for (int choice = 0; choice < 27; choice++) {
    int mode[3] = { choice % 3 - 1, choice / 3 % 3 - 1, choice / 9 - 1 };
    double a[3][4];
    for (int i = 0; i < 3; i++) /* slip: F_i is known; stick: row i of W F = v */
      for (int j = 0; j < 4; j++) a[i][j] = mode[i] ? (j == 3 ? mode[i] * fc : i == j) : j == 3 ? v[i] : w[3 * i + j];
    for (int k = 0; k < 3; k++)
      for (int i = 0; i < 3; i++) {
        if (i == k) continue;
        const double part = a[i][k] / a[k][k];
        for (int j = 0; j < 4; j++) a[i][j] -= part * a[k][j];
      }
    int fits = 1;
    for (int i = 0; i < 3; i++) f[i] = a[i][3] / a[i][i];
    for (int i = 0; i < 3; i++) {
      const double u = v[i] - w[3 * i] * f[0] - w[3 * i + 1] * f[1] - w[3 * i + 2] * f[2];
      if (mode[i] ? mode[i] * u < -1e-12 : fabs(f[i]) > fc * (1 + 1e-12)) fits = 0;
    }
    if (fits) return 1;
  }
  return 0;
}

TEST(stack_of_three_blocks_is_what_all_choices_of_stick_and_slip_say)
{
  static double work[4000];
  for (int k = 0; k < 2000; k++) {
    /* relative velocities of block i and the one below: W = h B M^-1 B', B the differences */
    const double m[3] = { 1 + 0.5 * sin(k), 2 + sin(2.3 * k), 0.5 + 0.3 * cos(1.7 * k) }, h = 1e-3;
    const double w[9] = { h / m[0],  -h / m[0], 0,         -h / m[0],          h / m[0] + h / m[1],
                          -h / m[1], 0,         -h / m[1], h / m[1] + h / m[2] };
    double v[3], u[3] = { 0 }, f[3], expected[3] = { 0 }, fc = 1;
    for (int i = 0; i < 3; i++) v[i] = 3e-3 * sin(0.7 * k + 2.1 * i * i + 0.3 * i);
    contact c = contact_of("coulomb");
    bristle_network_contact at[3];
    for (int i = 0; i < 3; i++) at[i] = (bristle_network_contact){ .law = c.model, .p = c.p, .s = c.s, .n = 1 };
    bristle_network net = { .count = 3, .contact = at, .w = w, .v = v, .h = h, .f = f, .u = u };
    const bristle_network_report r = bristle_network_solve(&net, work);
    CHECK(r.converged && brute_force(w, v, fc, expected), "case %d", k);
    for (int i = 0; i < 3; i++) CHECK_ABS(f[i], expected[i], 1e-9);
  }
}

/* ---- energy ---- */

TEST(friction_in_an_arm_only_takes_energy)
{
  static const char *const laws[] = { "coulomb", "dahl", "stribeck", "maxwell_slip" };
  for (int l = 0; l < 4; l++) {
    arm a = arm_loaded(&laws[l], 1, 3, 2, 0.8); /* twice the level: it swings */
    for (int i = 0; i < 4000; i++) {
      double before = 0, after = 0, work = 0;
      for (int j = 0; j < 3; j++) {
        bristle_input in = { .n = a.c[j].n, .load = a.c[j].load };
        before += a.c[j].model->energy(a.c[j].p, a.c[j].s, &in);
      }
      arm_step(&a, 1e-3);
      for (int j = 0; j < 3; j++) {
        bristle_input in = { .n = a.c[j].n, .load = a.c[j].load };
        after += a.c[j].model->energy(a.c[j].p, a.c[j].s, &in);
        work += 1e-3 * a.f[j] * a.u[j];
      }
      CHECK(work - (after - before) >= -1e-12 * (1 + after), "%s gave back %g J", laws[l], after - before - work);
    }
  }
}

/* ---- derivatives of the whole solve ---- */

static void solve_at(bristle_network *net, const double *v, const contact *before, contact *c, double *f)
{
  static double work[20000];
  static double u[8];
  memset(u, 0, sizeof u);
  for (int i = 0; i < net->count; i++) {
    c[i] = before[i];
    net->contact[i].s = c[i].s, net->contact[i].p = c[i].p, net->contact[i].n = c[i].n;
  }
  net->v = v, net->f = f, net->u = u;
  bristle_network_solve(net, work);
}

TEST(tangent_of_a_network_is_its_difference)
{
  enum { N = 4 };
  static const char *const laws[N] = { "lugre", "dahl", "coulomb", "gms" };
  static double work[20000], dv[N * N], dn[N * N], dp[N * 200];
  for (int trial = 0; trial < 40; trial++) {
    contact before[N], c[N];
    bristle_network_contact at[N];
    bristle_network_diff diff[N];
    double w[N * N], v[N], f[N], up[N], down[N];
    int params = 0;
    for (int i = 0; i < N; i++) {
      before[i] = contact_of(laws[i]);
      before[i].load = BRISTLE_LOAD_COEFFICIENT, before[i].n = 1.5;
      at[i] = (bristle_network_contact){ .law = before[i].model, .load = before[i].load };
      diff[i] = (bristle_network_diff){ .law = before[i].law->diff };
      params += before[i].model->info->nparam;
      v[i] = (trial & 1 ? 8e-3 : 1e-3) * sin(1.1 * trial + 2 * i);
      for (int j = 0; j < N; j++) w[i * N + j] = 1e-3 * ((i == j ? 2 : 0) + cos(0.9 * (i + 1) * (j + 1)) * 0.4);
    }
    bristle_network net = { .count = N, .contact = at, .w = w, .h = 1e-3 };
    solve_at(&net, v, before, c, f);
    for (int i = 0; i < N; i++) at[i].s = before[i].s;
    bristle_network_slopes out = { dv, dn, dp };
    CHECK(bristle_network_tangent_work(&net) < 20000, "work");
    bristle_network_tangent(&net, diff, &out, work);
    for (int j = 0; j < N; j++) {
      double moved[N], scale = 1e-6 * 1e-2;
      memcpy(moved, v, sizeof v);
      moved[j] = v[j] + scale, solve_at(&net, moved, before, c, up);
      moved[j] = v[j] - scale, solve_at(&net, moved, before, c, down);
      for (int i = 0; i < N; i++)
        CHECK_ABS(dv[i * N + j], (up[i] - down[i]) / (2 * scale), 2e-4 * (1 / w[0] + fabs(dv[i * N + j])));
      contact other[N];
      memcpy(other, before, sizeof other);
      other[j].n = 1.5 + 1e-6, solve_at(&net, v, other, c, up);
      other[j].n = 1.5 - 1e-6, solve_at(&net, v, other, c, down);
      for (int i = 0; i < N; i++) CHECK_ABS(dn[i * N + j], (up[i] - down[i]) / 2e-6, 1e-4);
    }
    /* the level of the first contact */
    const int fc = bristle_param_find(before[0].model->info, "fc")->first;
    contact other[N];
    memcpy(other, before, sizeof other);
    other[0].p[fc] = before[0].p[fc] + 1e-6, solve_at(&net, v, other, c, up);
    other[0].p[fc] = before[0].p[fc] - 1e-6, solve_at(&net, v, other, c, down);
    for (int i = 0; i < N; i++) CHECK_ABS(dp[i * params + fc], (up[i] - down[i]) / 2e-6, 1e-4);
  }
}

/* ---- contacts in a plane beside contacts along a line; W given as a function ---- */

static void apply_matrix(void *host, const double *force, double *lost)
{
  const double *w = host;
  for (int i = 0; i < 4; i++) {
    lost[i] = 0;
    for (int j = 0; j < 4; j++) lost[i] += w[i * 4 + j] * force[j];
  }
}

TEST(plane_and_line_contacts_mix_and_W_may_be_a_function)
{
  static double work[20000];
  static const char *const laws[] = { "coulomb", "lugre", "dahl" };
  for (int k = 0; k < 300; k++) {
    const bristle_vector_model *plane = bristle_vector_law_find(laws[k % 3])->f64[0];
    contact line = contact_of(laws[k / 3 % 3]), again = line;
    double p[MAX_PARAM], s[2][MAX_STATE] = { { 0 } }, w[16], v[4], u[2][4] = { { 0 } }, f[2][4];
    bristle_defaults(plane->info, p);
    for (int i = 0; i < 4; i++) {
      v[i] = (k % 5 + 0.5) * 1e-3 * sin(k + 1.3 * i);
      for (int j = 0; j < 4; j++) w[i * 4 + j] = 1e-3 * ((i == j ? 1.5 : 0) + 0.3 * cos((i + 1) * (j + 1)));
    }
    for (int way = 0; way < 2; way++) {
      contact *c = way ? &again : &line;
      bristle_network_contact at[3] = { { .vector = plane, .p = p, .s = s[way], .n = 1 },
                                        { .law = c->model, .p = c->p, .s = c->s, .n = 1 },
                                        { .law = bristle_law_find("coulomb")->f64, .n = 1 } };
      contact third = contact_of("coulomb");
      at[2].p = third.p, at[2].s = third.s;
      bristle_network net = { .count = 3,
                              .contact = at,
                              .w = way ? NULL : w,
                              .apply = apply_matrix,
                              .host = w,
                              .v = v,
                              .h = 1e-3,
                              .f = f[way],
                              .u = u[way] };
      const bristle_network_report r = bristle_network_solve(&net, work);
      CHECK(r.converged, "%s and %s: residual %g", laws[k % 3], laws[k / 3 % 3], r.residual);
      for (int i = 0; i < 4; i++) {
        double gap = u[way][i] - v[i];
        for (int j = 0; j < 4; j++) gap += w[i * 4 + j] * f[way][j];
        CHECK(fabs(gap) < 1e-13, "balance of row %d: %g", i, gap);
      }
      CHECK(hypot(f[way][0], f[way][1]) < 3 && fabs(f[way][3]) <= 1 + 1e-12, "levels: %g %g",
            hypot(f[way][0], f[way][1]), f[way][3]);
    }
    CHECK(!memcmp(f[0], f[1], sizeof f[0]), "a matrix and a function differ");
  }
}
