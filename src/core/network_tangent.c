/* Derivatives of a network's forces. Each contact is differentiated as its own coupled step, f(b) with r on the
 * diagonal of W, by the law's generated derivatives; b = v - (W - r) F then couples them:
 *
 *   (I + D (W - r)) dF = D dv + F_theta dtheta,    D = dF/db.
 *
 * A stuck contact has the finite slope 1/r there, so that stick and slip are one case. A coupled step that has several
 * ends may choose another one than the network did: a contact that moves although it could rest, if only the others
 * did not answer. Such a contact is differentiated at its velocity, with r = 0. */
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

/* a contact at b, coupled with its block of r; *end: the velocity it ends with, *force: its force */
static local_slopes differentiate(network *k, const bristle_network_diff *diff, int c, int row, double *memory,
                                  double *end, double *force)
{
  const bristle_network_contact *at = &k->net->contact[c];
  const int dim = network_dim(at), states = network_nstate(at);
  const double *r = k->hold + c * NETWORK_BLOCK;
  double *s = memory, *df = s + states;
  for (int i = 0; i < states; i++) s[i] = at->s[i];
  if (at->law) {
    const int wide = diff[c].law->directions;
    const double push = *r > 0 ? 0 : network_push(at, k->now.b[row]);
    const bristle_input in = { k->now.b[row], at->x, at->n, push, 0, *r, k->net->h, at->load };
    *force = diff[c].law->step(at->p, s, &in, end, df, df + wide);
    return (local_slopes){ df, wide, BRISTLE_D_N, BRISTLE_D_STATE + states, at->law->info->nparam };
  }
  const int wide = diff[c].vector->directions;
  bristle_vector_input in = { .n = at->n, .h = k->net->h, .load = at->load };
  for (int i = 0; i < dim; i++) {
    in.v[i] = k->now.b[row + i];
    for (int j = 0; j < dim; j++) in.w[i][j] = r[3 * i + j];
  }
  diff[c].vector->step(at->p, s, &in, force, end, df, df + dim * wide);
  return (local_slopes){ df, wide, dim, dim + 1 + states, at->vector->info->nparam };
}

/* does the contact, differentiated on its own, end where the network's solution has it? */
static int ends_there(const network *k, int row, int dim, const double *end)
{
  double off = 0, size = 0;
  for (int i = 0; i < dim; i++) {
    const double u = k->net->u[row + i];
    if ((end[i] == 0) != (u == 0)) return 0;
    if (abs_f64(end[i] - u) > off) off = abs_f64(end[i] - u);
    if (abs_f64(k->now.b[row + i]) > size) size = abs_f64(k->now.b[row + i]);
  }
  return off <= 1e-6 * size;
}

/* the force follows the host and nothing else: a contact that is held, or on a jump of its law */
static void follow_host(const network *k, int c, local_slopes *d, double *df)
{
  for (int i = 0; i < d->wide; i++) df[i] = 0;
  df[0] = 1 / k->hold[c * NETWORK_BLOCK];
}

/* the slopes of a contact where the network's solution has it; k->hold and k->now.b say how they are meant */
static local_slopes slopes_of(network *k, const bristle_network_diff *diff, int c, int row, double *memory)
{
  const bristle_network_contact *at = &k->net->contact[c];
  const int dim = network_dim(at), n = k->rows;
  const double *u = k->net->u + row, *f = k->net->f + row;
  double *r = k->hold + c * NETWORK_BLOCK, end[3], force[3], moving = 0, off = 0, size = 0;
  for (int i = 0; i < dim; i++) {
    for (int j = 0; j < dim; j++) r[3 * i + j] = k->w[(row + i) * n + row + j];
    k->now.b[row + i] = u[i] + network_dot(r + 3 * i, f, dim);
    moving += abs_f64(u[i]);
  }
  local_slopes d = differentiate(k, diff, c, row, memory, end, force);
  if (ends_there(k, row, dim, end)) return d;
  const int set_valued = (network_traits(at) & BRISTLE_TRAIT_SET_VALUED) != 0;
  if (moving == 0 && set_valued) {
    if (at->law) follow_host(k, c, &d, memory + network_nstate(at));
    return d;
  }
  double coupled[NETWORK_BLOCK];
  for (int i = 0; i < NETWORK_BLOCK; i++) coupled[i] = r[i], r[i] = 0;
  for (int i = 0; i < dim; i++) k->now.b[row + i] = u[i];
  d = differentiate(k, diff, c, row, memory, end, force);
  for (int i = 0; i < dim; i++) off += abs_f64(force[i] - f[i]), size += abs_f64(f[i]);
  if (!at->law || off <= 1e-6 * size) return d;
  for (int i = 0; i < NETWORK_BLOCK; i++) r[i] = coupled[i];
  follow_host(k, c, &d, memory + network_nstate(at));
  return d;
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
  for (int c = 0, row = 0; c < net->count; c++) {
    const int dim = network_dim(&net->contact[c]);
    const local_slopes d = slopes_of(&k, diff, c, row, memory);
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) k.slope[c * NETWORK_BLOCK + 3 * i + j] = d.df[i * d.wide + j];
    fill(&k, c, row);
    params += d.nparam;
    row += dim;
  }
  if (!network_factor(k.lu, k.rows, k.order)) return;
  for (int c = 0, row = 0, first = 0; c < net->count; c++) {
    const int dim = network_dim(&net->contact[c]);
    const local_slopes d = slopes_of(&k, diff, c, row, memory);
    for (int j = 0; out->v && j < dim; j++)
      solve_column(&k, row, dim, k.slope + c * NETWORK_BLOCK + j, 3, out->v + row + j, k.rows);
    if (out->n) solve_column(&k, row, dim, d.df + d.load, d.wide, out->n + c, net->count);
    for (int j = 0; out->p && j < d.nparam; j++)
      solve_column(&k, row, dim, d.df + d.param + j, d.wide, out->p + first + j, params);
    first += d.nparam;
    row += dim;
  }
}
