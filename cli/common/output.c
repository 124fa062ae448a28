/* Arguments, messages and JSON, shared by the verbs. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>

int usage_error(const char *verb_name, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fprintf(stderr, "bristle %s: ", verb_name);
  vfprintf(stderr, format, args);
  fprintf(stderr, "\n`bristle %s --help` shows how to use it.\n", verb_name);
  va_end(args);
  return USAGE;
}

int unknown_option(const verb *v, const char *argument)
{
  const size_t length = strlen(argument);
  int known = !strcmp(argument, "--output");
  for (const char *at = v->help; (at = strstr(at, argument)); at += length)
    known |= strchr(" ,\n", at[length]) != NULL && strchr(" [\n", at[-1]) != NULL;
  return usage_error(v->name, known ? "'%s' needs a value" : "'%s' is not an option of this verb", argument);
}

int is_flag(const char *argument, const char *flag) { return !strcmp(argument, flag); }

const char *flag_value(int argc, char **argv, int *i, const char *flag)
{
  size_t length = strlen(flag);
  /* the next option is no value: `--report --json` would write a file named --json */
  if (!strcmp(argv[*i], flag) && *i + 1 < argc && strncmp(argv[*i + 1], "--", 2)) return argv[++*i];
  if (!strncmp(argv[*i], flag, length) && argv[*i][length] == '=') return argv[*i] + length + 1;
  return NULL;
}

int reserve_output(const char *verb_name, const char *path, bristle_output_kind kind)
{
  bristle_fault fault;
  char text[1000];
  if (path && kind == BRISTLE_OUTPUT_PAGE && !strcmp(path, "-"))
    return usage_error(verb_name, "--report needs the name of a file");
  if (!bristle_output_reserve(path, kind, &fault)) return DONE;
  bristle_fault_text(&fault, text, sizeof text);
  fprintf(stderr, "bristle %s: %s\n", verb_name, text);
  return FAILED;
}

int finish_output(FILE *out, const char *verb_name)
{
  if (fflush(out) == 0 && !ferror(out)) return DONE;
  fprintf(stderr, "bristle %s: the output could not be written (%s); is the disk full?\n", verb_name, strerror(errno));
  return FAILED;
}

void json_string(FILE *out, const char *text)
{
  putc('"', out);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c == '\n') fputs("\\n", out);
    else if (c < 0x20) fprintf(out, "\\u%04x", c);
    else putc(c, out);
  }
  putc('"', out);
}

void json_number(FILE *out, double value)
{
  char text[40];
  if (!isfinite(value)) { /* JSON has no infinities */
    fputs("null", out);
    return;
  }
  bristle_number_text(value, text, sizeof text);
  fputs(text, out);
}

const trait_name trait_names[] = {
  { BRISTLE_ODD, "odd", "the same in both directions" },
  { BRISTLE_STICKS, "sticks", "holds a load without creep" },
  { BRISTLE_RATE_FREE, "rate-free", "depends on the path, not on the speed" },
  { BRISTLE_STEADY, "steady", "has a steady force for every speed" },
  { BRISTLE_ENERGY, "energy", "stores a known energy" },
  { BRISTLE_PASSIVE, "passive", "never returns more than it stored" },
  { BRISTLE_SET_VALUED, "set-valued", "rests exactly" },
  { BRISTLE_SMOOTH, "smooth", "a plain differential equation between reversals" },
  { BRISTLE_ACCELERATION, "acceleration", "needs to know whether the motion speeds up or slows down" },
  { BRISTLE_AFFINE, "affine", "for given motion its state goes by affine maps" },
};
const char *family_name(const bristle_info *info)
{
  for (int r = 0; r < info->state_rows; r++)
    if (info->state[r].kind == BRISTLE_FLOW) return "dynamic";
  return "static";
}

const int trait_name_count = sizeof trait_names / sizeof *trait_names;
