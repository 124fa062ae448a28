/* `real` with derivative lanes, as in dual.h, for laws of many elements, vectors and small libraries. Elementary
   functions and kernels are called here, so that evaluation, step and sensitivities share them; a call costs little
   beside eight lanes. Arithmetic on the numbers themselves stays inline. */
#include "core/maths.h"

#define SHARED(type) static __attribute__((noinline, const, unused)) type
SHARED(double) shared_exp(double x) { return exp_f64(x); }
SHARED(decay_f64_t) shared_decay(double x) { return decay_f64(x); }
SHARED(double) shared_fade(double x, double low, double span) { return fade_f64(x, low, span); }
SHARED(double) shared_log(double x) { return log_f64(x); }
SHARED(double) shared_pow(double x, double y) { return pow_f64(x, y); }
SHARED(double) shared_tanh(double x) { return tanh_f64(x); }
SHARED(double) shared_sinq(double t) { return sinq_f64(t); }
#undef SHARED
#define exp_f64 shared_exp
#define decay_f64 shared_decay
#define fade_f64 shared_fade
#define log_f64 shared_log
#define pow_f64 shared_pow
#define tanh_f64 shared_tanh
#define sinq_f64 shared_sinq

#include "core/dual.h"

#undef FN
#define FN static inline __attribute__((unused))
