/* Runs the figures of the gallery. */
#include "common/cli.h"

#include "gallery.h"

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
  if (bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &out, &fault)) return fault_exit(&fault);
  s->out = bristle_output_stream(out);
  if (simulation_run(s, name)) {
    const int code = simulation_complain(s, name, path);
    bristle_output_discard(out);
    return code;
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
