/* Scenarios fitted to measured runs: what `bristle simulate` runs, with unknowns in it. */
#include "io/support.h"
#include "fit/rigs/rig.h"

#include "maths/elementary.h"

#include <stdlib.h>

/* Each simulation costs milliseconds: fewer candidates than for the axis with derivatives. */
enum { CANDIDATES = 40, TASTES = 4, FINALS = 2 };

/* a law on its way through the engine */
typedef struct rig_source {
  const rig_fit *r;
  const bristle_law *law;
} rig_source;

static int simulate_source(void *self, size_t run, size_t until, const double *p, const double *b, int coarse,
                           double *y)
{
  const rig_source *s = self;
  return rig_simulate(s->r, run, until, s->law, p, b, coarse, y);
}

static bristle_fault_kind check_law(const rig_fit *r, const bristle_law *law, bristle_fault *fault)
{
  const int dimension = rig_facts_of(&r->scenario->rig)->dimension;
  const bristle_vector_law *vector = bristle_vector_law_find(law->name);
  if (dimension == 1) return BRISTLE_FAULT_NONE;
  if (vector && vector->f64[dimension - 2]->info->nparam == law->f64->info->nparam) return BRISTLE_FAULT_NONE;
  return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "the law %s has no vector form, which the rig %s needs", law->name,
                   r->scenario->rig_name);
}

/* those that the law has */
static void add_parameters(const rig_fit *r, const bristle_law *law, bristle_identify_options *o, bristle_range *range)
{
  int at = 0;
  while (at < BRISTLE_IDENTIFY_NAMES - 1 && o->free[at]) at++;
  for (int k = 0; k < r->parameters; k++) {
    if (!bristle_param_find(law->f64->info, r->parameter[k].name)) continue;
    if (!isnan(r->parameter[k].lo)) range[o->ranges++] = r->parameter[k];
    else if (at < BRISTLE_IDENTIFY_NAMES - 1) o->free[at++] = r->parameter[k].name;
  }
  o->range = range;
}

/* parameters that the caller holds or frees are those of the scenario's law where nothing else is said */
static bristle_fault_kind fit(void *self, const bristle_law *law, const bristle_identified *simple,
                              const bristle_identify_options *options, bristle_identified **result,
                              bristle_fault *fault)
{
  rig_fit *r = self;
  rig_source own = { r, law };
  bristle_identify_options o = *options;
  bristle_range range[RIG_KEYS];
  features f;
  const double shortest = r->t[0][r->samples[0] - 1] / 8;
  const replay_effort effort = { CANDIDATES, TASTES, FINALS, simple ? 0 : shortest };
  *result = NULL;
  bristle_fault_kind kind = check_law(r, law, fault);
  if (!kind) kind = rig_features(r, &f, fault);
  if (kind) return kind;
  replay_source source = { .self = &own,
                           .law = law,
                           .load = r->scenario->friction.load,
                           .rotary = r->motion.rotary,
                           .runs = r->motion.count - r->motion.held,
                           .channels = r->motion.channels,
                           .samples = r->samples,
                           .t = r->t,
                           .measured = r->measured,
                           .noise = r->noise,
                           .measured_noise = r->measured_noise,
                           .size = r->size,
                           .numbers = r->numbers,
                           .number = r->number,
                           .simulate = simulate_source };
  snprintf(source.unit, sizeof source.unit, "%.7s", r->motion.unit[0]);
  add_parameters(r, law, &o, range);
  if (law == r->scenario->friction.law) o.base = r->scenario->friction.p;
  return replay_fit(&source, &f, &o, &effort, simple, result, fault);
}

static int simulate(void *self, const bristle_identified *result, size_t run, double *y)
{
  const rig_fit *r = self;
  return rig_simulate(r, run, r->samples[run], result->law, result->p, result->beside, 0, y);
}

static void release(void *self)
{
  rig_fit *r = self;
  bristle_scenario_free(r->scenario);
  for (size_t k = 0; r->run && k < r->request->logs; k++) bristle_table_free(r->run[k].table);
  bristle_document_free(r->document);
  memory_free(r->list);
  free(r);
}

/* the start is the scenario's where it has one */
static void find_given_start(rig_fit *r)
{
  const bristle_node *initial = bristle_node_find(bristle_document_root(r->document), "initial");
  for (int i = 0; i < 2; i++)
    r->start_is_given[i] = initial && initial->kind == BRISTLE_NODE_MAP && bristle_node_find(initial, i ? "v" : "x");
}

bristle_fault_kind bristle_rig_open(const bristle_rig_request *request, bristle_motion **motion, bristle_fault *fault)
{
  rig_fit *r = calloc(1, sizeof *r);
  *motion = NULL;
  if (!r) return fault_memory(fault);
  r->motion = (bristle_motion){ .self = r, .fit = fit, .simulate = simulate, .release = release };
  bristle_fault_kind kind = rig_keep_request(r, request, fault);
  if (!kind && request->logs <= request->held)
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "give the file of a measured run", "there is no log to fit");
  if (!kind) kind = bristle_document_read(request->scenario, &r->document, fault);
  if (!kind) find_given_start(r);
  if (!kind) kind = rig_read_logs(r, fault);
  if (!kind && !r->scenario->friction.law)
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "the law %s has no scalar form to be identified in",
                     r->scenario->friction.info->name);
  if (!kind) kind = rig_find_keys(r, fault);
  if (kind) release(r);
  else *motion = &r->motion;
  return kind;
}

/* ---- any motion ---- */

bristle_fault_kind bristle_motion_errors(const bristle_motion *m, const bristle_identified *result,
                                         bristle_motion_error *error, bristle_fault *fault)
{
  for (size_t k = 0; k < m->count; k++) {
    const bristle_motion_run *run = &m->run[k];
    bristle_motion_error *e = &error[k];
    double *y = malloc(sizeof *y * run->count * (size_t)m->channels), count = 0;
    if (!y) return fault_memory(fault);
    *e = (bristle_motion_error){ 0 };
    const int failed = m->simulate(m->self, result, k, y);
    for (size_t i = 0; i < run->count && !failed; i++) {
      const double difference = fabs(y[i] - run->measured[i]);
      if (!isfinite(difference)) continue;
      e->mean += difference, e->rms += difference * difference, count++;
      e->largest = fmax(e->largest, difference);
    }
    if (failed) e->mean = e->rms = e->largest = HUGE_VAL;
    else if (count > 0) e->mean /= count, e->rms = sqrt(e->rms / count);
    free(y);
  }
  return BRISTLE_FAULT_NONE;
}

void bristle_motion_check(const bristle_motion *m, bristle_identified *result)
{
  double squares = 0, motion = 0;
  for (size_t k = m->count - m->held; k < m->count; k++) {
    const bristle_motion_run *run = &m->run[k];
    double *y = malloc(sizeof *y * run->count * (size_t)m->channels);
    if (!y || m->simulate(m->self, result, k, y)) motion = squares = HUGE_VAL;
    for (int c = 0; c < m->channels && isfinite(motion); c++) {
      const double *measured = run->measured + (size_t)c * run->count;
      const double size = replay_size(&measured, &run->count, 1, 0) / m->noise[c];
      for (size_t i = 0; i < run->count; i++) {
        const double error = (y[(size_t)c * run->count + i] - measured[i]) / m->noise[c];
        if (isfinite(error)) squares += error * error, motion += size * size;
      }
    }
    free(y);
  }
  if (motion > 0) result->validation = isfinite(motion) ? sqrt(squares / motion) : HUGE_VAL;
}

void bristle_motion_free(bristle_motion *motion)
{
  if (motion) motion->release(motion->self);
}
