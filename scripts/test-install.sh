#!/usr/bin/env bash
# Installs the build to a fresh place, moves it, and builds tests/consumer against it as users do: find_package and
# pkg-config, shared and static, C and C++.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${BUILD:-build}")
work=$build/test/install
rm -rf "$work"
mkdir -p "$work"

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix" # nothing in it may know where it was installed
prefix=$work/prefix
libdir=$(dirname "$(find "$prefix" -name libbristle.a)")
grep -rIl "$PWD" "$prefix" && { echo "an installed file names the source tree"; exit 1; }

expected='lugre glides with its steady force: yes
derivatives: yes'
check() { # what, then the program
  local what=$1 text
  shift
  text=$("$@")
  [ "$text" = "$expected" ] || { printf '%s prints:\n%s\n' "$what" "$text"; exit 1; }
  echo "ok $what"
}

cmake -S tests/consumer -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
for file in man/man1/bristle.1 bash-completion/completions/bristle zsh/site-functions/_bristle fish/vendor_completions.d/bristle.fish; do
  [ -s "$prefix/share/$file" ] || { echo "share/$file is not installed"; exit 1; }
done
cmake --build "$work/cmake" >/dev/null
check "find_package, shared" "$work/cmake/with_shared"
check "find_package, static" "$work/cmake/with_static"
readelf -d "$work/cmake/with_shared" | grep -q 'NEEDED.*libbristle.so.0' || { echo "with_shared is not shared"; exit 1; }
readelf -d "$work/cmake/with_static" | grep -q 'NEEDED.*libbristle' && { echo "with_static is not static"; exit 1; }

export PKG_CONFIG_PATH=$libdir/pkgconfig
cc=${CC:-cc}
flags=$(pkg-config --cflags bristle) libs=$(pkg-config --libs bristle)
$cc -Wall -Wextra -Werror -std=c99 tests/consumer/main.c $flags $libs -o "$work/plain_shared"
$cc tests/consumer/main.c $flags "$(pkg-config --variable=libdir bristle)/libbristle.a" -lm -o "$work/plain_static"
$cc -Wall -x c++ tests/consumer/main.c $flags $libs -o "$work/plain_cxx"
check "pkg-config, shared" env LD_LIBRARY_PATH="$libdir" "$work/plain_shared"
check "pkg-config, static" "$work/plain_static"
check "pkg-config, C++" env LD_LIBRARY_PATH="$libdir" "$work/plain_cxx"

# the README's program, and the other examples
awk '/^```c examples\/first\.c/ {on = 1; next} /^```/ {on = 0} on' README.md | diff - examples/first.c ||
  { echo "the program in README.md is not examples/first.c"; exit 1; }
for example in examples/*.c; do
  name=$(basename "$example" .c)
  $cc -Wall -Wextra -Werror "$example" $flags $libs -lm -o "$work/$name"
  LD_LIBRARY_PATH=$libdir "$work/$name" >"$work/$name.txt" || { echo "$example fails"; exit 1; }
  echo "ok $example"
done
# it holds for a minute and breaks away when CVODE says, 61.4236 s, within its steps of 1 ms
awk '/^drift/ {held = $7 ^ 2 < 1e-24 && $8 ^ 2 < 1e-24} /^breaks/ {late = ($4 - 61.4236) ^ 2 < 25e-6} END {exit !(held && late)}' \
  "$work/arm.txt" || { echo "examples/arm.c prints:"; cat "$work/arm.txt"; exit 1; }

# the library brought along as a subdirectory: its targets exist and it adds no option of its own
cmake -S tests/consumer -B "$work/sub" -G Ninja -DBRISTLE_SOURCE="$PWD" >/dev/null
grep -E '^BRISTLE_(WERROR|TOOLS|INSTALL|DISPATCH):' "$work/sub/CMakeCache.txt" && { echo "options leak"; exit 1; }
cmake --build "$work/sub" --target with_static -- -n >/dev/null
echo "ok subdirectory"
