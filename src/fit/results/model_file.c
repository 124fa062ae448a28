/* Model files: what `friction: {file: model.yaml}` reads, with deviations and where the numbers come from. */
#include "lab/identify.h"

#include "maths/elementary.h"
#include "bristle/text.h"

#include <string.h>

static void write_quoted(FILE *out, const char *text)
{
  putc('"', out);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c < 0x20) fprintf(out, "\\x%02x", c);
    else putc(c, out);
  }
  putc('"', out);
}

static void write_number(FILE *out, double value)
{
  char text[BRISTLE_NUMBER_SIZE];
  bristle_number_write(value, text);
  fputs(text, out);
}

/* `times`: the column of a term of the records' own, or NULL */
static void write_estimate(FILE *out, const bristle_estimate *x, const char *times)
{
  fputs("{value: ", out);
  write_number(out, x->value);
  /* numbers per unit inertia belong to an inertia of 1 */
  const char *per = strstr(x->unit, "/(kg*m^2)") ? strstr(x->unit, "/(kg*m^2)") : strstr(x->unit, "/kg");
  const int length = per ? (int)(per - x->unit) : (int)strlen(x->unit);
  if (x->unit[0] && strcmp(x->unit, "1")) fprintf(out, ", unit: \"%.*s\"", length, x->unit);
  if (x->free && isfinite(x->deviation) && x->deviation > 0) {
    fputs(", std: ", out);
    char text[32];
    snprintf(text, sizeof text, "%.3g", x->deviation);
    fputs(text, out);
  }
  if (times) fputs(", times: ", out), write_quoted(out, times);
  fputs("}", out);
}

static void write_parameters(FILE *out, const bristle_identified *r)
{
  const bristle_info *info = r->law->f64->info;
  fputs("parameters:\n", out);
  for (int k = 0; k < info->param_rows; k++) {
    const bristle_row *row = &info->param[k];
    fprintf(out, "  %s: ", row->name);
    if (row->count > 1) putc('[', out);
    for (int i = 0; i < row->count; i++) {
      const bristle_estimate *x = &r->estimate[row->first + i];
      if (i) fputs(", ", out);
      if (row->kind == BRISTLE_ROW_OPTION) write_number(out, x->value);
      else write_estimate(out, x, NULL);
    }
    if (row->count > 1) putc(']', out);
    if (r->estimate[row->first].free && r->estimate[row->first].reason[0])
      fprintf(out, "  # not determined by the data");
    else if (!r->estimate[row->first].free) fprintf(out, "  # fixed, not fitted");
    putc('\n', out);
  }
}

static void write_list(FILE *out, const char *name, const double *value, int count)
{
  fprintf(out, ", %s: [", name);
  for (int k = 0; k < count; k++) {
    if (k) fputs(", ", out);
    write_number(out, value[k]);
  }
  fputs("]", out);
}

static void write_over(FILE *out, const bristle_identified *r)
{
  for (int kind = 0, written = 0; kind < BRISTLE_OVERS; kind++) {
    double position[BRISTLE_KNOTS], value[BRISTLE_KNOTS], deviation[BRISTLE_KNOTS];
    const int knots = bristle_identified_over(r, (bristle_over)kind, position, value, deviation);
    if (!knots) continue;
    fprintf(out, "%s    %s: {first: ", written++ ? "" : "  over_position:\n",
            kind == BRISTLE_OVER_FRICTION ? "friction" : "force");
    write_number(out, r->over[kind].low);
    fputs(", length: ", out);
    write_number(out, r->over[kind].length);
    fprintf(out, ", periodic: %s", r->over[kind].periodic ? "true" : "false");
    write_list(out, "values", value, knots);
    write_list(out, "shares", r->over[kind].share, knots);
    fprintf(out, ", unit: \"%s\"}\n", bristle_force_unit(r->rotary));
  }
}

static void write_positive(FILE *out, const char *name, double value)
{
  if (!(value > 0)) return;
  fprintf(out, "    %s: ", name);
  write_number(out, value);
  putc('\n', out);
}

/* how the records were read and filtered, for whoever compares the model with this record or another */
static void write_reading(FILE *out, const bristle_log *log)
{
  const bristle_conditioning *c = &log->conditioning;
  int written = 0;
  if (!c->known || !log->f) return;
  fputs("  read:\n    columns: {", out);
  for (int k = 0; k < BRISTLE_CHANNEL_REFERENCE; k++) {
    if (!log->option[k][0] || (k == BRISTLE_CHANNEL_WEIGHT && !strcmp(log->option[k], "none"))) continue;
    fprintf(out, "%s%s: ", written++ ? ", " : "", bristle_channel_text((bristle_channel)k));
    write_quoted(out, log->option[k]);
  }
  fputs("}\n", out);
  write_positive(out, "lead", log->lead);
  write_positive(out, "radius", log->radius);
  write_positive(out, "rate", log->rate);
  write_positive(out, "from", log->from);
  write_positive(out, "to", log->to);
  if (log->force_delay != 0) fputs("    delay: ", out), write_number(out, log->force_delay), putc('\n', out);
  if (log->inverse) fputs("    inverse: true\n", out); /* the force moves a mass as well, as far as was known before */
  fputs("    filter: {cutoff: ", out);
  write_number(out, c->cutoff);
  fprintf(out, ", decimate: %zu", c->decimate > 1 ? c->decimate : 1);
  if (c->plain) fputs(", plain: true}\n", out);
  else
    fprintf(out, ", motion_from: %s, presliding: %s, dequantised: %s}\n", c->from_velocity ? "velocity" : "position",
            c->presliding ? "true" : "false", c->dequantised ? "true" : "false");
}

/* for programs: comments are for people */
static void write_lost(FILE *out, const bristle_identified *r)
{
  int written = 0;
  for (int k = 0; k < r->law->f64->info->nparam; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (!x->free || (!x->reason[0] && isfinite(x->deviation))) continue;
    fprintf(out, "%s\"%s\"", written++ ? ", " : "  not_determined: [", x->name);
  }
  if (written) fputs("]\n", out);
}

static void write_origin(FILE *out, const bristle_identified *r, const bristle_log *const *logs, size_t count,
                         const char *settings)
{
  fputs("identified:\n  data: [", out);
  for (size_t i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    write_quoted(out, logs[i]->file);
  }
  fputs("]\n  sha256: [", out);
  for (size_t i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    write_quoted(out, logs[i]->digest);
  }
  fprintf(out, "]\n  rms: {value: ");
  write_number(out, r->rms);
  fprintf(out, ", unit: \"%s\"}\n  relative_error: ", r->unit[0] ? r->unit : bristle_force_unit(r->rotary));
  write_number(out, r->relative);
  fprintf(out, "\n  residuals: %zu\n", r->rows);
  const bristle_estimate *term = r->estimate + r->law->f64->info->nparam;
  for (int t = 0; t < BRISTLE_TERM_EXTRA; t++) {
    if (!term[t].free && term[t].value == 0) continue;
    fprintf(out, "  %s%s: ", r->prefix, term[t].name);
    write_estimate(out, &term[t], NULL);
    putc('\n', out);
  }
  for (int k = 0, written = 0; k < BRISTLE_EXTRAS; k++) {
    const bristle_estimate *x = &term[BRISTLE_TERM_EXTRA + k];
    if (!x->free && x->value == 0) continue;
    fprintf(out, "%s    %s: ", written++ ? "" : "  terms:\n", x->name);
    write_estimate(out, x, r->extra_text[k]);
    putc('\n', out);
  }
  /* numbers beside the law that are no terms of a balance */
  for (int k = r->law->f64->info->nparam + BRISTLE_TERMS; k < r->estimates; k++) {
    fprintf(out, "  %s%s: ", r->prefix, r->estimate[k].name);
    write_estimate(out, &r->estimate[k], NULL);
    putc('\n', out);
  }
  write_over(out, r);
  write_lost(out, r);
  if (count) write_reading(out, logs[0]);
  fputs("  settings: ", out);
  write_quoted(out, settings ? settings : "");
  putc('\n', out);
}

bristle_fault_kind bristle_identified_write(const bristle_identified *result, const bristle_log *const *logs,
                                            size_t log_count, const char *settings, const char *path,
                                            bristle_fault *fault)
{
  bristle_output *output;
  bristle_fault_kind kind = bristle_output_open(path, BRISTLE_OUTPUT_DOCUMENT, &output, fault);
  if (kind) return kind;
  FILE *out = bristle_output_stream(output);
  fprintf(out, "bristle: 1\nmodel: %s\nload: %s\n", result->law->name, bristle_load_text(result->load));
  if (result->note[0]) {
    fputs("note: ", out);
    write_quoted(out, result->note);
    putc('\n', out);
  }
  write_parameters(out, result);
  write_origin(out, result, logs, log_count, settings);
  return bristle_output_commit(output, fault);
}
