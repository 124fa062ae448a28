/* The derivatives of a law: its own kernels, run on numbers that carry eight directions at a time.
 *
 * A coupled step is differentiated at its solution. The end velocity u is found in plain numbers; the move at u
 * is then run once with a lane for u itself, and u - v + w F(u) = 0 gives du for every direction. */

extern "C" {
extern const bristle_model BRISTLE_CAT(BRISTLE_CAT(bristle_, SYMBOL), _model);
extern const bristle_diff BRISTLE_CAT(BRISTLE_CAT(bristle_, SYMBOL), _diff);
}

namespace {

enum {
  NPARAM = ROLE(nparam),
  NSTATE = ROLE(nstate),
  DIRECTIONS = BRISTLE_D_STATE + NSTATE + NPARAM,
  D_PARAM = BRISTLE_D_STATE + NSTATE,
  D_END = DIRECTIONS, /* the end velocity of a coupled step, known only inside this file */
  COLUMNS = DIRECTIONS + 1
};

/* which parameters have a derivative, and which lane each gets in a sensitivity step */
struct lane_map {
  int lane[NPARAM], count;
  constexpr lane_map() : lane{}, count(0)
  {
    int at = 0;
#define P_LANE(name, unit, def, lo, hi, kind, ...) lane[at++] = BRISTLE_ROW_##kind == BRISTLE_ROW_OPTION ? -1 : count++;
#define V_LANE(name, size, ...) for (int i = 0; i < (size); i++) lane[at++] = count++;
    ALL_PARAMS(P_LANE, V_LANE)
  }
};
constexpr lane_map active;

/* the unit vector of a direction, seen from the pass whose lanes start at `first` */
FN lanes unit(int direction, int first)
{
  double one[LANES] = { 0 };
  if (direction >= first && direction < first + LANES) one[direction - first] = 1.0;
  lanes d;
  __builtin_memcpy(&d, one, sizeof d);
  return d;
}

FN input seeded_input(const bristle_input *in, double v, int coupled, int first)
{
  input k;
  k.v = real(v, unit(coupled ? (int)D_END : (int)BRISTLE_D_V, first));
  k.x = real(in->x, unit(BRISTLE_D_X, first));
  k.n = real(in->n, unit(BRISTLE_D_N, first));
  k.f = coupled ? real(in->v / in->w, unit(BRISTLE_D_V, first) * (1.0 / in->w)) : real(in->f);
  k.a = real(in->a);
  k.w = in->w;
  k.h = in->h;
  k.load = in->load;
  return k;
}

/* what one pass begins with: as the host gives it, and after the load */
struct seeds {
  params p, loaded;
  state s;
  input host, in;
  real gain;
};

FN void seed(seeds *x, const double *p, const double *s, const bristle_input *in, double v, int coupled, int first)
{
  for (int j = 0; j < NPARAM; j++) ((real *)&x->p)[j] = real(p[j], unit(D_PARAM + j, first));
  for (int k = 0; k < NSTATE; k++) ((real *)&x->s)[k] = real(s[k], unit(BRISTLE_D_STATE + k, first));
  x->host = seeded_input(in, v, coupled, first);
}

FN void seed_motion(seeds *x, const double *p, const double *s, const bristle_input *in, int first)
{
  for (int j = 0; j < NPARAM; j++) ((real *)&x->p)[j] = real(p[j]);
  for (int k = 0; k < NSTATE; k++) ((real *)&x->s)[k] = real(s[k], unit(BRISTLE_D_STATE + k, first));
  x->host = seeded_input(in, in->v, 0, first);
}

/* Each pass has a copy of the law in it, which saves small laws half of their time. For the largest it saves next to
   nothing, and the copies cost a compiler a quarter of a minute. */
#if (0 ALL_PARAMS(P_COUNT, V_COUNT)) > 24
#define IN_EACH_PASS __attribute__((noinline))
#else
#define IN_EACH_PASS FN
#endif

IN_EACH_PASS real law_eval(seeds *x, state *rate)
{
  x->gain = ROLE(apply_load)(&x->p, &x->host, &x->loaded, &x->in);
  return x->gain * ROLE(eval)(&x->loaded, &x->s, &x->in, rate);
}

IN_EACH_PASS real law_move(seeds *x)
{
  x->gain = ROLE(apply_load)(&x->p, &x->host, &x->loaded, &x->in);
  return x->gain * ROLE(move)(&x->loaded, &x->s, &x->in);
}

double diff_eval(const double *p, const double *s, const bristle_input *in, double *rate, double *df, double *drate)
{
  real f = 0;
  for (int first = 0; first < DIRECTIONS; first += LANES) {
    seeds x;
    state dot;
    seed(&x, p, s, in, in->v, 0, first);
    f = law_eval(&x, &dot);
    for (int l = 0; l < LANES && first + l < DIRECTIONS; l++) {
      df[first + l] = lane(f.d, l);
      for (int k = 0; k < NSTATE; k++) drate[k * DIRECTIONS + first + l] = lane(((real *)&dot)[k].d, l);
    }
    for (int k = 0; k < NSTATE; k++) rate[k] = ((real *)&dot)[k].v;
  }
  return f.v;
}

/* the same without the parameters, which solvers of differential equations do not need */
double diff_jacobian(const double *p, const double *s, const bristle_input *in, double *rate, double *df, double *drate)
{
  real f = 0;
  for (int first = 0; first < D_PARAM; first += LANES) {
    seeds x;
    state dot;
    seed_motion(&x, p, s, in, first);
    f = law_eval(&x, &dot);
    for (int l = 0; l < LANES && first + l < D_PARAM; l++) {
      df[first + l] = lane(f.d, l);
      for (int k = 0; k < NSTATE; k++) drate[k * D_PARAM + first + l] = lane(((real *)&dot)[k].d, l);
    }
    for (int k = 0; k < NSTATE; k++) rate[k] = ((real *)&dot)[k].v;
  }
  return f.v;
}

/* Is the law's force at the end velocity the one that closes the balance? If not, the step ended on a jump of
   the law, where the velocity is held and the force follows the host. */
FN int on_the_curve(double f, double f_law, const bristle_input *in, const seeds *x)
{
  double force_bound = (x->gain * ROLE(step_bounds)(&x->loaded, &x->s, &x->in, K(1)).force_bound).v;
  return in->w * abs_f64(f - f_law) <= 1e-9 * (abs_f64(in->v) + in->w * force_bound);
}

double diff_step(const double *p, double *s, const bristle_input *in, double *v_end, double *df, double *ds)
{
  double before[NSTATE + 1], v, raw_f[COLUMNS], raw_s[NSTATE * COLUMNS + 1];
  const int coupled = in->w > 0;
  int curve = 1;
  for (int k = 0; k < NSTATE; k++) before[k] = s[k];
  const double f = BRISTLE_CAT(BRISTLE_CAT(bristle_, SYMBOL), _model).step(p, s, in, &v);
  if (v_end) *v_end = v;

  for (int first = 0; first < COLUMNS; first += LANES) {
    seeds x;
    seed(&x, p, before, in, v, coupled, first);
    real force = law_move(&x);
    if (coupled && first == 0) curve = on_the_curve(f, force.v, in, &x);
    for (int l = 0; l < LANES && first + l < COLUMNS; l++) {
      raw_f[first + l] = lane(force.d, l);
      for (int k = 0; k < NSTATE; k++) raw_s[k * COLUMNS + first + l] = lane(((real *)&x.s)[k].d, l);
    }
  }

  for (int j = 0; j < DIRECTIONS; j++) {
    double free = j == BRISTLE_D_V && coupled ? 1.0 : 0.0;
    double du = coupled && curve ? (free - in->w * raw_f[j]) / (1.0 + in->w * raw_f[D_END]) : 0.0;
    df[j] = curve ? raw_f[j] + raw_f[D_END] * du : free / in->w;
    for (int k = 0; k < NSTATE; k++) ds[k * DIRECTIONS + j] = raw_s[k * COLUMNS + j] + raw_s[k * COLUMNS + D_END] * du;
  }
  return f;
}

/* Lanes of a sensitivity step: the parameters that have a derivative, then the end velocity. */
enum { S_END = active.count, S_COLUMNS = active.count + 1 };

FN void seed_sensitivity(seeds *x, const double *p, const double *s, const bristle_input *in, double v,
                         const double *ds, int first)
{
#pragma GCC unroll 64
  for (int j = 0; j < NPARAM; j++) ((real *)&x->p)[j] = real(p[j], unit(active.lane[j], first));
  for (int k = 0; k < NSTATE; k++) {
    double row[LANES] = { 0 };
#pragma GCC unroll 64
    for (int j = 0; j < NPARAM; j++)
      if (active.lane[j] >= first && active.lane[j] < first + LANES) row[active.lane[j] - first] = ds[k * NPARAM + j];
    real *z = (real *)&x->s + k;
    z->v = s[k];
    __builtin_memcpy(&z->d, row, sizeof row);
  }
  x->host = seeded_input(in, v, 0, COLUMNS);
  x->host.v = real(v, unit(S_END, first));
  if (in->w > 0) x->host.f = real(in->v / in->w);
}

double diff_sensitivity(const double *p, double *s, const bristle_input *in, double *v_end, double *df, double *ds)
{
  double before[NSTATE + 1], raw_f[S_COLUMNS + LANES], raw_s[NSTATE * (S_COLUMNS + LANES) + 1];
  double v = in->v, f = 0;
  const int coupled = in->w > 0;
  int curve = 1;
  for (int k = 0; k < NSTATE; k++) before[k] = s[k];
  if (coupled) f = BRISTLE_CAT(BRISTLE_CAT(bristle_, SYMBOL), _model).step(p, s, in, &v);
  if (v_end) *v_end = v;

#pragma GCC unroll 8
  for (int first = 0; first < S_COLUMNS; first += LANES) {
    if (first == S_END && !coupled) {
      raw_f[S_END] = 0; /* is not used: the compiler does not see it */
      break;
    }
    seeds x;
    seed_sensitivity(&x, p, before, in, v, ds, first);
    real force = law_move(&x);
    if (!coupled) f = force.v;
    else if (first == 0) curve = on_the_curve(f, force.v, in, &x);
    __builtin_memcpy(raw_f + first, &force.d, sizeof force.d);
    for (int k = 0; k < NSTATE; k++) {
      real t = ((real *)&x.s)[k];
      __builtin_memcpy(raw_s + k * (S_COLUMNS + LANES) + first, &t.d, sizeof t.d);
      if (!coupled) s[k] = t.v;
    }
  }

#pragma GCC unroll 64
  for (int j = 0; j < NPARAM; j++) {
    const int lane = active.lane[j];
    double du = lane < 0 || !coupled || !curve ? 0.0 : -in->w * raw_f[lane] / (1.0 + in->w * raw_f[S_END]);
    df[j] = lane < 0 || !curve ? 0.0 : coupled ? raw_f[lane] + raw_f[S_END] * du : raw_f[lane];
    for (int k = 0; k < NSTATE; k++) {
      const double *row = raw_s + k * (S_COLUMNS + LANES);
      ds[k * NPARAM + j] = lane < 0 ? 0.0 : coupled ? row[lane] + row[S_END] * du : row[lane];
    }
  }
  return f;
}

double diff_instant(const double *p, const double *s, const bristle_input *in, double *df, const double *ds)
{
  double raw_f[S_COLUMNS + LANES], f = 0;
  bristle_input alone = *in;
  alone.w = 0;
#pragma GCC unroll 8
  for (int first = 0; first < S_END; first += LANES) {
    seeds x;
    state dot;
    seed_sensitivity(&x, p, s, &alone, in->v, ds, first);
    real force = law_eval(&x, &dot);
    f = force.v;
    __builtin_memcpy(raw_f + first, &force.d, sizeof force.d);
  }
  for (int j = 0; j < NPARAM; j++) df[j] = active.lane[j] < 0 ? 0.0 : raw_f[active.lane[j]];
  return f;
}

} // namespace

const bristle_diff BRISTLE_CAT(BRISTLE_CAT(bristle_, SYMBOL),
                               _diff) = { DIRECTIONS,       diff_eval,    diff_step,
                                          diff_sensitivity, diff_instant, diff_jacobian };
