#!/usr/bin/env bash
# The site, below $BUILD/site/html: pages that work from a folder, without a server and without a network.
# site.sh [build | check]: `check` also follows every link and looks at every page in a browser.
set -eu
cd "$(dirname "$0")/.."
root=$PWD build=${BUILD:-build}
out=$build/site python=$build/site-python/bin/python

assemble() {
  scripts/need.sh site
  cmake --build "$build" -j "${JOBS:-2}" --target bristle_tool law-atlas >"$build/site.log" || { tail -n 30 "$build/site.log"; exit 1; }
  "$python" site/make/build.py "$(realpath "$build")" "$out"
}

render() { # a warning is an error
  rm -rf "$out/html"
  BRISTLE_ROOT=$root "$python" -m sphinx -W --keep-going -q -j "${JOBS:-2}" -b html -c site -d "$out/trees" "$out/source" "$out/html"
  [ ! -d "$out/extra" ] || cp -r "$out/extra/." "$out/html"
  rm -rf "$out/html/.buildinfo"
  [ ! -e "$build/playground/index.html" ] || { mkdir -p "$out/html/playground" && cp -r "$build/playground/." "$out/html/playground"; }
}

snippets() { # the C programs and scenarios of the laws' pages: each compiles without a warning, and runs
  local code=$out/code law count=0
  for law in "$code"/*.c; do
    law=$(basename "$law" .c)
    "${CC:-cc}" -O1 -Wall -Wextra -Werror -Iinclude "$code/$law.c" "$build/libbristle.a" -o "$code/$law" || exit 1
    "$code/$law" | grep -q '^x -\?[0-9.]* m, v ' || { echo "$law.c prints nothing"; exit 1; }
    "$build/bristle" simulate "$code/$law.yaml" -o "$code/$law.csv" --quiet || { echo "$law.yaml does not run"; exit 1; }
    count=$((count + 1))
  done
  [ $count -ge 30 ] || { echo "only $count laws have code"; exit 1; }
  echo "code of $count laws"
}

assemble
render
"$python" site/make/links.py "$out/html"
echo "$out/html/index.html"
[ "${1:-build}" != check ] || { cmake --build "$build" --target bristle_static >>"$build/site.log" && snippets && node tests/site/browser.mjs "$out/html"; }
