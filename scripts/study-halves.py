#!/usr/bin/env python3
"""Are the deviations honest? Halves and quarters of real records, each identified by itself, must agree within them.

  scripts/study-halves.py [--jobs N] [NAME ...]    the records whose name begins so; all without a name

The whole record chooses the law. Each piece is identified with that law and automatic settings: its own cut-off, mask
and terms. z = difference / root of the sum of the squared deviations, for every parameter that both pieces call
determined; halves against each other, quarters in all six pairs. Pieces that end with a doubt have no say and are
counted. Honest deviations give a root mean square z of 1 over all records; the bar is 0.7 to 1.3, and under 3 % of z
beyond 3.
"""
import math
import os
import sys
from concurrent.futures import ThreadPoolExecutor

sys.dont_write_bytecode = True  # no folder of it among the scripts
from real_logs import (CYCLOIDAL, DATA, DRIVEN, EMPS, GEARBOX, INERTIA, PENDULUM, PRESLIDING, SEAL, SERVO, Run, columns,
                       numbers, ur_options)


def records():
    yield "emps", "emps/emps_identification.csv", EMPS
    yield "emps pulses", "emps/emps_validation_pulses.csv", EMPS
    for j in range(1, 7):
        yield "ur10e %d" % j, "ur10e_joints/joint_%d.csv" % j, ur_options(j)
    for k, file in enumerate(INERTIA, 1):
        yield "servo inertia %d" % k, file, SERVO
    for k, file in enumerate(PRESLIDING, 1):
        yield "servo presliding %d" % k, file, SERVO
    for k, file in enumerate(CYCLOIDAL, 1):
        yield "cycloidal %d" % k, file, GEARBOX
    for file in DRIVEN:
        yield "bam " + file[file.index("_kp") + 1:-4], file, PENDULUM
    for seal in ("oring", "kdn"):
        for bar in (1, 3, 5, 7):
            yield "seal %s %d" % (seal, bar), "pneumatic_seal/%s_%dbar.csv" % (seal, bar), SEAL


def determined(run):
    """name: (value, deviation) of what the run stands for; None: it does not."""
    if not run.best() or run.code != 0:
        return None
    return {n: (p["value"], p["std"]) for n, p in numbers(run.best()).items()
            if p["free"] and not p["reason"] and p["std"] and math.isfinite(p["std"]) and p["std"] > 0}


def compare(pieces):
    """[(name, z)] of all pairs."""
    out = []
    for i, a in enumerate(pieces):
        for b in pieces[i + 1:]:
            if a is None or b is None:
                continue
            out += [(n, (a[n][0] - b[n][0]) / math.hypot(a[n][1], b[n][1])) for n in a if n in b]
    return out


def study(record):
    name, file, options = record
    t, = columns(os.path.join(DATA, file), "time_s")
    length = t[-1] - t[0]
    whole = Run([file], options).start()
    whole.end()
    if not whole.best():
        return name, "refused: " + (whole.message.splitlines() or [""])[0][-90:], whole.code, [None] * 2, [None] * 4
    law = whole.best()["model"]
    pieces = []
    for parts in (2, 4):
        for k in range(parts):
            run = Run([file], options + ["--model", law, "--from", "%.6g" % (length * k / parts), "--to",
                                         "%.6g" % (length * (k + 1) / parts)]).start()
            run.end()
            pieces.append(determined(run))
    return name, law, whole.code, pieces[:2], pieces[2:]


def figures(z):
    if not z:
        return "%3d" % 0 + " " * 36
    worst = max(z, key=lambda x: abs(x[1]))
    rms = math.sqrt(sum(x * x for _, x in z) / len(z))
    return "%3d  %6.2f  %3d  %-10s %8.1f   " % (len(z), rms, sum(abs(x) > 3 for _, x in z), worst[0], worst[1])


def pooled(title, z):
    """Prints one line; returns whether the bar holds."""
    if not z:
        print("%-20s nothing to compare" % title)
        return False
    size = sorted(abs(x) for _, x in z)
    rms, beyond = math.sqrt(sum(x * x for x in size) / len(size)), sum(x > 3 for x in size) / len(size)
    print("%-20s %4d z   rms %6.2f   median |z| %5.2f (0.67 when honest)   beyond 2: %4.1f %%   beyond 3: %4.1f %%" % (
        title, len(z), rms, size[len(size) // 2], 100 * sum(x > 2 for x in size) / len(size), 100 * beyond))
    return 0.7 <= rms <= 1.3 and beyond < 0.03


def main(arguments):
    if not os.path.isdir(DATA):
        print("SKIP data: the folder of real logs is absent (%s; BRISTLE_DATA names another)" % DATA)
        return 78
    jobs = 1
    if "--jobs" in arguments:
        place = arguments.index("--jobs")
        jobs = int(arguments[place + 1])
        del arguments[place:place + 2]
    wanted = [r for r in records() if not arguments or any(r[0].startswith(a) for a in arguments)]
    title = "  n  rms z   >3  worst            z   "
    print("%-26s %-16s exit | halves: %s | quarters: %s | pieces in doubt" % ("record", "law", title, title))
    halves, quarters = [], []
    with ThreadPoolExecutor(jobs) as pool:
        for name, law, code, two, four in pool.map(study, wanted):
            a, b = compare(two), compare(four)
            halves, quarters = halves + a, quarters + b
            print("%-26s %-16s %4d |         %s |           %s | %d of 6" % (
                name, law, code, figures(a), figures(b), sum(p is None for p in two + four)), flush=True)
    print()
    for parameter in sorted({n for n, _ in halves + quarters}):
        pooled(parameter, [x for x in halves + quarters if x[0] == parameter])
    print()
    good = [pooled(title, z) for title, z in (("halves", halves), ("quarters", quarters), ("both", halves + quarters))]
    print("ok" if all(good) else "FAIL: rms z outside 0.7 .. 1.3, or 3 % and more beyond 3")
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
