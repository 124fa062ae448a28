#!/usr/bin/env python3
"""Six LuGre parameters from the same data with SciPy, beside bench-identify, in one run.

usage: identify_scipy.py BUILD/bench-identify [quick]
Every variant is SciPy's least_squares on log parameters; they differ in how the residual is computed. The ratio is
its time by that of bench-identify. `quick` leaves the slow and the wrong ones out.
"""
import os
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread beside one thread
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

NAMES = ["sigma0", "sigma1", "sigma2", "fc", "fs", "vs"]


def velocity(t):
    turn = 2 * np.pi
    return 0.02 * np.sin(turn * 0.2 * t) + 0.003 * np.sin(turn * 1.3 * t) + 0.0008 * np.sin(turn * 5.1 * t)


def level(p, v):
    return p[3] + (p[4] - p[3]) * np.exp(-((v / p[5]) ** 2))


def force(p, z, v):
    return p[0] * z + p[1] * (v - p[0] * np.abs(v) * z / level(p, v)) + p[2] * v


class Data:
    def __init__(self, path):
        self.t, self.x, self.v, self.f = np.loadtxt(path, delimiter=",", skiprows=1, unpack=True)
        self.h = np.diff(self.t)
        self.slide = np.diff(self.x) / self.h


def by_numpy(d, p):
    """exact update with the mean velocity; exponentials by NumPy, the recurrence in Python"""
    g = level(p, d.slide)
    e = np.exp(-p[0] * np.abs(d.slide) * d.h / g)
    b = g / p[0] * np.sign(d.slide) * (1 - e)
    z = [0.0]
    now = 0.0
    for a, c in zip(e.tolist(), b.tolist()):
        now = a * now + c
        z.append(now)
    return force(p, np.array(z), d.v) - d.f


def by_loop(d, p):
    """the same, all in Python"""
    import math

    s0, s1, s2, fc, fs, vs = (float(x) for x in p)
    z, out = 0.0, []
    slide, h, v = d.slide.tolist(), d.h.tolist(), d.v.tolist()
    for i, now in enumerate(v):
        if i:
            u = slide[i - 1]
            g = fc + (fs - fc) * math.exp(-((u / vs) ** 2))
            e = math.exp(-s0 * abs(u) * h[i - 1] / g)
            z = e * z + math.copysign(g / s0, u) * (1 - e)
        g = fc + (fs - fc) * math.exp(-((now / vs) ** 2))
        out.append(s0 * z + s1 * (now - s0 * abs(now) * z / g) + s2 * now)
    return np.array(out) - d.f


def by_solver(method, max_step, interpolate):
    def residual(d, p):
        speed = (lambda t: np.interp(t, d.t, d.v)) if interpolate else velocity

        def rate(t, z):
            v = speed(t)
            return v - p[0] * abs(v) * z / level(p, v)

        run = solve_ivp(rate, (d.t[0], d.t[-1]), [0.0], method=method, t_eval=d.t, rtol=1e-6, atol=1e-12, max_step=max_step)
        if run.y.shape[1] != len(d.t):
            return np.full(len(d.t), 1e3)
        return force(p, run.y[0], d.v) - d.f

    return residual


def fit(d, residual, start):
    begin = time.perf_counter()
    result = least_squares(lambda u: residual(d, np.exp(u)), np.log(start), method="lm")
    return time.perf_counter() - begin, np.exp(result.x), result.cost, result.nfev


def main():
    quick = len(sys.argv) > 2
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        lines = subprocess.run([sys.argv[1], file.name], check=True, capture_output=True, text=True).stdout.split("\n")
        ours = {line.split()[0]: float(line.split()[1]) for line in lines if line}
        start = [float(line.split()[3]) for name in NAMES for line in lines if line.startswith(name + " ")]
        d = Data(file.name)
    best = np.array([ours[name] for name in NAMES])
    print(f"bristle: search {1e3 * ours['search_s']:.3f} ms, {ours['jacobians']:.0f} passes with derivatives, "
          f"cost {ours['cost']:.6g}; whole identification with deviations {1e3 * ours['identify_s']:.3f} ms")
    variants = [("NumPy exponentials, Python recurrence", by_numpy)]
    if not quick:
        variants += [("plain Python loop", by_loop)]
    variants += [("solve_ivp LSODA, max_step 10 ms", by_solver("LSODA", 1e-2, False))]
    if not quick:
        variants += [
            ("solve_ivp LSODA, max_step 10 ms, v by np.interp", by_solver("LSODA", 1e-2, True)),
            ("solve_ivp LSODA, no max_step", by_solver("LSODA", np.inf, False)),
        ]
    for name, residual in variants:
        seconds, p, cost, calls = fit(d, residual, start)
        miss = np.max(np.abs(p / best - 1))
        print(f"{name}: {seconds:.3f} s, {calls} calls, cost {cost:.6g}, ratio {seconds / ours['search_s']:.0f}, "
              f"{'the same optimum' if miss < 0.02 else 'ANOTHER OPTIMUM'} (furthest number off by {100 * miss:.2g} %)")


main()
