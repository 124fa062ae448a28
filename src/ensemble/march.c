/* Ensembles on the processor: a few dozen bodies at a time go through all their steps, so that they stay in its cache;
 * their contacts are one batch. Compiled for double and, with BRISTLE_F32, for float. */
#include "bristle/ensemble.h"
#include "bristle/bristle.h"
#define BRISTLE_DIM 1
#include "core/scalar.h"
#include "ensemble/body.h"

#if BRISTLE_F32
#define MODEL_OF(law) (law)->f32
#else
#define MODEL_OF(law) (law)->f64
#endif

enum { BODIES = 64 }; /* together */

typedef struct herd {
  body is[BODIES];
  real p[BRISTLE_LAW_SIZE * BODIES], s[BRISTLE_LAW_SIZE * BODIES];
  real x[BODIES], v[BODIES], place[BODIES], slip[BODIES], n[BODIES], w[BODIES], f[BODIES], u[BODIES];
  real tally[BRISTLE_TALLY_ROWS * BODIES];
  real own[BODIES][BRISTLE_LAW_SIZE]; /* for a tally: the parameters once more, of one contact side by side */
} herd;

/* rows of `count` numbers, of which those of the bodies from `from` on; and back */
static void take(real *to, const real *from, int rows, size_t count, size_t first, size_t bodies)
{
  for (int r = 0; r < rows; r++)
    for (size_t i = 0; i < bodies; i++) to[(size_t)r * bodies + i] = from[(size_t)r * count + first + i];
}
static void give(real *to, const real *from, int rows, size_t count, size_t first, size_t bodies)
{
  for (int r = 0; r < rows; r++)
    for (size_t i = 0; i < bodies; i++) to[(size_t)r * count + first + i] = from[(size_t)r * bodies + i];
}

/* where the contacts of a step begin: their place and their slip without friction */
static void aim(const ensemble *e, herd *all, size_t bodies, size_t step)
{
  const moment m = body_moment(e, step);
  const real now = e->t + (real)step * e->h;
  for (size_t i = 0; i < bodies; i++) {
    const body *b = &all->is[i];
    all->place[i] = all->x[i];
    if (!e->driven && b->belt != K(0)) all->place[i] = all->x[i] - b->belt * now;
    all->slip[i] = e->driven ? b->amplitude * m.speed : body_free(b, all->x[i], all->v[i], &m);
  }
}

/* is the contact of a body in sliding? */
static real slides(const BRISTLE_TYPED(bristle_model) * model, const ensemble *e, const herd *all, size_t bodies,
                   size_t i)
{
  real s[BRISTLE_LAW_SIZE];
  for (int k = 0; k < model->info->nstate; k++) s[k] = all->s[(size_t)k * bodies + i];
  const BRISTLE_TYPED(bristle_input) in = {
    .v = all->u[i], .x = all->place[i], .n = all->n[i], .w = e->driven ? K(0) : all->w[i], .h = e->h, .load = e->load
  };
  return model->mode(e->per_contact ? all->own[i] : e->p, s, &in) == BRISTLE_MODE_SLIDING ? K(1) : K(0);
}

static void follow(const BRISTLE_TYPED(bristle_model) * model, const ensemble *e, herd *all, size_t bodies)
{
  for (size_t i = 0; i < bodies; i++) {
    all->v[i] = e->driven ? all->u[i] : all->u[i] + all->is[i].belt;
    all->x[i] += e->h * all->v[i];
    if (e->tally)
      body_count(&all->tally[i], bodies, e->h, all->f[i], all->u[i], all->v[i], slides(model, e, all, bodies, i));
  }
}

static void march_some(const BRISTLE_TYPED(bristle_model) * model, const ensemble *e, size_t first, size_t bodies)
{
  const bristle_info *info = model->info;
  herd all;
  for (size_t i = 0; i < bodies; i++) {
    all.is[i] = body_take(e, first + i);
    all.w[i] = body_compliance(&all.is[i]);
    all.n[i] = e->n ? e->n[first + i] : K(1);
    all.f[i] = 0;
  }
  if (e->per_contact) take(all.p, e->p, info->nparam, e->count, first, bodies);
  take(all.s, e->s, info->nstate, e->count, first, bodies);
  take(all.x, e->x, 1, e->count, first, bodies);
  take(all.v, e->v, 1, e->count, first, bodies);
  if (e->tally) take(all.tally, e->tally, BRISTLE_TALLY_ROWS, e->count, first, bodies);
  for (size_t i = 0; e->tally && e->per_contact && i < bodies; i++)
    for (int k = 0; k < info->nparam; k++) all.own[i][k] = all.p[(size_t)k * bodies + i];
  const BRISTLE_TYPED(bristle_batch) batch = { .count = bodies,
                                               .p = e->per_contact ? all.p : e->p,
                                               .per_contact = e->per_contact,
                                               .s = all.s,
                                               .v = all.slip,
                                               .x = all.place,
                                               .n = all.n,
                                               .w = e->driven ? NULL : all.w,
                                               .h = e->h,
                                               .load = e->load,
                                               .f = all.f,
                                               .v_end = all.u };
  for (size_t step = 0; step < e->steps; step++) {
    aim(e, &all, bodies, step);
    model->step_n(&batch);
    follow(model, e, &all, bodies);
  }
  give(e->s, all.s, info->nstate, e->count, first, bodies);
  give(e->x, all.x, 1, e->count, first, bodies);
  give(e->v, all.v, 1, e->count, first, bodies);
  if (e->f) give(e->f, all.f, 1, e->count, first, bodies);
  if (e->tally) give(e->tally, all.tally, BRISTLE_TALLY_ROWS, e->count, first, bodies);
}

void BRISTLE_TYPED(bristle_ensemble_march)(const bristle_law *law, const ensemble *e)
{
  for (size_t first = 0; first < e->count; first += BODIES)
    march_some(MODEL_OF(law), e, first, e->count - first < BODIES ? e->count - first : BODIES);
}
