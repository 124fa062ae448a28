/* Parameters from measured loops. The law is moved as recorded, between two samples along a cubic where velocities are
   known and otherwise at the mean velocity, and its own derivatives are carried along. */
#include "lab/loops.h"

#include "io/support.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { PARTS = 8 };

/* how far a positive number may be from its start */
static const double REACH = 1e3;

typedef struct loop_search {
  const bristle_loop_fit *fit;
  int count, place[BRISTLE_LAW_SIZE]; /* of the searched parameters in the law's array */
  int level, top; /* searched both: the static level as a multiple of the level, so that it stays above; or -1 */
  bristle_unknown unknown[BRISTLE_LAW_SIZE];
  double start[BRISTLE_LAW_SIZE];
} loop_search;

static double greatest_of(const bristle_loop_record *record)
{
  double largest = 0;
  for (size_t i = 0; i < record->count; i++) largest = fmax(largest, fabs(record->f[i]));
  return largest;
}

static double scale_of(double force, double floor, double largest)
{
  return floor > 0 ? 1 / fmax(fabs(force), floor * largest) : 1;
}

static void parameters_of(const loop_search *s, const double *u, double *p)
{
  const int nparam = s->fit->contact->law->f64->info->nparam;
  for (int j = 0; j < nparam; j++) p[j] = s->fit->contact->p[j];
  for (int k = 0; k < s->count; k++) p[s->place[k]] = k == s->top ? u[k] * u[s->level] : u[k];
}

/* derivatives by the searched numbers from those by the parameters */
static void row_of(const loop_search *s, const double *u, const double *df, double scale, double *row)
{
  for (int k = 0; k < s->count; k++) {
    row[k] = scale * df[s->place[k]];
    if (k == s->top) row[k] *= u[s->level];
    if (k == s->level && s->top >= 0) row[k] += scale * u[s->top] * df[s->place[s->top]];
  }
}

/* The path between the samples i - 1 and i, at the part u of it: the cubic through both positions and velocities. A
   record without velocities knows no more than the straight line. */
static double place_between(const bristle_loop_record *record, size_t i, double u)
{
  const double from = record->x[i - 1], way = record->x[i] - from, step = record->step;
  if (!record->v) return from + u * way;
  const double first = step * record->v[i - 1], last = step * record->v[i];
  return from + u * (first + u * (3 * way - 2 * first - last + u * (first + last - 2 * way)));
}

/* force at sample i and, where `df` is not NULL, its derivatives; the state is moved there */
static double force_after(const bristle_contact *contact, double n, const bristle_loop_record *record, size_t i,
                          const double *p, double *state, double *df, double *ds)
{
  const bristle_law *law = contact->law;
  const int parts = record->v ? PARTS : 1;
  bristle_input in = { .n = n, .h = record->step / parts, .load = contact->load };
  double unused[BRISTLE_LAW_SIZE], force = 0, x = record->x[i - 1];
  for (int k = 1; k <= parts; k++) {
    const double to = place_between(record, i, (double)k / parts);
    in.x = x, in.v = (to - x) / in.h;
    force = df ? law->diff->sensitivity(p, state, &in, NULL, df, ds) : law->f64->step(p, state, &in, NULL);
    x = to;
  }
  if (!record->v) return force;
  in.x = record->x[i], in.v = record->v[i];
  return df ? law->diff->instant(p, state, &in, df, ds) : law->f64->eval(p, state, &in, unused);
}

static int residuals(void *context, const double *u, bristle_rows *rows)
{
  const loop_search *s = context;
  const bristle_contact *contact = s->fit->contact;
  const bristle_info *info = contact->law->f64->info;
  double p[BRISTLE_LAW_SIZE], df[BRISTLE_LAW_SIZE], ds[BRISTLE_LAW_SIZE * BRISTLE_LAW_SIZE], row[BRISTLE_LAW_SIZE];
  parameters_of(s, u, p);
  if (bristle_check(contact->law->f64, p, NULL)) return 1;
  for (size_t k = 0; k < s->fit->count; k++) {
    const bristle_loop_record *record = &s->fit->record[k];
    const double largest = greatest_of(record);
    double state[BRISTLE_LAW_SIZE] = { 0 };
    for (int j = 0; j < info->nstate * info->nparam; j++) ds[j] = 0;
    for (size_t i = 1; i < record->count; i++) {
      const double force = force_after(contact, s->fit->n, record, i, p, state, df, ds);
      const double scale = scale_of(record->f[i], s->fit->floor, largest), residual = scale * (force - record->f[i]);
      row_of(s, u, df, scale, row);
      bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &residual, .jacobian = row });
    }
  }
  return 0;
}

static bristle_fault_kind add_searched(loop_search *s, const char *name, bristle_fault *fault)
{
  const bristle_contact *contact = s->fit->contact;
  const bristle_row *row = bristle_param_find(contact->law->f64->info, name);
  if (!row || row->kind == BRISTLE_ROW_OPTION || row->count != 1 || s->count == BRISTLE_LAW_SIZE)
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "the law %s has no parameter '%s' to search", contact->law->name,
                     name);
  /* numbers that may be 0 are searched as they are: their logarithm would run away where they hardly matter */
  const double start = contact->p[row->first];
  const int by_log = row->kind == BRISTLE_ROW_LOG && start > 0 && row->lo > 0;
  bristle_unknown *unknown = &s->unknown[s->count];
  *unknown = (bristle_unknown){ .name = row->name, .kind = BRISTLE_ROW_LINEAR, .lo = row->lo, .hi = row->hi };
  unknown->scale = start != 0 ? fabs(start) : 1;
  if (by_log)
    *unknown = (bristle_unknown){
      .name = row->name, .kind = BRISTLE_ROW_LOG, .lo = fmax(row->lo, start / REACH), .hi = fmin(row->hi, start * REACH)
    };
  s->place[s->count] = row->first;
  s->start[s->count] = start;
  if (row->role == BRISTLE_ROLE_LEVEL) s->level = s->count;
  if (row->role == BRISTLE_ROLE_STATIC_LEVEL) s->top = s->count;
  s->count++;
  return BRISTLE_FAULT_NONE;
}

static void link_levels(loop_search *s)
{
  if (s->level < 0 || s->top < 0) {
    s->level = s->top = -1;
    return;
  }
  s->start[s->top] = fmax(1, s->start[s->top] / s->start[s->level]);
  s->unknown[s->top] = (bristle_unknown){
    .name = "static level", .kind = BRISTLE_ROW_LINEAR, .lo = 1, .hi = HUGE_VAL, .scale = 1
  };
}

bristle_fault_kind bristle_loop_fit_parameters(const bristle_loop_fit *fit, const bristle_fit_options *options,
                                               double *p, bristle_fit_result **result, bristle_fault *fault)
{
  loop_search s = { .fit = fit, .level = -1, .top = -1 };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  *result = NULL;
  if (!fit->contact->law->diff)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "build with BRISTLE_DERIVATIVES", "the law has no derivatives here");
  for (int k = 0; k < fit->searched_count && !kind; k++) kind = add_searched(&s, fit->searched[k], fault);
  if (kind) return kind;
  link_levels(&s);
  const bristle_fit_problem problem = { s.count, s.unknown, s.start, residuals, &s };
  kind = bristle_fit(&problem, options, result, fault);
  if (!kind) parameters_of(&s, (*result)->p, p);
  return kind;
}

void bristle_loop_error(const bristle_contact *contact, double n, const bristle_loop_record *record, double floor,
                        double *absolute, double *relative)
{
  const double largest = greatest_of(record);
  double state[BRISTLE_LAW_SIZE] = { 0 };
  *absolute = *relative = 0;
  for (size_t i = 1; i < record->count; i++) {
    const double error = force_after(contact, n, record, i, contact->p, state, NULL, NULL) - record->f[i];
    *absolute += error * error;
    *relative += pow(error * scale_of(record->f[i], floor, largest), 2);
  }
  *absolute = sqrt(*absolute / (double)(record->count - 1));
  *relative = sqrt(*relative / (double)(record->count - 1));
}
