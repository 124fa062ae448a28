/* Many laws as one C file and its header: the part of libbristle that a firmware needs, under the library's names. The
 * laws' texts are their own files as the preprocessor leaves them (text/); what they share is written once (merge.c).
 */
#include "library/merge.h"
#include "library/typed.h"
#include "parts.h"
#include "text/distil.h"

#include <stdlib.h>
#include <string.h>

extern const char template_library_h[], template_library_c[], template_library_law_h[], template_library_law_c[];

enum { MOST_LAWS = 200 };

typedef struct library {
  const bristle_law *law[MOST_LAWS];
  int count, single; /* single: no double precision */
  char stem[200];
} library;

/* one of the two precisions of a law */
typedef struct flavour {
  const bristle_info *info;
  const law_text *text;
  int single, second; /* second: double precision stands before it */
} flavour;

static const char *suffix_of(const flavour *f) { return f->single ? "_f32" : ""; }
static const char *real_of(const flavour *f) { return f->single ? "float" : "double"; }

/* ---- which laws ---- */

static bristle_fault_kind add_law(library *l, const char *name, bristle_fault *fault)
{
  const bristle_law *law = bristle_law_find(name);
  if (strpbrk(name, "./"))
    return bridge_fault(fault, BRISTLE_FAULT_REQUEST, "for a model file with its parameters take --to c99",
                        "--to library takes names of laws, got '%s'", name);
  if (!law)
    return bridge_fault(fault, BRISTLE_FAULT_REQUEST, NULL, "there is no law '%s'; did you mean '%s'?", name,
                        bristle_law_nearest(name));
  for (int i = 0; i < l->count; i++)
    if (l->law[i] == law) return BRISTLE_FAULT_NONE;
  l->law[l->count++] = law;
  return BRISTLE_FAULT_NONE;
}

/* "coulomb,dahl,lugre", with commas or spaces, or "all" */
static bristle_fault_kind read_laws(library *l, const char *list, bristle_fault *fault)
{
  static const char between[] = ", \t\n";
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!strcmp(list, "all")) {
    for (l->count = 0; l->count < bristle_law_count(); l->count++) l->law[l->count] = bristle_law_at(l->count);
    return kind;
  }
  for (const char *at = list + strspn(list, between); *at && !kind; at += strspn(at, between)) {
    char name[100];
    const size_t length = strcspn(at, between);
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    kind = add_law(l, name, fault);
    at += length;
  }
  if (!kind && !l->count)
    kind = bridge_fault(fault, BRISTLE_FAULT_REQUEST, "give names with commas between, or all", "no law is named");
  return kind;
}

static char *names(const library *l)
{
  buffer b = { 0 };
  int column = 9;
  for (int i = 0; i < l->count; i++) {
    const char *name = l->law[i]->name;
    column += (int)strlen(name) + 2;
    if (column > 110) buffer_print(&b, "\n *  "), column = 4 + (int)strlen(name);
    buffer_print(&b, "%s%s%s", i && column > 4 ? " " : "", name, i + 1 < l->count ? "," : "");
  }
  return buffer_take(&b);
}

/* ---- texts ---- */

/* a template with fields; NULL where a value is missing */
static char *fill(const char *frame, const bridge_field *fields, int count)
{
  buffer b = { 0 };
  for (int i = 0; i < count; i++)
    if (!fields[i].value) return NULL;
  bridge_fill(&b, frame, fields, count);
  return buffer_take(&b);
}

/* what the header declares for one law */
static char *declarations(const flavour *f)
{
  buffer fields = { 0 }, state = { 0 };
  const char *x = suffix_of(f), *law = f->info->name;
  char arguments[3][120] = { "", "", "" };
  typed_fields(&fields, f->info->param, f->info->param_rows, real_of(f));
  if (f->info->nstate) {
    buffer_print(&state, "typedef struct bristle_%s_state%s {\n", law, x);
    typed_fields(&state, f->info->state, f->info->state_rows, real_of(f));
    buffer_print(&state, "} bristle_%s_state%s;\n", law, x);
    snprintf(arguments[0], sizeof arguments[0], "bristle_%s_state%s *s, ", law, x);
    snprintf(arguments[1], sizeof arguments[1], "const bristle_%s_state%s *s, ", law, x);
    snprintf(arguments[2], sizeof arguments[2], ", bristle_%s_state%s *rate", law, x);
  }
  char *parameters = buffer_take(&fields), *state_type = buffer_take(&state);
  const bridge_field field[] = {
    { "LAW", law },
    { "X", x },
    { "REAL", real_of(f) },
    { "PARAMETERS", parameters },
    { "STATE", arguments[0] },
    { "CONST_STATE", arguments[1] },
    { "RATE", arguments[2] },
    { "STATE_TYPE", state_type },
  };
  char *text = fill(template_library_law_h, field, sizeof field / sizeof *field);
  free(parameters), free(state_type);
  return text;
}

/* the functions that the header declares, in the words of the law's text */
static char *entries(const flavour *f)
{
  const int states = f->info->nstate > 0;
  buffer b = { 0 };
  typed_defaults(&b, f->info, f->single ? "f" : "");
  char *defaults = buffer_take(&b);
  const bridge_field field[] = {
    { "LAW", f->info->name },
    { "X", suffix_of(f) },
    { "DEFAULTS", defaults },
    { "STATE", states ? "s" : "&none" },
    { "RATE", states ? "rate" : "&none_rate" },
    { "NO_STATE", states ? "" : "  state none = { 0 };\n" },
    { "NO_RATE", states ? "" : "  state none_rate = { 0 };\n" },
    { "STATE_ARGUMENT", states ? "state *s, " : "" },
    { "CONST_STATE_ARGUMENT", states ? "const state *s, " : "" },
    { "RATE_ARGUMENT", states ? ", state *rate" : "" },
  };
  char *text = fill(template_library_law_c, field, sizeof field / sizeof *field);
  free(defaults);
  return text;
}

/* the law's kernels and coupled step, then its entries */
static char *body(const flavour *f)
{
  enum { ROOTS = 3 };
  static const char *const roles[ROOTS] = { "apply_load", "couple", "eval" };
  char name[ROOTS][100];
  const char *roots[ROOTS + 1] = { name[0], name[1], name[2], NULL };
  for (int i = 0; i < ROOTS; i++) snprintf(name[i], sizeof name[i], "%s_%s", f->info->name, roles[i]);
  char *kernels = distil(f->single ? f->text->f32 : f->text->f64, roots, NULL), *entry = entries(f);
  buffer b = { 0 };
  if (kernels && entry) buffer_add(&b, kernels, strlen(kernels)), buffer_add(&b, entry, strlen(entry));
  else b.failed = 1;
  free(kernels), free(entry);
  return buffer_take(&b);
}

/* ---- the source ---- */

static int add_source(merged *m, const flavour *f, buffer *shared, buffer *own)
{
  char params[100], state[100], input[40];
  const char *x = suffix_of(f), *law = f->info->name, *real = real_of(f),
             *decay = f->single ? "decay_f32_t" : "decay_f64_t";
  snprintf(params, sizeof params, "bristle_%s%s", law, x);
  snprintf(state, sizeof state, "bristle_%s_state%s", law, x);
  snprintf(input, sizeof input, "bristle_input%s", x);
  const merge_name known[] = {
    { "real", real, 1 },
    { "scalar", real, 1 },
    { "vec", real, 1 },
    { "decay", decay, 1 },
    { "input", input, 1 },
    { input, input, 1 },
    { "bristle_load", "bristle_load", 1 },
    { "params", params, 1 },
    { "start", "search_start", 0 }, /* variables have this name */
    { f->info->nstate ? "state" : NULL, state, 1 },
    { NULL, NULL, 0 },
  };
  char *text = body(f);
  const merge_text part = { text, law, f->second ? x : "", known };
  const int fine = text && merge_add(m, &part, shared, own);
  free(text);
  return fine;
}

/* all laws in one precision: what they share, then law by law */
static int add_precision(const library *l, int single, merged *m, buffer *out)
{
  buffer shared = { 0 }, own = { 0 };
  int fine = 1;
  for (int i = 0; i < l->count && fine; i++) {
    const flavour f = { l->law[i]->f64->info, law_text_find(l->law[i]->name, 0), single, single && !l->single };
    buffer_print(&own, "\n/* ---- %s%s ---- */\n", f.info->name, single ? ", single precision" : "");
    if (!f.second) buffer_print(&own, "\n%s\n", f.text->head);
    fine = add_source(m, &f, &shared, &own);
  }
  buffer_print(out, "\n/* ---- what the laws share, in %s precision ---- */\n", single ? "single" : "double");
  char *first = buffer_take(&shared), *rest = buffer_take(&own);
  if (first && rest) buffer_add(out, first, strlen(first)), buffer_add(out, rest, strlen(rest));
  else fine = 0;
  free(first), free(rest);
  return fine;
}

static char *source_body(const library *l)
{
  buffer b = { 0 };
  merged *m = merge_new();
  int fine = m != NULL;
  if (fine && !l->single) fine = add_precision(l, 0, m, &b);
  if (fine) fine = add_precision(l, 1, m, &b);
  merge_free(m);
  if (!fine) b.failed = 1;
  return buffer_take(&b);
}

/* ---- the header ---- */

/* what every law is told; in single precision alone the fields of double precision are its pattern */
static char *header_types(const library *l)
{
  static const char *const plain[] = { "bristle_input", NULL }, *const single[] = { "bristle_input_f32", NULL };
  static const merge_name none[] = { { NULL, NULL, 0 } }, floats[] = { { "double", "float", 0 },
                                                                       { "bristle_input", "bristle_input_f32", 0 },
                                                                       { NULL, NULL, 0 } };
  const law_text *text = law_text_find(l->law[0]->name, 0);
  char *input = distil(text->f64, plain, NULL), *input_f32 = distil(text->f32, single, NULL);
  const merge_text first = { input, "", "", l->single ? floats : none }, second = { input_f32, "", "", none };
  merged *m = merge_new();
  buffer b = { 0 };
  int fine = m && input && input_f32 && merge_add(m, &first, &b, &b);
  if (fine && !l->single) fine = merge_add(m, &second, &b, &b);
  merge_free(m), free(input), free(input_f32);
  if (!fine) b.failed = 1;
  return buffer_take(&b);
}

static char *header_body(const library *l)
{
  buffer b = { 0 };
  for (int i = 0; i < l->count; i++) {
    const bristle_info *info = l->law[i]->f64->info;
    buffer_print(&b, "\n/* ---- %s ---- */\n", info->title);
    for (int single = l->single; single < 2; single++) {
      char *text = declarations(&(flavour){ .info = info, .single = single });
      if (text) buffer_add(&b, text, strlen(text));
      else b.failed = 1;
      free(text);
    }
  }
  return buffer_take(&b);
}

/* how the first law is used */
static char *example(const library *l)
{
  const bristle_info *info = l->law[0]->f64->info;
  const char *x = l->single ? "_f32" : "", *real = l->single ? "float" : "double";
  buffer b = { 0 };
  buffer_print(&b, " *   bristle_%s%s p = bristle_%s_default%s();\n", info->name, x, info->name, x);
  if (info->nstate) buffer_print(&b, " *   bristle_%s_state%s s = { 0 };\n", info->name, x);
  buffer_print(&b, " *   bristle_input%s in = { 0 };\n *   in.v = v + h/m*pull, in.w = h/m, in.n = 1, in.h = h;\n", x);
  buffer_print(&b, " *   %s force = bristle_%s_step%s(&p, %s&in, &v);\n", real, info->name, x,
               info->nstate ? "&s, " : "");
  return buffer_take(&b);
}

/* ---- the format ---- */

static bristle_fault_kind write_files(const library *l, const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  char guard[BRIDGE_NAME + 2], *law_names = names(l), *how = example(l), *types = header_types(l);
  char *const part[2] = { source_body(l), header_body(l) };
  const char *const frame[2] = { template_library_c, template_library_h };
  bridge_file file[2] = { 0 };
  bridge_identifier(q->output, guard);
  for (char *c = guard; *c; c++) *c = (char)(*c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
  strcat(guard, "_H");
  for (int i = 0; i < 2; i++) {
    const bridge_field field[] = {
      { "FILE", l->stem },
      { "VERSION", q->version },
      { "LAWS", law_names },
      { "EXAMPLE", how },
      { "TYPES", types },
      { "GUARD", guard },
      { "BODY", part[i] },
      { "PRECISION", l->single ? "single" : "double and single" },
      { "CHECK_DOUBLE", l->single ? ""
                                  : "#if DBL_MANT_DIG != 53\n#error \"double has not 64 bits here; write this file "
                                    "anew with --float32\"\n#endif\n" },
    };
    snprintf(file[i].path, sizeof file[i].path, "%.*s%s", (int)(strlen(q->output) - 2), q->output, i ? ".h" : ".c");
    file[i].text = fill(frame[i], field, sizeof field / sizeof *field);
    file[i].size = file[i].text ? strlen(file[i].text) : 0;
  }
  const bristle_fault_kind kind = bridge_write(file, 2, BRISTLE_OUTPUT_EXPORT, r, fault);
  for (int i = 0; i < 2; i++) free(file[i].text), free(part[i]);
  free(law_names), free(how), free(types);
  return kind;
}

static bristle_fault_kind write_library(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  library l = { .single = q->single };
  bridge_stem(q->output, l.stem, sizeof l.stem);
  const bristle_fault_kind kind = read_laws(&l, q->model, fault);
  return kind ? kind : write_files(&l, q, r, fault);
}

const bridge_format format_library = { "library", "chosen laws as one C file and its header, under the library's names",
                                       ".c", BRIDGE_SINGLE | BRIDGE_LAWS, write_library };
