/* What `bristle identify --rig` says beside what every identification says: its runs and their errors. */
#include "rig.h"

#include "common/cli.h"
#include "report.h"

#include "bristle/trajectory.h"

#include <math.h>

static double mean_error(const bristle_motion *m, const bristle_motion_error *error, int held)
{
  double sum = 0, count = 0;
  for (size_t k = 0; k < m->count; k++)
    if (m->run[k].held == held) sum += error[k].mean, count++;
  return count > 0 ? sum / count : (double)NAN;
}

/* one for each run; NULL: no memory */
static bristle_motion_error *errors_of(const identification *id, const bristle_identified *r)
{
  bristle_fault ignored;
  bristle_motion_error *error = calloc(id->motion->count, sizeof *error);
  if (!error || !bristle_motion_errors(id->motion, r, error, &ignored)) return error;
  free(error);
  return NULL;
}

void rig_text(const identification *id, FILE *out)
{
  const bristle_motion *m = id->motion;
  fprintf(out, "%s: %zu run%s fitted, %zu held out; simulated minus measured", id->rig, m->count - m->held,
          m->count - m->held == 1 ? "" : "s", m->held);
  for (int c = 0; c < m->channels; c++) fprintf(out, "%s %s [%s]", c ? "," : "", m->channel[c], m->unit[c]);
  fputs("\n", out);
}

static double value_of(const bristle_identified *r, const char *name)
{
  for (int k = r->law->f64->info->nparam; k < r->estimates; k++)
    if (!strcmp(r->estimate[k].name, name)) return r->estimate[k].value;
  return 0;
}

void rig_text_errors(const identification *id, FILE *out)
{
  const bristle_motion *m = id->motion;
  bristle_motion_error *error = errors_of(id, id->result[0]);
  const double drag = value_of(id->result[0], "drag"), gain = value_of(id->result[0], "gain");
  if (id->rigging.experiment && drag > 0 && gain > 0)
    fprintf(out, "  as a motor fed by a voltage: torque constant %.4g N*m/A, resistance %.4g Ohm\n", drag / gain,
            drag / gain / gain);
  fprintf(out, "\n  %-40s %12s %12s %12s [%s]\n", "run", "mean", "rms", "largest", m->unit[0]);
  for (size_t k = 0; k < m->count && error; k++)
    fprintf(out, "%c %-40s %12.4g %12.4g %12.4g\n", m->run[k].held ? 'h' : ' ', m->run[k].name, error[k].mean,
            error[k].rms, error[k].largest);
  if (m->held) fprintf(out, "h: held out\n");
  free(error);
}

/* ---- JSON ---- */

static void json_law(const identification *id, const bristle_identified *r, FILE *out)
{
  const bristle_motion *m = id->motion;
  bristle_motion_error *error = errors_of(id, r);
  if (!error) return;
  bristle_json_print(out, "{'law': %s, 'fitted_error': %g, 'held_error': %g, 'stop': %s,\n     'unknowns': [",
                     r->law->name, mean_error(m, error, 0), mean_error(m, error, 1), bristle_fit_stop_text(r->stop));
  for (int k = 0, written = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (!x->free) continue;
    bristle_json_print(out, "%c\n      {'name': %s, 'unit': %s, 'value': %g, 'deviation': %g, 'bound': %d}",
                       written++ ? ',' : 0, x->name, strcmp(x->unit, "1") ? x->unit : "", x->value,
                       x->bound ? HUGE_VAL : x->deviation, x->bound);
  }
  fputs("],\n     \"runs\": [", out);
  for (size_t k = 0; k < m->count; k++)
    bristle_json_print(out, "%c\n      {'file': %s, 'held': %i, 'mean': %g, 'rms': %g, 'greatest': %g}", k ? ',' : 0,
                       m->run[k].name, m->run[k].held, error[k].mean, error[k].rms, error[k].largest);
  fputs("]}", out);
  free(error);
}

void rig_json(const identification *id, FILE *out)
{
  bristle_json_print(out, ",\n  'rig': %s,\n  'compared': [", id->rig);
  for (int c = 0; c < id->motion->channels; c++)
    bristle_json_print(out, c ? ", {'name': %s, 'unit': %s}" : "{'name': %s, 'unit': %s}", id->motion->channel[c],
                       id->motion->unit[c]);
  fputs("],\n  \"laws\": [", out);
  for (int i = 0; i < id->results; i++) {
    fputs(i ? ",\n    " : "\n    ", out);
    json_law(id, id->result[i], out);
  }
  fputs("\n  ]", out);
}

/* ---- pictures ---- */

static void draw(bristle_report *page, const char *title, const char *caption, const char *name, const char *unit,
                 const bristle_series *series, size_t count)
{
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = title,
                                             .caption = caption,
                                             .half = 1,
                                             .x = { "t", "s", 0 },
                                             .y = { name, unit, 0 },
                                             .series_count = count,
                                             .series = series,
                                             .limit = 2000 });
}

static void draw_run(const identification *id, size_t k, bristle_report *page)
{
  const bristle_motion *m = id->motion;
  const bristle_motion_run *run = &m->run[k];
  double *y = malloc(2 * sizeof *y * run->count * (size_t)m->channels),
         *rest = y ? y + run->count * (size_t)m->channels : NULL;
  if (!y || m->simulate(m->self, id->result[0], k, y)) {
    free(y);
    return;
  }
  for (int c = 0; c < m->channels; c++) {
    const size_t at = (size_t)c * run->count;
    const bristle_series both[] = {
      { "measured", BRISTLE_STYLE_LINE, run->count, run->t, run->measured + at, NULL },
      { "simulated", BRISTLE_STYLE_LINE, run->count, run->t, y + at, NULL },
      { "target", BRISTLE_STYLE_DASHED, run->count, run->t, run->target, NULL },
    };
    for (size_t i = 0; i < run->count; i++) rest[at + i] = y[at + i] - run->measured[at + i];
    const bristle_series left[] = {
      { "simulated - measured", BRISTLE_STYLE_LINE, run->count, run->t, rest + at, NULL },
    };
    draw(page, run->name, run->held ? "Held out." : "Fitted.", m->channel[c], m->unit[c], both,
         run->target && !c ? 3 : 2);
    draw(page, "Residual", NULL, "residual", m->unit[c], left, 1);
  }
  free(y);
}

void identify_part_rig(const identification *id, bristle_report *page)
{
  if (!id->motion) return;
  bristle_report_section(page, "Runs");
  for (size_t k = 0; k < id->motion->count; k++) draw_run(id, k, page);
}
