#!/usr/bin/env python3
"""Identification of a servo on a pendulum, beside mujoco.sysid: the same records, the same three unknowns.

Armature, damping and dry friction of a Dynamixel XL330 from four runs (one for each firmware gain). The first two rows
make the same thing small: the error of the position, simulated from the first sample of each run with the measured
torque. The third balances torques instead and simulates nothing. Another motion of each gain is held out. What was found
is judged by one measure, the rms error of the simulated position, in both simulators. Needs mujoco[sysid] 4.0, the
package bristle, and the measured logs in BRISTLE_DATA: `make bench-sysid`.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from mujoco import sysid

import bristle

DATA = Path(os.environ.get("BRISTLE_DATA", "../shared/data")) / "bam_xl330"
GAINS = (100, 200, 400, 800)
TORQUE_PER_VOLT, MASS, ARM, GRAVITY, STEP = 0.0678, 0.49, 0.10, 9.81, 2e-3
START = {"armature": 2e-3, "damping": 0.02, "frictionloss": 0.02}

XML = f"""
<mujoco><compiler angle="radian"/><option timestep="{STEP}" integrator="implicitfast" gravity="0 0 -{GRAVITY}"/>
<worldbody><body name="arm"><joint name="hinge" axis="0 1 0" armature="{START['armature']}" damping="{START['damping']}"
frictionloss="{START['frictionloss']}"/><inertial pos="0 0 -{ARM}" mass="{MASS}" diaginertia="1e-9 1e-9 1e-9"/></body>
</worldbody><actuator><motor joint="hinge"/></actuator><sensor><jointpos name="q" joint="hinge"/></sensor></mujoco>"""


def records(motion: str) -> list[dict[str, Any]]:
    """Time, position and torque of each gain, on an even grid for both programs."""
    made = []
    for gain in GAINS:
        log = bristle.read_log(DATA / f"xl330_kp{gain}_{motion}.csv")
        clock, place, volt = (log[_named(log, head)] for head in ("time", "position", "motor_voltage"))
        t, at = np.arange(0, clock[-1] - clock[0], STEP), clock - clock[0]
        made.append({"t": t, "position": np.interp(t, at, place), "torque": TORQUE_PER_VOLT * np.interp(t, at, volt)})
    return made


def _named(log: Any, head: str) -> str:
    return next(name for name in log if name.startswith(head))


# ---- mujoco.sysid ----


def sequences(runs: list[dict[str, Any]]) -> Any:
    spec = mujoco.MjSpec.from_string(XML)
    model = spec.compile()
    starts = [sysid.create_initial_state(model, np.array([r["position"][0]]), np.zeros(1), np.zeros(0)) for r in runs]
    controls = [sysid.TimeSeries(r["t"], r["torque"][:, None]) for r in runs]
    sensors = [sysid.TimeSeries.from_names(r["t"], r["position"][:, None], model) for r in runs]
    names = [f"run{i}" for i in range(len(runs))]
    return sysid.ModelSequences("pendulum", spec, names, starts, controls, sensors)


def mujoco_parameters() -> Any:
    found = sysid.ParameterDict()
    for name, low, high in (("armature", 1e-5, 0.05), ("damping", 1e-5, 0.2), ("frictionloss", 1e-5, 0.2)):

        def put(spec: Any, p: Any, name: str = name) -> None:
            value = float(p.value[0])
            joint = spec.joint("hinge")
            setattr(joint, name, [value, 0, 0] if name == "damping" and np.ndim(joint.damping) else value)

        found.add(sysid.Parameter(name, nominal=START[name], min_value=low, max_value=high, modifier=put))
    return found


def by_mujoco(runs: list[dict[str, Any]]) -> dict[str, float]:
    call = sysid.build_residual_fn(models_sequences=[sequences(runs)])
    found, _ = sysid.optimize(initial_params=mujoco_parameters(), residual_fn=call, optimizer="mujoco", verbose=False)
    return {name: float(found[name].value[0]) for name in START}


def mujoco_motion(found: dict[str, float], run: dict[str, Any]) -> np.ndarray:
    model = mujoco.MjModel.from_xml_string(XML)
    model.dof_armature[0], model.dof_frictionloss[0] = found["armature"], found["frictionloss"]
    np.ravel(model.dof_damping)[0] = found["damping"]
    data = mujoco.MjData(model)
    data.qpos[0], places = run["position"][0], []
    for torque in run["torque"]:
        places.append(data.qpos[0])
        data.ctrl[0] = torque
        mujoco.mj_step(model, data)
    return np.array(places)


# ---- bristle ----


def scenario(found: dict[str, float]) -> dict[str, Any]:
    friction = bristle.coulomb(fc=found["frictionloss"], sigma2=found["damping"], rotary=True)
    return {
        "rig": "pendulum",
        "inertia": found["armature"] + MASS * ARM**2,
        "gravity": MASS * GRAVITY * ARM,
        "friction": friction,
        "time": {"end": "6 s", "output": STEP},
    }


def by_simulation(runs: list[dict[str, Any]]) -> dict[str, float]:
    """The same method: motions of a pendulum driven by the measured torque."""
    rig = {**scenario(START), "torque": {"column": "torque"}}
    del rig["time"]
    units = {"t": "s", "position": "rad", "torque": "N*m"}
    inertia = f"inertia={MASS * ARM**2}..{MASS * ARM**2 + 0.05}"
    fit = bristle.identify(runs, units=units, rig=rig, free=[inertia], trust=True, candidates=2)
    return named(fit["coulomb"], "inertia")


def by_torques(runs: list[dict[str, Any]]) -> dict[str, float]:
    """Another method: the balance of torques, sample by sample."""
    units = {"t": "s", "position": "rad", "torque": "N*m"}
    fit = bristle.identify(runs, units=units, laws=["coulomb"], mass="free", gravity=MASS * GRAVITY * ARM, trust=True)
    return named(fit["coulomb"], "mass")


def named(found: Any, inertia: str) -> dict[str, float]:
    whole, damping, friction = (found[name].value for name in (inertia, "sigma2", "fc"))
    return {"armature": whole - MASS * ARM**2, "damping": damping, "frictionloss": friction}


def bristle_motion(found: dict[str, float], run: dict[str, Any]) -> np.ndarray:
    knots = [[float(a), float(b)] for a, b in zip(run["t"], run["torque"], strict=True)]
    given = {**scenario(found), "torque": {"knots": knots}, "initial": {"x": float(run["position"][0])}}
    given["time"] = {"end": float(run["t"][-1]), "output": STEP}
    made = bristle.simulate(given)
    return np.interp(run["t"], made.t, made["x"])


def error(motion: Any, found: dict[str, float], runs: list[dict[str, Any]]) -> float:
    """Root mean square of the position's error over all runs, each simulated from its first sample."""
    return float(np.sqrt(np.mean(np.concatenate([(motion(found, r) - r["position"]) ** 2 for r in runs]))))


def processor() -> float:
    """Seconds of processor time, with programs that were started."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def main() -> None:
    if not DATA.is_dir():
        sys.exit(f"SKIP data: no {DATA}; set BRISTLE_DATA")
    fitted, held_out = records("sin_sin"), records("sin_time_square")
    print("rms error of the position [mrad], by MuJoCo / by bristle")
    print(f"{'':26}{'s':>7}{'cpu s':>7}{'armature':>10}{'damping':>9}{'friction':>9}{'fitted':>15}{'held out':>15}")
    for name, fit in (
        ("mujoco.sysid, simulation", by_mujoco),
        ("bristle, simulation", by_simulation),
        ("bristle, torques", by_torques),
    ):
        begin, used = time.perf_counter(), processor()
        found = fit(fitted)
        line = f"{name:26}{time.perf_counter() - begin:7.2f}{processor() - used:7.2f}"
        line += f"{found['armature']:10.5f}{found['damping']:9.5f}{found['frictionloss']:9.5f}"
        for runs in (fitted, held_out):
            missed = [1e3 * error(motion, found, runs) for motion in (mujoco_motion, bristle_motion)]
            line += f"{missed[0]:8.1f}/{missed[1]:<6.1f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
