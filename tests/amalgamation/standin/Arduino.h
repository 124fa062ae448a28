/* As much of Arduino's header as the example needs, for compilers that have no core here. Numbers are printed by the C
 * library; on microcontrollers, where there may be none, they only have to compile. */
#ifndef ARDUINO_STANDIN_H
#define ARDUINO_STANDIN_H

#if defined(__STDC_HOSTED__) && __STDC_HOSTED__
#include <stdio.h>
#else
extern "C" int printf(const char *format, ...);
#endif

struct SerialPort {
  void begin(long) {}
  void print(char c) { printf("%c", c); }
  void print(float x, int digits) { printf("%.*f", digits, (double)x); }
  void println(float x, int digits)
  {
    print(x, digits);
    print('\n');
  }
};
static SerialPort Serial;

#endif
