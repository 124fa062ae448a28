/* Functional mock-up units, FMI 2.0 and 3.0: Model Exchange and Co-Simulation in one, with sources and, where there is
 * a compiler, a binary for this machine. */
#include "fmi/fmi.h"

#include "platform/platform.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char licence[] =
    "MIT No Attribution\n\nPermission is hereby granted, free of charge, to any person obtaining a copy of this "
    "software and"
    " associated\ndocumentation files (the \"Software\"), to deal in the Software without restriction, including "
    "without"
    " limitation\nthe rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the "
    "Software,"
    " and\nto permit persons to whom the Software is furnished to do so.\n\nTHE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT"
    " WARRANTY OF ANY KIND, EXPRESS OR IMPLIED.\n";
/* FMI-LS-REF: which files beside the unit are what; the first of %s is the name of the unit */
static const char manifest_form[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiReferences "
    "xmlns:fmi-ls=\"http://fmi-standard.org/fmi-ls-manifest\""
    " fmi-ls:fmi-ls-name=\"org.fmi-standard.fmi-ls-ref\" fmi-ls:fmi-ls-version=\"1.0.0-alpha.1\""
    " fmi-ls:fmi-ls-description=\"Layered Standard providing information on related files included in an FMU.\">\n"
    "  <Related type=\"application/x-ma-ls-experiments\" source=\"%s.exp\" role=\"experiment/smoke-test\" "
    "description=\"A swing "
    "of growing amplitude\"/>\n"
    "  <Related type=\"text/csv\" source=\"%s_in.csv\" role=\"other\" description=\"Inputs over the time\"/>\n"
    "  <Related type=\"text/csv\" source=\"%s_out.csv\" role=\"result\" description=\"Outputs of Co-Simulation in "
    "steps of 10 us"
    "\"/>\n</fmiReferences>\n";
static const char experiment_form[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Experiments name=\"%s\">\n"
    "  <Experiment name=\"swing\" description=\"A swing of growing amplitude; the result is that of steps of 10 us\">\n"
    "    <TransientSimulation startTime=\"0\" stopTime=\"0.5\" stepSize=\"1e-5\"/>\n"
    "    <Stimuli source=\"%s_in.csv\"/>\n    <References source=\"%s_out.csv\"/>\n  </Experiment>\n</Experiments>\n";

static double first_of(const fmi_unit *u, const bristle_role *roles, int count, double otherwise)
{
  for (int i = 0; i < count; i++) {
    const bristle_row *row = bristle_param_role(u->info, roles[i]);
    if (row && u->q->friction->p[row->first] > 0) return u->q->friction->p[row->first];
  }
  return otherwise;
}

static void find_scales(fmi_unit *u)
{
  static const bristle_role speeds[] = { BRISTLE_ROLE_STRIBECK_SPEED, BRISTLE_ROLE_SMOOTHING_SPEED };
  static const bristle_role forces[] = { BRISTLE_ROLE_STATIC_LEVEL, BRISTLE_ROLE_LEVEL };
  static const bristle_role stiffness[] = { BRISTLE_ROLE_STIFFNESS };
  u->speed_scale = first_of(u, speeds, 2, 1e-3);
  u->force_scale = first_of(u, forces, 2, 1);
  if (u->q->friction->load != BRISTLE_LOAD_FORCE && u->q->load > 0) u->force_scale *= u->q->load;
  u->length_scale = 100 * u->force_scale / first_of(u, stiffness, 1, 1e5 * u->force_scale);
}

/* the same model gives the same token */
static void make_token(fmi_unit *u, const char *source)
{
  uint64_t h[2] = { 0xcbf29ce484222325u, 0x84222325cbf29ce4u };
  for (const char *c = source; *c; c++)
    for (int k = 0; k < 2; k++) h[k] = (h[k] ^ (unsigned char)*c) * (k ? 0x100000001b3u : 0x10000000233u);
  snprintf(u->token, sizeof u->token, "{%08x-%04x-%04x-%04x-%012llx}", (unsigned)(h[0] >> 32),
           (unsigned)(h[0] >> 16) & 0xffffu, (unsigned)h[0] & 0xffffu, (unsigned)(h[1] >> 48),
           (unsigned long long)(h[1] & 0xffffffffffffu));
}

static bristle_fault_kind find_shape(fmi_unit *u, bristle_fault *fault)
{
  static const char *const shapes[] = { "element", "body", "servo" };
  u->shape = FMI_ELEMENT;
  for (int i = 0; i < 3 && u->q->shape; i++)
    if (!strcmp(u->q->shape, shapes[i])) u->shape = (fmi_shape)i;
  if (!u->q->shape || !strcmp(u->q->shape, shapes[u->shape])) return BRISTLE_FAULT_NONE;
  return bridge_fault(fault, BRISTLE_FAULT_VALUE, "take element, body or servo", "there is no shape '%s'", u->q->shape);
}

/* how much friction rises from just below the speed of a row to just above it */
static double jump_at(const bristle_friction *f, const bristle_row *row)
{
  double force[2];
  for (int side = 0; side < 2; side++) {
    const bristle_input in = { .v = f->p[row->first] * (side ? 1 + 1e-9 : 1 - 1e-9), .n = 1, .load = f->load };
    force[side] = f->law->f64->steady(f->p, &in);
  }
  const double jump = force[1] - force[0];
  return jump * jump > 1e-12 * force[1] * force[1] ? jump : 0;
}

/* A force that jumps at a speed makes solvers of differential equations chatter there: it needs an event. Laws that
   really stick have theirs. */
static void find_jump(fmi_unit *u)
{
  u->jump = -1;
  for (int k = 0; k < u->info->param_rows && !(u->info->traits & BRISTLE_TRAIT_SET_VALUED); k++) {
    const bristle_row *row = &u->info->param[k];
    if (strcmp(row->unit, "m/s") || row->count > 1 || !(jump_at(u->q->friction, row) > 0)) continue;
    u->jump = row->first;
  }
}

static void tell_jump(const fmi_unit *u, bridge_result *r)
{
  for (int k = 0; k < u->info->param_rows && u->jump >= 0; k++) {
    const bristle_row *row = &u->info->param[k];
    if (row->first != u->jump) continue;
    bridge_note(r, "friction jumps by %.3g at %s: %s", jump_at(u->q->friction, row), row->name,
                u->shape == FMI_ELEMENT ? "its host must look for that speed; --shape body does"
                                        : "a body whose load lies in that gap stays at this speed");
  }
}

/* what an importer must know */
static void tell(const fmi_unit *u, bridge_result *r, const char *why, int binary)
{
  if (!binary)
    bridge_note(
        r, "a source FMU without a binary (%s): compile it on the machine that runs it, `fmpy compile` for example",
        why);
  if (u->shape == FMI_ELEMENT && u->info->traits & BRISTLE_TRAIT_SET_VALUED)
    bridge_lost(r, "an element cannot stick by itself: at v = 0 its force is the input f, limited; take --shape body "
                   "for true stick");
  if (u->shape == FMI_ELEMENT)
    bridge_note(r, "in co-simulation v is constant over a communication step; errors are of first order in it");
  if (fmi_remembers(u))
    bridge_note(r, "flags and memories of %s change at events: in Model Exchange they follow the solver's steps",
                u->info->name);
  tell_jump(u, r);
  if (u->q->friction->beside[0]) bridge_lost(r, "because it is not friction: %s", u->q->friction->beside);
}

/* The library is made by a compiler of this machine. FMI 2 knows systems, FMI 3 processors too. */
#if defined __aarch64__ || defined _M_ARM64
#define PROCESSOR "aarch64"
#elif defined __s390x__
#define PROCESSOR "s390x" /* the standard has no name for it */
#else
#define PROCESSOR "x86_64"
#endif
static void name_binary(const fmi_unit *u, char *path, size_t room)
{
  const char *ending = platform_library_ending, *system = "linux", *older = "linux64";
  if (!strcmp(ending, ".dll")) system = "windows", older = "win64";
#ifdef __APPLE__
  ending = ".dylib", system = "darwin", older = "darwin64";
#endif
  if (u->version == 3) snprintf(path, room, "binaries/" PROCESSOR "-%s/%s%s", system, u->name, ending);
  else snprintf(path, room, "binaries/%s/%s%s", older, u->name, ending);
}

static bristle_fault_kind pack(const fmi_unit *u, char *source, bridge_result *r, bristle_fault *fault)
{
  char *inputs, *outputs, *slopes = fmi_slopes(u), *description = fmi_description(u), *page = fmi_page(u);
  char *build = fmi_build_description(u), why[200], binary_path[120], in_path[160], out_path[160], manifest[1200];
  char experiment[900], experiment_path[160];
  size_t binary_size = 0, size = 0;
  fmi_reference(u, &inputs, &outputs);
  char *binary = source && slopes ? fmi_compile(source, slopes, &binary_size, why, sizeof why) : NULL;
  name_binary(u, binary_path, sizeof binary_path);
  snprintf(in_path, sizeof in_path, "extra/org.fmi-standard.fmi-ls-ref/%s_in.csv", u->name);
  snprintf(out_path, sizeof out_path, "extra/org.fmi-standard.fmi-ls-ref/%s_out.csv", u->name);
  snprintf(experiment_path, sizeof experiment_path, "extra/org.fmi-standard.fmi-ls-ref/%s.exp", u->name);
  snprintf(manifest, sizeof manifest, manifest_form, u->name, u->name, u->name);
  snprintf(experiment, sizeof experiment, experiment_form, u->name, u->name, u->name);
  const char *const texts[] = {
    description, source, slopes, page, licence, manifest, inputs, outputs, experiment, build
  };
  const char *const paths[] = { "modelDescription.xml",
                                "sources/fmu.c",
                                "sources/slopes.cpp",
                                "documentation/index.html",
                                u->version == 3 ? "documentation/licenses/license.txt" : "documentation/license.txt",
                                "extra/org.fmi-standard.fmi-ls-ref/fmi-ls-manifest.xml",
                                in_path,
                                out_path,
                                experiment_path,
                                "sources/buildDescription.xml" };
  fmi_entry entry[11];
  int count = 0, complete = 1;
  for (int i = 0; i < (u->version == 3 ? 10 : 9); i++) {
    complete &= texts[i] != NULL;
    entry[count++] = (fmi_entry){ paths[i], texts[i], texts[i] ? strlen(texts[i]) : 0 };
  }
  if (binary) entry[count++] = (fmi_entry){ binary_path, binary, binary_size };
  bridge_file file = { .text = complete ? fmi_archive(entry, count, &size) : NULL, .size = size };
  file.size = size;
  snprintf(file.path, sizeof file.path, "%s", u->q->output);
  const bristle_fault_kind kind = complete && !size ? bridge_fault(fault, BRISTLE_FAULT_VALUE, NULL,
                                                                   "the FMU would be larger than 4 GB")
                                                    : bridge_write(&file, 1, BRISTLE_OUTPUT_ARCHIVE, r, fault);
  tell(u, r, why, binary != NULL);
  char *const made[] = { inputs, outputs, slopes, description, page, build, binary, file.text };
  for (size_t i = 0; i < sizeof made / sizeof *made; i++) free(made[i]);
  return kind;
}

static bristle_fault_kind write_fmu(const bridge_request *q, int version, bridge_result *r, bristle_fault *fault)
{
  fmi_unit *u = calloc(1, sizeof *u);
  if (!u) return bridge_fault(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  u->q = q, u->version = version, u->info = q->friction->info;
  bridge_identifier(q->output, u->name);
  bristle_fault_kind kind = find_shape(u, fault);
  if (!kind) kind = bridge_law_text(q, &u->text, fault);
  if (!kind) {
    find_scales(u);
    find_jump(u);
    fmi_list_variables(u);
    char *draft = fmi_source(u); /* the token is that of the text without it */
    if (draft) make_token(u, draft);
    free(draft);
    char *source = fmi_source(u);
    kind = pack(u, source, r, fault);
    free(source);
  }
  free(u);
  return kind;
}

static bristle_fault_kind write_fmu2(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  return write_fmu(q, 2, r, fault);
}

static bristle_fault_kind write_fmu3(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  return write_fmu(q, 3, r, fault);
}

const bridge_format format_fmu2 = { "fmu2", "FMI 2.0: Model Exchange and Co-Simulation", ".fmu",
                                    BRIDGE_SHAPE | BRIDGE_LOAD, write_fmu2 };
const bridge_format format_fmu3 = { "fmu3", "FMI 3.0: Model Exchange and Co-Simulation", ".fmu",
                                    BRIDGE_SHAPE | BRIDGE_LOAD, write_fmu3 };
