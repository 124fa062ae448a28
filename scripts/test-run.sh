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
card() { sed -n '/^<div class="card care/,/^<\/div><!-- card/p' "$out/index.html"; }
card | grep -q '<code>lugre + skew</code> predicts the held-out log with an error of 0.[89][0-9]* %' || fail "no verdict on the page"
card | grep -q 'Coulomb level <code>fc</code></th><td>[0-9.]* ± 0.[0-9]*</td><td>N</td>' || fail "no parameters on the page"
grep -q 'The log is <b>simulated</b>' "$out/index.html" || fail "nobody says that the log is simulated"
# what the axis has is found: each number within twice its deviation, and the delay within a quarter of a sample
sed -n 's/^<tr><th scope="row">\(.*\)<\/th><td class="r">\(.*\)<\/td><td class="r">\(.*\)<\/td><td>\(.*\)<\/td><\/tr>$/\1|\2|\3/p' "$out/index.html" |
  awk -F'|' '{ split($3, n, " "); limit = n[3] == "" ? 1 : 2 * n[3]; off = n[1] - $2; if (off < 0) off = -off
    if (off > limit || n[1] !~ /^[0-9]/) { print $1 ": " $3 " for " $2; bad = 1 } } END { if (NR != 10) print NR " rows beside the truth"; exit bad || NR != 10 }' || fail "truth and result differ"
grep -q 'experiments</a>: [0-9]* figures, [0-9]* numbers checked, 0 missed' "$out/index.html" || fail "the gallery is not on the page"
if command -v node >/dev/null && command -v chromium >/dev/null && [ -e node_modules/playwright-core ]; then
  node tests/report/plain.mjs --no-plots "$out/index.html" || exit 1
fi
LOG=$out/axis.csv VALIDATE=$out/check.csv OPTIONS="--model coulomb,dahl --force 'Current*35 N'" scripts/run.sh >"$build/run.log" 2>&1 ||
  { tail -n 20 "$build/run.log"; exit 1; }
[ "$(tail -n 1 "$build/run.log")" = "The page to show: $out/own.html; the model: $out/own.yaml" ] || fail "LOG= does not end with its page"
grep -q '</html>' "$out/own.html" && grep -q '^model: \(dahl\|coulomb\)' "$out/own.yaml" || fail "LOG= leaves no page or no model"
cp "$out/axis.csv" "$out/own.csv"
LOG=$out/own.csv OPTIONS="--model coulomb --force 'Current*35 N'" scripts/run.sh >"$build/run.log" 2>&1
cmp -s "$out/axis.csv" "$out/own.csv" || fail "a log beside the results is deleted"
rm "$out/own.csv"
LOG=$out/nowhere.csv scripts/run.sh >"$build/run.log" 2>&1 && fail "a log that is not there ends well"
grep -q 'nowhere.csv: the file cannot be read' "$build/run.log" || { cat "$build/run.log"; fail "nobody says that there is no such log"; }
[ ! -e "$out/own.html" ] || fail "the page of an earlier log is still there"
# the three public logs of the tutorial, as it says, where they are there
data=$(realpath "${BRISTLE_DATA:-../shared/data}" 2>/dev/null)
if [ -d "$data/emps" ]; then
  lines=$(grep -o '`make run LOG=[^`]*`' docs/identify.md | tr -d '`')
  [ "$(wc -l <<<"$lines")" = 3 ] || fail "the tutorial has not three public logs"
  while read -r line; do
    line=$(sed -E "s#(LOG|VALIDATE)=#\1=$data/#g; s#^make run ##" <<<"$line")
    eval "env $line scripts/run.sh" >"$build/run.log" 2>&1 || { tail -n 5 "$build/run.log"; fail "$line: no model"; }
    grep -q 'class="card \(good\|care\)' "$out/own.html" && [ -s "$out/own.yaml" ] || fail "$line: no card"
    echo "$(sed -n 's/.*<h2 class="headline">\(.*\)<\/h2>.*/\1/p' "$out/own.html" | sed 's/<[^>]*>//g')"
  done <<<"$lines"
else echo "the three public logs are not there (BRISTLE_DATA)"; fi
echo "$count links"
