/* Runs a rig and keeps its rows, for tests of what they say. */
#ifndef TEST_ROWS_H
#define TEST_ROWS_H

#include "lab/sim.h"
#include "support/test.h"

typedef struct rows {
  int width;
  size_t count, room;
  double *values;
  bristle_sim_stats stats;
} rows;

static inline int rows_add(void *context, const double *values)
{
  rows *r = context;
  if (r->count == r->room) {
    r->room = r->room ? 2 * r->room : 64;
    r->values = realloc(r->values, r->room * (size_t)r->width * sizeof *r->values);
  }
  memcpy(r->values + r->count++ * (size_t)r->width, values, (size_t)r->width * sizeof *values);
  return 0;
}

static inline rows rows_run(const bristle_rig *rig, const bristle_sim_options *options)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  bristle_sim_error error = { 0 };
  rows r = { .width = bristle_sim_columns(rig, columns) };
  const bristle_sim_sink sink = { .context = &r, .row = rows_add };
  const bristle_sim_status status = bristle_simulate(rig, options, &sink, &r.stats, &error);
  CHECK(status == BRISTLE_SIM_OK, "%d %s: %s at %g s", (int)status, error.field, error.what, error.t);
  return r;
}

static inline double rows_value(const rows *r, size_t row, int column)
{
  return row < r->count ? r->values[row * (size_t)r->width + (size_t)column] : (double)NAN;
}

static inline double rows_last(const rows *r, int column) { return rows_value(r, r->count - 1, column); }

static inline void rows_free(rows *r)
{
  free(r->values);
  r->values = NULL;
}

/* the residual of the energy ledger, relative to the work done */
static inline double rows_residual(const rows *r) { return fabs(r->stats.residual) / r->stats.work_done; }

/* A check must refuse the rig and name this field. */
static inline void rows_refused(const bristle_rig *rig, const char *field)
{
  const bristle_sim_options options = { .end = 1 };
  bristle_sim_error error = { 0 };
  const bristle_sim_status status = bristle_sim_check(rig, &options, &error);
  CHECK(status == BRISTLE_SIM_BAD_INPUT || status == BRISTLE_SIM_UNSUITABLE, "%s: status %d", field, (int)status);
  CHECK(!strcmp(error.field, field), "expected %s, got %s: %s", field, error.field, error.what);
}

#endif
