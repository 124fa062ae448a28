/* What the standard and modelDescription.xml say about an instance, beside which calls are made; and chance. unit.h is
 * made of the unit's modelDescription.xml. */
#include "versions.h"

#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model: what the standard and modelDescription.xml say about an instance ---- */

enum { VALUES = 400, KEPT = 4 };
typedef struct world {
  int kind, mode, wild; /* wild: numbers are so large that results may be none */
  double value[VALUES]; /* of what is set */
  double time, stop;
  bool moved; /* states are no longer those that were set */
} world;

#define NAME(name, ...) C_##name,
enum { CALLS(NAME) COUNT };
#define TEXT(name, ...) #name,
static const char *const names[] = { CALLS(TEXT) };
#if FMI == 2
#define TABLE(name, exchange, coupled, e3, c3) { exchange, coupled },
#else
#define TABLE(name, e2, c2, exchange, coupled) { exchange, coupled },
#endif
static const char *const table[][2] = { CALLS(TABLE) };
static const char *const mode_names[] = { "instantiated", "initializing", "events", "continuous",
                                          "stepping",     "terminated",   "failed" };

static world w;
static void *c;
static int logging, told, last_told;
static long calls, running, refused, discarded;
static uint64_t seed;
static char doing[200];

static int exists(int call)
{
  return FMI == 2 ? call != C_get_sizes : call != C_set_up && call != C_input_slopes && call != C_ask_status;
}

static int allowed(int call)
{
  static const int columns[2][MODES] = { { 0, 1, 2, 3, -1, 4, 5 }, { 0, 1, -1, -1, 2, 3, 4 } };
  return table[call][w.kind][columns[w.kind][w.mode]] == 'x';
}

static void fail(const char *format, ...)
{
  va_list list;
  va_start(list, format);
  printf("FAIL FMI %d, %s, kind %d, %s, call %ld: %s: ", FMI, LAW, w.kind, mode_names[w.mode], calls, doing);
  vprintf(format, list);
  printf("\n");
  va_end(list);
  exit(1);
}

static void heard(status how, const char *category, const char *text)
{
  told++, last_told = how;
  if (!text || strlen(text) < 10 || strpbrk(text, "%#\n")) fail("message '%s'", text ? text : "NULL");
  if (strcmp(category, how == ERROR ? "logStatusError" : "logStatusDiscard")) fail("category %s of %d", category, how);
  if (getenv("SAY")) printf("  %s: %s\n", doing, text);
}
#if FMI == 2
static void hear(void *environment, const char *name, status how, const char *category, const char *text, ...)
{
  if (environment != &w || strcmp(name, "one")) fail("the logger is told '%s'", name);
  heard(how, category, text);
}
#else
static void hear(void *environment, status how, const char *category, const char *text)
{
  if (environment != &w) fail("the logger has another environment");
  heard(how, category, text);
}
#endif

/* Compares; an error leads to the end of the run. */
static status judge(status got, status expected)
{
  calls++, running += w.mode >= EVENTS && w.mode <= STEPPING, refused += got == ERROR, discarded += got == DISCARD;
  if (got == WARNING || got > ERROR || got < OK) fail("status %d", got);
  if (got != expected && !(w.wild && expected == OK)) fail("status %d instead of %d", got, expected);
  const int wanted = got == ERROR || (got == DISCARD && logging);
  if (told != wanted || (wanted && last_told != got)) fail("status %d with %d messages", got, told);
  told = 0;
  if (got == ERROR) w.mode = FMI == 3 ? TERMINATED : FAILED;
  return got;
}

static void finite(status got, const double *value, size_t n)
{
  for (size_t i = 0; i < n && got == OK; i++)
    if (!isfinite(value[i])) fail("OK with %g", value[i]);
}

/* ---- chance ---- */

static uint64_t chance(void)
{
  seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
  return seed;
}
static int one_in(int n) { return chance() % (unsigned)n == 0; }
static int below(int n) { return (int)(chance() % (unsigned)n); }
static double uniform(double lo, double hi) { return lo + (hi - lo) * (double)(chance() >> 11) * 0x1p-53; }

static const declared *any(const char *what)
{
  for (int tries = 0; tries < 1000; tries++) {
    const declared *v = &unit[below(VARIABLES)];
    if (strchr(what, v->what)) return v;
  }
  return NULL;
}

static double usual(const declared *v)
{
  double value = uniform(-1e-4, 1e-4);
  if ((int)v->at == STEP_AT) return uniform(1e-5, 1e-4);
  if (v->what == 'd') return below(2);
  if (v->what == 'u') value = uniform(-0.1, 0.1);
  if (v->what == 'p')
    value = v->whole ? v->start : v->start == 0 ? uniform(0, 1) : v->start * pow(10, uniform(-0.5, 0.5));
  if (v->lo < v->hi && value < v->lo) value = v->what == 'u' ? -value : v->lo;
  return v->lo < v->hi && value > v->hi ? v->hi : value;
}

/* ---- what may be set to what ---- */

static int settable(const declared *v)
{
  const int m = w.mode, start = m == INSTANTIATED || m == INITIALIZING;
  if (v->what == 'u') return start || m == EVENTS || m == CONTINUOUS || m == STEPPING;
  if (v->what == 'p') return start || m == EVENTS || m == STEPPING;
  if (v->what == 'x') return start || m == CONTINUOUS || (FMI == 3 && m == EVENTS);
  if (v->what == 'r') return start || m == CONTINUOUS;
  return start && v->what == 'd';
}

static int broken(void) { return RULE_A >= 0 && w.value[RULE_A] < w.value[RULE_B]; }

static status value_status(const declared *v, double value)
{
  const int inside = v->lo >= v->hi || (value >= v->lo && value <= v->hi);
  if (isfinite(value) && inside && (!v->whole || value == floor(value))) return OK;
  return v->what == 'p' ? ERROR : DISCARD;
}
