/* Records made up as text. */
#ifndef BRISTLE_TESTS_FIT_RECORD_H
#define BRISTLE_TESTS_FIT_RECORD_H

#include "fit/records/record.h"
#include "support/test.h"

enum { ROOM = 1 << 20, COUNT = 3000 };

typedef struct text {
  char data[ROOM];
  size_t used;
} text;
static text made;

static inline void begin(const char *header) { made.used = (size_t)snprintf(made.data, ROOM, "%s\n", header); }

__attribute__((format(printf, 1, 2))) static inline void add(const char *format, ...)
{
  va_list args;
  va_start(args, format);
  made.used += (size_t)vsnprintf(made.data + made.used, ROOM - made.used, format, args);
  va_end(args);
}

static inline bristle_log *read_with(const bristle_log_options *options, bristle_fault *fault)
{
  bristle_table *table = NULL;
  bristle_log *log = NULL;
  if (bristle_table_parse("made up", made.data, made.used, &table, fault)
      || bristle_log_from_table(table, options, &log, fault))
    log = NULL;
  bristle_table_free(table);
  return log;
}

static inline bristle_log *read_text(void)
{
  bristle_fault fault = { 0 };
  bristle_log *log = read_with(&(bristle_log_options){ .cutoff = -1 }, &fault);
  CHECK(log, "%s", fault.what);
  if (!log) exit(1);
  return log;
}

static inline int is_told(const bristle_log *log, const char *words)
{
  for (size_t i = 0; i < log->note_count; i++)
    if (strstr(log->note[i], words)) return 1;
  for (size_t i = 0; i < log->note_count; i++) printf("  note: %s\n", log->note[i]);
  return 0;
}

static inline double noise_of(int i)
{
  double s = sin(i * 12.9898) * 43758.5453;
  return 2 * (s - floor(s)) - 1;
}

static inline double position(double t) { return 0.01 * sin(3 * t) + 0.003 * sin(11 * t); }
static inline double velocity(double t) { return 0.03 * cos(3 * t) + 0.033 * cos(11 * t); }
static inline double force(int i, double t)
{
  return (velocity(t) > 0 ? 2 : -2) + 10 * velocity(t) + 0.05 * noise_of(i);
}
static inline double rounded(double x, double step) { return step * round(x / step); }

/* the fault of data that must not be read */
static inline bristle_fault refused(const bristle_log_options *options)
{
  bristle_fault fault = { 0 };
  bristle_log *log = read_with(options, &fault);
  CHECK(!log, "was accepted");
  bristle_log_free(log);
  return fault;
}

#endif
