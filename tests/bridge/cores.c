/* On a microcontroller or its emulator: every exported law against its test vectors, and what a step takes.
 * laws.def lists the laws: LAW(c_lugre). */
#include <stdio.h>

#include "laws.h"

/* SysTick counts down from 2^24 - 1 with the processor's clock; the emulator's clock ticks once in so many instructions
 */
#define SYSTICK ((volatile unsigned *)0xe000e010)
static unsigned now(void) { return SYSTICK[2]; }
static unsigned since(unsigned start) { return (start - now()) & 0xffffffu; }

#define LAW(name) static unsigned name##_given, name##_coupled;
#include "laws.def"
#undef LAW

/* 64 steps that speed up, slow down and turn; of each kind the mean */
static REAL speed(int i) { return (REAL)0.002 * (REAL)((i * 7) % 16 - 8); }
#define LAW(name)                                                                                    \
  static void name##_measure(void)                                                                   \
  {                                                                                                  \
    name##_state s;                                                                                  \
    for (int kind = 0; kind < 2; kind++) {                                                           \
      name##_init(&s);                                                                               \
      const unsigned start = now();                                                                  \
      for (int i = 0; i < 64; i++) {                                                                 \
        name##_input in = { .v = speed(i), .n = (REAL)1, .w = kind ? (REAL)0.001 : (REAL)0 };        \
        name##_step(&s, &in, NULL);                                                                  \
      }                                                                                              \
      *(kind ? &name##_coupled : &name##_given) = since(start);                                      \
    }                                                                                                \
  }
#include "laws.def"
#undef LAW

int main(void)
{
  int failures = 0;
  SYSTICK[1] = 0xffffff, SYSTICK[2] = 0, SYSTICK[0] = 5; /* on, with the processor's clock, no interrupt */
#define LAW(name)                                                                                    \
  do {                                                                                               \
    const int wrong = name##_test();                                                                 \
    name##_measure();                                                                                \
    printf("%s %d %u %u\n", #name, wrong, name##_given, name##_coupled);                             \
    failures += wrong != 0;                                                                          \
  } while (0);
#include "laws.def"
#undef LAW
  return failures != 0;
}
