/* Original Leuven: the equation with its memory of reversals, held against a walk in small steps that is written here.
 */
#include "support/law.h"

static const double k[] = { 8e4, 6e4, 4e4, 2e4 }, share[] = { 0.1, 0.2, 0.3, 0.4 };
enum { DEEP = 40 };

static double level(double v) { return 1 + 0.5 * exp(-(v / 1e-3) * (v / 1e-3)); }

static double virgin(double z)
{
  double sum = 0;
  for (int i = 0; i < 4; i++) sum += fmax(-1.5 * share[i], fmin(1.5 * share[i], k[i] * z));
  return sum;
}

/* the law in words of its paper: a deflection, a list of reversals, the force at the last of them */
typedef struct walk {
  double z, mark[DEEP], rate;
  int depth, direction;
} walk;

static double base(const walk *w)
{
  double f = w->depth ? virgin(w->mark[0]) : 0;
  for (int i = 1; i < w->depth; i++) f += 2 * virgin((w->mark[i] - w->mark[i - 1]) / 2);
  return f;
}

static double hysteresis(const walk *w)
{
  return w->depth ? base(w) + 2 * virgin((w->z - w->mark[w->depth - 1]) / 2) : virgin(w->z);
}

static void walk_step(walk *w, double v, double h, double n)
{
  const int d = v > 0 ? 1 : -1;
  if (w->direction * d < 0) w->mark[w->depth++] = w->z;
  w->direction = d;
  for (int half = 0; half < 2; half++) { /* the rate at the middle of the step */
    const double z = w->z, fb = base(w);
    if (half) w->z += 0.5 * h * w->rate;
    const double r = (hysteresis(w) - fb) / (d * level(v) - fb);
    w->rate = v * (1 - copysign(pow(fabs(r), n), r));
    w->z = z;
  }
  w->z += h * w->rate;
  while (w->depth && d * (w->z - (w->depth == 1 ? -w->mark[0] : w->mark[w->depth - 2])) >= 0)
    w->depth -= w->depth == 1 ? 1 : 2;
}

static contact original(double n, double sigma1)
{
  contact c = contact_of("leuven_original");
  set(&c, "n", n);
  set(&c, "sigma1", sigma1);
  set(&c, "sigma2", 0);
  return c;
}

/* loops in loops, some of them closed, at several speeds; between them the step sees each leg in a few steps */
TEST(leuven_original_is_its_equation_with_a_memory)
{
  static const double legs[] = { 12e-6, -12e-6, 5e-6, -3e-6, 2e-6, -12e-6, 30e-6, -8e-6, 3e-6, 60e-6, -20e-6 };
  for (double n = 1; n <= 3; n += 0.5)
    for (double v = 1e-5; v < 2e-3; v *= 4) {
      contact c = original(n, 0);
      walk w = { 0 };
      for (size_t leg = 0; leg < sizeof legs / sizeof *legs; leg++) {
        const double u = copysign(v, legs[leg]), time = legs[leg] / u;
        const double f = glide(&c, u, time, 20);
        for (int i = 0; i < 4000; i++) walk_step(&w, u, time / 4000, n);
        CHECK_ABS(f, hysteresis(&w), 3e-4);
        CHECK((int)c.s[state_at(&c, "depth")] == w.depth, "n %g v %g leg %zu: %g reversals, %d", n, v, leg,
              c.s[state_at(&c, "depth")], w.depth);
      }
    }
}

/* where the loop closes, the force of the modified law goes on and this one's jumps with dz/dt: by quadrature */
TEST(leuven_original_force_jumps_where_a_loop_closes)
{
  const double v = 1e-3, closes = 0.005161334656;
  contact c = original(2, 316.2278), before, after;
  set(&c, "sigma2", 0.4);
  glide(&c, v, 0.012, 400);
  glide(&c, -v, 0.012, 400);
  CHECK_ABS(force_at(&c, -v), -0.682099914, 1e-5);
  glide(&c, v, 0.005, 400);
  CHECK_ABS(force_at(&c, v), 0.567537124, 1e-5);
  before = after = c;
  glide(&before, -v, closes - 1e-8, 400);
  glide(&after, -v, closes + 1e-8, 400);
  CHECK_ABS(force_at(&after, -v) - force_at(&before, -v), 0.049096797, 1e-5);
  glide(&c, -v, 0.012, 400);
  CHECK_ABS(force_at(&c, -v), -0.850750709, 1e-5);
}

TEST(leuven_original_is_leuven_until_the_first_reversal)
{
  for (double v = 1e-5; v < 1e-2; v *= 3) {
    contact a = contact_of("leuven_original"), b = contact_of("leuven");
    for (int i = 0; i < 30; i++) CHECK_ABS(glide(&a, v, 1e-6 / v, 4), glide(&b, v, 1e-6 / v, 4), 1e-4);
  }
}

/* n = 1 and one element: dF/dx = k (1 - Fd/(s - Fb)) is k (s - Fh)/(s - Fb): from a reversal at -g back to g it is as
   steep as Dahl's at half the distance */
TEST(leuven_original_branch_of_one_element_has_a_closed_form)
{
  const double one = 1e5, whole = 1, v = 0.1;
  contact c = original(1, 0);
  set_vector(&c, "k", 1, &one);
  set_vector(&c, "alpha", 1, &whole);
  glide(&c, -v, 1, 100);
  CHECK_ABS(force_at(&c, 0), -1, 1e-9);
  for (int i = 1; i < 20; i++) CHECK_ABS(glide(&c, v, 2e-6 / v, 4), 1 - 2 * exp(-0.1 * i), 1e-6);
}

/* a memory that is full keeps what it has: deeper loops are elastic, closing one leads back to where it was */
TEST(leuven_original_memory_may_be_full)
{
  contact c = original(2, 0);
  double v = 1e-5, leg = 20e-6, last = 0, deepest = 0;
  for (int i = 0; i < 30; i++, leg *= 0.8) {
    const double f = glide(&c, i & 1 ? -v : v, leg / v, 5);
    CHECK(isfinite(f) && fabs(f) <= 1.5, "%g", f);
    deepest = fmax(deepest, fabs(c.s[state_at(&c, "depth")]));
  }
  CHECK(deepest == 10, "%g", deepest);
  glide(&c, v, 200, 50);
  last = force_at(&c, 0);
  CHECK_ABS(last, level(v), 1e-3);
  CHECK(c.s[state_at(&c, "depth")] == 0, "%g", c.s[state_at(&c, "depth")]);
}

/* a small loop that is left at a speed where the level lies below the force: z runs ahead, but only to the closing */
TEST(leuven_original_finds_the_level_from_an_inner_loop)
{
  for (double v = 1e-2; v <= 10; v *= 10) {
    contact c = original(2, 0);
    glide(&c, 1e-5, 40, 100);
    glide(&c, -1e-5, 0.1, 10);
    CHECK(force_at(&c, 0) > 1.1, "%g", force_at(&c, 0));
    for (int i = 0; i < 50; i++) {
      const double f = glide(&c, v, 1e-6 / v, 1);
      CHECK(f > 0.9 && f < 1.5, "v %g step %d: %g", v, i, f);
    }
    CHECK_ABS(glide(&c, v, 1e-3 / v, 10), 1, 1e-9);
  }
}
