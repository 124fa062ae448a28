#!/usr/bin/env bash
# libFuzzer on the readers of files, with the address and undefined-behaviour sanitizers: FUZZ_SECONDS (600) each; 0 only builds them.
#   fuzz.sh [target ...]    csv, units, document, scenario, mat, manifest, chunk, spec, model, robot, log, fmu; all without a name
# fmu is not libFuzzer: FUZZ_CALLS (1000000) random calls of each of 18 exported units, beside a model of the standard's state machine.
# New inputs are collected in $BUILD/fuzz/<target>; tests/fuzz/corpus has the seeds, which `make test` also runs.
# An input that crashes, hangs or leaks is left in $BUILD/fuzz/<target>.crash-..., named here, and makes this fail.
set -u
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
seconds=${FUZZ_SECONDS:-600}
out=$BUILD/fuzz
failed=0 readers=()
for target in ${*:-csv units document scenario mat manifest chunk spec model robot log fmu}; do
  [ "$target" = fmu ] || { readers+=("$target"); continue; }
  tests/bridge/fmu_calls.py "$BUILD/bristle" "$out/fmu" --all --calls "${FUZZ_CALLS:-1000000}" --seed "${FUZZ_SEED:-$(date +%s)}" || failed=1
done
[ ${#readers[@]} != 0 ] || exit $failed
CC=${FUZZ_CC:-clang-19}
command -v "$CC" >/dev/null || { echo "install clang-19 and libclang-rt-19-dev"; exit 1; }
[ -e "$BUILD/libbristle_inside.a" ] || { echo "build first: make"; exit 1; }
mkdir -p "$out"

# readers, and what a log goes through, are instrumented; the laws under them are not
flags="-O1 -g1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -ffp-contract=off -Iinclude -Isrc -Itests"
sources() { find src/{io,sweep,fleet,study,report,robot} src/fit/{records,campaign,signals,results,unknowns,residuals,squares,identification} -name '*.c' ! -name yaml_none.c; }
export CC flags out
sources | xargs -P "${JOBS:-2}" -I{} bash -c '$CC -std=gnu11 $flags -c {} -o "$out/$(tr / - <<<{}).o"' || exit 1
mapfile -t objects < <(sources | while read -r source; do echo "$out/$(tr / - <<<"$source").o"; done)
for target in "${readers[@]}"; do
  $CC -std=gnu11 $flags -fsanitize=fuzzer "tests/fuzz/fuzz_$target.c" "${objects[@]}" "$BUILD/libbristle_inside.a" \
    ${FUZZ_YAML:-$(pkg-config --libs yaml-0.1)} -lm -o "$out/fuzz_$target" || exit 1
done
[ "$seconds" != 0 ] || exit $failed

for target in "${readers[@]}"; do
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
