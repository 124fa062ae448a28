#!/usr/bin/env bash
# docs/sources.md: every line of its checklists has a command and what its output must contain, with a number in it. All of
# them are run.
set -u
cd "$(dirname "$0")/.."
root=$PWD
build=${BUILD:-build}
tool=$(realpath "$build/bristle")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/run"
ln -s "$tool" "$work/bin/bristle"
ln -s "$root/examples" "$root/docs" "$work/run"
export PATH=$work/bin:$PATH
passed=0 failed=0

while IFS=$'\t' read -r item command text; do
  output=$work/$(printf %s "$command" | cksum | tr ' ' -).out # commands may come more than once
  if [ ! -e "$output" ]; then
    # shown on one screen: what is written to the file of a law on recorded motion is looked at as well
    (cd "$work/run" && rm -f f.csv && bash -c "$command" && { [ ! -e f.csv ] || cat f.csv; }) >"$output" 2>&1 </dev/null ||
      { failed=$((failed + 1)); echo "FAIL $item: exit code of: $command"; tail -n 3 "$output"; }
  fi
  rest=$text missing= digits=${text//[!0-9]/}
  while [ -n "$rest" ]; do # `this` and `that`
    part=${rest%%"\` and \`"*}
    grep -qF -- "$part" "$output" || missing+=" '$part'"
    [ "$part" = "$rest" ] && break
    rest=${rest#*"\` and \`"}
  done
  if [ -z "$digits" ]; then failed=$((failed + 1)); echo "FAIL $item: no number is asked for: $text"
  elif [ -z "$missing" ]; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "FAIL $item: no$missing in the output of: $command"; fi
done < <(sed -n $'s/^| \\([A-Z][0-9]*\\) | .* | `\\(.*\\)` | `\\(.*\\)` |$/\\1\t\\2\t\\3/p' docs/sources.md)

# a line that asks what another one asks checks nothing of its own
twice=$(sed -n 's/^| [A-Z][0-9]* | .* | `\(.*\)` | `\(.*\)` |$/\1 -> \2/p' docs/sources.md | sort | uniq -d)
[ -z "$twice" ] || { failed=$((failed + 1)); echo "FAIL checked by two lines: $twice"; }
# the table of docs/steprules.md is the one that its test measures
if [ -x "$build/tests" ]; then
  if diff <("$build/tests" step_rules_on_the_stick_slip_rig | sed -n 's/^  |/|/p') <(sed -n '/^| step | bristle/,/^$/p' docs/steprules.md | grep '^|')
  then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL docs/steprules.md has other numbers than its test"; fi
fi
[ $((passed + failed)) -ge 170 ] || { failed=$((failed + 1)); echo "FAIL only $passed lines of docs/sources.md were read"; }
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
