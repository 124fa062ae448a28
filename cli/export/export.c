/* bristle export: a model for another tool. */
#include "common/cli.h"

#include "bridge.h"
#include "common/model_argument.h"

typedef struct request {
  const char *to, *output, *set[MOST_SETS + 1];
  bridge_request bridge;
  int json;
} request;

static void print_lines(const char *title, char lines[][BRIDGE_NOTE_SIZE], int count)
{
  for (int i = 0; i < count; i++) printf("%s%s\n", title, lines[i]);
}

static int tell(const bridge_format *format, const bridge_request *q, bridge_result *r, int json)
{
  if (!json) {
    for (int i = 0; i < r->files; i++) printf("wrote %s\n", r->file[i]);
    print_lines("note: ", r->note, r->notes);
    print_lines("not represented: ", r->lost, r->losses);
    return finish_output(stdout);
  }
  bristle_json_print(stdout, "{\n  'format': %s,\n  'law': %s,\n  'files': ", format->name,
                     q->friction ? q->friction->info->name : q->model);
  bristle_json_texts(stdout, r->file[0], sizeof r->file[0], (size_t)r->files);
  printf(",\n  \"notes\": ");
  bristle_json_texts(stdout, r->note[0], sizeof r->note[0], (size_t)r->notes);
  printf(",\n  \"lost\": ");
  bristle_json_texts(stdout, r->lost[0], sizeof r->lost[0], (size_t)r->losses);
  puts("\n}");
  return finish_output(stdout);
}

static int unknown_format(const char *name)
{
  char list[200] = "";
  for (int i = 0; i < bridge_format_count(); i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", bridge_format_at(i)->name);
  return usage_error("--to takes %s; got '%s'", list, name);
}

/* Does the format take what it is given? */
static int check(void *asked)
{
  request *q = asked;
  const bridge_format *format = bridge_format_find(q->to);
  bristle_fault fault;
  if (!format) return unknown_format(q->to);
  q->bridge.output = q->output;
  q->bridge.set = q->set;
  if (!strcmp(q->output, "-")) return usage_error("-o needs the name of a file");
  if (bridge_check(format, &q->bridge, &fault)) return usage_error("%s; %s", fault.what, fault.hint);
  return format->options & BRIDGE_LAWS ? DONE : check_law(q->bridge.model);
}

static int run(void *asked)
{
  request *q = asked;
  bristle_friction friction;
  bristle_fault fault;
  bridge_result result;
  const bridge_format *format = bridge_format_find(q->to);
  const int has_model = !(format->options & BRIDGE_LAWS);
  if (has_model && model_argument_read(q->bridge.model, q->set, &friction, &fault)) return fault_exit(&fault);
  char *origin = has_model && model_argument_is_file(q->bridge.model) ? bridge_origin(q->bridge.model) : NULL;
  q->bridge.friction = has_model ? &friction : NULL;
  q->bridge.origin = origin ? origin : "";
  q->bridge.version = BRISTLE_VERSION;
  const bristle_fault_kind kind = bridge_export(format, &q->bridge, &result, &fault);
  free(origin);
  return kind ? fault_exit(&fault) : tell(format, &q->bridge, &result, q->json);
}

static const option options[] = {
  { "--to", "FORMAT", OPTION_TEXT, IN(request, to), .help = "what to write: see below",
    .ask = "no format given: use --to c99, for example" },
  { "-o", "FILE", OPTION_TEXT, IN(request, output), .help = "the file to write; its ending must match the format",
    .also = "--output", .ask = "-o needs the name of a file" },
  OPTION_SET(request, "parameters other than the model's: --set 'fc=2 N'"),
  { "--float32", NULL, OPTION_SWITCH, IN(request, bridge.single),
    .help = "single precision; without it double (c99) or both (library)" },
  { "--sample-time", "T", OPTION_QUANTITY, IN(request, bridge.sample_time), .unit = "s", .range = "a time above zero",
    .help = "a fixed length of all steps, '1 ms'; given with each step by default (c99)" },
  { "--compensate", NULL, OPTION_SWITCH, IN(request, bridge.compensate),
    .help = "also a feed-forward that compensates friction along a planned motion (c99)" },
  { "--shape", "element|body|servo", OPTION_TEXT, IN(request, bridge.shape), .usual = "element",
    .help = "contents of an FMU: the contact alone, a body on it, or a body with a controller" },
  { "--load", "N", OPTION_QUANTITY, IN(request, bridge.load), .unit = "N", .range = "a load above zero",
    .help = "the usual normal load, for parameters that are coefficients or levels" },
  { "--data", "LOG.csv", OPTION_FILE, IN(request, bridge.data),
    .help = "a motion with the columns t and v: formats that hold only a few numbers also report their force error "
            "along it" },
  OPTION_JSON(request, "what was written and what was lost, as JSON"),
  OPTIONS_END
};

static const option details[] = {
  GROUP("formats"),
  { "c99", NULL, OPTION_SWITCH, 0,
    .help = "one self-contained C99 file for firmware, with its header and test vectors; licence MIT-0" },
  { "library", NULL, OPTION_SWITCH, 0,
    .help = "chosen laws as one bristle.c and its header, with the library's names and bits: MODEL is a list, "
            "coulomb,dahl,lugre, or all; licence MIT-0" },
  { "fmu2, fmu3", NULL, OPTION_SWITCH, 0,
    .help = "a functional mock-up unit, FMI 2.0 or 3.0: Model Exchange and Co-Simulation, a binary for this machine "
            "(by its "
            "compiler), sources, units, exact directional derivatives, a reference result" },
  { "json, ssv", NULL, OPTION_SWITCH, 0,
    .help = "all parameters: with units for programs; as a parameter set for FMUs" },
  { "urdf, sdf, mujoco", NULL, OPTION_SWITCH, 0,
    .help = "friction level and damping of a joint, with a note of what they leave out" },
  { "isaac", NULL, OPTION_SWITCH, 0, .help = "the same with a static level, for PhysX and Isaac" },
  { "modelica", NULL, OPTION_SWITCH, 0,
    .help = "friction of the Modelica Standard Library with the steady curve as a table" },
  OPTIONS_END
};

const verb verb_export = {
  .name = "export",
  .summary = "write a model for another tool: firmware, simulators",
  .about = "Writes a model for another tool. Lists what the target cannot represent.",
  .argument = { "MODEL", NULL, OPTION_LAW, IN(request, bridge.model),
                .help = "a model file, or the name of a law; names with commas between for --to library",
                .ask = "no model given: name a model file or a law", .noun = "model" },
  .options = options,
  .details = details,
  .examples = "bristle export lugre --to c99 --float32 --sample-time '1 ms' --compensate -o axis.c\n"
              "bristle export coulomb,dahl,lugre --to library -o bristle.c\n",
  .request = sizeof(request),
  .check = check,
  .run = run,
};
