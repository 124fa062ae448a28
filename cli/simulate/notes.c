/* What a user should know about the parameters of a run: the law's own advice, and what the run has shown of it. */
#include "common/cli.h"
#include "common/model_argument.h"

#include "simulation.h"

#include "maths/elementary.h"

/* the first parameter with a role, or NULL */
static const bristle_row *row_of(const bristle_info *info, bristle_role role)
{
  for (int i = 0; i < info->param_rows; i++)
    if (info->param[i].role == role) return &info->param[i];
  return NULL;
}

static double value_of(const simulation *s, const bristle_row *row)
{
  return row ? s->scenario->friction.p[row->first] : 0;
}

static const bristle_program *load_of(const simulation *s)
{
  const bristle_rig *rig = &s->scenario->rig;
  if (rig->kind == BRISTLE_RIG_AXIS) return &rig->as.axis.load;
  return rig->kind == BRISTLE_RIG_DRIVEN ? &rig->as.driven.load : NULL;
}

static int is_given(const bristle_program *p) { return p && (p->count > 0 || p->offset != 0); }

/* the largest size of a column in the run; 0 where there is none */
static double largest(const simulation *s, const char *column)
{
  for (int i = 0; i < s->width; i++)
    if (!strcmp(s->columns[i].name, column)) return fmax(fabs(s->least[i]), fabs(s->largest[i]));
  return 0;
}

static int note_load(const simulation *s, char *text, size_t size)
{
  if (!is_given(load_of(s)) || !model_ignores_load(&s->scenario->friction)) return 0;
  snprintf(text, size, "%s", model_load_note);
  return 1;
}

/* the law's own advice on its parameters, and on a fixed step */
static int note_advice(const simulation *s, char *text, size_t size)
{
  const bristle_scenario *scenario = s->scenario;
  const double step = s->stats.method == BRISTLE_METHOD_COUPLED ? scenario->options.step : 0;
  const bristle_input in = { .n = 1,
                             .h = step,
                             .w = scenario->rig.kind == BRISTLE_RIG_AXIS ? step / scenario->rig.as.axis.mass : 0,
                             .load = scenario->friction.load };
  bristle_breach advice;
  if (!scenario->friction.law || scenario->friction.law->f64->advice(scenario->friction.p, &in, &advice, 1) < 1)
    return 0;
  snprintf(text, size, "%s = %g: %s", advice.param, advice.value, advice.rule);
  return 1;
}

/* the level of a contact at rest, per unit load where the parameters are so */
static double static_level(const simulation *s)
{
  const bristle_info *info = s->scenario->friction.info;
  return fmax(value_of(s, row_of(info, BRISTLE_ROLE_STATIC_LEVEL)), value_of(s, row_of(info, BRISTLE_ROLE_LEVEL)));
}

static int note_start(const simulation *s, char *text, size_t size)
{
  const bristle_friction *f = &s->scenario->friction;
  const bristle_row *stiffness = row_of(f->info, BRISTLE_ROLE_STIFFNESS);
  const double k = value_of(s, stiffness), bend = k > 0 ? static_level(s) / k : 0;
  const bristle_rig *rig = &s->scenario->rig;
  const double *z = rig->kind == BRISTLE_RIG_AXIS     ? rig->as.axis.z
                    : rig->kind == BRISTLE_RIG_DRIVEN ? rig->as.driven.z
                                                      : NULL;
  if (!z || !(bend > 0) || stiffness->count != 1 || f->load == BRISTLE_LOAD_LEVEL) return 0;
  for (int i = 0; i < f->info->state_rows; i++) {
    const bristle_row *row = &f->info->state[i];
    if (row->kind != BRISTLE_ROW_FLOW || row->count != 1 || strcmp(row->unit, "m")
        || fabs(z[row->first]) <= 1.001 * bend)
      continue;
    snprintf(text, size,
             "the initial %s = %g is beyond %g, the most the contact bends by itself: the first force is too large",
             row->name, z[row->first], bend);
    return 1;
  }
  return 0;
}

static const double NEAR =
    0.2; /* of the largest speed: smoothed signs come to a few thousandths of 1 at five times theirs */

/* the manual writes |F^n|, and here bodies that do not press have no friction */
static int note_negative(const simulation *s, char *text, size_t size)
{
  enum { TIMES = 2000 };
  const bristle_program *load = load_of(s);
  const double end = s->scenario->options.end;
  int below = 0;
  if (!is_given(load) || model_ignores_load(&s->scenario->friction)) return 0;
  for (int i = 0; i <= TIMES; i++) below += simulation_program_at(load, end * i / TIMES) < 0;
  if (!below) return 0;
  snprintf(text, size,
           "the load is negative for %.3g %% of the time: nothing presses then, and there is no friction. If it is "
           "counted the other way (the formula has |F_n|), turn its sign",
           100.0 * below / (TIMES + 1));
  return 1;
}

static int note_smoothing(const simulation *s, char *text, size_t size)
{
  const bristle_row *row = row_of(s->scenario->friction.info, BRISTLE_ROLE_SMOOTHING_SPEED);
  const bristle_rig *rig = &s->scenario->rig;
  const double base = rig->kind == BRISTLE_RIG_AXIS ? fabs(rig->as.axis.base.offset) : 0;
  const double fastest = largest(s, "v") + base, speed = value_of(s, row);
  if (!row || !(fastest > 0) || !(speed > NEAR * fastest)) return 0;
  if (speed > fastest)
    snprintf(text, size,
             "%s = %g is above every speed of the run (%.3g at most): the law never reached its level and acted as a "
             "damper",
             row->name, speed, fastest);
  else
    snprintf(text, size,
             "%s = %g is near the largest speed of the run (%.3g): most of the motion creeps below the level of the "
             "law; choose it small beside that speed",
             row->name, speed, fastest);
  return 1;
}

/* damping of the bristle that carries more than friction should */
static int note_damping(const simulation *s, char *text, size_t size)
{
  const bristle_info *info = s->scenario->friction.info;
  const bristle_row *damping = row_of(info, BRISTLE_ROLE_DAMPING);
  const double level = static_level(s), viscous = value_of(s, row_of(info, BRISTLE_ROLE_VISCOUS)) * largest(s, "v");
  const double force = largest(s, "F");
  if (note_start(s, text, size)) return 0; /* the start explains it */
  if (!damping || !(value_of(s, damping) > 0) || s->scenario->friction.load != BRISTLE_LOAD_FORCE) return 0;
  if (!(level > 0) || !(force > 2 * (level + viscous))) return 0;
  snprintf(text, size, "the friction reached %.3g N, %.2g times its static level: the damping %s = %g carries the rest",
           force, force / level, damping->name, value_of(s, damping));
  return 1;
}

/* a preload beside reactions, and the reading that is not Altair's */
static int note_combine(const simulation *s, char *text, size_t size)
{
  const bristle_rig *rig = &s->scenario->rig;
  if (rig->kind != BRISTLE_RIG_BALL || !(rig->as.ball.preload > 0) || !rig->as.ball.sum) return 0;
  snprintf(text, size,
           "the preload is added to the reactions, as Adams and RecurDyn do (combine: sum); Altair's page \"Friction "
           "Formulation\" takes the larger of the two frictions: combine: max");
  return 1;
}

int simulation_notes(const simulation *s, simulation_note list[MOST_NOTES])
{
  int (*const notes[MOST_NOTES])(const simulation *, char *, size_t) = { note_load,      note_advice,  note_start,
                                                                         note_smoothing, note_damping, note_combine,
                                                                         note_negative };
  int count = 0;
  for (int i = 0; i < MOST_NOTES; i++) count += notes[i](s, list[count], sizeof *list);
  return count;
}
