/* Records of many short pieces between gaps: every row that is counted is there, also where few samples are looked at.
 */
#include "record.h"

#include "fit/records/thin.h"
#include "fit/residuals/experiment.h"
#include "fit/unknowns/features.h"

enum { PIECES = 380, PIECE = 70 };

/* pieces of 70 samples with a twentieth of a second between them */
static bristle_log *record_in_pieces(bristle_fault *fault)
{
  begin("t,x,F");
  for (int k = 0; k < PIECES; k++)
    for (int i = 0; i < PIECE; i++) {
      const double t = (k * (PIECE + 50) + i) * 1e-3;
      add("%.3f,%.8g,%.5g\n", t, position(t), force(k * PIECE + i, t));
    }
  return read_with(&(bristle_log_options){ 0 }, fault);
}

/* how many rows of an experiment that scores a law do not say which sample they are of */
static size_t rows_without_sample(const char *name, const bristle_log *const *thin,
                                  const bristle_identify_options *options)
{
  bristle_fault fault = { 0 };
  features found;
  static chart c;
  experiment e;
  double u[UNKNOWNS] = { 0 };
  size_t lost = 0;
  CHECK(!features_find(&found, thin, 1, options, &fault), "%s", fault.what);
  CHECK(!chart_make(&c, bristle_law_find(name), BRISTLE_LOAD_FORCE, &found, options, &fault), "%s", fault.what);
  experiment_make(&e, &c, thin, 1, BRISTLE_LOAD_FORCE, options);
  e.decimate = 1;
  e = experiment_scored(&e);
  double p[BRISTLE_LAW_SIZE];
  bristle_defaults(c.law->f64->info, p);
  chart_unknowns(&c, p, u);
  double *r = malloc(sizeof *r * 2 * (e.rows + 1));
  size_t *slot = malloc(sizeof *slot * (e.rows + 1));
  if (!r || !slot) exit(1);
  memset(slot, 0xff, sizeof *slot * (e.rows + 1));
  CHECK(!experiment_compare(&e, u, r, r + e.rows, slot, &fault), "%s: %s", name, fault.what);
  for (size_t i = 0; i < e.rows; i++) lost += slot[i] >= e.slots;
  CHECK(slot[e.rows] == SIZE_MAX, "%s: more rows than were counted", name);
  free(r), free(slot);
  return lost;
}

TEST(rows_of_short_pieces_are_all_there_or_not_counted)
{
  static const char *const laws[] = { "coulomb", "dahl", "gms" };
  bristle_fault fault = { 0 };
  bristle_campaign campaign;
  bristle_identify_options options = { .seed = 1 };
  bristle_log *log = record_in_pieces(&fault), *const one[] = { log };
  memory *list = NULL;
  CHECK(log, "%s", fault.what);
  if (!log) exit(1);
  CHECK(!bristle_campaign_prepare(one, 1, 1, &(bristle_log_options){ 0 }, &options, &campaign, &fault), "%s",
        fault.what);
  const bristle_log *const thin[] = { log_thinned(log, 10, &list) };
  CHECK(thin[0]->stretches == PIECES && thin[0]->first[1] < 8, "%zu samples in a piece", thin[0]->first[1]);
  for (int k = 0; k < 3; k++) {
    const size_t lost = rows_without_sample(laws[k], thin, &options);
    CHECK(!lost, "%s: %zu rows of no sample", laws[k], lost);
  }
  const bristle_log *fewer = logs_thinned((const bristle_log *const *)one, 1, 2700, &list)[0];
  CHECK(fewer->first[1] >= 8 && fewer->count < log->count / 4, "%zu samples in a piece", fewer->first[1]);
  memory_free(list);
  bristle_log_free(log);
}
