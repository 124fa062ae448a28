#!/usr/bin/env bash
# format.sh write formats the C sources, format.sh check fails and shows the difference. Tables are macros and stay.
set -eu
cd "$(dirname "$0")/.."
command -v clang-format-19 >/dev/null || { echo "SKIP install clang-format-19"; exit 77; }

status=0
while read -r file; do
  case $1 in
  write) clang-format-19 -i "$file" ;;
  check) clang-format-19 "$file" | diff -u --label "$file" --label "formatted $file" "$file" - || status=1 ;;
  esac
done < <(find include src bridge cli bench tests playground python/native -name '*.[ch]' ! -path include/bristle/params.h | sort)
exit $status
