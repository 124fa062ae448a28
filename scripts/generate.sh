#!/usr/bin/env bash
# What is generated: include/bristle/params.h and the table of docs/laws.md, between the lines <!-- models:begin --> and
# <!-- models:end -->, from the laws' tables; the picture of the README from a report. generate.sh write writes them,
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

record() { # scenario, seed, file: as make run does
  "$build/bristle" simulate "examples/$1.yaml" --noise 'x=20 nm,v=20 um/s,F=0.3 N' --seed "$2" -o "$new/$3" --quiet
}
record axis 1 axis.csv
record axis_check 2 check.csv
"$build/bristle" identify "$new/axis.csv" --validate "$new/check.csv" --report "$new/axis.html" --quiet
scripts/picture.py "$new/axis.html" "$new/axis.svg"

status=0
for pair in params.h:include/bristle/params.h laws.md:docs/laws.md axis.svg:docs/pictures/axis.svg; do
  file=${pair#*:}
  cmp -s "$new/${pair%%:*}" "$file" && continue
  case $1 in
  write) cp "$new/${pair%%:*}" "$file"; echo "wrote $file" ;;
  check) diff -u "$file" "$new/${pair%%:*}" | cut -c 1-200 | head -n 20; echo "$file is stale: run make generate"; status=1 ;;
  esac
done
exit $status
