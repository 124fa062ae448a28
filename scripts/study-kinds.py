#!/usr/bin/env python3
"""Random made-up logs of each kind that loggers and drives produce: no crash, and no wrong value without a word.

  scripts/study-kinds.py [--count N] [--first SEED] [--kinds relays,bursts] [--jobs N]
                         [--model coulomb,lugre] [--keep DIR] [--verbose]

A log ends well when the tool refuses or doubts it (exit codes 2, 3 and 4, with a sentence), or when every parameter that
it calls determined lies within three deviations of the truth, or within a hundredth of it. A crash, an exit code of its own, or a
determined value beyond that with exit code 0 is a failure, and so is a law that is better than the leading one in every column and
has no mark. Another kind is one more function with the decorator @kind.
"""
import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from answer import Answer

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.abspath(os.environ.get("TOOL", os.path.join(ROOT, os.environ.get("BUILD", "build"), "bristle")))
CLOSE = 0.01  # of the truth: nobody is misled by that
KINDS = {}
OPEN = ("slow strokes",)  # silent wrong values are known: only where they are named


def kind(make):
    """make(chance) gives (head, rows, arguments, truth): the truth is {parameter: value}; None: nothing can be right."""
    KINDS[make.__name__.replace("_", " ")] = make
    return make


# ---- axes ----


def sign(v):
    return (v > 0) - (v < 0)


class Axis:
    """A mass with Coulomb and viscous friction and an offset, on a mixture of sines."""

    def __init__(self, chance):
        self.mass = 10 ** chance.uniform(-0.5, 1)
        self.fc = 10 ** chance.uniform(-0.3, 1.3)
        self.speed = 10 ** chance.uniform(-1.3, 0)
        self.sigma2 = self.fc * chance.uniform(0.2, 1.5) / self.speed
        self.offset = self.fc * chance.uniform(-0.2, 0.2)
        first = chance.uniform(0.2, 0.5)
        self.parts = [(f, chance.uniform(0.3, 1) * self.speed / (2 * math.pi * f), chance.uniform(0, 2 * math.pi))
                      for f in (first, first * chance.uniform(2.2, 2.9), first * chance.uniform(4.5, 6.5))]
        # what accelerates the mass is of the size of the friction
        hardest = sum(size * (2 * math.pi * f) ** 2 for f, size, _ in self.parts)
        self.mass = min(self.mass, 3 * self.fc / hardest)
        self.noise = self.fc * 10 ** chance.uniform(-2.5, -1)

    def at(self, t):
        x = v = a = 0.0
        for f, size, phase in self.parts:
            w = 2 * math.pi * f
            x += size * math.sin(w * t + phase)
            v += size * w * math.cos(w * t + phase)
            a -= size * w * w * math.sin(w * t + phase)
        return x, v, a

    def force(self, t):
        _, v, a = self.at(t)
        return self.mass * a + self.fc * sign(v) + self.sigma2 * v + self.offset

    def truth(self):
        return {"mass": self.mass, "fc": self.fc, "sigma2": self.sigma2, "offset": self.offset}

    def rows(self, times, chance):
        """t, x, F: the position has a quantum of a millionth of the stroke or more."""
        quantum = sum(size for _, size, _ in self.parts) * 10 ** chance.uniform(-6.5, -4.5)
        return [[t, quantum * round(self.at(t)[0] / quantum), self.force(t) + chance.gauss(0, self.noise)] for t in times]


def even(rate, seconds):
    return [i / rate for i in range(int(rate * seconds))]


HEAD = "t [s],x [m],F [N]"
DRIVE = ["--mass", "free"]

# ---- kinds ----


@kind
def plain(chance):
    axis = Axis(chance)
    return HEAD, axis.rows(even(chance.choice((200, 500, 1000)), 10), chance), DRIVE, axis.truth()


@kind
def bursts(chance):
    """Rows of a few microseconds each among others of milliseconds."""
    axis, step, times, t = Axis(chance), chance.choice((1e-3, 2e-3, 5e-3)), [], 0.0
    for _ in range(chance.randint(3, 8)):
        for _ in range(chance.randint(300, 1500)):
            times.append(t)
            t += step
        fine = chance.uniform(5e-6, 1e-4)
        for _ in range(chance.randint(20, 200)):
            times.append(t)
            t += fine
        t += chance.choice((0, 0, 1, 20)) * step
    return HEAD, axis.rows(times, chance), DRIVE, axis.truth()


@kind
def missing_rows(chance):
    """Single rows, and pieces of many, are not there; or there are many short pieces."""
    axis, rate = Axis(chance), chance.choice((200, 500, 1000))
    times, out, i = even(rate, 15), [], 0
    few = chance.random() < 0.5
    while i < len(times):
        length = chance.randint(100, 3000) if few else chance.randint(66, 90)
        out += times[i:i + length]
        i += length + (chance.randint(1, 300) if few else chance.randint(5, 40))
    return HEAD, axis.rows(out, chance), DRIVE, axis.truth()


@kind
def relays(chance):
    """A mass that a force of few levels drives to and fro; some of the forces are commands without noise."""
    axis, step, parts = Axis(chance), chance.choice((1e-3, 2e-3)), 10
    level = axis.fc * chance.uniform(2, 5)
    clock = chance.randint(20, 45) if chance.random() < 0.5 else 0
    reach = axis.speed * chance.uniform(0.01, 0.05)
    noise = axis.noise if chance.random() < 0.5 else 0
    x, v, drive, rows = 0.0, 0.0, level, []
    quantum = reach * 10 ** chance.uniform(-5, -3)
    for i in range(6000):
        if clock and i % clock == 0:
            drive = -drive
        if not clock:
            drive = -level if x > reach else level if x < -reach else drive
        rows.append([i * step, quantum * round(x / quantum), drive + (chance.gauss(0, noise) if noise else 0)])
        for _ in range(parts):
            h = step / parts
            friction = axis.fc * sign(v) + axis.sigma2 * v
            before = v
            if v == 0 and abs(drive - axis.offset) <= axis.fc:
                continue
            v += (drive - axis.offset - (friction if v else axis.fc * sign(drive - axis.offset))) / axis.mass * h
            if before * v < 0:
                v = 0.0
            x += 0.5 * (before + v) * h
    return HEAD, rows, DRIVE, axis.truth()


@kind
def held_forces(chance):
    """A register of the force that is read less often than the log is written."""
    axis, rows = Axis(chance), None
    rows = axis.rows(even(1000, 10), chance)
    every = chance.randint(3, 16)
    rows = [[t, x, rows[i - i % every][2]] for i, (t, x, _) in enumerate(rows)]
    return HEAD, rows, DRIVE, axis.truth()


@kind
def far_late_forces(chance):
    """A force that comes three to eight samples late, as behind a bus or a filter."""
    axis, rate = Axis(chance), chance.choice((200, 500, 1000))
    late, rows = chance.uniform(3, 8) / rate, axis.rows(even(rate, 15), chance)
    rows = [[t, x, axis.force(t - late) + chance.gauss(0, axis.noise)] for t, x, _ in rows]
    return HEAD, rows, DRIVE, axis.truth()


@kind
def late_velocities(chance):
    """A velocity column that comes late, by a part of a sample or by a fifth of a second."""
    axis, rate = Axis(chance), chance.choice((50, 100, 250, 1000))
    late, rows = 10 ** chance.uniform(-3, -0.7), axis.rows(even(rate, 20), chance)
    noise = axis.speed * 10 ** chance.uniform(-4, -2)
    rows = [[t, x, axis.at(t - late)[1] + chance.gauss(0, noise), f] for t, x, f in rows]
    return "t [s],x [m],v [m/s],F [N]", rows, DRIVE, axis.truth()


@kind
def other_velocities(chance):
    """A velocity column that is another motion's."""
    axis, other, rate = Axis(chance), Axis(chance), chance.choice((100, 500))
    rows = [[t, x, other.at(t)[1] + chance.gauss(0, 1e-3), f] for t, x, f in axis.rows(even(rate, 15), chance)]
    return "t [s],x [m],v [m/s],F [N]", rows, DRIVE, axis.truth()


@kind
def normal_loads(chance):
    """A load that all of the friction follows, or its levels alone, or nothing."""
    axis, form = Axis(chance), chance.choice(("all", "levels", "nothing"))
    slow, part = chance.uniform(0.05, 0.2), chance.uniform(0.3, 0.8)
    rows = axis.rows(even(chance.choice((200, 500)), 20), chance)
    for row in rows:
        v, load = axis.at(row[0])[1], 50 * (1 + part * math.sin(2 * math.pi * slow * row[0]))
        more = load / 50 - 1
        row[2] += more * (axis.fc * sign(v) * (form != "nothing") + axis.sigma2 * v * (form == "all"))
        row.append(load)
    truth = axis.truth()
    truth["fc"] /= 1 if form == "nothing" else 50
    truth["sigma2"] /= 50 if form == "all" else 1
    return HEAD + ",normal_load [N]", rows, DRIVE, truth


@kind
def joints_without_units(chance):
    """A joint of an arm with gravity, beside another one, and no unit anywhere."""
    axis, other, weight, phase = Axis(chance), Axis(chance), chance.uniform(0.5, 5), chance.uniform(-3, 3)
    rows = axis.rows(even(chance.choice((100, 250, 500)), 20), chance)
    rows = [[t, other.at(t)[0], x, f + weight * axis.fc * math.sin(axis.at(t)[0] + phase)] for t, x, f in rows]
    truth = axis.truth()
    del truth["offset"]  # small angles cannot tell it from gravity
    return "t,q1,q2,tau2", rows, ["--position", "q2", "--force", "tau2"], truth


@kind
def reversed_forces(chance):
    """The force is counted against the motion: nothing that is determined can be right."""
    axis = Axis(chance)
    rows = [[t, x, -f] for t, x, f in axis.rows(even(chance.choice((200, 1000)), 10), chance)]
    drive = chance.random() < 0.7
    if not drive:
        rows = [[t, x, f + axis.mass * axis.at(t)[2]] for t, x, f in rows]
    return HEAD, rows, DRIVE if drive else [], None


def bend(times, place, reach):
    """What a Dahl bristle of that length does, in units of its level, on twenty pieces of each step."""
    z, out, before = 0.0, [], place(times[0])
    for i, t in enumerate(times):
        for k in range(1, 21):
            if i == 0:
                break
            here = place(times[i - 1] + (t - times[i - 1]) * k / 20)
            way = here - before
            z = sign(way) + (z - sign(way)) * math.exp(-abs(way) / reach)
            before = here
        out.append(z)
    return out


@kind
def bent_with_bristles(chance):
    """A Dahl bristle, and a drag with a power of the speed instead of viscous friction."""
    axis, rate = Axis(chance), chance.choice((200, 500))
    times = even(rate, 20)
    power = chance.choice((2, 2, chance.uniform(0.3, 0.8), chance.uniform(1.4, 3)))
    drag = axis.fc * chance.uniform(0.3, 2)
    length = max(size for _, size, _ in axis.parts) * 10 ** chance.uniform(-2.5, -0.7)
    rows = axis.rows(times, chance)
    for row, z in zip(rows, bend(times, lambda t: axis.at(t)[0], length)):
        _, v, a = axis.at(row[0])
        row[2] = (axis.mass * a + axis.fc * z + drag * sign(v) * (abs(v) / axis.speed) ** power + axis.offset
                  + chance.gauss(0, axis.noise))
    return HEAD, rows, DRIVE if chance.random() < 0.5 else [], {k: axis.truth()[k] for k in ("mass", "fc", "offset")}


@kind
def bent_rigid(chance):
    """A drag with a power of the speed beside Coulomb friction."""
    axis, rate = Axis(chance), chance.choice((200, 500))
    power = chance.choice((2, 2, chance.uniform(0.3, 0.8), chance.uniform(1.4, 3)))
    drag = axis.fc * chance.uniform(0.3, 2)
    axis.force = lambda t: (axis.mass * axis.at(t)[2] + axis.fc * sign(axis.at(t)[1]) + axis.offset
                            + drag * sign(axis.at(t)[1]) * (abs(axis.at(t)[1]) / axis.speed) ** power)
    return (HEAD, axis.rows(even(rate, 20), chance), DRIVE if chance.random() < 0.5 else [],
            {k: axis.truth()[k] for k in ("mass", "fc", "offset")})


@kind
def two_clocks(chance):
    """The force is written by another clock, 100 to 1500 millionths faster or slower."""
    axis, rate, seconds = Axis(chance), chance.choice((200, 500, 1000)), chance.choice((10, 20, 40))
    apart = 10 ** chance.uniform(-4, -2.8) * chance.choice((-1, 1))
    rows = axis.rows(even(rate, seconds), chance)
    rows = [[t, x, axis.force(t * (1 + apart)) + chance.gauss(0, axis.noise)] for t, x, _ in rows]
    return HEAD, rows, DRIVE if chance.random() < 0.5 else [], axis.truth()


@kind
def slow_strokes(chance):
    """Friction that falls over all speeds of the log, or over most of them, with a bristle or without."""
    axis, rate = Axis(chance), chance.choice((200, 500))
    times, fall = even(rate, 20), axis.speed * 10 ** chance.uniform(-0.7, 0.5)
    more, shape = axis.fc * chance.uniform(0.2, 1), chance.choice((1, 2))
    axis.sigma2 *= chance.choice((0, 0.2))
    length = max(size for _, size, _ in axis.parts) * 10 ** chance.uniform(-4, -1.5)
    rows, bent = axis.rows(times, chance), bend(times, lambda t: axis.at(t)[0], length)
    for row, z in zip(rows, bent if chance.random() < 0.5 else [sign(axis.at(t)[1]) for t in times]):
        _, v, a = axis.at(row[0])
        row[2] = (axis.mass * a + (axis.fc + more * math.exp(-(abs(v) / fall) ** shape)) * z + axis.sigma2 * v
                  + axis.offset + chance.gauss(0, axis.noise))
    truth = axis.truth()
    truth["fs"] = axis.fc + more
    return HEAD, rows, DRIVE if chance.random() < 0.5 else [], truth


@kind
def noisy_forces(chance):
    """More noise than friction, and no filter that the loader knows of."""
    axis = Axis(chance)
    axis.noise = axis.fc * chance.uniform(0.3, 3)
    return HEAD, axis.rows(even(chance.choice((500, 1000)), 30), chance), DRIVE, axis.truth()


# ---- judgement ----


COLUMNS = ("rms", "relative_error", "held_out_rms", "held_out_slow_rms", "bic")
DOUBTED = 0.25  # of the force: what leads with more is doubted


def misplaced(results):
    """A law that is better than the leading one in every column and neither leads nor is marked; "": none is."""
    for other in results[1:]:
        both = [(other[c], results[0][c]) for c in COLUMNS if other[c] is not None and results[0][c] is not None]
        if not all(x < y for x, y in both):
            continue
        if not other["indistinguishable"] and not other["explains_more"]:
            return "%s is better than %s everywhere" % (other["variant"], results[0]["variant"])
        if other["explains_more"] and not any(p["reason"] for p in other["parameters"]):
            return "%s is marked +, and everything about it is known" % other["variant"]
        if (other["explains_more"] and other["relative_error"] <= DOUBTED < results[0]["relative_error"]
                and other["held_out_rms"] < results[0]["held_out_rms"] / 1.2):
            return "%s explains, and %s leads" % (other["variant"], results[0]["variant"])
    return ""


def judge(answer, truth):
    """"" where the log ended well, else what is wrong."""
    if answer.json and misplaced(answer.json["results"]):
        return misplaced(answer.json["results"])
    if answer.code not in (0, 1, 2, 3, 4):
        return "ends with %d" % answer.code
    if answer.code:
        return "" if answer.text.strip() else "ends with %d and no word" % answer.code
    if truth is None:
        return "accepted"
    wrong = []
    for name, value in truth.items():
        found = answer.get(name)
        if not found or not found[2]:
            continue
        off = abs(found[0] - value)
        if off > 3 * found[1] and off > CLOSE * abs(value) and off > CLOSE * CLOSE * truth["fc"]:
            wrong.append("%s %.4g +- %.2g for %.4g" % (name, found[0], found[1], value))
    return ", ".join(wrong)


def examine(name, seed, keep, laws):
    head, rows, arguments, truth = KINDS[name](random.Random("%s %d" % (name, seed)))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(keep or folder, "%s_%d.csv" % (name.replace(" ", "_"), seed))
        with open(path, "w") as out:
            out.write(head + "\n" + "\n".join(",".join("%.10g" % x for x in row) for row in rows) + "\n")
        done = subprocess.run([TOOL, "identify", path, "--json", "--threads", "1"] + laws + arguments,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
    answer = Answer(done.returncode, done.stdout, done.stderr)
    return answer, judge(answer, truth)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(name for name in KINDS if name not in OPEN))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--model", help="laws that are fitted; without it those that the tool takes")
    parser.add_argument("--keep", help="a folder for the logs")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    if given.keep:
        os.makedirs(given.keep, exist_ok=True)
    laws = ["--model", given.model] if given.model else []
    passed = failed = 0
    for name in given.kinds.split(","):
        seeds = range(given.first, given.first + given.count)
        with ThreadPoolExecutor(given.jobs) as pool:
            found = list(pool.map(lambda seed: examine(name, seed, given.keep, laws), seeds))
        bad = [(seed, answer, wrong) for seed, (answer, wrong) in zip(seeds, found) if wrong]
        used = sum(answer.code == 0 for answer, _ in found)
        print("%-18s %3d logs: %3d used, %3d doubted or refused, %d failed" % (
            name, len(found), used, len(found) - used, len(bad)), flush=True)
        for seed, (answer, wrong) in zip(seeds, found):
            if wrong or given.verbose:
                print("  %s seed %d: %s\n       %s" % ("FAIL" if wrong else "ok  ", seed, wrong, answer.show()))
        passed, failed = passed + len(found) - len(bad), failed + len(bad)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
