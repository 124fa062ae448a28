#!/usr/bin/env bash
# The gallery: every figure, every number, and the page in a browser where there is one.
set -u
cd "$(dirname "$0")/.."
build=${BUILD:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0 failed=0 skipped=0

check() { # what it is, then a command that must succeed
  local what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $what"; fi
}
fails_with() { # exit code, text, arguments of the gallery
  local code=$1 text=$2 output status
  shift 2
  output=$("$build/bristle" gallery "$@" 2>&1 </dev/null)
  status=$?
  [ $status = "$code" ] && [[ $output == *"$text"* ]] || { echo "bristle gallery $*: exit $status: $output"; return 1; }
}

# all numbers, in a folder from which the scenarios cannot be seen
tool=$(realpath "$build/bristle")
# disk_spin takes as long as all the others together: without ALL=1 its scenario only begins, below
only=()
[ -n "${ALL:-}" ] || only=($("$tool" gallery --list | cut -d' ' -f1 | grep -vx disk_spin | sed 's/^/--only /'))
if (cd "$out" && "$tool" gallery -o all ${only[@]+"${only[@]}"}) >"$out/log" 2>&1; then passed=$((passed + 1))
else failed=$((failed + 1)); sed -n "s/^  \(.*: computed\)/FAIL \1/p" "$out/log"; fi
tail -n 2 "$out/log"
check "the pages are smaller than 1.5 MB" [ "$(find "$out/all" -name "*.html" -size +1500k | wc -l)" = 0 ]
check "a page for each theme" [ "$(ls "$out"/all/*.html | wc -l)" = 11 ]
check "the first page links every figure" [ "$(grep -o 'class="link"' "$out/all/index.html" | wc -l)" -ge 40 ]
check "every figure has its rows" [ "$(ls "$out/all" | grep -c 'stick_slip.*\.csv')" = 6 ]

# every reference says where it comes from: in the page and for machines; the documentation names every figure
sources='published|closed form|independent solver|convergence study|limit set here'
"$build/bristle" gallery -o "$out/machines" --only lag --json >"$out/lag.json"
check "each number has a source" [ "$(grep -c '"figure": "lag"' "$out/lag.json")" = "$(grep -cE "\"from\": \"($sources)\"" "$out/lag.json")" ]
check "the sources differ" [ "$(grep -oE '"from": "[a-z ]*"' "$out/lag.json" | sort -u | wc -l)" = 3 ]
check "no source is unknown" [ "$(cat "$out"/all/*.html | grep -c '<td[^>]*>unknown</td>')" = 0 ]
check "the page has the sources" [ "$(cat "$out"/all/*.html | grep -oE "<td[^>]*>($sources)</td>" | wc -l)" -gt 200 ]
check "nothing claims that all is published" [ -z "$(grep -rl 'published or closed-form' cli docs README.md)" ]
for figure in $("$build/bristle" gallery --list | cut -d' ' -f1); do
  check "docs/gallery.md has no $figure" grep -q "\`$figure\`" docs/gallery.md
done

# one figure, the list, and what is refused
check "one figure" fails_with 0 "1 figure," -o "$out/one/inside" --only stopping
check "two figures" fails_with 0 "2 figures," -o "$out/two" --only stopping --only tanh
check "the same bytes again" cmp -s "$out/all/stopping-1.csv" "$out/one/inside/stopping-1.csv"
check "the list" fails_with 0 "stick_slip_rigid" --list
check "no folder" fails_with 2 "no output folder given"
check "an unknown figure" fails_with 2 "there is no figure 'x'" -o "$out/one" --only x
check "an unknown option" fails_with 2 "is not an option" -o "$out/one" --all
check "a folder that is a file" fails_with 5 "the folder cannot be made" -o "$out/log"
check "a folder that cannot be written" fails_with 5 "the folder cannot be made" -o /proc/gallery

# every scenario of the folder runs as its first lines say
for file in examples/*.yaml; do
  case $file in *gms*.yaml | *steprule*.yaml | *tyre.yaml | *ball*.yaml | *arm_hold.yaml) continue ;; esac # the gallery has run them
  begin=()
  [ $file = examples/disk_spin.yaml ] && begin=(--set 'time.end=10 ms')
  check "$file" "$build/bristle" simulate "$file" --quiet ${begin[@]+"${begin[@]}"}
done

over() { # exit code, text, arguments
  local output status
  output=$("$build/bristle" simulate examples/stick_slip.yaml "${@:3}" 2>&1)
  status=$?
  [ $status = "$1" ] && [[ $output == *"$2"* ]] || { echo "exit $status: $output"; return 1; }
}
printf 'a,b\n1,2\n' >"$out/strange.csv"
check "rows without time" over 3 "strange.csv" --report "$out/no.html" --over "$out/strange.csv"
check "no such rows" over 5 "nowhere.csv" --report "$out/no.html" --over "$out/nowhere.csv"
check "over without a report" over 2 "--report" --over "$out/strange.csv"
check "nothing was written" [ ! -e "$out/no.html" ]

if command -v node >/dev/null && command -v chromium >/dev/null && [ -e node_modules/playwright-core ]; then
  check "the pages in a browser" node tests/report/gallery.mjs "$out"/all/*.html
  check "a page of a run" "$build/bristle" simulate examples/stick_slip.yaml --quiet --report "$out/run.html"
  check "a page along a motion" "$build/bristle" drive lugre --motion examples/scenarios/motion.csv --report "$out/drive.html"
  "$build/bristle" simulate examples/stick_slip.yaml --quiet --set mass=2 -o "$out/heavy.csv"
  check "other runs over it" "$build/bristle" simulate examples/stick_slip.yaml --quiet --report "$out/over.html" --over "$out/heavy.csv"
  check "they are in the legend" grep -q 'heavy.csv' "$out/over.html"
  check "a loop" "$build/bristle" loop lugre --report "$out/loop.html"
  check "a joint" "$build/bristle" joint examples/joints/hinge.yaml --reactions examples/joints/hinge.csv --report "$out/joint.html"
  check "the pages in a browser" node tests/report/plain.mjs "$out"/{run,drive,over,loop,joint}.html
  check "stick is shaded" grep -q '<rect class="span"' "$out/run.html"
  check "the pulled end is drawn" grep -q 'other end of the spring' "$out/run.html"
  check "presliding beside the loop" grep -q 'its first presliding' "$out/drive.html"
else
  skipped=$((skipped + 1)); echo "SKIP install nodejs and chromium, and npm ci"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
