#!/usr/bin/env python3
"""Identification of a servo on a pendulum, beside mujoco.sysid: the same records, the same three unknowns.

Armature, damping and dry friction of a Dynamixel XL330 from four runs (one for each firmware gain); the other motion of
each gain is held out and simulated with what was found. Needs mujoco[sysid] 4.0, the package bristle, and the measured
logs in BRISTLE_DATA: `make bench-sysid`.
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
    for name, low, high in (("armature", 1e-5, 0.02), ("damping", 1e-5, 0.2), ("frictionloss", 1e-5, 0.2)):

        def put(spec: Any, p: Any, name: str = name) -> None:
            value = float(p.value[0])
            joint = spec.joint("hinge")
            setattr(joint, name, [value, 0, 0] if name == "damping" and np.ndim(joint.damping) else value)

        found.add(sysid.Parameter(name, nominal=START[name], min_value=low, max_value=high, modifier=put))
    return found


def by_mujoco(runs: list[dict[str, Any]]) -> tuple[dict[str, float], float]:
    begin = time.perf_counter()
    call = sysid.build_residual_fn(models_sequences=[sequences(runs)])
    found, _ = sysid.optimize(initial_params=mujoco_parameters(), residual_fn=call, optimizer="mujoco", verbose=False)
    return {name: float(found[name].value[0]) for name in START}, time.perf_counter() - begin


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


def by_bristle(runs: list[dict[str, Any]]) -> tuple[dict[str, float], float]:
    begin = time.perf_counter()
    units = {"position": "rad", "torque": "N*m"}
    fit = bristle.identify(runs, units=units, laws=["coulomb"], mass="free", gravity=MASS * GRAVITY * ARM, trust=True)
    best = fit["coulomb"]
    inertia, damping, friction = (best[name].value for name in ("mass", "sigma2", "fc"))
    return {"armature": inertia - MASS * ARM**2, "damping": damping, "frictionloss": friction}, time.perf_counter() - begin


def bristle_motion(found: dict[str, float], run: dict[str, Any]) -> np.ndarray:
    knots = [[float(a), float(b)] for a, b in zip(run["t"], run["torque"], strict=True)]
    given = {**scenario(found), "torque": {"knots": knots}, "initial": {"x": float(run["position"][0])}}
    given["time"] = {"end": float(run["t"][-1]), "output": STEP}
    made = bristle.simulate(given)
    return np.interp(run["t"], made.t, made["x"])


def error(motion: Any, found: dict[str, float], runs: list[dict[str, Any]]) -> float:
    """Root mean square of the position's error over all runs, each simulated from its first sample."""
    return float(np.sqrt(np.mean(np.concatenate([(motion(found, r) - r["position"]) ** 2 for r in runs]))))


def main() -> None:
    if not DATA.is_dir():
        sys.exit(f"SKIP data: no {DATA}; set BRISTLE_DATA")
    fitted, held_out = records("sin_sin"), records("sin_time_square")
    print(f"{'':14}{'time s':>8}{'armature':>11}{'damping':>10}{'friction':>10}{'fitted mrad':>13}{'held out mrad':>15}")
    for name, fit, motion in (("mujoco.sysid", by_mujoco, mujoco_motion), ("bristle", by_bristle, bristle_motion)):
        found, seconds = fit(fitted)
        numbers = f"{found['armature']:11.5f}{found['damping']:10.5f}{found['frictionloss']:10.5f}"
        missed = [1e3 * error(motion, found, runs) for runs in (fitted, held_out)]
        print(f"{name:14}{seconds:8.2f}{numbers}{missed[0]:13.1f}{missed[1]:15.1f}")


if __name__ == "__main__":
    main()
