/* What the native solver knows at a point of the trajectory: inputs, friction, Jacobian; and which code tries steps. */
#include "sim/native.h"

#include "maths/elementary.h"

#include <string.h>

/* ---- the code for this processor, and the columns for this tolerance ---- */

double native_attempt(native *n, double h, native_point *end);
#if defined(BRISTLE_DISPATCH) && defined(__x86_64__)
double native_attempt_avx2(native *n, double h, native_point *end);
double native_attempt_avx512(native *n, double h, native_point *end);
#endif

/* Weights of the columns `from` up to, but not including, `to`, added with a sign. */
static void add_weights(int first, int from, int to, double sign, double *sum)
{
  for (int j = from; j < to; j++) {
    double product = sign;
    for (int i = from; i < to; i++)
      if (i != j) product *= (double)(first + j) / (j - i);
    sum[j] += product;
  }
}

void native_choose(native *n)
{
  native_columns *table = &n->table;
  const int first = 1;
  memset(table, 0, sizeof *table);
  table->columns = n->rtol > 3e-6 ? 6 : n->rtol > 4e-8 ? 7 : 8;
  table->stages = first + table->columns - 1;
  for (int j = 0; j < MOST_COLUMNS; j++) {
    const int count = first + j;
    table->part[j] = j < table->columns ? 1.0 / count : 1;
    for (int stage = 0; stage < table->stages; stage++) table->on[stage][j] = j < table->columns && stage < count;
  }
  const int all = table->columns;
  add_weights(first, 0, all, 1, table->weight);
  /* the estimate leaves out the first column; one difference can be small by chance, so look at a second one */
  add_weights(first, 0, all, 1, table->estimate);
  add_weights(first, 1, all, -1, table->estimate);
  add_weights(first, 0, all, 0.1, table->second);
  add_weights(first, 0, all - 1, -0.1, table->second);

  n->attempt = native_attempt;
#if defined(BRISTLE_DISPATCH) && defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    n->attempt = native_attempt_avx512;
  else if (__builtin_cpu_supports("avx2")) n->attempt = native_attempt_avx2;
#endif
}

double native_try(native *n, double h, native_point *end)
{
  n->recorder.stats->evaluations += (size_t)(n->table.stages - 1 + n->varying) * (size_t)n->table.columns;
  const double worst = n->attempt(n, h, end);
  end->base_x += n->plain ? n->in.base * h : bristle_program_integral(&n->host.rig->base, n->t, n->t + h);
  return isfinite(worst) ? worst : HUGE_VAL;
}

/* ---- inputs ---- */

static int is_straight(const bristle_program *p) { return p->kind == BRISTLE_PROGRAM_KNOTS; }

static int varies(const bristle_program *p, const bristle_piece *piece) { return !is_straight(p) || piece->rate != 0; }

double native_begin_piece(native *n)
{
  const bristle_axis *r = n->host.rig;
  const double end = axis_begin(&n->host, n->t);
  n->varying = varies(&r->base, &n->host.pieces.base) || varies(&r->load, &n->host.pieces.load);
  n->plain = !n->varying && is_straight(&r->force) && is_straight(&r->anchor) && is_straight(&r->target) && !r->observer
             && !(r->limit > 0) && r->gravity == 0;
  n->in = axis_inputs_at(&n->host, n->t);
  n->push_rate = 0;
  if (n->plain)
    n->push_rate = n->host.gain * (n->host.pieces.force.rate + r->kp * n->host.pieces.target.rate)
                   + r->stiffness * n->host.pieces.anchor.rate;
  return end;
}

double native_slip(const native *n, double t, const native_point *at)
{
  return at->v - (n->varying ? bristle_program_value(&n->host.rig->base, &n->host.pieces.base, t, NULL) : n->in.base);
}

double native_one_way(const native *n, double slip)
{
  return n->direction > 0 ? fmax(slip, 1e-200) : fmin(slip, -1e-200);
}

/* the contact as the law sees it */
static bristle_input contact_at(const native *n, const axis_inputs *in, const native_point *at)
{
  return (bristle_input){
    .v = at->v - in->base, .x = at->x - at->base_x, .n = in->load, .load = n->host.rig->contact.load
  };
}

static double compensation_at(const native *n, const axis_inputs *in, const native_point *at)
{
  double unused;
  return n->host.observer ? axis_observe(&n->host, in, at->x, at->v, at->w[n->law_bristles], &unused) : 0;
}

double native_accel(const native *n, double t, const native_point *at)
{
  const axis_inputs in = axis_inputs_at(&n->host, t);
  bristle_input contact = contact_at(n, &in, at);
  double rates[MOST_BRISTLES];
  if (n->locked) return 0;
  if (n->sharp) contact.v = native_one_way(n, contact.v);
  const double friction = n->host.model->eval(n->host.rig->contact.p, at->w, &contact, rates);
  return (axis_push(&n->host, &in, at->x, at->v, at->c, compensation_at(n, &in, at)) - friction) * n->host.per_mass;
}

bristle_mode native_mode(const native *n, double t, const native_point *at)
{
  const axis_inputs now = t == n->t ? n->in : axis_inputs_at(&n->host, t);
  const bristle_input contact = contact_at(n, &now, at);
  return n->host.model->mode(n->host.rig->contact.p, at->w, &contact);
}

/* ---- the point a step starts from ---- */

static void look_observer(native *n, double *compensation)
{
  const int k = n->law_bristles;
  double df[BRISTLE_D_STATE + 1], drate[BRISTLE_D_STATE + 1], rate;
  const bristle_input at = { .v = n->at.v, .n = 1, .load = BRISTLE_LOAD_FORCE };
  const bristle_axis *r = n->host.rig;
  r->observer_law->diff->jacobian(r->observer, &n->at.w[k], &at, &rate, df, drate);
  *compensation = axis_observe(&n->host, &n->in, n->at.x, n->at.v, n->at.w[k], &n->rate[k]);
  const double gain = n->host.gain;
  n->rv[k] = drate[BRISTLE_D_V];
  n->rx[k] = -r->observer_gain;
  n->rw[k][k] = drate[BRISTLE_D_STATE];
  n->fw[k] = 0;
  n->kw[k] = gain * df[BRISTLE_D_STATE];
  n->kv -= gain * df[BRISTLE_D_V];
  n->kx += gain * n->host.observer_damping * r->observer_gain;
}

static void look_friction(native *n)
{
  const bristle_axis *r = n->host.rig;
  const int size = n->law_bristles, row = BRISTLE_D_STATE + size;
  double df[BRISTLE_D_STATE + MOST_BRISTLES], drate[MOST_BRISTLES * (BRISTLE_D_STATE + MOST_BRISTLES)];
  bristle_input at = contact_at(n, &n->in, &n->at);
  if (n->sharp) at.v = native_one_way(n, at.v);
  n->friction = n->host.diff->jacobian(r->contact.p, n->at.w, &at, n->rate, df, drate);
  n->recorder.stats->jacobians++;
  const double slowest = native_slowest(n);
  if (n->steep
      && fabs(at.v) < slowest) { /* a slope without bounds would stop everything: that of a speed that counts */
    at.v = at.v < 0 ? -slowest : slowest;
    n->host.diff->jacobian(r->contact.p, n->at.w, &at, n->rate, df, drate);
  }
  n->fv = df[BRISTLE_D_V];
  n->fx = df[BRISTLE_D_X];
  for (int k = 0; k < size; k++) {
    n->fw[k] = df[BRISTLE_D_STATE + k];
    n->kw[k] = 0;
    n->rv[k] = drate[k * row + BRISTLE_D_V];
    n->rx[k] = drate[k * row + BRISTLE_D_X];
    for (int j = 0; j < size; j++) n->rw[k][j] = drate[k * row + BRISTLE_D_STATE + j];
  }
}

/* slope of the acceleration, by the Jacobian; true where the inputs are plain */
static double jerk_of(const native *n)
{
  double force = n->push_rate - (n->kv + n->fv) * n->accel - (n->kx + n->fx) * n->at.v
                 + n->ki * (n->in.target - n->at.x) + n->fx * n->in.base;
  for (int k = 0; k < n->bristles; k++) force -= (n->fw[k] - n->kw[k]) * n->rate[k];
  return force * n->host.per_mass;
}

static double line_at(const bristle_program *p, const bristle_piece *piece, double t)
{
  return p->offset + piece->y0 + piece->rate * (t - piece->t0);
}

/* Inputs on straight lines need no questions; load and surface stay as they are. */
static void plain_inputs(native *n)
{
  const bristle_axis *r = n->host.rig;
  const axis_pieces *p = &n->host.pieces;
  n->in.force = line_at(&r->force, &p->force, n->t);
  n->in.anchor = line_at(&r->anchor, &p->anchor, n->t);
  n->in.target = line_at(&r->target, &p->target, n->t);
}

void native_look(native *n)
{
  const bristle_axis *r = n->host.rig;
  double compensation = 0;
  if (n->plain) plain_inputs(n);
  else n->in = axis_inputs_at(&n->host, n->t);
  n->kv = n->host.gain * r->kd;
  n->kx = n->host.gain * r->kp;
  n->ki = n->host.gain * r->ki;
  look_friction(n);
  if (r->observer) look_observer(n, &compensation);
  if (r->limit > 0 && fabs(axis_command(r, &n->in, n->at.x, n->at.v, n->at.c) + compensation) > r->limit)
    n->kv = n->kx = n->ki = n->kw[n->law_bristles] = 0; /* a saturated drive answers to nothing */
  n->kv += r->damping + r->drag;
  n->kx += r->stiffness + (r->gravity != 0 ? r->gravity * cos(n->at.x) : 0);
  n->push = axis_push(&n->host, &n->in, n->at.x, n->at.v, n->at.c, compensation);
  n->accel = n->locked ? 0 : (n->push - n->friction) * n->host.per_mass;
  double surface = 0;
  if (n->varying) bristle_program_value(&r->base, &n->host.pieces.base, n->t, &surface);
  n->slip_accel = n->accel - surface;
  n->jerk = jerk_of(n);
}

double native_hold(native *n, double t, const native_point *at, double *level)
{
  const axis_inputs in = axis_inputs_at(&n->host, t);
  double base_rate, rates[MOST_BRISTLES];
  bristle_program_value(&n->host.rig->base, &n->host.pieces.base, t, &base_rate);
  const double needed = axis_push(&n->host, &in, at->x, at->v, at->c, compensation_at(n, &in, at))
                        - n->host.rig->mass * base_rate;
  bristle_input rest = contact_at(n, &in, at);
  rest.v = 0;
  rest.f = needed < 0 ? -1e300 : 1e300;
  *level = fabs(n->host.model->eval(n->host.rig->contact.p, at->w, &rest, rates));
  return needed;
}
