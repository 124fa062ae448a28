#!/usr/bin/env bash
# Installs what the build needs and the machine lacks: need.sh base | all | format.
# Without the right to install it names the packages (Debian 12) and the command, and fails.
set -u

missing=()

has() { command -v "$1" >/dev/null 2>&1; }
need() { # package, then the test that it is there
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}
compiles() { # C or C++ text, compiled by the C driver
  printf '%s\n' "$2" | "${CC:-cc}" -x "$1" -fsyntax-only -
}
package_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

need_base() {
  need gcc has "${CC:-cc}"
  need libc6-dev compiles c '#include <stdio.h>'
  need g++ compiles c++ 'template <int N> struct number {};'
  need cmake has cmake
  need ninja-build has ninja
  need pkg-config has pkg-config
  need libfyaml-dev package_installed libfyaml-dev
}

need_all() {
  need_base
  need_format
  need clang-19 has clang-19
  need lld-19 has wasm-ld-19
  has node || need nodejs false
  need gcc-arm-none-eabi has arm-none-eabi-gcc
  need qemu-system-arm has qemu-system-arm
  local package
  for package in libclang-rt-19-dev libclang-rt-19-dev-wasm32 wasi-libc libnewlib-arm-none-eabi \
    libsundials-dev; do
    need "$package" package_installed "$package"
  done
}

need_format() { need clang-format-19 has clang-format-19; }

"need_$1" || exit 2
[ ${#missing[@]} -eq 0 ] && exit 0

install="apt-get install -y --no-install-recommends ${missing[*]}"
if [ "$(id -u)" != 0 ] || ! has apt-get; then
  echo "missing packages: ${missing[*]}" >&2
  echo "install them with: sudo apt-get update && sudo $install" >&2
  exit 1
fi

echo "installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
{ $install || { apt-get update && $install; }; } >"$log" 2>&1 && exit 0
cat "$log" >&2
echo "could not install: ${missing[*]}" >&2
exit 1
