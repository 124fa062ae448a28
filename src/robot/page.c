/* The page of a robot: a table of all joints, then a card for each with its pictures. */
#include "robot/data.h"

#include "maths/elementary.h"

#include "lab/report.h"
#include "lab/units.h"

#include <stdlib.h>
#include <string.h>

static const char *const words[] = { "good", "with care", "do not use" };
static const char *const badges[] = { "Use this model", "Use with care", "Do not use this model" };

/* "12.3 ± 0.4" */
static void set_value(const bristle_robot_number *n, char text[64])
{
  if (n->reason[0] && fabs(n->value) <= 2 * n->deviation) snprintf(text, 64, "zero within ± %.2g", 2 * n->deviation);
  else if (n->reason[0]) snprintf(text, 64, "not determined");
  else if (isfinite(n->deviation)) snprintf(text, 64, "%.4g ± %.2g", n->value, n->deviation);
  else snprintf(text, 64, "%.4g (fixed)", n->value);
}

static void set_errors(const bristle_robot_result *r, char text[2][64])
{
  const char *force = r->servo ? bristle_length_unit(!r->prismatic) : bristle_force_unit(!r->prismatic);
  text[0][0] = text[1][0] = '\0';
  if (isfinite(r->rms)) snprintf(text[0], 64, "%.3g %s, %.1f %%", r->rms, force, 100 * r->relative);
  if (isfinite(r->check)) snprintf(text[1], 64, "%.3g %s, %.1f %%", r->check, force, 100 * r->check_relative);
  else if (isfinite(r->held_out)) snprintf(text[1], 64, "%.3g %s (blocks)", r->held_out, force);
}

static void add_table(const bristle_robot_study *study, bristle_report *page)
{
  static const char *const heads[] = { "joint", "", "law", "level", "error", "held out", "columns of the log" };
  const size_t count = (size_t)study->robot.tree.count;
  char(*text)[3][64] = calloc(count, sizeof *text);
  const char **cell = calloc(count * 7, sizeof *cell);
  for (size_t j = 0; j < count && text && cell; j++) {
    const bristle_robot_result *r = &study->joint[j];
    const char **row = cell + 7 * j;
    if (r->numbers) set_value(&r->number[0], text[j][0]);
    set_errors(r, text[j] + 1);
    row[0] = r->name, row[1] = words[r->grade], row[2] = r->law, row[3] = text[j][0], row[4] = text[j][1];
    row[5] = text[j][2], row[6] = r->columns;
  }
  if (text && cell) bristle_report_table(page, &(bristle_report_grid){ NULL, "lllrrrl", 7, count, heads, cell });
  free(text);
  free(cell);
}

/* what a number is, in words */
static void set_about(const bristle_robot_result *r, const bristle_robot_number *n, char text[64])
{
  static const char *const beside[][2] = { { "offset", "constant force" },
                                           { "load_friction", "growth with the load" },
                                           { "skew", "difference of the directions" },
                                           { "armature", "inertia of the motor" } };
  const bristle_law *law = n->of_law && r->law ? bristle_law_find(r->law) : NULL;
  const bristle_row *row = law ? bristle_param_find(law->f64->info, n->name) : NULL;
  text[0] = '\0';
  if (row) bristle_report_about(row->doc, text);
  for (size_t i = 0; i < sizeof beside / sizeof *beside && !row; i++)
    if (!strcmp(n->name, beside[i][0])) snprintf(text, 64, "%s", beside[i][1]);
}

static void add_card(const bristle_robot_result *r, bristle_report *page)
{
  bristle_card_row row[BRISTLE_ROBOT_NUMBERS];
  char value[BRISTLE_ROBOT_NUMBERS][64], about[BRISTLE_ROBOT_NUMBERS][64], unit[BRISTLE_ROBOT_NUMBERS][48];
  char errors[2][64];
  const char *detail[BRISTLE_ROBOT_SAYS];
  for (int k = 0; k < r->numbers; k++) {
    const bristle_robot_number *n = &r->number[k];
    set_value(n, value[k]), set_about(r, n, about[k]), bristle_report_unit(n->unit, unit[k]);
    row[k] = (bristle_card_row){ .name = n->name,
                                 .about = about[k],
                                 .value = value[k],
                                 .unit = unit[k],
                                 .note = n->reason[0] ? n->reason : NULL,
                                 .unknown = n->reason[0] != 0 };
  }
  set_errors(r, errors);
  const char *const facts[][2] = { { errors[0], "error of the moving samples" },
                                   { errors[1], "error on what was held out" } };
  for (int k = 1; k < r->says; k++) detail[k - 1] = r->say[k];
  const bristle_card card = { .grade = (bristle_grade)r->grade,
                              .word = badges[r->grade],
                              .sentence = r->says ? r->say[0]
                                                  : "The law explains the torque, and its numbers are known.",
                              .details = r->says > 1 ? (size_t)r->says - 1 : 0,
                              .detail = detail,
                              .rows = (size_t)r->numbers,
                              .row = row,
                              .facts = isfinite(r->rms) ? errors[1][0] ? 2 : 1 : 0,
                              .fact = facts };
  bristle_report_card(page, &card);
  bristle_report_card_facts(page, &card);
}

/* "elbow, wrist" */
static int list_joints(const bristle_robot_study *study, int grade, char text[300])
{
  size_t used = 0;
  int count = 0;
  text[0] = '\0';
  for (int j = 0; j < study->robot.tree.count; j++)
    if (study->joint[j].grade == grade)
      used = text_append(text, 300, used, "%s%s", count++ ? ", " : "", study->joint[j].name);
  return count;
}

/* The first screen: which joints can be used, how well the worst of them is explained, what to do next. */
static void add_first_card(const bristle_robot_study *study, bristle_report *page)
{
  const int count = study->robot.tree.count, held = study->record[study->data->view].held_out;
  char sentence[200], detail[2][340], names[300], number[2][32];
  const char *details[2];
  double worst = 0;
  bristle_card card = { .sentence = sentence, .detail = details };
  const int good = list_joints(study, BRISTLE_GRADE_GOOD, names);
  for (int j = 0; j < count; j++) {
    const bristle_robot_result *r = &study->joint[j];
    const double error = isfinite(r->check_relative) ? r->check_relative : r->relative;
    if (isfinite(error)) worst = fmax(worst, error);
    card.grade = (bristle_grade)fmax(card.grade, r->grade);
  }
  snprintf(sentence, sizeof sentence, "The friction of %d of %d joints is known.", good, count);
  for (int grade = BRISTLE_GRADE_CARE; grade <= BRISTLE_GRADE_BAD; grade++) {
    char *const text = detail[card.details];
    if (!list_joints(study, grade, names)) continue;
    snprintf(text, sizeof *detail, "%s: %s.", badges[grade], names), details[card.details++] = text;
  }
  snprintf(number[0], sizeof *number, "%d of %d", good, count);
  snprintf(number[1], sizeof *number, "%.2g %%", 100 * worst);
  const char *const facts[][2] = { { number[0], "joints known" },
                                   { number[1],
                                     held ? "largest error on the held-out log" : "largest error of a joint" } };
  card.word = badges[card.grade], card.facts = 2, card.fact = facts;
  card.next = card.grade == BRISTLE_GRADE_BAD ? "read what is said of these joints below, and record again."
                                              : "simulate a joint, or put it on a controller: `robot.yaml#JOINT` is a "
                                                "model file for `bristle simulate` and "
                                                "`bristle export`.";
  bristle_report_card(page, &card);
  bristle_report_card_facts(page, &card);
}

static void add_motion(const bristle_robot_study *study, int joint, bristle_report *page)
{
  const robot_data *data = study->data;
  const robot_log *log = &data->log[data->view];
  const char *length = bristle_length_unit(!study->joint[joint].prismatic);
  const bristle_series motion[] = { { "target", BRISTLE_STYLE_DASHED, log->count, log->t, log->aim[joint], NULL },
                                    { "measured", BRISTLE_STYLE_WIDE, log->count, log->t, log->q[joint], NULL },
                                    { "simulated", BRISTLE_STYLE_LINE, log->count, log->t, data->model[joint], NULL } };
  const bristle_series error[] = { { "simulated - measured", BRISTLE_STYLE_LINE, log->count, log->t,
                                     data->friction[joint], NULL } };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = "Position",
                                             .group = "t",
                                             .x = { "t", "s", 0 },
                                             .y = { "q", length, 0 },
                                             .half = 1,
                                             .series_count = 3,
                                             .series = motion,
                                             .limit = 4000 });
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = "What the simulation misses",
                                             .group = "t",
                                             .x = { "t", "s", 0 },
                                             .y = { "error", length, 0 },
                                             .half = 1,
                                             .series_count = 1,
                                             .series = error,
                                             .limit = 4000 });
}

static void add_torques(const bristle_robot_study *study, int joint, bristle_report *page)
{
  const robot_data *data = study->data;
  const robot_log *log = &data->log[data->view];
  const bristle_robot_result *r = &study->joint[joint];
  const char *force = bristle_force_unit(!r->prismatic), *speed = bristle_speed_unit(!r->prismatic);
  const bristle_series torque[] = { { "measured", BRISTLE_STYLE_WIDE, log->count, log->t, log->f[joint], NULL },
                                    { "model", BRISTLE_STYLE_LINE, log->count, log->t, data->model[joint], NULL } };
  const bristle_series friction[] = { { "torque without the bodies", BRISTLE_STYLE_POINTS, log->count, log->dx[joint],
                                        data->friction[joint], NULL } };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = "Torque",
                                             .group = "t",
                                             .x = { "t", "s", 0 },
                                             .y = { "torque", force, 0 },
                                             .half = 1,
                                             .series_count = 2,
                                             .series = torque,
                                             .limit = 4000 });
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                             .title = "Friction over speed",
                                             .x = { "v", speed, 0 },
                                             .y = { "torque", force, 0 },
                                             .half = 1,
                                             .series_count = 1,
                                             .series = friction,
                                             .limit = 4000 });
}

static void add_pictures(const bristle_robot_study *study, int joint, bristle_report *page)
{
  if (!study->joint[joint].law || !study->data->model[joint]) return;
  if (study->joint[joint].servo) add_motion(study, joint, page);
  else add_torques(study, joint, page);
}

bristle_fault_kind bristle_robot_page(const bristle_robot_study *study, const char *path, bristle_fault *fault)
{
  char text[400];
  bristle_report *page = bristle_report_new(study->robot.name[0] ? study->robot.name : "Robot");
  add_first_card(study, page);
  bristle_report_section(page, "All joints");
  for (int k = 0; k < study->notes; k++) bristle_report_text(page, study->note[k]);
  add_table(study, page);
  snprintf(text, sizeof text, "Pictures show %s%s.", study->record[study->data->view].file,
           study->record[study->data->view].held_out ? ", which was held out" : "");
  bristle_report_text(page, text);
  for (int j = 0; j < study->robot.tree.count; j++) {
    bristle_report_section(page, study->joint[j].name);
    add_card(&study->joint[j], page);
    add_pictures(study, j, page);
  }
  bristle_report_section(page, "How it was done");
  snprintf(text, sizeof text, "Cut-off of motion and torque: %.3g Hz%s.", study->cutoff,
           study->cutoff_chosen ? ", chosen from the motion" : "");
  bristle_report_text(page, text);
  if (study->request.settings) bristle_report_code(page, study->request.settings);
  const bristle_fault_kind kind = bristle_report_write(page, path, fault);
  bristle_report_free(page);
  return kind;
}
