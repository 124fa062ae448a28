/* What every solver records in the same way: rows, events, progress, the energy ledger. */
#include "sim/system.h"

#include "bristle/text.h"
#include "maths/elementary.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bristle_sim_status sim_fail(bristle_sim_error *error, bristle_sim_status status, double t, const char *field,
                            const char *format, ...)
{
  if (!error) return status;
  va_list list;
  error->status = status;
  error->t = t;
  snprintf(error->field, sizeof error->field, "%s", field ? field : "");
  va_start(list, format);
  vsnprintf(error->what, sizeof error->what, format, list);
  va_end(list);
  return status;
}

bristle_sim_status sim_fail_check(bristle_sim_error *error, const bristle_error *fault)
{
  char text[200];
  bristle_error_text(fault, text, sizeof text);
  return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, fault->field, "%s", text);
}

double sim_next_row(const sim_recorder *recorder)
{
  const bristle_sim_options *o = recorder->options;
  if (o->times) return recorder->next < o->time_count ? o->times[recorder->next] : HUGE_VAL;
  if (recorder->next == 0) return 0;
  if (!(o->output > 0)) return recorder->next == 1 ? o->end : (double)HUGE_VAL;
  /* the last row is the end itself; a grid that misses it by rounding only gets no row of its own beside it */
  const double t = (double)recorder->next * o->output;
  const double last = (double)(recorder->next - 1) * o->output;
  if (last >= o->end - 1e-9 * o->output) return HUGE_VAL;
  return t > o->end - 1e-9 * o->output ? o->end : t;
}

void sim_balance(sim_recorder *recorder, const double ledger[LEDGER], double mechanical, double contact)
{
  bristle_sim_stats *s = recorder->stats;
  const double held = contact - recorder->begun[1];
  const double lost = ledger[RUBBED] - held; /* what the friction has turned into heat */
  s->work_in = ledger[WORK_IN];
  s->stored = mechanical - recorder->begun[0] + held;
  s->friction = lost;
  s->dissipated = ledger[DAMPED] + lost;
  s->residual = s->work_in - s->stored - s->dissipated;
  /* a rig that only runs down gets no work, one that rings only turns over what it has: it is measured by that */
  const double turned = fmax(fabs(held), fabs(mechanical - recorder->begun[0]));
  s->work_done = fmax(fmax(s->work_done, turned), fmax(fabs(s->work_in), fabs(s->dissipated)));
  recorder->most_lost = fmax(recorder->most_lost, lost);
  s->given_back = fmax(s->given_back, recorder->most_lost - lost);
}

int sim_progress(sim_recorder *recorder, double t)
{
  const double fraction = t / recorder->options->end;
  if (!recorder->sink->progress || fraction < recorder->reported + 0.002) return 0;
  recorder->reported = fraction;
  return recorder->sink->progress(recorder->sink->context, fraction);
}

enum { MANY_STEPS = 200000 };

int sim_stalled(sim_recorder *recorder, double t)
{
  if (recorder->stats->steps % MANY_STEPS) return 0;
  const int still = t - recorder->marked < 1e-6 * recorder->options->end;
  recorder->marked = t;
  return still;
}

bristle_sim_status sim_fail_stalled(const sim_recorder *recorder, double t, bristle_sim_error *error)
{
  return sim_fail(
      error, BRISTLE_SIM_NO_PROGRESS, t, NULL,
      "no progress: %zu steps so far, the last ones of about %.2g s. Try a larger rtol, or the coupled method "
      "with a step",
      recorder->stats->steps, recorder->stats->last);
}

int sim_event(sim_recorder *recorder, double t, bristle_event_kind kind)
{
  recorder->stats->events++;
  return recorder->sink->event ? recorder->sink->event(recorder->sink->context, t, kind) : 0;
}

void sim_weights(int columns, int power, double weight[MOST_COLUMNS], double error[MOST_COLUMNS])
{
  for (int first = 1; first <= 2; first++)
    for (int j = first; j <= columns; j++) {
      double product = 1;
      const double nj = power == 2 ? (double)(j * j) : (double)j;
      for (int i = first; i <= columns; i++)
        if (i != j) product *= nj / (nj - (power == 2 ? (double)(i * i) : (double)i));
      if (first == 1) weight[j - 1] = error[j - 1] = product;
      else error[j - 1] -= product;
    }
}

void sim_find_flags(const bristle_info *law, const size_t *place, size_t flow, unsigned char *flags)
{
  for (int r = 0; r < law->state_rows; r++)
    for (int k = law->state[r].first; k < law->state[r].first + law->state[r].count; k++)
      if (law->state[r].kind == BRISTLE_ROW_JUMP) flags[place[k] - flow] = !strcmp(law->state[r].unit, "1");
}

const char *bristle_method_text(bristle_method method)
{
  static const char *const names[] = { "auto", "native", "adaptive", "coupled", "steprule", "cvode" };
  return (unsigned)method < sizeof names / sizeof *names ? names[method] : "unknown";
}

double bristle_segment_value(const bristle_segment *p, double t, double *slope)
{
  const double s = (t - p->t) / p->h, *c = p->c;
  if (slope) *slope = (c[1] + s * (2 * c[2] + s * (3 * c[3] + s * (4 * c[4] + s * 5 * c[5])))) / p->h;
  return c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5]))));
}

/* ---- what must be known of a run ---- */

/* Steps of a given length are what they are; where the error is controlled, the account must close. */
static double missing_energy(const bristle_sim_stats *s)
{
  const int controlled = s->method != BRISTLE_METHOD_COUPLED && s->method != BRISTLE_METHOD_STEPRULE;
  return controlled && s->work_done > 0 ? fabs(s->residual) / s->work_done : 0;
}

int bristle_sim_warnings(const bristle_sim_stats *s, bristle_sim_warning list[BRISTLE_SIM_WARNINGS])
{
  int count = 0;
  if (s->has_energy && s->given_back > 1e-9 + 1e-6 * s->work_done)
    snprintf(list[count++], sizeof *list,
             "the friction gave back more energy than it had stored: %.3g J; the law with these parameters is not "
             "passive",
             s->given_back);
  if (s->widened > 0)
    snprintf(list[count++], sizeof *list,
             "the law's own steps did not converge everywhere: there the tolerance was widened, up to %.0f times",
             s->widened);
  if (!(missing_energy(s) <= 1e-6))
    snprintf(list[count++], sizeof *list,
             "the energy account misses %.2g of the energy turned over; a smaller rtol makes the run more exact",
             missing_energy(s));
  if (s->unsolved > 0 && s->method == BRISTLE_METHOD_COUPLED)
    snprintf(list[count++], sizeof *list,
             "in %zu of %zu steps the forces of the joints do not fit together to 1e-12; a shorter step helps",
             s->unsolved, s->evaluations);
  return count;
}
