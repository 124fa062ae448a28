/* The contacts of a network one by one: each law's own step, prescribed or coupled with r, its slopes, and what a guess
 * leaves of the balance. */
#include "core/network.h"

/* a law's own step at the velocity v; r = 0 */
static double step_at(const network *k, int c, double v, double push, double *s)
{
  const bristle_network_contact *at = &k->net->contact[c];
  const bristle_input in = { v, at->x, at->n, push, 0, 0, k->net->h, at->load };
  double u;
  for (int i = 0; i < at->law->info->nstate; i++) s[i] = at->s[i];
  return at->law->step(at->p, s, &in, &u);
}

/* The end velocity of a contact that moves although it could rest: u + r F(u) = b, by halving, faster by secants. A
   jump of the law is filled. 0 where it cannot move. */
static double slide(const network *k, int c, double b, double r, double *f, double *s)
{
  enum { ROUNDS = 200 };
  const bristle_network_contact *at = &k->net->contact[c];
  const double d = copysign_f64(1, b), push = network_push(at, d);
  double lo = 1e-250, hi = abs_f64(b), below = lo + r * d * step_at(k, c, d * lo, push, s) - hi, above = 0, u = hi;
  if (!(below < 0)) return 0;
  for (int i = 0, side = 0; i < ROUNDS; i++) {
    *f = step_at(k, c, d * u, push, s);
    const double left = (u - abs_f64(b)) + r * d * *f;
    if (abs_f64(left) <= 2e-16 * (abs_f64(b) + r * abs_f64(*f))) return d * u;
    if (i == 0 && left < 0) return 0; /* pushed forwards: no law of friction */
    if (left < 0) lo = u, below = left, above *= side < 0 ? 0.5 : 1, side = -1;
    else hi = u, above = left, below *= side > 0 ? 0.5 : 1, side = 1;
    const double secant = lo + (hi - lo) * (below / (below - above)), middle = 0.5 * (lo + hi);
    u = i % 3 < 2 && secant > lo && secant < hi ? secant : middle;
    if (!(u > lo && u < hi)) break;
  }
  *f = (b - d * u) / r; /* between the two sides of a jump */
  return d * u;
}

/* contact c alone, from the state before the step: at the velocity b, or coupled with its block of r */
static void local_scalar(const network *k, int c, const double *b, double *u, double *f, double *s)
{
  const bristle_network_contact *at = &k->net->contact[c];
  const double r = k->prescribed ? 0 : k->hold[c * NETWORK_BLOCK];
  const bristle_input in = { *b, at->x, at->n, r > 0 ? 0 : network_push(at, *b), 0, r, k->net->h, at->load };
  *f = at->law->step(at->p, s, &in, u);
  if (!k->sliding || !(r > 0) || *u != 0 || *b == 0 || !(network_traits(at) & BRISTLE_TRAIT_SET_VALUED)) return;
  double moved[BRISTLE_LAW_SIZE], force;
  const double end = slide(k, c, *b, r, &force, moved);
  if (end == 0) return;
  *u = end, *f = force;
  for (int i = 0; i < at->law->info->nstate; i++) s[i] = moved[i];
}

static void local_vector(const network *k, int c, const double *b, double *u, double *f, double *s)
{
  const bristle_network_contact *at = &k->net->contact[c];
  const int dim = at->vector->dim;
  bristle_vector_input in = { .n = at->n, .h = k->net->h, .load = at->load };
  for (int i = 0; i < dim; i++) {
    in.v[i] = b[i];
    for (int j = 0; j < dim && !k->prescribed; j++) in.w[i][j] = k->hold[c * NETWORK_BLOCK + 3 * i + j];
  }
  at->vector->step(at->p, s, &in, f, u);
}

void network_local(network *k, int c, int row, const double *b, double *u, double *f, double *s)
{
  const bristle_network_contact *at = &k->net->contact[c];
  const int states = network_nstate(at);
  for (int i = 0; i < states; i++) s[i] = at->s[i];
  if (at->law) local_scalar(k, c, b + row, u + row, f + row, s);
  else local_vector(k, c, b + row, u + row, f + row, s);
}

void network_lost(const network *k, const double *f, double *lost)
{
  for (int i = 0; i < k->rows; i++) lost[i] = network_dot(k->w + i * k->rows, f, k->rows);
}

/* a number as two halves whose products are exact (Dekker): there is no fused multiply-add everywhere */
FN double upper_half(double x)
{
  const double wide = 134217729 * x;
  return wide - (wide - x);
}

/* u - v + w f as if computed with twice the digits */
static double exact_balance(const double *w, const double *f, int n, double u, double v)
{
  double sum = u - v, rest = sum - u;
  rest = (u - (sum - rest)) - (v + rest);
  for (int j = 0; j < n; j++) {
    const double part = w[j] * f[j], a = upper_half(w[j]), b = upper_half(f[j]), c = w[j] - a, d = f[j] - b;
    const double next = sum + part, shift = next - sum;
    rest += (c * d - (((part - a * b) - c * b) - a * d)) + ((sum - (next - shift)) + (part - shift));
    sum = next;
  }
  return sum + rest;
}

/* Near a solution rounding of sums is all that is left of the balance, and Newton's method would follow it. */
static void refine(const network *k, network_guess *at)
{
  double size = 0;
  for (int i = 0; i < k->rows; i++) {
    at->r[i] = exact_balance(k->w + i * k->rows, at->f, k->rows, at->u[i], k->v[i]);
    if (!(abs_f64(at->r[i]) <= size)) size = abs_f64(at->r[i]);
  }
  at->size = size;
}

/* u - v + W F, its largest entry and the size of what it is made of */
void network_balance(const network *k, network_guess *at)
{
  at->size = at->scale = 0;
  for (int i = 0; i < k->rows; i++) {
    const double *w = k->w + i * k->rows;
    double sum = 0, size = abs_f64(k->v[i]);
    for (int j = 0; j < k->rows; j++) {
      const double part = w[j] * at->f[j];
      sum += part, size += abs_f64(part);
    }
    at->r[i] = at->u[i] - k->v[i] + sum;
    if (!(abs_f64(at->r[i]) <= at->size)) at->size = abs_f64(at->r[i]);
    if (size > at->scale) at->scale = size;
  }
}

void network_evaluate(network *k, network_guess *at)
{
  const bristle_network *net = k->net;
  double *s = at->s;
  k->sweeps++;
  for (int c = 0, row = 0; c < net->count; c++) {
    network_local(k, c, row, at->b, at->u, at->f, s);
    row += network_dim(&net->contact[c]);
    s += network_nstate(&net->contact[c]);
  }
  network_balance(k, at);
  if (at->size <= 1e-13 * at->scale) refine(k, at);
}

double network_force(const network *k, int c, double v, double push)
{
  const bristle_network_contact *at = &k->net->contact[c];
  const bristle_input in = { v, at->x, at->n, push, 0, 0, k->net->h, at->load };
  double s[BRISTLE_LAW_SIZE];
  for (int i = 0; i < at->law->info->nstate; i++) s[i] = at->s[i];
  return at->law->step(at->p, s, &in, NULL);
}

/* The slope of a set-valued law's coupled step without another search: 1/r at rest, else from two steps at given
   velocities. 0 where the force is not the law's own, because the coupled step filled a jump. */
static int set_valued_slope(const network *k, int c, double b, double u, double f, double nudge, double *slope)
{
  const double r = k->hold[c * NETWORK_BLOCK];
  if (u == 0) {
    *slope = 1 / r;
    return 1;
  }
  const double force[2] = { network_force(k, c, u, b / r), network_force(k, c, u + nudge, b / r) };
  const double rise = (force[1] - force[0]) / ((u + nudge) - u), under = 1 + r * rise;
  *slope = rise / under;
  return under != 0 && abs_f64(force[0] - f) <= 1e-9 * abs_f64(f);
}

/* does what was found before tell the slope of a contact that moves on in its direction? */
static int slope_on(network *k, int c, int row, const network_guess *at, const network_guess *before)
{
  if (!before || !k->net->contact[c].law || !(at->u[row] * before->u[row] > 0)) return 0;
  return network_slope_on(k->slope + c * NETWORK_BLOCK, k->measured + c, at->b[row] - before->b[row],
                          at->f[row] - before->f[row], at->f[row], k->w[row * (k->rows + 1)]);
}

/* d force/d b of every contact, by a difference of its own step, on the side to which it moves; at rest towards where
   the balance pulls. Bristles are stiffer one way than the other. */
void network_slopes(network *k, const network_guess *at, const network_guess *before)
{
  double state[BRISTLE_LAW_SIZE], u[3], f[3], b[3];
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const bristle_network_contact *contact = &k->net->contact[c];
    const int dim = network_dim(contact), states = network_nstate(contact);
    const int told = slope_on(k, c, row, at, before);
    if (!told) k->measured[c] = 1;
    for (int j = 0; !told && j < dim; j++) {
      const double w = k->w[(row + j) * k->rows + row + j];
      /* small beside what the contact feels, large beside rounding */
      double nudge = 1e-8 * (abs_f64(at->b[row + j]) + abs_f64(k->v[row + j]) + w * abs_f64(at->f[row + j])) + 1e-200;
      const double u_now = at->u[row + j];
      if (u_now < 0 || (u_now == 0 && at->r[row + j] > 0)) nudge = -nudge;
      if (!k->prescribed && k->hold[c * NETWORK_BLOCK] > 0 && contact->law
          && (network_traits(contact) & BRISTLE_TRAIT_SET_VALUED)
          && set_valued_slope(k, c, at->b[row], u_now, at->f[row], nudge, k->slope + c * NETWORK_BLOCK))
        continue;
      for (int i = 0; i < dim; i++) b[i] = at->b[row + i];
      b[j] += nudge;
      nudge = b[j] - at->b[row + j];
      for (int i = 0; i < states; i++) state[i] = contact->s[i];
      if (contact->law) local_scalar(k, c, b, u, f, state);
      else local_vector(k, c, b, u, f, state);
      for (int i = 0; i < dim; i++) k->slope[c * NETWORK_BLOCK + 3 * i + j] = (f[i] - at->f[row + i]) / nudge;
    }
    row += dim;
  }
}

double network_merit(const network *k, const network_guess *at)
{
  double sum = 0;
  for (int i = 0; i < k->rows; i++) sum += at->r[i] * at->r[i] / k->w[i * k->rows + i];
  return sum;
}

int network_done(const network_guess *at) { return at->size <= 1e-12 * at->scale; }
int network_settled(const network_guess *at) { return at->size <= 2e-15 * at->scale; }
int network_exact(const network_guess *at) { return at->size <= 4e-16 * at->scale; }

void network_swap(network_guess *a, network_guess *b)
{
  const network_guess c = *a;
  *a = *b, *b = c;
}

void network_keep(network *k, network_guess *to, const network_guess *from)
{
  for (int i = 0; i < k->rows; i++)
    to->b[i] = from->b[i], to->u[i] = from->u[i], to->f[i] = from->f[i], to->r[i] = from->r[i];
  for (int i = 0; i < k->states; i++) to->s[i] = from->s[i];
  to->size = from->size, to->scale = from->scale;
}

/* ---- r ---- */

void network_hold_diagonal(network *k)
{
  k->prescribed = 0;
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < dim; j++) k->hold[c * NETWORK_BLOCK + 3 * i + j] = k->w[(row + i) * k->rows + row + j];
    row += dim;
  }
}
