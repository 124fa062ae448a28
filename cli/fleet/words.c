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

static const char *day_of(const bristle_fleet *f, const bristle_fleet_axis *a, size_t since)
{
  return f->entry[a->first + since].day;
}

static const char *judged(const bristle_fleet_axis *a)
{
  return a->days < BRISTLE_FLEET_DAYS ? "too_short" : a->column >= 0 ? "left" : a->trend.column >= 0 ? "trend" : "kept";
}

static const bristle_fleet_axis *shortest(const bristle_fleet *f)
{
  const bristle_fleet_axis *least = f->axis;
  for (size_t i = 1; i < f->axes; i++)
    if (f->axis[i].days < least->days) least = &f->axis[i];
  return least;
}

static bristle_fleet_shift shown_shift(const bristle_fleet_axis *a)
{
  return a->column < 0 ? a->trend : (bristle_fleet_shift){ a->column, a->since,     a->before, a->after,
                                                           a->change, a->statistic, a->drifts };
}

int fleet_write_axes(const bristle_fleet *f, const char *folder)
{
  char path[4200];
  bristle_output *output;
  bristle_fault fault;
  snprintf(path, sizeof path, "%.4000s/axes.csv", folder);
  if (bristle_output_open(path, BRISTLE_OUTPUT_TABLE, &output, &fault)) return fault_exit(&fault);
  FILE *out = bristle_output_stream(output);
  fputs("axis,logs,doubtful,unreadable,law,left_history,number,since,before,after,change,statistic,threshold,kind,"
        "history\n",
        out);
  for (size_t i = 0; i < f->axes; i++) {
    const bristle_fleet_axis *a = &f->axis[i];
    table_text(out, a->name);
    fprintf(out, ",%zu,%zu,%zu,%s,", a->count, count_status(f, a, BRISTLE_FLEET_DOUBTFUL),
            count_status(f, a, BRISTLE_FLEET_UNREADABLE), a->law);
    if (a->days >= BRISTLE_FLEET_DAYS) fprintf(out, "%d", a->column >= 0); /* nobody knows of shorter ones */
    const bristle_fleet_shift c = shown_shift(a);
    if (c.column < 0) fprintf(out, ",,,,,,,%.6g,,%s\n", f->threshold, judged(a));
    else
      fprintf(out, ",%s,%s,%.9g,%.9g,%.6g,%.6g,%.6g,%s,%s\n", f->name[c.column], day_of(f, a, c.since), c.before,
              c.after, c.change, c.statistic, f->threshold, c.drifts ? "drift" : "jump", judged(a));
  }
  return bristle_output_commit(output, &fault) ? fault_exit(&fault) : DONE;
}

static void tell_shift(const bristle_fleet *f, const bristle_fleet_axis *a, FILE *out)
{
  const bristle_fleet_shift c = shown_shift(a);
  fprintf(out, "  %-16s %s %s %.4g -> %.4g %s (%+.0f %%) since %s, score %.1f, alarm limit %.1f\n", a->name,
          f->name[c.column], c.drifts ? "drifts:" : "jumped:", c.before, c.after, f->unit[a->rotary][c.column],
          100 * c.change, day_of(f, a, c.since), c.statistic, f->threshold);
}

static void tell_logs(const bristle_fleet *f, const char *folder, FILE *out)
{
  size_t doubtful = 0, unreadable = 0;
  for (size_t i = 0; i < f->axes; i++) {
    doubtful += count_status(f, &f->axis[i], BRISTLE_FLEET_DOUBTFUL);
    unreadable += count_status(f, &f->axis[i], BRISTLE_FLEET_UNREADABLE);
  }
  fprintf(out, "%zu log%s of %zu %s in %s: %zu doubtful, %zu that could not be used\n", f->entries, PLURAL(f->entries),
          f->axes, f->axes == 1 ? "axis" : "axes", folder, doubtful, unreadable);
  for (size_t i = 0; i < f->entries && unreadable; i++)
    if (f->entry[i].status == BRISTLE_FLEET_UNREADABLE) {
      fprintf(out, "  the first of them: %s: %s\n", f->entry[i].file, f->entry[i].doubt);
      break;
    }
  char first[BRISTLE_FLEET_STRAY];
  const size_t strays = bristle_fleet_strays(f, folder, first);
  if (strays)
    fprintf(out, "%s is of an axis that is not among these logs%s: remove what is not needed\n", first,
            strays > 1 ? ", and others are" : "");
}

void fleet_tell(const bristle_fleet *f, const bristle_fleet_options *o, const char *folder, FILE *out)
{
  size_t left = 0, trends = 0, brief = 0;
  for (size_t i = 0; i < f->axes; i++) {
    left += f->axis[i].column >= 0, trends += f->axis[i].trend.column >= 0;
    brief += f->axis[i].days < BRISTLE_FLEET_DAYS;
  }
  tell_logs(f, folder, out);
  if (brief < f->axes)
    fprintf(out, "%zu of %zu axes changed by %g %% or more (false alarms of the whole fleet: %g)\n", left,
            f->axes - brief, 100 * o->least, o->false_alarms);
  for (size_t i = 0; i < f->axes; i++)
    if (f->axis[i].column >= 0) tell_shift(f, &f->axis[i], out);
  if (trends)
    fprintf(out, "%zu %s a trend that is no alarm (of ten fleets without changes %.2g show one):\n", trends,
            trends == 1 ? "shows" : "show", fmin(1, 10 * o->false_alarms) * 10);
  for (size_t i = 0; i < f->axes; i++)
    if (f->axis[i].trend.column >= 0) tell_shift(f, &f->axis[i], out);
  if (brief)
    fprintf(out, "%zu cannot be judged, because %s too short: %d usable days are needed (%s has %zu)\n", brief,
            brief > 1 ? "their histories are" : "its history is", BRISTLE_FLEET_DAYS, shortest(f)->name,
            shortest(f)->days);
}

void fleet_json(const bristle_fleet *f, FILE *out)
{
  bristle_json_print(out, "{\n  'logs': %zu,\n  'threshold': %g,\n  'axes': [\n", f->entries, f->threshold);
  for (size_t i = 0; i < f->axes; i++) {
    const bristle_fleet_axis *a = &f->axis[i];
    bristle_json_print(out, "    {'name': %s, 'logs': %zu, 'doubtful': %zu, 'unreadable': %zu, 'law': %s", a->name,
                       a->count, count_status(f, a, BRISTLE_FLEET_DOUBTFUL),
                       count_status(f, a, BRISTLE_FLEET_UNREADABLE), a->law[0] ? a->law : NULL);
    bristle_json_print(out, ", 'days': %zu, 'history': %s", a->days, judged(a));
    const bristle_fleet_shift c = shown_shift(a);
    if (c.column >= 0)
      bristle_json_print(out,
                         ", %s: {'number': %s, 'since': %s, 'before': %g, 'after': %g, 'change': %g, "
                         "'statistic': %g, 'drifts': %i}",
                         a->column >= 0 ? "left_history" : "trend", f->name[c.column], day_of(f, a, c.since), c.before,
                         c.after, c.change, c.statistic, c.drifts);
    fputs(i + 1 < f->axes ? "},\n" : "}\n", out);
  }
  fputs("  ]\n}\n", out);
}
