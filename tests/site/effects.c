/* The effects, one function each. Loads and motions are in parts of the law's own level, speed and travel. */
#include "effects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MASS = 1 };

/* velocity after the load has risen to a part of the level and stayed there, in parts of the speed */
static double creep(const subject *of)
{
  contact c = contact_fresh(of);
  const double h = 1e-3;
  double from = 0;
  for (int i = 0; i < 30000; i++) {
    contact_push(&c, MASS, 0.5 * of->level * fmin(i * h, 1), h);
    if (i == 20000) from = c.x;
  }
  return fabs(c.x - from) / (10000 * h) / of->speed;
}

/* way of each wave of a load that wavers between 0.1 and 0.4 of the level, in parts of the travel */
static double walk(const subject *of)
{
  contact c = contact_fresh(of);
  const double h = 1e-3, w = 2 * 3.14159265358979 * 10;
  double from = 0;
  for (int i = 0; i < 20000; i++) {
    const double t = h * i;
    contact_push(&c, MASS, of->level * fmin(t, 1) * (0.25 + 0.15 * sin(w * t)), h);
    if (i == 9999) from = c.x; /* the same phase as at the end */
  }
  return fabs(c.x - from) / 100 / of->travel;
}

static double peak(const subject *of)
{
  const subject dry = subject_dry(of);
  contact c = contact_fresh(&dry);
  contact sliding = contact_fresh(&dry);
  const double top = break_away(&c, of->level);
  contact_move(&sliding, 10 * of->speed, fmax(10 * of->travel / of->speed, 10), 400);
  return top / sliding.force;
}

static double fall(const subject *of)
{
  const subject dry = subject_dry(of);
  double highest = 0, most = 0;
  for (double v = 0.02; v < 12; v *= 1.3) {
    const double force = steady_force(&dry, v * of->speed);
    highest = fmax(highest, force);
    most = fmax(most, highest - force);
  }
  return most / of->level;
}

/* force that stays when a contact bent by 0.3 of its travel stops */
static double bend(const subject *of)
{
  contact c = contact_fresh(of);
  contact_go(&c, 0.3 * of->travel, 1e-3 * of->speed, 100);
  contact_move(&c, 0, 1e-3, 1);
  return fabs(c.force) / of->level;
}

/* a slow cycle over 0.7 of the travel: its area beside that of a rectangle of the level */
static double loop(const subject *of)
{
  if (bend(of) < 0.01) return 0;
  contact c = contact_fresh(of);
  const double a = 0.7 * of->travel, v = 1e-3 * of->speed;
  double area = 0;
  contact_go(&c, a, v, 100);
  for (int side = 0; side < 4; side++)
    for (int i = 0; i < 200; i++) {
      const double way = (side & 1 ? 2 : -2) * a / 200;
      contact_go(&c, way, v, 1);
      if (side > 1) area += c.force * way;
    }
  return area / (4 * a * of->level);
}

/* how far an inner loop misses the point where it left, in parts of the level */
static double gap(const subject *of)
{
  if (bend(of) < 0.01) return 1;
  contact c = contact_fresh(of);
  const double a = 1.5 * of->travel, v = 1e-3 * of->speed;
  contact_go(&c, a, v, 300);
  contact_go(&c, -2 * a, v, 600);
  contact_go(&c, 1.4 * a, v, 420);
  const double before = c.force;
  contact_go(&c, -0.5 * a, v, 150);
  contact_go(&c, 0.5 * a, v, 150);
  return fabs(c.force - before) / of->level;
}

/* the same path a hundred times as fast: the largest difference of force, in parts of the level */
static double rate_difference(const subject *of)
{
  const subject dry = subject_dry(of);
  contact slow = contact_fresh(&dry), fast = contact_fresh(&dry);
  double most = 0;
  for (int i = 0; i < 600; i++) {
    const double way = (i / 150 & 1 ? -1 : 1) * 2 * of->travel / 75;
    contact_go(&slow, way, 0.1 * of->speed, 1);
    contact_go(&fast, way, 10 * of->speed, 1);
    most = fmax(most, fabs(slow.force - fast.force));
  }
  return most / of->level;
}

/* sliding with a wavering speed that never comes to rest: the force at the same speed, speeding up and slowing down */
static double lag(const subject *of)
{
  contact c = contact_fresh(of);
  const double w = of->speed / of->travel, period = 6.28318530717959 / w, h = period / 2000;
  double up = 0, down = 0;
  contact_move(&c, 0, 10, 100); /* what grows at rest is there */
  for (int i = 0; i <= 8000; i++) {
    contact_move(&c, of->speed * (1.5 + sin(w * h * i)), h, 1);
    if (i == 8000) up = c.force;
    if (i == 7000) down = c.force;
  }
  return fabs(up - down) / of->level;
}

static double rate_of_break_away(const subject *of)
{
  const subject dry = subject_dry(of);
  contact slow = contact_fresh(&dry), fast = contact_fresh(&dry);
  return (break_away(&slow, of->level) - break_away(&fast, 30 * of->level)) / of->level;
}

static double break_away_after(const subject *of, double rest)
{
  contact c = contact_fresh(of);
  contact_move(&c, 10 * of->speed, 5, 500);
  contact_move(&c, 0, 1e-3, 1);
  c.v = 0;
  for (int i = 0; i < rest * 1000; i++) contact_push(&c, MASS, 0, 1e-3);
  return break_away(&c, 10 * of->level);
}

static double dwell(const subject *of)
{
  const subject dry = subject_dry(of);
  return (break_away_after(&dry, 10) - break_away_after(&dry, 0.05)) / of->level;
}

static double slips(const subject *of)
{
  for (double ratio = 10; ratio < 200; ratio *= 10)
    for (double pull = 0.5; pull < 3; pull *= 4)
      if (sticks_and_slips(of, stiffness_for(of, ratio), pull * of->speed)) return 1;
  return 0;
}

static double sides(const subject *of)
{
  double most = 0;
  for (double v = 0.1; v < 12; v *= 3)
    most = fmax(most, fabs(steady_force(of, v * of->speed) + steady_force(of, -v * of->speed)));
  return most / of->level;
}

static double instant(const subject *of, double v)
{
  const contact c = contact_fresh(of);
  const bristle_input in = { .v = v, .n = 1 };
  double rate[BRISTLE_LAW_SIZE];
  return of->law->f64->eval(of->p, c.s, &in, rate);
}

/* the largest jump of the force over the velocity: the steepest place, halved until only a jump is left */
static double jump(const subject *of)
{
  enum { PLACES = 4001 };
  double lo = 0, most = -1, width = 6 * of->speed / PLACES;
  for (int i = 0; i < PLACES; i++) {
    const double v = -3 * of->speed + i * width, step = fabs(instant(of, v + width) - instant(of, v));
    if (step > most) most = step, lo = v;
  }
  for (int i = 0; i < 36; i++) {
    width /= 2;
    const double first = fabs(instant(of, lo + width) - instant(of, lo));
    const double second = fabs(instant(of, lo + 2 * width) - instant(of, lo + width));
    if (second > first) lo += width;
    most = fmax(first, second);
  }
  return most / of->level;
}

const effect effects[] = {
  { "holds", "holds a load",
    "A body of 1 kg under half of the level, risen within a second; its velocity from 20 to 30 s, over the law's own "
    "speed.",
    "v/speed", creep, 1e-9, 1, 0 },
  { "no-walk", "does not walk under vibration",
    "The load wavers between 0.1 and 0.4 of the level, ten times a second; way of each wave, over the travel before "
    "sliding.",
    "travels", walk, 1e-6, 1, 0 },
  { "peak", "static friction above sliding friction",
    "The force rises by the level in a second until the body slides; largest friction over friction at ten times the "
    "law's speed.",
    "ratio", peak, 1.02, 0, 0 },
  { "fall", "friction falls with speed (Stribeck)",
    "Long runs at constant speeds; the largest fall with rising speed, over the level, without the viscous part.",
    "levels", fall, 0.01, 0, 0 },
  { "presliding", "gives way before it slides",
    "Bent slowly by 0.3 of its travel, then stopped; the force that stays, over the level.", "levels", bend, 0.01, 0,
    0 },
  { "loop", "loses energy before it slides",
    "A slow cycle over 0.7 of the travel; its area over that of a rectangle as high as the level.", "ratio", loop, 0.01,
    0, 0 },
  { "memory", "inner loops close",
    "A small loop inside a large one; how far it misses the point where it left, over the level.", "levels", gap, 1e-3,
    1, 0.06 },
  { "rate-free", "loops do not depend on speed",
    "One path at a tenth and at ten times the law's speed; the largest difference of force, over the level.", "levels",
    rate_difference, 1e-3, 1, 0 },
  { "lag", "force lags behind speed",
    "Sliding at 0.5 to 2.5 times the law's speed; force at the same speed while speeding up and slowing down, over the "
    "level.",
    "levels", lag, 2e-3, 0, 0 },
  { "force-rate", "break-away falls with force rate",
    "The force rises by 1 and by 30 levels a second; difference of the largest friction, over the level.", "levels",
    rate_of_break_away, 0.02, 0, 0 },
  { "dwell", "break-away grows with time at rest",
    "Rests of 0.05 s and of 10 s after sliding; difference of the largest friction then, over the level.", "levels",
    dwell, 0.02, 0, 0 },
  { "stick-slip", "sticks and slips",
    "A body of 1 kg pulled through a spring at 0.5 and 2 times the law's speed, two stiffnesses; 1 where it stops "
    "again and again.",
    "", slips, 0.5, 0, 0 },
  { "sides", "directions differ", "Long runs forwards and backwards; sum of the forces, over the level.", "levels",
    sides, 1e-3, 0, 0 },
  { "continuous", "force is continuous in speed",
    "A fresh contact at an instant; the largest jump of force over velocity, over the level.", "levels", jump, 1e-3, 1,
    0 },
};
const int effect_count = sizeof effects / sizeof *effects;

effect_grade effect_shown(const effect *e, double number)
{
  if (e->below ? number < e->limit : number > e->limit) return EFFECT_YES;
  return e->nearly > 0 && number < e->nearly ? EFFECT_NEARLY : EFFECT_NO;
}

const char *effect_word(effect_grade grade)
{
  static const char *const words[] = { "no", "nearly", "yes" };
  return words[grade];
}

const variant variants[] = { { "asymmetric", "fc_minus", 0.8 },
                             { "startstop", "fs_inf", 1.5 },
                             { "startstop", "turning", 1 } };
const int variant_count = sizeof variants / sizeof *variants;

int comparison_count(void) { return bristle_law_count() + variant_count; }

void comparison_name(int index, char *text, int size)
{
  const variant *v = &variants[index - bristle_law_count()];
  if (index < bristle_law_count()) snprintf(text, (size_t)size, "%s", bristle_law_at(index)->name);
  else snprintf(text, (size_t)size, "%s %s=%g", v->law, v->parameter, v->value);
}

int subject_named(const char *name, subject *out)
{
  char law[64], parameter[64];
  double value;
  const int words = sscanf(name, "%63s %63[^=]=%lf", law, parameter, &value);
  if (words < 1 || !bristle_law_find(law)) return 0;
  *out = subject_of(bristle_law_find(law));
  if (words == 1) return 1;
  const subject plain = *out;
  const bristle_row *row = bristle_param_find(plain.law->f64->info, parameter);
  if (words != 3 || !row || !subject_with(&plain, row, value, out)) return 0;
  return 1;
}
