#!/usr/bin/env python3
"""Logs that tempt identification into a wrong answer: each must end with the right one or with a doubt in plain words.

  scripts/test-doubts.py            every case
  scripts/test-doubts.py delay mass the cases whose name begins so
  scripts/test-doubts.py --keep DIR writes the logs there and keeps them

Every case is a made-up log with a known truth: late forces, no friction at all, no acceleration, friction over the
position, concave or falling friction, a drive that carries its load, a free swing, slow registers, bunched clocks.
"""
import math
import os
import random
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


def log(force, seconds=8, noise=0.05, head="t [s],x [m],F [N]", kind=0, quantum=1e-7, late=0.0, seed=1, phase=0.0):
    """force(t, x, v, a); `late` in samples; `phase` of the samples, in samples."""
    chance = random.Random(seed)
    rows = []
    for i in range(int(seconds / STEP)):
        t = (i + phase) * STEP
        x = motion(t, kind)[0]
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

case("force counted against the motion, drive", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: -5 * sign(v) - 20 * v - 2 * a - 1)}, lambda r: r.doubts("against the motion.*-1")))
case("force counted against the motion, light drive", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: -5 * sign(v) - 20 * v - 1e-4 * a)}, lambda r: r.doubts("against the motion.*-1")))
case("force counted against the motion, viscous", "--mass", "free")(lambda: (
    {"log.csv": log(lambda t, x, v, a: -40 * v - 0.1 * a)}, lambda r: r.doubts("against the motion.*-1")))


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
    return {n: t for n, t in files.items() if n in ("stroke1.csv", "stroke3.csv")}, lambda r: r.doubts("one way")


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


SLOW = "refresh|repeat|held|hold|misses"
for name, change, check in (("held samples", held, lambda r: r.doubts(SLOW) or usable(r)),
                            ("bunched time stamps", bunched, usable),
                            ("repeated time stamps", repeated, usable), ("a jump that is no motion", jumped, usable),
                            ("saturated force", saturated, lambda r: r.says("saturat") or usable(r)),
                            ("jittered clock", jittered, usable), ("missing rows", missing, usable)):
    case(name, "--mass", "free")(lambda change=change, check=check: (rewritten(change), check))


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
