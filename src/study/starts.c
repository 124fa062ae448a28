/* Motion that starts otherwise than it stops: what the leading law leaves is compared between stretches that get faster
   and stretches that get slower. */
#include "study/study.h"
#include "study/views.h"

#include "lab/units.h"

#include "maths/elementary.h"

/* A stretch counts with this many samples, and with an acceleration of this part of the usual one: on plateaus its sign
   is noise. The two kinds differ where their means do by this many deviations, by more than the noise, and by a part of
   the force that matters. */
enum { FEWEST_SAMPLES = 5, FEWEST_STRETCHES = 2 };
static const double FAST = 0.2, CLEAR = 5, NOTABLE = 0.02;

typedef struct kind {
  double sum, squares;
  int count;
} kind;

typedef struct comparison {
  kind of[2]; /* slower, faster: the force that the law misses along the motion, one number for each stretch */
  double force, samples;
} comparison;

static double usual_acceleration(const bristle_log *log)
{
  double sum = 0;
  for (size_t i = 0; i < log->count; i++) sum += log->a[i] * log->a[i];
  return log->count ? sqrt(sum / (double)log->count) : 0;
}

static void end_stretch(comparison *c, int which, double sum, int samples)
{
  if (which < 0 || samples < FEWEST_SAMPLES) return;
  kind *k = &c->of[which];
  k->sum += sum / samples, k->squares += sum / samples * (sum / samples), k->count++;
}

static void add_record(comparison *c, const study_view *view)
{
  const bristle_log *log = view->log;
  const double least = FAST * usual_acceleration(log);
  double sum = 0;
  int samples = 0, now = -1;
  for (size_t i = 0; i < log->count; i++) {
    const int counts = study_view_moves(view, i) && isfinite(view->residual[i]) && fabs(log->a[i]) > least;
    const int which = counts ? log->v[i] * log->a[i] > 0 : -1;
    if (which != now) end_stretch(c, now, sum, samples), sum = 0, samples = 0, now = which;
    if (which < 0) continue;
    sum += log->v[i] > 0 ? view->residual[i] : -view->residual[i], samples++;
    c->force += fabs(view->friction[i]), c->samples++;
  }
  end_stretch(c, now, sum, samples);
}

static double mean_of(const kind *k) { return k->sum / k->count; }
static double variance_of(const kind *k)
{
  const double mean = mean_of(k);
  return fmax(k->squares / k->count - mean * mean, 0) / (k->count - 1);
}

void study_tell_starts(bristle_study *study)
{
  bristle_identified *best = study->result[0];
  const bristle_law *law = study_law_listed(STUDY_STARTS, 0);
  comparison c = { .force = 0 };
  double noise = 0;
  for (size_t l = 0; l < study->logs; l++) {
    if (!study->log[l]->a) return;
    add_record(&c, &study->view[l]);
    noise = fmax(noise, study->log[l]->summary.force_noise);
  }
  if (c.of[0].count < FEWEST_STRETCHES || c.of[1].count < FEWEST_STRETCHES || best->findings == BRISTLE_FINDINGS)
    return;
  const double difference = mean_of(&c.of[1]) - mean_of(&c.of[0]);
  const double deviation = sqrt(variance_of(&c.of[0]) + variance_of(&c.of[1]));
  if (!(difference > CLEAR * deviation) || !(difference > noise) || !(difference > NOTABLE * c.force / c.samples))
    return;
  for (int i = 0; i < study->laws; i++)
    if (study->law[i] == law) return; /* it was fitted, and the ranking has judged it */
  snprintf(
      best->finding[best->findings], sizeof *best->finding,
      "starts and stops differ: the force that %s misses is %.3g %s larger while the motion gets faster than while "
      "it gets slower; option model %s has that, and a mass that moves as well (option mass free)",
      best->law->name, difference, bristle_force_unit(best->rotary), law->name);
  study_reword(study, best->finding[best->findings++], sizeof *best->finding);
}
