/* What is wanted of each run: quantities and whole columns. */
#include "sweep/sweep.h"

#include "maths/elementary.h"

#include <stddef.h>

/* ---- their names ---- */

static const struct {
  const char *name, *unit;
  sweep_measure measure;
  int event;
  size_t offset;
} plain[] = {
  { "stick_slip", "", MEASURE_STICK_SLIP, BRISTLE_EVENT_SLIP, 0 },
  { "period", "s", MEASURE_PERIOD, BRISTLE_EVENT_SLIP, 0 },
  { "slips", "", MEASURE_EVENTS, BRISTLE_EVENT_SLIP, 0 },
  { "sticks", "", MEASURE_EVENTS, BRISTLE_EVENT_STICK, 0 },
  { "reversals", "", MEASURE_EVENTS, BRISTLE_EVENT_REVERSAL, 0 },
  { "events", "", MEASURE_EVENTS, -1, 0 },
  { "steps", "", MEASURE_STEPS, -1, 0 },
  { "energy.in", "J", MEASURE_ENERGY, -1, offsetof(bristle_sim_stats, work_in) },
  { "energy.stored", "J", MEASURE_ENERGY, -1, offsetof(bristle_sim_stats, stored) },
  { "energy.lost", "J", MEASURE_ENERGY, -1, offsetof(bristle_sim_stats, dissipated) },
  { "energy.friction", "J", MEASURE_ENERGY, -1, offsetof(bristle_sim_stats, friction) },
  { "energy.residual", "J", MEASURE_ENERGY, -1, offsetof(bristle_sim_stats, residual) },
};
static const char *const of_columns = "end|min|max|mean";
static const char explained[] = "there are end.x, min.x, max.x, mean.x of each column, stick_slip, period, slips, "
                                "sticks, reversals, events, steps, energy.in, .stored, .lost, .friction, .residual";

static bristle_sweep_column *add_column(bristle_sweep *s, const char *name, const char *unit, bristle_sweep_kind kind)
{
  bristle_sweep_column *c = (bristle_sweep_column *)&s->column[s->columns++];
  snprintf(c->name, sizeof c->name, "%s", name);
  snprintf(c->unit, sizeof c->unit, "%s", unit);
  c->kind = kind, c->count = 1;
  return c;
}

/* the unit of a column of the scenario; NULL: it has none of this name */
static const char *column_unit(const bristle_sweep *s, const char *name)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const int width = bristle_sim_columns(&s->inside->base->rig, columns);
  for (int i = 0; i < width; i++)
    if (!strcmp(columns[i].name, name)) return columns[i].unit;
  return NULL;
}

static bristle_fault_kind no_column(const bristle_sweep *s, const bristle_node *node, const char *name,
                                    bristle_fault *fault)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const int width = bristle_sim_columns(&s->inside->base->rig, columns);
  char hint[200] = "it has";
  size_t used = strlen(hint);
  for (int i = 0; i < width && used < sizeof hint; i++)
    used = text_append(hint, sizeof hint, used, "%s %s", i ? "," : "", columns[i].name);
  return bristle_node_fault(node, fault, hint, "the scenario has no column '%.40s'", name);
}

static bristle_fault_kind read_quantity(bristle_sweep *s, const bristle_node *node, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  sweep_quantity *q = &in->quantity[in->quantities];
  const char *name, *unit, *point;
  bristle_fault_kind kind = bristle_node_text(node, &name, fault);
  if (kind) return kind;
  for (size_t i = 0; i < s->columns; i++)
    if (!strcmp(s->column[i].name, name)) return bristle_node_fault(node, fault, NULL, "'%.40s' is there twice", name);
  if (in->logs) {
    char measured_in[32] = "";
    kind = sweep_fitted_quantity(s, node, name, measured_in, q, fault);
    if (!kind) add_column(s, name, measured_in, BRISTLE_SWEEP_QUANTITY);
    in->quantities += !kind;
    return kind;
  }
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (!strcmp(plain[i].name, name)) {
      *q = (sweep_quantity){ plain[i].measure, "", plain[i].event, plain[i].offset };
      in->needs_energy |= q->measure == MEASURE_ENERGY;
      add_column(s, name, plain[i].unit, BRISTLE_SWEEP_QUANTITY);
      in->quantities++;
      return kind;
    }
  point = strchr(name, '.');
  const int which = point ? word_find(of_columns, name, (size_t)(point - name)) : -1;
  if (which < 0) return bristle_node_fault(node, fault, explained, "there is no quantity '%.40s'", name);
  unit = column_unit(s, point + 1);
  if (!unit) return no_column(s, node, point + 1, fault);
  *q = (sweep_quantity){ .measure = (sweep_measure)(MEASURE_END + which), .event = -1 };
  snprintf(q->column, sizeof q->column, "%s", point + 1);
  in->needs_rows |= q->measure != MEASURE_END;
  add_column(s, name, unit, BRISTLE_SWEEP_QUANTITY);
  in->quantities++;
  return kind;
}

static bristle_fault_kind read_series(bristle_sweep *s, const bristle_node *node, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  const bristle_sim_options *o = &in->base->options;
  const char *name, *unit;
  bristle_fault_kind kind = bristle_node_text(node, &name, fault);
  if (kind) return kind;
  if (!(unit = column_unit(s, name))) return no_column(s, node, name, fault);
  const double rows = floor(o->end / o->output * (1 + 1e-9)) + 1;
  if (rows > 1e6) return bristle_node_fault(node, fault, "choose a longer time.output", "%.0f rows of each run", rows);
  snprintf(in->series[in->serieses++], sizeof in->series[0], "%s", name);
  in->series_rows = (size_t)rows + (o->end - (rows - 1) * o->output > 1e-9 * o->end); /* the end has a row too */
  in->needs_rows = 1;
  add_column(s, name, unit, BRISTLE_SWEEP_SERIES)->count = in->series_rows;
  return kind;
}

bristle_fault_kind sweep_read_quantities(bristle_sweep *s, const bristle_node *root, bristle_fault *fault)
{
  const bristle_node *list = bristle_node_find(root, "quantities"), *series = bristle_node_find(root, "series");
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  s->columns = (size_t)s->inside->keys;
  add_column(s, "status", "", BRISTLE_SWEEP_STATUS);
  if (s->drawn && !s->inside->sequence && !s->indices) add_column(s, "redraws", "", BRISTLE_SWEEP_REDRAWS);
  if (!list && !series)
    return bristle_node_fault(root, fault, explained, "nothing is wanted of the runs: 'quantities' is missing");
  if (list) kind = bristle_node_expect(list, BRISTLE_NODE_LIST, fault);
  if (!kind && series) kind = bristle_node_expect(series, BRISTLE_NODE_LIST, fault);
  if (!kind && (list ? list->count : 0) + (series ? series->count : 0) + s->columns > SWEEP_COLUMNS)
    kind = bristle_node_fault(root, fault, NULL, "more than %d columns are wanted", SWEEP_COLUMNS);
  for (const bristle_node *n = list ? list->child : NULL; n && !kind; n = n->next) kind = read_quantity(s, n, fault);
  for (const bristle_node *n = series ? series->child : NULL; n && !kind; n = n->next) kind = read_series(s, n, fault);
  return kind;
}

bristle_fault_kind sweep_list_columns(bristle_sweep *s, bristle_fault *fault)
{
  (void)fault;
  s->width = 0;
  for (size_t i = 0; i < s->columns; i++) s->width += s->column[i].count;
  return BRISTLE_FAULT_NONE;
}

/* ---- measuring ---- */

typedef struct measuring {
  const struct sweep_inside *in;
  double *row; /* quantities, then series */
  int column[SWEEP_COLUMNS], series[SWEEP_COLUMNS];
  size_t rows, counted; /* all; those that count */
  size_t event[3], slips;
  double first_slip, last_slip;
  int mode, slides; /* the column of the mode, or -1; does the contact slide at the end? */
} measuring;

static int take_row(void *context, const double *values)
{
  measuring *m = context;
  const int counts = values[0] >= m->in->after;
  for (int i = 0; i < m->in->quantities; i++) {
    const sweep_measure how = m->in->quantity[i].measure;
    if (how > MEASURE_MEAN || m->column[i] < 0) continue;
    const double x = values[m->column[i]];
    double *y = &m->row[i];
    if (how == MEASURE_END) *y = x;
    else if (!counts) continue;
    else if (!m->counted) *y = x;
    else if (how == MEASURE_LEAST) *y = fmin(*y, x);
    else if (how == MEASURE_MOST) *y = fmax(*y, x);
    else *y += (x - *y) / (double)(m->counted + 1);
  }
  double *at = m->row + m->in->quantities;
  for (int i = 0; i < m->in->serieses; i++, at += m->in->series_rows)
    if (m->rows < m->in->series_rows && m->series[i] >= 0) at[m->rows] = values[m->series[i]];
  if (m->mode >= 0) m->slides = values[m->mode] == BRISTLE_MODE_SLIDING;
  m->rows++;
  m->counted += (size_t)counts;
  return 0;
}

static int take_event(void *context, double t, bristle_event_kind kind)
{
  measuring *m = context;
  if (t < m->in->after) return 0;
  m->event[kind]++;
  if (kind != BRISTLE_EVENT_SLIP) return 0;
  if (!m->slips++) m->first_slip = t;
  m->last_slip = t;
  return 0;
}

/* Who slides all along does not stick and slip, who lets go twice does. Of all others a longer run would tell: one that
   sticks may let go again, and one that has just let go may stick. */
double sweep_stick_slip(double slips, int slides_all_along)
{
  return slips > 1 ? 1 : slips < 1 && slides_all_along ? 0 : (double)NAN;
}

static double settle(const measuring *m, const sweep_quantity *q, const bristle_sim_stats *stats, double so_far)
{
  switch (q->measure) {
  case MEASURE_EVENTS:
    return (double)(q->event < 0 ? m->event[0] + m->event[1] + m->event[2] : m->event[q->event]);
  case MEASURE_PERIOD:
    return m->slips > 1 ? (m->last_slip - m->first_slip) / (double)(m->slips - 1) : (double)NAN;
  case MEASURE_STICK_SLIP:
    return sweep_stick_slip((double)m->slips, m->slides && !m->event[BRISTLE_EVENT_STICK]);
  case MEASURE_STEPS:
    return (double)stats->steps;
  case MEASURE_ENERGY:
    return *(const double *)((const char *)stats + q->offset);
  default:
    return so_far;
  }
}

/* a key may choose another law, and with it other columns */
static int place_of(const bristle_sim_column *columns, int width, const char *name)
{
  for (int i = 0; i < width; i++)
    if (!strcmp(columns[i].name, name)) return i;
  return -1;
}

int sweep_measure_run(const bristle_sweep *s, const bristle_scenario *scenario, double *row, bristle_sim_error *error)
{
  const struct sweep_inside *in = s->inside;
  measuring m = { .in = in, .row = row };
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  bristle_sim_stats stats = { .steps = 0 };
  bristle_sim_options o = scenario->options;
  const int width = bristle_sim_columns(&scenario->rig, columns);
  for (int i = 0; i < in->quantities; i++)
    m.column[i] = in->quantity[i].column[0] ? place_of(columns, width, in->quantity[i].column) : -1;
  for (int i = 0; i < in->serieses; i++) m.series[i] = place_of(columns, width, in->series[i]);
  m.mode = place_of(columns, width, "mode");
  if (!in->needs_rows) o.output = 0;
  o.no_ledger = !in->needs_energy;
  o.most_steps = in->most_steps;
  const bristle_sim_sink sink = { .context = &m, .row = take_row, .event = take_event };
  const bristle_sim_status status = bristle_simulate(&scenario->rig, &o, &sink, &stats, error);
  for (int i = 0; i < in->quantities && !status; i++) row[i] = settle(&m, &in->quantity[i], &stats, row[i]);
  return status != BRISTLE_SIM_OK;
}
