/* What a sweep gave, in words and as JSON. */
#include "sweep.h"

#include "io/support.h"
#include "maths/elementary.h"

static const char *key_name(const bristle_sweep_column *c, char text[120])
{
  snprintf(text, 120, "%s%s%s%s", c->name, c->unit[0] ? " [" : "", c->unit, c->unit[0] ? "]" : "");
  return text;
}

static int has_keys(const bristle_sweep *s) { return s->columns && s->column[0].kind == BRISTLE_SWEEP_KEY; }

/* quantities that are unknown, though the run reached its end */
static void tell_short(const bristle_sweep *s, const bristle_sweep_summary *sum, FILE *out)
{
  for (size_t i = 0; i < s->columns; i++) {
    const unsigned long long known = sum->numbers[i].count, done = sum->status[0];
    if (s->column[i].kind != BRISTLE_SWEEP_QUANTITY || strcmp(s->column[i].name, "stick_slip") || known >= done)
      continue;
    fprintf(out,
            "warning: %llu of %llu runs are too short to tell stick-slip from sliding, and have no number there; "
            "choose a later time.end\n",
            done - known, done);
  }
}

void sweep_tell_failures(bristle_sweep *s, const bristle_sweep_summary *sum, FILE *out)
{
  static const char *const what[] = { "", "broke a rule of the scenario or its law", "did not reach the end" };
  for (int k = 1; k < 3; k++) {
    if (!sum->status[k]) continue;
    fprintf(out, "warning: %llu of %llu runs %s; the first is run %llu\n", sum->status[k], s->runs, what[k],
            sum->first[k]);
    double *row = s->inside && s->scenario ? malloc(s->width * sizeof *row) : NULL;
    if (!row) continue; /* of a folder alone the scenario is not known */
    char why[400], settings[600];
    bristle_sweep_run(s, sum->first[k], row, why);
    bristle_sweep_settings(s, row, settings, sizeof settings);
    fprintf(out, "  %s\n  --set '%s'\n", why, settings);
    free(row);
  }
  tell_short(s, sum, out);
}

static void tell_shares(const bristle_sweep *s, const bristle_sweep_summary *sum, FILE *out)
{
  char name[120];
  fprintf(out, "  %-24s %s\n", "quantity",
          sum->total ? "share of its variance by key: alone / in total" : "share of its variance by each key alone");
  for (size_t i = 0; i < s->columns; i++) {
    if (s->column[i].kind != BRISTLE_SWEEP_QUANTITY) continue;
    fprintf(out, "  %-24s", key_name(&s->column[i], name));
    for (size_t j = 0; j < s->columns && s->column[j].kind == BRISTLE_SWEEP_KEY; j++) {
      const double share = sum->share[i * s->columns + j];
      if (isnan(share)) continue;
      fprintf(out, " %s %.2f", s->column[j].name, share);
      if (sum->total) fprintf(out, "/%.2f", sum->total[i * s->columns + j]);
    }
    putc('\n', out);
  }
}

void sweep_tell(bristle_sweep *s, const char *folder, const bristle_sweep_summary *sum, FILE *out)
{
  char name[120];
  if (s->title) fprintf(out, "%s\n", s->title);
  fprintf(out, "%llu run%s in %llu chunk%s in %s, sampling %s", s->runs, PLURAL(s->runs), s->chunks, PLURAL(s->chunks),
          folder, s->sampling);
  if (s->drawn) fprintf(out, ", seed %llu", s->seed);
  fprintf(out, "\n  spec       sha256 %s\n", s->digest);
  if (sum->redraws) fprintf(out, "  redrawn    %llu times, because a rule refused the keys\n", sum->redraws);
  fprintf(out, "  %-24s %10s %12s %12s %12s %12s\n", "column", "runs", "mean", "deviation", "smallest", "largest");
  for (size_t i = 0; i < s->columns; i++) {
    const bristle_sweep_column *c = &s->column[i];
    const bristle_sweep_numbers *n = &sum->numbers[i];
    if (c->kind == BRISTLE_SWEEP_STATUS || c->kind == BRISTLE_SWEEP_REDRAWS || c->kind == BRISTLE_SWEEP_SERIES)
      continue;
    if (c->text) fprintf(out, "  %-24s %10llu  %zu texts\n", key_name(c, name), n->count, c->values);
    else
      fprintf(out, "  %-24s %10llu %12.6g %12.6g %12.6g %12.6g\n", key_name(c, name), n->count, n->mean, n->deviation,
              n->least, n->largest);
  }
  if (has_keys(s)) tell_shares(s, sum, out);
  sweep_tell_failures(s, sum, out);
}

void sweep_json(const bristle_sweep *s, const char *folder, const bristle_sweep_summary *sum, FILE *out)
{
  static const char *const kinds[] = { "key", "status", "redraws", "quantity", "series" };
  bristle_json_print(out, "{\n  'title': %s,\n  'folder': %s,\n  'spec_sha256': %s,\n  'sampling': %s,\n", s->title,
                     folder, s->digest, s->sampling);
  fprintf(out, "  \"runs\": %llu,\n  \"chunks\": %llu,\n  \"done\": %llu,\n  \"refused\": %llu,\n  \"failed\": %llu,\n",
          s->runs, s->chunks, sum->status[0], sum->status[1], sum->status[2]);
  fprintf(out, "  \"redraws\": %llu,\n  \"columns\": [\n", sum->redraws);
  for (size_t i = 0; i < s->columns; i++) {
    const bristle_sweep_numbers *n = &sum->numbers[i];
    bristle_json_print(out, "    {'name': %s, 'unit': %s, 'kind': %s", s->column[i].name, s->column[i].unit,
                       kinds[s->column[i].kind]);
    if (s->column[i].kind != BRISTLE_SWEEP_SERIES)
      bristle_json_print(out, ", 'count': %zu, 'mean': %g, 'deviation': %g, 'least': %g, 'largest': %g",
                         (size_t)n->count, n->mean, n->deviation, n->least, n->largest);
    if (s->column[i].kind == BRISTLE_SWEEP_QUANTITY) {
      size_t keys = 0;
      while (keys < s->columns && s->column[keys].kind == BRISTLE_SWEEP_KEY) keys++;
      fputs(", \"share\": ", out);
      bristle_json_numbers(out, sum->share + i * s->columns, keys);
      if (sum->total) fputs(", \"total\": ", out), bristle_json_numbers(out, sum->total + i * s->columns, keys);
    }
    fputs(i + 1 < s->columns ? "},\n" : "}\n", out);
  }
  fputs("  ]\n}\n", out);
}
