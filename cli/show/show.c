/* bristle show: one law as a page a person can read. */
#include "bristle/vector.h"
#include "common/cli.h"
#include "common/model_argument.h"
#include "io/support.h"

#include "lines.h"

/* prints text wrapped at 96 columns, every line indented; line breaks in it are kept */
static void wrapped(const char *text, int indent)
{
  int column = 0;
  while (*text) {
    size_t word = strcspn(text, " \n");
    if (column && column + 1 + (int)word > 96 - indent) {
      putchar('\n');
      column = 0;
    }
    if (column) column += printf(" ");
    else printf("%*s", indent, "");
    column += printf("%.*s", (int)word, text);
    text += word;
    if (*text == '\n') {
      putchar('\n');
      column = 0;
    }
    if (*text) text++;
  }
  putchar('\n');
}

/* equations keep their spacing */
static void verbatim(const char *text, int indent)
{
  while (*text) {
    size_t line = strcspn(text, "\n");
    printf("%*s%.*s\n", indent, "", (int)line, text);
    text += line + (text[line] == '\n');
  }
}

static void values(const bristle_row *row, char *text, size_t size)
{
  int last = row->count - 1; /* unused elements at the end of a vector are not worth a line */
  while (last > 0 && row->initial[last] == 0) last--;
  size_t used = 0;
  for (int i = 0; i <= last && used < size; i++) {
    char number[40];
    bristle_number_text(row->initial[i], number, sizeof number);
    used = text_append(text, size, used, "%s%s", i ? " " : "", number);
  }
}

static void parameters(const bristle_info *info, bristle_load load, int rotary)
{
  printf("\nParameters (%s form%s)\n  %-13s %-11s %-22s %-16s %s\n", bristle_load_text(load), rotary ? ", rotary" : "",
         "name", "unit", "default", "range", "meaning");
  for (int r = 0; r < info->param_rows; r++) {
    const bristle_row *row = &info->param[r];
    char unit[32], text[200], lo[40], hi[40], name[48], range[90];
    bristle_unit(row, load, rotary, unit, sizeof unit);
    values(row, text, sizeof text);
    bristle_number_text(row->lo, lo, sizeof lo);
    bristle_number_text(row->hi, hi, sizeof hi);
    snprintf(name, sizeof name, row->count > 1 ? "%s[%d]" : "%s", row->name, row->count);
    snprintf(range, sizeof range, "%s .. %s", lo, hi);
    printf("  %-13s %-11s %-22s %-16s %s\n", name, unit, text, range, row->doc);
  }
}

/* what every law takes beside its own parameters, and what this one refuses of it */
static void skews(const bristle_info *info)
{
  const bristle_law *law = bristle_law_find(info->name), *skewed = law ? bristle_law_skewed(law) : NULL;
  double p[200];
  int count = 0;
  for (int r = 0; skewed && r < skewed->f64->info->param_rows; r++) {
    const bristle_row *row = &skewed->f64->info->param[r];
    if (row->role != BRISTLE_ROLE_SKEW || skewed->f64->info->nparam > 200) continue;
    bristle_defaults(skewed->f64->info, p);
    p[row->first] = 0.1 * row->hi;
    if (bristle_check(skewed->f64, p, NULL)) continue;
    if (!count++) puts("\nWhere the two directions differ");
    printf("  %-13s %-11s %-22s %g .. %g %*s%s\n", row->name, row->unit, "0", row->lo, row->hi, row->hi < 1 ? 2 : 8, "",
           row->doc);
  }
}

static void states(const bristle_info *info, int rotary)
{
  puts("\nStates (zero is the virgin contact)");
  for (int r = 0; r < info->state_rows; r++) {
    const bristle_row *row = &info->state[r];
    char unit[32], name[48];
    bristle_unit(row, BRISTLE_LOAD_FORCE, rotary, unit, sizeof unit);
    snprintf(name, sizeof name, row->count > 1 ? "%s[%d]" : "%s", row->name, row->count);
    printf("  %-12s %-12s %s%s\n", name, unit, row->doc,
           row->kind == BRISTLE_ROW_JUMP ? " (changed by steps only)" : "");
  }
  if (!info->state_rows) puts("  none");
}

static void becomes(const bristle_info *from, const bristle_reduction *r)
{
  char text[300];
  snprintf(text, sizeof text, "%s with %s is %s%s%s%s", from->name, r->when, r->law, *r->then ? " with " : "", r->then,
           *r->then ? "" : " with the same parameters");
  wrapped(text, 2);
}

/* what this law becomes for some parameters, and which laws become this one */
static void special_cases(const bristle_info *info)
{
  int count = 0;
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_info *from = bristle_law_at(i)->f64->info;
    for (int k = 0; k < from->reductions; k++) {
      if (strcmp(from->name, info->name) && strcmp(from->reduction[k].law, info->name)) continue;
      if (!count++) puts("\nSpecial cases");
      becomes(from, &from->reduction[k]);
    }
  }
}

static void page(const bristle_info *info, bristle_load load, int rotary)
{
  printf("%s\n\n", info->title);
  verbatim(info->equations, 2);
  puts("\nUse it for");
  wrapped(info->use, 2);
  puts("\nWhat it cannot do");
  wrapped(info->limits, 2);
  parameters(info, load, rotary);
  skews(info);
  states(info, rotary);
  special_cases(info);
  printf("\nFamily\n  %s: %s\n", family_name(info),
         strcmp(family_name(info), "dynamic")
             ? "at rest nothing moves, or the contact creeps; the force depends on the velocity"
             : "at rest the contact deflects a little, and the force follows the deflection");
  puts("\nPromises");
  for (int i = 0; i < trait_name_count; i++)
    if (info->traits & trait_names[i].trait) printf("  %-12s %s\n", trait_names[i].name, trait_names[i].meaning);
  puts("\nSource");
  wrapped(info->source, 2);
}

typedef struct request {
  const char *name, *set[MOST_SETS + 1];
  int load, rotary; /* load: 1 + the form, or 0 for the law's own */
  int linear;
  double mass;
} request;

static int run_linear(const request *q)
{
  bristle_friction friction;
  bristle_fault fault;
  if (model_argument_read(q->name, q->set, &friction, &fault)) return fault_exit(&fault);
  return show_lines(&friction, q->mass);
}

static int run(void *asked)
{
  const request *q = asked;
  const bristle_law *law = bristle_law_find(q->name);
  const bristle_vector_law *vector = bristle_vector_law_find(q->name); /* lugre_ellipse exists as a vector only */
  if (q->linear && law) return run_linear(q);
  if (q->set[0]) return usage_error("--set goes with --linear: a page has the parameters' defaults");
  if (!law && !vector)
    return usage_error("there is no law '%s'; did you mean '%s'?", q->name, bristle_law_nearest(q->name));
  const bristle_info *info = law ? law->f64->info : vector->f64[0]->info;
  page(info, q->load ? (bristle_load)(q->load - 1) : info->load, q->rotary);
  if (vector)
    printf("\nIn the plane and in space: bristle/vector.h has this law%s.\n",
           law ? " as a vector, too" : " as a vector");
  return finish_output(stdout);
}

static const option options[] = {
  { "--load", "force|coefficient|level", OPTION_CHOICE, IN(request, load), .help = "the units of another load form" },
  { "--rotary", NULL, OPTION_SWITCH, IN(request, rotary), .help = "the units of a rotary contact" },
  { "--linear", NULL, OPTION_SWITCH, IN(request, linear),
    .help = "prints instead the straight pieces of its force over the speed, each as a linear system in state space" },
  { "--mass", "M", OPTION_QUANTITY, IN(request, mass), .help = "mass of the body, for --linear", "1 kg",
    .unit = "kg|kg*m^2", .range = "a mass above zero" },
  OPTION_SET(request, "parameters, for --linear: --set 'form=1,fs=25 N'"),
  OPTIONS_END
};

const verb verb_show = {
  .name = "show",
  .summary = "explain one law: equations, parameters, promises",
  .about = "Prints the equations of a law, what it is good for, what it cannot do, its parameters with units, defaults "
           "and ranges, and its states.",
  .argument = { "LAW", NULL, OPTION_LAW, IN(request, name), .help = "its name",
                .ask = "no law given: `bristle models` lists them", .noun = "law" },
  .options = options,
  .examples = "bristle show lugre\nbristle show gms --load coefficient\nbristle show dahl --rotary\n"
              "bristle show startstop --linear --set 'form=1,fc=20,fs=25' --mass '2 kg'\n",
  .request = sizeof(request),
  .run = run,
};
