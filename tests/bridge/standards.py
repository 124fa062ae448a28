"""Exports beside what others publish: standards.py TOOL FOLDER. SSP parameter sets and the layered standard of FMUs against the schemas
that FMPy carries, Modelica against a parser of the language and the law's own formula. Prints one line for each failure and a count."""
import math
import os
import subprocess
import sys
import zipfile

import fmpy
import fmpy.ssp
import pymoca.ast
import pymoca.parser
from lxml import etree

tool, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
counts = {True: 0, False: 0}
ROLES = ("document requirement specification model parameter system testcase experiment experiment/smoke-test experiment/validation "
         "experiment/uncertainty-analysis result method rationale report request delivery configuration signature serialized-state "
         "meta-data other").split()  # of FMI-LS-REF 1.0.0-beta.1
LAYER = "{http://fmi-standard.org/fmi-ls-manifest}"


def check(holds, *words):
    counts[bool(holds)] += 1
    if not holds:
        print("FAIL", *words, flush=True)


def export(law, form, ending, *options):
    path = os.path.join(folder, f"{law}.{ending}")
    run = subprocess.run([tool, "export", law, "--to", form, "-o", path, *options], capture_output=True, text=True,
                         env=dict(os.environ, CC="false"))
    check(run.returncode == 0, "export", law, form, run.stderr[:300])
    return path, run.stdout


def schema(package, *parts):
    return etree.XMLSchema(etree.parse(os.path.join(os.path.dirname(package.__file__), *parts)))


def parameter_sets():
    """valid, every unit is defined, values are those of the model"""
    valid = schema(fmpy.ssp, "schema", "SystemStructureParameterValues.xsd")
    v, c = "{http://ssp-standard.org/SSP1/SystemStructureParameterValues}", "{http://ssp-standard.org/SSP1/SystemStructureCommon}"
    for law, options in (("lugre", ["--set", "level_skew=0.1,fc=1.25"]), ("gms", []), ("coulomb", ["--set", "viscous_skew=-0.5"]), ("gear", [])):
        path, _ = export(law, "ssv", "ssv", *options)
        tree = etree.parse(path)
        check(valid.validate(tree), law, "SSV", valid.error_log)
        known = {unit.get("name") for unit in tree.iter(c + "Unit")}
        used = {real.get("unit") for real in tree.iter(v + "Real")} - {None}
        check(known == used, law, "units are defined once each", known, used)
        values = {p.get("name"): float(p[0].get("value")) for p in tree.iter(v + "Parameter")}
        check(law != "lugre" or (values["fc"], values["level_skew"], values["viscous_skew"]) == (1.25, 0.1, 0.0), values)
        check(law != "coulomb" or values["viscous_skew"] == -0.5, values)
    check(not valid.validate(etree.fromstring(f'<ParameterSet xmlns="{v[1:-1]}"/>')), "the schema can refuse")


def layered_standard():
    """every file that the manifest names is there; the experiment names the same files; the list of sources is valid"""
    path, _ = export("dahl", "fmu3", "fmu", "--shape", "body")
    home = "extra/org.fmi-standard.fmi-ls-ref/"
    with zipfile.ZipFile(path) as unit:
        manifest = etree.fromstring(unit.read(home + "fmi-ls-manifest.xml"))
        experiment = etree.fromstring(unit.read(home + "dahl.exp"))
        build = etree.fromstring(unit.read("sources/buildDescription.xml"))
        names = unit.namelist()
    check(manifest.tag == "fmiReferences", manifest.tag)
    check(dict(manifest.attrib) == {
        LAYER + "fmi-ls-name": "org.fmi-standard.fmi-ls-ref", LAYER + "fmi-ls-version": "1.0.0-alpha.1",
        LAYER + "fmi-ls-description": "Layered Standard providing information on related files included in an FMU."}, manifest.attrib)
    check([related.tag for related in manifest] == ["Related"] * 3, "elements of the manifest")
    for related in manifest:
        check(set(related.attrib) <= {"type", "source", "role", "description", "checksum", "checksumType"}, related.attrib)
        check(related.get("role") in ROLES and home + related.get("source") in names, related.attrib)
    runs = experiment.findall("Experiment")
    check(experiment.tag == "Experiments" and experiment.get("name") and len(runs) == 1, "experiment")
    check([part.tag for part in runs[0]] == ["TransientSimulation", "Stimuli", "References"], "parts of the experiment")
    check([home + part.get("source") in names for part in runs[0][1:]] == [True, True], "files of the experiment")
    built = schema(fmpy, "schema", "fmi3", "fmi3BuildDescription.xsd")
    check(built.validate(build), "buildDescription.xml", built.error_log)


def modification(argument):
    """name and value of what an `extends` changes"""
    change = argument.value
    return change.component.name, change.modifications[0]


def matrix(value):
    if isinstance(value, pymoca.ast.Array):
        return [matrix(part) for part in value.values]
    if isinstance(value, pymoca.ast.Expression) and len(value.operands) == 1:
        return -matrix(value.operands[0])
    return float(value.value)


def modelica():
    """the text is Modelica; its table is the steady curve, the mean of both directions; straight lines between are near it"""
    fc, fs, vs, sigma2 = 1.0, 1.5, 1e-3, 0.4
    curve = lambda v: fc + (fs - fc) * math.exp(-(v / vs) ** 2) + sigma2 * v
    model = "bristle: 1\nmodel: lugre\nparameters: {sigma0: 1e5 N*m/rad, sigma1: 316 N*m*s/rad, sigma2: 0.4 N*m*s/rad, fc: 1 N*m, fs: 1.5 N*m, vs: 1e-3 rad/s}\n"
    with open(os.path.join(folder, "turn.yaml"), "w") as out:
        out.write(model)
    for law, base, table in (("lugre", "Translational.Components.SupportFriction", "f_pos"),
                             (os.path.join(folder, "turn.yaml"), "Rotational.Components.BearingFriction", "tau_pos")):
        for skew in ((), ("--set", "level_skew=0.2")):
            path = os.path.join(folder, "friction_curve.mo")
            run = subprocess.run([tool, "export", law, "--to", "modelica", "-o", path, *skew], capture_output=True, text=True)
            check(run.returncode == 0, run.stderr)
            check(("directions differ by up to 0.5" in run.stdout) == bool(skew), run.stdout)
            with open(path) as lines:
                tree = pymoca.parser.parse(lines.read())
            one = tree.classes["friction_curve"]
            check(str(one.extends[0].component) == f"Modelica.Mechanics.{base}", one.extends[0].component)
            changed = dict(modification(a) for a in one.extends[0].class_modification.arguments)
            check(set(changed) == {table, "peak"}, list(changed))
            rows = matrix(changed[table])
            check(rows[0][0] == 0 and all(a[0] < b[0] for a, b in zip(rows, rows[1:])), "speeds rise from 0")
            check(abs(rows[0][1] * float(changed["peak"].value) / fs - 1) < 1e-6, "what must be overcome", rows[0])
            off = max(abs(f / curve(v) - 1) for v, f in rows[1:])
            check(off < 1e-8, "the table is the curve", off)
            between = max(abs((a[1] + b[1]) / 2 - curve((a[0] + b[0]) / 2)) for a, b in zip(rows, rows[1:]))
            check(between < 0.03 * fs, "between its rows", between)
    try:
        pymoca.parser.parse("model x extends y(; end x;")
        check(False, "the parser can refuse")
    except pymoca.parser.ModelicaSyntaxError:
        check(True)


def main():
    os.makedirs(folder, exist_ok=True)
    parameter_sets()
    layered_standard()
    modelica()
    print(f"{counts[True]} passed, {counts[False]} failed, 0 skipped")
    return counts[False] != 0


sys.exit(main())
