#!/usr/bin/env bash
# One bristle.c and bristle.h below build/amalgamation, and packages of them, ready to be zipped: arduino, platformio, zephyr, esp-idf.
#
#   amalgamation.sh [LAWS [--float32]]    LAWS: names with commas or spaces between; all without it
#
# The packages have all laws in single precision, whatever is chosen: their linkers leave out what is not called.
set -eu
cd "$(dirname "$0")/.."
out=${BUILD:-build}/amalgamation
tool=${TOOL:-${BUILD:-build}/bristle}
laws=$(echo ${1:-all}) # without spaces around them
[ $# -gt 0 ] && shift

package() { # name, folder of the source, folder of the header
  rm -rf "${out:?}/$1"
  cp -R "packaging/$1" "$out/$1"
  mkdir -p "$out/$1/$2" "$out/$1/$3"
  cp "$out/single/bristle.c" "$out/$1/$2"
  cp "$out/single/bristle.h" "$out/$1/$3"
  find "$out/$1" -type f | while read -r file; do
    grep -q '@VERSION@' "$file" || continue
    sed "s/@VERSION@/$version/" "$file" >"$file.new"
    mv "$file.new" "$file"
  done
}

version=$(sed -n 's/^#define BRISTLE_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' include/bristle/api.h | paste -sd .)
mkdir -p "$out/single"
"$tool" export "$laws" --to library "$@" -o "$out/bristle.c"
"$tool" export all --to library --float32 -o "$out/single/bristle.c" >/dev/null
package arduino src src
package platformio src src
package zephyr src include
package esp-idf src include
rm -rf "$out/single"
# the same example; outside of its own programs Arduino's header must be named
mkdir -p "$out/platformio/examples/StickSlip"
{ echo '#include <Arduino.h>'; cat packaging/arduino/examples/StickSlip/StickSlip.ino; } >"$out/platformio/examples/StickSlip/StickSlip.cpp"
echo "packages for Arduino, PlatformIO, Zephyr and ESP-IDF: $out/{arduino,platformio,zephyr,esp-idf}"
