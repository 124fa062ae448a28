#!/usr/bin/env bash
# bristle export as a user meets it: exit codes, messages, files; and what was written is compiled and run.
# With the argument `cores` the C files of all laws run on four emulated Cortex-M cores instead.
set -u
cd "$(dirname "$0")/.."
. scripts/checks.sh
root=$PWD
laws=$(sed -n 's/^BRISTLE_LAW(\(.*\))$/\1/p' src/models/models.def)
strict="-std=c99 -Wall -Wextra -Wconversion -Wdouble-promotion -Wshadow -pedantic -Werror"

fails() { ! "$@"; }
upper() { printf %s "$1" | tr a-z A-Z; }

# ---- every law as C: the library's bits in both precisions, without a warning ----

builds() { # compiler, flags, folder, law: compiled, run, compared
  "$1" $strict $2 "$3/$4.c" "$3/$4_test.c" "-D$(upper "$4")_TEST_MAIN" -o "$3/$4.run" && "$3/$4.run"
}
export_laws() { # folder, options
  local folder=$1 law
  shift
  mkdir -p "$folder"
  for law in $laws; do "$tool" export "$law" --to c99 "$@" -o "$folder/c_$law.c" >/dev/null || return 1; done
}
c99_on_host() {
  local law turn=0
  check "all laws are written in double precision" export_laws "$work/f64"
  check "all laws are written in single precision" export_laws "$work/f32" --float32 --compensate --sample-time '1 ms'
  for law in $laws; do
    turn=$((1 - turn)) # the precisions take turns, except with ALL=1
    [ -z "${ALL:-}" ] && [ $turn = 0 ] || check "$law, double, gcc -O2" builds cc -O2 "$work/f64" "c_$law"
    [ -z "${ALL:-}" ] && [ $turn = 1 ] || check "$law, single, gcc -Os" builds cc -Os "$work/f32" "c_$law"
    command -v clang-19 >/dev/null || continue
    [ -n "${ALL:-}" ] || [ "$law" = lugre ] || continue
    check "$law, double, clang -Os" builds clang-19 -Os "$work/f64" "c_$law"
    check "$law, single, clang -O2" builds clang-19 -O2 "$work/f32" "c_$law"
  done
  # the vectors can fail: one bit of the law's text is enough
  sed 's/\.fc = 1\.0f/.fc = 1.0000001f/' "$work/f32/c_lugre.c" >"$work/f32/c_other.c"
  cp "$work/f32/c_lugre_test.c" "$work/f32/c_other_test.c"
  cc "$work/f32/c_other.c" "$work/f32/c_other_test.c" -DC_LUGRE_TEST_MAIN -o "$work/other"
  check "a parameter that is wrong in its last digit is noticed" fails "$work/other"
  # nothing but memcpy and memset is called
  cc -O2 -std=c99 -ffreestanding -c "$work/f64/c_elasto_plastic.c" -o "$work/alone.o"
  check "no function of a library is called" fails grep -v 'memcpy\|memset' <(nm -u "$work/alone.o")
}

# ---- the same with its own friction for each direction ----

export_skewed() { # law, file, options: with both skews, or with the one that the law has
  local law=$1 file=$2 skews
  shift 2
  for skews in level_skew=0.15,viscous_skew=-0.3 level_skew=0.15 viscous_skew=-0.3; do
    "$tool" export "$law" --set $skews --to c99 "$@" -o "$file" >/dev/null 2>&1 && return
  done
}
skewed() {
  local law some=$laws
  [ -n "${ALL:-}" ] || some="lugre gms"
  mkdir -p "$work/s64" "$work/s32"
  for law in $some; do
    export_skewed "$law" "$work/s64/c_$law.c"
    check "$law, both directions, double, gcc -O2" builds cc -O2 "$work/s64" "c_$law"
    export_skewed "$law" "$work/s32/c_$law.c" --float32 --sample-time '1 ms' --compensate
    check "$law, both directions, single, gcc -Os" builds cc -Os "$work/s32" "c_$law"
  done
  check "the skews are parameters" grep -q '^  .viscous_skew = -0.3f,' "$work/s32/c_lugre.c"
  check "no comparison of roles is left" fails grep -q BRISTLE_ROLE "$work/s32/c_lugre.c"
}

# ---- bad numbers, compensation ----

c99_behaviour() {
  check "a program with three contacts is compiled" cc $strict -O2 -I"$work/f32" tests/bridge/compensate.c \
    "$work"/f32/c_{lugre,coulomb,gms}.c -o "$work/compensate" -lm
  check "compensation, and inputs that are no numbers" "$work/compensate"
}

# the simulator compiles the same text: a program with both of them
one_source() {
  local law some="lugre gms"
  [ -n "${ALL:-}" ] && some="$some coulomb armstrong stribeck dahl elasto_plastic leuven bouc_wen kikuuwe"
  for law in $some; do
    "$tool" export "$law" --to c99 --sample-time '1 ms' --compensate -o "$work/model.c" >/dev/null
    check "$law: a simulator and a file in one program" cc -std=c99 -O2 -ffp-contract=off -Iinclude -Isrc -I"$work" tests/bridge/one_source.c \
      "$work/model.c" "${BUILD:-build}/libbristle_inside.a" -lm -lpthread -o "$work/one_source"
    check "$law: the same bits" "$work/one_source" "$law"
  done
}

# ---- the verb ----

# a folder that may not be written to, also where the tests run as the system's administrator
read_only() {
  local kind output
  mkdir -p "$work/read/any" && chmod 755 "$work" "$work/read" && chmod 555 "$work/read/any"
  cp "$tool" "$work/read/bristle"
  for kind in c99:c fmu3:fmu json:json urdf:xml; do
    output=$(as_nobody "$work/read/bristle" export lugre --to "${kind%:*}" -o "$work/read/any/a.${kind#*:}" 2>&1)
    check "--to ${kind%:*} into a read-only folder: exit $?: $output" grep -q 'choose a folder you may write to' <<<"$output"
  done
  check "nothing is left there" [ -z "$(ls "$work/read/any")" ]
}
as_nobody() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }

verb() {
  cp examples/servo/*.yaml "$work" 2>/dev/null
  printf 'bristle: 1\nmodel: lugre\nparameters: {sigma0: 2e5 N/m}\nidentified: {data: [axis.csv], sha256: [abc]}\n' >"$work/m.yaml"
  expect 2 "no model given" export
  expect 2 "no format given" export lugre
  expect 2 "--to takes c99" export lugre --to pdf -o "$work/a.pdf"
  expect 2 "-o needs the name of a file" export lugre --to c99
  expect 2 "is not an option" export lugre --to c99 --fast -o "$work/a.c"
  expect 2 "a time above zero" export lugre --to c99 --sample-time 0 -o "$work/a.c"
  expect 2 "expected" export lugre --to c99 --sample-time '1 kg' -o "$work/a.c"
  expect 2 "choose a name that ends in .c" export lugre --to c99 -o "$work/a.txt"
  expect 2 "there is no law" export lugrr --to c99 -o "$work/a.c"
  expect 0 "wrote" export lugre --set level_skew=0.1 --to json -o "$work/skew.json"
  check "json has the skew" grep -q level_skew "$work/skew.json"
  expect 0 "the two directions differ by" export lugre --set level_skew=0.1 --to urdf -o "$work/skew.xml"
  expect 0 "stick at time steps above 0.0002 s" export lugre --set sigma0=1e4,sigma1=2,sigma2=0,fc=1,fs=1.5,vs=0.01 --to mujoco -o "$work/bristle.xml"
  check "the bristle of MuJoCo's motor" grep -q 'lugre="10000 2 1 1.5 0.01"' "$work/bristle.xml"
  expect 3 "must not be below fc" export lugre --set fs=0.1 --to c99 -o "$work/a.c"
  expect 5 "make the folder first" export lugre --to c99 -o "$work/none/a.c"
  expect 3 "cannot be the beginning" export lugre --to c99 -o "$work/law.c"
  cp "$work/m.yaml" "$work/m.c"
  expect 5 "would overwrite" export "$work/m.c" --to c99 -o "$work/m.c"
  printf 'int main(void) { return 0; }\n' >"$work/mine.c"
  expect 5 "is not a file that this tool wrote" export lugre --to c99 -o "$work/mine.c"
  check "a file of the user's stays" grep -q 'int main' "$work/mine.c"
  check "nothing is left beside it" [ ! -e "$work/mine.h" ]
  expect 0 "wrote $work/a.c" export "$work/m.yaml" --to c99 -o "$work/a.c"
  expect 0 "wrote $work/a.c" export "$work/m.yaml" --to c99 -o "$work/a.c" # its own may be replaced
  check "the banner says where the parameters come from" grep -q 'Identified from: axis.csv' "$work/a.c"
  check "--json lists the files" grep -q '"files": \[".*a.c", ".*a.h", ".*a_test.c"\]' \
    <("$tool" export lugre --to c99 -o "$work/a.c" --json)
  read_only
  # what the model does not say is told; what --set says counts
  printf 'bristle: 1\nmodel: lugre\nparameters: {sigma0: 2e5 N/m, fc: 1 N}\n' >"$work/part.yaml"
  expect 0 "default values used for sigma1, sigma2, vs; give them with --set" export "$work/part.yaml" --set 'fs=2 N' --to json -o "$work/part.json"
  check "a whole model says nothing of examples" [ "$("$tool" export "$work/part.yaml" --set 'fs=2 N,sigma1=300' --set sigma2=0,vs=1e-3 \
    --to json -o "$work/part.json")" = "wrote $work/part.json" ]
  printf 'bristle: 1\nmodel: lugre\nparameters: {sigma0: nan}\n' >"$work/nan.yaml"
  expect 3 "found 'nan'" export "$work/nan.yaml" --to fmu3 -o "$work/nan.fmu"
  check "nothing is written of a model that is no number" [ ! -e "$work/nan.fmu" ]
  check "nothing half-written" [ -z "$(find "$work" -name '*bristle-part*')" ]
}

# ---- compensation on an axis: identified from a noisy record, and with every parameter off by a fifth ----

servo() { # model: prints rms errors around reversals without and with, their ratio, and the unrest at the end
  "$tool" export "$@" --to c99 --float32 --sample-time '1 ms' --compensate -o "$work/model.c" >/dev/null &&
    cc -O2 -std=c99 -I"$work" tests/bridge/servo.c "$work/truth.c" "$work/model.c" -o "$work/servo" -lm && "$work/servo"
}
compensation() {
  local scale
  "$tool" export lugre --set sigma0=4e5,sigma1=1e3,sigma2=200,fc=20,fs=30,vs=2e-3 --to c99 -o "$work/truth.c" >/dev/null
  "$tool" simulate examples/axis.yaml --noise 'x=20 nm,v=20 um/s,F=0.3 N' --seed 1 -o "$work/axis.csv" --quiet
  "$tool" identify "$work/axis.csv" --model lugre -o "$work/axis.yaml" >/dev/null
  servo "$work/axis.yaml" >"$work/served"
  check "an identified model: five times better around reversals, and at rest" \
    awk '{print; exit !($3 >= 5 && $5 < 1e-6)}' "$work/served"
  for scale in 0.8 1.2; do
    servo lugre --set "$(awk -v k=$scale 'BEGIN {printf "sigma0=%g,sigma1=%g,sigma2=%g,fc=%g,fs=%g,vs=%g", 4e5*k, 1e3*k, 200*k, 20*k, 30*k, 2e-3*k}')" \
      >"$work/served.$scale"
    check "all parameters times $scale: better, and at rest" awk '{print; exit !($3 > 3 && $5 < 1e-6)}' "$work/served.$scale"
  done
  # docs/export.md quotes these runs
  awk '{printf "falls from %.2g um to %.2g um with a model identified from a noisy record, %.2g times.\n", 1e6*$1, 1e6*$2, $3}' "$work/served" >"$work/quote"
  cat "$work/served.0.8" "$work/served.1.2" | awk '{r[NR] = $3} END {printf "it still falls %.2g and %.2g times\n", r[1], r[2]}' >>"$work/quote"
  while read -r quote; do
    check "docs/export.md says: $quote" grep -qF "$quote" <(tr '\n' ' ' <docs/export.md)
  done <"$work/quote"
}

# ---- the same loop in `bristle simulate`: the exported compensation at 1 kHz ----

RIGHT="sigma0: %g, sigma1: %g, sigma2: %g, fc: %g, fs: %g, vs: %g"
scaled() { # factor of all parameters: as a block of the scenario
  awk -v k="$1" -v f="$RIGHT" 'BEGIN {printf "compensation.friction={model: lugre, parameters: {" f "}}", 4e5*k, 1e3*k, 200*k, 20*k, 30*k, 2e-3*k}'
}
around_turns() { # --set: rms error within 50 ms of a turn
  "$tool" simulate examples/compensation.yaml --quiet --set "$1" -o - 2>/dev/null | awk -F, '
    NR == 1 {for (i = 1; i <= NF; i++) if ($i ~ /^error/) e = i}
    NR > 1 && $1 > 1 {c = cos(6.283185307179586 * $1); if (c * c < 0.0955) {s += $e * $e; n++}} END {print sqrt(s / n)}'
}
unrest() { # --set: how far the axis moves in the last second of a rest after two swings
  "$tool" simulate examples/compensation.yaml --quiet --set "$1" --set initial.v=0 --set time.end=10 \
    --set 'target={knots: [[0, 0], [0.5, 5 mm], [1, -5 mm], [1.5, 2 mm]]}' -o - 2>/dev/null |
    awk -F, 'NR > 1 && $1 > 9 {if (n++ == 0) lo = hi = $2; if ($2 < lo) lo = $2; if ($2 > hi) hi = $2} END {print hi - lo}'
}
closed_loop() {
  local without with file factor
  without=$(around_turns compensation.gain=0)
  with=$(around_turns "compensation.friction={file: $work/axis.yaml}")
  file=$(awk '{print $2}' "$work/served")
  check "simulate: $without m without, $with m with an identified model: five times better" awk -v a="$without" -v b="$with" 'BEGIN {exit !(a >= 5 * b)}'
  check "simulate is the exported file: $with m, $file m" awk -v a="$file" -v b="$with" 'BEGIN {exit !(b > 0.8 * a && b < 1.25 * a)}'
  for factor in 0.8 0.9 1.1 1.2; do
    with=$(unrest "$(scaled $factor)")
    check "parameters times $factor: rests, moves $with m in a second" awk -v a="$with" 'BEGIN {exit !(a != "" && a < 1e-9)}'
    with=$(unrest "compensation.gain=$factor")
    check "gain $factor: rests, moves $with m in a second" awk -v a="$with" 'BEGIN {exit !(a != "" && a < 1e-9)}'
    with=$(around_turns "$(scaled $factor)")
    check "parameters times $factor: $with m is better than $without m" awk -v a="$without" -v b="$with" 'BEGIN {exit !(a > 3 * b)}'
  done
  "$tool" simulate examples/compensation.yaml -o "$work/loop.csv" >"$work/loop.txt" 2>&1
  check "the energy account closes" awk '/residual/ {x = $4 < 0 ? -$4 : $4} END {exit !(x != "" && x < 1e-9)}' "$work/loop.txt"
  check "target, error, command and compensation are columns" grep -q 'target \[m\],error \[m\],command \[N\],compensation \[N\]' "$work/loop.csv"
  expect 3 "sample_time" simulate examples/compensation.yaml --set 'compensation={mass: 20 kg}'
  expect 3 "above zero" simulate examples/compensation.yaml --set compensation.sample_time=0
  expect 3 "gian" simulate examples/compensation.yaml --set compensation.gian=1
}

# ---- FMUs: what the tool says; FMPy looks inside in a row of its own ----

fmus() {
  local -x TMPDIR=$work/tmp # others may export at the same time
  mkdir "$TMPDIR"
  expect 3 "there is no shape 'boddy'" export lugre --to fmu3 --shape boddy -o "$work/b.fmu"
  expect 2 "does not take --shape" export lugre --to c99 --shape body -o "$work/b.c"
  expect 2 "does not take --float32" export lugre --to fmu3 --float32 -o "$work/b.fmu"
  expect 2 "choose a name that ends in .fmu" export lugre --to fmu2 -o "$work/b.zip"
  expect 0 "an element cannot stick by itself" export coulomb --to fmu2 -o "$work/b.fmu"
  expect 0 "friction jumps" export threlfall --to fmu3 --shape body -o "$work/b.fmu"
  CC=none-such expect 0 "there is no compiler 'none-such'" export lugre --to fmu3 -o "$work/b.fmu"
  printf 'precious' >"$work/other.fmu.txt"
  expect 5 "make the folder first" export lugre --to fmu3 -o "$work/none/b.fmu"
  check "the same model gives the same unit" same_units
  check "no folder of the compiler is left" [ -z "$(ls "$TMPDIR")" ]
}
same_units() {
  SOURCE_DATE_EPOCH=1700000000 "$tool" export dahl --to fmu3 -o "$work/one.fmu" >/dev/null &&
    cp "$work/one.fmu" "$work/first.fmu" &&
    SOURCE_DATE_EPOCH=1700000000 "$tool" export dahl --to fmu3 -o "$work/one.fmu" >/dev/null &&
    cmp "$work/one.fmu" "$work/first.fmu"
}

# ---- a few numbers, and what they leave out ----

well_formed() { # file: XML or JSON, where something can read it
  command -v python3 >/dev/null || return 0
  case $1 in
  *.json) python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" ;;
  *) python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' "$1" ;;
  esac
}
plain() {
  local format file
  for format in urdf:xml urdf:urdf sdf:sdf sdf:xml mujoco:xml isaac:json json:json ssv:ssv; do
    file=$work/j_${format%:*}.${format#*:}
    expect 0 "wrote $file" export "$work/m.yaml" --to "${format%:*}" -o "$file"
    check "$file is well formed" well_formed "$file"
  done
  # what they can hold is exact
  local coulomb="--set fc=2 --set sigma2=0.5"
  check "urdf" grep -q 'damping="0.5" friction="2"' <("$tool" export coulomb $coulomb --to urdf -o "$work/c.xml" && cat "$work/c.xml")
  check "nothing is lost of coulomb in URDF" [ -z "$("$tool" export coulomb $coulomb --to urdf -o "$work/c.xml" | grep 'not in it')" ]
  check "isaac" grep -q '"static_friction_effort": 2,' <("$tool" export coulomb $coulomb --to isaac -o "$work/c.json" && cat "$work/c.json")
  expect 0 "wrote" export coulomb --to modelica -o "$work/c.mo"
  check "modelica" grep -q 'SupportFriction' "$work/c.mo"
  for word in model equation end Real Modelica; do
    expect 0 "wrote" export coulomb --to modelica -o "$work/$word.mo"
    check "a Modelica model may not be called $word" grep -q "^model friction_$word " "$work/$word.mo"
  done
  expect 0 "wrote" export coulomb --to c99 -o "$work/double.c"
  check "C called double" cc -std=c99 -Wall -Werror -c "$work/double.c" -o "$work/double.o"
  printf 'bristle: 1\nmodel: coulomb\nname: "a /* b */ c -- d"\nparameters: {fc: 1 N, sigma2: 0}\n' >"$work/comment.yaml"
  expect 0 "wrote" export "$work/comment.yaml" --to c99 -o "$work/comment.c"
  check "a comment in a name" cc -std=c99 -Wall -Wcomment -Werror -c "$work/comment.c" -o "$work/comment.o"
  expect 0 "wrote" export "$work/comment.yaml" --to modelica -o "$work/comment.mo"
  check "a comment in a name of Modelica" [ "$(grep -o '/\*' "$work/comment.mo" | wc -l)" = 1 ]
  mkdir -p "$work/*/"
  cp "$work/comment.yaml" "$work/*/comment.yaml"
  expect 0 "wrote" export "$work/*/comment.yaml" --to c99 -o "$work/path.c"
  check "a comment in a path" cc -std=c99 -Wall -Wcomment -Werror -c "$work/path.c" -o "$work/path.o"
  expect 0 "wrote" export "$work/*/comment.yaml" --to fmu3 -o "$work/path.fmu"
  # what they cannot hold is told in numbers, also along a motion
  printf 't,v\n0,0\n1,0.1\n2,0.1\n3,-0.1\n4,-0.1\n' >"$work/log.csv"
  expect 0 "1.5 N must be overcome" export lugre --to sdf -o "$work/l.xml"
  expect 0 "the force is off by" export lugre --to mujoco --data "$work/log.csv" -o "$work/l.xml"
  expect 0 "0.0 % of the friction" export coulomb $coulomb --to urdf --data "$work/log.csv" -o "$work/l.xml"
  expect 0 "differ by up to" export asymmetric --set fc_plus=2 --to urdf -o "$work/l.xml"
  expect 2 "does not take --data" export lugre --to json --data "$work/log.csv" -o "$work/l.json"
  expect 5 "cannot be read" export lugre --to urdf --data "$work/none.csv" -o "$work/l.xml"
}

# ---- the other way ----

imports() {
  expect 0 "wrote" import examples/import/joint.urdf -o "$work/elbow.yaml"
  check "friction and damping of a URDF joint" grep -q 'fc: {value: 1.2, unit: "N\*m"}' "$work/elbow.yaml"
  expect 0 "wrote" export "$work/elbow.yaml" --to urdf -o "$work/elbow.xml"
  check "there and back" grep -q 'damping="0.4" friction="1.2"' "$work/elbow.xml"
  printf '<mujoco><!-- <joint name="old" frictionloss="9"/> --><worldbody><body><joint name="a" type="slide" frictionloss="2" damping="3"/>%s' \
    '<joint name="b" frictionloss="4"/></body></worldbody></mujoco>' >"$work/m.xml"
  cp "$work/m.xml" "$work/m.yaml"
  expect 5 "would overwrite" import "$work/m.yaml" --joint a -o "$work/m.yaml"
  check "an XML file under another name stays" cmp -s "$work/m.xml" "$work/m.yaml"
  expect 3 "name one: --joint NAME" import "$work/m.xml" -o "$work/i.yaml"
  expect 3 "found 0 joints named c" import "$work/m.xml" --joint c -o "$work/i.yaml"
  expect 0 "wrote" import "$work/m.xml" --joint a -o "$work/i.yaml"
  check "a MuJoCo slide is linear" grep -q 'fc: {value: 2, unit: "N"}' "$work/i.yaml"
  printf '{"model": "m4", "actuator": "mx64", "friction_base": 0.05, "friction_stribeck": 0.03, "dtheta_stribeck": 0.2, "alpha": 1.4,
    "friction_viscous": 0.1, "load_friction_base": 0.08, "kt": 1.6}' >"$work/bam.json"
  expect 0 "load_friction_base = 0.08: friction that grows with the torque" import "$work/bam.json" -o "$work/bam.yaml"
  printf "t,v\n0,0\n1,1\n" >"$work/turn.csv"
  expect 0 "0.15" drive "$work/bam.yaml" --motion "$work/turn.csv" # 0.05 + 0.1 at 1 rad/s
  check "Stribeck parameters of BAM" grep -q 'fs: {value: 0.08,' "$work/bam.yaml"
  printf '{"friction_base": -0.05}' >"$work/negative.json"
  expect 3 "fc" import "$work/negative.json" -o "$work/negative.yaml"
  check "a model that cannot be is not written" [ ! -e "$work/negative.yaml" ]
  printf '<mujoco><default><joint frictionloss="0.7"/></default><worldbody><body><joint name="a"/><joint name="b" damping="1" frictionloss="3"/>%s' \
    '</body></worldbody></mujoco>' >"$work/defaults.xml"
  expect 3 "joint 'a' has neither friction nor damping of its own; values of <default> are not followed" import "$work/defaults.xml" --joint a -o "$work/i.yaml"
  expect 0 "values of <default>, which are not followed" import "$work/defaults.xml" --joint b -o "$work/i.yaml"
  check "its own value is taken" grep -q 'fc: {value: 3,' "$work/i.yaml"
  printf '{"kt": 1}' >"$work/other.json"
  expect 3 "friction_base" import "$work/other.json" -o "$work/i.yaml"
  expect 5 "cannot be read" import "$work/none.json" -o "$work/i.yaml"
  expect 5 "would overwrite" import "$work/bam.yaml" -o "$work/bam.yaml"
}

if [ "${1:-}" = cores ]; then
  . scripts/export-cores.sh
else
  verb
  c99_on_host
  skewed
  c99_behaviour
  one_source
  compensation
  closed_loop
  fmus
  plain
  imports
fi
finish
