#!/usr/bin/env bash
# What the documents show is what the tool prints today: every command of docs/identify.md is run, and each line shown
# below it must be among what it printed, number by number to the last digit shown. `...` stands for lines left out.
# The table of docs/steprules.md must be what its test measures, and numbers from measured data what these data give.
set -u
cd "$(dirname "$0")/.."
root=$PWD build=${BUILD:-build}
tool=$(realpath "$build/bristle")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
fail() { failed=$((failed + 1)); echo "FAIL $*"; }

# Prints the lines of the first file that the second does not have, in their order. Words must agree; a number must agree
# within `slack` parts of itself, or one unit of the last digit that is shown.
missing() { # shown, said, slack
  awk -v slack="$3" '
    function unit(text,   mantissa, point, power) {
      mantissa = text; sub(/[eE].*/, "", mantissa)
      point = index(mantissa, "."); power = 0
      if (text ~ /[eE]/) { power = text; sub(/.*[eE]/, "", power) }
      return 10 ^ (power - (point ? length(mantissa) - point : 0))
    }
    function size(x) { return x < 0 ? -x : x }
    function same(a, b,   d) {
      if (a == b) return 1
      if (a !~ number || b !~ number) return 0
      d = size(a - b)
      return d <= 1.000001 * unit(a) || d <= slack * size(a)
    }
    function agrees(i,   k, n, m, x, y) {
      n = split(line, x, " "); m = split(said[i], y, " ")
      if (n != m) return 0
      for (k = 1; k <= n; k++) if (!same(x[k], y[k])) return 0
      return 1
    }
    BEGIN { number = "^[-+]?[0-9]*[.]?[0-9]+([eE][-+]?[0-9]+)?$"; at = 1 }
    { gsub(/[(),;]/, " & ") }
    NR == FNR { said[++count] = $0; next }
    $1 == "..." || !NF { next }
    { line = $0
      for (i = at; i <= count && !agrees(i); i++) ;
      if (i <= count) at = i + 1
      else print }' "$2" "$1"
}
holds() { # what it is, file of lines shown, file of what was said, slack
  local lost
  lost=$(missing "$2" "$3" "${4:-0}")
  if [ -s "$2" ] && [ -z "$lost" ]; then passed=$((passed + 1)); return; fi
  fail "$1 shows what is not printed today:"
  echo "${lost:-nothing is shown}" | head -n 5
}

# ---- the tutorial: its commands one after another, each with what is shown below it ----

mkdir "$work/tutorial" && ln -s "$root/examples" "$work/tutorial/examples"
awk -v out="$work/part" '
  /^```/ { if (on) on = ""
           else if ($0 == "```sh") { on = "sh"; part++; shown = 0 }
           else on = part && !shown && prose < 2 ? "shown" : "other"
           if (on == "shown") shown = 1
           prose = 0; next }
  on == "" { if (NF) prose++; next }
  on == "sh" || on == "shown" { print > sprintf("%s%02d.%s", out, part, on) }' docs/identify.md
for part in "$work"/part*.sh; do
  : >"$work/said"
  while read -r line; do
    if (bristle() { "$tool" "$@"; }; cd "$work/tutorial" && eval "$line") >>"$work/said" 2>"$work/errors" </dev/null; then
      passed=$((passed + 1))
    else fail "docs/identify.md: $line"; cat "$work/errors"; fi
  done <"$part"
  shown=${part%.sh}.shown
  [ ! -e "$shown" ] || holds "docs/identify.md below '$(tail -n 1 "$part")'" "$shown" "$work/said"
done
[ -s "$work/tutorial/loads.html" ] && [ "$(ls "$work"/part*.shown | wc -l)" -ge 2 ] || fail "the tutorial has no commands"

# ---- the table of step rules ----

grep '^| .* | e[a-z, ]* | ' docs/steprules.md >"$work/table"
"$build/tests" step_rules_on_the_stick_slip_rig | sed -n 's/^  |/|/p' >"$work/measured"
[ "$(wc -l <"$work/table")" -ge 21 ] || fail "docs/steprules.md has lost rows of its table"
# explicit steps that diverge follow the last bit of the C library
grep -v '| explicit' "$work/table" >"$work/exact"
holds "the table of docs/steprules.md" "$work/exact" "$work/measured"
grep '| explicit' "$work/table" >"$work/wild"
holds "the table of docs/steprules.md" "$work/wild" "$work/measured" 0.05

# ---- numbers from measured data ----

emps=${BRISTLE_DATA:-none}/emps
if [ -e "$emps/emps_identification.csv" ]; then
  "$tool" identify "$emps/emps_identification.csv" --validate "$emps/emps_validation_pulses.csv" --force 'motor_voltage*35.15 N' \
    --mass free --model coulomb,asymmetric,stribeck,lugre >"$work/said" 2>&1
  for text in $(sed -n 's/^Without flags for the filter .* mass \([0-9.]* +- [0-9.]* kg\), and \([0-9.]* %\) on the validation file.*/\1;\2/p' \
    docs/identify.md | tr ' ;' '_ '); do
    if grep -qF -- "${text//_/ }" <(sed 's/  */ /g' "$work/said"); then passed=$((passed + 1))
    else fail "docs/identify.md says ${text//_/ }; today:"; grep -m 3 'mass\|validation' "$work/said"; fi
  done
  # the commands of the tutorial on measured logs, each with what is shown below it
  awk -v out="$work/real" '/^```console/ { on = ++part; next } /^```/ { on = 0 } !on { next }
    /^\$ / { print substr($0, 3) > sprintf("%s%d.sh", out, part); next } { print > sprintf("%s%d.shown", out, part) }' docs/identify.md
  for part in "$work"/real*.sh; do
    if (bristle() { "$tool" "$@"; }; cd "$BRISTLE_DATA" && . "$part") >"$work/said" 2>"$work/errors" </dev/null; then passed=$((passed + 1))
    else fail "docs/identify.md: $(cat "$part")"; cat "$work/errors"; fi
    holds "docs/identify.md below '$(cat "$part")'" "${part%.sh}.shown" "$work/said"
  done
else skipped=$((skipped + 1)); echo "SKIP data emps/emps_identification.csv"; fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
