/* Values that come with derivatives are those without, to the last bit; and the rules of vector laws. */
#include "lab/sim.h"
#include "bristle/vector.h"
#include "support/law.h"

static unsigned long long seed = 11;
static double between(double lo, double hi)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static void random_set(const bristle_info *info, int (*refused)(const void *, const double *), const void *model,
                       double *p)
{
  bristle_defaults(info, p);
  for (int r = 0; r < info->param_rows; r++) {
    const bristle_row *row = &info->param[r];
    const double kept = p[row->first];
    if (row->count > 1 || between(0, 1) < 0.5) continue;
    if (row->kind == BRISTLE_ROW_OPTION) p[row->first] = floor(between(row->lo, row->hi + 0.999));
    else if (row->hi - row->lo <= 20) p[row->first] = between(row->lo, fmin(row->hi, row->lo + 3));
    else
      p[row->first] = fmin(fmax((row->initial[0] != 0 ? row->initial[0] : 0.3) * pow(10, between(-1, 1)), row->lo),
                           row->hi);
    if (refused(model, p)) p[row->first] = kept;
  }
}

static int refused_scalar(const void *m, const double *p) { return bristle_check(m, p, NULL) != BRISTLE_STATUS_OK; }
static int refused_vector(const void *m, const double *p)
{
  return bristle_vector_check(m, p, NULL) != BRISTLE_STATUS_OK;
}

static int same(const double *a, const double *b, int n) { return n == 0 || !memcmp(a, b, sizeof *a * (size_t)n); }

enum { WIDE = 3 + MAX_STATE + MAX_PARAM };

TEST(values_with_derivatives_are_the_plain_ones)
{
  static double df[WIDE], ds[MAX_STATE * WIDE];
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    const bristle_model *m = law->f64;
    const int n = m->info->nstate;
    for (int k = 0; k < 300; k++) {
      double p[MAX_PARAM], s[MAX_STATE] = { 0 }, a[MAX_STATE], b[MAX_STATE], x, y;
      if (k & 1) random_set(m->info, refused_scalar, m, p);
      else bristle_defaults(m->info, p);
      bristle_input in = { .n = between(0.5, 2),
                           .h = pow(10, between(-5, -2)),
                           .load = (bristle_load)between(0, 2.99) };
      for (int j = 0; j < 8; j++) {
        in.v = between(-1, 1) * pow(10, between(-5, -1));
        m->step(p, s, &in, NULL);
        in.x += in.v * in.h;
      }
      in.f = between(-1, 1), in.a = between(-1, 1);
      x = m->eval(p, s, &in, a), y = law->diff->eval(p, s, &in, b, df, ds);
      CHECK(same(&x, &y, 1) && same(a, b, n), "%s: eval %.17g, with derivatives %.17g", law->name, x, y);
      y = law->diff->jacobian(p, s, &in, b, df, ds);
      CHECK(same(&x, &y, 1) && same(a, b, n), "%s: jacobian", law->name);
      memset(ds, 0, sizeof ds);
      y = law->diff->instant(p, s, &in, df, ds);
      CHECK(same(&x, &y, 1), "%s: instant", law->name);
      memcpy(a, s, sizeof a), memcpy(b, s, sizeof b);
      x = m->step(p, a, &in, NULL), y = law->diff->sensitivity(p, b, &in, NULL, df, ds);
      CHECK(same(&x, &y, 1) && same(a, b, n), "%s: sensitivity %.17g, plain %.17g", law->name, y, x);
      in.w = in.h * pow(10, between(-2, 1));
      memcpy(a, s, sizeof a), memcpy(b, s, sizeof b);
      x = m->step(p, a, &in, NULL), y = law->diff->step(p, b, &in, NULL, df, ds);
      CHECK(same(&x, &y, 1) && same(a, b, n), "%s: coupled step", law->name);
    }
  }
}

TEST(vector_values_with_derivatives_are_the_plain_ones)
{
  static double df[3 * WIDE], ds[MAX_STATE * WIDE];
  for (int i = 0; i < bristle_vector_law_count(); i++)
    for (int dim = 2; dim <= 3; dim++) {
      const bristle_vector_law *law = bristle_vector_law_at(i);
      const bristle_vector_model *m = law->f64[dim - 2];
      const int n = m->info->nstate;
      for (int k = 0; k < 200; k++) {
        double p[MAX_PARAM], s[MAX_STATE] = { 0 }, a[MAX_STATE], b[MAX_STATE], x[3], y[3];
        random_set(m->info, refused_vector, m, p);
        bristle_vector_input in = { .n = between(0.5, 2),
                                    .h = pow(10, between(-5, -2)),
                                    .load = (bristle_load)between(0, 2.99) };
        for (int j = 0; j < 8; j++) {
          for (int c = 0; c < dim; c++) in.v[c] = between(-1, 1) * pow(10, between(-5, -1));
          m->step(p, s, &in, x, NULL);
        }
        m->eval(p, s, &in, x, a), law->diff[dim - 2]->eval(p, s, &in, y, b, df, ds);
        CHECK(same(x, y, dim) && same(a, b, n), "%s in %d: eval %.17g, with derivatives %.17g", law->name, dim, x[0],
              y[0]);
        for (int c = 0; c < dim; c++) in.w[c][c] = in.h;
        memcpy(a, s, sizeof a), memcpy(b, s, sizeof b);
        m->step(p, a, &in, x, NULL), law->diff[dim - 2]->step(p, b, &in, y, NULL, df, ds);
        CHECK(same(x, y, dim) && same(a, b, n), "%s in %d: step", law->name, dim);
      }
    }
}

/* ---- rules of vector laws ---- */

static bristle_sim_status ball_status(const char *law, const char *name, double value, char text[240])
{
  double p[MAX_PARAM];
  bristle_sim_error error = { 0 };
  bristle_rig pendulum = { .kind = BRISTLE_RIG_BALL };
  pendulum.as.ball = (bristle_ball){
    .mass = 1, .arm = 0.3, .inertia = { 0.09, 0.09, 0.001 }, .gravity = 9.81, .radius = 0.01
  };
  pendulum.as.ball.contact.vector = bristle_vector_law_find(law);
  const bristle_info *info = pendulum.as.ball.contact.vector->f64[1]->info;
  bristle_defaults(info, p);
  if (name) p[bristle_param_find(info, name)->first] = value;
  pendulum.as.ball.contact.p = p;
  pendulum.as.ball.contact.load = BRISTLE_LOAD_COEFFICIENT;
  const bristle_sim_options options = { .end = 1 };
  const bristle_sim_status status = bristle_sim_check(&pendulum, &options, &error);
  snprintf(text, 240, "%s", error.what);
  return status;
}

TEST(parameters_of_vector_laws_are_checked_like_those_of_scalar_laws)
{
  char text[240];
  for (int i = 0; i < bristle_vector_law_count(); i++)
    for (int dim = 2; dim <= 3; dim++) {
      const bristle_vector_model *m = bristle_vector_law_at(i)->f64[dim - 2];
      bristle_error error;
      for (int r = 0; r < m->info->param_rows; r++) {
        double p[MAX_PARAM];
        bristle_defaults(m->info, p);
        CHECK(bristle_vector_check(m, p, &error) == BRISTLE_STATUS_OK, "%s: defaults", m->info->name);
        p[m->info->param[r].first + m->info->param[r].count - 1] = -5;
        CHECK(m->info->param[r].lo <= -5 || bristle_vector_check(m, p, &error) == BRISTLE_STATUS_OUT_OF_RANGE,
              "%s.%s = -5", m->info->name, m->info->param[r].name);
      }
    }
  CHECK(ball_status("lugre_ellipse", NULL, 0, text) == BRISTLE_SIM_OK, "the defaults are refused: %s", text);
  CHECK(ball_status("lugre_ellipse", "fs", 0.5, text) != BRISTLE_SIM_OK && strstr(text, "fs must not be below fc"),
        "fs below fc: %s", text);
  CHECK(ball_status("lugre_ellipse", "sigma0", -5, text) != BRISTLE_SIM_OK && strstr(text, "sigma0"), "sigma0 = -5: %s",
        text);
  CHECK(ball_status("lugre", "fs", 0.5, text) != BRISTLE_SIM_OK, "lugre with fs below fc");
}
