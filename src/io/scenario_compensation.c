/* compensation: a controller in a computer, with a model of the friction that need not be true. */
#include "io/scenario_inside.h"
#include "sim/sampled.h"

static void read_model(reader *r, const bristle_node *map, sampled_model *model)
{
  const bristle_node *block = bristle_node_find(map, "friction");
  const bristle_friction *contact = &r->s->friction;
  bristle_friction own;
  if (block && !r->kind) {
    const bristle_friction_wanted wanted = { .dim = 1, .rotary = contact->rotary };
    r->kind = bristle_friction_read(block, &wanted, &own, r->fault);
    contact = &own;
  }
  if (r->kind) return;
  model->law = contact->law;
  model->load = contact->load;
  memcpy(model->p, contact->p, sizeof model->p);
  sampled_defaults(model);
}

/* the rig has been read; it becomes one that is looked at in samples */
void read_compensation(reader *r)
{
  const bristle_node *map = bristle_node_find(r->root, "compensation"), *other;
  if (!map || r->kind) return;
  reader_allow(r, map, "sample_time|mass|friction|gain|limit|band|rest_speed|fade_time|rise_time");
  if ((other = bristle_node_find(r->root, "observer")))
    reader_fail(r, other, "give one of them", "found 'observer' beside 'compensation'");
  sampled_axis *s = reader_take(r, sizeof *s);
  if (!s || r->kind) return;
  s->axis = r->s->rig.as.axis;
  read_model(r, map, &s->model);
  read_number(r, map, "sample_time", unit_time, NEEDED | POSITIVE, &s->sample);
  read_number(r, map, "mass", unit_mass, NOT_NEGATIVE, &s->mass);
  read_number(r, map, "gain", unit_plain, NOT_NEGATIVE, &s->model.gain);
  read_number(r, map, "limit", unit_force, POSITIVE, &s->model.limit);
  read_number(r, map, "band", unit_speed, NOT_NEGATIVE, &s->model.band);
  read_number(r, map, "rest_speed", unit_speed, NOT_NEGATIVE, &s->model.rest_speed);
  read_number(r, map, "fade_time", unit_time, POSITIVE, &s->model.fade_time);
  read_number(r, map, "rise_time", unit_time, NOT_NEGATIVE, &s->model.rise_time);
  if (r->kind) return;
  r->s->rig.kind = (bristle_rig_kind)SAMPLED_RIG;
  r->s->rig.driver = &sim_sampled;
  r->s->rig.as.self = s;
}
