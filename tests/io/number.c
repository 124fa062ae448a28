#include "lab/io.h"
#include "bristle/text.h"
#include "support/test.h"

#include <locale.h>
#include <stdint.h>
#include <time.h>

static uint64_t random_bits(uint64_t *state)
{
  *state ^= *state << 13, *state ^= *state >> 7, *state ^= *state << 17;
  return *state;
}

static double read_one(const char *text)
{
  double value = (double)NAN;
  bristle_number_read(text, strlen(text), '.', 0, &value);
  return value;
}

static int same_bits(double a, double b) { return !memcmp(&a, &b, sizeof a); }

TEST(random_doubles_survive_writing_and_reading)
{
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < test_share(200000, 50000); i++) {
    uint64_t bits = random_bits(&state);
    double value, back, human;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value)) continue;
    if (i % 2) value = ldexp((double)(int64_t)bits, (int)(bits % 80) - 120); /* numbers as people have them */
    char text[BRISTLE_NUMBER_SIZE], seventeen[40];
    int length = bristle_number_write(value, text);
    CHECK((size_t)length == strlen(text) && length < BRISTLE_NUMBER_SIZE, "%s", text);
    back = read_one(text);
    CHECK(same_bits(back, value), "%.17g was written as %s and read as %.17g", value, text, back);
    snprintf(seventeen, sizeof seventeen, "%.16e", value);
    human = read_one(seventeen);
    CHECK(same_bits(human, value), "%s was read as %.17g", seventeen, human);
  }
}

TEST(numbers_are_rounded_as_the_c_library_rounds_them)
{
  uint64_t state = 1234567;
  for (int i = 0; i < 200000; i++) {
    char text[64];
    int digits = 1 + (int)(random_bits(&state) % 30), used = 0, point = (int)(random_bits(&state) % 30);
    if (random_bits(&state) % 2) text[used++] = '-';
    for (int k = 0; k < digits; k++) {
      if (k == point) text[used++] = '.';
      text[used++] = (char)('0' + random_bits(&state) % 10);
    }
    if (i % 3)
      used += sprintf(text + used, "e%d", (int)(random_bits(&state) % (i % 5 ? 50 : 700)) - (i % 5 ? 25 : 350));
    text[used] = '\0';
    double expected = strtod(text, NULL), value = 1;
    int readable = bristle_number_read(text, (size_t)used, '.', 0, &value);
    CHECK(readable == isfinite(expected), "%s", text);
    CHECK(!readable || same_bits(value, expected), "%s gives %.17g, strtod %.17g", text, value, expected);
  }
}

/* halfway cases, the smallest, the largest, and the numbers around 2^53 where the quick ways end */
TEST(hard_numbers_are_rounded_correctly)
{
  static const char *const hard[] = {
    "9007199254740993",
    "9007199254740992.99999999999999999999999999999999",
    "9007199254740993.00000000000000000001",
    "2.2250738585072011e-308",
    "2.2250738585072012e-308",
    "4.9e-324",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "1.7976931348623157e308",
    "1.7976931348623158e308",
    "6631236846766476",
    "0.000000",
    "8.5e22",
    "9e22",
    "1e23",
    "123456789012345678901234567890",
    "3.0e-27",
    "18446744073709551615e-27",
    "18446744073709551616e-27",
    "9999999999999999999e27",
    "-0",
    "1e-400",
    "0e999999999999",
    "00000000000000000000000001",
  };
  for (size_t i = 0; i < sizeof hard / sizeof *hard; i++)
    CHECK(same_bits(read_one(hard[i]), strtod(hard[i], NULL)), "%s gives %.17g", hard[i], read_one(hard[i]));
  char huge[2001]; /* 1 followed by zeros and a 1 far beyond the last digit that counts */
  memset(huge, '0', 2000);
  huge[0] = '1', huge[1999] = '1', huge[2000] = '\0';
  CHECK(isnan(read_one(huge)), "10^1999 is no double");
  huge[1] = '.';
  CHECK(read_one(huge) == 1, "%.17g", read_one(huge));
  memcpy(huge, "1.00000000000000011102230246251565404236316680908203125", 55); /* halfway to the next, plus a bit */
  CHECK(read_one(huge) == 1 + 0x1p-52, "%.17g", read_one(huge));
}

TEST(only_whole_numbers_are_numbers)
{
  static const char *const bad[] = { "",      "-",     "+",   ".",   "e5",    "1e", "1e+", "1 2", "1,5", "0x10",
                                     "1.2.3", "1e5.5", "nan", "inf", "1e999", " 1", "1 ",  "--1", "1d5", "one" };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    double value = 7;
    CHECK(!bristle_number_read(bad[i], strlen(bad[i]), '.', 0, &value) && value == 7, "'%s' was accepted", bad[i]);
  }
  double value;
  CHECK(bristle_number_read("1,5", 3, ',', 0, &value) && value == 1.5, "decimal comma");
  CHECK(bristle_number_read(".5", 2, '.', 0, &value) && value == 0.5, "no digit before the point");
  CHECK(bristle_number_read("5.", 2, '.', 0, &value) && value == 5, "no digit after the point");
}

/* 0.1 mm is the double next to 0.0001, not 0.1 * 0.001 */
TEST(a_decimal_shift_costs_no_rounding)
{
  uint64_t state = 99;
  for (int i = 0; i < 20000; i++) {
    char plain[64], shifted[80];
    double value;
    int shift = (int)(random_bits(&state) % 25) - 12;
    int length = sprintf(plain, "%.*g", 1 + (int)(random_bits(&state) % 17), (double)random_bits(&state) * 1e-15);
    if (strchr(plain, 'e')) continue;
    sprintf(shifted, "%se%d", plain, shift);
    CHECK(bristle_number_read(plain, (size_t)length, '.', shift, &value) && value == strtod(shifted, NULL), "%s",
          shifted);
  }
}

TEST(the_fast_writer_writes_what_the_plain_one_writes)
{
  static const double values[] = {
    1,      10,      100,  1000,  12345, 100000,  120000, 0.1,    0.001, 0.0001, 1e-5,
    1.5e-7, 123.456, 1e22, 1e100, -2.5,  1.0 / 3, 2e-308, 5e-324, 0,     -0.0,   (double)INFINITY
  };
  char fast[BRISTLE_NUMBER_SIZE], plain[40];
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    bristle_number_write(values[i], fast);
    bristle_number_text(values[i], plain, sizeof plain);
    CHECK(!strcmp(fast, plain), "%s and %s", fast, plain);
  }
  uint64_t state = 5;
  for (int i = 0; i < 20000; i++) {
    uint64_t bits = random_bits(&state);
    double value;
    memcpy(&value, &bits, sizeof value);
    if (i % 2) value = (double)(bits % 1000000) * pow(10, (double)(int)(bits >> 60) - 8);
    if (isnan(value)) continue;
    bristle_number_write(value, fast);
    bristle_number_text(value, plain, sizeof plain);
    CHECK(!strcmp(fast, plain), "%s and %s", fast, plain);
  }
}

/* a locale of our own, so that the test needs none installed */
static int use_decimal_comma(void)
{
  static const char *const source =
      "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n";
  char folder[] = "/tmp/bristle-locale-XXXXXX", path[80], command[300];
  if (!mkdtemp(folder)) return 0;
  snprintf(path, sizeof path, "%s/source", folder);
  FILE *file = fopen(path, "w");
  if (!file || fputs(source, file) < 0 || fclose(file)) return 0;
  snprintf(command, sizeof command, "localedef --no-archive -c -i %s -f ANSI_X3.4-1968 %s/xx_XX >/dev/null 2>&1", path,
           folder);
  if (system(command) < 0) return 0;
  setenv("LOCPATH", folder, 1);
  int works = setlocale(LC_NUMERIC, "xx_XX") && !strcmp(localeconv()->decimal_point, ",");
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) == 0 && works;
}

TEST(numbers_do_not_depend_on_the_locale)
{
  if (!use_decimal_comma()) {
    test_skip("install libc-bin (localedef)");
    return;
  }
  char text[BRISTLE_NUMBER_SIZE];
  CHECK(strtod("1.5", NULL) == 1, "the locale has no decimal comma");
  CHECK(read_one("1.5") == 1.5 && read_one("1.2345678901234567e-200") == 1.2345678901234567e-200, "reading");
  bristle_number_write(0.1 + 0.2, text);
  CHECK(!strcmp(text, "0.30000000000000004"), "%s", text);
  bristle_number_write(1.5e-200, text);
  CHECK(!strcmp(text, "1.5e-200"), "%s", text);
  setlocale(LC_ALL, "C");
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* the same numbers as the C library, and not much slower: tables are long */
TEST(number_speeds)
{
  enum { COUNT = 200000 };
  static char texts[COUNT][BRISTLE_NUMBER_SIZE];
  static double values[COUNT];
  uint64_t state = 42;
  for (int digits = 6; digits <= 17; digits += 11) {
    for (int i = 0; i < COUNT; i++) {
      values[i] = ((double)random_bits(&state) * 0x1p-64 - 0.5) * (i % 2 ? 1 : 1e-6);
      snprintf(texts[i], sizeof texts[i], "%.*g", digits, values[i]);
      values[i] = strtod(texts[i], NULL);
    }
    double ours = 0, theirs = 0, start = seconds();
    for (int i = 0; i < COUNT; i++) ours += read_one(texts[i]);
    double read = seconds();
    for (int i = 0; i < COUNT; i++) theirs += strtod(texts[i], NULL);
    double peer = seconds();
    for (int i = 0; i < COUNT; i++) bristle_number_write(values[i], texts[i]);
    double written = seconds();
    for (int i = 0; i < COUNT; i++) CHECK(strtod(texts[i], NULL) == values[i], "%s is not %.17g", texts[i], values[i]);
    double checked = seconds();
    for (int i = 0; i < COUNT; i++) snprintf(texts[i], sizeof texts[i], "%.17g", values[i]);
    const double reading = (read - start) / (peer - read), writing = (written - peer) / (seconds() - checked);
    printf("  %d digits: time by that of strtod %.2f, of printf %.2f\n", digits, reading, writing);
    CHECK(ours == theirs, "%.17g, expected %.17g", ours, theirs);
    CHECK(reading < 4 && writing < 4,
          "reading takes %.1f times as long as strtod, writing %.1f times as long as printf", reading, writing);
  }
}
