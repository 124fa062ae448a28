/* Runs the figures of the gallery and compares their numbers. */
#include "cli.h"

#include "gallery.h"

#include <math.h>

static int fault_exit(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  fprintf(stderr, "bristle gallery: %s\n", text);
  return FAILED;
}

static const gallery_example *find_example(const char *name)
{
  for (int i = 0; i < gallery_example_count; i++)
    if (!strcmp(gallery_examples[i].name, name)) return &gallery_examples[i];
  return NULL;
}

static bristle_fault_kind read_scenario(const gallery_run *run, bristle_scenario **scenario, bristle_fault *fault)
{
  const gallery_example *example = find_example(run->example);
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  char name[100];
  snprintf(name, sizeof name, "examples/%s.yaml", run->example);
  bristle_fault_kind kind = bristle_document_parse(name, example ? example->text : "", example ? example->size : 0,
                                                   &document, fault);
  if (!kind) kind = bristle_tree_new(document, &tree, fault);
  if (!kind && run->set) kind = bristle_tree_set(tree, NULL, run->set, fault);
  if (!kind) kind = bristle_scenario_read(bristle_tree_root(tree), scenario, fault);
  bristle_tree_free(tree);
  bristle_document_free(document);
  return kind;
}

void gallery_file(const gallery_figure *figure, size_t run, char *text, size_t size)
{
  if (figure->run_count == 1) snprintf(text, size, "%s.csv", figure->name);
  else snprintf(text, size, "%s-%zu.csv", figure->name, run + 1);
}

static int execute(const char *path, simulation *s, const char *name)
{
  bristle_output *out = NULL;
  bristle_fault fault;
  if (bristle_output_open(path, &out, &fault)) return fault_exit(&fault);
  s->out = bristle_output_stream(out);
  if (simulation_run(s, name)) {
    simulation_complain(s, "gallery", name, path);
    bristle_output_discard(out);
    return FAILED;
  }
  return bristle_output_commit(out, &fault) ? fault_exit(&fault) : DONE;
}

int gallery_execute(const gallery_figure *figure, const char *folder, bristle_scenario **scenarios, simulation *runs)
{
  bristle_fault fault;
  int code = DONE;
  for (size_t i = 0; i < figure->run_count && !code; i++) {
    char file[100], path[4200];
    if (read_scenario(&figure->runs[i], &scenarios[i], &fault)) return fault_exit(&fault);
    gallery_file(figure, i, file, sizeof file);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    runs[i].scenario = scenarios[i];
    runs[i].record = 1;
    code = execute(path, &runs[i], figure->name);
  }
  return code;
}

/* ---- numbers ---- */

/* half a unit of the last digit of "4.48579e-5" */
static double half_digit(const char *text)
{
  const char *dot = strchr(text, '.'), *power = strpbrk(text, "eE");
  const char *end = power ? power : text + strlen(text);
  const int places = dot ? (int)(end - dot) - 1 : 0;
  return 0.5 * pow(10, (power ? atoi(power + 1) : 0) - places);
}

gallery_result gallery_check(const gallery_number *n, double computed)
{
  const int limit = n->reference[0] == '<';
  const double reference = strtod(n->reference + limit, NULL);
  const double allowed = limit ? reference : n->within > 0 ? n->within : half_digit(n->reference);
  gallery_result r = { .computed = computed, .reference = reference };
  r.difference = limit ? fabs(computed) : computed - reference;
  r.part = fabs(r.difference) / allowed;
  r.within = r.part <= 1 + 1e-9; /* a number exactly between two roundings */
  return r;
}

double gallery_residual(const gallery_figure *figure, const simulation *runs)
{
  double most = 0;
  for (size_t i = 0; i < figure->run_count; i++) {
    const bristle_sim_stats *st = &runs[i].stats;
    const int controlled = st->method != BRISTLE_METHOD_STEPRULE && st->method != BRISTLE_METHOD_COUPLED;
    if (controlled && st->work_done > 0) most = fmax(most, fabs(st->residual) / st->work_done);
  }
  return most;
}

const gallery_number gallery_residual_limit = { .what = "energy residual, relative to the work done",
                                                .unit = "1",
                                                .reference = "< 1e-6" };
