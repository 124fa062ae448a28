/* bristle models: every law of the library, for people, programs, the README and the typed header. */
#include "bristle/vector.h"
#include "common/cli.h"

static void json_row(FILE *out, const bristle_row *row, int is_param)
{
  bristle_json_print(out, "        {'name': %s, 'unit': %s", row->name, row->unit);
  if (is_param) {
    fputs(", \"default\": ", out);
    if (row->count > 1) bristle_json_numbers(out, row->initial, (size_t)row->count);
    else bristle_json_print(out, "%g", row->initial[0]);
    bristle_json_print(out, ", 'min': %g, 'max': %g", row->lo, row->hi);
  }
  bristle_json_print(out, ", 'kind': %s, 'count': %d, 'doc': %s}", bristle_row_kind_text(row->kind), row->count,
                     row->doc);
}

static void json_rows(FILE *out, const char *name, const bristle_row *rows, int count, int is_param)
{
  fprintf(out, "      \"%s\": [", name);
  for (int r = 0; r < count; r++) {
    fputs(r ? ",\n" : "\n", out);
    json_row(out, &rows[r], is_param);
  }
  fputs(count ? "\n      ]" : "]", out);
}

static void json_traits(FILE *out, unsigned traits)
{
  const char *separator = "";
  fputs("      \"traits\": [", out);
  for (int i = 0; i < trait_name_count; i++)
    if (traits & trait_names[i].trait) {
      fprintf(out, "%s\"%s\"", separator, trait_names[i].name);
      separator = ", ";
    }
  fputs("],\n", out);
}

static void json_reductions(FILE *out, const bristle_info *info)
{
  fputs("      \"reductions\": [", out);
  for (int k = 0; k < info->reductions; k++)
    bristle_json_print(out, k ? ", {'law': %s, 'when': %s, 'then': %s}" : "{'law': %s, 'when': %s, 'then': %s}",
                       info->reduction[k].law, info->reduction[k].when, info->reduction[k].then);
  fputs("],\n", out);
}

static void json_law(FILE *out, const bristle_info *info)
{
  bristle_json_print(out,
                     "    {\n      'name': %s,\n      'title': %s,\n      'equations': %s,\n      'use': %s,\n"
                     "      'limits': %s,\n      'source': %s,\n      'load': %s,\n      'family': %s,\n",
                     info->name, info->title, info->equations, info->use, info->limits, info->source,
                     bristle_load_text(info->load), family_name(info));
  json_traits(out, info->traits);
  json_reductions(out, info);
  json_rows(out, "parameters", info->param, info->param_rows, 1);
  fputs(",\n", out);
  json_rows(out, "states", info->state, info->state_rows, 0);
  fputs("\n    }", out);
}

static void write_json(FILE *out)
{
  fputs("{\n  \"bristle\": \"" BRISTLE_VERSION "\",\n  \"models\": [\n", out);
  for (int i = 0; i < bristle_law_count(); i++) {
    if (i) fputs(",\n", out);
    json_law(out, bristle_law_at(i)->f64->info);
  }
  fputs("\n  ]\n}\n", out);
}

static void write_list(FILE *out)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_info *info = bristle_law_at(i)->f64->info;
    fprintf(out, "%-17s %-8s %s\n", info->name, family_name(info), info->title);
  }
  fputs("\nstatic: the force depends on the velocity; at rest nothing moves, or the law creeps.\n"
        "dynamic: at rest the contact deflects a little and the force follows the displacement; for positioning.\n"
        "In sliding, above about 0.003 m/s (Piatkowski), both say the same: the force as a function of the velocity.\n",
        out);
  fprintf(out, "\n%d laws. `bristle show NAME` explains one. In the plane and in space:", bristle_law_count());
  for (int i = 0; i < bristle_vector_law_count(); i++)
    fprintf(out, "%s %s", i ? "," : "", bristle_vector_law_at(i)->name);
  fputs(".\n", out);
}

typedef struct request {
  int json, markdown, header;
} request;

static int run(void *asked)
{
  const request *q = asked;
  if (q->json) write_json(stdout);
  else if (q->markdown) write_markdown_table(stdout);
  else if (q->header) write_params_header(stdout);
  else write_list(stdout);
  return finish_output(stdout);
}

static const option options[] = {
  OPTION_JSON(request, "all tables: parameters with unit, default, range and meaning; states; traits; special cases"),
  { "--markdown", NULL, OPTION_SWITCH, IN(request, markdown), .help = "the table of laws as Markdown" },
  { "--header", NULL, OPTION_SWITCH, IN(request, header),
    .help = "the typed parameter structs, include/bristle/params.h" },
  OPTIONS_END
};
static const option_conflict conflicts[] = {
  { "--json", "--markdown", "" }, { "--json", "--header", "" }, { "--markdown", "--header", "" }, { NULL, NULL, NULL }
};

const verb verb_models = {
  .name = "models",
  .summary = "list every law",
  .about = "Lists every law of the library with a line about it.",
  .options = options,
  .conflicts = conflicts,
  .examples = "bristle models\nbristle models --json > models.json\n",
  .request = sizeof(request),
  .run = run,
};
