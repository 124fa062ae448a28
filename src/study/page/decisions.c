/* The folded part of the page of `bristle identify`: what was decided for all records, and why. */
#include "study/page/page.h"

#include "study/log_table.h"

#include "maths/elementary.h"

enum { TABLES = 3, SHOWN = 4000 };

static void write_facts(const bristle_study *study, bristle_report *page)
{
  const bristle_campaign *c = &study->campaign;
  const bristle_log *log = study->log[0];
  char cutoff[60], mask[120], delay[60], lag[60], threshold[60];
  const char *facts[8][2];
  size_t count = 0;
  if (c->cutoff > 0)
    snprintf(cutoff, sizeof cutoff, "%.3g Hz, %s", c->cutoff, c->chosen ? "chosen by the force" : "given");
  else snprintf(cutoff, sizeof cutoff, "none");
  snprintf(mask, sizeof mask, "%.0f %% moving, %.0f %% at rest, %.0f %% starting, stopping or reversing",
           100 * c->moving, 100 * c->rest, 100 * c->transition);
  snprintf(threshold, sizeof threshold, "%.3g %s", log->threshold, bristle_speed_unit(log->rotary));
  snprintf(delay, sizeof delay, "%.3g ms", 1e3 * log->force_delay);
  snprintf(lag, sizeof lag, "%.3g ms behind the position", 1e3 * log->velocity_lag);
  facts[count][0] = "Cut-off of motion and force", facts[count++][1] = cutoff;
  facts[count][0] = "Motion from", facts[count++][1] = c->from_velocity ? "velocity column" : "position";
  if (c->moving + c->transition + c->rest > 0) facts[count][0] = "Samples", facts[count++][1] = mask;
  if (log->threshold > 0) facts[count][0] = "A sample counts as moving above", facts[count++][1] = threshold;
  facts[count][0] = "Force shifted earlier by", facts[count++][1] = log->force_delay != 0 ? delay : "nothing";
  if (isfinite(log->velocity_lag)) facts[count][0] = "Velocity column", facts[count++][1] = lag;
  if (c->dequantised) facts[count][0] = "Coarse encoder", facts[count++][1] = "positions are interpolated";
  bristle_report_facts(page, count, facts);
}

static void draw_cutoffs(const bristle_campaign *c, bristle_report *page)
{
  bristle_series series[2];
  size_t count = 0;
  for (int s = 0; s < 2; s++) {
    int any = 0;
    for (int i = 0; i < c->points; i++) any |= isfinite(c->error[s][i]);
    if (any)
      series[count++] = (bristle_series){ s ? "from the velocity column" : "from the position",
                                          BRISTLE_STYLE_LINE,
                                          (size_t)c->points,
                                          c->frequency,
                                          c->error[s],
                                          NULL };
  }
  if (!count || c->points < 2) return;
  const bristle_mark marks[] = { { .at = c->cutoff, .label = c->chosen ? "chosen" : "given" } };
  bristle_report_plot(
      page,
      &(bristle_plot){
          .kind = BRISTLE_PLOT_XY,
          .title = "Choice of the cut-off",
          .half = 1,
          .caption = "Fraction of the unfiltered force left unexplained when the motion is filtered at this frequency.",
          .x = { "cut-off", "Hz", 1 },
          .y = { "error", NULL, 0 },
          .series_count = count,
          .series = series,
          .mark_count = c->cutoff > 0,
          .marks = marks });
}

/* speeds of a record by what their samples can tell */
static void draw_mask(const bristle_log *log, bristle_report *page)
{
  static const char *const names[3] = { "moving", "between", "at rest" };
  double *values = malloc(sizeof *values * 3 * (log->count + 1));
  bristle_series series[3];
  size_t count = 0;
  if (!values || !log->phase) {
    free(values);
    return;
  }
  for (int p = 0; p < 3; p++) {
    double *v = values + (size_t)p * log->count;
    size_t found = 0;
    for (size_t i = 0; i < log->count; i++) {
      const int here = log->phase[i] == BRISTLE_PHASE_MOVING + p;
      v[i] = here ? log->v[i] : (double)NAN;
      found += (size_t)here;
    }
    if (found) series[count++] = (bristle_series){ names[p], BRISTLE_STYLE_LINE, log->count, log->t, v, NULL };
  }
  if (count)
    bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                               .title = "Which samples count as motion",
                                               .half = 1,
                                               .caption = log->file,
                                               .x = { "time", "s", 0 },
                                               .y = { "velocity", bristle_speed_unit(log->rotary), 0 },
                                               .series_count = count,
                                               .series = series,
                                               .limit = SHOWN });
  free(values);
}

/* ---- notes and repairs ---- */

/* the same note of several records is said once */
static void write_notes(const bristle_study *study, size_t all, bristle_report *page)
{
  char text[600];
  for (size_t i = 0; i < study->campaign.note_count; i++) {
    snprintf(text, sizeof text, "All records: %s.", study->campaign.note[i]);
    bristle_report_text(page, text);
  }
  for (size_t l = 0; l < all; l++)
    for (size_t i = 0; i < study->view[l].log->note_count; i++) {
      const char *note = study->view[l].log->note[i];
      size_t same = 0;
      int first = 1;
      for (size_t m = 0; m < all; m++)
        for (size_t k = 0; k < study->view[m].log->note_count; k++) {
          if (strcmp(study->view[m].log->note[k], note) != 0) continue;
          if (m < l || (m == l && k < i)) first = 0;
          same++;
        }
      if (!first) continue;
      if (same > 1) snprintf(text, sizeof text, "%zu records: %s.", same, note);
      else snprintf(text, sizeof text, "%.250s: %s.", study->view[l].log->file, note);
      bristle_report_text(page, text);
    }
}

static void write_hashes(const bristle_study *study, size_t all, bristle_report *page)
{
  char *text = malloc(all * 400 + 1);
  size_t used = 0;
  for (size_t l = 0; text && l < all; l++)
    used = text_append(text, all * 400 + 1, used, "%.64s  %.250s\n", study->view[l].log->digest,
                       study->view[l].log->file);
  if (text && used) bristle_report_code(page, text);
  free(text);
}

/* folded: what was decided, and why */
void study_part_decisions(const bristle_study *study, bristle_report *page)
{
  if (!study->view) return;
  const size_t all = study->logs + (study->validation != NULL);
  size_t chosen[3];
  const int count = study_views_choose(study->view, study->logs, chosen);
  bristle_report_section(page, "What was decided, and why");
  bristle_report_fold(page, study->request.settings[0]
                                ? "Cut-off, delay, noise, which samples count, repairs, the command"
                                : "Cut-off, delay, noise, which samples count, repairs");
  write_facts(study, page);
  draw_cutoffs(&study->campaign, page);
  draw_mask(study->view[chosen[count / 2]].log, page);
  write_notes(study, all, page);
  for (size_t l = 0; l < all; l++) {
    if (l >= TABLES && !study->view[l].is_validation) continue; /* the first ones stand for the others */
    bristle_report_text(page, study->view[l].log->file);
    log_table_report(study->view[l].log, page);
  }
  write_hashes(study, all, page);
  if (study->request.settings[0]) bristle_report_code(page, study->request.settings);
}
