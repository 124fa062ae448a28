/* Fit diagnostics as sentences. */
#include "fit/records/motion.h"
#include "fit/records/thin.h"
#include "fit/residuals/walk.h"
#include "io/memory.h"
#include "fit/results/result.h"

#include "maths/elementary.h"

#include <stdarg.h>
#include <string.h>

static const double CLEAR_DROP = 3; /* deviations: of all speeds at which it might be, the search took the best */
static const double DOUBTFUL = 0.5; /* a deviation of half the value leaves hardly a digit */

/* ---- single numbers ---- */

int result_is_undetermined(const bristle_estimate *x)
{
  if (!x->free) return 0;
  return x->bound || !isfinite(x->deviation) || x->deviation > DOUBTFUL * fabs(x->value);
}

static const char *experiment_for(const bristle_row *row, const features *f, int rotary, char text[120])
{
  const char *way = bristle_length_unit(rotary);
  switch (row->role) {
  case BRISTLE_ROLE_STIFFNESS:
  case BRISTLE_ROLE_LENGTH:
  case BRISTLE_ROLE_PER_LENGTH:
  case BRISTLE_ROLE_SHARE:
    snprintf(text, 120, "record slow reversals with travels around %.2g %s, many samples each", f->dry / f->stiffness,
             way);
    break;
  case BRISTLE_ROLE_DAMPING:
    snprintf(text, 120,
             "it matters only while the bristles bend quickly: record break-away at several force rates, or fast "
             "micro-strokes");
    break;
  case BRISTLE_ROLE_STATIC_LEVEL:
  case BRISTLE_ROLE_EXCESS_LEVEL:
  case BRISTLE_ROLE_STRIBECK_SPEED:
  case BRISTLE_ROLE_STRIBECK_FALL:
  case BRISTLE_ROLE_SMOOTHING_SPEED:
  case BRISTLE_ROLE_SMOOTHING_RISE:
  case BRISTLE_ROLE_FADING_SPEED:
    snprintf(text, 120, "record steady speeds well below and above %.2g %s/s", f->fall, way);
    break;
  case BRISTLE_ROLE_VISCOUS:
  case BRISTLE_ROLE_DRAG:
  case BRISTLE_ROLE_POWER:
    snprintf(text, 120, "record a wider range of speeds, above %.2g %s/s too", f->fast, way);
    break;
  case BRISTLE_ROLE_FORCE_RATE:
  case BRISTLE_ROLE_TIME:
  case BRISTLE_ROLE_RATE:
    snprintf(text, 120, "record steps of the velocity, and rests of different length");
    break;
  default:
    snprintf(text, 120, "record slow and fast motion in both directions");
  }
  return text;
}

void result_explain(bristle_estimate *x, const bristle_row *row, const features *f, int rotary)
{
  char help[120];
  x->reason[0] = '\0';
  if (!result_is_undetermined(x)) return;
  const char *why = x->bound < 0 ? "at its lower bound: the data show no sign of it"
                    : x->bound > 0 && row->role == BRISTLE_ROLE_STRIBECK_SPEED
                        ? "a quarter of the speeds in the log: the curve falls over all of them, so there is no "
                          "Stribeck peak; try a law without one"
                    : x->bound > 0            ? "at its upper bound: the data only show that it is large"
                    : !isfinite(x->deviation) ? "the data do not show it"
                                              : "the data hardly show it";
  snprintf(x->reason, sizeof x->reason, "%s; %s", why, experiment_for(row, f, rotary, help));
}

static int place_of_role(const bristle_info *info, bristle_role role)
{
  const bristle_row *row = bristle_param_role(info, role);
  return row && row->count == 1 ? row->first : -1;
}

double result_drop(const bristle_identified *r, const double *value)
{
  const bristle_info *info = r->law->f64->info;
  const int level = place_of_role(info, BRISTLE_ROLE_LEVEL), top = place_of_role(info, BRISTLE_ROLE_STATIC_LEVEL);
  if (level < 0 || top < 0 || !r->estimate[level].free || !r->estimate[top].free) return HUGE_VAL;
  return value[top] - value[level];
}

/* A curve that still falls at the largest speeds, its Stribeck speed at the bound, does not show what it falls to, nor
   what rises with the speed meanwhile. */
static const char STILL_FALLS[] =
    "friction still falls at the largest speeds, so its final level is not in the data; record faster motion";
static const char RISES_MEANWHILE[] =
    "friction still falls at the largest speeds, and the rise cannot be separated from that; record faster "
    "motion";

/* Speeds well below that of the fall show the static level; others show it through the shape of the fall alone, and
   where that speed is at its bound the shape is not that of the data. */
void result_judge_static(bristle_identified *r, const features *f)
{
  static const double WELL_BELOW = 0.1; /* a hundredth of the drop is over there */
  const bristle_info *info = r->law->f64->info;
  const int top = place_of_role(info, BRISTLE_ROLE_STATIC_LEVEL),
            speed = place_of_role(info, BRISTLE_ROLE_STRIBECK_SPEED);
  if (top < 0 || speed < 0 || !r->estimate[top].free || !r->estimate[speed].free) return;
  if (!r->estimate[speed].bound || !(f->slow > WELL_BELOW * r->p[speed])) return;
  r->estimate[top].deviation = HUGE_VAL;
  snprintf(
      r->estimate[top].reason, sizeof r->estimate[top].reason,
      "the speed of the fall is not known, and nothing moves slowly enough to show the level itself; record steady "
      "speeds below %.2g %s",
      WELL_BELOW * r->p[speed], bristle_speed_unit(r->rotary));
}

static int still_falls(const bristle_identified *r)
{
  const bristle_info *info = r->law->f64->info;
  for (int k = 0; k < info->nparam; k++)
    if (bristle_param_at(info, k)->role == BRISTLE_ROLE_STRIBECK_SPEED && r->estimate[k].free
        && r->estimate[k].bound > 0)
      return 1;
  return 0;
}

static void judge_level(bristle_identified *r)
{
  const bristle_info *info = r->law->f64->info;
  for (int k = 0; k < info->nparam && still_falls(r); k++) {
    bristle_estimate *x = &r->estimate[k];
    const bristle_role role = bristle_param_at(info, k)->role;
    const int rises = role == BRISTLE_ROLE_VISCOUS || role == BRISTLE_ROLE_DRAG;
    if (!x->free || (!rises && role != BRISTLE_ROLE_LEVEL)) continue;
    x->deviation = HUGE_VAL;
    snprintf(x->reason, sizeof x->reason, "%s", rises ? RISES_MEANWHILE : STILL_FALLS);
  }
}

void result_judge_drop(bristle_identified *r, double drop)
{
  const bristle_info *info = r->law->f64->info;
  const int level = place_of_role(info, BRISTLE_ROLE_LEVEL), top = place_of_role(info, BRISTLE_ROLE_STATIC_LEVEL);
  if (drop == HUGE_VAL || !strcmp(r->estimate[level].reason, STILL_FALLS)) return;
  const double a = r->estimate[level].deviation, b = r->estimate[top].deviation;
  const double together = r->correlation[level * r->estimates + top];
  const double spread = a * a + b * b - (isfinite(together) ? 2 * together * a * b : 0);
  if (!r->nothing_slides && drop > CLEAR_DROP * sqrt(fmax(spread, 0))) {
    judge_level(r);
    return;
  }
  for (int k = 0; k < info->nparam; k++) {
    bristle_estimate *x = &r->estimate[k];
    const bristle_role role = bristle_param_at(info, k)->role;
    const int belongs = k == top || role == BRISTLE_ROLE_STRIBECK_SPEED || role == BRISTLE_ROLE_STRIBECK_FALL;
    if (!x->free || !belongs) continue;
    x->deviation = HUGE_VAL;
    if (!x->reason[0])
      snprintf(x->reason, sizeof x->reason,
               "the data show no clear drop from the static level; record slow steady speeds");
  }
}

/* ---- all of it ---- */

typedef struct speaker {
  char (*sentence)[240];
  int count, max;
} speaker;

static void say(speaker *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(speaker *s, const char *format, ...)
{
  va_list args;
  if (s->count == s->max) return;
  va_start(args, format);
  vsnprintf(s->sentence[s->count++], sizeof *s->sentence, format, args);
  va_end(args);
}

/* How much the force depends on what is not known: the way between the samples. Every second sample left out, the force
   of the model changes by three times what it would change by if all were known, as steps go with their square. */
static double doubt_about_path(const bristle_identified *r, const bristle_log *log)
{
  memory *list = NULL;
  const bristle_log *thin = log_thinned(log, 2, &list);
  double *fine = memory_take(&list, sizeof *fine * log->count), *coarse = memory_take(&list, sizeof *fine * log->count);
  double sum = 0, count = 0;
  if (thin && fine && coarse && !walk_result(r, log, fine) && !walk_result(r, thin, coarse))
    for (size_t k = 0; k < log->stretches; k++)
      for (size_t i = thin->first[k] + thin->drop + 1; i + thin->drop < thin->first[k + 1]; i++, count++)
        sum += pow((coarse[i] - fine[log->first[k] + 2 * (i - thin->first[k])]) / 3, 2);
  memory_free(list);
  return count > 0 ? sqrt(sum / count) : 0;
}

/* A law that asks whether the motion speeds up or slows down jumps where it turns from one to the other. That moment
   lies between two samples, and a sample beside it may stand on either side: as if the acceleration came a sample late.
 */
static double doubt_about_turning(const bristle_identified *r, const bristle_log *log)
{
  memory *list = NULL;
  bristle_log late = *log;
  double *now = memory_take(&list, sizeof *now * log->count), *then = memory_take(&list, sizeof *now * log->count);
  double sum = 0;
  if (!log->a || !(r->law->f64->info->traits & BRISTLE_TRAIT_ACCELERATION)) now = NULL;
  late.a = memory_take(&list, sizeof *late.a * log->count);
  for (size_t i = 0; now && late.a && i < log->count; i++) late.a[i] = log->a[i > 0 ? i - 1 : 0];
  if (now && then && late.a && !walk_result(r, log, now) && !walk_result(r, &late, then))
    for (size_t i = 0; i < log->count; i++) sum += pow(then[i] - now[i], 2);
  memory_free(list);
  return log->count ? sqrt(sum / (double)log->count) : 0;
}

double bristle_identified_between_samples(const bristle_identified *r, const bristle_log *log)
{
  return hypot(doubt_about_path(r, log), doubt_about_turning(r, log));
}

/* of simulated motion, where there is no force */
static void say_motion(speaker *s, const bristle_identified *r)
{
  const double noise = r->measured_noise;
  if (noise > 0 && r->rms < 1.3 * noise)
    say(s, "The simulated motion follows the measured one down to its noise (%.3g %s rms, noise %.3g %s).", r->rms,
        r->unit, noise, r->unit);
  else
    say(s, "The simulated motion misses the measured one by %.3g %s rms, %.2g %% of the motion%s.", r->rms, r->unit,
        100 * r->relative,
        noise > 0 && r->rms > 5 * noise ? "; that is far above the noise, so the law lacks an effect" : "");
  if (r->note[0]) say(s, "Everything was %s.", r->note);
  if (r->stop > BRISTLE_STOP_COST) say(s, "The search did not converge: %s.", bristle_fit_stop_text(r->stop));
}

int bristle_identified_misses_slow(const bristle_identified *r, double noise)
{
  static const double MORE = 1.5; /* of the error in motion: as for samples that a law may be fitted to */
  return isfinite(r->held_out_slow) && r->held_out_slow > fmax(MORE * r->held_out, noise);
}

static void say_quality(speaker *s, const bristle_identified *r, const bristle_log *const *logs, size_t count)
{
  const double noise = motion_force_noise_of(logs, count);
  double path = 0;
  for (size_t l = 0; l < count && r->relative <= 0.5 && r->rms > 5 * noise; l++)
    path = fmax(path, bristle_identified_between_samples(r, logs[l]));
  const char *unit = bristle_force_unit(r->rotary);
  if (r->relative > 0.5 && !(noise > 0 && r->rms < 1.3 * noise))
    say(s, "Do not use this model: it explains hardly any of the force (error %.0f %% of the signal).",
        100 * r->relative);
  else if (noise > 0 && r->rms < 1.3 * noise && bristle_identified_misses_slow(r, noise))
    say(s,
        "In motion the model explains the force down to the noise of the measurement (%.3g %s rms, noise %.3g %s); "
        "it misses samples that start, stop or turn by %.3g %s.",
        r->rms, unit, noise, unit, r->held_out_slow, unit);
  else if (noise > 0 && r->rms < 1.3 * noise)
    say(s, "The model explains the force down to the noise of the measurement (%.3g %s rms, noise %.3g %s).", r->rms,
        unit, noise, unit);
  else if (r->rms < 3 * path)
    say(s,
        "The model explains the force as far as the sampling allows (%.3g %s rms): motion between the samples changes "
        "the force by about %.2g %s.",
        r->rms, unit, path, unit);
  else
    say(s, "The model misses the force by %.3g %s rms, %.2g %% of the signal%s.", r->rms, unit, 100 * r->relative,
        noise > 0 && r->rms > 5 * noise ? "; that is far above the noise, so the law lacks an effect" : "");
  if (r->stop > BRISTLE_STOP_COST) say(s, "The search did not converge: %s.", bristle_fit_stop_text(r->stop));
}

/* Of two optima that are nearly as good only what the fit calls determined is worth a word. */
static void say_rival(speaker *s, const bristle_identified *r)
{
  for (int k = 0; k < r->law->f64->info->nparam && r->rival_cost > 0; k++) {
    const bristle_estimate *x = &r->estimate[k];
    double apart = fabs(x->value - r->rival[k]);
    if (!x->free || x->reason[0] || apart <= 5 * x->deviation || apart <= 0.2 * fabs(x->value)) continue;
    say(s, "Another optimum explains the data nearly as well (error %.2g %% larger): there %s is %.4g, not %.4g.",
        100 * (sqrt(r->rival_cost) - 1), x->name, r->rival[k], x->value);
    return;
  }
}

/* A force beside friction that may be zero is a result; a parameter of the law that may be is none. */
static void say_unknown(speaker *s, const bristle_identified *r, int k)
{
  const bristle_estimate *x = &r->estimate[k];
  const int is_term = k > r->law->f64->info->nparam + BRISTLE_TERM_MASS;
  if (is_term && isfinite(x->deviation) && fabs(x->value) <= 2 * x->deviation)
    say(s, "The %s is zero within its uncertainty of %.2g %s.", x->name, x->deviation, x->unit);
  else say(s, "%s is not determined: %s.", x->name, x->reason);
}

static void say_doubts(speaker *s, const bristle_identified *r)
{
  say_rival(s, r);
  for (int k = 0; k < r->estimates; k++) /* knots speak together, or not at all */
    if (r->estimate[k].free && r->estimate[k].reason[0] && !bristle_identified_is_knot(r, k)) say_unknown(s, r, k);
  for (int k = 0; k < r->estimates; k++)
    for (int l = k + 1; l < r->estimates; l++)
      if (!bristle_identified_is_knot(r, k) && !bristle_identified_is_knot(r, l)
          && fabs(r->correlation[k * r->estimates + l]) > 0.98)
        say(s, "%s and %s can hardly be separated (correlation %.3f): trust their combination, not each.",
            r->estimate[k].name, r->estimate[l].name, r->correlation[k * r->estimates + l]);
}

static void say_rest(speaker *s, const bristle_identified *r)
{
  if (r->memory > 1.5)
    say(s, "Residuals are correlated; the deviations allow for it (%zu samples, about %.0f independent).", r->rows,
        (double)r->rows / r->memory);
  if (isfinite(r->held_out) && r->held_out > 1.3 * r->rms)
    say(s, "On pieces that were held out the error is %.2g times as large: the model overfits these data.",
        r->held_out / r->rms);
  if (isfinite(r->validation) && r->validation > 1.5 * r->relative)
    say(s, "On the validation record the error is %.2g times that of the fit.", r->validation / r->relative);
  if (isfinite(r->energy) && fabs(r->energy - 1) > 0.05)
    say(s, "The work of the model is %.0f %% of the measured one.", 100 * r->energy);
  bristle_breach advice;
  bristle_input in = { .n = 1, .load = r->load };
  if (r->law->f64->advice(r->p, &in, &advice, 1) > 0) say(s, "About simulations, not the fit: %s.", advice.rule);
}

int bristle_identified_verdict(const bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                               char (*sentence)[240], int max)
{
  speaker s = { sentence, 0, max };
  for (size_t l = 0; l < log_count; l++)
    if (logs[l]->doubtful) {
      say(&s, "Do not use this result: %.190s.", bristle_log_doubt(logs[l]));
      break;
    }
  if (result->against && result->findings) { /* all else would be about a friction that gives work */
    say(&s, "Do not use this result: %.210s.", result->finding[0]);
    return s.count;
  }
  if (result->unit[0]) say_motion(&s, result);
  else say_quality(&s, result, logs, log_count);
  for (int i = 0; i < result->findings; i++) say(&s, "%c%.230s.", result->finding[i][0] & ~32, result->finding[i] + 1);
  say_doubts(&s, result);
  say_rest(&s, result);
  return s.count;
}
