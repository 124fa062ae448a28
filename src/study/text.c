/* What a study says to people. */
#include "study/study.h"

#include "study/study.h"
#include "study/log_table.h"

#include "maths/elementary.h"

enum { OTHERS = 2, WIDTH = 110 }; /* laws shown beside the best; columns of the text */

static int fitted_numbers(const bristle_identified *r)
{
  int count = 0;
  for (int k = 0; k < r->estimates; k++) count += r->estimate[k].free;
  return count;
}

/* ---- the data ---- */

static void print_log(const bristle_log *log, const char *role, FILE *out)
{
  const bristle_log_summary *s = &log->summary;
  fprintf(out, "%s%s: %zu samples, %.4g s at %.4g Hz", log->file, role, log->count, s->duration, s->rate);
  if (log->stretches > 1) fprintf(out, ", %zu stretches", log->stretches);
  fputs("\n", out);
  log_table_print(log, out);
  const char *speed = bristle_speed_unit(log->rotary), *force = bristle_force_unit(log->rotary);
  if (log->f)
    fprintf(out,
            "  speeds %.3g to %.3g %s (median %.3g), forward %.0f %%, backward %.0f %%, at rest %.0f %% of the time\n",
            s->speed_low, s->speed_high, speed, s->speed_median, 100 * s->forward, 100 * s->backward, 100 * s->rest);
  if (log->f)
    fprintf(out, "  %zu reversals (%zu after short strokes), force %.4g to %.4g %s, its noise about %.2g %s\n",
            s->reversals, s->loops, s->force_low, s->force_high, force, s->force_noise, force);
  for (size_t i = 0; i < log->note_count; i++) fprintf(out, "  note: %s\n", log->note[i]);
}

/* ---- what was decided for all of them ---- */

/* "every 5th sample" */
static const char *every(size_t n, char text[40])
{
  const int teens = n % 100 / 10 == 1;
  const char *const ending = teens || n % 10 > 3 || n % 10 == 0 ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : "rd";
  if (n > 1) snprintf(text, 40, "every %zu%s sample", n, ending);
  else snprintf(text, 40, "every sample");
  return text;
}

static void print_campaign(const bristle_campaign *c, FILE *out)
{
  char which[40];
  if (c->moving + c->transition + c->rest == 0) return; /* nothing was decided: the caller has a recipe */
  fprintf(out, "all records together: motion from the %s%s, ", c->from_velocity ? "velocity column" : "position",
          c->dequantised ? " (coarse encoder: interpolated)" : "");
  if (c->cutoff > 0)
    fprintf(out, "motion and force filtered at %.3g Hz%s, %s\n", c->cutoff, c->chosen ? " (chosen by the force)" : "",
            every(c->decimate, which));
  else fputs("no filter\n", out);
  fprintf(out, "  %.0f %% of the samples are moving, %.0f %% at rest, %.0f %% starting, stopping or reversing\n",
          100 * c->moving, 100 * c->rest, 100 * c->transition);
  for (size_t i = 0; i < c->note_count; i++) fprintf(out, "  note: %s\n", c->note[i]);
}

/* ---- the results ---- */

static void print_ranking(const bristle_study *study, FILE *out)
{
  const char *unit = study_unit(study->result[0]);
  char rms[20], held[20], slow[20];
  int marked = 0, more = 0;
  snprintf(rms, sizeof rms, "rms [%s]", unit), snprintf(held, sizeof held, "held out [%s]", unit);
  snprintf(slow, sizeof slow, "slow [%s]", unit);
  const int apart = study_has_slow(study);
  fprintf(out, "\n  %-22s %5s %10s %9s %15s%s %10s", "law", "free", rms, "error", held,
          study_is_validated(study) ? "  validation" : "", "BIC");
  if (apart) fprintf(out, " %11s", slow);
  fputs("\n", out);
  for (int i = 0; i < study->results; i++) {
    const bristle_identified *r = study->result[i];
    char name[64];
    study_name(r, name);
    const char mark = study_mark(r, i);
    marked += mark == '=', more += mark == '+';
    fprintf(out, "%c %-22s %5d %10.4g %7.3f %%", mark, name, fitted_numbers(r), r->rms, 100 * r->relative);
    if (isfinite(r->held_out)) fprintf(out, " %15.4g", r->held_out);
    else fprintf(out, " %15s", "-");
    if (study_is_validated(study)) fprintf(out, " %9.3f %%", 100 * r->validation);
    fprintf(out, " %10.1f", r->bic);
    if (apart && isfinite(r->held_out_slow)) fprintf(out, " %11.4g", r->held_out_slow);
    fputs("\n", out);
  }
  if (more) fputs("  +: explains more, with parameters that these records do not determine\n", out);
  if (marked) fputs("  =: indistinguishable from the best\n", out);
  if (apart) fputs("  slow: held-out error of samples that start, stop or turn, apart from the others\n", out);
  for (int i = 0; i < study->failures; i++) fprintf(out, "  not fitted: %s\n", study->failed[i]);
}

/* a term that is not there, an element that is not used */
static int is_absent(const bristle_estimate *x) { return !x->free && x->value == 0; }

static void print_over(const bristle_identified *r, bristle_over kind, FILE *out)
{
  double position[BRISTLE_KNOTS], value[BRISTLE_KNOTS], deviation[BRISTLE_KNOTS];
  const int knots = bristle_identified_over(r, kind, position, value, deviation);
  const char *length = bristle_length_unit(r->rotary);
  if (!knots) return;
  fprintf(out, "  %s over the position", kind == BRISTLE_OVER_FRICTION ? "friction" : "force");
  if (r->over[kind].periodic) fprintf(out, ", period %.5g %s", r->over[kind].length, length);
  fprintf(out, ", straight lines between\n    %-7s", length);
  for (int k = 0; k < knots; k++) fprintf(out, " %8.3g", position[k]);
  fprintf(out, "\n    %-7s", study_unit(r));
  for (int k = 0; k < knots; k++) fprintf(out, " %+8.3g", value[k]);
  fputs("\n    +-     ", out);
  for (int k = 0; k < knots; k++) fprintf(out, " %8.2g", deviation[k]);
  fputs("\n", out);
}

/* which of several records the best law explains worst */
static void print_records(const bristle_study *study, FILE *out)
{
  size_t chosen[3];
  if (!study->view || study->logs < 2) return;
  const int count = study_views_choose(study->view, study->logs, chosen);
  const study_view *least = &study->view[chosen[0]], *most = &study->view[chosen[count - 1]];
  fprintf(out, "  errors of the records: from %.3g %% (%s) to %.3g %% (%s)\n", 100 * least->error.relative,
          least->log->file, 100 * most->error.relative, most->log->file);
}

static void print_best(const bristle_study *study, FILE *out)
{
  const bristle_identified *r = study->result[0];
  char sentence[STUDY_SENTENCES][240], number[64], name[64];
  study_name(r, name);
  fprintf(out, "\n%s\n", name);
  for (int k = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (is_absent(x) || bristle_identified_is_knot(r, k)) continue;
    study_number(x, number);
    const char *times = study_times(r, k);
    if (*times) fprintf(out, "  %-12s %s times %s\n", x->name, number, times);
    else
      fprintf(out, "  %-12s %s%s%s\n", x->name, number, strcmp(x->unit, "1") ? " " : "",
              strcmp(x->unit, "1") ? x->unit : "");
  }
  for (int kind = 0; kind < BRISTLE_OVERS; kind++) print_over(r, (bristle_over)kind, out);
  int count = bristle_identified_verdict(r, study_logs(study), study->logs, sentence, STUDY_SENTENCES);
  for (int i = 0; i < count; i++) fprintf(out, "  %s\n", sentence[i]);
  print_records(study, out);
}

/* what was fitted, in a line or two */
static void print_other(const bristle_identified *r, FILE *out)
{
  char name[64], number[64], item[140];
  study_name(r, name);
  int used = fprintf(out, "\n%s:", name);
  for (int k = 0, written = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (!x->free || bristle_identified_is_knot(r, k)) continue;
    study_number(x, number);
    const char *unit = strcmp(x->unit, "1") ? x->unit : "";
    const int length = snprintf(item, sizeof item, " %s %s%s%s", x->name, number, *unit ? " " : "", unit);
    if (written++) used += fprintf(out, ",");
    if (used + length > WIDTH) used = fprintf(out, "\n ") - 1;
    used += fprintf(out, "%s", item);
  }
  fputs("\n", out);
}

static void print_profile(const bristle_study *study, FILE *out)
{
  fprintf(out, "\nprofile of %s: value%s%s%s, sum of squares/its minimum\n", study->request.profile,
          strcmp(study->profile_unit, "1") ? " [" : "", strcmp(study->profile_unit, "1") ? study->profile_unit : "",
          strcmp(study->profile_unit, "1") ? "]" : "");
  for (int i = 0; i < study->profile_count; i++)
    fprintf(out, "  %-12.6g %.6f\n", study->profile_value[i], study->profile_cost[i]);
}

void bristle_study_text(const bristle_study *study, FILE *out)
{
  if (study->motion) study_rig_text(study, out);
  for (size_t i = 0; i < study->logs && !study->motion; i++) print_log(study->log[i], "", out);
  if (study->validation) print_log(study->validation, " (validation)", out);
  if (!study->decay && !study->motion) print_campaign(&study->campaign, out);
  print_ranking(study, out);
  print_best(study, out);
  if (study->motion) study_rig_text_errors(study, out);
  for (int i = 1; i < study->results && i <= OTHERS; i++) print_other(study->result[i], out);
  if (study->profile_count) print_profile(study, out);
}
