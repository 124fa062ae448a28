#!/usr/bin/env bash
# What the tool does, from a recording to a model that is checked, and the gallery. Everything lands in $BUILD/run, and
# $BUILD/run/index.html links all of it. With LOG=my.csv the user's own log is identified instead; VALIDATE=other.csv is held out,
# and OPTIONS are those of `bristle identify`: OPTIONS="--position q --force 'i*0.12 Nm/A'".
set -eu -o pipefail
cd "$(dirname "$0")/.."
build=${BUILD:-build} out=${BUILD:-build}/run
mkdir -p "$out"

if [ -n "${LOG:-}" ]; then
  eval "options=(${OPTIONS:-})"
  code=0
  rm -f "$out"/own.*
  "$build/bristle" identify "$LOG" ${VALIDATE:+--validate "$VALIDATE"} ${options[@]+"${options[@]}"} -o "$out/own.yaml" --report "$out/own.html" || code=$?
  [ ! -s "$out/own.html" ] || echo "The page to show: $out/own.html; the model: $out/own.yaml"
  exit $code
fi

# a force sensor and a fine encoder; the same seeds give the same bytes
record() { # scenario, seed, file
  "$build/bristle" simulate "examples/$1.yaml" --noise 'x=20 nm,v=20 um/s,F=0.3 N' --seed "$2" -o "$out/$3" --quiet
}

echo "1. A machine axis is simulated, with noise: axis.csv to identify, check.csv to be held out"
record axis 1 axis.csv
record axis_check 2 check.csv
made=$(sed -n 's/^  parameters: {\(.*\)}/\1/p' examples/axis.yaml)
echo "   made with $made"
"$build/bristle" simulate examples/axis.yaml --report "$out/axis.html" --quiet

echo "2. Which friction is it?"
"$build/bristle" identify "$out/axis.csv" --validate "$out/check.csv" --model coulomb,stribeck,dahl,lugre,elasto_plastic \
  -o "$out/model.yaml" --report "$out/identify.html" | tee "$out/identify.txt"

echo
echo "3. The winner on the record that was held out, beside a simpler law"
"$build/bristle" identify "$out/axis.csv" --model dahl -o "$out/dahl.yaml" --quiet
"$build/bristle" compare "$out/model.yaml" "$out/dahl.yaml" --data "$out/check.csv" -o "$out/forces.csv" --report "$out/compare.html" |
  tee "$out/compare.txt"

echo
echo "4. The classic experiments"
"$build/bristle" gallery -o "$out/gallery" | tee "$out/gallery.txt"

# ---- one page that links all of it, with what was found ----

escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/ +- / ± /g'; }
between() { sed -n "/$1/,/$2/p" "$out/identify.html"; }
figures=$(sed -n 's/^\([0-9]* figures, [0-9]* numbers checked, [0-9]* missed\).*/\1/p' "$out/gallery.txt")

cat >"$out/index.html.part" <<END
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>What was found</title>
$(between '^<style>' '^<\/style>')
</head><body>
<header><h1>What was found</h1></header>
<main>
<p>A machine axis was simulated, with noise as a force sensor and an encoder have it, and its friction was identified from that log. It was made with
$(echo "$made" | escaped).</p>
$(between '^<div class="card' '^<\/div><!-- card' | sed 's/ beside"/" style="max-width: 48rem"/')
$(between '^<div class="tiles' '^<\/div>')
<ul>
<li><a href="identify.html">What was identified</a>: the picture, laws ranked, parameters with deviations; as a model file: <a href="model.yaml">model.yaml</a></li>
<li><a href="compare.html">The held-out log</a>: the winner beside a simpler law; forces in <a href="forces.csv">forces.csv</a></li>
<li><a href="axis.html">The axis</a>: motion, force and loop; as logs: <a href="axis.csv">axis.csv</a>, <a href="check.csv">check.csv</a></li>
<li><a href="gallery/index.html">Classic experiments</a>: $figures</li>
</ul>
<p>Your own log: <code>make run LOG=YOUR_LOG.csv</code>, or <code>bristle identify YOUR_LOG.csv --report report.html</code>. Guides and one page on
each law: <code>make site</code>.</p>
</main></body></html>
END
mv "$out/index.html.part" "$out/index.html"

echo
echo "Everything on one page: $out/index.html"
