/* What a fleet shows, as words, as a table and as JSON. */
#include "fleet.h"

#include "io/support.h"
#include "maths/elementary.h"

static size_t count_status(const bristle_fleet *f, const bristle_fleet_axis *a, bristle_fleet_status status)
{
  size_t count = 0;
  for (size_t i = a->first; i < a->first + a->count; i++) count += f->entry[i].status == status;
  return count;
}

static const char *since_day(const bristle_fleet *f, const bristle_fleet_axis *a)
{
  return f->entry[a->first + a->since].day;
}

int fleet_write_axes(const bristle_fleet *f, const char *folder)
{
  char path[4200];
  bristle_output *output;
  bristle_fault fault;
  snprintf(path, sizeof path, "%.4000s/axes.csv", folder);
  if (bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &output, &fault)) return fault_exit(&fault);
  FILE *out = bristle_output_stream(output);
  fputs("axis,logs,doubtful,unreadable,law,left_history,number,since,before,after,change,statistic,threshold,kind\n",
        out);
  for (size_t i = 0; i < f->axes; i++) {
    const bristle_fleet_axis *a = &f->axis[i];
    table_text(out, a->name);
    fprintf(out, ",%zu,%zu,%zu,%s,%d", a->count, count_status(f, a, BRISTLE_FLEET_DOUBTFUL),
            count_status(f, a, BRISTLE_FLEET_UNREADABLE), a->law, a->column >= 0);
    if (a->column < 0) fprintf(out, ",,,,,,,%.6g,\n", f->threshold);
    else
      fprintf(out, ",%s,%s,%.9g,%.9g,%.6g,%.6g,%.6g,%s\n", f->name[a->column], since_day(f, a), a->before, a->after,
              a->change, a->statistic, f->threshold, a->drifts ? "drift" : "jump");
  }
  return bristle_output_commit(output, &fault) ? fault_exit(&fault) : DONE;
}

void fleet_tell(const bristle_fleet *f, const bristle_fleet_options *o, const char *folder, FILE *out)
{
  size_t left = 0, doubtful = 0, unreadable = 0;
  for (size_t i = 0; i < f->axes; i++) {
    left += f->axis[i].column >= 0;
    doubtful += count_status(f, &f->axis[i], BRISTLE_FLEET_DOUBTFUL);
    unreadable += count_status(f, &f->axis[i], BRISTLE_FLEET_UNREADABLE);
  }
  fprintf(out, "%zu logs of %zu axes in %s: %zu doubtful, %zu that could not be used\n", f->entries, f->axes, folder,
          doubtful, unreadable);
  for (size_t i = 0; i < f->entries && unreadable; i++)
    if (f->entry[i].status == BRISTLE_FLEET_UNREADABLE) {
      fprintf(out, "  the first of them: %s: %s\n", f->entry[i].file, f->entry[i].doubt);
      break;
    }
  fprintf(out,
          "%zu of %zu axes left their own history (false alarms of the whole fleet: %g, changes of %g %% and more)\n",
          left, f->axes, o->false_alarms, 100 * o->least);
  for (size_t i = 0; i < f->axes; i++) {
    const bristle_fleet_axis *a = &f->axis[i];
    if (a->column < 0) continue;
    fprintf(out, "  %-16s %s %s %.4g -> %.4g %s (%+.0f %%) since %s, %.1f where chance reaches %.1f\n", a->name,
            f->name[a->column], a->drifts ? "drifts:" : "jumped:", a->before, a->after, f->unit[a->rotary][a->column],
            100 * a->change, since_day(f, a), a->statistic, f->threshold);
  }
}

void fleet_json(const bristle_fleet *f, FILE *out)
{
  bristle_json_print(out, "{\n  'logs': %zu,\n  'threshold': %g,\n  'axes': [\n", f->entries, f->threshold);
  for (size_t i = 0; i < f->axes; i++) {
    const bristle_fleet_axis *a = &f->axis[i];
    bristle_json_print(out, "    {'name': %s, 'logs': %zu, 'doubtful': %zu, 'unreadable': %zu, 'law': %s", a->name,
                       a->count, count_status(f, a, BRISTLE_FLEET_DOUBTFUL),
                       count_status(f, a, BRISTLE_FLEET_UNREADABLE), a->law[0] ? a->law : NULL);
    if (a->column >= 0)
      bristle_json_print(out,
                         ", 'left_history': {'number': %s, 'since': %s, 'before': %g, 'after': %g, 'change': %g, "
                         "'statistic': %g, 'drifts': %i}",
                         f->name[a->column], since_day(f, a), a->before, a->after, a->change, a->statistic, a->drifts);
    fputs(i + 1 < f->axes ? "},\n" : "}\n", out);
  }
  fputs("  ]\n}\n", out);
}
