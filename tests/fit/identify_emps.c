/* The EMPS benchmark through the identification itself: the published models by its authors' recipe, and a law of the
   library that does better on the validation record. The data are not ours to ship: $BRISTLE_DATA/emps, or
   ../shared/data/emps. */
#include "bristle/identify.h"
#include "support/test.h"

typedef struct records {
  bristle_log *fit, *validation;
} records;

static bristle_log *read(const char *name)
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
  if (!(r->fit = read("emps_identification.csv"))) return 0;
  r->validation = read("emps_validation_pulses.csv");
  return r->validation != NULL;
}

static void free_records(records *r)
{
  bristle_log_free(r->fit);
  bristle_log_free(r->validation);
}

static bristle_identified *identify(const records *r, const char *law, int skew)
{
  bristle_identified *result = NULL;
  bristle_fault fault;
  const bristle_log *one = r->fit;
  bristle_identify_options options = { .decimate = 10, .folds = -1 };
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
  bristle_identified *coulomb = identify(&r, "coulomb", 0);
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
  bristle_identified *asymmetric = identify(&r, "asymmetric", 0);
  CHECK_NEAR(value(asymmetric, "mass"), 95.1540, 1e-3);
  CHECK_NEAR(value(asymmetric, "sigma2_plus"), 166.7061, 1e-2);
  CHECK_NEAR(value(asymmetric, "fc_plus"), 20.1440, 1e-2);
  CHECK_NEAR(value(asymmetric, "sigma2_minus"), 240.4236, 1e-2);
  CHECK_NEAR(value(asymmetric, "fc_minus"), 20.6277, 1e-2);
  CHECK_ABS(100 * asymmetric->relative, 3.1117, 0.2);
  bristle_identified_free(asymmetric);
  free_records(&r);
}

TEST(emps_a_law_with_presliding_ranks_above_the_published_ones)
{
  records r;
  if (!read_records(&r)) return;
  bristle_identified *results[] = { identify(&r, "coulomb", 0), identify(&r, "asymmetric", 0), identify(&r, "dahl", 0),
                                    identify(&r, "dahl", 1) };
  const bristle_identified *published = results[1];
  bristle_identified_rank(results, 4);
  CHECK(!strcmp(results[0]->law->name, "dahl"), "%s leads", results[0]->law->name);
  CHECK(results[0]->validation < published->validation, "%.4f %% against %.4f %%", 100 * results[0]->validation,
        100 * published->validation);
  CHECK(results[0]->relative < published->relative, "%.4f %% against %.4f %%", 100 * results[0]->relative,
        100 * published->relative);
  for (int i = 0; i < 4; i++) bristle_identified_free(results[i]);
  free_records(&r);
}
