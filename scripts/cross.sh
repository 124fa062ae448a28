#!/usr/bin/env bash
# Another processor, emulated by qemu-user: cross.sh aarch64 | s390x. The bits of every law, what the laws promise, and
# the whole tool, whose files must have the bytes of this machine's tool. On s390x the most significant byte of a number
# comes first, which files must not show.
#
# Exits 0 when all is equal, 1 when not, 77 when a tool is missing.
set -eu
cd "$(dirname "$0")/.."
arch=$1
build=$(realpath "${BUILD:-build}")
out=$build/test/cross/$arch
libraries=$build/foreign/$arch # of scripts/need.sh cross
native=$build/bristle

skip() { echo "SKIP $*"; exit 77; }
case $arch in
aarch64) strict=ON ;;
s390x) strict=OFF ;; # its compiler ignores a pragma of the batch loops, and a warning of that has no name to turn it off by
*) echo "no processor $arch: aarch64 or s390x"; exit 2 ;;
esac
command -v "$arch-linux-gnu-gcc" >/dev/null || skip "install gcc-$arch-linux-gnu g++-$arch-linux-gnu"
command -v "qemu-$arch" >/dev/null || skip "install qemu-user"
scripts/need.sh cross "$arch" || skip "install libyaml of $arch: scripts/need.sh cross $arch"
mkdir -p "$out"

configure() { # folder, options
  local dir=$1
  shift
  PKG_CONFIG_SYSROOT_DIR=$libraries PKG_CONFIG_LIBDIR=$libraries/usr/lib/$arch-linux-gnu/pkgconfig cmake -S . -B "$dir" -G Ninja \
    --no-warn-unused-cli -DCMAKE_TOOLCHAIN_FILE="cmake/$arch.cmake" -DBRISTLE_WERROR=$strict -DBRISTLE_HOST_TOOLS="$build" -DBRISTLE_INSTALL=OFF "$@" >/dev/null
}
emulated() { # program, arguments
  "qemu-$arch" -L "/usr/$arch-linux-gnu" -E LD_LIBRARY_PATH="$libraries/usr/lib/$arch-linux-gnu" "$@"
}

# ---- the laws: batches as vectors of this processor, in both precisions ----

configure "$out/laws" -DBRISTLE_LAB=OFF -DBRISTLE_DERIVATIVES=OFF -DCMAKE_BUILD_TYPE=Release
cmake --build "$out/laws" -j "${JOBS:-2}" --target golden conformance
emulated "$out/laws/golden" >"$out/bits.txt"
diff tests/golden/bits.txt "$out/bits.txt" || { echo "$arch differs from tests/golden/bits.txt"; exit 1; }
echo "ok golden: $(wc -l <"$out/bits.txt") of $(wc -l <tests/golden/bits.txt)"
# three more tests of this program take minutes in the emulator
for test in tables_are affine only_laws without_loads rate_free odd_laws passive steady_force coupled; do
  emulated "$out/laws/conformance" "$test" >"$out/conformance.txt" || { cat "$out/conformance.txt"; exit 1; }
  echo "ok $test: $(tail -n 1 "$out/conformance.txt")"
done

# ---- the tool: what it writes has the same bytes ----

# with the small form of the laws, which has the same bits and compiles in less time
configure "$out/tool" -DBRISTLE_LAB=ON -DBRISTLE_LEAN=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O1
cmake --build "$out/tool" -j "${JOBS:-2}" --target bristle_tool
foreign() { emulated "$out/tool/bristle" "$@"; }
foreign doctor >"$out/doctor.txt" || { cat "$out/doctor.txt"; exit 1; }
! grep -q 'not ok\|FAIL' "$out/doctor.txt" || { cat "$out/doctor.txt"; exit 1; }

both() { # name of a result, arguments in which @ is its path: the same path for both, since files may name it
  local name=$1 who path=$out/result/$1
  shift
  for who in "$native" foreign; do
    mkdir -p "$out/result" "$out/${who##*/}"
    rm -rf "$path" "$out/${who##*/}/$name"
    "$who" "${@//@/$path}" >"$out/said.txt" || { cat "$out/said.txt"; exit 1; }
    [ -e "$path" ] || mv "$out/said.txt" "$path" # what it prints is the result
    mv "$path" "$out/${who##*/}/$name"
  done
  diff -r "$out/bristle/$name" "$out/foreign/$name" || { echo "$arch: $name differs"; exit 1; }
  echo "ok $name: $(cat $(find "$out/foreign/$name" -type f) | wc -c) bytes"
}

cat >"$out/sweep.yaml" <<END
scenario: $PWD/examples/stick_slip.yaml
set: {time.end: 2 s, solver.rtol: 1e-6}
keys: {speed: {loguniform: [20 mm/s, 0.5 m/s]}, friction.fc: {normal: [1 N, 0.1 N]}}
runs: 6
seed: 7
chunk: 3
quantities: [stick_slip, end.x, energy.friction]
END
both simulate.csv simulate examples/stick_slip.yaml --set time.end=5 --quiet -o @
both loops.json identify examples/compare/loops.csv --json --trust --model coulomb,lugre --threads 2
both model.yaml identify examples/compare/loops.csv --trust --model dahl -o @
both sweep sweep "$out/sweep.yaml" --quiet -o @
both merged.npy sweep --check "$out/bristle/sweep" --merge @
both merged.csv sweep --check "$out/bristle/sweep" --merge @
both lugre.c export lugre --to c99 -o @
foreign export lugre --to fmu3 -o "$out/lugre.fmu" >"$out/said.txt" 2>&1 || { cat "$out/said.txt"; exit 1; }
python3 -m zipfile -t "$out/lugre.fmu" | grep -qx 'Done testing' || { echo "lugre.fmu is damaged"; exit 1; }
python3 -m zipfile -l "$out/lugre.fmu" | grep -q "^binaries/$arch-linux/lugre.so " || { echo "lugre.fmu names another processor"; exit 1; }
echo "ok lugre.fmu"
# a chunk that was damaged is computed again, and counted
printf x >>"$out/foreign/sweep/chunk-000001.npy"
foreign sweep "$out/sweep.yaml" -o "$out/foreign/sweep" >"$out/again.txt" 2>&1 || { cat "$out/again.txt"; exit 1; }
grep -q '1 chunk was there but not whole' "$out/again.txt" || { cat "$out/again.txt"; exit 1; }
diff -r "$out/bristle/sweep" "$out/foreign/sweep" && echo "ok damage"
