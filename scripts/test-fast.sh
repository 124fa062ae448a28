#!/usr/bin/env bash
# The fast build of batches (BRISTLE_FAST): near the exact one for every law that has loops, contracted where it should be, and the exact
# one without a single fused instruction.
set -u
cd "$(dirname "$0")/.."
build=${BUILD:-build} out=${BUILD:-build}/test/fast
fused='vfn?m(add|sub)[0-9]*p[sd].*'
count() { # objects, then what to look for in their instructions
  objdump -d --no-show-raw-insn "$1" | grep -Ec "$2"
}

if [ "$(uname -m)" = x86_64 ]; then
  command -v objdump >/dev/null || { echo "SKIP install binutils"; exit 77; }
  for form in f64 f32; do
    for object in "$build"/CMakeFiles/bristle_$form.dir/src/models/*.o; do
      [ "$(count "$object" "$fused")" = 0 ] || { echo "FAIL the exact build has fused instructions: $object"; exit 1; }
    done
  done
  cmake -S . -B "$out" -G Ninja -DBRISTLE_FAST=ON -DBRISTLE_LAB=OFF -DBRISTLE_TOOLS=OFF -DBRISTLE_DERIVATIVES=OFF >/dev/null || exit 1
  for form in f64 f32; do
    object=CMakeFiles/bristle_$form.dir/src/models/lugre.c.o
    cmake --build "$out" --target "$object" >/dev/null || exit 1
    for lanes in ymm zmm; do # AVX2 with FMA, AVX-512
      [ "$(count "$out/$object" "$fused$lanes")" -gt 100 ] || { echo "FAIL BRISTLE_FAST: no loop with fused $lanes in $object"; exit 1; }
    done
  done
  cmake -S . -B "$out-lean" -G Ninja -DBRISTLE_FAST=ON -DBRISTLE_LEAN=ON -DBRISTLE_LAB=OFF >/dev/null 2>&1 &&
    { echo "FAIL BRISTLE_FAST with BRISTLE_LEAN is not refused"; exit 1; }
  grep -qw fma /proc/cpuinfo || { echo "SKIP hardware: compiled; no FMA to run it on"; exit 78; }
fi
cmake --build "$build" -j "${JOBS:-2}" --target fast-batches >/dev/null || exit 1
"$build/fast-batches"
