#!/usr/bin/env bash
# format.sh write formats the C sources, format.sh check fails and shows the difference. Tables are macros and stay.
set -eu
cd "$(dirname "$0")/.."
command -v clang-format-19 >/dev/null || { echo "SKIP install clang-format-19"; exit 77; }

files() { find include src bridge cli bench tests playground python/native cmake -name '*.[ch]' ! -path include/bristle/params.h | sort; }
case $1 in
write) files | xargs clang-format-19 -i ;;
check) # one process looks at all of them: a process each takes three times as long
  said=$(files | xargs clang-format-19 --dry-run --Werror 2>&1) && exit 0
  stale=$(sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: .*clang-formatted.*/\1/p' <<<"$said" | sort -u)
  for file in $stale; do clang-format-19 "$file" | diff -u --label "$file" --label "formatted $file" "$file" - || true; done
  [ -n "$stale" ] || echo "$said"
  exit 1
  ;;
esac
