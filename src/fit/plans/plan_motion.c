/* Pieces of motion: what a machine can be asked to do, and their samples. All start and end at rest in one place. */
#include "lab/units.h"
#include "fit/plans/plan.h"

#include "fit/signals/signal.h"
#include "maths/elementary.h"

#include <stdio.h>
#include <stdlib.h>

/* the smallest part of a way in which stairs speed up and ramps brake, and the largest */
static const double PART = 0.1, MOST = 0.5;

void bristle_plan_piece_text(const bristle_plan_piece *piece, int rotary, char *text, size_t size)
{
  const char *length = bristle_length_unit(rotary);
  if (piece->kind == BRISTLE_PIECE_SINE)
    snprintf(text, size, "sine of %.3g %s at %.3g Hz, %.3g cycles", piece->amplitude, length,
             piece->cycles / piece->duration, piece->cycles);
  else if (piece->kind == BRISTLE_PIECE_RAMP)
    snprintf(text, size, "break-away ramps to %.3g %s/s at %.3g %s/s^2, both ways", piece->speed, length,
             2 * piece->speed / ((1 - piece->part) * piece->duration), length);
  else snprintf(text, size, "%.3g %s/s for %.3g s, both ways", piece->speed, length, 0.5 * piece->duration);
}

/* distance after the part s of the time in which a speed of 1 is reached: evenly, or with an acceleration that rises
   and falls as a half sine */
static double rise_path(double s, double part, int smooth)
{
  return smooth ? 0.5 * s - part / (2 * PI) * sin(PI * s / part) : s * s / (2 * part);
}

/* distance after the part s (0 to 1) of a half of length T, by speed T */
static double stair_path(double s, double a, int smooth)
{
  if (s < a) return rise_path(s, a, smooth);
  return s > 1 - a ? 1 - a - rise_path(1 - s, a, smooth) : s - a / 2;
}

static double ramp_path(double s, double stop, int smooth)
{
  const double rise = 1 - stop;
  return s < rise ? rise_path(s, rise, smooth) : 0.5 - rise_path(1 - s, stop, smooth);
}

/* grows over the first part and fades over the last */
static double envelope(double s, double part)
{
  const double near = fmin(fmin(s, 1 - s) / part, 1);
  return 0.5 * (1 - cos(PI * near));
}

static double position_of(const bristle_plan_piece *piece, double t)
{
  if (piece->kind == BRISTLE_PIECE_SINE)
    return piece->amplitude * (piece->smooth ? envelope(t / piece->duration, piece->part) : 1)
           * (1 - cos(2 * PI * piece->cycles * t / piece->duration));
  const double half = 0.5 * piece->duration, s = t / half, part = piece->part;
  double (*const path)(double, double, int) = piece->kind == BRISTLE_PIECE_STAIR ? stair_path : ramp_path;
  const int smooth = piece->smooth;
  return piece->speed * half
         * (s <= 1 ? path(s, part, smooth) : path(1, part, smooth) - path(fmin(s - 1, 1), part, smooth));
}

static int make_room(plan_samples *s, size_t more)
{
  if (s->count + more <= s->room) return 1;
  const size_t room = 2 * (s->count + more);
  double **const list[] = { &s->v, &s->x, &s->n, &s->h };
  for (int k = 0; k < 4; k++) {
    double *grown = realloc(*list[k], room * sizeof *grown);
    if (!grown) return 0;
    *list[k] = grown;
  }
  s->room = room;
  return 1;
}

int plan_add_piece(plan_samples *s, const bristle_plan_piece *piece, double duration, double load)
{
  const size_t steps = (size_t)fmax(1, round(duration / s->step));
  const double origin = s->at;
  if (!make_room(s, steps)) return 0;
  for (size_t i = 1; i <= steps; i++) {
    const double part = (double)i / (double)steps,
                 next = piece ? origin + position_of(piece, part * piece->duration) : origin;
    s->x[s->count] = s->at;
    s->v[s->count] = (next - s->at) / s->step;
    s->n[s->count] = load;
    s->h[s->count] = s->step;
    s->at = next;
    s->count++;
  }
  return 1;
}

void plan_free_samples(plan_samples *s) { free(s->v), free(s->x), free(s->n), free(s->h); }

/* ---- largest speed of the machine ---- */

typedef struct piece_list {
  bristle_plan_piece *list;
  int count, most;
  double longest;
  int stride;
} piece_list;

/* a piece that takes longer than there is time is of no use; the shortest of them stays where nothing else does */
static void offer(piece_list *p, bristle_plan_piece piece)
{
  const int first = p->count == 1 && p->list[0].duration > p->longest;
  if (first && piece.duration < p->list[0].duration) p->count = 0;
  else if (piece.duration > p->longest && p->count) return;
  if (p->count < p->most) p->list[p->count++] = piece;
}

/* speeds and amplitudes over five decades, three to each (or every other one): what the law needs is somewhere there */
enum { SIZES = 16 };
static double size_at(double largest, int k) { return largest * pow(10, -k / 3.0); }

/* the shortest time in which the machine comes to a speed */
static double rise_time(const bristle_plan_limits *l, double speed)
{
  double time = 0; /* peaks of the half sine are larger than the mean */
  if (l->acceleration > 0) time = (l->jerk > 0 ? 0.5 * PI : 1) * speed / l->acceleration;
  return l->jerk > 0 ? fmax(time, PI * sqrt(0.5 * speed / l->jerk)) : time;
}

/* there and back, each in the time `half`; what the machine cannot do is left out */
static void offer_way(piece_list *p, const bristle_plan_limits *limits, bristle_piece_kind kind, double speed,
                      double half, double load)
{
  const double part = fmax(PART, rise_time(limits, speed) / half);
  if (half * limits->rate < 50 || part > MOST) return;
  offer(
      p,
      (bristle_plan_piece){
          .kind = kind, .speed = speed, .duration = 2 * half, .load = load, .part = part, .smooth = limits->jerk > 0 });
}

static void offer_speeds(piece_list *p, const bristle_plan_limits *limits, double load)
{
  static const double stair_halves[] = { 0.5, 4 }, ramp_halves[] = { 0.1, 1 };
  for (int k = 0; k < SIZES; k += p->stride)
    for (int i = 0; i < 2; i++) {
      const double speed = size_at(limits->speed, k), room = limits->stroke / speed;
      const double stair = fmin(stair_halves[i], room / (1 - PART)), ramp = fmin(ramp_halves[i], 2 * room);
      if (!i || stair > stair_halves[0]) offer_way(p, limits, BRISTLE_PIECE_STAIR, speed, stair, load);
      if (!i || ramp > ramp_halves[0]) offer_way(p, limits, BRISTLE_PIECE_RAMP, speed, ramp, load);
    }
}

/* Growing over its first cycle and fading over its last, a sine has up to these times the speed, acceleration and jerk.
 */
static const double GROWING[3] = { 1.5, 1.75, 2.25 };

static int can_swing(const bristle_plan_limits *l, double amplitude, double frequency)
{
  const int smooth = l->jerk > 0;
  const double w = 2 * PI * frequency, speed = w * amplitude;
  if (frequency > l->rate / 20 || (smooth ? GROWING[0] : 1) * speed > l->speed) return 0;
  if (l->acceleration > 0 && (smooth ? GROWING[1] : 1) * speed * w > l->acceleration) return 0;
  return !smooth || GROWING[2] * speed * w * w <= l->jerk;
}

static void offer_sines(piece_list *p, const bristle_plan_limits *limits, double load)
{
  static const double frequencies[] = { 0.5, 2, 10, 50, 200 };
  for (int k = 0; k < 2 * SIZES; k += p->stride)
    for (size_t i = 0; i < sizeof frequencies / sizeof *frequencies; i++) {
      const double amplitude = size_at(0.5 * limits->stroke, k), frequency = frequencies[i];
      const double cycles = fmax(limits->jerk > 0 ? 3 : 2, ceil(0.2 * frequency));
      if (!can_swing(limits, amplitude, frequency)) continue;
      offer(p, (bristle_plan_piece){ .kind = BRISTLE_PIECE_SINE,
                                     .amplitude = amplitude,
                                     .cycles = cycles,
                                     .duration = cycles / frequency,
                                     .load = load,
                                     .part = 1 / cycles,
                                     .smooth = limits->jerk > 0 });
    }
}

int plan_list_pieces(const bristle_plan_limits *limits, double longest, int coarse, bristle_plan_piece *list, int most)
{
  piece_list p = { list, 0, most, longest, coarse ? 2 : 1 };
  for (size_t k = 0; k < (limits->loads ? limits->loads : 1); k++) {
    const double load = limits->loads ? limits->load[k] : 1;
    offer_speeds(&p, limits, load);
    offer_sines(&p, limits, load);
  }
  return p.count;
}
