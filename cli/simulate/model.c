/* A model is no scenario: whoever simulates the file alone gets the scenario that moves it, ready to be copied. */
#include "common/cli.h"

#include "simulation.h"

#include "lab/units.h"
#include "maths/elementary.h"

static const double LOAD = 100; /* for laws that grow with it */

/* the largest steady force at slow speeds, either way; 1 where the law has none */
static double slow_level(const bristle_friction *f)
{
  double most = 0;
  if (!(f->info->traits & BRISTLE_TRAIT_STEADY)) return 1;
  for (double v = 1e-6; v < 1; v *= 10)
    for (int side = -1; side <= 1; side += 2) {
      const bristle_input in = { .v = side * v, .n = LOAD, .load = f->load };
      most = fmax(most, fabs(f->law->f64->steady(f->p, &in)));
    }
  return most > 0 && isfinite(most) ? most : 1;
}

int simulation_is_model(const bristle_node *root)
{
  return (bristle_node_find(root, "model") || bristle_node_find(root, "joints")) && !bristle_node_find(root, "rig");
}

int simulation_explain_model(const char *path)
{
  static const double PUSH = 1.5; /* levels: it slides for a part of each stroke */
  bristle_friction f;
  bristle_fault fault;
  if (bristle_friction_file_read(path, NULL, &f, &fault)) return fault_exit(&fault);
  const double mass = f.found[BRISTLE_BESIDE_MASS] > 0 ? f.found[BRISTLE_BESIDE_MASS] : 1;
  const int code = failure(BAD_DATA,
                           "%s is a model; a scenario says what moves it. Put these lines into run.yaml and "
                           "start `bristle simulate run.yaml --report run.html`:",
                           path);
  fprintf(stderr, "\nrig: mass\n%s: %.4g %s%s\n", f.rotary ? "inertia" : "mass", mass, bristle_mass_unit(f.rotary),
          f.found[BRISTLE_BESIDE_MASS] > 0 ? "" : "  # not in the model: take yours");
  fprintf(stderr, "force: {sine: {amplitude: %.3g %s, frequency: 1 Hz}}\nfriction: {file: %s}\n", PUSH * slow_level(&f),
          bristle_force_unit(f.rotary), path);
  if (f.load != BRISTLE_LOAD_FORCE) fprintf(stderr, "load: %g N  # take yours\n", LOAD);
  fputs("time: {end: 3 s, output: 1 ms}\n\nThe force of a log: force: {file: LOG.csv, column: NAME}. `bristle simulate "
        "--help` lists other rigs "
        "and motions.\n",
        stderr);
  return code;
}
