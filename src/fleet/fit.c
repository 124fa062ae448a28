/* The logs of one axis: the first that can be used decides for all, then each is fitted by itself. */
#include "fleet/fleet.h"

#include "bristle/text.h"
#include "fit/common/parallel.h"
#include "maths/elementary.h"

enum { TRIALS = 5 };
static const double USELESS = 0.5; /* of the force left over: such a model explains nothing */

/* files are opened by one thread at a time */
static parallel_lock opening = PARALLEL_LOCK;

/* what the first log of an axis decides */
typedef struct decisions {
  bristle_log_options reading;
  bristle_identify_options fitting;
  bristle_identified *first[BRISTLE_FLEET_LAWS]; /* NULL: the law could not be fitted */
  int law;                                       /* that the axis is followed by */
  bristle_conditioning like;                     /* of the first log */
} decisions;

/* ---- columns ---- */

static int column_of(const bristle_fleet *f, const char *name)
{
  for (int i = 0; i < f->columns; i++)
    if (!strcmp(f->name[i], name)) return i;
  return -1;
}

/* the units of a parameter, or else those that are given */
static void add_column(bristle_fleet *f, const char *name, const bristle_row *row, const char *const unit[2])
{
  if (column_of(f, name) >= 0 || f->columns == BRISTLE_FLEET_COLUMNS) return;
  for (int rotary = 0; rotary < 2; rotary++) {
    char *to = f->unit[rotary][f->columns];
    if (row) bristle_unit(row, BRISTLE_LOAD_FORCE, rotary, to, sizeof f->unit[0][0]);
    else snprintf(to, sizeof f->unit[0][0], "%s", unit[rotary]);
  }
  snprintf(f->name[f->columns++], sizeof f->name[0], "%s", name);
}

static const char *const speed_names[FLEET_SPEEDS] = { "friction_slow", "friction_medium", "friction_fast" };

void fleet_list_columns(bristle_fleet *f, const bristle_fleet_options *options)
{
  const char *const force[2] = { bristle_force_unit(0), bristle_force_unit(1) };
  f->columns = 0;
  for (int i = 0; i < FLEET_SPEEDS; i++) add_column(f, speed_names[i], NULL, force);
  for (int k = 0; k < options->laws; k++) {
    const bristle_info *info = options->law[k]->f64->info;
    for (int i = 0; i < info->param_rows; i++)
      for (int j = 0; j < info->param[i].count; j++) {
        char name[32];
        bristle_param_name(&info->param[i], j, name, sizeof name);
        add_column(f, name, &info->param[i], NULL);
      }
  }
  for (int t = 0; t < FLEET_TERMS; t++) {
    const char *const unit[2] = { bristle_term_unit(t, 0), bristle_term_unit(t, 1) };
    add_column(f, bristle_term_name(t), NULL, unit);
  }
}

/* ---- numbers ---- */

/* friction in steady sliding, with the deviation that those of the parameters give it */
static void put_speed(const bristle_identified *r, double speed, double *value, double *deviation)
{
  const bristle_input in = { .v = speed, .n = 1, .load = r->load };
  const int n = r->law->f64->info->nparam;
  double slope[BRISTLE_LAW_SIZE] = { 0 }, p[BRISTLE_LAW_SIZE], variance = 0;
  memcpy(p, r->p, sizeof p);
  *value = r->law->f64->steady(p, &in);
  for (int i = 0; i < n; i++) {
    const bristle_estimate *x = &r->estimate[i];
    if (!x->free || !isfinite(x->deviation)) continue;
    const double step = 1e-5 * (fabs(p[i]) > 0 ? fabs(p[i]) : 1), old = p[i];
    p[i] = old + step;
    slope[i] = (r->law->f64->steady(p, &in) - *value) / step * x->deviation;
    p[i] = old;
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      const double c = i == j ? 1 : r->correlation ? r->correlation[i * r->estimates + j] : 0;
      if (slope[i] != 0 && slope[j] != 0 && isfinite(c)) variance += slope[i] * slope[j] * c;
    }
  *deviation = sqrt(fmax(variance, 0));
}

static void put_numbers(bristle_fleet *f, const bristle_fleet_axis *axis, const bristle_identified *r,
                        bristle_fleet_entry *e)
{
  for (int i = 0; i < FLEET_SPEEDS; i++) put_speed(r, axis->speed[i], &e->value[i], &e->deviation[i]);
  for (int k = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    const int at = x->free ? column_of(f, x->name) : -1;
    if (at >= 0) e->value[at] = x->value, e->deviation[at] = x->deviation;
  }
}

/* ---- one log ---- */

static bristle_fault_kind open_log(const char *file, const bristle_log_options *reading, bristle_log **log,
                                   bristle_fault *fault)
{
  bristle_table *table = NULL;
  *log = NULL;
  parallel_take(&opening);
  bristle_fault_kind kind = bristle_log_table(file, reading, &table, NULL, fault);
  parallel_give(&opening);
  if (!kind) kind = bristle_log_from_table(table, reading, log, fault);
  bristle_table_free(table);
  return kind;
}

/* a fault may be of a file that is joined to the log */
static void say_fault(const bristle_fault *fault, const char *file, char text[200])
{
  if (!fault->file[0] || !strcmp(fault->file, file)) snprintf(text, 200, "%.199s", fault->what);
  else snprintf(text, 200, "%.90s: %.100s", fault->file, fault->what);
}

/* what forbids to use a fit, as a sentence; or "" */
static void find_doubt(const bristle_log *log, const bristle_campaign *campaign, bristle_identified *r,
                       const bristle_identify_options *fitting, char doubt[200])
{
  doubt[0] = '\0';
  bristle_identified_diagnose(r, (const bristle_log *const *)&log, 1, fitting);
  if (log->doubtful) snprintf(doubt, 200, "%.199s", bristle_log_doubt(log));
  else if (log->restarts) snprintf(doubt, 200, "its clock goes back %zu times: are these several logs?", log->restarts);
  else if (campaign->doubtful) snprintf(doubt, 200, "%.199s", campaign->note[campaign->doubtful - 1]);
  else if (r->relative > USELESS) snprintf(doubt, 200, "the law misses %.0f %% of the force", 100 * r->relative);
  else if (r->doubtful) snprintf(doubt, 200, "%.199s", r->finding[r->doubtful - 1]);
}

/* ---- the first log ---- */

static bristle_fault_kind decide(const bristle_fleet_options *options, const char *file, bristle_fleet_axis *axis,
                                 decisions *d, bristle_fault *fault)
{
  bristle_log *log;
  bristle_campaign campaign;
  bristle_identified *ranked[BRISTLE_FLEET_LAWS];
  int count = 0;
  *d = (decisions){ .reading = options->reading };
  d->fitting = (bristle_identify_options){ .threads = 1 };
  d->fitting.term[BRISTLE_TERM_MASS] = options->mass;
  d->fitting.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  d->fitting.term[BRISTLE_TERM_GRAVITY] = d->fitting.term[BRISTLE_TERM_GRAVITY_COSINE] = BRISTLE_TERM_CHOOSE;
  d->reading.inverse = options->mass != BRISTLE_TERM_NONE;
  for (int k = 0; k < options->laws; k++)
    d->reading.acceleration |= (options->law[k]->f64->info->traits & BRISTLE_TRAIT_ACCELERATION) != 0;
  bristle_fault_kind kind = open_log(file, &d->reading, &log, fault);
  if (!kind) kind = bristle_campaign_prepare(&log, 1, 1, &d->reading, &d->fitting, &campaign, fault);
  for (int k = 0; k < options->laws && !kind; k++)
    if (!bristle_identify(options->law[k], (const bristle_log *const *)&log, 1, NULL, &d->fitting, &d->first[k], fault))
      ranked[count++] = d->first[k];
  if (!kind && !count) kind = BRISTLE_FAULT_VALUE; /* the fault of the last law says why */
  if (!kind) {
    bristle_identified_rank(ranked, count);
    find_doubt(log, &campaign, ranked[0], &d->fitting, axis->why);
    for (int k = 0; k < options->laws; k++)
      if (d->first[k] == ranked[0]) d->law = k;
    snprintf(axis->law, sizeof axis->law, "%s", ranked[0]->law->name);
    axis->rotary = log->rotary;
    axis->speed[0] = log->summary.speed_low, axis->speed[1] = log->summary.speed_median;
    axis->speed[2] = log->summary.speed_high;
    d->like = log->conditioning;
    d->reading.cutoff = campaign.cutoff > 0 ? campaign.cutoff : -1;
    d->reading.like = &d->like;
    d->fitting.decimate = 0;
  }
  bristle_log_free(log);
  return kind;
}

static void drop(decisions *d)
{
  for (int k = 0; k < BRISTLE_FLEET_LAWS; k++) bristle_identified_free(d->first[k]);
}

/* ---- every log ---- */

static bristle_fault_kind fit_laws(const bristle_fleet_options *options, const decisions *d, bristle_log *log,
                                   bristle_identify_options *fitting, bristle_campaign *campaign,
                                   bristle_identified **result, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_campaign_prepare(&log, 1, 1, &d->reading, fitting, campaign, fault);
  for (int k = 0; k < options->laws && !kind; k++) {
    if (!d->first[k]) continue;
    bristle_identify_options o = *fitting;
    o.folds = -1;
    o.start = d->first[k]->p, o.start_term = d->first[k]->term, o.start_is_near = 1;
    o.slow_samples = d->first[k]->slow_counted ? 1 : -1;
    o.slow_fall = d->first[k]->slow_fall;
    o.only_to_rank = k != d->law;
    if (bristle_identify(d->first[k]->law, (const bristle_log *const *)&log, 1, NULL, &o, &result[k], fault)) {
      result[k] = NULL;
      if (k == d->law) return fault ? fault->kind : BRISTLE_FAULT_VALUE;
    }
  }
  return kind;
}

static void fit_log(bristle_fleet *f, const bristle_fleet_axis *axis, const bristle_fleet_options *options,
                    const decisions *d, bristle_fleet_entry *e)
{
  bristle_log *log = NULL;
  bristle_campaign campaign;
  bristle_fault fault;
  bristle_identified *result[BRISTLE_FLEET_LAWS] = { NULL }, *ranked[BRISTLE_FLEET_LAWS];
  bristle_identify_options fitting = d->fitting;
  int count = 0;
  bristle_fault_kind kind = open_log(e->file, &d->reading, &log, &fault);
  if (!kind) kind = fit_laws(options, d, log, &fitting, &campaign, result, &fault);
  for (int k = 0; k < options->laws; k++)
    if (result[k]) ranked[count++] = result[k];
  if (kind) {
    e->status = BRISTLE_FLEET_UNREADABLE;
    say_fault(&fault, e->file, e->doubt);
  } else {
    bristle_identified *r = result[d->law];
    bristle_identified_rank(ranked, count);
    snprintf(e->law, sizeof e->law, "%s", ranked[0]->law->name);
    e->rms = r->rms, e->error = r->relative;
    find_doubt(log, &campaign, r, &fitting, e->doubt);
    e->status = e->doubt[0] ? BRISTLE_FLEET_DOUBTFUL : BRISTLE_FLEET_FINE;
    put_numbers(f, axis, r, e);
  }
  for (int k = 0; k < count; k++) bristle_identified_free(ranked[k]);
  bristle_log_free(log);
}

void fleet_fit_axis(bristle_fleet *f, bristle_fleet_axis *axis, const bristle_fleet_options *options)
{
  bristle_fleet_entry *entry = &f->entry[axis->first];
  decisions d;
  bristle_fault fault = { .what = "" };
  bristle_fault_kind kind = BRISTLE_FAULT_VALUE;
  for (size_t i = 0; i < axis->count; i++)
    for (int c = 0; c < f->columns; c++) entry[i].value[c] = entry[i].deviation[c] = (double)NAN;
  for (size_t i = 0; i < axis->count && i < TRIALS; i++) { /* a doubtful one decides only where there is no better */
    kind = decide(options, entry[i].file, axis, &d, &fault);
    if (!kind && !axis->why[0]) break;
    if (!kind && (i + 1 == axis->count || i + 1 == TRIALS)) break;
    drop(&d);
    if (kind) say_fault(&fault, entry[i].file, axis->why);
  }
  if (kind) {
    axis->law[0] = '\0';
    for (size_t i = 0; i < axis->count; i++) {
      entry[i].status = BRISTLE_FLEET_UNREADABLE;
      snprintf(entry[i].doubt, sizeof entry[i].doubt, "%.199s", axis->why);
    }
    return;
  }
  for (size_t i = 0; i < axis->count; i++) fit_log(f, axis, options, &d, &entry[i]);
  drop(&d);
}
