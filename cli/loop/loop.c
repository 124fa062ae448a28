/* bristle loop: a presliding loop, and how slowly it must be run not to depend on the speed. */
#include "common/cli.h"

#include "common/model_argument.h"

#include "bristle/loops.h"

#include <math.h>
#include <stddef.h>

enum { CURVE = 41, POINTS = 1000, NUMBERS = 4 };

typedef struct request {
  const char *model, *output, *curve;
  char **argv;
  int argc, json;
  double amplitude, tolerance, period, load;
} request;

static const struct {
  const char *flag, *unit;
  size_t place;
} quantities[NUMBERS] = { { "--amplitude", "m|rad", offsetof(request, amplitude) },
                          { "--tolerance", "1", offsetof(request, tolerance) },
                          { "--period", "s", offsetof(request, period) },
                          { "--load", "N|N*m", offsetof(request, load) } };

static int fault_exit(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "bristle loop: %s\n", text);
  return FAILED;
}

/* ---- files ---- */

static bristle_fault_kind write_loop(const bristle_loop_contact *c, const request *q, bristle_fault *fault)
{
  static double x[POINTS], f[POINTS];
  bristle_output *out;
  bristle_fault_kind kind = bristle_output_open(q->output, BRISTLE_OUTPUT_TABLE, &out, fault);
  if (kind) return kind;
  bristle_loop_simulate(c, q->amplitude, q->period, 3, POINTS, x, f);
  FILE *file = bristle_output_stream(out);
  fputs("t [s],x [m],F [N]\n", file);
  for (int i = 0; i < POINTS; i++) fprintf(file, "%.9g,%.12g,%.12g\n", q->period * i / POINTS, x[i], f[i]);
  return bristle_output_commit(out, fault);
}

/* the limit over the amplitude, and how far the loop at the chosen period is from a slow one */
static bristle_fault_kind write_curve(const bristle_loop_contact *c, const request *q, bristle_fault *fault)
{
  bristle_output *out;
  bristle_fault_kind kind = bristle_output_open(q->curve, BRISTLE_OUTPUT_TABLE, &out, fault);
  if (kind) return kind;
  FILE *file = bristle_output_stream(out);
  fputs("amplitude [m],period [s],damping [s],stribeck [s],difference at the limit [N]\n", file);
  for (int i = 0; i < CURVE; i++) {
    const double amplitude = q->amplitude * pow(10, -1 + 2.0 * i / (CURVE - 1));
    const bristle_cycle_limit limit = bristle_cycle_limit_of(c, amplitude, q->tolerance);
    const double apart = limit.period > 0
                             ? bristle_loop_difference(c, amplitude, limit.period, 1e3 * limit.period, NULL)
                             : 0;
    fprintf(file, "%.9g,%.9g,%.9g,%.9g,%.9g\n", amplitude, limit.period, limit.damping, limit.stribeck, apart);
  }
  return bristle_output_commit(out, fault);
}

/* ---- the answer ---- */

static void answer(const bristle_loop_contact *c, const request *q)
{
  const bristle_cycle_limit limit = bristle_cycle_limit_of(c, q->amplitude, q->tolerance);
  const double slow = 1e3 * fmax(limit.period, q->period);
  double most = 0;
  const double apart = slow > 0 ? bristle_loop_difference(c, q->amplitude, q->period, slow, &most) : 0;
  if (q->json) {
    const struct {
      const char *key;
      double value;
    } numbers[] = { { "amplitude_m", q->amplitude },  { "tolerance", q->tolerance },
                    { "limit_s", limit.period },      { "damping_s", limit.damping },
                    { "stribeck_s", limit.stribeck }, { "period_s", q->period },
                    { "difference_N", apart },        { "greatest_N", most } };
    puts("{");
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      printf("  \"%s\": ", numbers[i].key);
      json_number(stdout, numbers[i].value);
      puts(i + 1 < sizeof numbers / sizeof *numbers ? "," : "");
    }
    puts("}");
    return;
  }
  printf("loop of %g m under %s, tolerance %g of the Coulomb level\n", q->amplitude, c->law->name, q->tolerance);
  if (limit.period > 0)
    printf("  limiting cycle time   %.6g s (damping %.6g s, Stribeck curve %.6g s)\n", limit.period, limit.damping,
           limit.stribeck);
  else puts("  limiting cycle time   none: the force depends on the path alone");
  printf("  at a period of %.6g s the force is up to %.3g N from that of a slow loop, which reaches %.6g N\n",
         q->period, apart, most);
}

static int compute(request *q)
{
  bristle_friction friction;
  bristle_fault fault;
  bristle_fault_kind kind = model_argument_read(q->model, q->argc, q->argv, &friction, &fault);
  if (kind) return fault_exit(&fault);
  const bristle_loop_contact contact = { friction.law, friction.load, q->load, friction.p };
  if (!(q->period > 0)) q->period = bristle_cycle_limit_of(&contact, q->amplitude, q->tolerance).period;
  if (!(q->period > 0)) q->period = 1;
  if (q->output) kind = write_loop(&contact, q, &fault);
  if (!kind && q->curve) kind = write_curve(&contact, q, &fault);
  if (kind) return fault_exit(&fault);
  answer(&contact, q);
  return finish_output(stdout, "loop");
}

/* an option with a quantity: 1 when it was one, -1 with a message */
static int take_quantity(request *q, int argc, char **argv, int *i)
{
  const char *value;
  bristle_fault fault;
  for (int k = 0; k < NUMBERS; k++) {
    if (!(value = flag_value(argc, argv, i, quantities[k].flag))) continue;
    double *to = (double *)((char *)q + quantities[k].place);
    if (bristle_quantity_read(value, strlen(value), quantities[k].unit, to, NULL, &fault)) return -fault_exit(&fault);
    if (*to > 0) return 1;
    usage_error("loop", "%s is %s, expected a number above 0", quantities[k].flag, value);
    return -USAGE;
  }
  return 0;
}

static int run(int argc, char **argv)
{
  request q = { .argc = argc, .argv = argv, .amplitude = 1e-5, .tolerance = 0.01, .load = 1 };
  const char *value;
  for (int i = 0; i < argc; i++) {
    const int taken = take_quantity(&q, argc, argv, &i);
    if (taken < 0) return -taken;
    if (taken || flag_value(argc, argv, &i, "--set")) continue;
    if (is_flag(argv[i], "--json")) q.json = 1;
    else if ((value = flag_value(argc, argv, &i, "-o")) || (value = flag_value(argc, argv, &i, "--output")))
      q.output = value;
    else if ((value = flag_value(argc, argv, &i, "--curve"))) q.curve = value;
    else if (argv[i][0] == '-')
      return usage_error("loop", "'%s' is not an option of this verb, or lacks its value", argv[i]);
    else if (q.model) return usage_error("loop", "one law at a time; got '%s' and '%s'", q.model, argv[i]);
    else q.model = argv[i];
  }
  if (!q.model) return usage_error("loop", "which law? try `bristle models`");
  int code = reserve_output("loop", q.output, BRISTLE_OUTPUT_TABLE);
  if (!code) code = reserve_output("loop", q.curve, BRISTLE_OUTPUT_TABLE);
  return code ? code : compute(&q);
}

const verb verb_loop = {
  "loop",
  "a presliding loop and its limiting cycle time",
  "usage: bristle loop MODEL [--amplitude A] [--tolerance E] [--period T] [--set a=1,b=2] [-o LOOP.csv]\n"
  "                    [--curve CURVE.csv] [--json]\n\n"
  "Moves a contact by x = A sin(2 pi t/T). Above the limiting cycle time (Piatkowski 2014) the loop does not depend "
  "on\n"
  "how fast it is run, within a part E of the Coulomb level; below it damping and Stribeck curve show as well.\n\n"
  "  MODEL        the name of a law, or a model file\n"
  "  --amplitude  of the motion, 10 um          --tolerance  part of the Coulomb level, 0.01\n"
  "  --period     of the loop that is shown; without it the limiting cycle time\n"
  "  --load       normal load, for parameters that are coefficients\n"
  "  -o           the loop: t, x, F\n"
  "  --curve      the limiting cycle time over the amplitude, from a tenth to ten times the one given\n\n"
  "examples:\n"
  "  bristle loop lugre\n"
  "  bristle loop lugre --amplitude '20 um' --tolerance 0.02 --period '0.5 s'\n",
  run,
};
