#include "support/law.h"

contact contact_of(const char *law)
{
  contact c = { .law = bristle_law_find(law), .n = 1 };
  if (!c.law) {
    printf("no law named %s\n", law);
    exit(1);
  }
  c.model = c.law->f64;
  c.load = c.model->info->load;
  bristle_defaults(c.model->info, c.p);
  return c;
}

void set_vector(contact *c, const char *parameter, int count, const double *values)
{
  const bristle_row *row = bristle_param_find(c->model->info, parameter);
  if (!row || count > row->count) {
    printf("%s has no parameter %s of %d elements\n", c->law->name, parameter, count);
    exit(1);
  }
  for (int i = 0; i < row->count; i++) c->p[row->first + i] = i < count ? values[i] : 0;
}

void set(contact *c, const char *parameter, double value) { set_vector(c, parameter, 1, &value); }

int state_at(const contact *c, const char *name)
{
  const bristle_info *info = c->model->info;
  for (int r = 0; r < info->state_rows; r++)
    if (!strcmp(info->state[r].name, name)) return info->state[r].first;
  printf("%s has no state %s\n", c->law->name, name);
  exit(1);
}

contact contact_1995(const char *law)
{
  contact c = contact_of(law);
  const struct {
    const char *name;
    double value;
  } table[] = { { "sigma0", 1e5 }, { "sigma1", sqrt(1e5) }, { "sigma2", 0.4 },
                { "fc", 1 },       { "fs", 1.5 },           { "vs", 1e-3 } };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) set(&c, table[i].name, table[i].value);
  return c;
}

double force_at(const contact *c, double v)
{
  double rate[MAX_STATE];
  bristle_input in = { .v = v, .n = c->n, .load = c->load };
  return c->model->eval(c->p, c->s, &in, rate);
}

double steady_at(const contact *c, double v)
{
  bristle_input in = { .v = v, .n = c->n, .load = c->load };
  return c->model->steady(c->p, &in);
}

double glide(contact *c, double v, double time, int steps)
{
  double f = 0;
  bristle_input in = { .v = v, .n = c->n, .h = time / steps, .load = c->load };
  for (int i = 0; i < steps; i++) {
    f = c->model->step(c->p, c->s, &in, NULL);
    in.x += v * in.h;
  }
  return f;
}

/* y = x, v, extra, states */
static void rates(const rig *r, double t, const double *y, double *dy, double *force)
{
  bristle_input in = { .v = y[1], .x = y[0], .n = r->c.n, .load = r->c.load };
  in.f = r->push(r, t, y[0], y[1], y[2]);
  *force = r->c.model->eval(r->c.p, y + 3, &in, dy + 3);
  dy[0] = y[1];
  dy[1] = (in.f - *force) / r->mass;
  dy[2] = r->extra_rate ? r->extra_rate(r, t, y[0], y[1]) : 0;
}

void rig_advance(rig *r, double h)
{
  enum { SIZE = 3 + MAX_STATE };
  const int n = 3 + r->c.model->info->nstate;
  double y[SIZE], k[4][SIZE], u[SIZE], f;
  y[0] = r->x, y[1] = r->v, y[2] = r->extra;
  memcpy(y + 3, r->c.s, sizeof(double) * (size_t)(n - 3));
  static const double node[4] = { 0, 0.5, 0.5, 1 };
  for (int stage = 0; stage < 4; stage++) {
    for (int i = 0; i < n; i++) u[i] = stage ? y[i] + node[stage] * h * k[stage - 1][i] : y[i];
    rates(r, r->t + node[stage] * h, u, k[stage], &f);
  }
  for (int i = 0; i < n; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
  r->t += h;
  r->x = y[0], r->v = y[1], r->extra = y[2];
  memcpy(r->c.s, y + 3, sizeof(double) * (size_t)(n - 3));
  rates(r, r->t, y, u, &r->force);
}

void rig_step(rig *r, double h)
{
  double u = r->push(r, r->t + h, r->x, r->v, r->extra);
  bristle_input in = {
    .v = r->v + h / r->mass * u, .x = r->x, .n = r->c.n, .w = h / r->mass, .h = h, .load = r->c.load
  };
  r->force = r->c.model->step(r->c.p, r->c.s, &in, &r->v);
  r->t += h;
  r->x += h * r->v;
  if (r->extra_rate) r->extra += h * r->extra_rate(r, r->t, r->x, r->v);
}
