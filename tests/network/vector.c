/* Contacts in space, in a plane and along a line in one network: balance, order, W as a function, derivatives. */
#include "support/arm.h"
#include "support/compliance.h"

enum { COUNT = 3, ROWS = 6, WORK = 20000 };
static double work[WORK];
static const char *const names[] = { "coulomb", "dahl", "lugre", "gms", "elasto_plastic", "stribeck" };
enum { NAMES = 6 };

/* what belongs to one contact; which of the others it stands behind is the network's matter */
typedef struct member {
  const bristle_model *line;
  const bristle_vector_model *vector;
  bristle_network_diff diff;
  double p[MAX_PARAM], s[MAX_STATE], n;
  int dim, first; /* rows of the problem in the order 0, 1, 2 */
} member;

typedef struct problem {
  member m[COUNT];
  double w[ROWS * ROWS], v[ROWS];
} problem;

static problem random_problem(int k)
{
  problem a = { .m = { { .dim = 3, .first = 0 }, { .dim = 2, .first = 3 }, { .dim = 1, .first = 5 } } };
  const double speed = pow(10, any_between(-4, -2));
  for (int i = 0; i < COUNT; i++) {
    member *m = &a.m[i];
    const char *name = names[(k + k / NAMES * i) % NAMES];
    if (m->dim == 1) {
      m->line = bristle_law_find(name)->f64, m->diff.law = bristle_law_find(name)->diff;
      bristle_defaults(m->line->info, m->p);
    } else {
      const bristle_vector_law *law = bristle_vector_law_find(name);
      m->vector = law->f64[m->dim - 2], m->diff.vector = law->diff[m->dim - 2];
      bristle_defaults(m->vector->info, m->p);
    }
    m->n = any_between(0.5, 2);
  }
  random_compliance(ROWS, 100, 1e-3, a.w);
  for (int i = 0; i < ROWS; i++) a.v[i] = speed * any_between(-1, 1);
  return a;
}

static void apply(void *host, const double *force, double *lost)
{
  const double *w = host;
  for (int i = 0; i < ROWS; i++) {
    lost[i] = 0;
    for (int j = 0; j < ROWS; j++) lost[i] += w[i * ROWS + j] * force[j];
  }
}

typedef struct solution {
  double f[ROWS], u[ROWS]; /* in the problem's order of rows */
  bristle_network_report report;
} solution;

static double dv[ROWS * ROWS], dn[ROWS * COUNT], dp[ROWS * COUNT * MAX_PARAM];

/* the problem with its contacts in some order, W as a matrix or as a function; with derivatives if asked for */
static solution solve_in_order(const problem *a, const int order[COUNT], int function, int tangent)
{
  problem copy = *a;
  solution out;
  bristle_network_contact at[COUNT];
  bristle_network_diff diff[COUNT];
  int place[ROWS], rows = 0;
  double w[ROWS * ROWS], v[ROWS], u[ROWS] = { 0 }, f[ROWS];
  for (int c = 0; c < COUNT; c++) {
    member *m = &copy.m[order[c]];
    at[c] = (bristle_network_contact){
      .law = m->line, .vector = m->vector, .p = m->p, .s = m->s, .n = m->n, .load = BRISTLE_LOAD_COEFFICIENT
    };
    diff[c] = m->diff;
    for (int i = 0; i < m->dim; i++) place[rows++] = m->first + i;
  }
  for (int i = 0; i < ROWS; i++) {
    v[i] = a->v[place[i]];
    for (int j = 0; j < ROWS; j++) w[i * ROWS + j] = a->w[place[i] * ROWS + place[j]];
  }
  bristle_network net = { .count = COUNT, .contact = at, .w = function ? NULL : w, .v = v, .h = 1e-3, .f = f, .u = u };
  net.apply = apply, net.host = w;
  CHECK(bristle_network_tangent_work(&net) < WORK, "work");
  out.report = bristle_network_solve(&net, work);
  for (int i = 0; i < ROWS; i++) out.f[place[i]] = f[i], out.u[place[i]] = u[i];
  const bristle_network_slopes slopes = { dv, dn, dp };
  for (int c = 0; c < COUNT; c++) memcpy(copy.m[order[c]].s, a->m[order[c]].s, sizeof copy.m[0].s);
  if (tangent) bristle_network_tangent(&net, diff, &slopes, work);
  return out;
}

static const int plain[COUNT] = { 0, 1, 2 };

TEST(contacts_in_space_plane_and_line_mix_in_any_order)
{
  static const int orders[][COUNT] = { { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
  any_again();
  for (int k = 0; k < 400; k++) {
    const problem a = random_problem(k);
    const solution one = solve_in_order(&a, plain, 0, 0), again = solve_in_order(&a, plain, 1, 0);
    double gap = 0, scale = 0;
    CHECK(one.report.converged, "case %d: residual %g", k, one.report.residual);
    CHECK(!memcmp(one.f, again.f, sizeof one.f), "case %d: a matrix and a function differ", k);
    for (int i = 0; i < ROWS; i++) {
      double sum = one.u[i] - a.v[i], size = fabs(a.v[i]);
      for (int j = 0; j < ROWS; j++) sum += a.w[i * ROWS + j] * one.f[j], size += fabs(a.w[i * ROWS + j] * one.f[j]);
      gap = fmax(gap, fabs(sum)), scale = fmax(scale, size);
    }
    CHECK(gap <= 1e-12 * scale, "case %d: balance open by %g of %g", k, gap, scale);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
      const solution other = solve_in_order(&a, orders[o], 0, 0);
      for (int i = 0; i < ROWS; i++) CHECK_ABS(other.f[i], one.f[i], 1e-7);
    }
  }
}

/* a number of the host that is not finite: of v, of W, or a load */
TEST(contacts_in_space_with_numbers_that_are_not_finite_do_not_converge)
{
  static const double wrong[] = { NAN, INFINITY, -INFINITY };
  any_again();
  for (int k = 0; k < NAMES; k++)
    for (int i = 0; i < 3; i++)
      for (int place = 0; place <= 2 * ROWS; place++) {
        problem a = random_problem(k);
        if (place < ROWS) a.v[place] = wrong[i];
        else if (place < 2 * ROWS) a.w[(place - ROWS) * (ROWS + 1)] = wrong[i];
        else a.m[0].n = wrong[i];
        const solution one = solve_in_order(&a, plain, 0, 0);
        CHECK(!one.report.converged && one.report.residual > 1, "case %d, %g at place %d: converged %d, residual %g", k,
              wrong[i], place, one.report.converged, one.report.residual);
      }
}

/* a derivative of the force beside the difference of two solves; 0: there is a corner between */
static int same_slope(const problem *down, const problem *up, double step, const double *slope, int width, double size)
{
  problem middle = *down;
  for (int i = 0; i < ROWS; i++) middle.v[i] = 0.5 * (down->v[i] + up->v[i]);
  for (int c = 0; c < COUNT; c++) {
    middle.m[c].n = 0.5 * (down->m[c].n + up->m[c].n);
    for (int i = 0; i < MAX_PARAM; i++) middle.m[c].p[i] = 0.5 * (down->m[c].p[i] + up->m[c].p[i]);
  }
  const solution a = solve_in_order(down, plain, 0, 0), b = solve_in_order(&middle, plain, 0, 0),
                 c = solve_in_order(up, plain, 0, 0);
  for (int i = 0; i < ROWS; i++)
    if (fabs(c.f[i] - 2 * b.f[i] + a.f[i]) > 1e-4 * size * step) return 0;
  for (int i = 0; i < ROWS; i++) CHECK_ABS(slope[i * width], (c.f[i] - a.f[i]) / step, 1e-3 * size);
  return 1;
}

/* number of compared derivatives: by every velocity, every load, every parameter that is not a choice */
static int compare_slopes(const problem *a)
{
  int compared = 0, params = 0, column = 0;
  for (int c = 0; c < COUNT; c++) params += (a->m[c].line ? a->m[c].line->info : a->m[c].vector->info)->nparam;
  for (int j = 0; j < ROWS; j++) {
    problem up = *a, down = *a;
    up.v[j] += 1e-8, down.v[j] -= 1e-8;
    compared += same_slope(&down, &up, up.v[j] - down.v[j], dv + j, ROWS, 1e3);
  }
  for (int c = 0; c < COUNT; c++) {
    problem up = *a, down = *a;
    up.m[c].n += 1e-6, down.m[c].n -= 1e-6;
    compared += same_slope(&down, &up, 2e-6, dn + c, COUNT, 1);
    const bristle_info *info = a->m[c].line ? a->m[c].line->info : a->m[c].vector->info;
    for (int j = 0; j < info->nparam; j++, column++) {
      const double value = a->m[c].p[j], step = 1e-5 * fabs(value);
      if (bristle_param_at(info, j)->role == BRISTLE_ROLE_CHOICE || value == 0) continue;
      up = down = *a;
      up.m[c].p[j] += step, down.m[c].p[j] -= step;
      compared += same_slope(&down, &up, up.m[c].p[j] - down.m[c].p[j], dp + column, params, 1 / fabs(value));
    }
  }
  return compared;
}

TEST(tangent_of_mixed_contacts_is_their_difference)
{
  int compared = 0, trials = test_is_long() ? 200 : 36;
  any_again();
  for (int k = 0; k < trials; k++) {
    const problem a = random_problem(k);
    solve_in_order(&a, plain, k & 1, 1);
    compared += compare_slopes(&a);
  }
  CHECK(compared > 20 * trials, "%d derivatives in %d networks", compared, trials);
}
