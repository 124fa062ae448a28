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
  rm -f "$out/own.html" "$out/own.yaml" # of an earlier log
  "$build/bristle" identify "$LOG" ${VALIDATE:+--validate "$VALIDATE"} ${options[@]+"${options[@]}"} -o "$out/own.yaml" --report "$out/own.html" || code=$?
  [ $code != 2 ] && [ $code != 3 ] || echo "Options of the tool go into OPTIONS: make run LOG=$LOG OPTIONS=\"--force 'NAME*35 N'\"" >&2
  [ ! -s "$out/own.html" ] || echo "The page to show: $out/own.html; the model: $out/own.yaml"
  exit $code
fi

example=examples/servo_axis
say() { "$build/bristle" "$@"; }

echo "1. The log of a servo axis that carries gravity. It is simulated, so that what is found can be compared with the truth:"
echo "   encoder of 2 um, motor current (35 N/A) with ripple and noise, a sample late; friction differs between the directions."
cp "$example/axis.csv" "$example/check.csv" "$out"
say simulate "$example/axis.yaml" --report "$out/axis.html" --quiet

echo "2. Which friction is it? bristle identify axis.csv --validate check.csv --force 'Current*35 N'"
say identify "$out/axis.csv" --validate "$out/check.csv" --force 'Current*35 N' -o "$out/model.yaml" --report "$out/identify.html" | tee "$out/identify.txt"

echo
echo "3. The winner on the log that was held out, beside a simpler law"
say identify "$out/axis.csv" --force 'Current*35 N' --model coulomb -o "$out/coulomb.yaml" --quiet
say compare "$out/model.yaml" "$out/coulomb.yaml" --data "$out/check.csv" -o "$out/forces.csv" --report "$out/compare.html" |
  tee "$out/compare.txt"

echo
echo "4. The classic experiments"
say gallery -o "$out/gallery" | tee "$out/gallery.txt"

# ---- one page that links all of it, with what was found ----

between() { sed -n "/$1/,/$2/p" "$out/identify.html"; }
figures=$(sed -n 's/^\([0-9]* figures, [0-9]* numbers checked, [0-9]* missed\).*/\1/p' "$out/gallery.txt")
# a row: what it is, truth, name in the result, unit; the result is the first line of the leading law with that name
beside() {
  awk -v law="$(sed -n 's/^\* \([a-z_]*\( + skew\)*\) .*/\1/p' "$out/identify.txt")" -v name="$3" -v about="$1" -v truth="$2" -v unit="$4" '
    $0 == law { inside = 1 }
    inside && /The force seems to come/ && name == "delay" { match($0, /[0-9.]+ ms/); found = substr($0, RSTART, RLENGTH - 3) }
    inside && $1 == name && $3 == "+-" { found = $2 " \302\261 " $4; if ($5 ~ /^e/) found = "(" found ")" }
    inside && /^$/ { exit }
    END { gsub(/\(\(/, "(", found); printf "<tr><th scope=\"row\">%s</th><td class=\"r\">%s</td><td class=\"r\">%s</td><td>%s</td></tr>\n", about, truth, found == "" ? "not found" : found, unit }
  ' "$out/identify.txt"
}

cat >"$out/index.html.part" <<END
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>A servo axis: what was found</title>$(between '^<style>' '^<\/style>')
</head><body>
<header><h1>A servo axis: what was found</h1></header>
<main>
<p>The log is <b>simulated</b>: a servo axis of 20 kg that carries gravity, with an encoder of 2 µm, motor current with ripple and noise that comes a
sample late, and friction that differs between the directions. <code>bristle identify</code> saw time, position and current, nothing else.</p>
$(between '^<div class="card' '^<\/div><!-- card')
$(between '^<figure' '^<\/figure>' | sed '/^<\/figure>/q' | sed '/^<script/d')
$(between '^<div class="tiles' '^<\/div>')
<section><h2>Truth beside result</h2>
<div class="scroll" tabindex="0"><table class="data"><thead><tr><th scope="col">what</th><th scope="col" class="r">truth</th><th scope="col" class="r">found</th><th scope="col"></th></tr></thead><tbody>
$(beside 'Coulomb level <code>fc</code>' 20 fc N)
$(beside 'static level <code>fs</code>' 30 fs N)
$(beside 'Stribeck speed <code>vs</code>' 0.002 vs m/s)
$(beside 'bristle stiffness <code>sigma0</code>' 400000 sigma0 N/m)
$(beside 'bristle damping <code>sigma1</code>' 1000 sigma1 'N s/m')
$(beside 'viscous coefficient <code>sigma2</code>' 200 sigma2 'N s/m')
$(beside 'difference of the directions <code>skew</code>' 40 skew 'N s/m')
$(beside 'mass' 20 mass kg)
$(beside 'gravity along the axis <code>offset</code>' 60 offset N)
$(beside 'delay of the current' 4 delay ms)
</tbody></table></div></section>
<section><h2>All pages</h2>
<ul style="grid-column: 1 / -1">
<li><a href="identify.html">What was identified</a>: pictures, laws ranked, parameters with deviations; as a model file: <a href="model.yaml">model.yaml</a></li>
<li><a href="compare.html">The held-out log</a>: the winner beside a simpler law; forces in <a href="forces.csv">forces.csv</a></li>
<li><a href="axis.html">The simulated axis</a>: motion, force and loop; the logs: <a href="axis.csv">axis.csv</a>, <a href="check.csv">check.csv</a></li>
<li><a href="gallery/index.html">Classic experiments</a>: $figures</li>
</ul>
<p>Your own log: <code>make run LOG=YOUR_LOG.csv</code>, or <code>bristle identify YOUR_LOG.csv --report report.html</code>. Guides and one page on
each law: <code>make site</code>.</p></section>
</main></body></html>
END
mv "$out/index.html.part" "$out/index.html"

echo
echo "Everything on one page: $out/index.html"
