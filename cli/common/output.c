/* Arguments, messages and JSON, shared by the verbs. */
#include "cli.h"

#include "platform/platform.h"

#include <stdarg.h>

const char *running_verb = "";
void (*fault_words)(char *text, size_t size);

int shows_colours(FILE *out)
{
  const char *const none = getenv("NO_COLOR"), *const kind = getenv("TERM");
  return !(none && *none) && !(kind && !strcmp(kind, "dumb")) && platform_is_terminal(out)
         && platform_shows_symbols(out);
}

static void complain(const char *format, va_list args)
{
  const int red = shows_colours(stderr);
  fprintf(stderr, "%sbristle%s%s:%s ", red ? "\x1b[1;31m" : "", *running_verb ? " " : "", running_verb,
          red ? "\x1b[0m" : "");
  vfprintf(stderr, format, args);
  putc('\n', stderr);
}

int usage_error(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  complain(format, args);
  va_end(args);
  fprintf(stderr, "`bristle %s --help` shows how to use it.\n", running_verb);
  return USAGE;
}

int failure(int code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  complain(format, args);
  va_end(args);
  return code;
}

int no_memory(void) { return failure(FAILED, "not enough memory"); }

int stopped_exit(void) { return failure(STOPPED, "stopped; nothing was written"); }

int fault_exit(const bristle_fault *fault)
{
  char text[1000];
  bristle_fault_text(fault, text, sizeof text);
  if (fault_words) fault_words(text, sizeof text);
  if (fault->kind == BRISTLE_FAULT_REQUEST) return usage_error("%s", text);
  if (fault->kind == BRISTLE_FAULT_STOPPED) return stopped_exit();
  const int code = fault->kind == BRISTLE_FAULT_FILE     ? FILE_TROUBLE
                   : fault->kind == BRISTLE_FAULT_MEMORY ? FAILED
                                                         : BAD_DATA;
  return failure(code, "%s", text);
}

int check_law(const char *model)
{
  if (strpbrk(model, "./") || bristle_law_find(model)) return DONE;
  return usage_error("there is no law '%s'; did you mean '%s'?", model, bristle_law_nearest(model));
}

int reserve_output(const char *path, bristle_output_kind kind)
{
  bristle_fault fault;
  if (path && kind == BRISTLE_OUTPUT_PAGE && !strcmp(path, "-"))
    return usage_error("--report needs the name of a file");
  return bristle_output_reserve(path, kind, &fault) ? fault_exit(&fault) : DONE;
}

void tell_written(FILE *out, const char *path)
{
  if (path && strcmp(path, "-") != 0) fprintf(out, "wrote %s\n", path);
}

int finish_output(FILE *out)
{
  if (fflush(out) == 0 && !ferror(out)) return DONE;
  return failure(FILE_TROUBLE, "the output could not be written (%s); is the disk full?", strerror(errno));
}

int make_folder(const char *path)
{
  char part[4096];
  if (strlen(path) >= sizeof part) errno = ENAMETOOLONG;
  else {
    int made = 0;
    for (size_t i = 1; i <= strlen(path); i++) {
      if (path[i] && !platform_separates(path[i])) continue;
      memcpy(part, path, i);
      part[i] = '\0';
      made = platform_make_folder(part) == 0 || errno == EEXIST;
    }
    platform_about about;
    if (made && platform_look(path, &about) == 0 && about.kind == PLATFORM_FOLDER) return DONE;
    if (made) errno = ENOTDIR;
  }
  return failure(FILE_TROUBLE, "%s: the folder cannot be made (%s)", path, strerror(errno));
}

int finish_page(bristle_report *page, const char *path)
{
  bristle_fault fault;
  const bristle_fault_kind kind = bristle_report_write(page, path, &fault);
  bristle_report_free(page);
  return kind ? fault_exit(&fault) : DONE;
}

const trait_name trait_names[] = {
  { BRISTLE_TRAIT_ODD, "odd", "the same in both directions" },
  { BRISTLE_TRAIT_STICKS, "sticks", "holds a load without creep" },
  { BRISTLE_TRAIT_RATE_FREE, "rate-free", "depends on the path, not on the speed" },
  { BRISTLE_TRAIT_STEADY, "steady", "has a steady force for every speed" },
  { BRISTLE_TRAIT_ENERGY, "energy", "stores a known energy" },
  { BRISTLE_TRAIT_PASSIVE, "passive", "never returns more than it stored" },
  { BRISTLE_TRAIT_SET_VALUED, "set-valued", "rests exactly" },
  { BRISTLE_TRAIT_SMOOTH, "smooth", "a plain differential equation between reversals" },
  { BRISTLE_TRAIT_ACCELERATION, "acceleration", "needs to know whether the motion is accelerating or decelerating" },
  { BRISTLE_TRAIT_AFFINE, "affine", "for prescribed motion its state update is an affine map" },
  { BRISTLE_TRAIT_ONE_LEVEL, "one-level", "cannot follow a varying load that changes its level" },
};
const char *family_name(const bristle_info *info)
{
  for (int r = 0; r < info->state_rows; r++)
    if (info->state[r].kind == BRISTLE_ROW_FLOW) return "dynamic";
  return "static";
}

const int trait_name_count = sizeof trait_names / sizeof *trait_names;
