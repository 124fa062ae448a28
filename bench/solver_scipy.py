"""SciPy's LSODA and Radau on the stick-slip benchmark: one line for each method and target.

Usage: solver_scipy.py REFERENCE [points], a file of 2001 doubles. Prints `method target seconds error`; the setting is
the loosest one that meets the target together with every tighter setting of the sweep. With points all settings:
`method rtol seconds error`.
"""
import math
import sys
import time

import numpy as np
from scipy.integrate import solve_ivp

SIGMA0, SIGMA1, SIGMA2, FC, FS, VS = 1e5, math.sqrt(1e5), 0.4, 1.0, 1.5, 0.001
REFERENCE = np.fromfile(sys.argv[1])
GRID = np.arange(len(REFERENCE)) / 100.0
TARGETS = (1e-4, 1e-6, 1e-8)


def rates(t, y):
    x, v, z = y
    u = v / VS
    g = FC + (FS - FC) * math.exp(-u * u)
    dz = v - SIGMA0 * abs(v) * z / g
    return (v, 2.0 * (0.1 * t - x) - SIGMA0 * z - SIGMA1 * dz - SIGMA2 * v, dz)


def jacobian(_, y):
    _, v, z = y
    u = v / VS
    fade = (FS - FC) * math.exp(-u * u)
    g, slope = FC + fade, -2 * u / VS * fade
    by_v = 1 - SIGMA0 * z * (math.copysign(1, v) / g - abs(v) * slope / (g * g))
    by_z = -SIGMA0 * abs(v) / g
    return np.array([[0, 1, 0], [-2, -SIGMA1 * by_v - SIGMA2, -SIGMA0 - SIGMA1 * by_z], [0, by_v, by_z]])


def run(method, rtol):
    begun = time.thread_time()
    answer = solve_ivp(rates, (0, GRID[-1]), (0.0, 0.0, 0.0), method=method, t_eval=GRID, jac=jacobian, rtol=rtol,
                       atol=[rtol, 0.1 * rtol, 1e-5 * rtol])
    seconds = time.thread_time() - begun
    error = np.max(np.abs(answer.y[0] - REFERENCE)) if answer.success else math.inf
    return seconds, error


def main():
    for method in ("LSODA", "Radau"):
        settings = [10.0 ** (-k / 2) for k in range(6, 23 if method == "LSODA" else 21)]
        results = [run(method, rtol) for rtol in settings]
        if len(sys.argv) > 2:  # points: all of them
            for rtol, (seconds, error) in zip(settings, results):
                print(method, f"{rtol:.1e}", f"{seconds:.4g}", f"{error:.3g}", flush=True)
            continue
        for target in TARGETS:
            first = len(results)
            while first and results[first - 1][1] <= target:
                first -= 1
            if first < len(results):
                seconds, error = results[first]
                print(method, target, seconds, error, flush=True)


main()
