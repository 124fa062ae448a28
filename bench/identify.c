/* Six LuGre parameters from 10 s at 1 kHz, started 30 % off: what identify_scipy.py does in Python, on the same data.
   Writes the data (t, x, v, F) to the file named first; prints the processor times of the search from the start and of
   the whole identification (which finds features, deviations, whiteness and energy besides), the passes over all
   samples, and the parameters found. */
#include "fit/fast/fast.h"
#include "fit/identification/refine.h"
#include "maths/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <string.h>

enum { SAMPLES = 10001, FINE = 200, REPEATS = 25 };
static const double STEP = 1e-3, NOISE = 2e-3;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double velocity(double t)
{
  const double turn = 6.283185307179586;
  return 0.02 * sin(turn * 0.2 * t) + 0.003 * sin(turn * 1.3 * t) + 0.0008 * sin(turn * 5.1 * t);
}

/* the law in steps a hundredth of a sample long and more, with noise */
static void write_data(const char *path, const bristle_law *law, const double *p)
{
  FILE *out = fopen(path, "w");
  double z = 0, x = 0, rate;
  uint64_t state = 5;
  if (!out) exit(1);
  fputs("t [s],x [m],v [m/s],F [N]\n", out);
  for (int i = 0; i < SAMPLES; i++) {
    double t = i * STEP;
    for (int k = 0; i && k < FINE; k++) {
      double h = STEP / FINE, middle = t - STEP + (k + 0.5) * h;
      bristle_input in = { .v = velocity(middle), .n = 1, .h = h };
      law->f64->step(p, &z, &in, NULL);
      x += h * in.v;
    }
    bristle_input in = { .v = velocity(t), .n = 1 };
    double noise = sqrt(-2 * log(random_unit(&state) + 1e-300)) * cos(6.283185307179586 * random_unit(&state));
    fprintf(out, "%.9g,%.17g,%.17g,%.17g\n", t, x, in.v, law->f64->eval(p, &z, &in, &rate) + NOISE * noise);
  }
  fclose(out);
}

/* the least disturbed of the repetitions */
static double fastest(const double *times)
{
  double least = times[0];
  for (int i = 1; i < REPEATS; i++) least = fmin(least, times[i]);
  return least;
}

static void fail(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "%s\n", text);
  exit(1);
}

int main(int argc, char **argv)
{
  const char *path = argc > 1 ? argv[1] : "/tmp/bristle-bench-identify.csv";
  const bristle_law *law = bristle_law_find("lugre");
  static const double off[6] = { 0.7, 1.3, 1.3, 1.3, 0.8, 1.3 };
  double truth[BRISTLE_LAW_SIZE], start[BRISTLE_LAW_SIZE], search[REPEATS], whole[REPEATS];
  bristle_log *log;
  bristle_fault fault;
  bristle_identify_options options = { .folds = -1, .start = start, .threads = 1 };
  bristle_defaults(law->f64->info, truth);
  memcpy(start, truth, sizeof start);
  for (int j = 0; j < 6; j++) start[j] *= off[j];
  if (start[4] < start[3]) start[4] = 1.05 * start[3];
  write_data(path, law, truth);
  if (bristle_log_read(path, &(bristle_log_options){ 0 }, &log, &fault)) fail(&fault);
  const bristle_log *one = log;

  features f;
  chart c;
  experiment e;
  double u[UNKNOWNS];
  bristle_fit_result *fit = NULL;
  bristle_identified *result = NULL;
  if (features_find(&f, &one, 1, &options, &fault) || chart_make(&c, law, BRISTLE_LOAD_FORCE, &f, &options, &fault))
    fail(&fault);
  experiment_make(&e, &c, &one, 1, BRISTLE_LOAD_FORCE, &options);
  chart_unknowns(&c, start, u);
  for (int i = 0; i < REPEATS; i++) {
    double begin = now();
    bristle_fit_free(fit);
    if (refine_given(&e, u, &fit, &fault)) fail(&fault);
    search[i] = now() - begin;
    begin = now();
    bristle_identified_free(result);
    if (bristle_identify(law, &one, 1, NULL, &options, &result, &fault)) fail(&fault);
    whole[i] = now() - begin;
  }
  printf("search_s %.6g\nidentify_s %.6g\njacobians %d\nevaluations %d\ncost %.9g\n", fastest(search), fastest(whole),
         fit->jacobians, fit->evaluations, fit->cost);
  for (int j = 0; j < 6; j++)
    printf("%s %.9g start %.9g truth %.9g\n", result->estimate[j].name, result->p[j], start[j], truth[j]);
  bristle_fit_free(fit);
  bristle_identified_free(result);
  bristle_log_free(log);
  return 0;
}
