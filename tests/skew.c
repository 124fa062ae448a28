/* Laws with their own friction for each direction: what the two skews mean, and that nothing else changes. */
#include "bristle/network.h"
#include "support/law.h"

static unsigned long long seed = 11;
static double between(double lo, double hi)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static void set_role(const bristle_info *info, bristle_role role, double value, double *p)
{
  for (int r = 0; r < info->param_rows; r++)
    if (info->param[r].role == role && info->param[r].lo <= value) p[info->param[r].first] = value;
}

/* nonzero: the law takes this level skew */
static int skew_levels(const bristle_model *m, double value, double *p)
{
  p[m->info->nparam - 2] = value;
  return bristle_check(m, p, NULL) == BRISTLE_STATUS_OK;
}

/* laws that write their coupled solution down do so for one level: with skews it is searched, to rounding */
static int is_written_down(const char *name)
{
#define CLOSED_LAW(law) +!strcmp(name, #law)
  return 0
#include "closed.def"
      ;
}

TEST(without_skews_a_skewed_law_is_the_law_bit_for_bit)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_model *plain = bristle_law_at(i)->f64, *skewed = bristle_law_skewed(bristle_law_at(i))->f64;
    CHECK(skewed->info->nparam == plain->info->nparam + 2, "%s", plain->info->name);
    CHECK(bristle_law_skewed(bristle_law_skewed(bristle_law_at(i)))->f64 == skewed, "%s", plain->info->name);
    for (int form = 0; form < 3; form++) {
      double p[MAX_PARAM], a[MAX_STATE] = { 0 }, b[MAX_STATE] = { 0 }, rate[2][MAX_STATE] = { { 0 } }, end[2];
      bristle_defaults(skewed->info, p);
      bristle_input in = { .n = 1.3, .h = 1e-3, .load = (bristle_load)form };
      for (int k = 0; k < 300; k++) {
        in.v = k % 17 ? between(-1, 1) * pow(10, between(-6, 0)) : 0;
        in.f = between(-2, 2), in.a = between(-1, 1);
        in.w = k % 2 && !is_written_down(plain->info->name) ? pow(10, between(-5, 0)) : 0;
        const double f = plain->step(p, a, &in, &end[0]), g = skewed->step(p, b, &in, &end[1]);
        CHECK(f == g && end[0] == end[1] && !memcmp(a, b, sizeof a), "%s step %d, form %d: %.17g and %.17g",
              plain->info->name, k, form, f, g);
        CHECK(plain->eval(p, a, &in, rate[0]) == skewed->eval(p, b, &in, rate[1]) && !memcmp(rate[0], rate[1], sizeof a)
                  && plain->steady(p, &in) == skewed->steady(p, &in)
                  && plain->energy(p, a, &in) == skewed->energy(p, b, &in)
                  && plain->mode(p, a, &in) == skewed->mode(p, b, &in),
              "%s at %g, form %d", plain->info->name, in.v, form);
        in.x += in.h * end[0];
      }
    }
  }
}

/* no viscous part, far above the Stribeck speed: what is left of the steady force is the level */
TEST(levels_differ_by_exactly_the_skew)
{
  int tried = 0;
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_model *plain = bristle_law_at(i)->f64, *skewed = bristle_law_skewed(bristle_law_at(i))->f64;
    double p[MAX_PARAM];
    bristle_defaults(skewed->info, p);
    set_role(skewed->info, BRISTLE_ROLE_VISCOUS, 0, p);
    set_role(skewed->info, BRISTLE_ROLE_DRAG, 0, p);
    set_role(skewed->info, BRISTLE_ROLE_SETTING, 0, p);
    if (!skew_levels(skewed, 0.25, p) || !(plain->info->traits & BRISTLE_TRAIT_STEADY)) continue;
    tried++;
    for (int side = -1; side <= 1; side += 2) {
      bristle_input in = { .v = side * 0.3, .n = 1, .load = plain->info->load };
      const double f = plain->steady(p, &in), g = skewed->steady(p, &in);
      CHECK(fabs(g - (1 + 0.25 * side) * f) <= 4e-16 * fabs(f), "%s at %g: %.17g of %.17g", plain->info->name, in.v, g,
            f);
    }
  }
  CHECK(tried >= 30, "only %d laws", tried);
}

TEST(viscous_parts_differ_by_exactly_the_skew)
{
  contact c = contact_of("lugre");
  const bristle_model *m = bristle_law_skewed(c.law)->f64;
  set(&c, "sigma2", 8);
  c.p[m->info->nparam - 2] = 0.1, c.p[m->info->nparam - 1] = -0.5;
  bristle_input forth = { .v = 2, .n = 1 }, back = { .v = -2, .n = 1 };
  CHECK_NEAR(m->steady(c.p, &forth), 1.1 * 1 + 0.5 * 8 * 2, 1e-14);
  CHECK_NEAR(m->steady(c.p, &back), -0.9 * 1 - 1.5 * 8 * 2, 1e-14);
}

/* coulomb with skews is the law asymmetric: coupled and prescribed, in motion and at rest */
TEST(coulomb_with_skews_is_asymmetric)
{
  const bristle_model *m = bristle_law_skewed(bristle_law_find("coulomb"))->f64;
  const bristle_model *other = bristle_law_find("asymmetric")->f64;
  const double p[4] = { 2, 3, 0.25, -0.5 }, q[5] = { 2.5, 1.5, 1.5, 4.5, 0 };
  for (int k = 0; k < 2000; k++) {
    double end[2];
    bristle_input in = {
      .v = k % 9 ? between(-1, 1) : 0, .n = 1, .f = between(-3, 3), .w = k % 2 ? pow(10, between(-3, 0)) : 0, .h = 1e-3
    };
    const double f = m->step(p, NULL, &in, &end[0]), g = other->step(q, NULL, &in, &end[1]);
    CHECK(fabs(f - g) <= 1e-13 * (fabs(g) + 1) && fabs(end[0] - end[1]) <= 1e-13, "v %g w %g f %g: %.17g and %.17g",
          in.v, in.w, in.f, f, g);
    CHECK((end[0] == 0) == (end[1] == 0), "v %g w %g: rests in one of them", in.v, in.w);
  }
}

/* Bristles are held at different lengths, and no path to and fro gains anything: also for laws that are passive for
   some parameters only. lugre is without sigma1; the stored energy is the law's own. */
TEST(skewed_bristles_give_back_only_what_they_stored)
{
  static const char *const laws[] = { "lugre", "lugre_bounded", "elasto_plastic", "tyre_lugre", "armstrong" };
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
    for (int path = 0; path < 40; path++) {
      contact c = contact_of(laws[i]);
      const bristle_model *m = bristle_law_skewed(c.law)->f64;
      set_role(m->info, BRISTLE_ROLE_DAMPING, 0, c.p);
      set_role(m->info, BRISTLE_ROLE_SETTING, 0, c.p);
      c.p[m->info->nparam - 2] = between(-0.6, 0.6), c.p[m->info->nparam - 1] = between(-1, 1);
      if (bristle_check(m, c.p, NULL)) continue; /* elasto_plastic: zba must stay below both levels */
      if (!strncmp(laws[i], "lugre", 5)) set(&c, "limit", path % 3);
      bristle_input in = { .n = 1, .h = pow(10, between(-4, -2)), .load = m->info->load };
      const double speed = pow(10, between(-4, -2));
      double scale = 0;
      for (int k = 0; k < 400; k++) {
        in.v = speed * between(-1, 1);
        const double before = m->energy(c.p, c.s, &in), done = m->step(c.p, c.s, &in, NULL) * in.v * in.h;
        const double stored = m->energy(c.p, c.s, &in) - before;
        scale += fabs(done);
        CHECK(done - stored >= -1e-13 * scale, "%s step %d, skew %g: work %g, stored %g", laws[i], k,
              c.p[m->info->nparam - 2], done, stored);
        in.x += in.v * in.h;
      }
    }
}

/* a reversal does not move the force by itself: right before and right after it, the bristle is as it was */
TEST(forces_of_bristles_do_not_jump_where_the_motion_turns)
{
  static const char *const laws[] = { "dahl",    "lugre",         "maxwell_slip",     "gms",      "leuven",
                                      "kikuuwe", "bliman_sorine", "reset_integrator", "bouc_wen", "lugre_bounded" };
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
    for (int side = -1; side <= 1; side += 2) {
      contact c = contact_of(laws[i]);
      const bristle_model *m = bristle_law_skewed(c.law)->f64;
      set_role(m->info, BRISTLE_ROLE_DAMPING, 0, c.p);
      if (!strcmp(laws[i], "reset_integrator")) set(&c, "a", 0); /* which jumps there by itself */
      c.p[m->info->nparam - 2] = 0.4;
      bristle_input in = { .v = side * 1e-3, .n = 1, .h = 1, .load = m->info->load };
      const double slid = m->step(c.p, c.s, &in, NULL);
      in.x += in.v * in.h, in.v = -side * 1e-9, in.h = 1e-6;
      const double turned = m->step(c.p, c.s, &in, NULL);
      CHECK(fabs(turned - slid) < 1e-3 * fabs(slid), "%s: %g before, %g after", laws[i], slid, turned);
    }
}

TEST(skews_are_refused_where_there_is_nothing_to_skew)
{
  double p[MAX_PARAM];
  bristle_error error;
  const bristle_model *gear = bristle_law_skewed(bristle_law_find("gear"))->f64;
  bristle_defaults(gear->info, p);
  p[gear->info->nparam - 2] = 0.1;
  CHECK(bristle_check(gear, p, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "level_skew"), "%s",
        error.field);
  const bristle_model *bouc = bristle_law_skewed(bristle_law_find("bouc_wen"))->f64;
  bristle_defaults(bouc->info, p);
  p[bouc->info->nparam - 1] = 0.1;
  CHECK(bristle_check(bouc, p, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "viscous_skew"), "%s",
        error.field);
  /* a rule of the law holds in both directions: zba stays below the lower level */
  const bristle_model *plastic = bristle_law_skewed(bristle_law_find("elasto_plastic"))->f64;
  bristle_defaults(plastic->info, p);
  CHECK(!bristle_check(plastic, p, NULL), "defaults");
  p[plastic->info->nparam - 2] = 0.9;
  CHECK(bristle_check(plastic, p, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "zba"), "%s",
        error.field);
  p[plastic->info->nparam - 2] = 0.96;
  CHECK(bristle_check(plastic, p, &error) == BRISTLE_STATUS_OUT_OF_RANGE, "%d", error.status);
}

/* single precision: the same skews, to its own rounding */
TEST(skews_in_single_precision_are_those_of_double)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_skewed(bristle_law_at(i));
    double p[MAX_PARAM];
    float q[MAX_PARAM];
    bristle_defaults(law->f64->info, p);
    if (!skew_levels(law->f64, 0.25, p)) p[law->f64->info->nparam - 2] = 0;
    for (int k = 0; k < law->f64->info->nparam; k++) q[k] = (float)p[k];
    if (!(law->f64->info->traits & BRISTLE_TRAIT_STEADY)) continue;
    for (int side = -1; side <= 1; side += 2) {
      const bristle_input in = { .v = side * 0.25, .n = 1, .load = law->f64->info->load };
      const bristle_input_f32 narrow = { .v = (float)in.v, .n = 1, .load = in.load };
      const double f = law->f64->steady(p, &in), g = (double)law->f32->steady(q, &narrow);
      CHECK(fabs(f - g) <= 1e-5 * fabs(f), "%s at %g: %g and %g", law->name, in.v, f, g);
    }
  }
}

/* u = v - W F(u) for two contacts that feel each other, also where the weaker side lets go */
TEST(networks_of_skewed_laws_are_solved)
{
  static const char *const laws[] = { "coulomb", "stribeck", "dahl", "lugre", "elasto_plastic", "gms" };
  double work[1000];
  for (int k = 0; k < 600; k++) {
    contact c[2];
    bristle_network_contact at[2];
    double w[4] = { 1e-3, 4e-4, 4e-4, 2e-3 }, v[2], u[2] = { 0 }, f[2];
    for (int i = 0; i < 2; i++) {
      c[i] = contact_of(laws[(k + i * (k / 6)) % 6]);
      const bristle_model *m = bristle_law_skewed(c[i].law)->f64;
      v[i] = between(-3e-3, 3e-3);
      if (!skew_levels(m, between(-0.5, 0.5), c[i].p)) c[i].p[m->info->nparam - 2] = 0.1;
      at[i] = (bristle_network_contact){ .law = m, .p = c[i].p, .s = c[i].s, .n = 1, .load = c[i].load };
    }
    bristle_network net = { .count = 2, .contact = at, .w = w, .v = v, .h = 1e-3, .f = f, .u = u };
    CHECK(bristle_network_work(&net) <= sizeof work / sizeof *work, "%zu", bristle_network_work(&net));
    const bristle_network_report r = bristle_network_solve(&net, work);
    CHECK(r.converged, "%s and %s: residual %g", c[0].law->name, c[1].law->name, r.residual);
    for (int i = 0; i < 2; i++)
      CHECK(fabs(u[i] - v[i] + w[2 * i] * f[0] + w[2 * i + 1] * f[1]) < 1e-11, "%s of %s and %s", c[i].law->name,
            c[0].law->name, c[1].law->name);
  }
}
