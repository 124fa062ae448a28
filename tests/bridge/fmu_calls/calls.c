/* Calls of a unit in legal and illegal orders, with legal and illegal arguments, beside a model of the standard's state
 * machine. Every mode and function once, then random ones: calls COUNT SEED. */
#include "model.h"

/* ---- calls ---- */

static void try_set(const declared *v, double value)
{
  const declared *before = any("upxrd"); /* what stands before a refused one is not set either */
  const unsigned at[2] = { before->at, v->at };
  const double values[2] = { usual(before), value };
  const int first = v->at == before->at || !settable(before);
  status expected = !allowed(C_set) || !settable(v) ? ERROR : value_status(v, value);
  snprintf(doing, sizeof doing, "set %s = %.17g", v->name, value);
  if (judge(set(c, at + first, 2u - (unsigned)first, values + first), expected)) return;
  for (int i = first; i < 2; i++) w.value[at[i]] = values[i];
  w.wild |= fabs(value) > 1e10
            || (v->what == 'p' && value != 0
                && (fabs(value) > 1e6 * fabs(v->start) || fabs(value) * 1e6 < fabs(v->start)));
  w.moved |= v->what == 'd' || before->what == 'd';
}

static void random_set(void)
{
  static const double odd[] = { NAN, INFINITY, -INFINITY, DBL_MAX, -1e300, 1e300, 5e-324, -1, 0, 0.5 };
  const declared *v = any("upxrd");
  const int how = below(40);
  if (how == 0) v = any("yit");
  if (how == 1) {
    const unsigned at = (unsigned)(one_in(2) ? below(100000) : below(VALUES));
    for (int i = 0; i < VARIABLES; i++)
      if (unit[i].at == at) return;
    snprintf(doing, sizeof doing, "set undefined %u", at);
    judge(set(c, &at, 1, &(double){ 0 }), ERROR);
  } else if (how == 2) {
    snprintf(doing, sizeof doing, "set without values");
    judge(set(c, &v->at, 1, NULL), ERROR);
  } else if (how < 5) {
    try_set(v, odd[below(sizeof odd / sizeof *odd)]);
  } else if (how < 6 && v->lo < v->hi) {
    try_set(v, one_in(2) ? v->lo : v->hi < 1e300 ? nextafter(v->hi, INFINITY) : -1e-9);
  } else {
    for (int i = 0; i < 50 && !settable(v) && !one_in(60); i++) v = any("upxrd");
    try_set(v, usual(v));
  }
}

static void random_get(int undefined)
{
  const declared *v = any("upxrdyt");
  const int evaluated = v->what == 'y';
  double value = NAN;
  unsigned at = v->at;
  if (undefined) at = FMI == 2 ? 0 : 99;
  snprintf(doing, sizeof doing, "get %s (%u)", v->name, at);
  const status expected = !allowed(C_get) || undefined || (evaluated && broken()) ? ERROR : OK;
  const status got = judge(get(c, &at, 1, &value), expected);
  finite(got, &value, 1);
  const int known = strchr("up", v->what) || (strchr("xrd", v->what) && !w.moved);
  if (!got && known && value != w.value[at]) fail("%.17g instead of %.17g", value, w.value[at]);
  if (!got && v->what == 't' && value != w.time) fail("time %.17g instead of %.17g", value, w.time);
}

static status computed(int call) { return !allowed(call) || broken() ? ERROR : OK; }

static void random_step(int how)
{
  const double steps[] = { 0, -1e-4, NAN, INFINITY, -INFINITY, 1e9 },
               step = how >= 1 && how <= 6 ? steps[how - 1] : uniform(1e-5, 2e-4);
  const double from = how == 7 ? w.time + 1 : how == 8 ? NAN : w.time;
  if (how == 6 && STEP_AT < 0) return; /* an element takes any step at once */
  const status expected = computed(C_do_step) || (how && how < 9) || from + step > w.stop + 1e-3 * step + 1e-12 * w.time
                              ? ERROR
                              : OK;
  snprintf(doing, sizeof doing, "do_step %.17g %.17g, stop %g", from, step, w.stop);
  if (!judge(do_step(c, from, step), expected)) w.time = from + step, w.moved = true;
}

static void start_values(void)
{
  memset(w.value, 0, sizeof w.value);
  for (int i = 0; i < VARIABLES; i++) w.value[unit[i].at] = unit[i].start;
  w.mode = INSTANTIATED, w.wild = 0, w.moved = false, w.time = 0, w.stop = DBL_MAX;
}

static void begin_run(int call, int how)
{
  const double start = how == 1   ? NAN
                       : how == 2 ? 1
                                  : uniform(0, 2),
               stop = how == 2    ? 0
                      : one_in(3) ? start + uniform(0, 0.01)
                                  : DBL_MAX;
  snprintf(doing, sizeof doing, "%s %g to %g", names[call], start, stop);
  const int bad = (how == 1 || how == 2) && (call == C_set_up || FMI == 3);
  if (judge((call == C_set_up ? set_up : initialize)(c, start, stop), !allowed(call) || bad ? ERROR : OK)) return;
  if (call == C_set_up || FMI == 3) w.time = start, w.stop = stop;
  if (call == C_initialize) w.mode = INITIALIZING;
}

static void move(int call, status (*function)(void *), int mode, int evaluates)
{
  if (!judge(function(c), evaluates ? computed(call) : allowed(call) ? OK : ERROR)) w.mode = mode;
}

/* ---- copies of the state ---- */

static struct {
  void *copy;
  world w;
} kept[KEPT];

static void random_copy(int call, int how)
{
  const int k = below(KEPT);
  snprintf(doing, sizeof doing, "%s %d", names[call], k);
  if (call == C_free_copy) {
    judge(free_copy(c, &kept[k].copy), OK);
  } else if (call == C_get_copy) {
    if (!judge(get_copy(c, how ? &kept[k].copy : NULL), how ? OK : ERROR)) kept[k].w = w;
  } else {
    const int other = kept[k].copy && kept[k].w.kind != w.kind;
    w.wild |= kept[k].copy && kept[k].w.wild;
    if (!judge(set_copy(c, kept[k].copy), kept[k].copy && !other ? OK : ERROR)) w = kept[k].w;
  }
}

/* through bytes, some of them wrong */
static void random_bytes(int how)
{
  void *copy = NULL, *again = NULL;
  size_t size = 0;
  snprintf(doing, sizeof doing, "bytes, %d", how);
  const int was_wild = w.wild; /* numbers of a wild instance may be none, and then they are refused */
  if (judge(get_copy(c, &copy), OK) || judge(copy_size(c, copy, &size), OK)) fail("no copy");
  char *bytes = malloc(size);
  judge(copy_out(c, copy, bytes, size), OK);
  if (how == 1) size--;
  if (how == 2) bytes[below(30)] ^= 1;                                        /* of another unit */
  if (how == 3) memset(bytes + size - 8 * (size_t)(1 + below(300)), 0xff, 8); /* NaN */
  const int mode = w.mode;
  if (judge(copy_in(c, bytes, size, &again), how >= 1 && how <= 3 ? ERROR : OK) == OK) {
    if (judge(set_copy(c, again), OK) == OK) w.mode = mode;
    judge(free_copy(c, &again), OK);
  }
  judge(copy_out(c, copy, bytes, size), how == 1 ? ERROR : OK);
  judge(free_copy(c, &copy), OK);
  w.wild = was_wild;
  free(bytes);
}

/* ---- lists of Model Exchange, derivatives ---- */

static void random_states(int how)
{
  double x[STATES + 2] = { 0 };
  for (int i = 0; i < STATES; i++) x[i] = uniform(-1e-4, 1e-4);
  if (how == 1 && STATES > 0) x[below(STATES)] = one_in(2) ? NAN : INFINITY;
  const status expected = !allowed(C_set_states) || how == 2 ? ERROR : how == 1 && STATES > 0 ? DISCARD : OK;
  if (!judge(F(SetContinuousStates)(c, x, STATES + (how == 2)), expected)) w.moved = true;
}

static void random_list(int call, status (*function)(void *, double *, size_t), size_t n, int evaluates, int how)
{
  double x[STATES + INDICATORS + 2];
  const status got = judge(function(c, how == 1 ? NULL : x, n + (how <= 1)),
                           !allowed(call) || how <= 1 || (evaluates && broken()) ? ERROR : OK);
  finite(got, x, n);
}

static void random_slopes(int how)
{
  const declared *of = any("y"), *by = any("upxr");
  const double by_how_much = how == 1 ? NAN : 1;
  double slope = 0;
  const unsigned undefined = 9999;
  snprintf(doing, sizeof doing, "slope of %s by %s", of->name, by->name);
  if (of->indicator > 0) return; /* only the first one has slopes */
  const status expected = computed(C_slopes) || how == 1 || how == 2 ? ERROR : OK;
  w.wild += 2; /* a slope may be infinite where a force jumps */
  const status got = get_slopes(c, &of->at, how == 2 ? &undefined : &by->at, &by_how_much, &slope);
  finite(judge(got, expected), &slope, 1);
  w.wild -= 2;
}

static status set_logging(void *instance, int on, const char *category)
{
  return F(SetDebugLogging)(instance, on, category ? 1 : 0, category ? &category : NULL);
}

static void random_logging(int how)
{
  const int on = below(2);
  if (!judge(set_logging(c, on,
                         how == 1   ? "events"
                         : how == 2 ? "logStatusError"
                                    : NULL),
             how == 1 ? ERROR : OK)
      && how != 2)
    logging = on;
}

static void integers(int how)
{
  unsigned at = MODE_AT;
  int value = -1;
  if (how == 1) at = 20; /* the force is no integer */
  if (!judge(get_integer(c, &at, 1, &value), !allowed(C_get_integer) || how == 1 || broken() ? ERROR : OK)
      && (value < 0 || value > 2))
    fail("mode %d", value);
}

static void plain_call(int call, int how)
{
  const int ok = allowed(call);
  if (call == C_initialized) move(call, F(ExitInitializationMode), w.kind == EXCHANGE ? EVENTS : STEPPING, 1);
  if (call == C_terminate) move(call, F(Terminate), TERMINATED, 0);
  if (call == C_to_events) move(call, F(EnterEventMode), EVENTS, 0);
  if (call == C_to_continuous) move(call, F(EnterContinuousTimeMode), CONTINUOUS, 1);
  if (call == C_reset && !judge(F(Reset)(c), OK)) start_values();
  if (call == C_get_other) judge(get_other(c, how == 1), ok && how != 1 ? OK : ERROR);
  if (call == C_update && !judge(update(c, how != 1), computed(call) || how == 1 ? ERROR : OK)) w.moved = true;
  if (call == C_step_done) judge(step_done(c, how != 1), ok && how != 1 ? OK : ERROR);
  if (call == C_get_sizes) judge(get_sizes(c), ok ? OK : ERROR);
  if (call == C_input_slopes) judge(input_slopes(c), ok ? OK : ERROR);
  if (call == C_output_slopes) judge(output_slopes(c), ok ? OK : ERROR);
  if (call == C_ask_status) judge(ask_status(c), ok ? OK : ERROR);
  if (call == C_not_there) judge(not_there(c), ERROR);
  if (call == C_set_time) {
    const double time = how == 1 ? NAN : w.time + uniform(0, 1e-3);
    if (!judge(F(SetTime)(c, time), ok && how != 1 ? OK : ERROR)) w.time = time;
  }
}

/* how: which mistake, if any; few numbers are one */
static void make(int call, int how)
{
  snprintf(doing, sizeof doing, "%s, %d", names[call], how);
  if (call == C_logging) random_logging(how);
  else if (call == C_set_up || call == C_initialize) begin_run(call, how);
  else if (call == C_get) random_get(how == 1);
  else if (call == C_get_integer) integers(how);
  else if (call == C_set) random_set();
  else if (call == C_get_copy || call == C_set_copy || call == C_free_copy) random_copy(call, how);
  else if (call == C_bytes) random_bytes(how);
  else if (call == C_slopes) random_slopes(how);
  else if (call == C_set_states) random_states(how);
  else if (call == C_get_states) random_list(call, F(GetContinuousStates), STATES, 0, how);
  else if (call == C_get_rates) random_list(call, get_rates, STATES, 1, how);
  else if (call == C_get_indicators) random_list(call, F(GetEventIndicators), INDICATORS, 1, how);
  else if (call == C_get_nominals) random_list(call, F(GetNominalsOfContinuousStates), STATES, 0, how);
  else if (call == C_do_step) random_step(how);
  else plain_call(call, how);
}

#include "everything.h"

int main(int argc, char **argv)
{
  const long count = argc > 1 ? atol(argv[1]) : 10000;
  seed = 0x9e3779b97f4a7c15u + (argc > 2 ? strtoull(argv[2], NULL, 10) : 1) * 0x100000001b3u;
  nothing();
  everything();
  rules_wait();
  damage();
  const long systematic = calls;
  while (calls < systematic + count) {
    static const int onwards[MODES] = { C_initialize, C_initialized, C_to_continuous, C_get_rates,
                                        C_do_step,    C_reset,       C_reset };
    const int call = one_in(6) ? onwards[w.mode] : below(COUNT), ends = call == C_terminate || call == C_reset;
    if (one_in(5000)) fresh(below(2), INSTANTIATED);
    if (!exists(call) || (!allowed(call) && !one_in(40)) || (ends && w.mode < TERMINATED && !one_in(10))) continue;
    make(call, below(60));
  }
  for (int k = 0; k < KEPT; k++) free_copy(c, &kept[k].copy);
  F(FreeInstance)(c);
  printf("FMI %d, %s: %ld calls in every mode, %ld by chance (%ld while running), %ld errors, %ld discarded\n", FMI,
         LAW, systematic, calls - systematic, running, refused, discarded);
  return 0;
}
