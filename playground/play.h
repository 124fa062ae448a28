/* Arrays and functions of the playground that page and test share; page.js knows the same sizes and orders. */
#ifndef PLAY_H
#define PLAY_H

#include "bristle/bristle.h"

#include <stdio.h>

#ifdef __wasm__
#define PLAY(name) __attribute__((export_name(#name)))
#else
#define PLAY(name)
#endif

enum { PLAY_STEADY = 401, PLAY_LOOP = 961, PLAY_PULL = 1001, PLAY_RECORD = 10000 };
#define PLAY_RECORD_STEP 1e-3
enum {
  PLAY_SPEED_RANGE,
  PLAY_AMPLITUDE,
  PLAY_FREQUENCY,
  PLAY_MASS,
  PLAY_STIFFNESS,
  PLAY_PULL_SPEED,
  PLAY_TIME,
  PLAY_LOAD,
  PLAY_STOP,     /* s after which the other end of the spring rests */
  PLAY_INTEGRAL, /* 1/s: a drive that adds up its error */
  PLAY_DAMPING,
  PLAY_SETTINGS
};
enum { PLAY_T, PLAY_X, PLAY_PULLER, PLAY_V, PLAY_F, PLAY_MODE, PLAY_WORK, PLAY_LOST, PLAY_STORED, PLAY_COLUMNS };

double *play_parameters(void);
double *play_settings(void);
double *play_steady(int column);
double *play_loop(int column);
double *play_pull(int column);
void play_flush(void);
int play_shares(int law, int *pairs);
void play_usual(int law);
const char *play_refusal(int law);
const char *play_advice(int law);
void play_draw(int law);
double *play_record(int law); /* columns t, x, F, one after the other */
unsigned play_bits(int law, int half);

#endif
