"""Friction for JAX: steps with exact derivatives, forward and reverse, by velocity, position, load, compliance, state
and every parameter. Switch on double precision: jax.config.update("jax_enable_x64", True)."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

import numpy as np

from . import slopes
from .arrays import step_length
from .law import Law

try:
    jax: Any = import_module("jax")
    jnp: Any = import_module("jax.numpy")
except ImportError:
    raise ImportError("bristle.jax needs JAX: pip install 'bristle[jax]'") from None

INPUTS = 6  # v, x, n, w, s, p


def parameters(law: Law) -> Any:
    """The law's parameters as an array, to be changed and handed to `step`."""
    return jnp.asarray(law.values)


def _call(law: Law, h: float, *inputs: Any) -> tuple[np.ndarray[Any, Any], ...]:
    v, x, n, w, s, p = (np.asarray(a, np.float64) for a in inputs)
    shape = slopes.shapes(law, v.shape, x.shape, n.shape, w.shape, s.shape, p.shape)
    made = slopes.flat(law, shape, v, x, n, w, s, p, h)
    rows = made.d_force.shape[0]
    parts = (
        made.force.reshape(shape),
        made.state.reshape(-1, *shape),
        made.velocity.reshape(shape),
        made.d_force.reshape(rows, *shape),
        made.d_state.reshape(-1, rows, *shape),
        made.d_velocity.reshape(rows, *shape),
    )
    kind = np.asarray(inputs[0]).dtype
    return tuple(np.asarray(a, kind) for a in parts)


def _shapes(law: Law, v: Any, x: Any, n: Any, w: Any, s: Any, p: Any) -> tuple[Any, ...]:
    shape = slopes.shapes(law, v.shape, x.shape, n.shape, w.shape, s.shape, p.shape)
    rows = int(law._law.diff.directions) + 1
    like = partial(jax.ShapeDtypeStruct, dtype=v.dtype)
    return (
        like(shape),
        like((law.nstate, *shape)),
        like(shape),
        like((rows, *shape)),
        like((law.nstate, rows, *shape)),
        like((rows, *shape)),
    )


@partial(jax.custom_jvp, nondiff_argnums=(0, 1))
def _step(law: Law, h: float, *inputs: Any) -> tuple[Any, Any, Any]:
    made = jax.pure_callback(partial(_call, law, h), _shapes(law, *inputs), *inputs, vmap_method="sequential")
    return made[0], made[1], made[2]


def _step_jvp(law: Law, h: float, inputs: Any, tangents: Any) -> tuple[Any, Any]:
    force, state, velocity, d_force, d_state, d_velocity = jax.pure_callback(
        partial(_call, law, h), _shapes(law, *inputs), *inputs, vmap_method="sequential"
    )
    v, x, n, w, s, p = tangents
    shape = force.shape

    def full(a: Any) -> Any:
        return jnp.broadcast_to(a, shape)

    def rows(a: Any) -> Any:
        padded = a.reshape((a.shape[0],) + (1,) * (len(shape) - a.ndim + 1) + a.shape[1:])
        return jnp.broadcast_to(padded, (a.shape[0], *shape))

    moved = jnp.concatenate([jnp.stack([full(v), full(x), full(n)]), rows(s), rows(p), full(w)[None]])
    changes = (jnp.sum(d_force * moved, 0), jnp.sum(d_state * moved, 1), jnp.sum(d_velocity * moved, 0))
    return (force, state, velocity), changes


_step.defjvp(_step_jvp)


def step(
    law: Law, v: Any, s: Any, h: float, *, p: Any = None, w: Any = 0.0, n: Any = 1.0, x: Any = 0.0
) -> tuple[Any, Any, Any]:
    """Makes one step and gives the force, the new state and the end velocity.

    s is (nstate, ...), p (nparam,) or (nparam, ...); h is a constant.
    """
    kind = jnp.result_type(float)
    values = parameters(law) if p is None else p
    inputs = [jnp.asarray(a, kind) for a in (v, x, n, w, s, values)]
    made: tuple[Any, Any, Any] = _step(law, step_length(h), *inputs)
    return made


class Contacts:
    """Contacts that keep their state; `p` may be changed, its derivatives are followed through all steps."""

    def __init__(self, law: Law, count: int, p: Any = None) -> None:
        self.law, self.p = law, parameters(law) if p is None else p
        self.state = jnp.asarray(law.state(count))

    def step(self, v: Any, h: float, *, w: Any = 0.0, n: Any = 1.0, x: Any = 0.0) -> tuple[Any, Any]:
        """Makes one step of all contacts and gives their forces and end velocities."""
        force, self.state, velocity = step(self.law, v, self.state, h, p=self.p, w=w, n=n, x=x)
        return force, velocity
