#!/usr/bin/env bash
# Every test, as rows. Each row writes build/test/<row>.log; a failing log is shown; the last line counts them all.
# ROWS="unit golden" runs only rows whose name begins so. ALL=1: a skip fails too, unless hardware or measured data are
# missing.
#
# A row is a function or a command. It exits 0 (passed), 77 (a tool is missing, "SKIP install ..." says which),
# 78 (hardware or measured data are missing) or anything else (failed). A log that ends with "N passed, N failed, N
# skipped" counts as that many.
#
# Rows run side by side, the long ones first, and are reported in the order of their start.
set -u
cd "$(dirname "$0")/.."
JOBS=${JOBS:-2}
lanes=$((JOBS < 4 ? JOBS : 4))
export BUILD=${BUILD:-build} JOBS=$((JOBS / lanes)) CC=${CC:-cc}
out=$BUILD/test
mkdir -p "$out"
rm -f "$out"/*.log "$out"/*.status
names=()

selected() { # name
  local prefix
  for prefix in ${ROWS:-""}; do case $1 in "$prefix"*) return 0 ;; esac done
  [ -z "${ROWS:-}" ]
}

row() { # name, command: starts it when a lane is free
  local name=$1
  shift
  selected "$name" || return 0
  while [ "$(jobs -rp | wc -l)" -ge "$lanes" ]; do wait -n; done
  names+=("$name")
  (
    begin=$SECONDS
    ("$@") >"$out/$name.log" 2>&1
    echo "$? $((SECONDS - begin))" >"$out/$name.part"
    mv "$out/$name.part" "$out/$name.status"
  ) &
}
finish() { # name: waits for a row that was started
  while [ ! -e "$out/$1.status" ]; do sleep 0.1; done
}

passed=0 failed=0 skipped=0 unwanted=0
report() { # name
  local name=$1 log=$out/$1.log status time counts
  read -r status time <"$out/$name.status"
  counts=$(tail -n 1 "$log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
  if [ -n "$counts" ]; then
    set -- $counts
    [ "$status" != 0 ] && [ "$2" = 0 ] && set -- "$1" 1 "$3"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    unwanted=$((unwanted + $(grep '^ *SKIP' "$log" | grep -vc 'SKIP hardware\|SKIP data')))
    echo "$name: $1 passed, $2 failed, $3 skipped ($time s)"
    grep '^ *SKIP' "$log"
    [ "$2" = 0 ] || grep -v '^ok ' "$log" | grep '^ *FAIL\|rror' | tail -n 60
    return
  fi
  case $status in
  0) passed=$((passed + 1)); echo "$name: passed ($time s)" ;;
  77 | 78)
    skipped=$((skipped + 1))
    [ "$status" = 77 ] && unwanted=$((unwanted + 1))
    echo "$name: skipped: $(sed -n 's/^SKIP //p' "$log" | tail -n 1)"
    ;;
  *) failed=$((failed + 1)); echo "$name: FAILED ($time s), $log ends:"; grep -v '^\[[0-9]' "$log" | tail -n 30 ;;
  esac
}

skip() { echo "SKIP $*"; exit 77; }
need() { # command, package
  command -v "$1" >/dev/null || skip "install ${2:-$1}"
}
configure() { # directory, options
  local dir=$1
  shift
  cmake -S "${SOURCE:-.}" -B "$dir" -G Ninja --no-warn-unused-cli "$@" >/dev/null || exit 1
}
build() { cmake --build "$1" -j "$JOBS" --target "${@:2}" || exit 1; }

# ---- the core needs nothing: no libc, no libm, no C++ runtime ----

needs_only() { # a list of objects, then the symbols they may need when they are linked together
  local list=$1 missing
  shift
  ld -r -o "$list.o" "@$list" || exit 1
  nm "$list.o" | grep -q ' bristle_lugre_diff$' || { echo "$list: the laws are not in it"; exit 1; }
  missing=$(nm -u "$list.o" | awk '{print $2}' | grep -vxF "$(printf '%s\n' "$@")")
  [ -z "$missing" ] || { echo "$list: the objects need" $missing; exit 1; }
}
freestanding() { # the library as built: only the choice of instructions, which is the compiler's own
  needs_only "$BUILD/freestanding.txt" __cpu_model __cpu_indicator_init _GLOBAL_OFFSET_TABLE_
}
freestanding_plain() { # without that choice: nothing at all
  configure "$out/plain" --preset plain
  build "$out/plain" freestanding
  needs_only "$out/plain/freestanding.txt" none
}

# ---- no build system at all ----

# -fno-math-errno is what makes a square root one instruction instead of a call; the bits need -ffp-contract=off
one_line() {
  local dir=$out/one_line source=$PWD
  local cc="$CC -fno-math-errno -ffp-contract=off -I$source/include -I$source/src"
  rm -rf "$dir" && mkdir -p "$dir/f64" "$dir/f32" || exit 1
  (cd "$dir/f32" && $cc -DBRISTLE_F32=1 -c "$source"/src/core/lanes.c "$source"/src/models/*.c) &
  (cd "$dir/f64" && $cc -DBRISTLE_NO_DIFF -c "$source"/src/core/*.c "$source"/src/models/*.c) || exit 1
  wait $! || exit 1
  cat >"$dir/main.c" <<'END'
#include "bristle/bristle.h"
#include <stdio.h>
int main(void)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    double p[64];
    bristle_defaults(law->f64->info, p);
    if (bristle_check(law->f64, p, NULL) != BRISTLE_OK || law->f32->info->nparam != law->f64->info->nparam) return 1;
    puts(law->name);
  }
  return bristle_law_find("lugre") == NULL;
}
END
  $cc "$dir/main.c" "$dir"/f64/*.o "$dir"/f32/*.o -o "$dir/main" || exit 1
  "$dir/main" >"$dir/names" || exit 1
  sed -n 's/^BRISTLE_LAW(\(.*\))$/\1/p' src/models/models.def | diff - "$dir/names"
}

# ---- a microcontroller: single precision only, in the emulator of a Cortex-M4F board ----

embedded() {
  local dir=$out/cortex-m4 doubles
  need arm-none-eabi-gcc gcc-arm-none-eabi
  [ -e "$(arm-none-eabi-gcc -print-file-name=rdimon.specs)" ] || skip "install libnewlib-arm-none-eabi"
  need qemu-system-arm
  configure "$dir" -DCMAKE_TOOLCHAIN_FILE=cmake/cortex-m4.cmake -DBRISTLE_DERIVATIVES=OFF
  build "$dir" conformance_f32
  # gcc may copy structures with memcpy, which every C environment has; no double helper, no other function
  doubles=$(xargs arm-none-eabi-nm -u <"$dir/f32.txt" | awk '/ U / {print $2}' | grep -vx 'memcpy\|memset' | sort -u)
  [ -z "$doubles" ] || { echo "the f32 laws call:" $doubles; exit 1; }
  timeout 120 qemu-system-arm -M mps2-an386 -nographic -semihosting-config enable=on,target=native \
    -kernel "$dir/conformance_f32" </dev/null
}

# ---- a new law or verb is one file and one line: those of CONTRIBUTING.md, in a copy of the tree ----

copy_example() { # file, list, line of the list
  [ -e "$1" ] && { echo "$1 exists; use another example in CONTRIBUTING.md"; exit 1; }
  mkdir -p "$(dirname "$dir/tree/$1")"
  awk -v file="$1" '$0 == "```c " file {on = 1; next} /^```/ {on = 0} on' CONTRIBUTING.md >"$dir/tree/$1"
  [ -s "$dir/tree/$1" ] || { echo "no block \`\`\`c $1 in CONTRIBUTING.md"; exit 1; }
  grep -qx "$3" CONTRIBUTING.md || { echo "CONTRIBUTING.md does not show the line $3"; exit 1; }
  echo "$3" >>"$dir/tree/$2"
}

new_law() {
  local dir=$out/new_law
  rm -rf "$dir/tree" && mkdir -p "$dir/tree" || exit 1
  cp -a CMakeLists.txt cmake include src bridge cli tests bench examples "$dir/tree" || exit 1
  copy_example src/models/viscous.c src/models/models.def 'BRISTLE_LAW(viscous)'
  copy_example cli/steady/steady.c cli/verbs.def 'VERB(steady)'
  SOURCE=$dir/tree configure "$dir/build" -DBRISTLE_DISPATCH=OFF -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O0
  build "$dir/build" bristle_tool tests 2>&1 | tee "$dir/build.log"
  [ "${PIPESTATUS[0]}" = 0 ] || exit 1
  grep '\(viscous\|steady\)\.c.*warning' "$dir/build.log" && exit 1
  "$dir/build/bristle" show viscous || exit 1
  [ "$("$dir/build/bristle" steady viscous --speed '500 mm/s' --set sigma2=2)" = "1.025 N" ] || { echo "steady"; exit 1; }
  "$dir/build/bristle" --help | grep -q '  steady  *the force of a law' || { echo "steady is not listed"; exit 1; }
  "$dir/build/bristle" help --completion bash | grep -q 'steady)' || { echo "steady is not completed"; exit 1; }
  "$dir/build/bristle" steady viscous --sped 1; [ $? = 2 ] || exit 1
  "$dir/build/tests" conformance >"$dir/conformance.log" || { cat "$dir/conformance.log"; exit 1; }
  nm "$dir/build/libbristle.a" | grep -q 'bristle_viscous_diff$' || { echo "viscous has no derivatives"; exit 1; }
}

# ---- undefined behaviour and memory errors ----
# The preset leaves out what makes the compile several times longer: use after scope, and what the address sanitizer
# sees anyway.

sanitizers() {
  local dir=$out/sanitize
  configure "$dir" --preset sanitize
  build "$dir" tests
  ALL= "$dir/tests" # without the long tests: sanitizers make them several times longer
}

# ---- SUNDIALS as an independent solver ----

oracle() {
  [ -x "$BUILD/oracle" ] || skip "install libsundials-dev"
  "$BUILD/oracle"
}

# ---- reports, in a browser ----

report_pages() {
  local pages=$PWD/$out/report
  case $out in /*) pages=$out/report ;; esac
  need node nodejs
  need chromium
  [ -e node_modules/uplot ] && [ -e node_modules/playwright-core ] || skip "npm ci"
  mkdir -p "$pages" && "$BUILD/report-pages" "$pages" || exit 1
  node tests/report/browser.mjs "$pages"
}

golden_plain() { # in the build of the row freestanding-plain
  selected freestanding-plain && finish freestanding-plain
  scripts/golden.sh plain
}

# ---- FMUs, with FMPy ----

fmu() {
  need python3
  "$BUILD/bristle" export lugre --to fmu3 -o "$out/probe.fmu" >"$out/probe.txt" 2>&1 || skip "install libzip-dev"
  scripts/need.sh fmpy || skip "pip install fmpy"
  rm -rf "$out/fmu" && "$BUILD/fmpy/bin/python" tests/bridge/fmu.py "$BUILD/bristle" "$out/fmu"
}

# The long rows run with ALL=1 only, so that a plain `make test` stays under five minutes on two cores.
long_row() { # name, command
  if [ -n "${ALL:-}" ] || [ -n "${ROWS:-}" ]; then row "$@"; else row "$1" skip "a long row: make test ALL=1, or ROWS=$1"; fi
}

long_row sanitizers sanitizers
row unit "$BUILD/tests"
row oracle oracle
row freestanding freestanding
long_row freestanding-plain freestanding_plain
long_row embedded embedded
long_row new-law new_law
row one-line one_line
row report report_pages
for variant in dispatch gcc-O0 clang-O0 wasm; do
  row "golden-$variant" scripts/golden.sh "$variant"
done
for variant in gcc-v3 gcc-v4 clang-v1 clang-v3 clang-v4; do
  long_row "golden-$variant" scripts/golden.sh "$variant"
done
long_row golden-plain golden_plain
long_row cuda scripts/cuda.sh check # every law goes through nvcc
long_row cuda-bits scripts/cuda.sh test # and gives the bits of the processor, where there is a GPU
row cli scripts/test-cli.sh
row files scripts/test-files.sh # nothing is overwritten or left behind
fuzz_cli() { # a short run of it, always the same; `make fuzz-cli` is the long one
  need python3
  scripts/fuzz-cli.py "$BUILD/bristle" --runs 300 --seed 1 --jobs "$JOBS"
}
row fuzz-cli fuzz_cli
row gallery scripts/test-gallery.sh # every number of every figure
row identify scripts/test-identify.sh # bad data, options, files, pages
row sources scripts/test-sources.sh # every line of the checklists in docs/sources.md
row docs scripts/test-docs.sh # what the documents show is what is printed today
row experiments scripts/test-experiments.sh # plan, compare, loads, fits of a rig
row export scripts/test-export.sh # every law as C, compiled and compared with the library
long_row fmu fmu # every law validated and simulated by FMPy
long_row cores scripts/test-export.sh cores # the same on four emulated microcontrollers
row install scripts/test-install.sh
row python scripts/python.sh test # the package: builds and installs it, then its own tests
row generated scripts/generate.sh check # params.h and the README table are what the laws' tables say
row format scripts/format.sh check
long_row doubts scripts/test-doubts.py # logs that tempt into a wrong answer
long_row real scripts/test-real.py # real logs against what is known of them
[ -n "${ROWS:-}" ] && row truth-axes scripts/study-truth.py --count 2 # known axes, rounded and late; only where named

for name in ${names[@]+"${names[@]}"}; do finish "$name" && report "$name"; done
[ -n "${ALL:-}" ] && [ $unwanted != 0 ] && echo "ALL=1: $unwanted skipped that should have run"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed != 0 ] && { [ -z "${ALL:-}" ] || [ $unwanted = 0 ]; }
