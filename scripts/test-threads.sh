#!/usr/bin/env bash
# identify, sweep and fleet on four threads with a tool built for the thread sanitizer: test-threads.sh TOOL
# Every run must end as it does without the sanitizer, and the sanitizer must have nothing to say.
set -u
cd "$(dirname "$0")/.."
export TOOL=$1 TSAN_OPTIONS="halt_on_error=0 exitcode=66 second_deadlock_stack=1"
. scripts/checks.sh
cp -r examples "$work/examples"
cd "$work" || exit 1

runs() { # exit code, arguments
  local code=$1 status
  shift
  timeout 300 "$tool" "$@" >said 2>&1 </dev/null
  status=$?
  if [ $status = "$code" ] && ! grep -q ThreadSanitizer said; then passed=$((passed + 1)); return; fi
  fail "bristle $*: exit $status, expected $code; it printed:"
  grep -m 1 -A 14 ThreadSanitizer said || head -n 5 said
}
log=examples/fleet/axis1_2026-03-01.csv
runs 0 identify $log --model coulomb,stribeck,lugre --threads 4 --report page.html -o model.yaml --trust
runs 0 identify $log --model coulomb,dahl --validate examples/fleet/axis1_2026-03-02.csv --threads 4 --json --trust

# runs that open files: a model, a table, texts
printf 'bristle: 1\nmodel: coulomb\nparameters: {fc: 1, sigma2: 0}\n' >one.yaml
printf 'bristle: 1\nmodel: stribeck\nparameters: {fc: 1, fs: 2}\n' >two.yaml
printf 't [s],F [N]\n0,0\n1,4\n2,5\n' >pull.csv
printf 'rig: mass\nmass: 1 kg\nforce: {file: pull.csv}\nfriction: {file: one.yaml}\ntime: {end: 1 s}\n' >body.yaml
printf 'scenario: body.yaml\nkeys: {friction.file: [one.yaml, two.yaml], mass: {uniform: [1 kg, 2 kg]}}\nruns: 20\nchunk: 10\nquantities: [end.x]\n' >files.yaml
runs 0 sweep files.yaml -o files --threads 4
printf 'scenario: examples/stick_slip.yaml\nset: {time.end: 0.5 s, solver.rtol: 1e-5}\nkeys: {speed: {uniform: [0.1, 0.2]}}\nruns: 40\nchunk: 20\nquantities: [end.x, slips]\n' >plain.yaml
runs 0 sweep plain.yaml -o plain --threads 4
printf 'scenario: examples/stick_slip.yaml\nset: {time.end: 0.2 s, time.output: 0.1 s, solver.method: coupled, solver.step: 1 ms}\nkeys: {speed: {uniform: [0.1, 0.2]}}\nruns: 64\nengine: ensemble\nquantities: [end.x]\n' >together.yaml
runs 0 sweep together.yaml -o together --threads 4
printf "identification: {file: $log, model: stribeck}\nkeys: {noise.F: [0 N, 0.1 N], repeat: [1, 2]}\nquantities: [fc]\n" >fits.yaml
runs 0 sweep fits.yaml -o fits --threads 4
runs 0 fleet examples/fleet/manifest.csv -o fleet --model coulomb,stribeck --threads 4
{ echo 't [s],u [V]'; cut -d, -f1 $log | tail -n +2 | awk '{print $1 ",1"}'; } >joined.csv
runs 0 fleet examples/fleet/manifest.csv -o fleet-joined --model coulomb --join joined.csv --threads 4
finish
