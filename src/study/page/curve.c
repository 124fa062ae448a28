/* Pictures over all records: friction over speed with its spread, and force over position around reversals. */
#include "study/page/page.h"

#include "maths/elementary.h"

enum { CURVE = 120, BINS = 28, FEWEST = 5, REVERSALS = 12, ZOOM = 4000 };

static const char *force_unit(const bristle_study *study) { return bristle_force_unit(study->log[0]->rotary); }

/* ---- friction over speed ---- */

/* samples of one direction in bins over the logarithm of the speed */
typedef struct bins {
  double count[BINS], speed[BINS], sum[BINS], square[BINS];
} bins;

typedef struct curve {
  double slow, fast, load; /* range of the speeds; the load that all is brought to */
  bins side[2];
} curve;

static double mean_load(const bristle_study *study)
{
  double sum = 0, count = 0;
  for (size_t l = 0; l < study->logs; l++)
    for (size_t i = 0; study->log[l]->n && i < study->log[l]->count; i++) sum += study->log[l]->n[i], count++;
  return count > 0 ? sum / count : 1;
}

/* the law's steady force, and the difference of the directions */
static double steady_force(const bristle_identified *best, double v, double load)
{
  bristle_input in = { .v = v, .n = load, .load = best->load };
  return best->law->f64->steady(best->p, &in) + best->term[BRISTLE_TERM_SKEW] * fabs(v);
}

/* Has the law forgotten its last reversal? What it says chooses the samples, what was measured is shown. */
static int is_sliding(const bristle_identified *best, const study_view *view, size_t i)
{
  const bristle_info *info = best->law->f64->info;
  if (!(info->traits & BRISTLE_TRAIT_STEADY) || info->nstate == 0) return 1;
  const double steady = steady_force(best, view->log->v[i], view->log->n ? view->log->n[i] : 1);
  return fabs(view->friction[i] - view->residual[i] - steady) < 0.05 * fabs(steady);
}

/* Moving samples of the fitted records. Where friction is a coefficient times the load, all are brought to one load. */
static void fill_bins(const bristle_study *study, curve *c)
{
  const int scaled = study->result[0]->load == BRISTLE_LOAD_COEFFICIENT;
  for (size_t l = 0; l < study->logs; l++) {
    const study_view *view = &study->view[l];
    const bristle_log *log = view->log;
    for (size_t i = 0; i < log->count; i++) {
      const double v = fabs(log->v[i]);
      if (!study_view_moves(view, i) || !(v >= c->slow) || !is_sliding(study->result[0], view, i)) continue;
      const double f = (log->v[i] > 0 ? 1 : -1) * view->friction[i] * (scaled && log->n ? c->load / log->n[i] : 1);
      int at = (int)(BINS * log10(v / c->slow) / log10(c->fast / c->slow));
      bins *b = &c->side[log->v[i] < 0];
      at = at < BINS ? at : BINS - 1;
      b->count[at]++, b->speed[at] += v, b->sum[at] += f, b->square[at] += f * f;
    }
  }
}

/* speeds at which the records move: from the slowest twentieth of them */
static int find_range(const bristle_study *study, curve *c)
{
  c->slow = HUGE_VAL, c->fast = 0;
  for (size_t l = 0; l < study->logs; l++) {
    const bristle_log *log = study->log[l];
    c->fast = fmax(c->fast, log->summary.speed_high);
    for (size_t i = 0; i < log->count; i++)
      if (study_view_moves(&study->view[l], i) && log->v[i] != 0) c->slow = fmin(c->slow, fabs(log->v[i]));
  }
  c->slow = fmax(c->slow, 1e-4 * c->fast);
  return c->fast > 0 && c->slow < 0.9 * c->fast;
}

/* means as points, and one deviation to either side as bars */
static size_t make_points(const bins *b, double *v, double *mean, double *bar_v, double *bar)
{
  size_t count = 0;
  for (int k = 0; k < BINS; k++) {
    if (b->count[k] < FEWEST) continue;
    const double at = b->sum[k] / b->count[k], spread = sqrt(fmax(b->square[k] / b->count[k] - at * at, 0));
    v[count] = b->speed[k] / b->count[k], mean[count] = at;
    for (int end = 0; end < 3; end++) {
      bar_v[3 * count + (size_t)end] = v[count];
      bar[3 * count + (size_t)end] = end < 2 ? at + (end ? spread : -spread) : (double)NAN;
    }
    count++;
  }
  return count;
}

int study_draw_stribeck(const bristle_study *study, bristle_report *page)
{
  static const char *const names[3][2] = { { "forward", "backward" },
                                           { "spread, forward", "spread, backward" },
                                           { "law, forward", "law, backward" } };
  const bristle_identified *best = study->result[0];
  const int steady = (best->law->f64->info->traits & BRISTLE_TRAIT_STEADY) != 0;
  curve c = { .load = mean_load(study) };
  double v[2][BINS], mean[2][BINS], bar_v[2][3 * BINS], bar[2][3 * BINS], line_v[CURVE], line[2][CURVE];
  bristle_series series[6];
  size_t shown = 0, found = 0;
  if (!find_range(study, &c)) return 0;
  fill_bins(study, &c);
  for (int i = 0; i < CURVE; i++) line_v[i] = c.slow * pow(c.fast / c.slow, i / (CURVE - 1.0));
  for (int s = 0; s < 2; s++) {
    const size_t count = make_points(&c.side[s], v[s], mean[s], bar_v[s], bar[s]);
    for (int i = 0; i < CURVE && steady; i++)
      line[s][i] = (s ? -1 : 1) * steady_force(best, s ? -line_v[i] : line_v[i], c.load);
    found += count;
    if (!count) continue;
    series[shown++] = (bristle_series){ names[0][s], BRISTLE_STYLE_POINTS, count, v[s], mean[s], NULL };
    series[shown++] = (bristle_series){ names[1][s], BRISTLE_STYLE_LINE, 3 * count, bar_v[s], bar[s], NULL };
    if (steady)
      series[shown++] = (bristle_series){ names[2][s], s ? BRISTLE_STYLE_DASHED : BRISTLE_STYLE_LINE,
                                          CURVE,       line_v,
                                          line[s],     NULL };
  }
  if (found < 2) return 0;
  bristle_report_plot(
      page,
      &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                       .title = "Friction over speed, all records",
                       .caption = "Measured force without mass, gravity, offset and other terms, in bins of speed: "
                                  "mean, and one deviation of the samples to either side. Friction against the "
                                  "motion is positive in both directions. Of laws with bristles only samples that "
                                  "slide, by what the law says.",
                       .x = { "speed", bristle_speed_unit(study->log[0]->rotary), 1 },
                       .y = { "friction", force_unit(study), 0 },
                       .series_count = shown,
                       .series = series });
  return 1;
}

/* ---- presliding ---- */

/* how far a bristle bends: the level over the stiffness; 0 where no stiffness is fitted and determined */
static double bending_length(const bristle_identified *r)
{
  const bristle_info *info = r->law->f64->info;
  const bristle_row *stiff = bristle_param_role(info, BRISTLE_ROLE_STIFFNESS);
  double stiffness = 0, level = 0;
  if (!stiff || !r->estimate[stiff->first].free || !isfinite(r->estimate[stiff->first].deviation)) return 0;
  for (int k = stiff->first; k < stiff->first + stiff->count; k++) stiffness += r->p[k];
  for (int k = 0; k < info->nparam; k++)
    if (bristle_param_at(info, k)->role == BRISTLE_ROLE_LEVEL) level += fabs(r->p[k]);
  return stiffness > 0 ? level / stiffness : 0;
}

typedef struct zoom {
  double x[ZOOM], measured[ZOOM], fitted[ZOOM];
  size_t count, reversals;
} zoom;

/* the way after a reversal at sample i, `far` long, turned so that it goes to the right */
static void add_way(const study_view *view, size_t i, size_t end, double far, zoom *z)
{
  const bristle_log *log = view->log;
  const double direction = log->slide[i] > 0 ? 1 : -1, from = log->x[i];
  const size_t begin = z->count;
  for (; i < end && z->count + 1 < ZOOM; i++) {
    const double way = direction * (log->x[i] - from);
    if (way > far || direction * log->slide[i] < 0 || isnan(view->friction[i])) break;
    z->x[z->count] = way;
    z->measured[z->count] = direction * view->friction[i];
    z->fitted[z->count++] = direction * (view->friction[i] - view->residual[i]);
  }
  if (z->count - begin < 4) {
    z->count = begin;
    return;
  }
  z->x[z->count] = 0, z->measured[z->count] = z->fitted[z->count] = (double)NAN, z->count++;
  z->reversals++;
}

int study_draw_presliding(const bristle_study *study, bristle_report *page)
{
  const double far = 8 * bending_length(study->result[0]);
  if (!(far > 0)) return 0;
  zoom *z = calloc(1, sizeof *z);
  for (size_t l = 0; z && l < study->logs; l++) {
    const bristle_log *log = study->log[l];
    for (size_t k = 0; k < log->stretches; k++)
      for (size_t i = log->first[k] + 1; i < log->first[k + 1] && z->reversals < REVERSALS; i++)
        if (log->slide[i] * log->slide[i - 1] < 0) add_way(&study->view[l], i, log->first[k + 1], far, z);
  }
  const int drawn = z && z->reversals > 0;
  if (drawn) {
    const bristle_series series[] = { { "measured", BRISTLE_STYLE_WIDE, z->count, z->x, z->measured, NULL },
                                      { "fitted", BRISTLE_STYLE_LINE, z->count, z->x, z->fitted, NULL } };
    bristle_report_plot(
        page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                               .title = "Presliding: friction over the way after a reversal",
                               .caption = "Up to twelve reversals, turned so that all go to the right. The rise at the "
                                          "left is what the stiffness is fitted to.",
                               .x = { "way", bristle_length_unit(study->log[0]->rotary), 0 },
                               .y = { "friction", force_unit(study), 0 },
                               .series_count = 2,
                               .series = series });
  }
  free(z);
  return drawn;
}
