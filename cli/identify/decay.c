/* `bristle identify --free-decay`: friction from motion that nothing drives, without a force. */
#include "decay.h"

#include "common/cli.h"
#include "report.h"
#include "common/progress.h"

#include <math.h>

/* ---- arguments ---- */

/* "free", "none" or a quantity of one of two units, linear first */
static int read_known(identification *id, const char *flag, const char *value, const char *unit, bristle_known *known,
                      double *number)
{
  bristle_fault fault;
  int which = -1;
  if (!strcmp(value, "free")) *known = BRISTLE_FREE;
  else if (!strcmp(value, "none")) *known = BRISTLE_ABSENT;
  else {
    *known = BRISTLE_KNOWN;
    if (bristle_quantity_read(value, strlen(value), unit, number, &which, &fault))
      return usage_error("%s %s: %s", flag, value, fault.what);
    if (!(*number > 0)) return usage_error("%s is %g, and must be above 0", flag, *number);
    if (which >= 0) id->decaying.units = which ? BRISTLE_DECAY_ROTARY : BRISTLE_DECAY_LINEAR;
  }
  return DONE;
}

int decay_argument(identification *id, const char *flag, const char *value)
{
  bristle_decay_options *o = &id->decaying;
  if (!value) return DONE;
  if (!strcmp(flag, "--gravity")) return read_known(id, flag, value, "N|N*m", &o->gravity, &o->gravity_value);
  if (!strcmp(flag, "--stiffness"))
    return read_known(id, flag, value, "N/m|N*m/rad", &o->stiffness, &o->stiffness_value);
  if (!strcmp(value, "none")) return usage_error("%s none: every body has one", flag);
  return read_known(id, flag, value, "kg|kg*m^2", &o->mass, &o->mass_value);
}

/* ---- fits ---- */

typedef struct watched {
  progress bar;
  int done, count;
} watched;

static int watch(void *context, double fraction)
{
  watched *w = context;
  return progress_show(&w->bar, (w->done + fraction) / w->count);
}

/* for the reader of the summary: what the free motion is like */
static void describe(identification *id)
{
  const bristle_decay *d = id->decay;
  for (size_t l = 0; l < id->logs; l++) {
    bristle_log *log = id->log[l];
    log->rotary = d->rotary;
    log->summary.duration = log->t[log->count - 1] - log->t[0];
    log->summary.speed_high = d->fast;
  }
}

static void fit_law(identification *id, const bristle_law *law, const bristle_identified *simple,
                    const bristle_identify_options *options)
{
  bristle_fault fault;
  bristle_identified *result;
  if (!bristle_decay_fit(id->decay, law, simple, options, &result, &fault)) id->result[id->results++] = result;
  else snprintf(id->failed[id->failures++], sizeof id->failed[0], "%s: %.200s", law->name, fault.what);
}

int identify_decay(identification *id)
{
  bristle_fault fault;
  bristle_identified *simple = NULL;
  const bristle_law *first = bristle_law_find("coulomb");
  if (bristle_decay_find(id->log, id->logs, &id->decaying, &id->decay, &fault)) return fault_exit(&fault);
  describe(id);
  watched w = { progress_start("identifying"), 0, id->laws + 1 };
  bristle_identify_options options = id->fitting, plain = { .folds = -1, .seed = id->fitting.seed };
  options.progress = plain.progress = watch;
  options.context = plain.context = &w;
  plain.threads = options.threads;
  /* the simplest law first: the others start from what it found */
  if (bristle_decay_fit(id->decay, first, NULL, &plain, &simple, &fault)) simple = NULL;
  for (int i = 0; i < id->laws && !progress_is_stopped(); i++) {
    w.done = 1 + i;
    fit_law(id, id->law[i], simple, &options);
  }
  progress_end(&w.bar);
  bristle_identified_free(simple);
  if (progress_is_stopped()) return stopped_exit();
  bristle_identified_rank(id->result, id->results);
  if (id->results) return DONE;
  return identify_no_result(id);
}

/* ---- doubts ---- */

void decay_doubt(identification *id)
{
  static const double USELESS = 0.1; /* of the motion: a decay that misses that much was not free, or not this */
  const bristle_identified *best = id->result[0];
  int found = 0;
  for (int k = 0; k < best->law->f64->info->nparam; k++)
    found |= best->estimate[k].free && !best->estimate[k].reason[0];
  if (best->relative > USELESS)
    snprintf(
        id->doubt, sizeof id->doubt,
        "even the best law, %s, misses %.0f %% of the motion: something else acted; cut the record to what is free "
        "with --from and --to",
        best->law->name, 100 * best->relative);
  else if (!found)
    snprintf(id->doubt, sizeof id->doubt, "no parameter of %s is determined: the motion hardly fades, or is too short",
             best->law->name);
}

/* ---- pictures ---- */

static void draw_release(const bristle_decay *d, const bristle_identified *best, size_t k, const double *residual,
                         bristle_report *page)
{
  const bristle_run *run = &d->run[k];
  const double *measured = run->position ? run->position : run->velocity;
  double *simulated = malloc(sizeof *simulated * run->count);
  char title[80];
  if (!simulated) return;
  for (size_t i = 0; i < run->count; i++) simulated[i] = measured[i] + residual[i];
  const bristle_series both[] = { { "measured", BRISTLE_STYLE_LINE, run->count, run->t, measured, NULL },
                                  { "simulated", BRISTLE_STYLE_LINE, run->count, run->t, simulated, NULL } };
  const bristle_series rest[] = { { "simulated - measured", BRISTLE_STYLE_LINE, run->count, run->t, residual, NULL } };
  snprintf(title, sizeof title, "Release %zu", k + 1);
  const char *name = d->by_velocity ? "v" : "x";
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = title,
                                             .caption = run->name,
                                             .half = 1,
                                             .x = { "t", "s", 0 },
                                             .y = { name, best->unit, 0 },
                                             .series_count = 2,
                                             .series = both });
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = "Residual",
                                             .half = 1,
                                             .x = { "t", "s", 0 },
                                             .y = { "residual", best->unit, 0 },
                                             .series_count = 1,
                                             .series = rest });
  free(simulated);
}

void identify_part_decay(const identification *id, bristle_report *page)
{
  if (!id->decay) return;
  const bristle_identified *best = id->result[0];
  const double *residual = best->residual;
  bristle_report_section(page, "Free motion");
  for (size_t k = 0; k < id->decay->count; residual += id->decay->run[k++].count)
    draw_release(id->decay, best, k, residual, page);
}
