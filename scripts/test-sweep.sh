#!/usr/bin/env bash
# Sweeps from the command line: the same bytes from any number of threads and shards, after Ctrl-C and kill -9; files that
# are damaged, full disks, bad specs. `test-sweep.sh long` has more runs, and ranks of MPI; `test-sweep.sh million` only
# that a million runs, killed and gone on with, are those of one go, that each costs what one of a thousand does, and memory.
set -u
cd "$(dirname "$0")/.."
tool=$(realpath "${TOOL:-${BUILD:-build}/bristle}") root=$PWD build=$(realpath "${BUILD:-build}") passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r examples "$work/examples"
cd "$work" || exit 1

fail() { failed=$((failed + 1)); echo "FAIL $*"; }
check() { # what it is, then a command that must succeed
  local what=$1
  shift
  if "$@" >output 2>&1; then passed=$((passed + 1)); else fail "$what:"; head -n 5 output; fi
}
says() { # exit code, text, arguments
  local code=$1 text=$2 status
  shift 2
  timeout 60 "$tool" sweep "$@" >said 2>&1 </dev/null
  status=$?
  if [ $status = "$code" ] && grep -qF -- "$text" said; then passed=$((passed + 1))
  else fail "sweep $*: exit $status, expected $code with '$text'; it printed:"; head -n 4 said; fi
}
same() { # two folders
  check "$1 and $2 differ" diff -r "$1" "$2"
}
spec() { # name, keys of the sweep; 20 s of stick-slip, in short
  { echo "scenario: examples/stick_slip.yaml"; cat; } >"$1.yaml"
}
spec drawn <<END
set: {time.end: 3 s, solver.rtol: 1e-6}
keys: {speed: {loguniform: [20 mm/s, 0.5 m/s]}, friction.fc: {normal: [1 N, 0.1 N]}, friction.fs: {uniform: [0.9 N, 2 N]}}
runs: ${RUNS:=240}
seed: 7
chunk: ${CHUNK:=20}
quantities: [stick_slip, end.x, energy.friction]
END

# ---- a million runs ----

user_time() { # of a command, in ms
  local TIMEFORMAT=%U
  { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{print int(1000 * $1)}'
}
million() {
  local few many pid memory=0 now
  sed "s/^runs: .*/runs: 1000/;s/^chunk.*/chunk: 1000/" drawn.yaml >thousand.yaml
  for i in 1 2 3 4 5 6 7 8 9; do rm -rf thousand; user_time "$tool" sweep thousand.yaml -o thousand --threads 1 --quiet; done | sort -n | sed -n 5p >thousand.ms
  few=$(cat thousand.ms)
  many=$(user_time "$tool" sweep drawn.yaml -o one --threads 1 --quiet)
  echo "cost: $few ms for 1000 runs (median of 9), $many ms for $RUNS"
  check "the cost of a run is not flat within 10 %" [ $((many * 1000 / (RUNS / 1000))) -le $((few * 1100)) ]
  "$tool" sweep drawn.yaml -o killed --threads 2 --quiet >said 2>&1 &
  pid=$!
  while [ ! -e killed/chunk-000040.npy ] && kill -0 $pid 2>/dev/null; do
    now=$(awk '/VmHWM/ {print $2}' /proc/$pid/status 2>/dev/null)
    [ "${now:-0}" -gt $memory ] && memory=$now
    sleep 0.1
  done
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  echo "memory: $memory kB at most, with chunks of $CHUNK runs"
  check "memory is not bounded by the chunk" [ $memory -gt 0 -a $memory -lt 60000 ]
  check "it was not killed half-way" [ ! -e killed/chunk-000090.npy ]
  check "a killed sweep goes on" "$tool" sweep drawn.yaml -o killed --threads 2 --quiet
  same one killed
  for i in 2 1; do "$tool" sweep drawn.yaml -o shards --shard $i/2 --threads 2 --quiet >said 2>&1; done
  same one shards
  echo "$passed passed, $failed failed, 0 skipped"
  [ $failed = 0 ]
  exit
}
[ "${1:-}" != million ] || million

# ---- who computes does not matter ----

says 0 "$RUNS runs in $((RUNS / CHUNK)) chunks" drawn.yaml -o one --threads 1
says 0 "redrawn" drawn.yaml -o two --threads 2
same one two
for i in 3 1 2; do says 0 "" drawn.yaml -o shards --shard $i/3 --threads 1; done
same one shards
"$tool" sweep drawn.yaml -o killed --threads 1 >said 2>&1 &
pid=$!
while [ ! -e killed/chunk-000001.npy ] && kill -0 $pid 2>/dev/null; do sleep 0.01; done
kill -9 $pid 2>/dev/null
wait $pid 2>/dev/null
says 0 "" drawn.yaml -o killed --threads 2
same one killed
rm two/chunk-000003.npy
says 5 "chunk-000003.npy" --check two
says 0 "" drawn.yaml -o two
same one two

# ---- the engine `ensemble`, here and on a device ----

spec ensemble <<END
set: {time.end: 4 s, time.output: 1 s, solver.method: coupled, solver.step: 1 ms}
keys: {speed: {loguniform: [20 mm/s, 0.3 m/s]}, stiffness: {loguniform: [20 N/m, 200 N/m]}}
runs: 40
chunk: 32
after: 1 s
engine: ensemble
quantities: [end.x, end.F, slips, stick_slip, period, energy.friction, max.v]
END
sed '/^engine/d' ensemble.yaml >solver.yaml
says 0 "40 runs in 2 chunks" ensemble.yaml -o here --threads 1 --merge here.csv
says 0 "" ensemble.yaml -o here2 --threads 2
same here here2
says 0 "" solver.yaml -o steps --merge steps.csv
check "the ensemble is far from the same steps one by one" python3 -c '
import csv
a, b = (list(csv.DictReader(open(f))) for f in ("here.csv", "steps.csv"))
assert len(a) == len(b) == 40 and sum(float(x["slips"]) > 1 for x in a) > 5
for x, y in zip(a, b):
    assert abs(float(x["end.x [m]"]) - float(y["end.x [m]"])) < 1e-9, (x, y)
    assert abs(float(x["end.F [N]"]) - float(y["end.F [N]"])) < 1e-9, (x, y) # at the end, not that of the last step
    assert x["slips"] == y["slips"] and x["stick_slip"] == y["stick_slip"], (x, y)
    assert x["period [s]"] == y["period [s]"] == "nan" or abs(float(x["period [s]"]) - float(y["period [s]"])) < 1e-9, (x, y)
    assert abs(float(x["energy.friction [J]"]) - float(y["energy.friction [J]"])) < 1e-3, (x, y)
'

# ---- a run that is too short to tell ----

for length in 20 250; do
  spec tell <<END
set: {time.end: $length s}
keys: {speed: [10 mm/s, 0.1 m/s, 3 m/s], stiffness: [1 N/m]}
after: 10 s
quantities: [stick_slip, slips]
END
  expected="1 1 0" text="3 runs"
  [ $length = 250 ] || expected="nan nan 0" text="2 of 3 runs are too short to tell stick-slip from sliding"
  says 0 "$text" tell.yaml -o "tell$length" --merge tell.csv
  got=$(python3 -c 'import csv; print(*(row["stick_slip"] for row in csv.DictReader(open("tell.csv"))))')
  check "stick_slip after $length s is '$got', expected '$expected'" [ "$got" = "$expected" ]
done

cat >laws.yaml <<END
scenario: {rig: belt, mass: 1 kg, stiffness: 50 N/m, speed: 0.1 m/s, friction: {model: lugre}, time: {end: 1 s, output: 1 s},
  solver: {method: coupled, step: 1 ms}}
keys: {friction.model: [lugre, elasto_plastic, coulomb, lugre], mass: {from: 0.5 kg, to: 2 kg, count: 70}}
engine: ensemble
quantities: [end.x, end.v, end.F]
END
says 0 "280 runs" laws.yaml -o laws --threads 2 --merge laws.csv
sed '/^engine/d' laws.yaml >laws1.yaml
says 0 "280 runs" laws1.yaml -o laws1 --merge laws1.csv
check "laws beside each other are mixed up" python3 -c '
import csv
a, b = (list(csv.reader(open(f))) for f in ("laws.csv", "laws1.csv"))
assert len(a) == 281 and a[0][3:] == ["end.x [m]", "end.v [m/s]", "end.F [N]"]
assert all(abs(float(p) - float(q)) < 1e-11 for x, y in zip(a[1:], b[1:]) for p, q in zip(x[3:], y[3:]))
'
for step in 1 0.1; do # weights are taken from the beginning of a step there, with their slope here
  cat >pendulum.yaml <<END
scenario: {rig: pendulum, mass: 1 kg, arm: 0.5 m, gravity: 9.81 m/s^2, torque: 3 N*m, friction: {model: lugre}, time: {end: 1 s, output: 1 s},
  solver: {method: coupled, step: $step ms}}
keys: {mass: {from: 0.5 kg, to: 2 kg, count: 20}}
engine: ensemble
quantities: [end.x]
END
  sed '/^engine/d' pendulum.yaml >pendulum1.yaml
  says 0 "20 runs" pendulum.yaml -o "pendulum$step" --merge pendulum.csv
  says 0 "20 runs" pendulum1.yaml -o "pendulum1$step" --merge pendulum1.csv
  check "pendulums at $step ms differ by more, or less, than the documents say" python3 -c '
import csv, sys
a, b = (list(csv.DictReader(open(f))) for f in ("pendulum.csv", "pendulum1.csv"))
worst = max(abs(float(x["end.x [rad]"]) - float(y["end.x [rad]"])) for x, y in zip(a, b)) / float(sys.argv[1])
assert 1.8e-3 < worst < 2.6e-3, worst
' $step
done
mkdir gpu
if "${CC:-cc}" -shared -fPIC -I"$root/include" -o gpu/libbristle-cuda.so "$root/tests/cuda/stand_in.c" -L"$build" -lbristle \
  -Wl,-rpath,"$build" 2>output; then
  BRISTLE_CUDA=$PWD/gpu says 0 "" ensemble.yaml -o there --device cuda
  same here there
  BRISTLE_CUDA=$PWD/gpu STAND_IN_NO_GPU=1 says 1 "there is no GPU that CUDA can use" ensemble.yaml -o none --device cuda
  BRISTLE_CUDA=$PWD/gpu STAND_IN_FAIL=5 says 3 "the GPU: some error" ensemble.yaml -o none --device cuda
  BRISTLE_CUDA=$PWD/gpu says 2 'engine: ensemble' solver.yaml -o none --device cuda
fi
BRISTLE_CUDA=$PWD/nowhere says 1 'make cuda' ensemble.yaml -o none --device cuda
says 2 "--shard is I/N" drawn.yaml -o none --shard 1/99999999999999999999
says 2 "--device is cpu or cuda; got 'tpu'" ensemble.yaml -o none --device tpu
for change in 's/solver.method: coupled, //|solver: {method: coupled' 's/end.F/mean.x/|does not give' 's/slips, /events, /|does not give' \
  's/time.end: 4 s, //;s/stiffness: {[^}]*}/time.end: {uniform: [2 s, 4 s]}/|the same steps' 's/4 s/4.0005 s/|whole number of steps'; do
  sed "${change%%|*}" ensemble.yaml >wrong.yaml
  says 3 "${change#*|}" wrong.yaml -o none
done
check "a refused sweep left a folder" test ! -e none/chunk-000000.npy

# ---- Ctrl-C finishes the chunk and says how to go on ----

"$tool" sweep drawn.yaml -o stopped --threads 1 >said 2>&1 &
pid=$!
while [ ! -e stopped/chunk-000000.npy ] && kill -0 $pid 2>/dev/null; do sleep 0.01; done
kill -TERM $pid
wait $pid
status=$?
if [ $status = 130 ]; then
  check "no word of how to go on" grep -q 'the same command goes on' said
  check "a file is left" [ -z "$(find stopped -name '*part*')" ]
elif [ $status != 0 ]; then fail "stopped: exit $status"; fi
says 0 "" drawn.yaml -o stopped
same one stopped

# ---- the results ----

says 0 "merged" --check one --merge all.csv --report page.html
check "rows of the table" [ "$(wc -l <all.csv)" = $((RUNS + 1)) ]
check "the page" grep -q 'Distributions' page.html
says 0 '"done": '"$RUNS" --check one --merge all.npy --json
says 0 "merged" --check two --merge other.npy
check "merged files differ" cmp all.npy other.npy
IFS=, read -r speed fc fs status _ _ end _ < <(sed -n 12p all.csv)
"$tool" simulate examples/stick_slip.yaml --set "time.end=3 s,solver.rtol=1e-6,time.output=3 s,speed=$speed mm/s,friction.fc=$fc,friction.fs=$fs" \
  -o run.csv >/dev/null
check "run 10 is not what simulate gives" [ "$(tail -n 1 run.csv | cut -d, -f2)" = "$end" ]
if python3 -c 'import numpy' 2>/dev/null; then
  check "NumPy reads it" python3 -c "
import numpy as np
a = np.load('all.npy'); b = np.load('one/chunk-000001.npy')
assert a.shape == ($RUNS,) and b.shape == ($CHUNK,) and (a[$CHUNK:2*$CHUNK] == b).all() or np.isnan(b['end.x']).any()
assert a.dtype.names[:3] == ('speed', 'friction.fc', 'friction.fs')"
fi

# ---- damage ----

cp -r one flipped
printf '\x5a' | dd of=flipped/chunk-000002.npy bs=1 seek=700 conv=notrunc 2>/dev/null
says 3 "flipped/chunk-000002.npy: this chunk is damaged" --check flipped
says 3 "flipped/chunk-000002.npy" drawn.yaml -o flipped
rm flipped/chunk-000002.npy
says 0 "" drawn.yaml -o flipped
same one flipped
cp one/chunk-000001.npy flipped/chunk-000002.npy
says 3 "belongs to another" --check flipped
(ulimit -f 1; exec "$tool" sweep drawn.yaml -o full >said 2>&1)
status=$?
check "a full disk: exit $status" [ $status = 5 ]
check "a full disk is not named" grep -q 'full/.*cannot be written' said
check "a full disk leaves parts" [ -z "$(find full -name '*part*')" ]
says 3 "another sweep" examples/sweeps/random.yaml -o one
says 5 "would overwrite a chunk" --check one --merge one/chunk-000001.npy
check "the chunk is still there" cmp one/chunk-000001.npy two/chunk-000001.npy

# ---- files that somebody made: right digests, wrong numbers ----

spec texts <<END
set: {time.end: 0.1 s}
keys: {friction.model: ["lugre", "dahl"], title: ['one, "two"', "#3"]}
quantities: [end.x]
chunk: 2
END
says 0 "4 runs" texts.yaml -o texts --merge texts.csv
check "texts in a table are not in quotes" python3 -c '
import csv
rows = list(csv.reader(open("texts.csv")))
assert [r[1] for r in rows] == ["title"] + 2 * ["one, \"two\"", "#3"] and {len(r) for r in rows} == {4}, rows'
forge() { # folder, Python that changes the manifest m and the numbers x (rows, columns) of the first chunk
  rm -rf "$1" && cp -r texts "$1"
  python3 - "$1" "$2" <<'END'
import hashlib, json, struct, sys
folder, change = sys.argv[1:]
path, data = folder + "/chunk-000000.npy", bytearray(open(folder + "/chunk-000000.npy", "rb").read())
m = json.load(open(folder + "/manifest.json"))
head = 10 + struct.unpack("<H", data[8:10])[0]
x = list(struct.unpack("<8d", data[head:head + 64]))
exec(change)
data[head:head + 64] = struct.pack("<8d", *x)
data[-65:-1] = hashlib.sha256(data[:-65]).hexdigest().encode()
open(path, "wb").write(data)
if "keep" not in change and m["sha256"]: m["sha256"][0] = data[-65:-1].decode()
json.dump(m, open(folder + "/manifest.json", "w"))
END
}
for change in "x[0] = 1e9" "x[0] = -1" "x[0] = 0.5" "x[0] = float('nan')" "x[2] = 3" \
  "m['columns'][1]['texts'] = ['a']; x[5] = 1"; do
  forge forged "$change"
  says 3 "forged/" --check forged --merge forged.csv --report forged.html
done
forge forged "x[3] = 7 # keep"
says 3 "not the one that the manifest lists" --check forged
forge forged "m.update(runs=2 * 10**8, chunks=10**8, sha256=[])"
says 3 "at least 1000 more of 100000000 chunks" --check forged
for change in "m.update(runs=2**53, chunk=2**52, chunks=2)" "m['columns'] *= 70" "m['columns'][0]['kind'] = 'series'" \
  "m['columns'][3].update(kind='series', rows=2**53)" "m['columns'][0]['texts'] = 'a'" "m['columns'][0]['texts'] = []" \
  "m['sha256'].pop()" "m.update(indices=True)" "m.update(drawn=2**40)" "m['columns'].reverse()" "m.update(runs=0)" \
  "m['bristle_sweep'] = 2" "m.pop('bristle_sweep')"; do
  forge forged "$change"
  says 3 "forged/manifest.json" --check forged --merge forged.csv
done
for change in "m.update(runs=2, chunks=7)" "m['columns'][0]['texts'] = ['a']" "m['columns'] = []" "m['sha256'].pop()" "m['sha256'][0] = 'b' * 64"; do
  forge forged "$change # keep"
  says 0 "4 runs" texts.yaml -o forged # a run writes the manifest anew, as --check asks for
  same texts forged
done
cp -r texts forged-pipe && rm forged-pipe/chunk-000001.npy && mkfifo forged-pipe/chunk-000001.npy
says 5 "device or a pipe" --check forged-pipe
rm forged-pipe/manifest.json && ln -s /dev/zero forged-pipe/manifest.json
says 5 "no manifest" --check forged-pipe

# ---- one key under two names ----

while read -r text; do
  printf "$text\nquantities: [end.x]\n" | spec twice
  says 3 "given twice" twice.yaml -o twice
done <<'END'
keys: {friction.fc: [1 N, 2 N], friction.parameters.fc: [0.5 N]}
set: {friction.fc: 1 N}\nkeys: {friction.parameters.fc: [0.5 N]}
set: {speed: 1 m/s}\nkeys: {speed: [0.5 m/s]}
END
printf 'runs: 8\nindices: true\nsampling: sobol\nkeys: {speed: {uniform: [0.1, 0.2]}, mass: [1]}\nquantities: [end.x]\n' | spec part
says 3 "Sobol's indices are of drawn keys" part.yaml -o part

# ---- runs that give no numbers are counted ----

spec refused <<END
set: {time.end: 0.1 s}
keys: {friction.fs: [0.5 N, 1.5 N], friction.model: [lugre, elasto_plastic]}
quantities: [end.x]
END
says 0 "2 of 4 runs broke a rule" refused.yaml -o refused
check "the reason" grep -q "fs must not be below fc" said
spec short <<END
keys: {speed: [0.1 m/s, 0.2 m/s]}
steps: 20
quantities: [end.x]
END
says 0 "2 of 2 runs did not reach the end" short.yaml -o short

# ---- identifications as runs ----

fits() { # name, the rest of the spec
  { printf 'identification: {file: examples/fleet/axis1_2026-03-01.csv, model: stribeck}\nchunk: 3\n'; cat; } >"$1.yaml"
}
fits fits <<END
keys: {noise.F: [0 N, 0.1 N], cutoff: {values: [3 Hz, 6 Hz]}, repeat: [1, 2]}
quantities: [fc, fc.std, sigma2, offset, error, rms]
seed: 3
END
says 0 "8 runs in 3 chunks" fits.yaml -o fits-1 --threads 1 --merge fits.csv
says 0 "" fits.yaml -o fits-2 --threads 2
same fits-1 fits-2
for i in 2 1; do says 0 "" fits.yaml -o fits-3 --shard $i/2; done
same fits-1 fits-3
rm fits-2/chunk-000001.npy
says 0 "" fits.yaml -o fits-2
same fits-1 fits-2
"$tool" identify examples/fleet/axis1_2026-03-01.csv --model stribeck --cutoff '6 Hz' --json >identified 2>/dev/null
alone=$(tr -d ' \n' <identified | sed -n 's/.*"name":"fc","unit":"N","value":\([0-9.e+-]*\).*/\1/p')
check "a run is not what identify gives ($alone)" awk -F, -v fc="$alone" 'NR == 4 {exit !(fc > 0 && ($5 / fc - 1) ^ 2 < 1e-8)}' fits.csv
check "equal runs without noise" awk -F, 'NR > 1 {f[NR] = $5; s[NR] = $6} END {exit !(f[2] == f[3] && f[6] != f[7] && s[6] > s[2])}' fits.csv
fits more <<END
keys: {model: [coulomb, stribeck], factor.F: [1, 2], mass: [none, 1 kg], delay: [0 s]}
quantities: [fc, fs, error]
END
says 0 "8 runs" more.yaml -o more --merge more.csv
check "twice the force" awk -F, '$1 == "coulomb" {f[$2 "," $3] = $6} END {r = f["2,none"] / f["1,none"]; exit !(r > 1.999 && r < 2.001)}' more.csv
fits columns <<<$'keys: {noise.q: [0.1]}\nquantities: [fc]'
says 3 "no column 'q'" columns.yaml -o bad
fits nothing <<<$'keys: {noise.F: [0.1 N]}\nquantities: [fq]'
says 3 "no quantity 'fq' of an identification" nothing.yaml -o bad
fits law <<<$'keys: {model: [stribek]}\nquantities: [fc]'
says 3 "did you mean 'stribeck'?" law.yaml -o bad
fits unit <<<$'keys: {noise.F: [0.1 m]}\nquantities: [fc]'
says 3 "a force" unit.yaml -o bad
fits key <<<$'keys: {cutof: [1 Hz]}\nquantities: [fc]'
says 3 "cutof" key.yaml -o bad
sed -i 's/axis1_2026-03-01/missing/' key.yaml
says 5 "missing.csv" key.yaml -o bad
fits short <<<$'keys: {to: [0.1 s, 5 s]}\nquantities: [fc]'
says 0 "1 of 2 runs" short.yaml -o fits-short

# ---- bad specs ----

bad() { # text, keys
  spec bad <<<"$2"
  says 3 "$1" bad.yaml -o bad
}
bad "'keys'" "quantities: [end.x]"
bad "no column 'y'" $'keys: {speed: [0.1]}\nquantities: [end.y]'
bad "no quantity 'x'" $'keys: {speed: [0.1]}\nquantities: [x]'
bad "sped" $'keys: {sped: [0.1]}\nquantities: [end.x]'
bad "how often is not said" $'keys: {speed: {uniform: [0.1, 1]}}\nquantities: [end.x]'
bad "expected a lower and an upper bound" $'keys: {speed: {uniform: [1, 0.1]}}\nruns: 3\nquantities: [end.x]'
bad "'N' after 'm/s'" $'keys: {speed: {uniform: [1 m/s, 2 N]}}\nruns: 3\nquantities: [end.x]'
bad "a force" $'keys: {speed: {uniform: [1 N, 2 N]}}\nruns: 3\nquantities: [end.x]'
bad "cannot be a factor" $'keys: {speed: {uniform: [1, 2], times: mass}}\nruns: 3\nquantities: [end.x]'
bad "drawn keys" $'keys: {speed: [1]}\nindices: true\nquantities: [end.x]'
bad "runs" $'keys: {speed: [1]}\nruns: 1.5\nquantities: [end.x]'
check "a refused spec leaves a folder" [ ! -e bad ]
says 2 "no output folder given: use -o FOLDER" drawn.yaml
says 2 "I/N" drawn.yaml -o x --shard 4/3
says 5 "no manifest" --check examples
says 5 "missing.yaml" missing.yaml -o x

# ---- fleets: many logs ----

fleet() { # exit code, text, arguments
  local code=$1 text=$2 status
  shift 2
  timeout 60 "$tool" "$@" >said 2>&1 </dev/null
  status=$?
  if [ $status = "$code" ] && grep -qF -- "$text" said; then passed=$((passed + 1))
  else fail "$*: exit $status, expected $code with '$text'; it printed:"; head -n 4 said; fi
}
logs=examples/fleet
fleet 0 "8 logs of 2 axes" fleet $logs/manifest.csv -o fleet-1 --threads 1 --report fleet.html
check "the page of a fleet" grep -q 'Friction at the medium speed of each axis' fleet.html
check "eight logs are no distribution" [ "$(grep -c 'Distributions over the fleet' fleet.html)" = 0 ]
cell_runs() { # the command that a click on a cell of a map gives ends where the cell says, to its six digits
  local value command
  IFS=$'\t' read -r value command < <(node "$root/tests/report/map.mjs" grid.html 2 1)
  printf '%s\n' "$value" "$command"
  case $command in "bristle simulate "*"time.end=3 s,"*"speed=0.2 m/s,stiffness=3 N/m' --report run.html") ;; *) return 1 ;; esac
  eval "$tool ${command#bristle} -o cell.csv --quiet" && tail -n 1 cell.csv | cut -d, -f2 |
    awk -v value="$value" '{print $1; d = $1 - value; exit !(d * d < 1e-4)}'
}
spec grid <<<$'set: {time.end: 3 s, solver.rtol: 1e-6}\nkeys: {speed: [0.1 m/s, 0.2 m/s], stiffness: [2 N/m, 3 N/m]}\nquantities: [end.x]'
says 0 "4 runs" grid.yaml -o grid --report grid.html
if command -v node >/dev/null && command -v chromium >/dev/null && [ -e "$root/node_modules/playwright-core" ]; then
  check "a click on a cell of a map" cell_runs
  check "the pages in a browser" node "$root/tests/report/plain.mjs" page.html fleet.html
else skipped=$((skipped + 1)); echo "SKIP install nodejs and chromium, and npm ci"; fi
fleet 0 '"logs": 8' identify --many "$logs/manifest.csv" -o fleet-2 --threads 2 --json
same fleet-1 fleet-2
touch -r fleet-1/axis-axis1.csv before && rm fleet-2/axis-axis2.csv
fleet 0 "" fleet $logs/manifest.csv -o fleet-2
same fleet-1 fleet-2
head -c 500 fleet-1/axis-axis1.csv >fleet-2/axis-axis1.csv # what is not whole is fitted again
fleet 0 "" fleet $logs/manifest.csv -o fleet-2
same fleet-1 fleet-2
fleet 0 "2 axes" fleet "$logs/axis?_*.csv" -o fleet-3
cut -d, -f2-4 fleet-1/axis-axis2.csv | tail -n 4 >days
check "dates from names" grep -q '2026-03-04,fine' days
{ cat $logs/manifest.csv; echo missing.csv,axis1,2026-03-05; } >$logs/more.csv
echo rubbish >$logs/bad.csv && echo bad.csv,axis2,2026-03-05 >>$logs/more.csv
fleet 0 "2 that could not be used" fleet $logs/more.csv -o fleet-4
check "the reason of a missing log" grep -q 'unreadable.*missing.csv' fleet-4/axis-axis1.csv
fleet 5 "no file has such a name" fleet 'nothing/*.csv' -o fleet-5
fleet 3 "is not a day" fleet 'examples/compare/*.csv' -o fleet-5
fleet 3 "the first line is file,axis,day" fleet $logs/axis1_2026-03-01.csv -o fleet-5
fleet 2 "there is no law 'lugr'" fleet $logs/manifest.csv -o fleet-5 --model lugr
fleet 2 "no logs given" fleet -o fleet-5

# ---- many runs, and ranks of MPI ----

flat_enough() { [ $((few * 20 * 125 / 100)) -ge "$many" ]; }
flat() { # twenty times the runs in twenty times the time, within a quarter?
  local n
  for n in 3000 60000; do
    sed "s/^runs: .*/runs: $n/;/^chunk/d" drawn.yaml >flat$n.yaml
    for i in 1 2; do rm -rf flat$n; user_time "$tool" sweep flat$n.yaml -o flat$n --threads 1 --quiet; done | sort -n | head -n 1 >flat$n.ms
  done
  few=$(cat flat3000.ms) many=$(cat flat60000.ms)
  echo "cost: $few ms for 3000 runs, $many ms for 60000"
  flat_enough
}
long() {
  local few many n pid
  for n in 1 2 3; do # beside other work clocks are not exact; a cost that grows does so each time
    flat && break
  done
  check "the cost of a run is not flat" flat_enough
  rm -rf memory && (ulimit -v 100000; "$tool" sweep flat60000.yaml -o memory --threads 1 --quiet) || fail "60000 runs need more than 100 MB"
  if ! command -v mpirun >/dev/null || [ ! -e "$(dirname "$tool")/bristle-mpi.so" ]; then
    skipped=$((skipped + 1)) && echo "SKIP install libopenmpi-dev openmpi-bin"
    return
  fi
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  sed 's/^runs: .*/runs: 10000/;/^chunk/d' drawn.yaml >ranks.yaml
  "$tool" sweep ranks.yaml -o ranks-0 --threads 2 --quiet
  for n in 1 2 4; do
    check "$n ranks" timeout 100 mpirun -n $n "$tool" sweep ranks.yaml -o ranks-$n
    same ranks-0 ranks-$n
  done
  check "4 ranks over TCP" timeout 100 mpirun --mca btl self,tcp -n 4 "$tool" sweep ranks.yaml -o ranks-tcp
  same ranks-0 ranks-tcp
  timeout 100 mpirun -n 3 "$tool" sweep ranks.yaml -o ranks-killed >said 2>&1 &
  while [ ! -e ranks-killed/chunk-000020.npy ] && kill -0 $! 2>/dev/null; do sleep 0.01; done
  pid=$(pgrep -P "$(pgrep -P $! mpirun)" bristle | tail -n 1)
  [ -n "$pid" ] && kill -9 "$pid"
  wait $!
  check "a killed rank: exit $?" [ $? != 0 ]
  check "after a killed rank" timeout 100 mpirun -n 2 "$tool" sweep ranks.yaml -o ranks-killed
  same ranks-0 ranks-killed
  rm -rf ranks-0/chunk-00000*
  check "a refused spec under mpirun" sh -c "! timeout 60 mpirun -n 2 '$tool' sweep bad.yaml -o bad"
}
[ "${1:-}" != long ] || long
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
