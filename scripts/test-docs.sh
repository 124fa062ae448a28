#!/usr/bin/env bash
# What the documents show is what the tool prints today: every command of docs/identify.md is run, and each line shown
# below it must be among what it printed, number by number to the last digit shown. `...` stands for lines left out.
# The table of docs/steprules.md must be what its test measures, and numbers from measured data what these data give.
# The commands of README.md and the other documents run on files of the names that they use, and verbs and options
# that a sentence names exist. docs/sources.md has a row of its own.
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
  cat "$work/said" >>"$work/tutorial.said"
done
[ -s "$work/tutorial/loads.html" ] && [ "$(ls "$work"/part*.shown | wc -l)" -ge 2 ] || fail "the tutorial has no commands"

# ---- the commands of the other documents, on files of the names that they use ----

commands() { # document: the calls of the tool in its fenced blocks without a language
  awk '/^```/ { on = !inside && $0 == "```"; inside = !inside; next } on && /^(build\/)?bristle /' "$1"
}
let_go() { # file, columns, noise, scenario: a motion that nothing drives
  printf '%s\n' "$4" 'time: {end: 6 s, output: 5 ms}' >"$work/free.yaml"
  "$tool" simulate "$work/free.yaml" --noise "$3" --seed 3 --quiet -o "$work/free.csv" && cut -d, -f"$2" "$work/free.csv" >"$1" ||
    fail "$1 cannot be made"
}
desk=$work/desk
mkdir -p "$desk/build" && ln -s "$tool" "$desk/build/bristle" && ln -s "$root/examples" "$desk/examples"
awk '/^```/ { on = 0 } on; $0 == "```yaml" { on = 1 }' README.md >"$desk/stick_slip.yaml"
cp "$work/tutorial/axis.csv" "$desk/axis.csv"
cp "$work/tutorial/axis.csv" "$desk/log.csv"
cp "$work/tutorial/check.csv" "$desk/other.csv"
cp examples/scenarios/motion.csv examples/compare/*.yaml "$desk"
for name in axis axis3; do cp "$work/tutorial/model.yaml" "$desk/$name.yaml"; done
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

ran=0
for document in README.md docs/experiments.md docs/simulators.md docs/joints.md docs/export.md docs/scale.md site/pages/guides/compensation.md; do
  while read -r line; do
    # the whole gallery takes a while and has a row of its own
    case $line in *' gallery '*) [ -n "${ALL:-}" ] || continue ;; esac
    ran=$((ran + 1))
    touch "$work/before"
    if (bristle() { "$tool" "$@"; }; cd "$desk" && eval "$line") >"$work/said" 2>&1 </dev/null; then passed=$((passed + 1))
    elif grep -q 'install libzip-dev' "$work/said"; then skipped=$((skipped + 1)); echo "SKIP install libzip-dev"; continue
    else fail "$document: $line"; tail -n 5 "$work/said"; fi
    for output in $(grep -oE -- ' (-o|--report|--scenario) [^ ]+' <<<"$line" | awk '{print $2}'); do
      [ -n "$(find "$desk/$output" -size +0 -newer "$work/before" 2>&1)" ] || fail "$document: $line writes no $output"
    done
  done < <(commands "$document")
done
[ $ran -ge 16 ] || fail "only $ran commands were found in the documents"

# ---- what sentences name: verbs and options that exist, values of the tutorial ----

"$tool" --help >"$work/verbs"
sed -n 's/^  \([a-z]*\)  .*/\1/p' "$work/verbs" | sort -u >"$work/names"
for verb in $(cat "$work/names"); do "$tool" "$verb" --help >"$work/help.$verb" 2>&1; done
cat "$work/verbs" "$work"/help.* | grep -oE -- '--[a-z][a-z0-9-]*' | sort -u >"$work/options"
for document in README.md docs/identify.md docs/experiments.md docs/simulators.md docs/joints.md docs/export.md docs/scale.md docs/gallery.md \
  site/pages/*.md site/pages/guides/*.md; do
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
  # the commands of the tutorial on measured logs, each with what is shown below it
  awk -v out="$work/real" '/^```console/ { on = ++part; next } /^```/ { on = 0 } !on { next }
    /^\$ / { print substr($0, 3) > sprintf("%s%d.sh", out, part); next } { print > sprintf("%s%d.shown", out, part) }' docs/identify.md
  for part in "$work"/real*.sh; do
    if (bristle() { "$tool" "$@"; }; cd "$data" && . "$part") >"$work/said" 2>"$work/errors" </dev/null; then passed=$((passed + 1))
    else fail "docs/identify.md: $(cat "$part")"; cat "$work/errors"; fi
    holds "docs/identify.md below '$(cat "$part")'" "${part%.sh}.shown" "$work/said"
  done
else skipped=$((skipped + 1)); echo "SKIP data emps/emps_identification.csv"; fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
