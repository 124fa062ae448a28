/* The reduced planar model: one bristle with three components on the limit surface.
 *
 * For constant speeds u the bristle equation dz/dt = u - c R z is linear, and R differs from the unit matrix only in
 * the plane of H and u, where its two eigenvalues are known in closed form. So the step is the exact solution: three
 * decays, one per eigenvalue. R = 1 where H and u agree (translation), and the model is then LuGre itself.
 *
 * Why R, and not the published dz/dt = s H - c z: that spring bends along H instead of along u. Its energy is none: a
 * small closed path leaves a force behind. Both have the same steady state. */
#ifndef BRISTLE_DIM
#define BRISTLE_DIM 1 /* the scalar pieces */
#endif
#include "planar/reduced.h"
#include "planar/surface.h"
#include "bristle/bristle.h"
#include "core/pieces.h"

static const char *const name = "planar";

/* Everything that constant speeds u determine. R acts within the plane of H and b, the part of u/speed across H. In the
   numbers y = (H.z, b.z) it is the matrix ((p, 1), (p t, 1 + t)) with p = 1/H.H, t = b.b; its determinant is p, its
   eigenvectors are (1, lambda - p). A bristle is described by its amounts of the two and what lies across the plane. */
typedef struct flow {
  double u[3], H[3], b[3], speed; /* the motion, its unit wrench, the mean slip speed H.u */
  double level, rate;             /* g and c = sigma0 speed/g */
  double p, t, per_t;             /* per_t = 0 where H and u agree: there is no b */
  double lambda[2], tail[2];      /* eigenvalues, and lambda - p */
  double per_gap;                 /* 1/(lambda[0] - lambda[1]) */
  double drive[2];                /* amounts of u */
} flow;

static planar_frame frame_of(const bristle_planar *m)
{
  planar_frame frame = { { m->surface.cop[0], m->surface.cop[1] }, m->surface.gyration };
  return frame;
}

FN void amounts_of(const flow *k, double first, double second, double amount[2])
{
  amount[0] = (second - first * k->tail[1]) * k->per_gap;
  amount[1] = first - amount[0];
}

static void find_plane(flow *k)
{
  const double per_speed = 1 / k->speed;
  double along = 0, t = 0;
  k->p = 1 / dot3(k->H, k->H);
  for (int i = 0; i < 3; i++) {
    k->b[i] = k->u[i] * per_speed - k->H[i] * k->p;
    along += k->H[i] * k->b[i];
  }
  for (int i = 0; i < 3; i++) {
    k->b[i] -= along * k->p * k->H[i];
    t += k->b[i] * k->b[i];
  }
  k->t = t;
  k->per_t = t > 1e-26 ? 1 / t : 0; /* smaller is rounding */
  const double mean = 0.5 * (k->p + 1 + t), half = 0.5 * (k->p - 1 - t), spread = sqrt_f64(half * half + k->p * t);
  k->lambda[0] = mean + spread;
  k->lambda[1] = k->p / k->lambda[0];
  for (int i = 0; i < 2; i++) k->tail[i] = k->lambda[i] - k->p;
  k->per_gap = spread > 1e-13 ? 0.5 / spread : 0;
  amounts_of(k, k->speed, k->speed * t, k->drive);
}

static flow flow_of(const bristle_planar *m, const double u[3])
{
  flow k; /* at rest, speed = 0, only the first few fields mean anything */
  for (int i = 0; i < 3; i++) k.u[i] = u[i];
  surface_wrench(&m->surface, u, k.H);
  k.speed = dot3(k.H, u);
  k.level = m->law->level(m->p, k.speed);
  k.rate = m->p[m->stiffness] * k.speed / k.level;
  if (k.speed > 0) find_plane(&k);
  return k;
}

/* the amounts of a bristle and its vector across the plane */
FN void split(const flow *k, const double z[3], double amount[2], double across[3])
{
  const double first = dot3(k->H, z), second = dot3(k->b, z), c = first * k->p, d = second * k->per_t;
  for (int i = 0; i < 3; i++) across[i] = z[i] - (c * k->H[i] + d * k->b[i]);
  amounts_of(k, first, second, amount);
}

/* the vector with these amounts and a part of one across */
FN void join(const flow *k, const double amount[2], double part, const double across[3], double z[3])
{
  const double first = amount[0] + amount[1], second = amount[0] * k->tail[0] + amount[1] * k->tail[1];
  const double c = first * k->p, d = second * k->per_t;
  for (int i = 0; i < 3; i++) z[i] = c * k->H[i] + d * k->b[i] + part * across[i];
}

/* change of z over a time, exactly; u has no part across the plane */
static void bend(const flow *k, const double z[3], double time, double dz[3])
{
  double amount[2], across[3], change[2];
  split(k, z, amount, across);
  for (int i = 0; i < 2; i++) {
    const double c = k->rate * k->lambda[i];
    change[i] = time * mean_decay(c * time) * (k->drive[i] - c * amount[i]);
  }
  join(k, change, -decay_f64(k->rate * time).d, across, dz);
}

/* ---- the elasto-plastic switch ---- */

FN double elastic_of(const bristle_planar *m) { return m->elastic >= 0 ? m->p[m->elastic] : 0; }

/* what the switch needs of a flow, divisions done */
typedef struct plastic {
  double elastic, zm, per_width, per_size, half_p;
} plastic;

static plastic plastic_of(const bristle_planar *m, const flow *k)
{
  const double zm = k->level / m->p[m->stiffness], elastic = elastic_of(m);
  plastic q = { elastic, zm, 1 / r_max(zm - elastic, 1e-12 * zm), sqrt_f64(k->p), 0.5 * k->p };
  return q;
}

/* beta for a bristle of the squared length zz whose product with H is zH: 0 within the elastic range and against the
   motion, 1 on the limit surface. Between them a cubic, within 0.0101 of the sine of the elasto-plastic law. */
FN double plastic_share(const plastic *q, double zz, double zH)
{
  const double length = sqrt_f64(zz) * q->per_size, x = clamp((length - q->elastic) * q->per_width, 0, 1);
  return x * x * (3 - 2 * x) * (0.5 + (zH * q->half_p) / r_max(length, 1e-300));
}

/* a bristle by its two amounts and the square of its length across the plane */
typedef struct bent {
  double amount[2], across;
} bent;

FN double squared(const flow *k, const bent *b)
{
  const double first = b->amount[0] + b->amount[1], second = b->amount[0] * k->tail[0] + b->amount[1] * k->tail[1];
  return first * (first * k->p) + (second * (second * k->per_t) + b->across);
}

FN double share_of(const flow *k, const plastic *q, const bent *b)
{
  return plastic_share(q, squared(k, b), b->amount[0] + b->amount[1]);
}

/* One relaxation with a constant share. e^-x is taken as 1/(1 + x + x^2/2 + x^3/6): exact enough between changes of the
   share, and without overshoot for any x. */
FN bent relaxed(const flow *k, const bent *b, double share, double time)
{
  const double turn = k->rate * time; /* all that does not wait for the share comes first */
  const double turns[2] = { turn * k->lambda[0], turn * k->lambda[1] };
  const double push[2] = { time * k->drive[0], time * k->drive[1] };
  bent end;
  for (int i = 0; i < 2; i++) {
    const double x = share * turns[i], low = 1 + x * (0.5 + x * (1.0 / 6));
    end.amount[i] = (b->amount[i] + push[i] * low) / (1 + x * low);
  }
  const double x = share * turn, grown = 1 + x * (1 + x * (0.5 + x * (1.0 / 6)));
  end.across = b->across / (grown * grown);
  return end;
}

FN bent midpoint(const flow *k, const plastic *q, const bent *b, double time)
{
  const bent middle = relaxed(k, b, share_of(k, q, b), 0.5 * time);
  return relaxed(k, b, share_of(k, q, &middle), time);
}

/* time after which |z + u t| reaches the radius from within, where room = radius^2 - z.z */
FN double time_to_leave(double room, double zu, double uu)
{
  const double root = sqrt_f64(zu * zu + uu * room);
  return zu > 0 ? room / (zu + root) : (root - zu) / uu;
}

/* The way of a bristle has three parts: back to the elastic range, if it was bent the other way; through it, which is
   exact; and out of it, in two midpoint steps, the first nearer to the width of the plastic range the longer the path.
   After forty lengths of the bristle everything is forgotten. */
static void bend_elastic(const bristle_planar *m, const flow *k, const double z[3], double time, double dz[3])
{
  const plastic q = plastic_of(m, k);
  const double radius2 = square(elastic_of(m)) / k->p, uu = dot3(k->u, k->u), zu = dot3(z, k->u), zz = dot3(z, z);
  double room = radius2 - zz, left = time, w[3], through = 0;
  bent b;
  if (room > 0) {
    through = time_to_leave(room, zu, uu);
    if (through >= time) {
      for (int i = 0; i < 3; i++) dz[i] = time * k->u[i];
      return;
    }
  }
  split(k, z, b.amount, w);
  b.across = dot3(w, w);
  const bent start = b;
  if (room < 0 && zu < 0) {
    const double back = r_min((-zu - sqrt_f64(r_max(zu * zu + uu * room, 0))) / uu, left);
    b = midpoint(k, &q, &b, back);
    left -= back;
    const double first = b.amount[0] + b.amount[1], second = b.amount[0] * k->tail[0] + b.amount[1] * k->tail[1];
    const double along = k->speed * (first * k->p + second); /* u/speed = p H + b */
    through = r_min(time_to_leave(r_max(radius2 - squared(k, &b), 1e-300), along, uu), left);
  }
  for (int i = 0; i < 2; i++) b.amount[i] += k->drive[i] * through;
  left = r_min(left - through, 40 * q.zm / k->speed);
  const double r = sqrt_f64(1 + 2.5 * k->speed * left * q.per_width), step = left / (1 + r);
  b = midpoint(k, &q, &b, step);
  b = midpoint(k, &q, &b, step * r);
  const double change[2] = { b.amount[0] - start.amount[0], b.amount[1] - start.amount[1] };
  join(k, change, start.across > 0 ? sqrt_f64(b.across / start.across) - 1 : 0, w, dz);
}

/* ---- force ---- */

/* the law's own force at the mean slip speed; only its viscous part goes along the motion */
static void force_of(const bristle_planar *m, const flow *k, const double z[3], const double rate[3], double f[3])
{
  m->law->force(m->p, k->speed, z, rate, f);
  for (int i = 0; i < 3; i++) f[i] += m->p[m->viscous] * (k->u[i] - k->speed);
}

/* z after a time at the constant speeds u, and the force per unit load with the mean bristle rate */
static void move(const bristle_planar *m, double z[3], const double u[3], double time, double f[3])
{
  const flow k = flow_of(m, u);
  double dz[3] = { 0, 0, 0 }, rate[3];
  if (k.speed > 0) {
    if (m->elastic >= 0) bend_elastic(m, &k, z, time, dz);
    else bend(&k, z, time, dz);
  }
  const double per_time = 1 / time;
  for (int i = 0; i < 3; i++) {
    rate[i] = dz[i] * per_time;
    z[i] += dz[i];
  }
  force_of(m, &k, z, rate, f);
}

typedef struct trial {
  const bristle_planar *model;
  const double *z;
  double h;
} trial;

static void trial_force(void *contact, const double u[3], double f[3])
{
  const trial *t = contact;
  double z[3] = { t->z[0], t->z[1], t->z[2] };
  move(t->model, z, u, t->h, f);
}

void bristle_planar_step(const bristle_planar *model, double z[3], const bristle_planar_input *in, double wrench[3],
                         double *v_end)
{
  const planar_frame frame = frame_of(model);
  double u[3], f[3];
  int solved = 0;
  if (planar_is_coupled(in)) {
    trial t = { model, z, in->h };
    solved = planar_couple(&frame, in, trial_force, &t, u);
  } else {
    frame_velocity(&frame, in->v, u);
  }
  move(model, z, u, in->h, f);
  frame_wrench(&frame, f, in->n > 0 ? in->n : 0, wrench);
  /* the velocity the bristle has seen is the better one: the balance would only add its rounding */
  if (v_end && solved) frame_motion(&frame, u, v_end);
  else planar_end_velocity(in, wrench, v_end);
}

void bristle_planar_eval(const bristle_planar *model, const double z[3], const bristle_planar_input *in,
                         double wrench[3], double *rate)
{
  const planar_frame frame = frame_of(model);
  double u[3], dz[3] = { 0, 0, 0 }, f[3];
  frame_velocity(&frame, in->v, u);
  const flow k = flow_of(model, u);
  if (k.speed > 0) {
    const plastic q = plastic_of(model, &k);
    const double beta = model->elastic >= 0 ? plastic_share(&q, dot3(z, z), dot3(z, k.H)) : 1, c = beta * k.rate;
    const double zH = dot3(z, k.H) * k.p, zu = dot3(z, u) / square(k.speed);
    for (int i = 0; i < 3; i++) dz[i] = u[i] - c * (z[i] - zH * k.H[i] + zu * u[i]);
  }
  force_of(model, &k, z, dz, f);
  frame_wrench(&frame, f, in->n > 0 ? in->n : 0, wrench);
  for (int i = 0; rate && i < 3; i++) rate[i] = dz[i];
}

void bristle_planar_steady(const bristle_planar *model, const bristle_planar_input *in, double wrench[3])
{
  const planar_frame frame = frame_of(model);
  double u[3], f[3];
  frame_velocity(&frame, in->v, u);
  const flow k = flow_of(model, u);
  for (int i = 0; i < 3; i++) f[i] = k.level * k.H[i] + model->p[model->viscous] * u[i];
  frame_wrench(&frame, f, in->n > 0 ? in->n : 0, wrench);
}

double bristle_planar_energy(const bristle_planar *model, const double z[3], double n)
{
  return 0.5 * (n > 0 ? n : 0) * model->p[model->stiffness] * dot3(z, z);
}

/* ---- laws and their parameters ---- */

#define PLANAR_LAW(law) extern const struct bristle_planar_law planar_##law;
#include "planar/laws/laws.def"
#undef PLANAR_LAW
static const struct bristle_planar_law *const laws[] = {
#define PLANAR_LAW(law) &planar_##law,
#include "planar/laws/laws.def"
#undef PLANAR_LAW
};

static const struct bristle_planar_law *law_of(const bristle_info *law)
{
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    const char *a = laws[i]->name, *b = law->name;
    while (*a && *a == *b) a++, b++;
    if (*a == *b) return laws[i];
  }
  return NULL;
}

int bristle_planar_suits(const bristle_info *law) { return law_of(law) != NULL; }

static int place_of(const bristle_info *law, bristle_role role)
{
  const bristle_row *row = bristle_param_role(law, role);
  return row ? row->first : -1;
}

bristle_status bristle_planar_init(bristle_planar *model, const bristle_surface *surface,
                                   const bristle_contact *contact, bristle_error *error)
{
  const bristle_info *law = contact->vector->f64[0]->info;
  bristle_planar made = { .surface = *surface,
                          .law = law_of(law),
                          .stiffness = place_of(law, BRISTLE_ROLE_STIFFNESS),
                          .viscous = place_of(law, BRISTLE_ROLE_VISCOUS),
                          .elastic = place_of(law, BRISTLE_ROLE_LENGTH) };
  if (!made.law)
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, "law", "there is no reduced model with this law", -1,
                       0);
  for (int i = 0; i < law->nparam; i++) made.p[i] = contact->p[i];
  bristle_status status = bristle_planar_check(&made, error);
  if (!status) *model = made;
  return status;
}

/* the law's own bounds and rules; variants of a law have no reduced model */
bristle_status bristle_planar_check(const bristle_planar *model, bristle_error *error)
{
  const bristle_model *law = bristle_law_find(model->law->name)->f64;
  bristle_status status = bristle_check(law, model->p, error);
  if (status) return status;
  for (int r = 0; r < law->info->param_rows; r++) {
    const bristle_row *row = &law->info->param[r];
    if (row->role == BRISTLE_ROLE_CHOICE && model->p[row->first] != row->initial[0])
      return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, name, row->name,
                         "the reduced model has no variants of its law", -1, model->p[row->first]);
  }
  return bristle_surface_check(&model->surface, error);
}
