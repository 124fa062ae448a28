/* bristle/network.h: the memory of a solve and the order of the ways tried. */
#include "core/network.h"

/* what the contacts are, in one look at each */
typedef struct contacts {
  int rows, states;
  int lines, set_valued; /* how many lie along lines; how many can rest exactly */
} contacts;

static contacts survey(const bristle_network *net)
{
  contacts all = { 0, 0, 0, 0 };
  for (int c = 0; c < net->count; c++) {
    const bristle_network_contact *at = &net->contact[c];
    const bristle_info *info = at->law ? at->law->info : at->vector->info;
    all.rows += at->law ? 1 : at->vector->dim;
    all.states += info->nstate;
    all.lines += at->law != NULL;
    all.set_valued += (info->traits & BRISTLE_TRAIT_SET_VALUED) != 0;
  }
  return all;
}

int bristle_network_rows(const bristle_network *net) { return survey(net).rows; }

enum { MATRICES = 3, VECTORS = 3 * 4 + 6 };

size_t bristle_network_work(const bristle_network *net)
{
  const contacts all = survey(net);
  const size_t rows = (size_t)all.rows, states = (size_t)all.states, count = (size_t)net->count;
  return MATRICES * rows * rows + VECTORS * rows + 3 * states + (2 * NETWORK_BLOCK + 1) * count;
}

static double *take(double **memory, int count)
{
  double *at = *memory;
  *memory += count;
  return at;
}

static void take_guess(network_guess *g, double **memory, int rows, int states)
{
  g->b = take(memory, rows), g->u = take(memory, rows), g->f = take(memory, rows), g->r = take(memory, rows);
  g->s = take(memory, states);
  g->size = 1e300, g->scale = 0;
}

/* W of a host that only applies it, column by column */
static void build(network *k)
{
  const int n = k->rows;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) k->y[i] = i == j ? 1 : 0;
    k->net->apply(k->net->host, k->y, k->sum);
    for (int i = 0; i < n; i++) k->own[i * n + j] = k->sum[i];
  }
  k->w = k->own;
}

void network_lay_out(network *k, const bristle_network *net, double *work)
{
  const contacts all = survey(net);
  const int rows = all.rows, states = all.states;
  k->net = net, k->w = net->w, k->v = net->v;
  k->rows = rows, k->states = states, k->lines = all.lines == net->count, k->set_valued = all.set_valued;
  k->prescribed = k->sliding = k->sweeps = 0;
  take_guess(&k->now, &work, rows, states);
  take_guess(&k->next, &work, rows, states);
  take_guess(&k->best, &work, rows, states);
  k->hold = take(&work, NETWORK_BLOCK * net->count);
  k->slope = take(&work, NETWORK_BLOCK * net->count);
  k->measured = (int *)take(&work, net->count);
  k->y = take(&work, rows), k->sum = take(&work, rows), k->order = take(&work, rows);
  k->force = take(&work, rows), k->first = take(&work, rows), k->push = take(&work, rows);
  k->lu = take(&work, rows * rows), k->pair = take(&work, rows * rows);
  k->own = take(&work, rows * rows);
  if (!net->w) build(k);
}

/* forces at the guess: what the laws do when they move as the host thinks */
static void begin(network *k)
{
  k->prescribed = 1;
  for (int i = 0; i < k->rows; i++) k->now.b[i] = k->net->u[i];
  network_evaluate(k, &k->now);
  for (int i = 0; i < k->rows; i++) k->first[i] = k->now.f[i];
}

/* Forces that belong to other velocities might drive: as much of them as takes energy. Set-valued laws store none. */
static void take_energy(network *k, double *f)
{
  double brake = 0, lost = 0;
  network_lost(k, f, k->sum);
  for (int i = 0; i < k->rows; i++) brake += f[i] * k->v[i], lost += f[i] * k->sum[i];
  const double part = !(brake > 0) ? 0 : brake < lost ? 0.5 * brake / lost : 1;
  for (int i = 0; i < k->rows; i++) f[i] *= part;
}

/* nothing fits to the last digits: the best guess, and velocities that close the host's balance */
static void settle(network *k)
{
  network_keep(k, &k->now, &k->best);
  if (k->set_valued == k->net->count) take_energy(k, k->now.f);
  network_lost(k, k->now.f, k->sum);
  k->prescribed = 1;
  double *s = k->now.s;
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    for (int i = 0; i < dim; i++) k->now.b[row + i] = k->v[row + i] - k->sum[row + i];
    for (int i = 0; i < dim; i++) k->y[row + i] = k->now.f[row + i];
    network_local(k, c, row, k->now.b, k->now.u, k->now.f, s);
    for (int i = 0; i < dim; i++) k->now.f[row + i] = k->y[row + i];
    row += dim;
    s += network_nstate(&k->net->contact[c]);
  }
}

static int find(network *k)
{
  const int rest = k->set_valued == k->net->count, direct = rest && k->lines && k->states == 0;
  if (direct ? network_direct(k) : rest && network_rest(k)) return 1;
  if (network_quick(k)) return 1;
  begin(k);
  k->best.size = 1e300;
  for (int i = 0; i < k->rows; i++) k->now.f[i] = k->first[i];
  if (network_newton(k, 8)) return 1;
  const int found = network_path(k);
  if (found && k->set_valued) network_nearer(k);
  return found;
}

/* 0 while all numbers of the host are finite; nothing is looked for with others, which comparisons let pass */
static double nonsense(const network *k)
{
  double none = 0 * k->net->h;
  for (int i = 0; i < k->rows; i++) {
    double row = k->v[i];
    for (int j = 0; j < k->rows; j++) row += k->w[i * k->rows + j];
    none += 0 * row;
  }
  for (int c = 0; c < k->net->count; c++) none += 0 * k->net->contact[c].n;
  return none;
}

bristle_network_report bristle_network_solve(const bristle_network *net, double *work)
{
  network k;
  const double endless = 1e300;
  network_lay_out(&k, net, work);
  if (nonsense(&k) != 0) {
    for (int i = 0; i < k.rows; i++) net->f[i] = 0, net->u[i] = k.v[i];
    return (bristle_network_report){ 0, 0, endless * endless };
  }
  const int found = k.rows == 0 || find(&k);
  if (!found) settle(&k);
  const double size = found ? k.now.size : k.best.size, scale = found ? k.now.scale : k.best.scale;
  double *s = k.now.s, none = 0; /* stays 0 while all forces are finite */
  for (int i = 0; i < k.rows; i++) {
    net->f[i] = k.now.f[i], net->u[i] = k.now.u[i];
    none += 0 * net->f[i] + 0 * net->u[i];
  }
  for (int c = 0; k.states && c < net->count; c++)
    for (int i = 0; i < network_nstate(&net->contact[c]); i++) net->contact[c].s[i] = *s++;
  const double residual = k.rows && scale > 0 ? size / scale : 0;
  if (none != 0) return (bristle_network_report){ k.sweeps, 0, endless * endless };
  return (bristle_network_report){ k.sweeps, found, residual };
}
