#!/usr/bin/env python3
"""Six LuGre parameters from the same data with SciPy, beside bench-identify, in one run.

usage: identify_scipy.py BUILD/bench-identify [quick]
The job is the same for all: 10 s at 1 kHz in memory, six parameters on a logarithmic scale, the same start 30 % off,
least squares to the end and the derivatives there; one thread, processor time, tolerances of SciPy's defaults. The
variants differ in how the residual is computed. `quick` leaves the slow and the wrong ones out.
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

RUNS = 250  # for by_runs: the quickest of those tried
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
        self.speed, self.squares = np.abs(self.v), self.v**2
        side_by_side = lambda x: np.ascontiguousarray(x.reshape(RUNS, -1).T)
        self.run_way, self.run_sign = side_by_side(np.abs(self.slide) * self.h), side_by_side(np.sign(self.slide))
        self.run_squares = side_by_side(self.slide**2)


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


def by_scan(d, p):
    """the same without a loop over samples: affine maps joined pairwise, 14 times (a parallel prefix)"""
    g = level(p, d.slide)
    a = np.exp(-p[0] * np.abs(d.slide) * d.h / g)
    z = np.zeros(len(d.t))
    b = z[1:]
    b[:] = g / p[0] * np.sign(d.slide) * (1 - a)
    reach = 1
    while reach < len(b):
        b[reach:] += a[reach:] * b[:-reach]
        a[reach:] *= a[:-reach].copy()
        reach *= 2
    return force(p, z, d.v) - d.f


def by_runs(d, p):
    """the best we know: cut into runs that go side by side, from rest; what their true starts add follows from run to
    run. What does not depend on the parameters is computed once, and nearly everything in place"""
    a, g = np.empty_like(d.run_way), np.exp(d.run_squares * (-1 / p[5] ** 2))
    g *= p[4] - p[3]
    g += p[3]
    np.divide(d.run_way, g, out=a)
    a *= -p[0]
    np.exp(a, out=a)
    b = 1 - a
    b *= g
    b *= d.run_sign
    b *= 1 / p[0]
    now, moved = b[0], np.empty(RUNS)
    for x, y in zip(a[1:], b[1:]):
        np.multiply(x, now, moved)
        now = np.add(y, moved, y)
    gain = np.cumprod(a, axis=0)
    start, at = np.empty(RUNS), 0.0
    for k, (factor, end) in enumerate(zip(gain[-1].tolist(), now.tolist())):
        start[k] = at
        at = factor * at + end
    gain *= start
    b += gain
    z = np.zeros(len(d.t))
    z[1:].reshape(b.T.shape)[:] = b.T
    g = np.exp(d.squares * (-1 / p[5] ** 2))
    g *= p[4] - p[3]
    g += p[3]
    np.divide(d.speed, g, out=g)
    g *= -p[1] * p[0]
    g += p[0]
    g *= z
    g += (p[1] + p[2]) * d.v
    g -= d.f
    return g


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


def by_solver(method, max_step, interpolate=False):
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


def fit(d, residual, start, **options):
    begin = time.process_time()
    result = least_squares(lambda u: residual(d, np.exp(u)), np.log(start), **options)
    return time.process_time() - begin, np.exp(result.x), result.cost, result.nfev


def fastest(d, residual, start, repeats):
    """the best of a few methods and repetitions: what a careful user would end up with"""
    return min((fit(d, residual, start, method=m) for m in ("lm", "trf", "dogbox") for _ in range(repeats)), key=lambda r: r[0])


def run_ours(program, path):
    lines = subprocess.run([program, path], check=True, capture_output=True, text=True).stdout.split("\n")
    ours = {line.split()[0]: float(line.split()[1]) for line in lines if line}
    start = [float(line.split()[3]) for name in NAMES for line in lines if line.startswith(name + " ")]
    return ours, start


def main():
    quick = len(sys.argv) > 2
    file = tempfile.NamedTemporaryFile(suffix=".csv")
    ours, start = run_ours(sys.argv[1], file.name)
    d = Data(file.name)
    best = np.array([ours[name] for name in NAMES])
    coarse = dict(method="trf", diff_step=1e-3)  # differences well above the solver's own error
    results = [
        ("NumPy, recurrence in runs side by side", fastest(d, by_runs, start, 5)),
        ("NumPy, recurrence as a prefix scan", fastest(d, by_scan, start, 3)),
        ("NumPy exponentials, recurrence in Python", fastest(d, by_numpy, start, 3)),
        ("solve_ivp LSODA, max_step 10 ms, diff_step 1e-3", fit(d, by_solver("LSODA", 1e-2), start, **coarse)),
    ]
    if not quick:
        results += [
            ("plain Python loop", fit(d, by_loop, start, method="lm")),
            ("solve_ivp LSODA, max_step 10 ms", fit(d, by_solver("LSODA", 1e-2), start, method="lm")),
            ("the same, v by np.interp", fit(d, by_solver("LSODA", 1e-2, True), start, method="lm")),
            ("solve_ivp LSODA, no max_step", fit(d, by_solver("LSODA", np.inf), start, method="lm")),
        ]
    again, _ = run_ours(sys.argv[1], file.name)  # before and after: the machine may have been busy
    search, whole = (min(ours[key], again[key]) for key in ("search_s", "identify_s"))
    print(f"bristle: search {1e3 * search:.3f} ms, {ours['jacobians']:.0f} passes with derivatives over all samples after a "
          f"search on every seventh, cost {ours['cost']:.6g}")
    print(f"bristle: whole identification, with features, deviations, whiteness and energy: {1e3 * whole:.3f} ms")
    for name, (seconds, p, cost, calls) in results:
        miss = np.max(np.abs(p / best - 1))
        print(f"{name}: {1e3 * seconds:.0f} ms, {calls} evaluations, cost {cost:.6g}; search {seconds / search:.0f}, whole "
              f"{seconds / whole:.0f} times faster; "
              f"{'the same optimum' if miss < 0.02 else 'ANOTHER OPTIMUM'} (furthest number off by {100 * miss:.2g} %)")


main()
