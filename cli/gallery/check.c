/* Numbers of the gallery beside their references. */
#include "gallery.h"

#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

/* half a unit of the last digit of "4.48579e-5" */
static double half_digit(const char *text)
{
  const char *dot = strchr(text, '.'), *power = strpbrk(text, "eE");
  const char *end = power ? power : text + strlen(text);
  const int places = dot ? (int)(end - dot) - 1 : 0;
  return 0.5 * pow(10, (power ? atoi(power + 1) : 0) - places);
}

const char *gallery_source_text(const gallery_figure *figure, const gallery_number *n)
{
  static const char *const texts[] = { "unknown",           "published",     "closed form", "independent solver",
                                       "convergence study", "limit set here" };
  if (n->source) return texts[n->source];
  return texts[n->reference[0] == '<' ? GALLERY_LIMIT : figure->source];
}

gallery_result gallery_check(const gallery_number *n, double computed)
{
  const int limit = n->reference[0] == '<';
  const double reference = strtod(n->reference + limit, NULL);
  const double allowed = limit ? reference : n->within > 0 ? n->within : half_digit(n->reference);
  gallery_result r = { .computed = computed, .reference = reference };
  r.difference = limit ? fabs(computed) : computed - reference;
  r.part = fabs(r.difference) / allowed;
  r.within = r.part <= 1 + 1e-9; /* a number exactly between two roundings */
  return r;
}

double gallery_residual(const gallery_figure *figure, const simulation *runs)
{
  double most = 0;
  for (size_t i = 0; i < figure->run_count; i++) {
    const bristle_sim_stats *st = &runs[i].stats;
    const int controlled = st->method != BRISTLE_METHOD_STEPRULE && st->method != BRISTLE_METHOD_COUPLED;
    if (controlled && st->work_done > 0) most = fmax(most, fabs(st->residual) / st->work_done);
  }
  return most;
}

const gallery_number gallery_residual_limit = { .what = "energy residual, relative to the work done",
                                                .unit = "1",
                                                .reference = "< 1e-6" };
