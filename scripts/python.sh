#!/usr/bin/env bash
# The Python package in an environment of its own below the build: python.sh install | test | sanitized FOLDER.
# Prints the environment's python on the last line of `install`. `sanitized` makes ten thousand random calls on
# libraries with the address and undefined-behaviour sanitizers, built in FOLDER.
set -u
cd "$(dirname "$0")/.."
home=${BUILD:-build}/venv

make_environment() {
  [ -x "$home/bin/python" ] || python3 -m venv "$home" || { echo "install python3-venv" >&2; return 1; }
}
pip_install() { CC=${CC:-cc} CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-2} "$home/bin/pip" "$1" --quiet --disable-pip-version-check "${@:2}"; }
install() { # extras, as pip writes them: [test]
  make_environment && pip_install install ".${1:-}"
}
install_wheel() { # extras; the wheel must be small enough to be downloaded
  local folder=${BUILD:-build}/test/wheel size
  make_environment && rm -rf "$folder" && pip_install wheel --no-deps --wheel-dir "$folder" . || return 1
  size=$(stat -c %s "$folder"/*.whl)
  echo "wheel of $size bytes"
  [ "$size" -lt 5000000 ] || { echo "the wheel has $size bytes, expected less than 5000000"; return 1; }
  pip_install install --force-reinstall --no-deps "$folder"/*.whl && pip_install install "$(echo "$folder"/*.whl)$1"
}

can_install() { # or says what is missing
  command -v python3 >/dev/null || { echo "SKIP install python3"; exit 77; }
  python3 -c 'import ensurepip' 2>/dev/null || { echo "SKIP install python3-venv"; exit 77; }
}
no_index() { # log of pip
  grep -q 'Could not find a version\|NewConnectionError\|No matching distribution' "$1" || return 1
  echo "SKIP pip needs a package index: $(grep -m 1 'No matching\|Could not find' "$1")"
}

run_tests() {
  local log=${BUILD:-build}/test/python.txt code
  mkdir -p "${BUILD:-build}/test"
  can_install
  if ! install_wheel '[test]' >"$log" 2>&1; then
    no_index "$log" && exit 77
    cat "$log"
    exit 1
  fi
  "$home/bin/python" -m pytest --durations=12 ${ALL:+--long} "$@" 2>&1 | tee "$log"
  code=${PIPESTATUS[0]}
  sed -n 's/^SKIPPED .*: \(needs .*\)/  SKIP data \1/p' "$log" | sort -u >&2
  count() { tail -n 1 "$log" | grep -o "[0-9]* $1" | awk '{n += $1} END {print n + 0}'; }
  echo "$(count passed) passed, $(($(count failed) + $(count error))) failed, $(count skipped) skipped"
  return "$code"
}

sanitized() { # folder of the build
  mkdir -p "$1" || exit 1
  local package=$(cd "$1" && pwd)/package log=${BUILD:-build}/test/python-sanitized.txt
  mkdir -p "${BUILD:-build}/test"
  can_install
  make_environment || exit 1
  "$home/bin/pip" install --quiet --disable-pip-version-check numpy cffi pytest hypothesis >"$log" 2>&1 ||
    { no_index "$log" && exit 77; cat "$log"; exit 1; }
  cmake -S . -B "$1" -G Ninja --preset sanitize -DBRISTLE_PYTHON=ON -DBRISTLE_LEAN=ON -DPython_EXECUTABLE="$(cd "$home/bin" && pwd)/python" \
    >"$log" 2>&1 && cmake --build "$1" -j "${JOBS:-2}" --target bristle_python_calls bristle_python_abi >>"$log" 2>&1 ||
    { tail -n 30 "$log"; exit 1; }
  rm -rf "$package"
  mkdir -p "$package"
  cp -r python/bristle "$package"
  cp "$1"/python/_abi.py "$package/bristle"
  cp "$1"/python/libbristle_python_calls.so "$package/bristle/libbristle_python.so"
  local runtime=() name
  for name in asan ubsan; do runtime+=("$(${CC:-cc} -print-file-name=lib$name.so)"); done
  sanitized_python() {
    LD_PRELOAD="${runtime[*]}" ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 PYTHONMALLOC=malloc \
      PYTHONPATH=$package "$home/bin/python" "$@"
  }
  sanitized_python -c 'import bristle, sys; sys.exit(not bristle.__file__.startswith(sys.argv[1]))' "$package" ||
    { echo "another package was imported"; exit 1; }
  sanitized_python -m pytest --long python/tests/test_random.py "${@:2}"
}

case ${1:-install} in
install)
  install '[pandas,plot]' || exit 1
  echo "$home/bin/python -c 'import bristle; print(bristle.lugre())'"
  "$home/bin/python" -c 'import bristle; print(bristle.lugre())'
  ;;
test) run_tests "${@:2}" ;;
sanitized) sanitized "${@:2}" ;;
*) echo "python.sh install | test | sanitized FOLDER" >&2; exit 2 ;;
esac
