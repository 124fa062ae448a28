#!/usr/bin/env bash
# Builds targets for WebAssembly in BUILD/wasm, which the playground and the tests share: wasm.sh TARGET...
# Exits 77 where a tool is missing.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
dir=$build/wasm
if ! { command -v clang-19 && command -v wasm-ld-19 && [ -d /usr/include/wasm32-wasi ] &&
  [ -e "$(clang-19 --target=wasm32-wasi -print-libgcc-file-name)" ]; } >/dev/null; then
  echo "SKIP install clang-19 lld-19 wasi-libc libclang-rt-19-dev-wasm32"
  exit 77
fi
mkdir -p "$dir"
exec 9>"$dir/lock" # one at a time: rows of the tests build here side by side
flock 9
texts=$build/bridge/texts.c
case $texts in /*) ;; *) texts=$PWD/$texts ;; esac
cmake -S . -B "$dir" -G Ninja --no-warn-unused-cli -DCMAKE_TOOLCHAIN_FILE=cmake/wasm.cmake -DCMAKE_BUILD_TYPE=MinSizeRel \
  -DBRISTLE_LAB=ON -DBRISTLE_YAML=OFF -DBRISTLE_THREADS=OFF -DBRISTLE_DISPATCH=OFF -DBRISTLE_INSTALL=OFF \
  -DBRISTLE_TEXTS="$texts" >/dev/null
cmake --build "$dir" -j "${JOBS:-2}" --target "$@"
