/* Velocities at the end of the step and what friction takes from them, as MuJoCo's integrator will make them.
 *
 * The integrator ends at u = qvel + h A^-1 (smooth + constraint forces); A is the inertia M, or M + h D with damping
 * taken implicitly. The constraint solver finds its forces in the metric of M: a force df changes smooth + constraint
 * forces by M (M + J'DJ)^-1 df, J and D being those of the active rows. So W = h A^-1 M (M + J'DJ)^-1. */
#include "plugin.h"

#include <string.h>

/* exported by MuJoCo, but in none of its headers */
MJAPI void mjd_smooth_vel(const mjModel *m, mjData *d, int flg_bias);

/* ---- A ---- */

/* L'DL in the engine's own layout: rows hold their ancestors and end with the diagonal */
void inertia_factorise(const mjModel *m, double *a, double *inverse)
{
  for (int k = m->nv - 1; k >= 0; k--) {
    double *row = a + m->M_rowadr[k];
    const int *column = m->M_colind + m->M_rowadr[k], last = m->M_rownnz[k] - 1;
    inverse[k] = 1 / row[last];
    for (int i = last - 1; i >= 0; i--) {
      double *above = a + m->M_rowadr[column[i]];
      const double share = row[i] * inverse[k];
      for (int j = 0; j < m->M_rownnz[column[i]]; j++) above[j] -= share * row[j];
    }
    for (int i = 0; i < last; i++) row[i] *= inverse[k];
  }
}

void inertia_solve(const mjModel *m, const double *a, const double *inverse, double *x)
{
  for (int k = m->nv - 1; k >= 0; k--)
    for (int i = 0; i < m->M_rownnz[k] - 1; i++) x[m->M_colind[m->M_rowadr[k] + i]] -= a[m->M_rowadr[k] + i] * x[k];
  for (int k = 0; k < m->nv; k++) {
    x[k] *= inverse[k];
    for (int i = 0; i < m->M_rownnz[k] - 1; i++) x[k] -= a[m->M_rowadr[k] + i] * x[m->M_colind[m->M_rowadr[k] + i]];
  }
}

/* Rows 0..j of column j of the inverse, which is all that a symmetric matrix needs. */
static void unit_column(const mjModel *m, const double *a, const double *inverse, int j, double *x)
{
  memset(x, 0, (size_t)(j + 1) * sizeof(double));
  x[j] = 1;
  for (int k = j; k >= 0; k--)
    for (int i = 0; x[k] != 0 && i < m->M_rownnz[k] - 1; i++)
      x[m->M_colind[m->M_rowadr[k] + i]] -= a[m->M_rowadr[k] + i] * x[k];
  for (int k = 0; k <= j; k++) {
    x[k] *= inverse[k];
    for (int i = 0; i < m->M_rownnz[k] - 1; i++) x[k] -= a[m->M_rowadr[k] + i] * x[m->M_colind[m->M_rowadr[k] + i]];
  }
}

static int any_damping(const mjModel *m)
{
  for (int i = 0; i < m->nv; i++) {
    if (m->dof_damping[i] != 0) return 1;
    for (int k = 0; k < mjNPOLY; k++)
      if (m->dof_dampingpoly[mjNPOLY * i + k] != 0) return 1;
  }
  return 0;
}

void inertia_prepare(const mjModel *m, mjData *d, friction_net *net)
{
  const double h = m->opt.timestep;
  net->has_factor = 0;
  const int damping = !(m->opt.disableflags & mjDSBL_DAMPER) && any_damping(m);
  if (m->opt.integrator == mjINT_EULER) {
    net->has_metric = damping && !(m->opt.disableflags & mjDSBL_EULERDAMP);
    if (!net->has_metric) return;
    memcpy(net->metric, d->M, (size_t)m->nC * sizeof(double));
    for (int i = 0; i < m->nv; i++) net->metric[m->M_rowadr[i] + m->M_rownnz[i] - 1] += h * m->dof_damping[i];
  } else {
    net->has_metric = damping || m->nactuator || m->ntendon || m->opt.density > 0 || m->opt.viscosity > 0;
    if (!net->has_metric) return;
    mjd_smooth_vel(m, d, 0);
    for (int i = 0; i < m->nC; i++) net->metric[i] = d->M[i] - h * d->qDeriv[m->mapD2M[i]];
  }
}

/* A^-1 is asked for only where the quick way does not end */
static void factor_metric(const mjModel *m, friction_net *net)
{
  if (!net->has_metric || net->has_factor) return;
  memcpy(net->factor, net->metric, (size_t)m->nC * sizeof(double));
  inertia_factorise(m, net->factor, net->inverse);
  net->has_factor = 1;
}

/* ---- M + J'DJ ---- */

static double jacobian_row(const mjModel *m, const mjData *d, int row, double *out)
{
  if (!mj_isSparse(m)) {
    memcpy(out, d->efc_J + (size_t)row * (size_t)m->nv, (size_t)m->nv * sizeof(double));
    return d->efc_D[row];
  }
  memset(out, 0, (size_t)m->nv * sizeof(double));
  for (int k = 0; k < d->efc_J_rownnz[row]; k++)
    out[d->efc_J_colind[d->efc_J_rowadr[row] + k]] = d->efc_J[d->efc_J_rowadr[row] + k];
  return d->efc_D[row];
}

/* H += share a b' in the lower triangle */
static void add_product(int nv, double *h, double share, const double *a, const double *b)
{
  for (int i = 0; i < nv; i++) {
    const double scaled = share * a[i];
    for (int j = 0; scaled != 0 && j <= i; j++) h[i * nv + j] += scaled * b[j];
  }
}

/* a contact that slides on its elliptic cone */
static void add_cone(const mjModel *m, const mjData *d, friction_net *net, int row)
{
  const mjContact *contact = &d->contact[d->efc_id[row]];
  for (int i = 0; i < contact->dim; i++)
    for (int j = 0; j < contact->dim; j++) {
      jacobian_row(m, d, row + i, net->row);
      jacobian_row(m, d, row + j, net->total);
      add_product(m->nv, net->dense, contact->H[i * contact->dim + j], net->row, net->total);
    }
}

static void add_constraints(const mjModel *m, const mjData *d, friction_net *net)
{
  for (int row = 0; row < d->nefc; row++) {
    if (d->efc_state[row] == mjCNSTRSTATE_QUADRATIC) {
      const double stiffness = jacobian_row(m, d, row, net->row);
      add_product(m->nv, net->dense, stiffness, net->row, net->row);
    } else if (d->efc_state[row] == mjCNSTRSTATE_CONE) {
      add_cone(m, d, net, row);
      row += d->contact[d->efc_id[row]].dim - 1;
    }
  }
}

/* Cholesky of the lower triangle in place, its diagonal inverted; 0 where it is not positive */
static int factorise_dense(int n, double *a)
{
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double sum = a[i * n + j];
      for (int k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      if (i != j) a[i * n + j] = sum * a[j * n + j];
      else if (sum > 0) a[i * n + i] = 1 / mju_sqrt(sum);
      else return 0;
    }
  return 1;
}

/* x is zero before `first` */
static void solve_dense(int n, const double *a, int first, double *x)
{
  for (int i = first; i < n; i++) {
    for (int k = first; k < i; k++) x[i] -= a[i * n + k] * x[k];
    x[i] *= a[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    const double share = x[i] *= a[i * n + i];
    for (int k = 0; k < i; k++) x[k] -= a[i * n + k] * share;
  }
}

static int constrain(const mjModel *m, const mjData *d, friction_net *net)
{
  int active = 0;
  for (int row = 0; row < d->nefc && !active; row++)
    active = d->efc_state[row] == mjCNSTRSTATE_QUADRATIC || d->efc_state[row] == mjCNSTRSTATE_CONE;
  if (!active) return 0;
  mj_fullM(m, d, net->dense);
  add_constraints(m, d, net);
  return factorise_dense(m->nv, net->dense);
}

static void free_compliance(const mjModel *m, const mjData *d, friction_net *net)
{
  const double *a = net->has_metric ? net->factor : d->qLD, *inverse = net->has_metric ? net->inverse : d->qLDiagInv;
  const int n = net->count;
  for (int i = 0; i < n; i++) {
    const int dof = net->joint[i].dof;
    unit_column(m, a, inverse, dof, net->column);
    for (int k = 0; k < n; k++)
      if (net->joint[k].dof <= dof)
        net->w[i * n + k] = net->w[k * n + i] = m->opt.timestep * net->column[net->joint[k].dof];
  }
}

void inertia_compliance(const mjModel *m, mjData *d, friction_net *net)
{
  const int n = net->count, nv = m->nv;
  const double half = 0.5 * m->opt.timestep;
  factor_metric(m, net);
  net->constrained = constrain(m, d, net);
  if (!net->constrained) {
    free_compliance(m, d, net);
    return;
  }
  memset(net->column, 0, (size_t)(n * nv) * sizeof(double));
  for (int i = 0; i < n; i++) {
    double *x = net->column + i * nv;
    x[net->joint[i].dof] = 1;
    solve_dense(nv, net->dense, net->joint[i].dof, x);
    if (!net->has_metric) continue;
    mj_mulM(m, d, net->total, x);
    memcpy(x, net->total, (size_t)nv * sizeof(double));
    inertia_solve(m, net->factor, net->inverse, x);
  }
  for (int i = 0; i < n; i++) /* symmetric but for the metric, and the solve needs it to be */
    for (int j = 0; j < n; j++)
      net->w[i * n + j] = half * (net->column[j * nv + net->joint[i].dof] + net->column[i * nv + net->joint[j].dof]);
}

/* ---- velocities ---- */

/* The constraint solver stops within its tolerance. Held joints would be shaken by what it leaves, and shaken bristles
   creep, so one step of Newton's method follows, on the matrix that is there anyway. */
static void settle(const mjModel *m, mjData *d, friction_net *net)
{
  mj_mulM(m, d, net->total, d->qacc);
  for (int i = 0; i < m->nv; i++) net->rate[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i] - net->total[i];
  solve_dense(m->nv, net->dense, 0, net->rate);
  for (int i = 0; i < m->nv; i++) net->rate[i] += d->qacc[i];
}

void inertia_shift(const mjModel *m, friction_net *net, const double *change)
{
  memset(net->total, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < net->count; i++) net->total[net->joint[i].dof] = change[i];
  solve_dense(m->nv, net->dense, 0, net->total);
  for (int i = 0; i < m->nv; i++) net->rate[i] += net->total[i];
}

/* total = A^-1 (smooth + constraint forces) */
static void accelerations(const mjModel *m, mjData *d, friction_net *net)
{
  if (net->constrained) settle(m, d, net);
  if (net->constrained && !net->has_metric) {
    memcpy(net->total, net->rate, (size_t)m->nv * sizeof(double));
    return;
  }
  if (net->constrained) mj_mulM(m, d, net->total, net->rate);
  else
    for (int i = 0; i < m->nv; i++) net->total[i] = d->qfrc_smooth[i] + (d->nefc ? d->qfrc_constraint[i] : 0);
  if (net->has_metric) inertia_solve(m, net->factor, net->inverse, net->total);
  else inertia_solve(m, d->qLD, d->qLDiagInv, net->total);
}

/* Where every joint has friction and nothing is constrained, W itself is used: what holds then cancels to the last
 * digit. */
void inertia_velocities(const mjModel *m, mjData *d, friction_net *net)
{
  const int n = net->count, whole = n == m->nv && !d->nefc;
  if (!whole) accelerations(m, d, net);
  for (int i = 0; i < n; i++) {
    double change = whole ? 0 : m->opt.timestep * net->total[net->joint[i].dof];
    for (int k = 0; whole && k < n; k++) change += net->w[i * n + k] * d->qfrc_smooth[net->joint[k].dof];
    net->u[i] = d->qvel[net->joint[i].dof] + change;
  }
}
