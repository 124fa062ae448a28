/* Bad joints are refused, with the joint, the field, the value and the rule named. */
#include "bristle/text.h"
#include "joint/support.h"

static void good_joint(jointed *c, bristle_joint_kind kind)
{
  joint_make(c, kind, "lugre");
  c->j.name = "elbow";
  if (kind != BRISTLE_JOINT_TRANSLATIONAL) c->j.preload_torque = 1;
}

/* `word` must be in the sentence a person reads */
static void refused(const bristle_joint *j, const char *field, double value, const char *word)
{
  bristle_error error = { 0 };
  char text[300] = "";
  bristle_status status = bristle_joint_check(j, &error);
  CHECK(status != BRISTLE_STATUS_OK, "%s %s = %g accepted", bristle_joint_kind_text(j->kind), field, value);
  if (!status) return;
  bristle_error_text(&error, text, sizeof text);
  CHECK(!strcmp(error.field, field), "%s: field %s, not %s", text, error.field, field);
  CHECK(!strcmp(error.model, "elbow") && strstr(text, "elbow"), "%s", text);
  CHECK(error.status == BRISTLE_STATUS_OUT_OF_RANGE || (error.rule && *error.rule), "%s: no rule",
        text); /* a range is one */
  CHECK(isnan(value) ? isnan(error.value) : error.value == value, "%s: value %g, not %g", text, error.value, value);
  CHECK(strstr(text, word), "'%s' lacks '%s'", text, word);
}

TEST(good_joints_are_accepted)
{
  for (int k = 0; k < bristle_joint_kinds(); k++) {
    jointed c;
    bristle_error error;
    good_joint(&c, (bristle_joint_kind)k);
    CHECK(bristle_joint_check(&c.j, &error) == BRISTLE_STATUS_OK, "%s: %s, %s", bristle_joint_kind_text(c.j.kind),
          error.field, error.rule);
    c.j.effect = BRISTLE_JOINT_EFFECT_SLIDING;
    c.j.statics = BRISTLE_JOINT_STATICS_BOUNDED;
    c.j.combine = BRISTLE_JOINT_COMBINE_MAX;
    CHECK(bristle_joint_check(&c.j, NULL) == BRISTLE_STATUS_OK, "options refused");
    const bristle_joint_loads loads = { { 1, 2, 3 }, { 4, 5, 6 } };
    const bristle_joint_motion m = { .h = 1e-3 };
    CHECK(bristle_joint_check_state(&c.j, &loads, &m, 1, NULL) == BRISTLE_STATUS_OK, "state refused");
  }
}

TEST(bad_lengths_are_refused)
{
  const double bad[] = { -0.02, NAN, INFINITY, 0 };
  for (int k = 0; k < bristle_joint_kinds(); k++)
    for (int i = 0; i < 4; i++) {
      jointed c;
      good_joint(&c, (bristle_joint_kind)k);
      const struct {
        const char *name;
        double *at;
        int needed;
      } fields[] = {
        { "pin_radius", &c.j.pin_radius,
          k == BRISTLE_JOINT_REVOLUTE || k == BRISTLE_JOINT_CYLINDRICAL || k == BRISTLE_JOINT_UNIVERSAL },
        { "ball_radius", &c.j.ball_radius, k == BRISTLE_JOINT_SPHERICAL },
        { "friction_arm", &c.j.friction_arm, 0 },
        { "bending_arm", &c.j.bending_arm, k == BRISTLE_JOINT_REVOLUTE || k == BRISTLE_JOINT_UNIVERSAL },
        { "overlap", &c.j.overlap, k == BRISTLE_JOINT_TRANSLATIONAL || k == BRISTLE_JOINT_CYLINDRICAL },
        { "reaction_arm", &c.j.reaction_arm, k == BRISTLE_JOINT_TRANSLATIONAL },
      };
      for (int f = 0; f < 6; f++) {
        if (bad[i] == 0 && !fields[f].needed) continue;
        double keep = *fields[f].at;
        *fields[f].at = bad[i];
        refused(&c.j, fields[f].name, bad[i], isfinite(bad[i]) ? (bad[i] < 0 ? "negative" : "above 0") : "finite");
        *fields[f].at = keep;
      }
    }
  jointed c;
  good_joint(&c, BRISTLE_JOINT_TRANSLATIONAL); /* an overlap that carries nothing may be missing */
  c.j.inputs = BRISTLE_JOINT_INPUT_REACTION;
  c.j.overlap = c.j.reaction_arm = 0;
  CHECK(bristle_joint_check(&c.j, NULL) == BRISTLE_STATUS_OK, "refused although nothing bends");
  good_joint(&c, BRISTLE_JOINT_UNIVERSAL);
  c.j.cross_axis[2] = 0;
  refused(&c.j, "cross_axis", 0, "direction");
  c.j.cross_axis[1] = NAN;
  refused(&c.j, "cross_axis", NAN, "cross_axis[2]");
}

TEST(missing_loads_are_refused)
{
  jointed c;
  good_joint(&c, BRISTLE_JOINT_REVOLUTE);
  c.j.inputs = 0;
  refused(&c.j, "inputs", 0, "no load is selected");
  c.j.inputs = BRISTLE_JOINT_INPUT_PRELOAD;
  c.j.preload_torque = 0;
  refused(&c.j, "preload_torque", 0, "only load");
  c.j.inputs = 7 | BRISTLE_JOINT_INPUT_TORSION;
  refused(&c.j, "inputs", 15, "translational");
  good_joint(&c, BRISTLE_JOINT_SPHERICAL);
  c.j.inputs |= BRISTLE_JOINT_INPUT_BENDING;
  refused(&c.j, "inputs", 7, "spherical");
  good_joint(&c, BRISTLE_JOINT_TRANSLATIONAL);
  c.j.preload_torque = 1;
  refused(&c.j, "preload_torque", 1, "cannot turn");
  good_joint(&c, BRISTLE_JOINT_REVOLUTE);
  c.j.preload_force = 1;
  refused(&c.j, "preload_force", 1, "cannot slide");
  c.j.preload_force = 0;
  c.j.preload_torque = -1;
  refused(&c.j, "preload_torque", -1, "friction value");

  good_joint(&c, BRISTLE_JOINT_REVOLUTE);
  bristle_error error;
  const bristle_joint_motion m = { .h = 1e-3 };
  CHECK(bristle_joint_check_state(&c.j, NULL, &m, 1, &error) != BRISTLE_STATUS_OK, "no reactions, accepted");
  CHECK(!strcmp(error.field, "loads") && !strcmp(error.model, "elbow"), "%s %s", error.model, error.field);
  c.j.inputs = BRISTLE_JOINT_INPUT_PRELOAD;
  CHECK(bristle_joint_check_state(&c.j, NULL, &m, 1, &error) == BRISTLE_STATUS_OK, "a preload needs no reactions");
}

TEST(bad_states_are_refused)
{
  jointed c;
  bristle_error error;
  good_joint(&c, BRISTLE_JOINT_CYLINDRICAL);
  c.j.overlap_rule = BRISTLE_JOINT_OVERLAP_SHRINKS;
  bristle_joint_loads loads = { { 1, 2, 3 }, { 4, 5, 6 } };
  bristle_joint_motion m = { .h = 1e-3, .x = 0.15 };
  bristle_status status = bristle_joint_check_state(&c.j, &loads, &m, 1, &error);
  CHECK(status == BRISTLE_STATUS_RULE_BROKEN, "apart, accepted");
  if (!status) return;
  CHECK(!strcmp(error.field, "x") && error.value == 0.15 && strstr(error.rule, "apart"), "%s: %s", error.field,
        error.rule);
  m.x = 0;
  double *numbers[] = { &loads.force[1], &loads.moment[2], &m.v, &m.omega[0], &m.w, &m.w_rot[2][1], &m.h };
  static const char *const names[] = { "force", "moment", "v", "omega", "w", "w_rot", "h" };
  const int index[] = { 1, 2, -1, 0, -1, 7, -1 };
  for (int i = 0; i < 7; i++) {
    double keep = *numbers[i];
    *numbers[i] = NAN;
    CHECK(bristle_joint_check_state(&c.j, &loads, &m, 1, &error) == BRISTLE_STATUS_NOT_FINITE, "%s = NaN accepted",
          names[i]);
    CHECK(!strcmp(error.field, names[i]) && error.index == index[i], "%s[%d]", error.field, error.index);
    *numbers[i] = keep;
  }
  m.h = 0;
  CHECK(bristle_joint_check_state(&c.j, &loads, &m, 1, &error) != BRISTLE_STATUS_OK && !strcmp(error.field, "h"),
        "h = 0");
  CHECK(bristle_joint_check_state(&c.j, &loads, &m, 0, &error) == BRISTLE_STATUS_OK, "an instant needs no h");
  m.h = 1e-3;
  m.w_rot[0][1] = 1;
  CHECK(bristle_joint_check_state(&c.j, &loads, &m, 1, &error) != BRISTLE_STATUS_OK && strstr(error.rule, "symmetric"),
        "w_rot");
}

TEST(laws_that_do_not_fit_are_refused)
{
  jointed c;
  good_joint(&c, BRISTLE_JOINT_REVOLUTE);
  joint_set(&c, "fs", 0.1);
  refused(&c.j, "fs", 0.1, "fs must not be below fc");
  joint_set(&c, "fs", NAN);
  CHECK(bristle_joint_check(&c.j, NULL) == BRISTLE_STATUS_NOT_FINITE, "NaN accepted");
  good_joint(&c, BRISTLE_JOINT_REVOLUTE);
  c.j.contact.p = NULL;
  refused(&c.j, "p", 0, "missing");
  CHECK(!bristle_joint_use(&c.j, "no such law", c.p), "found");
  refused(&c.j, "law", 0, "scalar law");
  good_joint(&c, BRISTLE_JOINT_REVOLUTE);
  bristle_joint_use(&c.j, "makkar", c.p); /* its level has another name */
  bristle_defaults(c.j.contact.law->f64->info, c.p);
  CHECK(bristle_joint_check(&c.j, NULL) == BRISTLE_STATUS_OK, "refused with a level of its own");
  bristle_joint_use(&c.j, "gear", c.p);
  bristle_defaults(c.j.contact.law->f64->info, c.p);
  refused(&c.j, "mu_s", 0, "give mu_s");
  c.j.mu_s = 0.3;
  CHECK(bristle_joint_check(&c.j, NULL) == BRISTLE_STATUS_OK, "refused with mu_s");
  c.j.effect = BRISTLE_JOINT_EFFECT_SLIDING;
  refused(&c.j, "effect", 1, "no level");
  c.j.effect = BRISTLE_JOINT_EFFECT_BOTH;
  c.j.statics = BRISTLE_JOINT_STATICS_BOUNDED;
  refused(&c.j, "stiffness", 0, "no stiffness");
  c.j.combine = (bristle_joint_combine)7;
  refused(&c.j, "combine", 7, "SUM");
  c.j.kind = (bristle_joint_kind)9;
  refused(&c.j, "kind", 9, "no such kind");
}

TEST(vector_joints_want_a_vector_law_per_unit_load)
{
  jointed c;
  good_joint(&c, BRISTLE_JOINT_SPHERICAL);
  c.j.contact.law = bristle_law_find("lugre"), c.j.contact.vector = NULL;
  refused(&c.j, "vector", 0, "vector law");
  good_joint(&c, BRISTLE_JOINT_SPHERICAL);
  c.j.contact.load = BRISTLE_LOAD_FORCE;
  refused(&c.j, "load", BRISTLE_LOAD_FORCE, "per unit load");
  good_joint(&c, BRISTLE_JOINT_CYLINDRICAL);
  joint_set(&c, "vs", -1);
  refused(&c.j, "vs", -1, "outside");
}
