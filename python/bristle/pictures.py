"""Pictures with matplotlib: axes in, axes out, no style of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .describe import _reach
from .errors import ParameterError

if TYPE_CHECKING:
    from .law import Law


def axes(ax: Any, count: int = 1, **options: Any) -> Any:
    """The axes that were given, or new ones."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install 'bristle[plot]'") from None
    if ax is not None:
        given = np.atleast_1d(np.asarray(ax, object))
        if given.size != count:
            raise ParameterError(f"ax: this picture has {count} axes, got {given.size}")
        return given
    made = plt.subplots(1, count, figsize=(4 * count, 3), layout="constrained", **options)[1]
    return np.atleast_1d(np.asarray(made, object))


def units(law: Law) -> tuple[str, str, str]:
    """The units of position, velocity and force."""
    return ("rad", "rad/s", "N m") if law.rotary else ("m", "m/s", "N")


def plot_law(law: Law, ax: Any = None) -> Any:
    """Three pictures of a law: its steady curve, a presliding loop, and break-away against the rate of the force."""
    made = axes(ax, 3)
    plot_steady(law, made[0])
    plot_loop(law, ax=made[1])
    plot_break_away(law, made[2])
    return made


def plot_steady(law: Law, ax: Any = None) -> Any:
    """Plots the steady force over the velocity; for laws without one, the force along a slow ramp of speed."""
    target = axes(ax)[0]
    reach = _reach(law)
    v = np.linspace(-reach, reach, 801)
    force = law.steady(v) if "steady" in law.table.traits else law.eval(v)
    target.plot(v, force, label=law.name)
    target.set(xlabel=f"velocity [{units(law)[1]}]", ylabel=f"friction [{units(law)[2]}]", title="steady")
    return target


def loop(law: Law, amplitude: float, frequency: float = 1.0, cycles: int = 3, samples: int = 2000) -> tuple[Any, Any]:
    """Position and friction of the last cycle of a sine motion."""
    contact, h = law.contact(), 1.0 / (frequency * samples)
    t = np.arange(cycles * samples + 1) * h
    x = amplitude * np.sin(2 * np.pi * frequency * t)
    force = np.array([contact.step((b - a) / h, h, x=a) for a, b in zip(x[:-1], x[1:], strict=True)])
    return (x[1:] + x[:-1])[-samples:] / 2, force[-samples:]


def presliding_length(law: Law) -> float:
    """A few times the travel before the contact slides, from its parameters; 1e-4 where the law has none."""
    stiffness = [law[row.name] for row in law.table.parameters if row.unit == "N/m" and row.count == 1]
    level = [law[row.name] for row in law.table.parameters if row.unit == "N" and row.count == 1]
    return 3 * max(level) / max(stiffness) if stiffness and level and max(stiffness) > 0 else 1e-4


def plot_loop(law: Law, amplitude: float | None = None, frequency: float = 1.0, ax: Any = None) -> Any:
    """Plots friction over position for a small sine motion: the hysteresis of presliding."""
    target = axes(ax)[0]
    for share in (1.0,) if amplitude else (0.3, 1.0):
        x, force = loop(law, amplitude or share * presliding_length(law), frequency)
        target.plot(x, force)
    target.set(xlabel=f"position [{units(law)[0]}]", ylabel=f"friction [{units(law)[2]}]", title="presliding")
    return target


def break_away(law: Law, rate: float, steps: int = 4000) -> float:
    """The largest friction of a unit mass pulled by a force that grows with `rate`, before it slides away."""
    level = max([law[row.name] for row in law.table.parameters if row.unit == "N" and row.count == 1] or [1.0])
    h, contact, v, largest = 3 * level / rate / steps, law.contact(), 0.0, 0.0
    for i in range(steps):
        pull = rate * h * (i + 1)
        largest = max(largest, contact.step(v + h * pull, h, h, f=pull))
        v = contact.velocity
        if v > 50 * _reach(law):
            break
    return largest


def plot_break_away(law: Law, ax: Any = None) -> Any:
    """Plots the force at break-away against the rate at which the pull grows."""
    target = axes(ax)[0]
    rates = np.logspace(-1, 3, 9)
    target.semilogx(rates, [break_away(law, rate) for rate in rates], ".-")
    target.set(xlabel=f"force rate [{units(law)[2]}/s]", ylabel=f"break-away [{units(law)[2]}]", title="break-away")
    return target


def plot_stick_slip(
    law: Law, mass: float = 1.0, stiffness: float = 2.0, speed: float = 0.1, end: float = 20.0, ax: Any = None
) -> Any:
    """Plots position and friction over time, for a body pulled by a spring."""
    made = axes(ax, 2)
    contact, h, x, v = law.contact(), end / 20000, 0.0, 0.0
    rows = []
    for i in range(20000):
        t = h * (i + 1)
        pull = stiffness * (speed * t - x)
        force = contact.step(v + h / mass * pull, h, h / mass, x=x, f=pull)
        v = contact.velocity
        x += h * v
        rows.append((t, x, force))
    t_, x_, f_ = np.array(rows).T
    made[0].plot(t_, x_)
    made[0].set(xlabel="time [s]", ylabel=f"position [{units(law)[0]}]", title="stick-slip")
    made[1].plot(t_, f_)
    made[1].set(xlabel="time [s]", ylabel=f"friction [{units(law)[2]}]")
    return made
