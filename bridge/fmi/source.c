/* The sources of a unit: the law's text and the equations around it (model.c.in, steps.c.in), what may be called when
   (life.c.in), what the calls do (calls.c.in), the interface (fmi2.c.in, fmi3.c.in). */
#include "fmi/fmi.h"

#include "bristle/text.h"
#include "text/distil.h"

#include <stdlib.h>
#include <string.h>

/* which modes of an instance a variable may be set in: names of model.c.in */
static const char *set_in(const fmi_unit *u, const fmi_variable *v)
{
  if (v->causality == FMI_INPUT) return "INPUT";
  if (v->causality == FMI_PARAMETER) return "PARAMETER";
  if (!v->exact) return "0";
  if (v->reset) return "STATE_OR_RESET";
  return fmi_is_state(u, v) ? "FLOWING" : "START";
}

static const fmi_variable *with_reference(const fmi_unit *u, int reference)
{
  for (int i = 0; i < u->variables; i++)
    if (u->variable[i].reference == reference) return &u->variable[i];
  return NULL;
}

static char *variable_list(const fmi_unit *u)
{
  buffer b = { 0 };
  char start[48], lo[48], hi[48];
  for (int at = 0; at < FMI_VALUES; at++) {
    const fmi_variable *v = with_reference(u, at);
    if (v)
      buffer_print(&b, "  { %d, \"%s\", %s, %s, %s, %s, %d, %d },\n", at, v->name, set_in(u, v),
                   bridge_constant(v->exact ? v->start : 0, 0, start), bridge_constant(v->lo, 0, lo),
                   bridge_constant(v->hi, 0, hi), v->whole, v->integer);
    else if (at == FMI_IN_N || (at == FMI_MASS && u->shape == FMI_ELEMENT))
      buffer_print(&b, "  { %d, NULL, 0, 1.0, 0.0, 0.0, 0, 0 },\n", at);
  }
  return buffer_take(&b);
}

/* what: 0 the states, 1 their rates, 2 their nominal values */
static char *state_list(const fmi_unit *u, int what)
{
  buffer b = { 0 };
  char number[48];
  for (int i = 0; i < u->variables; i++) {
    const fmi_variable *v = &u->variable[i];
    if (!fmi_is_state(u, v)) continue;
    int rate = 0;
    for (int k = 0; k < u->variables; k++)
      if (u->variable[k].derivative_of == v->reference) rate = u->variable[k].reference;
    if (what < 2) buffer_print(&b, "%d, ", what ? rate : v->reference);
    else buffer_print(&b, "%s, ", bridge_constant(v->nominal > 0 ? v->nominal : 1, 0, number));
  }
  buffer_print(&b, "0");
  return buffer_take(&b);
}

static int count_states(const fmi_unit *u)
{
  int count = 0;
  for (int i = 0; i < u->variables; i++) count += u->variable[i].derivative_of >= 0;
  return count;
}

static char *jump_list(const fmi_unit *u)
{
  buffer b = { 0 };
  for (int r = 0; r < u->info->state_rows; r++)
    for (int i = 0; i < u->info->state[r].count; i++)
      buffer_print(&b, "%d, ", u->info->state[r].kind == BRISTLE_ROW_JUMP);
  buffer_print(&b, "0");
  return buffer_take(&b);
}

static char *law_of(const fmi_unit *u)
{
  static const char *const roots[] = { "law_step", "law_eval", "law_mode", "law_rules", "params",
                                       "state",    "input",    "real",     NULL };
  return distil(u->text->f64, roots, NULL);
}

static char *whole(int value)
{
  char text[20];
  snprintf(text, sizeof text, "%d", value);
  return strdup(text);
}

static char *constant(double value)
{
  char text[48];
  return strdup(bridge_constant(value, 0, text));
}

static char *comment(const char *text)
{
  buffer b = { 0 };
  bridge_comment(&b, text, strlen(text));
  return buffer_take(&b);
}

char *fmi_source(const fmi_unit *u)
{
  static const char *const shapes[] = { "element", "body", "servo" };
  static const char *const ids[] = { "ELEMENT", "BODY", "SERVO" };
  static const char *const loads[] = { "BRISTLE_LOAD_FORCE", "BRISTLE_LOAD_COEFFICIENT", "BRISTLE_LOAD_LEVEL" };
  const int set_valued = (u->info->traits & BRISTLE_TRAIT_SET_VALUED) != 0;
  int indicators = 0;
  for (int i = 0; i < u->variables; i++) indicators += u->variable[i].indicator;
  char *made[] = { whole(u->shape == FMI_ELEMENT ? -1 : u->jump),
                   whole(u->info->nparam),
                   whole(u->info->nstate),
                   whole(count_states(u)),
                   whole(indicators),
                   variable_list(u),
                   state_list(u, 0),
                   state_list(u, 1),
                   state_list(u, 2),
                   jump_list(u),
                   law_of(u),
                   constant(u->speed_scale),
                   constant(u->force_scale),
                   comment(u->q->model) };
  static const char *const names[] = { "JUMP",      "NPARAM",      "NSTATE",      "CONTINUOUS", "INDICATORS",
                                       "VARIABLES", "STATE_AT",    "RATE_AT",     "NOMINALS",   "JUMPS",
                                       "LAW",       "SPEED_SCALE", "FORCE_SCALE", "MODEL" };
  enum { MADE = sizeof made / sizeof *made };
  enum { TOLD = 13 };
  bridge_field field[TOLD + MADE] = { { "NAME", u->name },
                                      { "TITLE", u->info->title },
                                      { "SHAPE", shapes[u->shape] },
                                      { "VERSION", u->q->version },
                                      { "HEAD", u->text->head },
                                      { "SHAPE_ID", ids[u->shape] },
                                      { "LOAD", loads[u->q->friction->load] },
                                      { "SET_VALUED", set_valued ? "1" : "0" },
                                      { "TOKEN", u->token },
                                      { "LAW_NAME", u->info->name },
                                      { "FMI", u->version == 3 ? "3" : "2" },
                                      { "REMEMBERS", fmi_remembers(u) ? "1" : "0" },
                                      { "ACCELERATES", u->info->traits & BRISTLE_TRAIT_ACCELERATION ? "1" : "0" } };
  const char *const frames[] = { template_fmi_model, template_fmi_steps, template_fmi_life, template_fmi_calls,
                                 u->version == 3 ? template_fmi3 : template_fmi2 };
  buffer b = { 0 };
  for (int i = 0; i < MADE; i++)
    field[TOLD + i] = (bridge_field){ names[i], made[i] ? made[i] : "" }, b.failed |= !made[i];
  for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) bridge_fill(&b, frames[i], field, TOLD + MADE);
  for (int i = 0; i < MADE; i++) free(made[i]);
  return buffer_take(&b);
}

char *fmi_slopes(const fmi_unit *u)
{
  buffer b = { 0 };
  buffer_print(&b,
               "/* %s: derivatives of its friction along one direction; C++17 without its runtime.\n"
               " * SPDX-License-Identifier: MIT-0 */\n#include <stdint.h>\n#include <string.h>\n\n",
               u->name);
  buffer_add(&b, u->text->slopes, strlen(u->text->slopes));
  return buffer_take(&b);
}
