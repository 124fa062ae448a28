/* Terms of the records' own beside friction: the first joint of an arm whose second one pulls at it. */
#include "record.h"

static double first(double t) { return 0.6 * sin(1.3 * t) + 0.25 * sin(4.1 * t + 0.4); }
static double first_speed(double t) { return 0.78 * cos(1.3 * t) + 1.025 * cos(4.1 * t + 0.4); }
static double first_bend(double t) { return -1.014 * sin(1.3 * t) - 4.2025 * sin(4.1 * t + 0.4); }
static double other(double t) { return 0.7 * sin(1.9 * t + 0.2) + 0.2 * sin(5.3 * t); }
static double other_speed(double t) { return 1.33 * cos(1.9 * t + 0.2) + 1.06 * cos(5.3 * t); }
static double other_bend(double t) { return -2.527 * sin(1.9 * t + 0.2) - 5.618 * sin(5.3 * t); }

static double counted(double x) { return 2e-5 * round(x / 2e-5); }

/* 0.8 ddq1 + 0.35 (ddq2 cos(q1 - q2) + dq2^2 sin(q1 - q2)) + 1.2 pull + friction; both angles in counts */
static void arm(double from)
{
  begin("t [s],q1 [rad],q2 [rad],tau1 [N*m],pull [N*m]");
  for (int i = 0; i < 5000; i++) {
    const double t = from + 2e-3 * i, v = first_speed(t), apart = first(t) - other(t), pull = 2 * sin(0.7 * t);
    const double coupled = other_bend(t) * cos(apart) + other_speed(t) * other_speed(t) * sin(apart);
    const double friction = (v > 0 ? 1.5 : -1.5) + 0.6 * v;
    add("%.6g,%.9g,%.9g,%.9g,%.9g\n", 2e-3 * i, counted(first(t)), counted(other(t)),
        0.8 * first_bend(t) + 0.35 * coupled + 1.2 * pull + friction + 0.05 * noise_of(i), pull);
  }
}

static const bristle_log_options READING = {
  .column = { [BRISTLE_CHANNEL_POSITION] = "q1", [BRISTLE_CHANNEL_FORCE] = "tau1" },
  .inverse = 1,
  .term = { "inertia12=ddq2*cos(q1-q2)", "coriolis=d(q2)^2*sin(q1-q2)", "pull" },
};

TEST(terms_of_an_arm_are_found)
{
  static const double truth[] = { 0.35, 0.35, 1.2 };
  bristle_fault fault = { 0 };
  bristle_campaign campaign;
  bristle_identified *found = NULL;
  bristle_identify_options options = { .folds = 4 };
  arm(0);
  bristle_log *log = read_with(&READING, &fault);
  arm(30);
  bristle_log *unseen = log ? read_with(&READING, &fault) : NULL;
  CHECK(log && unseen, "%s", fault.what);
  if (!unseen) return;
  options.term[BRISTLE_TERM_MASS] = options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  for (int k = 0; k < 3; k++) options.term[BRISTLE_TERM_EXTRA + k] = BRISTLE_TERM_FREE;
  bristle_log *const both[] = { log, unseen };
  const bristle_log *const fitted[] = { log };
  CHECK(!bristle_campaign_prepare(both, 1, 2, &READING, &options, &campaign, &fault), "%s", fault.what);
  const bristle_law *law = bristle_law_find("coulomb");
  CHECK(!bristle_identify(law, fitted, 1, unseen, &options, &found, &fault), "%s", fault.what);
  if (!found) return;
  bristle_identified_test(&found, 1, fitted, 1, &options, &campaign);
  const bristle_estimate *term = found->estimate + law->f64->info->nparam;
  for (int k = 0; k < 3; k++) {
    const bristle_estimate *x = &term[BRISTLE_TERM_EXTRA + k];
    CHECK(x->free && x->deviation < 0.01 * truth[k], "%s +- %g", x->name, x->deviation);
    CHECK(fabs(x->value - truth[k]) < fmin(0.01 * truth[k], 4 * x->deviation), "%s %g +- %g", x->name, x->value,
          x->deviation);
  }
  CHECK(!strcmp(term[BRISTLE_TERM_EXTRA].name, "inertia12") && !strcmp(found->extra_text[0], "ddq2*cos(q1-q2)"),
        "%s times %s", term[BRISTLE_TERM_EXTRA].name, found->extra_text[0]);
  CHECK(term[BRISTLE_TERM_EXTRA].motion > 0, "noise of q2 changes nothing");
  CHECK_ABS(term[BRISTLE_TERM_MASS].value, 0.8, 0.008);
  CHECK_ABS(found->p[0], 1.5, 0.015);
  CHECK(found->held_out < 0.03 && found->validation < 0.012, "held out %g, validation %g", found->held_out,
        found->validation);
  bristle_identified_free(found);
  bristle_log_free(log), bristle_log_free(unseen);
}

TEST(terms_that_are_the_same_are_not_determined)
{
  bristle_fault fault = { 0 };
  bristle_campaign campaign;
  bristle_identified *found = NULL;
  bristle_identify_options options = { .folds = -1 };
  bristle_log_options reading = READING;
  reading.term[3] = "twice=2*pull";
  arm(0);
  bristle_log *log = read_with(&reading, &fault);
  CHECK(log, "%s", fault.what);
  if (!log) return;
  options.term[BRISTLE_TERM_MASS] = BRISTLE_TERM_FREE;
  for (int k = 0; k < 4; k++) options.term[BRISTLE_TERM_EXTRA + k] = BRISTLE_TERM_FREE;
  bristle_log *const one[] = { log };
  CHECK(!bristle_campaign_prepare(one, 1, 1, &reading, &options, &campaign, &fault), "%s", fault.what);
  const bristle_law *law = bristle_law_find("coulomb");
  CHECK(!bristle_identify(law, (const bristle_log *const *)one, 1, NULL, &options, &found, &fault), "%s", fault.what);
  if (!found) return;
  const bristle_estimate *term = found->estimate + law->f64->info->nparam + BRISTLE_TERM_EXTRA;
  CHECK(isinf(term[3].deviation) && term[3].reason[0], "twice %g +- %g", term[3].value, term[3].deviation);
  CHECK_ABS(term[0].value, 0.35, 0.004);
  bristle_identified_free(found);
  bristle_log_free(log);
}

/* ---- loads that are carried ---- */

/* a gear whose friction grows with the torque at its other end, which stands in the file; or the same torque twice */
static void gear(int twice)
{
  begin("t [s],q [rad],motor_torque [N*m],output_torque [N*m]");
  for (int i = 0; i < 5000; i++) {
    const double t = 2e-3 * i, v = first_speed(t), load = 3 * sin(1.07 * t) + sin(3.33 * t);
    const double friction = (v > 0 ? 1 : -1) * (0.5 + 0.2 * fabs(load)) + 0.3 * v;
    const double torque = 0.1 * first_bend(t) + friction + (twice ? 0 : load);
    add("%.6g,%.9g,%.9g,%.9g\n", t, counted(first(t)), torque + 0.02 * noise_of(i),
        twice ? 0.99 * torque + 0.02 * noise_of(i + 7) : load);
  }
}

static bristle_identified *fit_gear(int twice, bristle_campaign *campaign)
{
  bristle_fault fault = { 0 };
  bristle_identified *found = NULL;
  const bristle_log_options reading = { .inverse = 1, .loads = 1 };
  bristle_identify_options options = { .folds = -1 };
  gear(twice);
  bristle_log *log = read_with(&reading, &fault);
  CHECK(log, "%s", fault.what);
  if (!log) return NULL;
  options.term[BRISTLE_TERM_MASS] = options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  bristle_log *const one[] = { log };
  CHECK(!bristle_campaign_prepare(one, 1, 1, &reading, &options, campaign, &fault), "%s", fault.what);
  CHECK(!bristle_identify(bristle_law_find("coulomb"), (const bristle_log *const *)one, 1, NULL, &options, &found,
                          &fault),
        "%s", fault.what);
  bristle_log_free(log);
  return found;
}

TEST(load_that_a_drive_carries_is_found)
{
  bristle_campaign campaign;
  bristle_identified *found = fit_gear(0, &campaign);
  if (!found) return;
  CHECK(campaign.note_count == 1 && strstr(campaign.note[0], "friction grows with it"), "%zu notes",
        campaign.note_count);
  CHECK_ABS(found->term[BRISTLE_TERM_EXTRA], 1, 0.005);
  CHECK_ABS(found->term[BRISTLE_TERM_EXTRA + 1], 0.2, 0.004);
  CHECK_ABS(found->p[0], 0.5, 0.01);
  CHECK_ABS(found->term[BRISTLE_TERM_MASS], 0.1, 0.001);
  bristle_identified_free(found);
}

TEST(force_that_is_there_twice_is_no_load)
{
  bristle_campaign campaign;
  bristle_identified *found = fit_gear(1, &campaign);
  if (!found) return;
  CHECK(campaign.note_count == 0, "%s", campaign.note[0]);
  CHECK(found->term[BRISTLE_TERM_EXTRA] == 0 && found->term[BRISTLE_TERM_EXTRA + 1] == 0, "a load");
  CHECK(found->p[0] > 0.8 && found->p[0] < 1.2, "fc %g", found->p[0]); /* 0.5 + 0.2 of the mean load */
  bristle_identified_free(found);
}

/* a joint that carries its arm: friction grows with what gravity and inertia ask of it, or does not */
static bristle_identified *fit_joint(double part, bristle_campaign *campaign)
{
  bristle_fault fault = { 0 };
  bristle_identified *found = NULL;
  const bristle_log_options reading = { .inverse = 1, .loads = 1 };
  bristle_identify_options options = { .folds = -1 };
  begin("t [s],q [rad],torque [N*m]");
  for (int i = 0; i < 5000; i++) {
    const double t = 2e-3 * i, v = 2 * first_speed(t), load = 0.2 * first_bend(t) + 4 * sin(2 * first(t));
    const double friction = (v > 0 ? 1 : -1) * (0.5 + part * fabs(load)) + 0.3 * v;
    add("%.6g,%.9g,%.9g\n", t, counted(2 * first(t)), load + friction + 0.02 * noise_of(i));
  }
  bristle_log *log = read_with(&reading, &fault);
  CHECK(log, "%s", fault.what);
  if (!log) return NULL;
  options.term[BRISTLE_TERM_MASS] = options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  options.term[BRISTLE_TERM_GRAVITY] = options.term[BRISTLE_TERM_GRAVITY_COSINE] = BRISTLE_TERM_CHOOSE;
  bristle_log *const one[] = { log };
  CHECK(!bristle_campaign_prepare(one, 1, 1, &reading, &options, campaign, &fault), "%s", fault.what);
  CHECK(!bristle_identify(bristle_law_find("coulomb"), (const bristle_log *const *)one, 1, NULL, &options, &found,
                          &fault),
        "%s", fault.what);
  bristle_log_free(log);
  return found;
}

TEST(load_that_gravity_makes_shows_in_friction)
{
  bristle_campaign campaign;
  bristle_identified *found = fit_joint(0.08, &campaign);
  if (!found) return;
  CHECK(campaign.note_count == 1 && strstr(campaign.note[0], "gravity and inertia make"), "%zu notes",
        campaign.note_count);
  CHECK_ABS(found->term[BRISTLE_TERM_EXTRA], 0.08, 0.002);
  const char *minus = strrchr(found->extra_text[0], '-');
  const double level = minus ? found->p[0] - found->term[BRISTLE_TERM_EXTRA] * atof(minus + 1) : 0;
  CHECK_ABS(level, 0.5, 0.01); /* without a load */
  CHECK_ABS(found->term[BRISTLE_TERM_GRAVITY], 4, 0.02);
  bristle_identified_free(found);
}

TEST(load_that_makes_no_friction_is_left_alone)
{
  bristle_campaign campaign;
  bristle_identified *found = fit_joint(0, &campaign);
  if (!found) return;
  CHECK(campaign.note_count == 0 && found->term[BRISTLE_TERM_EXTRA] == 0, "%s", campaign.note[0]);
  CHECK_ABS(found->p[0], 0.5, 0.005);
  bristle_identified_free(found);
}
