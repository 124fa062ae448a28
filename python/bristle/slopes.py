"""One step of many contacts with all derivatives, on plain arrays: what bristle.torch and bristle.jax stand on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from . import arrays
from ._library import ffi, lib
from .arrays import Array
from .errors import ParameterError, ShapeError, raise_status
from .law import Law


@dataclass(frozen=True)
class Slopes:
    """Forces, states and end velocities of `count` contacts, and their derivatives.

    d_force[k] and d_state[j, k]: by v, x, n, the states, the parameters; and in the last row by w.
    """

    force: Array
    state: Array
    velocity: Array
    d_force: Array
    d_state: Array
    d_velocity: Array


class _Call:
    """One step of contacts: inputs, the states that it changes, forces and end velocities. `p` may be one column."""

    def __init__(self, law: Law, v: Array, x: Array, n: Array, w: Array, s: Array, p: Array, h: float) -> None:
        self.count = v.size
        given = {"v": v, "x": x, "n": n, "w": w, "p": p}
        self.inputs = {name: np.ascontiguousarray(a, np.float64) for name, a in given.items()}
        arrays.refuse_negative(self.inputs["w"], "w")
        self.state = np.array(s, np.float64, order="C")
        self.force, self.velocity = np.empty(self.count), np.empty(self.count)
        self.each, error = ffi.new("bristle_each *"), ffi.new("bristle_error *")
        kept = {**self.inputs, "s": self.state, "force": self.force, "v_end": self.velocity}
        self.memory = {name: arrays.pointer(array) for name, array in kept.items()}
        for name, place in self.memory.items():
            setattr(self.each, name, place)
        own = int(p.ndim > 1)
        self.each.count, self.each.h, self.each.load, self.each.per_contact = (
            self.count if own else 1,
            h,
            law._load,
            own,
        )
        if lib.bristle_each_check(law._law.f64, self.each, error) < self.each.count:
            raise_status(error.status, error)
        self.each.count = self.count


def step(law: Law, v: Array, x: Array, n: Array, w: Array, s: Array, p: Array, h: float) -> Slopes:
    """v, x, n, w have count numbers, s is (nstate, count), p is (nparam, count)."""
    made = _Call(law, v, x, n, w, s, p, h)
    directions = int(law._law.diff.directions)
    d_force, d_state = np.empty((directions + 1, made.count)), np.empty((law.nstate, directions, made.count))
    lib.bristle_each_diff_step(law._law.f64, law._law.diff, made.each, arrays.pointer(d_force), arrays.pointer(d_state))
    # the result depends on v and w through the end velocity u = v - w F alone, hence d/dw = -F d/dv
    d_force[directions] = -made.force * d_force[0]
    d_state = np.concatenate((d_state, -made.force * d_state[:, :1]), axis=1)
    d_velocity = -made.inputs["w"] * d_force
    d_velocity[0] += 1.0
    d_velocity[directions] -= made.force
    return Slopes(made.force, made.state, made.velocity, d_force, d_state, d_velocity)


def forward(
    law: Law, shape: tuple[int, ...], v: Array, x: Array, n: Array, w: Array, s: Array, p: Array, h: float
) -> tuple[Array, Array, Array]:
    """Force, state and end velocity in `shape`, without derivatives."""
    flat_v, flat_x, flat_n, flat_w, flat_s, flat_p = _flattened(shape, v, x, n, w, s, p)
    shared = p.ndim == 1
    made = _Call(law, flat_v, flat_x, flat_n, flat_w, flat_s, p if shared else flat_p, h)
    batch = ffi.new("bristle_batch *")
    for name in ("p", "s", "v", "x", "n", "w", "v_end"):
        setattr(batch, name, made.memory[name])
    batch.count, batch.per_contact, batch.h, batch.load = made.count, int(not shared), h, law._load
    batch.f = made.memory["force"]
    law._law.f64.step_n(batch)
    return made.force.reshape(shape), made.state.reshape(-1, *shape), made.velocity.reshape(shape)


def shapes(law: Law, v: Any, x: Any, n: Any, w: Any, s: Any, p: Any) -> tuple[int, ...]:
    """The common shape of the contacts, or a sentence."""
    if len(s) == 0 or s[0] != law.nstate:
        raise ShapeError(f"s: expected {law.nstate} rows first ({', '.join(law.table.state_names)}), got shape {s}")
    if len(p) == 0 or p[0] != law.table.nparam:
        raise ShapeError(f"p: expected {law.table.nparam} parameters first, got shape {p}")
    try:
        return np.broadcast_shapes(v, x, n, w, s[1:], p[1:])
    except ValueError:
        raise ShapeError(f"these do not broadcast together: v {v}, x {x}, n {n}, w {w}, s {s}, p {p}") from None


def flat(
    law: Law, shape: tuple[int, ...], v: Array, x: Array, n: Array, w: Array, s: Array, p: Array, h: float
) -> Slopes:
    """The same for inputs that broadcast to `shape`."""
    return step(law, *_flattened(shape, v, x, n, w, s, p), h)


def _flattened(
    shape: tuple[int, ...], v: Array, x: Array, n: Array, w: Array, s: Array, p: Array
) -> tuple[Array, Array, Array, Array, Array, Array]:
    count = int(np.prod(shape, dtype=np.int64))
    if not count:
        raise ParameterError("there are no contacts: an input is empty")
    v, x, n, w = (np.broadcast_to(a, shape).reshape(count) for a in (v, x, n, w))
    s, p = (_rows(a, shape).reshape(a.shape[0], count) for a in (s, p))
    return v, x, n, w, s, p


def _rows(a: Array, shape: tuple[int, ...]) -> Array:
    padded = a.reshape((a.shape[0],) + (1,) * (len(shape) - a.ndim + 1) + a.shape[1:])
    return np.broadcast_to(padded, (a.shape[0], *shape))
