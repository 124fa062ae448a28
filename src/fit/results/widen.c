/* What refits of records that are a little different add to deviations, and which of it makes a parameter unknown. */
#include "fit/results/variants.h"

#include "maths/elementary.h"

/* what a parameter may be wrong by, beside chance: the size of each part */
typedef struct parts {
  double band, shaken, delay, mass;
} parts;

/* the reason that weighs most, where all of it together makes a parameter unknown */
static void explain(bristle_estimate *x, const parts *p, double step)
{
  const double most = fmax(fmax(p->delay, p->mass), fmax(p->band, p->shaken));
  if (x->reason[0] || !(x->deviation > 0.5 * fabs(x->value))) return;
  if (most < 0.5 * x->deviation) /* none of them: what the law leaves is a scatter */
    snprintf(x->reason, sizeof x->reason,
             "the scatter of the residuals moves it by %.2g %s, more than half its value; record longer", x->deviation,
             x->unit);
  else if (most == p->delay)
    snprintf(x->reason, sizeof x->reason,
             "a delay of one sample (%.3g s) between force and motion would change it by %.2g %s; record slower "
             "motions, or sample faster",
             step, p->delay, x->unit);
  else if (most == p->mass)
    snprintf(x->reason, sizeof x->reason,
             "the mass, which these records do not determine, would change it by %.2g %s; record faster changes of "
             "speed, or give the mass",
             p->mass, x->unit);
  else if (most == p->band)
    snprintf(
        x->reason, sizeof x->reason,
        "it depends on the filter: half the cut-off moves it by %.2g %s. An elastic drive, a delay or a motion with "
        "too few frequencies does that",
        p->band, x->unit);
  else
    snprintf(x->reason, sizeof x->reason,
             "the noise of the motion alone changes it by %.2g %s; use a finer position sensor", p->shaken, x->unit);
}

/* the square of a change, without what chance adds to it */
static double beyond_chance(double change, double variance) { return fmax(change * change - variance, 0); }

/* The noise of the motion is in the residuals, so deviations know what it does at random; unless they know less than
   the refits show. What it does on the average half the band shows too, since it takes most of the noise away: the
   larger of the two counts. Half the band leaves half of the information, and the change varies as the parameter does;
   so it does with a mass beside it. */
void variants_widen(bristle_identified *r, const outcome *found, double delay_squared, double step)
{
  for (int k = 0; k < r->estimates; k++) {
    bristle_estimate *x = &r->estimate[k];
    double band = 0, late = 0, mass = 0, mean = 0, spread = 0, shakes = 0;
    if (!x->free || !isfinite(x->deviation)) continue;
    if (found[HALF_BAND].there) band = found[HALF_BAND].value[k] - x->value;
    if (found[WITH_MASS].there) mass = found[WITH_MASS].value[k] - x->value;
    if (found[EARLIER].there && found[LATER].there)
      late = fmax(fabs(found[EARLIER].value[k] - x->value), fabs(found[LATER].value[k] - x->value));
    for (int s = SHAKEN; s < VARIANTS; s++)
      if (found[s].there) mean += found[s].value[k] - x->value, shakes++;
    mean = shakes > 0 ? mean / shakes : 0;
    for (int s = SHAKEN; s < VARIANTS; s++)
      if (found[s].there) spread += pow(found[s].value[k] - x->value - mean, 2) / fmax(shakes - 1, 1);
    const double own = x->deviation * x->deviation;
    const parts all = { fabs(band), sqrt(spread + mean * mean), late * sqrt(delay_squared), fabs(mass) };
    const double bias = fmax(beyond_chance(band, own), beyond_chance(mean, spread / fmax(shakes, 1)))
                        + beyond_chance(mass, own) + all.delay * all.delay;
    x->band = all.band, x->delay = late, x->motion = all.shaken;
    x->deviation = sqrt(fmax(own, spread) + bias);
    explain(x, &all, step);
  }
}
