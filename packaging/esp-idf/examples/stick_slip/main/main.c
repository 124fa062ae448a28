/* A 1 kg block on a LuGre contact, pulled by a spring of 2 N/m whose end moves at 0.1 m/s: it sticks and slips. Prints
 * the spring's stretch in m and the friction in N ten times in a simulated second. */
#include <bristle.h>
#include <freertos/FreeRTOS.h>
#include <freertos/task.h>
#include <stdio.h>

void app_main(void)
{
  const float h = 1e-3f, mass = 1, stiffness = 2, speed = 0.1f;
  const bristle_lugre_f32 contact = bristle_lugre_default_f32();
  bristle_lugre_state_f32 bristles = { 0 };
  float stretch = 0, v = 0;
  for (;;) {
    float friction = 0;
    for (int i = 0; i < 100; i++) {
      const bristle_input_f32 in = { .v = v + h / mass * stiffness * stretch, .w = h / mass, .h = h };
      friction = bristle_lugre_step_f32(&contact, &bristles, &in, &v);
      stretch += h * (speed - v);
    }
    printf("%.4f m %.4f N\n", (double)stretch, (double)friction);
    vTaskDelay(pdMS_TO_TICKS(100));
  }
}
