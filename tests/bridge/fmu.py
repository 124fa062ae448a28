"""FMUs of bristle, checked with FMPy: fmu.py TOOL FOLDER. Prints one line for each failure and a count."""
import csv
import os
import random
import shutil
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

import numpy as np
from fmpy import extract, read_model_description, simulate_fmu
from fmpy.build import build_platform_binary
from fmpy.fmi2 import FMU2Slave
from fmpy.fmi3 import FMU3Model, FMU3Slave
from fmpy.validation import validate_fmu

from fmu_refusals import refusals

tool, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
counts = {True: 0, False: 0}


def check(holds, *words):
    counts[bool(holds)] += 1
    if not holds:
        print("FAIL", *words, flush=True)


def law_names():
    with open(os.path.join(root, "src/models/models.def")) as lines:
        return [line.split("(")[1].split(")")[0] for line in lines if line.startswith("BRISTLE_LAW(")]


def export(law, version, shape, name=None, compiled=True, options=()):
    path = os.path.join(folder, f"{name or law}_{shape}{version}.fmu")
    environment = dict(os.environ, CC=os.environ.get("CC", "cc") if compiled else "false")
    run = subprocess.run([tool, "export", law, "--to", f"fmu{version}", "--shape", shape, "-o", path, *options],
                         capture_output=True, text=True, env=environment)
    check(run.returncode == 0, "export", law, version, shape, run.stderr[:200])
    check(("without a binary" in run.stdout) == (not compiled), law, "tells of its binary:", run.stdout)
    return path


# ---- every law, every shape, both versions: the validator finds nothing ----

def validate(law):
    for version in (2, 3):
        for shape in ("element", "body", "servo"):
            path = export(law, version, shape, compiled=False)
            problems = validate_fmu(path)
            check(not problems, "validate", law, version, shape, problems)
            os.remove(path)


def names_do_not_clash():
    path = export("bouc_wen", 3, "element", options=["--load", "2 N", "--set", "n=2"], compiled=False)
    names = [v.name for v in read_model_description(path).modelVariables]
    check(len(set(names)) == len(names), "names are unique", names)
    model = os.path.join(folder, "mu.yaml")
    with open(model, "w") as out:
        out.write("bristle: 1\nmodel: power\nload: coefficient\nparameters: {fc: 0.3, b: 0.1, n: 0.6}\n")
    path = export(model, 3, "element", name="mu", options=["--load", "5 N"], compiled=False)
    variables = {v.name: v for v in read_model_description(path).modelVariables}
    check("n" in variables and variables["n"].causality == "input", "the load is an input", list(variables))
    check("n_law" in variables and variables["n_law"].causality == "parameter", "the exponent is renamed", list(variables))


# ---- motion: a body pulled by a spring, against the tool's own simulator ----

# Laws for which solvers of Model Exchange chatter, or whose memories follow the host's steps: what they may be off by
loose = {"gms": 0.02, "armstrong": 0.05, "karnopp": 1e-3, "leuven": 1e-3}
coupled_reference = {"power", "ambrosio"}  # an infinite slope at rest, a dead band with corners: by small coupled steps


def reference(law, values, host, end):
    path, rows = os.path.join(folder, "run.yaml"), os.path.join(folder, "run.csv")
    with open(path, "w") as out:
        out.write(f"rig: spring-pull\nmass: {host['mass']} kg\nstiffness: {host['stiffness']} N/m\n"
                  f"speed: {host['pull_speed']} m/s\nload: 1 N\ntime: {{end: {end} s, output: 10 ms}}\n"
                  f"friction: {{model: {law}, parameters: {{{', '.join(f'{k}: {v!r}' for k, v in values.items())}}}}}\n")
        if law in coupled_reference:
            out.write("solver: {method: coupled, step: 10 us}\n")
    run = subprocess.run([tool, "simulate", path, "-o", rows], capture_output=True, text=True)
    check(run.returncode == 0, "simulate", law, run.stderr[:300])
    with open(rows) as lines:
        table = list(csv.reader(lines))
    heads = [head.split(" ")[0] for head in table[0]]
    t, x = heads.index("t"), heads.index("x")
    return np.array([float(row[t]) for row in table[1:]]), np.array([float(row[x]) for row in table[1:]])


def simulate(path, kind, values, end, **more):
    if kind == "ModelExchange":
        more.update(solver="CVode", relative_tolerance=1e-8)
    return simulate_fmu(path, fmi_type=kind, stop_time=end, output_interval=more.pop("interval", 1e-3),
                        start_values=values, output=["x", "v", "F"], **more)


def compare(law, path, values, host, end=3):
    times, positions = reference(law, values, host, end)
    way = np.max(np.abs(positions))
    check(way > 1e-3, law, "moves", way)
    for kind in ("CoSimulation", "ModelExchange"):
        run = simulate(path, kind, {**values, **host}, end)
        off = np.max(np.abs(np.interp(times, run["time"], run["x"]) - positions)) / way
        most = 2e-3 if kind == "CoSimulation" else loose.get(law, 1e-4)
        check(off < most, law, kind, f"off by {off:.2e} of {way:.3g} m, at most {most:g}; {values}")


host = {"mass": 1.0, "stiffness": 20.0, "pull_speed": 0.04}


def every_law_moves(law):
    compare(law, export(law, 3, "body"), {}, host)


def random_sets():
    """A hundred parameter sets; relations hold because fs is above fc."""
    draw = random.Random(1)
    plan = {"coulomb": 25, "stribeck": 20, "dahl": 15, "lugre": 20, "elasto_plastic": 10, "threlfall": 10}
    for law, count in plan.items():
        path = os.path.join(folder, f"{law}_body3.fmu")
        for _ in range(count):
            values = {"fc": draw.uniform(0.3, 1.5), "sigma2": draw.uniform(0, 2)}
            if law in ("stribeck", "lugre", "elasto_plastic"):
                values.update(fs=values["fc"] * draw.uniform(1, 1.6), vs=10 ** draw.uniform(-3, -2))
            if law in ("dahl", "lugre", "elasto_plastic"):
                values["sigma0"] = 10 ** draw.uniform(3.5, 5)
            if law == "threlfall":  # friction jumps at v0, and a load in that gap keeps the speed
                values["v0"] = 10 ** draw.uniform(-3, -1.7)
            if law == "elasto_plastic":
                values["zba"] = 0.5 * values["fc"] / values["sigma0"]
            compare(law, path, values, {"mass": draw.uniform(0.5, 2), "stiffness": draw.uniform(20, 60), "pull_speed": 0.04}, 2.5)


SKEWS = {"level_skew": 0.2, "viscous_skew": -0.3}


def directions_differ():
    """Skews are parameters of the unit; a body that is pulled one way and the other follows the tool's own simulator."""
    for law in ("coulomb", "stribeck", "dahl", "lugre", "elasto_plastic", "gms"):
        options = ["--set", ",".join(f"{k}={v}" for k, v in SKEWS.items())]
        for version in (2, 3):
            path = export(law, version, "body", name=f"{law}_skewed", options=options)
            problems = validate_fmu(path)
            check(not problems, "validate", law, "with skews", version, problems)
        variables = {v.name: v for v in read_model_description(path).modelVariables}
        check(all(variables[k].causality == "parameter" and float(variables[k].start) == v for k, v in SKEWS.items()), law, list(variables))
        check(float(variables["level_skew"].max) == 0.95 and variables["level_skew"].unit is None, law, "bounds and unit")
        for speed in (0.04, -0.04):
            compare(law, path, SKEWS, dict(host, pull_speed=speed))
    slopes("lugre", options=options, more=("level_skew", "viscous_skew"))


def stick_slip():
    """The period between slips of the classic benchmark, 6.36272 s."""
    values = {"mass": 1, "stiffness": 2, "pull_speed": 0.1}
    results = {}
    for version in (2, 3):
        path = export("lugre", version, "body")
        for kind in ("CoSimulation", "ModelExchange"):
            run = results[version, kind] = simulate(path, kind, values, 22)
            t, v = run["time"], run["v"]
            at = np.where((v[:-1] < 0.05) & (v[1:] >= 0.05))[0]
            slips = t[at] + (0.05 - v[at]) / (v[at + 1] - v[at]) * (t[at + 1] - t[at])
            check(len(slips) == 3 and np.all(np.abs(np.diff(slips) / 6.36272 - 1) < 2e-3), "stick-slip", version, kind, slips)
    for kind in ("CoSimulation", "ModelExchange"):
        check(np.array_equal(results[2, kind]["x"], results[3, kind]["x"]), "FMI 2 and 3 agree to the last bit", kind)


# ---- the interface ----

def instance(path, kind):
    unpacked, description = extract(path), read_model_description(path)
    fmu = kind(guid=description.guid, unzipDirectory=unpacked, modelIdentifier=description.coSimulation.modelIdentifier,
               instanceName="one")
    fmu.instantiate()
    fmu.enterInitializationMode()
    return fmu, {v.name: v.valueReference for v in description.modelVariables}, unpacked


def slopes(law, options=(), more=()):
    """Slopes of the force by velocity, state and a parameter beside central differences."""
    path = export(law, 3, "element", options=options)
    fmu, at, unpacked = instance(path, FMU3Model)
    get, put = lambda name: fmu.getFloat64([at[name]])[0], lambda name, value: fmu.setFloat64([at[name]], [value])
    put("v", 2e-3)
    if "z" in at:
        put("z", 3e-6)
    fmu.exitInitializationMode()
    for name in ["v"] + [n for n in ("z", "fc", "fs", "sigma2", *more) if n in at]:
        before = value = get(name)
        step = 1e-6 * abs(value) if value else 1e-6
        if value == 0 and name not in ("v", "z"):
            value = step  # a parameter may be at its bound, and what is below it is refused
        put(name, value + step)
        above = get("F")
        put(name, value - step)
        slope = (above - get("F")) / (2 * step)
        put(name, value)
        exact = fmu.getDirectionalDerivative([at["F"]], [at[name]], [1.0])[0]
        check(abs(exact - slope) <= 1e-6 * max(abs(slope), 1e-3), law, "dF/d" + name, exact, slope)
        put(name, before)
    fmu.freeInstance()
    shutil.rmtree(unpacked, ignore_errors=True)


def states_return():
    """A copy of the state, also through bytes, leads to the same bits."""
    path = os.path.join(folder, "lugre_body3.fmu")
    fmu, at, unpacked = instance(path, FMU3Slave)
    fmu.setFloat64([at["stiffness"], at["pull_speed"]], [20.0, 0.04])
    fmu.exitInitializationMode()
    def walk(start):
        for i in range(100):
            fmu.doStep(start + i * 1e-3, 1e-3)
        return fmu.getFloat64([at["x"], at["v"], at["z"], at["F"]])
    walk(0)
    copy = fmu.getFMUState()
    text = fmu.serializeFMUState(copy)
    first = list(walk(0.1))
    fmu.setFMUState(copy)
    check(list(walk(0.1)) == first, "a copy of the state leads to the same bits")
    fmu.setFMUState(fmu.deserializeFMUState(text))
    check(list(walk(0.1)) == first, "bytes of the state lead to the same bits")
    fmu.freeInstance()
    shutil.rmtree(unpacked, ignore_errors=True)


def wrong_token():
    path = os.path.join(folder, "lugre_body3.fmu")
    unpacked, description = extract(path), read_model_description(path)
    fmu = FMU3Model(guid="{other}", unzipDirectory=unpacked, modelIdentifier=description.coSimulation.modelIdentifier, instanceName="one")
    try:
        fmu.instantiate()
        check(False, "another token is refused")
    except Exception:
        check(True)
    shutil.rmtree(unpacked, ignore_errors=True)


def no_number():
    """an input that is no number is refused, and the unit goes on as if it had not come"""
    for version, kind in ((2, FMU2Slave), (3, FMU3Slave)):
        fmu, at, unpacked = instance(export("lugre", version, "element"), kind)
        put = fmu.setReal if version == 2 else fmu.setFloat64
        put([at["v"]], [0.01])
        try:
            put([at["v"]], [float("nan")])
            check(False, "NaN is refused", version)
        except Exception:
            check(True)
        fmu.exitInitializationMode()
        fmu.doStep(0, 1e-3)
        force = (fmu.getReal if version == 2 else fmu.getFloat64)([at["F"]])[0]
        check(0.1 < force < 5, "and leaves the unit as it was", version, force)
        fmu.freeInstance()
        shutil.rmtree(unpacked, ignore_errors=True)


def sources_compile():
    for law, version in (("lugre", 3), ("gms", 2)):
        path = export(law, version, "element", compiled=False)
        unpacked = extract(path)
        build_platform_binary(unpacked)
        binaries = [name for _, _, names in os.walk(os.path.join(unpacked, "binaries")) for name in names]
        check(any(name.endswith(".so") for name in binaries), law, "the source FMU compiles", binaries)
        shutil.rmtree(unpacked, ignore_errors=True)


def reference_result():
    """What lies in the unit for its users: the element at 10 us follows it."""
    path = export("lugre", 3, "element")
    with zipfile.ZipFile(path) as unit:
        part = "extra/org.fmi-standard.fmi-ls-ref/lugre_element3_%s.csv"
        given, result = (np.genfromtxt(unit.open(part % side), delimiter=",", names=True) for side in ("in", "out"))
        check("documentation/index.html" in unit.namelist(), "there is a page")
        home, space = "extra/org.fmi-standard.fmi-ls-ref/", "{http://fmi-standard.org/fmi-ls-manifest}"
        manifest = ElementTree.fromstring(unit.read(home + "fmi-ls-manifest.xml"))
        check(manifest.tag == "fmiReferences" and manifest.get(space + "fmi-ls-name") == "org.fmi-standard.fmi-ls-ref", "manifest")
        sources = [related.get("source") for related in manifest.findall("Related")]
        check(len(sources) == 3 and all(home + name in unit.namelist() for name in sources), "manifest lists its files", sources)
        check([related.get("role") for related in manifest] == ["experiment/smoke-test", "other", "result"], "roles of the manifest")
    signals = np.array(list(zip(given["time"], given["v"])), dtype=[("time", float), ("v", float)])
    run = simulate_fmu(path, fmi_type="CoSimulation", stop_time=0.3, output_interval=2e-5, input=signals, output=["F"])
    off = np.max(np.abs(np.interp(result["time"][:300], run["time"], run["F"]) - result["F"][:300]))
    check(off < 0.05, "reference result", off)


def main():
    laws = law_names()
    os.makedirs(folder, exist_ok=True)
    for law in laws:
        validate(law)
    names_do_not_clash()
    for law in laws:
        every_law_moves(law)
    stick_slip()
    random_sets()
    directions_differ()
    for law in ("lugre", "dahl", "tanh", "gms", "bouc_wen", "elasto_plastic", "stribeck", "leuven"):
        slopes(law)
    states_return()
    wrong_token()
    no_number()
    refusals(tool, folder, check, export)
    sources_compile()
    reference_result()
    print(f"{counts[True]} passed, {counts[False]} failed, 0 skipped")
    return counts[False] != 0


sys.exit(main())
