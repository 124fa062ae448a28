/* What `bristle plan` says and writes. */
#include "plan.h"

#include "common/cli.h"

#include "lab/loops.h"
#include "bristle/text.h"
#include "platform/platform.h"

#include "maths/elementary.h"

/* relative deviations: below the first a parameter is determined, above the second it is not */
static const double WELL = 0.1, HARDLY = 0.5;

static void deviations_of(const bristle_information *information, double *deviation, double *alone)
{
  for (int k = 0; k < BRISTLE_PLAN_SIDE; k++) deviation[k] = alone[k] = HUGE_VAL;
  if (information->side) bristle_plan_deviations(information, deviation, alone);
}

int plan_promises(const plan_job *job, plan_promise *list)
{
  const bristle_friction *f = &job->friction;
  double record[BRISTLE_PLAN_SIDE], planned[BRISTLE_PLAN_SIDE], record_alone[BRISTLE_PLAN_SIDE],
      alone[BRISTLE_PLAN_SIDE];
  int count = 0;
  deviations_of(&job->record, record, record_alone);
  deviations_of(&job->plan->information, planned, alone);
  for (int i = 0; i < f->info->param_rows; i++)
    for (int k = 0; k < f->info->param[i].count; k++) {
      const bristle_row *row = &f->info->param[i];
      if (!job->wanted[row->first + k]) continue;
      plan_promise *w = &list[count];
      w->row = row;
      bristle_param_name(row, k, w->name, sizeof w->name);
      w->number = f->p[row->first + k], w->lost = job->lost[row->first + k];
      snprintf(w->value, sizeof w->value, "%.6g", w->number);
      bristle_unit(row, f->load, f->rotary, w->unit, sizeof w->unit);
      w->record = record[count], w->planned = planned[count], w->record_alone = record_alone[count];
      count++;
    }
  return count;
}

const char *plan_percent(double deviation, char text[24])
{
  if (!(deviation < 10)) return "not determined";
  snprintf(text, 24, "%.2g %%", 100 * deviation);
  return text;
}

int plan_piece_repeats(const plan_job *job, int first)
{
  const bristle_plan *plan = job->plan;
  char text[160], next[160];
  int count = 1;
  bristle_plan_piece_text(&plan->piece[first], job->friction.rotary, text, sizeof text);
  for (; first + count < plan->count; count++) {
    bristle_plan_piece_text(&plan->piece[first + count], job->friction.rotary, next, sizeof next);
    if (strcmp(text, next) || plan->piece[first].load != plan->piece[first + count].load) break;
  }
  return count;
}

/* loops of the presliding distance are what a stiffness is measured with */
static void print_cycle_limit(const plan_job *job, FILE *out)
{
  const bristle_friction *f = &job->friction;
  const double stiffness = bristle_stiffness(f->info, f->p), level = bristle_static_level(f->info, f->p);
  const double n = job->limits.loads ? job->load[0] : 1;
  if (!(stiffness > 0 && level > 0)) return;
  const double amplitude = (f->load == BRISTLE_LOAD_LEVEL ? n : 1) * level / stiffness;
  const bristle_cycle_limit limit = bristle_cycle_limit_of(&job->contact, n, amplitude, 0.01);
  if (limit.period > 0)
    fprintf(out, "Loops of %.2g %s do not depend on their speed from %.3g s per cycle on, within 1 %% of the level.\n",
            amplitude, bristle_length_unit(f->rotary), limit.period);
}

static void print_record_verdict(const char *data, const plan_promise *list, int count, FILE *out)
{
  for (int k = 0; k < count; k++) {
    if (list[k].record < HARDLY) continue;
    if (list[k].lost)
      fprintf(out, "%s: %s is not determined by this record, as its model file says (%s).\n", data, list[k].name,
              list[k].row->doc);
    else if (list[k].record_alone < WELL)
      fprintf(out, "%s: %s matters, but other parameters (or an offset) can stand in for it.\n", data, list[k].name);
    else fprintf(out, "%s: %s hardly matters in this motion (%s).\n", data, list[k].name, list[k].row->doc);
  }
}

static void print_pieces(const plan_job *job, FILE *out)
{
  const bristle_plan *plan = job->plan;
  char text[160];
  fprintf(out, "%d pieces, %.3g s at %.4g Hz, chosen from %d; each starts and ends at rest:\n", plan->count,
          plan->t[plan->samples - 1], job->limits.rate, plan->considered);
  for (int k = 0, times; k < plan->count; k += times) {
    times = plan_piece_repeats(job, k);
    bristle_plan_piece_text(&plan->piece[k], job->friction.rotary, text, sizeof text);
    fprintf(out, "  %2d x %s", times, text);
    if (job->limits.loads) fprintf(out, ", load %.4g N", plan->piece[k].load);
    putc('\n', out);
  }
}

void plan_print(const plan_job *job, const plan_request *q, FILE *out)
{
  plan_promise list[BRISTLE_LAW_SIZE];
  const int count = plan_promises(job, list);
  char before[24], after[24];
  fprintf(out, "%s, force noise %.3g %s; standard deviations that a good fit will have\n\n", job->friction.info->name,
          job->limits.noise, bristle_force_unit(job->friction.rotary));
  fprintf(out, "  %-14s %14s %-10s %14s %14s\n", "parameter", "value", "", job->has_record ? "record" : "",
          job->has_record ? "with plan" : "plan");
  for (int k = 0; k < count; k++)
    fprintf(out, "  %-14s %14s %-10s %14s %14s\n", list[k].name, list[k].value, list[k].unit,
            job->has_record ? plan_percent(list[k].record, before) : "", plan_percent(list[k].planned, after));
  putc('\n', out);
  if (job->warning[0]) fprintf(out, "warning: %s\n", job->warning);
  if (job->has_record) print_record_verdict(q->data, list, count, out);
  if (!job->plan->count) {
    fprintf(out, "Nothing more is needed for %.2g %%%s.\n", 100 * job->limits.goal,
            q->output ? "; no motion is written" : "");
    return;
  }
  print_pieces(job, out);
  int open = 0;
  for (int k = 0; k < count; k++) open += !(list[k].planned <= job->limits.goal);
  if (open)
    fprintf(out, "%d of %d parameters stay above %.2g %%: allow more time, less noise or a longer stroke.\n", open,
            count, 100 * job->limits.goal);
  print_cycle_limit(job, out);
  if (q->output) fprintf(out, "motion    %s\n", q->output);
  if (q->scenario) fprintf(out, "scenario  %s\n", q->scenario);
  if (q->report) fprintf(out, "report    %s\n", q->report);
}

static void print_json_pieces(const plan_job *job, FILE *out)
{
  static const char *const kinds[] = { "stair", "ramp", "sine" };
  for (int k = 0; k < job->plan->count; k++) {
    const bristle_plan_piece *piece = &job->plan->piece[k];
    char text[160];
    bristle_plan_piece_text(piece, job->friction.rotary, text, sizeof text);
    bristle_json_print(out, "%c\n    {'kind': %s, 'text': %s, 'duration': %g, 'load': %g}", k ? ',' : 0,
                       kinds[piece->kind], text, piece->duration, piece->load);
  }
}

void plan_print_json(const plan_job *job, const plan_request *q, FILE *out)
{
  plan_promise list[BRISTLE_LAW_SIZE];
  const int count = plan_promises(job, list);
  bristle_json_print(out, "{\n  'law': %s,\n  'noise': %g,\n  'parameters': [", job->friction.info->name,
                     job->limits.noise);
  for (int k = 0; k < count; k++)
    bristle_json_print(out, "%c\n    {'name': %s, 'unit': %s, 'value': %g, 'record': %g, 'plan': %g}", k ? ',' : 0,
                       list[k].name, list[k].unit, list[k].number, job->has_record ? list[k].record : HUGE_VAL,
                       list[k].planned);
  bristle_json_print(out, "\n  ],\n  'duration': %g,\n  'pieces': [",
                     job->plan->count ? job->plan->t[job->plan->samples - 1] : 0);
  print_json_pieces(job, out);
  bristle_json_print(out, "\n  ],\n  'motion': %s,\n  'warning': %s\n}\n", job->plan->count ? q->output : NULL,
                     job->warning[0] ? job->warning : NULL);
}

/* ---- files ---- */

bristle_fault_kind plan_write_motion(const plan_job *job, const char *path, bristle_fault *fault)
{
  const bristle_plan *plan = job->plan;
  const int rotary = job->friction.rotary, columns = job->limits.loads ? 4 : 3;
  bristle_output *output;
  bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &output, fault);
  if (kind) return kind;
  FILE *out = bristle_output_stream(output);
  bristle_rows_head(out, columns, (const char *[]){ "t", "x", "v", "N" },
                    (const char *[]){ "s", bristle_length_unit(rotary), bristle_speed_unit(rotary), "N" });
  for (size_t i = 0; i < plan->samples; i++)
    bristle_rows_write(out, columns, (double[]){ plan->t[i], plan->x[i], plan->v[i], plan->n ? plan->n[i] : 0 });
  return bristle_output_commit(output, fault);
}

bristle_fault_kind plan_write_scenario(const plan_job *job, const char *path, const char *motion_path,
                                       bristle_fault *fault)
{
  const bristle_friction *f = &job->friction;
  bristle_output *output;
  bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_DOCUMENT, &output, fault);
  if (kind) return kind;
  FILE *out = bristle_output_stream(output);
  fprintf(out, "rig: prescribed\ntitle: Experiment for %s\n", f->info->name);
  /* the scenario is expected to lie beside the motion */
  fprintf(out, "motion: {file: %s}\n", platform_name(motion_path));
  fprintf(out, "time: {end: %.17g s, output: %.17g s}\n", job->plan->t[job->plan->samples - 1], 1 / job->limits.rate);
  fprintf(out, "friction:\n  model: %s\n  load: %s\n  parameters:\n", f->info->name, bristle_load_text(f->load));
  for (int i = 0; i < f->info->param_rows; i++) {
    const bristle_row *row = &f->info->param[i];
    fprintf(out, "    %s: %s", row->name, row->count > 1 ? "[" : "");
    for (int k = 0; k < row->count; k++) {
      char text[BRISTLE_NUMBER_SIZE];
      bristle_number_write(f->p[row->first + k], text);
      fprintf(out, "%s%s", k ? ", " : "", text);
    }
    fputs(row->count > 1 ? "]\n" : "\n", out);
  }
  return bristle_output_commit(output, fault);
}
