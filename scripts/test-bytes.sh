#!/usr/bin/env bash
# The same identification everywhere: `identify --json` on the example records must give the same bytes.
#   test-bytes.sh threads   the build itself: 1 thread and 2; and neither libbristle-lab nor the tool calls
#                           a function of libm that may round
#   test-bytes.sh clang     a build by clang, on 2 threads
#   test-bytes.sh wasm      the module of the playground, run by node
# Exits 0 when equal, 1 when not, 77 when a tool is missing.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
variant=$1
dir=$build/test/bytes
mkdir -p "$dir"
skip() { echo "SKIP $*"; exit 77; }

# The JSON of each record in a folder: presliding loops, the same with other losses, motion and force of a servo axis,
# its mass. More laws where several builds are compared, which takes a build anyway.
records() { # folder, program and its arguments
  local folder=$1 laws=coulomb,lugre more=dahl
  shift
  [ "$variant" = threads ] || laws=coulomb,stribeck,dahl,lugre,elasto_plastic more=gms,leuven,bouc_wen
  mkdir -p "$folder"
  "$@" identify examples/compare/loops.csv --json --trust --model "$laws" >"$folder/loops.json" || return 1
  "$@" identify examples/compare/loops.csv --json --trust --model "$more" --objective robust >"$folder/robust.json" || return 1
  "$@" identify "$dir/axis.csv" --json --trust --mass free --model coulomb,tanh >"$folder/axis.json" || return 1
}
compare() { # what, folder
  local name
  for name in loops robust axis; do
    [ -s "$dir/$variant-reference/$name.json" ] || { echo "$name: no reference"; exit 1; }
    cmp "$dir/$variant-reference/$name.json" "$2/$name.json" || {
      diff "$dir/$variant-reference/$name.json" "$2/$name.json" | head -n 20
      echo "$1: $name differs"
      exit 1
    }
  done
  echo "ok $1: $(cat "$2"/*.json | wc -c) bytes"
}

"$build/bristle" simulate examples/axis.yaml --noise 'F=0.5 N' --seed 1 -o "$dir/axis.csv" --quiet
threads() { "$build/bristle" "$@" --threads "$count"; }
count=1
records "$dir/$variant-reference" threads

case $variant in
threads)
  count=2
  records "$dir/threads" threads
  compare "two threads" "$dir/threads"
  # sqrt, fabs, floor, fmod, fmax, ldexp, ... have one right result; these have not
  rounding='(exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|sin|cos|tan|sincos|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|lgamma|tgamma)[fl]?'
  for file in libbristle-lab.so bristle; do
    free=$(nm -D --undefined-only "$build/$file" | sed 's/.* U //; s/@.*//' | grep -xE "$rounding") &&
      { echo "$file calls" $free; exit 1; }
  done
  echo "ok libm"
  ;;
clang)
  command -v clang-19 >/dev/null || skip "install clang-19"
  cmake -S . -B "$dir/clang" -G Ninja -DCMAKE_C_COMPILER=clang-19 -DBRISTLE_DISPATCH=OFF -DBRISTLE_INSTALL=OFF \
    -DBRISTLE_LEAN=ON -DBRISTLE_MPI=OFF -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1 >/dev/null
  cmake --build "$dir/clang" --target bristle_tool -j "${JOBS:-2}"
  by_clang() { "$dir/clang/bristle" "$@" --threads 2; }
  records "$dir/by-clang" by_clang
  compare "clang, two threads" "$dir/by-clang"
  ;;
wasm)
  command -v node >/dev/null || skip "install nodejs"
  scripts/wasm.sh playground || exit $?
  records "$dir/by-wasm" node --no-warnings tests/wasm/tool.mjs "$build/wasm/playground.wasm"
  compare "WebAssembly" "$dir/by-wasm"
  ;;
*) echo "no variant $1"; exit 2 ;;
esac
