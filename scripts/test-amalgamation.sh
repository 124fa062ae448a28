#!/usr/bin/env bash
# One bristle.c with its header (bristle export --to library, make amalgamation): without a warning in C99 and C++17, the golden bits
# on this machine and on an emulated Cortex-M4F, no fused operation without a flag, nothing called; and the packages made of it.
set -u
cd "$(dirname "$0")/.."
. scripts/checks.sh
root=$PWD here=tests/amalgamation
laws=$(sed -n 's/^BRISTLE_LAW(\(.*\))$/\1/p' src/models/models.def)
strict="-Wall -Wextra -Wconversion -Wdouble-promotion -Wshadow -pedantic -Werror"
m4="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"

fails() { ! "$@"; }
has() { # command, package: or a skip is counted
  command -v "$1" >/dev/null && return
  echo "SKIP install $2"
  skipped=$((skipped + 1))
  return 1
}

# ---- the verb ----

verb() {
  expect 0 "wrote" export coulomb,dahl,lugre --to library -o "$work/three/bristle.c"
  expect 0 "wrote" export all --to library -o "$work/all/bristle.c"
  expect 0 "wrote" export all --to library --float32 -o "$work/single/bristle.c"
  expect 0 "wrote" export gms --to library -o "$work/one/bristle.c"
  expect 0 "wrote" export 'lugre, dahl coulomb lugre' --to library -o "$work/other/friction.c"
  check "other names, another order, a law twice" grep -q 'Laws: lugre, dahl, coulomb\.' "$work/other/friction.c"
  check "the header has the name of the file" grep -q '#include "friction.h"' "$work/other/friction.c"
  expect 2 "did you mean 'lugre'?" export coulomb,lugr --to library -o "$work/no.c"
  expect 2 "take --to c99" export axis.yaml --to library -o "$work/no.c"
  expect 2 "no law is named" export , --to library -o "$work/no.c"
  expect 2 "does not take --set" export lugre --set fc=2 --to library -o "$work/no.c"
  expect 2 "does not take --compensate" export lugre --compensate --to library -o "$work/no.c"
  expect 2 "ends in .c" export lugre --to library -o "$work/no.h"
  check "nothing is written then" [ ! -e "$work/no.c" ]
  local lines=$(cat "$work"/three/bristle.[ch] | wc -l)
  check "three laws in both precisions take $lines lines, fewer than 3000" [ "$lines" -lt 3000 ]
  check "each helper is there once" [ "$(grep -c '^static double exp_f64' "$work/all/bristle.c")" = 1 ]
  check "no double precision where it is not wanted" fails grep -qw double "$work/single/bristle.c"
}

# ---- compilers ----

compile() { # object, compiler and flags, source
  "${@:2}" -c -o "$1"
}
compilers() { # folder
  local from=$work/$1/bristle.c to=$work/$1
  check "$1, gcc, C99" compile "$to/gcc.o" gcc -std=c99 $strict -O2 "$from"
  check "$1, g++, C++17" compile "$to/gxx.o" g++ -std=c++17 -Wall -Wextra -pedantic -Werror -O1 -x c++ "$from"
  has clang-19 clang-19 || return
  check "$1, clang, C99" compile "$to/clang.o" clang-19 -std=c99 $strict -O1 "$from"
  check "$1, clang, C++17" compile "$to/clangxx.o" clang-19 -std=c++17 -Wall -Wextra -pedantic -Werror -O1 -x c++ "$from"
}

# every law has all that it needs, alone and among others in another order
subsets() {
  local law backwards=$(tac <<<"$laws" | paste -sd ,)
  for law in $laws "$backwards"; do
    "$tool" export "$law" --to library -o "$work/other/some.c" >/dev/null
    check "$law, gcc, C99" gcc -std=c99 $strict -fsyntax-only "$work/other/some.c"
  done
}

# ---- the bits ----

list_laws() { # folder: laws.def of golden.c
  local law
  for law in $(sed -n 's/^bristle_\([a-z0-9_]*\)_f32 bristle_.*_default_f32(void);$/\1/p' "$work/$1/bristle.h"); do
    if grep -q "^} bristle_${law}_state_f32;" "$work/$1/bristle.h"; then echo "STATEFUL($law)"; else echo "STATELESS($law)"; fi
  done >"$work/$1/laws.def"
}
same_bits() { # folder, what of bits.txt must come out
  "$work/$1/golden" >"$work/$1/bits.txt" && grep "$2" tests/golden/bits.txt | diff - "$work/$1/bits.txt"
}
golden() { # folder, object, lines of bits.txt, flags
  gcc -O1 -I"$work/$1" -I$here -Itests -Iinclude ${4:-} $here/golden.c $here/laws.c "$2" -o "$work/$1/golden" && same_bits "$1" "$3"
}
bits() {
  local folder
  for folder in three all single one; do list_laws $folder; done
  check "all laws are in it" [ "$(wc -l <"$work/all/laws.def")" = "$(wc -w <<<"$laws")" ]
  check "golden bits, three laws" golden three "$work/three/gcc.o" '^\(coulomb\|dahl\|lugre\) '
  check "golden bits, one law" golden one "$work/one/gcc.o" '^gms '
  check "golden bits, all laws" golden all "$work/all/gcc.o" .
  check "golden bits, all laws, C++" golden all "$work/all/gxx.o" .
  check "golden bits, single precision alone" golden single "$work/single/gcc.o" ' f32 ' -DFLOAT32_ONLY
  # a bit that is wrong is noticed
  sed 's/0\.166665778f/0.166665763f/' "$work/single/bristle.c" >"$work/single/wrong.c"
  compile "$work/single/wrong.o" gcc -O1 "$work/single/wrong.c"
  check "a constant that is wrong in its last bit is noticed" fails golden single "$work/single/wrong.o" ' f32 ' -DFLOAT32_ONLY >/dev/null
}

# The first program of the README, with its include changed, against the library itself.
first_program() {
  sed 's|<bristle/params.h>|"bristle.h"|' examples/first.c >"$work/three/first.c"
  check "README's first program is compiled" gcc -std=c99 -O2 "$work/three/first.c" "$work/three/gcc.o" -o "$work/three/first"
  gcc -O2 -Iinclude examples/first.c "${BUILD:-build}/libbristle.a" -o "$work/first" || fail "the same with the library"
  "$work/first" >"$work/first.txt"
  check "it prints 20 lines" [ "$(wc -l <"$work/first.txt")" = 20 ]
  check "and those of the library" diff "$work/first.txt" <("$work/three/first")
}

# ---- no fused multiply-add, although compilers may do it in their own dialects ----

fused() { # objdump, object: how many
  "$1" -d "$2" | grep -cE '\<vfn?m(add|sub|a|s)'
}
contraction() { # name, objdump, compiler and flags
  local name=$1 objdump=$2
  shift 2
  check "$name compiles without a flag for contraction" compile "$work/fused.o" "$@" "$work/three/bristle.c"
  check "$name: no fused operation" [ "$(fused "$objdump" "$work/fused.o")" = 0 ]
  grep -v 'FP_CONTRACT OFF\|fp-contract=off' "$work/three/bristle.c" >"$work/three/free.c"
  compile "$work/fused.o" "$@" "$work/three/free.c"
  check "$name: without the pragma there would be" [ "$(fused "$objdump" "$work/fused.o")" != 0 ]
}
contractions() {
  if [ "$(uname -m)" = x86_64 ]; then
    contraction gcc objdump gcc -O2 -march=haswell
    contraction g++ objdump g++ -O2 -march=haswell -x c++
    has clang-19 clang-19 && contraction clang objdump clang-19 -O2 -march=haswell
  fi
  has arm-none-eabi-gcc gcc-arm-none-eabi || return
  contraction "gcc for Cortex-M4F" arm-none-eabi-objdump arm-none-eabi-gcc $m4 -O2
  contraction "g++ for Cortex-M4F" arm-none-eabi-objdump arm-none-eabi-g++ $m4 -O2 -std=gnu++17 -x c++
  check "-ffast-math is refused" fails compile "$work/no.o" gcc -O2 -ffast-math "$work/three/bristle.c" 2>/dev/null
}

# ---- a microcontroller ----

calls() { # nm, object: what it needs beside what every compiler may use to copy and clear
  "$1" -u "$2" | awk '{print $NF}' | grep -vx 'memcpy\|memmove\|memset'
}
cortex() {
  local to=$work/arm
  gcc -O2 -ffreestanding -c "$work/all/bristle.c" -o "$work/alone.o"
  check "no function of a library is called" [ -z "$(calls nm "$work/alone.o")" ]
  has arm-none-eabi-gcc gcc-arm-none-eabi || return
  mkdir -p "$to"
  check "Cortex-M4F, freestanding" compile "$to/bristle.o" arm-none-eabi-gcc $m4 -O2 -ffreestanding -Wall -Wextra -Werror "$work/single/bristle.c"
  check "no function of a library, no double" [ -z "$(calls arm-none-eabi-nm "$to/bristle.o")" ]
  [ -e "$(arm-none-eabi-gcc -print-file-name=rdimon.specs)" ] || { echo "SKIP install libnewlib-arm-none-eabi"; skipped=$((skipped + 1)); return; }
  has qemu-system-arm qemu-system-arm || return
  check "golden bits for Cortex-M4F are linked" arm-none-eabi-gcc $m4 -O1 -DFLOAT32_ONLY -I"$work/single" -I$here -Itests -Iinclude \
    $here/golden.c $here/laws.c tests/embedded/start.c "$to/bristle.o" --specs=rdimon.specs -T tests/embedded/mps2.ld -o "$to/golden"
  timeout 300 qemu-system-arm -M mps2-an386 -nographic -semihosting-config enable=on,target=native -kernel "$to/golden" </dev/null |
    tr -d '\r' >"$to/bits.txt"
  check "golden bits on a Cortex-M4F" diff <(grep ' f32 ' tests/golden/bits.txt) "$to/bits.txt"
}

. $here/packages.sh

mkdir -p "$work"/{three,all,single,one,other}
verb
for folder in three all single one; do compilers $folder; done
subsets
bits
first_program
contractions
cortex
packages
finish
