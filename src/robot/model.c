/* All joints of a robot as one document: each is a model file of its own. */
#include "robot/data.h"

#include "maths/elementary.h"

#include "lab/units.h"

#include <string.h>

static void write_quoted(FILE *out, const char *text)
{
  putc('"', out);
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < 0x20) fprintf(out, "\\x%02x", c);
    else putc(c, out);
  }
  putc('"', out);
}

static void write_number(FILE *out, const bristle_robot_number *n)
{
  char text[BRISTLE_NUMBER_SIZE];
  bristle_number_write(n->value, text);
  fprintf(out, "      %s: {value: %s", n->name, text);
  if (strcmp(n->unit, "1")) fprintf(out, ", unit: \"%s\"", n->unit);
  if (isfinite(n->deviation) && n->deviation > 0) fprintf(out, ", std: %.3g", n->deviation);
  fprintf(out, "}%s\n", n->reason[0] ? "  # not determined by the data" : "");
}

static void write_joint(FILE *out, const bristle_robot_result *r)
{
  static const char *const grades[] = { "good", "care", "bad" };
  const char *unit = r->servo ? bristle_length_unit(!r->prismatic) : bristle_force_unit(!r->prismatic);
  fputs("  ", out);
  write_quoted(out, r->name);
  fprintf(out, ":\n    model: %s\n    parameters:\n", r->law);
  for (int k = 0; k < r->numbers; k++)
    if (r->number[k].of_law) write_number(out, &r->number[k]);
  fputs("    identified:\n", out);
  for (int k = 0; k < r->numbers; k++)
    if (!r->number[k].of_law) write_number(out, &r->number[k]);
  fprintf(out, "      grade: %s\n      rms: {value: %.6g, unit: \"%s\"}\n      relative_error: %.6g\n",
          grades[r->grade], r->rms, unit, r->relative);
  if (isfinite(r->check)) fprintf(out, "      held_out_logs: {value: %.6g, unit: \"%s\"}\n", r->check, unit);
  fputs("      columns: ", out);
  write_quoted(out, r->columns);
  fputs("\n", out);
}

bristle_fault_kind bristle_robot_model(const bristle_robot_study *study, const char *path, bristle_fault *fault)
{
  bristle_output *output;
  bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_DOCUMENT, &output, fault);
  if (kind) return kind;
  FILE *out = bristle_output_stream(output);
  fputs("bristle: 1\nrobot: ", out);
  write_quoted(out, study->robot.name[0] ? study->robot.name : study->robot.file);
  fputs("\njoints:\n", out);
  for (int j = 0; j < study->robot.tree.count; j++)
    if (study->joint[j].law) write_joint(out, &study->joint[j]);
  fputs("identified:\n  file: ", out);
  write_quoted(out, study->robot.file);
  fputs("\n  data: [", out);
  for (int k = 0; k < study->records; k++) {
    if (study->record[k].held_out) continue;
    if (k) fputs(", ", out);
    write_quoted(out, study->record[k].file);
  }
  fprintf(out, "]\n  filter: {cutoff: %.9g}\n  settings: ", study->cutoff);
  write_quoted(out, study->request.settings ? study->request.settings : "");
  putc('\n', out);
  return bristle_output_commit(output, fault);
}
