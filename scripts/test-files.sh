#!/usr/bin/env bash
# No run destroys a file: outputs that are inputs, links, what killed runs left, full disks.
set -u
cd "$(dirname "$0")/.."
. scripts/checks.sh
cp -r examples "$work/examples"
cd "$work" || exit 1

sums() { find "$work" -type f ! -path "$work/said" -exec sha256sum {} + | sort; }
parts() { find "$work" -name '*part[0-9]*' | wc -l; }

# ---- an output is never an input ----

cp examples/compare/loops.csv log.csv
cp examples/scenarios/motion.csv motion.csv
cp examples/compare/lugre.yaml model.yaml
printf 'rig: prescribed\nmotion: {file: motion.csv}\nfriction: {file: model.yaml}\ntime: {end: 0.1}\n' >run.yaml
cp examples/joints/hinge.yaml joint.yaml
cp examples/joints/hinge.csv reactions.csv
cp -r examples/servo servo
: >table.csv
ln -s log.csv link.csv
ln log.csv hard.csv
ln -s ../"${work##*/}" here
refuses() { # text that must appear, arguments: nothing may change
  local text=$1 before status
  shift
  before=$(sums)
  timeout 20 "$tool" "$@" >"$work/said" 2>&1 </dev/null
  status=$?
  if [ $status != 0 ] && [ $status -lt 124 ] && grep -qF -- "$text" "$work/said"; then passed=$((passed + 1))
  else fail "bristle $*: exit $status, expected a refusal with '$text'; it printed:"; head -n 3 "$work/said"; fi
  check "bristle $*: a file has changed" [ "$before" = "$(sums)" ]
}
overwrite="would overwrite"
for name in log.csv ./log.csv "$work/log.csv" link.csv hard.csv here/log.csv examples/../log.csv; do
  refuses "not a page" identify log.csv --model coulomb --report "$name"
  refuses "$overwrite" drive model.yaml --motion "$name" -o log.csv
done
for name in log.csv link.csv hard.csv; do refuses "not a YAML file" identify log.csv --model coulomb -o "$name"; done
mkdir -p yaml && for name in model.yaml run.yaml joint.yaml; do ln -sf ../$name yaml/$name; done
ln log.csv log.yaml && ln log.csv log.html
refuses "$overwrite" identify log.csv --model coulomb -o log.yaml
refuses "$overwrite" identify log.csv --model coulomb --report log.html
refuses "$overwrite" identify examples/compare/loops.csv --validate log.csv --model coulomb --report log.html
refuses "$overwrite" identify '5 N=log.csv' --model coulomb --report log.html
refuses "$overwrite" identify --rig servo/servo.yaml -o servo/servo.yaml
ln model.yaml model.csv && ln model.yaml model.html && ln run.yaml run.csv && ln run.yaml run.html
refuses "$overwrite" simulate run.yaml -o run.csv
refuses "$overwrite" simulate run.yaml -o motion.csv
refuses "$overwrite" simulate run.yaml -o model.csv
refuses "$overwrite" simulate run.yaml --report run.html
refuses "$overwrite" simulate run.yaml --report model.html
refuses "not a table" simulate run.yaml -o yaml/run.yaml
refuses "$overwrite" drive lugre --motion motion.csv -o motion.csv
refuses "$overwrite" drive model.yaml --motion motion.csv -o model.csv
ln joint.yaml joint.csv
refuses "$overwrite" joint joint.yaml --reactions reactions.csv -o reactions.csv
refuses "$overwrite" joint joint.yaml --reactions reactions.csv -o joint.csv
refuses "$overwrite" compare model.yaml --data log.csv -o log.csv
refuses "$overwrite" compare model.yaml --data log.csv -o model.csv
refuses "not a table" compare model.yaml --data log.csv -o model.yaml
refuses "$overwrite" compare model.yaml --data log.csv --report log.html
refuses "$overwrite" plan model.yaml --data log.csv -o log.csv
refuses "$overwrite" plan model.yaml --data log.csv --report log.html
refuses "$overwrite" plan model.yaml -o new.csv --scenario model.yaml
refuses "$overwrite" loads "50 N=model.yaml" "100 N=yaml/model.yaml" --report model.html
before=$(sums)
"$tool" drive lugre --motion - -o log.csv <log.csv >/dev/null 2>"$work/said"
check "the standard input is an output" grep -q "$overwrite" "$work/said"
"$tool" drive lugre --motion log.csv >>log.csv 2>"$work/said"
check "the standard output is an input" grep -q "the standard output goes to it" "$work/said"
check "the log behind the standard streams has changed" [ "$before" = "$(sums)" ]

# ---- nor another output ----

ln -s new.html dangling.html
refuses "$overwrite" identify log.csv --model coulomb -o new.x --report new.x
refuses "$overwrite" identify log.csv --model coulomb -o new.html --report here/new.html
refuses "$overwrite" simulate run.yaml -o new.html --report ./new.html
refuses "$overwrite" simulate run.yaml -o new.html --report dangling.html
refuses "$overwrite" compare model.yaml --data log.csv -o new.html --report new.html
refuses "$overwrite" plan lugre -o new.csv --scenario new.csv
refuses "$overwrite" plan lugre -o new.csv --report here/new.csv
refuses "is given twice" simulate run.yaml -o one.csv -o two.csv
refuses "is given twice" simulate run.yaml -o one.csv --output=two.csv
refuses "'--report' needs the name of a file" simulate run.yaml --report --json
refuses "--report needs the name of a file" identify log.csv --model coulomb --report -
check "nothing new" [ ! -e new.html ] && [ ! -e new.csv ] && [ ! -e new.x ]

# ---- what is there is replaced by its own kind only ----

echo notes >notes.txt && echo notes >plain && cp model.yaml other.yaml && cp log.csv other.csv
refuses "not a table: it is not overwritten" simulate run.yaml -o notes.txt
refuses "not a table" drive lugre --motion motion.csv -o plain
refuses "not a table" joint joint.yaml --reactions reactions.csv -o other.yaml
refuses "not a page" simulate run.yaml --report other.csv
refuses "not a YAML file" identify log.csv --model coulomb -o other.csv
refuses "not a YAML file" plan lugre -o new.csv --scenario notes.txt
mkdir mine && echo '<!doctype html><title>mine</title>' >mine/index.html
refuses "not a page that this tool wrote" gallery -o mine --only breakaway
rm mine/index.html && echo 'my,own' >mine/breakaway-1.csv
refuses "not a table that this tool wrote" gallery -o mine --only breakaway
refuses "cannot be made" gallery -o notes.txt --only breakaway
refuses "cannot be written (Is a directory)" simulate run.yaml -o mine
writes() { # file, arguments
  local file=$1
  shift
  if timeout 60 "$tool" "$@" >"$work/said" 2>&1 </dev/null && [ -s "$file" ]; then passed=$((passed + 1))
  else fail "bristle $*:"; head -n 3 "$work/said"; fi
}
writes other.csv simulate run.yaml -o other.csv
for _ in 1 2; do # the second time over what the first time wrote, under names that say nothing
  writes rows simulate run.yaml -o rows --report page
  writes page compare model.yaml --data log.csv -o rows --report page
  writes fitted identify log.csv --model coulomb -o fitted --trust --quiet
  writes scenario plan lugre -o motion --scenario scenario
  writes gallery/index.html gallery -o gallery --only breakaway
done
writes new.UPPER.CSV simulate run.yaml -o new.UPPER.CSV

# ---- links ----

mkdir far && ln -s far/target.csv to_nothing.csv && ln -s to_nothing.csv to_a_link.csv && ln -s loop.csv loop.csv
writes far/target.csv simulate run.yaml -o to_a_link.csv
check "a dangling link stays a link" [ -L to_nothing.csv ] && [ -L to_a_link.csv ]
writes far/target.csv simulate run.yaml -o to_nothing.csv
check "a link to a file stays a link" [ -L to_nothing.csv ]
refuses "cannot be written (Too many levels of symbolic links)" simulate run.yaml -o loop.csv
ln -s nowhere/target.csv to_nowhere.csv
refuses "make the folder first" simulate run.yaml -o to_nowhere.csv

# ---- killed and stopped runs ----

printf 'rig: mass\nmass: 1\nforce: {sine: {amplitude: 3, frequency: 2}}\nfriction: {model: lugre}\ntime: {end: 1e6, output: 1e-3}\n' >long.yaml
start() { # output: a run that has begun to write
  "$tool" simulate long.yaml -o "$1" >/dev/null 2>&1 &
  pid=$!
  for _ in $(seq 100); do [ "$(parts)" = 0 ] || return 0; sleep 0.05; done
}
start killed.csv
{ kill -9 $pid && wait $pid; } 2>/dev/null
check "a killed run leaves its part" [ "$(parts)" = 1 ]
echo mine >killed.csv.part0 && echo mine >killed.csv.bristle-partial && echo mine >unkilled.csv.bristle-part0
writes killed.csv simulate run.yaml -o killed.csv
check "the next run removes it" [ "$(ls | grep -c '^killed.csv.bristle-part[0-9]')" = 0 ]
check "but nobody else's" [ "$(cat killed.csv.part0 killed.csv.bristle-partial unkilled.csv.bristle-part0)" = "mine
mine
mine" ]
rm killed.csv* unkilled.csv*
start live.csv
writes live.csv simulate run.yaml -o live.csv
check "the part of a living run stays" [ "$(parts)" = 1 ]
{ kill -9 $pid && wait $pid; } 2>/dev/null
writes live.csv simulate run.yaml -o live.csv
check "until it is dead" [ "$(parts)" = 0 ]
for signal in INT TERM QUIT PIPE; do
  start stopped.csv
  kill -$signal $pid
  for _ in $(seq 100); do kill -0 $pid 2>/dev/null || break; sleep 0.1; done
  kill -9 $pid 2>/dev/null && fail "SIG$signal does not end a run"
  wait $pid 2>/dev/null
  check "SIG$signal leaves something" [ "$(ls | grep -c '^stopped')" = 0 ]
done

# ---- full disks ----

awk 'BEGIN {print "t,v"; for (i = 0; i < 20000; i++) print i / 1000 "," sin(i / 100)}' >many.csv
limited() { # text, file, arguments: in a shell whose files may not grow beyond 100 kB
  local text=$1 file=$2 status
  shift 2
  (ulimit -f 100 && exec "$tool" "$@") >"$work/said" 2>&1 </dev/null
  status=$?
  check "bristle $*: exit $status: $(head -n 1 "$work/said")" [ $status = 5 ] && grep -q "$text" "$work/said"
  check "bristle $*: something is left" [ ! -e "$file" ] && [ "$(parts)" = 0 ]
}
limited "files may not grow" full.csv drive lugre --motion many.csv -o full.csv
limited "files may not grow" full.html simulate examples/stick_slip.yaml --report full.html
limited "files may not grow" full.csv plan lugre -o full.csv
refuses "the disk is full" simulate run.yaml --report /dev/full
refuses "the disk is full" plan lugre -o /dev/full
mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k none small 2>/dev/null; then
  refuses "the disk is full" drive lugre --motion many.csv -o small/full.csv
  refuses "the disk is full" simulate run.yaml --report small/full.html
  refuses "the disk is full" export lugre --to fmu2 -o small/full.fmu # written in one piece
  check "something is left on the full disk" [ -z "$(ls small)" ]
  umount small
fi

# ---- what never ends is not read ----

mkfifo pipe pipe.csv pipe.mat
if [ -r /proc/kmsg ]; then # a file by its kind, whose reader waits for what the kernel will say
  check "a file that keeps its reader waiting" sh -c "timeout 20 '$tool' identify /proc/kmsg 2>&1 | grep -q 'cannot be read'"
fi
for file in /dev/zero pipe pipe.csv pipe.mat; do
  refuses "a device or a pipe" identify $file --model coulomb
  refuses "a device or a pipe" drive lugre --motion $file
  refuses "a device or a pipe" simulate $file
  refuses "a device or a pipe" identify log.csv --join $file --model coulomb
  refuses "a device or a pipe" sweep $file -o results
  refuses "a device or a pipe" fleet $file -o results
done
# every other way to name a file; the list of the tool says which there are
named=" identify: identify:--join drive:--motion simulate: sweep: "
never() { # verb:option, the arguments before the pipe, those behind it
  named="$named$1 "
  refuses "a device or a pipe" "${1%%:*}" $2 $3 pipe ${4:-}
}
never simulate:--over "run.yaml --report over.html" --over
never identify:--validate "log.csv --model coulomb" --validate
never identify:--rig "" --rig
never joint: "" "" "--reactions reactions.csv"
never joint:--reactions joint.yaml --reactions
never plan:--data lugre --data
never plan:--join "lugre --data log.csv" --join
never compare:--data model.yaml --data
never compare:--join "model.yaml --data log.csv" --join
never export:--data "lugre --to urdf -o new.xml" --data
never import: "" "" "-o new.yaml"
never robot:--validate "identify examples/robot/arm.urdf examples/robot/record.csv" --validate
mkfifo pipe.yaml
refuses "a device or a pipe" loads 5=pipe.csv 9=model.yaml
refuses "a device or a pipe" loads 5=pipe.yaml 9=model.yaml
refuses "a device or a pipe" plan pipe.yaml
refuses "a device or a pipe" compare pipe.yaml --data log.csv
refuses "a device or a pipe" export pipe.yaml --to c99 -o new.c
refuses "a device or a pipe" loop pipe.yaml
check "a fleet and a joined pipe" sh -c "timeout 20 '$tool' fleet examples/fleet/manifest.csv --join pipe -o results 2>&1 | grep -q 'first of them: .*: pipe: this is a device or a pipe'"
rm -rf results
if command -v python3 >/dev/null; then
  check "a file option is missing above" python3 - "$tool" "$named fleet:--join " <<'END'
import json, subprocess, sys
verbs = json.loads(subprocess.run([sys.argv[1], "help", "--json"], capture_output=True, text=True, check=True).stdout)["verbs"]
there = {f"{v['name']}:{o['name']}" for v in verbs for o in v["options"] if o["kind"] == "file"}
missing = sorted(there - set(sys.argv[2].split()))
sys.exit(f"not tested with a pipe: {missing}" if missing or len(there) < 10 else 0)
END
fi
printf 'keys: {mass: [1]}\nquantities: [end.x]\nscenario: pipe\n' >pipe1.yaml
printf 'keys: {friction.file: [pipe]}\nquantities: [end.x]\nscenario: run.yaml\n' >pipe2.yaml
printf 'identification: {model: coulomb}\nkeys: {file: [log.csv, pipe]}\nquantities: [fc]\n' >pipe3.yaml
for i in 1 2 3; do refuses "a device or a pipe" sweep pipe$i.yaml -o results; done
# nor does a result wait for a reader
printf 'keys: {title: [a]}\nquantities: [end.x]\nscenario: run.yaml\n' >one.yaml
mkdir piped && mkfifo piped/chunk-000000.npy piped/axis-axis2.csv
check "a chunk that is a pipe" sh -c "timeout 20 '$tool' sweep one.yaml -o piped 2>&1 | grep -q 'piped/chunk-000000.npy: a result has to stand here'"
refuses "a result has to stand here" fleet examples/fleet/manifest.csv -o piped
ln -s /dev/zero zero.csv
printf 'file,axis,day\nzero.csv,a,1\npipe.csv,a,2\n' >never.csv
check "a fleet of logs that never end" sh -c "timeout 20 '$tool' fleet never.csv -o results 2>&1 | grep -q 'a device or a pipe'"
printf 'rig: prescribed\nmotion: {file: pipe.csv}\nfriction: {file: model.yaml}\ntime: {end: 0.1}\n' >never.yaml
refuses "a device or a pipe" simulate never.yaml
check "the standard input may be a pipe" sh -c "cat run.yaml | '$tool' simulate - -o piped.csv >said"
if [ "$(awk '/MemAvailable/ {print $2}' /proc/meminfo)" -gt 4000000 ]; then # it takes up to 3 GiB before it is refused
  check "a pipe without an end" sh -c "timeout 60 '$tool' simulate - </dev/zero 2>&1 | grep -q 'more than 1024 MiB'"
fi
finish
