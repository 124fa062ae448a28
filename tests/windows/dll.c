/* A program that links bristle.dll and bristle-lab.dll: a law by name, a step of it, a scenario from a file. */
#include <bristle/lab.h>
#include <stdio.h>

int main(int argc, char **argv)
{
  const bristle_law *law = bristle_law_find("lugre");
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 }, u = 0;
  if (!law || argc < 2) return 2;
  bristle_defaults(law->f64->info, p);
  const bristle_input in = { .v = 1e-3, .n = 1, .h = 1e-3 };
  const double force = law->f64->step(p, s, &in, &u);
  bristle_scenario *scenario = NULL;
  bristle_fault fault;
  if (bristle_scenario_file_read(argv[1], NULL, &scenario, &fault)) {
    char text[600];
    bristle_fault_text(&fault, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
  }
  bristle_scenario_free(scenario);
  printf("%s %a\n", bristle_version(), force);
  return 0;
}
