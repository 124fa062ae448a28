/* The electro-mechanical positioning system of Janot, Gautier and Brunot (2019): force = M a + Fv v + Fc sign(v) +
   offset, by the recipe of its authors: zero-phase Butterworth of order 4 at 100 Hz, central differences, all columns
   decimated by 10, linear least squares. They drop the first 49 samples for the one-sided differences there; we drop as
   many at the end. The ripple of their decimation filter is larger than ours. The data are not ours to ship:
   $BRISTLE_DATA/emps, or ../shared/data/emps. */
#include "lab/fit.h"
#include "support/test.h"

enum { DROPPED = 49, FACTOR = 10, COLUMNS = 6 };

typedef struct record {
  size_t count;
  double *column[COLUMNS],
      *force; /* a; v and sign(v) as a whole, then of positive and of negative v (see columns_of) */
  bristle_timing timing;
} record;

static const char *data_folder(void)
{
  const char *folder = getenv("BRISTLE_DATA");
  return folder ? folder : "../shared/data";
}

static double *numbers(size_t count)
{
  double *made = calloc(count, sizeof *made);
  if (!made) exit(1);
  return made;
}

static void free_record(record *r)
{
  for (int j = 0; j < COLUMNS; j++) free(r->column[j]);
  free(r->force);
}

static double *thinned(const double *y, size_t count)
{
  bristle_fault fault;
  double *out = numbers(count / FACTOR + 1);
  CHECK(!bristle_decimate(y + DROPPED, count - 2 * DROPPED, FACTOR, out, &fault), "%s", fault.what);
  return out;
}

enum { ACCELERATION, FORWARD_SPEED, FORWARD, BACKWARD_SPEED, BACKWARD, ONE };

static void columns_of(record *r, const double *position, const double *force, size_t count, double step)
{
  bristle_fault fault;
  bristle_lowpass filter;
  double *raw[COLUMNS], *smooth = numbers(count), *speed = numbers(count);
  for (int j = 0; j < COLUMNS; j++) raw[j] = numbers(count);
  CHECK(!bristle_lowpass_design(4, 100, 1 / step, &filter, &fault), "%s", fault.what);
  CHECK(!bristle_lowpass_both_ways(&filter, position, count, smooth, &fault), "%s", fault.what);
  CHECK(!bristle_differentiate(NULL, step, smooth, count, speed, &fault), "%s", fault.what);
  CHECK(!bristle_differentiate(NULL, step, speed, count, raw[ACCELERATION], &fault), "%s", fault.what);
  for (size_t i = 0; i < count; i++) {
    raw[FORWARD_SPEED][i] = fmax(speed[i], 0);
    raw[BACKWARD_SPEED][i] = fmin(speed[i], 0);
    raw[FORWARD][i] = speed[i] > 0;
    raw[BACKWARD][i] = -(speed[i] < 0);
    raw[ONE][i] = 1;
  }
  r->count = (count - 2 * DROPPED + FACTOR - 1) / FACTOR;
  r->force = thinned(force, count);
  for (int j = 0; j < COLUMNS; j++) {
    r->column[j] = thinned(raw[j], count);
    free(raw[j]);
  }
  free(smooth), free(speed);
}

/* 0, after saying so, when the data are not there */
static int read_record(const char *name, record *r)
{
  static const bristle_wanted wanted[3] = { { "time", "s", 0 }, { "position", "m", 0 }, { "motor_force", "N", 0 } };
  const bristle_column *column[3] = { NULL };
  char path[512];
  bristle_fault fault;
  bristle_table *table;
  snprintf(path, sizeof path, "%s/emps/%s", data_folder(), name);
  if (bristle_table_read(path, &table, &fault) == BRISTLE_FAULT_FILE) {
    test_skip("no %s: set BRISTLE_DATA to the folder that holds emps/", path);
    return 0;
  }
  CHECK(table, "%s", fault.what);
  if (!table) return 0;
  for (int j = 0; j < 3; j++) CHECK(!bristle_table_pick(table, &wanted[j], &column[j], &fault), "%s", fault.what);
  int good = column[0] && column[1] && column[2];
  if (good) {
    CHECK(!bristle_timing_examine(column[0]->data, table->rows, 0, &r->timing, &fault), "%s", fault.what);
    CHECK(r->timing.uniform, "the record has 1 kHz throughout; jitter %g", r->timing.jitter);
    columns_of(r, column[1]->data, column[2]->data, table->rows, r->timing.step);
  }
  bristle_table_free(table);
  return good;
}

/* ---- the two models ---- */

typedef struct model {
  const record *record;
  int symmetric, unknowns;
} model;

static void regressors(const model *m, size_t i, double *row)
{
  double *const *c = m->record->column;
  row[0] = c[ACCELERATION][i];
  if (m->symmetric) {
    row[1] = c[FORWARD_SPEED][i] + c[BACKWARD_SPEED][i];
    row[2] = c[FORWARD][i] + c[BACKWARD][i];
    row[3] = c[ONE][i];
  } else {
    for (int j = 1; j < 5; j++) row[j] = c[j][i];
  }
}

static int force_error(void *context, const double *p, bristle_rows *rows)
{
  const model *m = context;
  for (size_t i = 0; i < m->record->count; i++) {
    double row[5], r = -m->record->force[i];
    regressors(m, i, row);
    for (int j = 0; j < m->unknowns; j++) r += p[j] * row[j];
    bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &r, .jacobian = row });
  }
  return 0;
}

static bristle_fit_result *identify(const model *m)
{
  bristle_unknown unknown[5];
  const double start[5] = { 0 };
  bristle_fault fault;
  bristle_fit_result *result;
  for (int j = 0; j < 5; j++) unknown[j] = (bristle_unknown){ .lo = -HUGE_VAL, .hi = HUGE_VAL, .eliminate = 1 };
  bristle_fit_problem problem = { m->unknowns, unknown, start, force_error, (void *)m };
  CHECK(!bristle_fit(&problem, NULL, &result, &fault), "%s", fault.what);
  if (!result) exit(1);
  return result;
}

/* relative force error of given parameters in percent */
static double percent(const model *m, const double *p)
{
  double error = 0, force = 0;
  for (size_t i = 0; i < m->record->count; i++) {
    double row[5], r = -m->record->force[i];
    regressors(m, i, row);
    for (int j = 0; j < m->unknowns; j++) r += p[j] * row[j];
    error += r * r;
    force += m->record->force[i] * m->record->force[i];
  }
  return 100 * sqrt(error / force);
}

TEST(emps_published_parameters_are_found)
{
  static const double published[4] = { 95.1089, 203.5034, 20.3935, -3.1648 };
  static const double deviation[4] = { 0.1085, 1.1460, 0.1012, 0.0444 };
  record r = { 0 };
  if (!read_record("emps_identification.csv", &r)) return;
  model m = { &r, 1, 4 };
  bristle_fit_result *f = identify(&m);
  for (int j = 0; j < 4; j++) {
    CHECK_NEAR(f->p[j], published[j], j == 0 ? 2e-4 : 5e-3);
    CHECK_NEAR(f->deviation[j], deviation[j], 0.02);
  }
  CHECK_ABS(percent(&m, f->p), 4.0834, 0.1);
  CHECK_NEAR(f->noise, 2.1843, 0.01);
  bristle_fit_free(f);
  free_record(&r);
}

TEST(emps_friction_differs_between_the_directions)
{
  static const double published[5] = { 95.1540, 166.7061, 20.1440, 240.4236, 20.6277 };
  record r = { 0 };
  if (!read_record("emps_identification.csv", &r)) return;
  model m = { &r, 0, 5 };
  bristle_fit_result *f = identify(&m);
  for (int j = 0; j < 5; j++) CHECK_NEAR(f->p[j], published[j], j == 0 ? 2e-4 : 5e-3);
  CHECK_ABS(percent(&m, f->p), 3.1117, 0.1);
  bristle_fit_free(f);
  free_record(&r);
}

TEST(emps_parameters_hold_on_the_validation_record)
{
  record r = { 0 }, fresh = { 0 };
  if (!read_record("emps_identification.csv", &r)) return;
  if (read_record("emps_validation_pulses.csv", &fresh)) {
    model m = { &r, 1, 4 }, cross = { &fresh, 1, 4 };
    bristle_fit_result *f = identify(&m);
    CHECK_ABS(percent(&cross, f->p), 5.9824, 0.1);
    bristle_fit_free(f);
  }
  free_record(&r), free_record(&fresh);
}
