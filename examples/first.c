/* A 1 kg block on a LuGre contact, pulled by a spring of 2 N/m at 0.1 m/s: it sticks and slips. */
#include <bristle/params.h>
#include <stdio.h>

int main(void)
{
  bristle_lugre p = bristle_lugre_default();
  bristle_lugre_state s = { 0 };
  double x = 0, v = 0, h = 1e-3, m = 1;
  for (int i = 0; i < 20000; i++) {
    double pull = 2 * (0.1 * h * (i + 1) - x);
    bristle_input in = { .v = v + h / m * pull, .w = h / m, .n = 1, .h = h };
    double friction = bristle_lugre_step(&p, &s, &in, &v); /* v is now the velocity at the end of the step */
    x += h * v;
    if (i % 1000 == 999) printf("t %2d s  x %.4f m  v %.4f m/s  F %.4f N\n", (i + 1) / 1000, x, v, friction);
  }
}
