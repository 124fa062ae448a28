#!/usr/bin/env python3
"""What a step of a 6-joint arm costs in MuJoCo with friction, beside the plain step: `make bench-plugin`.

Models take turns in short runs, and the fastest of each counts, so that a busy machine slows all of them alike.
"""
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "bridge"))
import bristle.mujoco
import mujoco
import mujoco_models as models
import numpy as np

RUN, ROUNDS = 300, 80
FULL = mujoco.mjtState.mjSTATE_INTEGRATION


def fastest(candidates):
    best, data, states = [float("inf")] * len(candidates), [], []
    for m in candidates:
        d = mujoco.MjData(m)
        mujoco.mj_step(m, d, 200)
        data.append(d)
        states.append(np.zeros(mujoco.mj_stateSize(m, FULL)))
        mujoco.mj_getState(m, d, states[-1], FULL)
    for _ in range(ROUNDS):
        for k, (m, d) in enumerate(zip(candidates, data)):
            mujoco.mj_setState(m, d, states[k], FULL)
            begin = time.perf_counter()
            mujoco.mj_step(m, d, RUN)
            best[k] = min(best[k], time.perf_counter() - begin)
    return [1e6 * t / RUN for t in best]


def main():
    bristle.mujoco.build()
    bristle.mujoco.load()
    motors = "".join(models.dcmotor(f"j{i}", 1e5, 100, 20, 25, 0.01) for i in range(6))
    print(f"a 6-joint arm at 1 ms, MuJoCo {mujoco.__version__}: us for a step, and ratio to the plain step")
    names = ("plain", "bristle lugre", "bristle coulomb", "frictionloss", "dcmotor lugre")
    print(f"{'':34}" + "".join(f"{name:>18}" for name in names))
    for contact in (False, True):
        for integrator in ("implicitfast", "Euler"):
            common = dict(integrator=integrator, contact=contact)
            times = fastest([models.arm(1e-3, **common), models.arm(1e-3, models.ARM_LUGRE, **common),
                             models.arm(1e-3, models.ARM_COULOMB, **common),
                             models.arm(1e-3, joint='frictionloss="25"', **common),
                             models.arm(1e-3, actuators=motors, **common)])
            where = f"{integrator}, {'hand on the floor' if contact else 'free'}"
            print(f"{where:34}" + "".join(f"{t:9.2f} ({t / times[0]:5.2f})" + "  " for t in times), flush=True)


if __name__ == "__main__":
    main()
