/* What a run did, in plain words and as JSON. */
#include "common/cli.h"

#include "simulation.h"

#include "maths/elementary.h"
#include "io/support.h"

static double relative_residual(const bristle_sim_stats *st)
{
  return st->work_done > 0 ? st->residual / st->work_done : 0;
}

/* ---- in words ---- */

const char *simulation_laws(const simulation *s, char *text, size_t size)
{
  const bristle_scenario *scenario = s->scenario;
  size_t used = (size_t)snprintf(text, size, "%s", scenario->friction.info->name);
  const size_t count = scenario->joint ? scenario->rig.as.arm.count : 0;
  for (size_t i = 1; i < count && used < size; i++) {
    size_t k = 0;
    while (scenario->joint[k].law != scenario->joint[i].law) k++;
    if (k == i) used = text_append(text, size, used, ", %s", scenario->joint[i].info->name);
  }
  return text;
}

static void write_columns(const simulation *s, FILE *out)
{
  fprintf(out, "  %-16s %12s %12s %12s %12s\n", "column", "first", "last", "smallest", "largest");
  for (int i = 0; i < s->width; i++) {
    char head[64];
    snprintf(head, sizeof head, "%s [%s]", s->columns[i].name, s->columns[i].unit);
    fprintf(out, "  %-16s %12.6g %12.6g %12.6g %12.6g\n", head, s->first[i], s->last[i], s->least[i], s->largest[i]);
  }
}

/* what a model file found beside its law, and what becomes of it here */
static void write_beside(const bristle_friction *f, FILE *out)
{
  static const char *const roles[BRISTLE_BESIDES] = { "its mass is the body's",
                                                      "the offset acts on the body as a constant force",
                                                      "its gravity acts on the body", NULL,
                                                      "the skew is part of the friction" };
  int acting = 0, left = 0;
  fprintf(out, "note: the model file also has %s; ", f->beside);
  for (int i = 0; i < BRISTLE_BESIDES; i++) {
    left += f->found[i] != 0 && !f->acts[i];
    if (f->acts[i]) fprintf(out, "%s%s", acting++ ? ", " : "", roles[i]);
  }
  if (acting && left) fputs(", the rest is left to the scenario's own mass and forces\n", out);
  else fputs(acting ? "\n" : "the scenario's own mass and forces count\n", out);
}

void simulation_summary(const simulation *s, FILE *out, const char *output)
{
  const bristle_scenario *scenario = s->scenario;
  const bristle_sim_stats *st = &s->stats;
  char laws[300];
  if (scenario->title) fprintf(out, "%s\n", scenario->title);
  simulation_laws(s, laws, sizeof laws);
  fprintf(out, "%s with the law%s %s, %g s\n", scenario->rig_name, strchr(laws, ',') ? "s" : "", laws,
          scenario->options.end);
  fprintf(out, "  method     %s: %zu steps of %.3g to %.3g s, %zu rejected, %zu evaluations, %zu events\n",
          bristle_method_text(st->method), st->steps, st->shortest, st->longest, st->rejected, st->evaluations,
          st->events);
  if (st->rtol > 0)
    fprintf(out, "  tolerance  %g of the largest value of each quantity so far, in each step\n", st->rtol);
  if (!scenario->options.no_ledger) {
    fprintf(out, "  energy     work in %.6g J = stored %.6g J + dissipated %.6g J (friction %.6g J)\n", st->work_in,
            st->stored, st->dissipated, st->friction);
    fprintf(out, "  residual   %.3g J, %.3g of the work done\n", st->residual, relative_residual(st));
  }
  if (output) fprintf(out, "  rows       %zu in %s\n", s->rows, output);
  write_columns(s, out);
  if (scenario->friction.beside[0]) write_beside(&scenario->friction, out);
  bristle_sim_warning list[BRISTLE_SIM_WARNINGS];
  const int count = bristle_sim_warnings(&s->stats, list);
  for (int i = 0; i < count; i++) fprintf(out, "warning: %s\n", list[i]);
  simulation_note notes[MOST_NOTES];
  const int noted = simulation_notes(s, notes);
  for (int i = 0; i < noted; i++) fprintf(out, "note: %s\n", notes[i]);
}

void simulation_warn(const simulation *s)
{
  bristle_sim_warning list[BRISTLE_SIM_WARNINGS];
  const int count = bristle_sim_warnings(&s->stats, list);
  for (int i = 0; i < count; i++) fprintf(stderr, "bristle %s: warning: %s\n", running_verb, list[i]);
}

void simulation_advise(const simulation *s)
{
  simulation_note notes[MOST_NOTES];
  const int noted = simulation_notes(s, notes);
  for (int i = 0; i < noted; i++) fprintf(stderr, "bristle %s: note: %s\n", running_verb, notes[i]);
}

/* ---- JSON ---- */

static void columns_field(const simulation *s, FILE *out)
{
  fputs("  \"columns\": [\n", out);
  for (int i = 0; i < s->width; i++)
    bristle_json_print(out, "    {'name': %s, 'unit': %s, 'first': %g, 'last': %g, 'least': %g, 'largest': %g}%c\n",
                       s->columns[i].name, s->columns[i].unit, s->first[i], s->last[i], s->least[i], s->largest[i],
                       i + 1 < s->width ? ',' : 0);
  fputs("  ],\n", out);
}

void simulation_json(const simulation *s, FILE *out, const char *input, const char *output, const char *report)
{
  const bristle_scenario *scenario = s->scenario;
  const bristle_sim_stats *st = &s->stats;
  char laws[300];
  const char *const texts[][2] = { { "title", scenario->title },
                                   { "input", input },
                                   { "output", output },
                                   { "report", report },
                                   { "rig", scenario->rig_name },
                                   { "model", simulation_laws(s, laws, sizeof laws) },
                                   { "beside_friction",
                                     scenario->friction.beside[0] ? scenario->friction.beside : NULL },
                                   { "method", bristle_method_text(st->method) } };
  fputs("{\n", out);
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (texts[i][1]) bristle_json_print(out, "  %s: %s,\n", texts[i][0], texts[i][1]);
  bristle_json_print(out,
                     "  'end_s': %g,\n  'rows': %zu,\n  'steps': %zu,\n  'rejected': %zu,\n  'evaluations': %zu,\n"
                     "  'jacobians': %zu,\n  'events': %zu,\n  'shortest_step_s': %g,\n  'longest_step_s': %g,\n"
                     "  'rtol': %g,\n  'unsolved': %zu,\n",
                     scenario->options.end, s->rows, st->steps, st->rejected, st->evaluations, st->jacobians,
                     st->events, st->shortest, st->longest, st->rtol, st->unsolved);
  columns_field(s, out);
  if (!scenario->options.no_ledger)
    bristle_json_print(out,
                       "  'energy': {\n    'work_in_J': %g,\n    'stored_J': %g,\n    'dissipated_J': %g,\n"
                       "    'friction_J': %g,\n    'residual_J': %g,\n    'work_done_J': %g,\n"
                       "    'relative_residual': %g,\n    'given_back_J': %g\n  },\n",
                       st->work_in, st->stored, st->dissipated, st->friction, st->residual, st->work_done,
                       relative_residual(st), st->has_energy ? st->given_back : HUGE_VAL);
  bristle_sim_warning list[BRISTLE_SIM_WARNINGS];
  simulation_note notes[MOST_NOTES];
  fputs("  \"warnings\": ", out);
  bristle_json_texts(out, list[0], sizeof list[0], (size_t)bristle_sim_warnings(st, list));
  fputs(",\n  \"notes\": ", out);
  bristle_json_texts(out, notes[0], sizeof notes[0], (size_t)simulation_notes(s, notes));
  fputs("\n}\n", out);
}
