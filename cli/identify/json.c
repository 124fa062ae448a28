/* The result of `bristle identify` for machines. */
#include "common/cli.h"

#include "rig.h"
#include "common/log_table.h"

#include <math.h>

static void number_field(FILE *out, const char *name, double value, const char *end)
{
  fprintf(out, "\"%s\": ", name);
  json_number(out, value);
  fputs(end, out);
}

static void write_log(const bristle_log *log, const identify_view *view, FILE *out)
{
  const bristle_log_summary *s = &log->summary;
  fputs("{\"file\": ", out);
  json_string(out, log->file);
  fprintf(out, ", \"sha256\": \"%s\", \"samples\": %zu, \"stretches\": %zu, \"columns\": {", log->digest, log->count,
          log->stretches);
  for (int c = 0, written = 0; c < BRISTLE_CHANNELS; c++) {
    if (!log->column[c][0]) continue;
    fprintf(out, "%s\"%s\": ", written++ ? ", " : "", bristle_channel_text((bristle_channel)c));
    json_string(out, log->column[c]);
  }
  fputs("}, ", out);
  log_table_json(log, out);
  fputs(", ", out);
  number_field(out, "cutoff_Hz", log->cutoff > 0 ? log->cutoff : (double)NAN, ", ");
  number_field(out, "duration_s", s->duration, ", ");
  number_field(out, "rate_Hz", s->rate, ", ");
  number_field(out, "speed_low", s->speed_low, ", ");
  number_field(out, "speed_high", s->speed_high, ", ");
  number_field(out, "time_forward", s->forward, ", ");
  number_field(out, "time_backward", s->backward, ", ");
  number_field(out, "time_at_rest", s->rest, ", ");
  fprintf(out, "\"reversals\": %zu, \"short_loops\": %zu, ", s->reversals, s->loops);
  number_field(out, "force_noise", s->force_noise, ", ");
  number_field(out, "work_J", s->work, ", ");
  if (view) {
    number_field(out, "rms", view->rms, ", ");
    number_field(out, "relative_error", view->relative, ", ");
    number_field(out, "largest_residual", view->largest, ", ");
  }
  fprintf(out, "\"doubtful\": %s, \"notes\": [", log->doubtful ? "true" : "false");
  for (size_t i = 0; i < log->note_count; i++) {
    if (i) fputs(", ", out);
    json_string(out, log->note[i]);
  }
  fputs("]}", out);
}

static void write_estimates(const bristle_identified *r, FILE *out)
{
  for (int k = 0, written = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (bristle_identified_is_knot(r, k)) continue;
    if (!x->free && k >= r->law->f64->info->nparam && x->value == 0) continue;
    fprintf(out, "%s\n      {\"name\": \"%s\", \"unit\": \"%s\", ", written++ ? "," : "", x->name, x->unit);
    if (identify_times(r, k)[0]) {
      fputs("\"times\": ", out);
      json_string(out, identify_times(r, k));
      fputs(", ", out);
    }
    number_field(out, "value", x->value, ", ");
    number_field(out, "std", x->free ? x->deviation : (double)NAN, ", ");
    if (x->free && isfinite(x->deviation) && !x->bound) {
      double interval[2];
      identify_interval(r, k, interval);
      number_field(out, "low", interval[0], ", ");
      number_field(out, "high", interval[1], ", ");
    }
    if (r->tested && x->free) {
      number_field(out, "by_band", x->band, ", ");
      number_field(out, "by_delay", x->delay, ", ");
      number_field(out, "by_motion", x->motion, ", ");
    }
    fprintf(out, "\"free\": %s, \"bound\": %d, \"reason\": ", x->free ? "true" : "false", x->bound);
    json_string(out, x->reason);
    fputs("}", out);
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
  fprintf(out, "\"%s\": [", name);
  for (int i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    json_number(out, value[i]);
  }
  fputs("]", out);
}

/* tables over the position */
static void write_over(const bristle_identified *r, FILE *out)
{
  for (int kind = 0, written = 0; kind < BRISTLE_OVERS; kind++) {
    double number[3][BRISTLE_KNOTS];
    const int knots = bristle_identified_over(r, (bristle_over)kind, number[0], number[1], number[2]);
    if (!knots) continue;
    fprintf(out, "%s{\"of\": \"%s\", ", written++ ? ", " : "", kind == BRISTLE_OVER_FRICTION ? "friction" : "force");
    number_field(out, "period", r->over[kind].periodic ? r->over[kind].length : (double)NAN, ", ");
    write_numbers("position", number[0], knots, out);
    fputs(", ", out);
    write_numbers("value", number[1], knots, out);
    fputs(", ", out);
    write_numbers("std", number[2], knots, out);
    fputs("}", out);
  }
}

static void write_result(const identification *id, const bristle_identified *r, FILE *out)
{
  char sentence[IDENTIFY_SENTENCES][240];
  char name[64];
  identify_name(r, name);
  fprintf(out, "    {\"model\": \"%s\", \"variant\": \"%s\", ", r->law->name, name);
  fprintf(out, "\"residuals\": %zu, ", r->rows);
  number_field(out, "rms", r->rms, ", ");
  fprintf(out, "\"unit\": \"%s\", ", identify_unit(r));
  number_field(out, "relative_error", r->relative, ", ");
  number_field(out, "held_out_rms", r->held_out, ", ");
  number_field(out, "held_out_slow_rms", r->held_out_slow, ", ");
  number_field(out, "validation_relative_error", r->validation, ", ");
  number_field(out, "validation_rms", r->validation_rms, ", ");
  number_field(out, "aicc", r->aicc, ", ");
  number_field(out, "bic", r->bic, ", ");
  fprintf(out, "\"indistinguishable\": %s, ", r->indistinguishable ? "true" : "false");
  number_field(out, "residuals_worth_one", r->memory, ", ");
  number_field(out, "effective_residuals", (double)r->rows / fmax(r->memory, 1), ", ");
  number_field(out, "whiteness", r->whiteness, ", ");
  number_field(out, "energy_ratio", r->energy, ", ");
  number_field(out, "condition", r->condition, ", ");
  number_field(out, "delay_s", r->tested ? r->delay : (double)NAN, ", ");
  number_field(out, "delay_left", r->tested ? r->delay_left : (double)NAN, ", ");
  fprintf(out, "\"delay_known\": %s, \"slow_samples_fitted\": %s, ", r->delay_known ? "true" : "false",
          r->slow_counted ? "true" : "false");
  number_field(out, "rival_optimum_cost", r->rival_cost > 0 ? r->rival_cost : (double)NAN, ", ");
  fprintf(out, "\"converged\": %s, \"iterations\": %d, \"screened\": %d, \"agreeing\": %d,\n     \"parameters\": [",
          r->stop <= BRISTLE_STOP_COST ? "true" : "false", r->iterations, r->screened, r->agreeing);
  write_estimates(r, out);
  fputs("],\n     \"over_position\": [", out);
  write_over(r, out);
  fputs("],\n     \"correlations\": [", out);
  write_correlation(r, out);
  fputs("],\n     \"verdict\": [", out);
  int count = bristle_identified_verdict(r, (const bristle_log *const *)id->log, id->logs, sentence,
                                         IDENTIFY_SENTENCES);
  for (int i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    json_string(out, sentence[i]);
  }
  fputs("]}", out);
}

static void write_campaign(const bristle_campaign *c, FILE *out)
{
  fputs(",\n  \"campaign\": {", out);
  number_field(out, "cutoff_Hz", c->cutoff > 0 ? c->cutoff : (double)NAN, ", ");
  fprintf(out,
          "\"cutoff_chosen\": %s, \"motion_from\": \"%s\", \"presliding\": %s, \"dequantised\": %s, "
          "\"decimate\": %zu,\n    ",
          c->chosen ? "true" : "false", c->from_velocity ? "velocity" : "position", c->presliding ? "true" : "false",
          c->dequantised ? "true" : "false", c->decimate ? c->decimate : 1);
  number_field(out, "moving", c->moving, ", ");
  number_field(out, "transition", c->transition, ", ");
  number_field(out, "rest", c->rest, ", ");
  number_field(out, "forward", c->forward, ",\n    ");
  write_numbers("frequencies_Hz", c->frequency, c->points, out);
  fputs(", ", out);
  write_numbers("position_error", c->error[0], c->points, out);
  fputs(", ", out);
  write_numbers("velocity_error", c->error[1], c->points, out);
  fputs(",\n    \"notes\": [", out);
  for (size_t i = 0; i < c->note_count; i++) {
    if (i) fputs(", ", out);
    json_string(out, c->note[i]);
  }
  fputs("]}", out);
}

void identify_json(const identification *id, FILE *out)
{
  fputs("{\n  \"data\": [", out);
  for (size_t i = 0; i < id->logs; i++) {
    if (i) fputs(",\n    ", out);
    write_log(id->log[i], id->view ? &id->view[i] : NULL, out);
  }
  fputs("],\n  \"validation\": ", out);
  if (id->validation) write_log(id->validation, id->view ? &id->view[id->logs] : NULL, out);
  else fputs("null", out);
  if (!id->decay && !id->motion) write_campaign(&id->campaign, out);
  fprintf(out, ",\n  \"best\": \"%s\",\n  \"doubt\": ", id->result[0]->law->name);
  if (id->doubt[0]) json_string(out, id->doubt);
  else fputs("null", out);
  fprintf(out, ",\n  \"convincing_on_validation\": %s",
          !id->validation || (id->doubt[0] && !id->contradicted) ? "null"
          : id->doubt[0]                                         ? "false"
                                                                 : "true");
  fputs(",\n  \"results\": [\n", out);
  for (int i = 0; i < id->results; i++) {
    if (i) fputs(",\n", out);
    write_result(id, id->result[i], out);
  }
  fputs("\n  ],\n  \"not_fitted\": [", out);
  for (int i = 0; i < id->failures; i++) {
    if (i) fputs(", ", out);
    json_string(out, id->failed[i]);
  }
  fputs("],\n  \"profile\": ", out);
  if (!id->profile_count) fputs("null", out);
  else {
    fputs("{\"name\": ", out);
    json_string(out, id->profile_name);
    for (int row = 0; row < 2; row++) {
      fprintf(out, ", \"%s\": [", row ? "squares" : "value");
      for (int i = 0; i < id->profile_count; i++) {
        if (i) fputs(", ", out);
        json_number(out, row ? id->profile_cost[i] : id->profile_value[i]);
      }
      fputs("]", out);
    }
    fputs("}", out);
  }
  if (id->motion) rig_json(id, out);
  fputs("\n}\n", out);
}
