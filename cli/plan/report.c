/* The page of a plan: what it promises, the motion, its pieces, and how the force is measured. */
#include "plan.h"

#include "common/cli.h"

#include "lab/report.h"

enum { CELL = 170 };

static void add_pieces(const plan_job *job, bristle_report *report)
{
  static const char *const heads[] = { "times", "piece", "load" };
  char text[BRISTLE_PLAN_PIECES][3][CELL];
  const char *cells[BRISTLE_PLAN_PIECES * 3];
  const size_t columns = job->limits.loads ? 3 : 2;
  size_t rows = 0;
  for (int k = 0, times; k < job->plan->count; k += times, rows++) {
    times = plan_piece_repeats(job, k);
    snprintf(text[rows][0], CELL, "%d", times);
    bristle_plan_piece_text(&job->plan->piece[k], job->friction.rotary, text[rows][1], CELL);
    snprintf(text[rows][2], CELL, "%.4g N", job->plan->piece[k].load);
    for (size_t c = 0; c < columns; c++) cells[rows * columns + c] = text[rows][c];
  }
  bristle_report_table(report, &(bristle_report_grid){ .caption = "In this order; each piece starts and ends at rest.",
                                                       .align = "rlr",
                                                       .columns = columns,
                                                       .rows = rows,
                                                       .heads = heads,
                                                       .cells = cells });
}

static void add_column(const plan_job *job, bristle_report *report, const char *title, const char *label,
                       const char *unit, const double *y)
{
  const bristle_series series[] = { { .name = label, .count = job->plan->samples, .x = job->plan->t, .y = y } };
  bristle_report_plot(report, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                               .title = title,
                                               .group = "motion",
                                               .x = { "time", "s", 0 },
                                               .y = { label, unit, 0 },
                                               .series_count = 1,
                                               .series = series });
}

static void add_promise(const plan_job *job, bristle_report *report)
{
  enum { COLUMNS = 5 };
  const char *heads[COLUMNS] = { "parameter", "taken as", "unit", "with the plan" };
  char text[BRISTLE_LAW_SIZE][2][24];
  const char *cells[BRISTLE_LAW_SIZE * COLUMNS];
  plan_promise promise[BRISTLE_LAW_SIZE];
  const int count = plan_promises(job, promise), columns = job->has_record ? COLUMNS : COLUMNS - 1;
  if (job->has_record) heads[3] = "with the record", heads[4] = "with record and plan";
  for (int k = 0; k < count; k++) {
    const char **row = cells + columns * k;
    row[0] = promise[k].name, row[1] = promise[k].value, row[2] = promise[k].unit;
    if (job->has_record) row[3] = plan_percent(promise[k].record, text[k][0]);
    row[columns - 1] = plan_percent(promise[k].planned, text[k][1]);
  }
  bristle_report_table(report, &(bristle_report_grid){ .caption = "Standard deviations that a good fit will have.",
                                                       .align = "lrlrr",
                                                       .columns = (size_t)columns,
                                                       .rows = (size_t)count,
                                                       .heads = heads,
                                                       .cells = cells });
}

/* the parameter that will be known least, before and after, in one sentence */
static void add_verdict(const plan_job *job, bristle_report *report)
{
  plan_promise promise[BRISTLE_LAW_SIZE];
  char text[300], before[24], after[24];
  const int count = plan_promises(job, promise);
  int worst = 0;
  for (int k = 1; k < count; k++)
    if (promise[k].planned > promise[worst].planned) worst = k;
  if (!count) return;
  if (!job->plan->count) snprintf(text, sizeof text, "Nothing more is needed: the record determines every parameter.");
  else if (job->has_record)
    snprintf(text, sizeof text,
             "After %.3g s more of motion every parameter is known to within %s; with the record alone %s is "
             "known to %s.",
             job->plan->t[job->plan->samples - 1], plan_percent(promise[worst].planned, after), promise[worst].name,
             plan_percent(promise[worst].record, before));
  else
    snprintf(text, sizeof text, "After %.3g s of motion every parameter is known to within %s (worst: %s).",
             job->plan->t[job->plan->samples - 1], plan_percent(promise[worst].planned, after), promise[worst].name);
  bristle_report_text(report, text);
}

bristle_fault_kind plan_report(const plan_job *job, const plan_request *q, bristle_fault *fault)
{
  const int rotary = job->friction.rotary;
  char text[200];
  snprintf(text, sizeof text, "An experiment for %s", job->friction.info->name);
  bristle_report *report = bristle_report_new(text);
  add_verdict(job, report);
  if (job->warning[0]) bristle_report_text(report, job->warning);
  if (job->plan->count) {
    bristle_report_section(report, "Motion");
    add_column(job, report, "Position", "position", bristle_length_unit(rotary), job->plan->x);
    add_column(job, report, "Velocity", "velocity", bristle_speed_unit(rotary), job->plan->v);
    if (job->limits.loads) add_column(job, report, "Load", "N", "N", job->plan->n);
  }
  bristle_report_section(report, "What it promises");
  snprintf(text, sizeof text, "The force is measured with a noise of %.3g %s, at %.4g Hz.", job->limits.noise,
           bristle_force_unit(rotary), job->limits.rate);
  bristle_report_text(report, text);
  add_promise(job, report);
  if (job->plan->count) {
    bristle_report_section(report, "Pieces");
    add_pieces(job, report);
  }
  const bristle_fault_kind kind = bristle_report_write(report, q->report, fault);
  bristle_report_free(report);
  return kind;
}
