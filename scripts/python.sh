#!/usr/bin/env bash
# The Python package in an environment of its own below the build: python.sh install | test.
# Prints the environment's python on the last line of `install`.
set -u
cd "$(dirname "$0")/.."
home=${BUILD:-build}/venv

make_environment() {
  [ -x "$home/bin/python" ] || python3 -m venv "$home" || { echo "install python3-venv" >&2; return 1; }
}
install() { # extras, as pip writes them: [test]
  make_environment || return 1
  CC=${CC:-cc} CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-2} "$home/bin/pip" install --quiet --disable-pip-version-check ".${1:-}"
}

run_tests() {
  local log=${BUILD:-build}/test/python.txt code
  mkdir -p "${BUILD:-build}/test"
  command -v python3 >/dev/null || { echo "SKIP install python3"; exit 77; }
  python3 -c 'import ensurepip' 2>/dev/null || { echo "SKIP install python3-venv"; exit 77; }
  if ! install '[test]' >"$log" 2>&1; then
    grep -q 'Could not find a version\|NewConnectionError\|No matching distribution' "$log" &&
      { echo "SKIP pip needs a package index: $(grep -m 1 'No matching\|Could not find' "$log")"; exit 77; }
    cat "$log"
    exit 1
  fi
  "$home/bin/python" -m pytest ${ALL:+--long} "$@" 2>&1 | tee "$log"
  code=${PIPESTATUS[0]}
  sed -n 's/^SKIPPED .*: \(needs .*\)/  SKIP data \1/p' "$log" | sort -u >&2
  count() { tail -n 1 "$log" | grep -o "[0-9]* $1" | awk '{n += $1} END {print n + 0}'; }
  echo "$(count passed) passed, $(($(count failed) + $(count error))) failed, $(count skipped) skipped"
  return "$code"
}

case ${1:-install} in
install)
  install '[pandas,plot]' || exit 1
  echo "$home/bin/python -c 'import bristle; print(bristle.lugre())'"
  "$home/bin/python" -c 'import bristle; print(bristle.lugre())'
  ;;
test) run_tests "${@:2}" ;;
*) echo "python.sh install | test" >&2; exit 2 ;;
esac
