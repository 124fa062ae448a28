"""Exact derivatives, generated from each law's own text."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import arrays
from ._library import ffi, lib
from .arrays import Array
from .law import F64, Each, Law


class Derivatives:
    """Force (and state) with all derivatives. The shape of the inputs comes last in every array.

    directions   names: v, x, n, the states, the parameters
    force        the force;  d_force[k] its derivative by direction k
    state        of a step: the new states, of eval: their rates;  d_state[j, k] the derivative of number j
    velocity     of a step: the end velocity;  d_velocity[k] its derivative
    """

    def __init__(
        self,
        law: Law,
        force: Array,
        state: Array,
        d_force: Array,
        d_state: Array,
        velocity: Array | None,
        w: Array | None,
    ) -> None:
        table = law.table
        names = [
            row.name if row.count == 1 else f"{row.name}{i + 1}" for row in table.parameters for i in range(row.count)
        ]
        self.directions: tuple[str, ...] = ("v", "x", "n", *table.state_names, *names)
        self.force, self.state, self.d_force, self.d_state, self.velocity = force, state, d_force, d_state, velocity
        self._w = w

    @property
    def d_velocity(self) -> Array:
        """Derivatives of the end velocity v - w F."""
        lost = np.zeros_like(self.d_force) if self._w is None else -self._w * self.d_force
        lost[0] += 1.0
        return lost

    def __getitem__(self, name: str) -> Array:
        """d force / d name."""
        if name not in self.directions:
            from .errors import unknown

            raise unknown("there is no direction", name, self.directions)
        return np.asarray(self.d_force[self.directions.index(name)])


def derivatives(law: Law, v: ArrayLike, s: ArrayLike | None, h: float | None, given: dict[str, Any]) -> Derivatives:
    """Derivatives of eval (h None) or of a step."""
    allowed = ("x", "n", "f", "a") if h is None else ("x", "n", "f", "w")
    for name in given:
        if name not in allowed:
            from .errors import unknown

            raise unknown("derivatives takes no", name, allowed)
    each = Each(law, v, s, 0.0 if h is None else arrays.step_length(h), {k: given.get(k) for k in allowed})
    each.to_double()
    diff = law._law.diff
    directions = int(diff.directions)
    d_force = np.empty((directions, *each.shape))
    d_state = np.empty((law.nstate, directions, *each.shape))
    force, velocity = np.empty(each.shape), np.empty(each.shape)
    what, rate = ("step", None) if h is not None else ("eval", np.empty_like(each.s))
    kept = {"force": force, "v_end": velocity, "rate": rate, "s": each.s, "p": each.p, **each.arrays}
    memory = {name: arrays.pointer(array) for name, array in kept.items()}
    block = ffi.new("bristle_each *")
    for name, place in memory.items():
        setattr(block, name, place)
    block.count, block.h, block.load = each.count, each.h, law._load
    call = getattr(lib, f"bristle_each_diff_{what}")
    call(law._law.f64, diff, block, arrays.pointer(d_force), arrays.pointer(d_state))
    assert each.dtype == F64
    state = each.s if rate is None else rate
    return Derivatives(law, force, state, d_force, d_state, velocity if h is not None else None, each.arrays.get("w"))
