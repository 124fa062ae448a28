#!/usr/bin/env bash
# Makes a release: release.sh VERSION (make release VERSION=0.2.0). DRY=1 leaves the repository as it is.
#
# Everything is done in a clone below build/release: the version goes into include/bristle/api.h, the newest heading of
# CHANGELOG.md gets it with the date, both are committed and tagged, and from that commit come the source archive, the
# Linux and Windows archives, the Python sdist and wheels, the recipes and the checksums. Only when all of them are there the commit and
# the tag come into this repository. Nothing is uploaded, and what need.sh has installed before is not asked for again.
# Refused: uncommitted changes, a version that is not newer, a changelog without entries for it.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
mkdir -p "$build/release"
out=$(realpath "$build/release")
tree=$out/tree
fail() { echo "release: $*" >&2; exit 1; }
version=${1:-}

# ---- may it be? ----

current() { awk '/^#define BRISTLE_VERSION_(MAJOR|MINOR|PATCH)/ {text = text dot $3; dot = "."} END {print text}' include/bristle/api.h; }
newer() { # is the first version after the second?
  [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$1" ]
}
check_version() {
  local last
  [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "the version is '$version', expected three numbers: make release VERSION=0.2.0"
  last=$(git tag --list 'v[0-9]*' | sed 's/^v//' | sort -V | tail -n 1)
  [ -z "$last" ] || newer "$version" "$last" || fail "version $version is not newer than the last release, $last"
  ! newer "$(current)" "$version" || fail "version $version is older than that of include/bristle/api.h, $(current)"
}
check_author() { git var GIT_AUTHOR_IDENT >/dev/null 2>&1 || fail "git does not know who you are: git config user.name and user.email"; }
check_tree() {
  local changes=$(git status --porcelain)
  [ -z "$changes" ] || { echo "$changes" >&2; fail "commit or remove these changes first"; }
}
check_changelog() { # the first heading is the coming version's, has entries, and those below are released and fall
  local headings
  awk '/^## / {count++} count == 1 && /^- / {found = 1} END {exit !found}' CHANGELOG.md ||
    fail "CHANGELOG.md has no entries (lines that begin with '- ') below its first heading"
  grep -m 1 '^## ' CHANGELOG.md | grep -qi 'unreleased' ||
    fail "CHANGELOG.md begins with '$(grep -m 1 '^## ' CHANGELOG.md)', expected '## Unreleased' and what is new below it"
  headings=$(grep '^## ' CHANGELOG.md | tail -n +2 | awk '{print $2}')
  [ "$headings" = "$(sort -rV <<<"$headings")" ] || fail "the versions in CHANGELOG.md do not fall: $(echo $headings)"
}

# ---- the commit and its tag, in the clone ----

mark() {
  local date=$(date -u +%Y-%m-%d) part value
  rm -rf "$tree"
  git clone --quiet . "$tree"
  for part in user.name user.email; do # settings of this repository alone
    value=$(git config "$part") && git -C "$tree" config "$part" "$value"
  done
  value=$version
  cd "$tree"
  for part in MAJOR MINOR PATCH; do
    sed -i "s/^\(#define BRISTLE_VERSION_$part\) [0-9]*$/\1 ${value%%.*}/" include/bristle/api.h
    value=${value#*.}
  done
  [ "$(current)" = "$version" ] || fail "include/bristle/api.h did not take the version"
  sed -i "0,/^## .*/s//## $version ($date)/" CHANGELOG.md
  git commit --quiet --all --message "release: $version"
  git tag --annotate "v$version" --message "bristle $version"
  cd - >/dev/null
}

# ---- what is delivered ----

source_archive() {
  git -C "$tree" archive --format=tar --prefix="bristle-$version/" "v$version" | gzip -9n >"$out/bristle-$version.tar.gz"
}
linux_archive() { # a prefix that runs on any Linux with glibc 2.28 or later; built where `make` builds, for ccache
  local name=bristle-$version-linux-$(uname -m)
  cmake -S "$tree" -B "$tree/build" -G Ninja -DBRISTLE_PORTABLE=ON -DBRISTLE_MPI=OFF -DCMAKE_INSTALL_LIBDIR=lib >"$out/linux.log"
  cmake --build "$tree/build" -j "${JOBS:-2}" --target bristle_tool bristle_static bristle_shared bristle_lab_static bristle_lab_shared \
    manual >>"$out/linux.log" || { tail -n 30 "$out/linux.log"; fail "the Linux build"; }
  rm -rf "${out:?}/$name"
  cmake --install "$tree/build" --prefix "$out/$name" --strip >>"$out/linux.log"
  cp /usr/share/doc/libyaml-0-2/copyright "$out/$name/share/doc/bristle/libyaml-licence.txt" # it is inside
  tar c -C "$out" --sort=name --owner=0 --group=0 --numeric-owner "$name" | gzip -9n >"$out/$name.tar.gz"
  rm -rf "${out:?}/$name"
}
windows_archive() { # the tool, the libraries and their headers, by mingw-w64; texts of the laws come from the Linux build
  local name=bristle-$version-windows-x86_64 made=$tree/build-windows
  cmake -S "$tree" -B "$made" -G Ninja --no-warn-unused-cli -DCMAKE_TOOLCHAIN_FILE=cmake/windows.cmake -DBRISTLE_LAB=ON \
    -DBRISTLE_HOST_TOOLS="$tree/build" -DBRISTLE_LIBYAML_SOURCE="$libyaml" -DBRISTLE_MPI=OFF -DBRISTLE_INSTALL=OFF >"$out/windows.log"
  cmake --build "$made" -j "${JOBS:-2}" --target bristle_tool bristle_static bristle_shared bristle_lab_static bristle_lab_shared \
    >>"$out/windows.log" || { tail -n 30 "$out/windows.log"; fail "the Windows build"; }
  rm -rf "${out:?}/$name" && mkdir -p "$out/$name/bin" "$out/$name/lib"
  cp "$made/bristle.exe" "$made"/*.dll "$out/$name/bin"
  x86_64-w64-mingw32-strip "$out/$name/bin"/*
  cp "$made"/libbristle*.a "$out/$name/lib"
  cp -R "$tree/include" "$tree/examples" "$tree/README.md" "$tree/LICENSE" "$tree/docs/windows.md" "$out/$name"
  cp /usr/share/doc/libyaml-0-2/copyright "$out/$name/libyaml-licence.txt" # it is inside
  (cd "$out" && rm -f "$name.zip" && cmake -E tar cf "$name.zip" --format=zip --mtime="$(date -u +%Y-%m-%d)" "$name")
  rm -rf "${out:?}/$name"
}
python_archives() {
  local python=$(realpath "$build/release-python/bin")/python wheels=$out/wheel
  rm -rf "$wheels" "$out"/*.whl
  (cd "$tree" && "$python" -m build --quiet --no-isolation --sdist --outdir "$out/sdist" . >/dev/null &&
    CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-2} "$python" -m build --quiet --no-isolation --wheel --outdir "$wheels" . >/dev/null) ||
    fail "the Python package"
  mv "$out/sdist/bristle-$version.tar.gz" "$out/bristle-$version-python-sdist.tar.gz"
  PATH=$(dirname "$python"):$PATH "$python" -m auditwheel repair --plat "manylinux_2_28_$(uname -m)" --wheel-dir "$out" \
    "$wheels"/*.whl >"$out/wheel.log" 2>&1 || { cat "$out/wheel.log"; fail "the wheel does not run on manylinux_2_28"; }
  rm -rf "$wheels" "$out/sdist"
}
windows_wheel() { # by mingw-w64, from the sources that the Linux wheel is made of
  local python=$(realpath "$build/release-python/bin")/python wheels=$out/windows-wheel
  rm -rf "$wheels"
  (cd "$tree" && CMAKE_BUILD_PARALLEL_LEVEL=${JOBS:-2} "$python" -m build --quiet --no-isolation --wheel --outdir "$wheels" \
    -C build-dir=build-python-windows -C cmake.define.CMAKE_TOOLCHAIN_FILE="$tree/cmake/windows.cmake" \
    -C cmake.define.BRISTLE_LAB=ON -C cmake.define.BRISTLE_MPI=OFF -C cmake.define.BRISTLE_HOST_TOOLS="$tree/build" \
    -C cmake.define.BRISTLE_LIBYAML_SOURCE="$libyaml" . >"$out/windows-wheel.log" 2>&1) ||
    { tail -n 30 "$out/windows-wheel.log"; fail "the Windows wheel"; }
  "$python" -m wheel tags --remove --platform-tag win_amd64 "$wheels"/*.whl >/dev/null || fail "the tag of the Windows wheel"
  mv "$wheels"/*.whl "$out" && rm -rf "$wheels"
}
recipes() {
  rm -rf "$out/packaging"
  "$tree/packaging/fill.sh" "$out/packaging" "${RELEASE_URL:-https://example.org/bristle}/bristle-$version.tar.gz" \
    "$out/bristle-$version.tar.gz"
}
checksums() { (cd "$out" && sha256sum -- *"$version"*.tar.gz *"$version"*.zip *.whl >SHA256SUMS && sha256sum --quiet -c SHA256SUMS); }

check_version
check_author
check_tree
check_changelog
scripts/need.sh release
export CCACHE_BASEDIR=$tree CCACHE_NOHASHDIR=1
rm -f "$out"/*.tar.gz "$out"/*.zip "$out"/*.whl
libyaml=$(realpath "$build/libyaml")
mark
source_archive
linux_archive
windows_archive
python_archives
windows_wheel
recipes
checksums
if [ -z "${DRY:-}" ]; then
  git pull --quiet --ff-only "$tree" HEAD
  git fetch --quiet "$tree" "refs/tags/v$version:refs/tags/v$version"
  echo "committed and tagged v$version; publish it with: git push origin HEAD v$version"
else
  echo "DRY: no commit, no tag"
fi
echo "$out:"
(cd "$out" && ls -1 -- *.tar.gz *.zip *.whl SHA256SUMS packaging)
