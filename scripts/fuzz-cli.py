#!/usr/bin/env python3
"""Random argument lists for the command line, on small files: good, bad, empty, binary, folders, links, missing.

    fuzz-cli.py TOOL [--seconds N] [--runs N] [--seed N] [--jobs N]

The options are those of the tables that `TOOL help --json` prints. Each run has a folder of its own and must

  - end with 0, 1, 2, 3, 4 or 5, and never by a signal or a sanitizer,
  - end within 5 s of processor time,
  - say something on stderr when it does not end with 0,
  - change no file but the outputs that it was given, and none that it also reads,
  - leave whole files and nothing else behind.

The same seed gives the same arguments. A finding is printed with its arguments, and its folder is kept.
"""
import argparse, concurrent.futures, hashlib, json, os, random, resource, shutil, signal, subprocess, sys, tempfile, time

LIMIT_S, GRACE_S = 5, 60  # of processor time; of the clock, on a busy machine
LAWS = "coulomb stribeck lugre dahl gms tanh karnopp bouc_wen leuven gear tyre_lugre armstrong nolaw lugr".split()
NUMBERS = "0 1 -1 2 3 0.5 1e-3 1e-9 100 1e6 1e30 1e400 nan inf -inf 0x10 1,5 abc".split() + ["", " ", "1e", "-"]
UNITS = ["", " N", " m", " mm/s", " s", " Hz", " N*m", " kg", " parsec", "%", " rad/s", " N*s/m"]
COLUMNS = ["t", "x", "v", "F", "#1", "#2", "#4", "#99", "#0", "#", "F*2", "F*-1", "x*1e-3 m", "F*2 N*m", "F*abc",
           "F**", "*", "nowhere", "", "t [s]"]
SETS = ["fc=1", "fc=-1", "sigma0=1e5 N/m", "vs=2 mm/s", "fs=2,fc=1", "friction.fc=0.5", "friction.model=dahl",
        "time.end=0.05", "time.end=0.2 s", "time.output=10 ms", "time.end=-1", "mass=0", "mass=2 kg", "rig=belt", "x",
        "=", "a.b.c=1", "load=10 N", "friction={", "solver.method=adaptive", "initial.v=1", "gamma=2"]
FEW = {  # values that make sense, where chance alone would hardly find one
    "--model": ["coulomb", "stribeck,lugre", "dahl", "lugre", ",", "", "nolaw", "coulomb,coulomb"],
    "--objective": ["absolute", "relative", "robust", "best"],
    "--load-form": ["force", "coefficient", "level", "x"],
    "--mass": ["free", "none", "2 kg", "-1", "nan"], "--offset": ["free", "none", "1 N"],
    "--gravity": ["free", "none", "1 N"], "--skew": ["free", "none", "1"],
    "--fix": ["fc=1", "fc", "fc=-1", "vs=0.002", "nothing", "=", "fc=1 N", "gamma=1e99"], "--free": ["gamma", "fc", "x"],
    "--profile": ["fc", "sigma0", "x"], "--folds": ["0", "1", "2", "4", "-1", "1000000", "x"],
    "--decimate": ["1", "2", "100", "0", "99999999", "x"], "--threads": ["1", "2", "0", "x"],
    "--seed": ["0", "7", "-1", "x", "99999999999999999999"], "--cutoff": ["none", "10", "10 Hz", "-5", "1e9", "0"],
    "--from": ["0", "0.1", "5", "-1", "x"], "--to": ["0", "0.1", "0.2", "9", "x"],
    "--solver": ["auto", "native", "adaptive", "coupled", "steprule", "cvode", "euler"],
    "--rtol": ["1e-3", "1e-6", "1e-8", "0", "-1", "x", "2"], "--step": ["1e-3", "1 ms", "0", "-1", "x", "1e9"],
    "--noise": ["F=0.1 N", "x=1 um", "q=1", "F=-1", "", "0.1", "0.01 N"], "--load": ["1", "100 N", "-1", "x", "coefficient", "#3"],
    "--only": ["breakaway", "stopping", "maxwell", "creep", "nofigure"], "--wanted": ["fc", "sigma0,fc", "x", ",", "fc,fc"],
    "--speed": ["0.1", "0.1 m/s", "-1", "0", "1e9"], "--stroke": ["0.05", "50 mm", "0", "1e9"],
    "--rate": ["1000", "100 Hz", "1e12", "1e-9", "0"], "--duration": ["1", "5 s", "0.001", "1e12", "0"],
    "--goal": ["0.02", "0.5", "0", "1e-9"], "--loads": ["50 N,100 N", "1", ",", "x", "-1"],
    "--starts": ["1", "2", "0", "-1", "x"], "--candidates": ["1", "5", "0", "-1", "x"],
    "--shard": ["1/1", "2/3", "0/1", "3/2", "x"], "--floor": ["0.05", "0.5", "-1", "9"],
}


def rows(count, line):
    return "".join(line(i) + "\n" for i in range(count))


def make_files(folder):
    """The files that arguments name; whatever lies here is an input until it is given as an output."""
    def put(name, content):
        with open(os.path.join(folder, name), "wb") as f:
            f.write(content if isinstance(content, bytes) else content.encode())

    def motion(i):
        phase = i % 80
        return 0.05 * (phase if phase < 40 else 80 - phase) / 40 - 0.025

    def log(i):
        v = (motion(i + 1) - motion(i)) / 1e-2
        force = (1 if v > 0 else -1) * 2 + 3 * v + 0.01 * ((i * 7919) % 13 - 6)
        return f"{i / 100},{motion(i):.6g},{v:.6g},{force:.6g}"
    head = "t [s],x [m],v [m/s],F [N]\n"
    put("log.csv", head + rows(240, log))
    put("half.csv", head + rows(150, log))
    put("few.csv", head + rows(4, log))
    put("nan.csv", head + rows(200, lambda i: f"{i / 100},nan,,x"))
    put("ragged.csv", head + rows(30, lambda i: "1," * (i % 6)))
    put("quote.csv", 't,v\n0,"1\n1,2\n')
    put("back.csv", "t,v\n0,1\n1,1\n0.5,1\n")
    put("bare.csv", rows(100, lambda i: f"{i / 100} {motion(i):.6g} {i % 3}"))
    put("huge.csv", "t,v\n0,1e308\n1e-300,-1e308\n1,1e308\n")
    put("ros.csv", "time,position,velocity,effort\n" + rows(200, log))
    put("empty.csv", ""), put("empty.yaml", ""), put("notes.txt", "my notes\n"), put("plain", "keep me\n")
    put("binary.csv", bytes(range(256)) * 8), put("binary.yaml", os.urandom(0) + bytes([0, 255, 1, 10, 58, 32]) * 50)
    put("page.html", "<!doctype html><title>mine</title>\n")
    put("model.yaml", "bristle: 1\nmodel: lugre\nparameters: {fc: 1, fs: 1.5, sigma0: 1e4}\n")
    put("other.yaml", "model: dahl\nparameters: {fc: {value: 2, unit: N, std: 0.1}}\n")
    put("broken.yaml", "model: [lugre\n  a: {\n")
    put("wrong.yaml", "model: lugre\nparameters: {fc: -1, qq: 2}\n")
    friction = "friction: {file: model.yaml}\ntime: {end: 0.05, output: 5 ms}\n"
    put("run.yaml", "rig: prescribed\nmotion: {file: log.csv}\n" + friction)
    put("belt.yaml", "rig: belt\nmass: 1\nstiffness: 30\nspeed: 0.1\n" + friction)
    put("servo.yaml", "rig: servo\nmass: 1\nkp: 30\nkd: 3\ntarget: 1 mm\n" + friction)
    put("loop.yaml", "rig: mass\nfriction: {file: loop.yaml}\n")
    put("fleet.csv", "file,axis,day\nlog.csv,a,1\nhalf.csv,a,2\nnan.csv,b,1\n")
    sweep = "scenario: belt.yaml\nquantities: [end.x, slips]\nchunk: 2\n"
    put("sweep.yaml", sweep + "keys: {speed: [0.1, 0.2], friction.fs: [0.5, 2]}\n")
    put("drawn.yaml", sweep + "keys: {speed: {uniform: [0, 1]}}\nruns: 5\n")
    put("joint.yaml", "type: revolute\ngeometry: {pin_radius: 10 mm, friction_arm: 12 mm}\n"
        "friction: {model: lugre, parameters: {sigma0: 1e4, fc: 0.2, fs: 0.3}}\n")
    put("reactions.csv", "t,fx [N],fy [N],fz [N],mx [N*m],my [N*m],mz [N*m],w [rad/s]\n"
        + rows(30, lambda i: f"{i / 100},10,1,0,0,0,0,{i / 30}"))
    put("rig.yaml", "model: coulomb\nstep: 10 ms\nunknown: {fc: [0.1, 5], mass: [0.1, 10]}\ncolumns: {input: F}\n"
        "runs: [{file: log.csv}, {file: half.csv, held: true}]\n")
    os.mkdir(os.path.join(folder, "folder"))
    put("folder/index.html", "<!doctype html><title>mine</title>\n"), put("folder/in.csv", head + rows(100, log))
    for link, target in (("link.csv", "log.csv"), ("link.yaml", "model.yaml"), ("dangling.csv", "folder/new.csv"),
                         ("nowhere.csv", "no/where.csv"), ("around.csv", "around.csv"), ("here", ".")):
        os.symlink(target, os.path.join(folder, link))
    os.link(os.path.join(folder, "log.csv"), os.path.join(folder, "hard.csv"))


FILES = ("log.csv half.csv few.csv nan.csv ragged.csv quote.csv back.csv bare.csv huge.csv ros.csv empty.csv empty.yaml notes.txt "
         "plain binary.csv binary.yaml page.html model.yaml other.yaml broken.yaml wrong.yaml run.yaml belt.yaml servo.yaml "
         "loop.yaml fleet.csv sweep.yaml drawn.yaml joint.yaml reactions.csv rig.yaml folder folder/in.csv link.csv link.yaml dangling.csv nowhere.csv "
         "around.csv here/log.csv hard.csv missing.csv missing/deep.yaml /dev/null - ./log.csv folder/../run.yaml").split()
FRESH = "out.csv out.html out.yaml out new/out.csv /dev/full /dev/null - folder here/out.csv here".split()
GOOD = {"fleet": ["fleet.csv", "*_1.csv"], "sweep": ["sweep.yaml", "drawn.yaml"], "simulate": ["run.yaml", "belt.yaml", "servo.yaml"], "drive": ["lugre", "model.yaml", "dahl"],
        "identify": ["log.csv", "ros.csv", "5 N=log.csv"], "plan": ["coulomb", "dahl", "model.yaml"],
        "compare": ["model.yaml", "other.yaml", "coulomb"], "loads": ["50 N=model.yaml", "9 N=link.yaml", "1=other.yaml"],
        "joint": ["joint.yaml"], "show": ["lugre", "gms"], "models": [], "gallery": [], "loop": ["lugre", "model.yaml"],
        "help": ["simulate", "loop"], "export": ["lugre", "model.yaml", "gms"], "import": ["log.csv", "page.html", "model.yaml"]}
NEEDS = {"fleet": ["-o", "fitted"], "sweep": ["-o", "swept"], "drive": ["--motion", "log.csv"], "compare": ["--data", "log.csv"], "joint": ["--reactions", "reactions.csv"],
         "gallery": ["-o", "pages"], "export": ["--to", "json", "-o", "out.json"], "import": ["-o", "out.yaml"], "plan": ["--duration", "0.2 s"]}
INPUTS, OUTPUTS, SWITCHES, LISTS = set(), set(), {"--help"}, set()


def options_of(tool):
    verbs = {}
    text = subprocess.run([tool, "help", "--json"], capture_output=True, text=True, check=True).stdout
    for verb in json.loads(text)["verbs"]:
        names = verbs[verb["name"]] = ["--help"]
        for option in verb["options"]:
            both = [option["name"]] + ([option["also"]] if "also" in option else [])
            names += both
            if option["kind"] in ("table", "page", "document", "result", "folder"):
                OUTPUTS.update(both)
            INPUTS.update(both if option["kind"] == "file" else ())
            SWITCHES.update(() if "argument" in option else both)
            LISTS.update(both if option["repeats"] else ())
    return verbs


def value_for(option, chance):
    if option in OUTPUTS:
        return chance.choice(FRESH if chance.random() < 0.5 else FILES)
    if option in INPUTS:
        return chance.choice(FILES)
    if option == "--set":
        return ",".join(chance.sample(SETS, chance.choice((1, 1, 2))))
    if option in FEW and chance.random() < 0.85:  # the first ones are right
        return chance.choice(FEW[option][:2] if chance.random() < 0.6 else FEW[option])
    if option in ("--time", "--position", "--velocity", "--acceleration", "--force", "--weight"):
        return {"--time": "t"}.get(option, option[2]) if chance.random() < 0.5 else chance.choice(COLUMNS)
    return chance.choice((chance.choice(NUMBERS) + chance.choice(UNITS), chance.choice(FILES), chance.choice(LAWS)))


def mutate(text, chance):
    at = chance.randrange(len(text) + 1)
    return chance.choice((text[:at], text[at:], text + text, text[:at] + chance.choice("=*,#-\"'{[%\xe9\n ") + text[at:]))


def arguments(verbs, chance):
    verb = chance.choice(sorted(verbs))
    given = []
    usual = {"models": 0, "gallery": 0, "loads": 3, "help": 0}.get(verb, 1)
    for _ in range(usual if chance.random() < 0.85 else chance.choice((0, 1, 2, 3))):
        given.append([chance.choice(GOOD[verb] if GOOD.get(verb) and chance.random() < 0.8 else FILES + LAWS)])
    if verb in NEEDS and chance.random() < 0.9:
        given.append(list(NEEDS[verb]))
    for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 5))):
        option = chance.choice(verbs[verb])
        twice = any(g[0].split("=")[0].replace("--output", "-o") == option.replace("--output", "-o") for g in given)
        if twice and option not in LISTS and chance.random() < 0.9:
            continue
        value = value_for(option, chance)
        if option in SWITCHES and chance.random() < 0.95:
            given.append([option])
        elif chance.random() < 0.1:
            given.append([f"{option}={value}"])
        else:
            given.append([option, value] if chance.random() < 0.97 else [option])
    if verb == "gallery" and not any(g[0].startswith("--only") for g in given):  # all of them take long
        given.append(["--only", chance.choice(FEW["--only"])])
    chance.shuffle(given)
    flat = [verb] + [word for group in given for word in group]
    if chance.random() < 0.1:
        at = chance.randrange(len(flat))
        flat[at] = mutate(flat[at], chance)
    return [word.replace("\0", "") for word in flat]


def snapshot(folder):
    found = {}
    for place, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(place, name)
            if os.path.islink(path):
                found[os.path.relpath(path, folder)] = "-> " + os.readlink(path)
            elif os.path.isfile(path):
                with open(path, "rb") as f:
                    found[os.path.relpath(path, folder)] = hashlib.sha256(f.read()).hexdigest()
    return found


def named(args, folder, wanted):
    """Real paths behind the values of some options, or (None) behind everything else."""
    found = set()
    for i, word in enumerate(args):
        option, _, value = word.partition("=")
        before = args[i - 1] if i else ""
        if wanted is not None:
            path = value if option in wanted else word if before in wanted else None
        else:
            path = None if option in OUTPUTS or before in OUTPUTS else value if value else word
        if path:
            found.add(os.path.realpath(os.path.join(folder, path)))
    return found


def is_whole(path):
    with open(path, "rb") as f:
        content = f.read()
    if content.startswith(b"<!doctype html>"):
        return content.endswith(b"</html>\n")
    return not content or content.endswith(b"\n")


def complaints(args, folder, before, status, said, seconds):
    if seconds > LIMIT_S:
        yield f"took {seconds:.1f} s of processor time"
    elif status not in range(6):
        yield f"ended with {status}"
    if status != 0 and not said.strip():
        yield "refused without a word"
    after = snapshot(folder)
    outputs, inputs = named(args, folder, OUTPUTS), named(args, folder, None)
    for name in sorted(set(before) | set(after)):
        path = os.path.realpath(os.path.join(folder, name))
        if "bristle-part" in name:
            yield f"left {name}"
        elif before.get(name) == after.get(name):
            continue
        elif (args[0] in ("gallery", "sweep", "fleet") or "--many" in " ".join(args)) and name not in before:
            continue
        elif path not in outputs:
            yield f"changed {name}, which is no output"
        elif path in inputs:
            yield f"changed {name}, which it reads"
        elif name in before and status == 2:
            yield f"changed {name}, and refused the call"
        elif name not in after or not is_whole(path):
            yield f"did not leave {name} whole"


def run_one(tool, verbs, seed, number, keep):
    chance = random.Random(f"{seed}.{number}")
    args = arguments(verbs, chance)
    top = tempfile.mkdtemp(prefix=f"fuzz-{number}-", dir=keep)
    folder = os.path.join(top, "files")
    os.mkdir(folder)
    make_files(folder)
    before = snapshot(folder)
    environment = dict(os.environ, ASAN_OPTIONS="exitcode=99:detect_leaks=1:allocator_may_return_null=1",
                       UBSAN_OPTIONS="halt_on_error=1:exitcode=98:print_stacktrace=1")
    with open(os.path.join(top, "said"), "wb") as said, open(os.path.join(folder, "log.csv"), "rb") as typed:
        child = subprocess.Popen([tool] + args, cwd=folder, stdin=typed, stdout=subprocess.DEVNULL, stderr=said,
                                 env=environment, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (12, 15)))
        begin = time.monotonic()
        while True:
            done, status, usage = os.wait4(child.pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() - begin > GRACE_S:
                os.kill(child.pid, signal.SIGKILL)
            time.sleep(0.002)
    child.returncode = code = os.waitstatus_to_exitcode(status)
    with open(os.path.join(top, "said"), "rb") as f:
        text = f.read().decode(errors="replace")
    seconds = usage.ru_utime + usage.ru_stime
    found = list(complaints(args, folder, before, code, text, seconds))
    if not found:
        shutil.rmtree(top)
    return number, args, code, found, text, top


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    for name, usual in (("--seconds", 600), ("--runs", 0), ("--seed", 1), ("--jobs", os.cpu_count() or 1)):
        parser.add_argument(name, type=int, default=usual)
    q = parser.parse_args()
    tool, end = os.path.abspath(q.tool), time.monotonic() + q.seconds
    verbs, keep, codes, findings = options_of(tool), tempfile.mkdtemp(prefix="bristle-fuzz-"), {}, 0
    numbers = iter(range(q.runs or 10**12))
    with concurrent.futures.ThreadPoolExecutor(q.jobs) as pool:
        waiting = set()
        while True:
            while len(waiting) < 2 * q.jobs and time.monotonic() < end and (n := next(numbers, None)) is not None:
                waiting.add(pool.submit(run_one, tool, verbs, q.seed, n, keep))
            if not waiting:
                break
            done, waiting = concurrent.futures.wait(waiting, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                number, args, code, found, text, top = future.result()
                codes[code] = codes.get(code, 0) + 1
                for what in found:
                    findings += 1
                    print(f"FAIL {what}: seed {q.seed}, run {number}: bristle {args}\n  kept in {top}")
                    print("".join("  | " + line + "\n" for line in text.splitlines()[:6]), end="", flush=True)
    shutil.rmtree(keep) if not findings else None
    print(f"{sum(codes.values())} runs, exit codes {dict(sorted(codes.items()))}, {findings} findings")
    sys.exit(1 if findings or any(not codes.get(code) for code in (0, 2, 3, 5)) else 0)


main()
