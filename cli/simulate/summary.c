/* What a run did, in plain words and as JSON. */
#include "common/cli.h"

#include "simulation.h"

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
    if (k == i) used += (size_t)snprintf(text + used, size - used, ", %s", scenario->joint[i].info->name);
  }
  return text;
}

static void write_columns(const simulation *s, FILE *out)
{
  fprintf(out, "  %-16s %12s %12s %12s %12s\n", "column", "first", "last", "least", "greatest");
  for (int i = 0; i < s->width; i++) {
    char head[64];
    snprintf(head, sizeof head, "%s [%s]", s->columns[i].name, s->columns[i].unit);
    fprintf(out, "  %-16s %12.6g %12.6g %12.6g %12.6g\n", head, s->first[i], s->last[i], s->least[i], s->greatest[i]);
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

static void text_field(FILE *out, const char *key, const char *text)
{
  if (!text) return;
  fprintf(out, "  \"%s\": ", key);
  json_string(out, text);
  fputs(",\n", out);
}

static void number_field(FILE *out, const char *indent, const char *key, double value, const char *end)
{
  fprintf(out, "%s\"%s\": ", indent, key);
  json_number(out, value);
  fputs(end, out);
}

static void columns_field(const simulation *s, FILE *out)
{
  fputs("  \"columns\": [\n", out);
  for (int i = 0; i < s->width; i++) {
    fputs("    {\"name\": ", out);
    json_string(out, s->columns[i].name);
    fputs(", \"unit\": ", out);
    json_string(out, s->columns[i].unit);
    number_field(out, ", ", "first", s->first[i], "");
    number_field(out, ", ", "last", s->last[i], "");
    number_field(out, ", ", "least", s->least[i], "");
    number_field(out, ", ", "greatest", s->greatest[i], i + 1 < s->width ? "},\n" : "}\n");
  }
  fputs("  ],\n", out);
}

static void energy_field(const bristle_sim_stats *st, FILE *out)
{
  const struct {
    const char *key;
    double value;
  } numbers[] = {
    { "work_in_J", st->work_in },
    { "stored_J", st->stored },
    { "dissipated_J", st->dissipated },
    { "friction_J", st->friction },
    { "residual_J", st->residual },
    { "work_done_J", st->work_done },
    { "relative_residual", relative_residual(st) },
  };
  fputs("  \"energy\": {\n", out);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    number_field(out, "    ", numbers[i].key, numbers[i].value, ",\n");
  if (st->has_energy) number_field(out, "    ", "given_back_J", st->given_back, "\n  },\n");
  else fputs("    \"given_back_J\": null\n  },\n", out);
}

void simulation_json(const simulation *s, FILE *out, const char *input, const char *output, const char *report)
{
  const bristle_scenario *scenario = s->scenario;
  const bristle_sim_stats *st = &s->stats;
  const struct {
    const char *key;
    double value;
  } numbers[] = {
    { "end_s", scenario->options.end },
    { "rows", (double)s->rows },
    { "steps", (double)st->steps },
    { "rejected", (double)st->rejected },
    { "evaluations", (double)st->evaluations },
    { "jacobians", (double)st->jacobians },
    { "events", (double)st->events },
    { "shortest_step_s", st->shortest },
    { "longest_step_s", st->longest },
    { "rtol", st->rtol },
    { "unsolved", (double)st->unsolved },
  };
  char laws[300];
  fputs("{\n", out);
  text_field(out, "title", scenario->title);
  text_field(out, "input", input);
  text_field(out, "output", output);
  text_field(out, "report", report);
  text_field(out, "rig", scenario->rig_name);
  text_field(out, "model", simulation_laws(s, laws, sizeof laws));
  text_field(out, "beside_friction", scenario->friction.beside[0] ? scenario->friction.beside : NULL);
  text_field(out, "method", bristle_method_text(st->method));
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    number_field(out, "  ", numbers[i].key, numbers[i].value, ",\n");
  columns_field(s, out);
  if (!scenario->options.no_ledger) energy_field(st, out);
  bristle_sim_warning list[BRISTLE_SIM_WARNINGS];
  const int count = bristle_sim_warnings(&s->stats, list);
  fprintf(out, "  \"warnings\": [");
  for (int i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    json_string(out, list[i]);
  }
  fputs("],\n  \"notes\": [", out);
  simulation_note notes[MOST_NOTES];
  const int noted = simulation_notes(s, notes);
  for (int i = 0; i < noted; i++) {
    if (i) fputs(", ", out);
    json_string(out, notes[i]);
  }
  fputs("]\n}\n", out);
}
