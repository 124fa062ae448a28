#!/usr/bin/env bash
# The logs of examples/servo_axis, as a controller would have written them: servo-log.sh TOOL FOLDER writes the targets, and with
# the scenarios of examples/servo_axis the logs. The encoder has steps of 2 um, the current of a motor of 35 N/A comes a sample late
# and has noise (0.8 N) and the ripple of its magnets (0.6 N, every 12 mm). `make generate` brings the files in the folder up to date.
set -eu
cd "$(dirname "$0")/.."
tool=$1 out=$2

target() { # file, moves: begin, end, place in mm; each without a jump of velocity or acceleration
  shift
  printf '%s %s %s\n' "$@" | awk 'BEGIN { print "t [s],target [mm]"; print "0,0" }
    { steps = int(($2 - $1) / 0.005 + 0.5)
      for (i = $1 > 0 ? 0 : 1; i <= steps; i++) {
        s = i / steps
        printf "%g,%.5g\n", $1 + s * ($2 - $1), from + ($3 - from) * s * s * s * (10 + s * (6 * s - 15))
      }
      from = $3 }'
}

log() { # name, seed
  local work
  work=$(mktemp -d)
  cp "examples/servo_axis/$1.yaml" "$out/$1_target.csv" "$work"
  "$tool" simulate "$work/$1.yaml" --noise 'command=0.8 N' --seed "$2" -o "$work/run.csv" --quiet
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { split($i, word, " "); at[word[1]] = i } print "Time [s],Position [mm],Current [A]"; next }
    { printf "%s,%.3f,%.4f\n", $1, 0.002 * sprintf("%.0f", $at["x"] / 2e-6) + 0, before # + 0: no -0.000
      before = ($at["command"] + 60 + 0.6 * sin(2 * 3.14159265 * $at["x"] / 0.012)) / 35 }' "$work/run.csv" >"$out/$1.csv"
  rm -r "$work"
}

mkdir -p "$out"
target axis 0.2 0.8 80  1.0 1.6 0  1.8 2.8 100  3.0 5.2 93  5.3 6.5 95  6.6 7.0 94.9  7.1 7.5 94.98  7.6 8.2 94.9  8.3 8.9 20  9.1 9.6 60 \
  >"$out/axis_target.csv"
target check 0.2 1 60  1.2 2.2 62  2.3 2.6 61.9  2.8 3.3 90  3.5 4.2 5  4.3 4.7 4.9  4.8 5.1 5  5.2 5.9 30 >"$out/check_target.csv"
log axis 1
log check 2
