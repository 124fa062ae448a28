#include "support/arm.h"

void arm_dynamics(const arm *a, double *m, double *against)
{
  const int n = a->n;
  double x[ARM_MOST + 1] = { 0 }, y[ARM_MOST + 1] = { 0 }, ax = 0, ay = 0, angle = 0, rate = 0;
  memset(m, 0, sizeof *m * (size_t)(n * n));
  memset(against, 0, sizeof *against * (size_t)n);
  for (int b = 0; b < n; b++) {
    angle += a->q[b], rate += a->u[b];
    const double l = a->length[b], ex = l * cos(angle), ey = l * sin(angle);
    const double cx = x[b] + 0.5 * ex, cy = y[b] + 0.5 * ey, inertia = a->mass[b] * l * l / 12;
    /* acceleration of the centre with all joints unaccelerated */
    const double bx = ax - 0.5 * rate * rate * ex, by = ay - 0.5 * rate * rate * ey;
    for (int i = 0; i <= b; i++) {
      const double ix = -(cy - y[i]), iy = cx - x[i];
      against[i] += a->mass[b] * (ix * bx + iy * (by + a->gravity));
      for (int j = 0; j <= b; j++) m[i * n + j] += inertia + a->mass[b] * (ix * -(cy - y[j]) + iy * (cx - x[j]));
    }
    x[b + 1] = x[b] + ex, y[b + 1] = y[b] + ey;
    ax -= rate * rate * ex, ay -= rate * rate * ey;
  }
}

void arm_loads(const arm *a, double *torque)
{
  static double m[ARM_MOST * ARM_MOST];
  arm still = *a;
  memset(still.u, 0, sizeof still.u);
  arm_dynamics(&still, m, torque);
}

arm arm_loaded(const char *const *laws, int kinds, int n, double part, double lighter)
{
  arm a = { .n = n, .gravity = 9.81 };
  double torque[ARM_MOST];
  for (int i = 0; i < n; i++) {
    a.mass[i] = 2 * pow(lighter, i), a.length[i] = 0.4 * pow(lighter, 0.2 * i);
    a.q[i] = i ? 0.3 * sin(1 + 2.7 * i) : 0.2;
    a.c[i] = contact_of(laws[i % kinds]);
    a.c[i].load = BRISTLE_LOAD_COEFFICIENT;
  }
  arm_loads(&a, torque);
  for (int i = 0; i < n; i++) {
    double level = 0; /* per unit load: the torque decides how much load the joint has */
    for (double v = 1e-7; v < 1e-2; v *= 1.5) {
      bristle_input in = { .v = v, .n = 1, .h = 1, .load = a.c[i].load };
      level = fmax(level, fabs(a.c[i].model->steady(a.c[i].p, &in)));
    }
    a.c[i].n = fabs(torque[i]) / (part * level) + 1e-6;
  }
  return a;
}

/* m x = b for all columns of b at once, m and b destroyed */
static void solve(int n, double *m, double *b, int columns)
{
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      const double part = m[i * n + k] / m[k * n + k];
      for (int j = k; j < n; j++) m[i * n + j] -= part * m[k * n + j];
      for (int j = 0; j < columns; j++) b[i * columns + j] -= part * b[k * columns + j];
    }
  for (int i = n - 1; i >= 0; i--)
    for (int j = 0; j < columns; j++) {
      for (int k = i + 1; k < n; k++) b[i * columns + j] -= m[i * n + k] * b[k * columns + j];
      b[i * columns + j] /= m[i * n + i];
    }
}

void arm_step(arm *a, double h)
{
  static double m[ARM_MOST * ARM_MOST], right[ARM_MOST * (ARM_MOST + 1)], against[ARM_MOST], work[ARM_WORK];
  const int n = a->n, columns = n + 1;
  bristle_network_contact contacts[ARM_MOST];
  arm_dynamics(a, m, against);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) right[i * columns + j] = i == j ? h : 0;
    right[i * columns + n] = h * (a->torque[i] - against[i]);
  }
  solve(n, m, right, columns);
  for (int i = 0; i < n; i++) {
    a->free[i] = a->u[i] + right[i * columns + n];
    for (int j = 0; j < n; j++) a->w[i * n + j] = 0.5 * (right[i * columns + j] + right[j * columns + i]);
    contacts[i] = (bristle_network_contact){
      .law = a->c[i].model, .p = a->c[i].p, .s = a->c[i].s, .x = a->q[i], .n = a->c[i].n, .load = a->c[i].load
    };
  }
  bristle_network net = { .count = n, .contact = contacts, .w = a->w, .v = a->free, .h = h, .f = a->f, .u = a->u };
  if (bristle_network_work(&net) > ARM_WORK) {
    printf("the arm is too long\n");
    exit(1);
  }
  a->report = bristle_network_solve(&net, work);
  for (int i = 0; i < n; i++) a->q[i] += h * a->u[i];
}

double arm_energy(const arm *a)
{
  static double m[ARM_MOST * ARM_MOST], against[ARM_MOST];
  double sum = 0, y = 0, angle = 0;
  arm_dynamics(a, m, against);
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < a->n; j++) sum += 0.5 * a->u[i] * m[i * a->n + j] * a->u[j];
  for (int i = 0; i < a->n; i++) {
    angle += a->q[i];
    sum += a->mass[i] * a->gravity * (y + 0.5 * a->length[i] * sin(angle));
    y += a->length[i] * sin(angle);
  }
  return sum;
}
