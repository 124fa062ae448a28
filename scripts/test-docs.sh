#!/usr/bin/env bash
# What the documents show is what the tool prints today: every command and program of README.md, docs/ and the site's own
# pages is run (scripts/run-blocks.py), on files of the names that they use, and each line shown below it must be among what
# it printed, number by number to the last digit shown. Python is the row python's (python/tests/test_site.py).
# The table of docs/steprules.md must be what its test measures, and numbers from measured data what these data give.
# Verbs and options that a sentence names exist. docs/sources.md has a row of its own.
set -u
cd "$(dirname "$0")/.."
command -v python3 >/dev/null || { echo "SKIP install python3"; exit 77; }
root=$PWD build=${BUILD:-build}
tool=$(realpath "$build/bristle")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
fail() { failed=$((failed + 1)); echo "FAIL $*"; }

holds() { # what it is, file of lines shown, file of what was said, slack
  local lost
  lost=$(scripts/shown.py "$2" "$3" "${4:-0}")
  if [ -s "$2" ] && [ -z "$lost" ]; then passed=$((passed + 1)); return; fi
  fail "$1 shows what is not printed today:"
  echo "${lost:-nothing is shown}" | head -n 5
}

blocks() { # folder, documents: runs what they show, and counts
  scripts/run-blocks.py "$tool" "$build" "$@" >"$work/blocks"
  grep -v '^[0-9]* passed' "$work/blocks"
  read -r a _ b _ c _ < <(tail -n 1 "$work/blocks" | tr -d ,)
  passed=$((passed + a)) failed=$((failed + b)) skipped=$((skipped + c))
}

# ---- the tutorial: its commands one after another, each with what is shown below it ----

tutorial=$work/tutorial desk=$work/desk
mkdir "$tutorial" && ln -s "$root/examples" "$tutorial/examples"
awk 'BEGIN { print "t [s],q1 [rad],q2 [rad],tau1 [N*m],pull [N*m]"
  for (i = 0; i < 4000; i++) { t = i / 500; q1 = 0.8 * sin(2 * t) + 0.3 * sin(5 * t + 1); q2 = 0.5 * sin(3 * t); p = cos(7 * t)
    d1 = 1.6 * cos(2 * t) + 1.5 * cos(5 * t + 1); d2 = 1.5 * cos(3 * t); dd1 = -3.2 * sin(2 * t) - 7.5 * sin(5 * t + 1); dd2 = -4.5 * sin(3 * t)
    printf "%.3f,%.9f,%.9f,%.9f,%.9f\n", t, q1, q2, 2 * dd1 + 0.4 * dd2 * cos(q1 - q2) + 0.4 * d2 * d2 * sin(q1 - q2) + 0.7 * p \
      + (d1 > 0 ? 3 : -3) + 0.5 * d1, p } }' >"$tutorial/joint1.csv"
pushed() { # file, force program at its knots, 0.5 s apart: a carriage of 2 kg, with the force that pushed it
  printf '%s\n' 'rig: mass' 'mass: 2 kg' "force: {knots: [[0, 0], [0.5, $2], [1.5, -$2], [2.5, $2], [3, 0]]}" \
    'friction: {model: stribeck, parameters: {fc: 1 N, fs: 1.4 N, vs: 50 mm/s}}' 'time: {end: 3 s, output: 10 ms}' >"$work/push.yaml"
  "$tool" simulate "$work/push.yaml" --noise 'x=0.1 mm' --quiet -o "$work/push.csv" && cut -d, -f1,2 "$work/push.csv" | awk -F, -v f="$2" '
    NR == 1 { print $0 ",motor_force [N]"; next }
    { t = $1; print $0 "," f * (t < 0.5 ? 2 * t : t < 1.5 ? 1 - 2 * (t - 0.5) : t < 2.5 ? 2 * (t - 1.5) - 1 : 1 - 2 * (t - 2.5)) }' >"$1" || fail "$1 cannot be made"
}
pushed "$tutorial/log.csv" 3; pushed "$tutorial/more.csv" 4; pushed "$tutorial/last.csv" 3.5
blocks "$tutorial" docs/identify.md
(cd "$tutorial" && "$tool" identify axis.csv --validate check.csv --model coulomb,stribeck,dahl,lugre 2>&1) >"$work/tutorial.said"
[ -s "$tutorial/loads.html" ] || fail "the tutorial has no commands"

# ---- the other documents, on files of the names that they use ----

let_go() { # file, columns, noise, scenario: a motion that nothing drives
  printf '%s\n' "$4" 'time: {end: 6 s, output: 5 ms}' >"$work/free.yaml"
  "$tool" simulate "$work/free.yaml" --noise "$3" --seed 3 --quiet -o "$work/free.csv" && cut -d, -f"$2" "$work/free.csv" >"$1" ||
    fail "$1 cannot be made"
}
mkdir -p "$desk/build" && ln -s "$tool" "$desk/build/bristle" && ln -s "$root/examples" "$desk/examples"
cp "$tutorial/axis.csv" "$desk/axis.csv"
cp "$tutorial/axis.csv" "$desk/log.csv"
cp "$tutorial/check.csv" "$desk/other.csv"
cp "$tutorial/check.csv" "$desk/check.csv"
cp examples/scenarios/motion.csv examples/compare/*.yaml examples/stick_slip.yaml "$desk"
awk 'BEGIN { print "t [s],q [rad],current [A]" # a motor: 0.02 kg m^2, 0.3 N m, 0.05 N m s/rad, 0.5 N m/A
  for (i = 0; i < 4000; i++) { t = i / 500; q = 0.8 * sin(2 * t) + 0.3 * sin(5 * t + 1); d = 1.6 * cos(2 * t) + 1.5 * cos(5 * t + 1)
    printf "%.3f,%.6f,%.3f\n", t, q, 2 * (0.02 * (-3.2 * sin(2 * t) - 7.5 * sin(5 * t + 1)) + (d > 0 ? 0.3 : -0.3) + 0.05 * d) } }' >"$desk/motor.csv"
sed "s/24/6/; s|\.\./||" examples/sweeps/stick_slip.yaml >"$desk/spec.yaml"
for name in axis axis3 lugre; do cp "$tutorial/model.yaml" "$desk/$name.yaml"; done
cp examples/loads/50.yaml "$desk/low.yaml"; cp examples/loads/100.yaml "$desk/mid.yaml"; cp examples/loads/200.yaml "$desk/high.yaml"
let_go "$desk/swing.csv" 1,2 'x=0.2 mrad' 'rig: pendulum
inertia: 0.0136 kg*m^2
gravity: 1.2 N*m
initial: {x: 1 rad}
friction: {model: coulomb, parameters: {fc: 0.03, sigma2: 0.004}}'
let_go "$desk/coast.csv" 1,3 'v=1 mrad/s' 'rig: pendulum
inertia: 0.25 kg*m^2
gravity: 0 N*m
initial: {v: 20 rad/s}
friction: {model: coulomb, parameters: {fc: 0.4, sigma2: 0.02}}'
let_go "$desk/slide.csv" 1,2 'x=2 um' 'rig: spring-pull
mass: 3 kg
stiffness: 400 N/m
speed: 0 m/s
initial: {x: 50 mm}
friction: {model: coulomb, parameters: {fc: 0.6, sigma2: 0.5}}'

blocks "$desk" README.md $(ls docs/*.md | grep -v 'identify\|sources') site/pages/*.md site/pages/*/*.md

# ---- what sentences name: verbs and options that exist, values of the tutorial ----

"$tool" --help >"$work/verbs"
sed -n 's/^  \([a-z]*\)  .*/\1/p' "$work/verbs" | sort -u >"$work/names"
for verb in $(cat "$work/names"); do "$tool" "$verb" --help >"$work/help.$verb" 2>&1; done
cat "$work/verbs" "$work"/help.* | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u >"$work/options"
for document in README.md docs/identify.md docs/experiments.md docs/robot.md docs/simulators.md docs/joints.md docs/export.md docs/scale.md docs/gallery.md \
  site/pages/*.md site/pages/*/*.md; do
  # the texts between backquotes of whole sentences, which lines may break
  awk '/^```/ { inside = !inside; next } !inside' "$document" | tr '\n' ' ' | awk -v RS='`' 'NR % 2 == 0' >"$work/quoted"
  while read -r _ verb rest; do
    case $verb in --* | '') continue ;; esac
    if ! grep -qx "$verb" "$work/names"; then fail "$document: there is no verb $verb"; continue; fi
    for option in $(grep -oE -- '(^| )--[a-z][a-z0-9-]*' <<<"$rest"); do
      if [ $option = --help ] || grep -qE -- "$option( |,|\$)" "$work/help.$verb"; then passed=$((passed + 1)); else fail "$document: $verb has no $option"; fi
    done
  done < <(grep -E '^(build/)?bristle ' "$work/quoted")
  for option in $(grep -oE -- '^--[a-z][a-z0-9-]*' "$work/quoted"); do
    if grep -qxe "$option" "$work/options"; then passed=$((passed + 1)); else fail "$document: no verb has $option"; fi
  done
done
# the value that the Python package is shown with is that of the tutorial
for document in README.md docs/python.md; do
  value=$(sed -n 's/.*fit\.best\["fc"\][ a-z#]* \([0-9.]*\) ± \([0-9.]*\) N.*/\1 +- \2 N/p' "$document")
  if [ -n "$value" ] && grep -q "^  fc  *$value\$" "$work/tutorial.said"; then passed=$((passed + 1))
  else fail "$document shows fc = '$value'; today:" "$(grep -m 1 '^  fc ' "$work/tutorial.said")"; fi
done
[ "$(wc -l <examples/arm.c)" = "$(sed -n 's/^\([0-9]*\) lines: a 2-link arm.*/\1/p' docs/simulators.md)" ] || fail "docs/simulators.md counts other lines of examples/arm.c"

# every example has its line
while read -r file; do
  if grep -q "^| \`$(basename "$file")\` | ." examples/README.md; then passed=$((passed + 1)); else fail "examples/README.md has no line for $file"; fi
done < <(find examples -type f ! -name README.md)

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

data=$(cd "${BRISTLE_DATA:-../shared/data}" 2>/dev/null && pwd) # not part of this project
emps=${data:-none}/emps
if [ -e "$emps/emps_identification.csv" ]; then
  "$tool" identify "$emps/emps_identification.csv" --validate "$emps/emps_validation_pulses.csv" --force 'motor_voltage*35.15 N' \
    --mass free --model coulomb,asymmetric,stribeck,lugre >"$work/said" 2>&1
  for text in $(sed -n 's/^Without flags for the filter .* mass \([0-9.]* +- [0-9.]* kg\), and \([0-9.]* %\) on the validation file.*/\1;\2/p' \
    docs/identify.md | tr ' ;' '_ '); do
    if grep -qF -- "${text//_/ }" <(sed 's/  */ /g' "$work/said"); then passed=$((passed + 1))
    else fail "docs/identify.md says ${text//_/ }; today:"; grep -m 3 'mass\|validation' "$work/said"; fi
  done
else skipped=$((skipped + 1)); echo "SKIP data emps/emps_identification.csv"; fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
