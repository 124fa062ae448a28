/* The loops of each.c for one precision: REAL, NAME(suffix), EACH, INPUT and MODEL are defined by the includer. */

static INPUT NAME(take)(const EACH *e, size_t i)
{
  return (INPUT){ .v = e->v ? e->v[i] : 0,
                  .x = e->x ? e->x[i] : 0,
                  .n = e->n ? e->n[i] : 1,
                  .f = e->f ? e->f[i] : 0,
                  .a = e->a ? e->a[i] : 0,
                  .w = e->w ? e->w[i] : 0,
                  .h = e->h,
                  .load = e->load };
}

static const REAL *NAME(parameters)(const EACH *e, size_t i, int count, REAL *room)
{
  if (!e->per_contact) return e->p;
  for (int k = 0; k < count; k++) room[k] = e->p[(size_t)k * e->count + i];
  return room;
}

static void NAME(load_state)(const EACH *e, size_t i, int count, REAL *s)
{
  for (int k = 0; k < count; k++) s[k] = e->s[(size_t)k * e->count + i];
}

void NAME(eval)(const MODEL *model, const EACH *e)
{
  const int nparam = model->info->nparam, nstate = model->info->nstate;
  REAL room[LARGEST], s[LARGEST], rate[LARGEST];
  for (size_t i = 0; i < e->count; i++) {
    const INPUT in = NAME(take)(e, i);
    NAME(load_state)(e, i, nstate, s);
    e->force[i] = model->eval(NAME(parameters)(e, i, nparam, room), s, &in, rate);
    for (int k = 0; e->rate && k < nstate; k++) e->rate[(size_t)k * e->count + i] = rate[k];
  }
}

void NAME(step)(const MODEL *model, const EACH *e)
{
  const int nparam = model->info->nparam, nstate = model->info->nstate;
  REAL room[LARGEST], s[LARGEST], v_end;
  for (size_t i = 0; i < e->count; i++) {
    const INPUT in = NAME(take)(e, i);
    NAME(load_state)(e, i, nstate, s);
    e->force[i] = model->step(NAME(parameters)(e, i, nparam, room), s, &in, &v_end);
    for (int k = 0; k < nstate; k++) e->s[(size_t)k * e->count + i] = s[k];
    if (e->v_end) e->v_end[i] = v_end;
  }
}

void NAME(steady)(const MODEL *model, const EACH *e)
{
  REAL room[LARGEST];
  for (size_t i = 0; i < e->count; i++) {
    const INPUT in = NAME(take)(e, i);
    e->force[i] = model->steady(NAME(parameters)(e, i, model->info->nparam, room), &in);
  }
}

void NAME(energy)(const MODEL *model, const EACH *e)
{
  REAL room[LARGEST], s[LARGEST];
  for (size_t i = 0; i < e->count; i++) {
    const INPUT in = NAME(take)(e, i);
    NAME(load_state)(e, i, model->info->nstate, s);
    e->force[i] = model->energy(NAME(parameters)(e, i, model->info->nparam, room), s, &in);
  }
}

void NAME(mode)(const MODEL *model, const EACH *e, signed char *mode)
{
  REAL room[LARGEST], s[LARGEST];
  for (size_t i = 0; i < e->count; i++) {
    const INPUT in = NAME(take)(e, i);
    NAME(load_state)(e, i, model->info->nstate, s);
    mode[i] = (signed char)model->mode(NAME(parameters)(e, i, model->info->nparam, room), s, &in);
  }
}
