/* A reference result for users of the unit: a swing of growing amplitude, computed by the library's steps of 10 us. */
#include "fmi/fmi.h"

#include "bristle/text.h"

#include "maths/elementary.h"
#include <string.h>

enum { ROWS = 500, STEPS = 100 };

static void add_numbers(buffer *b, const double *value, int count)
{
  char text[48];
  for (int i = 0; i < count; i++) {
    bristle_number_text(value[i], text, sizeof text);
    buffer_print(b, "%s%s", i ? "," : "", text);
  }
  buffer_print(b, "\n");
}

/* velocity (element), force (body) or target (servo) over the time */
static double told(const fmi_unit *u, double t)
{
  const double scale = u->shape == FMI_ELEMENT ? 10 * u->speed_scale
                       : u->shape == FMI_BODY  ? 2 * u->force_scale
                                               : 100 * u->length_scale;
  return scale * t * sin(6.283185307179586 * 4 * t);
}

typedef struct body {
  double x, v, integral, f, s[BRISTLE_LAW_SIZE];
} body;

static void advance(const fmi_unit *u, body *b, double t, double h)
{
  const double value = told(u, t);
  const double n = u->q->load > 0 ? u->q->load : 1;
  bristle_input in = { .v = value, .x = 0, .n = n, .h = h, .load = u->q->friction->load };
  if (u->shape != FMI_ELEMENT) {
    const double drive = u->shape == FMI_BODY ? value : 100 * (value - b->x) - 10 * b->v;
    in.w = h, in.x = b->x, in.v = b->v + h * drive;
  }
  b->f = u->q->friction->law->f64->step(u->q->friction->p, b->s, &in, &b->v);
  b->x += h * b->v;
}

void fmi_reference(const fmi_unit *u, char **inputs, char **outputs)
{
  static const char *const names[] = { "v", "force", "target" };
  buffer in = { 0 }, out = { 0 };
  body b = { 0 };
  buffer_print(&in, "time,%s\n", names[u->shape]);
  buffer_print(&out, u->shape == FMI_ELEMENT ? "time,F\n" : "time,F,x,v\n");
  for (int i = 0; i <= ROWS; i++) {
    const double t = i * 1e-3, row[] = { t, told(u, t) }, result[] = { t, b.f, b.x, b.v };
    add_numbers(&in, row, 2);
    add_numbers(&out, result, u->shape == FMI_ELEMENT ? 2 : 4);
    for (int k = 1; k <= STEPS; k++) advance(u, &b, t + k * 1e-3 / STEPS, 1e-3 / STEPS);
  }
  *inputs = buffer_take(&in);
  *outputs = buffer_take(&out);
}
