/* Blocks in a row, each rubbing, coupled by springs and pulled by a plate. */
#include "io/scenario_inside.h"

#include <limits.h>

static void read_rig(reader *r)
{
  enum { MOST = 100000000 };
  bristle_chain *chain = &r->s->rig.as.chain;
  double count = 0, seed = 0;
  r->s->rig.kind = BRISTLE_RIG_CHAIN;
  reader_is_linear(r);
  const bristle_node *node = read_number(r, r->root, "count", unit_plain, NEEDED | POSITIVE | WHOLE, &count);
  if (count > MOST) reader_fail(r, node, NULL, "found %.0f blocks, expected at most %d", count, MOST);
  chain->count = r->kind ? 0 : (size_t)count;
  read_number(r, r->root, "mass", unit_mass, NEEDED | POSITIVE, &chain->mass);
  read_friction(r, 1, NULL);
  read_number(r, r->root, "coupling", unit_stiffness, NEEDED | NOT_NEGATIVE, &chain->coupling);
  read_number(r, r->root, "stiffness", unit_stiffness, NEEDED | NOT_NEGATIVE, &chain->stiffness);
  read_number(r, r->root, "damping", unit_damping, NOT_NEGATIVE, &chain->damping);
  read_number(r, r->root, "speed", unit_speed, NEEDED, &chain->speed);
  read_number(r, r->root, "scatter", unit_length, NOT_NEGATIVE, &chain->scatter);
  node = read_number(r, r->root, "seed", unit_plain, NOT_NEGATIVE | WHOLE, &seed);
  if (seed > UINT_MAX) reader_fail(r, node, NULL, "found %.0f, expected at most %u", seed, UINT_MAX);
  chain->seed = r->kind ? 0 : (unsigned)seed;
  bristle_program load = { .count = 0 };
  read_load(r, &load);
  if (load.count)
    reader_fail(r, bristle_node_find(r->root, "load"), NULL, "expected a number: every block has this load");
  chain->load = load.offset;
  chain->contact = reader_contact(r);
}

extern const scenario_rig rig_chain;
const scenario_rig rig_chain = { .name = "chain",
                                 .keys = "count|mass|coupling|stiffness|damping|speed|scatter|seed|load",
                                 .read = read_rig };
