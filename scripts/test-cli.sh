#!/usr/bin/env bash
# The command line as a user meets it: exit codes, messages, the examples of its own help.
set -u
cd "$(dirname "$0")/.."
tool=${BUILD:-build}/bristle passed=0 failed=0

expect() { # exit code, text that must appear (or ""), arguments
  local code=$1 text=$2 output status
  shift 2
  output=$("$tool" "$@" 2>&1 </dev/null)
  status=$?
  if [ $status = "$code" ] && [[ $output == *"$text"* ]]; then passed=$((passed + 1)); return; fi
  failed=$((failed + 1))
  echo "FAIL bristle $*: exit $status, expected $code with '$text'; it printed:"
  echo "$output" | head -n 5
}

expect 2 "usage: bristle"
expect 0 "usage: bristle" --help
expect 0 "bristle 0." --version
expect 2 "there is no verb 'modles'" modles
expect 2 "is not an option" models --jsn
expect 0 "LuGre" show lugre
expect 0 "lugre_ellipse" models
expect 2 "did you mean 'lugre'?" show lugr
expect 2 "which law?" show
expect 2 "force, coefficient or level" show lugre --load weight
expect 0 "1/m" show lugre --load coefficient
expect 0 "N*m/rad" show lugre --rotary

# every law is in the list for machines, and that list is JSON where something can read it
list=$("$tool" models --json)
for law in $(sed -n 's/^BRISTLE_LAW(\(.*\))$/\1/p' src/models/models.def); do
  if [[ $list == *"\"name\": \"$law\""* ]]; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "FAIL $law is missing in models --json"; fi
done
if command -v node >/dev/null; then
  if "$tool" models --json | node -e 'JSON.parse(require("fs").readFileSync(0, "utf8"))'; then passed=$((passed + 1))
  else failed=$((failed + 1)); echo "FAIL models --json is no JSON"; fi
fi

# a full disk is noticed
"$tool" models --json >/dev/full 2>/dev/null
if [ $? = 1 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL a full disk went unnoticed"; fi

# the examples that the help shows
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for verb in models show joint; do
  while read -r line; do
    if (bristle() { "$OLDPWD/$tool" "$@"; }; cd "$work" && ln -sfn "$OLDPWD/examples" examples && eval "$line") >/dev/null 2>"$work/errors"; then
      passed=$((passed + 1))
    else
      failed=$((failed + 1))
      echo "FAIL example of $verb: $line"
      cat "$work/errors"
    fi
  done < <("$tool" "$verb" --help | sed -n '/^examples:/,$ s/^  \(bristle .*\)/\1/p')
done
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
