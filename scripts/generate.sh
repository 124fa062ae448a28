#!/usr/bin/env bash
# What is generated from the laws' tables: include/bristle/params.h and the table in README.md between the lines
# <!-- models:begin --> and <!-- models:end -->. generate.sh write writes them, generate.sh check compares.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
new=$build/generated
mkdir -p "$new"

"$build/bristle" models --header >"$new/params.h"
"$build/bristle" models --markdown >"$new/models.md"
grep -q '<!-- models:begin -->' README.md && grep -q '<!-- models:end -->' README.md ||
  { echo "README.md lacks its lines models:begin and models:end"; exit 1; }
awk -v table="$new/models.md" '
  /<!-- models:end -->/ { inside = 0 }
  !inside { print }
  /<!-- models:begin -->/ { inside = 1; while ((getline line < table) > 0) print line }' README.md >"$new/README.md"

status=0
for pair in params.h:include/bristle/params.h README.md:README.md; do
  file=${pair#*:}
  cmp -s "$new/${pair%%:*}" "$file" && continue
  case $1 in
  write) cp "$new/${pair%%:*}" "$file"; echo "wrote $file" ;;
  check) diff -u "$file" "$new/${pair%%:*}" | head -n 20; echo "$file is stale: run make generate"; status=1 ;;
  esac
done
exit $status
