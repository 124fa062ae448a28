"""JAX's check_grads and torch's gradcheck on every smooth law, prescribed and coupled, away from kinks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gradients import SMOOTH, H, force_of, torch_agrees


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


@pytest.mark.parametrize("w", [0.0, 1e-3])
@pytest.mark.parametrize("name", SMOOTH)
def test_torch(name: str, w: float) -> None:
    pytest.importorskip("torch", reason="needs torch: pip install torch, then ROWS=python")
    assert torch_agrees(name, w)


def test_torch_refuses_second_derivatives() -> None:
    torch = pytest.importorskip("torch", reason="needs torch: pip install torch, then ROWS=python")
    import bristle.torch

    law = bristle.lugre()
    v = torch.linspace(-0.1, 0.1, 7, dtype=torch.float64)
    s = torch.zeros(1, 7, dtype=torch.float64)

    def total(v: Any) -> Any:
        return bristle.torch.step(law, v, s, H)[0].sum()

    with pytest.raises(NotImplementedError, match="first derivatives only"):
        torch.autograd.functional.hessian(total, v)
    plain, followed = (bristle.torch.step(law, a, s, H, w=H) for a in (v, v.clone().requires_grad_()))
    for a, b in zip(plain, followed, strict=True):
        assert not a.requires_grad and b.requires_grad and torch.equal(a, b.detach())


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
