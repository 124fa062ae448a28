"""Break-away and hold in MuJoCo: the plugin beside frictionloss and dcmotor. `rows()` yields (text, checks)."""
from pathlib import Path

import bristle
import mujoco
import mujoco_models as models
import numpy as np

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

STEPS = (1e-4, 5e-4, 1e-3, 2e-3, 5e-3)
BRISTLES = ((1e4, 2), (1e4, 20), (1e5, 6), (1e5, 63))  # sigma0, sigma1
FC, FS, VS = 1, 1.5, 0.01
HOLD = 10.0


def cells(values, form="%9.4f"):
    return " ".join(form % value if np.isfinite(value) else "   failed" for value in values)


def quiet(m):
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    return m


def pulled(m, stiffness=20.0, speed=0.5, level=0.05, end=0.4):
    """when the velocity of the joint, pulled through a spring, passes `level`, by a straight line between two steps; the force is that of
    the start of the step, as a script would set it"""
    d, last = mujoco.MjData(quiet(m)), 0.0
    while d.time < end:
        d.qfrc_applied[0] = stiffness * (speed * d.time - d.qpos[0])
        mujoco.mj_step(m, d)
        v = d.qvel[0]
        if not v < level:
            return d.time - m.opt.timestep * (v - level) / (v - last) if np.isfinite(v) else np.nan
        last = v
    return np.nan


def lugre(sigma0, sigma1, fc=FC, fs=FS, vs=VS, sigma2=0):
    return dict(model="lugre", sigma0=sigma0, sigma1=sigma1, sigma2=sigma2, fc=fc, fs=fs, vs=vs)


def break_away():
    """a hinge pulled at 0.5 rad/s through 20 N m/rad"""
    for sigma0, sigma1 in BRISTLES:
        law, motor = lugre(sigma0, sigma1), models.dcmotor("j", sigma0, sigma1, FC, FS, VS)
        limit = pulled(models.single(1e-5, law))
        for integrator in ("implicitfast", "Euler"):
            ours = [pulled(models.single(h, law, integrator)) for h in STEPS]
            yield (f"lugre {sigma0:g} {sigma1:g}, bristle, {integrator}", cells([limit, *ours]),
                   [abs(t / limit - 1) < 0.03 for t in ours])
        peer = [pulled(models.single(h, actuators=motor)) for h in STEPS]
        yield f"lugre {sigma0:g} {sigma1:g}, dcmotor", " " * 10 + cells(peer), []
    limit = FS / 10 + (2 * 0.05 * 0.01 / 10) ** 0.5  # rest until 1.5 N m, then 10 N m/s on 0.01 kg m^2 up to 0.05 rad/s
    ours = [pulled(models.single(h, dict(model="coulomb", fc=FS, sigma2=0))) for h in STEPS]
    yield "coulomb 1.5, bristle", cells([limit, *ours]), [abs(t / limit - 1) < 0.03 for t in ours]
    for name, more in (("frictionloss 1.5", ""), ("frictionloss 1.5, stiff", models.STIFF)):
        peer = [pulled(models.single(h, joint=f'frictionloss="{FS}" {more}')) for h in STEPS]
        yield name, " " * 10 + cells(peer), []


def loaded(m, load, end, since=0.0):
    """how far the first joint is at the end, and how far it came since"""
    d, h = mujoco.MjData(quiet(m)), m.opt.timestep
    d.qfrc_applied[0] = load
    mujoco.mj_step(m, d, round(since / h))
    q = d.qpos.copy()
    mujoco.mj_step(m, d, round((end - since) / h))
    return d.qpos[0], float(np.abs(d.qpos - q).max())


def hold():
    """W1: a hinge with 1 N m of dry friction carries 0.5 N m for 10 s. W2: stiff bristles carry half of what they can"""
    drifts = [loaded(models.single(h, dict(model="coulomb", fc=1, sigma2=0)), 0.5, HOLD)[1] for h in STEPS]
    yield "W1 drift in 10 s, bristle coulomb", " " * 10 + cells(drifts, "%9.1e"), [x < 1e-9 for x in drifts]
    for name, more in (("W1 frictionloss", ""), ("W1 frictionloss, stiff", models.STIFF)):
        peer = [loaded(models.single(h, joint=f'frictionloss="1" {more}'), 0.5, HOLD)[1] for h in STEPS]
        yield name, " " * 10 + cells(peer, "%9.1e"), []
    for sigma0, exact in ((1e3, 1.481975e-3), (1e4, 1.411779e-4), (1e5, 1.127204e-5), (1e6, 1.060763e-6)):
        sigma1 = 2 * (0.01 * sigma0) ** 0.5
        law, motor = lugre(sigma0, sigma1), models.dcmotor("j", sigma0, sigma1, FC, FS, VS)
        ours = [loaded(models.single(h, law), 0.75, 12.0, 2.0) for h in STEPS]
        yield (f"W2 {sigma0:g} place, bristle", cells([exact * 1e6, *[q * 1e6 for q, _ in ours]], "%9.4g") + " urad",
               [0.75 < q / exact < 1.02 for q, _ in ours])
        yield (f"W2 {sigma0:g} drift 2..12 s, bristle", " " * 10 + cells([x for _, x in ours], "%9.1e"),
               [x < 1e-9 for _, x in ours])
        peer = [loaded(models.single(h, actuators=motor), 0.75, 2.0)[0] for h in STEPS]
        yield f"W2 {sigma0:g} place, dcmotor", " " * 10 + cells([x * 1e6 for x in peer], "%9.4g") + " urad", []


def stick_slip():
    """W3, the run of the 1995 paper: a slider pulled at 0.1 m/s through 2 N/m; when it slips first, where it is at 20 s"""
    law = lugre(1e5, 1e5 ** 0.5, 1, 1.5, 0.001, 0.4)
    motor = models.dcmotor("j", 1e5, 1e5 ** 0.5, 1, 1.5, 0.001)

    def run(m):
        d, h, first = mujoco.MjData(quiet(m)), m.opt.timestep, np.nan
        for _ in range(round(20 / h)):
            d.qfrc_applied[0] = 2 * (0.1 * d.time - d.qpos[0])
            mujoco.mj_step(m, d)
            if not np.isfinite(first) and d.qvel[0] > 0.05:
                first = d.time
        return first, d.qpos[0]

    def table(make):
        return [run(make(h)) for h in STEPS]

    ours = table(lambda h: models.single(h, law, kind="slide", inertia=1))
    peer = table(lambda h: models.single(h, kind="slide", inertia=1, joint='damping="0.4"', actuators=motor))
    exact = bristle.simulate(EXAMPLES / "stick_slip.yaml")
    first = exact["t"][np.argmax(exact["v"] > 0.05)]
    yield "W3 first slip, bristle", cells([first, *[t for t, _ in ours]]), [abs(t / first - 1) < 0.03 for t, _ in ours]
    yield "W3 x(20 s), bristle", cells([1.27259, *[x for _, x in ours]]), [abs(x / 1.27259 - 1) < 0.005 for _, x in ours]
    yield "W3 first slip, dcmotor", " " * 10 + cells([t for t, _ in peer]), []
    yield "W3 x(20 s), dcmotor", " " * 10 + cells([x for _, x in peer]), []


def arm_drift(m):
    d, h = mujoco.MjData(quiet(m)), m.opt.timestep
    mujoco.mj_step(m, d, round(1 / h))
    q = d.qpos.copy()
    mujoco.mj_step(m, d, round((HOLD - 1) / h))
    return float(np.abs(d.qpos - q).max())


def arms():
    """an arm of six joints carries its weight, its hand free or on the floor; drift from 1 s to 10 s"""
    motors = "".join(models.dcmotor(f"j{i}", 1e5, 100, 20, 25, 0.01) for i in range(6))
    for contact in (False, True):
        where = "hand on the floor" if contact else "free"
        for integrator in ("implicitfast", "Euler"):
            for law in (models.ARM_LUGRE, models.ARM_COULOMB):
                drifts = [arm_drift(models.arm(h, law, integrator, contact)) for h in STEPS]
                yield (f"arm, {where}, bristle {law['model']}, {integrator}", " " * 10 + cells(drifts, "%9.1e"),
                       [x < 1e-9 for x in drifts])
        for name, more, actuators in (("frictionloss 25", 'frictionloss="25"', ""),
                                      ("frictionloss 25, stiff", f'frictionloss="25" {models.STIFF}', ""),
                                      ("dcmotor", "", motors)):
            drifts = [arm_drift(models.arm(h, contact=contact, joint=more, actuators=actuators)) for h in STEPS[1:]]
            yield f"arm, {where}, {name}", " " * 20 + cells(drifts, "%9.1e"), []


def rows():
    yield f"{'MuJoCo ' + mujoco.__version__:60} {'h -> 0':>9} " + " ".join(f"{h * 1e3:6g} ms" for h in STEPS), []
    for part in (break_away, hold, stick_slip, arms):
        yield f"-- {part.__doc__}", []
        for name, values, checks in part():
            yield f"{name:60} {values}", checks
