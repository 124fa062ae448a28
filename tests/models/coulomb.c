#include "support/law.h"

TEST(coulomb_sliding_force_is_its_level_plus_viscous)
{
  contact c = contact_of("coulomb");
  set(&c, "fc", 2.5);
  set(&c, "sigma2", 4);
  CHECK_NEAR(force_at(&c, 0.5), 4.5, 1e-15);
  CHECK_NEAR(force_at(&c, -0.5), -4.5, 1e-15);
}

/* C11: x = M v0^2/(2 Fc), t = M v0/Fc; the implicit step stops within one step of it and then stays */
TEST(coulomb_body_stops_where_energy_says)
{
  rig r = { .c = contact_of("coulomb"), .mass = 2 };
  r.v = 1;
  double h = 1e-4, w = h / r.mass;
  for (int i = 0; i < 30000; i++) {
    bristle_input in = { .v = r.v, .n = 1, .w = w, .h = h };
    r.c.model->step(r.c.p, r.c.s, &in, &r.v);
    r.x += h * r.v;
    if (r.v > 0) r.t += h;
  }
  CHECK(r.v == 0, "v = %g", r.v);
  CHECK_ABS(r.t, 2.0, 2 * h);
  CHECK_ABS(r.x, 1.0, 2 * h);
}
