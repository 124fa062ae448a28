#!/usr/bin/env bash
# The tool and the libraries for Windows, built by mingw-w64 and run by wine: same bits, same bytes, no input is lost.
# With the word unit: the unit tests, all but those of processes, links and rights of POSIX.
# Below BUILD/test/windows: build/ (optimised little, for the time of the compile; the bits do not depend on it).
set -u
cd "$(dirname "$0")/.."
. scripts/checks.sh
build=$(realpath "${BUILD:-build}")
home=$build/test/windows
mkdir -p "$home"
scripts/need.sh windows || { echo "SKIP install g++-mingw-w64-x86-64 wine64, and let pip reach ruamel.yaml.clib"; exit 77; }

cmake -S . -B "$home/build" -G Ninja --no-warn-unused-cli -DCMAKE_TOOLCHAIN_FILE=cmake/windows.cmake -DBRISTLE_LAB=ON \
  -DBRISTLE_HOST_TOOLS="$build" -DBRISTLE_LIBYAML_SOURCE="$build/libyaml" -DBRISTLE_MPI=OFF -DBRISTLE_INSTALL=OFF -DBRISTLE_PYTHON=ON \
  -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 >"$home/configure.log" || { cat "$home/configure.log"; exit 1; }
# not below the tree: its drive z: is a link to /, and who walks the tree along links walks through all of /sys
export WINEPREFIX=$work/wine WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=" DISPLAY=
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
begin_wine() { timeout 300 "$wine" wineboot --init >"$home/wine.log" 2>&1 || { cat "$home/wine.log"; exit 1; }; }
if [ "${1:-}" = unit ]; then
  cmake --build "$home/build" -j "${JOBS:-2}" --target tests || exit 1
  begin_wine
  ALL= "$wine" "$home/build/tests.exe" >"$home/unit.log" 2>&1
  "${wine%/*}/wineserver" -k 2>/dev/null || wineserver -k 2>/dev/null
  tr -d '\r' <"$home/unit.log" | grep -v "Can't recognize" # shell commands that remove temporary folders
  exit 0
fi
cmake --build "$home/build" -j "${JOBS:-2}" --target bristle_tool golden bristle_shared bristle_lab_shared bristle_static \
  bristle_lab_static bristle_python bristle_python_tool || exit 1

begin_wine
windows=$home/build/bristle.exe linux=$tool
on_windows() { timeout 300 "$wine" "$windows" "$@"; }
cat >"$work/bristle" <<END
#!/bin/sh
exec timeout 300 "$wine" "$windows" "\$@"
END
chmod +x "$work/bristle"
tool=$work/bristle # for expect
has_no_cr() { ! grep -q "$(printf '\r')" "$1"; }
nothing_left() { [ -z "$(find "$work" -name '*bristle-part*')" ]; }

# ---- the same bits, the same bytes ----

timeout 300 "$wine" "$home/build/golden.exe" | tr -d '\r' >"$work/bits.txt"
check "golden bits differ" cmp tests/golden/bits.txt "$work/bits.txt"
check "there are no golden bits" [ "$(wc -l <"$work/bits.txt")" -ge 72 ]
expect 0 "golden bits of laws in two precisions" doctor
expect 0 "a value with its unit is read from YAML" doctor

same() { # name of a file, arguments: both tools print the same
  local name=$1
  shift
  "$linux" "$@" >"$work/$name.linux" 2>"$work/said"
  on_windows "$@" >"$work/$name.windows" 2>"$work/said"
  check "bristle $*: other bytes than on Linux" cmp "$work/$name.linux" "$work/$name.windows"
  check "bristle $*: nothing was printed" [ -s "$work/$name.windows" ]
}
same rows simulate examples/stick_slip.yaml -o -
same arm simulate examples/arm_hold.yaml --json
same fit identify examples/compare/loops.csv --json --trust --model coulomb,dahl,lugre --threads 2
same laws models --json
same law show lugre
"$linux" simulate examples/stick_slip.yaml -o "$work/linux.csv" --quiet
on_windows simulate examples/stick_slip.yaml -o "$work/windows.csv" --quiet
check "simulate -o: other bytes than on Linux" cmp "$work/linux.csv" "$work/windows.csv"
on_windows identify examples/compare/loops.csv --trust --model dahl -o "$work/model.yaml" --report "$work/page.html" --quiet
on_windows export lugre --to c99 -o "$work/windows.c" >/dev/null
for name in windows.csv model.yaml page.html windows.c; do
  check "$name was not written" [ -s "$work/$name" ]
  check "$name has carriage returns" has_no_cr "$work/$name"
done

# ---- names ----

cd "$work" || exit 1
cp -r "$OLDPWD/examples" .
cp examples/compare/loops.csv log.csv
printf 'rig: prescribed\nmotion: {file: motion.csv}\nfriction: {file: model.yaml}\ntime: {end: 0.1}\n' >run.yaml
cp examples/scenarios/motion.csv motion.csv
cp examples/compare/lugre.yaml model.yaml
ln motion.csv hard.csv
mkdir -p sub 'Reibung größer'
cp run.yaml motion.csv model.yaml 'Reibung größer/'
expect 0 "" simulate 'Reibung größer\run.yaml' -o 'Reibung größer\Größe.csv' --quiet
check "the name is not in UTF-8" [ -s 'Reibung größer/Größe.csv' ]

# ---- an output is never an input, whatever it is called ----

cp motion.csv motion.before
for name in motion.csv MOTION.CSV '.\motion.csv' 'sub\..\motion.csv' "Z:${PWD//\//\\}\\motion.csv" motion.csv. hard.csv; do
  expect 5 "would overwrite" drive model.yaml --motion motion.csv -o "$name"
  check "$name: the input is lost" cmp motion.before motion.csv
done
expect 5 "would overwrite" drive model.yaml --motion motion.csv -o new.csv --report NEW.CSV
expect 5 "is not a table" drive model.yaml --motion motion.csv -o model.yaml
check "something was left behind" nothing_left
[ -e new.csv ] && fail "one of two equal outputs was written"

# ---- exit codes, and what a run leaves behind that does not come to its end ----

expect 0 "bristle " --version
expect 2 "did you mean" simulat
expect 2 "is not an option" simulate run.yaml --sped 1
expect 3 "" simulate log.csv
expect 5 "cannot be read" simulate nowhere.yaml
expect 5 "make the folder first" drive model.yaml --motion motion.csv -o 'nowhere\out.csv'
expect 5 "name a file in it" drive model.yaml --motion motion.csv -o sub
on_windows simulate - -o piped.csv --quiet <run.yaml
check "a scenario through a pipe" [ -s piped.csv ]

sed 's/end: 20 s/end: 1e6 s/' examples/stick_slip.yaml >long.yaml
long=("$wine" "$windows" simulate long.yaml -o long.csv --quiet)
check "Ctrl-C: the exit code is not 130" [ "$(python3 "$OLDPWD/tests/windows/ctrl_c.py" 3 "${long[@]}")" = 130 ]
check "a stopped run has left something" nothing_left
[ -e long.csv ] && fail "a stopped run has written its output"
timeout -s KILL 3 "${long[@]}" >said 2>&1
check "a killed run leaves its unfinished file" [ -e long.csv.bristle-part0 ]
expect 0 "" drive model.yaml --motion motion.csv -o long.csv
check "the next run has not removed what a killed one left" nothing_left

# ---- the libraries: a program that links the DLLs ----

cd "$OLDPWD" || exit 1
x86_64-w64-mingw32-gcc -O1 -Iinclude tests/windows/dll.c -L"$home/build" -lbristle-lab -lbristle -o "$home/build/dll.exe" || exit 1
"${CC:-cc}" -O1 -Iinclude tests/windows/dll.c -L"$build" -lbristle-lab -lbristle -Wl,-rpath,"$build" -o "$work/dll" || exit 1
"$work/dll" examples/stick_slip.yaml >"$work/dll.linux"
timeout 60 "$wine" "$home/build/dll.exe" examples/stick_slip.yaml | tr -d '\r' >"$work/dll.windows"
check "bristle.dll and libbristle.so differ" cmp "$work/dll.linux" "$work/dll.windows"
check "the DLLs need more than Windows has" eval \
  "! x86_64-w64-mingw32-objdump -p '$home/build/bristle.exe' '$home/build/'*.dll | grep 'DLL Name' | grep -viE 'kernel32|msvcrt|shell32|bristle'"
python=$(timeout 60 "$wine" "$home/build/python/bristle-tool.exe" doctor 2>&1)
check "the tool of the Python package does not run: $python" [ "$(grep -c '^  ok ' <<<"$python")" = 5 ]
check "bristle.dll shows other names than bristle_" eval \
  "! x86_64-w64-mingw32-objdump -p '$home/build/bristle-lab.dll' | sed -n '/Name Pointer/,/^$/s/.*\[ *[0-9]*\] //p' | grep -v '^bristle_'"

# ---- the Python package, in CPython for Windows ----

cp -al "$build/windows-python/python" "$work/python" 2>/dev/null || cp -a "$build/windows-python/python" "$work/python"
mkdir -p "$work/python/lib/site-packages"
cp -a "$build"/windows-python/site/. python/bristle "$work/python/lib/site-packages"
cp "$home"/build/python/{_abi.py,bristle-tool.exe,libbristle_python.dll} "$work/python/lib/site-packages/bristle"
# Its standard streams are pipes: wine gives it no others. Now and then wine cannot start a process (1359 is its own internal
# error, not one of the program): that run is made again, at most twice.
on_python() {
  local code try
  for try in 1 2 3; do
    PYTHONHOME="Z:${work//\//\\}\\python" timeout 600 "$wine" "$work/python/python.exe" "$@" </dev/null 2>&1 | tr -d '\r' >"$work/python.said"
    code=${PIPESTATUS[0]}
    [ "$code" != 0 ] && [ $try != 3 ] && grep -q 'WinError 1359' "$work/python.said" || break
    echo "wine could not start a process: once more" >&2
  done
  cat "$work/python.said"
  return "$code"
}
mkdir "$work/desk"
check "the Python package does not work" eval \
  "(cd '$work/desk' && on_python '$PWD/tests/packages/installed.py' '$PWD/README.md' '$PWD/examples')"
for name in golden laws contacts mechanics native identify simulate sweeps tool; do tests+=("python/tests/test_$name.py"); done
on_python -m pytest --rootdir . -p no:cacheprovider "${tests[@]}" >"$home/python.log"
check "tests of the Python package: $(tail -n 15 "$home/python.log")" [ "${PIPESTATUS[0]}" = 0 ]
check "too few tests of the Python package" [ "$(tail -n 1 "$home/python.log" | sed -n 's/^\([0-9]*\) passed.*/\1/p')" -ge 200 ]
"${wine%/*}/wineserver" -k 2>/dev/null || wineserver -k 2>/dev/null
finish
