/* The coupled step in a host: the common work W2 and W3 of friction simulators, and its order. */
#include "support/law.h"

/* ---- W2: stiff LuGre hold; inertia 0.01, load 0.75 from rest, position after 2 s ---- */

static contact stiff_lugre(double sigma0)
{
  contact c = contact_of("lugre");
  set(&c, "sigma0", sigma0);
  set(&c, "sigma1", 2 * sqrt(0.01 * sigma0));
  set(&c, "sigma2", 0);
  set(&c, "fc", 1);
  set(&c, "fs", 1.5);
  set(&c, "vs", 0.01);
  return c;
}

static double constant_push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

static rig hold_rig(double sigma0)
{
  return (rig){ .c = stiff_lugre(sigma0), .mass = 0.01, .push = constant_push, .a = { 0.75 } };
}

TEST(stiff_lugre_never_diverges)
{
  for (double sigma0 = 1e2; sigma0 < 2e7; sigma0 *= 10)
    for (double h = 1e-5; h < 0.2; h *= 10) {
      rig r = hold_rig(sigma0);
      double fastest = 0;
      for (long i = 0; i < lround(2 / h); i++) {
        rig_step(&r, h);
        fastest = fmax(fastest, fabs(r.v));
      }
      /* it creeps up to about 0.75/sigma0 and stays there */
      CHECK(r.x > 0 && r.x < 3 / sigma0, "sigma0 %g h %g: x = %g", sigma0, h, r.x);
      CHECK(fabs(r.v) < 1e-6 && fastest < 1, "sigma0 %g h %g: v = %g, fastest %g", sigma0, h, r.v, fastest);
    }
}

/* reference: RK4 with 0.2-1 us steps, printed to 7 digits */
TEST(stiff_lugre_at_one_millisecond_is_within_ten_percent)
{
  static const double reference[] = { 1.488809e-2, 1.481975e-3, 1.411779e-4, 1.127204e-5, 1.060763e-6 };
  double sigma0 = 1e2;
  for (int k = 0; k < 5; k++, sigma0 *= 10) {
    rig r = hold_rig(sigma0);
    for (int i = 0; i < 2000; i++) rig_step(&r, 1e-3);
    printf("  sigma0 %g: %+.1f %%\n", sigma0, 100 * (r.x / reference[k] - 1));
    CHECK_NEAR(r.x, reference[k], 0.10);
  }
}

/* the references themselves, from eval alone */
TEST(stiff_lugre_references_are_reproduced)
{
  static const char *const printed[] = { "1.488809e-2", "1.481975e-3", "1.411779e-4" };
  double sigma0 = 1e2;
  for (int k = 0; k < 3; k++, sigma0 *= 10) {
    rig r = hold_rig(sigma0);
    for (int i = 0; i < 400000; i++) rig_advance(&r, 5e-6);
    CHECK_PRINTED(r.x, printed[k]);
  }
}

/* ---- W3: stick-slip of the 1995 paper; mass 1, spring 2 N/m pulled at 0.1 m/s ---- */

static double pulled_spring(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)v, (void)extra;
  return 2 * (0.1 * t - x);
}

static rig stick_slip(void) { return (rig){ .c = contact_1995("lugre"), .mass = 1, .push = pulled_spring }; }

typedef struct slips {
  double x20, period, first;
} slips;

/* runs 20 s; the start of a slip is where v rises through 0.01 m/s, interpolated */
static slips run_slips(void (*advance)(rig *, double), double h)
{
  rig r = stick_slip();
  slips s = { 0 };
  double last = 0;
  for (long i = 0; i < lround(20 / h); i++) {
    double v = r.v;
    advance(&r, h);
    if (v <= 0.01 && r.v > 0.01) {
      double t = r.t - h * (r.v - 0.01) / (r.v - v);
      if (last > 0) s.period = t - last;
      else s.first = t;
      last = t;
    }
  }
  s.x20 = r.x;
  return s;
}

TEST(stick_slip_by_the_coupled_step)
{
  slips two = run_slips(rig_step, 2e-3), one = run_slips(rig_step, 1e-3);
  CHECK_NEAR(two.x20, 1.27259, 0.003);
  CHECK_NEAR(one.period, 6.36272, 0.001);
  CHECK_NEAR(one.x20, 1.27259, 0.001);
}

/* Second order from the same first-order step: one step of h and two of h/2, extrapolated. It stays exactly at rest
   when both are, so it holds, and it is stiffly stable because both limits are. */
static void rig_step_extrapolated(rig *r, double h)
{
  rig fine = *r;
  rig_step(r, h);
  rig_step(&fine, h / 2);
  rig_step(&fine, h / 2);
  r->x = 2 * fine.x - r->x;
  r->v = 2 * fine.v - r->v;
  for (int k = 0; k < r->c.model->info->nstate; k++) r->c.s[k] = 2 * fine.c.s[k] - r->c.s[k];
}

TEST(stick_slip_extrapolated_is_of_second_order)
{
  double error[4], h = 1e-3;
  for (int k = 0; k < 4; k++, h /= 2) {
    slips s = run_slips(rig_step_extrapolated, h);
    error[k] = fabs(s.x20 - 1.2725964);
    printf("  h %g: x(20) %+.5f %%, period %+.5f %%\n", h, 100 * (s.x20 / 1.2725964 - 1),
           100 * (s.period / 6.36272 - 1));
  }
  CHECK(error[2] < error[0] / 8, "from %g to %g while h fell by 4", error[0], error[2]);
}
