/* Parameter tables: refusals that name what is wrong, warnings, units, load forms. */
#include "bristle/bristle.h"
#include "bristle/text.h"
#include "bristle/vector.h"
#include "support/law.h"

static void refuse(contact *c, const char *parameter, double value, bristle_status status)
{
  bristle_error error = { 0 };
  char text[256];
  set(c, parameter, value);
  bristle_status got = bristle_check(c->model, c->p, &error);
  CHECK(got == status, "%s = %g: status %d", parameter, value, got);
  CHECK(error.status == status && !strcmp(error.model, c->law->name), "model %s", error.model);
  bristle_error_text(&error, text, sizeof text);
  CHECK(strstr(text, c->law->name) && strstr(text, parameter), "the message must name law and parameter: %s", text);
}

TEST(defaults_of_every_law_are_admissible)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    contact c = contact_of(bristle_law_at(i)->name);
    bristle_error error;
    char text[256] = "";
    if (bristle_check(c.model, c.p, &error)) bristle_error_text(&error, text, sizeof text);
    CHECK(text[0] == '\0', "%s", text);
  }
}

TEST(every_parameter_refuses_nan_infinity_and_values_outside_its_range)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    contact good = contact_of(bristle_law_at(i)->name);
    const bristle_info *info = good.model->info;
    for (int r = 0; r < info->param_rows; r++) {
      contact c = good;
      if (info->param[r].count > 1) { /* the element is named */
        bristle_error error;
        c.p[info->param[r].first + 2] = NAN;
        CHECK(bristle_check(c.model, c.p, &error) == BRISTLE_STATUS_NOT_FINITE && error.index == 2, "%s",
              info->param[r].name);
        continue;
      }
      refuse(&c, info->param[r].name, NAN, BRISTLE_STATUS_NOT_FINITE);
      refuse(&c, info->param[r].name, INFINITY, BRISTLE_STATUS_NOT_FINITE);
      refuse(&c, info->param[r].name, -INFINITY, BRISTLE_STATUS_NOT_FINITE);
      refuse(&c, info->param[r].name, info->param[r].hi * 2 + 1, BRISTLE_STATUS_OUT_OF_RANGE);
      refuse(&c, info->param[r].name, info->param[r].lo > 0 ? info->param[r].lo / 2 : info->param[r].lo * 2 - 1,
             BRISTLE_STATUS_OUT_OF_RANGE);
      if (info->param[r].kind == BRISTLE_ROW_OPTION)
        refuse(&c, info->param[r].name, 0.5 * (info->param[r].lo + info->param[r].lo + 1), BRISTLE_STATUS_NOT_WHOLE);
    }
  }
}

TEST(relations_between_parameters_are_checked)
{
  contact c = contact_of("lugre");
  refuse(&c, "fs", 0.5, BRISTLE_STATUS_RULE_BROKEN);
  contact g = contact_of("gms");
  bristle_error error;
  set_vector(&g, "alpha", 4, (double[]){ 0.1, 0.2, 0.3, 0.5 });
  CHECK(bristle_check(g.model, g.p, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "alpha"),
        "sum of alpha");
  CHECK_NEAR(error.value, 1.1, 1e-12);
  contact k = contact_of("gms");
  set_vector(&k, "k", 3, (double[]){ 4e4, 3e4, 2e4 });
  CHECK(bristle_check(k.model, k.p, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "k"),
        "unpaired elements");
}

TEST(error_sentences_say_what_to_do)
{
  contact c = contact_of("lugre");
  bristle_error error;
  char text[256];
  set(&c, "fs", 0.5);
  bristle_check(c.model, c.p, &error);
  bristle_error_text(&error, text, sizeof text);
  CHECK(!strcmp(text, "lugre: fs = 0.5 breaks a rule: fs must not be below fc"), "%s", text);
  set(&c, "vs", -1);
  bristle_check(c.model, c.p, &error);
  bristle_error_text(&error, text, sizeof text);
  CHECK(!strcmp(text, "lugre: vs = -1 is outside 1e-9 to 1000; check the value and its unit"), "%s", text);
}

/* P3: passive iff sigma2 >= sigma1 (fs - fc)/fc; the 1995 set has 0.4 against 158 */
TEST(lugre_passivity_is_a_warning_not_an_error)
{
  contact c = contact_1995("lugre");
  bristle_breach breach[4];
  bristle_input in = { 0 };
  CHECK(bristle_check(c.model, c.p, NULL) == BRISTLE_STATUS_OK, "the 1995 set is admissible");
  CHECK(c.model->advice(c.p, &in, breach, 4) == 1 && strstr(breach[0].rule, "create energy"),
        "expected the passivity warning");
  set(&c, "sigma2", 159);
  CHECK(c.model->advice(c.p, &in, breach, 4) == 0, "passive now");
  set(&c, "sigma2", 0.4);
  set(&c, "vd", 0.029);
  CHECK(c.model->advice(c.p, &in, breach, 4) == 0, "passive by sigma1(v)");
  set(&c, "vd", 1e9);
  in.h = in.w = 0.01; /* 0.858 * 0.5/1e-3 * 0.01 = 4.3 > 1: several end velocities are possible */
  CHECK(c.model->advice(c.p, &in, breach, 4) == 2 && !strcmp(breach[1].param, "vs"), "expected the step-size advice");
}

/* a velocity that is no number must not end as a force that looks like one */
TEST(no_law_makes_a_number_of_a_velocity_that_is_none)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    for (int coupled = 0; coupled < 2; coupled++) {
      contact c = contact_of(law->name);
      const bristle_input in = { .v = NAN, .n = 1, .h = 1e-3, .w = coupled ? 1e-3 : 0, .load = law->f64->info->load };
      double end;
      const double one = c.model->step(c.p, c.s, &in, &end);
      CHECK(isnan(one), "%s, %s: %g", law->name, coupled ? "coupled" : "prescribed", one);
    }
  }
}

TEST(inputs_are_checked_on_request)
{
  contact c = contact_of("lugre");
  bristle_input good = { .v = 1, .n = 1, .h = 1e-3 }, bad = good;
  bristle_error error;
  CHECK(bristle_check_input(c.model, &good, 1, &error) == BRISTLE_STATUS_OK, "good input");
  bad.v = NAN;
  CHECK(bristle_check_input(c.model, &bad, 1, &error) == BRISTLE_STATUS_NOT_FINITE && !strcmp(error.field, "v"),
        "NaN velocity");
  bad = good;
  bad.w = -1;
  CHECK(bristle_check_input(c.model, &bad, 1, &error) == BRISTLE_STATUS_OUT_OF_RANGE && !strcmp(error.field, "w"),
        "negative compliance");
  bad = good;
  bad.h = 0;
  CHECK(bristle_check_input(c.model, &bad, 1, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "h"),
        "no step");
  CHECK(bristle_check_input(c.model, &bad, 0, &error) == BRISTLE_STATUS_OK, "eval needs no step");
  bad.h = -1e-3;
  CHECK(bristle_check_input(c.model, &bad, 1, &error) == BRISTLE_STATUS_OUT_OF_RANGE && !strcmp(error.field, "h"),
        "back");
  bad = good;
  bad.n = -1;
  CHECK(bristle_check_input(c.model, &bad, 1, &error) == BRISTLE_STATUS_OK, "the form force ignores the load");
  bad.load = BRISTLE_LOAD_LEVEL;
  CHECK(bristle_check_input(c.model, &bad, 1, &error) == BRISTLE_STATUS_OUT_OF_RANGE && !strcmp(error.field, "n"),
        "pull");
  bad.load = (bristle_load)3;
  CHECK(bristle_check_input(c.model, &bad, 1, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "load"),
        "form");
}

TEST(missing_pointers_are_named)
{
  contact c = contact_of("lugre");
  const bristle_input in = { .v = 1, .n = 1, .h = 1e-3 };
  bristle_error error;
  CHECK(bristle_check(NULL, c.p, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "model"), "no model");
  CHECK(bristle_check(c.model, NULL, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "p"),
        "no parameters");
  CHECK(strstr(error.rule, "NULL") != NULL, "%s", error.rule);
  CHECK(bristle_check_input(NULL, &in, 1, NULL) == BRISTLE_STATUS_RULE_BROKEN, "no model");
  CHECK(bristle_check_input(c.model, NULL, 1, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "in"),
        "no input");
  CHECK(bristle_law_find(NULL) == NULL && bristle_law_nearest(NULL) == NULL, "no name");
}

static const char *unit_of(const char *law, const char *parameter, bristle_load load, int rotary)
{
  static char text[32];
  bristle_unit(bristle_param_find(bristle_law_find(law)->f64->info, parameter), load, rotary, text, sizeof text);
  return text;
}

TEST(units_follow_the_load_form_and_the_kind_of_motion)
{
  CHECK(!strcmp(unit_of("lugre", "sigma1", BRISTLE_LOAD_FORCE, 0), "N*s/m"), "%s",
        unit_of("lugre", "sigma1", BRISTLE_LOAD_FORCE, 0));
  CHECK(!strcmp(unit_of("lugre", "sigma1", BRISTLE_LOAD_COEFFICIENT, 0), "s/m"), "coefficient");
  CHECK(!strcmp(unit_of("lugre", "sigma1", BRISTLE_LOAD_LEVEL, 0), "N*s/m"), "level keeps damping");
  CHECK(!strcmp(unit_of("lugre", "fc", BRISTLE_LOAD_LEVEL, 0), "1"), "level divides N");
  CHECK(!strcmp(unit_of("lugre", "sigma0", BRISTLE_LOAD_FORCE, 1), "N*m/rad"), "rotary stiffness");
  CHECK(!strcmp(unit_of("lugre", "vs", BRISTLE_LOAD_FORCE, 1), "rad/s"), "rotary speed");
  CHECK(!strcmp(unit_of("lugre", "fc", BRISTLE_LOAD_FORCE, 1), "N*m"), "torque");
}

/* the same contact in the three forms, at a constant load: one force */
TEST(load_forms_agree_at_the_load_of_conversion)
{
  const double n = 37.5;
  for (int i = 0; i < bristle_law_count(); i++) {
    contact force = contact_of(bristle_law_at(i)->name);
    if (!strcmp(force.law->name, "gear")) continue; /* its load is the transmitted torque, not a normal load */
    force.load = BRISTLE_LOAD_FORCE;
    for (int form = BRISTLE_LOAD_COEFFICIENT; form <= BRISTLE_LOAD_LEVEL; form++) {
      contact a = force, b = force;
      b.load = (bristle_load)form;
      bristle_convert(a.model->info, a.p, BRISTLE_LOAD_FORCE, b.p, b.load, n);
      a.n = b.n = n;
      for (int k = 0; k < 50; k++) {
        double v = 1e-3 * sin(0.7 * k), fa = glide(&a, v, 1e-3, 1), fb = glide(&b, v, 1e-3, 1);
        CHECK(fabs(fa - fb) <= 1e-10 * (fabs(fa) + 1e-3), "%s %s: %.15g and %.15g", a.law->name,
              bristle_load_text(b.load), fa, fb);
      }
      contact back = b;
      bristle_convert(a.model->info, b.p, b.load, back.p, BRISTLE_LOAD_FORCE, n);
      for (int j = 0; j < a.model->info->nparam; j++) CHECK_NEAR(back.p[j], force.p[j], 4e-16);
    }
  }
}

TEST(numbers_are_written_so_that_they_read_back)
{
  static const struct {
    double value;
    const char *text;
  } cases[] = {
    { 0, "0" },
    { 10, "10" },
    { 1e5, "1e5" },
    { 0.1, "0.1" },
    { 316.2278, "316.2278" },
    { 1e-9, "1e-9" },
    { -2.5e-12, "-2.5e-12" },
    { 1234, "1234" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[40];
    bristle_number_text(cases[i].value, text, sizeof text);
    CHECK(!strcmp(text, cases[i].text), "%s", text);
  }
  for (int i = 0; i < 2000; i++) {
    double value = (rand() - RAND_MAX / 2) * pow(10, rand() % 40 - 20);
    char text[40];
    bristle_number_text(value, text, sizeof text);
    CHECK(strtod(text, NULL) == value, "%s", text);
  }
}

TEST(unknown_laws_get_a_suggestion)
{
  CHECK(!bristle_law_find("lugr") && !bristle_law_find("lugre "), "found");
  CHECK(bristle_law_find("LuGre") && bristle_law_find("LuGre") == bristle_law_find("lugre"),
        "the case of a name matters");
  CHECK(bristle_vector_law_find("Dahl") == bristle_vector_law_find("dahl") && !bristle_vector_law_find(NULL),
        "or of a vector law's");
  CHECK(!strcmp(bristle_law_nearest("lugr"), "lugre"), "%s", bristle_law_nearest("lugr"));
  CHECK(!strcmp(bristle_law_nearest("colomb"), "coulomb"), "%s", bristle_law_nearest("colomb"));
}

/* ---- roles and relations ---- */

/* the unit that a role stands for; NULL where any is right */
static const char *unit_of_role(bristle_role role)
{
  switch (role) {
  case BRISTLE_ROLE_LEVEL:
  case BRISTLE_ROLE_STATIC_LEVEL:
  case BRISTLE_ROLE_EXCESS_LEVEL:
  case BRISTLE_ROLE_OFFSET:
    return "N";
  case BRISTLE_ROLE_STIFFNESS:
    return "N/m";
  case BRISTLE_ROLE_DAMPING:
  case BRISTLE_ROLE_VISCOUS:
    return "N*s/m";
  case BRISTLE_ROLE_STRIBECK_SPEED:
  case BRISTLE_ROLE_SMOOTHING_SPEED:
  case BRISTLE_ROLE_FADING_SPEED:
    return "m/s";
  case BRISTLE_ROLE_STRIBECK_FALL:
  case BRISTLE_ROLE_SMOOTHING_RISE:
    return "s/m";
  case BRISTLE_ROLE_LENGTH:
    return "m";
  case BRISTLE_ROLE_PER_LENGTH:
    return "1/m";
  case BRISTLE_ROLE_TIME:
    return "s";
  case BRISTLE_ROLE_RATE:
    return "1/s";
  case BRISTLE_ROLE_FORCE_RATE:
    return "N/s";
  case BRISTLE_ROLE_EXPONENT:
  case BRISTLE_ROLE_POWER:
  case BRISTLE_ROLE_SHARE:
  case BRISTLE_ROLE_RATIO:
  case BRISTLE_ROLE_CHOICE:
    return "1";
  default:
    return NULL;
  }
}

TEST(roles_of_every_parameter_agree_with_its_unit)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_info *info = bristle_law_at(i)->f64->info;
    for (int r = 0; r < info->param_rows; r++) {
      const bristle_row *row = &info->param[r];
      const char *unit = unit_of_role(row->role);
      CHECK(row->role != BRISTLE_ROLE_NONE, "%s: %s has no role", info->name, row->name);
      CHECK(!unit || !strcmp(unit, row->unit), "%s: %s in %s has a role in %s", info->name, row->name, row->unit, unit);
      CHECK((row->kind == BRISTLE_ROW_OPTION) == (row->role == BRISTLE_ROLE_CHOICE), "%s: %s", info->name, row->name);
      CHECK(bristle_param_at(info, row->first) == row, "%s: place of %s", info->name, row->name);
      CHECK(bristle_param_role(info, row->role)->role == row->role, "%s: role of %s", info->name, row->name);
    }
    for (int r = 0; r < info->state_rows; r++) CHECK(info->state[r].role == BRISTLE_ROLE_NONE, "%s", info->name);
  }
}

/* a set that breaks a relation of the table breaks a rule of the law, and names the parameter */
TEST(relations_of_the_tables_are_rules)
{
  int seen = 0;
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_info *info = bristle_law_at(i)->f64->info;
    for (int k = 0; k < info->relations; k++, seen++) {
      contact c = contact_of(info->name);
      const bristle_relation *relation = &info->relation[k];
      bristle_breach breach[4] = { 0 };
      double *a = &c.p[relation->a], b = c.p[relation->b], ratio = b / c.p[relation->c];
      CHECK(c.model->rules(c.p, breach, 4) == 0, "%s: the defaults", info->name);
      *a = relation->kind == BRISTLE_RELATION_BELOW_RATIO  ? 1.01 * ratio
           : relation->kind == BRISTLE_RELATION_SUM_IS_ONE ? *a + 0.5
                                                           : 0.99 * b;
      CHECK(c.model->rules(c.p, breach, 4) > 0, "%s: relation %d is no rule", info->name, k);
      CHECK(breach[0].param && !strcmp(breach[0].param, bristle_param_at(info, relation->a)->name), "%s", info->name);
    }
  }
  CHECK(seen > 20, "%d relations", seen);
}

/* people count from 1, and one parameter has one name everywhere */
TEST(elements_are_named_from_one)
{
  const bristle_law *law = NULL;
  const bristle_row *row = NULL;
  for (int i = 0; i < bristle_law_count() && !row; i++) {
    law = bristle_law_at(i);
    for (int k = 0; k < law->f64->info->param_rows && !row; k++)
      if (law->f64->info->param[k].count > 1) row = &law->f64->info->param[k];
  }
  CHECK(row != NULL, "no law has elements");
  if (!row) return;
  double p[BRISTLE_LAW_SIZE];
  char name[60], text[200];
  bristle_error error;
  bristle_defaults(law->f64->info, p);
  p[row->first] = -1e300;
  CHECK(bristle_check(law->f64, p, &error) != BRISTLE_STATUS_OK, "%s", law->name);
  bristle_error_text(&error, text, sizeof text);
  bristle_param_name(row, error.index, name, sizeof name);
  CHECK(strstr(name, "[1]") && strstr(text, name), "%s: %s", name, text);
}
