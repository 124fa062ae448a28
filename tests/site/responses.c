/* Steady curve, presliding loop, step of velocity, rising force, time at rest: what a law answers. */
#include "responses.h"

#include <math.h>
#include <string.h>

static void put(curve *out, double x, double y)
{
  if (out->count == CURVE_MOST) return;
  out->x[out->count] = x;
  out->y[out->count++] = y;
}

void draw_steady(const subject *of, const subject *like, curve *out)
{
  out->count = 0;
  for (int i = 1; i <= 90; i++) {
    const double part = i / 90.0, v = 6 * like->speed * part * part;
    put(out, v, steady_force(of, v));
  }
}

static void draw_fast(const subject *of, const subject *like, curve *out)
{
  out->count = 0;
  for (int i = 1; i <= 60; i++) {
    const double part = i / 60.0, v = like->fast * part * part;
    put(out, v, steady_force(of, v));
  }
}

static void draw_backward(const subject *of, const subject *like, curve *out)
{
  out->count = 0;
  for (int i = 1; i <= 60; i++) {
    const double part = i / 60.0, v = -like->fast * part * part;
    put(out, v, steady_force(of, v));
  }
}

void draw_loop(const subject *of, const subject *like, double amplitude, curve *out)
{
  contact c = contact_fresh(of);
  const double v = 1e-2 * like->speed;
  out->count = 0;
  put(out, 0, 0);
  for (int leg = 0; leg < 3; leg++)
    for (int i = 0; i < (leg ? 80 : 40); i++) {
      contact_go(&c, (leg == 1 ? -1 : 1) * amplitude / 40, v, 1);
      put(out, c.x, c.force);
    }
}

static void draw_presliding(const subject *of, const subject *like, curve *out)
{
  draw_loop(of, like, 1.5 * like->travel, out);
}

void draw_velocity_step(const subject *of, const subject *like, curve *out)
{
  contact c = contact_fresh(of);
  const double slow = 0.3 * like->speed, fast = 3 * like->speed, time = 5 * like->travel / like->speed, h = time / 70;
  out->count = 0;
  contact_move(&c, 0, 10, 100);
  contact_move(&c, slow, fmax(60 * like->travel / slow, 10), 600);
  for (int i = -20; i < 140; i++) {
    contact_move(&c, i < 0 || i >= 70 ? slow : fast, h, 1);
    put(out, h * (i + 1), c.force);
  }
}

static void draw_rising_force(const subject *of, const subject *like, curve *out)
{
  contact c = contact_fresh(of);
  const double rate = 20 * like->level, time = 1.6 * like->level / rate, h = time / 4000;
  out->count = 0;
  for (int i = 0; i < 4000; i++) {
    contact_push(&c, 1, rate * h * (i + 1), h);
    if (i % 25 == 24) put(out, h * (i + 1), c.force);
  }
}

static void draw_time_at_rest(const subject *of, const subject *like, curve *out)
{
  out->count = 0;
  for (double rest = 0.01; rest < 12; rest *= 2.1) {
    contact c = contact_fresh(of);
    contact_move(&c, 10 * like->speed, 5, 500);
    contact_move(&c, 0, 1e-3, 1);
    c.v = 0;
    for (int i = 0; i < 200; i++) contact_push(&c, 1, 0, rest / 200);
    put(out, rest, break_away(&c, 10 * like->level));
  }
}

const response responses[] = { { "steady", draw_steady },      { "loop", draw_presliding },
                               { "step", draw_velocity_step }, { "force", draw_rising_force },
                               { "rest", draw_time_at_rest },  { "fast", draw_fast },
                               { "backward", draw_backward } };
const int response_count = sizeof responses / sizeof *responses;

double curves_differ(const curve *a, const curve *b, double level)
{
  double most = 0;
  for (int i = 0; i < a->count && i < b->count; i++) most = fmax(most, fabs(a->y[i] - b->y[i]));
  return most / level;
}

static int scaled(const subject *of, const bristle_row *row, double factor, subject *out)
{
  *out = *of;
  for (int i = 0; i < row->count; i++) out->p[row->first + i] *= factor;
  return bristle_check(of->law->f64, out->p, NULL) == BRISTLE_STATUS_OK;
}

/* half and double where the law allows that, otherwise as far as it does */
static int half_and_double(const subject *of, const bristle_row *row, double value[3], subject with[3])
{
  static const double factor[] = { 2, 1.5, 1.3, 1.15, 1.05 };
  const double usual = of->p[row->first];
  int low = 0, high = 0;
  while (low < 5 && !scaled(of, row, 1 / factor[low], &with[0])) low++;
  while (high < 5 && !scaled(of, row, factor[high], &with[2])) high++;
  if (low == 5 || high == 5) return 0;
  with[1] = *of;
  value[0] = usual / factor[low], value[1] = usual, value[2] = usual * factor[high];
  return 3;
}

/* shares that make one together: the first gets half, as it is, and four times as much, the others the rest */
static int shift_shares(const subject *of, const bristle_row *row, double value[3], subject with[3])
{
  static const double factor[] = { 0.5, 1, 4 };
  const double first = of->p[row->first];
  double sum = 0;
  for (int i = 0; i < row->count; i++) sum += of->p[row->first + i];
  if (fabs(sum - 1) > 1e-9 || first <= 0 || 4 * first >= 1) return 0;
  for (int k = 0; k < 3; k++) {
    with[k] = *of;
    value[k] = factor[k] * first;
    with[k].p[row->first] = value[k];
    for (int i = 1; i < row->count; i++) with[k].p[row->first + i] *= (1 - value[k]) / (1 - first);
  }
  return 3;
}

/* what a parameter may be whose usual value is nothing, or so large that it does nothing */
static int size_of(const subject *of, const bristle_row *row, double *size)
{
  if (row->role == BRISTLE_ROLE_VISCOUS) *size = 0.5 * of->level / of->fast;
  else if (!strcmp(row->unit, "N*s/m")) *size = 0.1 * of->level / of->speed;
  else if (!strcmp(row->unit, "N")) *size = row->role == BRISTLE_ROLE_OFFSET ? 0.15 * of->level : 1.2 * of->level;
  else if (!strcmp(row->unit, "1")) *size = 0.1;
  else if (!strcmp(row->unit, "1/m")) *size = 0.4 / of->travel;
  else if (!strcmp(row->unit, "m/s")) *size = 2 * of->speed;
  else return 0;
  return 1;
}

int three_values(const subject *of, const bristle_row *row, double value[3], subject with[3])
{
  const double usual = of->p[row->first];
  double size;
  if (row->kind == BRISTLE_ROW_OPTION) {
    const int count = row->hi >= row->lo + 2 ? 3 : 2;
    for (int i = 0; i < count; i++) {
      value[i] = row->lo + i;
      if (!subject_with(of, row, value[i], &with[i])) return 0;
    }
    return count;
  }
  if (row->count > 1 && !strcmp(row->unit, "1")) return shift_shares(of, row, value, with);
  if (usual != 0 && fabs(usual) < 1e6 * of->speed + 1e8) return half_and_double(of, row, value, with);
  if (row->count > 1 || !size_of(of, row, &size)) return 0;
  value[0] = usual, value[1] = size, value[2] = row->role == BRISTLE_ROLE_VISCOUS ? 2 * size : 1.5 * size;
  for (int i = 0; i < 3; i++)
    if (!subject_with(of, row, value[i], &with[i])) return 0;
  return 3;
}
