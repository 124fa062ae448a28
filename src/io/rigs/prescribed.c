/* A contact whose motion is prescribed. */
#include "io/recognise.h"
#include "io/scenario_inside.h"

static void read_rig(reader *r)
{
  bristle_driven *driven = &r->s->rig.as.driven;
  r->s->rig.kind = BRISTLE_RIG_DRIVEN;
  read_friction(r, 1, NULL);
  const bristle_node *motion = reader_need(r, r->root, "motion", "motion: {sine: {amplitude: 1 mm, frequency: 2 Hz}}");
  if (r->kind) return;
  read_motion(r, motion, &driven->motion, &driven->velocity);
  const bristle_table *table = r->s->motion;
  const bristle_node *file = bristle_node_find(motion, "file");
  if (table && !r->kind) {
    const bristle_column *load = read_usual_column(r, file, table, program_of_load.columns[0], ROLE_LOAD,
                                                   program_of_load.unit[0], BRISTLE_OPTIONAL);
    const bristle_column *x = driven->velocity ? read_usual_column(r, file, table, program_of_motion.columns[0],
                                                                   ROLE_POSITION, unit_length, BRISTLE_OPTIONAL)
                                               : NULL;
    if (load && !r->kind)
      driven->load = (bristle_program){ .count = table->rows, .t = r->s->motion_times, .y = load->data };
    if (x && !r->kind) driven->x = x->data[0];
  }
  if (!r->kind) read_program(r, bristle_node_find(r->root, "force"), &program_of_force, &driven->force);
  if (bristle_node_find(r->root, "load") && driven->load.count)
    reader_fail(r, bristle_node_find(r->root, "load"), "delete one of them", "the file has a column with the load too");
  read_load(r, &driven->load);
  read_axis_start(r, driven->velocity ? STARTS_X : 0, &driven->x, NULL, NULL, NULL, driven->z);
  driven->contact = reader_contact(r);
}

extern const scenario_rig rig_prescribed;
const scenario_rig rig_prescribed = {
  .name = "prescribed", .keys = "motion|load|force", .read = read_rig, .starts = 1
};
