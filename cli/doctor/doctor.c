/* bristle doctor: what this build is, where its files are, and whether it computes what it should. */
#include "common/cli.h"
#include "golden.h"

#include "bristle/api.h"
#include "bristle/bristle.h"
#include "platform/platform.h"

#include <stdarg.h>

typedef struct request {
  int json;
} request;

/* ---- what this build is ---- */

static const char *instructions(void)
{
#if defined(BRISTLE_WITH_DISPATCH) && defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
    return "AVX-512, chosen for this processor";
  if (__builtin_cpu_supports("avx2")) return "AVX2, chosen for this processor";
  return "the baseline, chosen for this processor";
#else
  return "those of the build; batches do not choose";
#endif
}

static const char *compiler(void)
{
#if defined(__clang__)
  return "clang " __clang_version__;
#elif defined(__VERSION__)
  return "gcc " __VERSION__;
#else
  return "unknown";
#endif
}

static const char *optimised(void)
{
#ifdef __OPTIMIZE__
  return "optimised";
#else
  return "not optimised: slow";
#endif
}

/* parts that a build may lack, and what brings them */
typedef struct part {
  const char *name, *json, *missing;
  int there;
} part;

#ifdef BRISTLE_WITH_DERIVATIVES
enum { HAS_DERIVATIVES = 1 };
#else
enum { HAS_DERIVATIVES = 0 };
#endif
#ifdef BRISTLE_WITH_YAML
enum { HAS_YAML = 1 };
#else
enum { HAS_YAML = 0 };
#endif
#ifdef BRISTLE_WITH_THREADS
enum { HAS_THREADS = 1 };
#else
enum { HAS_THREADS = 0 };
#endif
#ifdef BRISTLE_WITH_MATIO
enum { HAS_MATIO = 1 };
#else
enum { HAS_MATIO = 0 };
#endif
#ifdef BRISTLE_WITH_CVODE
enum { HAS_CVODE = 1 };
#else
enum { HAS_CVODE = 0 };
#endif

enum { PARTS = 5 };
static void find_parts(part out[PARTS])
{
  const part list[PARTS] = {
    { "YAML files (libyaml)", "yaml", "build with BRISTLE_YAML and libyaml-dev", HAS_YAML },
    { "derivatives", "derivatives", "build with BRISTLE_DERIVATIVES", HAS_DERIVATIVES },
    { "threads", "threads", "build with BRISTLE_THREADS", HAS_THREADS },
    { "MAT-files of version 7.3 (libmatio)", "mat", "install libmatio-dev and build again, or save with -v7",
      HAS_MATIO },
    { "CVODE as another solver", "cvode", "install libsundials-dev and build again", HAS_CVODE },
  };
  memcpy(out, list, sizeof list);
}

/* ---- does it compute what it should? ---- */

enum { CHECKS = 5, ROOM = 160 };
typedef struct finding {
  int fine;
  char text[ROOM];
} finding;

static void note(finding *out, int fine, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void note(finding *out, int fine, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  vsnprintf(out->text, sizeof out->text, format, list);
  va_end(list);
  out->fine = fine;
}

static void check_tables(finding *out)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    double p[BRISTLE_LAW_SIZE];
    bristle_defaults(law->f64->info, p);
    if (bristle_check(law->f64, p, NULL) == BRISTLE_STATUS_OK) continue;
    note(out, 0, "%s does not accept its own default parameters", law->name);
    return;
  }
  note(out, 1, "%d laws accept their own default parameters", bristle_law_count());
}

static void check_bits(finding *out)
{
  const golden_result bits = golden_compare();
  if (bits.different)
    note(out, 0,
         "%d laws do not give the golden bits, the first of them %s: build without -ffast-math and FMA contraction",
         bits.different, bits.first);
  else
    note(out, bits.equal > 0, "%d golden bits of laws in two precisions%s", bits.equal,
         bits.unknown ? "; some laws are not in the list" : "");
}

/* a body at half of the level for ten seconds: laws that promise to stick must hold it */
static void check_rest(finding *out)
{
  int laws = 0;
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    const bristle_info *info = law->f64->info;
    double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 }, v = 0, way = 0;
    bristle_defaults(info, p);
    const double load = 0.5 * bristle_role_value(info, p, BRISTLE_ROLE_LEVEL, 0);
    if (!(info->traits & BRISTLE_TRAIT_SET_VALUED) || !(load > 0)) continue;
    for (int step = 0; step < 10000; step++) {
      const bristle_input in = { .v = v + 1e-3 * load, .x = way, .n = 1, .f = load, .w = 1e-3, .h = 1e-3 };
      law->f64->step(p, s, &in, &v);
      way += 1e-3 * v;
    }
    if (way != 0) {
      note(out, 0, "%s does not hold half of its level: it moved %g m", law->name, way);
      return;
    }
    laws++;
  }
  note(out, laws > 0, "%d laws that rest exactly hold half of their level for 10 s", laws);
}

static void check_reader(finding *out)
{
  static const char written[] = "mass: 2 kg\n";
  bristle_document *document = NULL;
  bristle_fault fault = { 0 };
  double mass = 0;
  if (!HAS_YAML) {
    note(out, 1, "no reader of YAML files in this build");
    return;
  }
  if (!bristle_document_parse("doctor", written, sizeof written - 1, &document, &fault)) {
    const bristle_node *node = bristle_node_find(bristle_document_root(document), "mass");
    if (node) bristle_node_number(node, "kg", &mass, NULL, &fault);
  }
  bristle_document_free(document);
  note(out, mass == 2,
       mass == 2 ? "a value with its unit is read from YAML" : "a value with its unit is not read from YAML");
}

static void check_folder(finding *out)
{
  const int writable = platform_can_write(".");
  note(out, 1,
       writable ? "this folder can be written"
                : "this folder cannot be written: results need -o FOLDER/FILE elsewhere");
}

/* ---- the answer ---- */

static void print_for_people(const part *parts, const finding *findings)
{
  printf("bristle %s\n  built by      %s, %s\n  instructions  %s\n", bristle_version(), compiler(), optimised(),
         instructions());
  printf("  processors    %d\n", platform_processors());
  for (int i = 0; i < PARTS; i++) {
    printf("  %-13s %s", i ? "" : "parts", parts[i].name);
    if (parts[i].there) puts("");
    else printf(": missing; %s\n", parts[i].missing);
  }
  static const char *const names[] = { "examples", "documents" };
  for (int kind = PLACE_EXAMPLES; kind <= PLACE_DOCUMENTS; kind++) {
    char *place = find_place((place_kind)kind);
    printf("  %-13s %s\n", names[kind], place ? place : "not found beside this tool");
    free(place);
  }
  puts("self-test");
  for (int i = 0; i < CHECKS; i++) printf("  %-13s %s\n", findings[i].fine ? "ok" : "WRONG", findings[i].text);
}

static void print_for_machines(const part *parts, const finding *findings, int healthy)
{
  bristle_json_print(stdout, "{\n  'version': %s,\n  'compiler': %s,\n  'instructions': %s,\n", bristle_version(),
                     compiler(), instructions());
  printf("  \"processors\": %d,\n", platform_processors());
  fputs("  \"parts\": {", stdout);
  for (int i = 0; i < PARTS; i++)
    printf("%s\"%s\": %s", i ? ", " : "", parts[i].json, parts[i].there ? "true" : "false");
  fputs("},\n", stdout);
  static const char *const names[] = { "examples", "documents" };
  for (int kind = PLACE_EXAMPLES; kind <= PLACE_DOCUMENTS; kind++) {
    char *place = find_place((place_kind)kind);
    printf("  \"%s\": ", names[kind]);
    bristle_json_print(stdout, "%s,\n", place ? place : "");
    free(place);
  }
  fputs("  \"checks\": [", stdout);
  for (int i = 0; i < CHECKS; i++) {
    printf("%s\n    {\"fine\": %s, ", i ? "," : "", findings[i].fine ? "true" : "false");
    bristle_json_print(stdout, "'text': %s}", findings[i].text);
  }
  printf("\n  ],\n  \"healthy\": %s\n}\n", healthy ? "true" : "false");
}

static int run(void *asked)
{
  const request *q = asked;
  part parts[PARTS];
  finding findings[CHECKS];
  int healthy = 1;
  find_parts(parts);
  check_tables(&findings[0]);
  check_bits(&findings[1]);
  check_rest(&findings[2]);
  check_reader(&findings[3]);
  check_folder(&findings[4]);
  for (int i = 0; i < CHECKS; i++) healthy &= findings[i].fine;
  if (q->json) print_for_machines(parts, findings, healthy);
  else print_for_people(parts, findings);
  const int code = finish_output(stdout);
  if (code) return code;
  return healthy ? DONE
                 : failure(FAILED,
                           "this build does not compute what it should; build it again, or report the output above");
}

static const option options[] = { OPTION_JSON(request, "full result as JSON"), OPTIONS_END };

const verb verb_doctor = {
  .name = "doctor",
  .summary = "check this build: its parts, its files, its numbers",
  .about =
      "Says which parts this build has, where its examples and documents are, and tests itself: every law must give "
      "the bits that it gives on every other machine. The exit code is 1 where something is wrong.",
  .options = options,
  .examples = "bristle doctor\nbristle doctor --json\n",
  .request = sizeof(request),
  .run = run,
};
