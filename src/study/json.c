/* A study as JSON. */

#include "study/study.h"
#include "study/log_table.h"

#include "maths/elementary.h"

static void write_log(const bristle_log *log, const study_view *view, FILE *out)
{
  const bristle_log_summary *s = &log->summary;
  bristle_json_print(out, "{'file': %s, 'sha256': %s, 'samples': %zu, 'stretches': %zu, 'columns': {", log->file,
                     log->digest, log->count, log->stretches);
  for (int c = 0, written = 0; c < BRISTLE_CHANNELS; c++)
    if (log->column[c][0])
      bristle_json_print(out, written++ ? ", %s: %s" : "%s: %s", bristle_channel_text((bristle_channel)c),
                         log->column[c]);
  fputs("}, ", out);
  log_table_json(log, out);
  bristle_json_print(
      out,
      ", 'cutoff_Hz': %g, 'duration_s': %g, 'rate_Hz': %g, 'speed_low': %g, 'speed_high': %g, "
      "'time_forward': %g, 'time_backward': %g, 'time_at_rest': %g, 'reversals': %zu, 'short_loops': %zu, "
      "'force_noise': %g, 'work_J': %g, ",
      log->cutoff > 0 ? log->cutoff : (double)NAN, s->duration, s->rate, s->speed_low, s->speed_high, s->forward,
      s->backward, s->rest, s->reversals, s->loops, s->force_noise, s->work);
  if (view)
    bristle_json_print(out, "'rms': %g, 'relative_error': %g, 'largest_residual': %g, ", view->error.rms,
                       view->error.relative, view->error.largest);
  bristle_json_print(out, "'doubtful': %i, 'notes': ", log->doubtful);
  bristle_json_texts(out, log->note[0], sizeof log->note[0], log->note_count);
  fputs("}", out);
}

static void write_estimates(const bristle_identified *r, FILE *out)
{
  for (int k = 0, written = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (bristle_identified_is_knot(r, k)) continue;
    if (!x->free && k >= r->law->f64->info->nparam && x->value == 0) continue;
    bristle_json_print(out, "%c\n      {'name': %s, 'unit': %s, ", written++ ? ',' : 0, x->name, x->unit);
    if (study_times(r, k)[0]) bristle_json_print(out, "'times': %s, ", study_times(r, k));
    bristle_json_print(out, "'value': %g, 'std': %g, ", x->value, x->free ? x->deviation : (double)NAN);
    if (x->free && isfinite(x->deviation) && !x->bound) {
      double interval[2];
      study_interval(r, k, interval);
      bristle_json_print(out, "'low': %g, 'high': %g, ", interval[0], interval[1]);
    }
    if (r->tested && x->free)
      bristle_json_print(out, "'by_band': %g, 'by_delay': %g, 'by_motion': %g, ", x->band, x->delay, x->motion);
    if (r->compared && x->free) bristle_json_print(out, "'by_reference': %g, ", x->bias);
    bristle_json_print(out, "'free': %i, 'bound': %d, 'reason': %s}", x->free, x->bound, x->reason);
  }
}

static void write_correlation(const bristle_identified *r, FILE *out)
{
  int first = 1;
  for (int k = 0; k < r->estimates; k++)
    for (int l = k + 1; l < r->estimates; l++) {
      if (bristle_identified_is_knot(r, k) || bristle_identified_is_knot(r, l)) continue;
      double c = r->correlation[k * r->estimates + l];
      if (!(c >= -1.001 && c <= 1.001)) continue;
      fprintf(out, "%s[\"%s\", \"%s\", %.4f]", first ? "" : ", ", r->estimate[k].name, r->estimate[l].name, c);
      first = 0;
    }
}

static void write_numbers(const char *name, const double *value, int count, FILE *out)
{
  bristle_json_print(out, "%s: ", name);
  bristle_json_numbers(out, value, (size_t)count);
}

/* tables over the position */
static void write_over(const bristle_identified *r, FILE *out)
{
  for (int kind = 0, written = 0; kind < BRISTLE_OVERS; kind++) {
    double number[3][BRISTLE_KNOTS];
    const int knots = bristle_identified_over(r, (bristle_over)kind, number[0], number[1], number[2]);
    if (!knots) continue;
    bristle_json_print(out, written++ ? ", {'of': %s, 'period': %g, " : "{'of': %s, 'period': %g, ",
                       kind == BRISTLE_OVER_FRICTION ? "friction" : "force",
                       r->over[kind].periodic ? r->over[kind].length : (double)NAN);
    write_numbers("position", number[0], knots, out);
    fputs(", ", out);
    write_numbers("value", number[1], knots, out);
    fputs(", ", out);
    write_numbers("std", number[2], knots, out);
    fputs("}", out);
  }
}

static void write_result(const bristle_study *study, const bristle_identified *r, FILE *out)
{
  char sentence[STUDY_SENTENCES][240];
  char name[64];
  study_name(r, name);
  bristle_json_print(out,
                     "    {'model': %s, 'variant': %s, 'residuals': %zu, 'rms': %g, 'unit': %s, 'relative_error': %g, "
                     "'held_out_rms': %g, 'held_out_slow_rms': %g, 'validation_relative_error': %g, "
                     "'validation_rms': %g, 'aicc': %g, 'bic': %g, ",
                     r->law->name, name, r->rows, r->rms, study_unit(r), r->relative, r->held_out, r->held_out_slow,
                     r->validation, r->validation_rms, r->aicc, r->bic);
  bristle_json_print(out,
                     "'indistinguishable': %i, 'explains_more': %i, 'residuals_worth_one': %g, 'effective_residuals': "
                     "%g, 'whiteness': %g, "
                     "'energy_ratio': %g, "
                     "'condition': %g, 'delay_s': %g, 'delay_left': %g, 'delay_known': %i, 'slow_samples_fitted': %i, "
                     "'rival_optimum_cost': %g, 'converged': %i, 'iterations': %d, 'screened': %d, 'agreeing': %d,\n"
                     "     'parameters': [",
                     r->indistinguishable, r->explains_more, r->memory, (double)r->rows / fmax(r->memory, 1),
                     r->whiteness, r->energy, r->condition, r->tested ? r->delay : (double)NAN,
                     r->tested ? r->delay_left : (double)NAN, r->delay_known, r->slow_counted,
                     r->rival_cost > 0 ? r->rival_cost : (double)NAN, r->stop <= BRISTLE_STOP_COST, r->iterations,
                     r->screened, r->agreeing);
  write_estimates(r, out);
  fputs("],\n     \"over_position\": [", out);
  write_over(r, out);
  fputs("],\n     \"correlations\": [", out);
  write_correlation(r, out);
  fputs("],\n     \"verdict\": ", out);
  const int count = bristle_identified_verdict(r, study_logs(study), study->logs, sentence, STUDY_SENTENCES);
  bristle_json_texts(out, sentence[0], sizeof sentence[0], (size_t)count);
  fputs("}", out);
}

static void write_campaign(const bristle_campaign *c, FILE *out)
{
  bristle_json_print(out,
                     ",\n  'campaign': {'cutoff_Hz': %g, 'cutoff_chosen': %i, 'motion_from': %s, 'presliding': %i, "
                     "'dequantised': %i, 'decimate': %zu,\n    'moving': %g, 'transition': %g, 'rest': %g, "
                     "'forward': %g,\n    ",
                     c->cutoff > 0 ? c->cutoff : (double)NAN, c->chosen, c->from_velocity ? "velocity" : "position",
                     c->presliding, c->dequantised, c->decimate ? c->decimate : 1, c->moving, c->transition, c->rest,
                     c->forward);
  write_numbers("frequencies_Hz", c->frequency, c->points, out);
  fputs(", ", out);
  write_numbers("position_error", c->error[0], c->points, out);
  fputs(", ", out);
  write_numbers("velocity_error", c->error[1], c->points, out);
  fputs(",\n    \"notes\": ", out);
  bristle_json_texts(out, c->note[0], sizeof c->note[0], c->note_count);
  fputs("}", out);
}

void bristle_study_json(const bristle_study *study, FILE *out)
{
  fputs("{\n  \"data\": [", out);
  for (size_t i = 0; i < study->logs; i++) {
    if (i) fputs(",\n    ", out);
    write_log(study->log[i], study->view ? &study->view[i] : NULL, out);
  }
  fputs("],\n  \"validation\": ", out);
  if (study->validation) write_log(study->validation, study->view ? &study->view[study->logs] : NULL, out);
  else fputs("null", out);
  if (!study->decay && !study->motion) write_campaign(&study->campaign, out);
  bristle_json_print(out, ",\n  'best': %s,\n  'doubt': %s", study->result[0]->law->name,
                     study->doubt[0] ? study->doubt : NULL);
  fprintf(out, ",\n  \"convincing_on_validation\": %s",
          !study->validation || (study->doubt[0] && !study->contradicted) ? "null"
          : study->doubt[0]                                               ? "false"
                                                                          : "true");
  fputs(",\n  \"results\": [\n", out);
  for (int i = 0; i < study->results; i++) {
    if (i) fputs(",\n", out);
    write_result(study, study->result[i], out);
  }
  fputs("\n  ],\n  \"not_fitted\": ", out);
  bristle_json_texts(out, study->failed[0], sizeof study->failed[0], (size_t)study->failures);
  fputs(",\n  \"profile\": ", out);
  if (!study->profile_count) fputs("null", out);
  else {
    bristle_json_print(out, "{'name': %s, ", study->request.profile);
    write_numbers("value", study->profile_value, study->profile_count, out);
    fputs(", ", out);
    write_numbers("squares", study->profile_cost, study->profile_count, out);
    fputs("}", out);
  }
  if (study->motion) study_rig_json(study, out);
  fputs("\n}\n", out);
}
