/* The native step: extrapolated linearly implicit Euler, all columns of the extrapolation side by side in lanes.
 *
 * Lane j takes count[j] sub-steps of h/count[j]. Each solves
 *
 *   dx = h (v + dv),  dc = h (r - x - dx),  (1 - h R_w) dw = h (rate + R_v dv + R_x dx),
 *   m dv = h (push - F - E_v dv - E_x dx - E_w dw + k_i dc)
 *
 * with the Jacobian of the start of the whole step; x, c and the bristles w are eliminated, which leaves one
 * division for dv. Inputs are taken at the end of each sub-step. Friction is evaluated by the law's own batch loop, one
 * contact for each lane.
 *
 * The time of a step is the latency of law and solve in turn, so whatever does not wait for the law is worked out
 * beside it. Compiled as C++ once for each instruction set, under the name NATIVE_ATTEMPT; without contraction all give
 * the same bits. */

extern "C" {
#include "sim/native.h"
double NATIVE_ATTEMPT(native *n, double h, native_point *end);
}
#include "core/wide.h"
#include "maths/elementary.h"

namespace {

FN wide<NATIVE> spread(double a, const wide<NATIVE> *) { return { a - pack{} }; } /* not +: that would turn -0 */
template <int N> FN wide<N> spread(double a, const wide<N> *)
{
  return { spread(a, (const wide<N / 2> *)nullptr), spread(a, (const wide<N / 2> *)nullptr) };
}
FN lanes all(double a) { return spread(a, (const lanes *)nullptr); }
FN lanes load(const double *a)
{
  lanes d;
  __builtin_memcpy(&d, a, sizeof d);
  return d;
}
FN void store(double *a, lanes d) { __builtin_memcpy(a, &d, sizeof d); }
FN lanes operator+(double a, lanes b) { return all(a) + b; }
FN lanes operator+(lanes a, double b) { return a + all(b); }
FN lanes operator-(lanes a, double b) { return a - all(b); }
FN lanes operator-(double a, lanes b) { return all(a) - b; }
FN lanes operator*(double a, lanes b) { return b * a; }

/* what does not change during the sub-steps */
struct factors {
  lanes h, per_mass;                         /* sub-step; dv = per_mass * force */
  lanes resist;                              /* force on dv by the velocity itself: position and integral that follow */
  lanes lower[MOST_BRISTLES][MOST_BRISTLES]; /* LU of 1 - h R_w; the diagonal holds reciprocals */
  lanes gain[MOST_BRISTLES];                 /* E_w (1 - h R_w)^-1 h */
  lanes follow[MOST_BRISTLES];               /* dw/dv */
};

struct running {
  lanes x, v, c, w[MOST_BRISTLES], ledger[LEDGER]; /* changes since the start of the step */
  lanes slip;                                      /* of plain inputs; ahead of v, since the law waits for it */
};

/* what the law is asked and answers, in memory */
struct rubbing {
  native_row slip, x, load, force, bent[MOST_BRISTLES], rate[MOST_BRISTLES];
  bristle_batch batch;
};

struct stage_inputs {
  lanes push, target, base, anchor, anchor_rate; /* push at the state where the sub-step starts */
  lanes carried;                                 /* change of the surface's speed in the sub-step */
};

/* ---- linear algebra in lanes: small, without pivoting (1 - h R_w has a dominant diagonal; a bad one fails the error
   test) ---- */

FN void factor(const native *n, factors *f, const int size)
{
  for (int i = 0; i < size; i++)
    for (int k = 0; k < size; k++) f->lower[i][k] = (i == k ? 1.0 : 0.0) - f->h * n->rw[i][k];
  for (int k = 0; k < size; k++) {
    f->lower[k][k] = all(1) / f->lower[k][k];
    for (int i = k + 1; i < size; i++) {
      if (n->rw[i][k] == 0 && k == 0) continue; /* most laws have independent bristles */
      f->lower[i][k] = f->lower[i][k] * f->lower[k][k];
      for (int j = k + 1; j < size; j++) f->lower[i][j] = f->lower[i][j] - f->lower[i][k] * f->lower[k][j];
    }
  }
}

FN void solve(const factors *f, lanes *b, const int size)
{
  for (int i = 1; i < size; i++)
    for (int k = 0; k < i; k++) b[i] = b[i] - f->lower[i][k] * b[k];
  for (int i = size - 1; i >= 0; i--) {
    for (int k = i + 1; k < size; k++) b[i] = b[i] - f->lower[i][k] * b[k];
    b[i] = b[i] * f->lower[i][i];
  }
}

/* row vector times the inverse */
FN void solve_transposed(const factors *f, lanes *b, const int size)
{
  for (int i = 0; i < size; i++) {
    for (int k = 0; k < i; k++) b[i] = b[i] - f->lower[k][i] * b[k];
    b[i] = b[i] * f->lower[i][i];
  }
  for (int i = size - 2; i >= 0; i--)
    for (int k = i + 1; k < size; k++) b[i] = b[i] - f->lower[k][i] * b[k];
}

FN void prepare(const native *n, double h, factors *f, const int size)
{
  f->h = load(n->table.part) * h;
  factor(n, f, size);
  f->resist = f->h * (n->kx + n->fx + n->ki * f->h);
  lanes effort = n->kv + n->fv + f->resist;
  for (int k = 0; k < size; k++) {
    f->follow[k] = f->h * (n->rv[k] + f->h * n->rx[k]);
    f->gain[k] = all(n->fw[k] - n->kw[k]);
  }
  solve(f, f->follow, size);
  solve_transposed(f, f->gain, size);
  for (int k = 0; k < size; k++) {
    effort = effort + (n->fw[k] - n->kw[k]) * f->follow[k];
    f->gain[k] = f->gain[k] * f->h;
    f->resist = f->resist + f->gain[k] * f->h * n->rx[k];
  }
  f->per_mass = f->h / (n->host.rig->mass + f->h * effort);
}

/* ---- inputs and friction ---- */

/* straight lines and constants: everything is known from the start of the step */
FN void plain_inputs(const native *n, lanes passed, const running *s, stage_inputs *in, rubbing *r, int ledger)
{
  in->push = (n->push + n->push_rate * passed) - (n->kx * s->x + n->kv * s->v - n->ki * s->c);
  in->target = n->in.target + n->in.target_rate * passed;
  in->base = all(n->in.base);
  store(r->x, (n->at.x - n->at.base_x) + s->x - n->in.base * passed);
  if (!ledger) return;
  in->anchor = n->in.anchor + n->in.anchor_rate * passed;
  in->anchor_rate = all(n->in.anchor_rate);
}

/* everything else, column by column; `rate` is that of the observer */
void other_inputs(const native *n, const factors *f, int stage, const running *s, stage_inputs *in, rubbing *r,
                  native_row rate)
{
  native_row x, v, c, h, push = { 0 }, target = { 0 }, base = { 0 }, anchor = { 0 }, anchor_rate = { 0 };
  native_row carried = { 0 }, observed = { 0 };
  store(h, f->h);
  store(x, n->at.x + s->x);
  store(v, n->at.v + s->v);
  store(c, n->at.c + s->c);
  if (n->host.observer) store(observed, n->at.w[n->law_bristles] + s->w[n->law_bristles]);
  for (int l = 0; l < n->table.columns; l++) {
    const double t = n->t + h[l] * stage;
    const axis_inputs at = axis_inputs_at(&n->host, t);
    const double added = n->host.observer ? axis_observe(&n->host, &at, x[l], v[l], observed[l], &rate[l]) : 0;
    push[l] = axis_push(&n->host, &at, x[l], v[l], c[l], added);
    target[l] = at.target;
    base[l] = at.base;
    if (n->varying)
      carried[l] = at.base
                   - bristle_program_value(&n->host.rig->base, &n->host.pieces.base, n->t + h[l] * (stage - 1), NULL);
    anchor[l] = at.anchor;
    anchor_rate[l] = at.anchor_rate;
    r->load[l] = at.load;
    r->x[l] = x[l] - n->at.base_x - bristle_program_integral(&n->host.rig->base, n->t, t);
  }
  *in = { load(push), load(target), load(base), load(anchor), load(anchor_rate), load(carried) };
}

FN void rub(const native *n, const running *s, lanes slip, rubbing *r, const int size)
{
  store(r->slip, slip);
  for (int l = 0; n->sharp && l < LANES; l++) r->slip[l] = native_one_way(n, r->slip[l]);
  for (int k = 0; k < size; k++) store(r->bent[k], n->at.w[k] + s->w[k]);
  n->host.model->eval_n(&r->batch);
}

/* The law is asked at the slip where the sub-step starts, so that a surface that speeds up does not put it on the wrong
   side of the kink; what the surface adds by the end comes in by the Jacobian, like everything else. */
FN void carry(const native *n, lanes carried, lanes *force, lanes *rate)
{
  *force = *force - n->fv * carried;
  for (int k = 0; k < n->law_bristles; k++) rate[k] = rate[k] - n->rv[k] * carried;
}

/* ---- energy ---- */

FN void account(const native *n, const factors *f, const stage_inputs *in, const running *s, lanes on, lanes dv,
                lanes dx, const lanes *dw, lanes force, lanes spent[LEDGER])
{
  const bristle_axis *r = n->host.rig;
  const lanes v1 = n->at.v + s->v + dv, x1 = n->at.x + s->x + dx, lag = in->anchor_rate - v1;
  lanes spring = r->stiffness * (in->anchor - x1) + r->damping * lag, rubbed;
  if (n->locked) {
    /* friction is what keeps the mass on the surface */
    rubbed = in->push - n->kx * dx - n->kv * dv + n->ki * (f->h * (in->target - x1)) - r->mass * dv / f->h;
  } else {
    rubbed = force + n->fv * dv + n->fx * dx; /* at the end of the sub-step, as the linear equations see it */
    for (int k = 0; k < n->law_bristles; k++) rubbed = rubbed + n->fw[k] * dw[k];
  }
  lanes height = all(0);
  if (r->gravity != 0) {
    native_row x;
    store(x, x1);
    for (int l = 0; l < LANES; l++) x[l] = r->gravity * sin(x[l]);
    height = load(x);
  }
  /* what the drive must have given, from the balance of momentum */
  const lanes drive = r->mass * dv / f->h - spring + r->drag * v1 + height + rubbed, h = on * f->h;
  spent[WORK_IN] = h * (drive * v1 + spring * in->anchor_rate - rubbed * in->base);
  spent[DAMPED] = h * (r->damping * lag * lag + r->drag * v1 * v1);
  spent[RUBBED] = h * rubbed * (v1 - in->base);
}

/* ---- one stage: sub-step `stage` of every lane that has one ---- */

template <int SIZE, bool PLAIN, bool ENERGY>
FN void advance(const native *n, const factors *f, int stage, running *s, rubbing *r)
{
  const int size = SIZE < 0 ? n->bristles : SIZE;
  const lanes on = load(n->table.on[stage - 1]), passed = f->h * (double)stage, v = n->at.v + s->v;
  const lanes h = f->h * on, per_mass = f->per_mass * on; /* columns that are done stand still */
  stage_inputs in;
  native_row observed = { 0 };
  lanes force = all(0), rate[MOST_BRISTLES], dw[MOST_BRISTLES], dv;
  if (PLAIN) {
    plain_inputs(n, passed, s, &in, r, ENERGY);
  } else {
    other_inputs(n, f, stage, s, &in, r, observed);
  }

  const lanes miss = in.target - n->at.x - s->x;
  const lanes early = in.push - f->resist * v + n->ki * f->h * miss; /* all that does not wait for the law */
  if (stage == 1 && !n->varying) { /* all lanes start at the same point, where friction is known */
    force = all(n->friction);
    for (int k = 0; k < size; k++) rate[k] = all(n->rate[k]);
  } else if (PLAIN || !n->locked) {
    rub(n, s, PLAIN ? s->slip : v - (in.base - in.carried), r, PLAIN ? size : n->law_bristles);
    force = load(r->force);
    for (int k = 0; k < size; k++) rate[k] = load(r->rate[k]);
    if (!PLAIN) carry(n, in.carried, &force, rate);
  } else {
    for (int k = 0; k < size; k++) rate[k] = all(0);
  }
  if (!PLAIN && n->host.observer) rate[n->law_bristles] = load(observed);

  if (!PLAIN && n->locked) {
    dv = on * (in.base - v);
  } else {
    lanes held = force;
    for (int k = 0; k < size; k++) held = held + f->gain[k] * rate[k];
    dv = (early - held) * per_mass;
  }
  const lanes dx = h * v + h * dv, dc = h * (miss - dx);
  for (int k = 0; k < size; k++) dw[k] = h * (rate[k] + f->h * n->rx[k] * v);
  solve(f, dw, size);
  for (int k = 0; k < size; k++) dw[k] = dw[k] + f->follow[k] * dv;
  if (ENERGY) {
    lanes spent[LEDGER];
    account(n, f, &in, s, on, dv, dx, dw, force, spent);
    for (int k = 0; k < LEDGER; k++) s->ledger[k] = s->ledger[k] + spent[k];
  }
  if (PLAIN) s->slip = ((n->at.v - n->in.base) + s->v) + dv; /* the shortest way from dv to the law */
  s->v = s->v + dv;
  s->x = s->x + dx;
  s->c = s->c + dc;
  for (int k = 0; k < size; k++) s->w[k] = s->w[k] + dw[k];
}

/* ---- extrapolation ---- */

FN double sum(lanes a)
{
  native_row p;
  store(p, a);
  return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

/* adds the extrapolated change to a value; returns its error in parts of what is allowed, or the worst so far */
FN double judge(const native *n, lanes change, double *value, double per_error, double worst)
{
  const double error = sum(load(n->table.estimate) * change), second = sum(load(n->table.second) * change);
  *value += sum(load(n->table.weight) * change);
  const double ratio = larger(fabs(error), fabs(second)) * per_error;
  if (!(error + second < HUGE_VAL)) return HUGE_VAL; /* also where it is not a number */
  return larger(ratio, worst);
}

template <int SIZE, bool PLAIN, bool ENERGY> double attempt(native *n, double h, native_point *end)
{
  const int size = SIZE < 0 ? n->bristles : SIZE;
  const bristle_axis *rig = n->host.rig;
  factors f;
  running s;
  rubbing r;
  s.x = s.v = s.c = all(0);
  s.slip = all(n->at.v - n->in.base);
  for (int k = 0; k < size; k++) s.w[k] = all(0);
  for (int k = 0; ENERGY && k < LEDGER; k++) s.ledger[k] = all(0);
  store(r.load, all(n->in.load));
  if (!PLAIN) store(r.x, all(0));
  r.batch = {};
  r.batch.count = LANES;
  r.batch.p = rig->contact.p;
  r.batch.s = r.bent[0];
  r.batch.v = r.slip;
  r.batch.x = r.x;
  r.batch.n = r.load;
  r.batch.load = rig->contact.load;
  r.batch.f = r.force;
  r.batch.rate = r.rate[0];
  prepare(n, h, &f, size);
  for (int stage = 1; stage <= n->table.stages; stage++) advance<SIZE, PLAIN, ENERGY>(n, &f, stage, &s, &r);

  *end = n->at;
  double worst = judge(n, s.x, &end->x, n->per_error.x, 0);
  worst = judge(n, s.v, &end->v, n->per_error.v, worst);
  if (rig->ki != 0) worst = judge(n, s.c, &end->c, n->per_error.c, worst);
  for (int k = 0; k < size; k++) worst = judge(n, s.w[k], &end->w[k], n->per_error.w[k], worst);
  for (int k = 0; ENERGY && k < LEDGER; k++) end->ledger[k] += sum(load(n->table.weight) * s.ledger[k]);
  return worst;
}

} // namespace

double NATIVE_ATTEMPT(native *n, double h, native_point *end)
{
  if (!n->plain || n->locked || n->bristles > 1) return attempt<-1, false, true>(n, h, end);
  if (n->bristles == 0) return attempt<0, true, true>(n, h, end);
  return n->ledger ? attempt<1, true, true>(n, h, end) : attempt<1, true, false>(n, h, end);
}
