"""Points of peers in Python for the page of `make bench`, in the lines of bench/page.c; `missing|who|why` for those that
are not there. page_peers.py REFERENCE (the positions of bench-solver points, or - where there are none)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

SIGMA0, SIGMA1, SIGMA2, FC, FS, VS = 1e5, 316.22776601683796, 0.4, 1.0, 1.5, 1e-3
SIZES = [4**k for k in range(10)]
H = 1e-4


def say(*parts):
    print("|".join(str(part) for part in parts), flush=True)


def lugre(xp, z, v):
    """LuGre's exact step, as one writes it with arrays."""
    g = FC + (FS - FC) * xp.exp(-((v / VS) ** 2))
    dz = (xp.copysign(g / SIGMA0, v) - z) * -xp.expm1(-SIGMA0 * H * xp.abs(v) / g)
    return z + dz, SIGMA0 * (z + dz) + SIGMA1 * dz / H + SIGMA2 * v


def velocities(count, dtype):
    random = np.random.default_rng(1)
    return (np.where(np.arange(count) % 2, -1, 1) * 10 ** random.uniform(-6, -0.523, count)).astype(dtype)


def rate(step, count, clock=time.process_time):
    """Contact-steps a second: the best of five, in processor time, as for the others; on a GPU by the clock."""
    step()
    begin = clock()
    step()
    repeats = max(1, int(0.02 / max(clock() - begin, 1e-7)))
    best = np.inf
    for _ in range(5):
        begin = clock()
        for _ in range(repeats):
            step()
        best = min(best, (clock() - begin) / repeats)
    return count / best


def numpy_points():
    for dtype, name in ((np.float64, "f64"), (np.float32, "f32")):
        for count in SIZES:
            v, z = velocities(count, dtype), np.zeros(count, dtype)
            say("throughput", "NumPy", name, "prescribed", count, f"{rate(lambda: lugre(np, z, v), count):.4g}")


def jax_points():
    # on a processor one thread, as all others here
    os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    try:
        import jax
    except ImportError:
        return say("missing", "JAX", "python has no module jax")
    jax.config.update("jax_enable_x64", True)
    place = jax.devices()[0].platform
    who, clock = ("JAX", time.process_time) if place == "cpu" else ("JAX, GPU", time.perf_counter)
    for dtype, name in ((np.float64, "f64"), (np.float32, "f32")):
        step = jax.jit(lambda z, v: lugre(jax.numpy, z, v))
        for count in SIZES:
            v, z = (jax.numpy.asarray(a) for a in (velocities(count, dtype), np.zeros(count, dtype)))
            made = rate(lambda: jax.block_until_ready(step(z, v)), count, clock)
            say("throughput", who, name, "prescribed", count, f"{made:.4g}")
    if place == "cpu":
        say("missing", "JAX, GPU", "there is no GPU that JAX sees")


def scipy_points(reference):
    try:
        import scipy  # noqa: F401
    except ImportError:
        return say("missing", "SciPy", "python has no module scipy")
    if reference == "-":
        return say("missing", "SciPy", "bench-solver, which makes its reference, is not built (SUNDIALS)")
    script = Path(__file__).with_name("solver_scipy.py")
    done = subprocess.run([sys.executable, str(script), reference, "points"], capture_output=True, text=True, check=False)
    for line in done.stdout.splitlines():
        method, rtol, seconds, error = line.split()
        say("error", f"SciPy {method}", rtol, seconds, error)
    if done.returncode:
        say("missing", "SciPy", done.stderr.strip().splitlines()[-1])


def mujoco_points():
    """A block of 1 kg on a joint with friction 1 N, pushed with half of it."""
    try:
        import mujoco
    except ImportError:
        return say("missing", "MuJoCo", "python has no module mujoco")
    for h in (1e-5, 1e-4, 1e-3, 1e-2, 1e-1):
        model = mujoco.MjModel.from_xml_string(
            f'<mujoco><option timestep="{h}" gravity="0 0 0" integrator="implicitfast"/><worldbody><body>'
            '<joint type="slide" axis="1 0 0" frictionloss="1"/><geom type="box" size=".1 .1 .1" mass="1"/></body>'
            "</worldbody></mujoco>"
        )
        data, begin = mujoco.MjData(model), 0.0
        for i in range(round(10 / h)):
            if i == round(1 / h):
                begin = data.qpos[0]
            data.qfrc_applied[0] = min(i * h, 0.5)
            mujoco.mj_step(model, data)
        say("drift", "MuJoCo, frictionloss", h, f"{abs(data.qpos[0] - begin):.3g}")


if __name__ == "__main__":
    numpy_points()
    jax_points()
    scipy_points(sys.argv[1])
    mujoco_points()
