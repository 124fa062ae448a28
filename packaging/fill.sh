#!/usr/bin/env bash
# Recipes of other package managers for one version: fill.sh FOLDER URL ARCHIVE. They are made from the files beside this one,
# with the version of include/bristle/api.h. URL is where the source archive will be, ARCHIVE the file itself (`make release`
# makes it). HOMEPAGE and DEBEMAIL are the publisher's; without them the recipes have addresses of example.org.
set -eu
cd "$(dirname "$0")/.."
folder=$1 url=$2 archive=$3
version=$(awk '/^#define BRISTLE_VERSION_(MAJOR|MINOR|PATCH)/ {text = text dot $3; dot = "."} END {print text}' include/bristle/api.h)
soversion=${version%%.*}
[ "$soversion" != 0 ] || soversion=${version%.*} # as cmake/libraries.cmake has it
email=${DEBEMAIL:-bristle@example.org}
sha256=$(sha256sum <"$archive") sha512=$(sha512sum <"$archive")
sha256=${sha256%% *} sha512=${sha512%% *}
date=$(date -R -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")

fill() { # from, to
  mkdir -p "$(dirname "$folder/$2")"
  sed -e "s|@VERSION@|$version|g" -e "s|@SOVERSION@|$soversion|g" -e "s|@URL@|$url|g" -e "s|@SHA256@|$sha256|g" \
    -e "s|@SHA512@|$sha512|g" -e "s|@EMAIL@|$email|g" -e "s|@HOMEPAGE@|${HOMEPAGE:-https://example.org/bristle}|g" \
    -e "s|@DATE@|$date|g" "packaging/$1" >"$folder/$2"
  chmod --reference "packaging/$1" "$folder/$2"
}

fill conda/recipe.yaml conda/recipe.yaml
fill vcpkg/vcpkg.json vcpkg/bristle/vcpkg.json
fill vcpkg/portfile.cmake vcpkg/bristle/portfile.cmake
fill homebrew/bristle.rb homebrew/bristle.rb
fill ros2/package.xml ros2/package.xml
for name in changelog control copyright rules bristle.install libbristle-dev.install source/format; do
  fill "debian/$name" "debian/$name"
done
fill debian/libbristle.install "debian/libbristle$soversion.install"
