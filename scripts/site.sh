#!/usr/bin/env bash
# The site, below $BUILD/site/html: pages that work from a folder, without a server and without a network.
# site.sh [build | check]: `check` also follows every link and looks at every page in a browser. `link PAGE WAY` leads a
# playground to the site, seen from its folder. The playground is part of it.
set -eu
cd "$(dirname "$0")/.."
root=$PWD build=${BUILD:-build}
out=$build/site python=$build/site-python/bin/python

assemble() {
  scripts/need.sh site
  cmake --build "$build" -j "${JOBS:-2}" --target bristle_tool law-atlas >"$build/site.log" || { tail -n 30 "$build/site.log"; exit 1; }
  playground
  "$python" site/make/build.py "$(realpath "$build")" "$out"
}

link() { # page of a playground, the way to the site
  sed -i "s|<!-- site -->|<a class=\"site\" href=\"$2/index.html\">Guides, laws, questions.</a>|" "$1"
}

playground() { # the pages show it, so it is always there
  scripts/need.sh playground
  scripts/playground.sh >"$build/site-playground.log" 2>&1 || { tail -n 30 "$build/site-playground.log"; exit 1; }
}

render() { # a warning is an error
  rm -rf "$out/html"
  BRISTLE_ROOT=$root "$python" -m sphinx -W --keep-going -q -j "${JOBS:-2}" -b html -c site -d "$out/trees" "$out/source" "$out/html"
  "$python" site/make/search_data.py "$out/html"
  [ ! -d "$out/extra" ] || cp -r "$out/extra/." "$out/html"
  rm -rf "$out/html/.buildinfo"
  mkdir -p "$out/html/playground"
  sed 's|<a class="site".*</a>|<!-- site -->|' "$build/playground/index.html" >"$out/html/playground/index.html"
  link "$out/html/playground/index.html" ..
  link "$build/playground/index.html" ../site/html
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

[ "${1:-build}" != link ] || { link "$2" "$3"; exit; }
assemble
render
"$python" site/make/links.py "$out/html"
echo "$out/html/index.html"
[ "${1:-build}" != check ] || { cmake --build "$build" --target bristle_static >>"$build/site.log" && snippets && node tests/site/browser.mjs "$out/html"; }
