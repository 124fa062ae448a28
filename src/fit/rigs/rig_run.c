/* Simulations of a scenario with the numbers of a fit in it. */
#include "fit/rigs/rig.h"

#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

/* tolerances of simulations that are looked at, and of those that are fitted; many bodies are slow */
static const double COARSE = 1e-5, FINE = 1e-9, FINE_BODIES = 1e-7;
/* steps for each compared sample before a set of numbers is given up */
enum { MOST_STEPS = 2000 };

static bristle_fault_kind put_key(bristle_tree *tree, const rig_key *key, double value, bristle_fault *fault)
{
  char text[BRISTLE_NUMBER_SIZE + 40], number[BRISTLE_NUMBER_SIZE], place[80];
  bristle_number_write(value, number);
  snprintf(text, sizeof text, "%s%s%s", number, key->unit[0] ? " " : "", key->unit);
  snprintf(place, sizeof place, "option free %s", key->name);
  return bristle_tree_put(tree, key->name, text, place, fault);
}

/* a run that the scenario gives no start for starts where it was measured, or where the fit says */
static void set_start(const rig_fit *r, size_t k, const double *b, bristle_axis *axis)
{
  if (!r->start_is_given[0] && isfinite(r->run[k].x)) axis->x = r->run[k].x;
  if (!r->start_is_given[1] && isfinite(r->run[k].v)) axis->v = r->run[k].v;
  for (int j = r->keys; j + 1 < r->numbers && b; j += 2)
    if (r->number[j].run == (int)k + 1) axis->x = b[j], axis->v = b[j + 1];
}

bristle_fault_kind rig_scenario(const rig_fit *r, size_t run, const double *b, bristle_scenario **scenario,
                                bristle_fault *fault)
{
  bristle_tree *tree = NULL;
  *scenario = NULL;
  bristle_fault_kind kind = bristle_tree_new(r->document, &tree, fault);
  for (int i = 0; r->request->set && r->request->set[i] && !kind; i++)
    kind = bristle_tree_set(tree, NULL, r->request->set[i], fault);
  for (int k = 0; k < r->keys && b && !kind; k++) kind = put_key(tree, &r->key[k], b[k], fault);
  if (!kind) kind = bristle_scenario_read_with(bristle_tree_root(tree), &r->run[run].log, r->scenario, scenario, fault);
  bristle_tree_free(tree);
  const rig_facts *facts = kind ? NULL : rig_facts_of(&(*scenario)->rig);
  if (facts && facts->has_start) set_start(r, run, b, &(*scenario)->rig.as.axis);
  return kind;
}

static void set_contact(const rig_fit *r, bristle_rig *rig, const bristle_law *law, const double *p)
{
  bristle_contact *contact = rig_contact(rig);
  const int other = law != r->scenario->friction.law;
  contact->p = p;
  if (!other) return;
  contact->law = law;
  contact->vector = bristle_vector_law_find(law->name);
  rig_forget(rig);
}

typedef struct channel_sink {
  const rig_fit *r;
  size_t until, at;
  double *y;
} channel_sink;

static int take_row(void *context, const double *values)
{
  channel_sink *s = context;
  if (s->at == s->until) return 1;
  for (int c = 0; c < s->r->motion.channels; c++) s->y[(size_t)c * s->until + s->at] = values[s->r->column[c]];
  s->at++;
  return 0;
}

int rig_simulate(const rig_fit *r, size_t run, size_t until, const bristle_law *law, const double *p, const double *b,
                 int coarse, double *y)
{
  bristle_scenario *scenario;
  bristle_fault ignored;
  channel_sink sink = { r, until, 0, y };
  if (rig_scenario(r, run, b, &scenario, &ignored)) return 1;
  bristle_sim_options o = scenario->options;
  set_contact(r, &scenario->rig, law, p);
  o.times = r->t[run], o.time_count = until;
  o.end = r->t[run][until - 1];
  if (o.method == BRISTLE_METHOD_CVODE) o.method = BRISTLE_METHOD_AUTO;
  if (coarse) o.rtol = fmax(o.rtol, COARSE);
  else if (!(o.rtol > 0)) o.rtol = rig_facts_of(&scenario->rig)->is_line ? FINE : FINE_BODIES;
  o.no_ledger = 1;
  o.most_steps = MOST_STEPS * until;
  const bristle_sim_status status = bristle_simulate(&scenario->rig, &o, &(bristle_sim_sink){ &sink, .row = take_row },
                                                     NULL, NULL);
  bristle_scenario_free(scenario);
  return status || sink.at < until;
}

/* ---- features ---- */

static double by_role(const rig_fit *r, bristle_role role, double otherwise)
{
  const bristle_friction *f = &r->scenario->friction;
  const bristle_row *row = bristle_param_role(f->info, role);
  return row && f->p[row->first] > 0 ? f->p[row->first] : otherwise;
}

/* the speeds of the simulated start, of the column that is one */
typedef struct speed_sink {
  int column;
  double fast;
} speed_sink;

static int take_speed(void *context, const double *values)
{
  speed_sink *s = context;
  if (s->column >= 0) s->fast = fmax(s->fast, fabs(values[s->column]));
  return 0;
}

static double speed_of(const rig_fit *r)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const int width = bristle_sim_columns(&r->scenario->rig, columns);
  const char *const units[2] = { "m/s", "rad/s" };
  speed_sink s = { -1, 0 };
  for (int i = width - 1; i > 0; i--)
    if (!strcmp(columns[i].unit, units[0]) || !strcmp(columns[i].unit, units[1])) s.column = i;
  bristle_sim_options o = r->scenario->options;
  o.rtol = COARSE, o.no_ledger = 1, o.most_steps = MOST_STEPS * r->samples[0];
  bristle_simulate(&r->scenario->rig, &o, &(bristle_sim_sink){ &s, .row = take_speed }, NULL, NULL);
  /* and what was measured, where the simulated start does not move */
  for (int c = 0; c < r->motion.channels; c++) {
    const int is_speed = strstr(r->motion.unit[c], "/s") != NULL;
    const int is_way = !strcmp(r->motion.unit[c], "m") || !strcmp(r->motion.unit[c], "rad");
    const double *y = r->measured[0] + (size_t)c * r->samples[0], *t = r->t[0];
    for (size_t i = 8; i < r->samples[0]; i++) {
      const double v = is_speed ? y[i] : is_way ? (y[i] - y[i - 8]) / (t[i] - t[i - 8]) : 0;
      if (isfinite(v)) s.fast = fmax(s.fast, fabs(v));
    }
  }
  if (rig_facts_of(&r->scenario->rig)->has_start) s.fast += fabs(r->scenario->rig.as.axis.base.offset);
  return s.fast > 0 ? s.fast : 1;
}

bristle_fault_kind rig_features(const rig_fit *r, features *f, bristle_fault *fault)
{
  (void)fault;
  const double fast = speed_of(r), duration = r->t[0][r->samples[0] - 1];
  const double load = r->scenario->friction.load == BRISTLE_LOAD_FORCE ? 1 : rig_load(&r->scenario->rig);
  const double dry = load * by_role(r, BRISTLE_ROLE_LEVEL, by_role(r, BRISTLE_ROLE_STATIC_LEVEL, 1));
  *f = (features){ .dry = dry,
                   .peak = load * by_role(r, BRISTLE_ROLE_STATIC_LEVEL, 1.2 * dry / load),
                   .fall = by_role(r, BRISTLE_ROLE_STRIBECK_SPEED, 0.1 * fast),
                   .viscous = by_role(r, BRISTLE_ROLE_VISCOUS, 0.1 * dry / fast),
                   .stiffness = by_role(r, BRISTLE_ROLE_STIFFNESS, 1e3 * dry / (fast * duration)),
                   .slow = 0.01 * fast,
                   .fast = fast,
                   .high = fast,
                   .travel = fast * duration,
                   .step = duration / (double)r->samples[0],
                   .duration = duration,
                   .load = load };
  /* The file may be far from the truth: levels up to a hundred times its own are allowed, and speeds of the Stribeck
     curve up to twice its own, whatever the speeds are: those of the surface are not known here. */
  f->high = fmax(fast, 8 * by_role(r, BRISTLE_ROLE_STRIBECK_SPEED, 0));
  f->size = 20 * (f->peak + f->viscous * fast);
  return BRISTLE_FAULT_NONE;
}
