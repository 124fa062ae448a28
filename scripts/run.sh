#!/usr/bin/env bash
# What the tool does, from a recording to a model that is checked, and the gallery. Everything lands in $BUILD/run.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build} out=${BUILD:-build}/run
mkdir -p "$out"

# a force sensor and a fine encoder; the same seeds give the same bytes
record() { # scenario, seed, file
  "$build/bristle" simulate "examples/$1.yaml" --noise 'x=20 nm,v=20 um/s,F=0.3 N' --seed "$2" -o "$out/$3" --quiet
}

echo "1. A machine axis is recorded, with noise: axis.csv to identify, check.csv to be held out"
record axis 1 axis.csv
record axis_check 2 check.csv
sed -n 's/^  parameters: {\(.*\)}/   made with \1/p' examples/axis.yaml
"$build/bristle" simulate examples/axis.yaml --report "$out/axis.html" --quiet

echo "2. Which friction is it?"
"$build/bristle" identify "$out/axis.csv" --validate "$out/check.csv" --model coulomb,stribeck,dahl,lugre,elasto_plastic \
  -o "$out/model.yaml" --report "$out/identify.html"

echo
echo "3. The winner on the record that was held out, beside a simpler law"
"$build/bristle" identify "$out/axis.csv" --model dahl -o "$out/dahl.yaml" --quiet
"$build/bristle" compare "$out/model.yaml" "$out/dahl.yaml" --data "$out/check.csv" -o "$out/forces.csv" --report "$out/compare.html"

echo
echo "4. The classic experiments"
"$build/bristle" gallery -o "$out/gallery"

cat <<END

The axis                  $out/axis.html
What was identified       $out/identify.html, as a model $out/model.yaml
The held-out record       $out/compare.html
Classic experiments       $out/gallery/index.html
END
