/* What a study of simulated motion says beside what every identification says: its runs and their errors. */
#include "study/study.h"

#include "maths/elementary.h"

static double mean_error(const bristle_motion *m, const bristle_motion_error *error, int held)
{
  double sum = 0, count = 0;
  for (size_t k = 0; k < m->count; k++)
    if (m->run[k].held == held) sum += error[k].mean, count++;
  return count > 0 ? sum / count : (double)NAN;
}

static bristle_motion_error *run_errors(const bristle_study *study, const bristle_identified *r)
{
  bristle_fault ignored;
  bristle_motion_error *error = calloc(study->motion->count, sizeof *error);
  if (!error || !bristle_motion_errors(study->motion, r, error, &ignored)) return error;
  free(error);
  return NULL;
}

void study_rig_text(const bristle_study *study, FILE *out)
{
  const bristle_motion *m = study->motion;
  fprintf(out, "%s: %zu run%s fitted, %zu held out; simulated minus measured", study->request.rig, m->count - m->held,
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

void study_rig_text_errors(const bristle_study *study, FILE *out)
{
  const bristle_motion *m = study->motion;
  bristle_motion_error *error = run_errors(study, study->result[0]);
  const double drag = value_of(study->result[0], "drag"), gain = value_of(study->result[0], "gain");
  if (study->experiment && drag > 0 && gain > 0)
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

static void json_law(const bristle_study *study, const bristle_identified *r, FILE *out)
{
  const bristle_motion *m = study->motion;
  bristle_motion_error *error = run_errors(study, r);
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
    bristle_json_print(out, "%c\n      {'file': %s, 'held': %i, 'mean': %g, 'rms': %g, 'largest': %g}", k ? ',' : 0,
                       m->run[k].name, m->run[k].held, error[k].mean, error[k].rms, error[k].largest);
  fputs("]}", out);
  free(error);
}

void study_rig_json(const bristle_study *study, FILE *out)
{
  bristle_json_print(out, ",\n  'rig': %s,\n  'compared': [", study->request.rig);
  for (int c = 0; c < study->motion->channels; c++)
    bristle_json_print(out, c ? ", {'name': %s, 'unit': %s}" : "{'name': %s, 'unit': %s}", study->motion->channel[c],
                       study->motion->unit[c]);
  fputs("],\n  \"laws\": [", out);
  for (int i = 0; i < study->results; i++) {
    fputs(i ? ",\n    " : "\n    ", out);
    json_law(study, study->result[i], out);
  }
  fputs("\n  ]", out);
}
