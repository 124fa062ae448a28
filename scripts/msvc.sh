#!/usr/bin/env bash
# What users of Microsoft's compiler are promised, as far as it can be tested without it. clang aims at its target and
# speaks strict C11 and C++17; what only GNU compilers know is an error:
#   every public header is compiled alone, in both languages, and a program that uses the typed laws from a DLL;
#   every law, in both precisions, and what stands on the laws compile as C for that target without any C library.
# Exits 0 when all compiles, 1 when not, 77 when clang-19 is missing.
set -eu
cd "$(dirname "$0")/.."
out=${BUILD:-build}/test/msvc
command -v clang-19 >/dev/null || { echo "SKIP install clang-19"; exit 77; }
rm -rf "$out" && mkdir -p "$out/libc"
# Microsoft's own headers are not here; the public ones need one name of them
echo 'typedef struct FILE FILE;' >"$out/libc/stdio.h"
target=(clang-19 --target=x86_64-pc-windows-msvc -fms-compatibility-version=19.29 -ffreestanding -nostdlibinc -Iinclude)
strict=("${target[@]}" -isystem "$out/libc" -fsyntax-only -pedantic-errors -Werror -Wgnu -Wvla
  '-D__attribute__(x)=only_GNU_compilers_know_attributes' -D__extension__=only_GNU_compilers_know_extension)

headers() { # folder
  local header
  for header in "$1"/bristle/*.h; do
    "${strict[@]}" -x c -std=c11 "$header" || return 1
    "${strict[@]}" -x c++ -std=c++17 "$header" || return 1
  done
}
headers include || exit 1
echo "ok headers: $(ls include/bristle/*.h | wc -l), C11 and C++17"

# can it fail? each of these is in use among GNU compilers and unknown to the other
for line in 'int f(int) __attribute__((pure));' '#define LARGER(a, b) ({ (a) > (b) ? (a) : (b); })
static inline int g(int a) { return LARGER(a, 1); }' 'static inline int h(int n) { int a[n]; return (int)sizeof a; }' \
  'static inline int k(int a) { return a ?: 1; }'; do
  mkdir -p "$out/bad/bristle" && printf '%s\n' "$line" >"$out/bad/bristle/bad.h"
  ! headers "$out/bad" 2>/dev/null || { echo "this is not refused: $line"; exit 1; }
done
echo "ok refusals"

# tables come from the DLL, or from the archive where BRISTLE_STATIC says so
printf '#include "bristle/params.h"\ndouble f(const bristle_lugre *p, bristle_lugre_state *s, const bristle_input *in)\n{ double v; return bristle_lugre_step(p, s, in, &v); }\n' >"$out/user.c"
"${target[@]}" -std=c11 -O1 -S "$out/user.c" -o "$out/dll.s"
"${target[@]}" -std=c11 -O1 -S -DBRISTLE_STATIC "$out/user.c" -o "$out/static.s"
grep -q '__imp_bristle_lugre_model' "$out/dll.s" || { echo "the table of a law is not taken from the DLL"; exit 1; }
! grep -q '__imp_' "$out/static.s" || { echo "BRISTLE_STATIC asks for a DLL"; exit 1; }
echo "ok tables"

# the core itself, which needs no C library: by clang (clang-cl is the same compiler); cl.exe does not know its GNU words
laws=$(sed -n 's|^BRISTLE_LAW(\(.*\))$|src/models/\1.c|p' src/models/models.def)
count=0
compile() { # options, then files after --
  local options=()
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  for file in "$@"; do
    "${target[@]}" -Isrc -std=gnu11 -fno-math-errno -ffp-contract=off -O0 -c -Wno-everything "${options[@]}" "$file" -o "$out/object.o" ||
      { echo "$file does not compile"; exit 1; }
    count=$((count + 1))
  done
}
compile -DBRISTLE_NO_DIFF -- src/core/*.c src/models/registry.c src/models/skewed.c src/joint/*.c src/steprule/*.c src/planar/*.c $laws
compile -DBRISTLE_F32=1 -- $laws
compile -x c++ -std=c++17 -fno-exceptions -fno-rtti -DBRISTLE_DIFF -- src/models/lugre.c
echo "ok core: $count objects"
