/* Derivatives of a network's forces. Each contact is differentiated as its own coupled step, f(b) with r on the
 * diagonal of W, by the law's generated derivatives; b = v - (W - r) F then couples them:
 *
 *   (I + D (W - r)) dF = D dv + F_theta dtheta,    D = dF/db.
 *
 * A stuck contact has the finite slope 1/r there, so that stick and slip are one case. */
#include "core/network.h"

size_t bristle_network_tangent_work(const bristle_network *net)
{
  size_t most = 0;
  for (int c = 0; c < net->count; c++) {
    const bristle_network_contact *at = &net->contact[c];
    const bristle_info *info = at->law ? at->law->info : at->vector->info;
    const size_t wide = 4 + (size_t)info->nstate + (size_t)info->nparam;
    const size_t need = (3 + (size_t)info->nstate) * wide + (size_t)info->nstate;
    if (need > most) most = need;
  }
  return bristle_network_work(net) + most;
}

/* one contact: D, dF/dn and dF/dp at its b; their columns are `first` apart in the law's own matrix */
typedef struct local_slopes {
  const double *df;
  int wide, load, param, nparam;
} local_slopes;

static local_slopes differentiate(network *k, const bristle_network_diff *diff, int c, int row, double *memory)
{
  const bristle_network_contact *at = &k->net->contact[c];
  const int dim = network_dim(at), states = network_nstate(at);
  double *s = memory, *df = s + states, force[3], end[3];
  for (int i = 0; i < states; i++) s[i] = at->s[i];
  if (at->law) {
    const int wide = diff[c].law->directions;
    const bristle_input in = { k->now.b[row], at->x, at->n, 0, 0, k->hold[c * NETWORK_BLOCK], k->net->h, at->load };
    diff[c].law->step(at->p, s, &in, end, df, df + wide);
    return (local_slopes){ df, wide, BRISTLE_D_N, BRISTLE_D_STATE + states, at->law->info->nparam };
  }
  const int wide = diff[c].vector->directions;
  bristle_vector_input in = { .n = at->n, .h = k->net->h, .load = at->load };
  for (int i = 0; i < dim; i++) {
    in.v[i] = k->now.b[row + i];
    for (int j = 0; j < dim; j++) in.w[i][j] = k->hold[c * NETWORK_BLOCK + 3 * i + j];
  }
  diff[c].vector->step(at->p, s, &in, force, end, df, df + dim * wide);
  return (local_slopes){ df, wide, dim, dim + 1 + states, at->vector->info->nparam };
}

/* rows of I + D (W - r) that belong to a contact */
static void fill(network *k, int c, int row)
{
  const int n = k->rows, dim = network_dim(&k->net->contact[c]);
  const double *d = k->slope + c * NETWORK_BLOCK, *r = k->hold + c * NETWORK_BLOCK;
  for (int i = 0; i < dim; i++)
    for (int j = 0; j < n; j++) {
      double sum = row + i == j ? 1 : 0;
      for (int l = 0; l < dim; l++) {
        double w = k->w[(row + l) * n + j];
        if (j >= row && j < row + dim) w -= r[3 * l + j - row];
        sum += d[3 * i + l] * w;
      }
      k->lu[(row + i) * n + j] = sum;
    }
}

/* a right side that is zero but for the rows of one contact, solved into a column of the result */
static void solve_column(network *k, int row, int dim, const double *value, int step, double *out, int width)
{
  for (int i = 0; i < k->rows; i++) k->y[i] = 0;
  for (int i = 0; i < dim; i++) k->y[row + i] = value[i * step];
  network_back(k->lu, k->rows, k->order, k->y);
  for (int i = 0; i < k->rows; i++) out[i * width] = k->y[i];
}

void bristle_network_tangent(const bristle_network *net, const bristle_network_diff *diff,
                             const bristle_network_slopes *out, double *work)
{
  network k;
  network_lay_out(&k, net, work);
  double *memory = work + bristle_network_work(net);
  int params = 0;
  network_hold_diagonal(&k);
  for (int c = 0, row = 0; c < net->count; c++) {
    const int dim = network_dim(&net->contact[c]);
    for (int i = 0; i < dim; i++)
      k.now.b[row + i] = net->u[row + i] + network_dot(k.hold + c * NETWORK_BLOCK + 3 * i, net->f + row, dim);
    const local_slopes d = differentiate(&k, diff, c, row, memory);
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) k.slope[c * NETWORK_BLOCK + 3 * i + j] = d.df[i * d.wide + j];
    fill(&k, c, row);
    params += d.nparam;
    row += dim;
  }
  if (!network_factor(k.lu, k.rows, k.order)) return;
  for (int c = 0, row = 0, first = 0; c < net->count; c++) {
    const int dim = network_dim(&net->contact[c]);
    const local_slopes d = differentiate(&k, diff, c, row, memory);
    for (int j = 0; out->v && j < dim; j++)
      solve_column(&k, row, dim, k.slope + c * NETWORK_BLOCK + j, 3, out->v + row + j, k.rows);
    if (out->n) solve_column(&k, row, dim, d.df + d.load, d.wide, out->n + c, net->count);
    for (int j = 0; out->p && j < d.nparam; j++)
      solve_column(&k, row, dim, d.df + d.param + j, d.wide, out->p + first + j, params);
    first += d.nparam;
    row += dim;
  }
}
