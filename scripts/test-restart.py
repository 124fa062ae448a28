#!/usr/bin/env python3
"""What a restarted command reuses is keyed by every option and by the contents of every file.

    test-restart.py TOOL

`fleet` and `sweep` run into a folder; one option, or the contents of one input of the same size and age, is changed; they
run into that folder again. What is there then must be what a fresh folder gets, or the run must refuse the folder. The
options are those of the verb's own table: one that is not listed here fails, so that nobody adds an option without a key.
"""
import glob, json, os, shutil, subprocess, sys, tempfile

TOOL = os.path.abspath(sys.argv[1])
EXAMPLES = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "examples"))
passed = failed = 0

# two values of each option; of those that change a table, the two must give different ones
FLEET = {
    "--model": ("coulomb", "stribeck"), "--mass": (None, ""), "--time": ("t", "t*2"), "--position": ("x", "x*3"),
    "--velocity": ("v", "v*1.5"), "--force": ("F", "F*2"), "--join": ("one.csv", "two.csv"), "--from": ("0", "2 s"),
    "--to": ("7 s", "5 s"), "--cutoff": ("4 Hz", "4.0000001 Hz"), "--delay": ("none", "50 ms"), "--weight": ("w", "w2"),
    "--lead": ("10 mm", "20 mm"), "--radius": ("10 mm", "20 mm"), "--load": ("none", "n"), "--acceleration": ("none", "a"), "--reference": ("none", "r"),
}
TORQUE = ["--force", "F*0.01 N*m"]
BESIDE = {"--lead": TORQUE, "--radius": TORQUE}  # what an option needs to have something to do
FLEET_SAME = {  # they change what is shown, not the tables of axes
    "--false-alarms": ("0.01", "0.5"), "--least": ("0.05", "0.5"), "--threads": ("1", "2"), "--report": ("a.html", "b.html"),
    "--json": (None, ""), "--quiet": (None, ""),
}
SWEEP_SAME = {
    "--threads": ("1", "2"), "--shard": (None, "1/1"), "--device": (None, "cpu"), "--merge": ("a.npy", "b.csv"),
    "--report": ("a.html", "b.html"), "--json": (None, ""), "--quiet": (None, ""),
}
# two values of each key of a spec, beside what it needs to have something to do
SPEC = "scenario: body.yaml\nkeys: {mass: [1 kg, 2 kg]}\nquantities: [end.x]\n"
DRAWN = "scenario: body.yaml\nkeys: {mass: {uniform: [1 kg, 2 kg]}}\nruns: 3\nquantities: [end.x]\n"
STEPS = "scenario: fixed.yaml\nkeys: {mass: [1 kg, 2 kg]}\nquantities: [end.x]\n"
SPEC_KEYS = {
    "scenario": (SPEC, SPEC.replace("body", "other")), "set": (SPEC + "set: {time.end: 1 s}\n", SPEC + "set: {time.end: 2 s}\n"),
    "keys": (SPEC, SPEC.replace("2 kg", "3 kg")), "runs": (DRAWN, DRAWN.replace("runs: 3", "runs: 4")),
    "sampling": (DRAWN + "sampling: random\n", DRAWN + "sampling: sobol\n"), "indices": (DRAWN + "indices: false\n", DRAWN + "indices: true\n"),
    "seed": (DRAWN + "seed: 1\n", DRAWN + "seed: 2\n"), "quantities": (SPEC, SPEC.replace("end.x", "end.v")),
    "series": (SPEC + "series: [x]\n", SPEC + "series: [v]\n"), "after": (SPEC.replace("end.x", "min.x") + "after: 0.1 s\n", SPEC.replace("end.x", "min.x") + "after: 1 s\n"),
    "steps": (SPEC + "steps: 1\n", SPEC + "steps: 1000\n"), "engine": (STEPS + "engine: solver\n", STEPS + "engine: ensemble\n"),
    "chunk": (SPEC + "chunk: 1\n", SPEC + "chunk: 2\n"), "title": (SPEC + "title: a\n", SPEC + "title: b\n"),
    "identification": ("identification: {file: log1.csv, model: coulomb}\nkeys: {cutoff: [4 Hz, 6 Hz]}\nquantities: [fc]\n",
                       "identification: {file: log2.csv, model: coulomb}\nkeys: {cutoff: [4 Hz, 6 Hz]}\nquantities: [fc]\n"),
}
MAY_BE_WITHOUT_EFFECT = {"--load", "--acceleration", "--reference", "--join"}  # of these records and laws
OTHERS = {"-o", "--many", "--check"}  # where to, and other ways to name the input


def check(what, good, more=""):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print("FAIL", what, more)


def run(verb, arguments, folder):
    done = subprocess.run([TOOL, verb, *arguments, "-o", folder], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def given(option, value):
    return [] if value is None else [option] if value == "" else [option, value]


def tables(folder, pattern):
    return {os.path.basename(f): open(f, "rb").read() for f in glob.glob(os.path.join(folder, pattern))}


def rows(folder, pattern):
    """Without the first line of a table, which is its key."""
    return {name: text.split(b"\n", 1)[1] for name, text in tables(folder, pattern).items()}


def changed(verb, what, first, then, pattern, change=lambda: None, must_differ=False):
    """Runs with `first`, makes the change, and runs with `then`: in the same folder and in a fresh one."""
    for folder in ("used", "fresh", "first"):
        shutil.rmtree(folder, ignore_errors=True)
    code, said = run(verb, first, "used")
    check(f"{verb} {what}: the first run ends with {code}", code in (0, 4), said[:300])
    if must_differ:
        shutil.copytree("used", "first")
    change()
    code, said = run(verb, then, "fresh")
    check(f"{verb} {what}: a fresh run ends with {code}", code in (0, 4), said[:300])
    code, said = run(verb, then, "used")
    if code == 3 and "another sweep" in said:
        check(f"{verb} {what}: it was refused without a change", must_differ)
        return
    check(f"{verb} {what}: what was there before was taken over", tables("used", pattern) == tables("fresh", pattern)
          and len(tables("fresh", pattern)) > 0, said[:300])
    if must_differ:
        check(f"{verb} {what}: the change has no effect, so that this test cannot fail",
              rows("first", pattern) != rows("fresh", pattern))


def rewrite(path, old, new):
    """Other contents, the same size, the same age."""
    assert len(old) == len(new)
    age, text = os.stat(path), open(path).read()
    assert old in text, (path, old)
    with open(path, "w") as f:
        f.write(text.replace(old, new))
    os.utime(path, ns=(age.st_atime_ns, age.st_mtime_ns))


def keys_of_specs():
    """What `sweep --help` lists below "keys of a spec"."""
    told = subprocess.run([TOOL, "sweep", "--help"], capture_output=True, text=True, check=True).stdout
    part = told.split("keys of a spec:\n")[1].split("\n\n")[0]
    return [line.split()[0] for line in part.splitlines() if line.startswith("  ") and line[2] != " "]


def options_of(verb):
    told = json.loads(subprocess.run([TOOL, "help", "--json"], capture_output=True, text=True, check=True).stdout)
    return [o["name"] for v in told["verbs"] if v["name"] == verb for o in v["options"]]


def make_logs():
    for day in "12":
        lines = open(f"{EXAMPLES}/fleet/axis1_2026-03-0{day}.csv").read().splitlines()
        out = [lines[0] + ",a [m/s^2],n [N],w,w2,r [m]"]
        for i, line in enumerate(lines[1:]):
            t, x, v, force = line.split(",")
            last = lines[max(i, 1)].split(",")  # a mass of 5 kg, by differences of the velocity
            a = (float(v) - float(last[2])) / 0.025
            out.append(f"{t},{x},{v},{float(force) + 5 * a:.3f},{a:.5f},{10 + i % 3},1,{1 + i % 7},{x}")
        open(f"log{day}.csv", "w").write("\n".join(out) + "\n")
    times = [line.split(",")[0] for line in lines[1:]]
    for name, factor in (("one", 1), ("two", 2)):
        open(f"{name}.csv", "w").write("t [s],u [V]\n" + "".join(f"{t},{factor * i % 5}\n" for i, t in enumerate(times)))
    open("manifest.csv", "w").write("file,axis,day\nlog1.csv,a,2026-03-01\nlog2.csv,a,2026-03-02\n")


def test_fleet():
    make_logs()
    plain = ["manifest.csv", "--threads", "1"]
    law = ["--model", "coulomb"]
    for option in options_of("fleet"):
        values = FLEET.get(option) or FLEET_SAME.get(option)
        check(f"fleet {option} is not in this test: give two values that make different tables", values or option in OTHERS)
        if not values:
            continue
        base = (plain if option != "--threads" else plain[:1]) + (law if option != "--model" else []) + BESIDE.get(option, [])
        changed("fleet", option, base + given(option, values[0]), base + given(option, values[1]), "axis-*.csv",
                must_differ=option in FLEET and option not in MAY_BE_WITHOUT_EFFECT)
    base = plain + law
    for file, old, new in (("log1.csv", "\n0.125,", "\n0.124,"), ("log2.csv", "\n0.100,", "\n0.101,"), ("manifest.csv", "03-02", "03-05")):
        changed("fleet", file, base, base, "axis-*.csv", lambda: rewrite(file, old, new), must_differ=True)
    joined = base + ["--join", "one.csv", "--force", "u*2 N"]
    changed("fleet", "a joined file", joined, joined, "axis-*.csv", lambda: rewrite("one.csv", ",4\n", ",3\n"), must_differ=True)


def test_damaged_tables():
    """A table that somebody has changed is not taken over, nor is one of an axis that is no longer there passed over."""
    plain = ["manifest.csv", "--threads", "1", "--model", "coulomb"]
    for folder in ("used", "fresh"):
        shutil.rmtree(folder, ignore_errors=True)
        run("fleet", plain, folder)
    good = tables("fresh", "*.csv")
    text = good["axis-a.csv"].decode()
    head, body = text.split("\n", 1)
    law = head.index(" law coulomb")
    digit = next(i for i, c in enumerate(body) if c == "0" and body[i + 1] == ".")
    for what, damaged in (("a digit", head + "\n" + body[:digit] + "9" + body[digit + 1:]), ("a number", head + "\n" + body.replace("0.", "nan0.", 1)),
                          ("its law", head[:law] + " law tanh" + head[law + 12:] + "\n" + body), ("a word", text.replace(",fine,", ",doubtful,", 1)),
                          ("its end", text[:-1]), ("a row", text + body.splitlines()[-1] + "\n"), ("no text", "")):
        check(f"fleet: {what} is no damage", damaged != text)
        open("used/axis-a.csv", "w").write(damaged)
        code, said = run("fleet", plain, "used")
        check(f"fleet: a table with another {what} was taken over ({code})", tables("used", "*.csv") == good, said[:300])
    open("more.csv", "w").write(open("manifest.csv").read() + "log1.csv,gone,2026-03-01\n")
    run("fleet", ["more.csv", *plain[1:]], "used")
    code, said = run("fleet", plain, "used")
    check("fleet says nothing of a table of an axis that is gone", code == 0 and "axis-gone.csv" in said, said[:300])
    check("fleet says so of a folder where there is none", "axis-" not in run("fleet", plain, "fresh")[1])


def test_words():
    """What a fleet says of logs that it cannot use."""
    def says(what, manifest, code, text):
        open("odd.csv", "w").write("file,axis,day\n" + manifest)
        shutil.rmtree("odd", ignore_errors=True)
        got, said = run("fleet", ["odd.csv", "--model", "coulomb"], "odd")
        check(f"fleet with {what}: exit {got}, expected {code} with '{text}'", got == code and text in said, said[:300])
    open("none.csv", "w").write("nothing\n")
    shutil.copy("log1.csv", "copy.csv")
    lines = open("log1.csv").read().splitlines()
    back = [f"{float(line.split(',', 1)[0]) - (i > 200):.3f},{line.split(',', 1)[1]}" for i, line in enumerate(lines[1:])]
    open("back.csv", "w").write("\n".join([lines[0]] + back) + "\n")
    says("logs that cannot be read", "none.csv,a,1\n", 3, "no log could be used")
    says("a clock that goes back", "back.csv,a,1\n", 4, "no log could be used without doubt")
    says("one log as two days", "log1.csv,a,1\nlog1.csv,a,2\n", 3, "are one log")
    says("a copy as another day", "log1.csv,a,1\ncopy.csv,a,2\n", 3, "days 1 and 2 of axis 'a' are one log")
    says("one log", "log1.csv,a,1\n", 0, "1 log of 1 axis in odd")
    says("a date and a number", "log1.csv,a,2026-03-01\nlog2.csv,a,20260302\n", 3, "odd.csv:3: '20260302' is a number, and the days before it are dates")
    open("twice.csv", "w").write("file,axis,day,axis\nlog1.csv,a,1,b\n")
    got, said = run("fleet", ["twice.csv"], "odd2")
    check("two columns of axes", got == 3 and "twice.csv:1: there are two columns 'axis'" in said, said[:300])
    says("two axes of one log", "log1.csv,a,1\nlog1.csv,b,1\n", 0, "2 logs of 2 axes")


def test_sweep():
    model = "bristle: 1\nmodel: coulomb\nparameters: {fc: %d, sigma2: 0}\n"
    for name, fc in (("one.yaml", 1), ("two.yaml", 2), ("three.yaml", 3)):
        open(name, "w").write(model % fc)
    open("pull.csv", "w").write("t [s],F [N]\n0,0\n1,4\n2,5\n")
    open("body.yaml", "w").write("rig: mass\nmass: 1 kg\nforce: {file: pull.csv}\nfriction: {file: one.yaml}\ntime: {end: 2 s, output: 0.5 s}\n")
    open("spec.yaml", "w").write("scenario: body.yaml\nkeys: {friction.file: [one.yaml, two.yaml], mass: [1 kg, 2 kg]}\nchunk: 2\n"
                                 "quantities: [end.x]\n")
    open("set.yaml", "w").write("scenario: body.yaml\nset: {friction.file: three.yaml}\nkeys: {mass: [1 kg, 2 kg]}\nquantities: [end.x]\n")
    for option in options_of("sweep"):
        values = SWEEP_SAME.get(option)
        check(f"sweep {option} is not in this test", values or option in OTHERS)
        if values:
            changed("sweep", option, ["spec.yaml"] + given(option, values[0]), ["spec.yaml"] + given(option, values[1]), "*")
    for spec, file, old, new in (
            ("spec.yaml", "spec.yaml", "1 kg", "3 kg"), ("spec.yaml", "body.yaml", "2 s", "1 s"), ("spec.yaml", "pull.csv", "1,4", "1,6"),
            ("spec.yaml", "one.yaml", "fc: 1", "fc: 3"), ("spec.yaml", "two.yaml", "fc: 2", "fc: 4"), ("set.yaml", "three.yaml", "fc: 3", "fc: 2")):
        changed("sweep", file, [spec], [spec], "*", lambda: rewrite(file, old, new), must_differ=True)
    make_logs()
    open("other.yaml", "w").write(open("body.yaml").read().replace("1 kg", "1 kg\ninitial: {v: 1 m/s}"))
    open("fixed.yaml", "w").write("rig: mass\nmass: 1 kg\nforce: 3 N\nfriction: {file: one.yaml}\n"
                                  "time: {end: 0.1 s, output: 0.05 s}\nsolver: {method: coupled, step: 1 ms}\n")
    for key in keys_of_specs():
        check(f"the key '{key}' of a spec is not in this test: give two specs that differ in it", key in SPEC_KEYS)
        for k, text in enumerate(SPEC_KEYS.get(key, ())):
            open(f"key{k}.yaml", "w").write(text)
        if key in SPEC_KEYS:
            changed("sweep", f"the key '{key}'", ["key0.yaml"], ["key1.yaml"], "*", must_differ=True)
    open("fits.yaml", "w").write("identification: {model: coulomb}\nkeys: {file: [log1.csv, log2.csv], cutoff: [4 Hz, 6 Hz]}\nquantities: [fc]\n")
    for file, old, new in (("fits.yaml", "6 Hz", "5 Hz"), ("log1.csv", "\n0.125,", "\n0.124,"), ("log2.csv", "\n0.100,", "\n0.101,")):
        changed("sweep", file + " of identifications", ["fits.yaml"], ["fits.yaml"], "*", lambda: rewrite(file, old, new), must_differ=True)


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    test_fleet()
    test_damaged_tables()
    test_words()
    test_sweep()
    os.chdir("/")
print(f"{passed} passed, {failed} failed, 0 skipped")
sys.exit(failed > 0)
