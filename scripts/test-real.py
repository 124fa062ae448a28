#!/usr/bin/env python3
"""Identification of real logs: columns, force factor and `--mass free`, one command each, against what is known.

  scripts/test-real.py            every case
  scripts/test-real.py emps ur10e the cases whose name begins so
  scripts/test-real.py --list     their commands
  scripts/test-real.py --speed    the two cases with a bar on seconds, for a machine that does nothing else

The logs are not part of this project: $BRISTLE_DATA, or ../shared/data. Without them the row is skipped. One line for
each value: what was found, its deviation, what is known, the bar. A value that misses its bar is a FAIL; one of a
run that ended without any doubt is counted as silent as well. `-` instead of ok: shown, no bar.
"""
import csv
import math
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # no folder of it among the scripts
from real_logs import (CYCLOIDAL, DATA, DRIVEN, DROPPED, EMPS, GEARBOX, INERTIA, LIMIT, PENDULUM, PRESLIDING, SEAL,
                       SERVO, TOOL, UR_GAIN, Run, columns, numbers, ur_options, value_of)

# ---- the table ----


class Table:
    def __init__(self):
        self.passed = self.failed = self.silent = 0

    def line(self, run, case, name, value, deviation, reference, low, high, determined=True):
        """low and high: the bar; None, None: only shown."""
        if low is None and high is None:
            mark = "-   "
        else:
            good = determined and (low is None or value >= low) and (high is None or value <= high) and value == value
            mark = "ok  " if good else "FAIL"
            self.passed, self.failed = self.passed + good, self.failed + (not good)
            self.silent += not good and run.code == 0
        bar = "" if low is None and high is None else "%s..%s" % ("" if low is None else "%.5g" % low,
                                                                  "" if high is None else "%.5g" % high)
        note = "" if determined or value != value else " not determined"
        if run.best() is None:
            note = " " + (run.message.splitlines() or ["no result"])[0][-110:]
        found = "%-28s %-14s %11.5g +- %-9.2g known %-9s bar %-17s" % (case, name, value, deviation, reference, bar)
        print("%s %s exit %-3d %-22s %7.3g Hz %5.1f s%s" % (
            mark, found, run.code, run.law()[:22], run.cutoff(), run.seconds, note), flush=True)

    def near(self, run, case, name, reference, part, found=None):
        """Within a part of what is known."""
        value, deviation, determined = found or (
            value_of(run.best(), name) if run.best() else (math.nan, math.nan, False))
        low, high = sorted((reference * (1 - part), reference * (1 + part)))
        self.line(run, case, name, value, deviation, "%.5g" % reference, low, high, determined)

    def coulomb_line(self, run, case, name):
        """Beside another choice: what the smallest law has."""
        result = run.entry("coulomb")
        if result and run.law() != "coulomb":
            value, deviation, _ = value_of(result, name)
            self.line(run, case + " (coulomb)", name, value, deviation, "", None, None)

    def doubt(self, run):
        said = run.json and run.json.get("doubt")
        if said:
            print("       doubt: %s" % said[:200])


# ---- EMPS: an axis with a ball screw, published by Janot, Gautier and Brunot ----

def mean_speed(path, position):
    t, x = columns(path, "time_s", position)
    speed = [abs(x[i + 5] - x[i - 5]) / (t[i + 5] - t[i - 5]) for i in range(5, len(x) - 5)]
    moving = [s for s in speed if s > 0.02 * max(speed)]
    return sum(moving) / len(moving)


def emps(table, run):
    case, best = "emps", run.best()
    for name, known, part in (("mass", 95.1089, 0.015), ("sigma2", 203.5034, 0.015), ("fc", 20.3935, 0.015)):
        table.near(run, case, name, known, part)
    offset = (math.nan, math.nan, False)
    if best:  # the published law has one viscous friction for both directions: its offset holds the mean of the skew
        skew = value_of(best, "skew")
        offset = value_of(best, "offset")
        have = numbers(best)
        slope = skew[0] if skew[0] == skew[0] else 0
        if "sigma2_plus" in have:
            slope = (have["sigma2_plus"]["value"] - have["sigma2_minus"]["value"]) / 2
        if "fc_plus" in have:
            offset = (offset[0] + (have["fc_plus"]["value"] - have["fc_minus"]["value"]) / 2, offset[1], offset[2])
        offset = (offset[0] + slope * mean_speed(run.command[1], "position_m"),) + offset[1:]
    table.near(run, case, "offset at mean", -3.1648, 0.03, offset)
    error = best and best["validation_relative_error"]
    table.line(run, case, "cross test %", 100 * error if error else math.nan, 0, "5.98", None, 6.18)


def seconds(case, most):
    def check(table, run):
        table.line(run, case, "seconds", run.seconds, 0, "", None, most)
    return check


# ---- six joints of an arm ----

UR_FC = [20.3, 18.3, 7.1, 2.8, 3.4, 2.8]
UR_R2 = [0.9980, 0.9957, 0.9984, 0.9984, 0.9963, 0.9971]
SMOOTH = [x / 429 for x in (-36, 9, 44, 69, 84, 89, 84, 69, 44, 9, -36)]  # Savitzky-Golay, 11 points, cubic
SLOPE = [x / 5148 for x in (300, -294, -532, -503, -296, 0, 296, 503, 532, 294, -300)]


def filtered(series, weights, scale=1.0):
    return [sum(w * series[i + k - 5] for k, w in enumerate(weights)) * scale for i in range(5, len(series) - 5)]


def uniform(t, step, *series):
    """The clock is slightly irregular: everything on a uniform grid, straight lines between the samples."""
    out, k = [[] for _ in range(len(series) + 1)], 0
    for i in range(len(t)):
        now = min(t[0] + i * step, t[-1])
        while k < len(t) - 2 and t[k + 1] < now:
            k += 1
        part = (now - t[k]) / (t[k + 1] - t[k])
        out[0].append(now)
        for s, o in zip(series, out[1:]):
            o.append(s[k] + part * (s[k + 1] - s[k]))
    return out


def half_of_joint(j, half):
    """Time, position, velocity, acceleration, torque of the first (0) or second (1) half, Savitzky-Golay filtered."""
    path = os.path.join(DATA, "ur10e_joints", "joint_%d.csv" % j)
    t, q, dq, current = columns(path, "time_s", "q%d_rad" % j, "dq%d_rad_s" % j, "current%d_A" % j)
    middle = len(t) // 2
    part = slice(0, middle) if half == 0 else slice(middle, None)
    step = (t[part][-1] - t[part][0]) / (len(t[part]) - 1)
    t, q, dq, tau = uniform(t[part], step, q[part], dq[part], [UR_GAIN[j - 1] * c for c in current[part]])
    return t[5:-5], filtered(q, SMOOTH), filtered(dq, SMOOTH), filtered(dq, SLOPE, 1 / step), filtered(tau, SMOOTH)


def friction_along(run, t, v):
    """Friction of the chosen law moved as measured, by the tool's own solver."""
    with tempfile.TemporaryDirectory() as folder:
        motion, out = os.path.join(folder, "motion.csv"), os.path.join(folder, "out.csv")
        with open(motion, "w") as file:
            file.write("t [s],v [rad/s]\n")
            last = -math.inf
            for a, b in zip(t, v):
                last = max(a, last + 1e-6)
                file.write("%.9g,%.12g\n" % (last, b))
        command = [TOOL, "drive"]
        if os.path.exists(run.model):
            command += [run.model]
        else:
            values = ",".join("%s=%.15g" % (n, p["value"]) for n, p in numbers(run.best()).items()
                              if n not in ("mass", "offset", "gravity", "gravity_cos", "skew") and "times" not in p)
            command += [run.best()["model"], "--set", values]
        done = subprocess.run(command + ["--motion", motion, "--rtol", "1e-6", "-o", out], capture_output=True,
                              text=True, timeout=LIMIT)
        if done.returncode:
            run.message = done.stderr.strip()
            return None
        with open(out, newline="") as file:
            rows = list(csv.reader(file))
        place = [h.split()[0] for h in rows[0]].index("F")
        return [float(r[place]) for r in rows[1:]]


def own_terms(run, q, v, a):
    """What terms of the record's own, which are made of the motion, add at a sample."""
    names = {"x": q, "v": v, "a": a, "sin": math.sin, "cos": math.cos, "abs": abs, "sign": lambda y: (y > 0) - (y < 0)}
    return sum(p["value"] * eval(p["times"], {"__builtins__": {}}, names)
               for p in numbers(run.best()).values() if "times" in p)


def score(run, j, half):
    """R2 on the other half, where |v| > 0.02 rad/s."""
    t, q, v, a, tau = half_of_joint(j, half)
    friction = friction_along(run, t, v)
    if not friction or len(friction) != len(t):
        return math.nan
    have = {n: p["value"] for n, p in numbers(run.best()).items()}
    term = [have.get(n, 0) for n in ("mass", "offset", "gravity", "gravity_cos", "skew")]
    rows = [i for i in range(len(t)) if abs(v[i]) > 0.02]
    mean = sum(tau[i] for i in rows) / len(rows)
    left = sum((tau[i] - term[0] * a[i] - term[1] - term[2] * math.sin(q[i]) - term[3] * math.cos(q[i])
                - term[4] * abs(v[i]) - own_terms(run, q[i], v[i], a[i]) - friction[i]) ** 2 for i in rows)
    return 1 - left / sum((tau[i] - mean) ** 2 for i in rows)


def joint(j):
    def check(table, run):
        case = "ur10e joint %d" % j
        bent = run.best() and run.best()["model"] == "power"  # what is known is the level beside viscous friction
        table.near(run, case, "fc", UR_FC[j - 1], 0.05, value_of(run.entry("coulomb"), "fc") if bent else None)
        table.coulomb_line(run, case, "fc")
    return check


def joint_half(j):
    def check(table, run):
        value = score(run, j, 1) if run.best() else math.nan
        # the bars have four digits
        table.line(run, "ur10e joint %d A->B" % j, "R2", round(value, 4), 0, "", UR_R2[j - 1], None)
    return check


def half_time(j):
    t, = columns(os.path.join(DATA, "ur10e_joints", "joint_%d.csv" % j), "time_s")
    return "%.6g" % (t[len(t) // 2] - t[0])


# ---- a motor in torque mode ----

def inertia(case, part):
    def check(table, run):
        table.near(run, case, "mass", 2.00e-4, part)
        table.coulomb_line(run, case, "mass")
        if run.best():
            table.line(run, case, "fc", *value_of(run.best(), "fc")[:2], ".0295", None, None)
    return check


def presliding(case):
    def check(table, run):
        found = value_of(run.best(), "stiffness") if run.best() else (math.nan, math.nan, False)
        table.line(run, case, "stiffness", found[0], found[1], "8", 7.5, 8.5, found[2])
        error = run.best()["relative_error"] * 100 if run.best() else math.nan
        table.line(run, case, "error %", error, 0, "12.8", None, 15, found[0] == found[0])
    return check


def lugre_at_20_hertz(table, run):
    error = run.best()["relative_error"] * 100 if run.best() else math.nan
    table.line(run, "servo presliding lugre 20 Hz", "error %", error, 0, "25.9", None, 27)


# ---- a gearbox, a servo on a pendulum, seals ----

def gearbox(case, fc, viscous):
    def check(table, run):
        table.near(run, case, "fc", fc, 0.03)
        if run.best():
            table.line(run, case, "sigma2", *value_of(run.best(), "sigma2")[:2], "%g" % viscous, None, None)
        table.coulomb_line(run, case, "fc")
    return check


def pendulum(case, barred):
    def check(table, run):
        ratio = (math.nan, math.nan, False)
        if run.best():
            mass, gravity = value_of(run.best(), "mass"), value_of(run.best(), "gravity")
            size = gravity[0] or math.nan
            ratio = (mass[0] / size, abs(mass[1] / size), mass[2] and gravity[2])
        if barred:
            table.near(run, case, "mass/gravity", 0.0136, 0.04, ratio)
        else:
            table.line(run, case, "mass/gravity", *ratio[:2], "0.0136", None, None)
    return check


def seal(case, level):
    def check(table, run):
        found = (math.nan, math.nan)
        if run.best():
            speed = mean_speed(run.command[1], "position_m")
            fc, sigma2 = value_of(run.best(), "fc"), value_of(run.best(), "sigma2")
            found = (fc[0] + (sigma2[0] if sigma2[0] == sigma2[0] else 0) * speed, fc[1])
        table.line(run, case, "level at mean v", *found, "%g" % level, None, None)
    return check


def all_cases():
    yield "emps", ["emps/emps_identification.csv"], EMPS + ["--validate", "emps/emps_validation_pulses.csv"], emps
    for j in range(1, 7):
        yield "ur10e joint %d" % j, ["ur10e_joints/joint_%d.csv" % j], ur_options(j), joint(j)
    for j in range(1, 7):
        yield ("ur10e joint %d A->B" % j, ["ur10e_joints/joint_%d.csv" % j],
               ur_options(j) + ["--from", "0", "--to", half_time(j)], joint_half(j))
    for k, file in enumerate(INERTIA, 1):
        yield "servo inertia %d" % k, [file], SERVO, inertia("servo inertia %d" % k, 0.04)
    yield "servo inertia 1-5", INERTIA, SERVO, inertia("servo inertia 1-5", 0.02)
    for k, file in enumerate(PRESLIDING, 1):
        yield "servo presliding %d" % k, [file], SERVO, presliding("servo presliding %d" % k)
    yield "servo presliding 1,3,5", PRESLIDING[::2], SERVO, presliding("servo presliding 1,3,5")
    yield ("servo presliding lugre 20 Hz", PRESLIDING[::2], SERVO + ["--model", "lugre", "--cutoff", "20"],
           lugre_at_20_hertz)
    yield "cycloidal 1", CYCLOIDAL[:1], GEARBOX, gearbox("cycloidal 1", 3.68, 0.105)
    yield "cycloidal 2", CYCLOIDAL[1:], GEARBOX, gearbox("cycloidal 2", 3.01, 0.141)
    yield "bam driven", DRIVEN, PENDULUM, pendulum("bam driven", True)
    yield "bam all", DRIVEN + DROPPED, PENDULUM, pendulum("bam all", False)
    for bar, level in ((1, 3.86), (3, 4.93), (5, 5.21), (7, 6.08)):
        name = "seal o-ring %d bar" % bar
        yield name, ["pneumatic_seal/oring_%dbar.csv" % bar], SEAL, seal(name, level)


def speed_cases():
    five = "coulomb,stribeck,asymmetric,dahl,lugre"
    for name, laws, most in (("emps five laws", five, 3), ("emps all laws", "all", 45)):
        yield (name, ["emps/emps_identification.csv"],
               EMPS + ["--validate", "emps/emps_validation_pulses.csv", "--model", laws], seconds(name, most))


def main(arguments):
    if not os.path.isdir(DATA):
        print("SKIP data: the folder of real logs is absent (%s; BRISTLE_DATA names another)" % DATA)
        return 78
    wanted = [a for a in arguments if not a.startswith("--")]
    table = Table()
    for name, files, options, check in speed_cases() if "--speed" in arguments else all_cases():
        if wanted and not any(name.startswith(w) for w in wanted):
            continue
        run = Run(files, options)
        if "--list" in arguments:
            print(name + ":", "bristle", " ".join("'%s'" % a if " " in a else a for a in run.command))
            continue
        check(table, run.start())
        table.doubt(run)
        run.end()
    if "--list" in arguments:
        return 0
    print("%d of the misses come from a run without any doubt" % table.silent)
    print("%d passed, %d failed, 0 skipped" % (table.passed, table.failed))
    return table.failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
