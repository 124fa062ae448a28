#!/usr/bin/env python3
"""Calls of FMUs in legal and illegal orders: fmu_calls.py TOOL FOLDER [--calls N] [--seed N] [--all]. Exports units, makes a list of their
variables of modelDescription.xml, compiles their sources with tests/bridge/fmu_calls under the address and undefined-behaviour sanitizers,
and runs that. Prints one line for each failure and a count."""
import argparse
import os
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fmu_calls")
UNITS = [("lugre", "element"), ("stribeck", "body"), ("startstop", "servo")]
ALL = UNITS + [("gms", "body"), ("threlfall", "servo"), ("armstrong", "element"), ("stribeck", "element"), ("lugre", "servo"),
               ("leuven_original", "body")]
WHOLE = {"form", "turning", "limit", "order"}  # parameters that select a variant
RULES = {law: ("fs", "fc") for law in ("lugre", "stribeck", "startstop")}  # the first is not below the second
KEPT_AS_THEY_ARE = {"gms": ("k", "alpha", "fs", "fc"), "leuven_original": ("k", "alpha", "fs", "fc")}  # the model here does not know their rules


def variables(tree, version):
    """name, value reference, kind and bounds, in the words of calls.c"""
    rows = []
    elements = list(tree.find("ModelVariables"))
    derived = {e[0].get("derivative") if version == 2 else e.get("derivative") for e in elements}
    for index, e in enumerate(elements, 1):
        kind = e[0] if version == 2 else e
        key = str(index) if version == 2 else e.get("valueReference")
        causality = e.get("causality")
        what = {"input": "u", "parameter": "p", "independent": "t"}.get(causality)
        if not what and e.get("initial") == "exact":
            what = "d" if key not in derived else "r" if kind.get("reinit") == "true" else "x"
        if not what:
            what = "i" if kind.tag in ("Integer", "Int32") else "y"
        rows.append({"at": int(e.get("valueReference")), "name": e.get("name"), "what": what, "start": kind.get("start", "0"),
                     "lo": kind.get("min"), "hi": kind.get("max", "DBL_MAX" if kind.get("min") else None)})
    return rows, len(derived - {None})


def header(tree, version, law):
    rows, states = variables(tree, version)
    for r in rows:
        if r["what"] == "p" and r["name"].split("[")[0] in KEPT_AS_THEY_ARE.get(law, ()):
            r["what"] = "k"
    at = {r["name"]: r["at"] for r in rows}
    rule = [at[name] for name in RULES.get(law, ())] or [-1, 0]
    indicators = [r for r in rows if r["name"] in ("slip_to_stick", "stick_to_slip", "reversal", "jump", "memory") and r["what"] == "y"]
    lines = ["typedef struct declared { unsigned at; const char *name; char what; double start, lo, hi; bool whole; int indicator; } declared;",
             "#include <float.h>", "static const declared unit[] = {"]
    for r in rows:
        whole, indicator = int(r["what"] == "p" and r["name"] in WHOLE), indicators.index(r) if r in indicators else 0
        lines.append(f'  {{ {r["at"]}, "{r["name"]}", \'{r["what"]}\', {r["start"]}, {r["lo"] or 0}, {r["hi"] or 0}, {whole}, {indicator} }},')
    token = tree.get("guid") or tree.get("instantiationToken")
    lines += ["};", f'#define TOKEN "{token}"', f'#define LAW "{law}"',
              f"enum {{ VARIABLES = {len(rows)}, STATES = {states}, INDICATORS = {len(indicators)}, RULE_A = {rule[0]}, RULE_B = {rule[1]},",
              f"  STEP_AT = {at.get('step', -1)}, MODE_AT = {at['mode']} }};",
              "static double unit_start(unsigned at)", "{", "  for (int i = 0; i < VARIABLES; i++)",
              "    if (unit[i].at == at) return unit[i].start;", "  return 0;", "}"]
    return "\n".join(lines) + "\n"


def build(tool, folder, law, shape, version):
    home = os.path.join(folder, f"{law}_{shape}{version}")
    os.makedirs(home, exist_ok=True)
    path = home + ".fmu"
    subprocess.run([tool, "export", law, "--to", f"fmu{version}", "--shape", shape, "-o", path], check=True, capture_output=True,
                   env=dict(os.environ, CC="false"))
    with zipfile.ZipFile(path) as unit:
        tree = ElementTree.fromstring(unit.read("modelDescription.xml"))
        for name in ("fmu.c", "slopes.cpp"):
            with open(os.path.join(home, name), "wb") as out:
                out.write(unit.read("sources/" + name))
    with open(os.path.join(home, "unit.h"), "w") as out:
        out.write(header(tree, version, law))
    cc = os.environ.get("CC", "cc").split()
    flags = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]
    objects = []
    for source, extra in ((os.path.join(home, "fmu.c"), ["-std=c99"]),
                          (os.path.join(home, "slopes.cpp"), ["-x", "c++", "-std=c++17", "-fno-exceptions", "-fno-rtti"]),
                          (os.path.join(here, "calls.c"), ["-std=c11", f"-DFMI={version}", "-I" + home, "-I" + here])):
        objects.append(os.path.join(home, os.path.basename(source) + ".o"))
        subprocess.run([*cc, *extra, *flags, "-c", source, "-o", objects[-1]], check=True)
    program = os.path.join(home, "calls")
    subprocess.run([*cc, "-fsanitize=address,undefined", *objects, "-lm", "-o", program], check=True)
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folder")
    parser.add_argument("--calls", default="20000")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--all", action="store_true", help="more laws and shapes")
    q = parser.parse_args()
    failed = passed = 0
    for law, shape in ALL if q.all else UNITS:
        for version in (2, 3):
            run = subprocess.run([build(os.path.abspath(q.tool), q.folder, law, shape, version), q.calls, q.seed], capture_output=True, text=True)
            print(run.stdout + run.stderr, end="", flush=True)
            failed, passed = failed + (run.returncode != 0), passed + (run.returncode == 0)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return failed != 0


sys.exit(main())
