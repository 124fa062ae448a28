#!/usr/bin/env bash
# The two commands of the README on a Debian with git, make and gcc and nothing else: test-bare.sh bookworm | trixie.
# A root folder is made by mmdebstrap, once (BARE_CACHE keeps it); the tree goes there as a clone, with what was changed since.
# An ordinary user is told which packages are missing; root gets them, runs and tests; then the user does the same. Without
# BRISTLE_LONG the user tests a few rows only. Warnings are errors. Compilers run through this machine's ccache, which the bare one does not see.
set -u
cd "$(dirname "$0")/.."
release=$1 number=12
[ "$release" = trixie ] && number=13
build=${BUILD:-build} cache=${BARE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/bristle}
root=$(mkdir -p "$build/test" && cd "$build/test" && pwd)/bare-$number tree=$PWD
most_packages=40
fail() { echo "FAIL $*"; exit 1; }

[ "$(uname -m)" = x86_64 ] || { echo "SKIP hardware: chroots of this test are for x86-64"; exit 78; }
[ "$(id -u)" = 0 ] || { echo "SKIP chroot needs root"; exit 77; }
scripts/need.sh bare || { echo "SKIP install mmdebstrap"; exit 77; }

make_base() { # a tar file of the release, made anew after a month
  local base=$cache/bare-$release.tar
  mkdir -p "$cache"
  if [ -z "$(find "$base" -type f -mtime -30 2>/dev/null)" ]; then
    rm -rf "$base" "$base.part"
    mmdebstrap --quiet --format=tar --variant=minbase --include=git,make,gcc "$release" "$base.part" >&2 && mv "$base.part" "$base" || return 1
  fi
  echo "$base"
}

inside() { # user, command: in the bare system, with an environment of its own; mounts end with it
  local user=$1 as=()
  [ "$user" = root ] || as=(setpriv --reuid=1000 --regid=1000 --clear-groups)
  unshare --mount bash -c '
    root=$1 && shift
    mount -t proc proc "$root/proc" && mount -t tmpfs tmpfs "$root/tmp" && mount --rbind /dev "$root/dev" || exit 1
    if [ -d "$root/ccache" ]; then
      mount --bind / "$root/outside" && mount -o remount,bind,ro "$root/outside" && mount --bind "$CCACHE" "$root/ccache" || exit 1
    fi
    exec chroot "$root" env -i "$@"' bash "$root" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    HOME="/home/$user" USER="$user" WERROR=ON "${launcher[@]}" ${BARE_DATA:+BRISTLE_DATA=$BARE_DATA} "${as[@]}" bash -c "cd ~/bristle && $2"
}

share_ccache() { # the compilers of the bare system through the ccache of this one
  launcher=()
  command -v ccache >/dev/null || return 0
  export CCACHE=$(ccache --get-config cache_dir)
  mkdir -p "$CCACHE" "$root/ccache" "$root/outside"
  cat >"$root/usr/local/lib/launch" <<LAUNCH
#!/bin/sh
# ccache tells objects apart by the language of messages; /lib64 is a link that leads to the loader of the bare system
$(for name in LANG LC_ALL LC_CTYPE LC_MESSAGES; do [ -z "${!name+x}" ] || echo "export $name='${!name}'"; done)
exec /outside/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 --library-path /outside/lib/x86_64-linux-gnu:/outside/usr/lib/x86_64-linux-gnu /outside/usr/bin/ccache "\$@"
LAUNCH
  chmod +x "$root/usr/local/lib/launch"
  launcher=(CMAKE_C_COMPILER_LAUNCHER=/usr/local/lib/launch CCACHE_DIR=/ccache CCACHE_UMASK=000 CCACHE_TEMPDIR=/tmp)
}

put_tree() { # user: a clone, and what was changed since the last commit
  local home=$root/home/$1
  mkdir -p "$home" && git clone --quiet "$tree" "$home/bristle" || return 1
  git ls-files -co --exclude-standard -z | tar --null --ignore-failed-read -T - -c 2>/dev/null | tar -x -C "$home/bristle"
  [ "$1" = root ] || chown -R 1000:1000 "$home"
}

packages() { grep -c '^Status: install ok installed' "$root/var/lib/dpkg/status"; }
timed() { # what, user, command: shows the end of what went wrong
  local log=$root/../bare-$number-$1.txt begin=$SECONDS
  inside "$2" "$3" >"$log" 2>&1 || { tail -n 40 "$log"; fail "$2: $3"; }
  echo "ok $2: $3: $((SECONDS - begin)) s"
}
page_is_there() { # user
  local page
  page=$(tail -n 1 "$root/../bare-$number-run-$1.txt" | sed -n 's/.*: \(build[^ ]*\.html\)$/\1/p')
  [ -n "$page" ] && [ -s "$root/home/$1/bristle/$page" ] || fail "$1: make run does not end with its page"
  grep -q '<figure' "$root/home/$1/bristle/build/run/identify.html" || fail "$1: no pictures"
}
all_passed() { # user, fewest
  local last
  last=$(tail -n 1 "$root/../bare-$number-test-$1.txt")
  [[ $last =~ ^([0-9]+)\ passed,\ 0\ failed,\ [0-9]+\ skipped$ ]] && [ "${BASH_REMATCH[1]}" -ge "$2" ] || fail "$1: make test ends with: $last"
  echo "ok $1: $last"
}

base=$(make_base) || { echo "SKIP no package index: mmdebstrap cannot make $release"; exit 77; }
rm -rf "$root" && mkdir -p "$root" && tar -C "$root" -xf "$base" || exit 1
trap 'rm -rf "$root"' EXIT
share_ccache
put_tree root && put_tree user || exit 1
before=$(packages)

inside user 'make run' >"$root/../bare-$number-refused.txt" 2>&1 && fail "make run without packages ends well"
for name in g++ cmake libyaml-dev 'apt-get install'; do
  grep -q -- "$name" "$root/../bare-$number-refused.txt" || fail "an ordinary user is not told of $name"
done
[ "$(packages)" = "$before" ] || fail "an ordinary user installed something"

timed run-root root 'make run'
page_is_there root
added=$(($(packages) - before))
[ $added -le $most_packages ] || fail "make run installed $added packages, at most $most_packages are allowed"
echo "ok make run installed $added packages"
timed test-root root 'make test'
all_passed root 1000
timed run-user user 'make run'
page_is_there user
if [ -n "${BRISTLE_LONG:-}" ]; then timed test-user user 'make test' && all_passed user 1000
else timed test-user user 'make test ROWS="cli files install"' && all_passed user 300; fi
