#!/usr/bin/env python3
"""The 2-link arm of examples/arm_hold.yaml beside MuJoCo's own joint friction.

mujoco_arm.py build/bristle: both hold the pose for 10 s, then the tip is pushed upwards with 30 N/s. The table says how
far the joints drift from 1 s to 10 s and when the second joint reaches 0.1 rad/s. scripts/need.sh mujoco installs MuJoCo
into build/mujoco; `make bench-mujoco` does both.

MuJoCo: `frictionloss` at the static level, with its usual and with a stiff constraint; `dcmotor lugre` with the parameters
of the scenario, with bristles that are ten times softer, and with a tenth of the damping. It wants a positive motor
constant; 1e-6 makes the motor itself nothing. The exact instants are those of error-controlled runs: for the scenario itself
within 1e-6 s of CVODE (tests/oracle/arm.c).
"""
import csv
import io
import subprocess
import sys

import mujoco
import numpy

HOLD, RATE, END = 10.0, 30.0, 12.5
STEPS = (1e-3, 2e-3)
LEVELS = ((25, 32.5), (8, 10.4))  # fc, fs of the joints
VISCOUS, STRIBECK = 0.4, 0.01
BRISTLES = {"lugre": (1e5, 300), "lugre, softer": (1e4, 95), "lugre, less damped": (1e5, 30)}  # sigma0, sigma1
STIFF = 'solreffriction="-5e4 -2e2" solimpfriction="0.99 0.9999 0.001 0.5 2"'


def measure(times, q, v):
    """largest drift from 1 s to the push; when the second joint moves"""
    first, last = numpy.searchsorted(times, 1.0 - 1e-9), numpy.searchsorted(times, HOLD - 1e-9)
    drift = numpy.abs(q[last] - q[first]).max()
    moving = numpy.nonzero(v[:, 1] > 0.1)[0]
    return drift, times[moving[0]] if len(moving) else float("nan")


def bristle(tool, law, solver, output):
    options = ["push={y: {knots: [[0, 0], [%g, 0], [%g, %g]]}}" % (HOLD, END, RATE * (END - HOLD)),
               "time.end=%g" % END, "time.output=%g" % output]
    for i, (fc, fs) in enumerate(LEVELS):
        p = {"fc": fs, "sigma2": VISCOUS}
        if law in BRISTLES:
            p = {"sigma0": BRISTLES[law][0], "sigma1": BRISTLES[law][1], "sigma2": VISCOUS, "fc": fc, "fs": fs, "vs": STRIBECK}
        text = ", ".join("%s: %r" % item for item in p.items())
        options.append("links.%d.friction={model: %s, parameters: {%s}}" % (i + 1, law.split(",")[0], text))
    sets = [word for option in options for word in ("--set", option)]
    run = subprocess.run([tool, "simulate", "examples/arm_hold.yaml", "--quiet", "-o", "-", *solver, *sets],
                         capture_output=True, text=True, check=True)
    rows = list(csv.reader(io.StringIO(run.stdout)))
    names = [name.split()[0] for name in rows[0]]
    data = numpy.array(rows[1:], dtype=float)
    column = lambda *wanted: data[:, [names.index(name) for name in wanted]]
    return measure(data[:, 0], column("q1", "q2"), column("v1", "v2"))


def coupled(tool, law, step):
    return bristle(tool, law, ["--solver", "coupled", "--step", repr(step)], step)


def exact(tool, law):
    return bristle(tool, law, ["--rtol", "1e-10"], 1e-4)[1]


def model(step, integrator, joints, actuators=""):
    return mujoco.MjModel.from_xml_string(f"""<mujoco>
<option timestep="{step}" integrator="{integrator}" gravity="0 0 -9.81"/>
<worldbody><body><joint name="j1" axis="0 -1 0" damping="{VISCOUS}" {joints[0]}/>
<inertial pos="0.2 0 0" mass="2" diaginertia="1e-6 {2 * 0.16 / 12} {2 * 0.16 / 12}"/>
<body pos="0.4 0 0"><joint name="j2" axis="0 -1 0" damping="{VISCOUS}" {joints[1]}/>
<inertial pos="0.2 0 0" mass="2" diaginertia="1e-6 {2 * 0.16 / 12} {2 * 0.16 / 12}"/>
<site name="tip" pos="0.4 0 0"/></body></body></worldbody>
<actuator>{actuators}</actuator></mujoco>""")


def peer(m):
    """drift and break-away; the instant instead where it diverges"""
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    d = mujoco.MjData(m)
    d.qpos[:] = 0.2, 0.5
    count = round(END / m.opt.timestep)
    tip, jacobian = m.site("tip").id, numpy.zeros((3, m.nv))
    times, q, v = numpy.zeros(count + 1), numpy.zeros((count + 1, 2)), numpy.zeros((count + 1, 2))
    q[0] = d.qpos
    mujoco.mj_forward(m, d)
    for i in range(count):
        push = RATE * max(0.0, d.time + m.opt.timestep - HOLD)
        mujoco.mj_jacSite(m, d, jacobian, None, tip)
        d.qfrc_applied[:] = push * jacobian[2]
        mujoco.mj_step(m, d)
        if not numpy.all(numpy.abs(d.qvel) < 1e6):
            return None, d.time
        times[i + 1], q[i + 1], v[i + 1] = d.time, d.qpos, d.qvel
    return measure(times, q, v)


def frictionloss(step, integrator, constraint=""):
    return peer(model(step, integrator, [f'frictionloss="{fs}" {constraint}' for _, fs in LEVELS]))


def dcmotor(step, integrator, law):
    motors = "".join(f'<dcmotor joint="j{i + 1}" motorconst="1e-6" resistance="1" input="none" '
                     f'lugre="{BRISTLES[law][0]} {BRISTLES[law][1]} {fc} {fs} {STRIBECK}"/>'
                     for i, (fc, fs) in enumerate(LEVELS))
    return peer(model(step, integrator, ("", ""), motors))


def cells(run):
    drift, away = run
    if drift is None:
        return "diverges", f"({away:.3f})"
    return f"{drift:.1e}", f"{away:.3f}"


def main():
    mujoco.set_mju_user_warning(lambda text: None)  # a run that diverges is told in the table, not in a file
    tool = sys.argv[1] if len(sys.argv) > 1 else "build/bristle"
    cases = []
    for law in BRISTLES:
        cases.append((f"Bristle {law}", law, lambda h, l=law: coupled(tool, l, h)))
        for integrator in ("Euler", "implicitfast"):
            cases.append((f"MuJoCo dcmotor {law}, {integrator}", law, lambda h, l=law, i=integrator: dcmotor(h, i, l)))
    cases.append(("Bristle coulomb", "coulomb", lambda h: coupled(tool, "coulomb", h)))
    for integrator in ("Euler", "implicitfast"):
        cases.append((f"MuJoCo frictionloss, {integrator}", "coulomb", lambda h, i=integrator: frictionloss(h, i)))
        cases.append((f"MuJoCo frictionloss, stiff, {integrator}", "coulomb",
                      lambda h, i=integrator: frictionloss(h, i, STIFF)))
    print(f"a 2-link arm holds for {HOLD:g} s, then its tip is pushed with {RATE:g} N/s; MuJoCo {mujoco.__version__}")
    print("drift: largest of both joints from 1 s to 10 s [rad]; away: v2 > 0.1 rad/s [s], or when it diverges")
    print(f"{'':47} {'drift 1 ms':>10} {'away':>8} {'drift 2 ms':>10} {'away':>8} {'exact':>8}")
    instant = {law: exact(tool, law) for law in (*BRISTLES, "coulomb")}
    for name, law, run in cases:
        one, two = (cells(run(h)) for h in STEPS)
        print(f"{name:47} {one[0]:>10} {one[1]:>8} {two[0]:>10} {two[1]:>8} {instant[law]:8.4f}", flush=True)


if __name__ == "__main__":
    main()
