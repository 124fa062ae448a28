/* A small test harness: tests register themselves, checks print both numbers, the last line counts. */
#ifndef TEST_H
#define TEST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void test_add(const char *file, const char *name, void (*run)(void));
void test_fail(const char *file, int line, const char *format, ...) __attribute__((format(printf, 3, 4)));
void test_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Are long tests wanted? make test ALL=1 says so. */
int test_is_long(void);
/* How many cases of a test to run, or how wide a stride to take over them: all with ALL=1, a sample otherwise. */
int test_share(int full, int quick);
/* Is `actual` the printed decimal number, within half a unit of its last digit? */
int test_matches_printed(double actual, const char *printed);

/* TEST(property_in_words) { ... } */
#define TEST(name) TEST_NAMED(name)
#define TEST_NAMED(name)                                                                             \
  static void name(void);                                                                            \
  __attribute__((constructor)) static void register_##name(void) { test_add(__FILE__, #name, name); } \
  static void name(void)

#define CHECK(condition, format, ...)                                                                \
  do {                                                                                               \
    if (!(condition)) test_fail(__FILE__, __LINE__, "%s: " format, #condition, ##__VA_ARGS__);       \
  } while (0)

#define CHECK_ABS(actual, expected, tolerance)                                                       \
  do {                                                                                               \
    double a_ = (actual), e_ = (expected);                                                           \
    if (!(fabs(a_ - e_) <= (tolerance)))                                                             \
      test_fail(__FILE__, __LINE__, "%s = %.17g, expected %.17g +- %g", #actual, a_, e_, (double)(tolerance)); \
  } while (0)

/* relative to the expected value */
#define CHECK_NEAR(actual, expected, tolerance) CHECK_ABS(actual, expected, fabs((double)(expected)) * (tolerance))

/* CHECK_PRINTED(x, "1.43242"): all digits printed in a paper or table */
#define CHECK_PRINTED(actual, printed)                                                               \
  do {                                                                                               \
    double a_ = (actual);                                                                            \
    if (!test_matches_printed(a_, printed)) test_fail(__FILE__, __LINE__, "%s = %.12g, printed %s", #actual, a_, printed); \
  } while (0)

#endif
