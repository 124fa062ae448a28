#!/usr/bin/env bash
# Screens of what people see first, to be looked at: the picture of the README, the page of `make run`, one report of each kind, the
# first page of the site, a law, the search, the playground; 1440 and 390 px wide, light and dark, in $BUILD/screens/*.png.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build} out=${BUILD:-build}/screens
command -v node >/dev/null && command -v chromium >/dev/null || { echo "install nodejs and chromium"; exit 1; }
[ -e node_modules/playwright-core ] || npm ci --silent
rm -rf "$out" && mkdir -p "$out/pages"
pages=$out/pages servo=examples/servo_axis
say() { "$build/bristle" "$@" >/dev/null; }

[ -e "$build/run/index.html" ] || scripts/run.sh >/dev/null
[ -e "$build/site/html/index.html" ] || scripts/site.sh >/dev/null
say identify $servo/axis.csv --validate $servo/check.csv --force 'Current*35 N' --report "$pages/identify.html" -o "$pages/model.yaml"
say compare examples/compare/lugre.yaml examples/compare/dahl.yaml --data examples/compare/loops.csv --report "$pages/compare.html"
say simulate examples/stick_slip.yaml --report "$pages/simulate.html"
say sweep examples/sweeps/stick_slip.yaml -o "$pages/sweep" --report "$pages/sweep.html"
say fleet examples/fleet_faults/manifest.csv -o "$pages/fleet" --report "$pages/fleet.html"
say robot identify examples/robot/arm.urdf examples/robot/record.csv --validate examples/robot/check.csv -o "$pages/robot.yaml" --report "$pages/robot.html"
say joint examples/joints/hinge.yaml --reactions examples/joints/hinge.csv -o "$pages/joint.csv" --report "$pages/joint.html"
site=$build/site/html
node tests/site/screens.mjs "$out" readme=docs/pictures/axis.svg run="$build/run/index.html" "$pages"/*.html home="$site/index.html" law="$site/laws/lugre.html" \
  search="$site/search.html?q=stick slip" choosing="$site/choosing.html" c="$site/c/joint.html" python="$site/python/law.html" playground="$site/playground/index.html"
echo "$(ls "$out"/*.png | wc -l) screens in $out"
