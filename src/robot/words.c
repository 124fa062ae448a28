/* What was found about a robot, as sentences and as JSON. */
#include "robot/data.h"

#include "maths/elementary.h"

#include "lab/report.h"
#include "lab/units.h"

static const char *const grades[] = { "good", "with care", "do not use" };

void joint_say(bristle_robot_result *r, const char *format, ...)
{
  va_list args;
  if (r->says == BRISTLE_ROBOT_SAYS) return;
  va_start(args, format);
  vsnprintf(r->say[r->says++], sizeof *r->say, format, args);
  va_end(args);
}

void joint_grade(bristle_robot_result *r, int at_most)
{
  if (r->grade < at_most) r->grade = at_most;
}

static void tell_number(FILE *out, const bristle_robot_number *n)
{
  fprintf(out, "    %-14s %10.5g", n->name, n->value);
  if (isfinite(n->deviation)) fprintf(out, " +- %-8.2g", n->deviation);
  else fprintf(out, "   %-8s ", n->of_law ? "fixed" : "");
  fprintf(out, " %s%s%s\n", n->unit, n->reason[0] ? "; " : "", n->reason);
}

static void tell_errors(FILE *out, const bristle_robot_result *r)
{
  const char *unit = r->servo ? bristle_length_unit(!r->prismatic) : bristle_force_unit(!r->prismatic);
  fprintf(out, "    error %.3g %s, %.1f %% of the %s", r->rms, unit, 100 * r->relative,
          r->servo ? "tracking error" : "torque");
  if (isfinite(r->held_out)) fprintf(out, "; held-out blocks %.3g", r->held_out);
  if (isfinite(r->check)) fprintf(out, "; held-out logs %.3g (%.1f %%)", r->check, 100 * r->check_relative);
  putc('\n', out);
  if (!r->servo)
    fprintf(out, "    %d of %d rigid-body columns are seen; speeds %.3g to %.3g %s\n", r->rank, r->columns_of_rank,
            r->slow, r->fast, bristle_speed_unit(!r->prismatic));
}

static void tell_joint(FILE *out, const bristle_robot_result *r)
{
  fprintf(out, "\n%s (%s): %s%s%s\n", r->name, r->columns, grades[r->grade], r->law ? ", " : "", r->law ? r->law : "");
  for (int k = 0; k < r->numbers; k++) tell_number(out, &r->number[k]);
  if (isfinite(r->rms)) tell_errors(out, r);
  for (int k = 0; k < r->says; k++) fprintf(out, "    %s\n", r->say[k]);
}

void bristle_robot_text(const bristle_robot_study *study, FILE *out)
{
  const int count = study->robot.tree.count;
  fprintf(out, "%s: %d joint%s, cut-off %.3g Hz%s\n", study->robot.name[0] ? study->robot.name : "robot", count,
          count > 1 ? "s" : "", study->cutoff, study->cutoff_chosen ? ", chosen from the motion" : "");
  for (int k = 0; k < study->records; k++)
    fprintf(out, "%s: %.4g s at %.4g Hz%s\n", study->record[k].file, study->record[k].duration, study->record[k].rate,
            study->record[k].held_out ? ", held out" : "");
  for (int k = 0; k < study->notes; k++) fprintf(out, "note: %s\n", study->note[k]);
  for (int j = 0; j < count; j++) tell_joint(out, &study->joint[j]);
}

static void json_joint(FILE *out, const bristle_robot_result *r, int records)
{
  bristle_json_print(out, "{'name': %s, 'columns': %s, 'grade': %s, 'servo': %i, 'law': %s,\n  'numbers': {", r->name,
                     r->columns, grades[r->grade], r->servo, r->law);
  for (int k = 0; k < r->numbers; k++) {
    const bristle_robot_number *n = &r->number[k];
    bristle_json_print(out, "%c %s: {'value': %g, 'deviation': %g, 'unit': %s, 'of_law': %i, 'reason': %s}",
                       k ? ',' : 0, n->name, n->value, n->deviation, n->unit, n->of_law, n->reason);
  }
  bristle_json_print(out,
                     "},\n  'rms': %g, 'relative': %g, 'held_out': %g, 'check': %g, 'check_relative': %g, 'late': %g,\n"
                     "  'torque': %g, 'rank': %d, 'columns_of_rank': %d, 'samples': %zu, 'speeds': [%g, %g], 'says': ",
                     r->rms, r->relative, r->held_out, r->check, r->check_relative, r->late, r->size, r->rank,
                     r->columns_of_rank, r->samples, r->slow, r->fast);
  bristle_json_texts(out, r->say[0], sizeof *r->say, (size_t)r->says);
  if (r->servo) {
    bristle_json_print(out, ", 'log_errors': ");
    bristle_json_numbers(out, r->log_error, (size_t)records);
  }
  bristle_json_print(out, "}");
}

void bristle_robot_json(const bristle_robot_study *study, FILE *out)
{
  bristle_json_print(out, "{'robot': %s, 'file': %s, 'cutoff_Hz': %g, 'cutoff_chosen': %i,\n'logs': [",
                     study->robot.name, study->robot.file, study->cutoff, study->cutoff_chosen);
  for (int k = 0; k < study->records; k++)
    bristle_json_print(out, "%c{'file': %s, 'duration_s': %g, 'rate_Hz': %g, 'held_out': %i}", k ? ',' : 0,
                       study->record[k].file, study->record[k].duration, study->record[k].rate,
                       study->record[k].held_out);
  bristle_json_print(out, "],\n'notes': ");
  bristle_json_texts(out, study->note[0], sizeof *study->note, (size_t)study->notes);
  bristle_json_print(out, ",\n'joints': [\n");
  for (int j = 0; j < study->robot.tree.count; j++) {
    if (j) bristle_json_print(out, ",\n");
    json_joint(out, &study->joint[j], study->records);
  }
  bristle_json_print(out, "]}\n");
}
