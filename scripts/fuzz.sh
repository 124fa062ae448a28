#!/usr/bin/env bash
# libFuzzer on the readers of files, with the address and undefined-behaviour sanitizers: FUZZ_SECONDS (600) each.
#   fuzz.sh [target ...]    csv, units, document, scenario, mat, manifest, chunk, spec, fmu; all without a name
# fmu is not libFuzzer: FUZZ_CALLS (1000000) random calls of each of 18 exported units, beside a model of the standard's state machine.
# New inputs are collected in $BUILD/fuzz/<target>; tests/fuzz/corpus has the seeds, which `make test` also runs.
# An input that crashes, hangs or leaks is left in $BUILD/fuzz/<target>.crash-..., named here, and makes this fail.
set -u
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
seconds=${FUZZ_SECONDS:-600}
out=$BUILD/fuzz
failed=0 readers=()
for target in ${*:-csv units document scenario mat manifest chunk spec fmu}; do
  [ "$target" = fmu ] || { readers+=("$target"); continue; }
  tests/bridge/fmu_calls.py "$BUILD/bristle" "$out/fmu" --all --calls "${FUZZ_CALLS:-1000000}" --seed "${FUZZ_SEED:-$(date +%s)}" || failed=1
done
[ ${#readers[@]} != 0 ] || exit $failed
CC=${FUZZ_CC:-clang-19}
command -v "$CC" >/dev/null || { echo "install clang-19 and libclang-rt-19-dev"; exit 1; }
[ -e "$BUILD/libbristle_inside.a" ] || { echo "build first: make"; exit 1; }
mkdir -p "$out"

# the readers are instrumented, the laws under them are not
flags="-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -ffp-contract=off -Iinclude -Isrc -Itests"
objects=()
for source in src/io/*.c src/sweep/*.c src/fleet/*.c; do
  [ "$source" != src/io/yaml_none.c ] || continue
  object=$out/$(basename "$(dirname "$source")")-$(basename "$source" .c).o
  $CC -std=gnu11 $flags -c "$source" -o "$object" || exit 1
  objects+=("$object")
done

for target in "${readers[@]}"; do
  $CC -std=gnu11 $flags -fsanitize=fuzzer "tests/fuzz/fuzz_$target.c" "${objects[@]}" "$BUILD/libbristle_inside.a" \
    $(pkg-config --libs yaml-0.1) -lm -o "$out/fuzz_$target" || exit 1
  mkdir -p "$out/$target"
  echo "$target: $seconds s"
  if "$out/fuzz_$target" -max_total_time="$seconds" -timeout=25 -max_len=4096 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$out/$target." "$out/$target" "tests/fuzz/corpus/$target" >"$out/$target.log" 2>&1; then
    grep 'number_of_executed_units\|new_units_added' "$out/$target.log"
  else
    failed=1
    echo "$target: FAILED; $out/$target.log ends:"
    tail -n 30 "$out/$target.log"
    ls "$out/$target".crash-* "$out/$target".timeout-* "$out/$target".oom-* "$out/$target".leak-* 2>/dev/null
  fi
done
exit $failed
