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


def step(law: Law, v: Array, x: Array, n: Array, w: Array, s: Array, p: Array, h: float) -> Slopes:
    """v, x, n, w have count numbers, s is (nstate, count), p is (nparam, count)."""
    count, states, directions = v.size, law.nstate, int(law._law.diff.directions)
    inputs = {name: np.ascontiguousarray(a, np.float64) for name, a in {"v": v, "x": x, "n": n, "w": w, "p": p}.items()}
    arrays.refuse_negative(inputs["w"], "w")
    state, force, velocity = np.array(s, np.float64, order="C"), np.empty(count), np.empty(count)
    d_force, d_state = np.empty((directions + 1, count)), np.empty((states, directions, count))
    kept = {**inputs, "s": state, "force": force, "v_end": velocity}
    each, error = ffi.new("bristle_each *"), ffi.new("bristle_error *")
    memory = {name: arrays.pointer(array) for name, array in kept.items()}
    for name, place in memory.items():
        setattr(each, name, place)
    each.count, each.h, each.load, each.per_contact = count, h, law._load, 1
    if lib.bristle_each_check(law._law.f64, each, error) < count:
        raise_status(error.status, error)
    lib.bristle_each_diff_step(law._law.f64, law._law.diff, each, arrays.pointer(d_force), arrays.pointer(d_state))
    # the result depends on v and w through the end velocity u = v - w F alone, hence d/dw = -F d/dv
    d_force[directions] = -force * d_force[0]
    d_state = np.concatenate((d_state, -force * d_state[:, :1]), axis=1)
    d_velocity = -inputs["w"] * d_force
    d_velocity[0] += 1.0
    d_velocity[directions] -= force
    return Slopes(force, state, velocity, d_force, d_state, d_velocity)


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
    count = int(np.prod(shape, dtype=np.int64))
    v, x, n, w = (np.broadcast_to(a, shape).reshape(count) for a in (v, x, n, w))
    s, p = (_rows(a, shape).reshape(a.shape[0], count) for a in (s, p))
    if not count:
        raise ParameterError("there are no contacts: an input is empty")
    return step(law, v, x, n, w, s, p, h)


def _rows(a: Array, shape: tuple[int, ...]) -> Array:
    padded = a.reshape((a.shape[0],) + (1,) * (len(shape) - a.ndim + 1) + a.shape[1:])
    return np.broadcast_to(padded, (a.shape[0], *shape))
