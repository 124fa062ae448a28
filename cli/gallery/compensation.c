/* Friction compensation by the planned motion, with models that are right, identified and wrong. */
#include "gallery.h"

#include "maths/elementary.h"

#define MODEL(values) "compensation.friction={model: lugre, parameters: {" values "}}"

static const gallery_run runs[] = {
  { "compensation", "compensation.gain=0", "without" },
  { "compensation", MODEL("sigma0: 399966, sigma1: 987.1, sigma2: 200.25, fc: 19.9995, fs: 30.187, vs: 1.97976 mm/s"),
    "with the identified model" },
  { "compensation", MODEL("sigma0: 3.2e5, sigma1: 800, sigma2: 160, fc: 16, fs: 24, vs: 1.6 mm/s"),
    "all parameters 20 % low" },
  { "compensation", MODEL("sigma0: 4.8e5, sigma1: 1200, sigma2: 240, fc: 24, fs: 36, vs: 2.4 mm/s"),
    "all parameters 20 % high" },
  { "compensation", NULL, "with the true model" },
  { "compensation", "compensation.sample_time=4ms", "the true model at 250 Hz" },
};

static const gallery_plot plots[] = {
  { .title = "Error of the position", .x = "t", .y = "error", .runs = "0123", .from = 2.6, .to = 3.1, .half = 1 },
  { .title = "Around a turn", .x = "t", .y = "error", .runs = "145", .from = 2.7, .to = 2.85, .half = 1 },
  { .title = "Compensating force", .x = "t", .y = "compensation", .runs = "123", .from = 2.6, .to = 3.1, .half = 1 },
};

/* rms error within 50 ms of the turns of a plan at 1 Hz, from the second swing on */
static double around_turns(const simulation *s)
{
  const double *t = s->kept[0], *error = run_column(s, "error");
  double sum = 0;
  size_t count = 0;
  for (size_t i = 0; error && i < s->rows; i++) {
    if (t[i] < 1 || fabs(cos(2 * 3.14159265358979323846 * t[i])) > sin(2 * 3.14159265358979323846 * 0.05)) continue;
    sum += error[i] * error[i];
    count++;
  }
  return count ? sqrt(sum / (double)count) : (double)NAN;
}

static double turning_error(const simulation *list, const gallery_number *n) { return around_turns(&list[n->run]); }

/* what is left of the error without compensation */
static double left_over(const simulation *list, const gallery_number *n)
{
  return around_turns(&list[n->run]) / around_turns(&list[0]);
}

static const gallery_number numbers[] = {
  { "rms error within 50 ms of a turn, without", "m", "4.072e-5", turning_error, .run = 0,
    .source = GALLERY_OWN_STUDY },
  { "the same with the true model", "m", "7.10e-7", turning_error, .run = 4, .source = GALLERY_OWN_STUDY },
  { "what the identified model leaves of the error", "1", "< 0.2", left_over, .run = 1 },
  { "all parameters 20 % low", "1", "< 0.3", left_over, .run = 2 },
  { "all parameters 20 % high", "1", "< 0.3", left_over, .run = 3 },
  { "the true model at 250 Hz, beside 1 kHz without", "1", "< 0.5", left_over, .run = 5 },
};

const gallery_figure gallery_compensation[] = {
  { .name = "compensation",
    .title = "Friction compensation by the planned motion",
    .text = "A controller at 1 kHz moves a machine axis to and fro. Where the motion turns, friction turns too, and "
            "the controller needs "
            "time to notice. A model of the friction, run on the planned velocity, knows it beforehand. The identified "
            "one comes from a noisy record of the same axis. Parameters that are wrong by a fifth help less and do no "
            "harm: the "
            "force follows the plan, not the axis.",
    GALLERY_RUNS_OF(runs),
    GALLERY_PLOTS_OF(plots),
    GALLERY_NUMBERS_OF(numbers, GALLERY_LIMIT) },
  { .name = NULL },
};
