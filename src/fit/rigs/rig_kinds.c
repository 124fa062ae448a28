/* What a fit must know of each kind of rig: all that it asks for kinds is here. */
#include "fit/rigs/rig.h"

#include "maths/elementary.h"

#include <string.h>

const rig_facts *rig_facts_of(const bristle_rig *rig)
{
  static const rig_facts facts[] = {
    [BRISTLE_RIG_AXIS] = { .dimension = 1, .is_line = 1, .has_start = 1, .compared = { "x", "v", "F" } },
    [BRISTLE_RIG_DRIVEN] = { .dimension = 1, .is_line = 1, .compared = { "F", "F", "F" } },
    [BRISTLE_RIG_CHAIN] = { .dimension = 1, .compared = { "x1|x2|x3|x4|x5|x6|x7|x8", "x", "v" } },
    [BRISTLE_RIG_SLIDER] = { .dimension = 2, .compared = { "x|y|angle", "vx|vy|omega", "Fx|Fy|torque" } },
    [BRISTLE_RIG_BALL] = { .dimension = 3, .compared = { "ux|uy|uz", "tilt", "wx|wy|wz" } },
  };
  if (rig->driver || (size_t)rig->kind >= sizeof facts / sizeof *facts) return NULL;
  return &facts[rig->kind];
}

bristle_contact *rig_contact(bristle_rig *rig)
{
  return rig->kind == BRISTLE_RIG_AXIS     ? &rig->as.axis.contact
         : rig->kind == BRISTLE_RIG_DRIVEN ? &rig->as.driven.contact
         : rig->kind == BRISTLE_RIG_CHAIN  ? &rig->as.chain.contact
         : rig->kind == BRISTLE_RIG_SLIDER ? &rig->as.slider.contact
                                           : &rig->as.ball.contact;
}

void rig_forget(bristle_rig *rig)
{
  if (rig->kind == BRISTLE_RIG_AXIS) memset(rig->as.axis.z, 0, sizeof rig->as.axis.z);
  if (rig->kind == BRISTLE_RIG_DRIVEN) memset(rig->as.driven.z, 0, sizeof rig->as.driven.z);
}

double rig_load(const bristle_rig *rig)
{
  const bristle_program *program = rig->kind == BRISTLE_RIG_AXIS     ? &rig->as.axis.load
                                   : rig->kind == BRISTLE_RIG_DRIVEN ? &rig->as.driven.load
                                                                     : NULL;
  double load = rig->kind == BRISTLE_RIG_CHAIN    ? rig->as.chain.load
                : rig->kind == BRISTLE_RIG_SLIDER ? rig->as.slider.load
                : rig->kind == BRISTLE_RIG_BALL   ? rig->as.ball.load + rig->as.ball.mass * rig->as.ball.gravity
                                                  : program->offset;
  for (size_t i = 0; program && program->kind == BRISTLE_PROGRAM_KNOTS && i < program->count; i++)
    load += fabs(program->y[i]) / (double)program->count;
  return load > 0 ? load : 1;
}
