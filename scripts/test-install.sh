#!/usr/bin/env bash
# Installs the build to a fresh place, moves it, and builds tests/consumer against it as users do: find_package and
# pkg-config, shared and static, C and C++. Looks at what the libraries show and need.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${BUILD:-build}")
work=$build/test/install
rm -rf "$work"
mkdir -p "$work"
fail() { echo "$*"; exit 1; }

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix" # nothing in it may know where it was installed
prefix=$work/prefix
libdir=$(dirname "$(find "$prefix" -name libbristle.a)")
version=$("$prefix/bin/bristle" --version | sed 's/bristle //')
soversion=${version%%.*}
[ "$soversion" != 0 ] || soversion=${version%.*} # before 1.0 a minor version may change the interface
grep -rIl "$PWD" "$prefix" && fail "an installed file names the source tree"

# ---- names ----

for library in libbristle libbristle-lab; do
  shown=$(nm -D --defined-only "$libdir/$library.so" | awk '{print $3}')
  grep -q '^bristle_' <<<"$shown" || fail "$library.so shows nothing"
  grep -v '^bristle_' <<<"$shown" && fail "$library.so shows these names"
  readelf -d "$libdir/$library.so" | grep -q "SONAME.*$library\.so\.${soversion//./\\.}\]" || fail "$library.so has no SONAME"
  nm -g --defined-only "$libdir/$library.a" | awk 'NF == 3 {print $3}' | grep -v '^bristle_' && fail "$library.a has these names"
done
readelf -d "$libdir/libbristle.so" | grep NEEDED && fail "libbristle.so needs a library"
nm -D --undefined-only "$libdir/libbristle.so" | grep -v ' w ' && fail "libbristle.so needs these functions"
for name in bristle_law_find bristle_lugre_model bristle_network_solve bristle_joint_step bristle_patch_step \
  bristle_steprule_next bristle_version; do
  nm -D "$libdir/libbristle.so" | grep -q " $name$" || fail "libbristle.so does not show $name"
done
for name in bristle_simulate bristle_identification_run bristle_scenario_file_read bristle_table_read bristle_number_text; do
  nm -D "$libdir/libbristle-lab.so" | grep -q " $name$" || fail "libbristle-lab.so does not show $name"
done
echo "ok names"

# ---- headers: each alone, strict C99 and C++17, whatever the user's warnings ----

cc=${CC:-cc}
for header in "$prefix"/include/bristle/*.h; do
  name=bristle/$(basename "$header")
  cmp -s "$header" "include/$name" || fail "$header is not include/$name"
  for language in "c -std=c99" "c++ -std=c++17"; do
    printf '#include <%s>\nextern int something;\n' "$name" | $cc -x $language -Wall -Wextra -pedantic -Werror -Wno-unused-function -fsyntax-only \
      -I"$prefix/include" - || fail "$name does not stand alone as $language"
  done
done
for header in include/bristle/*.h; do
  [ -e "$prefix/$header" ] || [ "$header" = include/bristle/cuda.h ] || fail "$header is not installed"
done
echo "ok headers"

# ---- the program that each header begins with: at most 15 lines, and it prints what stands below it ----

program_of() { sed -n '1,/^ \*\//s/^ \*   //p' "$1" | sed -n '/^#include/,/^}/p'; }
valgrind=${ALL:+$(command -v valgrind || true)}
for header in "$prefix"/include/bristle/*.h include/bristle/cuda.h; do
  name=$(basename "$header" .h)
  program_of "$header" >"$work/$name.c"
  lines=$(wc -l <"$work/$name.c")
  [ "$lines" -gt 4 ] && [ "$lines" -le 15 ] || fail "the program of $name.h has $lines lines"
  $cc -std=c99 -Wall -Wextra -Werror -I"$prefix/include" -Iinclude -c "$work/$name.c" -o "$work/$name.o" || fail "the program of $name.h"
  [ "$name" != cuda ] || continue # it needs a GPU
  $cc "$work/$name.o" -L"$libdir" -lbristle-lab -lbristle -o "$work/$name"
  LD_LIBRARY_PATH=$libdir ${valgrind:+$valgrind -q --error-exitcode=9 --leak-check=full} "$work/$name" >"$work/$name.txt" ||
    { cat "$work/$name.txt"; fail "the program of $name.h fails"; }
  wanted=$(sed -n '1,/^ \*\//s/^ \* It prints "\(.*\)"\.$/\1/p' "$header")
  [ "$(cat "$work/$name.txt")" = "$wanted" ] || fail "the program of $name.h prints '$(cat "$work/$name.txt")', not '$wanted'"
done
echo "ok programs of the headers${valgrind:+, under valgrind}"

# ---- examples and documents are where the tool says ----

for what in Examples Documents; do
  place=$("$prefix/bin/bristle" --help | sed -n "s/^$what are in //p")
  case $place in "$prefix"/*) ;; *) fail "bristle --help does not find its $what: '$place'" ;; esac
done
"$prefix/bin/bristle" simulate "$prefix/share/bristle/examples/stick_slip.yaml" --quiet -o "$work/run.csv" ||
  fail "an installed example does not run"
echo "ok examples and documents"

# ---- consumers of libbristle ----

expected="bristle $version
lugre glides with its steady force: yes
derivatives: yes"
check() { # what, then the program
  local what=$1 text
  shift
  text=$("$@")
  [ "$text" = "$expected" ] || { printf '%s prints:\n%s\n' "$what" "$text"; exit 1; }
  echo "ok $what"
}

cmake -S tests/consumer -B "$work/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" -DWANTED_VERSION="${version%.*}" >/dev/null
for file in man/man1/bristle.1 bash-completion/completions/bristle zsh/site-functions/_bristle fish/vendor_completions.d/bristle.fish; do
  [ -s "$prefix/share/$file" ] || { echo "share/$file is not installed"; exit 1; }
done
cmake --build "$work/cmake" >/dev/null
check "find_package, shared" "$work/cmake/with_shared"
check "find_package, static" "$work/cmake/with_static"
readelf -d "$work/cmake/with_shared" | grep -q 'NEEDED.*libbristle.so.0' || fail "with_shared is not shared"
readelf -d "$work/cmake/with_static" | grep -q 'NEEDED.*libbristle' && fail "with_static is not static"

export PKG_CONFIG_PATH=$libdir/pkgconfig
flags=$(pkg-config --cflags bristle) libs=$(pkg-config --libs bristle)
[ "$(pkg-config --modversion bristle)" = "$version" ] || fail "pkg-config bristle is not $version"
[ "$(pkg-config --modversion bristle-lab)" = "$version" ] || fail "pkg-config bristle-lab is not $version"
$cc -Wall -Wextra -Werror -std=c99 tests/consumer/main.c $flags $libs -o "$work/plain_shared"
$cc tests/consumer/main.c $flags "$libdir/libbristle.a" -o "$work/plain_static"
$cc -Wall -x c++ tests/consumer/main.c $flags $libs -o "$work/plain_cxx"
check "pkg-config, shared" env LD_LIBRARY_PATH="$libdir" "$work/plain_shared"
check "pkg-config, static" "$work/plain_static"
check "pkg-config, C++" env LD_LIBRARY_PATH="$libdir" "$work/plain_cxx"

# ---- consumers of libbristle-lab: from a log to a report, on two threads ----

lab() { # what, then the program
  local what=$1 folder=$work/lab-$RANDOM text
  shift
  mkdir -p "$folder/0" "$folder/1"
  text=$("$@" examples/compare/loops.csv "$folder") || { echo "$what: $text"; exit 1; }
  [ "$text" = "${first:=$text}" ] || fail "$what prints '$text', not '$first'"
  [[ $text == *"rows"*"agree: yes" ]] || fail "$what prints '$text'"
  grep -q 'sigma0' "$folder/0/model.yaml" && grep -q '</html>' "$folder/1/page.html" || fail "$what: files are missing"
  cmp "$folder/0/page.html" "$folder/1/page.html" || fail "$what: the pages differ"
  echo "ok $what"
}
lab "lab by find_package, shared" "$work/cmake/with_lab"
lab "lab by find_package, static" "$work/cmake/with_lab_static"
lab_flags=$(pkg-config --cflags bristle-lab) lab_libs="$(pkg-config --libs bristle-lab) -lm -pthread"
export LD_LIBRARY_PATH=$libdir
$cc -Wall -Wextra -Werror -std=c99 -D_POSIX_C_SOURCE=200809L tests/consumer/lab.c $lab_flags $lab_libs -o "$work/lab_c99"
lab "lab by pkg-config, C99" "$work/lab_c99"
$cc -Wall -Wextra -Werror -x c++ -std=c++17 tests/consumer/lab.c $lab_flags $lab_libs -o "$work/lab_cxx17"
lab "lab by pkg-config, C++17" "$work/lab_cxx17"
if [ -n "${ALL:-}" ]; then
  $cc -g -fsanitize=address,undefined -fno-sanitize-recover=all tests/consumer/lab.c $lab_flags $lab_libs -o "$work/lab_sanitized"
  lab "lab under the sanitizers" "$work/lab_sanitized"
fi
unset LD_LIBRARY_PATH

# ---- names: a user's own functions may have the names of internal ones
inside=$(nm -g --defined-only "$libdir/libbristle.a" "$libdir/libbristle-lab.a" |
  sed -n 's/.* T bristle_inside_\([a-z][a-z0-9_]*\)$/\1/p' | sort -u)
[ "$(wc -w <<<"$inside")" -gt 100 ] || fail "no internal names were found"
for name in $inside; do echo "void $name(void);"; echo "void $name(void) {}"; done >"$work/names.c"
$cc -fno-builtin tests/consumer/main.c "$work/names.c" $flags -L"$libdir" -Wl,--whole-archive -l:libbristle.a \
  -l:libbristle-lab.a -Wl,--no-whole-archive $(pkg-config --libs yaml-0.1) -lm -pthread -o "$work/own_names"
check "a user's own names, $(wc -w <<<"$inside") of them" "$work/own_names"

# ---- the first program, and the other examples ----

awk '/^```c examples\/first\.c/ {on = 1; next} /^```/ {on = 0} on' docs/c.md | diff - examples/first.c ||
  fail "the program in docs/c.md is not examples/first.c"
for example in examples/*.c; do
  name=$(basename "$example" .c)
  $cc -Wall -Wextra -Werror "$example" $flags $libs -lm -o "$work/$name"
  LD_LIBRARY_PATH=$libdir "$work/$name" >"$work/$name.txt" || fail "$example fails"
  echo "ok $example"
done
# it holds for a minute and breaks away when CVODE says, 61.4236 s, within its steps of 1 ms
awk '/^drift/ {held = $7 ^ 2 < 1e-24 && $8 ^ 2 < 1e-24} /^breaks/ {late = ($4 - 61.4236) ^ 2 < 25e-6} END {exit !(held && late)}' \
  "$work/arm.txt" || { echo "examples/arm.c prints:"; cat "$work/arm.txt"; exit 1; }

# the library brought along as a subdirectory: its targets exist and it adds no option of its own
cmake -S tests/consumer -B "$work/sub" -G Ninja -DBRISTLE_SOURCE="$PWD" >/dev/null
grep -E '^BRISTLE_(WERROR|TOOLS|INSTALL|DISPATCH|LAB):' "$work/sub/CMakeCache.txt" && fail "options leak"
cmake --build "$work/sub" --target with_static -- -n >/dev/null
echo "ok subdirectory"
