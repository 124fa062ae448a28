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

echo "1. A machine axis is recorded, with noise: axis.csv to identify, check.csv to be held out"
record axis 1 axis.csv
record axis_check 2 check.csv
sed -n 's/^  parameters: {\(.*\)}/   made with \1/p' examples/axis.yaml
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
law=$(sed -n 's/^model: //p' "$out/model.yaml")
made=$(sed -n 's/.*model: \([a-z_]*\).*/\1/p' examples/axis.yaml | head -n 1)
values=$(awk -v law="$law" '$0 == law {on = 1; next} on && !NF {exit}
  on && $3 == "+-" {printf "%s%s %s +- %s %s", comma, $1, $2, $4, $5; comma = ", "}' "$out/identify.txt")
explains=$(grep -m 1 '^  The model ' "$out/identify.txt" | sed 's/^ *//')
better=$(grep -m 1 ' fits this log best' "$out/compare.txt")
figures=$(sed -n 's/^\([0-9]* figures, [0-9]* numbers checked, [0-9]* missed\).*/\1/p' "$out/gallery.txt")

cat >"$out/index.html.part" <<END
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>What was found</title>
<style>
:root { color-scheme: light dark; background: Canvas; color: CanvasText; }
body { background: Canvas; font: 1.05rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: break-word; }
li { margin: 0.4rem 0; }
</style></head><body>
<h1>What was found</h1>
<p>$(echo "A machine axis with $made friction was recorded with noise, and the law that explains it best is $law: $values." | escaped)
$(echo "On the record that was held out, $better" | escaped)
$(echo "The classic experiments ran as well: $figures." | escaped)</p>
<p>$(echo "$explains" | escaped)</p>
<ul>
<li><a href="axis.html">The axis</a>: the motion, the force and the loop that were recorded</li>
<li><a href="identify.html">What was identified</a>: laws ranked, parameters with deviations; as a model file: <a href="model.yaml">model.yaml</a></li>
<li><a href="compare.html">The held-out record</a>: the winner beside a simpler law; forces in <a href="forces.csv">forces.csv</a></li>
<li><a href="gallery/index.html">Classic experiments</a> with the numbers that check them</li>
<li>The records: <a href="axis.csv">axis.csv</a>, <a href="check.csv">check.csv</a></li>
</ul>
<p>Next: <code>bristle identify YOUR_LOG.csv --report report.html</code>, <code>bristle models</code>, and <code>make site</code> for guides and
one page on each law.</p>
</body></html>
END
mv "$out/index.html.part" "$out/index.html"

echo
echo "Everything on one page: $out/index.html"
