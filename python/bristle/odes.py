"""Friction in differential equations: for scipy.integrate.solve_ivp."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .arrays import Array
from .errors import ParameterError
from .law import Law


class Rhs:
    """The right-hand side of a body on a contact, dy/dt with y = (x, v, states).

    `solve_ivp(rhs, (0, 1), rhs.start(), jac=rhs.jac)` integrates it.

    mass dv/dt = force(t, x, v) - friction. Set-valued laws have no derivative at rest: use their coupled step instead.
    """

    def __init__(
        self, law: Law, mass: float = 1.0, force: Callable[[float, float, float], float] | float = 0.0, n: float = 1.0
    ) -> None:
        if not mass > 0:
            raise ParameterError(f"mass = {mass!r}: must be above 0")
        if "smooth" not in law.table.traits or "set_valued" in law.table.traits:
            raise ParameterError(f"{law.name} is not smooth: step it with law.step(..., w=h/m), or simulate a scenario")
        self.law, self.mass, self.n = law, float(mass), float(n)
        self.force: Callable[[float, float, float], float] = force if callable(force) else _constant(float(force))

    def start(self, x: float = 0.0, v: float = 0.0) -> Array:
        """The vector at the beginning."""
        return np.concatenate(([x, v], self.law.state()))

    def __call__(self, t: float, y: Array) -> Array:
        friction, rate = self.law.rates(float(y[1]), y[2:], x=float(y[0]), n=self.n)
        return np.concatenate(([y[1], (self.force(t, y[0], y[1]) - float(friction)) / self.mass], rate))

    def jac(self, t: float, y: Array) -> Array:
        """The Jacobian: exact for the friction, differences for the force."""
        made = self.law.derivatives(float(y[1]), y[2:], x=float(y[0]), n=self.n)
        states = self.law.nstate
        matrix = np.zeros((2 + states, 2 + states))
        matrix[0, 1] = 1.0
        order = [1, 0, *range(3, 3 + states)]  # x, v, states among the directions v, x, n, states
        matrix[1] = -np.asarray(made.d_force)[order] / self.mass
        matrix[2:] = np.asarray(made.d_state)[:, order]
        for column, value in ((0, y[0]), (1, y[1])):
            e = 1e-7 * max(1e-3, abs(value))
            up, down = ([y[0] + k * e * (column == 0), y[1] + k * e * (column == 1)] for k in (1, -1))
            matrix[1, column] += (self.force(t, *up) - self.force(t, *down)) / (2 * e * self.mass)
        return matrix


def _constant(value: float) -> Callable[[float, float, float], float]:
    return lambda t, x, v: value


def rhs(law: Law, mass: float = 1.0, force: Any = 0.0, n: float = 1.0) -> Rhs:
    """The right-hand side of a body with friction, for solve_ivp; see `Rhs`."""
    return Rhs(law, mass, force, n)
