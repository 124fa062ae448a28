/* What `bristle identify` says. */
#include "identify.h"

#include "common/cli.h"
#include "rig.h"
#include "common/log_table.h"

#include <math.h>

enum { OTHERS = 2, WIDTH = 110 }; /* laws shown beside the best; columns of the text */

const char *identify_unit(const bristle_identified *r) { return r->unit[0] ? r->unit : r->rotary ? "N*m" : "N"; }

void identify_name(const bristle_identified *r, char text[64])
{
  const bristle_estimate *skew = &r->estimate[r->law->f64->info->nparam + BRISTLE_TERM_SKEW];
  const int levels = bristle_param_role(r->law->f64->info, BRISTLE_ROLE_SKEW) != NULL;
  snprintf(text, 64, "%s%s%s%s", r->law->name,
           levels       ? " + level skew"
           : skew->free ? " + skew"
                        : "",
           r->over[BRISTLE_OVER_FRICTION].knots ? " + friction(x)" : "",
           r->over[BRISTLE_OVER_FORCE].knots ? " + force(x)" : "");
}

/* value and deviation to the second digit of the deviation: "399540 +- 290", "(1.9935 +- 0.0057)e-3" */
static void write_with_deviation(double value, double deviation, char text[64])
{
  if (deviation > fabs(value)) {
    snprintf(text, 64, "%.2g +- %.2g", value, deviation);
    return;
  }
  const int size = (int)floor(log10(fabs(value))), last = (int)floor(log10(deviation)) - 1;
  const int power = size >= -3 && size < 7 ? 0 : size;
  const int places = power > last ? power - last : 0;
  const double unit = pow(10, last), scale = pow(10, -power);
  const double shown = scale * unit * round(value / unit), spread = scale * unit * round(deviation / unit);
  if (power) snprintf(text, 64, "(%.*f +- %.*f)e%d", places, shown, places, spread, power);
  else snprintf(text, 64, "%.*f +- %.*f", places, shown, places, spread);
}

void identify_number(const bristle_estimate *x, char text[64])
{
  if (!x->free) snprintf(text, 64, "%.6g (fixed)", x->value);
  else if (!isfinite(x->deviation)) snprintf(text, 64, "%.3g (not determined)", x->value);
  else if (x->deviation <= 0) snprintf(text, 64, "%.3g (at its bound)", x->value);
  else if (x->deviation > 1e-12 * fabs(x->value)) write_with_deviation(x->value, x->deviation, text);
  else snprintf(text, 64, "%.13g", x->value);
}

void identify_interval(const bristle_identified *r, int k, double interval[2])
{
  const bristle_info *info = r->law->f64->info;
  const bristle_estimate *x = &r->estimate[k];
  const double wide = 1.96 * x->deviation;
  double lo = -HUGE_VAL, hi = HUGE_VAL;
  int positive = k == info->nparam + BRISTLE_TERM_MASS;
  for (int i = 0; i < info->param_rows && k < info->nparam; i++) {
    const bristle_row *row = &info->param[i];
    if (k < row->first || k >= row->first + row->count) continue;
    positive = row->kind == BRISTLE_LOG;
    lo = row->lo, hi = row->hi;
  }
  positive &= x->value > 0;
  interval[0] = fmax(positive ? x->value * exp(-wide / x->value) : x->value - wide, lo);
  interval[1] = fmin(positive ? x->value * exp(wide / x->value) : x->value + wide, hi);
}

const char *identify_times(const bristle_identified *r, int k)
{
  const int extra = k - r->law->f64->info->nparam - BRISTLE_TERM_EXTRA;
  return extra >= 0 && extra < BRISTLE_EXTRAS ? r->extra_text[extra] : "";
}

static int fitted_numbers(const bristle_identified *r)
{
  int count = 0;
  for (int k = 0; k < r->estimates; k++) count += r->estimate[k].free;
  return count;
}

/* ---- the data ---- */

static void print_log(const bristle_log *log, const char *role, FILE *out)
{
  const bristle_log_summary *s = &log->summary;
  fprintf(out, "%s%s: %zu samples, %.4g s at %.4g Hz", log->file, role, log->count, s->duration, s->rate);
  if (log->stretches > 1) fprintf(out, ", %zu stretches", log->stretches);
  fputs("\n", out);
  log_table_print(log, out);
  const char *speed = log->rotary ? "rad/s" : "m/s", *force = log->rotary ? "N*m" : "N";
  if (log->f)
    fprintf(out,
            "  speeds %.3g to %.3g %s (median %.3g), forward %.0f %%, backward %.0f %%, at rest %.0f %% of the time\n",
            s->speed_low, s->speed_high, speed, s->speed_median, 100 * s->forward, 100 * s->backward, 100 * s->rest);
  if (log->f)
    fprintf(out, "  %zu reversals (%zu after a short way), force %.4g to %.4g %s, its noise about %.2g %s\n",
            s->reversals, s->loops, s->force_low, s->force_high, force, s->force_noise, force);
  for (size_t i = 0; i < log->note_count; i++) fprintf(out, "  note: %s\n", log->note[i]);
}

/* ---- what was decided for all of them ---- */

static void print_campaign(const bristle_campaign *c, FILE *out)
{
  if (c->moving + c->transition + c->rest == 0) return; /* nothing was decided: the caller has a recipe */
  fprintf(out, "all records together: motion from the %s%s, ", c->from_velocity ? "velocity column" : "position",
          c->dequantised ? " (counts joined by lines)" : "");
  if (c->cutoff > 0)
    fprintf(out, "motion and force filtered at %.3g Hz%s, every %zu. sample\n", c->cutoff,
            c->chosen ? " (chosen by the force)" : "", c->decimate ? c->decimate : 1);
  else fputs("no filter\n", out);
  fprintf(out, "  %.0f %% of the samples move, %.0f %% rest, %.0f %% are between\n", 100 * c->moving, 100 * c->rest,
          100 * c->transition);
  for (size_t i = 0; i < c->note_count; i++) fprintf(out, "  note: %s\n", c->note[i]);
}

/* ---- the results ---- */

int identify_is_validated(const identification *id) { return id->validation || (id->motion && id->motion->held); }

int identify_has_slow(const identification *id)
{
  for (int i = 0; i < id->results; i++)
    if (isfinite(id->result[i]->held_out_slow)) return 1;
  return 0;
}

static void print_ranking(const identification *id, FILE *out)
{
  const char *unit = identify_unit(id->result[0]);
  char rms[20], held[20], slow[20];
  int marked = 0;
  snprintf(rms, sizeof rms, "rms [%s]", unit), snprintf(held, sizeof held, "held out [%s]", unit);
  snprintf(slow, sizeof slow, "slow [%s]", unit);
  const int apart = identify_has_slow(id);
  fprintf(out, "\n  %-22s %5s %10s %9s %15s%s %10s", "law", "free", rms, "error", held,
          identify_is_validated(id) ? "  validation" : "", "BIC");
  if (apart) fprintf(out, " %11s", slow);
  fputs("\n", out);
  for (int i = 0; i < id->results; i++) {
    const bristle_identified *r = id->result[i];
    char name[64];
    identify_name(r, name);
    marked += i && r->indistinguishable;
    fprintf(out, "%c %-22s %5d %10.4g %7.3f %%", i ? r->indistinguishable ? '=' : ' ' : '*', name, fitted_numbers(r),
            r->rms, 100 * r->relative);
    if (isfinite(r->held_out)) fprintf(out, " %15.4g", r->held_out);
    else fprintf(out, " %15s", "-");
    if (identify_is_validated(id)) fprintf(out, " %9.3f %%", 100 * r->validation);
    fprintf(out, " %10.1f", r->bic);
    if (apart && isfinite(r->held_out_slow)) fprintf(out, " %11.4g", r->held_out_slow);
    fputs("\n", out);
  }
  if (marked)
    fputs("  =: cannot be told from the best, or explains slightly more with parameters that are not determined\n",
          out);
  if (apart) fputs("  slow: held-out error of samples that start, stop or turn, apart from the others\n", out);
  for (int i = 0; i < id->failures; i++) fprintf(out, "  not fitted: %s\n", id->failed[i]);
}

/* a term that is not there, an element that is not used */
static int is_absent(const bristle_estimate *x) { return !x->free && x->value == 0; }

static void print_over(const bristle_identified *r, bristle_over kind, FILE *out)
{
  double position[BRISTLE_KNOTS], value[BRISTLE_KNOTS], deviation[BRISTLE_KNOTS];
  const int knots = bristle_identified_over(r, kind, position, value, deviation);
  const char *length = r->rotary ? "rad" : "m";
  if (!knots) return;
  fprintf(out, "  %s over the position", kind == BRISTLE_OVER_FRICTION ? "friction" : "force");
  if (r->over[kind].periodic) fprintf(out, ", period %.5g %s", r->over[kind].length, length);
  fprintf(out, ", straight lines between\n    %-7s", length);
  for (int k = 0; k < knots; k++) fprintf(out, " %8.3g", position[k]);
  fprintf(out, "\n    %-7s", identify_unit(r));
  for (int k = 0; k < knots; k++) fprintf(out, " %+8.3g", value[k]);
  fputs("\n    +-     ", out);
  for (int k = 0; k < knots; k++) fprintf(out, " %8.2g", deviation[k]);
  fputs("\n", out);
}

/* which of several records the best law explains worst */
static void print_records(const identification *id, FILE *out)
{
  size_t chosen[3];
  if (!id->view || id->logs < 2) return;
  const int count = identify_views_choose(id->view, id->logs, chosen);
  const identify_view *least = &id->view[chosen[0]], *most = &id->view[chosen[count - 1]];
  fprintf(out, "  errors of the records: from %.3g %% (%s) to %.3g %% (%s)\n", 100 * least->relative, least->log->file,
          100 * most->relative, most->log->file);
}

static void print_best(const identification *id, FILE *out)
{
  const bristle_identified *r = id->result[0];
  char sentence[IDENTIFY_SENTENCES][240], number[64], name[64];
  identify_name(r, name);
  fprintf(out, "\n%s\n", name);
  for (int k = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (is_absent(x) || bristle_identified_is_knot(r, k)) continue;
    identify_number(x, number);
    const char *times = identify_times(r, k);
    if (*times) fprintf(out, "  %-12s %s times %s\n", x->name, number, times);
    else
      fprintf(out, "  %-12s %s%s%s\n", x->name, number, strcmp(x->unit, "1") ? " " : "",
              strcmp(x->unit, "1") ? x->unit : "");
  }
  for (int kind = 0; kind < BRISTLE_OVERS; kind++) print_over(r, (bristle_over)kind, out);
  int count = bristle_identified_verdict(r, (const bristle_log *const *)id->log, id->logs, sentence,
                                         IDENTIFY_SENTENCES);
  for (int i = 0; i < count; i++) fprintf(out, "  %s\n", sentence[i]);
  print_records(id, out);
}

/* what was fitted, in a line or two */
static void print_other(const bristle_identified *r, FILE *out)
{
  char name[64], number[64], item[140];
  identify_name(r, name);
  int used = fprintf(out, "\n%s:", name);
  for (int k = 0, written = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (!x->free || bristle_identified_is_knot(r, k)) continue;
    identify_number(x, number);
    const char *unit = strcmp(x->unit, "1") ? x->unit : "";
    const int length = snprintf(item, sizeof item, " %s %s%s%s", x->name, number, *unit ? " " : "", unit);
    if (written++) used += fprintf(out, ",");
    if (used + length > WIDTH) used = fprintf(out, "\n ") - 1;
    used += fprintf(out, "%s", item);
  }
  fputs("\n", out);
}

static void print_profile(const identification *id, FILE *out)
{
  fprintf(out, "\nprofile of %s: value%s%s%s, sum of squares/its minimum\n", id->profile_name,
          strcmp(id->profile_unit, "1") ? " [" : "", strcmp(id->profile_unit, "1") ? id->profile_unit : "",
          strcmp(id->profile_unit, "1") ? "]" : "");
  for (int i = 0; i < id->profile_count; i++)
    fprintf(out, "  %-12.6g %.6f\n", id->profile_value[i], id->profile_cost[i]);
}

void identify_text(const identification *id, FILE *screen)
{
  FILE *out = words_open(screen);
  if (id->motion) rig_text(id, out);
  for (size_t i = 0; i < id->logs && !id->motion; i++) print_log(id->log[i], "", out);
  if (id->validation) print_log(id->validation, " (validation)", out);
  if (!id->decay && !id->motion) print_campaign(&id->campaign, out);
  print_ranking(id, out);
  print_best(id, out);
  if (id->motion) rig_text_errors(id, out);
  for (int i = 1; i < id->results && i <= OTHERS; i++) print_other(id->result[i], out);
  if (id->profile_count) print_profile(id, out);
  words_close(out, screen);
}
