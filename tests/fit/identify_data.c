/* What identification reads: columns, weights, gaps, and data that no law can be fitted to. */
#include "fit/made_up.h"

/* ---- columns ---- */

TEST(columns_are_recognised_by_name_and_unit)
{
  static const char *const headers[] = { "t,x,F", "time_s,position_m,motor_force_N",
                                         "Time [s];Position [m];Friction force [N]", "#2 [s],weg [m],kraft [N]",
                                         "time (s)\tdisplacement (m)\tforce (N)" };
  for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
    const char *format = strchr(headers[k], ';')    ? "%.9g;%.12g;%.12g\n"
                         : strchr(headers[k], '\t') ? "%.9g\t%.12g\t%.12g\n"
                                                    : "%.9g,%.12g,%.12g\n";
    text t = dahl_text(headers[k], format, 3000, 1, 1);
    bristle_log *log;
    bristle_fault fault;
    CHECK(!text_log(&t, NULL, &log, &fault), "%s: %s", headers[k], fault.what);
    if (log) CHECK(log->count == 3000 && log->summary.reversals > 2, "%s: %zu samples", headers[k], log->count);
    bristle_log_free(log);
    free(t.data);
  }
}

TEST(a_column_may_carry_a_factor_and_a_unit)
{
  text t = dahl_text("t,x,voltage_V", "%.9g,%.12g,%.12g\n", 3000, 1000, 0.5);
  bristle_log_options options = { 0 };
  bristle_log *log;
  bristle_fault fault;
  options.column[BRISTLE_CHANNEL_FORCE] = "voltage_V*2 N";
  options.column[BRISTLE_CHANNEL_POSITION] = "x*1 mm";
  CHECK(!text_log(&t, &options, &log, &fault), "%s", fault.what);
  if (log) {
    CHECK_ABS(log->summary.force_high, 2, 0.1);
    CHECK_ABS(log->x[500], 0.01 * sin(6.2832 * 0.25) + 2e-4 * sin(6.2832 * 1.5), 1e-5);
  }
  bristle_log_free(log);
  free(t.data);
}

/* ---- weights ---- */

/* a Dahl contact whose sensor was off for half a second, with a column that says so */
static text doubtful_text(double weight_when_off)
{
  text t = text_new("t,x,F,trust");
  double z = 0, x = 0;
  for (int i = 0; i < 3000; i++) {
    const int off = i >= 1500 && i < 2000;
    const double f = dahl_record(i, 1, &z, &x);
    text_row(&t, "%.9g,%.12g,%.12g,", i * 1e-3, x, off ? f + 1.5 : f);
    t.used += (size_t)snprintf(t.data + t.used, ROOM - t.used, "%g\n", off ? weight_when_off : 4.0);
  }
  return t;
}

TEST(samples_count_by_their_weight)
{
  text t = doubtful_text(0);
  bristle_log_options reading = { 0 };
  bristle_identify_options options = { 0 };
  bristle_log *log[2] = { NULL, NULL };
  bristle_fault fault;
  CHECK(!text_log(&t, &reading, &log[0], &fault) && !log[0]->w, "a weight must be asked for: %s", fault.what);
  reading.column[BRISTLE_CHANNEL_WEIGHT] = "trust";
  CHECK(!text_log(&t, &reading, &log[1], &fault), "%s", fault.what);
  for (int weighted = 0; weighted < 2 && log[weighted]; weighted++) {
    bristle_identified *r = fit("dahl", log[weighted], &options);
    const double fc = estimate(r, "fc")->value, sigma0 = estimate(r, "sigma0")->value;
    const double off = fmax(fabs(fc / 2 - 1), fabs(sigma0 / 4e4 - 1));
    CHECK(weighted ? off < 0.02 && r->rms < 0.02 : off > 0.02 && r->rms > 0.3, "%s: fc %g, sigma0 %g, rms %g",
          weighted ? "weighted" : "plain", fc, sigma0, r->rms);
    bristle_identified_free(r);
  }
  bristle_log_free(log[0]);
  bristle_log_free(log[1]);
  free(t.data);
}

TEST(bad_weights_are_refused)
{
  text t = doubtful_text(-1);
  bristle_log_options reading = { .column[BRISTLE_CHANNEL_WEIGHT] = "trust" };
  bristle_log *log;
  bristle_fault fault;
  CHECK(text_log(&t, &reading, &log, &fault) && strstr(fault.what, "weight -1"), "%s", fault.what);
  free(t.data);
}

TEST(gaps_make_stretches_and_empty_cells_are_left_out)
{
  text t = text_new("t,x,F");
  double z = 0, x = 0;
  for (int i = 0; i < 4000; i++) {
    double f = dahl_record(i, 1, &z, &x);
    if (i > 2000 && i < 2200) continue;
    if (i % 500 == 7) t.used += (size_t)snprintf(t.data + t.used, ROOM - t.used, "%g,%g,\n", i * 1e-3, x);
    else text_row(&t, "%.9g,%.12g,%.12g\n", i * 1e-3, x, f);
  }
  bristle_log *log;
  bristle_fault fault;
  CHECK(!text_log(&t, NULL, &log, &fault), "%s", fault.what);
  if (log) {
    CHECK(log->stretches == 2, "%zu stretches", log->stretches);
    CHECK(log->note_count >= 2 && !log->doubtful, "%zu notes", log->note_count);
  }
  bristle_log_free(log);
  free(t.data);
}

/* ---- bad data ---- */

typedef enum bad_kind {
  CONSTANT_FORCE,
  NO_MOTION,
  ONE_DIRECTION,
  THREE_SAMPLES,
  ALL_NAN,
  TIME_BACK,
  SWAPPED,
  TURNED_SIGN,
  WRONG_UNIT,
  BAD_KINDS
} bad_kind;

static text bad_text(bad_kind kind)
{
  text t = text_new(kind == WRONG_UNIT ? "t,x,v,F" : "t,x,F");
  double z = 0, x = 0;
  for (int i = 0; i < (kind == THREE_SAMPLES ? 3 : 2000); i++) {
    double f = dahl_record(i, 1, &z, &x), time = i * 1e-3;
    if (kind == ALL_NAN) t.used += (size_t)snprintf(t.data + t.used, ROOM - t.used, "%g,nan,nan\n", time);
    else if (kind == CONSTANT_FORCE) text_row(&t, "%.9g,%.12g,%.12g\n", time, x, 1.5);
    else if (kind == NO_MOTION) text_row(&t, "%.9g,%.12g,%.12g\n", time, 0.25, f);
    else if (kind == ONE_DIRECTION) text_row(&t, "%.9g,%.12g,%.12g\n", time, 0.1 * time, 2 + 0.02 * noise_of(i));
    else if (kind == TIME_BACK) text_row(&t, "%.9g,%.12g,%.12g\n", i % 2 ? time : time - 0.5, x, f);
    else if (kind == SWAPPED) text_row(&t, "%.9g,%.12g,%.12g\n", time, f, x);
    else if (kind == TURNED_SIGN) text_row(&t, "%.9g,%.12g,%.12g\n", time, x, -f);
    else if (kind == WRONG_UNIT)
      t.used += (size_t)snprintf(t.data + t.used, ROOM - t.used, "%.9g,%.12g,%.12g,%.12g\n", time, x,
                                 1000 * (0.031416 * cos(3.1416 * time) + 3.76992e-3 * cos(18.8496 * time)), f);
    else text_row(&t, "%.9g,%.12g,%.12g\n", time, x, f);
  }
  return t;
}

TEST(bad_data_get_a_verdict_in_plain_words_and_no_confident_answer)
{
  static const struct {
    bad_kind kind;
    int refused;
    const char *words;
  } table[] = {
    { CONSTANT_FORCE, 1, "constant" },
    { NO_MOTION, 1, "never changes" },
    { ONE_DIRECTION, 0, "in one direction only" },
    { THREE_SAMPLES, 1, "too few" },
    { ALL_NAN, 1, "no row is usable" },
    { TIME_BACK, 1, "goes back" },
    { SWAPPED, 1, "drives the motion" },
    { TURNED_SIGN, 1, "drives the motion" },
    { WRONG_UNIT, 0, "position and velocity disagree" },
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    text t = bad_text(table[k].kind);
    bristle_log_options reading = { .cutoff = -1 };
    bristle_log *log;
    bristle_fault fault = { 0 };
    bristle_fault_kind kind = text_log(&t, &reading, &log, &fault);
    CHECK((kind != 0) == table[k].refused, "case %zu: %s", k, kind ? fault.what : "was accepted");
    if (kind) {
      CHECK(strstr(fault.what, table[k].words), "case %zu says '%s', expected '%s'", k, fault.what, table[k].words);
      CHECK(fault.hint[0], "case %zu: '%s' has no hint", k, fault.what);
    } else {
      int told = 0;
      char sentence[8][240];
      for (size_t i = 0; i < log->note_count; i++) told |= strstr(log->note[i], table[k].words) != NULL;
      CHECK(told && log->doubtful, "case %zu: no note says '%s'", k, table[k].words);
      bristle_identify_options options = { .folds = -1, .candidates = 200 };
      bristle_identified *r = fit("coulomb", log, &options);
      const bristle_log *one = log;
      CHECK(bristle_identified_verdict(r, &one, 1, sentence, 8) > 0, "no verdict");
      CHECK(strstr(sentence[0], "Do not use") && strstr(sentence[0], bristle_log_doubt(log)), "case %zu: '%s'", k,
            sentence[0]);
      bristle_identified_free(r);
    }
    bristle_log_free(log);
    free(t.data);
  }
}
