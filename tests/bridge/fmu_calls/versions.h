/* The functions of FMI 2.0 and 3.0 that an importer calls, under one name for both; and what the standards' tables say
 * about each of them. FMI (2 or 3) is told to the compiler. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int status; /* OK, Warning, Discard, Error */
enum { OK, WARNING, DISCARD, ERROR };
enum { EXCHANGE, COUPLED }; /* kinds */
enum { INSTANTIATED, INITIALIZING, EVENTS, CONTINUOUS, STEPPING, TERMINATED, FAILED, MODES };

/* FMI 2.0.x, tables in 3.2.3 and 4.2.4; FMI 3.0.2, lists of allowed calls in 2.3, 3.2 and 4.2.
   Model Exchange: instantiated, Initialization Mode, Event Mode, Continuous-Time Mode, terminated, error.
   Co-Simulation: instantiated, Initialization Mode, step complete (Step Mode), terminated, error. */
/* clang-format off */
#define CALLS(C) \
  C(logging,       "xxxxxx", "xxxxx", "xxxxx", "xxxx") \
  C(set_up,        "x     ", "x    ", "     ", "    ") \
  C(initialize,    "x     ", "x    ", "x    ", "x   ") \
  C(initialized,   " x    ", " x   ", " x   ", " x  ") \
  C(terminate,     "  xx  ", "  x  ", "  xx ", "  x ") \
  C(reset,         "xxxxxx", "xxxxx", "xxxxx", "xxxx") \
  C(get,           " xxxxx", " xxxx", "xxxxx", "xxxx") \
  C(get_integer,   " xxxxx", " xxxx", "xxxxx", "xxxx") \
  C(get_other,     " xxxxx", " xxxx", "xxxxx", "xxxx") \
  C(set,           "xxxx  ", "xxx  ", "xxxx ", "xxx ") \
  C(get_copy,      "xxxxxx", "xxxxx", "xxxxx", "xxxx") \
  C(set_copy,      "xxxxxx", "xxxxx", "xxxxx", "xxxx") \
  C(free_copy,     "xxxxxx", "xxxxx", "xxxxx", "xxxx") \
  C(bytes,         "xxxxxx", "xxxxx", "xxxxx", "xxxx") \
  C(slopes,        " xxxxx", " xxxx", " xxxx", " xxx") \
  C(to_events,     "  xx  ", "     ", "   x ", "    ") \
  C(update,        "  x   ", "     ", "  x  ", "    ") \
  C(to_continuous, "  x   ", "     ", "  x  ", "    ") \
  C(step_done,     "   x  ", "     ", "   x ", "    ") \
  C(set_time,      "  xx  ", "     ", "   x ", "    ") \
  C(set_states,    "   x  ", "     ", "   x ", "    ") \
  C(get_states,    " xxxxx", "     ", " xxxx", "    ") \
  C(get_rates,     " xxxxx", "     ", " xxxx", "    ") \
  C(get_indicators," xxxxx", "     ", " xxxx", "    ") \
  C(get_nominals,  "xxxxxx", "     ", " xxxx", "    ") \
  C(get_sizes,     "      ", "     ", "xxxxx", "    ") \
  C(do_step,       "      ", "  x  ", "     ", "  x ") \
  C(input_slopes,  "      ", "xxx  ", "     ", "    ") \
  C(output_slopes, "      ", "  xxx", "     ", "  xx") \
  C(ask_status,    "      ", "  xx ", "     ", "    ") \
  C(not_there,     "      ", "     ", "     ", "    ")
/* clang-format on */

#if FMI == 2
typedef struct callbacks {
  void (*log)(void *, const char *, status, const char *, const char *, ...);
  void *(*allocate)(size_t, size_t);
  void (*release)(void *);
  void (*finished)(void *, status);
  void *environment;
} callbacks;
typedef struct event_info {
  int again, terminate, nominals_changed, values_changed, next_defined;
  double next;
} event_info;
void *fmi2Instantiate(const char *, int, const char *, const char *, const callbacks *, int, int);
void fmi2FreeInstance(void *);
status fmi2SetDebugLogging(void *, int, size_t, const char *const *),
    fmi2SetupExperiment(void *, int, double, double, int, double);
status fmi2EnterInitializationMode(void *), fmi2ExitInitializationMode(void *), fmi2Terminate(void *),
    fmi2Reset(void *);
status fmi2GetReal(void *, const unsigned *, size_t, double *),
    fmi2SetReal(void *, const unsigned *, size_t, const double *);
status fmi2GetInteger(void *, const unsigned *, size_t, int *), fmi2GetBoolean(void *, const unsigned *, size_t, int *);
status fmi2SetString(void *, const unsigned *, size_t, const char *const *), fmi2CancelStep(void *);
status fmi2GetFMUstate(void *, void **), fmi2SetFMUstate(void *, void *), fmi2FreeFMUstate(void *, void **);
status fmi2SerializedFMUstateSize(void *, void *, size_t *), fmi2SerializeFMUstate(void *, void *, char *, size_t);
status fmi2DeSerializeFMUstate(void *, const char *, size_t, void **);
status fmi2GetDirectionalDerivative(void *, const unsigned *, size_t, const unsigned *, size_t, const double *,
                                    double *);
status fmi2EnterEventMode(void *), fmi2NewDiscreteStates(void *, event_info *), fmi2EnterContinuousTimeMode(void *);
status fmi2CompletedIntegratorStep(void *, int, int *, int *), fmi2SetTime(void *, double);
status fmi2SetContinuousStates(void *, const double *, size_t), fmi2GetDerivatives(void *, double *, size_t);
status fmi2GetEventIndicators(void *, double *, size_t), fmi2GetContinuousStates(void *, double *, size_t);
status fmi2GetNominalsOfContinuousStates(void *, double *, size_t), fmi2DoStep(void *, double, double, int);
status fmi2SetRealInputDerivatives(void *, const unsigned *, size_t, const int *, const double *);
status fmi2GetRealOutputDerivatives(void *, const unsigned *, size_t, const int *, double *);
status fmi2GetStatus(void *, int, status *), fmi2GetRealStatus(void *, int, double *),
    fmi2GetStringStatus(void *, int, const char **);

#define F(name) fmi2##name
static status set_up(void *c, double start, double stop)
{
  return fmi2SetupExperiment(c, 0, 0, start, stop < 1e300, stop);
}
static status initialize(void *c, double start, double stop)
{
  return (void)start, (void)stop, fmi2EnterInitializationMode(c);
}
static status get(void *c, const unsigned *at, size_t n, double *v) { return fmi2GetReal(c, at, n, v); }
static status set(void *c, const unsigned *at, size_t n, const double *v) { return fmi2SetReal(c, at, n, v); }
static status get_integer(void *c, const unsigned *at, size_t n, int *v) { return fmi2GetInteger(c, at, n, v); }
static status get_other(void *c, size_t n) { return fmi2GetBoolean(c, &(unsigned){ 20 }, n, &(int){ 0 }); }
static status get_copy(void *c, void **copy) { return fmi2GetFMUstate(c, copy); }
static status set_copy(void *c, void *copy) { return fmi2SetFMUstate(c, copy); }
static status free_copy(void *c, void **copy) { return fmi2FreeFMUstate(c, copy); }
static status copy_size(void *c, void *copy, size_t *size) { return fmi2SerializedFMUstateSize(c, copy, size); }
static status copy_out(void *c, void *copy, void *bytes, size_t size)
{
  return fmi2SerializeFMUstate(c, copy, bytes, size);
}
static status copy_in(void *c, const void *bytes, size_t size, void **copy)
{
  return fmi2DeSerializeFMUstate(c, bytes, size, copy);
}
static status get_slopes(void *c, const unsigned *of, const unsigned *by, const double *seed, double *slope)
{
  return fmi2GetDirectionalDerivative(c, of, 1, by, 1, seed, slope);
}
static status update(void *c, bool there) { return fmi2NewDiscreteStates(c, there ? &(event_info){ 0 } : NULL); }
static status step_done(void *c, bool there)
{
  return fmi2CompletedIntegratorStep(c, 1, there ? &(int){ 0 } : NULL, &(int){ 0 });
}
static status get_rates(void *c, double *x, size_t n) { return fmi2GetDerivatives(c, x, n); }
static status get_sizes(void *c) { return (void)c, ERROR; }
static status do_step(void *c, double from, double step) { return fmi2DoStep(c, from, step, 1); }
static status input_slopes(void *c) { return fmi2SetRealInputDerivatives(c, NULL, 0, NULL, NULL); }
static status output_slopes(void *c) { return fmi2GetRealOutputDerivatives(c, NULL, 0, NULL, NULL); }
static status ask_status(void *c) { return fmi2GetRealStatus(c, 2, &(double){ 0 }); }
static status not_there(void *c) { return fmi2CancelStep(c); }
#else
typedef void (*log_message)(void *, status, const char *, const char *);
void *fmi3InstantiateModelExchange(const char *, const char *, const char *, bool, bool, void *, log_message);
void *fmi3InstantiateCoSimulation(const char *, const char *, const char *, bool, bool, bool, bool, const uint32_t *,
                                  size_t, void *, log_message, void (*)(void));
void *fmi3InstantiateScheduledExecution(const char *, const char *, const char *, bool, bool, void *, log_message,
                                        void (*)(void), void (*)(void), void (*)(void));
void fmi3FreeInstance(void *);
status fmi3SetDebugLogging(void *, bool, size_t, const char *const *);
status fmi3EnterInitializationMode(void *, bool, double, double, bool, double), fmi3ExitInitializationMode(void *);
status fmi3Terminate(void *), fmi3Reset(void *), fmi3EnterEventMode(void *), fmi3EnterContinuousTimeMode(void *);
status fmi3GetFloat64(void *, const uint32_t *, size_t, double *, size_t),
    fmi3SetFloat64(void *, const uint32_t *, size_t, const double *, size_t);
status fmi3GetInt32(void *, const uint32_t *, size_t, int32_t *, size_t),
    fmi3GetBoolean(void *, const uint32_t *, size_t, bool *, size_t);
status fmi3GetFMUState(void *, void **), fmi3SetFMUState(void *, void *), fmi3FreeFMUState(void *, void **);
status fmi3SerializedFMUStateSize(void *, void *, size_t *), fmi3SerializeFMUState(void *, void *, uint8_t *, size_t);
status fmi3DeserializeFMUState(void *, const uint8_t *, size_t, void **);
status fmi3GetDirectionalDerivative(void *, const uint32_t *, size_t, const uint32_t *, size_t, const double *, size_t,
                                    double *, size_t);
status fmi3UpdateDiscreteStates(void *, bool *, bool *, bool *, bool *, bool *, double *),
    fmi3CompletedIntegratorStep(void *, bool, bool *, bool *);
status fmi3SetTime(void *, double), fmi3SetContinuousStates(void *, const double *, size_t);
status fmi3GetContinuousStateDerivatives(void *, double *, size_t), fmi3GetEventIndicators(void *, double *, size_t);
status fmi3GetContinuousStates(void *, double *, size_t), fmi3GetNominalsOfContinuousStates(void *, double *, size_t);
status fmi3GetNumberOfContinuousStates(void *, size_t *), fmi3EnterStepMode(void *);
status fmi3DoStep(void *, double, double, bool, bool *, bool *, bool *, double *);
status fmi3GetOutputDerivatives(void *, const uint32_t *, size_t, const int32_t *, double *, size_t);

#define F(name) fmi3##name
static status set_up(void *c, double start, double stop) { return (void)c, (void)start, (void)stop, ERROR; }
static status initialize(void *c, double start, double stop)
{
  return fmi3EnterInitializationMode(c, false, 0, start, stop < 1e300, stop);
}
static status get(void *c, const unsigned *at, size_t n, double *v) { return fmi3GetFloat64(c, at, n, v, n); }
static status set(void *c, const unsigned *at, size_t n, const double *v) { return fmi3SetFloat64(c, at, n, v, n); }
static status get_integer(void *c, const unsigned *at, size_t n, int *v) { return fmi3GetInt32(c, at, n, v, n); }
static status get_other(void *c, size_t n) { return fmi3GetBoolean(c, &(unsigned){ 20 }, n, &(bool){ false }, n); }
static status get_copy(void *c, void **copy) { return fmi3GetFMUState(c, copy); }
static status set_copy(void *c, void *copy) { return fmi3SetFMUState(c, copy); }
static status free_copy(void *c, void **copy) { return fmi3FreeFMUState(c, copy); }
static status copy_size(void *c, void *copy, size_t *size) { return fmi3SerializedFMUStateSize(c, copy, size); }
static status copy_out(void *c, void *copy, void *bytes, size_t size)
{
  return fmi3SerializeFMUState(c, copy, bytes, size);
}
static status copy_in(void *c, const void *bytes, size_t size, void **copy)
{
  return fmi3DeserializeFMUState(c, bytes, size, copy);
}
static status get_slopes(void *c, const unsigned *of, const unsigned *by, const double *seed, double *slope)
{
  return fmi3GetDirectionalDerivative(c, of, 1, by, 1, seed, 1, slope, 1);
}
static status update(void *c, bool there)
{
  bool b[5];
  return fmi3UpdateDiscreteStates(c, &b[0], &b[1], &b[2], there ? &b[3] : NULL, &b[4], &(double){ 0 });
}
static status step_done(void *c, bool there)
{
  return fmi3CompletedIntegratorStep(c, true, there ? &(bool){ 0 } : NULL, &(bool){ 0 });
}
static status get_rates(void *c, double *x, size_t n) { return fmi3GetContinuousStateDerivatives(c, x, n); }
static status get_sizes(void *c) { return fmi3GetNumberOfContinuousStates(c, &(size_t){ 0 }); }
static status do_step(void *c, double from, double step)
{
  bool b[3];
  return fmi3DoStep(c, from, step, true, &b[0], &b[1], &b[2], &(double){ 0 });
}
static status input_slopes(void *c) { return (void)c, ERROR; }
static status output_slopes(void *c) { return fmi3GetOutputDerivatives(c, NULL, 0, NULL, NULL, 0); }
static status ask_status(void *c) { return (void)c, ERROR; }
static status not_there(void *c) { return fmi3EnterStepMode(c); }
#endif
