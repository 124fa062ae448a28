#!/usr/bin/env bash
# Every test, as rows. Each row writes build/test/<row>.log; a failing log is shown; the last line counts them all.
# ROWS="unit golden" runs only rows whose name begins so. ALL=1 runs every row, and a skip fails too, unless hardware or
# measured data are missing.
#
# A row is a function or a command. It exits 0 (passed), 77 (a tool is missing, "SKIP install ..." says which),
# 78 (hardware or measured data are missing) or anything else (failed). A log that ends with "N passed, N failed, N
# skipped" counts as that many.
#
# Rows run side by side, the longest first, and are reported as they end. A row that runs longer than ROW_LIMIT seconds (1500) is
# ended, with all that it started, and has failed. Bash 3.2, which macOS has, will do.
set -u
cd "$(dirname "$0")/.."
JOBS=${JOBS:-2}
lanes=$((JOBS < 4 ? JOBS : 4))
export BUILD=${BUILD:-build} JOBS=$((JOBS / lanes)) CC=${CC:-cc}
out=$BUILD/test
mkdir -p "$out"
if ! mkdir "$out/used" 2>/dev/null && kill -0 "$(cat "$out/used/by" 2>/dev/null)" 2>/dev/null; then
  echo "process $(cat "$out/used/by") runs tests in $out: wait for its end, or build and test elsewhere (BUILD=other)"
  exit 1
fi
mkdir -p "$out/used" && echo $$ >"$out/used/by"
trap 'rm -rf "$out/used"' EXIT
rm -f "$out"/*.log "$out"/*.status "$out"/*.reported "$out"/*.group "$out/times"
names=() left_out=() limit=${ROW_LIMIT:-1500}

selected() { # name
  local prefix
  for prefix in ${ROWS:-""}; do case $1 in "$prefix"*) return 0 ;; esac done
  [ -z "${ROWS:-}" ]
}

running() { # how many rows have not ended
  local name count=0
  for name in ${names[@]+"${names[@]}"}; do [ -e "$out/$name.status" ] || count=$((count + 1)); done
  echo $count
}
end_late() { # name, process group of its row: a hang fails with its name, and does not keep the others waiting
  sleep "$limit"
  echo "FAIL $1 still ran after $limit s and was ended" >>"$out/$1.log"
  kill -- "-$2"
  sleep 10
  kill -KILL -- "-$2"
}
end_all() { # interrupted: rows do not live on
  local file
  for file in "$out"/*.group; do [ -e "$file" ] && kill -- "-$(cat "$file")" 2>/dev/null; done
  exit 130
}
trap end_all INT TERM
timed_row() { # name, command: in a process group of its own, which can be ended as a whole
  local name=$1 group watch code
  shift
  set -m
  ("$@") </dev/null >"$out/$name.log" 2>&1 &
  group=$!
  echo $group >"$out/$name.group"
  end_late "$name" $group >/dev/null 2>&1 &
  watch=$!
  set +m
  wait $group
  code=$?
  kill -- -$watch 2>/dev/null
  rm -f "$out/$name.group"
  return $code
}
row() { # name, command: starts it when a lane is free
  local name=$1
  shift
  selected "$name" || return 0
  while [ "$(running)" -ge "$lanes" ]; do report_ended && sleep 0.1; done
  names+=("$name")
  (
    TIMEFORMAT='%0R %0U %0S' # seconds that passed, and of the processor
    { time timed_row "$name" "$@"; echo $? >"$out/$name.code"; } 2>"$out/$name.time"
    echo "$(cat "$out/$name.code") $(tail -n 1 "$out/$name.time")" >"$out/$name.part"
    mv "$out/$name.part" "$out/$name.status"
  ) &
}
report_ended() {
  local name
  for name in ${names[@]+"${names[@]}"}; do
    [ -e "$out/$name.status" ] && [ ! -e "$out/$name.reported" ] && : >"$out/$name.reported" && report "$name"
  done
  return 0
}
finish() { # name: waits for a row that was started
  while [ ! -e "$out/$1.status" ]; do sleep 0.1; done
}

passed=0 failed=0 skipped=0 unwanted=0
report() { # name
  local name=$1 log=$out/$1.log status time user system counts
  read -r status time user system <"$out/$name.status"
  echo "$((user + system)) $time $name" >>"$out/times"
  time="$time s, processor $((user + system)) s"
  counts=$(tail -n 1 "$log" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
  if [ -n "$counts" ]; then
    set -- $counts
    [ "$status" != 0 ] && [ "$2" = 0 ] && set -- "$1" 1 "$3"
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    unwanted=$((unwanted + $(grep '^ *SKIP' "$log" | grep -vc 'SKIP hardware\|SKIP data')))
    echo "$name: $1 passed, $2 failed, $3 skipped ($time)"
    skips "$log"
    [ "$2" = 0 ] || grep -v '^ok ' "$log" | grep '^ *FAIL\|rror' | tail -n 60
    return
  fi
  case $status in
  0) passed=$((passed + 1)); echo "$name: passed ($time)" ;;
  77 | 78)
    skipped=$((skipped + 1))
    [ "$status" = 77 ] && unwanted=$((unwanted + 1))
    echo "$name: skipped: $(sed -n 's/^SKIP //p' "$log" | tail -n 1)"
    ;;
  *) failed=$((failed + 1)); echo "$name: FAILED ($time), $log ends:"; grep -v '^\[[0-9]' "$log" | tail -n 30 ;;
  esac
}

skips() { # log: each reason once, with the number of tests that it stopped
  grep '^ *SKIP' "$1" | sed 's/^ *//' | sort | uniq -c | awk '{n = $1; $1 = ""; print "  " substr($0, 2) (n > 1 ? " (" n " times)" : "")}'
}

slowest() { # rows by the processor time they took
  echo "slowest rows, seconds of the processor: $(sort -rn "$out/times" | head -n 12 | awk '{printf "%s%s %d", comma, $3, $1; comma = ", "}')"
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
# The tree as links in a folder of its own, and a build in it: as far from its sources as the main build is, so that ccache
# knows the objects that are compiled with the same flags.
configure_beside() { # directory of the tree, options
  local dir=$1 name
  shift
  mkdir -p "$dir" || exit 1
  for name in CMakeLists.txt CMakePresets.json cmake include src bridge cli tests bench examples docs playground; do
    ln -sfn "$PWD/$name" "$dir/$name" || exit 1
  done
  export CCACHE_BASEDIR=$(realpath "$dir")
  SOURCE=$dir configure "$dir/build" -DBRISTLE_WERROR=${ALL:+ON} "$@"
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
  local laws others
  laws=$(sed -n "s|^BRISTLE_LAW(\(.*\))$|$source/src/models/\1.c|p" src/models/models.def)
  others=$(ls "$source"/src/models/*.c | grep -vxF "$laws") # the lists of laws
  rm -rf "$dir" && mkdir -p "$dir/f64" "$dir/f32" "$dir/skewed64" "$dir/skewed32" || exit 1
  (cd "$dir/f32" && $cc -DBRISTLE_F32=1 -c "$source"/src/core/lanes.c $laws) &
  (cd "$dir/skewed32" && $cc -DBRISTLE_F32=1 -DBRISTLE_SKEW -c $laws) &
  (cd "$dir/skewed64" && $cc -DBRISTLE_SKEW -c $laws) || exit 1
  (cd "$dir/f64" && $cc -DBRISTLE_NO_DIFF -c "$source"/src/core/*.c $others $laws) || exit 1
  wait || exit 1
  cat >"$dir/main.c" <<'END'
#include "bristle/bristle.h"
#include <stdio.h>
int main(void)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    double p[64];
    bristle_defaults(law->f64->info, p);
    if (bristle_check(law->f64, p, NULL) != BRISTLE_STATUS_OK || law->f32->info->nparam != law->f64->info->nparam) return 1;
    puts(law->name);
  }
  return bristle_law_find("lugre") == NULL;
}
END
  $cc "$dir/main.c" "$dir"/*/*.o -o "$dir/main" || exit 1
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

# ---- a new law, rig, joint kind, objective, verb, picture or export is one file and one line: those of CONTRIBUTING.md, in a copy of the tree ----
# Blocks "```c PATH" are the files, blocks "```def PATH" are lines for the lists.

additions() {
  local dir=$out/additions tree=$out/additions/tree bristle=$out/additions/tree/build/bristle path
  rm -rf "$tree" && mkdir -p "$tree" || exit 1
  cp -a CMakeLists.txt cmake include src bridge cli tests bench examples playground "$tree" || exit 1
  for path in $(sed -n 's/^```c \(.*\)/\1/p' CONTRIBUTING.md); do
    [ -e "$path" ] && { echo "the project has $path; use another example"; exit 1; }
    mkdir -p "$(dirname "$tree/$path")"
    awk -v head="\`\`\`c $path" '$0 == head {on = 1; next} /^```/ {on = 0} on' CONTRIBUTING.md >"$tree/$path"
  done
  for path in $(sed -n 's/^```def \(.*\)/\1/p' CONTRIBUTING.md); do
    awk -v head="\`\`\`def $path" '$0 == head {on = 1; next} /^```/ {on = 0} on' CONTRIBUTING.md >>"$tree/$path"
  done
  for path in src/models/viscous.c src/io/rigs/incline.c src/joint/kinds/collar.c src/fit/objectives/cauchy.c cli/steady/steady.c \
    src/study/page/power.c bridge/plain/ini.c; do
    [ -s "$tree/$path" ] || { echo "no block \`\`\`c $path in CONTRIBUTING.md"; exit 1; }
  done
  export CCACHE_BASEDIR=$(realpath "$tree") # the same flags and places as in the main build: ccache knows most objects
  SOURCE=$tree configure "$tree/build" -DBRISTLE_WERROR=ON
  build "$tree/build" bristle_tool tests 2>&1 | tee "$dir/build.log"
  [ "${PIPESTATUS[0]}" = 0 ] || exit 1
  grep '\(viscous\|incline\|collar\|cauchy\|steady\|page/power\|plain/ini\)\.c.*warning' "$dir/build.log" && exit 1
  "$bristle" show viscous || exit 1
  [ "$("$bristle" steady viscous --speed '500 mm/s' --set sigma2=2)" = "1.025 N" ] || { echo "steady"; exit 1; }
  "$bristle" --help | grep -q '  steady  *the force of a law' || { echo "steady is not listed"; exit 1; }
  "$bristle" help --completion bash | grep -q 'steady)' || { echo "steady is not completed"; exit 1; }
  "$bristle" steady viscous --sped 1; [ $? = 2 ] || exit 1
  "$bristle" export viscous --set sigma2=2 --to ini -o "$dir/viscous.ini" || exit 1
  grep -qx 'sigma2 = 2' "$dir/viscous.ini" || { cat "$dir/viscous.ini"; exit 1; }
  "$bristle" export viscous --to none -o "$dir/none" 2>&1 | grep -q -- '--to takes .*, ini' || { echo "ini is not listed"; exit 1; }
  "$bristle" identify "$tree/examples/compare/loops.csv" --model coulomb --trust --quiet --report "$dir/page.html" || exit 1
  grep -q 'Power of friction' "$dir/page.html" || { echo "the new picture is not on the page"; exit 1; }
  "$tree/build/tests" conformance >"$dir/conformance.log" || { cat "$dir/conformance.log"; exit 1; }
  nm "$bristle" | grep -q 'bristle_viscous_diff$' || { echo "viscous has no derivatives"; exit 1; }
  # 9.81 sin 30 deg - 1 N for a second
  printf 'rig: incline\nmass: 1 kg\nangle: 30 deg\nfriction: {model: coulomb, parameters: {fc: 1 N, sigma2: 0}}\ntime: {end: 1 s}\n' >"$dir/incline.yaml"
  "$bristle" simulate "$dir/incline.yaml" -o "$dir/incline.csv" || exit 1
  tail -n 1 "$dir/incline.csv" | awk -F, '{exit !($3 > 3.9049 && $3 < 3.9051)}' || { tail -n 1 "$dir/incline.csv"; exit 1; }
  # 100 N on a ring of 10 mm with a coefficient of 0.2
  printf 'type: collar\ngeometry: {pin_radius: 10 mm}\nfriction: {model: coulomb, parameters: {fc: 0.2, sigma2: 0}}\n' >"$dir/collar.yaml"
  printf 't [s],fx [N],fy [N],fz [N],w [rad/s]\n0,0,0,100,1\n1,50,0,100,1\n' >"$dir/collar.csv"
  "$bristle" joint "$dir/collar.yaml" --reactions "$dir/collar.csv" -o "$dir/torque.csv" || exit 1
  tail -n 1 "$dir/torque.csv" | tr , '\n' | grep -qx -- '-0.2' || { cat "$dir/torque.csv"; exit 1; }
  "$bristle" identify "$tree/examples/compare/loops.csv" --model dahl --objective cauchy >"$dir/cauchy.txt"
  grep -q 'sigma0' "$dir/cauchy.txt" || { cat "$dir/cauchy.txt"; exit 1; }
  "$bristle" identify "$tree/examples/compare/loops.csv" --model dahl --objective none 2>&1 | grep -q 'robust or cauchy' || exit 1
}

# ---- names and layers: what other files may know of the laws, and of each other ----

refuses() { # script, file, line: does the script find the line in a copy of the tree?
  local tree=$out/$(basename "$1").tree
  rm -rf "$tree" && mkdir -p "$tree" && cp -a src include ARCHITECTURE.md "$tree" || exit 1
  printf '%s\n' "$3" >>"$tree/$2"
  ! "$1" "$tree" >/dev/null || { echo "$1 does not find $3"; exit 1; }
}

law_names() {
  need python3
  scripts/test-names.py || exit 1
  refuses scripts/test-names.py src/sim/rigs.c 'static const char *const law = "a law like lugre";'
  refuses scripts/test-names.py src/fit/unknowns/chart.c 'static double sigma0;'
  refuses scripts/test-names.py src/io/text.c 'static const char *const hint = "say --rate 1 kHz";'
  refuses scripts/test-names.py src/joint/check.c 'static const bristle_row *row(const bristle_info *i) { return bristle_param_find(i, "limit"); }'
}

layers() {
  need python3
  scripts/test-layers.py || exit 1
  refuses scripts/test-layers.py src/core/check.c '#include "fit/results/result.h"'
  refuses scripts/test-layers.py src/fit/signals/filter.c '#include "fit/records/log.h"'
  refuses scripts/test-layers.py ARCHITECTURE.md $'\n```way of nothing, at most 2\nsrc/core/check.c\nsrc/core/nowhere.c\n```'
  refuses scripts/test-layers.py src/io/digest.c '#include "lab/identify.h"'
}

# ---- undefined behaviour and memory errors ----
# Laws as vectors and with skews are compiled without: their text is that of the plain laws.

sanitizers() {
  local dir=$out/sanitize/build
  configure_beside "$out/sanitize" --preset sanitize
  build "$dir" tests bristle_lab_static bristle_static
  # what a user of the libraries writes, from a log to a report on two threads
  mkdir -p "$dir/lab/0" "$dir/lab/1"
  $CC -g -fsanitize=address,undefined -fno-sanitize-recover=all tests/consumer/lab.c -Iinclude "$dir/libbristle-lab.a" \
    "$dir/libbristle.a" $(pkg-config --libs yaml-0.1) -lm -pthread -o "$dir/lab/run" || exit 1
  "$dir/lab/run" examples/compare/loops.csv "$dir/lab" || exit 1
  export ASAN_OPTIONS=allocator_may_return_null=1 # libmatio asks for as much as a broken file claims
  ALL= "$dir/tests" --jobs "$lanes" # without the long tests: sanitizers make them several times longer
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
  [ -e node_modules/playwright-core ] || skip "npm ci"
  mkdir -p "$pages" && "$BUILD/report-pages" "$pages" || exit 1
  node tests/report/browser.mjs "$pages"
}

playground() { # in the build of the rows golden-wasm and bytes-wasm
  need node nodejs
  need chromium
  [ -e node_modules/playwright-core ] || skip "npm ci"
  scripts/playground.sh || exit $?
  node tests/wasm/playground.mjs "$BUILD/playground/index.html" "$BUILD" "$out/playground"
}

golden_plain() { # in the build of the row freestanding-plain
  selected freestanding-plain && finish freestanding-plain
  scripts/golden.sh plain
}

# ---- the site: built without a warning, every link followed, every page looked at ----

site_pages() {
  need python3
  need node nodejs
  need chromium
  [ -e node_modules/playwright-core ] || skip "npm ci"
  scripts/need.sh site || skip "pip install sphinx furo myst-parser latex2mathml"
  scripts/site.sh check
}

# ---- FMUs, with FMPy ----

fmu() {
  need python3
  scripts/need.sh fmpy || skip "pip install fmpy"
  "$BUILD/fmpy/bin/python" tests/bridge/standards.py "$BUILD/bristle" "$out/standards" || return 1
  rm -rf "$out/fmu" && "$BUILD/fmpy/bin/python" tests/bridge/fmu.py "$BUILD/bristle" "$out/fmu"
}

# ---- the MuJoCo plugin, built against the wheel by the Python package ----

mujoco_host() { # folder of the wheel: the target of CMake, and a program in C that loads it; no Python is needed
  local build=$(realpath "$BUILD")
  cmake -S . -B "$BUILD" -DBRISTLE_MUJOCO="$1" >/dev/null && cmake --build "$BUILD" --target bristle_mujoco >/dev/null || return 1
  cmake -S . -B "$BUILD" -UBRISTLE_MUJOCO >/dev/null # other builds here do not need MuJoCo
  cc -std=c11 -Wall -Wextra -Werror -isystem "$1/include" tests/bridge/mujoco_host.c -L"$1" -l:"$(basename "$1"/libmujoco.so.*)" \
    -Wl,-rpath,"$1" -lm -o "$out/mujoco-host" && (cd examples/mujoco && "$build/test/mujoco-host" "$build/libbristle_mujoco.so" arm.xml)
}
mujoco() {
  local log=$out/mujoco.txt
  need python3
  if selected python; then finish python # it installs the package
  else scripts/python.sh install >"$log" 2>&1 || { cat "$log"; skip "python3-venv, and a package index for pip"; }; fi
  scripts/need.sh mujoco "$BUILD/venv" || skip "pip install mujoco"
  mujoco_host "$(realpath "$("$BUILD/venv/bin/python" -c 'import mujoco; print(mujoco.__path__[0])')")" || { echo "FAIL a program in C"; exit 1; }
  rm -rf "$out/mujoco" && "$BUILD/venv/bin/python" tests/bridge/mujoco_plugin.py "$out/mujoco"
}

# ---- threads that meet in memory ----

thread_sanitizer() {
  local dir=$out/threads/build
  configure_beside "$out/threads" --preset threads
  build "$dir" bristle_tool
  scripts/test-threads.sh "$dir/bristle"
}

fuzz_cli() { # a short run of it, always the same; `make fuzz-cli` is the long one
  need python3
  scripts/fuzz-cli.py "$BUILD/bristle" --runs "$([ -n "${ALL:-}" ] && echo 300 || echo 150)" --seed 1 --jobs "$JOBS"
}
sources() { # every line of the checklists in docs/sources.md
  need python3
  scripts/test-sources.py
}
restart() { # what a restarted command takes over
  need python3
  python3 scripts/test-restart.py "$BUILD/bristle"
}
fmu_calls() { # a short run of it, always the same; `make fuzz FUZZ=fmu` is the long one
  need python3
  rm -rf "$out/fmu-calls" && tests/bridge/fmu_calls.py "$BUILD/bristle" "$out/fmu-calls"
}
robot() { # bodies against pinocchio and MuJoCo, which ALL=1 installs; an arm whose friction is known; what goes wrong with logs
  local python=python3
  need python3
  [ -z "${ALL:-}" ] || scripts/need.sh robot "$BUILD/robot" || skip "pip install pin mujoco"
  [ -x "$BUILD/robot/bin/python" ] && python=$BUILD/robot/bin/python
  "$python" scripts/test-robot.py "$BUILD"
}
cuda_bits() { # in the build of the row cuda
  selected cuda && finish cuda
  scripts/cuda.sh test
}
abi() { # what include/bristle declares is what the libraries show and what the committed list has
  need python3
  scripts/test-abi.py
}
wheel() { # the one that the row sdist has made
  if selected sdist; then finish sdist && scripts/test-packages.sh wheel made; else scripts/test-packages.sh wheel; fi
}

# Rows that build the library in other ways, or take minutes, run with ALL=1 or by name: a plain `make test` is for the build
# that is there.
long_row() { # name, command
  if [ -n "${ALL:-}" ] || [ -n "${ROWS:-}" ]; then row "$@"; else left_out+=("$1"); fi
}

# The rows, the longest first, so that no lane is left alone with one of them at the end. A row that waits for another one
# stands well behind it.

long_row bare-12 scripts/test-bare.sh bookworm # the two commands of the README where nothing else is
long_row python scripts/python.sh test # the package: builds and installs it, then its own tests
long_row sanitizers sanitizers
row unit "$BUILD/tests" --jobs "$lanes"
long_row bytes-clang scripts/test-bytes.sh clang # fits give the same bytes
long_row macos-compile scripts/macos.sh # both libraries and the tool for Macs, compiled and linked, not run
long_row s390x scripts/cross.sh s390x # another processor, emulated, whose bytes come the other way round: the same bits and files
long_row aarch64 scripts/cross.sh aarch64 # and one more
long_row real scripts/test-real.py # real logs against what is known of them
long_row cuda scripts/cuda.sh check # every law goes through nvcc
long_row doubts scripts/test-doubts.py # logs that tempt into a wrong answer
long_row bytes-wasm scripts/test-bytes.sh wasm
long_row freestanding-plain freestanding_plain
long_row windows scripts/test-windows.sh # the tool and the libraries by mingw-w64, run by wine
long_row sdist scripts/test-packages.sh sdist # it can be built and installed elsewhere
long_row site site_pages
long_row thread-sanitizer thread_sanitizer # identify, sweep and fleet on four threads
long_row additions additions
long_row one-line one_line
long_row amalgamation scripts/test-amalgamation.sh # all laws as one C file, and its packages for microcontrollers
long_row fast scripts/test-fast.sh # batches with fused multiply-add: every law within a few roundings
long_row fmu fmu # every law validated and simulated by FMPy
long_row one-error scripts/test-one-error.py # identify, its files and compare say one error
long_row msvc-headers scripts/msvc.sh # what users of Microsoft's compiler include, and the core for their target
long_row embedded embedded
long_row cores scripts/test-export.sh cores # exported laws on four emulated microcontrollers
for variant in clang-v3 gcc-O0 clang-O0 wasm; do # more of them: make check-long
  long_row "golden-$variant" scripts/golden.sh "$variant"
done
long_row mujoco mujoco # joints with friction in MuJoCo, beside its own
long_row wheel wheel # for every Python 3 and manylinux_2_28; the time to a first plot
long_row playground playground # the page in a browser, beside the native tool
long_row golden-plain golden_plain
long_row cuda-bits cuda_bits # the bits of the processor, where there is a GPU
long_row sweep-ranks scripts/test-sweep.sh long # the row sweep with more runs, and by ranks of MPI
long_row run scripts/test-run.sh # the page of `make run`
row experiments scripts/test-experiments.sh # plan, compare, loads, fits of a rig
row export scripts/test-export.sh # every law as C, compiled and compared with the library
row identify scripts/test-identify.sh # bad data, options, files, pages
row docs scripts/test-docs.sh # what the documents show is what is printed today
row sources sources
row cli scripts/test-cli.sh
row files scripts/test-files.sh # nothing is overwritten or left behind
row fmu-calls fmu_calls # every function in every state, and random orders, beside a model of the standard
row robot robot
row gallery scripts/test-gallery.sh # every number of every figure
row report report_pages
long_row recipes scripts/test-packages.sh recipes # pyproject.toml, the hosted workflow and packaging/
row fuzz-cli fuzz_cli
row sweep scripts/test-sweep.sh # many runs: the same bytes whoever computes them, damage, full disks
row install scripts/test-install.sh
row abi abi
row format scripts/format.sh check
row effects scripts/effects.sh check # every cell of the comparison of laws
row restart restart
row oracle oracle
row names law_names
row layers layers
row generated scripts/generate.sh check # params.h, the table of laws and the README's picture are what the tool makes today
row build scripts/test-build.sh # misspelt sources, version, packages
row freestanding freestanding
for variant in dispatch baseline avx2 avx512; do
  row "golden-$variant" scripts/golden.sh "$variant"
done
row bytes-threads scripts/test-bytes.sh threads # fits give the same bytes
if [ -n "${ROWS:-}" ]; then # only where named, and in make check-long
  row wine-unit scripts/test-windows.sh unit
  row deb scripts/test-packages.sh deb # Debian packages
  row conan scripts/test-packages.sh conan
  row release scripts/test-packages.sh release
fi
[ -n "${ROWS:-}" ] && row truth-axes scripts/study-truth.py --count 2 # known axes, rounded and late; only where named

while [ "$(running)" -gt 0 ]; do report_ended && sleep 0.1; done
report_ended
[ ${#names[@]} = 0 ] || slowest
[ ${#left_out[@]} = 0 ] || echo "not run, they are for make test ALL=1: ${left_out[*]}"
[ -n "${ALL:-}" ] && [ $unwanted != 0 ] && echo "ALL=1: $unwanted skipped that should have run"
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $passed != 0 ] && { [ -z "${ALL:-}" ] || [ $unwanted = 0 ]; }
