#include <bristle/params.h>
#ifdef WITH_LAB
#include <bristle/lab.h>
#endif
#include <stdio.h>

int main(void)
{
  const bristle_lugre p = bristle_lugre_default();
  bristle_lugre_state s = { 0 };
  bristle_input in = { .v = 1, .n = 1, .h = 1e-3 };
  double v = 0, force = 0;
  for (int i = 0; i < 1000; i++) force = bristle_lugre_step(&p, &s, &in, &v);
#ifdef WITH_LAB
  bristle_friction friction;
  bristle_fault fault;
  if (bristle_friction_text_read("text", "model: coulomb\n", 15, NULL, &friction, &fault)) return 1; /* by libyaml */
#endif
  printf("bristle %s: %.3f N at 1 m/s\n", bristle_version(), force);
  return !(force > 1);
}
