/* The example sketch as a program: its first lines. */
#include "Arduino.h"

#include "StickSlip.ino"

int main()
{
  setup();
  for (int i = 0; i < 120; i++) loop();
  return 0;
}
