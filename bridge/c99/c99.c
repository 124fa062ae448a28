/* One self-contained C99 file for firmware, with its header and its test vectors. The law's text is its own file as the
 * preprocessor leaves it (text/); the frames around it are beside this file. */
#include "c99/c99.h"

#include "text/distil.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS = 40 };

static const char *real_of(const c99_export *e) { return e->single ? "float" : "double"; }

static char *state_fields(const c99_export *e)
{
  buffer b = { 0 };
  for (int r = 0; r < e->info->state_rows; r++) {
    const bristle_row *row = &e->info->state[r];
    char unit[48];
    bristle_unit(row, BRISTLE_LOAD_FORCE, e->q->friction->rotary, unit, sizeof unit);
    buffer_print(&b, "  %s %s", real_of(e), row->name);
    if (row->count > 1) buffer_print(&b, "[%d]", row->count);
    buffer_print(&b, "; /* %s: %s */\n", unit, row->doc);
  }
  if (!e->info->state_rows) buffer_print(&b, "  %s none; /* this law remembers nothing */\n", real_of(e));
  return buffer_take(&b);
}

static char *parameters(const c99_export *e)
{
  buffer b = { 0 };
  for (int r = 0; r < e->info->param_rows; r++) {
    const bristle_row *row = &e->info->param[r];
    char unit[48], number[48];
    bristle_unit(row, e->q->friction->load, e->q->friction->rotary, unit, sizeof unit);
    buffer_print(&b, "  .%s = %s", row->name, row->count > 1 ? "{ " : "");
    for (int i = 0; i < row->count; i++)
      buffer_print(&b, "%s%s", i ? ", " : "", bridge_constant(e->q->friction->p[row->first + i], e->single, number));
    buffer_print(&b, "%s, /* %s: %s */\n", row->count > 1 ? " }" : "", unit, row->doc);
  }
  return buffer_take(&b);
}

/* bristles unbend when the controller takes over; flags and memories stay */
static char *fade_states(const c99_export *e)
{
  buffer b = { 0 };
  int any = 0;
  for (int r = 0; r < e->info->state_rows; r++) {
    const bristle_row *row = &e->info->state[r];
    if (row->kind != BRISTLE_ROW_FLOW) continue;
    any = 1;
    if (row->count > 1)
      buffer_print(&b, "  for (int i = 0; i < %d; i++) c->contact.%s[i] *= keep;\n", row->count, row->name);
    else buffer_print(&b, "  c->contact.%s *= keep;\n", row->name);
  }
  if (!any) buffer_print(&b, "  (void)c; /* nothing bends */\n  (void)keep;\n");
  return buffer_take(&b);
}

/* the simulator's own text, without its head: K(0.5) is written as a constant of the precision */
static char *compensation(const c99_export *e)
{
  buffer b = { 0 };
  const char *at = strstr(template_compensation, "*/");
  for (at = at ? at + 4 : ""; *at;) {
    char *end, number[48];
    const int constant = at[0] == 'K' && at[1] == '(';
    const double value = constant ? strtod(at + 2, &end) : 0;
    if (constant) bridge_constant(value, e->single, number);
    buffer_add(&b, constant ? number : at, constant ? strlen(number) : 1);
    at = constant ? end + 1 : at + 1;
  }
  return buffer_take(&b);
}

static int flows(const bristle_info *info)
{
  for (int r = 0; r < info->state_rows; r++)
    if (info->state[r].kind == BRISTLE_ROW_FLOW) return 1;
  return 0;
}

/* the law's text with the entry points that the frame calls; its state is the header's */
static char *law(const c99_export *e)
{
  static const char *const roots[] = { "law_step", "params", "input", "real", NULL }, *const given[] = { "state",
                                                                                                         NULL };
  char *text = distil(e->single ? e->text->f32 : e->text->f64, roots, given);
  buffer b = { 0 };
  if (text) buffer_print(&b, "\n%s\n", e->text->head);
  if (text) buffer_add(&b, text, strlen(text));
  free(text);
  return buffer_take(&b);
}

/* a set of fields whose values are made here and freed together */
typedef struct field_set {
  bridge_field field[FIELDS];
  char *made[FIELDS];
  int count, owned;
} field_set;

static void put(field_set *s, const char *name, const char *value)
{
  s->field[s->count++] = (bridge_field){ name, value ? value : "" };
}
static void put_made(field_set *s, const char *name, char *value)
{
  s->made[s->owned++] = value;
  put(s, name, value);
}
static void put_number(field_set *s, const char *name, double value, int single)
{
  char text[48];
  put_made(s, name, strdup(bridge_constant(value, single, text)));
}

static void put_units(field_set *s, const c99_export *e)
{
  static const char *const loads[] = { "normal load; not used by this load form",
                                       "normal load, which multiplies the force",
                                       "normal load, which multiplies the levels" };
  const bristle_friction *f = e->q->friction;
  const char *text = e->single ? e->text->f32 : e->text->f64;
  put(s, "SPEED_UNIT", bristle_speed_unit(f->rotary));
  put(s, "LENGTH_UNIT", bristle_length_unit(f->rotary));
  put(s, "FORCE_UNIT", bristle_force_unit(f->rotary));
  put(s, "LOAD_UNIT", "N");
  put(s, "LOAD_USE", strstr(text, "_torque(") ? "transmitted torque" : loads[f->load]);
  put(s, "POSITION_USE", strstr(text, "in->x") ? "" : "; not used by this law");
  put(s, "FORCE_USE", e->info->traits & BRISTLE_TRAIT_SET_VALUED ? "" : "; not by this one");
}

static void put_step(field_set *s, const c99_export *e)
{
  const int fixed = e->q->sample_time > 0;
  char text[48];
  if (fixed) put_number(s, "STEP", e->q->sample_time, e->single);
  else put_made(s, "STEP", NULL);
  if (!fixed) {
    buffer b = { 0 };
    buffer_print(&b, "in->h > %s && in->h <= ", bridge_constant(0, e->single, text));
    buffer_print(&b, "%s ? in->h : ", bridge_constant(1e3, e->single, text));
    buffer_print(&b, "%s", bridge_constant(1e-6, e->single, text));
    s->made[s->owned - 1] = buffer_take(&b);
    s->field[s->count - 1].value = s->made[s->owned - 1];
  }
  put(s, "STEP_FIELD",
      fixed       ? ""
      : e->single ? "  float h; /* s: length of the step, > 0 */\n"
                  : "  double h; /* s: length of the step, > 0 */\n");
  put(s, "STEP_PARAMETER", fixed ? "" : e->single ? ", float step" : ", double step");
  put(s, "STEP_INITIALISER", fixed ? "" : ", .h = h");
  put(s, "UNUSED_STEP", fixed ? "  (void)h; /* it is fixed */\n" : "");
  put(s, "SET_STEP", fixed ? "" : "    in.h = e->h;\n");
  buffer b = { 0 };
  if (fixed) buffer_print(&b, "%s", bridge_constant(e->q->sample_time, e->single, text));
  else buffer_print(&b, "step > %s ? step : ", bridge_constant(0, e->single, text));
  if (!fixed) buffer_print(&b, "%s", bridge_constant(1e-6, e->single, text));
  put_made(s, "COMPENSATE_STEP", buffer_take(&b));
}

static void put_numbers(field_set *s, const c99_export *e)
{
  static const char *const loads[] = { "BRISTLE_LOAD_FORCE", "BRISTLE_LOAD_COEFFICIENT", "BRISTLE_LOAD_LEVEL" };
  const bristle_row *vs = bristle_param_role(e->info, BRISTLE_ROLE_STRIBECK_SPEED);
  put(s, "LOAD", loads[e->q->friction->load]);
  put_number(s, "ZERO", 0, e->single);
  put_number(s, "ONE", 1, e->single);
  put_number(s, "MOST", 1e12, e->single);
  put_number(s, "MOST_SPEED", 1e6, e->single);
  put_number(s, "REST_SPEED", vs ? 1e-3 * e->q->friction->p[vs->first] : 1e-6, e->single);
  put_number(s, "FADE_TIME", 0.1, e->single);
  put_number(s, "RISE_TIME", flows(e->info) ? 0 : 2e-3, e->single);
  put(s, "RISE_USE", flows(e->info) ? "; 0, because the bristle rises by itself" : "");
}

static char *filled(const char *frame, const field_set *s)
{
  buffer b = { 0 };
  bridge_fill(&b, frame, s->field, s->count);
  return buffer_take(&b);
}

static void put_all(field_set *s, const c99_export *e)
{
  char upper[BRIDGE_NAME + 2], guard[BRIDGE_NAME + 8];
  for (size_t i = 0; i <= strlen(e->name); i++)
    upper[i] = (char)(e->name[i] >= 'a' && e->name[i] <= 'z' ? e->name[i] - 32 : e->name[i]);
  snprintf(guard, sizeof guard, "%s_H", upper);
  put(s, "NAME", e->name);
  put(s, "FILE", e->stem);
  put(s, "REAL", real_of(e));
  put_made(s, "UPPER", strdup(upper));
  put_made(s, "GUARD", strdup(guard));
  put_units(s, e);
  put_step(s, e);
  put_numbers(s, e);
  put_made(s, "STATE_FIELDS", state_fields(e));
  put_made(s, "PARAMETERS", parameters(e));
  put_made(s, "FADE_STATES", fade_states(e));
  put_made(s, "COMPENSATION", compensation(e));
}

/* the three files; what they need that differs is put last and taken away again */
static char *make_file(field_set *s, const c99_export *e, const char *ending, const char *about, const char *frame)
{
  const int count = s->count, owned = s->owned;
  const int is_header = !strcmp(ending, ".h"), is_body = !strcmp(ending, ".c");
  put_made(s, "BANNER", c99_banner(e, ending, about));
  char *more = e->q->compensate && (is_header || is_body)
                   ? filled(is_header ? template_compensate_h : template_compensate_c, s)
                   : strdup("");
  put_made(s, "COMPENSATE", more);
  if (is_body) put_made(s, "LAW", law(e));
  if (!is_header && !is_body) {
    buffer rows = { 0 }, last = { 0 };
    c99_vectors(e, &rows, &last);
    put_made(s, "VECTORS", buffer_take(&rows));
    put_made(s, "LAST_STATE", buffer_take(&last));
  }
  int complete = 1;
  for (int i = owned; i < s->owned; i++) complete &= s->made[i] != NULL;
  char *text = complete ? filled(frame, s) : NULL;
  for (int i = owned; i < s->owned; i++) free(s->made[i]);
  s->count = count, s->owned = owned;
  return text;
}

static bristle_fault_kind check_name(const c99_export *e, bristle_fault *fault)
{
  if (strcmp(e->name, "law") && strlen(e->name) < 40) return BRISTLE_FAULT_NONE;
  return bridge_fault(fault, BRISTLE_FAULT_VALUE, "choose another name for the output",
                      "'%s' cannot be the beginning of the functions' names", e->name);
}

static bristle_fault_kind write_c99(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  static const char *const endings[] = { ".c", ".h", "_test.c" };
  static const char *const abouts[] = { "friction of a contact", "friction of a contact", "test vectors of a contact" };
  const char *const frames[] = { template_frame_c, template_frame_h, template_test_c };
  c99_export e = { .q = q, .info = q->friction->info, .single = q->single };
  bridge_stem(q->output, e.stem, sizeof e.stem);
  bridge_identifier(q->output, e.name);
  bristle_fault_kind kind = check_name(&e, fault);
  if (!kind) kind = bridge_law_text(q, &e.text, fault);
  if (kind) return kind;
  bridge_file file[3] = { 0 };
  field_set fields = { .count = 0 };
  put_all(&fields, &e);
  const int folder = (int)(strlen(q->output) - strlen(".c"));
  for (int i = 0; i < 3; i++) {
    snprintf(file[i].path, sizeof file[i].path, "%.*s%s", folder, q->output, endings[i]);
    file[i].text = make_file(&fields, &e, endings[i], abouts[i], frames[i]);
    file[i].size = file[i].text ? strlen(file[i].text) : 0;
  }
  kind = bridge_write(file, 3, BRISTLE_OUTPUT_EXPORT, r, fault);
  for (int i = 0; i < 3; i++) free(file[i].text);
  for (int i = 0; i < fields.owned; i++) free(fields.made[i]);
  bridge_note(r,
              "a step with given motion (w = 0) evaluates the law once; a coupled one 2 to 6 times, at most 203 times");
  if (q->friction->beside[0]) bridge_lost(r, "because it is not friction: %s", q->friction->beside);
  return kind;
}

const bridge_format format_c99 = { "c99", "C99 source for firmware: one file, its header and test vectors", ".c",
                                   BRIDGE_SINGLE | BRIDGE_SAMPLE_TIME | BRIDGE_COMPENSATE, write_c99 };
