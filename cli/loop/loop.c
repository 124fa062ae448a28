/* bristle loop: a presliding loop, and how slowly it must be run not to depend on the speed. */
#include "common/cli.h"

#include "common/model_argument.h"

#include "loop.h"

#include "maths/elementary.h"

enum { CURVE = LOOP_CURVE, POINTS = LOOP_POINTS };

typedef struct request {
  const char *model, *output, *curve, *report, *set[MOST_SETS + 1];
  int json, rotary; /* rotary: as the model is */
  double amplitude, tolerance, period, load;
} request;

/* ---- files ---- */

static bristle_fault_kind write_loop(const bristle_contact *c, const request *q, bristle_fault *fault)
{
  static double x[POINTS], f[POINTS];
  bristle_output *out;
  bristle_fault_kind kind = bristle_output_open(q->output, BRISTLE_OUTPUT_TABLE, &out, fault);
  if (kind) return kind;
  bristle_loop_simulate(c, q->load, q->amplitude, q->period, 3, POINTS, x, f);
  FILE *file = bristle_output_stream(out);
  bristle_rows_head(file, 3, (const char *[]){ "t", "x", "F" },
                    (const char *[]){ "s", bristle_length_unit(q->rotary), bristle_force_unit(q->rotary) });
  for (int i = 0; i < POINTS; i++) bristle_rows_write(file, 3, (double[]){ q->period * i / POINTS, x[i], f[i] });
  return bristle_output_commit(out, fault);
}

/* the limit over the amplitude, and how far the loop at the chosen period is from a slow one */
static bristle_fault_kind write_curve(const bristle_contact *c, const request *q, bristle_fault *fault)
{
  bristle_output *out;
  bristle_fault_kind kind = bristle_output_open(q->curve, BRISTLE_OUTPUT_TABLE, &out, fault);
  if (kind) return kind;
  FILE *file = bristle_output_stream(out);
  bristle_rows_head(file, 5,
                    (const char *[]){ "amplitude", "period", "damping", "stribeck", "difference at the limit" },
                    (const char *[]){ bristle_length_unit(q->rotary), "s", "s", "s", bristle_force_unit(q->rotary) });
  for (int i = 0; i < CURVE; i++) {
    const double amplitude = q->amplitude * pow(10, -1 + 2.0 * i / (CURVE - 1));
    const bristle_cycle_limit estimate = bristle_cycle_limit_of(c, q->load, amplitude, q->tolerance);
    const bristle_cycle_measured limit = bristle_cycle_limit_measure(c, q->load, amplitude, q->tolerance);
    const double apart = limit.period > 0
                             ? bristle_loop_difference(c, q->load, amplitude, limit.period, limit.slow, NULL)
                             : limit.apart;
    bristle_rows_write(file, 5, (double[]){ amplitude, limit.period, estimate.damping, estimate.stribeck, apart });
  }
  return bristle_output_commit(out, fault);
}

/* ---- the answer ---- */

static void answer_limit(const bristle_cycle_measured *limit, const bristle_cycle_limit *estimate, const char *force)
{
  switch (limit->kind) {
  case BRISTLE_CYCLE_RATE_FREE:
    puts("  limiting cycle time   none: the force depends on the path alone");
    return;
  case BRISTLE_CYCLE_WITHIN:
    printf("  limiting cycle time   none: loops of all periods agree within the tolerance, up to %.3g %s\n",
           limit->apart, force);
    return;
  case BRISTLE_CYCLE_AGES:
    puts("  limiting cycle time   none: slow loops differ too, because the friction follows the time itself");
    return;
  case BRISTLE_CYCLE_LIMITED:
    break;
  }
  printf("  limiting cycle time   %.4g s, measured on loops of the law", limit->period);
  if (estimate->period > 0)
    printf(" (by its parameters: damping %.6g s, Stribeck curve %.6g s)", estimate->damping, estimate->stribeck);
  putchar('\n');
}

static void answer(const bristle_contact *c, const request *q, const bristle_cycle_measured *limit)
{
  static const char *const kinds[] = { "none", "limited", "within the tolerance", "follows the time" };
  const bristle_cycle_limit estimate = bristle_cycle_limit_of(c, q->load, q->amplitude, q->tolerance);
  const double slow = fmax(limit->slow, 1e3 * q->period);
  double most = 0;
  const double apart = bristle_loop_difference(c, q->load, q->amplitude, q->period, slow, &most);
  if (q->json) {
    bristle_json_print(stdout,
                       "{\n  'amplitude_m': %g,\n  'tolerance': %g,\n  'limit': %s,\n  'limit_s': %g,\n"
                       "  'damping_s': %g,\n  'stribeck_s': %g,\n  'period_s': %g,\n  'difference_N': %g,\n"
                       "  'greatest_N': %g\n}\n",
                       q->amplitude, q->tolerance, kinds[limit->kind], limit->period, estimate.damping,
                       estimate.stribeck, q->period, apart, most);
    return;
  }
  const char *force = bristle_force_unit(q->rotary);
  printf("loop of %g %s under %s, tolerance %g of the Coulomb level\n", q->amplitude, bristle_length_unit(q->rotary),
         c->law->name, q->tolerance);
  answer_limit(limit, &estimate, force);
  printf("  at a period of %.6g s the force is up to %.3g %s from that of a slow loop, which reaches %.6g %s\n",
         q->period, apart, force, most, force);
}

static int run(void *asked)
{
  request *q = asked;
  bristle_friction friction;
  bristle_fault fault;
  bristle_fault_kind kind = model_argument_read(q->model, q->set, &friction, &fault);
  if (kind) return fault_exit(&fault);
  q->rotary = friction.rotary;
  const bristle_contact contact = bristle_friction_contact(&friction);
  const double load = q->load;
  if (!(load > 0)) q->load = 1;
  const bristle_cycle_measured limit = bristle_cycle_limit_measure(&contact, q->load, q->amplitude, q->tolerance);
  if (limit.period < 0) return no_memory();
  if (!(q->period > 0)) q->period = limit.period > 0 ? limit.period : 1;
  if (q->output) kind = write_loop(&contact, q, &fault);
  if (!kind && q->curve) kind = write_curve(&contact, q, &fault);
  if (kind) return fault_exit(&fault);
  if (q->report) {
    const loop_shown shown = { &contact, q->load, q->amplitude, q->tolerance, q->period, friction.rotary, limit };
    const int code = loop_report(&shown, q->report);
    if (code) return code;
  }
  answer(&contact, q, &limit);
  if (load > 0 && model_ignores_load(&friction)) fprintf(q->json ? stderr : stdout, "note: %s\n", model_load_note);
  FILE *const screen = q->output && !strcmp(q->output, "-") ? stderr : stdout;
  if (!q->json) tell_written(screen, q->output), tell_written(screen, q->curve), tell_written(screen, q->report);
  return finish_output(stdout);
}

static const option options[] = {
  { "--amplitude", "A", OPTION_QUANTITY, IN(request, amplitude), .help = "amplitude of the motion", "10 um",
    .unit = "m|rad", .range = "a length or an angle above zero" },
  { "--tolerance", "E", OPTION_QUANTITY, IN(request, tolerance), .help = "fraction of the Coulomb level", "0.01",
    .unit = "1", .range = "a fraction above zero" },
  { "--period", "T", OPTION_QUANTITY, IN(request, period),
    .help = "period of the loop that is shown; by default the limiting cycle time", .unit = "s",
    .range = "a time above zero" },
  { "--load", "N", OPTION_QUANTITY, IN(request, load),
    .help = "normal load, for parameters that are coefficients; 1 N by default", .unit = "N|N*m",
    .range = "a load above zero" },
  OPTION_SET(request, "parameters, with or without units: --set 'sigma0=1e5,fc=2 N'"),
  OPTION_OUTPUT(request, OPTION_TABLE, "LOOP.csv", "the loop: t, x, F"),
  { "--curve", "CURVE.csv", OPTION_TABLE, IN(request, curve),
    .help = "the limiting cycle time over the amplitude, from a tenth to ten times the one given" },
  OPTION_REPORT(request, "a page with the loop and the limiting cycle time over the amplitude"),
  OPTION_JSON(request, "full result as JSON"),
  OPTIONS_END
};

const verb verb_loop = {
  .name = "loop",
  .summary = "a presliding loop and its limiting cycle time",
  .about =
      "Moves a contact by x = A sin(2 pi t/T). Above the limiting cycle time (Piatkowski 2014) the loop does not "
      "depend on how fast it is run, within a part E of the Coulomb level; below it damping and Stribeck curve show "
      "as well. The limit is measured on loops of the law; an estimate from the parameters stands beside it.",
  .argument = { "MODEL", NULL, OPTION_LAW, IN(request, model), .help = "the name of a law, or a model file",
                .ask = "no law given: `bristle models` lists them", .noun = "law" },
  .options = options,
  .examples = "bristle loop lugre\n"
              "bristle loop lugre --amplitude '20 um' --tolerance 0.02 --period '0.5 s'\n",
  .request = sizeof(request),
  .run = run,
};
