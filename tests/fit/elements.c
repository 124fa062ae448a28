/* Elements that yield one after the other: all of them are told apart, or none is. */
#include "lab/identify.h"
#include "support/test.h"

enum { SAMPLES = 2500, ELEMENTS = 4 };
static const double STEP = 1e-3;

static double chance(unsigned long long *state)
{
  double sum = 0;
  for (int i = 0; i < 12; i++) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    sum += (double)(*state >> 11) * 0x1p-53;
  }
  return sum - 6;
}

/* maxwell_slip with a level of 5 N and these shares, yielding after 10, 30, 90 and 270 um */
static bristle_identified *fit(const double *share, bristle_log **log)
{
  const bristle_law *law = bristle_law_find("maxwell_slip");
  const int k = bristle_param_find(law->f64->info, "k")->first,
            alpha = bristle_param_find(law->f64->info, "alpha")->first;
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 }, x = 0, way = 1e-5;
  unsigned long long state = 5;
  char *text = malloc(SAMPLES * 80 + 80);
  size_t used = (size_t)sprintf(text, "t [s],x [m],F [N]\n");
  bristle_table *table = NULL;
  bristle_identified *r = NULL;
  bristle_fault fault;
  bristle_defaults(law->f64->info, p);
  p[bristle_param_find(law->f64->info, "fc")->first] = 5;
  for (int i = 0; i < ELEMENTS; i++, way *= 3) p[alpha + i] = share[i], p[k + i] = 5 * share[i] / way;
  for (int i = 0; i < SAMPLES; i++) {
    const double t = i * STEP,
                 next = 5e-4 * sin(6.2832 * 0.8 * t) + 2e-4 * sin(6.2832 * 2.3 * t) + 4e-5 * sin(6.2832 * 7 * t);
    bristle_input in = { .v = (next - x) / STEP, .x = x, .n = 1, .h = STEP };
    const double f = law->f64->step(p, s, &in, NULL) + 0.02 * chance(&state);
    x = next;
    used += (size_t)sprintf(text + used, "%.9g,%.12g,%.9g\n", t, x, f);
  }
  CHECK(!bristle_table_parse("made up", text, used, &table, &fault), "%s", fault.what);
  CHECK(!bristle_log_from_table(table, &(bristle_log_options){ .cutoff = -1 }, log, &fault), "%s", fault.what);
  bristle_identify_options options = { .folds = -1, .seed = 3 };
  CHECK(!bristle_identify(law, (const bristle_log *const *)log, 1, NULL, &options, &r, &fault), "%s", fault.what);
  bristle_table_free(table);
  free(text);
  return r;
}

/* stiffnesses and shares that the result calls determined */
static int determined(const bristle_identified *r)
{
  int count = 0;
  for (int i = 0; i < r->law->f64->info->nparam; i++) {
    const bristle_role role = bristle_param_at(r->law->f64->info, i)->role;
    if ((role == BRISTLE_ROLE_STIFFNESS || role == BRISTLE_ROLE_SHARE) && r->estimate[i].free
        && !r->estimate[i].reason[0])
      count++;
  }
  return count;
}

TEST(elements_are_told_apart_where_there_are_four)
{
  bristle_log *log = NULL;
  bristle_identified *r = fit((const double[]){ 0.3, 0.2, 0.2, 0.3 }, &log);
  CHECK(determined(r) == 2 * ELEMENTS, "%d determined", determined(r));
  bristle_identified_free(r), bristle_log_free(log);
}

TEST(elements_are_none_where_one_is_too_many)
{
  bristle_log *log = NULL;
  bristle_identified *r = fit((const double[]){ 0.5, 0, 0.5, 0 }, &log);
  CHECK(determined(r) == 0, "%d determined", determined(r));
  bristle_identified_free(r), bristle_log_free(log);
}
