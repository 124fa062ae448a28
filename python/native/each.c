#include "each.h"

#include "bristle/joint.h"
#include "bristle/network.h"
#include "bristle/planar.h"
#include "bristle/steprule.h"

enum { LARGEST = 64 }; /* no law has more parameters or states */

#define REAL double
#define NAME(what) bristle_each_##what
#define EACH bristle_each
#define INPUT bristle_input
#define MODEL bristle_model
#include "each_loops.h"

/* ---- derivatives: double only ---- */

static void scatter(const double *from, size_t numbers, size_t count, size_t i, double *to)
{
  for (size_t k = 0; k < numbers; k++) to[k * count + i] = from[k];
}

void bristle_each_diff_eval(const bristle_model *model, const bristle_diff *diff, const bristle_each *e, double *df,
                            double *drate)
{
  const int nparam = model->info->nparam, nstate = model->info->nstate;
  const size_t directions = (size_t)diff->directions, rows = (size_t)nstate * directions;
  double room[LARGEST], s[LARGEST], rate[LARGEST], slope[3 + 2 * LARGEST], slopes[LARGEST * (3 + 2 * LARGEST)];
  for (size_t i = 0; i < e->count; i++) {
    const bristle_input in = bristle_each_take(e, i);
    bristle_each_load_state(e, i, nstate, s);
    e->force[i] = diff->eval(bristle_each_parameters(e, i, nparam, room), s, &in, rate, slope, slopes);
    if (e->rate) scatter(rate, (size_t)nstate, e->count, i, e->rate);
    scatter(slope, directions, e->count, i, df);
    scatter(slopes, rows, e->count, i, drate);
  }
}

void bristle_each_diff_step(const bristle_model *model, const bristle_diff *diff, const bristle_each *e, double *df,
                            double *ds)
{
  const int nparam = model->info->nparam, nstate = model->info->nstate;
  const size_t directions = (size_t)diff->directions, rows = (size_t)nstate * directions;
  double room[LARGEST], s[LARGEST], v_end, slope[3 + 2 * LARGEST], slopes[LARGEST * (3 + 2 * LARGEST)];
  for (size_t i = 0; i < e->count; i++) {
    const bristle_input in = bristle_each_take(e, i);
    bristle_each_load_state(e, i, nstate, s);
    e->force[i] = diff->step(bristle_each_parameters(e, i, nparam, room), s, &in, &v_end, slope, slopes);
    scatter(s, (size_t)nstate, e->count, i, e->s);
    if (e->v_end) e->v_end[i] = v_end;
    scatter(slope, directions, e->count, i, df);
    scatter(slopes, rows, e->count, i, ds);
  }
}

size_t bristle_each_check(const bristle_model *model, const bristle_each *e, bristle_error *error)
{
  double room[LARGEST];
  size_t i = 0;
  while (i < e->count && !bristle_check(model, bristle_each_parameters(e, i, model->info->nparam, room), error)) i++;
  return i;
}

/* ---- contacts in the plane and in space ---- */

static bristle_vector_input take_vector(const bristle_each_vector *e, int dim, size_t i)
{
  bristle_vector_input in = { .n = e->n ? e->n[i] : 1, .h = e->h, .load = e->load };
  for (int k = 0; k < dim; k++) {
    in.v[k] = e->v[(size_t)k * e->count + i];
    for (int l = 0; e->w && l < dim; l++) in.w[k][l] = e->w[k * dim + l];
  }
  return in;
}

static void take_state(const bristle_each_vector *e, int nstate, size_t i, double *s)
{
  for (int k = 0; k < nstate; k++) s[k] = e->s[(size_t)k * e->count + i];
}

void bristle_each_vector_eval(const bristle_vector_model *model, const bristle_each_vector *e)
{
  const int nstate = model->info->nstate;
  double s[LARGEST], rate[LARGEST], force[3];
  for (size_t i = 0; i < e->count; i++) {
    const bristle_vector_input in = take_vector(e, model->dim, i);
    take_state(e, nstate, i, s);
    model->eval(e->p, s, &in, force, rate);
    scatter(force, (size_t)model->dim, e->count, i, e->force);
    if (e->rate) scatter(rate, (size_t)nstate, e->count, i, e->rate);
  }
}

void bristle_each_vector_step(const bristle_vector_model *model, const bristle_each_vector *e)
{
  const int nstate = model->info->nstate;
  double s[LARGEST], force[3], v_end[3];
  for (size_t i = 0; i < e->count; i++) {
    const bristle_vector_input in = take_vector(e, model->dim, i);
    take_state(e, nstate, i, s);
    model->step(e->p, s, &in, force, v_end);
    scatter(s, (size_t)nstate, e->count, i, e->s);
    scatter(force, (size_t)model->dim, e->count, i, e->force);
    if (e->v_end) scatter(v_end, (size_t)model->dim, e->count, i, e->v_end);
  }
}

void bristle_each_vector_steady(const bristle_vector_model *model, const bristle_each_vector *e)
{
  double force[3];
  for (size_t i = 0; i < e->count; i++) {
    const bristle_vector_input in = take_vector(e, model->dim, i);
    model->steady(e->p, &in, force);
    scatter(force, (size_t)model->dim, e->count, i, e->force);
  }
}

size_t bristle_each_sizes(size_t *sizes, size_t room)
{
  const size_t all[] = { sizeof(bristle_input),        sizeof(bristle_batch),    sizeof(bristle_batch_f32),
                         sizeof(bristle_model),        sizeof(bristle_info),     sizeof(bristle_row),
                         sizeof(bristle_vector_input), sizeof(bristle_network),  sizeof(bristle_network_contact),
                         sizeof(bristle_patch),        sizeof(bristle_planar),   sizeof(bristle_joint),
                         sizeof(bristle_joint_motion), sizeof(bristle_steprule), sizeof(bristle_each),
                         sizeof(bristle_each_f32),     sizeof(bristle_error) };
  const size_t count = sizeof all / sizeof *all;
  for (size_t k = 0; k < count && k < room; k++) sizes[k] = all[k];
  return count;
}

/* ---- the same in single precision ---- */

#undef REAL
#undef NAME
#undef EACH
#undef INPUT
#undef MODEL
#define REAL float
#define NAME(what) bristle_each_##what##_f32
#define EACH bristle_each_f32
#define INPUT bristle_input_f32
#define MODEL bristle_model_f32
#include "each_loops.h"
