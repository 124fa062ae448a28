#!/usr/bin/env bash
# macOS without a Mac: macos.sh compiles and links both libraries and the tool for arm64 and x86-64, with clang, lld and
# the headers of scripts/need.sh macos. Nothing runs. What is looked at: the files are Mach-O, the libraries show names of
# bristle_ only and are found beside what needs them.
# Exits 0 when all is right, 1 when not, 77 when a tool is missing.
set -eu
cd "$(dirname "$0")/.."
build=$(realpath "${BUILD:-build}")
out=$build/test/macos
scripts/need.sh macos || { echo "SKIP install clang-19 lld-19 llvm-19, and pip needs ziglang 0.13"; exit 77; }

fail() { echo "FAIL $*"; exit 1; }
library() { # path, its name inside
  file -L "$1" | grep -q "Mach-O 64-bit .*$kind.*shared library" || fail "$1 is no library of $arch: $(file -L "$1")"
  llvm-otool-19 -D "$1" | grep -qx "@rpath/$2" || fail "$1 is not called @rpath/$2: $(llvm-otool-19 -D "$1")"
  llvm-nm-19 -gU "$1" | awk '{print $NF}' >"$1.names"
  grep -qx "_bristle_version" "$1.names" || grep -qx "_bristle_simulate" "$1.names" || fail "$1 shows none of our functions"
  ! grep -v '^_bristle_' "$1.names" || fail "$1 shows what is not ours"
}
for arch in arm64 x86_64; do
  dir=$out/$arch kind=$arch
  cmake -S . -B "$dir" -G Ninja --no-warn-unused-cli -DCMAKE_TOOLCHAIN_FILE=cmake/macos.cmake -DBRISTLE_MACOS_ARCH=$arch \
    -DBRISTLE_MACOS_SDK="$build/foreign/macos" -DBRISTLE_LAB=ON -DBRISTLE_LIBYAML_SOURCE="$build/libyaml" -DBRISTLE_HOST_TOOLS="$build" -DBRISTLE_INSTALL=OFF -DCMAKE_BUILD_TYPE=Debug \
    -DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON >/dev/null
  cmake --build "$dir" -j "${JOBS:-2}" --target bristle_shared bristle_lab_shared bristle_tool
  library "$dir/libbristle.dylib" "$(cd "$dir" && readlink libbristle.dylib)"
  library "$dir/libbristle-lab.dylib" "$(cd "$dir" && readlink libbristle-lab.dylib)"
  llvm-otool-19 -L "$dir/libbristle-lab.dylib" | grep -q '@rpath/libbristle\.[0-9]' || fail "libbristle-lab does not need libbristle"
  llvm-otool-19 -l "$dir/libbristle-lab.dylib" | grep -q 'path @loader_path ' || fail "libbristle-lab does not look for libbristle beside itself"
  file "$dir/bristle" | grep -q "Mach-O 64-bit .*$kind.*executable" || fail "no tool of $arch: $(file "$dir/bristle")"
  ! llvm-otool-19 -L "$dir/bristle" | tail -n +2 | grep -v '/usr/lib/libSystem' || fail "the tool needs more than the system"
  echo "ok $arch: $(wc -l <"$dir/libbristle.dylib.names") and $(wc -l <"$dir/libbristle-lab.dylib.names") names"
done
