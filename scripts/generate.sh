#!/usr/bin/env bash
# What is generated: include/bristle/params.h and the table of docs/laws.md, between the lines <!-- models:begin --> and
# <!-- models:end -->, from the laws' tables; the picture of the README from a report, the logs of
# examples/servo_axis from its scenarios. generate.sh write writes them,
# generate.sh check compares.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
new=$build/generated
mkdir -p "$new"

"$build/bristle" models --header >"$new/params.h"
"$build/bristle" models --markdown >"$new/models.md"
grep -q '<!-- models:begin -->' docs/laws.md && grep -q '<!-- models:end -->' docs/laws.md ||
  { echo "docs/laws.md lacks its lines models:begin and models:end"; exit 1; }
awk -v table="$new/models.md" '
  /<!-- models:end -->/ { inside = 0 }
  !inside { print }
  /<!-- models:begin -->/ { inside = 1; while ((getline line < table) > 0) print line }' docs/laws.md >"$new/laws.md"

scripts/servo-log.sh "$build/bristle" "$new/servo_axis"
(cd "$new/servo_axis" && "../../bristle" identify axis.csv --validate check.csv --force 'Current*35 N' --report ../axis.html --quiet)
scripts/picture.py "$new/axis.html" "$new/axis.svg"

status=0
for pair in params.h:include/bristle/params.h laws.md:docs/laws.md axis.svg:docs/pictures/axis.svg \
  servo_axis/{axis,check,axis_target,check_target}.csv:examples; do
  file=${pair#*:}
  [ $file != examples ] || file=examples/${pair%%:*}
  cmp -s "$new/${pair%%:*}" "$file" && continue
  case $1 in
  write) cp "$new/${pair%%:*}" "$file"; echo "wrote $file" ;;
  check) diff -u "$file" "$new/${pair%%:*}" | cut -c 1-200 | head -n 20; echo "$file is stale: run make generate"; status=1 ;;
  esac
done
exit $status
