/* A 1 kg block on a LuGre contact, pulled by a spring of 2 N/m whose end moves at 0.1 m/s: it sticks and slips.
   The serial plotter shows the spring's stretch in m, the block's speed in m/s and the friction in N. */
#include <bristle.h>

const float h = 1e-3f, mass = 1, stiffness = 2, speed = 0.1f; /* s, kg, N/m, m/s */
bristle_lugre_f32 contact;
bristle_lugre_state_f32 bristles; /* zero: a contact that never moved */
float stretch = 0, v = 0;

void setup()
{
  Serial.begin(115200);
  contact = bristle_lugre_default_f32();
}

void loop()
{
  float friction = 0;
  for (int i = 0; i < 100; i++) {
    bristle_input_f32 in = bristle_input_f32();
    in.v = v + h / mass * stiffness * stretch; /* the speed at the end of the step if there were no friction */
    in.w = h / mass;                           /* what a newton of friction takes from it */
    in.h = h;
    friction = bristle_lugre_step_f32(&contact, &bristles, &in, &v);
    stretch += h * (speed - v);
  }
  Serial.print(stretch, 4);
  Serial.print(' ');
  Serial.print(v, 4);
  Serial.print(' ');
  Serial.println(friction, 4);
}
