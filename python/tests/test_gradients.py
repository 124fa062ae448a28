"""JAX's check_grads and torch's gradcheck on every smooth law, prescribed and coupled, away from kinks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bristle
from bristle.tables import law_names

H = 1e-3
SMOOTH = [n for n in law_names() if {"smooth"} <= (t := bristle.law(n).table.traits) and "set_valued" not in t]


def point(law: bristle.Law, w: float) -> tuple[Any, Any, Any, Any]:
    """A place in sliding, with the bristles bent: v, s, and what parameters and states are moved by."""
    v = np.array([0.013, -0.02])
    s = law.step(v, H).state
    for row in law.table.states:  # shares are somewhere between their ends
        if row.unit == "1":
            s[row.first] = 0.3
    inside = [
        float(row.kind != "option" and row.low < x < row.high and 0 < abs(x) < 1e8)
        for row in law.table.parameters
        for x in row.default
    ]
    small = np.array(inside)
    return v, s, np.full(2, w), small


def force_of(step: Any, law: bristle.Law, w: float, numbers: Any) -> Any:
    """Of numbers of order one: relative changes of v, n, states and parameters."""
    v, s, ws, small = point(law, w)
    scale = np.abs(s) + 1e-6

    def relative(dv: Any, dn: Any, ds: Any, dp: Any, dw: Any) -> Any:
        p = numbers.asarray(law.values) * (1 + numbers.asarray(small) * dp)
        made = step(
            law,
            numbers.asarray(v) * (1 + dv),
            numbers.asarray(s) + numbers.asarray(scale) * ds,
            H,
            p=p,
            w=numbers.asarray(ws) * (1 + dw),
            n=1 + dn,
        )
        force, state, velocity = made
        return force, state / numbers.asarray(scale), velocity * 10

    return relative


@pytest.mark.parametrize("w", [0.0, 1e-3])
@pytest.mark.parametrize("name", SMOOTH)
def test_jax(name: str, w: float, long: bool) -> None:
    if not long and name not in ("lugre", "tanh"):
        pytest.skip("long: gradients of every law")
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from jax.test_util import check_grads

    import bristle.jax

    law = bristle.law(name)
    call = force_of(bristle.jax.step, law, w, jax.numpy)
    zeros = (np.zeros(2), np.zeros(2), np.zeros((law.nstate, 2)), np.zeros(law.table.nparam), np.zeros(2))
    check_grads(call, zeros, order=1, modes=("fwd", "rev"), atol=1e-4, rtol=1e-4, eps=1e-5)
    made = bristle.jax.step(law, 0.013, law.state(), H, w=w)
    assert float(made[0]) == law.step(0.013, H, w=w).force


class Tensors:
    """NumPy's names for torch."""

    @staticmethod
    def asarray(a: Any) -> Any:
        import torch

        return torch.as_tensor(a, dtype=torch.float64)


@pytest.mark.parametrize("w", [0.0, 1e-3])
@pytest.mark.parametrize("name", SMOOTH)
def test_torch(name: str, w: float) -> None:
    torch = pytest.importorskip("torch", reason="needs torch: pip install torch, then ROWS=python")
    import bristle.torch

    law = bristle.law(name)
    call = force_of(bristle.torch.step, law, w, Tensors)
    shapes = ((2,), (2,), (law.nstate, 2), (law.table.nparam,), (2,))
    zeros = [torch.zeros(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    assert torch.autograd.gradcheck(call, zeros, eps=1e-5, atol=1e-4, rtol=1e-4)


def test_jax_through_many_steps(long: bool) -> None:
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    import bristle.jax

    law = bristle.lugre(fs=2)

    def distance(p: Any) -> Any:
        contacts, v, x = bristle.jax.Contacts(law, 1, p), jax.numpy.zeros(1), jax.numpy.zeros(1)
        for i in range(50):
            _, v = contacts.step(v + H * 3 * (i > 5), H, w=H)
            x = x + H * v
        return x[0]

    p, e = bristle.jax.parameters(law), 1e-6
    slope = jax.grad(distance)(p)
    for k in (0, 3):
        up, down = (distance(p.at[k].mul(1 + sign * e)) for sign in (1, -1))
        assert float(slope[k] * p[k]) == pytest.approx(float((up - down) / (2 * e)), rel=1e-4)
