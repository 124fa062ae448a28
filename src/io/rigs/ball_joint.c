/* A pendulum in a ball joint. It uses metres throughout. */
#include "io/scenario_inside.h"

static const bristle_load per_unit_load = BRISTLE_LOAD_COEFFICIENT;
static const unit_pair kilogram = { "kg", "kg" }, metre = { "m", "m" }, newton = { "N", "N" },
                       radian = { "rad", "rad" }, turning = { "rad/s", "rad/s" },
                       moment_of_inertia = { "kg*m^2", "kg*m^2" }, torque_unit = { "N*m", "N*m" };

/* one number for all axes, or [across, across, along] the arm */
static void read_inertia(reader *r, bristle_ball *ball)
{
  const bristle_node *node = reader_need(r, r->root, "inertia", "inertia: [0.02, 0.02, 0.001] kg*m^2 about the joint");
  if (r->kind) return;
  if (node->kind == BRISTLE_NODE_LIST) {
    read_numbers(r, node, moment_of_inertia, POSITIVE, 3, ball->inertia);
    return;
  }
  read_value(r, node, moment_of_inertia, POSITIVE, &ball->inertia[0]);
  ball->inertia[1] = ball->inertia[2] = ball->inertia[0];
}

static void read_rig(reader *r)
{
  static const unit_pair acceleration = { "m/s^2", "m/s^2" };
  bristle_ball *ball = &r->s->rig.as.ball;
  r->s->rig.kind = BRISTLE_RIG_BALL;
  reader_is_linear(r);
  ball->gravity = 9.81;
  read_number(r, r->root, "mass", kilogram, NEEDED | POSITIVE, &ball->mass);
  read_friction(r, 3, &per_unit_load);
  read_number(r, r->root, "arm", metre, NEEDED | NOT_NEGATIVE, &ball->arm);
  read_inertia(r, ball);
  read_number(r, r->root, "gravity", acceleration, NOT_NEGATIVE, &ball->gravity);
  read_number(r, r->root, "radius", metre, NEEDED | POSITIVE, &ball->radius);
  read_number(r, r->root, "preload", torque_unit, NOT_NEGATIVE, &ball->preload);
  read_number(r, r->root, "load", newton, NOT_NEGATIVE, &ball->load);
  read_number(r, r->root, "mu_s", unit_plain, POSITIVE, &ball->mu_s);
  ball->sum = !read_choice(r, r->root, "combine", "sum|max", 0);
  const bristle_node *map = r->kind ? NULL : bristle_node_find(r->root, "initial"), *w = NULL;
  if (map) {
    reader_allow(r, map, "tilt|azimuth|w");
    read_number(r, map, "tilt", radian, ANY, &ball->tilt);
    read_number(r, map, "azimuth", radian, ANY, &ball->azimuth);
    w = r->kind ? NULL : bristle_node_find(map, "w");
  }
  if (w) read_numbers(r, w, turning, ANY, 3, ball->w);
  ball->contact = bristle_friction_contact(&r->s->friction);
}

extern const scenario_rig rig_ball_joint;
const scenario_rig rig_ball_joint = { .name = "ball-joint",
                                      .keys = "mass|arm|inertia|gravity|radius|preload|load|combine|mu_s",
                                      .read = read_rig,
                                      .starts = 1 };
