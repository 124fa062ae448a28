# The packages of make amalgamation, for scripts/test-amalgamation.sh: their descriptions, and their examples compiled for the
# microcontrollers that Debian has compilers for; that of Arduino with the real core and run on an emulated Uno.

sketch_on_host() { # prints the first lines
  gcc -O2 -c "$packages/arduino/src/bristle.c" -o "$work/host.o" &&
    g++ -O2 -Wall -Wextra -Werror -I$here/standin -I"$packages/arduino/src" -I"$packages/arduino/examples/StickSlip" $here/sketch.cpp "$work/host.o" \
      -o "$work/sketch" && "$work/sketch" >"$work/sketch.txt"
}

# The core of Arduino as Debian has it. Its compiler is too old to know DECIMAL_DIG in C++.
uno() {
  local core=/usr/share/arduino/hardware/arduino/avr to=$work/uno source flags
  flags="-mmcu=atmega328p -DF_CPU=16000000L -DARDUINO=10807 -DARDUINO_AVR_UNO -DARDUINO_ARCH_AVR -DDECIMAL_DIG=__DECIMAL_DIG__
    -I$core/cores/arduino -I$core/variants/standard -I$packages/arduino/src -Os -ffunction-sections -fdata-sections -flto"
  mkdir -p "$to"
  for source in "$core"/cores/arduino/*.c "$packages/arduino/src/bristle.c"; do
    avr-gcc $flags -Wall -Wextra -std=gnu11 -c "$source" -o "$to/$(basename "$source").o" 2>"$to/said" || return 1
  done
  check "no warning for AVR" [ ! -s "$to/said" ] # of the last source, which is ours
  for source in "$core"/cores/arduino/*.cpp "$packages/arduino/examples/StickSlip/StickSlip.ino"; do
    avr-g++ $flags -std=gnu++11 -fno-exceptions -fno-threadsafe-statics -include Arduino.h -x c++ -c "$source" -o "$to/$(basename "$source").o" || return 1
  done
  avr-gcc -mmcu=atmega328p -Os -flto -fuse-linker-plugin -Wl,--gc-sections "$to"/*.o -o "$to/sketch.elf" -lm
}
uno_size() { # flash below 16 of its 32 kB, memory below 0.5 of its 2 kB
  avr-size "$work/uno/sketch.elf" | awk 'NR == 2 {print "text " $1 " data " $2 " bss " $3; exit !($1 + $2 < 16384 && $2 + $3 < 512)}'
}
uno_runs() { # one second and a half of simulated sliding and sticking take some seconds
  timeout 60 simavr -m atmega328p -f 16000000 "$work/uno/sketch.elf" 2>&1 | sed -un 's/\x1b\[[0-9]*m//g; s/\.\.$//p' | head -n 120 >"$work/uno/sketch.txt"
  diff "$work/sketch.txt" "$work/uno/sketch.txt"
}
arduino() {
  check "the sketch on this machine" sketch_on_host
  check "it sticks, then slips" awk '$2 < 0.001 {stuck++} $2 > 0.1 {slips++} END {exit !(stuck > 50 && slips > 10)}' "$work/sketch.txt"
  if has arm-none-eabi-g++ gcc-arm-none-eabi; then
    check "the sketch for Cortex-M4F" arm-none-eabi-g++ $m4 -Os -ffreestanding -std=gnu++17 -Wall -Wextra -Werror -I$here/standin -include Arduino.h \
      -I"$packages/platformio/src" -c "$packages/platformio/examples/StickSlip/StickSlip.cpp" -o "$work/m4.o"
  fi
  if has xtensa-lx106-elf-g++ gcc-xtensa-lx106; then
    check "the library for ESP8266" xtensa-lx106-elf-gcc -Os -mlongcalls -ffreestanding -Wall -Wextra -Werror -c "$packages/arduino/src/bristle.c" -o "$work/esp.o"
    check "the sketch for ESP8266" xtensa-lx106-elf-g++ -Os -mlongcalls -ffreestanding -std=gnu++17 -Wall -Wextra -Werror -I$here/standin \
      -I"$packages/platformio/src" -c "$packages/platformio/examples/StickSlip/StickSlip.cpp" -o "$work/esp-sketch.o"
  fi
  has avr-g++ gcc-avr && [ -d /usr/share/arduino/hardware/arduino/avr ] || { echo "SKIP install arduino-core-avr"; skipped=$((skipped + 1)); return; }
  check "double precision is refused where double is single" grep -q 'write this file anew with --float32' \
    <(avr-gcc -mmcu=atmega328p -fsyntax-only "$work/three/bristle.c" 2>&1)
  check "the sketch for an Uno, with Arduino's core" uno
  check "it fits" uno_size
  has simavr simavr && check "on an emulated Uno it prints what it prints here" uno_runs
}

# Their build systems are not in Debian: sources compiled with stand-ins for their headers, CMake files read with stand-ins for their functions.
zephyr_and_idf() {
  if has arm-none-eabi-gcc gcc-arm-none-eabi; then
    check "the Zephyr sample" arm-none-eabi-gcc $m4 -Os -std=c11 -Wall -Wextra -Werror -I$here/standin -I"$packages/zephyr/include" \
      -c "$packages/zephyr/samples/stick_slip/src/main.c" -o "$work/zephyr.o"
    check "the ESP-IDF example" arm-none-eabi-gcc $m4 -Os -std=gnu17 -Wall -Wextra -Werror -I$here/standin -I"$packages/esp-idf/include" \
      -c "$packages/esp-idf/examples/stick_slip/main/main.c" -o "$work/idf.o"
  fi
  check "their CMake files" cmake -DROOT="$packages" -P $here/packages.cmake
  if python3 -c 'import yaml' 2>/dev/null; then
    check "their descriptions" python3 $here/packages.py "$packages" "$("$tool" --version | sed 's/bristle //')"
  else
    echo "SKIP install python3-yaml"
    skipped=$((skipped + 1))
  fi
}

packages() {
  packages=$work/amalgamation
  check "make amalgamation" env BUILD="$work" TOOL="$tool" scripts/amalgamation.sh " coulomb  lugre " --float32 >/dev/null
  check "with the chosen laws" grep -q 'Laws: coulomb, lugre\.' "$packages/bristle.h"
  check "an unknown law is refused" grep -q "did you mean 'coulomb'" <(BUILD="$work" TOOL="$tool" scripts/amalgamation.sh columb 2>&1)
  arduino
  zephyr_and_idf
}
