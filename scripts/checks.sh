# What scripts/test-*.sh share: the tool, a folder that goes when they end, and checks that are counted. They source it from
# the root of the tree.
tool=$(realpath "${TOOL:-${BUILD:-build}/bristle}") passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { failed=$((failed + 1)); echo "FAIL $*"; }
check() { # what it is, then a command that must succeed
  local what=$1
  shift
  if "$@"; then passed=$((passed + 1)); else fail "$what"; fi
}
expect() { # exit code, text that must appear (or ""), arguments of the tool
  local code=$1 text=$2 status
  shift 2
  output=$("$tool" "$@" 2>&1 </dev/null)
  status=$?
  if [ $status = "$code" ] && [[ $output == *"$text"* ]]; then passed=$((passed + 1)); return; fi
  fail "bristle $*: exit $status, expected $code with '$text'; it printed:"
  echo "$output" | head -n 8
}
also() { # text that the last `expect` must have printed as well
  if [[ $output == *"$1"* ]]; then passed=$((passed + 1)); return; fi
  fail "'$1' is missing above; the last command printed:"
  echo "$output" | head -n 8
}
finish() { # the line that scripts/test.sh reads
  echo "$passed passed, $failed failed, $skipped skipped"
  [ $failed = 0 ]
  exit
}
