#!/usr/bin/env bash
# What `make run` shows first: its page says what was found in three sentences, and every link on it holds.
set -u
cd "$(dirname "$0")/.."
build=${BUILD:-build} out=${BUILD:-build}/run
fail() { echo "$*"; exit 1; }
scripts/run.sh >"$build/run.log" 2>&1 || { tail -n 20 "$build/run.log"; exit 1; }
[ "$(tail -n 1 "$build/run.log")" = "Everything on one page: $out/index.html" ] || fail "the last line is not the page"
count=0
for link in $(grep -o 'href="[^"]*"' "$out/index.html" | sed 's/href="//; s/"$//'); do
  [ -s "$out/$link" ] || fail "index.html: $link leads nowhere"
  count=$((count + 1))
done
[ $count -ge 8 ] || fail "only $count links"
card() { sed -n '/^<div class="card good/,/^<\/div><!-- card/p' "$out/index.html"; }
card | grep -q '<code>lugre</code> predicts the held-out log with an error of 1.0 %' || fail "no verdict on the page"
card | grep -q 'Coulomb level <code>fc</code></th><td>20.0[0-9]* ± 0.0[0-9]*</td><td>N</td>' || fail "no parameters on the page"
grep -q 'fc: 20 N, fs: 30 N' "$out/index.html" || fail "the truth is not on the page"
grep -q 'experiments</a>: [0-9]* figures, [0-9]* numbers checked, 0 missed' "$out/index.html" || fail "the gallery is not on the page"
if command -v node >/dev/null && command -v chromium >/dev/null && [ -e node_modules/playwright-core ]; then
  node tests/report/plain.mjs --no-plots "$out/index.html" || exit 1
fi
LOG=$out/axis.csv VALIDATE=$out/check.csv OPTIONS="--model coulomb,dahl --position 'x [m]'" scripts/run.sh >"$build/run.log" 2>&1 ||
  { tail -n 20 "$build/run.log"; exit 1; }
[ "$(tail -n 1 "$build/run.log")" = "The page to show: $out/own.html; the model: $out/own.yaml" ] || fail "LOG= does not end with its page"
grep -q '</html>' "$out/own.html" && grep -q '^model: dahl' "$out/own.yaml" || fail "LOG= leaves no page or no model"
LOG=$out/nowhere.csv scripts/run.sh >"$build/run.log" 2>&1 && fail "a log that is not there ends well"
grep -q 'nowhere.csv: the file cannot be read' "$build/run.log" || { cat "$build/run.log"; fail "nobody says that there is no such log"; }
[ ! -e "$out/own.html" ] || fail "the page of an earlier log is still there"
echo "$count links"
