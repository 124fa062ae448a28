#!/usr/bin/env python3
"""Does identification find what was put in? Made-up axes, rounded positions, noisy and late forces, through the tool.

  scripts/study-truth.py [--count N] [--first SEED] [--laws lugre,dahl] [--fitted lugre,dahl]
                         [--kinds friction,drive] [--jobs N]
                         [--quantum PART] [--delay SAMPLES] [--noise PART] [--fall PART] [--save PIECE.jsonl]
  scripts/study-truth.py --merge PIECE.jsonl ...     the tables of pieces that were run apart

Axes of five laws by build/synthetic-axis, whose equations and integration are its own: logs of the friction itself,
and of a drive (position and force only, `--mass free`). All five are fitted to each, unless --fitted says
otherwise. The position has a quantum of 1e-8 to 1e-3 of the stroke, the force a noise of 0.5 to 3 % and a delay of 0, 1 or 2 samples. Tables: how many of what is called determined cover the
truth with their 95 % interval, the mean z (bias in deviations), what is called undetermined; by law, parameter, delay
and quantum. Bars: coverage 90 to 98 %; no stiffness called determined where the truth is rigid; the law chosen is the
true one, or among those called indistinguishable, in 95 %; no law worse than one that it contains.
"""
import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.join(ROOT, os.environ.get("BUILD", "build"))
TOOL = os.path.abspath(os.environ.get("TOOL", os.path.join(BUILD, "bristle")))
MAKER = os.path.join(BUILD, "synthetic-axis")
LAWS = ["coulomb", "stribeck", "dahl", "lugre", "gms"]
FITTED = ",".join(LAWS)
CONTAINS = [("stribeck", "coulomb"), ("lugre", "dahl")]
NORMAL = 1.959964

# ---- one axis ----


def stiffness_determined(result):
    return any((p["name"] == "sigma0" or p["name"].startswith("k[")) and p["free"] and not p["reason"] and p["std"]
               for p in result["parameters"])


def losers(results):
    """Laws that end with a larger error than one they contain, on the same residuals."""
    by_name = {r["variant"]: r for r in results}
    pairs = [(big + tail, small + tail) for big, small in CONTAINS for tail in ("", " + skew")]
    pairs += [(name + " + skew", name) for name in by_name]
    out = []
    for big, small in pairs:
        a, b = by_name.get(big), by_name.get(small)
        if a and b and a["residuals"] == b["residuals"] and a["rms"] > b["rms"] * (1 + 1e-4):
            out.append("%s > %s by %.2g %%" % (big, small, 100 * (a["rms"] / b["rms"] - 1)))
    return out


def indistinguishable(found):
    """The chosen law and those that the data do not tell from it."""
    return [r["variant"] for i, r in enumerate(found["results"]) if i == 0 or r.get("indistinguishable")]


def examine(law, seed, kind, given, fitted):
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "axis.csv")
        truth = json.loads(subprocess.run([MAKER, law, str(seed), kind, log] + given, capture_output=True, text=True,
                                          check=True).stdout)
        command = [TOOL, "identify", log, "--json", "--threads", "1", "--model", fitted]
        begin = time.time()
        done = subprocess.run(command + (["--mass", "free"] if kind == "drive" else []), capture_output=True, text=True)
    record = dict(truth, kind=kind, seed=seed, exit=done.returncode, seconds=round(time.time() - begin, 2))
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return dict(record, refused=(done.stderr.strip().splitlines() or ["?"])[0])
    results = found["results"]
    true_law = [r for r in results if r["model"] == law]
    true_law = next((r for r in true_law if r["variant"] == law), true_law[0] if true_law else None)
    names = indistinguishable(found)
    record.update(best=results[0]["variant"], law_set=names, doubt=found["doubt"], worse=losers(results),
                  cutoff=found["data"][0]["cutoff_Hz"],
                  stiff_best=stiffness_determined(results[0]), stiff_any=[r["variant"] for r in results
                                                                          if stiffness_determined(r)])
    record["right"] = any(n.split(" +")[0] == law for n in names)
    record["found"] = {p["name"]: [p["value"], p["std"], bool(p["free"] and not p["reason"] and p["std"])]
                       for p in true_law["parameters"]} if true_law else {}
    return record


# ---- tables ----


def z_values(records):
    """(law, kind, parameter, z, delay, quantum) of what is called determined by runs without a doubt; z None: not."""
    for r in records:
        if "refused" in r or r["exit"] != 0:
            continue
        for name, value in r["parameters"].items():
            if name in r["found"]:
                x, deviation, determined = r["found"][name]
                yield (r["law"], r["kind"], name, (x - value) / deviation if determined else None, r["delay"],
                       r["quantum"])


def line(title, rows):
    z = [x[3] for x in rows if x[3] is not None]
    if not rows:
        return
    text = "%-34s %5d  %5.1f %%" % (title, len(z), 100 * (1 - len(z) / len(rows)))
    if z:
        text += "   %5.1f %%   %7.2f   %8.2f   %5.1f %%   %9.1f" % (
            100 * sum(abs(x) < NORMAL for x in z) / len(z), sum(z) / len(z), math.sqrt(sum(x * x for x in z) / len(z)),
            100 * sum(abs(x) > 3 for x in z) / len(z), max(z, key=abs))
    print(text)


def tables(records):
    rows = list(z_values(records))
    head = "%-34s %5s  %7s   %7s   %7s   %8s   %7s   %9s" % (
        "", "n", "undet.", "covers", "mean z", "rms z", "> 3", "worst")
    print(head)
    for law in LAWS:
        for kind in ("friction", "drive"):
            these = [x for x in rows if x[0] == law and x[1] == kind]
            for name in dict.fromkeys(x[2] for x in these):
                line("%s %s %s" % (law, kind, name), [x for x in these if x[2] == name])
    print("\n" + head)
    for delay in (0, 1, 2):
        line("all laws, delay %d" % delay, [x for x in rows if x[4] == delay])
    for low in range(-8, -3):
        line("all laws, quantum 1e%d..1e%d" % (low, low + 1),
             [x for x in rows if 10.0 ** low <= x[5] < 10.0 ** (low + 1)])
    for name in dict.fromkeys(x[2].split("[")[0] for x in rows):
        line("all laws, %s" % name, [x for x in rows if x[2].split("[")[0] == name])
    return rows


def surely_outside(part, n, low, high):
    """Beyond what chance does with so few: three deviations of the count away from the bar. A parameter that follows
    another one is not another witness, so a few axes may show too much: the short form only finds what is plain."""
    return part < low - 3 * math.sqrt(low * (1 - low) / n) or part > high + 3 * math.sqrt(high * (1 - high) / n)


def bars(records, rows):
    """Prints them; returns how many hold and how many do not. Short runs miss a bar only where chance cannot."""
    passed = failed = 0
    exact = len(records) >= 1000

    def bar(good, text):
        nonlocal passed, failed
        passed, failed = passed + good, failed + (not good)
        print("%s %s" % ("ok  " if good else "FAIL", text))

    print()
    for law in LAWS:
        z = [x[3] for x in rows if x[0] == law and x[3] is not None]
        mine = [r for r in records if r["law"] == law]
        if not mine:
            continue
        said = [r for r in mine if "refused" not in r and r["exit"] == 0]
        if z:
            part = sum(abs(x) < NORMAL for x in z) / len(z)
            bar(0.90 <= part <= 0.98 if exact else not surely_outside(part, len(z), 0.90, 0.98),
                "%s: %.1f %% of %d intervals cover the truth (90 to 98 %%)" % (law, 100 * part, len(z)))
        right = sum(r["right"] for r in said)
        share = right / len(said) if said else 0
        bar(share >= 0.95 if exact else bool(said) and not surely_outside(share, len(said), 0.95, 1),
            "%s: chosen, or called indistinguishable, in %d of %d (95 %%); %d in doubt or refused" % (
                law, right, len(said), len(mine) - len(said)))
        if law in ("coulomb", "stribeck"):
            best = sum(r["stiff_best"] for r in said)
            any_law = sum(bool(r["stiff_any"]) for r in said)
            bar(any_law == 0, "%s: a stiffness called determined where the truth is rigid: %d by the chosen law, %d by "
                "any, of %d" % (law, best, any_law, len(said)))
    worse = [(r["law"], r["kind"], r["seed"], w) for r in records for w in r.get("worse", [])]
    bar(not worse, "laws worse than one that they contain: %d%s" % (len(worse), "".join("\n       %s %s %d: %s" % w
                                                                                        for w in worse[:12])))
    return passed, failed


def choices(records):
    print("\nchosen by law of the truth, kind and delay:")
    for law in LAWS:
        for kind in ("friction", "drive"):
            for delay in (0, 1, 2):
                mine = [r for r in records if (r["law"], r["kind"], r["delay"]) == (law, kind, delay)]
                count = {}
                for r in mine:
                    name = "refused" if "refused" in r else "doubt" if r["exit"] else r["best"]
                    count[name] = count.get(name, 0) + 1
                if mine:
                    print("  %-10s %-8s delay %d: %s" % (law, kind, delay, ", ".join(
                        "%s %d" % x for x in sorted(count.items(), key=lambda x: -x[1]))))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--laws", default=",".join(LAWS))
    parser.add_argument("--fitted", default=FITTED)
    parser.add_argument("--kinds", default="friction,drive")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS", 1)))
    for name in ("quantum", "delay", "noise", "fall"):
        parser.add_argument("--" + name)
    parser.add_argument("--save")
    parser.add_argument("--merge", nargs="*")
    o = parser.parse_args()
    if o.merge:
        records = [json.loads(x) for path in o.merge for x in open(path)]
    else:
        given = ["%s=%s" % (n, getattr(o, n)) for n in ("quantum", "delay", "noise", "fall") if getattr(o, n)]
        wanted = [(law, seed, kind) for seed in range(o.first, o.first + o.count) for law in o.laws.split(",")
                  for kind in o.kinds.split(",")]
        with ThreadPoolExecutor(o.jobs) as pool:
            records = list(pool.map(lambda w: examine(*w, given, o.fitted), wanted))
    if o.save:
        with open(o.save, "w") as file:
            file.writelines(json.dumps(r) + "\n" for r in records)
    rows = tables(records)
    choices(records)
    passed, failed = bars(records, rows)
    print("%.1f s for each axis" % (sum(r["seconds"] for r in records) / len(records)))
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
