/* Chance that is the same everywhere, and the judgement of a run. */
#include "sim/random_rig.h"

#include "maths/random.h"
#include "support/test.h"

static uint64_t seed;

void chance_begin(const char *law, size_t rig, int set)
{
  seed = ((uint64_t)(uintptr_t)set << 32) + rig;
  for (const char *c = law; *c; c++) seed = seed * 31 + (uint64_t)*c;
}

static double uniform(void) { return random_unit(&seed); }

double chance_between(double a, double b) { return a + (b - a) * uniform(); }
double chance_decades(double a, double b) { return a * pow(b / a, uniform()); }

static double draw_number(const bristle_row *row, double usual)
{
  double value = usual;
  if (row->kind == BRISTLE_ROW_OPTION) value = floor(chance_between(row->lo, fmin(row->hi, row->lo + 5) + 1));
  else if (row->kind != BRISTLE_ROW_LOG) value = usual * chance_between(0.5, 1.5);
  else if (usual > 0) value = usual * chance_decades(0.1, 10);
  else if (row->count == 1 && uniform() < 0.5) value = chance_decades(1e-2, 1);
  return fmin(fmax(value, row->lo), row->hi);
}

void random_parameters(const bristle_info *info, double *p, int (*admissible)(const void *law, const double *p),
                       const void *law)
{
  double usual[RANDOM_PARAM];
  memcpy(usual, p, (size_t)info->nparam * sizeof *p);
  for (int tries = 0; tries < 1000; tries++) {
    for (int r = 0; r < info->param_rows; r++) {
      const bristle_row *row = &info->param[r];
      double sum = 0;
      for (int k = 0; k < row->count; k++) sum += p[row->first + k] = draw_number(row, usual[row->first + k]);
      for (int k = 0; row->count > 1 && !strcmp(row->unit, "1") && k < row->count; k++) p[row->first + k] /= sum;
    }
    if (admissible(law, p)) return;
  }
  CHECK(0, "%s: no admissible parameters in 1000 tries", info->name);
}

bristle_program random_sines(random_inputs *in, double size)
{
  for (int i = 0; i < RANDOM_SINES; i++) {
    in->amplitude[i] = size * chance_between(0.2, 1);
    in->frequency[i] = chance_decades(0.3, 3);
    in->phase[i] = chance_between(0, 6.28);
  }
  return (bristle_program){ .kind = BRISTLE_PROGRAM_SINES,
                            .count = RANDOM_SINES,
                            .amplitude = in->amplitude,
                            .frequency = in->frequency,
                            .phase = in->phase };
}

bristle_program random_knots(random_inputs *in, double end, double low, double high)
{
  for (int i = 0; i < RANDOM_KNOTS; i++) {
    in->t[i] = end * i / (RANDOM_KNOTS - 1);
    in->y[i] = chance_between(low, high);
  }
  return (bristle_program){ .count = RANDOM_KNOTS, .t = in->t, .y = in->y };
}

int rig_fits(const bristle_rig *rig)
{
  const bristle_sim_options options = { .end = 1 };
  bristle_sim_error error;
  return bristle_sim_check(rig, &options, &error) != BRISTLE_SIM_UNSUITABLE;
}

/* is one of the run's own sentences about its energy account? */
static int tells_of_energy(const bristle_sim_stats *stats)
{
  bristle_sim_warning list[BRISTLE_SIM_WARNINGS];
  const int count = bristle_sim_warnings(stats, list);
  for (int i = 0; i < count; i++)
    if (strstr(list[i], "the energy account misses")) return 1;
  return 0;
}

void random_run(const bristle_rig *rig, double end, size_t budget, const char *name, random_tally *tally)
{
  const bristle_sim_options options = { .end = end, .output = end / 100, .most_steps = budget };
  bristle_sim_stats stats;
  bristle_sim_error error = { 0 };
  const bristle_sim_status status = bristle_simulate(rig, &options, NULL, &stats, &error);
  const size_t tried = stats.steps + stats.rejected;
  tally->runs++;
  CHECK(status == BRISTLE_SIM_OK, "%s: %s at %g s", name, error.what, error.t);
  if (status) return;
  CHECK(tried <= budget || budget == 0, "%s: %zu steps tried, %zu are enough", name, tried, budget);
  const double residual = fabs(stats.residual) / stats.work_done;
  const int misses = !(fabs(stats.residual) <= 1e-6 * stats.work_done), told = tells_of_energy(&stats);
  CHECK(misses == told, "%s: residual %.2g, and the run says %s", name, residual, told ? "so" : "nothing");
  /* told or not, such a run would be wrong */
  CHECK(fabs(stats.residual) <= 1e-4 * stats.work_done, "%s: residual %.2g", name, residual);
  tally->told += told;
  if (misses) tally->worst = fmax(tally->worst, residual);
}
