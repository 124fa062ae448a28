/* Records that are made up as text, for the tests of identification. */
#ifndef TEST_MADE_UP_H
#define TEST_MADE_UP_H

#include "lab/identify.h"
#include "support/test.h"

enum { ROOM = 1 << 20 };

typedef struct text {
  char *data;
  size_t used;
} text;

static inline text text_new(const char *header)
{
  text t = { malloc(ROOM), 0 };
  if (!t.data) exit(1);
  t.used = (size_t)snprintf(t.data, ROOM, "%s\n", header);
  return t;
}

static inline void text_row(text *t, const char *format, double a, double b, double c)
{
  t->used += (size_t)snprintf(t->data + t->used, ROOM - t->used, format, a, b, c);
}

static inline bristle_fault_kind text_log(const text *t, const bristle_log_options *options, bristle_log **log,
                                          bristle_fault *fault)
{
  bristle_table *table = NULL;
  bristle_log_options none = { 0 };
  *log = NULL;
  bristle_fault_kind kind = bristle_table_parse("made up", t->data, t->used, &table, fault);
  if (!kind) kind = bristle_log_from_table(table, options ? options : &none, log, fault);
  bristle_table_free(table);
  return kind;
}

static inline double noise_of(int i)
{
  double s = sin(i * 12.9898) * 43758.5453;
  return 2 * (s - floor(s)) - 1;
}

static inline double dahl_record(int i, double scale, double *z, double *x)
{
  const double h = 1e-3, sigma0 = 4e4, fc = 2;
  double t = i * h, before = *x;
  *x = 0.01 * sin(6.2832 * 0.5 * t) + 2e-4 * sin(6.2832 * 3 * t);
  double way = *x - before, d = way >= 0 ? 1 : -1;
  if (i) *z += (fc / sigma0 * d - *z) * (1 - exp(-sigma0 * fabs(way) / fc));
  return scale * (sigma0 * *z + 0.02 * noise_of(i));
}

/* a Dahl contact as its columns t, x, F */
static inline text dahl_text(const char *header, const char *format, int count, double x_scale, double f_scale)
{
  text t = text_new(header);
  double z = 0, x = 0;
  for (int i = 0; i < count; i++) {
    double f = dahl_record(i, f_scale, &z, &x);
    text_row(&t, format, i * 1e-3, x * x_scale, f);
  }
  return t;
}

static inline bristle_identified *fit(const char *law, const bristle_log *log, bristle_identify_options *options)
{
  bristle_identified *r = NULL;
  bristle_fault fault;
  CHECK(!bristle_identify(bristle_law_find(law), &log, 1, NULL, options, &r, &fault), "%s", fault.what);
  if (!r) exit(1);
  return r;
}

static const bristle_estimate *estimate(const bristle_identified *r, const char *name)
{
  for (int k = 0; k < r->estimates; k++)
    if (!strcmp(r->estimate[k].name, name)) return &r->estimate[k];
  printf("no estimate %s\n", name);
  exit(1);
}

#endif
