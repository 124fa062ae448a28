/* A ball in a socket, which touches it in a point or all round. */
#include "joint/inside.h"

static void geometry(const bristle_joint *j, const bristle_joint_loads *loads, double x, bristle_joint_map *map)
{
  (void)x;
  for (int i = 0; i < 3; i++) map->lever[i] = j->ball_radius;
  if (!loads || !(j->inputs & BRISTLE_JOINT_INPUT_REACTION)) return;
  map->load = norm3(loads->force);
  if (!(map->load > 0) || j->socket == BRISTLE_JOINT_SOCKET_FULL) return;
  for (int i = 0; i < 3; i++) map->normal[i] = loads->force[i] / map->load;
}

extern const joint_kind joint_spherical;
const joint_kind joint_spherical = {
  "spherical",         3, 0, BRISTLE_JOINT_INPUT_PRELOAD | BRISTLE_JOINT_INPUT_REACTION, geometry, NEEDS_BALL,
  "ball_radius|socket"
};
