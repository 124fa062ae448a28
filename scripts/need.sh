#!/usr/bin/env bash
# Installs what the build needs and the machine lacks: need.sh base | all | format | mujoco [ENVIRONMENT] | fmpy | cuda | peers | python |
# playground | site.
# Where it may not or cannot install, it names the packages and the command of this system, and fails. What is looked
# for is the thing itself, not a package, so that any system where it is there will do.
set -u

missing=() wanted=()

has() { command -v "$1" >/dev/null 2>&1; }
need() { # package, then the test that it is there
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || missing+=("$package")
}
want() { # the same for what a build can do without
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || wanted+=("$package")
}
compiles() { # C or C++ text, compiled by the C driver
  printf '%s\n' "$2" | "${CC:-cc}" -x "$1" -fsyntax-only -
}
has_library() { pkg-config --exists "$1"; }
package_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

need_base() {
  need gcc has "${CC:-cc}"
  need libc6-dev compiles c '#include <stdio.h>'
  need g++ compiles c++ 'template <int N> struct number {};'
  need cmake has cmake
  need ninja-build has ninja
  need pkg-config has pkg-config
  need libfyaml-dev has_library libfyaml
  want libzip-dev has_library libzip # FMUs
}

need_all() {
  need_python
  need_format
  need_playground
  has node || need nodejs false
  need npm has npm
  need chromium has chromium
  need gcc-arm-none-eabi has arm-none-eabi-gcc
  need qemu-system-arm has qemu-system-arm
  need ccache has ccache # the rows build most laws many times
  need openmpi-bin has mpirun
  need zsh has zsh
  need fish has fish
  local package
  for package in libclang-rt-19-dev libnewlib-arm-none-eabi libsundials-dev libzip-dev libopenmpi-dev libmatio-dev; do
    need "$package" package_installed "$package"
  done
}

need_playground() { # a compiler for WebAssembly and its C library
  need clang-19 has clang-19
  need lld-19 has wasm-ld-19
  need wasi-libc test -d /usr/include/wasm32-wasi
  need libclang-rt-19-dev-wasm32 package_installed libclang-rt-19-dev-wasm32
}

# the Python package: pip brings the rest
need_python() {
  need_base
  need python3 has python3
  need python3-venv python3 -c 'import ensurepip'
}

# for comparisons and the test of the plugin: MuJoCo from PyPI, in an environment of its own below the build, or in a given one
need_mujoco() {
  need python3 has python3
  need python3-venv python3 -c 'import ensurepip'
}
get_mujoco() { # the environment, or nothing
  local home=${1:-${BUILD:-build}/mujoco}
  "$home/bin/python" -c 'import mujoco' 2>/dev/null && return 0
  echo "pip install mujoco into $home"
  python3 -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check "mujoco>=4.0" && return 0
  echo "MuJoCo could not be installed: pip needs a package index with mujoco 4.0 or later" >&2
  exit 1
}

# nvcc, where the machine has none: from PyPI, below the build; it compiles, a GPU is not needed for that
need_cuda() { has nvcc || need_mujoco; }
get_cuda() {
  local home=${BUILD:-build}/nvcc
  has nvcc || compgen -G "$home/lib/python*/site-packages/nvidia/cu*/bin/nvcc" >/dev/null && return 0
  echo "pip install nvcc into $home"
  python3 -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check "nvidia-cuda-nvcc>=13,<14" \
    "nvidia-cuda-runtime>=13,<14" "nvidia-cuda-crt>=13,<14" "nvidia-nvvm>=13,<14" && return 0
  echo "nvcc could not be installed: install the CUDA toolkit 13, or let pip reach nvidia-cuda-nvcc" >&2
  exit 1
}

# what stands beside us in `make bench`, in the same way
need_peers() { need_mujoco; }
get_peers() {
  local home=${BUILD:-build}/peers
  "$home/bin/python" -c 'import numpy, scipy, jax, mujoco' 2>/dev/null && return 0
  echo "pip install numpy scipy jax mujoco into $home"
  python3 -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check numpy scipy jax "mujoco>=4.0" && return 0
  echo "the peers could not be installed: pip needs a package index with numpy, scipy, jax and mujoco 4.0 or later" >&2
  exit 1
}

# for a test only: FMPy, and pymoca that reads Modelica, from PyPI, in the same way
need_fmpy() { need_mujoco; }
get_fmpy() {
  local home=${BUILD:-build}/fmpy
  "$home/bin/python" -c 'import fmpy, pymoca' 2>/dev/null && return 0
  echo "pip install fmpy and pymoca into $home"
  python3 -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check "fmpy>=0.3.32" pymoca && return 0
  echo "FMPy could not be installed: pip needs a package index with fmpy 0.3.32 or later" >&2
  exit 1
}

# the site: Sphinx, its theme and what sets mathematics, in the same way
need_site() {
  need_base
  need_mujoco
}
get_site() {
  local home=${BUILD:-build}/site-python
  "$home/bin/python" -c 'import sphinx, furo, myst_parser, latex2mathml' 2>/dev/null && return 0
  echo "pip install sphinx furo myst-parser latex2mathml into $home"
  python3 -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check "sphinx>=8" "furo>=2024.8" \
    "myst-parser>=4" "latex2mathml>=3.77" && return 0
  echo "Sphinx could not be installed: pip needs a package index with sphinx, furo, myst-parser and latex2mathml" >&2
  exit 1
}

need_format() { need clang-format-19 has clang-format-19; }

# Packages are listed by their Debian names; others are those of the systems' own indexes and were not tried.
other_name() { # column, Debian name
  awk -v column="$1" -v name="$2" '$1 == name {print $column; found = 1} END {if (!found) print name}' <<'END'
gcc            gcc                gcc       -
libc6-dev      glibc-devel        glibc     -
g++            gcc-c++            gcc       -
cmake          cmake              cmake     cmake
ninja-build    ninja-build        ninja     ninja
pkg-config     pkgconf-pkg-config pkgconf   pkg-config
libfyaml-dev   libfyaml-devel     libfyaml  libfyaml
libzip-dev     libzip-devel       libzip    libzip
clang-format-19 clang-tools-extra clang     clang-format
END
}
suggest() { # how to install the missing packages here
  local column install package names=() note=" (not tried: names may differ)"
  if has apt-get; then column=1 install="sudo apt-get update && sudo apt-get install -y --no-install-recommends" note=
  elif has dnf; then column=2 install="sudo dnf install"
  elif has pacman; then column=3 install="sudo pacman -S --needed"
  elif has brew; then column=4 install="brew install"
  else
    echo "install them with your system's package manager (Debian's names)"
    return
  fi
  for package in "${missing[@]}"; do
    package=$(other_name "$column" "$package")
    case $package in
    -) echo "for a compiler and its headers: xcode-select --install" ;;
    *) names+=("$package") ;;
    esac
  done
  [ ${#names[@]} = 0 ] || echo "install them with: $install ${names[*]}$note"
}

install_packages() { # quietly; the log is shown only when it fails
  local install=(apt-get install -y --no-install-recommends -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@") log
  echo "installing $*"
  log=$(mktemp)
  if { "${install[@]}" || { apt-get update && "${install[@]}"; }; } >"$log" 2>&1; then rm -f "$log"; return 0; fi
  cat "$log" >&2
  rm -f "$log"
  echo "could not install: $*" >&2
  return 1
}

# What package.json names: uPlot, which reports embed, and for the tests what drives a browser. A build without
# uPlot works, so a failure here is only told.
get_modules() { # the last package that must be there, options of npm
  local module=$1 message="reports get static pictures: install npm and run npm ci to embed uPlot"
  [ -e "node_modules/$module" ] && return
  if ! has npm && [ "$can_install" = 1 ]; then install_packages npm; fi
  has npm || { echo "$message" >&2; return; }
  echo "npm ci: $module"
  npm ci --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000 "${@:2}" >/dev/null 2>&1 ||
    echo "npm ci failed; $message" >&2
}

cd "$(dirname "$0")/.."
export DEBIAN_FRONTEND=noninteractive
can_install=0
[ "$(id -u)" = 0 ] && has apt-get && can_install=1

"need_$1" || exit 2
if [ ${#missing[@]} -ne 0 ]; then
  if [ $can_install = 0 ]; then
    echo "missing packages: ${missing[*]}" >&2
    suggest | awk '!seen[$0]++' >&2
    exit 1
  fi
  install_packages "${missing[@]}" || exit 1
fi
case $1 in
base | python | playground) get_modules uplot --omit=dev ;;
all) get_modules playwright-core --include=dev ;;
mujoco) get_mujoco "${2:-}" ;;
fmpy) get_fmpy ;;
cuda) get_cuda ;;
peers) get_peers ;;
site) get_site ;;
esac
exit 0
