/* Experiment files as measured runs that any identification can fit. */
#include "lab/rig.h"
#include "lab/trajectory.h"
#include "io/memory.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <stdlib.h>

typedef struct experiment_fit {
  bristle_motion motion;
  bristle_trajectory_file *file;
  memory *list;
} experiment_fit;

static bristle_fault_kind fit(void *self, const bristle_law *law, const bristle_identified *simple,
                              const bristle_identify_options *options, bristle_identified **result,
                              bristle_fault *fault)
{
  experiment_fit *e = self;
  (void)simple; /* the file says where to start */
  *result = NULL;
  bristle_fault_kind kind = bristle_trajectory_file_law(e->file, law, fault);
  if (!kind) kind = bristle_trajectory_fit(&e->file->trajectory, options, result, fault);
  return kind;
}

static int simulate(void *self, const bristle_identified *result, size_t run, double *y)
{
  experiment_fit *e = self;
  bristle_axis_values values;
  const size_t count = e->motion.run[run].count;
  const int two = e->motion.channels > 1, by_position = e->file->run[0].position != NULL;
  bristle_trajectory trajectory = e->file->trajectory;
  trajectory.law = result->law;
  bristle_trajectory_values(&trajectory, result, &values);
  return bristle_trajectory_simulate(&trajectory, &e->file->run[run], &values, by_position ? y : NULL,
                                     two           ? y + count
                                     : by_position ? NULL
                                                   : y);
}

static void release(void *self)
{
  experiment_fit *e = self;
  bristle_trajectory_file_free(e->file);
  memory_free(e->list);
  free(e);
}

static bristle_fault_kind take_runs(experiment_fit *e, bristle_fault *fault)
{
  bristle_motion *m = &e->motion;
  const bristle_run *run = e->file->run;
  const int by_position = run[0].position != NULL, rotary = m->rotary;
  m->channels = 1;
  for (size_t k = 0; k < m->count; k++)
    if (run[k].position && run[k].velocity) m->channels = 2;
  m->run = memory_take(&e->list, sizeof *m->run * m->count);
  for (size_t k = 0; k < m->count && m->run; k++) {
    bristle_motion_run *to = &m->run[k];
    double *measured = memory_take(&e->list, sizeof *measured * run[k].count * (size_t)m->channels);
    if (!measured) return fault_memory(fault);
    *to = (bristle_motion_run){ .name = run[k].name,
                                .held = k >= e->file->fitted,
                                .count = run[k].count,
                                .t = run[k].t,
                                .measured = measured,
                                .target = by_position ? run[k].target : NULL };
    for (int c = 0; c < m->channels; c++) {
      const double *y = c || !by_position ? run[k].velocity : run[k].position;
      for (size_t i = 0; i < run[k].count; i++) *measured++ = y ? y[i] : (double)NAN;
    }
  }
  for (int c = 0; c < m->channels; c++) {
    const int velocity = c || !by_position;
    m->noise[c] = 1;
    snprintf(m->channel[c], sizeof m->channel[c], "%s", velocity ? "v" : "x");
    snprintf(m->unit[c], sizeof m->unit[c], "%s%s", bristle_length_unit(rotary), velocity ? "/s" : "");
  }
  return m->run ? BRISTLE_FAULT_NONE : fault_memory(fault);
}

bristle_fault_kind bristle_rig_is_experiment(const char *path, int *is_experiment, bristle_fault *fault)
{
  bristle_document *document;
  if (bristle_document_read(path, &document, fault)) return fault->kind;
  const bristle_node *root = bristle_document_root(document);
  *is_experiment = !bristle_node_find(root, "rig")
                   && (bristle_node_find(root, "runs") || bristle_node_find(root, "unknown"));
  bristle_document_free(document);
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_experiment_open(const char *path, bristle_motion **motion, bristle_fault *fault)
{
  experiment_fit *e = calloc(1, sizeof *e);
  *motion = NULL;
  if (!e) return fault_memory(fault);
  bristle_fault_kind kind = bristle_trajectory_file_read(path, &e->file, fault);
  if (!kind) {
    const bristle_trajectory_file *file = e->file;
    e->motion = (bristle_motion){ .title = file->title,
                                  .law = file->trajectory.law,
                                  .rotary = file->trajectory.rotary,
                                  .count = file->fitted + file->held,
                                  .held = file->held,
                                  .self = e,
                                  .fit = fit,
                                  .simulate = simulate,
                                  .release = release };
    kind = take_runs(e, fault);
  }
  if (kind) release(e);
  else *motion = &e->motion;
  return kind;
}
