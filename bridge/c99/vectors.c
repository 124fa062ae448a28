/* Test vectors of an export: a contact that is moved at all speeds, let go, pushed and turned round, computed by the
 * library in the precision of the export. */
#include "c99/c99.h"

#include "bristle/text.h"

#include <string.h>

enum { VECTORS = 240 };

typedef struct told { /* v, x, n, f, w, h */
  double v, x, n, f, w, h;
} told;

/* numbers between 0 and 1, always the same */
static double next(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) * 0x1p-24;
}

static double speed_scale(const c99_export *e)
{
  const bristle_row *row = bristle_param_role(e->info, BRISTLE_ROLE_STRIBECK_SPEED);
  if (!row) row = bristle_param_role(e->info, BRISTLE_ROLE_SMOOTHING_SPEED);
  return row ? e->q->friction->p[row->first] : 1e-3;
}

static double force_scale(const c99_export *e)
{
  const bristle_row *row = bristle_param_role(e->info, BRISTLE_ROLE_LEVEL);
  if (!row) row = bristle_param_role(e->info, BRISTLE_ROLE_STATIC_LEVEL);
  return row ? e->q->friction->p[row->first] : 1;
}

/* In turns: slow to fast, forth and back, at rest, coupled to masses that the friction can stop and cannot. */
static told choose(const c99_export *e, int i, double x, unsigned *seed)
{
  static const double decades[] = { 1e-3, 1e-2, 0.1, 1, 10, 100 };
  const double h = e->q->sample_time > 0 ? e->q->sample_time : i % 60 < 30 ? 1e-3 : 1e-4;
  const double speed = speed_scale(e) * decades[i / 8 % 6] * (0.5 + next(seed));
  told t = { .v = i / 20 % 2 ? -speed : speed, .x = x, .n = 0.5 + next(seed), .h = h };
  t.f = force_scale(e) * (4 * next(seed) - 2);
  if (i % 23 == 22) t.v = 0;
  if (i % 4 >= 2) t.w = speed_scale(e) / force_scale(e) * decades[i / 4 % 6] * next(seed);
  return t;
}

static const char *hex(double value, int single, char text[40])
{
  const float rounded = (float)value;
  snprintf(text, 40, "%a%s", single ? (double)rounded : value, single ? "f" : "");
  return text;
}

static void add_row(const c99_export *e, buffer *rows, const double *value)
{
  char text[40];
  buffer_print(rows, "  { ");
  for (int k = 0; k < 8; k++) buffer_print(rows, "%s%s", k ? ", " : "", hex(value[k], e->single, text));
  buffer_print(rows, " },\n");
}

static double step_f64(const c99_export *e, const told *t, double *s, double *v_end)
{
  const bristle_input in = { t->v, t->x, t->n, t->f, 0, t->w, t->h, e->q->friction->load };
  return e->q->friction->law->f64->step(e->q->friction->p, s, &in, v_end);
}

static double step_f32(const c99_export *e, const told *t, float *s, double *v_end)
{
  float p[BRISTLE_LAW_SIZE], v;
  for (int k = 0; k < e->info->nparam; k++) p[k] = (float)e->q->friction->p[k];
  const bristle_input_f32 in = { .v = (float)t->v,
                                 .x = (float)t->x,
                                 .n = (float)t->n,
                                 .f = (float)t->f,
                                 .w = (float)t->w,
                                 .h = (float)t->h,
                                 .load = e->q->friction->load };
  const double f = (double)e->q->friction->law->f32->step(p, s, &in, &v);
  *v_end = (double)v;
  return f;
}

void c99_vectors(const c99_export *e, buffer *rows, buffer *last)
{
  double s64[BRISTLE_LAW_SIZE] = { 0 }, x = 0, v_end;
  float s32[BRISTLE_LAW_SIZE] = { 0 };
  unsigned seed = 1;
  char text[40];
  for (int i = 0; i < VECTORS; i++) {
    told t = choose(e, i, x, &seed);
    const double f = e->single ? step_f32(e, &t, s32, &v_end) : step_f64(e, &t, s64, &v_end);
    const double row[] = { t.v, t.x, t.n, t.f, t.w, t.h, f, v_end };
    add_row(e, rows, row);
    x += v_end * t.h;
  }
  for (int k = 0; k < (e->info->nstate ? e->info->nstate : 1); k++)
    buffer_print(last, "%s%s", k ? ", " : "", hex(e->single ? (double)s32[k] : s64[k], e->single, text));
}
