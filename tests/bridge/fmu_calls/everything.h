/* What is tried before chance: every function in every mode, every variable, rules, damaged states, no instance. A part
 * of calls.c. */

static void *instantiate(int kind, const char *key)
{
#if FMI == 2
  static const callbacks functions = { .log = hear, .environment = &w };
  return fmi2Instantiate("one", kind, key, NULL, &functions, 0, logging);
#else
  if (kind == EXCHANGE) return fmi3InstantiateModelExchange("one", key, NULL, false, logging, &w, hear);
  if (kind == COUPLED)
    return fmi3InstantiateCoSimulation("one", key, NULL, false, logging, false, false, NULL, 0, &w, hear, NULL);
  return fmi3InstantiateScheduledExecution("one", key, NULL, false, logging, &w, hear, NULL, NULL, NULL);
#endif
}

/* a new instance, and the way to a mode */
static void fresh(int kind, int mode)
{
  F(FreeInstance)(c);
  c = instantiate(kind, TOKEN);
  if (!c || told) fail("no instance");
  w.kind = kind;
  start_values();
  if (mode != INSTANTIATED) make(C_initialize, 99);
  if (mode > INITIALIZING) make(C_initialized, 99);
  if (mode == CONTINUOUS) make(C_to_continuous, 99);
  if (mode == TERMINATED) make(C_terminate, 99);
  if (mode == FAILED) make(C_not_there, 99);
  if (w.mode != mode) fail("is not in the mode %s", mode_names[mode]);
}

/* every function in every mode, and every variable set to what is and what is not allowed */
static void everything(void)
{
  for (int kind = EXCHANGE; kind <= COUPLED; kind++)
    for (int mode = 0; mode < MODES; mode++) {
      if ((kind == COUPLED ? mode == EVENTS || mode == CONTINUOUS : mode == STEPPING) || (FMI == 3 && mode == FAILED))
        continue;
      for (int call = 0; call < COUNT; call++)
        for (int how = 0; how < 10 && exists(call); how++) fresh(kind, mode), make(call, how ? how : 99);
      for (int i = 0; i < VARIABLES; i++) {
        const declared *v = &unit[i];
        const double tries[] = { usual(v), NAN, INFINITY, -INFINITY, v->lo < v->hi ? nextafter(v->lo, -INFINITY) : 0 };
        for (int k = 0; k < 5 && v->what != 'k'; k++) fresh(kind, mode), try_set(v, tries[k]);
      }
    }
}

/* a set that breaks a rule is refused when something is computed with it, and not before: the other value may come yet
 */
static void rules_wait(void)
{
  if (RULE_A < 0) return;
  for (int kind = EXCHANGE; kind <= COUPLED; kind++)
    for (int mended = 0; mended < 2; mended++)
      for (int late = 0; late < 2; late++) {
        const unsigned a = RULE_A, b = RULE_B;
        const double low = 0.5 * unit_start(RULE_B), lower = 0.25 * unit_start(RULE_B);
        fresh(kind, late ? kind == EXCHANGE ? EVENTS : STEPPING : INITIALIZING);
        snprintf(doing, sizeof doing, "a rule is broken, %d, %d", mended, late);
        judge(set(c, &a, 1, &low), OK), w.value[a] = low;
        if (mended) judge(set(c, &b, 1, &lower), OK), w.value[b] = lower;
        make(!late ? C_initialized : kind == EXCHANGE ? C_update : C_do_step, 99);
        if ((w.mode == TERMINATED || w.mode == FAILED) == mended) fail("mode %s", mode_names[w.mode]);
      }
}

/* A state begins with whose it is, of which kind and in which mode: every damage of that is seen, and the other kind
 * refuses it. */
static void damage(void)
{
  void *copy = NULL, *again = NULL;
  size_t size = 0, words = (sizeof TOKEN + 3) / 4 * 4;
  snprintf(doing, sizeof doing, "damage");
  fresh(EXCHANGE, INSTANTIATED);
  if (judge(get_copy(c, &copy), OK) || judge(copy_size(c, copy, &size), OK)) fail("no copy");
  char *bytes = malloc(size);
  judge(copy_out(c, copy, bytes, size), OK);
  for (size_t i = 0; i < words + 8; i++)
    for (int bit = 1; bit < 256 && (i < sizeof TOKEN || i >= words); bit *= 2) {
      bytes[i] = (char)(bytes[i] ^ bit);
      judge(copy_in(c, bytes, size, &again), ERROR);
      bytes[i] = (char)(bytes[i] ^ bit);
    }
  free(bytes);
  fresh(COUPLED, INSTANTIATED);
  judge(set_copy(c, copy), ERROR);
  judge(free_copy(c, &copy), OK);
}

static void nothing(void) /* no instance: an error, and no crash */
{
  double x[2] = { 0 };
  void *copy = NULL;
  const unsigned at = 20;
  snprintf(doing, sizeof doing, "no instance");
  const status all[] = { set_logging(NULL, 1, NULL),
                         set_up(NULL, 0, 1),
                         initialize(NULL, 0, 1),
                         F(ExitInitializationMode)(NULL),
                         F(Terminate)(NULL),
                         F(Reset)(NULL),
                         get(NULL, &at, 1, x),
                         set(NULL, &at, 1, x),
                         get_integer(NULL, &at, 1, &(int){ 0 }),
                         get_other(NULL, 0),
                         get_copy(NULL, &copy),
                         set_copy(NULL, x),
                         free_copy(NULL, &copy),
                         copy_size(NULL, x, &(size_t){ 0 }),
                         copy_out(NULL, x, x, 8),
                         copy_in(NULL, x, 8, &copy),
                         get_slopes(NULL, &at, &at, x, x),
                         F(EnterEventMode)(NULL),
                         update(NULL, true),
                         F(EnterContinuousTimeMode)(NULL),
                         step_done(NULL, true),
                         F(SetTime)(NULL, 0),
                         F(SetContinuousStates)(NULL, x, STATES),
                         get_rates(NULL, x, STATES),
                         F(GetEventIndicators)(NULL, x, 1),
                         F(GetContinuousStates)(NULL, x, STATES),
                         F(GetNominalsOfContinuousStates)(NULL, x, STATES),
                         get_sizes(NULL),
                         do_step(NULL, 0, 1),
                         input_slopes(NULL),
                         output_slopes(NULL),
                         ask_status(NULL),
                         not_there(NULL) };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] != ERROR) fail("function %d without an instance: %d", (int)i, all[i]);
  F(FreeInstance)(NULL);
  for (int i = 0; i < 4; i++) {
    void *made = i == 3 ? instantiate(7, TOKEN) : instantiate(i % 2, i == 2 ? NULL : "{other}");
    if (made || told != 1) fail("an instance that should not be, %d", i);
    told = 0;
  }
}
