/* The coupled step of both planar models: solved, holding, and coming to rest together. */
#include "pair.h"

static void free_body(bristle_planar_input *in, double m, double inertia, double gx, double gy)
{
  /* a body with its centre of mass at (gx, gy): the inverse of its mass matrix at the reference point, times h */
  double h = in->h;
  in->w[0][0] = h * (1 / m + gy * gy / inertia), in->w[1][1] = h * (1 / m + gx * gx / inertia),
  in->w[2][2] = h / inertia;
  in->w[0][1] = in->w[1][0] = -h * gx * gy / inertia;
  in->w[0][2] = in->w[2][0] = h * gy / inertia;
  in->w[1][2] = in->w[2][1] = -h * gx / inertia;
}

/* the host's balance closes, and the state is that of the end velocity */
TEST(reduced_coupled_step_is_solved)
{
  int total = 0, unsolved = 0;
  for (int kind = 0; kind < 4; kind++)
    for (int plastic = 0; plastic < 2; plastic++)
      for (int segments = 0; segments <= 20; segments += 20) {
        pair a = pair_of(plastic ? "elasto_plastic" : "lugre", kind, segments, 1);
        srand(8);
        for (int i = 0; i < 1000; i++) {
          double z[3] = { chance(6e-7), chance(6e-7), chance(6e-7) }, y[3], w[3], end[3], again[3], rest[3];
          bristle_planar_input in = { .n = pow(10, chance(2)), .h = pow(10, -3 + chance(2)) };
          free_body(&in, pow(10, chance(1.5)), 1e-4 * pow(10, chance(1.5)), chance(0.02), chance(0.02));
          random_motion(&a, pow(10, -3 + chance(3)), in.v);
          memcpy(y, z, sizeof y);
          bristle_planar_input still = { .n = in.n };
          bristle_planar_eval(&a.model, z, &still, rest, NULL);
          bristle_planar_step(&a.model, z, &in, w, end);
          CHECK(isfinite(w[0]) && isfinite(w[2]) && isfinite(z[0]), "finite");
          bristle_planar_input at = { .v = { end[0], end[1], end[2] }, .n = in.n, .h = in.h };
          bristle_planar_step(&a.model, y, &at, again, NULL);
          /* both forces must close the balance, in units of the velocities at play */
          double off = 0, scale = 0, arm = a.patch.arm;
          for (int k = 0; k < 3; k++) {
            double unit = k == 2 ? arm : 1, r = (end[k] - in.v[k]) * unit, f = r, f0 = 0;
            for (int j = 0; j < 3; j++) {
              r += in.w[k][j] * again[j] * unit;
              f += in.w[k][j] * w[j] * unit;
              f0 += in.w[k][j] * rest[j] * unit;
            }
            off = fmax(off, fmax(fabs(r), fabs(f))), scale = fmax(scale, fmax(fabs(in.v[k] * unit), fabs(f0)));
          }
          total++;
          unsolved += off > 1e-9 * scale;
          CHECK(off < 1e-3 * scale, "kind %d plastic %d segments %d #%d: off by %g", kind, plastic, segments, i,
                off / scale);
        }
      }
  CHECK(unsolved <= total / 1000, "%d of %d", unsolved, total);
}

TEST(reduced_holds_half_its_level_without_creep)
{
  const double m = 0.2, inertia = 2e-5, n = 2;
  for (int k = 0; k < 6; k++)
    for (double h = 1e-4; h < 0.2; h *= 10) {
      pair a = pair_of(k & 1 ? "elasto_plastic" : "lugre", k % 4, 20, 1);
      double angle = 0.8 * k, tilt = 0.4 * k, u[3], v[3] = { 0 }, x[3] = { 0 }, kept[3] = { 0 }, z[3] = { 0 }, w[3];
      u[0] = 0.5 * n * cos(angle) * cos(tilt), u[1] = 0.5 * n * sin(angle) * cos(tilt);
      u[2] = 0.5 * n * a.patch.arm * sin(tilt) + a.patch.cop[0] * u[1] - a.patch.cop[1] * u[0];
      for (double t = 0; t < 10 - h / 2; t += h) {
        bristle_planar_input in = { .n = n, .h = h, .w = { { h / m }, { 0, h / m }, { 0, 0, h / inertia } } };
        for (int i = 0; i < 3; i++) in.v[i] = v[i] + in.w[i][i] * u[i];
        bristle_planar_step(&a.model, z, &in, w, v);
        for (int i = 0; i < 3; i++) x[i] += h * v[i];
        if (t < 1) memcpy(kept, x, sizeof x);
      }
      CHECK_ABS(x[0], kept[0], 1e-12);
      CHECK_ABS(x[1], kept[1], 1e-12);
      CHECK_ABS(0.01 * x[2], 0.01 * kept[2], 1e-12);
      CHECK(hypot(x[0], x[1]) < 1e-5, "it holds at h = %g: %g", h, hypot(x[0], x[1]));
    }
}

/* a disk spun and thrown stops spinning and sliding at the same time, where and when the patch says */
TEST(reduced_body_comes_to_rest_with_the_patch)
{
  for (int kind = test_share(1, 3); kind < 4; kind++) {
    pair a = pair_of("lugre", kind, 20, 1);
    const double m = 0.1, inertia = 5e-6, h = 1e-4, n = m * 9.81;
    double z[3] = { 0 }, v[2][3] = { { 0.1, 0.03, 15 }, { 0.1, 0.03, 15 } }, x[2][3] = { { 0 } }, w[3], stop[2] = { 0 };
    for (int i = 0; i < 1000; i++)
      for (int which = 0; which < 2; which++) {
        bristle_planar_input in = { .v = { v[which][0], v[which][1], v[which][2] },
                                    .n = n,
                                    .h = h,
                                    .w = { { h / m }, { 0, h / m }, { 0, 0, h / inertia } } };
        if (which) bristle_planar_step(&a.model, z, &in, w, v[which]);
        else bristle_patch_step(&a.patch, &in, w, v[which]);
        for (int k = 0; k < 3; k++) x[which][k] += h * v[which][k];
        if (hypot(v[which][0], v[which][1]) > 1e-3) stop[which] = i * h;
      }
    CHECK_ABS(v[0][0], 0, 1e-6);
    CHECK_ABS(v[1][0], 0, 1e-6);
    CHECK_NEAR(stop[1], stop[0], 0.05);
    for (int k = 0; k < 2; k++) CHECK_ABS(x[1][k], x[0][k], 0.03 * hypot(x[0][0], x[0][1]));
    CHECK_NEAR(x[1][2], x[0][2], 0.05);
  }
}
