#!/usr/bin/env bash
# The playground: one HTML file, BUILD/playground/index.html, with the module, styles and scripts of playground/ in it.
# Exits 77 where a tool is missing.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
out=$build/playground
mkdir -p "$out"
# the rows site and playground may come here at the same time
if command -v flock >/dev/null; then exec 9>"$out/.lock" && flock 9; fi
scripts/wasm.sh playground
version=$("$build/bristle" --version | cut -d' ' -f2)
gzip -9nc "$build/wasm/playground.wasm" | base64 -w0 >"$out/module.txt"
# a line @name@ is replaced by the file; @MODULE@ and @VERSION@ by what they say
awk -v folder=playground -v module="$out/module.txt" -v version="$version" '
  function copy(path,   line) { while ((getline line < path) > 0) print line; close(path) }
  /^@[a-z.]+@$/ { copy(folder "/" substr($0, 2, length($0) - 2)); next }
  /@MODULE@/ { split($0, part, "@MODULE@"); getline text < module; print part[1] text part[2]; next }
  { gsub(/@VERSION@/, version); print }
' playground/page.html >"$out/index.html.part"
mv "$out/index.html.part" "$out/index.html"
[ ! -e "$build/site/html/index.html" ] || scripts/site.sh link "$out/index.html" ../site/html
rm "$out/module.txt"
size=$(wc -c <"$out/index.html")
[ "$size" -lt 1500000 ] || { echo "$out/index.html has $size bytes, 1500000 are allowed"; exit 1; }
echo "$out/index.html: $size bytes"
