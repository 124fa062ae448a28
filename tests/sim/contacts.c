/* Parameters that a law refuses are refused by every rig, joint and patch that is made with them. */
#include "support/test.h"

#include "bristle/joint.h"
#include "bristle/planar.h"
#include "lab/sim.h"

#include <string.h>

static double p[BRISTLE_LAW_SIZE];

static void set(const bristle_info *law, const char *name, int element, double value)
{
  bristle_defaults(law, p);
  p[bristle_param_find(law, name)->first + element] = value;
}

static void refused(const bristle_rig *rig, const char *field)
{
  const bristle_sim_options options = { .end = 1 };
  bristle_sim_error error = { 0 };
  CHECK(bristle_sim_check(rig, &options, &error) == BRISTLE_SIM_BAD_INPUT, "rig %d accepted", (int)rig->kind);
  CHECK(!strcmp(error.field, field) || strstr(error.what, field), "rig %d: %s, %s", (int)rig->kind, error.field,
        error.what);
}

TEST(no_law_is_larger_than_the_limit)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_info *law = bristle_law_at(i)->f64->info;
    CHECK(law->nparam <= BRISTLE_LAW_SIZE && law->nstate <= BRISTLE_LAW_SIZE, "%s", law->name);
  }
  for (int i = 0; i < bristle_vector_law_count(); i++) {
    const bristle_info *law = bristle_vector_law_at(i)->f64[1]->info;
    CHECK(law->nparam <= BRISTLE_LAW_SIZE && law->nstate <= BRISTLE_LAW_SIZE, "%s", law->name);
  }
}

TEST(rigs_on_a_line_refuse_a_negative_stiffness)
{
  const bristle_law *law = bristle_law_find("lugre");
  const bristle_contact contact = { .law = law, .p = p };
  set(law->f64->info, "sigma0", 0, -5);
  const bristle_rig axis = { .kind = BRISTLE_RIG_AXIS, .as.axis = { .mass = 1, .contact = contact } };
  const bristle_rig driven = { .kind = BRISTLE_RIG_DRIVEN, .as.driven = { .contact = contact } };
  const bristle_rig chain = { .kind = BRISTLE_RIG_CHAIN, .as.chain = { .count = 2, .mass = 1, .contact = contact } };
  const bristle_arm_link link = { .mass = 1, .length = 1, .centre = 0.5, .inertia = 1, .contact = contact };
  const bristle_rig arm = { .kind = BRISTLE_RIG_ARM, .as.arm = { .count = 1, .link = &link } };
  const bristle_rig *const rigs[] = { &axis, &driven, &chain, &arm };
  for (int i = 0; i < 4; i++) refused(rigs[i], "sigma0");
}

TEST(rigs_in_space_refuse_levels_that_do_not_fit)
{
  const bristle_vector_law *law = bristle_vector_law_find("lugre_ellipse");
  const bristle_contact contact = { .vector = law, .load = BRISTLE_LOAD_COEFFICIENT, .p = p };
  const bristle_rig slider = {
    .kind = BRISTLE_RIG_SLIDER,
    .as.slider = { .mass = 1, .inertia = 1, .load = 1, .width = 1, .height = 1, .cells = 2, .contact = contact }
  };
  const bristle_rig ball = { .kind = BRISTLE_RIG_BALL,
                             .as.ball = { .mass = 1, .inertia = { 1, 1, 1 }, .radius = 1, .contact = contact } };
  set(law->f64[0]->info, "fs", 1, 0.1);
  refused(&slider, "fs");
  set(law->f64[1]->info, "fs", 2, 0.1);
  refused(&ball, "fs");
  bristle_error error;
  bristle_joint joint;
  bristle_joint_init(&joint, BRISTLE_JOINT_SPHERICAL);
  joint.ball_radius = 0.01;
  bristle_joint_use(&joint, "lugre_ellipse", p);
  CHECK(bristle_joint_check(&joint, &error) == BRISTLE_STATUS_RULE_BROKEN && !strcmp(error.field, "fs"), "joint");
  bristle_patch patch;
  double memory[1000];
  set(law->f64[0]->info, "fs", 0, 0.1);
  bristle_patch_place(&patch, &contact, memory, 4);
  CHECK(bristle_patch_rectangle(&patch, 2, 2, 1, 1, NULL, NULL, &error) != BRISTLE_STATUS_OK
            || bristle_patch_check(&patch, &error) == BRISTLE_STATUS_RULE_BROKEN,
        "patch");
}
