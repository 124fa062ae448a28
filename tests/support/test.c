/* The harness behind test.h, with a filter: `tests lugre` runs the tests whose file or name contains "lugre". */
#include "support/test.h"

#include <stdarg.h>

typedef struct test {
  const char *file, *name;
  void (*run)(void);
} test;

static test tests[1024];
static int count, failures, skipped;
static int this_failed, this_skipped;

void test_add(const char *file, const char *name, void (*run)(void))
{
  if (count == (int)(sizeof tests / sizeof *tests)) {
    puts("too many tests: enlarge the list in tests/support/test.c");
    exit(1);
  }
  tests[count++] = (test){ file, name, run };
}

void test_fail(const char *file, int line, const char *format, ...)
{
  const char *base = strrchr(file, '/');
  if (++this_failed > 10) return; /* one broken property can fail a thousand samples */
  printf("  FAIL %s:%d ", base ? base + 1 : file, line);
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
}

void test_skip(const char *format, ...)
{
  this_skipped = 1;
  printf("  SKIP ");
  va_list args;
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  putchar('\n');
}

int test_is_long(void)
{
  const char *all = getenv("ALL");
  return all && *all;
}

int test_matches_printed(double actual, const char *printed)
{
  double unit = 1;
  const char *point = strchr(printed, '.'), *exponent = strpbrk(printed, "eE");
  const char *end = exponent ? exponent : printed + strlen(printed);
  if (point)
    for (const char *c = point + 1; c < end; c++) unit /= 10;
  if (exponent) unit *= pow(10, atof(exponent + 1));
  return fabs(actual - atof(printed)) <= 0.5000001 * unit;
}

static int by_file(const void *a, const void *b)
{
  const test *x = a, *y = b;
  int order = strcmp(x->file, y->file);
  return order ? order : strcmp(x->name, y->name);
}

int main(int argc, char **argv)
{
  int passed = 0;
  setvbuf(stdout, NULL, _IOLBF, 0);
  qsort(tests, (size_t)count, sizeof *tests, by_file);
  for (int i = 0; i < count; i++) {
    const test *t = &tests[i];
    if (argc > 1 && !strstr(t->file, argv[1]) && !strstr(t->name, argv[1])) continue;
    this_failed = this_skipped = 0;
    t->run();
    printf("%s %s\n", this_failed ? "FAILED" : this_skipped ? "skipped" : "ok", t->name);
    if (this_failed) failures++;
    else if (this_skipped) skipped++;
    else passed++;
  }
  printf("%d passed, %d failed, %d skipped\n", passed, failures, skipped);
  return failures != 0 || passed + skipped == 0;
}
