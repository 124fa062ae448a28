/* What exported C files promise beside their test vectors: bad numbers do no harm, and compensation behaves. */
#include "c_coulomb.h"
#include "c_gms.h"
#include "c_lugre.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int failures;
#define CHECK(condition)                                                                             \
  do {                                                                                               \
    if (!(condition)) failures++, printf("FAIL line %d: %s\n", __LINE__, #condition);                \
  } while (0)

static void bad_numbers(void)
{
  c_lugre_state s;
  c_lugre_init(&s);
  const float bad[] = { NAN, INFINITY, -INFINITY, 3e38f };
  for (int i = 0; i < 4; i++) {
    const c_lugre_input in = { bad[i], bad[i], bad[i], bad[i], 0 };
    float v_end;
    CHECK(isfinite(c_lugre_step(&s, &in, &v_end)) && isfinite(v_end) && isfinite(s.z));
    const c_lugre_input coupled = { bad[i], bad[i], bad[i], bad[i], bad[i] };
    CHECK(isfinite(c_lugre_step(&s, &coupled, &v_end)) && isfinite(v_end) && isfinite(s.z));
  }
  s.z = NAN; /* a broken state begins anew */
  const c_lugre_input still = { 0 };
  CHECK(c_lugre_step(&s, &still, NULL) == 0 && s.z == 0);
  CHECK(c_lugre_step(&s, &still, NULL) == 0);
}

/* a plan that goes forth, rests and goes on: the force follows the law, fades at rest and never jumps */
static void forth_and_rest(void)
{
  c_lugre_compensator c;
  c_lugre_compensator_init(&c, 10, 0.1f);
  float last = 0, jump = 0, force = 0;
  for (int i = 0; i < 3000; i++) {
    const float plan = i < 1000 || i >= 2000 ? 0.05f * (1 - cosf(6.2831853f * (float)i / 1000)) : 0;
    force = c_lugre_compensate(&c, plan, plan + 0.02f * sinf((float)i), 1); /* noise within the band */
    jump = fmaxf(jump, fabsf(force - last));
    last = force;
    if (i == 500) CHECK(fabsf(force - 1.04f) < 0.01f);
    if (i == 1999) CHECK(fabsf(force) < 1e-3f);
  }
  CHECK(jump < 1.0f);
}

/* nothing of the force depends on a measurement that stays within the band */
static void noise_is_not_seen(void)
{
  c_lugre_compensator a, b;
  c_lugre_compensator_init(&a, 10, 0.1f);
  c_lugre_compensator_init(&b, 10, 0.1f);
  for (int i = 0; i < 1000; i++) {
    const float plan = 0.1f * sinf(0.01f * (float)i);
    const float f = c_lugre_compensate(&a, plan, plan, 1);
    CHECK(f == c_lugre_compensate(&b, plan, i % 2 ? plan + 0.09f : NAN, 1));
  }
}

/* an axis that is far off its plan rubs as it moves, not as it should */
static void far_off(void)
{
  c_lugre_compensator c;
  c_lugre_compensator_init(&c, 10, 0.1f);
  float force = 0;
  for (int i = 0; i < 100; i++) force = c_lugre_compensate(&c, 0.1f, -0.5f, 1);
  CHECK(force < -0.9f);
}

/* at the limit the bristle is not bent further, and comes back at once */
static void anti_windup(void)
{
  c_lugre_compensator c;
  c_lugre_compensator_init(&c, 0.5f, 0.1f);
  for (int i = 0; i < 1000; i++) CHECK(fabsf(c_lugre_compensate(&c, 0.01f, 0.01f, 1)) <= 0.5f);
  CHECK(1e5f * fabsf(c.contact.z) <= 0.6f);
}

static void other_laws(void)
{
  c_coulomb_compensator c;
  c_gms_compensator g;
  c_coulomb_compensator_init(&c, 10, 0.1f);
  c_gms_compensator_init(&g, 10, 0.1f);
  for (int i = 0; i < 100; i++) c_coulomb_compensate(&c, 0.01f, 0.01f, 1), c_gms_compensate(&g, 0.01f, 0.01f, 1);
  CHECK(fabsf(c.force - 1) < 1e-3f && fabsf(g.force - 1) < 0.1f);
  for (int i = 0; i < 2000; i++) c_coulomb_compensate(&c, 0, 0, 1), c_gms_compensate(&g, 0, 0, 1);
  CHECK(fabsf(c.force) < 1e-3f && fabsf(g.force) < 1e-3f);
}

int main(void)
{
  bad_numbers();
  forth_and_rest();
  noise_is_not_seen();
  far_off();
  anti_windup();
  other_laws();
  return failures != 0;
}
