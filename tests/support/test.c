/* The harness behind test.h. `tests lugre` runs the tests whose file or name contains "lugre", `tests --jobs 4` runs
 * them in four processes, and the last lines tell which took most of the processor's time. */
#if defined(__unix__) && !defined(__wasi__)
#define HAS_PROCESSES 1
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#endif
#include "support/test.h"

#include <stdarg.h>
#include <time.h>

enum { MOST_TESTS = 1024, MOST_JOBS = 64, SLOWEST = 12 };

typedef struct test {
  const char *file, *name;
  void (*run)(void);
} test;

/* what became of a test; shared by all processes */
typedef struct outcome {
  enum { NOT_RUN, RUNNING, PASSED, FAILED, SKIPPED } what;
  double seconds;
} outcome;
typedef struct board {
  int next; /* the test that nobody has taken yet */
  outcome of[MOST_TESTS];
} board;

static test tests[MOST_TESTS];
static int count;
static int this_failed, this_skipped;

void test_add(const char *file, const char *name, void (*run)(void))
{
  if (count == MOST_TESTS) {
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

int test_share(int full, int quick) { return test_is_long() ? full : quick; }

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

/* ---- running ---- */

static void run_test(const test *t, outcome *o)
{
  const clock_t begin = clock();
  this_failed = this_skipped = 0;
  o->what = RUNNING;
  t->run();
  o->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  o->what = this_failed ? FAILED : this_skipped ? SKIPPED : PASSED;
  printf("%s %s\n", this_failed ? "FAILED" : this_skipped ? "skipped" : "ok", t->name);
}

/* the next test that nobody has taken, or none */
static int take_test(board *b) { return __atomic_fetch_add(&b->next, 1, __ATOMIC_RELAXED); }

static void run_all(board *b)
{
  for (int i; (i = take_test(b)) < count;) run_test(&tests[i], &b->of[i]);
}

#ifdef HAS_PROCESSES
/* Each test in a process of its own: it finds static numbers as they were written, whatever ran before, and one that
 * crashes fails alone. */
static void run_apart(board *b)
{
  for (int i, status = 0; (i = take_test(b)) < count;) {
    fflush(stdout);
    const pid_t process = fork();
    if (process == 0) {
      run_test(&tests[i], &b->of[i]);
      fflush(stdout);
      exit(0); /* sanitizers look for leaks here */
    }
    if (process > 0 && waitpid(process, &status, 0) == process && !status) continue;
    b->of[i].what = FAILED;
    printf("  FAIL the process ended with status %d\nFAILED %s\n", status, tests[i].name);
  }
}

/* what a lane printed */
static void collect(pid_t lane, FILE *said)
{
  char line[4096];
  waitpid(lane, NULL, 0);
  rewind(said);
  while (fgets(line, sizeof line, said)) fputs(line, stdout);
  fclose(said);
}

static void run_side_by_side(board *b, int jobs)
{
  FILE *said[MOST_JOBS];
  pid_t lane[MOST_JOBS];
  fflush(stdout);
  for (int j = 0; j < jobs; j++) {
    said[j] = tmpfile();
    lane[j] = said[j] ? fork() : -1;
    if (lane[j] < 0) {
      puts("a process for the tests cannot be started");
      exit(1);
    }
    if (lane[j] == 0) {
      dup2(fileno(said[j]), STDOUT_FILENO);
      run_apart(b);
      fflush(stdout);
      _exit(0);
    }
  }
  for (int j = 0; j < jobs; j++) collect(lane[j], said[j]);
}

static board *new_board(void)
{
  board *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return b == MAP_FAILED ? NULL : b;
}
#else
static void run_side_by_side(board *b, int jobs)
{
  (void)jobs;
  run_all(b);
}

static board *new_board(void) { return calloc(1, sizeof(board)); }
#endif

/* ---- the end ---- */

static void print_slowest(const board *b)
{
  int told[SLOWEST];
  for (int k = 0; k < SLOWEST; k++) {
    int slowest = -1;
    for (int i = 0; i < count; i++) {
      int again = b->of[i].seconds < 1;
      for (int j = 0; j < k; j++) again |= told[j] == i;
      if (!again && (slowest < 0 || b->of[i].seconds > b->of[slowest].seconds)) slowest = i;
    }
    if (slowest < 0) return;
    told[k] = slowest;
    printf("%6.1f s %s\n", b->of[slowest].seconds, tests[slowest].name);
  }
}

static int print_counts(const board *b)
{
  int of[SKIPPED + 1] = { 0 };
  for (int i = 0; i < count; i++) of[b->of[i].what]++;
  const int failed = of[FAILED] + of[NOT_RUN] + of[RUNNING];
  printf("%d passed, %d failed, %d skipped\n", of[PASSED], failed, of[SKIPPED]);
  return failed != 0 || count == 0;
}

static void keep_matching(const char *part)
{
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (strstr(tests[i].file, part) || strstr(tests[i].name, part)) tests[kept++] = tests[i];
  count = kept;
}

int main(int argc, char **argv)
{
  int jobs = 1;
  board *b = new_board();
  if (!b) return 1;
  setvbuf(stdout, NULL, _IOLBF, 0);
  qsort(tests, (size_t)count, sizeof *tests, by_file);
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--jobs") && i + 1 < argc) jobs = atoi(argv[++i]);
    else keep_matching(argv[i]);
  }
  jobs = jobs < 0 ? 0 : jobs < MOST_JOBS ? jobs : MOST_JOBS;
  if (jobs) run_side_by_side(b, jobs);
  else run_all(b);
  print_slowest(b);
  return print_counts(b);
}
