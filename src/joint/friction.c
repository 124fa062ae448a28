/* Friction of a joint: the law gives the coefficients mu at the slip, the loads turn them into forces and torques.
 *
 * At the rubbing surface the friction is G mu, with G the symmetric matrix of loads: N (I - n n') for the reactions
 * of a point socket, N I otherwise, and the preload's own loads on the diagonal. The step solves
 *   u = u_free - W G mu(u)
 * with W the compliance at the surface: the law's own coupled step with the compliance W G and unit load. */
#include "joint/inside.h"

/* ---- what the joint reads from its law ---- */

const bristle_info *joint_info(const bristle_joint *j)
{
  const bristle_contact *c = &j->contact;
  if (bristle_joint_dim(j->kind) == 1) return c->law ? c->law->f64->info : NULL;
  return c->vector ? c->vector->f64[0]->info : NULL;
}

static const bristle_vector_model *vector_law(const bristle_joint *j)
{
  return j->contact.vector->f64[bristle_joint_dim(j->kind) - 2];
}

double joint_static_level(const bristle_joint *j)
{
  if (j->mu_s > 0) return j->mu_s;
  return joint_info(j) && j->contact.p ? bristle_static_level(joint_info(j), j->contact.p) : 0;
}

double joint_stiffness(const bristle_joint *j)
{
  if (j->stiffness > 0 || !joint_info(j) || !j->contact.p) return j->stiffness;
  return bristle_stiffness(joint_info(j), j->contact.p);
}

/* The parameters in effect: the law's own, or a copy without static excess. */
static const double *effective(const bristle_joint *j, double copy[BRISTLE_LAW_SIZE])
{
  if (j->effect == BRISTLE_JOINT_EFFECT_BOTH) return j->contact.p;
  bristle_sliding_only(joint_info(j), j->contact.p, copy);
  return copy;
}

/* ---- loads at the surface ---- */

/* share of the reactions and of the preload in the friction; MAX takes one of them */
typedef struct shares {
  double reaction, preload;
} shares;

static void surface_loads(const bristle_joint_map *map, shares take, double g[3][3])
{
  const double *n = map->normal, load = take.reaction * map->load;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double one = i == k && i < map->dim ? 1 : 0;
      g[i][k] = load * (one - n[i] * n[k]) + take.preload * map->preload[i] * one;
    }
}

static const shares both = { 1, 1 }, reactions = { 1, 0 }, preload = { 0, 1 };

/* MAX: whose friction has the larger norm for these coefficients? */
static shares larger(const bristle_joint_map *map, const double mu[3])
{
  double g[3][3], by_load[3], by_preload[3];
  surface_loads(map, reactions, g);
  multiply3(g, mu, by_load);
  surface_loads(map, preload, g);
  multiply3(g, mu, by_preload);
  return dot3(by_load, by_load) > dot3(by_preload, by_preload) ? reactions : preload;
}

/* ---- results in the joint frame ---- */

static void direction(const bristle_joint_map *map, int i, double e[3])
{
  for (int k = 0; k < 3; k++) e[k] = map->dim == 3 ? (i == k) : map->axis[k];
}

static void clear(bristle_joint_friction *out)
{
  for (int k = 0; k < 3; k++) {
    out->force[k] = out->torque[k] = out->mu[k] = out->mu_rot[k] = out->slip[k] = out->slip_rot[k] = 0;
    out->omega_end[k] = 0;
  }
  out->v_end = 0;
}

static void add(double to[3], double k, const double e[3])
{
  for (int i = 0; i < 3; i++) to[i] += k * e[i];
}

/* mu is the law's resistance; u the slip to report */
static void report(const bristle_joint_map *map, shares take, const double mu[3], const double u[3],
                   const bristle_joint_motion *motion, bristle_joint_friction *out)
{
  double g[3][3], friction[3];
  surface_loads(map, take, g);
  multiply3(g, mu, friction);
  clear(out);
  out->v_end = motion->v;
  add(out->omega_end, 1, motion->omega);
  for (int i = 0; i < map->dim; i++) {
    double e[3];
    direction(map, i, e);
    int turns = i >= map->translations;
    add(turns ? out->torque : out->force, -map->lever[i] * friction[i], e);
    add(turns ? out->mu_rot : out->mu, -mu[i], e);
    add(turns ? out->slip_rot : out->slip, u[i], e);
    /* only what the joint lets move has changed; a component at rest is at rest exactly */
    if (!turns) out->v_end = u[i];
    else if (map->dim == 3) out->omega_end[i] = u[i] / map->lever[i];
    else add(out->omega_end, u[i] / map->lever[i] - dot3(motion->omega, e), e);
  }
}

/* ---- an instant ---- */

static double at_surface(const bristle_joint_map *map, int i, double along, const double about[3], double lever)
{
  if (i < map->translations) return along;
  return lever * (map->dim == 3 ? about[i] : dot3(about, map->axis));
}

/* The coefficient form of the law with unit load: its value is mu. */
static bristle_input scalar_input(const bristle_joint_map *map, const bristle_joint_motion *m)
{
  bristle_input in = { 0, 0, 1, 0, 0, 0, 0, BRISTLE_LOAD_COEFFICIENT };
  in.v = map->slip[0];
  in.x = at_surface(map, 0, m->x, m->rotation, map->lever[0]);
  in.a = at_surface(map, 0, m->a, m->alpha, map->lever[0]);
  if (map->effective > 0) in.f = at_surface(map, 0, m->f, m->torque, 1 / map->lever[0]) / map->effective;
  in.h = m->h;
  return in;
}

static void vector_input(const bristle_joint *j, const bristle_joint_map *map, const bristle_joint_motion *m,
                         bristle_vector_input *in)
{
  for (int i = 0; i < 3; i++) {
    const double more = map->preload[i], larger_one = map->load > more ? map->load : more;
    const double load = j->combine == BRISTLE_JOINT_COMBINE_SUM ? map->load + more : larger_one;
    in->v[i] = map->slip[i];
    in->f[i] = i < map->dim && load > 0 ? at_surface(map, i, m->f, m->torque, 1 / map->lever[i]) / load : 0;
    for (int k = 0; k < 3; k++) in->w[i][k] = 0;
  }
  in->n = 1;
  in->h = m->h;
  in->load = BRISTLE_LOAD_COEFFICIENT;
}

void bristle_joint_eval(const bristle_joint *j, const double *s, const bristle_joint_loads *loads,
                        const bristle_joint_motion *motion, bristle_joint_friction *out, double *rate)
{
  double copy[BRISTLE_LAW_SIZE], mu[3] = { 0, 0, 0 };
  const double *p = effective(j, copy);
  bristle_joint_map map;
  bristle_joint_resolve(j, loads, motion, &map);
  if (map.dim == 1) {
    bristle_input in = scalar_input(&map, motion);
    mu[0] = j->contact.law->f64->eval(p, s, &in, rate);
  } else {
    bristle_vector_input in;
    vector_input(j, &map, motion, &in);
    vector_law(j)->eval(p, s, &in, mu, rate);
  }
  report(&map, j->combine == BRISTLE_JOINT_COMBINE_SUM ? both : larger(&map, mu), mu, map.slip, motion, out);
}

/* ---- the step ---- */

/* compliance at the surface; translation and rotation of a cylindrical joint are not coupled by inertia */
static void surface_compliance(const bristle_joint_map *map, const bristle_joint_motion *m, double w[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      double ei[3], ek[3], row[3];
      w[i][k] = 0;
      if (i >= map->dim || k >= map->dim) continue;
      if ((i < map->translations) != (k < map->translations)) continue;
      direction(map, i, ei);
      direction(map, k, ek);
      multiply3(m->w_rot, ek, row);
      w[i][k] = i < map->translations ? m->w : map->lever[i] * map->lever[k] * dot3(ei, row);
    }
}

/* One coupled step with the given shares; s is advanced, mu and the end slip u are returned.

   W G is not symmetric for a ball whose inertia mixes spin and roll; the law's Newton iteration does not need it to be.
   A point socket without preload cannot stop the spin about the load: W G has no inverse. A sliver of resistance along
   the load, 1e-11 of that across it, keeps the law's solver on firm ground; what it took from the spin is given back.
 */
static void couple(const bristle_joint *j, const double *p, const bristle_joint_map *map, shares take,
                   const bristle_joint_motion *m, double *s, double mu[3], double u[3])
{
  bristle_vector_input in;
  double w[3][3], g[3][3];
  const double *n = map->normal;
  vector_input(j, map, m, &in);
  surface_compliance(map, m, w);
  surface_loads(map, take, g);
  product3(w, g, in.w);
  const double sliver = take.preload * map->preload[0] > 0 ? 0 : 1e-11 * (in.w[0][0] + in.w[1][1] + in.w[2][2]);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) in.w[i][k] += sliver * n[i] * n[k];
  vector_law(j)->step(p, s, &in, mu, u);
  for (int i = 0; i < 3; i++) u[i] += sliver * n[i] * dot3(n, mu);
}

static void step_scalar(const bristle_joint *j, const double *p, const bristle_joint_map *map,
                        const bristle_joint_motion *motion, double *s, double mu[3], double u[3])
{
  bristle_input in = scalar_input(map, motion);
  double w[3][3];
  surface_compliance(map, motion, w);
  in.w = w[0][0] * map->effective;
  mu[0] = j->contact.law->f64->step(p, s, &in, &u[0]);
}

/* MAX: the step is solved with the reactions; if the preload's friction turns out larger, with the preload. */
static shares step_max(const bristle_joint *j, const double *p, const bristle_joint_map *map,
                       const bristle_joint_motion *motion, double *s, double mu[3], double u[3])
{
  double start[BRISTLE_LAW_SIZE];
  for (int i = 0; i < vector_law(j)->info->nstate; i++) start[i] = s[i];
  couple(j, p, map, reactions, motion, s, mu, u);
  if (larger(map, mu).reaction > 0) return reactions;
  for (int i = 0; i < vector_law(j)->info->nstate; i++) s[i] = start[i];
  couple(j, p, map, preload, motion, s, mu, u);
  return preload;
}

void bristle_joint_step(const bristle_joint *j, double *s, const bristle_joint_loads *loads,
                        const bristle_joint_motion *motion, bristle_joint_friction *out)
{
  double copy[BRISTLE_LAW_SIZE], mu[3] = { 0, 0, 0 }, u[3] = { 0, 0, 0 };
  const double *p = effective(j, copy);
  bristle_joint_map map;
  shares take = both;
  bristle_joint_resolve(j, loads, motion, &map);
  if (map.dim == 1) step_scalar(j, p, &map, motion, s, mu, u);
  else if (j->combine == BRISTLE_JOINT_COMBINE_SUM) couple(j, p, &map, both, motion, s, mu, u);
  else take = step_max(j, p, &map, motion, s, mu, u);
  if (map.dim == 1 && j->combine == BRISTLE_JOINT_COMBINE_MAX) take = larger(&map, mu);
  report(&map, take, mu, u, motion, out);
}

/* ---- what the page calls g, lambda and C0 ---- */

bristle_joint_coupling bristle_joint_couple(const bristle_joint *j, const bristle_joint_map *map)
{
  const double none = __builtin_nan(""), slip = norm3(map->slip);
  const bristle_info *info = joint_info(j);
  double copy[BRISTLE_LAW_SIZE], force[3] = { 0, 0, 0 };
  const double *p = effective(j, copy);
  const bristle_row *level = bristle_param_role(info, BRISTLE_ROLE_LEVEL);
  const double stiffness = bristle_stiffness(info, p);
  bristle_joint_coupling out = { none, none, none };
  if (!level || level->count > 1 || !(stiffness > 0) || !(info->traits & BRISTLE_TRAIT_STEADY)) return out;
  const double least = 1e-12, speed = slip > least ? slip : least; /* at rest g is the static level */
  if (map->dim == 1) {
    const bristle_input in = { .v = speed, .n = 1, .load = BRISTLE_LOAD_COEFFICIENT };
    force[0] = j->contact.law->f64->steady(p, &in);
  } else {
    const bristle_vector_input in = { .v = { speed, 0, 0 }, .n = 1, .load = BRISTLE_LOAD_COEFFICIENT };
    vector_law(j)->steady(p, &in, force);
  }
  out.g = force[0] - bristle_role_value(info, p, BRISTLE_ROLE_VISCOUS, 0) * speed;
  out.lambda = slip * p[level->first] * p[level->first] / out.g;
  out.c0 = slip * stiffness / out.g;
  return out;
}

/* ---- static analysis ---- */

void bristle_joint_static(const bristle_joint *j, const bristle_joint_loads *loads, const bristle_joint_motion *motion,
                          bristle_joint_friction *out)
{
  bristle_joint_map map;
  double s[3] = { 0, 0, 0 }, mu[3] = { 0, 0, 0 }, still[3] = { 0, 0, 0 };
  bristle_joint_resolve(j, loads, motion, &map);
  for (int i = 0; i < map.dim; i++) s[i] = at_surface(&map, i, motion->x, motion->rotation, map.lever[i]);
  const double length = norm3(s);
  if (j->statics == BRISTLE_JOINT_STATICS_BOUNDED && length > 0) {
    double level = joint_static_level(j);
    if (j->effect == BRISTLE_JOINT_EFFECT_SLIDING)
      level = bristle_role_value(joint_info(j), j->contact.p, BRISTLE_ROLE_LEVEL, level);
    double part = level * decay_f64(joint_stiffness(j) * length / level).d / length;
    for (int i = 0; i < map.dim; i++) mu[i] = part * s[i];
  }
  report(&map, j->combine == BRISTLE_JOINT_COMBINE_SUM ? both : larger(&map, mu), mu, still, motion, out);
}
