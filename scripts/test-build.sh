#!/usr/bin/env bash
# The build itself: a misspelt source is an error, the version stands in one place, every target of the Makefile's head
# exists, and where nothing can be installed the packages are named.
set -eu
cd "$(dirname "$0")/.."
work=$(realpath "${BUILD:-build}")/test/build
rm -rf "$work"
mkdir -p "$work"
fail() { echo "$*"; exit 1; }

# a tree of links, with one name changed in its CMakeLists.txt
for name in *; do [ "$name" = build ] || ln -s "$PWD/$name" "$work/$name"; done
for source in src/core/check.c src/fit/squares/linear.c cli/main.c tests/values.c bench/plain.c; do
  rm -f "$work/CMakeLists.txt"
  sed "s|$source|${source%.c}_misspelt.c|" CMakeLists.txt >"$work/CMakeLists.txt"
  cmp -s CMakeLists.txt "$work/CMakeLists.txt" && fail "$source is not in CMakeLists.txt"
  cmake -S "$work" -B "$work/configured" -G Ninja >"$work/log" 2>&1 && fail "a misspelt $source is not noticed"
  grep -q 'misspelt' "$work/log" || fail "the misspelt $source is not named"
done
echo "ok misspelt sources"

version=$(awk '/^#define BRISTLE_VERSION_(MAJOR|MINOR|PATCH)/ {text = text dot $3; dot = "."} END {print text}' include/bristle/api.h)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "no version in api.h"
[ "$("${BUILD:-build}/bristle" --version)" = "bristle $version" ] || fail "the tool is not $version"
grep -rnF "\"$version\"" CMakeLists.txt cmake src cli include python pyproject.toml --include=* | grep -v 'bristle_version(void)' &&
  fail "the version stands here, too"
echo "ok version"

for target in $(sed -n 's/^#   make \([a-z-]*\).*/\1/p' Makefile); do
  make -n "$target" BUILD="$work/none" >/dev/null 2>"$work/log" || { cat "$work/log"; fail "make $target does not exist"; }
done
echo "ok targets"

names() { # package manager, words that must be named
  local folder=$work/path-$1 name
  mkdir "$folder"
  for name in bash awk cat dirname; do ln -s "$(command -v $name)" "$folder/$name"; done
  printf '#!%s\necho 1000\n' "$(command -v bash)" >"$folder/id" # somebody who may not install
  chmod +x "$folder/id"
  [ "$1" = none ] || ln -s "$(type -P true)" "$folder/$1"
  PATH=$folder bash scripts/need.sh base >"$work/log" 2>&1 && fail "nothing is missing without tools"
  shift
  for name in "$@"; do grep -qF -- "$name" "$work/log" || { cat "$work/log"; fail "$name is not named"; }; done
}
names apt-get 'apt-get install' libyaml-dev g++
names dnf 'dnf install' libyaml-devel gcc-c++ 'not tried'
names pacman 'pacman -S' libyaml ninja 'not tried'
names brew 'brew install' libyaml xcode-select 'not tried'
names none libyaml-dev
echo "ok packages"
