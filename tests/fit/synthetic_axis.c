/* A log of a made-up axis whose friction is known, for tests that ask whether identification finds it.
 *
 *   synthetic-axis LAW SEED friction|drive OUT.csv [quantum=PART] [delay=SAMPLES] [noise=PART]
 *                                               [fall=PART]
 *
 * LAW is coulomb, stribeck, dahl, lugre or gms. The log has time, position and force at 1 kHz: the friction itself, or
 * the force of a drive that also moves a mass and carries an offset. The position is rounded to a quantum, the force
 * is noisy and perhaps late; what is not given is chosen by the seed. fall: the Stribeck speed relative to the largest
 * one, instead of a tenth of it and less. The truth goes to the standard output as JSON.
 *
 * Nothing here is the library's: the laws are written down once more, and their states advance in fine sub-steps along
 * the true motion, so that a log does not share the one step per sample, the filters or a mistake of the fitted path.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 8000, PARTS = 50, ELEMENTS = 4 };
static const double STEP = 1e-3, TURN = 6.283185307179586;

typedef struct axis {
  char law[16];
  double fc, fs, vs, sigma0, sigma1, sigma2, k[ELEMENTS], alpha[ELEMENTS], c;
  double mass, offset;
  double quantum, noise; /* m, N */
  int delay;             /* samples that the force is late */
  /* the motion */
  double length, slow, fast, frequency[4], phase[4];
  /* the contact */
  double z, force[ELEMENTS];
  int slips[ELEMENTS];
} axis;

/* ---- chance ---- */

static double unit(unsigned long long *state)
{
  unsigned long long z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(unsigned long long *state, double lo, double hi) { return lo * pow(hi / lo, unit(state)); }

static double normal(unsigned long long *state)
{
  double a = unit(state), b = unit(state);
  return sqrt(-2 * log(a + 1e-300)) * cos(TURN * b);
}

static axis random_axis(const char *law, unsigned long long *state)
{
  axis a = { .fc = between(state, 0.3, 100) };
  snprintf(a.law, sizeof a.law, "%s", law);
  a.fs = a.fc * (1 + between(state, 0.2, 0.8));
  a.vs = between(state, 1e-3, 1e-2);
  a.length = between(state, 1e-5, 1e-4);
  a.sigma0 = a.fc / a.length;
  a.sigma1 = between(state, 0.2, 0.8) * a.fc / a.vs;
  a.sigma2 = between(state, 0.5, 3) * a.fc;
  a.c = a.fc * between(state, 20, 100);
  double total = 0, way = 0.3 * a.length; /* elements that yield one after the other */
  for (int i = 0; i < ELEMENTS; i++) total += a.alpha[i] = between(state, 0.5, 2);
  for (int i = 0; i < ELEMENTS; i++) {
    a.alpha[i] /= total;
    a.k[i] = a.alpha[i] * a.fc / way;
    way *= between(state, 2, 3);
  }
  a.slow = 2 * a.vs, a.fast = between(state, 0.1, 0.3);
  static const double frequency[4] = { 0.5, 0.9, 3.1, 11.3 };
  for (int i = 0; i < 4; i++) {
    a.frequency[i] = frequency[i] * between(state, 0.9, 1.1);
    a.phase[i] = TURN * unit(state);
  }
  a.mass = between(state, 0.3, 3) * a.fc / (TURN * a.frequency[0] * a.fast);
  a.offset = (2 * unit(state) - 1) * 0.2 * a.fc;
  return a;
}

/* ---- the true motion: strokes of very different length and speed ---- */

static double rise(double t, double length) /* 0 to 1, smoothly */
{
  double u = fmin(fmax(t / length, 0), 1);
  return u * u * u * (10 + u * (6 * u - 15));
}

static double swing(const axis *a, int i, double t) { return sin(TURN * a->frequency[i] * t + a->phase[i]); }

static double position(const axis *a, double t)
{
  double fast = a->fast / (TURN * a->frequency[0]), slow = a->slow / (TURN * a->frequency[1]);
  return rise(t, 0.4) * (slow * swing(a, 1, t) + 2 * a->length * swing(a, 2, t) + 0.4 * a->length * swing(a, 3, t))
         + rise(t - 4, 0.5) * fast * swing(a, 0, t);
}

static double velocity(const axis *a, double t)
{
  const double h = 1e-5;
  return (8 * (position(a, t + h) - position(a, t - h)) - position(a, t + 2 * h) + position(a, t - 2 * h)) / (12 * h);
}

static double acceleration(const axis *a, double t)
{
  const double h = 2e-4;
  return (16 * (position(a, t + h) + position(a, t - h)) - position(a, t + 2 * h) - position(a, t - 2 * h)
          - 30 * position(a, t))
         / (12 * h * h);
}

/* ---- the laws ---- */

static double sign(double v) { return (v > 0) - (v < 0); }

static double level(const axis *a, double v) { return a->fc + (a->fs - a->fc) * exp(-(v / a->vs) * (v / a->vs)); }

/* dz/dt = v - |v| z / yield, exactly for this v */
static void bend(double *z, double v, double yield, double h)
{
  double end = sign(v) * yield;
  *z = end + (*z - end) * exp(-fabs(v) * h / yield);
}

static void move_elements(axis *a, double v, double h)
{
  double g = level(a, v);
  for (int i = 0; i < ELEMENTS; i++) {
    double limit = a->alpha[i] * g;
    if (a->slips[i] && a->slips[i] * v <= 0) a->slips[i] = 0;
    if (!a->slips[i]) {
      a->force[i] += a->k[i] * v * h;
      if (fabs(a->force[i]) >= limit && a->force[i] * v > 0) {
        a->slips[i] = (int)sign(v);
        a->force[i] = a->slips[i] * limit;
      }
    } else {
      double end = limit * sign(v);
      a->force[i] = end + (a->force[i] - end) * exp(-a->c / g * h);
    }
  }
}

/* the contact over one sample, then the friction at its end */
static double friction(axis *a, double from)
{
  const double h = STEP / PARTS, v = velocity(a, from + STEP);
  const int dahl = !strcmp(a->law, "dahl"), lugre = !strcmp(a->law, "lugre"), gms = !strcmp(a->law, "gms");
  for (int k = 0; k < PARTS && (dahl || lugre || gms); k++) {
    double middle = velocity(a, from + h * (k + 0.5));
    if (gms) move_elements(a, middle, h);
    else bend(&a->z, middle, (dahl ? a->fc : level(a, middle)) / a->sigma0, h);
  }
  if (gms) {
    double sum = a->sigma2 * v;
    for (int i = 0; i < ELEMENTS; i++) sum += a->force[i];
    return sum;
  }
  if (dahl) return a->sigma0 * a->z + a->sigma2 * v;
  if (lugre) {
    double rate = v - fabs(v) * a->sigma0 * a->z / level(a, v);
    return a->sigma0 * a->z + a->sigma1 * rate + a->sigma2 * v;
  }
  return (strcmp(a->law, "stribeck") ? a->fc : level(a, v)) * sign(v) + a->sigma2 * v;
}

/* ---- the log ---- */

static int write_log(axis *a, int drive, unsigned long long *state, const char *path)
{
  static double f[SAMPLES];
  FILE *out = fopen(path, "w");
  if (!out) return 0;
  for (int i = 0; i < SAMPLES; i++) {
    double t = i * STEP;
    f[i] = friction(a, t - STEP);
    if (drive) f[i] += a->mass * acceleration(a, t) + a->offset;
  }
  double shift = unit(state) * a->quantum;
  fputs("t [s],x [m],F [N]\n", out);
  for (int i = 0; i < SAMPLES; i++) {
    double x = position(a, i * STEP);
    if (a->quantum > 0) x = a->quantum * floor((x + shift) / a->quantum);
    fprintf(out, "%.9g,%.12g,%.9g\n", i * STEP, x, f[i > a->delay ? i - a->delay : 0] + a->noise * normal(state));
  }
  return !fclose(out);
}

static void show(const char *name, double value) { printf(", \"%s\": %.12g", name, value); }

static void write_truth(const axis *a, int drive, double stroke)
{
  const int dahl = !strcmp(a->law, "dahl"), lugre = !strcmp(a->law, "lugre"), gms = !strcmp(a->law, "gms");
  const int falls = strcmp(a->law, "coulomb") && !dahl;
  printf("{\"law\": \"%s\", \"quantum\": %.6g, \"delay\": %d, \"noise\": %.6g, \"stroke\": %.6g, \"parameters\": {",
         a->law, a->quantum / stroke, a->delay, a->noise / a->fc, stroke);
  printf("\"fc\": %.12g", a->fc);
  show("sigma2", a->sigma2);
  if (falls) show("fs", a->fs), show("vs", a->vs);
  if (dahl || lugre) show("sigma0", a->sigma0);
  if (lugre) show("sigma1", a->sigma1);
  for (int i = 0; gms && i < ELEMENTS; i++)
    printf(", \"k[%d]\": %.12g, \"alpha[%d]\": %.12g", i + 1, a->k[i], i + 1, a->alpha[i]);
  if (gms) show("c", a->c);
  show("offset", drive ? a->offset : 0);
  if (drive) show("mass", a->mass);
  puts("}}");
}

int main(int argc, char **argv)
{
  static const char *const laws[] = { "coulomb", "stribeck", "dahl", "lugre", "gms" };
  size_t l = 0;
  while (argc > 4 && l < sizeof laws / sizeof *laws && strcmp(argv[1], laws[l])) l++;
  if (argc < 5 || l == sizeof laws / sizeof *laws || (strcmp(argv[3], "friction") && strcmp(argv[3], "drive"))) {
    fputs("usage: synthetic-axis coulomb|stribeck|dahl|lugre|gms SEED friction|drive OUT.csv [quantum=PART] "
          "[delay=SAMPLES] [noise=PART] [fall=PART]\n",
          stderr);
    return 2;
  }
  const int drive = !strcmp(argv[3], "drive");
  unsigned long long state = 1000003ull * strtoull(argv[2], NULL, 10) + 77777ull * l + (unsigned)drive;
  axis a = random_axis(argv[1], &state);
  double low = 0, high = 0, fastest = 0, fall = 0;
  for (int i = 0; i < SAMPLES; i++) fastest = fmax(fastest, fabs(velocity(&a, i * STEP)));
  for (int i = 0; i < SAMPLES; i++) low = fmin(low, position(&a, i * STEP)), high = fmax(high, position(&a, i * STEP));
  double quantum = between(&state, 1e-8, 1e-3), noise = between(&state, 0.005, 0.03);
  a.delay = (int)(3 * unit(&state));
  for (int i = 5; i < argc; i++) {
    sscanf(argv[i], "quantum=%lf", &quantum);
    sscanf(argv[i], "noise=%lf", &noise);
    sscanf(argv[i], "delay=%d", &a.delay);
    sscanf(argv[i], "fall=%lf", &fall);
  }
  if (fall > 0) a.sigma1 *= a.vs / (fall * fastest), a.vs = fall * fastest;
  a.quantum = quantum * (high - low), a.noise = noise * a.fc;
  if (!write_log(&a, drive, &state, argv[4])) return fprintf(stderr, "%s cannot be written\n", argv[4]), 1;
  write_truth(&a, drive, high - low);
  return 0;
}
