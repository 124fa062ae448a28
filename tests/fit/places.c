/* Friction and force over the position: found, fitted as tables, and not found where there are none. */
#include "record.h"

static double way(double t) { return 0.03 * sin(1.9 * t) + 0.01 * sin(6.3 * t + 0.3) + 0.004 * sin(17 * t + 1.1); }
static double speed(double t) { return 0.057 * cos(1.9 * t) + 0.063 * cos(6.3 * t + 0.3) + 0.068 * cos(17 * t + 1.1); }

/* a screw of pitch 20 mm, magnets every 20 mm, a guide that is tight at one end, a sliding body without any of these */
typedef enum made_of { SCREW, MAGNETS, GUIDE, NOTHING } made_of;

static void body(made_of what)
{
  begin("t [s],x [m],F [N]");
  for (int i = 0; i < 6000; i++) {
    const double t = 2e-3 * i, x = way(t), v = speed(t), toward = v > 0 ? 1 : -1, wave = sin(2 * M_PI * x / 0.02);
    const double friction = what == SCREW ? 5 + 2 * wave : what == GUIDE ? 5 + 100 * fmax(x, 0) : 5;
    add("%.6g,%.9g,%.9g\n", t, 1e-7 * round(x / 1e-7),
        friction * toward + 20 * v + (what == MAGNETS ? 2 * wave : 0) + 0.05 * noise_of(i));
  }
}

typedef struct fitted {
  bristle_log *log;
  bristle_identify_options options;
  bristle_identified *result;
  bristle_places over[BRISTLE_OVERS];
  int kinds;
  double before, after;
} fitted;

static void fit_body(made_of what, fitted *f)
{
  bristle_fault fault = { 0 };
  bristle_campaign campaign;
  const bristle_log_options reading = { 0 };
  *f = (fitted){ .options = { .folds = -1 } };
  body(what);
  f->log = read_with(&reading, &fault);
  CHECK(f->log, "%s", fault.what);
  if (!f->log) exit(1);
  f->options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  bristle_log *const one[] = { f->log };
  CHECK(!bristle_campaign_prepare(one, 1, 1, &reading, &f->options, &campaign, &fault), "%s", fault.what);
  CHECK(!bristle_identify(bristle_law_find("coulomb"), (const bristle_log *const *)one, 1, NULL, &f->options,
                          &f->result, &fault),
        "%s", fault.what);
  f->kinds = bristle_identified_places(f->result, (const bristle_log *const *)one, 1, f->over, &f->before, &f->after);
}

/* the same law with the tables that were found; returns the largest difference to what they should be */
static double fit_tables(fitted *f, bristle_over kind, double (*truth)(double x))
{
  bristle_fault fault = { 0 };
  const bristle_log *const one[] = { f->log };
  double position[BRISTLE_KNOTS], value[BRISTLE_KNOTS], deviation[BRISTLE_KNOTS], worst = 0, mean = 0;
  memcpy(f->log->over, f->over, sizeof f->over);
  for (int k = 0; k + 1 < f->over[kind].knots; k++)
    f->options.term[(kind ? BRISTLE_TERM_FORCE_AT : BRISTLE_TERM_FRICTION_AT) + k] = BRISTLE_TERM_FREE;
  bristle_identified_free(f->result);
  CHECK(!bristle_identify(bristle_law_find("coulomb"), one, 1, NULL, &f->options, &f->result, &fault), "%s",
        fault.what);
  if (!f->result) return HUGE_VAL;
  const int knots = bristle_identified_over(f->result, kind, position, value, deviation);
  for (int k = 0; k < knots; k++) mean += truth(position[k]) * f->over[kind].share[k];
  for (int k = 0; k < knots; k++) worst = fmax(worst, fabs(value[k] - truth(position[k]) + mean));
  return knots ? worst : HUGE_VAL;
}

static void forget(fitted *f)
{
  bristle_identified_free(f->result);
  bristle_log_free(f->log);
}

static double screw(double x) { return 2 * sin(2 * M_PI * x / 0.02); }
static double guide(double x) { return 100 * fmax(x, 0); }

TEST(places_where_friction_repeats_are_found)
{
  fitted f;
  fit_body(SCREW, &f);
  CHECK(f.kinds == 1 && f.over[BRISTLE_OVER_FRICTION].periodic && !f.over[BRISTLE_OVER_FORCE].knots, "%d kinds",
        f.kinds);
  CHECK_ABS(f.over[BRISTLE_OVER_FRICTION].length, 0.02, 4e-5);
  CHECK(f.after < 0.1 * f.before, "from %g to %g", f.before, f.after);
  CHECK_ABS(fit_tables(&f, BRISTLE_OVER_FRICTION, screw), 0, 0.1); /* straight lines through a sine */
  CHECK_ABS(f.result->p[0], 5, 0.02);
  forget(&f);
}

TEST(places_where_a_force_pulls_are_found)
{
  fitted f;
  fit_body(MAGNETS, &f);
  CHECK(f.kinds == 1 && f.over[BRISTLE_OVER_FORCE].periodic && !f.over[BRISTLE_OVER_FRICTION].knots, "%d kinds",
        f.kinds);
  CHECK_ABS(fit_tables(&f, BRISTLE_OVER_FORCE, screw), 0, 0.1);
  CHECK_ABS(f.result->p[0], 5, 0.02);
  forget(&f);
}

TEST(places_of_a_guide_that_is_tight_are_found)
{
  fitted f;
  fit_body(GUIDE, &f);
  CHECK(f.kinds == 1 && f.over[BRISTLE_OVER_FRICTION].knots && !f.over[BRISTLE_OVER_FRICTION].periodic, "%d kinds",
        f.kinds);
  CHECK_ABS(fit_tables(&f, BRISTLE_OVER_FRICTION, guide), 0, 0.15);
  forget(&f);
}

TEST(places_without_any_difference_are_not)
{
  fitted f;
  fit_body(NOTHING, &f);
  CHECK(f.kinds == 0 && !f.over[0].knots && !f.over[1].knots, "%d kinds, from %g to %g", f.kinds, f.before, f.after);
  forget(&f);
}
