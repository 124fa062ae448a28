#!/usr/bin/env python3
"""Logs that tempt identification into a wrong answer: each must end with the right one or with a doubt in plain words.

  scripts/test-doubts.py            every case
  scripts/test-doubts.py delay mass the cases whose name begins so
  scripts/test-doubts.py --keep DIR writes the logs there and keeps them

Every case is a made-up log with a known truth: late forces, no friction at all, no acceleration, friction over the
position, concave or falling friction, a drive that carries its load, a free swing, slow registers, bunched clocks.
"""
import importlib
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from answer import Answer

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.abspath(os.environ.get("TOOL", os.path.join(ROOT, os.environ.get("BUILD", "build"), "bristle")))

# ---- made-up logs ----

STEP = 1e-3


def sign(v):
    return (v > 0) - (v < 0)


def table(head, rows):
    return head + "\n" + "\n".join(",".join("%.12g" % x for x in row) for row in rows) + "\n"


def motion(t, kind=0):
    """A mixture of sines: position, velocity, acceleration."""
    parts = ((0.01, 1.0, 0.3), (0.004, 2.7, 1.1), (0.03, 0.31, 0.0)) if kind == 0 else ((0.01, 1.0, 0.0),)
    x = v = a = 0.0
    for size, frequency, phase in parts:
        w = 2 * math.pi * frequency
        x += size * math.sin(w * t + phase)
        v += size * w * math.cos(w * t + phase)
        a -= size * w * w * math.sin(w * t + phase)
    return x, v, a


def log(force, seconds=8, noise=0.05, head="t [s],x [m],F [N]", kind=0, quantum=1e-7, late=0.0, seed=1, phase=0.0,
        scale=1):
    """force(t, x, v, a); `late` in samples; `phase` of the samples, in samples; `scale` of the position."""
    chance = random.Random(seed)
    rows = []
    for i in range(int(seconds / STEP)):
        t = (i + phase) * STEP
        x = scale * motion(t, kind)[0]
        past = t - late * STEP
        rows.append((i * STEP, quantum * round(x / quantum), force(past, *motion(past, kind)) + chance.gauss(0, noise)))
    return table(head, rows)


def coulomb(fc, sigma2):
    return lambda t, x, v, a: fc * sign(v) + sigma2 * v


CASES = []


def case(name, *arguments):
    """The function gives {file: text}; its `check` is called with the answer."""
    def add(make):
        CASES.append((name, arguments, make))
        return make
    return add


# ---- a late force ----


def rigid(answer):
    """fc 5, sigma2 20, and no stiffness out of nothing; or a doubt that names the delay."""
    if answer.doubts("delay|late|sample"):
        return True
    return answer.code == 0 and not answer.stiff() and answer.near("fc", 5, 0.03) and answer.honest("sigma2", 20)


for samples in (1, 2):
    case("delay of %d" % samples)(lambda s=samples: (
        {"log.csv": log(coulomb(5, 20), kind=1, quantum=1e-9, late=s, phase=0.37)}, rigid))
case("delay of 1, drive", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 2 * a, quantum=1e-9, late=1, phase=0.37)},
    lambda r: r.doubts("delay|late|sample") or r.code == 0 and not r.stiff() and r.near("fc", 5, 0.03)
    and r.near("mass", 2, 0.03)))
case("delay, samples on the reversals")(lambda: (
    {"log.csv": log(coulomb(5, 20), kind=1, quantum=1e-9, late=1)}, rigid))


@case("delay of a filtered force")
def filtered_force():
    """The force through a low-pass of 30 Hz, as amplifiers do."""
    chance, state, rows = random.Random(3), 0.0, []
    for i in range(8000):
        x, v, _ = motion((i + 0.37) * STEP, 1)
        state += (1 - math.exp(-2 * math.pi * 30 * STEP)) * (5 * sign(v) + 20 * v - state)
        rows.append((i * STEP, x, state + chance.gauss(0, 0.05)))
    return {"log.csv": table("t [s],x [m],F [N]", rows)}, lambda r: (
        r.doubts("delay|late|lag|filter") or r.code == 0 and not r.stiff() and r.near("fc", 5, 0.05))


def lugre(late=0, start=0, noise=0.0):
    """A LuGre contact on a given motion, integrated finely; `late` in samples."""
    chance, z, rows, parts = random.Random(2), 0.0, [], 10
    level = lambda v: 2 + math.exp(-(v / 2e-3) ** 2)
    for i in range(start, start + 5000):
        x, v, _ = (0.1 * y for y in motion(i * STEP))
        rate = v - 1e5 * abs(v) * z / level(v)
        rows.append([(i - start) * STEP, x, v, 1e5 * z + 50 * rate + 20 * v + chance.gauss(0, noise)])
        for k in range(parts):
            v = 0.1 * motion((i + (k + 0.5) / parts) * STEP)[1]
            decay = 1e5 * abs(v) / level(v)
            held = math.exp(-decay * STEP / parts)
            z = z * held + (v / decay * (1 - held) if decay > 1e-12 else 0)
    rows = [row[:3] + [rows[max(0, i - late)][3]] for i, row in enumerate(rows)]
    return table("t [s],x [m],v [m/s],F [N]", rows[50:])


CLAIM = "seems to come"
case("no delay, no noise", "--model", "dahl,lugre")(lambda: (
    {"log.csv": lugre()}, lambda r: r.code == 0 and not r.says(CLAIM) and r.near("sigma0", 1e5, 0.002)
    and r.get("sigma0")[1] < 300 and r.near("sigma1", 50, 0.05)))
case("no delay, some noise", "--model", "dahl,lugre")(lambda: (
    {"log.csv": lugre(noise=0.02)}, lambda r: r.code == 0 and not r.says(CLAIM) and r.honest("sigma0", 1e5, 0)
    and r.get("sigma0")[1] < 1500))
case("no delay, no noise, said so", "--model", "dahl,lugre", "--delay", "none")(lambda: (
    {"log.csv": lugre()}, lambda r: r.code == 0 and not r.says(CLAIM) and r.get("sigma0")[1] < 300))
case("a validation record with a late force", "--model", "dahl,lugre", "--validate", "@check.csv")(lambda: (
    {"log.csv": lugre(noise=0.005), "check.csv": lugre(2, 6000, noise=0.005)},
    lambda r: r.doubts("its force comes 2 ms later than theirs")))

# ---- no friction ----

NONE = "no friction|spring|gives? .*back|dissipat|hardly any friction|nothing slides"
case("spring alone")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 100 * x)}, lambda r: r.doubts(NONE)))
case("spring alone, drive", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 100 * x)}, lambda r: r.doubts(NONE)))
case("mass alone", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 3 * a)},
    lambda r: r.doubts(NONE) or r.code == 0 and r.says(NONE) and r.near("mass", 3, 0.02)))
case("mass alone, nobody said so")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 3 * a)}, lambda r: r.doubts(NONE + "|mass")))
case("viscous alone")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 40 * v, noise=0.02)},
    lambda r: r.code != 0 or r.near("sigma2", 40, 0.02) and (not r.get("fc")[2] or r.get("fc")[0] < 0.02)))

def turned(r):
    """The sign is doubted, and nothing beside it speaks of a friction that is not there."""
    said = " ".join(r.best["verdict"] + r.json["campaign"]["notes"]) if r.best else ""
    return r.doubts("against the motion.*-1") and not re.search(
        "no friction|determine no|falls with|is not determined|in the course|depends on|lacks an effect", said)


for name, force in (("drive", lambda t, x, v, a: -5 * sign(v) - 20 * v - 2 * a - 1),
                    ("light drive", lambda t, x, v, a: -5 * sign(v) - 20 * v - 1e-4 * a),
                    ("lifting drive", lambda t, x, v, a: -5 * sign(v) - 20 * v - 2 * a - 30),
                    ("heavy drive", lambda t, x, v, a: -0.5 * sign(v) - v - 4 * a),
                    ("falling", lambda t, x, v, a: -sign(v) * (3 + 4 * math.exp(-abs(v) / 0.03)) - 2 * a),
                    ("warming up", lambda t, x, v, a: -5 * sign(v) * (1 + math.exp(-t / 3)) - 2 * a),
                    ("viscous", lambda t, x, v, a: -40 * v - 0.1 * a)):
    case("force counted against the motion, " + name, "--mass", "free")(
        lambda force=force: ({"log.csv": log(force)}, turned))


@case("force counted against the motion, presliding", "--mass", "free")
def bent_against():
    """Dahl's bristle, hardly broken away, its force turned round."""
    chance, z, last, rows = random.Random(4), 0.0, 0.0, []
    for i in range(6000):
        x = 0.1 * motion(i * STEP)[0]
        z += (5 * sign(x - last) - z) * (1 - math.exp(-1e3 * abs(x - last) / 5))
        rows.append((i * STEP, 1e-7 * round(x / 1e-7), -z + chance.gauss(0, 0.02)))
        last = x
    return {"log.csv": table("t [s],x [m],F [N]", rows)}, lambda r: r.doubts("against the motion.*-1")

# ---- motions that say too little ----

case("one frequency and a spring", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 2 * a + 30 * x, kind=1)},
    lambda r: r.near("fc", 5, 0.02) and (r.near("mass", 2, 0.03) or r.says("one frequency.*spring"))))
case("several frequencies, no spring", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 2 * a)},
    lambda r: r.code == 0 and r.near("mass", 2, 0.01) and not r.says("one frequency")))


@case("constant speeds", "--mass", "free")
def constant_speeds():
    files = {}
    for k, speed in enumerate((0.01, -0.01, 0.03, -0.03, 0.06, -0.06, 0.1, -0.1)):
        chance = random.Random(k)
        rows = [(i * STEP, 1e-6 * round(speed * i * STEP / 1e-6), 5 * sign(speed) + 20 * speed + chance.gauss(0, 0.1))
                for i in range(2000)]
        files["speed%d.csv" % k] = table("t [s],x [m],F [N]", rows)
    return files, lambda r: (r.code == 0 and r.near("fc", 5, 0.02) and r.near("sigma2", 20, 0.05)
                             and (r.get("mass") is None or not r.get("mass")[2]) and r.says("mass"))


@case("campaign of one-way files", "--mass", "free")
def one_way_files():
    files = {}
    for k in range(8):
        way, chance, rows = 1 if k % 2 else -1, random.Random(k), []
        for i in range(1500):
            u = i / 1500  # a stroke that starts and ends slowly, never at rest
            v = way * (0.005 + 0.05 * (1 + 0.1 * k) * math.sin(math.pi * u) ** 2)
            a = way * 0.05 * (1 + 0.1 * k) * math.pi * math.sin(2 * math.pi * u) / 1.5
            x = way * (0.005 * u + 0.05 * (1 + 0.1 * k) * (u / 2 - math.sin(2 * math.pi * u) / (4 * math.pi))) * 1.5
            rows.append((i * STEP, 1e-8 * round(x / 1e-8), 2 * a + 5 * sign(v) + 20 * v + 1 + chance.gauss(0, 0.05)))
        files["stroke%d.csv" % k] = table("t [s],x [m],F [N]", rows)
    return files, lambda r: (r.code == 0 and r.near("fc", 5, 0.02) and r.near("offset", 1, 0.06)
                             and r.near("mass", 2, 0.05))


@case("one way only", "--mass", "free")
def one_way():
    files, _ = one_way_files()
    return {n: t for n, t in files.items() if n in ("stroke1.csv", "stroke3.csv")}, lambda r: r.doubts("one direction")


def slow_stroke():
    """One slow stroke of a joint with few counts, and rests: few samples are left behind the filter that it needs."""
    chance, rows = random.Random(31), []
    for i in range(1200):
        u = min(max((i * 0.005 - 0.5) / 2.3, 0), 1)
        x = 0.4 * (u - math.sin(2 * math.pi * u) / (2 * math.pi))
        rows.append((i * 0.005, 1.5e-3 * round(x / 1.5e-3), 0.5 * (0 < u < 1) + 5 * x + chance.gauss(0, 0.02)))
    return {"log.csv": table("t [s],position [rad],torque [Nm]", rows)}


for mass in ((), ("--mass", "free")):
    case("one slow stroke" + ", drive" * (len(mass) > 0), *mass)(lambda: (
        slow_stroke(), lambda r: r.code != 0 and r.best and "one direction" in r.json["doubt"]))


@case("relay", "--mass", "free")
def relay():
    """A mass that a relay drives to and fro, a few samples each way; the force three quarters of a sample late."""
    chance, x, v, drive, rows, parts = random.Random(5), 0.0, 0.0, 20.0, [], 20
    history = []
    for i in range(6000):
        for _ in range(parts):
            if x > 2e-4:
                drive = -20.0
            if x < -2e-4:
                drive = 20.0
            v += (drive - 5 * sign(v) - 20 * v) / 2 * STEP / parts
            x += v * STEP / parts
            history.append(drive)
        late = history[max(0, len(history) - 1 - int(0.75 * parts))]
        rows.append((i * STEP, 1e-8 * round(x / 1e-8), late + chance.gauss(0, 0.05)))
    return {"log.csv": table("t [s],x [m],F [N]", rows)}, lambda r: (
        r.code != 0 or r.says("delay") or (r.near("mass", 2, 0.05) and r.near("fc", 5, 0.1) and r.honest("sigma2", 20)))


def relay_of_study(seed):
    """One of scripts/study-kinds.py where a delay explains motion and spoils every turn."""
    kinds = importlib.import_module("study-kinds")
    head, rows, _, truth = kinds.relays(random.Random("relays %d" % seed))
    return {"log.csv": table(head, rows)}, lambda r: all(r.honest(name, value) for name, value in truth.items())


@case("two clocks")
def two_clocks():
    """One of the same where the delays take the mass away and a bristle with an exponent explains the rest."""
    head, rows, _, _ = importlib.import_module("study-kinds").two_clocks(random.Random("two clocks 16"))
    return {"log.csv": table(head, rows)}, lambda r: r.doubts("a clock") and "a clock" in r.json["doubt"]


for seed in (26, 73):
    case("relay %d of the study, no delay" % seed, "--mass", "free")(lambda seed=seed: relay_of_study(seed))


# ---- friction that the usual laws do not have ----

case("friction over position")(lambda: (
    {"log.csv": log(lambda t, x, v, a: (5 + 2.5 * math.sin(2 * math.pi * x / 0.02)) * sign(v) + 20 * v, seconds=16)},
    lambda r: r.code == 0 and r.says("friction depends on the position") and r.near("fc", 5, 0.03)
    and r.near("sigma2", 20, 0.03)))
case("force over position", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 2 * a + 2 * math.sin(314.16 * x), seconds=16)},
    lambda r: r.code == 0 and r.says("the force depends on the position") and r.near("mass", 2, 0.02)
    and r.near("fc", 5, 0.02)))
case("concave friction", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: sign(v) * (2 + 12 * abs(v) ** 0.5) + 2 * a)},
    lambda r: r.near("mass", 2, 0.05) and (r.best["model"] == "power" or r.says("less than in proportion|power"))))
case("falling friction", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: sign(v) * (8 - 25 * abs(v)) + 2 * a)},
    lambda r: r.near("mass", 2, 0.05) and (r.says("fall|negative") or r.near("sigma2", -25, 0.1))))
case("load-carrying drive", "--mass", "free")(lambda: (
    {"log.csv": load_log()}, lambda r: r.code == 0 and r.says("load") and r.near("fc", 2, 0.02)
    and r.near("load_friction", 0.2, 0.02) and r.near("mass", 0.02, 0.02)))


def load_log():
    """A gear whose friction grows with the torque that it carries, which is in the file."""
    chance, rows = random.Random(7), []
    for i in range(16000):
        t = (i + 0.37) * STEP
        x, v, a = motion(t)
        load = 30 * math.sin(2 * math.pi * 0.17 * t) + 10 * math.sin(2 * math.pi * 0.53 * t)
        friction = (2 + 0.2 * abs(load)) * sign(v) + 20 * v
        rows.append((i * STEP, 1e-7 * round(50 * x / 1e-7), load + a + friction + chance.gauss(0, 0.05), load))
    return table("t [s],q [rad],motor_torque [N*m],output_torque [N*m]", rows)


@case("the torque twice", "--mass", "free")
def torque_twice():
    """The same torque as the amplifier reports it: no load, and no reason to find no friction."""
    chance, rows = random.Random(8), []
    for i in range(8000):
        x, v, a = motion((i + 0.37) * STEP)
        torque = 5 * sign(v) + 20 * v + 2 * a
        rows.append((i * STEP, 1e-7 * round(x / 1e-7), torque + chance.gauss(0, 0.05), torque + chance.gauss(0, 0.1)))
    return {"log.csv": table("t [s],x [m],motor_force [N],amplifier_force [N]", rows)}, usable


case("friction that warms up", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: (5 * sign(v) + 20 * v) * (1 + 0.6 * math.exp(-t / 5)) + 2 * a, seconds=16)},
    lambda r: r.says("friction changes in the course") and r.near("mass", 2, 0.05)))
case("force sensor that drifts", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 2 * a + 0.15 * t, seconds=16)},
    lambda r: r.says("the force changes in the course") and r.near("mass", 2, 0.05) and r.near("fc", 5, 0.05)))
case("torque in percent of the rated one", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 2 * a, head="t [s],x [m],actual torque (% rated)")},
    lambda r: r.doubts("no column looks like the force")))
case("asymmetric friction", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: (8 + 10 * v if v > 0 else -3 + 40 * v) + 2 * a)},
    lambda r: r.code == 0 and r.near("mass", 2, 0.03) and not r.stiff()))

# ---- no force at all ----


@case("free swing")
def free_swing():
    """A pendulum let go: position alone. The tool must say which command reads it."""
    chance, x, v, rows, parts = random.Random(9), 1.0, 0.0, [], 20
    for i in range(8000):
        rows.append((i * STEP, 1e-4 * round((x + chance.gauss(0, 3e-5)) / 1e-4)))
        for _ in range(parts):
            v += (-9.81 / 0.3 * math.sin(x) - 0.1 * v - 0.15 * sign(v)) * STEP / parts
            x += v * STEP / parts
    return {"log.csv": table("t [s],q [rad]", rows)}, lambda r: r.says("free-decay")


# ---- loggers ----


@case("velocity that lags", "--mass", "free")
def lag():
    chance, rows = random.Random(11), []
    for i in range(8000):
        t = (i + 0.37) * STEP
        x, v, a = motion(t)
        rows.append((i * STEP, 1e-7 * round(x / 1e-7), motion(t - 0.02)[1] + chance.gauss(0, 1e-4),
                     2 * a + 5 * sign(v) + 20 * v + chance.gauss(0, 0.05)))
    return {"log.csv": table("t [s],x [m],v [m/s],F [N]", rows)}, lambda r: (
        r.says("lag|behind|late") and (r.code != 0 or r.near("mass", 2, 0.03) and r.near("fc", 5, 0.03)))


def rewritten(change):
    """A plain drive log whose rows go through `change(i, row)`: a row, or None to drop it."""
    lines = log(lambda t, x, v, a: 2 * a + 5 * sign(v) + 20 * v, phase=0.37).splitlines()
    rows = [[float(c) for c in line.split(",")] for line in lines[1:]]
    kept = [change(i, list(row), rows) for i, row in enumerate(rows)]
    return {"log.csv": table(lines[0], [r for r in kept if r])}


def usable(r):
    return (r.code == 0 and r.near("mass", 2, 0.04) and r.near("fc", 5, 0.04) and r.honest("sigma2", 20)
            and not r.stiff())


def held(i, row, rows):
    row[1] = rows[i - i % 14][1]
    return row


def bunched(i, row, rows):
    row[0] = (i - i % 5) * STEP + (i % 5) * 2e-5
    return row


def repeated(i, row, rows):
    row[0] = (i - i % 2) * STEP
    return row


def jumped(i, row, rows):
    row[1] += 0.5 if i == 3000 else 0
    return row


def saturated(i, row, rows):
    row[2] = max(-6.5, min(6.5, row[2]))
    return row


def jittered(i, row, rows):
    row[0] += 3e-4 * math.sin(17.3 * i * i)
    return row


def missing(i, row, rows):
    return None if i % 400 in (17, 18) else row


def held_force(i, row, rows):
    row[2] = rows[i - i % 10][2]
    return row


SLOW = "refresh|repeat|held|hold|misses"
def read_seldom(r):
    """Straight lines round off every reversal: a law that is taken to the same lines is not bent by them."""
    return (r.code == 0 and r.best["model"] == "coulomb" and r.near("fc", 5, 0.002) and r.near("mass", 2, 0.004)
            and r.says("updated only every 10 samples"))


for name, change, check in (("held samples", held, lambda r: r.doubts(SLOW) or usable(r)),
                            ("held force", held_force, read_seldom),
                            ("bunched time stamps", bunched, usable),
                            ("repeated time stamps", repeated, usable), ("a jump that is no motion", jumped, usable),
                            ("saturated force", saturated, lambda r: r.says("saturat") or usable(r)),
                            ("jittered clock", jittered, usable), ("missing rows", missing, usable)):
    case(name, "--mass", "free")(lambda change=change, check=check: (rewritten(change), check))


# ---- what leads, which terms are fitted, what a verdict may say ----


def strokes(speeds, pause=0.3, ramp=0.05, length=None, back=True):
    """Times of a trapezoidal motion: (t, x, v, a) at every step, to and fro at each of the speeds."""
    x = 0.0
    rows = []
    for speed in speeds:
        for way in (1, -1) if back else (1,):
            steady = (length or 0.5 * speed) / speed
            for k in range(int((2 * ramp + steady + pause) / STEP)):
                s = k * STEP
                if s < ramp:
                    v, a = speed * s / ramp, speed / ramp
                elif s < ramp + steady:
                    v, a = speed, 0.0
                elif s < 2 * ramp + steady:
                    v, a = speed * (2 * ramp + steady - s) / ramp, -speed / ramp
                else:
                    v, a = 0.0, 0.0
                rows.append((len(rows) * STEP, x, way * v, way * a))
                x += way * v * STEP
    return rows


def not_worse_everywhere(r):
    """Nothing is better than the leading law in every column that is shown, unless it is marked as such."""
    columns = ("rms", "relative_error", "held_out_rms", "bic")
    lead = r.json["results"][0]
    return not any(all(other[c] is not None and lead[c] is not None
                       and other[c] < lead[c] - 0.1 * abs(lead[c]) for c in columns) and not other["indistinguishable"]
                   for other in r.json["results"][1:])


@case("end stops")
def end_stops():
    """A slide that creeps into springy end stops: there the force is large and slow, and no friction."""
    chance, rows, x, v = random.Random(21), [], 0.0, 0.0
    for i in range(20000):
        t = i * STEP
        target = 0.06 * math.sin(2 * math.pi * 0.25 * t)
        x = max(-0.04, min(0.04, target))
        past = target - x
        x += 0.002 * math.tanh(past / 0.002) * 0.1  # the stop gives way a little
        rows.append((t, x, None, past))
    for i in range(1, len(rows) - 1):
        v = (rows[i + 1][1] - rows[i - 1][1]) / (2 * STEP)
        rows[i] = (rows[i][0], 1e-7 * round(rows[i][1] / 1e-7),
                   60 * sign(v) * (abs(v) > 1e-9) + 100 * v + 4e4 * rows[i][3] + chance.gauss(0, 3))
    return {"log.csv": table("t [s],x [m],F [N]", rows[1:-1])}, lambda r: (
        not_worse_everywhere(r) and (r.code != 0 or r.near("fc", 60, 0.1)))


@case("velocity and force are good, the acceleration is noise", "--mass", "free")
def noisy_acceleration():
    chance, rows = random.Random(22), []
    for i in range(4000):
        v = 0.1 * math.sin(2 * math.pi * 0.4 * i * STEP)
        rows.append((i * STEP, v + chance.gauss(0, 5e-3), 5 * sign(v) + 20 * v + chance.gauss(0, 0.1)))
    return {"log.csv": table("t [s],v [m/s],F [N]", rows)}, lambda r: (
        r.code == 0 and r.says("mass is not determined") and r.near("fc", 5, 0.03) and r.near("sigma2", 20, 0.05))


@case("one speed, finely measured")
def one_speed():
    """Nothing is noise; that it goes one way only is what is wrong."""
    chance = random.Random(28)
    rows = [(0.01 * i, 3e-6 * 0.01 * i + chance.gauss(0, 2e-8), 0.6 + chance.gauss(0, 0.001)) for i in range(5000)]
    return {"log.csv": table("t [s],x [m],F [N]", rows)}, lambda r: r.doubts("one direction") and not r.says("mostly noise")


@case("torques of other joints", "--position", "q1", "--force", "tau1", "--mass", "free")
def other_joints():
    """Their drives feel the same motion; none of them is a load of this one."""
    chance, rows = random.Random(23), []
    for i in range(8000):
        x, v, a = motion((i + 0.37) * STEP)
        x, v, a = 20 * x, 20 * v, 20 * a
        pull = 4 * math.sin(2 * math.pi * 0.23 * i * STEP) + 2 * math.sin(2 * math.pi * 0.71 * i * STEP)
        torque = 3 * sign(v) + 1.5 * v + 0.1 * a + 0.7 * pull + chance.gauss(0, 0.05)
        other = 2.5 * sign(v) + 0.5 * v + pull + chance.gauss(0, 0.05)
        rows.append((i * STEP, 1e-7 * round(x / 1e-7), torque, other, 0.5 * other - 0.2 * v + chance.gauss(0, 0.05)))
    return {"log.csv": table("t [s],q1 [rad],tau1 [N*m],tau2 [N*m],tau3 [N*m]", rows)}, lambda r: (
        not r.says("is a load that the drive carries") and r.get("load") is None and r.honest("fc", 3, 0.1))


# nobody said what the force does beside friction

case("a drive, nobody said so")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 2 * a)},
    lambda r: r.code == 0 and r.near("mass", 2, 0.02) and r.near("fc", 5, 0.02) and r.says("--mass none")))
case("a spring beside friction, nobody said so")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 200 * x)},
    lambda r: r.code == 0 and r.near("spring", 200, 0.02) and r.near("fc", 5, 0.02)))
case("an arm, nobody said so")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 0.05 * 50 * a + 8 * math.cos(50 * x),
                    head="t [s],q [rad],tau [N*m]", scale=50)},
    lambda r: r.code == 0 and r.near("gravity_cos", 8, 0.03) and r.near("mass", 0.05, 0.05) and r.near("fc", 5, 0.02)))
case("a drive, its mass denied", "--mass", "none")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 2 * a)},
    lambda r: r.get("mass") is None or not r.get("mass")[2]))
for name, truth in (("coulomb", coulomb(5, 20)),
                    ("stribeck", lambda t, x, v, a: sign(v) * (5 + 4 * math.exp(-(v / 0.01) ** 2)) + 20 * v),
                    ("concave", lambda t, x, v, a: sign(v) * (2 + 12 * abs(v) ** 0.5))):
    for samples in (0, 1, -1):
        case("friction alone, %s, late by %d" % (name, samples))(lambda truth=truth, s=samples: (
            {"log.csv": log(truth, late=s, phase=0.37)},
            lambda r: r.code == 0 and r.get("mass") is None and r.get("spring") is None))


@case("friction alone, bristles")
def bristles_alone():
    """A Dahl contact that bends over a good part of the way."""
    chance, rows, force, before = random.Random(24), [], 0.0, motion(0)[0]
    for i in range(8000):
        x = motion(i * STEP)[0]
        way, before = x - before, x
        force = 5 * sign(way) + (force - 5 * sign(way)) * math.exp(-5e3 * abs(way) / 5)
        rows.append((i * STEP, 1e-8 * round(x / 1e-8), force + chance.gauss(0, 0.05)))
    return {"log.csv": table("t [s],x [m],F [N]", rows)}, lambda r: (
        r.code == 0 and r.get("mass") is None and r.get("spring") is None and r.near("fc", 5, 0.03))


# like with like

for name, force, wanted in (("friction", lambda t, x, v, a: 5 * sign(v) + 20 * v + 2 * a, 0), ("nothing", lambda t, x, v, a: 0, 4)):
    case("noise over " + name, "--mass", "free")(lambda f=force, w=wanted: ({"log.csv": log(f, noise=25, seconds=30)}, lambda r: (
        r.code == w and (w or r.honest("fc", 5) and r.honest("mass", 2) and r.says("down to the noise")))))

case("noise that the filter takes away")(lambda: (
    {"log.csv": log(lambda t, x, v, a: 5 * sign(v) + 20 * v + 3.2 * math.sin(7.3 * t) * math.sin(3.1 * t), noise=3,
                    seconds=30)},
    lambda r: not r.says("down to the noise")))
case("noise alone is left")(lambda: (
    {"log.csv": log(coulomb(5, 20), noise=1, seconds=30)}, lambda r: r.code == 0 and r.says("down to the noise")))


def sorted_speeds(speeds):
    """Friction falls with the speed, and the speeds come one after the other: no warming up."""
    chance = random.Random(25)
    rows = [(t, 1e-7 * round(x / 1e-7), sign(v) * (5 + 6 * math.exp(-abs(v) / 0.02)) + 2 * v + chance.gauss(0, 0.05))
            for t, x, v, a in strokes(speeds, pause=0.0, length=0.05)]
    return {"log.csv": table("t [s],x [m],F [N]", rows)}, lambda r: not r.says("in the course of the record")


for order in (1, -1):
    case("speeds in order %+d" % order, "--model", "coulomb")(
        lambda o=order: sorted_speeds([0.01, 0.02, 0.04, 0.08, 0.16, 0.3][::o]))


# curves

case("concave friction leads")(lambda: (
    {"log.csv": log(lambda t, x, v, a: sign(v) * (2 + 12 * abs(v) ** 0.5))},
    lambda r: r.code == 0 and r.best["model"] == "power" and r.near("n", 0.5, 0.1)))
case("quadratic drag leads")(lambda: (
    {"log.csv": log(lambda t, x, v, a: sign(v) * (2 + 600 * v * v))},
    lambda r: r.code == 0 and r.best["model"] == "power" and r.near("n", 2, 0.1) and r.near("fc", 2, 0.05)))


def bristles_with_drag(power, size):
    """A Dahl bristle of 2000 N/m and 5 N beside a drag; there is no law with both."""
    bent = [0.0, 0.0]

    def force(t, x, v, a):
        way, bent[0] = (x - bent[0], x) if t else (0.0, x)
        bent[1] = 5 * sign(way) + (bent[1] - 5 * sign(way)) * math.exp(-2000 * abs(way) / 5)
        return bent[1] + size * sign(v) * abs(v) ** power
    return {"log.csv": log(force, seconds=16)}


for power, size in ((2, 1000), (0.5, 20)):
    case("bristles with a drag of power %g" % power)(lambda p=power, s=size: (bristles_with_drag(p, s), lambda r: (
        r.code == 0 and r.best["variant"] == "dahl + drag" and r.near("fc", 5, 0.03) and r.near("drag", s, 0.1)
        and r.honest("sigma0", 2000))))


@case("coast with quadratic drag", "--free-decay")
def coast():
    """A rotor that slows down by air and by a little dry friction."""
    chance, v, rows, parts = random.Random(26), 100.0, [], 20
    for i in range(6000):
        rows.append((i * STEP, v + chance.gauss(0, 0.02)))
        for _ in range(parts):
            v -= (0.02 * v * abs(v) + 2 * sign(v)) * STEP / parts if v > 0 else 0
    return {"log.csv": table("t [s],v [rad/s]", rows)}, lambda r: (
        r.code == 0 and r.best["model"] == "power" and r.near("n", 2, 0.05) and r.near("fc", 2, 0.05))


def guide(fall, quantum, ramp):
    """Strokes at 2, 5 and 20 mm/s of a guide whose static level is 112 N."""
    chance = random.Random(27)
    rows = [(t, quantum * round(x / quantum),
             (80 + 32 * math.exp(-(v / fall) ** 2)) * sign(v) + 300 * v + chance.gauss(0, 1.5))
            for t, x, v, a in strokes([0.002, 0.005, 0.02] * 2, pause=0.4, ramp=ramp, length=0.01)]
    return {"log.csv": table("t [s],x [m],F [N]", rows)}


for name, fall, quantum, ramp, law in (("slow", 0.004, 1e-6, 0.05, "stribeck"), ("early", 0.001, 5e-6, 0.1, "stribeck"),
                                       ("unseen", 0.0015, 1e-6, 0.005, "coulomb|stribeck")):
    case("strokes at three speeds, %s fall" % name, "--model", "coulomb,stribeck")(
        lambda f=fall, q=quantum, r=ramp, law=law: (guide(f, q, r), lambda r: (
            r.code == 0 and r.best["model"] in law.split("|") and not_worse_everywhere(r)
            and all(r.honest(n, t, 0.1) for n, t in (("fc", 80), ("fs", 112), ("sigma2", 300)))
            and (r.get("fs") is None or r.get("fs")[0] < 1.3 * 112))))


case("strokes at three speeds, late fall", "--model", "coulomb,stribeck")(lambda: (
    guide(0.012, 1e-6, 0.005), lambda r: not r.best or all(r.honest(n, t) for n, t in (("fc", 80), ("fs", 112)))))


# ---- all of them ----


def run_case(name, arguments, make, folder):
    files, check = make()
    paths = []
    for file, text in files.items():
        paths.append(os.path.join(folder, name.replace(" ", "_").replace(",", "") + "_" + file))
        with open(paths[-1], "w") as out:
            out.write(text)
    given = {"@" + file: path for file, path in zip(files, paths)}  # an argument, not a log to be fitted
    paths = [path for name, path in given.items() if name not in arguments]
    arguments = [given.get(a, a) for a in arguments]
    done = subprocess.run([TOOL, "identify"] + paths + arguments + ["--json"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)
    answer = Answer(done.returncode, done.stdout, done.stderr)
    try:
        good = bool(check(answer))
    except TypeError:  # a parameter that the answer should have is not there
        good = False
    print("%s %-34s exit %d  %s" % ("ok  " if good else "FAIL", name, answer.code, answer.show()), flush=True)
    return good


def main(arguments):
    keep = None
    if "--keep" in arguments:
        place = arguments.index("--keep")
        keep = arguments[place + 1]
        os.makedirs(keep, exist_ok=True)
        del arguments[place:place + 2]
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, options, make in CASES:
            if arguments and not any(name.startswith(a) for a in arguments):
                continue
            good = run_case(name, options, make, keep or folder)
            passed, failed = passed + good, failed + (not good)
    print("%d passed, %d failed, 0 skipped" % (passed, failed))
    return failed != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
