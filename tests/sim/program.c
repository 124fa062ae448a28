/* Programs of time: values on the right side of corners, slopes, integrals, repetition. */
#include "lab/sim.h"
#include "support/test.h"

static double value(const bristle_program *p, double t)
{
  const bristle_piece piece = bristle_program_piece(p, t);
  return bristle_program_value(p, &piece, t, NULL);
}

/* midpoint rule with many panels, as an independent integral */
static double summed(const bristle_program *p, double a, double b)
{
  enum { PANELS = 200000 };
  double sum = 0;
  for (int i = 0; i < PANELS; i++) sum += value(p, a + (b - a) * (i + 0.5) / PANELS);
  return sum * (b - a) / PANELS;
}

TEST(a_program_of_zeros_is_the_constant_zero)
{
  const bristle_program nothing = { 0 }, constant = { .offset = 2.5 };
  CHECK_ABS(value(&nothing, 3), 0, 0);
  CHECK_ABS(value(&constant, -1), 2.5, 0);
  CHECK_ABS(bristle_program_integral(&constant, 1, 3), 5, 1e-15);
  CHECK(isinf(bristle_program_piece(&constant, 0).end), "a constant has no corner");
}

TEST(knots_are_joined_by_lines_and_jump_where_two_share_a_time)
{
  const double t[] = { 0, 1, 1, 3 }, y[] = { 0, 2, 5, 1 };
  const bristle_program p = { .count = 4, .t = t, .y = y };
  double slope;
  CHECK_ABS(value(&p, 0.25), 0.5, 1e-15);
  CHECK_ABS(value(&p, 1), 5, 1e-15);
  CHECK_ABS(value(&p, 2), 3, 1e-15);
  CHECK_ABS(value(&p, 9), 1, 0);
  CHECK_ABS(value(&p, -1), 0, 0);
  const bristle_piece left = bristle_program_piece(&p, 0.5);
  CHECK_ABS(left.end, 1, 0);
  CHECK_ABS(bristle_program_value(&p, &left, 1, &slope), 2, 1e-15); /* seen from the left */
  CHECK_ABS(slope, 2, 1e-15);
  CHECK_ABS(bristle_program_integral(&p, 0, 3), 1 + 6, 1e-14);
  CHECK_ABS(bristle_program_integral(&p, 0.5, 4), 0.75 + 6 + 1, 1e-14);
}

TEST(knots_repeat_with_their_period)
{
  const double t[] = { 0, 1, 3, 4 }, y[] = { 0, 1, -1, 0 };
  const bristle_program p = { .count = 4, .t = t, .y = y, .period = 4 };
  for (int i = 0; i < 40; i++) {
    const double at = 0.1 * i;
    CHECK_ABS(value(&p, at + 400), value(&p, at), 1e-11);
  }
  /* pieces follow each other without a gap, also far from the start */
  double at = 0;
  for (int i = 0; i < 3000; i++) {
    const bristle_piece piece = bristle_program_piece(&p, at);
    CHECK(piece.end > at && piece.end < at + 2.0000001, "piece %d at %.17g ends at %.17g", i, at, piece.end);
    if (!(piece.end > at)) break;
    at = piece.end;
  }
  CHECK_ABS(bristle_program_integral(&p, 0, 400), 0, 1e-10);
}

TEST(sines_and_chirps_have_their_slopes_and_integrals)
{
  const double amplitude[] = { 0.3, 0.1 }, frequency[] = { 0.7, 3.1 }, phase[] = { 0.2, -1 };
  const bristle_program sines = { .kind = BRISTLE_PROGRAM_SINES,
                                  .offset = 0.05,
                                  .count = 2,
                                  .amplitude = amplitude,
                                  .frequency = frequency,
                                  .phase = phase };
  const bristle_program chirp = {
    .kind = BRISTLE_PROGRAM_CHIRP, .amplitude = amplitude, .f0 = 0.5, .f1 = 4, .duration = 2
  };
  const bristle_program *const both[] = { &sines, &chirp };
  for (int k = 0; k < 2; k++) {
    for (double t = 0.1; t < 3; t += 0.37) {
      double slope;
      const bristle_piece piece = bristle_program_piece(both[k], t);
      bristle_program_value(both[k], &piece, t, &slope);
      CHECK_ABS(slope, (value(both[k], t + 1e-6) - value(both[k], t - 1e-6)) / 2e-6, 1e-7);
    }
    CHECK_ABS(bristle_program_integral(both[k], 0.3, 2.9), summed(both[k], 0.3, 2.9), 1e-9);
  }
  /* a short interval keeps its digits */
  CHECK_NEAR(bristle_program_integral(&sines, 1, 1 + 1e-9), 1e-9 * value(&sines, 1), 1e-6);
}
