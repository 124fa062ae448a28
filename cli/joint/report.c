/* The page of `bristle joint`: what the joint felt, and what its bristles did. */
#include "run.h"

#include "common/cli.h"

#include "lab/report.h"

enum { LINES = 3 };

static void plot(bristle_report *report, const joint_run *r, double *const *kept, bristle_plot p, int x,
                 const int *column, int count)
{
  const char *name[JOINT_CELLS], *unit[JOINT_CELLS];
  bristle_series series[LINES];
  joint_columns(r, name, unit);
  for (int i = 0; i < count; i++)
    series[i] = (bristle_series){
      .name = name[column[i]], .count = r->table->rows, .x = kept[x], .y = kept[column[i]]
    };
  p.kind = x ? BRISTLE_PLOT_XY : BRISTLE_PLOT_TIME;
  p.group = x ? NULL : "time";
  p.half = 1;
  p.x = (bristle_plot_axis){ x ? name[x] : "time", unit[x], 0 };
  p.y = (bristle_plot_axis){ count > 1 ? "" : name[column[0]], unit[column[0]], 0 };
  p.series = series;
  p.series_count = (size_t)count;
  bristle_report_plot(report, &p);
}

/* those of `count` columns that are not zero throughout */
static int alive(const joint_run *r, double *const *kept, int first, int count, int *column)
{
  int found = 0;
  for (int i = 0; i < count; i++)
    for (size_t row = 0; row < r->table->rows; row++)
      if (kept[first + i][row] != 0) {
        column[found++] = first + i;
        break;
      }
  return found;
}

/* The first screen: what the joint is, and the largest of everything. */
static void add_card(const joint_run *r, const char *about, bristle_report *report)
{
  enum { ROWS = 4 };
  static const char *const names[ROWS] = { "largest friction force", "largest friction torque", "largest normal load",
                                           "largest slip speed" };
  static const char *const units[ROWS] = { "N", "N m", "N", "m/s" };
  const double most[ROWS] = { r->most_force, r->most_torque, r->most_load, r->most_slip };
  char value[ROWS][32], sentence[200], number[2][32];
  bristle_card_row row[ROWS];
  size_t rows = 0;
  for (int i = 0; i < ROWS; i++) {
    if (!(most[i] > 0)) continue;
    snprintf(value[i], 32, "%.3g", most[i]);
    row[rows++] = (bristle_card_row){ .about = names[i], .value = value[i], .unit = units[i] };
  }
  const int still = !(r->most_slip > 0);
  if (still) snprintf(sentence, sizeof sentence, "The joint never slips.");
  else if (!(r->most_force > 0) && !(r->most_torque > 0))
    snprintf(sentence, sizeof sentence, "The joint slips without friction: is there a load?");
  else snprintf(sentence, sizeof sentence, "Friction in the joint takes %.3g J.", r->dissipated);
  snprintf(number[0], 32, "%zu", r->table->rows);
  snprintf(number[1], 32, "%.3g s", joint_cell(r, T, r->table->rows - 1) - joint_cell(r, T, 0));
  const char *const detail[] = { about };
  const char *const fact[][2] = { { number[0], "rows of reactions" }, { number[1], "of motion" } };
  const int odd = !still && !(r->most_force > 0) && !(r->most_torque > 0);
  const bristle_card card = { .grade = odd ? BRISTLE_GRADE_CARE : BRISTLE_GRADE_GOOD,
                              .word = odd ? "Check the loads" : "Computed",
                              .sentence = sentence,
                              .details = 1,
                              .detail = detail,
                              .rows = rows,
                              .row = row,
                              .next = "compare the columns with what your simulator wrote; docs/joints.md says how to "
                                      "couple them.",
                              .facts = 2,
                              .fact = fact };
  bristle_report_card(report, &card);
  bristle_report_card_facts(report, &card);
}

int joint_report(const joint_run *r, const char *joint_path, const char *data_path, const char *path,
                 double *const *kept)
{
  const char *name[JOINT_CELLS], *unit[JOINT_CELLS];
  const int coupling = joint_couples(r), columns = joint_columns(r, name, unit), states = columns - 10 - 2 * coupling;
  const bristle_joint *j = &r->file.joint;
  char text[1000];
  int column[LINES], found;
  snprintf(text, sizeof text, "Friction of %s", j->name ? j->name : bristle_joint_kind_text(j->kind));
  bristle_report *report = bristle_report_new(text);
  snprintf(text, sizeof text, "A %s joint with the law %s under the reactions of `%.200s`; the joint is `%.200s`. %s",
           bristle_joint_kind_text(j->kind), r->file.friction.info->name, data_path, joint_path,
           j->combine == BRISTLE_JOINT_COMBINE_SUM ? "Preload and reactions are added."
                                                   : "Of preload and reactions the larger friction counts.");
  add_card(r, text, report);
  bristle_report_section(report, "What the joint felt");
  if ((found = alive(r, kept, 1, 3, column)))
    plot(report, r, kept, (bristle_plot){ .title = "Force" }, 0, column, found);
  if ((found = alive(r, kept, 4, 3, column)))
    plot(report, r, kept, (bristle_plot){ .title = "Torque" }, 0, column, found);
  plot(report, r, kept, (bristle_plot){ .title = "Coefficient over slip" }, 8, (int[]){ 7 }, 1);
  plot(report, r, kept, (bristle_plot){ .title = "Slip" }, 0, (int[]){ 8 }, 1);
  plot(report, r, kept, (bristle_plot){ .title = "Normal load" }, 0, (int[]){ 9 }, 1);
  for (int i = 0; i < states; i++) column[i] = 10 + i;
  if (states) plot(report, r, kept, (bristle_plot){ .title = "Bristles" }, 0, column, states);
  if (coupling) {
    plot(report, r, kept, (bristle_plot){ .title = "Coupling", .caption = "lambda = |slip| fc^2/g" }, 0,
         (int[]){ columns - 2 }, 1);
    plot(report, r, kept,
         (bristle_plot){ .title = "Rate", .caption = "C0 = |slip| sigma0/g: how fast a bent bristle lets go" }, 0,
         (int[]){ columns - 1 }, 1);
  }
  return finish_page(report, path);
}
