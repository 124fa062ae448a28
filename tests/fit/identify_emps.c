/* The EMPS benchmark through the identification itself: the published models by its authors' recipe, and a law of the
   library, chosen without the validation record, that does better on it. The data are not ours to ship:
   $BRISTLE_DATA/emps, or
   ../shared/data/emps. */
#include "lab/identify.h"
#include "support/test.h"

typedef struct records {
  bristle_log *fit, *validation;
} records;

static bristle_log *read_file(const char *name)
{
  const char *folder = getenv("BRISTLE_DATA");
  char path[512];
  bristle_log *log;
  bristle_fault fault;
  bristle_log_options options = { .cutoff = 100, .inverse = 1 };
  snprintf(path, sizeof path, "%s/emps/%s", folder ? folder : "../shared/data", name);
  bristle_fault_kind kind = bristle_log_read(path, &options, &log, &fault);
  if (kind == BRISTLE_FAULT_FILE) test_skip("no %s: set BRISTLE_DATA to the folder that holds emps/", path);
  else CHECK(!kind, "%s", fault.what);
  return log;
}

static int read_records(records *r)
{
  r->validation = NULL;
  if (!(r->fit = read_file("emps_identification.csv"))) return 0;
  r->validation = read_file("emps_validation_pulses.csv");
  return r->validation != NULL;
}

static void free_records(records *r)
{
  bristle_log_free(r->fit);
  bristle_log_free(r->validation);
}

static bristle_identified *identify(const records *r, const char *law, int skew, int folds)
{
  bristle_identified *result = NULL;
  bristle_fault fault;
  const bristle_log *one = r->fit;
  bristle_identify_options options = { .decimate = 10, .folds = folds };
  options.term[BRISTLE_TERM_MASS] = options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  if (skew) options.term[BRISTLE_TERM_SKEW] = BRISTLE_TERM_FREE;
  CHECK(!bristle_identify(bristle_law_find(law), &one, 1, r->validation, &options, &result, &fault), "%s: %s", law,
        fault.what);
  if (!result) exit(1);
  return result;
}

static double value(const bristle_identified *r, const char *name)
{
  for (int k = 0; k < r->estimates; k++)
    if (!strcmp(r->estimate[k].name, name)) return r->estimate[k].value;
  return (double)NAN;
}

TEST(emps_symmetric_model_is_that_of_its_authors)
{
  records r;
  if (!read_records(&r)) return;
  bristle_identified *coulomb = identify(&r, "coulomb", 0, -1);
  CHECK_NEAR(value(coulomb, "mass"), 95.1089, 1e-3);
  CHECK_NEAR(value(coulomb, "sigma2"), 203.5034, 1e-2);
  CHECK_NEAR(value(coulomb, "fc"), 20.3935, 1e-2);
  CHECK_NEAR(value(coulomb, "offset"), -3.1648, 1e-2);
  CHECK_ABS(100 * coulomb->relative, 4.0834, 0.2);
  CHECK_ABS(100 * coulomb->validation, 5.9824, 0.2);
  bristle_identified_free(coulomb);
  free_records(&r);
}

TEST(emps_asymmetric_model_is_that_of_its_authors)
{
  records r;
  if (!read_records(&r)) return;
  bristle_identified *asymmetric = identify(&r, "asymmetric", 0, -1);
  CHECK_NEAR(value(asymmetric, "mass"), 95.1540, 1e-3);
  CHECK_NEAR(value(asymmetric, "sigma2_plus"), 166.7061, 1e-2);
  CHECK_NEAR(value(asymmetric, "fc_plus"), 20.1440, 1e-2);
  CHECK_NEAR(value(asymmetric, "sigma2_minus"), 240.4236, 1e-2);
  CHECK_NEAR(value(asymmetric, "fc_minus"), 20.6277, 1e-2);
  CHECK_ABS(100 * asymmetric->relative, 3.1117, 0.2);
  bristle_identified_free(asymmetric);
  free_records(&r);
}

/* Pieces of the record itself, held out in turn, choose the law; the validation record only says how good the choice
   was. The best laws with a term for the two directions are all better than the published asymmetric one. */
TEST(emps_the_law_chosen_on_held_out_pieces_is_better_on_the_validation_record)
{
  records r;
  if (!read_records(&r)) return;
  bristle_identified *results[] = { identify(&r, "coulomb", 0, 4),   identify(&r, "asymmetric", 0, 4),
                                    identify(&r, "dahl", 0, 4),      identify(&r, "dahl", 1, 4),
                                    identify(&r, "andersson", 1, 4), identify(&r, "quinn", 1, 4) };
  const int count = sizeof results / sizeof *results;
  const bristle_identified *published = results[1];
  bristle_identified_rank(results, count);
  for (int i = 0; i < count; i++)
    CHECK(isfinite(results[i]->held_out) && results[i]->held_out > results[i]->rms,
          "%s: %.4f N held out, %.4f N fitted", results[i]->law->name, results[i]->held_out, results[i]->rms);
  CHECK(!strcmp(results[0]->law->name, "andersson"), "%s leads", results[0]->law->name);
  CHECK(results[0]->held_out < 0.95 * published->held_out, "%.4f N against %.4f N", results[0]->held_out,
        published->held_out);
  CHECK(results[0]->validation < published->validation, "%.4f %% against %.4f %%", 100 * results[0]->validation,
        100 * published->validation);
  for (int i = 0; i < count; i++) bristle_identified_free(results[i]);
  free_records(&r);
}

static bristle_identified judged(double held_out, double validation, double bic)
{
  return (bristle_identified){
    .law = bristle_law_find("coulomb"), .held_out = held_out, .validation = validation, .bic = bic
  };
}

TEST(laws_are_chosen_by_held_out_pieces_before_the_validation_record_and_by_bic_last)
{
  const double none = (double)NAN;
  bristle_identified best = judged(1.0, 0.3, 50), worse = judged(2.0, 0.1, 10), unfolded = judged(none, 0.01, 1),
                     bare = judged(none, none, -9);
  bristle_identified *results[] = { &bare, &unfolded, &worse, &best };
  bristle_identified_rank(results, 4);
  CHECK(results[0] == &best && results[1] == &worse, "held-out pieces come first");
  CHECK(results[2] == &unfolded && results[3] == &bare, "then the validation record, then BIC");
}
