/* A machine axis under position control at 1 kHz, with and without the exported compensation: how much better does it
 * track around reversals, and does it come to rest? truth.c is the axis's friction in double precision, model.c the
 * compensation in single precision. The axis is that of examples/axis.yaml. */
#include "model.h"
#include "truth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { STEPS = 100, MOVING = 4000, RESTING = 4000 }; /* steps of 10 us in a sample; samples of 1 ms */

typedef struct axis {
  double x, v, integral;
  truth_state contact;
} axis;

typedef struct plan {
  double x, v, a;
} plan;

/* four swings of 5 mm, then rest at a turn */
static plan plan_at(double t)
{
  const double w = 6.283185307179586, end = MOVING * 1e-3;
  plan p = { 5e-3 * sin(w * t), 5e-3 * w * cos(w * t), -5e-3 * w * w * sin(w * t) };
  if (t >= end - 0.75) p = (plan){ 5e-3 * sin(w * (end - 0.75)), 0, 0 };
  return p;
}

/* a PID controller with the acceleration known beforehand */
static double command(axis *a, plan p, double extra)
{
  const double error = p.x - a->x;
  a->integral += 1e-3 * error;
  return 2e5 * error + 4e3 * (p.v - a->v) + 1e6 * a->integral + 20 * p.a + extra;
}

static void advance(axis *a, double force)
{
  for (int i = 0; i < STEPS; i++) {
    const double h = 1e-3 / STEPS;
    const truth_input in = { .v = a->v + h / 20 * force, .n = 1, .w = h / 20, .h = h };
    truth_step(&a->contact, &in, &a->v);
    a->x += h * a->v;
  }
}

typedef struct result {
  double turning, restless; /* rms error within 50 ms of a turn; way between extremes in the last second */
} result;

static result run(int compensated, double gain)
{
  axis a = { 0 };
  model_compensator c;
  result r = { 0 };
  double lo = 1, hi = -1;
  int turning = 0;
  a.v = plan_at(0).v;
  truth_init(&a.contact);
  model_compensator_init(&c, 100, 0.02f);
  c.gain = (float)gain;
  for (int i = 0; i < MOVING + RESTING; i++) {
    const double t = i * 1e-3;
    const plan now = plan_at(t), next = plan_at(t + 1e-3);
    const double extra = (double)model_compensate(&c, (float)(0.5 * (now.v + next.v)), (float)a.v, 1);
    advance(&a, command(&a, now, compensated ? extra : 0));
    const double error = next.x - a.x;
    if (t > 1 && next.v != 0 && fabs(next.v) < 5e-3 * 6.2832 * 0.309) r.turning += error * error, turning++; /* 50 ms */
    if (i >= MOVING + RESTING - 1000) lo = fmin(lo, a.x), hi = fmax(hi, a.x);
  }
  r.turning = sqrt(r.turning / turning);
  r.restless = hi - lo;
  return r;
}

int main(int argc, char **argv)
{
  const double gain = argc > 1 ? atof(argv[1]) : 1;
  const result without = run(0, gain), with = run(1, gain);
  printf("%.3g %.3g %.3g %.3g %.3g\n", without.turning, with.turning, without.turning / with.turning, without.restless,
         with.restless);
  return 0;
}
