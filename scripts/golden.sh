#!/usr/bin/env bash
# The same bits everywhere: builds every law for one target, prints a hash of its results (tests/golden.c) and
# compares with tests/golden/bits.txt.
#
#   golden.sh VARIANT   dispatch (the library as built), baseline, avx2, avx512 (the same objects, as if on such a processor),
#                       plain (without dispatch),
#                       gcc-O0 gcc-v3 gcc-v4 clang-O0 clang-v1 clang-v3 clang-v4 wasm
#   golden.sh write     writes bits.txt anew, from gcc-O0
#
# Exits 0 when equal, 1 when not, 77 when a tool is missing, 78 when this machine's processor cannot run it.
set -eu
cd "$(dirname "$0")/.."
bits=tests/golden/bits.txt
build=${BUILD:-build}

skip() { echo "SKIP $*"; exit 77; }
lacks() { echo "SKIP hardware: $*"; exit 78; }

variant=$1
[ "$variant" = write ] && variant=gcc-O0
dir=$build/test/golden/$variant

[ -e tests/golden.c ] || skip "tests/golden.c is missing"
options=(-DBRISTLE_DERIVATIVES=OFF -DBRISTLE_DISPATCH=OFF -DCMAKE_BUILD_TYPE=Release)
run=() program=golden
case $variant in
gcc-*) command -v gcc >/dev/null || skip "install gcc"; options+=(-DCMAKE_C_COMPILER=gcc) ;;
clang-*) command -v clang-19 >/dev/null || skip "install clang-19"; options+=(-DCMAKE_C_COMPILER=clang-19) ;;
wasm)
  command -v node >/dev/null || skip "install nodejs"
  scripts/wasm.sh golden || exit $?
  dir=$build/wasm run=(node tests/wasm/run.mjs)
  ;;
dispatch) dir=$build ;;
baseline | avx2 | avx512)
  dir=$build program=golden-$variant
  [ -e "$dir/$program" ] || lacks "this build does not choose instructions when it is loaded"
  ;;
plain) dir=$build/test/plain options=(--preset plain) ;; # shared with the row freestanding-plain of test.sh
*) echo "no variant $variant"; exit 2 ;;
esac
case $variant in
*-O0) options+=(-DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O0") ;;
*-v?)
  [ "$(uname -m)" = x86_64 ] || lacks "this is no x86-64"
  case $variant in *-v1) level=x86-64 ;; *) level=x86-64-${variant#*-} ;; esac
  options+=("-DCMAKE_C_FLAGS=-march=$level")
  ;;
esac

[ "$dir" = "$build" ] || [ "$variant" = wasm ] || cmake -S . -B "$dir" -G Ninja --no-warn-unused-cli "${options[@]}" >/dev/null
[ "$variant" = wasm ] || cmake --build "$dir" --target "$program" -j "${JOBS:-2}"

has() { grep -qw "$1" /proc/cpuinfo; }
case $variant in
*-v3 | avx2) has avx2 || lacks "compiled; no AVX2 to run it on" ;;
*-v4 | avx512) { has avx512f && has avx512vl && has avx512bw && has avx512dq && has avx512cd; } ||
  lacks "compiled; no AVX-512 to run it on" ;;
esac

${run[@]+"${run[@]}"} "$dir/$program" >"$dir/$program.bits"
[ -s "$dir/$program.bits" ] || { echo "golden printed nothing"; exit 1; }
if [ "$1" = write ]; then
  mkdir -p "${bits%/*}"
  cp "$dir/$program.bits" "$bits"
else
  diff "$bits" "$dir/$program.bits" || { echo "$variant differs from $bits (made by make golden)"; exit 1; }
fi
