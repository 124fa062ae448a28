"""The equations of the five documents, written once more: what docs/sources.md asks of the tool is computed here.

Nothing is taken from Bristle: closed forms where a motion has one, otherwise Runge-Kutta of fourth order with short
steps. Letters are the documents of docs/sources.md. SI units, and the numbers of the 1995 LuGre paper unless others
are given.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from math import atanh, copysign, cos, exp, hypot, log, pi, sin, sqrt, tanh  # noqa: F401  for the page

LUGRE = {"s0": 1e5, "s1": sqrt(1e5), "s2": 0.4, "fc": 1.0, "fs": 1.5, "vs": 1e-3, "gamma": 2.0}


# ---- curves ----


def g(v: float, **given: float) -> float:
    """The level of D (7), K (3) times sigma_0, and A."""
    p = LUGRE | given
    return p["fc"] + (p["fs"] - p["fc"]) * exp(-(abs(v / p["vs"]) ** p["gamma"]))


def steady(v: float, **given: float) -> float:
    """D (6) where dz/dt = 0."""
    return copysign(g(v, **given), v) + (LUGRE | given)["s2"] * v


def peak(v: float, fc: float = 20, fs: float = 25, vcr: float = 5e-3) -> float:
    """C (4): a start."""
    return fc + (fs - fc) * exp(-v / vcr)


def line(v: float, fc: float = 20, fs: float = 25, vcr: float = 5e-3) -> float:
    """C (5) as it must be meant: a line from fs to fc."""
    return fs - (fs - fc) / vcr * v if v < vcr else fc


def dahl(x: float, fc: float = 1, s0: float = 1e5, delta: float = 1, before: float = 0) -> float:
    """P (1), integrated over the way x in the direction of the force, from the force `before` on."""
    if delta == 1:
        return fc - (fc - before) * exp(-s0 * x / fc)
    left = (1 - before / fc) ** (1 - delta) + (delta - 1) * s0 * x / fc
    return fc * (1 - left ** (1 / (1 - delta)))


def dahl_tip(amplitude: float, fc: float = 1, s0: float = 1e5, delta: float = 1) -> float:
    """Where the loop of a stroke to and fro ends: the force that comes back turned after twice the amplitude."""
    low, high = 0.0, fc
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if dahl(2 * amplitude, fc, s0, delta, -middle) > middle else (low, middle)
    return low


# ---- step rules ----


def coulomb_rule(nu: float, low: float = 1e-4, high: float = 1e-3) -> float:
    """D (4)."""
    return low + (high - low) * tanh(nu) ** 4


def lugre_rule(nu: float, dtau: float = 0.02, alpha: float = 1.2, **given: float) -> float:
    """D (8)."""
    p = LUGRE | given
    return dtau * p["fc"] / (p["s0"] * p["vs"]) * max(nu, 1) ** alpha


# ---- motions ----


def runge_kutta(rate: Callable, y: list[float], t: float, h: float) -> list[float]:
    a = rate(t, y)
    b = rate(t + h / 2, [u + h / 2 * k for u, k in zip(y, a, strict=True)])
    c = rate(t + h / 2, [u + h / 2 * k for u, k in zip(y, b, strict=True)])
    d = rate(t + h, [u + h * k for u, k in zip(y, c, strict=True)])
    return [u + h / 6 * (i + 2 * j + 2 * k + m) for u, i, j, k, m in zip(y, a, b, c, d, strict=True)]


def bristle_rate(z: float, v: float, p: dict[str, float]) -> float:
    """D (7)."""
    return v - p["s0"] * abs(v) * z / g(v, **p)


def bristle(velocity: Callable, end: float, z: float = 0, **given: float) -> float:
    """z after a motion v(t) of the time `end`."""
    p, t = LUGRE | given, 0.0
    while t < end:
        rate = abs(velocity(t)) * p["s0"] / p["fc"]
        h = min(0.05 / max(rate, 1), end / 400, end - t)
        if end - t - h < 1e-12 * end:
            h = end - t
        (z,) = runge_kutta(lambda t, y: [bristle_rate(y[0], velocity(t), p)], [z], t, h)
        t += h
    return z


def lugre(velocity: Callable, end: float, z: float = 0, **given: float) -> float:
    """D (6) there."""
    p = LUGRE | given
    z, v = bristle(velocity, end, z, **given), velocity(end)
    return p["s0"] * z + p["s1"] * bristle_rate(z, v, p) + p["s2"] * v


def constant(v: float, t: float, **given: float) -> float:
    """D (6) at constant speed from a virgin contact on: (7) is linear in z then."""
    p = LUGRE | given
    z = deflection(v, t, **given)
    return p["s0"] * z + p["s1"] * bristle_rate(z, v, p) + p["s2"] * v


def deflection(v: float, t: float, **given: float) -> float:
    p = LUGRE | given
    level = g(v, **given)
    return copysign(level / p["s0"] * (1 - exp(-p["s0"] * abs(v) * t / level)), v)


def lag(frequency: float, level: float, rising: bool) -> float:
    """The force where the speed 1.5 mm/s + 1 mm/s cos(w t) passes a level in its third period."""
    angle = math.acos((level - 1.5e-3) / 1e-3)
    end = 4 * pi + (2 * pi - angle if rising else angle)
    return lugre(lambda t: 1.5e-3 + 1e-3 * cos(frequency * t), end / frequency)


class Body:
    """1 kg on a LuGre contact, moved by push(t, x, v, e), where e is the integral of x less a target."""

    def __init__(self, push: Callable, x: float = 0, z: float = 0, target: float = 0) -> None:
        self.push, self.t, self.y, self.target = push, 0.0, [x, 0.0, z, 0.0], target

    def force(self) -> float:
        _, v, z, _ = self.y
        return LUGRE["s0"] * z + LUGRE["s1"] * bristle_rate(z, v, LUGRE) + LUGRE["s2"] * v

    def rate(self, t: float, y: list[float]) -> list[float]:
        x, v, z, e = y
        dz = bristle_rate(z, v, LUGRE)
        friction = LUGRE["s0"] * z + LUGRE["s1"] * dz + LUGRE["s2"] * v
        return [v, self.push(t, x, v, e) - friction, dz, x - self.target]

    def step(self, longest: float = 1e-3) -> None:
        h = min(longest, 1 / max(LUGRE["s0"] * abs(self.y[1]), 1))
        self.y = runge_kutta(self.rate, self.y, self.t, h)
        self.t += h

    def until(self, end: float, longest: float = 1e-3) -> list[float]:
        while self.t < end:
            self.step(min(longest, max(end - self.t, 1e-12)))
        return self.y


@functools.cache
def breakaway(rate: float) -> float:
    """The first peak of friction under a force that grows."""
    body, last = Body(lambda t, x, v, e: rate * t), 0.0
    while True:
        body.step(2e-4)
        if body.force() < last:
            return last
        last = body.force()


@functools.cache
def presliding(t: float) -> float:
    """The position under 0, 1.425, 1.425, -1.425 N at 0, 10, 15, 35 s."""

    def push(t: float, *_: float) -> float:
        return 1.425 * (t / 10 if t < 10 else 1 if t < 15 else 1 - (t - 15) / 10)

    return Body(push).until(t, 1e-3)[0]


@functools.cache
def pd_arm(z: float, end: float = 3, largest: bool = False) -> float:
    """K: 1 kg behind 1000 N/m and 20 N s/m at -10 mm with bristles bent by z: where it rests, or its largest speed."""
    body, most = Body(lambda t, x, v, e: -1000 * x - 20 * v, x=-0.01, z=z), 0.0
    while body.t < end:
        body.step()
        most = max(most, body.y[1])
    return most if largest else body.y[0]


@functools.cache
def tracking(after: float = 4) -> float:
    """The same loop behind a sine of 10 mm at 0.5 Hz: its largest error from `after` on."""

    def target(t: float) -> float:
        return 0.01 * sin(pi * t)

    body, most = Body(lambda t, x, v, e: 1000 * (target(t) - x) + 20 * (0.01 * pi * cos(pi * t) - v)), 0.0
    while body.t < 6:
        body.step()
        if body.t >= after:
            most = max(most, abs(target(body.t) - body.y[0]))
    return most


@functools.cache
def positioning() -> float:
    """The same loop after a step of 5 mm: the error that is left after 6 s."""
    return 5e-3 - Body(lambda t, x, v, e: 1000 * (5e-3 - x) - 20 * v).until(6)[0]


@functools.cache
def hunting() -> float:
    """Half a period of the limit cycle under PID control with kp 3, ki 4, kd 6 and the target 1 m."""
    body, passed = Body(lambda t, x, v, e: 3 * (1 - x) - 4 * e - 6 * v, target=1), []
    while len(passed) < 8:
        before = body.y[0]
        body.step(2e-3)
        if (before - 1) * (body.y[0] - 1) < 0:
            passed.append(body.t)
    return passed[7] - passed[6]


def loop_forces(amplitude: float, period: float, samples: int = 2000) -> list[float]:
    """D (6) along the second cycle of a sine; the period 0 is a slow one, with the level f_s and no damping."""
    p, z, forces = LUGRE | {"s1": 316.2278}, 0.0, []
    rate = 2 * pi / period if period else 1e-9
    viscous = 1 if period else 0

    def derivative(t: float, y: list[float]) -> list[float]:
        return [bristle_rate(y[0], amplitude * rate * cos(t), p) / rate]

    h = 2 * pi / samples
    for i in range(2 * samples):
        (z,) = runge_kutta(derivative, [z], i * h, h)
        if i >= samples:
            v = amplitude * rate * cos((i + 1) * h)
            forces.append(p["s0"] * z + viscous * (p["s1"] * bristle_rate(z, v, p) + p["s2"] * v))
    return forces


@functools.cache
def loop_difference(amplitude: float, period: float) -> float:
    """P: how far a loop is from a slow one."""
    return max(abs(a - b) for a, b in zip(loop_forces(amplitude, period), loop_forces(amplitude, 0), strict=True))


@functools.cache
def limiting_time(amplitude: float, tolerance: float) -> float:
    """P: the cycle time above which that is within the tolerance."""
    low, high = 1e-3, 1e3
    for _ in range(14):
        middle = sqrt(low * high)
        low, high = (middle, high) if loop_difference(amplitude, middle) > tolerance else (low, middle)
    return sqrt(low * high)


@functools.cache
def pulled_block(contact: str) -> tuple[list[float], list[float]]:
    """Times and speeds of the block of 1 kg that a spring of 2 N/m pulls at 0.1 m/s, over 20 s: on LuGre bristles
    (`bent`), on a rigid contact with the same Stribeck curve (`rigid`), or with one level, where it has a formula."""
    times, speeds, t = [0.0], [0.0], 0.0
    body = Body(lambda t, x, v, e: 2 * (0.1 * t - x))
    x = v = 0.0

    def sliding(t: float, y: list[float]) -> list[float]:
        return [y[1], 2 * (0.1 * t - y[0]) - steady(max(y[1], 1e-300))]

    while t < 20:
        if contact == "bent":
            body.step()
            t, v = body.t, body.y[1]
        elif contact == "level":
            t += 1e-4
            v = 0.1 * (1 - cos(sqrt(2) * max(t - 5, 0)))
        else:
            h = 1e-5 if 0 < v < 0.01 else 1e-4
            if v > 0 or 2 * (0.1 * (t + h) - x) > LUGRE["fs"]:
                x, v = runge_kutta(sliding, [x, v], t, h)
                v = max(v, 0.0)
            t += h
        times.append(t)
        speeds.append(v)
    return times, speeds


def slip_period() -> float:
    """From one slip to the next, on bristles: the speed passes 10 mm/s."""
    times, speeds = pulled_block("bent")
    starts = [t for t, a, b in zip(times[1:], speeds, speeds[1:], strict=False) if a < 0.01 <= b]
    return starts[1] - starts[0]


def pulled_way() -> float:
    """How far it has come after 20 s."""
    times, speeds = pulled_block("bent")
    return sum((b - a) * (u + v) / 2 for a, b, u, v in zip(times, times[1:], speeds, speeds[1:], strict=False))


def rule_steps(rule: str, contact: str, host: float = 0.01, hold: float | None = None, least: float = 5, end: float = 20,
               **given: float) -> float:
    """How many steps D (4) or D (8) asks for along that motion: the integral of dt over the length of a step.

    While nu < 1, and for the hold time after that, the rule counts; then the host's own step does, where it is longer."""
    times, speeds = pulled_block(contact)
    length = coulomb_rule if rule == "coulomb" else lugre_rule
    if hold is None:
        hold = 1.0 if rule == "coulomb" else 5 * LUGRE["fc"] / (LUGRE["s0"] * LUGRE["vs"])
    until, steps = 0.0, 0.0
    for i in range(1, sum(t <= end for t in times)):
        nu = abs(speeds[i]) / LUGRE["vs"] / least
        if nu < 1:
            until = times[i] + hold
        step = length(nu, **given)
        steps += (times[i] - times[i - 1]) / (step if times[i] < until else host)
    return steps
