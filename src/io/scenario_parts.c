/* What the rigs share: friction, load and initial values. */
#include "io/scenario_inside.h"

#include "bristle/text.h"

static void read_block(reader *r, const bristle_node *block, const bristle_friction_wanted *wanted)
{
  r->kind = bristle_friction_read(block, wanted, &r->s->friction, r->fault);
  reader_explain_unit(r);
  const bristle_node *file = bristle_node_find(block, "file");
  if (r->kind != BRISTLE_FAULT_FILE || !file || !r->fault) return;
  const bristle_fault inner = *r->fault; /* the place that names the file is what can be mended */
  bristle_node_fault(file, r->fault, inner.hint, "%.200s: %.150s", inner.file, inner.what);
  r->fault->kind = r->kind;
}

void read_friction(reader *r, int dim, const bristle_load *load)
{
  const bristle_friction_wanted wanted = { dim, r->rotary, load };
  const bristle_node *block = reader_need(r, r->root, "friction", "friction: {model: NAME, parameters: {...}}");
  if (r->kind) return;
  read_block(r, block, &wanted);
  if (r->kind) return;
  const bristle_friction *f = &r->s->friction;
  if (f->info->nstate > BRISTLE_LAW_SIZE)
    reader_fail(r, block, NULL, "the law has more than %d states", BRISTLE_LAW_SIZE);
  if (load && f->load != *load)
    reader_fail(r, block, "give friction coefficients, with load: coefficient or without `load`",
                "found the load form '%s', expected '%s' for this rig", bristle_load_text(f->load),
                bristle_load_text(*load));
  if (f->rotary == 1 && r->rotary == BRISTLE_LINEAR_OR_ROTARY) r->rotary = 1, r->decided = block;
}

/* A later value may have made the rig rotary: the parameters must then be plain or rotary too. The other way round,
   rotary parameters have decided at once. */
static void agree_on_rotary(reader *r)
{
  const bristle_node *block = bristle_node_find(r->root, "friction");
  if (r->kind || r->rotary != 1 || r->s->friction.rotary) return;
  const bristle_friction_wanted wanted = { r->s->friction.law ? 1 : 0, 1, &r->s->friction.load };
  read_block(r, block, &wanted);
}

void read_load(reader *r, bristle_program *load)
{
  const bristle_node *node = r->kind ? NULL : bristle_node_find(r->root, "load");
  if (node) read_program(r, node, &program_of_load, load);
  else if (!r->kind && r->s->friction.load != BRISTLE_LOAD_FORCE && !load->count)
    reader_fail(r, r->root, "write load: 100 N",
                "the key 'load' is missing: the friction has the load form '%s' and grows with the normal load",
                bristle_load_text(r->s->friction.load));
}

/* ---- initial values ---- */

static const bristle_row *state_row(const bristle_info *info, const char *name)
{
  for (int i = 0; i < info->state_rows; i++)
    if (!strcmp(info->state[i].name, name)) return &info->state[i];
  return NULL;
}

static void read_state(reader *r, const bristle_node *node, const bristle_row *row, double *z)
{
  char linear[48], rotary[48];
  int place = 0;
  bristle_unit(row, r->s->friction.load, 0, linear, sizeof linear);
  bristle_unit(row, r->s->friction.load, 1, rotary, sizeof rotary);
  const unit_pair unit = { linear, rotary };
  if (row->count == 1) {
    read_value(r, node, unit, ANY, &z[row->first]);
    return;
  }
  if (!r->kind) r->kind = bristle_node_expect(node, BRISTLE_NODE_LIST, r->fault);
  if (!r->kind && node->count > (size_t)row->count)
    reader_fail(r, node, NULL, "found %zu values, expected at most %d", node->count, row->count);
  for (const bristle_node *n = r->kind ? NULL : node->child; n; n = n->next)
    read_value(r, n, unit, ANY, &z[row->first + place++]);
}

void read_axis_start(reader *r, int parts, double *x, double *v, double *integral, double *observer_z, double *z)
{
  static const unit_pair integral_unit = { "m*s", "rad*s" };
  const bristle_node *map = r->kind ? NULL : bristle_node_find(r->root, "initial");
  const bristle_info *info = r->s->friction.info;
  const char *const position = parts & ANGLE_IS_Q ? "q" : "x";
  char keys[600];
  agree_on_rotary(r);
  if (r->kind || !map) return;
  size_t used = (size_t)snprintf(keys, sizeof keys, "%s|v%s%s", position, parts & HAS_INTEGRAL ? "|integral" : "",
                                 parts & HAS_OBSERVER ? "|observer_z" : "");
  for (int i = 0; i < info->state_rows && used < sizeof keys; i++)
    used = text_append(keys, sizeof keys, used, "|%s", info->state[i].name);
  reader_allow(r, map, keys);
  for (const bristle_node *n = r->kind ? NULL : map->child; n; n = n->next) {
    const bristle_row *row = state_row(info, n->key);
    const int is_x = !strcmp(n->key, position), is_v = !strcmp(n->key, "v");
    if ((is_x && !(parts & STARTS_X)) || (is_v && !(parts & STARTS_V)))
      reader_fail(r, n, "delete it", "the motion is prescribed and gives this value already");
    else if (is_x) read_value(r, n, unit_length, ANY, x);
    else if (is_v) read_value(r, n, unit_speed, ANY, v);
    else if (row) read_state(r, n, row, z);
    else if (!strcmp(n->key, "integral")) read_value(r, n, integral_unit, ANY, integral);
    else read_value(r, n, unit_length, ANY, observer_z);
  }
  agree_on_rotary(r);
}
