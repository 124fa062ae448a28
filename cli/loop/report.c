/* The page of `bristle loop`: the loop beside a slow one, and how slowly it must be run. */
#include "loop.h"

#include "common/cli.h"

#include "maths/elementary.h"

static void add_loops(const loop_shown *q, double slow, bristle_report *page)
{
  static double x[2][LOOP_POINTS], f[2][LOOP_POINTS];
  char name[2][60];
  for (int k = 0; k < 2; k++) {
    const double period = k ? q->period : slow;
    bristle_loop_simulate(q->contact, q->load, q->amplitude, period, 3, LOOP_POINTS, x[k], f[k]);
    snprintf(name[k], sizeof *name, "period %.3g s", period);
  }
  const bristle_series series[] = { { name[0], BRISTLE_STYLE_WIDE, LOOP_POINTS, x[0], f[0], NULL },
                                    { name[1], BRISTLE_STYLE_LINE, LOOP_POINTS, x[1], f[1], NULL } };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                             .title = "The loop and a slow loop",
                                             .caption = "The area inside is the energy lost in each turn.",
                                             .x = { "position", bristle_length_unit(q->rotary), 0 },
                                             .y = { "friction force", bristle_force_unit(q->rotary), 0 },
                                             .series_count = 2,
                                             .series = series });
}

static void add_limit(const loop_shown *q, bristle_report *page)
{
  double amplitude[LOOP_CURVE], period[3][LOOP_CURVE];
  for (int i = 0; i < LOOP_CURVE; i++) {
    amplitude[i] = q->amplitude * pow(10, -1 + 2.0 * i / (LOOP_CURVE - 1));
    const bristle_cycle_limit estimate = bristle_cycle_limit_of(q->contact, q->load, amplitude[i], q->tolerance);
    period[0][i] = bristle_cycle_limit_measure(q->contact, q->load, amplitude[i], q->tolerance).period;
    period[1][i] = estimate.damping, period[2][i] = estimate.stribeck;
  }
  const bristle_series series[] = {
    { "limiting cycle time", BRISTLE_STYLE_WIDE, LOOP_CURVE, amplitude, period[0], NULL },
    { "expected by damping", BRISTLE_STYLE_LINE, LOOP_CURVE, amplitude, period[1], NULL },
    { "expected by the Stribeck curve", BRISTLE_STYLE_DASHED, LOOP_CURVE, amplitude, period[2], NULL }
  };
  bristle_report_plot(page,
                      &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                       .title = "Shortest quasi-static cycle time against the amplitude",
                                       .caption = "A slower loop depends on the path alone, within the tolerance.",
                                       .x = { "amplitude", bristle_length_unit(q->rotary), 1 },
                                       .y = { "period", "s", 1 },
                                       .series_count = 3,
                                       .series = series });
}

int loop_report(const loop_shown *q, const char *path)
{
  const double slow = fmax(q->limit.slow, 1e3 * q->period),
               apart = bristle_loop_difference(q->contact, q->load, q->amplitude, q->period, slow, NULL);
  char text[400];
  snprintf(text, sizeof text, "Presliding loop of %s", q->contact->law->name);
  bristle_report *page = bristle_report_new(text);
  if (q->limit.kind == BRISTLE_CYCLE_LIMITED)
    snprintf(
        text, sizeof text,
        "A loop of %.4g %s must take at least %.4g s to depend on the path alone, within %.3g of the Coulomb level. "
        "At a period of %.4g s the force is up to %.3g %s from that of a slow loop.",
        q->amplitude, bristle_length_unit(q->rotary), q->limit.period, q->tolerance, q->period, apart,
        bristle_force_unit(q->rotary));
  else if (q->limit.kind == BRISTLE_CYCLE_RATE_FREE)
    snprintf(text, sizeof text, "The force depends on the path alone, however fast the loop is run.");
  else
    snprintf(text, sizeof text,
             q->limit.kind == BRISTLE_CYCLE_WITHIN
                 ? "Loops of all periods agree within %.3g of the Coulomb level."
                 : "Slow loops differ by more than %.3g of the Coulomb level too: the friction "
                   "follows the time itself.",
             q->tolerance);
  bristle_report_text(page, text);
  bristle_report_section(page, "Loop");
  add_loops(q, slow, page);
  if (q->limit.kind == BRISTLE_CYCLE_LIMITED) add_limit(q, page);
  return finish_page(page, path);
}
