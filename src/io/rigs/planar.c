/* A body that slides and turns on a plane. It uses metres throughout. */
#include "io/scenario_inside.h"

static const bristle_load per_unit_load = BRISTLE_LOAD_COEFFICIENT;
static const unit_pair kilogram = { "kg", "kg" }, metre = { "m", "m" }, newton = { "N", "N" },
                       radian = { "rad", "rad" }, turning = { "rad/s", "rad/s" },
                       moment_of_inertia = { "kg*m^2", "kg*m^2" };

static void read_shape(reader *r, bristle_slider *slider)
{
  const bristle_node *map = reader_need(r, r->root, "shape", "shape: {disk: {radius: 0.1 m}}");
  if (!r->kind) reader_allow(r, map, "rectangle|disk|ring");
  if (!r->kind && map->count != 1)
    reader_fail(r, map, "write shape: {disk: {radius: 0.1 m}}", "found %zu shapes, expected one", map->count);
  if (r->kind) return;
  const bristle_node *shape = map->child;
  slider->ring = strcmp(shape->key, "rectangle") != 0;
  if (!slider->ring) {
    reader_allow(r, shape, "width|height");
    read_number(r, shape, "width", metre, NEEDED | POSITIVE, &slider->width);
    read_number(r, shape, "height", metre, NEEDED | POSITIVE, &slider->height);
  } else if (!strcmp(shape->key, "disk")) {
    reader_allow(r, shape, "radius");
    read_number(r, shape, "radius", metre, NEEDED | POSITIVE, &slider->outer);
  } else {
    reader_allow(r, shape, "inner|outer");
    read_number(r, shape, "inner", metre, NEEDED | NOT_NEGATIVE, &slider->inner);
    read_number(r, shape, "outer", metre, NEEDED | POSITIVE, &slider->outer);
    if (slider->outer <= slider->inner) reader_fail(r, shape, NULL, "found 'outer' not larger than 'inner'");
  }
}

/* moment of inertia of a plate of this shape */
static double plate(const bristle_slider *s)
{
  if (s->ring) return s->mass * (s->inner * s->inner + s->outer * s->outer) / 2;
  return s->mass * (s->width * s->width + s->height * s->height) / 12;
}

/* {x: ..., y: ...} or [x, y] */
static void read_anchor(reader *r, bristle_slider *slider)
{
  const bristle_node *node = r->kind ? NULL : bristle_node_find(r->root, "anchor");
  if (!node) return;
  if (node->kind == BRISTLE_NODE_LIST) {
    double at[2] = { 0, 0 };
    read_numbers(r, node, metre, ANY, 2, at);
    for (int i = 0; i < 2; i++) slider->anchor[i].offset = at[i];
    return;
  }
  reader_allow(r, node, "x|y");
  if (r->kind) return;
  read_program(r, bristle_node_find(node, "x"), &program_of_target, &slider->anchor[0]);
  read_program(r, bristle_node_find(node, "y"), &program_of_target, &slider->anchor[1]);
}

static void read_slider_start(reader *r, bristle_slider *slider)
{
  static const char *const names[6] = { "x", "y", "angle", "vx", "vy", "omega" };
  const bristle_node *map = r->kind ? NULL : bristle_node_find(r->root, "initial");
  if (!map) return;
  reader_allow(r, map, "x|y|angle|vx|vy|omega");
  for (int i = 0; i < 6; i++)
    read_number(r, map, names[i],
                i == 2   ? radian
                : i == 5 ? turning
                : i < 3  ? metre
                         : unit_speed,
                ANY, i < 3 ? &slider->x[i] : &slider->v[i - 3]);
}

static void read_rig(reader *r)
{
  enum { MOST_ACROSS = 2000 };
  bristle_slider *slider = &r->s->rig.as.slider;
  double cells = 16;
  r->s->rig.kind = BRISTLE_RIG_SLIDER;
  reader_is_linear(r);
  read_number(r, r->root, "mass", kilogram, NEEDED | POSITIVE, &slider->mass);
  read_friction(r, 2, &per_unit_load);
  read_number(r, r->root, "load", newton, NEEDED | POSITIVE, &slider->load);
  read_shape(r, slider);
  slider->inertia = plate(slider);
  read_number(r, r->root, "inertia", moment_of_inertia, POSITIVE, &slider->inertia);
  const bristle_node *node = read_number(r, r->root, "cells", unit_plain, POSITIVE | WHOLE, &cells);
  if (cells > MOST_ACROSS)
    reader_fail(r, node, NULL, "found %.0f cells across, expected at most %d", cells, MOST_ACROSS);
  slider->cells = r->kind ? 1 : (int)cells;
  slider->reduced = read_choice(r, r->root, "reduced", "false|true", 0);
  read_number(r, r->root, "stiffness", unit_stiffness, NOT_NEGATIVE, &slider->stiffness);
  read_anchor(r, slider);
  const bristle_node *force = r->kind ? NULL : bristle_node_find(r->root, "force");
  if (force) {
    reader_allow(r, force, "x|y|torque");
    if (r->kind) return;
    read_program(r, bristle_node_find(force, "x"), &program_of_force, &slider->force[0]);
    read_program(r, bristle_node_find(force, "y"), &program_of_force, &slider->force[1]);
    read_program(r, bristle_node_find(force, "torque"), &program_of_torque, &slider->force[2]);
  }
  read_slider_start(r, slider);
  slider->contact = bristle_friction_contact(&r->s->friction);
}

extern const scenario_rig rig_planar;
const scenario_rig rig_planar = { .name = "planar",
                                  .keys = "mass|inertia|load|shape|cells|reduced|stiffness|anchor|force",
                                  .read = read_rig,
                                  .starts = 1 };
